#include "tests/takt_expect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/takt_process.h"

void takt_expect(const char *const *arguments, int exit_code, const char *out, const char *err)
{
    struct takt_result r = takt_run(arguments);
    if (r.exit_code != exit_code || (out && !strstr(r.out, out)) || (err && !strstr(r.err, err)))
        fail_msg("takt %s ...: exit %d (expected %d), stdout:\n%s\nstderr:\n%s\nexpected '%s' '%s'",
                 arguments[0] ? arguments[0] : "", r.exit_code, exit_code, r.out, r.err,
                 out ? out : "", err ? err : "");
    takt_result_free(&r);
}

void takt_expect_json(const char *const *arguments)
{
    struct takt_result r = takt_run(arguments);
    json_error_t error;
    json_t *value = json_loads(r.out, 0, &error);
    if (r.exit_code != 0 || !value)
        fail_msg("exit %d: %s %.200s", r.exit_code, error.text, r.err);
    json_decref(value);
    takt_result_free(&r);
}

const char *takt_record(const char *program, const char *option)
{
    const char *trace = takt_temp_path("k.db");
    unlink(trace);
    takt_expect(ARGS("run", program, "--trace", trace, "--quiet", option), 0, NULL, NULL);
    return trace;
}
