#include "timing/renamed.h"

#include <stdlib.h>

void renamed_free(struct renamed *renamed)
{
    free(renamed->text);
    free(renamed->clear);
    free(renamed->values);
    *renamed = (struct renamed){.text = NULL};
}
