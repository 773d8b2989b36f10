/*
 * The cases of tests/ventus/cases.tar.gz, whose logs a public functional simulator wrote: takt's
 * are the same, byte for byte. And the form of the files, both edges.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/ventus/logged.h"

/* --- logs ------------------------------------------------------------------------------------- */

static void logs_are_equal(void **state)
{
    (void)state;
    struct logged_file *logs;
    const size_t count = logged_files(".log", &logs);
    size_t equal = 0;
    for (size_t i = 0; i < count; i++) {
        char metadata[512];
        snprintf(metadata, sizeof metadata, "%.*s.metadata", (int)(strlen(logs[i].path) - 4),
                 logs[i].path);
        size_t size;
        char *text = logged_of_file(metadata, &size);
        if (size == logs[i].size && !memcmp(text, logs[i].text, size))
            equal++;
        else
            print_error("%s differs\n", logs[i].path);
        free(text);
    }
    assert_int_equal(count, 45);
    assert_int_equal(equal, 45);
    logged_free(logs, count);
}

/* --- the form of the files -------------------------------------------------------------------- */

/* Loads NAME.metadata of this text, with the data text; the first sentence into `said`. */
static int load(const char *metadata, const char *data, char said[256])
{
    char path[128], error[256];
    struct ventus_program program;
    struct source source;
    struct diag_list diags;
    snprintf(path, sizeof path, "%s/form.data", logged_root);
    FILE *file = fopen(path, "w");
    fputs(data, file);
    fclose(file);
    snprintf(path, sizeof path, "%s/form.metadata", logged_root);
    file = fopen(path, "w");
    fputs(metadata, file);
    fclose(file);
    diag_list_init(&diags);
    assert_int_equal(source_open(&source, path, error, sizeof error), 0);
    const int status = ventus_program_load(&program, &source, 1, &diags);
    snprintf(said, 256, "%u: %.200s", diags.count ? diags.items[0].line : 0,
             diags.count ? diags.items[0].message : "");
    ventus_program_free(&program);
    source_close(&source);
    diag_list_free(&diags);
    return status;
}

/* start, id, grid x y z, threads, warps, metadata, local, private, sgprs, vgprs, private base, 1
 * buffer: base, size, room */
#define WORDS(threads, warps, size)                                                                \
    "80000000\n0\n0\n0\n1\n0\n1\n0\n1\n0\n" threads "\n0\n" warps                                  \
    "\n0\n90000000\n0\n0\n0\n0\n0\n40\n0\n40\n0\n90001000\n0\n1\n0\n80000000\n0\n" size            \
    "\n0\n1000\n0\n"

static void forms(void **state)
{
    (void)state;
    char said[256];
    assert_int_equal(load(WORDS("20", "8", "4"), "0000400b\n", said), 0);
    assert_int_equal(load(WORDS("21", "8", "4"), "0000400b\n", said), 1);
    assert_string_equal(said, "12: a warp has 1 to 32 threads");
    assert_int_equal(load(WORDS("0", "8", "4"), "0000400b\n", said), 1);
    assert_int_equal(load(WORDS("4", "20", "4"), "0000400b\n", said), 0);
    assert_int_equal(load(WORDS("4", "21", "4"), "0000400b\n", said), 1);
    assert_int_equal(load(WORDS("4", "8", "0"), "", said), 1);
    assert_string_equal(said, "34: no buffer holds code at the start address");
    assert_int_equal(load(WORDS("4", "8", "8"), "0000400b\n", said), 1);
    assert_non_null(strstr(said, "form.data:2: the file ends before its last word"));
    assert_int_equal(load(WORDS("4", "8", "4"), "0000400bx\n", said), 1);
    assert_int_equal(load(WORDS("4", "8", "4"), "000400b00\n", said), 1);
    assert_int_equal(load("80000000\n", "", said), 1);
    assert_int_equal(load("", "", said), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_are_equal),
        cmocka_unit_test(forms),
    };
    return cmocka_run_group_tests(tests, logged_unpack, logged_clear);
}
