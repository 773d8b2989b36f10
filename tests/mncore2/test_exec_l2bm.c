/*
 * L2BM expressions against the pseudocode of manual 3.6.7, written out here as loops over arrays,
 * on boards full of random contents. L1BM and L2BM are compared whole.
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

static uint64_t l1bm[L1BS][L1BM_LONGS], want_l1bm[L1BS][L1BM_LONGS];
static uint64_t l2bm[L2BS][L2BM_LONGS], want_l2bm[L2BS][L2BM_LONGS];

static void snapshot(const struct board *board)
{
    for (unsigned b = 0; b < L1BS; b++)
        mncore2_exec_read(board->exec, (struct exec_place){MEM_L1BM, b / 16, b / 8 % 2, b % 8, 0},
                          L1BM_LONGS, l1bm[b]);
    for (unsigned c = 0; c < L2BS; c++)
        mncore2_exec_read(board->exec, (struct exec_place){MEM_L2BM, c / 2, c % 2, 0, 0},
                          L2BM_LONGS, l2bm[c]);
    memcpy(want_l1bm, l1bm, sizeof l1bm);
    memcpy(want_l2bm, l2bm, sizeof l2bm);
}

static void run_and_compare(struct board *board, const char *line)
{
    board_run(board, "%s", line);
    for (unsigned b = 0; b < L1BS; b++)
        for (unsigned i = 0; i < L1BM_LONGS; i++)
            if (board_l1bm(board, b, i) != want_l1bm[b][i])
                fail_msg("%s: L1BM %u, address %u", line, b, i);
    for (unsigned c = 0; c < L2BS; c++)
        for (unsigned i = 0; i < L2BM_LONGS; i++)
            if (board_l2bm(board, c, i) != want_l2bm[c][i])
                fail_msg("%s: L2BM %u, address %u", line, c, i);
}

/* 3.6.7.1: L1B numbers of badr/immode, and how they are written. */
struct set {
    const char *text;
    unsigned badr, immode;
};

static bool in_set(unsigned b, struct set set)
{
    const unsigned m = 7;
    return (b & (m ^ set.immode)) == (set.badr & (m ^ set.immode));
}

static void down(struct board *board, const char *name, struct set set, unsigned addr_c,
                 unsigned addr_b)
{
    char line[100];
    snprintf(line, sizeof line, "%s%s $lc%u $lb%u", name, set.text, addr_c, addr_b);
    snapshot(board);
    for (unsigned cycle = 0; cycle < 4; cycle++)
        for (unsigned c = 0; c < L2BS; c++)
            for (unsigned l1b = 0; l1b < 8; l1b++) {
                if (!in_set(l1b, set))
                    continue;
                const bool b2 = strcmp(name, "l2bmb2") == 0, d = strcmp(name, "l2bmd") == 0;
                const unsigned longs = d ? 8 : 16;
                const unsigned src_addr = addr_c + cycle * (b2 || d ? 64 : 16);
                const unsigned data_addr = b2 ? 16 * (l1b / 2) : d ? 8 * l1b : 0;
                const unsigned dst_addr = addr_b + cycle * longs;
                for (unsigned i = 0; i < longs; i++)
                    want_l1bm[c * 8 + l1b][(dst_addr + i) % L1BM_LONGS] =
                        l2bm[c][(src_addr + data_addr + i) % L2BM_LONGS];
            }
    run_and_compare(board, line);
}

static void downward(void **state)
{
    (void)state;
    struct board board = board_new(INIT_RANDOM, 11, 1);
    down(&board, "l2bmb", (struct set){"", 0, 7}, 0, 0);
    down(&board, "l2bmb", (struct set){"@3", 3, 0}, 32768 - 16, 8192 - 32);
    down(&board, "l2bmb", (struct set){"@0/5", 0, 5}, 48, 16);
    down(&board, "l2bmb", (struct set){"@[0,1,2,3]", 0, 3}, 48, 16);
    down(&board, "l2bmb2", (struct set){"", 0, 7}, 64, 16);
    down(&board, "l2bmb2", (struct set){"@1/6", 1, 6}, 32768 - 128, 8192 - 16);
    down(&board, "l2bmd", (struct set){"", 0, 7}, 128, 8);
    down(&board, "l2bmd", (struct set){"@[2,6]", 2, 4}, 32768 - 64, 8192 - 8);
    board_free(&board);
}

