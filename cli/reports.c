#include "cli/reports.h"

#include <stdlib.h>
#include <string.h>

#include "cli/improve.h"

int reports_json(const char *command, const char *path, json_t *value)
{
    char *text = value ? json_dumps(value, JSON_INDENT(1) | JSON_ENSURE_ASCII) : NULL;
    json_decref(value);
    if (!text)
        return cli_fail(EXIT_HOST, command, "out of memory");
    const int code = improve_write(command, path, text, strlen(text));
    free(text);
    return code;
}
