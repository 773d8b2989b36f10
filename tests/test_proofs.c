/*
 * proofs: what takt bound --proof writes is accepted, and of 1,000 changes of such texts none: a
 * digit, a line, a word, in the premises or in the claims. Nor are they with a sum that is right
 * again, but for steps that lead to the same claims in another way (another unit that does the same
 * work). What a search of every order proves is among them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/exact_bound.h"
#include "analysis/proof_text.h"
#include "tests/dice.h"
#include "tests/takt_process.h"
#include "timing/machines.h"

enum { MUTATIONS = 1000 };

struct proven_program {
    char *source;
    struct source file;
    struct machine_program *program;
    struct config config;
    struct diag_list diags;
    struct run_options options;
    struct run_setup setup;
    struct machine_proof proof;
    struct proof_subject subject;
    char *text; /* of the proof */
    size_t size;
};

static void take_program(struct proven_program *p, const struct machine *machine, const char *path)
{
    char error[MACHINE_ERROR];
    struct exact_found found;
    *p = (struct proven_program){.source = takt_read_file(path, NULL)};
    assert_non_null(p->source);
    p->file = (struct source){.name = "program", .text = p->source, .size = strlen(p->source)};
    diag_list_init(&p->diags);
    assert_int_equal(machine_config(machine, &p->config, error, sizeof error), 0);
    assert_int_equal(machine->language->load(&p->program, &p->file, 1, &p->diags), 0);
    assert_int_equal(machine->language->check(p->program, &p->config, NULL, &p->diags), 0);
    p->setup = (struct run_setup){p->program, &p->config, &p->options, NULL};
    assert_int_equal(machine_prove(&p->proof, machine, &p->setup, 0, error), 0);
    assert_int_equal(exact_bound_add(&p->proof.bounds, machine, &p->setup,
                                     &(const struct exact_effort){.states = 20000}, &found),
                     0);
    p->subject = (struct proof_subject){&p->proof.graph, machine, &p->setup};
    FILE *out = open_memstream(&p->text, &p->size);
    assert_int_equal(proof_write(&p->subject, &p->proof.bounds, out), 0);
    fclose(out);
}

static void drop_program(struct proven_program *p)
{
    machine_proof_free(&p->proof);
    p->subject.machine->language->unload(p->program);
    config_free(&p->config);
    diag_list_free(&p->diags);
    free(p->text);
    free(p->source);
}