static void upward(void **state)
{
    (void)state;
    struct board board = board_new(INIT_RANDOM, 12, 1);

    snapshot(&board); /* 3.6.7.5 */
    for (unsigned cycle = 0; cycle < 4; cycle++)
        for (unsigned c = 0; c < L2BS; c++)
            for (unsigned i = 0; i < 16; i++)
                want_l2bm[c][(32768 - 32 + cycle * 16 + i) % L2BM_LONGS] =
                    l1bm[c * 8 + 5][(8192 - 16 + cycle * 16 + i) % L1BM_LONGS];
    run_and_compare(&board, "l2bm@5 $lb8176 $lc32736");

    snapshot(&board); /* 3.6.7.8 */
    for (unsigned cycle = 0; cycle < 4; cycle++)
        for (unsigned c = 0; c < L2BS; c++)
            for (unsigned b = 0; b < 8; b++)
                for (unsigned i = 0; i < 8; i++)
                    want_l2bm[c][(32768 - 64 + cycle * 64 + b * 8 + i) % L2BM_LONGS] =
                        l1bm[c * 8 + b][(8192 - 8 + cycle * 8 + i) % L1BM_LONGS];
    run_and_compare(&board, "l2bmd $lb8184 $lc32704");
    board_free(&board);
}

/* 3.6.7.6 and .7 with operations that this test can do itself. */
static uint64_t reduced(const char *op, uint64_t a, uint64_t b)
{
    if (strcmp(op, "liadd") == 0)
        return a + b;
    if (strcmp(op, "lband") == 0)
        return a & b;
    if (strcmp(op, "iiadd") == 0)
        return ((a >> 32) + (b >> 32)) << 32 | ((a + b) & 0xffffffffu);
    return a | b;
}

static void reduce(struct board *board, const char *op, struct set set, unsigned addr_b,
                   unsigned addr_c)
{
    char line[100];
    snprintf(line, sizeof line, "l2bmr%s%s $lb%u $lc%u", op, set.text, addr_b, addr_c);
    snapshot(board);
    for (unsigned cycle = 0; cycle < 4; cycle++)
        for (unsigned c = 0; c < L2BS; c++)
            for (unsigned i = 0; i < 16; i++) {
                uint64_t buf = strcmp(op, "lband") == 0 ? ~0ull : 0;
                for (unsigned l1b = 0; l1b < 8; l1b++)
                    if (in_set(l1b, set))
                        buf = reduced(op, buf,
                                      l1bm[c * 8 + l1b][(addr_b + cycle * 16 + i) % L1BM_LONGS]);
                want_l2bm[c][(addr_c + cycle * 16 + i) % L2BM_LONGS] = buf;
            }
    run_and_compare(board, line);
}

static void reduce2(struct board *board, const char *op, unsigned addr_b, unsigned addr_c)
{
    char line[100];
    snprintf(line, sizeof line, "l2bmr2%s $lb%u $lc%u", op, addr_b, addr_c);
    snapshot(board);
    for (unsigned cycle = 0; cycle < 4; cycle++)
        for (unsigned c = 0; c < L2BS; c++) {
            uint64_t buf[64];
            for (unsigned i = 0; i < 64; i++)
                buf[i] = strcmp(op, "lband") == 0 ? ~0ull : 0;
            for (unsigned l1b = 0; l1b < 8; l1b++)
                for (unsigned i = 0; i < 16; i++)
                    buf[16 * (l1b / 2) + i] =
                        reduced(op, buf[16 * (l1b / 2) + i],
                                l1bm[c * 8 + l1b][(addr_b + cycle * 16 + i) % L1BM_LONGS]);
            for (unsigned i = 0; i < 64; i++)
                want_l2bm[c][(addr_c + cycle * 64 + i) % L2BM_LONGS] = buf[i];
        }
    run_and_compare(board, line);
}

