/*
 * Answers of libtakt that have separate handles: proofs, differences, advice, schedules. They
 * are the command's, and keep what they promise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/handles.h"
#include "tests/takt_process.h"

/* packing: "flat" without the units that steps come in, or NULL. */
static struct takt_program *packed(const char *text, const char *packing)
{
    struct takt_error error;
    struct takt_program *program;
    struct takt_machine *machine = handles_machine("mncore2");
    if (packing)
        handles_fine(takt_machine_option(machine, "packing", packing, &error), &error);
    const struct takt_text given = {"text.vsm", text, strlen(text)};
    handles_fine(takt_program_open(&program, machine, &given, 1, &error), &error);
    takt_machine_close(machine);
    return program;
}

static struct takt_program *program_of(const char *text)
{
    return packed(text, NULL);
}

/* A run of it that is done, which keeps it. */
static struct takt_run *run_of(struct takt_program *program, unsigned flags, const char *init)
{
    const struct takt_options options = {.size = sizeof options, .flags = flags, .init = init};
    struct takt_run *run = handles_done(program, &options);
    takt_program_close(program);
    return run;
}

/* --- proofs ----------------------------------------------------------------------------------- */

static void proof_as_command(void **state)
{
    (void)state;
    for (size_t e = 0; e < HANDLES_EXAMPLES; e++) {
        const char *const bound[] = {"bound", handles_examples[e], "--json", NULL};
        json_t *root = handles_command(bound), *rows = json_object_get(root, "bounds");
        struct takt_run *run = run_of(handles_program(handles_examples[e]), TAKT_BOUNDS, NULL);
        struct takt_error error;
        struct takt_proof *proof;
        handles_fine(takt_proof_open(&proof, run, NULL, &error), &error);
        takt_run_close(run); /* the proof stands without it */
        assert_int_equal(proof->cycles, handles_integer(root, "cycles"));
        assert_int_equal(proof->bound_count, json_array_size(rows));
        for (size_t i = 0; i < proof->bound_count; i++) {
            const json_t *row = json_array_get(rows, i), *unit = json_object_get(row, "unit");
            const struct takt_bound *own = &proof->bounds[i];
            json_t *certificate = json_loads(proof->certificates[i], 0, NULL);
            assert_string_equal(own->class_name, json_string_value(json_object_get(row, "class")));
            assert_string_equal(own->kind, json_string_value(json_object_get(row, "kind")));
            assert_true(!own->unit == json_is_null(unit));
            if (own->unit)
                assert_string_equal(own->unit, json_string_value(unit));
            assert_int_equal(own->cycles, handles_integer(row, "cycles"));
            assert_true(json_equal(certificate, json_object_get(row, "certificate")));
            json_decref(certificate);
        }
        assert_int_equal(proof->size, strlen(proof->text));
        const char *const certify[] = {"certify", handles_examples[e],
                                       takt_temp_file("proof", proof->text), NULL};
        struct takt_result done = takt_run(certify);
        assert_int_equal(done.exit_code, 0);
        takt_result_free(&done);
        takt_proof_close(proof);
        json_decref(root);
    }
}

/* A step takes 4 cycles: a region of one is of 4, whatever stands around it. */
static void proof_of_a_region(void **state)
{
    (void)state;
    static const char text[] = "nop/3\n"
                               "# takt: begin one\n"
                               "imm i\"5\" $lr8\n"
                               "# takt: end\n"
                               "nop/5\n"
                               "lpassa $lr8 $lm0\n";
    struct takt_error error;
    struct takt_proof *proof;
    struct takt_run *run = run_of(program_of(text), TAKT_BOUNDS | TAKT_REGIONS, NULL);
    handles_fine(takt_proof_open(&proof, run, "one", &error), &error);
    assert_int_equal(proof->cycles, 4);
    assert_true(proof->bound_count > 0);
    for (size_t i = 0; i < proof->bound_count; i++)
        assert_int_equal(proof->bounds[i].cycles, 4);
    takt_proof_close(proof);
    handles_fine(takt_proof_open(&proof, run, NULL, &error), &error);
    assert_int_equal(proof->cycles, takt_run_totals(run)->cycles); /* that of a region left it */
    takt_proof_close(proof);
    handles_refused(takt_proof_open(&proof, run, "two", &error), TAKT_MISUSE, &error, "'two'");
    assert_null(proof);
    takt_run_close(run);
}

