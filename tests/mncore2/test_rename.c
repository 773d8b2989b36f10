/*
 * takt schedule --rename: values in other places.
 *
 * By hand: programs whose best orders, and which values may move, follow from the manual. Programs
 * at random with their values in other places, in the order as written, and what is found for some
 * of these and of tests/naive: from another start of the memories than the command compares with,
 * they print what the program as written prints; PE memories, L1BM and L2BM hold the same wherever
 * the program as written has changed them; and all other memories are equal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gen_program.h"
#include "tests/improved.h"
#include "tests/mncore2/lang_help.h"
#include "tests/often.h"
#include "tests/takt_process.h"
#include "timing/machines.h"
#include "timing/mncore2/webs.h"

/* Memories whose places can change, with what names one of each; their long words, and how many of
 * them are looked at. */
static const struct memory {
    const char *name, *of;
    unsigned words, printed;
} memories[] = {{"$lm0", "n0c0b0m0p0", 2048, 2048}, {"$ln0", "n2c1b3m7p2", 2048, 2048},
                {"$lr0", "n3c1b7m15p3", 256, 256},  {"$ls0", "n1c0b5m2p1", 256, 256},
                {"$lb00", "n1c0b2", 8192, 2048},    {"$lc0", "n3c1", 32768, 4096}};
enum { MEMORIES = sizeof memories / sizeof *memories };

/* --- states ----------------------------------------------------------------------------------- */

/* The text, and then all of these memories printed, or set to zero. */
static char *followed(const char *text, bool clear)
{
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    fprintf(out, "%s\n", text);
    for (size_t m = 0; m < MEMORIES; m++) {
        const struct memory *memory = &memories[m];
        if (!clear) {
            fprintf(out, "d get %s%s %u\n", memory->name, memory->of, memory->printed);
            continue;
        }
        fprintf(out, "d set %s %u ", memory->name, memory->words);
        for (unsigned i = 0; i < memory->words; i++)
            fputs("0000000000000000", out);
        fputc('\n', out);
    }
    fclose(out);
    return result;
}

static struct outcome run_followed(const char *text, const char *packing, bool clear)
{
    char *whole = followed(text, clear);
    const struct outcome outcome = improved_run(&machine_mncore2, whole, packing);
    free(whole);
    return outcome;
}

/* The dump's part of the memories: as many lines from the end. */
static char *memory_part(struct outcome *outcome)
{
    size_t lines = 0;
    char *at = outcome->dump + outcome->dump_size;
    for (size_t m = 0; m < MEMORIES; m++)
        lines += memories[m].printed;
    while (lines > 0 && at > outcome->dump)
        lines -= *--at == '\n' && at + 1 < outcome->dump + outcome->dump_size;
    assert_true(lines <= 1); /* 1: the program prints nothing itself */
    return lines ? at : at + 1;
}

static char *line_of(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    *end = '\0';
    *at = end + 1;
    return line;
}

/* Where the program as written has changed a place, the other one has left the same there. Returns
 * how many it has changed besides. */
static size_t compare_memories(char *start, char *written, char *found)
{
    size_t others = 0;
    for (size_t m = 0; m < MEMORIES; m++)
        for (unsigned i = 0; i < memories[m].printed; i++) {
            const char *a = line_of(&start), *b = line_of(&written), *c = line_of(&found);
            if (strcmp(b, c) == 0)
                continue;
            if (strcmp(a, b) != 0)
                fail_msg("left differently:\n%s\n%s", b, c);
            others++;
        }
    return others;
}

/* bytes: of the new places. */
static void states_agree(const char *text, const char *packing, const char *other, uint64_t bytes)
{
    struct outcome cleared = run_followed(text, packing, true),
                   other_cleared = run_followed(other, packing, true);
    improved_equal(&cleared, &other_cleared, text);
    struct outcome start = run_followed("", packing, false),
                   written = run_followed(text, packing, false),
                   found = run_followed(other, packing, false);
    const size_t others = compare_memories(start.dump, memory_part(&written), memory_part(&found));
    assert_true(others <= bytes / 4);
    improved_free(&cleared);
    improved_free(&other_cleared);
    improved_free(&start);
    improved_free(&written);
    improved_free(&found);
}

