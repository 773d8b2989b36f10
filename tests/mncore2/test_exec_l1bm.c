/*
 * L1BM expressions against the pseudocode of manual 3.6.8, written out here as loops over arrays.
 * Every mode runs on a board full of random contents; the whole of the written memory is compared.
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

enum mode { P, M, M4, D, M_AT, M4_AT, R, R4, D_JOIN };

static uint64_t l1bm[L1BS][L1BM_LONGS]; /* before */
static uint64_t want_l1bm[L1BS][L1BM_LONGS];
static uint64_t grf[L1BS][MAB_PER_L1B][PE_PER_MAB][GRF_WORDS / 2]; /* GRF0 before */
static uint64_t want_grf[L1BS][MAB_PER_L1B][PE_PER_MAB][GRF_WORDS / 2];

static void snapshot(const struct board *board)
{
    for (unsigned b = 0; b < L1BS; b++) {
        for (unsigned i = 0; i < L1BM_LONGS; i++)
            l1bm[b][i] = board_l1bm(board, b, i);
        for (unsigned m = 0; m < MAB_PER_L1B; m++)
            for (unsigned pe = 0; pe < PE_PER_MAB; pe++)
                for (unsigned i = 0; i < GRF_WORDS / 2; i++)
                    grf[b][m][pe][i] = board_pe(board, MEM_GRF0, b, m, pe, i);
    }
    memcpy(want_l1bm, l1bm, sizeof l1bm);
    memcpy(want_grf, grf, sizeof grf);
}

static void compare(const struct board *board, const char *what)
{
    for (unsigned b = 0; b < L1BS; b++) {
        for (unsigned i = 0; i < L1BM_LONGS; i++)
            if (board_l1bm(board, b, i) != want_l1bm[b][i])
                fail_msg("%s: L1BM %u, address %u: %llx, not %llx", what, b, i,
                         (unsigned long long)board_l1bm(board, b, i),
                         (unsigned long long)want_l1bm[b][i]);
        for (unsigned m = 0; m < MAB_PER_L1B; m++)
            for (unsigned pe = 0; pe < PE_PER_MAB; pe++)
                for (unsigned i = 0; i < GRF_WORDS / 2; i++)
                    if (board_pe(board, MEM_GRF0, b, m, pe, i) != want_grf[b][m][pe][i])
                        fail_msg("%s: L1B %u MAB %u PE %u, GRF0 long word %u: %llx, not %llx", what,
                                 b, m, pe, i,
                                 (unsigned long long)board_pe(board, MEM_GRF0, b, m, pe, i),
                                 (unsigned long long)want_grf[b][m][pe][i]);
    }
}

/* A transfer from L1BM to the PEs. */
struct down {
    enum mode mode;
    bool wide;
    int diff;
    unsigned addr;
};

/* data[pe] of one MAB, by the pseudocode of 3.6.8.6 to .9, .14, .15 and .20. */
static void down(const struct down *d, unsigned cycle, const uint64_t *mem, unsigned mab,
                 uint64_t data[PE_PER_MAB][2])
{
    const enum mode mode = d->mode;
    const bool wide = d->wide;
    const int diff = d->diff;
    const unsigned addr_b = d->addr;
    for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
        data[pe][0] = data[pe][1] = 0;
        if (mode == P && !wide) {
            data[pe][0] = mem[(addr_b + cycle) % L1BM_LONGS];
        } else if (mode == P) {
            data[pe][0] = mem[(addr_b + cycle) % L1BM_LONGS];
            data[pe][1] = mem[(addr_b + cycle + 4) % L1BM_LONGS];
        } else if (mode == M && !wide) {
            data[pe][0] = mem[(addr_b + cycle * 4 + pe) % L1BM_LONGS];
        } else if (mode == M) {
            data[pe][0] = mem[(addr_b + cycle * 8 + pe) % L1BM_LONGS];
            data[pe][1] = mem[(addr_b + cycle * 8 + 4 + pe) % L1BM_LONGS];
        } else if (mode == M4 && !wide) {
            const unsigned idx = (mab >> 2) * 4 + pe;
            data[pe][0] = mem[(addr_b + cycle * 16 + idx) % L1BM_LONGS];
        } else if (mode == M4) {
            const unsigned i = mab >> 2;
            data[pe][0] = mem[(addr_b + cycle * 32 + i * 8 + pe) % L1BM_LONGS];
            data[pe][1] = mem[(addr_b + cycle * 32 + i * 8 + 4 + pe) % L1BM_LONGS];
        } else { /* l1bmd: mab is dst_mab = (from + diff) % 16 */
            for (unsigned from = 0; from < 16; from++)
                if (((int)from + diff + 16) % 16 == (int)mab)
                    data[pe][0] = mem[(addr_b + cycle * 64 + from * 4 + pe) % L1BM_LONGS];
        }
    }
}