static void wrong_proofs(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_proof *proof = (struct takt_proof *)&error;
    struct takt_options options = {.size = sizeof options, .flags = TAKT_BOUNDS};
    struct takt_program *program = handles_program(HANDLES_FMA);
    struct takt_run *run = handles_done(program, NULL);
    handles_refused(takt_proof_open(&proof, run, NULL, &error), TAKT_MISUSE, &error, "BOUNDS");
    assert_null(proof);
    takt_run_close(run);
    handles_fine(takt_run_open(&run, program, &options, &error), &error);
    handles_refused(takt_proof_open(&proof, run, NULL, &error), TAKT_MISUSE, &error, "done");
    handles_fine(takt_run_advance(run, 0, &error), &error);
    handles_refused(takt_proof_open(&proof, run, "x", &error), TAKT_MISUSE, &error, "REGIONS");
    handles_refused(takt_proof_open(&proof, NULL, NULL, &error), TAKT_MISUSE, &error, "run");
    assert_int_equal(takt_proof_open(&proof, NULL, NULL, NULL), TAKT_MISUSE);
    takt_run_close(run);
    takt_program_close(program);
    takt_proof_close(NULL);
}

/* --- differences ------------------------------------------------------------------------------ */

static struct takt_diff *diff_of(const struct takt_run *a, const struct takt_run *b)
{
    struct takt_error error;
    struct takt_diff *diff;
    handles_fine(takt_diff_open(&diff, a, b, &error), &error);
    assert_int_equal(diff->cycles_a, takt_run_totals(a)->cycles);
    assert_int_equal(diff->cycles_b, takt_run_totals(b)->cycles);
    assert_int_equal(diff->difference, (int64_t)diff->cycles_b - (int64_t)diff->cycles_a);
    int64_t sum = 0;
    for (size_t i = 0; i < diff->term_count; i++) {
        const struct takt_term *term = &diff->terms[i];
        assert_int_not_equal(term->cycles, 0);
        assert_true(!term->file_a == !term->line_a && !term->file_b == !term->line_b);
        sum += term->cycles;
    }
    assert_int_equal(sum, diff->difference);
    return diff;
}