/* --- by hand ---------------------------------------------------------------------------------- */

static bool find(const char *text, const char *packing, struct schedule *s)
{
    if (!improved_renamed(&machine_mncore2, text, packing, s))
        return false;
    if (s->renamed.count)
        states_agree(text, packing, s->text, s->renamed.bytes);
    return true;
}

struct known {
    const char *why, *text;
    uint64_t before, unrenamed, after;
    size_t values;
    const char *from; /* of the first value that moved */
};

/* Without packing: 4 cycles a step; GRF can be read two steps after it was written; the last write
 * has landed 6 cycles after its step (3.6.3.9). */
static const struct known known[] = {
    {"two pairs that share $lr0v: the second write waits for the first read, 6 steps; with places of "
     "their own nothing waits, and the ALU has 4 steps",
     "lpassa $lm0v $lr0v\nnop\nladd $lr0v $lr0v $ls0v\nlpassa $lm8v $lr0v\nnop\n"
     "ladd $lr0v $lr0v $ls8v\n",
     30, 30, 22, 1, "$lr0v"},
    {"the same with a dump of the first value: it must stay where it is printed",
     "lpassa $lm0v $lr0v\nnop\nladd $lr0v $lr0v $ls0v\nd get $lr0n0c0b0m0p0 4\n"
     "lpassa $lm8v $lr0v\nnop\nladd $lr0v $lr0v $ls8v\n",
     30, 30, 30, 0, NULL},
    {"the same; the second write leaves two cycles of the first value, which is read again",
     "lpassa $lm0v $lr0v\nnop\nladd $lr0v $lr0v $ls0v\nlpassa $lm8v $lr0v/1100\nnop\n"
     "ladd $lr0v $lr0v $ls8v\n",
     30, 30, 30, 0, NULL},
    {"what was there before is read, so that the write must stay and wait",
     "ladd $lr0v $lr0v $ls0v\nlpassa $lm8v $lr0v\nnop\nladd $lr0v $lr0v $ls8v\n", 22, 22, 22, 0,
     NULL},
    {"a sum in one place: each value is read by the statement that writes the next, and moving "
     "them would gain nothing",
     "lpassa $lm0v $lr0v\nnop\nladd $lr0v $lm8v $lr0v\nnop\nladd $lr0v $lm16v $lr0v\n", 26, 26, 26,
     0, NULL},
    {"addresses in T: any place of LM0 may be read, so that nothing moves there",
     "lpassa $ln0v $lm0v\nnop/2\nlpassa $lm0v $ls0v\nlpassa $ln8v $lm0v\nnop/2\n"
     "lpassa $lm0v $ls8v\nlpassa $lmt $ls16v\n",
     42, 42, 42, 0, NULL},
};

static void by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct schedule s;
        assert_true(find(known[i].text, "none", &s));
        if (s.before != known[i].before || s.unrenamed != known[i].unrenamed ||
            s.after != known[i].after || s.renamed.count != known[i].values)
            fail_msg("%s: %llu, %llu, %llu cycles, %zu values", known[i].why,
                     (unsigned long long)s.before, (unsigned long long)s.unrenamed,
                     (unsigned long long)s.after, s.renamed.count);
        if (known[i].from)
            assert_string_equal(s.renamed.values[0].from, known[i].from);
        schedule_free(&s);
    }
}

/* The web of what an item of the text has in LM1. */
static uint32_t web_in_lm1(const struct webs *webs, uint32_t item)
{
    for (size_t i = 0; i < webs->operand_count; i++)
        if (webs->operands[i].item == item && webs->webs[webs->operands[i].web].space == SPACE_LM1)
            return webs->operands[i].web;
    fail_msg("item %u is not in LM1", item);
    return 0;
}

/* 3.6.2: a write of one cycle alone leaves what the others of its places held, which a read of all
 * four gets, too. */