static void check_down(struct board *board, enum mode mode, bool wide, bool wide_pe, int diff,
                       unsigned addr)
{
    static const char *const names[] = {"l1bmp", "l1bmm", "l1bmm4", "l1bmd"};
    char line[100], shift[8] = "";
    if (mode == D && diff != 99)
        snprintf(shift, sizeof shift, "%+d", diff);
    snprintf(line, sizeof line, "%s%s $%sb%u $%sr16v", names[mode], shift, wide ? "ll" : "l", addr,
             wide_pe ? "ll" : "l");
    if (diff == 99)
        diff = 0;
    snapshot(board);
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        for (unsigned b = 0; b < L1BS; b++)
            for (unsigned m = 0; m < MAB_PER_L1B; m++) {
                uint64_t data[PE_PER_MAB][2];
                down(&(struct down){mode, wide, diff, addr}, cycle, l1bm[b], m, data);
                for (unsigned pe = 0; pe < PE_PER_MAB; pe++)
                    if (wide_pe) {
                        want_grf[b][m][pe][8 + 2 * cycle] = data[pe][0];
                        want_grf[b][m][pe][8 + 2 * cycle + 1] = data[pe][1];
                    } else {
                        want_grf[b][m][pe][8 + cycle] = data[pe][0];
                    }
            }
    board_run(board, "%s", line);
    compare(board, line);
}

static void downward(void **state)
{
    (void)state;
    struct board board = board_new(INIT_RANDOM, 1, 2);
    check_down(&board, P, false, false, 0, 5);
    check_down(&board, P, false, true, 0, 8190);
    check_down(&board, P, true, true, 0, 64 + 56);
    check_down(&board, M, false, false, 0, 52);
    check_down(&board, M, false, true, 0, 8184);
    check_down(&board, M, true, true, 0, 8168);
    check_down(&board, M4, false, false, 0, 32);
    check_down(&board, M4, false, true, 0, 8192 - 16);
    check_down(&board, M4, true, true, 0, 8192 - 64);
    check_down(&board, D, false, false, 99, 256);
    check_down(&board, D, false, false, 1, 0);
    check_down(&board, D, false, true, -3, 8192 - 64);
    check_down(&board, D, false, false, 15, 64);
    check_down(&board, D, false, false, -15, 64);
    check_down(&board, D, false, false, 0, 64);
    board_free(&board);
}

/* liadd, bor: what 3.5.5's long word operations do. */
static uint64_t reduced(const char *op, uint64_t a, uint64_t b)
{
    return strcmp(op, "liadd") == 0 ? a + b : strcmp(op, "lband") == 0 ? a & b : a | b;
}

static uint64_t unit(const char *op)
{
    return strcmp(op, "lband") == 0 ? ~0ull : 0;
}

