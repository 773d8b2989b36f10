#include "analysis/diff_print.h"

int diff_print_html(const struct diff_answer *answer, FILE *out)
{
    (void)answer;
    return ferror(out) ? -1 : 0;
}
