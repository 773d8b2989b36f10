#include "tests/takt_expect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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