/* data of one L1B and cycle, by the pseudocode of 3.6.8.10 to .13, .16 to .19 and .21. */
static unsigned up(enum mode mode, bool wide, unsigned mabadr, const char *op,
                   uint64_t src[MAB_PER_L1B][PE_PER_MAB][2], uint64_t out[64])
{
    uint64_t data[16][2];
    const unsigned quads = mode == M4_AT || mode == R4 ? 4 : 1;
    for (unsigned i = 0; i < 16; i++)
        data[i][0] = data[i][1] = mode == R || mode == R4 ? unit(op) : 0;
    if (mode == D_JOIN) {
        for (unsigned mab = 0; mab < 16; mab++)
            for (unsigned pe = 0; pe < 4; pe++)
                out[mab * 4 + pe] = src[mab][pe][0];
        return 64;
    }
    for (unsigned mab = 0; mab < 16; mab++)
        for (unsigned pe = 0; pe < 4; pe++)
            for (unsigned half = 0; half < 2; half++) {
                if (mode == M_AT && mab == mabadr)
                    data[pe][half] = src[mab][pe][half];
                if (mode == M4_AT && mab % 4 == mabadr)
                    data[(mab >> 2) * 4 + pe][half] = src[mab][pe][half];
                if (mode == R)
                    data[pe][half] = reduced(op, data[pe][half], src[mab][pe][half]);
                if (mode == R4)
                    data[(mab >> 2) * 4 + pe][half] =
                        reduced(op, data[(mab >> 2) * 4 + pe][half], src[mab][pe][half]);
            }
    for (unsigned i = 0; i < quads; i++)
        for (unsigned pe = 0; pe < 4; pe++)
            if (wide) {
                out[i * 8 + pe] = data[i * 4 + pe][0];
                out[i * 8 + 4 + pe] = data[i * 4 + pe][1];
            } else {
                out[i * 4 + pe] = data[i * 4 + pe][0];
            }
    return quads * (wide ? 8 : 4);
}

/* A transfer from the PEs to L1BM. */
struct up {
    enum mode mode;
    bool wide, wide_pe;
    unsigned mabadr;
    int diff;
    const char *op;
    unsigned addr;
};

static void check_up(struct board *board, struct up u)
{
    const enum mode mode = u.mode;
    const bool wide = u.wide, wide_pe = u.wide_pe;
    const unsigned mabadr = u.mabadr, addr = u.addr;
    const int diff = u.diff;
    const char *op = u.op;
    static const char *const names[] = {
        [M_AT] = "l1bmm@", [M4_AT] = "l1bmm4@", [R] = "l1bmr", [R4] = "l1bmr4", [D_JOIN] = "l1bmd"};
    char line[100], option[16] = "";
    if (mode == M_AT || mode == M4_AT)
        snprintf(option, sizeof option, "%u", mabadr);
    else if (mode == D_JOIN && diff != 0)
        snprintf(option, sizeof option, "%+d", diff);
    else if (mode != D_JOIN)
        snprintf(option, sizeof option, "%s", op);
    snprintf(line, sizeof line, "%s%s $%sr32v $%sb%u", names[mode], option, wide_pe ? "ll" : "l",
             wide ? "ll" : "l", addr);
    snapshot(board);
    uint64_t turn[L1BS][CYCLES][64] = {{{0}}};
    unsigned rate = 0;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        for (unsigned b = 0; b < L1BS; b++) {
            uint64_t src[MAB_PER_L1B][PE_PER_MAB][2], out[64];
            for (unsigned m = 0; m < MAB_PER_L1B; m++)
                for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
                    src[m][pe][0] = grf[b][m][pe][16 + cycle * (wide_pe ? 2 : 1)];
                    src[m][pe][1] = wide_pe ? grf[b][m][pe][16 + cycle * 2 + 1] : 0;
                }
            rate = up(mode, wide, mabadr, op, src, out);
            memcpy(turn[b][cycle], out, rate * sizeof *out);
            for (unsigned i = 0; i < rate; i++) {
                const unsigned at = mode == D_JOIN ? (unsigned)((int)i + diff * 4 + 64) % 64 : i;
                want_l1bm[b][(addr + cycle * rate + at) % L1BM_LONGS] = out[i];
            }
        }
    board_run(board, "%s", line);
    compare(board, line);

    /* The turn-back register holds the same, without the shift of MAB (3.6.8.21). */
    const enum mode back = mode == M_AT || mode == R ? M : mode == D_JOIN ? D : M4;
    static const char *const backs[] = {"", "l1bmm", "l1bmm4", "l1bmd"};
    for (unsigned b = 0; b < L1BS; b++)
        for (unsigned m = 0; m < MAB_PER_L1B; m++)
            for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
                uint64_t data[PE_PER_MAB][2];
                down(&(struct down){back, wide && mode != D_JOIN, diff, 0}, 0, turn[b][cycle], m,
                     data);
                for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
                    want_grf[b][m][pe][64 + 2 * cycle] = data[pe][0];
                    want_grf[b][m][pe][64 + 2 * cycle + 1] = data[pe][1];
                }
            }
    char shift[8] = "";
    if (mode == D_JOIN && diff != 0)
        snprintf(shift, sizeof shift, "%+d", diff);
    board_run(board, "%s%s $%sbi $llr128v", backs[back], shift, wide ? "ll" : "l");
    compare(board, line);
}

