#include "tests/kelvin/rig.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void rig_load(struct rig *rig, const char *text)
{
    assert_int_equal(source_from_text(&rig->source, "k.kelvin", text, strlen(text)), 0);
    diag_list_init(&rig->diags);
    rig->exec = NULL;
    if (kelvin_program_load(&rig->program, &rig->source, 1, &rig->diags) != 0) {
        diag_print(&rig->diags, &rig->source, 1, stderr, false);
        fail_msg("not assembled:\n%s", text);
    }
}

void rig_run(struct rig *rig, const char *text)
{
    rig_load(rig, text);
    const struct kelvin_exec_options options = {.dump = NULL};
    rig->exec = kelvin_exec_new(&rig->program, &options);
    assert_non_null(rig->exec);
    kelvin_exec_advance(rig->exec, 100000, NULL);
}

void rig_free(struct rig *rig)
{
    kelvin_exec_free(rig->exec);
    kelvin_program_free(&rig->program);
    diag_list_free(&rig->diags);
    source_close(&rig->source);
}

void expect_registers(const char *text, const uint32_t *numbers, const uint32_t *values,
                      size_t count)
{
    struct rig rig;
    rig_run(&rig, text);
    if (kelvin_exec_end(rig.exec) != KELVIN_ENDED)
        fail_msg("%s\n%s", kelvin_exec_sentence(rig.exec), text);
    for (size_t i = 0; i < count; i++) {
        const uint32_t is = kelvin_exec_state(rig.exec)->x[numbers[i]];
        if (is != values[i])
            fail_msg("x%" PRIu32 " is 0x%" PRIx32 ", not 0x%" PRIx32 "\n%s", numbers[i], is,
                     values[i], text);
    }
    rig_free(&rig);
}
