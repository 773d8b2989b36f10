#include "cli/batch_junit.h"

#include <jansson.h>
#include <stdlib.h>

#include "host/file_identity.h"

/* Why a program was not timed: the first error, or the sentence. */
static void describe(const json_t *answer, char *text, size_t size)
{
    const json_t *finding = json_array_get(json_object_get(answer, "diagnostics"), 0);
    const char *why = json_string_value(json_object_get(answer, "why"));
    const char *message = json_string_value(json_object_get(finding, "message"));
    snprintf(text, size, "%s%s%s", why ? why : "", why && message ? "; " : "",
             message ? message : "");
    if (!why && message)
        snprintf(text, size, "line %lld: %s",
                 (long long)json_integer_value(json_object_get(finding, "line")), message);
}

bool batch_junit_add(struct junit *junit, const char *text, const char *path)
{
    json_t *answer = json_loads(text, 0, NULL);
    const json_t *id = json_object_get(answer, "id");
    char *other = json_is_string(id) ? NULL : json_dumps(id, JSON_ENCODE_ANY);
    const char *name = json_is_string(id) ? json_string_value(id) : other ? other : "";
    char sentence[1024];
    describe(answer, sentence, sizeof sentence);
    const bool ok = json_is_true(json_object_get(answer, "ok"));
    junit_case(junit, &(const struct junit_case){.group = "takt batch",
                                                 .name = name,
                                                 .result = ok ? JUNIT_PASSED : JUNIT_FAILED,
                                                 .sentence = sentence});
    const bool same = file_same(path, name);
    free(other);
    json_decref(answer);
    return same;
}