static const struct {
    const struct machine *machine;
    const char *path;
} programs[] = {
    {&machine_mncore2, "examples/mncore2/reduce.vsm"},
    {&machine_mncore2, "examples/mncore2/optimising/stencil.vsm"},
    {&machine_mncore2, "examples/mncore2/optimising/vector.vsm"},
    {&machine_mncore2, "examples/mncore2/fma.vsm"},
    {&machine_mncore2, "tests/naive/prefix.vsm"},
    {&machine_mncore2, "tests/naive/chains.vsm"},
    {&machine_mncore2, "tests/naive/gather.vsm"},
    {&machine_mncore2, "tests/naive/sort.vsm"},
    {&machine_mncore2, "tests/naive/horner.vsm"},
    {&machine_mncore2, "tests/naive/too-early.vsm"},
    {&machine_mncore2, "tests/naive/double-buffer.vsm"},
    {&machine_amx, "examples/amx/matmul.amx"},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static void proofs_are_accepted(void **state)
{
    (void)state;
    size_t searched = 0;
    for (size_t i = 0; i < PROGRAMS; i++) {
        struct proven_program p;
        struct proof proof;
        take_program(&p, programs[i].machine, programs[i].path);
        if (proof_check(&p.subject, p.text, p.size, &proof) != 0)
            fail_msg("%s: %s", programs[i].path, proof.error);
        for (unsigned class = 0; class < BOUND_CLASSES; class ++)
            assert_int_equal(proof.cycles[class],
                             bounds_best(&p.proof.bounds, (enum bound_class) class)->cycles);
        searched += strstr(p.text, "\nclass any-order search ") != NULL;
        drop_program(&p);
    }
    assert_int_equal(searched, 4);
}

/* --- changes ---------------------------------------------------------------------------------- */

static const char *line_at(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return text + at;
}

/* A text with one change, in the claims twice as often as before them; the place in *where. */
static char *changed(struct dice *dice, const char *text, size_t size, size_t *where)
{
    const size_t claims = (size_t)(strstr(text, "\nclass ") - text);
    const size_t from = dice_below(dice, 3) ? claims : 0;
    size_t at = from + dice_below(dice, size - from - 1);
    char *result = malloc(size + 2);
    const size_t line = (size_t)(line_at(text, at) - text), length = strcspn(text + line, "\n") + 1;
    memcpy(result, text, size + 1);
    switch (dice_below(dice, 4)) {
    case 0: /* a line goes */
        at = line;
        memmove(result + line, result + line + length, size + 1 - line - length);
        break;
    case 1: /* a word goes */
        while (at > line && text[at] != ' ')
            at--;
        memmove(result + at, result + at + 1 + strcspn(text + at + 1, " \n"),
                size - at - strcspn(text + at + 1, " \n"));
        break;
    default: /* a digit, or another byte, is another one */
        for (size_t k = 0; k < size && !(text[at] >= '0' && text[at] <= '9'); k++)
            at = from + (at + 1 - from) % (size - from);
        result[at] = (char)('0' + (text[at] - '0' + 1 + (int)dice_below(dice, 9)) % 10);
        break;
    }
    *where = at;
    return result;
}

/* The sum, by itself (docs/proofs.md). */
static void renew_sum(char *text)
{
    char *end = strstr(text, "\nend ");
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    if (!end)
        return;
    for (const char *at = text; at <= end; at++)
        sum = (sum ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    char line[32];
    snprintf(line, sizeof line, "end %016llx\n", (unsigned long long)sum);
    if (strlen(end + 1) == strlen(line))
        memcpy(end + 1, line, strlen(line));
}

static void changes_are_refused(void **state)
{
    (void)state;
    struct dice dice = {UINT64_C(20261125)};
    size_t other_steps = 0;
    for (size_t i = 0; i < PROGRAMS; i++) {
        struct proven_program p;
        struct proof as_written;
        take_program(&p, programs[i].machine, programs[i].path);
        assert_int_equal(proof_check(&p.subject, p.text, p.size, &as_written), 0);
        for (unsigned m = 0; m < MUTATIONS / PROGRAMS; m++) {
            struct proof proof;
            size_t where;
            char *text = changed(&dice, p.text, p.size, &where);
            const char *line = line_at(p.text, where);
            if (proof_check(&p.subject, text, strlen(text), &proof) != 1)
                fail_msg("%s: accepted with a change in: %.*s", programs[i].path,
                         (int)strcspn(line, "\n"), line);
            renew_sum(text);
            if (strncmp(line, "end ", 4) != 0 &&
                proof_check(&p.subject, text, strlen(text), &proof) != 1) {
                if (strncmp(line, "raise ", 6) != 0)
                    fail_msg("%s: accepted, with a right sum, with a change in: %.*s",
                             programs[i].path, (int)strcspn(line, "\n"), line);
                assert_memory_equal(proof.cycles, as_written.cycles, sizeof proof.cycles);
                other_steps++;
            }
            free(text);
        }
        drop_program(&p);
    }
    print_message("%zu in other steps\n", other_steps);
    assert_true(other_steps < MUTATIONS / 20);
}

/* The proof of one program is none of another. */
static void of_another_program(void **state)
{
    (void)state;
    struct proven_program a, b;
    struct proof proof;
    take_program(&a, programs[4].machine, programs[4].path);
    take_program(&b, programs[5].machine, programs[5].path);
    assert_int_equal(proof_check(&a.subject, b.text, b.size, &proof), 1);
    assert_non_null(strstr(proof.error, "is a proof of another program"));
    assert_int_equal(proof_check(&a.subject, "", 0, &proof), 1);
    drop_program(&a);
    drop_program(&b);
}

/* The premises of one text and the claims of another. */
static char *joined(const char *premises, const char *claims)
{
    const size_t head = (size_t)(strstr(premises, "\nclass ") - premises);
    const char *tail = strstr(claims, "\nclass ");
    char *text = malloc(head + strlen(tail) + 1);
    memcpy(text, premises, head);
    strcpy(text + head, tail);
    renew_sum(text);
    return text;
}

/* A text has the premises of a search if it has such a claim, and only then. */
static void a_search_is_claimed_by_its_premises(void **state)
{
    (void)state;
    size_t searched = 0;
    for (size_t i = 0; i < PROGRAMS; i++) {
        struct proven_program p;
        struct proof proof;
        char *plain = NULL;
        size_t size;
        take_program(&p, programs[i].machine, programs[i].path);
        struct bounds *bounds = &p.proof.bounds;
        size_t kept = 0;
        for (size_t b = 0; b < bounds->count; b++)
            if (bounds->rows[b].kind != BOUND_SEARCH)
                bounds->rows[kept++] = bounds->rows[b];
        bounds->count = kept;
        FILE *out = open_memstream(&plain, &size);
        assert_int_equal(proof_write(&p.subject, bounds, out), 0);
        fclose(out);
        assert_int_equal(proof_check(&p.subject, plain, size, &proof), 0);
        if (strstr(p.text, " search ")) {
            char *no_claim = joined(p.text, plain), *no_premises = joined(plain, p.text);
            assert_int_equal(proof_check(&p.subject, no_claim, strlen(no_claim), &proof), 1);
            assert_int_equal(proof_check(&p.subject, no_premises, strlen(no_premises), &proof), 1);
            free(no_claim);
            free(no_premises);
            searched++;
        }
        free(plain);
        drop_program(&p);
    }
    assert_int_equal(searched, 4);
}

/* The commands: written, accepted; refused for another program, and when it is cut. */
static void by_commands(void **state)
{
    (void)state;
    const char *path = takt_temp_path("a.proof");
    struct takt_result bound = takt_run((const char *[]){
        "bound", "tests/naive/chains.vsm", "--silence", "all", "--proof", path, NULL});
    assert_int_equal(bound.exit_code, 0);
    struct takt_result good = takt_run((const char *[]){"certify", "tests/naive/chains.vsm", path,
                                                        "--silence", "all", "--json", NULL});
    assert_int_equal(good.exit_code, 0);
    assert_non_null(strstr(good.out, "\"any-order\": 78"));
    struct takt_result other = takt_run(
        (const char *[]){"certify", "tests/naive/prefix.vsm", path, "--silence", "all", NULL});
    assert_int_equal(other.exit_code, 1);
    char *text = takt_read_file(path, NULL);
    text[strlen(text) - 1] = '\0';
    struct takt_result cut =
        takt_run((const char *[]){"certify", "tests/naive/chains.vsm",
                                  takt_temp_file("b.proof", text), "--silence", "all", NULL});
    assert_int_equal(cut.exit_code, 1);
    assert_non_null(strstr(cut.err, "damaged"));
    free(text);
    /* Options of the run are those of the proof. */
    static const char *const options[] = {"--packing=flat", "--packing=none", "--interlock"};
    for (int i = 0; i < 3; i++) {
        struct takt_result written = takt_run(
            (const char *[]){"bound", "tests/naive/axpy.vsm", options[i], "--proof", path, NULL});
        struct takt_result read =
            takt_run((const char *[]){"certify", "tests/naive/axpy.vsm", path, options[i], NULL});
        assert_int_equal(written.exit_code, 0);
        assert_int_equal(read.exit_code, 0);
        takt_result_free(&written);
        takt_result_free(&read);
    }
    takt_result_free(&bound);
    takt_result_free(&good);
    takt_result_free(&other);
    takt_result_free(&cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_are_accepted), cmocka_unit_test(changes_are_refused),
        cmocka_unit_test(of_another_program), cmocka_unit_test(a_search_is_claimed_by_its_premises),
        cmocka_unit_test(by_commands)};
    return cmocka_run_group_tests_name("proofs", tests, NULL, NULL);
}
