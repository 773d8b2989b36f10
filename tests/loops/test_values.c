/* Values: generated nests against nests as written, executed by tests/loops/kit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/loops/kit.h"
#include "tests/loops/run.h"
#include "tests/often.h"

static void random_nests_equal_the_plain_nest(void **state)
{
    (void)state;
    for (size_t round = 0; round < often(2000); round++) {
        struct dice dice = {round * 7919 + 1};
        static struct kit kit;
        loops_kit_program(&kit, &dice);
        const size_t words = (size_t)kit.memory / 8;
        uint64_t *memory = malloc(words * 8), *got = malloc(words * 8);
        loops_kit_fill(&kit, &dice, (uint8_t *)memory);
        loops_run_values(kit.text, memory, got, words);
        loops_kit_execute(&kit, (uint8_t *)memory);
        if (memcmp(memory, got, words * 8) != 0) {
            size_t at = 0;
            while (((uint8_t *)memory)[at] == ((uint8_t *)got)[at])
                at++;
            fail_msg("round %zu, byte %zu\n%s", round, at, kit.text);
        }
        free(memory);
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_nests_equal_the_plain_nest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