static void masked_writes(void **state)
{
    (void)state;
    for (unsigned masked = 0; masked < 2; masked++) {
        struct lang lang;
        struct webs webs;
        lang_open(&lang, masked ? "lpassa $lm0v $ln0v\nlpassa $lm8v $ln0v/1000\nnop\n"
                                  "lpassa $ln0v $lr0v\n"
                                : "lpassa $lm0v $ln0v\nlpassa $lm8v $ln0v\nnop\n"
                                  "lpassa $ln0v $lr0v\n");
        assert_int_equal(lang.result, 0);
        assert_int_equal(mncore2_webs_find(&webs, &lang.program), 0);
        assert_int_equal(web_in_lm1(&webs, 1), web_in_lm1(&webs, 3));
        assert_int_equal(web_in_lm1(&webs, 0) == web_in_lm1(&webs, 1), masked);
        mncore2_webs_free(&webs);
        lang_close(&lang);
    }
}

/* --- at random -------------------------------------------------------------------------------- */

static void rename_text(const char *text, struct renamed *renamed)
{
    struct source source;
    struct diag_list diags;
    struct machine_program *program = NULL;
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "k", text, strlen(text)), 0);
    assert_int_equal(machine_mncore2.language->load(&program, &source, 1, &diags), 0);
    assert_int_equal(machine_mncore2.advice->rename(program, renamed), 0);
    machine_mncore2.language->unload(program);
    diag_list_free(&diags);
    source_close(&source);
}

static char *random_text(uint64_t round, unsigned features)
{
    const struct gen_options options = {.features = features & ~(unsigned)GEN_STYLE,
                                        .statements = (unsigned)(8 + round * 7 % 80),
                                        .tightness = (unsigned)(round * 37 % 101),
                                        .sets = (unsigned)(round % 3),
                                        .gets = (unsigned)(round % 5)};
    return gen_program(round + 40000, &options, NULL);
}

static void as_written(void **state)
{
    (void)state;
    static const unsigned features[] = {GEN_ALL, GEN_FLAT | GEN_MASKS, GEN_L1BM | GEN_L2BM | GEN_MV,
                                        GEN_ALL & ~GEN_INDIRECT};
    size_t values = 0;
    for (uint64_t round = 0; round < often(32); round++) {
        char *text = random_text(round, features[round % 4]);
        struct renamed renamed;
        rename_text(text, &renamed);
        values += renamed.count;
        if (renamed.count)
            states_agree(text, NULL, renamed.text, renamed.bytes);
        renamed_free(&renamed);
        free(text);
    }
    if (often_long())
        print_message("%zu values in other places\n", values);
    assert_true(values > 0);
}

static void found(void **state)
{
    (void)state;
    static const char *const packings[] = {NULL, "none", "flat"};
    for (uint64_t round = 0; round < (often_long() ? 4u : 1u); round++) {
        char *text = random_text(round, GEN_ALL & ~GEN_INDIRECT);
        struct schedule s;
        if (find(text, packings[round % 3], &s))
            schedule_free(&s);
        free(text);
    }
}

/* --- programs written naively ----------------------------------------------------------------- */

/* The best order with all values in their places is proven for most of them. */
static void naive(void **state)
{
    (void)state;
    static const char *const programs[] = {"axpy", "horner",   "nbody", "reductions",
                                           "sort", "xorshift", "fir",   "softmax"};
    enum { SHORT = 1 };
    for (size_t i = 0; i < (often_long() ? sizeof programs / sizeof *programs : SHORT); i++) {
        char path[64];
        snprintf(path, sizeof path, "tests/naive/%s.vsm", programs[i]);
        char *text = takt_read_file(path, NULL);
        struct schedule s;
        assert_true(find(text, NULL, &s));
        if (s.after >= s.unrenamed)
            fail_msg("%s: %llu cycles in both ways", path, (unsigned long long)s.after);
        schedule_free(&s);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(masked_writes),
                                       cmocka_unit_test(as_written), cmocka_unit_test(found),
                                       cmocka_unit_test(naive)};
    return cmocka_run_group_tests_name("mncore2, rename", tests, NULL, NULL);
}
