/* The committed tables are what the rows give; TAKT_REGENERATE=1 writes them anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/source.h"
#include "tests/mncore2/lang_tables.h"

static void compare(const char *path, void (*write)(FILE *))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write(out);
    fclose(out);
    if (getenv("TAKT_REGENERATE") != NULL) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(text, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
    }
    struct source source;
    char error[200];
    if (source_open(&source, path, error, sizeof error) != 0)
        fail_msg("%s", error);
    if (source.size != size || memcmp(source.text, text, size) != 0)
        fail_msg("%s is not what the rows give: run this test with TAKT_REGENERATE=1", path);
    source_close(&source);
    free(text);
}

static void opcode_table(void **unused)
{
    (void)unused;
    compare("functional/mncore2/opcodes.md", lang_opcode_table);
}

static void dictionary(void **unused)
{
    (void)unused;
    compare("tests/fuzz/fuzz_parse.dict", lang_dictionary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opcode_table),
        cmocka_unit_test(dictionary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
