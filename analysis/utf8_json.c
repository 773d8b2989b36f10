#include "analysis/utf8_json.h"

#include <stdlib.h>
#include <string.h>

#include "traces/json_text.h"

json_t *utf8_json(const char *text)
{
    if (!text)
        return json_null();
    json_t *value = json_string(text);
    if (value)
        return value;
    char *clean = strdup(text);
    if (!clean)
        return NULL;
    for (size_t i = 0, size = strlen(clean); i < size;) {
        const size_t n = json_text_utf8(clean + i, size - i);
        if (!n)
            clean[i] = '?';
        i += n ? n : 1;
    }
    value = json_string(clean);
    free(clean);
    return value;
}