static void reductions(void **state)
{
    (void)state;
    struct board board = board_new(INIT_RANDOM, 13, 1);
    reduce(&board, "liadd", (struct set){"", 0, 7}, 8192 - 16, 32768 - 16);
    reduce(&board, "iiadd", (struct set){"@[0,4]", 0, 4}, 0, 16);
    reduce(&board, "lband", (struct set){"@6/1", 6, 1}, 16, 0);
    reduce(&board, "lbor", (struct set){"@2", 2, 0}, 16, 48);
    reduce2(&board, "liadd", 16, 64);
    reduce2(&board, "lband", 8192 - 48, 32768 - 128);
    board_free(&board);
}

/* L1B outside the set send the unit (3.6.7.6): smallest and largest numbers stay neutral. */
static void neutral(void **state)
{
    (void)state;
    struct board board = board_new(INIT_ZERO, 0, 1);
    board_run(&board, "d set $lb0n0c0b3 1 s80000005_c0400000\n"
                      "l2bmrdmax@3 $lb0 $lc0\n"
                      "l2bmrfmax@3 $lb0 $lc64\n"
                      "l2bmrfmin@3 $lb0 $lc128\n"
                      "l2bmrland@3 $lb0 $lc192\n"
                      "l2bmrlor@3 $lb0 $lc256\n"
                      "l2bmrffadd@3 $lb0 $lc320\n");
    const uint64_t word = 0x80000005c0400000u;
    assert_int_equal(board_l2bm(&board, 0, 0), word);
    assert_int_equal(board_l2bm(&board, 0, 64), word);
    assert_int_equal(board_l2bm(&board, 0, 128), word);
    assert_int_equal(board_l2bm(&board, 0, 192), 1);
    assert_int_equal(board_l2bm(&board, 0, 256), 1);
    assert_int_equal(board_l2bm(&board, 0, 320) & 0xffffffffu, 0xc0400000u);
    board_free(&board);
}

static void multicast(void **state)
{
    (void)state;
    static const struct set sets[] = {{"", 0, 0}, {"", 5, 0}, {"", 0, 4}, {"", 0, 6},
                                      {"", 1, 6}, {"", 3, 4}, {"", 2, 1}, {"", 0, 3}};
    struct board board = board_new(INIT_RANDOM, 14, 1);
    for (unsigned s = 0; s < sizeof sets / sizeof *sets; s++) {
        char line[100];
        const unsigned addr0 = s % 2 ? 8192 - 32 : 16 * s, addr1 = s % 3 ? 8192 - 16 : 64;
        snprintf(line, sizeof line, "l2bmi@%u/%u $lb%u $lb%u", sets[s].badr, sets[s].immode, addr0,
                 addr1);
        snapshot(&board);
        for (unsigned cycle = 0; cycle < 4; cycle++)
            for (unsigned c = 0; c < L2BS; c++)
                for (unsigned src = 0; src < 8; src++)
                    for (unsigned dst = 0; in_set(src, sets[s]) && dst < 8; dst++)
                        if (dst != src && (dst & sets[s].immode) == (src & sets[s].immode))
                            for (unsigned i = 0; i < 16; i++)
                                want_l1bm[c * 8 + dst][(addr1 + cycle * 16 + i) % L1BM_LONGS] =
                                    l1bm[c * 8 + src][(addr0 + cycle * 16 + i) % L1BM_LONGS];
        run_and_compare(&board, line);
    }
    /* A list names the same sets (table 3.7). */
    snapshot(&board);
    for (unsigned c = 0; c < L2BS; c++)
        for (unsigned b = 0; b < 8; b++)
            for (unsigned i = 0; i < 64; i++)
                if (b % 4 != 3)
                    want_l1bm[c * 8 + b][i] = l1bm[c * 8 + b / 4 * 4 + 3][128 + i];
    run_and_compare(&board, "l2bmi@[3,7] $lb128 $lb0");
    board_free(&board);
}

