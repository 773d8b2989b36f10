#include "analysis/junit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "functional/text.h"
#include "host/text.h"

int junit_open(struct junit *junit)
{
    *junit = (struct junit){0};
    junit->cases = text_open(&junit->text, &junit->size);
    return junit->cases ? 0 : -1;
}

/* Characters that XML has in an attribute; others become '?'. */
static void put(const char *text, FILE *out)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i < length;) {
        const size_t size = text_character(text + i, length - i);
        const char *entity = text[i] == '&'    ? "&amp;"
                             : text[i] == '<'  ? "&lt;"
                             : text[i] == '>'  ? "&gt;"
                             : text[i] == '"'  ? "&quot;"
                             : text[i] == '\n' ? "&#10;"
                             : size == 0       ? "?"
                                               : NULL;
        if (entity)
            fputs(entity, out);
        else
            fwrite(text + i, 1, size, out);
        i += size ? size : 1;
    }
}

void junit_case(struct junit *junit, const struct junit_case *row)
{
    static const char *const tags[] = {"", "failure", "error"};
    junit->count++;
    junit->failures += row->result == JUNIT_FAILED;
    junit->errors += row->result == JUNIT_ERROR;
    fputs("    <testcase classname=\"", junit->cases);
    put(row->group, junit->cases);
    fputs("\" name=\"", junit->cases);
    put(row->name, junit->cases);
    if (row->result == JUNIT_PASSED) {
        fputs("\"/>\n", junit->cases);
        return;
    }
    fprintf(junit->cases, "\">\n      <%s message=\"", tags[row->result]);
    put(row->sentence ? row->sentence : "", junit->cases);
    fputs("\"/>\n    </testcase>\n", junit->cases);
}

char *junit_close(struct junit *junit, const char *suite, size_t *size)
{
    char *text = NULL;
    const bool whole = text_close(junit->cases, &junit->text) == 0;
    FILE *out = whole ? text_open(&text, size) : NULL;
    if (out) {
        fprintf(out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                "  <testsuite name=\"%s\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64
                "\" errors=\"%" PRIu64 "\">\n",
                suite, junit->count, junit->failures, junit->errors);
        fwrite(junit->text, 1, junit->size, out);
        fputs("  </testsuite>\n</testsuites>\n", out);
    }
    free(junit->text);
    return text_close(out, &text) == 0 ? text : NULL;
}
