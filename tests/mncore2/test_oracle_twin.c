/*
 * Random legal programs on the executor and on the oracle's board, whole state compared: every
 * expression, operand form, mask, transfer and MV mode at once (3.4.4 to 3.6.12).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/exec.h"
#include "tests/gen_program.h"
#include "tests/often.h"
#include "tests/oracle/twin.h"
#include "tests/oracle/fill.h"
#include "tests/oracle/lockstep.h"

enum { PROGRAMS = 6, STATEMENTS = 60, LOOKED_AT = 12, FAR = 262144 };

struct text {
    char *at;
    size_t size, room;
};

static void put(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (text->room - text->size < 128) {
        text->room = 2 * text->room + 4096;
        text->at = realloc(text->at, text->room);
        assert_non_null(text->at);
    }
    text->size += (size_t)vsnprintf(text->at + text->size, text->room - text->size, format, list);
    va_end(list);
}

/* d get of everything that one PE and its MAB hold. */
static const struct {
    const char *statement; /* %s: the selectors */
    uint8_t mem;
} looks[] = {
    {"d get $lr0%s 256", MEM_GRF0}, {"d get $ls0%s 256", MEM_GRF1}, {"d get $lm0%s 2048", MEM_LM0},
    {"d get $ln0%s 2048", MEM_LM1}, {"d get $llt%s 4", MEM_T},      {"d get $omr1%s 15", MEM_OMR},
    {"d geth $lx0%s 16", MEM_X},    {"d geth $ly0%s 16", MEM_Y},
};
enum { LOOKS = sizeof looks / sizeof *looks };

static unsigned looked_at(uint64_t seed, unsigned i)
{
    struct dice fill = {seed * LOOKED_AT + i};
    return i == 0 ? 0 : fill_below(&fill, PES);
}

static void put_gets(struct text *text, uint64_t seed)
{
    for (unsigned i = 0; i < LOOKED_AT; i++) {
        const unsigned pe = looked_at(seed, i);
        char selectors[48];
        snprintf(selectors, sizeof selectors, "n%uc%ub%um%up%u", pe / 1024, pe / 512 % 2,
                 pe / 64 % 8, pe / 4 % 16, pe % 4);
        for (unsigned look = 0; look < LOOKS; look++) {
            put(text, looks[look].statement, selectors); /* NOLINT: one of our own formats */
            put(text, "\n");
        }
    }
}

/* What the board says for one d get, value by value in the dump's order (3.4.3). */
static size_t expected(const struct twin *board, uint8_t mem, unsigned pe, uint64_t *value)
{
    size_t n = 0;
    switch (mem) {
    case MEM_T:
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            for (unsigned i = 0; i < 2; i++)
                value[n++] = board->t[pe][cycle][i];
        break;
    case MEM_OMR: /* cycle outside, entry inside */
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            for (unsigned entry = 1; entry < MASK_ENTRIES; entry++)
                value[n++] = board->mask[pe][entry][cycle];
        break;
    case MEM_X:
    case MEM_Y:
        for (unsigned i = 0; i < 64; i++)
            for (unsigned half = 0; half < 4; half++)
                value[n++] = oracle_element(board->plane[mem - MEM_X][pe / 4][i], 16, half);
        break;
    default:
        for (uint32_t at = 0; at < (mem == MEM_LM0 || mem == MEM_LM1 ? LM_WORDS : GRF_WORDS);
             at += 2)
            value[n++] = twin_long(board, mem, pe, at);
        break;
    }
    return n;
}

/* The next printed value: v:0x.., Mask{..} or an element's 0x... */
static const char *next_value(const char *text, const char *end, uint8_t mem, uint64_t *value)
{
    const char *mark = mem == MEM_OMR ? "Mask{" : mem == MEM_X || mem == MEM_Y ? "0x" : "v:0x";
    const char *at = memmem(text, (size_t)(end - text), mark, strlen(mark));
    if (!at)
        return NULL;
    at += strlen(mark);
    *value = strtoull(at, NULL, mem == MEM_OMR ? 10 : 16);
    return at;
}

static bool same_values(const struct twin *board, unsigned look, unsigned pe, const char *text,
                        const char *end)
{
    static uint64_t want[LM_WORDS];
    const size_t count = expected(board, looks[look].mem, pe, want);
    for (size_t i = 0; i < count; i++) {
        uint64_t got = 0;
        text = next_value(text, end, looks[look].mem, &got);
        if (!text || got != want[i]) {
            fprintf(stderr, "PE %u, %s: value %zu is %#llx, the oracle says %#llx\n", pe,
                    looks[look].statement, i, (unsigned long long)got, (unsigned long long)want[i]);
            return false;
        }
    }
    return true;
}

static bool same_memory(const struct exec *exec, struct exec_place at, size_t count,
                        const uint64_t *want)
{
    static uint64_t got[PDM_LONGS];
    mncore2_exec_read(exec, at, count, got);
    for (size_t i = 0; i < count; i++)
        if (got[i] != want[i]) {
            fprintf(stderr, "memory %d group %u l2b %u l1b %u address %llu: %#llx, not %#llx\n",
                    (int)at.mem, at.group, at.l2b, at.l1b, (unsigned long long)(at.addr + i),
                    (unsigned long long)got[i], (unsigned long long)want[i]);
            return false;
        }
    return true;
}