/* Every pair of examples of one machine, both ways, and as the command says it. */
static void differences(void **state)
{
    (void)state;
    static const char *const paths[] = {HANDLES_FMA, "examples/mncore2/reduce.vsm",
                                        "examples/mncore2/matmul.vsm"};
    enum { COUNT = sizeof paths / sizeof *paths };
    struct takt_run *runs[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        runs[i] = run_of(handles_program(paths[i]), TAKT_DIFF, NULL);
    for (size_t a = 0; a < COUNT; a++)
        for (size_t b = 0; b < COUNT; b++) {
            const char *const arguments[] = {"diff", "--json", paths[a], paths[b], NULL};
            json_t *root = handles_command(arguments), *terms = json_object_get(root, "terms");
            struct takt_diff *diff = diff_of(runs[a], runs[b]), *back = diff_of(runs[b], runs[a]);
            assert_int_equal(diff->difference,
                             json_integer_value(json_object_get(root, "difference")));
            assert_int_equal(diff->term_count, json_array_size(terms));
            for (size_t i = 0; i < diff->term_count; i++) {
                const json_t *term = json_array_get(terms, i);
                assert_int_equal(diff->terms[i].cycles,
                                 json_integer_value(json_object_get(term, "cycles")));
                assert_string_equal(diff->terms[i].reason,
                                    json_string_value(json_object_get(term, "reason")));
            }
            assert_int_equal(back->difference, -diff->difference);
            assert_int_equal(back->term_count, diff->term_count);
            assert_int_equal(back->added, diff->removed);
            assert_true(a != b || (diff->term_count == 0 && diff->added == 0 && !diff->diverges));
            assert_false(diff->compared);
            takt_diff_close(diff);
            takt_diff_close(back);
            json_decref(root);
        }
    for (size_t i = 0; i < COUNT; i++)
        takt_run_close(runs[i]);
}

/* One more nop word, one more step: 4 cycles, of the statement that changed. */
static void difference_by_hand(void **state)
{
    (void)state;
    struct takt_run *a =
        run_of(packed("nop/3\nimm i\"5\" $lr8\n", "flat"), TAKT_DIFF | TAKT_VALUES, NULL);
    struct takt_run *b =
        run_of(packed("nop/4\nimm i\"5\" $lr8\n", "flat"), TAKT_DIFF | TAKT_VALUES, NULL);
    struct takt_run *c =
        run_of(packed("nop/3\nimm i\"6\" $lr8\n", "flat"), TAKT_DIFF | TAKT_VALUES, NULL);
    struct takt_diff *diff = diff_of(a, b);
    takt_run_close(b); /* the difference stands without it */
    assert_int_equal(diff->difference, 4);
    assert_int_equal(diff->same, 1);
    assert_int_equal(diff->changed, 1);
    assert_int_equal(diff->terms[0].cycles, 4);
    assert_string_equal(diff->terms[0].reason, "nop");
    assert_int_equal(diff->terms[0].line_a, 1);
    assert_int_equal(diff->terms[0].line_b, 1);
    assert_true(diff->terms[0].edited);
    assert_string_equal(diff->terms[0].text, "nop/4");
    assert_true(diff->compared && diff->equal);
    takt_diff_close(diff);
    diff = diff_of(a, c);
    assert_int_equal(diff->difference, 0);
    assert_true(diff->compared && !diff->equal);
    takt_diff_close(diff);
    takt_run_close(a);
    takt_run_close(c);
}

static void wrong_differences(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_diff *diff = (struct takt_diff *)&error;
    struct takt_run *plain = run_of(handles_program(HANDLES_FMA), 0, NULL);
    struct takt_run *kept = run_of(handles_program(HANDLES_FMA), TAKT_DIFF, NULL);
    struct takt_run *other = run_of(handles_program("examples/amx/matmul.amx"), TAKT_DIFF, NULL);
    handles_refused(takt_diff_open(&diff, kept, plain, &error), TAKT_MISUSE, &error, "TAKT_DIFF");
    assert_null(diff);
    handles_refused(takt_diff_open(&diff, NULL, kept, &error), TAKT_MISUSE, &error, "TAKT_DIFF");
    handles_refused(takt_diff_open(&diff, kept, NULL, &error), TAKT_MISUSE, &error, "TAKT_DIFF");
    handles_refused(takt_diff_open(&diff, kept, other, &error), TAKT_MISUSE, &error, "machines");
    assert_int_equal(takt_diff_open(&diff, kept, other, NULL), TAKT_MISUSE);
    assert_null(diff);
    takt_run_close(plain);
    takt_run_close(kept);
    takt_run_close(other);
    takt_diff_close(NULL);
}

/* --- better programs -------------------------------------------------------------------------- */

/* Cycles of a text; its state with memories at random is that of the example. */
static uint64_t cycles_of(const char *text, const char *example)
{
    struct takt_run *a = run_of(handles_program(example), TAKT_VALUES, "random:7");
    struct takt_run *b = run_of(program_of(text), TAKT_VALUES, "random:7");
    assert_int_equal(takt_run_state(a), takt_run_state(b));
    assert_string_equal(takt_run_dump(a, NULL), takt_run_dump(b, NULL));
    const uint64_t cycles = takt_run_totals(b)->cycles;
    takt_run_close(a);
    takt_run_close(b);
    return cycles;
}

static void advice(void **state)
{
    (void)state;
    const char *const arguments[] = {"advise", "--json", HANDLES_FMA, NULL};
    json_t *root = handles_command(arguments), *items = json_object_get(root, "items");
    struct takt_error error;
    struct takt_advice *found;
    struct takt_program *program = handles_program(HANDLES_FMA);
    handles_fine(takt_advice_open(&found, program, NULL, &error), &error);
    takt_program_close(program);
    assert_int_equal(found->item_count, json_array_size(items));
    assert_true(found->item_count > 0 && found->complete && !found->stopped);
    uint64_t saved = 0;
    for (size_t i = 0; i < found->item_count; i++) {
        const struct takt_item *item = &found->items[i];
        const json_t *row = json_array_get(items, i), *edits = json_object_get(row, "edits");
        assert_string_equal(item->kind, json_string_value(json_object_get(row, "kind")));
        assert_string_equal(item->sentence, json_string_value(json_object_get(row, "do")));
        assert_int_equal(item->line, handles_integer(row, "line"));
        assert_int_equal(item->edit_count, json_array_size(edits));
        saved += item->finding ? 0 : item->before - item->after;
    }
    assert_true(saved > 0);
    assert_int_equal(saved, found->before - found->after);
    assert_int_equal(cycles_of(found->text, HANDLES_FMA), found->after);
    assert_string_equal(found->equal, json_string_value(json_object_get(root, "equal")));
    takt_advice_close(found);
    json_decref(root);
}

static void schedules(void **state)
{
    (void)state;
    static const char *const paths[] = {HANDLES_FMA, "examples/mncore2/reduce.vsm"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct takt_error error;
        struct takt_schedule *found;
        struct takt_program *program = handles_program(paths[i]);
        struct takt_run *run = handles_done(program, NULL);
        handles_fine(takt_schedule_open(&found, program, NULL, &error), &error);
        assert_int_equal(found->before, takt_run_totals(run)->cycles);
        takt_run_close(run);
        takt_program_close(program);
        assert_int_equal(cycles_of(found->text, paths[i]), found->after);
        assert_true(found->after <= found->before && found->bound <= found->after);
        assert_true(found->kept == (found->after == found->before));
        assert_int_equal(found->size, strlen(found->text));
        takt_schedule_close(found);
    }
}

/* The program that the command writes, and its answer. */
static json_t *order_of_command(const char *const *options, const char *path, char **text)
{
    enum { MOST = 12 };
    const char *out = takt_temp_file("order", "");
    const char *arguments[MOST] = {"schedule", path, "--out", out, "--json", "--silence", "all"};
    for (size_t i = 7; i + 1 < MOST && *options; i++)
        arguments[i] = *options++;
    json_t *root = handles_command(arguments);
    size_t size;
    *text = takt_read_file(out, &size);
    assert_non_null(*text);
    return root;
}

static bool flag_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_boolean(value));
    return json_is_true(value);
}

