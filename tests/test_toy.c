/* toy: a third machine is new folders and one line in config/machines.def. tests/toy/run.sh builds
 * it in a copy of the tree and uses its takt in every way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/emulator.h"

static void one_line_and_new_folders(void **state)
{
    (void)state;
    if (emulated())
        skip(); /* the script builds and runs its takt for this host */
    const char *takt = getenv("TAKT");
    char command[600];
    snprintf(command, sizeof command, "tests/toy/run.sh '%s' 2>&1", takt ? takt : "build/takt");
    FILE *answer = popen(command, "r");
    assert_non_null(answer);
    char text[8192];
    const size_t size = fread(text, 1, sizeof text - 1, answer);
    text[size] = '\0';
    if (pclose(answer) != 0)
        fail_msg("%s", text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_line_and_new_folders)};
    return cmocka_run_group_tests_name("toy", tests, NULL, NULL);
}
