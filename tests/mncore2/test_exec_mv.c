/*
 * All 24 MV modes against the pseudocode of manual 3.5.8, written out here as loops over small
 * arrays, direct and through the DAR (3.5.6), with wrap-around (3.5.2).
 *
 * DRAM is looked at in a window of WINDOW long words around address 0, which wraps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/arith.h"
#include "tests/mncore2/exec_board.h"

enum { WINDOW = 4096 };

static uint64_t pdm[GROUPS][PDM_LONGS], want_pdm[GROUPS][PDM_LONGS];
static uint64_t l2bm[GROUPS][L2B_PER_GROUP][L2BM_LONGS],
    want_l2bm[GROUPS][L2B_PER_GROUP][L2BM_LONGS];
static uint64_t dram[GROUPS][WINDOW], want_dram[GROUPS][WINDOW];
static uint32_t dar[GROUPS][DAR_ENTRIES];
static bool indirect;
static unsigned dar_from, nd;

/* --- memories as the pseudocode sees them --- */

static uint64_t dram_index(unsigned group, uint64_t addr, uint64_t base)
{
    if (indirect) {
        const uint64_t i = (addr - base) / 16;
        const uint64_t entry = nd == 0 ? 0 : i / nd, rest = nd == 0 ? i : i % nd;
        addr = ((uint64_t)dar[group][(dar_from + entry) % 1024] + rest) * 16 + (addr - base) % 16;
    }
    addr = (addr + WINDOW / 2) % DRAM_LONGS;
    assert_true(addr < WINDOW);
    return addr;
}

static uint64_t base_d; /* addr_d of the running statement */
#define DRAM(group, addr)        dram[group][dram_index(group, addr, base_d)]
#define WANT_DRAM(group, addr)   want_dram[group][dram_index(group, addr, base_d)]
#define PDM(group, addr)         pdm[group][(addr) % PDM_LONGS]
#define WANT_PDM(group, addr)    want_pdm[group][(addr) % PDM_LONGS]
#define C(group, l2b, addr)      l2bm[group][l2b][(addr) % L2BM_LONGS]
#define WANT_C(group, l2b, addr) want_l2bm[group][l2b][(addr) % L2BM_LONGS]

static void snapshot(const struct board *board)
{
    for (unsigned g = 0; g < GROUPS; g++) {
        mncore2_exec_read(board->exec, (struct exec_place){MEM_PDM, g, 0, 0, 0}, PDM_LONGS, pdm[g]);
        mncore2_exec_read(board->exec,
                          (struct exec_place){MEM_DRAM, g, 0, 0, DRAM_LONGS - WINDOW / 2}, WINDOW,
                          dram[g]);
        for (unsigned c = 0; c < L2B_PER_GROUP; c++)
            mncore2_exec_read(board->exec, (struct exec_place){MEM_L2BM, g, c, 0, 0}, L2BM_LONGS,
                              l2bm[g][c]);
    }
    memcpy(want_pdm, pdm, sizeof pdm);
    memcpy(want_l2bm, l2bm, sizeof l2bm);
    memcpy(want_dram, dram, sizeof dram);
}

static void run_and_compare(struct board *board, const char *line)
{
    board_run(board, "%s", line);
    static uint64_t got[PDM_LONGS];
    for (unsigned g = 0; g < GROUPS; g++) {
        mncore2_exec_read(board->exec, (struct exec_place){MEM_PDM, g, 0, 0, 0}, PDM_LONGS, got);
        for (unsigned i = 0; i < PDM_LONGS; i++)
            if (got[i] != want_pdm[g][i])
                fail_msg("%s: PDM %u, address %u", line, g, i);
        mncore2_exec_read(board->exec,
                          (struct exec_place){MEM_DRAM, g, 0, 0, DRAM_LONGS - WINDOW / 2}, WINDOW,
                          got);
        for (unsigned i = 0; i < WINDOW; i++)
            if (got[i] != want_dram[g][i])
                fail_msg("%s: DRAM %u, address %d", line, g, (int)i - WINDOW / 2);
        for (unsigned c = 0; c < L2B_PER_GROUP; c++) {
            mncore2_exec_read(board->exec, (struct exec_place){MEM_L2BM, g, c, 0, 0}, L2BM_LONGS,
                              got);
            for (unsigned i = 0; i < L2BM_LONGS; i++)
                if (got[i] != want_l2bm[g][c][i])
                    fail_msg("%s: L2BM %u.%u, address %u", line, g, c, i);
        }
    }
}

