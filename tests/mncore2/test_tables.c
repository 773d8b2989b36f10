/* The committed tables are what the rows give; TAKT_REGENERATE=1 writes them anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/made_page.h"
#include "tests/mncore2/lang_tables.h"

static void opcode_table(void **unused)
{
    (void)unused;
    made_page_compare("functional/mncore2/opcodes.md", lang_opcode_table);
}

static void dictionary(void **unused)
{
    (void)unused;
    made_page_compare("tests/fuzz/fuzz_parse.dict", lang_dictionary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opcode_table),
        cmocka_unit_test(dictionary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
