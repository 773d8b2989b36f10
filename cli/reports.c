#include "cli/reports.h"

#include <stdlib.h>
#include <string.h>

#include "cli/improve.h"
#include "host/file.h"

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

int reports_junit(const char *command, const char *path, struct junit *junit)
{
    char suite[64];
    size_t size = 0;
    snprintf(suite, sizeof suite, "takt %s", command);
    char *text = junit_close(junit, suite, &size);
    if (!text)
        return cli_fail(EXIT_HOST, command, "out of memory");
    const int code = improve_write(command, path, text, size);
    free(text);
    return code;
}

int reports_early(const char *command, const char *path, struct junit *junit)
{
    char suite[64], error[600];
    size_t size = 0;
    struct replace file;
    snprintf(suite, sizeof suite, "takt %s", command);
    char *text = junit_close(junit, suite, &size);
    if (!text)
        return cli_fail(EXIT_HOST, command, "out of memory");
    const int opened = replace_open(&file, path, error, sizeof error);
    if (opened == 0)
        fwrite(text, 1, size, file.file);
    free(text);
    const bool closed = opened == 0 && replace_close(&file, true, error, sizeof error) == 0;
    return closed ? EXIT_FINE : cli_fail(opened > 0 ? EXIT_USAGE : EXIT_HOST, command, "%s", error);
}

int reports_case(const char *command, const char *path, const struct junit_case *row)
{
    struct junit junit;
    if (junit_open(&junit) != 0)
        return cli_fail(EXIT_HOST, command, "out of memory");
    junit_case(&junit, row);
    return reports_junit(command, path, &junit);
}