/* 3.6.7.10 and its example, seen through an indirect transfer; DAR and DARBUF wrap. */
static void address_registers(void **state)
{
    (void)state;
    struct board board = board_new(INIT_ZERO, 0, 1);
    uint64_t words[256];
    for (unsigned i = 0; i < 256; i++)
        words[i] = (uint64_t)(1000 + 2 * i) << 32 | (1001 + 2 * i);
    for (unsigned group = 0; group < GROUPS; group++) {
        for (unsigned i = 0; i < 256; i++)
            words[i] += (uint64_t)group << 48 | group << 16;
        mncore2_exec_write(board.exec, (struct exec_place){MEM_L2BM, group, 1, 0, 32768 - 64}, 256,
                           words);
    }
    board_run(&board, "l2bmdars $lc32704@.1 $dar1022; l2bmdarw\n"
                      "l2bmd $lc256 $lb0; l2bmdarw\n"
                      "noforward; l2bmdarw\n"
                      "l2bmdarw\n");
    struct mv mv = {.mode = MV_D_P, .nd = 1, .from = {.mem = MEM_DRAM, .indirect = true}};
    uint64_t at[18];
    mv.from.addr = 1022;
    mncore2_exec_dar_addresses(board.exec, &mv, 0, 17, at);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(at[i], 1000 + i);
    assert_int_equal(at[16], 0);
    mv.from.addr = 0;
    mncore2_exec_dar_addresses(board.exec, &mv, 3, 2, at);
    assert_int_equal(at[0], (1002u + (6u << 16)) % (1u << 25));

    /* nd: an entry serves N accesses; without nd one entry serves all (3.5.6). */
    mv.nd = 3;
    mncore2_exec_dar_addresses(board.exec, &mv, 0, 7, at);
    const uint64_t want[] = {1002, 1003, 1004, 1003, 1004, 1005, 1004};
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(at[i], want[i]);
    mv.nd = 0;
    mncore2_exec_dar_addresses(board.exec, &mv, 0, 7, at);
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(at[i], 1002 + i);

    /* 512 words empty the buffer; the next one is its first again. */
    board_run(&board, "l2bmdars $lc32704@.1 $dar0\n");
    for (unsigned i = 0; i < 128; i++)
        board_run(&board, "l2bmdarw\n");
    board_run(&board, "l2bmdarw\n");
    mv.nd = 1;
    mv.from.addr = 510;
    mncore2_exec_dar_addresses(board.exec, &mv, 0, 6, at);
    assert_int_equal(at[1], 1511);
    assert_int_equal(at[2], 1000);
    assert_int_equal(at[5], 1003);
    board_free(&board);
}

/* All reads of a step come before its writes: L2BM to L1BM beside L1BM to PE and PE to L1BM. */
static void one_step(void **state)
{
    (void)state;
    struct board board = board_new(INIT_ZERO, 0, 1);
    uint64_t words[64];
    for (unsigned i = 0; i < 64; i++)
        words[i] = 7000 + i;
    mncore2_exec_write(board.exec, (struct exec_place){MEM_L1BM, 0, 0, 0, 0}, 64, words);
    for (unsigned i = 0; i < 64; i++)
        words[i] = 8000 + i;
    mncore2_exec_write(board.exec, (struct exec_place){MEM_L2BM, 0, 0, 0, 0}, 64, words);
    board_run(&board, "l2bmb $lc0 $lb0; l1bmm $lb0 $lr0v\n");
    for (unsigned cycle = 0; cycle < 4; cycle++)
        for (unsigned pe = 0; pe < 4; pe++) {
            assert_int_equal(board_pe(&board, MEM_GRF0, 0, 9, pe, cycle), 7000 + cycle * 4 + pe);
            assert_int_equal(board_l1bm(&board, 0, cycle * 4 + pe), 8000 + cycle * 4 + pe);
        }
    board_free(&board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(downward),   cmocka_unit_test(upward),
        cmocka_unit_test(reductions), cmocka_unit_test(neutral),
        cmocka_unit_test(multicast),  cmocka_unit_test(address_registers),
        cmocka_unit_test(one_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