/* --- the modes --- */

enum { LAST_C = L2BM_LONGS - 64 };

struct run {
    struct board *board;
    uint64_t p, c, d; /* addresses */
    unsigned size;
};

static const char *dram_text(const struct run *r, int group)
{
    static char text[60];
    char at[16] = "";
    if (group >= 0)
        snprintf(at, sizeof at, "@%d", group);
    if (indirect)
        snprintf(text, sizeof text, "$di%u%s", dar_from, at);
    else
        snprintf(text, sizeof text, "$d%llu%s", (unsigned long long)r->d, at);
    return text;
}

static const char *head(const struct run *r, const char *base, bool with_dram)
{
    static char text[60];
    if (indirect && with_dram && nd > 0)
        snprintf(text, sizeof text, "%s/n%und%u", base, r->size, nd);
    else
        snprintf(text, sizeof text, "%s/n%u", base, r->size);
    return text;
}

#define LINE(...)                                                                                  \
    char line[200];                                                                                \
    snprintf(line, sizeof line, __VA_ARGS__)

static void single(struct run *r)
{
    const unsigned n = r->size / 64;
    {
        snapshot(r->board); /* 3.5.8.2 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < 64; k++)
                WANT_DRAM(2, r->d + 64 * i + k) = PDM(1, r->p + 64 * i + k);
        LINE("%s $p%llu@1 %s", head(r, "mvp", true), (unsigned long long)r->p, dram_text(r, 2));
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.3 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < 64; k++)
                WANT_PDM(0, r->p + 64 * i + k) = DRAM(3, r->d + 64 * i + k);
        LINE("%s %s $p%llu@0", head(r, "mvp", true), dram_text(r, 3), (unsigned long long)r->p);
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.4 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < 64; k++)
                WANT_C(2, 1, r->c + 64 * i + k) = PDM(0, r->p + 64 * i + k);
        LINE("%s $p%llu@0 $lc%llu@2.1", head(r, "mvp", false), (unsigned long long)r->p,
             (unsigned long long)r->c);
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.5 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < 64; k++)
                WANT_PDM(2, r->p + 64 * i + k) = C(1, 0, r->c + 64 * i + k);
        LINE("%s $lc%llu@1.0 $p%llu@2", head(r, "mvp", false), (unsigned long long)r->c,
             (unsigned long long)r->p);
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.6 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < 64; k++)
                WANT_C(3, 0, r->c + 64 * i + k) = DRAM(0, r->d + 64 * i + k);
        LINE("%s %s $lc%llu@3.0", head(r, "mvp", true), dram_text(r, 0), (unsigned long long)r->c);
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.7 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < 64; k++)
                WANT_DRAM(1, r->d + 64 * i + k) = C(1, 1, r->c + 64 * i + k);
        LINE("%s $lc%llu@1.1 %s", head(r, "mvp", true), (unsigned long long)r->c, dram_text(r, 1));
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.8 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < 64; k++)
                WANT_PDM(3, r->p + 192 + 64 * i + k) = PDM(0, r->p + 64 * i + k);
        LINE("%s $p%llu@0 $p%llu@3", head(r, "mvp", false), (unsigned long long)r->p,
             (unsigned long long)((r->p + 192) % PDM_LONGS));
        run_and_compare(r->board, line);
    }
}

static void parallel(struct run *r)
{
    const unsigned n = r->size / 64;
    {
        snapshot(r->board); /* 3.5.8.9 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned g = 0; g < 4; g++)
                for (unsigned k = 0; k < 64; k++)
                    WANT_C(g, 1, r->c + 64 * i + k) = PDM(g, r->p + 64 * i + k);
        LINE("%s $p%llu $lc%llu@.1", head(r, "mvp", false), (unsigned long long)r->p,
             (unsigned long long)r->c);
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.10 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned g = 0; g < 4; g++)
                for (unsigned k = 0; k < 64; k++)
                    WANT_PDM(g, r->p + 64 * i + k) = C(g, 0, r->c + 64 * i + k);
        LINE("%s $lc%llu@.0 $p%llu", head(r, "mvp", false), (unsigned long long)r->c,
             (unsigned long long)r->p);
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.11 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned g = 0; g < 4; g++)
                for (unsigned k = 0; k < 64; k++)
                    WANT_C(g, 0, r->c + 64 * i + k) = DRAM(g, r->d + 64 * i + k);
        LINE("%s %s $lc%llu@.0", head(r, "mvp", true), dram_text(r, -1), (unsigned long long)r->c);
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.12 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned g = 0; g < 4; g++)
                for (unsigned k = 0; k < 64; k++)
                    WANT_DRAM(g, r->d + 64 * i + k) = C(g, 1, r->c + 64 * i + k);
        LINE("%s $lc%llu@.1 %s", head(r, "mvp", true), (unsigned long long)r->c, dram_text(r, -1));
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.13 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned g = 0; g < 4; g++)
                for (unsigned b = 0; b < 2; b++)
                    for (unsigned k = 0; k < 64; k++)
                        WANT_C(g, b, r->c + 64 * i + k) = DRAM(g, r->d + 64 * i + k);
        LINE("%s %s $lc%llu", head(r, "mvb2", true), dram_text(r, -1), (unsigned long long)r->c);
        run_and_compare(r->board, line);
    }
}

/* Reductions by an operation on long words; the first operand comes first (open points). */
static uint64_t op(const char *name, uint64_t a, uint64_t b)
{
    return strcmp(name, "liadd") == 0 ? a + b : a & b;
}

static void reductions(struct run *r, const char *name)
{
    const unsigned n = r->size / 64;
    char base[20];
    {
        snapshot(r->board); /* 3.5.8.14 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned g = 0; g < 4; g++)
                for (unsigned k = 0; k < 64; k++)
                    WANT_DRAM(g, r->d + 64 * i + k) =
                        op(name, C(g, 0, r->c + 64 * i + k), C(g, 1, r->c + 64 * i + k));
        snprintf(base, sizeof base, "mvr2%s", name);
        LINE("%s $lc%llu %s", head(r, base, true), (unsigned long long)r->c, dram_text(r, -1));
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.15 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < 64; k++)
                WANT_PDM(2, r->p + 64 * i + k) =
                    op(name, C(2, 0, r->c + 64 * i + k), C(2, 1, r->c + 64 * i + k));
        LINE("%s $lc%llu@2 $p%llu@2", head(r, base, false), (unsigned long long)r->c,
             (unsigned long long)r->p);
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.17 */
        for (unsigned i = 0; i < n; i++) {
            uint64_t buf[2][64];
            for (unsigned b = 0; b < 2; b++)
                for (unsigned k = 0; k < 64; k++) {
                    buf[b][k] = C(0, b, r->c + 64 * i + k);
                    for (unsigned g = 1; g < 4; g++)
                        buf[b][k] = op(name, buf[b][k], C(g, b, r->c + 64 * i + k));
                }
            for (unsigned g = 0; g < 4; g++)
                for (unsigned b = 0; b < 2; b++)
                    for (unsigned k = 0; k < 16; k++)
                        WANT_DRAM(g, r->d + 32 * i + 16 * b + k) = buf[b][16 * g + k];
        }
        snprintf(base, sizeof base, "mvr4%s", name);
        LINE("%s $lc%llu %s", head(r, base, true), (unsigned long long)r->c, dram_text(r, -1));
        run_and_compare(r->board, line);
    }
    snprintf(base, sizeof base, "mvr%s", name);
    for (unsigned to_dram = 0; to_dram < 2; to_dram++) {
        snapshot(r->board); /* 3.5.8.19, .21 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < 64; k++) {
                uint64_t buf = C(0, 0, r->c + 64 * i + k);
                for (unsigned b = 1; b < 8; b++)
                    buf = op(name, buf, C(b / 2, b % 2, r->c + 64 * i + k));
                if (to_dram)
                    WANT_DRAM(k / 16, r->d + 16 * i + k % 16) = buf;
                else
                    WANT_PDM(1, r->p + 64 * i + k) = buf;
            }
        char target[40];
        snprintf(target, sizeof target, "$p%llu@1", (unsigned long long)r->p);
        LINE("%s $lc%llu %s", head(r, base, to_dram), (unsigned long long)r->c,
             to_dram ? dram_text(r, -1) : target);
        run_and_compare(r->board, line);
    }
}

static void broadcasts(struct run *r)
{
    const unsigned n = r->size / 64;
    {
        snapshot(r->board); /* 3.5.8.16 */
        for (unsigned i = 0; i < n; i++) {
            uint64_t buf[2][64];
            for (unsigned g = 0; g < 4; g++)
                for (unsigned b = 0; b < 2; b++)
                    for (unsigned k = 0; k < 16; k++)
                        buf[b][g * 16 + k] = DRAM(g, r->d + 32 * i + b * 16 + k);
            for (unsigned g = 0; g < 4; g++)
                for (unsigned b = 0; b < 2; b++)
                    for (unsigned k = 0; k < 64; k++)
                        WANT_C(g, b, r->c + 64 * i + k) = buf[b][k];
        }
        LINE("%s %s $lc%llu", head(r, "mvb4", true), dram_text(r, -1), (unsigned long long)r->c);
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.18 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned b = 0; b < 8; b++)
                for (unsigned k = 0; k < 64; k++)
                    WANT_C(b / 2, b % 2, r->c + 64 * i + k) = PDM(3, r->p + 64 * i + k);
        LINE("%s $p%llu@3 $lc%llu", head(r, "mvb", false), (unsigned long long)r->p,
             (unsigned long long)r->c);
        run_and_compare(r->board, line);
    }
    {
        snapshot(r->board); /* 3.5.8.20 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned g = 0; g < 4; g++)
                for (unsigned k = 0; k < 16; k++)
                    for (unsigned b = 0; b < 8; b++)
                        WANT_C(b / 2, b % 2, r->c + 64 * i + g * 16 + k) =
                            DRAM(g, r->d + 16 * i + k);
        LINE("%s %s $lc%llu", head(r, "mvb", true), dram_text(r, -1), (unsigned long long)r->c);
        run_and_compare(r->board, line);
    }
}

static void distributions(struct run *r)
{
    const unsigned n = r->size / 64;
    for (unsigned join = 0; join < 2; join++) {
        snapshot(r->board); /* 3.5.8.22, .23 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = 0; j < 4; j++)
                for (unsigned b = 0; b < 8; b++)
                    for (unsigned k = 0; k < 16; k++) {
                        const uint64_t p = r->p + 512 * i + (j * 8 + b) * 16 + k;
                        const uint64_t c = r->c + 64 * i + j * 16 + k;
                        if (join)
                            WANT_PDM(2, p) = C(b / 2, b % 2, c);
                        else
                            WANT_C(b / 2, b % 2, c) = PDM(1, p);
                    }
        LINE(join ? "%s $lc%llu $p%llu@2" : "%s $p%llu@1 $lc%llu", head(r, "mvd", false),
             (unsigned long long)(join ? r->c : r->p), (unsigned long long)(join ? r->p : r->c));
        run_and_compare(r->board, line);
    }
    for (unsigned join = 0; join < 2; join++) {
        snapshot(r->board); /* 3.5.8.24, .25 */
        for (unsigned i = 0; i < n; i++)
            for (unsigned g = 0; g < 4; g++)
                for (unsigned k = 0; k < 16; k++)
                    if (join)
                        WANT_PDM(0, r->p + 64 * i + g * 16 + k) = DRAM(g, r->d + 16 * i + k);
                    else
                        WANT_DRAM(g, r->d + 16 * i + k) = PDM(0, r->p + 64 * i + g * 16 + k);
        LINE("%s %s $p%llu@0", head(r, "mvd", true), dram_text(r, -1), (unsigned long long)r->p);
        if (!join)
            snprintf(line, sizeof line, "%s $p%llu@0 %s", head(r, "mvd", true),
                     (unsigned long long)r->p, dram_text(r, -1));
        run_and_compare(r->board, line);
    }
}

static void everything(struct board *board, uint64_t p, uint64_t c, uint64_t d, unsigned size)
{
    struct run r = {.board = board, .p = p, .c = c, .d = d, .size = size};
    base_d = indirect ? 0 : d;
    if (indirect)
        r.d = 0;
    single(&r);
    parallel(&r);
    reductions(&r, "liadd");
    reductions(&r, "lband");
    broadcasts(&r);
    distributions(&r);
}

static struct board filled(void)
{
    struct board board = board_new(INIT_ZERO, 0, 1);
    static uint64_t data[PDM_LONGS];
    for (unsigned g = 0; g < GROUPS; g++) {
        for (unsigned i = 0; i < PDM_LONGS; i++)
            data[i] = board_random(g * 1000000 + i);
        mncore2_exec_write(board.exec, (struct exec_place){MEM_PDM, g, 0, 0, 0}, PDM_LONGS, data);
        mncore2_exec_write(board.exec,
                           (struct exec_place){MEM_DRAM, g, 0, 0, DRAM_LONGS - WINDOW / 2}, WINDOW,
                           data + 10000);
        for (unsigned c = 0; c < L2B_PER_GROUP; c++)
            mncore2_exec_write(board.exec, (struct exec_place){MEM_L2BM, g, c, 0, 0}, L2BM_LONGS,
                               data + 40000 + 40000 * c);
    }
    return board;
}

static void direct(void **state)
{
    (void)state;
    struct board board = filled();
    indirect = false;
    everything(&board, 512, 64, 64, 64);
    everything(&board, 1024, 128, 128, 192);
    everything(&board, PDM_LONGS - 512, LAST_C, DRAM_LONGS - 64, 128);
    board_free(&board);
}

static void through_dar(void **state)
{
    (void)state;
    struct board board = filled();
    indirect = true;
    dar_from = 1020;
    uint64_t words[256];
    for (unsigned g = 0; g < GROUPS; g++) {
        for (unsigned i = 0; i < 512; i++)
            dar[g][(1000 + i) % DAR_ENTRIES] = (i * 7 + g * 3) % 100;
        for (unsigned i = 0; i < 256; i++)
            words[i] =
                (uint64_t)dar[g][(1000 + 2 * i) % 1024] << 32 | dar[g][(1001 + 2 * i) % 1024];
        mncore2_exec_write(board.exec, (struct exec_place){MEM_L2BM, g, 0, 0, 1024}, 256, words);
    }
    board_run(&board, "l2bmdars $lc1024@.0 $dar1000\n");
    for (unsigned i = 0; i < 128; i++)
        board_run(&board, "l2bmdarw\n");
    for (nd = 0; nd <= 3; nd++)
        everything(&board, 512, 8192, 0, 192);
    board_free(&board);
}

/* Eight summands: two in a group first, then four groups, rounded in between (4.2). */
static void two_stages(void **state)
{
    (void)state;
    struct board board = board_new(INIT_ZERO, 0, 1);
    /* 2^24 + 1 rounds to 2^24 in the group; all at once it would be 2^24 + 4 (four groups). */
    for (unsigned g = 0; g < GROUPS; g++)
        board_run(&board, "d set $lc0n%uc1 1 s3f800000_0\n", g);
    board_run(&board, "d set $lc0n0c0 1 s4b800000_0\n"
                      "mvrffadd/n64 $lc0 $p0@0\n");
    uint64_t word;
    mncore2_exec_read(board.exec, (struct exec_place){MEM_PDM, 0, 0, 0, 0}, 1, &word);
    /* Group 0: 2^24 + 1 -> 2^24; then 2^24 + 1 + 1 + 1 = 2^24 + 3 -> 2^24 + 4. */
    assert_int_equal(word >> 32, 0x4b800002);
    board_run(&board, "d set $lc0n1c0 1 sbf800000_0\n" /* group 1 sums to 0 */
                      "mvrffadd/n64 $lc0 $p0@0\n");
    mncore2_exec_read(board.exec, (struct exec_place){MEM_PDM, 0, 0, 0, 0}, 1, &word);
    assert_int_equal(word >> 32, 0x4b800001);
    board_free(&board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(direct),
        cmocka_unit_test(through_dar),
        cmocka_unit_test(two_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