/* What gen_program's MV statements reach: low addresses, those without a tag, the end. */
static bool same_reached(const struct exec *exec, enum mem mem, unsigned group, uint64_t size,
                         const uint64_t *want)
{
    const struct {
        uint64_t from;
        size_t count;
    } part[] = {{0, 8192}, {FAR, 16384}, {size - 2048, 2048}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (!same_memory(exec, (struct exec_place){mem, group, 0, 0, part[i].from}, part[i].count,
                         want + part[i].from))
            return false;
    return true;
}

static bool same_memories(const struct exec *exec, const struct twin *board)
{
    bool same = true;
    for (unsigned b = 0; b < L1BS && same; b++)
        same = same_memory(exec, (struct exec_place){MEM_L1BM, b / 16, b / 8 % 2, b % 8, 0},
                           L1BM_LONGS, board->l1bm[b]);
    for (unsigned b = 0; b < L2BS && same; b++)
        same = same_memory(exec, (struct exec_place){MEM_L2BM, b / 2, b % 2, 0, 0}, L2BM_LONGS,
                           board->l2bm[b]);
    for (unsigned g = 0; g < GROUPS && same; g++)
        same = same_reached(exec, MEM_PDM, g, PDM_LONGS, board->pdm[g]) &&
               same_reached(exec, MEM_DRAM, g, DRAM_LONGS, board->dram[g]);
    return same;
}

/* Runs one program; false, and the first difference printed, when the states differ. upto: compare
 * after so many statements (to find the statement at fault), 0 = all. */
static bool same_run(const struct program *program, size_t items, uint64_t seed)
{
    char error[256], *dump = NULL;
    size_t dumped = 0, start[LOOKED_AT * LOOKS + 1];
    FILE *stream = open_memstream(&dump, &dumped);
    assert_non_null(stream);
    const struct exec_options options = {.dump = stream, .threads = 1};
    struct exec *exec = mncore2_exec_new(&options, error, sizeof error);
    struct twin *board = twin_new();
    struct diag_list diags;
    assert_non_null(exec);
    assert_non_null(board);
    diag_list_init(&diags);
    const size_t gets = LOOKED_AT * LOOKS, body = program->item_count - gets;
    for (size_t i = 0; i < items && i < body; i++) {
        assert_int_equal(mncore2_exec_item(exec, program, i, &diags), 0);
        twin_item(board, program, i);
    }
    for (size_t i = 0; i < gets; i++) {
        fflush(stream);
        start[i] = dumped;
        assert_int_equal(mncore2_exec_item(exec, program, body + i, &diags), 0);
    }
    fflush(stream);
    start[gets] = dumped;
    bool same = same_memories(exec, board);
    for (size_t i = 0; i < gets && same; i++)
        same = same_values(board, (unsigned)(i % LOOKS), looked_at(seed, (unsigned)(i / LOOKS)),
                           dump + start[i], dump + start[i + 1]);
    diag_list_free(&diags);
    mncore2_exec_free(exec);
    twin_free(board);
    fclose(stream);
    free(dump);
    return same;
}

static void report(const struct program *program, uint64_t seed)
{
    size_t low = 0, high = program->item_count - (size_t)(LOOKED_AT * LOOKS);
    while (low < high) { /* the first statement after which the states differ */
        const size_t middle = (low + high) / 2;
        if (same_run(program, middle + 1, seed))
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low > 3 ? low - 3 : 0; i <= low && i < program->item_count; i++) {
        size_t length;
        const char *line = mncore2_program_line(program, i, &length);
        fprintf(stderr, "%s %.*s\n", i == low ? "=>" : "  ", (int)length, line);
    }
}

static void states_are_equal(unsigned features, uint64_t first)
{
    for (uint64_t seed = first; seed < first + often(PROGRAMS); seed++) {
        const struct gen_options options = {
            .features = features, .statements = STATEMENTS, .tightness = 90, .sets = 24};
        size_t size;
        char *made = gen_program(seed, &options, &size);
        assert_non_null(made);
        struct text text = {0};
        char *stop = strstr(made, "quit\n"); /* what follows it must be read, too: d get */
        if (stop)
            *stop = '\0';
        put(&text, " ");
        text.room =
            text.size + strlen(made) + 1 > text.room ? text.size + strlen(made) + 1 : text.room;
        text.at = realloc(text.at, text.room);
        assert_non_null(text.at);
        memcpy(text.at, made, strlen(made) + 1);
        text.size = strlen(made);
        put_gets(&text, seed);
        struct source source;
        struct diag_list diags;
        struct program program;
        assert_int_equal(source_from_text(&source, "generated", text.at, text.size), 0);
        diag_list_init(&diags);
        const int parsed = mncore2_program_parse(&program, &source, 1, &diags);
        if (parsed)
            diag_print(&diags, &source, 1, stderr, false);
        assert_int_equal(parsed, 0);
        if (!same_run(&program, program.item_count, seed)) {
            report(&program, seed);
            fail_msg("program of seed %llu", (unsigned long long)seed);
        }
        mncore2_program_free(&program);
        diag_list_free(&diags);
        source_close(&source);
        free(text.at);
        free(made);
    }
}

static void everything(void **state)
{
    (void)state;
    states_are_equal(GEN_ALL, lockstep_seed(1));
}

/* Without transfers, so that more steps are arithmetic. */
static void pe_only(void **state)
{
    (void)state;
    states_are_equal(GEN_FLAT | GEN_MASKS | GEN_INDIRECT | GEN_MATRIX | GEN_ODD,
                     lockstep_seed(100001));
}

static void transfers(void **state)
{
    (void)state;
    states_are_equal(GEN_L1BM | GEN_L2BM | GEN_MV | GEN_DAR, lockstep_seed(200001));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything),
        cmocka_unit_test(pe_only),
        cmocka_unit_test(transfers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