static void same_texts(const json_t *object, const char *key, const char *text)
{
    assert_string_equal(text, json_string_value(json_object_get(object, key)));
}

static void same_pairs(const json_t *root, const struct takt_pair *pairs, size_t count)
{
    const json_t *rows = json_object_get(root, "pairs");
    assert_int_equal(count, json_array_size(rows));
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        assert_int_equal(pairs[i].transfer, handles_integer(row, "transfer"));
        assert_int_equal(pairs[i].access, handles_integer(row, "access"));
        assert_int_equal(pairs[i].cycles, handles_integer(row, "cycles"));
        assert_int_equal(pairs[i].early, flag_of(row, "early"));
        assert_int_equal(pairs[i].wait, handles_integer(row, "wait"));
        same_texts(row, "tag", pairs[i].tag);
    }
}

static void same_cycles(const json_t *root, uint64_t before, uint64_t after)
{
    const json_t *cycles = json_object_get(root, "cycles");
    assert_int_equal(before, json_integer_value(json_array_get(cycles, 0)));
    assert_int_equal(after, json_integer_value(json_array_get(cycles, 1)));
}

static void same_moved(const json_t *root, const struct takt_schedule *found)
{
    const json_t *renamed = json_object_get(root, "renamed"),
                 *values = json_object_get(renamed, "values");
    assert_int_equal(found->unrenamed, handles_integer(renamed, "unrenamed"));
    assert_int_equal(found->free_places, handles_integer(renamed, "free_places"));
    assert_int_equal(found->bytes, handles_integer(renamed, "bytes"));
    assert_int_equal(found->moved_count, json_array_size(values));
    for (size_t i = 0; i < found->moved_count; i++) {
        const json_t *row = json_array_get(values, i);
        assert_int_equal(found->moved[i].line, handles_integer(row, "line"));
        assert_int_equal(found->moved[i].accesses, handles_integer(row, "accesses"));
        same_texts(row, "from", found->moved[i].from);
        same_texts(row, "to", found->moved[i].to);
    }
}