static void upward(void **state)
{
    (void)state;
    struct board board = board_new(INIT_RANDOM, 2, 1);
    check_up(&board, (struct up){M_AT, false, false, 0, 0, "", 4});
    check_up(&board, (struct up){M_AT, false, true, 15, 0, "", 8188});
    check_up(&board, (struct up){M_AT, true, true, 7, 0, "", 8176});
    check_up(&board, (struct up){M4_AT, false, false, 3, 0, "", 8160});
    check_up(&board, (struct up){M4_AT, false, true, 0, 0, "", 16});
    check_up(&board, (struct up){M4_AT, true, true, 2, 0, "", 8192 - 32});
    check_up(&board, (struct up){R, false, false, 0, 0, "liadd", 0});
    check_up(&board, (struct up){R, false, true, 0, 0, "lband", 8180});
    check_up(&board, (struct up){R, true, true, 0, 0, "lbor", 8192 - 16});
    check_up(&board, (struct up){R4, false, false, 0, 0, "liadd", 48});
    check_up(&board, (struct up){R4, true, true, 0, 0, "lbor", 64});
    check_up(&board, (struct up){D_JOIN, false, false, 0, 0, "", 128});
    check_up(&board, (struct up){D_JOIN, false, true, 0, 3, "", 8192 - 128});
    check_up(&board, (struct up){D_JOIN, false, false, 0, -1, "", 0});
    check_up(&board, (struct up){D_JOIN, false, false, 0, 15, "", 0});
    board_free(&board);
}

/* The examples of 3.6.8.20 and .21. */
static void shifted_examples(void **state)
{
    (void)state;
    struct board board = board_new(INIT_ZERO, 0, 1);
    board_run(&board, "lpassa $mabid $lr0v\n"
                      "nop\n"
                      "l1bmd+1 $lr0v $lb0\n"
                      "l1bmd-1 $lr0v $lb256; l1bmd+1 $lbi $ls0v\n"
                      "l1bmd-1 $lbi $ls8v\n"
                      "nop\n"
                      "l1bmd $lb0 $ls16v\n"
                      "l1bmd $lb256 $ls24v\n");
    const uint64_t want[] = {15, 1, 15, 1};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            assert_int_equal(board_pe(&board, MEM_GRF1, 0, 0, 0, 4 * i + cycle), want[i]);

    board_run(&board, "l1bmd+1 $lr0v $lb0\n"
                      "l1bmd $lr0v $lb256\n"
                      "nop/2\n"
                      "l1bmd $lb0 $ls0v\n"
                      "l1bmd+1 $lb256 $ls8v\n");
    for (unsigned m = 0; m < MAB_PER_L1B; m++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            assert_int_equal(board_pe(&board, MEM_GRF1, 5, m, 2, cycle), (m + 15) % 16);
            assert_int_equal(board_pe(&board, MEM_GRF1, 5, m, 2, 4 + cycle), (m + 15) % 16);
        }
    board_free(&board);
}

