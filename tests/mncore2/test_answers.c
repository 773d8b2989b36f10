/* What commands answer about programs whose figures the manual gives (the sections named below). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/takt_expect.h"
#include "tests/takt_process.h"

static const char *repeated(const char *name, const char *line, unsigned times)
{
    char *text = malloc(strlen(line) * times + 1), *at = text;
    assert_non_null(text);
    for (unsigned i = 0; i < times; i++)
        at = stpcpy(at, line);
    const char *path = takt_temp_file(name, text);
    free(text);
    return path;
}

/* 1.4: in the vector mode an MAU has 2, 8 and 16 multiply-adds a cycle, so 1,024 of them at 750 MHz
 * 3.072, 12.288 and 24.576 TFLOPS; in the matrix mode 2 x 4 are 12.288. Back to back they have them
 * all. */
static void each_mode_has_its_peak(void **unused)
{
    (void)unused;
    static const struct {
        const char *statement, *row;
    } rows[] = {
        {"dvfmad $lm0v $ln0v $lr0v $nowrite\n", "\nvector_double,4915200,3.072,3.072,100,"},
        {"fvfma $lm0v $ln0v $lr0v $nowrite\n", "\nvector_single,19660800,12.288,12.288,100,"},
        {"hvfma $lm0v $ln0v $lr0v $nowrite\n", "\nvector_half,39321600,24.576,24.576,100,"},
        {"dmfmad $lx $lm0v $ln0v $nowrite\n", "\ndouble,19660800,12.288,12.288,100,"},
    };
    const char *trace = takt_temp_path("peak.db");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *program = repeated("peak.vsm", rows[i].statement, 300);
        takt_expect(ARGS("run", program, "--packing", "none", "--silence", "all", "--trace", trace),
                    0, NULL, NULL);
        takt_expect(ARGS("report", trace, "roofline", "--csv"), 0, rows[i].row, NULL);
    }
}

/* 1.5: a DRAM has 128 GB/s; 3.5.8.6 and .2: a mode alone 16 long words a cycle, 96 GB/s at 750 MHz.
 * Four channels carry it, 32 GB/s each. 3.5.8.4 across groups: 8 long words, 48 GB/s. */
static void each_limit_has_its_name(void **unused)
{
    (void)unused;
    const char *program = takt_temp_file("limits.vsm", "mvp/n4096i01 $d0@0 $lc0@0.0\n"
                                                       "mvp/n4096i02 $p0@0 $lc0@1.0\n"
                                                       "nop; wait i01\nnop; wait i02\n");
    const char *trace = takt_temp_path("limits.db");
    takt_expect(ARGS("run", program, "--trace", trace), 0, NULL, NULL);
    static const struct {
        const char *unit, *end;
    } rows[] = {{"dram0,dram,", ",memory,96,mvp D->C\r\n"},
                {"dram0.ch0,channel,", ",32,,channel,,\r\n"},
                {"link0-1,link,", ",link,48,mvp P->C\r\n"},
                {"pdm0,port,", ",port,48,mvp P->C\r\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        takt_expect(ARGS("report", trace, "bandwidth", "--csv"), 0, rows[i].unit, NULL);
        takt_expect(ARGS("report", trace, "bandwidth", "--csv"), 0, rows[i].end, NULL);
    }
    takt_expect(ARGS("report", trace, "bandwidth", "--csv"), 0, ",128,", NULL);
}

/* Every command about a program takes --silence, and refuses what is no name of a warning. */
static void every_command_can_be_silent(void **unused)
{
    (void)unused;
    const char *program = takt_temp_file("silent.vsm", "lpassa $lm0v $ln0v\n");
    const char *out = takt_temp_path("silent.out");
    const char *const *const commands[] = {
        ARGS("run", program),
        ARGS("check", program),
        ARGS("print", program),
        ARGS("bound", program),
        ARGS("deps", program),
        ARGS("diff", program, program),
        ARGS("sensitivity", program),
        ARGS("whatif", program, "--set", "hazard_lm=3"),
        ARGS("expect", program, "cycles > 0"),
        ARGS("advise", program),
        ARGS("schedule", program, "--out", out),
        ARGS("batch", program),
        ARGS("why", program, "issue@0"),
        ARGS("judge", "examples/mncore2/judge-testcase.vsm", "examples/mncore2/judge-answer.vsm"),
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *with[12];
        size_t count = 0;
        for (const char *const *a = commands[i]; *a; a++)
            with[count++] = *a;
        with[count++] = "--silence";
        with[count + 1] = NULL;
        with[count] = "never-written";
        struct takt_result silent = takt_run(with);
        if (silent.exit_code != 0 || strstr(silent.err, "never-written"))
            fail_msg("takt %s: exit %d\n%s", with[0], silent.exit_code, silent.err);
        takt_result_free(&silent);
        with[count] = "never-writen";
        takt_expect(with, strcmp(with[0], "batch") == 0 ? 1 : 2, NULL, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mode_has_its_peak),
        cmocka_unit_test(each_limit_has_its_name),
        cmocka_unit_test(every_command_can_be_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