/* With tags and with other places, to the byte. sort has both a place that pays and a value that
 * moves; in the others nothing moves. */
static void schedules_as_command(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        bool tags, rename;
        size_t moved;
    } rows[] = {{"tests/naive/sort.vsm", false, true, 1},
                {"tests/naive/sort.vsm", false, false, 0},
                {"tests/naive/load-nops.vsm", true, false, 0},
                {"examples/mncore2/reduce.vsm", true, true, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *options[3] = {rows[i].tags ? "--tags" : "--rename", "--rename", NULL};
        if (!rows[i].tags || !rows[i].rename)
            options[rows[i].tags || rows[i].rename] = NULL;
        char *text;
        json_t *root = order_of_command(options, rows[i].path, &text);
        const struct takt_search search = {
            .size = sizeof search, .tags = rows[i].tags, .rename = rows[i].rename};
        struct takt_error error;
        struct takt_schedule *found;
        struct takt_program *program = handles_silent(rows[i].path);
        handles_fine(takt_schedule_open(&found, program, &search, &error), &error);
        takt_program_close(program);
        same_cycles(root, found->before, found->after);
        assert_int_equal(found->bound, handles_integer(root, "bound"));
        assert_int_equal(found->pieces, handles_integer(root, "pieces"));
        assert_int_equal(found->tries, handles_integer(root, "tries"));
        assert_int_equal(found->kept, flag_of(root, "kept"));
        assert_int_equal(found->optimal, flag_of(root, "optimal"));
        assert_int_equal(found->same_waits, flag_of(root, "same_waits"));
        same_texts(root, "reason", found->reason);
        same_texts(root, "equal", found->equal);
        assert_string_equal(found->text, text);
        assert_int_equal(found->size, strlen(text));
        same_pairs(root, found->pairs, found->pair_count);
        if (rows[i].rename)
            same_moved(root, found);
        assert_true(found->moved_count >= rows[i].moved && (rows[i].moved || !found->moved_count));
        takt_schedule_close(found);
        free(text);
        json_decref(root);
    }
}

static void same_lines(const json_t *rows, const uint32_t *lines, size_t count)
{
    assert_int_equal(count, json_array_size(rows));
    for (size_t i = 0; i < count; i++)
        assert_int_equal(lines[i], json_integer_value(json_array_get(rows, i)));
}