/* The two programs of 3.6.8.2 leave the same in LM0 and L1BM. */
static void turn_example(void **state)
{
    (void)state;
    struct board turned = board_new(INIT_RANDOM, 9, 1), plain = board_new(INIT_RANDOM, 9, 1);
    board_run(&turned, "l1bmm@2 $lr0v $lb0\n"
                       "l1bmm $lbi $lm0v; l1bmm@2 $lr8v $lb16\n"
                       "l1bmm $lbi $lm8v\n");
    board_run(&plain, "l1bmm@2 $lr0v $lb0\n"
                      "l1bmm@2 $lr8v $lb16\n"
                      "nop\nnop\n"
                      "l1bmm $lb0 $lm0v\n"
                      "l1bmm $lb16 $lm8v\n");
    assert_int_equal(mncore2_exec_hash(turned.exec), mncore2_exec_hash(plain.exec));
    assert_int_equal(board_pe(&turned, MEM_LM0, 7, 9, 3, 2),
                     board_pe(&turned, MEM_GRF0, 7, 2, 3, 2));
    board_free(&turned);
    board_free(&plain);
}

/* $lbi alone keeps the L1BM; noforward and steps without L1BM keep $lbi (3.6.6, 3.6.8.2). */
static void turn_register(void **state)
{
    (void)state;
    struct board board = board_new(INIT_ZERO, 0, 1);
    board_run(&board, "lpassa $peid $lr0v\n"
                      "linc $peid $lr8v\n"
                      "l1bmm@3 $lr0v $lbi\n"
                      "noforward; l1bmm@3 $lr8v $lb64\n"
                      "lpassa $lr0v $ln0v\n"
                      "nop\n"
                      "l1bmm $lbi $ls0v\n"
                      "l1bmm $lbi $ls8v\n");
    for (unsigned pe = 0; pe < 4; pe++) {
        assert_int_equal(board_l1bm(&board, 0, pe), 0);
        assert_int_equal(board_l1bm(&board, 0, 64 + pe), 13 + pe);
        assert_int_equal(board_pe(&board, MEM_GRF1, 0, 0, pe, 0), 12 + pe);
        assert_int_equal(board_pe(&board, MEM_GRF1, 0, 0, pe, 4), 12 + pe);
    }
    board_free(&board);
}

static uint16_t half_of(unsigned n)
{
    return mncore2_single_to_half(0x3f800000u + (n << 18)); /* 1 + n/32: exact in half precision */
}

/*
 * 3.6.8.4: half j of PE p is number 4p + j; as single words they stand as 014589cd2367abef.
 * Only MAB 0 holds something, so the sums are its values.
 */
static void extended_layout(void **state)
{
    (void)state;
    static const unsigned order[16] = {0, 1, 4, 5, 8, 9, 0xc, 0xd, 2, 3, 6, 7, 0xa, 0xb, 0xe, 0xf};
    struct board board = board_new(INIT_ZERO, 0, 1);
    for (unsigned pe = 0; pe < 4; pe++)
        board_run(&board, "d set $lr0n0c0b0m0p%u 1 h%x_%x_%x_%x\n", pe, half_of(4 * pe),
                  half_of(4 * pe + 1), half_of(4 * pe + 2), half_of(4 * pe + 3));
    board_run(&board, "l1bmrffadd $lr0ve $llb0\n"
                      "l1bmrffaddr $lr0ve $lb64\n"
                      "l1bmrhfadd $lr0v $lb128\n"
                      "l1bmr4ffadd $lr0ve $llb256\n"
                      "l1bmr4hfadd $lr0v $lb512\n");
    for (unsigned i = 0; i < 16; i++) {
        const uint64_t word = board_l1bm(&board, 0, i / 2);
        assert_int_equal(i % 2 == 0 ? word >> 32 : word & 0xffffffffu,
                         mncore2_half_to_single(half_of(order[i])));
        const uint64_t quad = board_l1bm(&board, 0, 256 + i / 2);
        assert_int_equal(i % 2 == 0 ? quad >> 32 : quad & 0xffffffffu,
                         mncore2_half_to_single(half_of(order[i])));
    }
    /* e, then r: the layout of one long word a PE again (3.6.8.5: the inverse). */
    for (unsigned pe = 0; pe < 4; pe++)
        for (unsigned j = 0; j < 4; j++) {
            const unsigned shift = 48 - 16 * j;
            assert_int_equal(board_l1bm(&board, 0, 64 + pe) >> shift & 0xffff, half_of(4 * pe + j));
            assert_int_equal(board_l1bm(&board, 0, 128 + pe) >> shift & 0xffff,
                             half_of(4 * pe + j));
            assert_int_equal(board_l1bm(&board, 0, 512 + pe) >> shift & 0xffff,
                             half_of(4 * pe + j));
        }
    /* A two long word broadcast and rounding on the PE gives the original halves (3.6.8.4). */
    board_run(&board, "l1bmm $llb0 $llm0v\n"
                      "nop/2\n"
                      "hpassa $llm0vr $ls0v\n");
    for (unsigned pe = 0; pe < 4; pe++)
        assert_int_equal(board_pe(&board, MEM_GRF1, 3, 2, pe, 0) == 0, true);
    for (unsigned pe = 0; pe < 4; pe++)
        assert_int_equal(board_pe(&board, MEM_GRF1, 0, 2, pe, 0),
                         board_pe(&board, MEM_GRF0, 0, 0, pe, 0));
    board_free(&board);
}

