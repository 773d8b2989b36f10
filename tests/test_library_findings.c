/*
 * Findings of libtakt: of programs and of runs, how many there are, as takt check judges; and what
 * a run has not counted is not expected of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/handles.h"

static const char early[] = "imm f\"1.0\" $r0/0010\nnop\ndvadd $lm0v $r0e $ln0v\n";

/* Two texts of one name: a finding says which. The statement of a hazard's other end is the write
 * of line 1. */
static void details(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_program *program;
    struct takt_machine *machine = handles_machine("mncore2");
    const struct takt_text texts[] = {{"k", "nop/9\n", 6}, {"k", early, sizeof early - 1}};
    handles_refused(takt_program_open(&program, machine, texts, 2, &error), TAKT_INPUT, &error,
                    "k:3:13: read of GRF0 too soon");
    const struct takt_finding *found;
    const struct takt_detail *rows;
    const size_t count = takt_program_findings(program, &found);
    assert_int_equal(takt_program_details(program, &rows), count);
    size_t hazards = 0;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].text, 1);
        if (found[i].severity != TAKT_ERROR)
            continue;
        hazards++;
        assert_int_equal(rows[i].other_line, 1);
        assert_null(rows[i].other_file);
    }
    assert_int_equal(hazards, 1);
    takt_program_close(program);
    takt_machine_close(machine);
}

/* More than are listed. */
static void counts(void **state)
{
    (void)state;
    enum { LINES = 12000, LISTED = 10000 };
    static const char line[] = "nonsense\n";
    struct takt_error error;
    struct takt_program *program;
    struct takt_machine *machine = handles_machine("mncore2");
    char *many = malloc(LINES * strlen(line) + 1);
    for (size_t i = 0; i < LINES; i++)
        strcpy(many + i * strlen(line), line);
    const struct takt_text text = {"k", many, strlen(many)};
    handles_refused(takt_program_open(&program, machine, &text, 1, &error), TAKT_INPUT, &error,
                    "k:1:1");
    const struct takt_finding *found;
    assert_int_equal(takt_program_findings(program, &found), LISTED);
    assert_int_equal(takt_program_count(program, TAKT_ERROR), LINES);
    assert_int_equal(takt_program_count(program, TAKT_WARNING), 0);
    assert_int_equal(takt_program_count(program, TAKT_NOTE), 0);
    takt_program_close(program);
    takt_machine_close(machine);
    free(many);
}

/* A statement that always fails when executed may be run, for a branch may avoid it; takt check
 * refuses it. */
static void as_checked(void **state)
{
    (void)state;
    static const char trap[] = "_start: beq x0, x0, end\n.word 0xffffffff\nend: .word 0xffffffff\n";
    struct takt_error error;
    struct takt_program *program;
    struct takt_run *run;
    struct takt_machine *machine = handles_machine("kelvin");
    const struct takt_text text = {"k", trap, sizeof trap - 1}, missing = {.name = "/nowhere/k"};
    handles_fine(takt_program_open(&program, machine, &text, 1, &error), &error);
    assert_int_equal(takt_program_count(program, TAKT_ERROR), 0);
    assert_true(takt_program_count(program, TAKT_WARNING) > 0);
    takt_program_close(program);
    handles_refused(takt_program_check(&program, machine, &text, 1, &error), TAKT_INPUT, &error,
                    "k:");
    assert_true(takt_program_count(program, TAKT_ERROR) > 0);
    assert_int_equal(takt_program_count(program, TAKT_WARNING), 0);
    handles_refused(takt_run_open(&run, program, NULL, &error), TAKT_MISUSE, &error, "errors");
    takt_program_close(program);
    handles_refused(takt_program_check(&program, machine, &missing, 1, &error), TAKT_INPUT, &error,
                    "/nowhere/k");
    assert_null(program);
    takt_machine_close(machine);
}

/* What a run warns of that a check does not see, as takt run --json lists it. */
static void of_a_run(void **state)
{
    (void)state;
    static const char path[] = "tests/naive/too-early.vsm";
    const char *const command[] = {"run", path, "--json", NULL};
    const struct takt_options options = {.size = sizeof options, .flags = TAKT_WARNINGS};
    const struct takt_finding *found;
    json_t *root = handles_command(command), *row;
    struct takt_program *program = handles_program(path);
    struct takt_run *plain = handles_done(program, NULL), *run = handles_done(program, &options);
    assert_int_equal(takt_run_findings(plain, &found), 0);
    const size_t count = takt_run_findings(run, &found);
    size_t i, at = 0;
    json_array_foreach(json_object_get(root, "warnings"), i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "name")), "early") != 0)
            continue;
        assert_true(at < count);
        assert_string_equal(found[at].file, path);
        assert_int_equal(found[at].line, handles_integer(row, "line"));
        assert_string_equal(found[at].name, "early");
        assert_string_equal(found[at].text, json_string_value(json_object_get(row, "message")));
        assert_int_equal(found[at].severity, TAKT_WARNING);
        at++;
    }
    assert_true(count > 0);
    assert_int_equal(at, count);
    json_decref(root);
    takt_run_close(run);
    takt_run_close(plain);
    takt_program_close(program);
}

/* A nop of nine steps alone: all nine can go, and a step takes four cycles. Without TAKT_WARNINGS
 * nobody has looked, and without time there is nothing. */
static void expected(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_expectation found;
    struct takt_program *program;
    struct takt_machine *machine = handles_machine("mncore2");
    const struct takt_text text = {"k", "nop/9\n", 6};
    const struct takt_options counted = {.size = sizeof counted, .flags = TAKT_WARNINGS},
                              values = {.size = sizeof values, .flags = TAKT_VALUES | TAKT_NO_TIME};
    handles_fine(takt_program_open(&program, machine, &text, 1, &error), &error);
    struct takt_run *run = handles_done(program, NULL);
    static const char *const removable[] = {"removable.steps <= 0", "removable.cycles <= 0"};
    for (size_t i = 0; i < 2; i++)
        handles_refused(takt_run_expect(run, removable[i], &found, &error), TAKT_MISUSE, &error,
                        "TAKT_WARNINGS");
    assert_false(found.holds);
    handles_fine(takt_run_expect(run, "nops.tags <= 0", &found, &error), &error);
    assert_true(found.holds); /* by tag, of which none waits */
    takt_run_close(run);
    run = handles_done(program, &counted);
    for (size_t i = 0; i < 2; i++) {
        handles_fine(takt_run_expect(run, removable[i], &found, &error), &error);
        assert_false(found.holds);
        assert_int_equal((int)found.value, i ? 36 : 9);
    }
    takt_run_close(run);
    run = handles_done(program, &values);
    static const char *const timed[] = {"cycles <= 1", "steps <= 1", "util(alu) >= 0"};
    for (size_t i = 0; i < 3; i++)
        handles_refused(takt_run_expect(run, timed[i], &found, &error), TAKT_MISUSE, &error,
                        "TAKT_NO_TIME");
    takt_run_close(run);
    takt_program_close(program);
    takt_machine_close(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(details),  cmocka_unit_test(counts),   cmocka_unit_test(as_checked),
        cmocka_unit_test(of_a_run), cmocka_unit_test(expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