static void same_interval(const json_t *row, const struct takt_interval *bound)
{
    const json_t *units = json_object_get(row, "units"), *steps = json_object_get(row, "steps"),
                 *chain = json_object_get(row, "chain");
    assert_int_equal(bound->cycles, handles_integer(row, "cycles"));
    same_texts(row, "limit", bound->limit);
    assert_int_equal(bound->unit_count, json_array_size(units));
    for (size_t i = 0; i < bound->unit_count; i++) {
        same_texts(json_array_get(units, i), "unit", bound->units[i].unit);
        assert_int_equal(bound->units[i].cycles,
                         handles_integer(json_array_get(units, i), "cycles"));
        assert_int_equal(bound->units[i].turned,
                         handles_integer(json_array_get(units, i), "turned"));
    }
    assert_int_equal(bound->steps, handles_integer(steps, "cycles"));
    same_lines(json_object_get(steps, "lines"), bound->apart, bound->apart_count);
    assert_int_equal(bound->chain, handles_integer(chain, "cycles"));
    assert_int_equal(bound->turns, handles_integer(chain, "turns"));
    same_lines(json_object_get(chain, "lines"), bound->lines, bound->line_count);
}

static void same_rate(const json_t *root, const char *key, const struct takt_rate *rate)
{
    const json_t *row = json_object_get(root, key);
    assert_int_equal(rate->interval, handles_integer(row, "interval"));
    assert_int_equal(rate->steady, handles_integer(row, "steady"));
}

static void loop_as_command(const char *path, const char *region)
{
    const char *const options[] = {"--loop", region, NULL};
    char *text;
    json_t *root = order_of_command(options, path, &text);
    const json_t *bounds = json_object_get(root, "bounds"), *lines = json_object_get(root, "lines");
    struct takt_error error;
    struct takt_loop *found;
    struct takt_program *program = handles_silent(path);
    handles_fine(takt_loop_open(&found, program, region, NULL, &error), &error);
    takt_program_close(program);
    assert_int_equal(found->first, json_integer_value(json_array_get(lines, 0)));
    assert_int_equal(found->last, json_integer_value(json_array_get(lines, 1)));
    assert_int_equal(found->turns, handles_integer(root, "turns"));
    assert_int_equal(found->statements, handles_integer(root, "statements"));
    same_cycles(root, found->before, found->after);
    same_rate(root, "written", &found->written);
    same_rate(root, "found", &found->found);
    assert_int_equal(found->bound_count, json_object_size(bounds));
    for (size_t i = 0; i < found->bound_count; i++)
        same_interval(json_object_get(bounds, found->bounds[i].class_name), &found->bounds[i]);
    assert_int_equal(found->steps, handles_integer(root, "steps"));
    assert_int_equal(found->stages, handles_integer(root, "stages"));
    assert_int_equal(found->kept, flag_of(root, "kept"));
    assert_int_equal(found->optimal, flag_of(root, "optimal"));
    assert_int_equal(found->same_waits, flag_of(root, "same_waits"));
    assert_int_equal(found->stopped, flag_of(root, "stopped"));
    same_texts(root, "reason", found->reason);
    assert_int_equal(found->tries, handles_integer(root, "tries"));
    same_texts(root, "equal", found->equal);
    same_pairs(root, found->pairs, found->pair_count);
    assert_string_equal(found->text, text);
    assert_true(found->kept || strstr(text, "prologue"));
    takt_loop_close(found);
    free(text);
    json_decref(root);
}

static void loops_as_command(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_loop *found = (struct takt_loop *)&error;
    static const char rows[] = "tests/hostile/small/rows.vsm";
    loop_as_command(rows, "rows");
    struct takt_program *program = handles_silent(rows),
                        *amx = handles_program(handles_examples[2]);
    const struct takt_search rename = {.size = sizeof rename, .rename = true};
    handles_refused(takt_loop_open(&found, program, "none", NULL, &error), TAKT_INPUT, &error,
                    "none");
    assert_null(found);
    handles_refused(takt_loop_open(&found, program, NULL, NULL, &error), TAKT_MISUSE, &error,
                    "region");
    handles_refused(takt_loop_open(&found, program, "rows", &rename, &error), TAKT_MISUSE, &error,
                    "places");
    handles_refused(takt_loop_open(&found, amx, "rows", NULL, &error), TAKT_INPUT, &error,
                    "overlapped");
    struct takt_schedule *order;
    handles_refused(takt_schedule_open(&order, amx, &rename, &error), TAKT_INPUT, &error, "places");
    takt_program_close(program);
    takt_program_close(amx);
    takt_loop_close(NULL);
}