/* 3.6.8.5: four singles a PE become four halves. */
static void reduced_layout(void **state)
{
    (void)state;
    struct board board = board_new(INIT_ZERO, 0, 1);
    for (unsigned pe = 0; pe < 4; pe++)
        board_run(&board, "d set $llr0n0c0b0m5p%u 1 s%x_%xs%x_%x\n", pe,
                  mncore2_half_to_single(half_of(4 * pe)),
                  mncore2_half_to_single(half_of(4 * pe + 1)),
                  mncore2_half_to_single(half_of(4 * pe + 2)),
                  mncore2_half_to_single(half_of(4 * pe + 3)));
    board_run(&board, "l1bmrffaddr $llr0v $lb0\nl1bmr4ffaddr $llr0v $lb64\n"
                      "l1bmrfmaxr $llr0v $lb256\n");
    for (unsigned pe = 0; pe < 4; pe++)
        for (unsigned j = 0; j < 4; j++) {
            const unsigned shift = 48 - 16 * j;
            assert_int_equal(board_l1bm(&board, 0, pe) >> shift & 0xffff, half_of(4 * pe + j));
            assert_int_equal(board_l1bm(&board, 0, 256 + pe) >> shift & 0xffff,
                             half_of(4 * pe + j));
            /* MAB 5 is in the second quad. */
            assert_int_equal(board_l1bm(&board, 0, 64 + 4 + pe) >> shift & 0xffff,
                             half_of(4 * pe + j));
            assert_int_equal(board_l1bm(&board, 0, 64 + pe) >> shift & 0xffff, 0);
        }
    board_free(&board);
}

/* A word at the PE: the upper half of the bus; written, the upper word (1.2). */
static void word_access(void **state)
{
    (void)state;
    struct board board = board_new(INIT_ZERO, 0, 1);
    board_run(&board, "d set $lr0n0c0b0m0 1 s11111111_22222222\n"
                      "l1bmm@0 $r1 $lb0\n"
                      "l1bmm@0 $lr0 $lb32\n"
                      "nop/2\n"
                      "l1bmm $lb32 $s1 $lm0v $t\n");
    assert_int_equal(board_l1bm(&board, 0, 0), 0x2222222200000000u);
    assert_int_equal(board_pe(&board, MEM_GRF1, 0, 3, 1, 0), 0x11111111u);
    assert_int_equal(board_pe(&board, MEM_LM0, 0, 3, 1, 3), 0x1111111122222222u);
    assert_int_equal(board_pe(&board, MEM_T, 0, 3, 1, 2), 0x1111111122222222u);
    assert_int_equal(board_pe(&board, MEM_T, 0, 3, 1, 3), 0);
    board_free(&board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(downward),         cmocka_unit_test(upward),
        cmocka_unit_test(shifted_examples), cmocka_unit_test(turn_example),
        cmocka_unit_test(turn_register),    cmocka_unit_test(extended_layout),
        cmocka_unit_test(reduced_layout),   cmocka_unit_test(word_access),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