/* What cannot be made better stays as it is, byte for byte. */
static void kept_as_written(void **state)
{
    (void)state;
    static const char text[] = "imm i\"5\" $lr8 # five\n";
    struct takt_error error;
    struct takt_schedule *found;
    struct takt_program *program = program_of(text);
    handles_fine(takt_schedule_open(&found, program, NULL, &error), &error);
    takt_program_close(program);
    assert_true(found->kept && found->optimal);
    assert_string_equal(found->text, text);
    assert_int_equal(found->bound, found->before);
    takt_schedule_close(found);
}

static bool stop_at_zero(void *context)
{
    unsigned *left = context;
    return *left == 0 || --*left == 0;
}

static void stopped_searches(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_advice *found;
    struct takt_program *program = handles_program(HANDLES_FMA);
    for (unsigned trials = 0; trials < 40; trials += 13) {
        unsigned left = trials;
        const struct takt_search search = {
            .size = sizeof search, .stop = stop_at_zero, .context = &left};
        handles_fine(takt_advice_open(&found, program, &search, &error), &error);
        assert_int_equal(left, 0);
        assert_true(found->stopped && !found->complete);
        assert_int_equal(cycles_of(found->text, HANDLES_FMA), found->after);
        takt_advice_close(found);
    }
    takt_program_close(program);
}

/* A search that the caller may stop ends by itself where there is nothing to reorder. */
static void searches_without_orders(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "# nothing\n", "nop\n", "d get $lr0n0c0b0m0p0 1\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct takt_error error;
        struct takt_schedule *found;
        unsigned left = 1000;
        const struct takt_search search = {
            .size = sizeof search, .stop = stop_at_zero, .context = &left};
        struct takt_program *program = program_of(texts[i]);
        handles_fine(takt_schedule_open(&found, program, &search, &error), &error);
        takt_program_close(program);
        assert_true(left > 0 && !found->stopped && found->after <= found->before);
        takt_schedule_close(found);
    }
}

static void wrong_searches(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_advice *items = (struct takt_advice *)&error;
    struct takt_schedule *order = (struct takt_schedule *)&error;
    struct takt_search search = {.size = 0};
    struct takt_program *program = handles_program(HANDLES_FMA);
    struct takt_program *loops = handles_program("examples/loops/dot.loops");
    handles_refused(takt_advice_open(&items, program, &search, &error), TAKT_MISUSE, &error,
                    "size");
    assert_null(items);
    handles_refused(takt_advice_open(&items, NULL, NULL, &error), TAKT_MISUSE, &error, "program");
    handles_refused(takt_schedule_open(&order, NULL, NULL, &error), TAKT_MISUSE, &error, "program");
    assert_null(order);
    handles_refused(takt_advice_open(&items, loops, NULL, &error), TAKT_INPUT, &error, "loops");
    handles_refused(takt_schedule_open(&order, loops, NULL, &error), TAKT_INPUT, &error, "loops");
    assert_int_equal(takt_schedule_open(&order, loops, NULL, NULL), TAKT_INPUT);
    takt_program_close(program);
    takt_program_close(loops);
    takt_advice_close(NULL);
    takt_schedule_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proof_as_command),
        cmocka_unit_test(proof_of_a_region),
        cmocka_unit_test(wrong_proofs),
        cmocka_unit_test(differences),
        cmocka_unit_test(difference_by_hand),
        cmocka_unit_test(wrong_differences),
        cmocka_unit_test(advice),
        cmocka_unit_test(schedules),
        cmocka_unit_test(schedules_as_command),
        cmocka_unit_test(loops_as_command),
        cmocka_unit_test(searches_without_orders),
        cmocka_unit_test(kept_as_written),
        cmocka_unit_test(stopped_searches),
        cmocka_unit_test(wrong_searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
