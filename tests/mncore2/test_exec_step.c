/*
 * PE statements: operand addressing (manual 3.6.1), masks (3.6.2), forwarding (3.6.1.15 to .19,
 * 3.6.6), matrix registers (3.6.10, 3.6.11), and that a step reads before it writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mncore2/exec_board.h"

static const uint64_t HIGH = 0xffffffff00000000u, LOW = 0xffffffffu;

static uint64_t pe(const struct board *board, enum mem mem, unsigned p, unsigned index)
{
    return board_pe(board, mem, 0, 0, p, index);
}

#define EQUAL(board, mem, p, index, want)                                                          \
    do {                                                                                           \
        const uint64_t got_ = pe(&(board), mem, p, index), want_ = (want);                         \
        if (got_ != want_)                                                                         \
            fail_msg("line %d: " #mem " PE %u, long word %u: %llx, not %llx", __LINE__,            \
                     (unsigned)(p), (unsigned)(index), (unsigned long long)got_,                   \
                     (unsigned long long)want_);                                                   \
    } while (0)

/* --- operands --- */

/* Short results sit at the MSB side (1.2); a short operand leaves zeros behind it. */
static void access_lengths(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "d set $llr0 1 1111111122222222aaaaaaaabbbbbbbb\n"
                  "lpassa $r1 $lls0\n"  /* a word comes as the upper word */
                  "lpassa $lr0 $lls4\n" /* a long word leaves the second zero */
                  "lpassa $llr0 $lls8\n"
                  "lpassa $llr0 $ls12\n" /* the second is dropped */
                  "lpassa $llr0 $s17\n"  /* only the upper word, at the odd address */
                  "lpassa $llr0 $s20\n"
                  "lpassa $r0 $lt\n"); /* T always takes two long words */
    EQUAL(b, MEM_GRF1, 0, 0, 0x2222222200000000u);
    EQUAL(b, MEM_GRF1, 0, 1, 0);
    EQUAL(b, MEM_GRF1, 0, 2, 0x1111111122222222u);
    EQUAL(b, MEM_GRF1, 0, 3, 0);
    EQUAL(b, MEM_GRF1, 0, 4, 0x1111111122222222u);
    EQUAL(b, MEM_GRF1, 0, 5, 0xaaaaaaaabbbbbbbbu);
    EQUAL(b, MEM_GRF1, 0, 6, 0x1111111122222222u);
    EQUAL(b, MEM_GRF1, 0, 7, 0);
    EQUAL(b, MEM_GRF1, 0, 8, 0x11111111u);
    EQUAL(b, MEM_GRF1, 0, 10, 0x1111111100000000u);
    for (unsigned cycle = 0; cycle < 4; cycle++) {
        EQUAL(b, MEM_T, 3, 2 * cycle, 0x1111111100000000u);
        EQUAL(b, MEM_T, 3, 2 * cycle + 1, 0);
    }
    board_free(&b);
}

/* Strides, flat addresses, and wrap-around at the end of GRF and LM. */
static void strides(void **state)
{
    (void)state;
    struct board b = board_new(INIT_RANDOM, 3, 1);
    board_run(&b, "lpassa $lr506v $ls0v\n"
                  "lpassa $llr4v8 $lls16v\n"
                  "lpassa $lr[10,2,8,4] $ls[40,46,44,42]\n"
                  "lpassa $r3v $ls64v\n"
                  "lpassa $lr6 $ls80v\n"
                  "lpassa $lm4092v $ls96v\n"
                  "lpassa $lls0v $lln4088v\n");
    static const unsigned flat_to[] = {20, 23, 22, 21}, flat_from[] = {5, 1, 4, 2};
    for (unsigned i = 0; i < 4; i++) {
        EQUAL(b, MEM_GRF1, 1, i, pe(&b, MEM_GRF0, 1, (253 + i) % 256));
        EQUAL(b, MEM_GRF1, 2, 8 + 2 * i, pe(&b, MEM_GRF0, 2, 2 + 4 * i));
        EQUAL(b, MEM_GRF1, 2, 9 + 2 * i, pe(&b, MEM_GRF0, 2, 3 + 4 * i));
        EQUAL(b, MEM_GRF1, 0, flat_to[i], pe(&b, MEM_GRF0, 0, flat_from[i]));
        const uint64_t word = pe(&b, MEM_GRF0, 3, (3 + i) / 2);
        EQUAL(b, MEM_GRF1, 3, 32 + i, (3 + i) % 2 == 0 ? word & HIGH : word << 32);
        EQUAL(b, MEM_GRF1, 0, 40 + i, pe(&b, MEM_GRF0, 0, 3));
        EQUAL(b, MEM_GRF1, 0, 48 + i, pe(&b, MEM_LM0, 0, (2046 + i) % 2048));
        EQUAL(b, MEM_LM1, 0, (2044 + 2 * i) % 2048, pe(&b, MEM_GRF1, 0, 2 * i));
        EQUAL(b, MEM_LM1, 0, (2045 + 2 * i) % 2048, pe(&b, MEM_GRF1, 0, 2 * i + 1));
    }
    board_free(&b);
}

/* (BAR + T[C] + ADDR + ADRI*C + (PE <= MADPE ? WL : 0)) % 4096, aligned down (3.6.1.6). */
static void local_addresses(void **state)
{
    (void)state;
    struct board b = board_new(INIT_RANDOM, 4, 2);
    /* BAR of LM0: 4090 + 3 * pe; of LM1: 7 in every PE, by a word. */
    static const unsigned bar0[] = {4090, 4093, 0, 3};
    for (unsigned p = 0; p < 4; p++)
        board_run(&b, "d set $lr0p%u 1 lfffffff%03x\n", p, bar0[p]);
    board_run(&b, "d set $r2 1 s5007_0\n"
                  "lpassa $lr0 $lmb\n"
                  "lpassa $r2 $nb\n"
                  "lpassa $lm4v $ls0v\n"
                  "lpassa $llm8v $lls16v\n"
                  "lpassa $m2v3 $ls64v\n"
                  "lpassa $ln0vj1 $ls96v\n"
                  "lpassa $n0vj2 $ls112v\n"
                  "lpassa $lln0vj0 $lls128v\n");
    for (unsigned p = 0; p < 4; p++)
        for (unsigned c = 0; c < 4; c++) {
            unsigned at = (bar0[p] + 4 + 2 * c) % 4096;
            EQUAL(b, MEM_GRF1, p, c, pe(&b, MEM_LM0, p, at / 2));
            at = (bar0[p] + 8 + 4 * c) % 4096 / 4 * 4;
            EQUAL(b, MEM_GRF1, p, 8 + 2 * c, pe(&b, MEM_LM0, p, at / 2));
            EQUAL(b, MEM_GRF1, p, 9 + 2 * c, pe(&b, MEM_LM0, p, at / 2 + 1));
            at = (bar0[p] + 2 + 3 * c) % 4096;
            const uint64_t word = pe(&b, MEM_LM0, p, at / 2);
            EQUAL(b, MEM_GRF1, p, 32 + c, at % 2 == 0 ? word & HIGH : word << 32);
            at = 7 + 2 * c + (p <= 1 ? 2 : 0);
            EQUAL(b, MEM_GRF1, p, 48 + c, pe(&b, MEM_LM1, p, at / 2));
            at = 7 + c + (p <= 2 ? 1 : 0);
            const uint64_t other = pe(&b, MEM_LM1, p, at / 2);
            EQUAL(b, MEM_GRF1, p, 56 + c, at % 2 == 0 ? other & HIGH : other << 32);
            at = (7 + 4 * c + (p == 0 ? 4 : 0)) / 4 * 4;
            EQUAL(b, MEM_GRF1, p, 64 + 2 * c, pe(&b, MEM_LM1, p, at / 2));
        }
    board_free(&b);
}

/* T-indirect reads and writes: T's upper long word of the cycle is added (3.6.1.6). */
static void indirect_addresses(void **state)
{
    (void)state;
    struct board b = board_new(INIT_RANDOM, 5, 1);
    for (unsigned p = 0; p < 4; p++)
        board_run(&b, "d set $ltp%u 4 l%xl%xl%xl%x\n", p, 100 + p, 4095 + p, 8000 + 10 * p, p);
    const unsigned t[4][4] = {
        {100, 4095, 8000, 0}, {101, 4096, 8010, 1}, {102, 4097, 8020, 2}, {103, 4098, 8030, 3}};
    board_run(&b, "lpassa $lmt $ls0v\n"
                  "lpassa $lmt6v4 $ls16v\n"
                  "lpassa $mt[1,3,5,7] $ls32v\n"
                  "lpassa $lr0v $lmt2048v\n"); /* scatter */
    for (unsigned p = 0; p < 4; p++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned plain = t[p][c] % 4096;
            EQUAL(b, MEM_GRF1, p, c, pe(&b, MEM_LM0, p, plain / 2));
            EQUAL(b, MEM_GRF1, p, 8 + c, pe(&b, MEM_LM0, p, (t[p][c] + 6 + 4 * c) % 4096 / 2));
            const unsigned flat = (t[p][c] + 1 + 2 * c) % 4096;
            const uint64_t word = pe(&b, MEM_LM0, p, flat / 2);
            EQUAL(b, MEM_GRF1, p, 16 + c, flat % 2 == 0 ? word & HIGH : word << 32);
            EQUAL(b, MEM_LM0, p, (t[p][c] + 2048 + 2 * c) % 4096 / 2, pe(&b, MEM_GRF0, p, c));
        }
    board_free(&b);
}

/* The base address and T that a step writes serve the next one. */
static void old_addresses(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "d set $lm0 6 l1l2l3l4l5l6\n"
                  "imm i\"4\" $nowrite\n"
                  "lpassa $lm0 $ls0v; \n"
                  "ipassa $lm0v $ls8v\n"
                  "imm i\"4\" $mb\n"
                  "lpassa $lm0 $ls16v\n"
                  "d set $lt 4 l2l2l2l2\n"
                  "lpassa $lmt0 $ls24v $t\n"); /* reads LM0 at BAR + old T */
    EQUAL(b, MEM_GRF1, 0, 0, 1);
    EQUAL(b, MEM_GRF1, 0, 8, 3);
    EQUAL(b, MEM_GRF1, 0, 12, 4);
    EQUAL(b, MEM_T, 0, 6, 4);
    board_free(&b);
}

/* The base that a step finds holds in all its cycles, whatever it writes to the register
 * (deviations, row 126). The values end in new bases: 8, 16, 18 and 4, of which the last stays. */
static void base_of_a_whole_step(void **state)
{
    (void)state;
    static const uint64_t words[] = {0x3f80000000000008, 0x3f80000000000010, 0x3f80000000000012,
                                     0x3f80000000000004};
    static const char values[] =
        "l3f80000000000008l3f80000000000010l3f80000000000012l3f80000000000004";
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "d set $lm0 8 %sl1l2l3l4\n", values);
    board_run(&b, "lpassa $lm0v $ls0v $lmb\n"); /* reads */
    board_run(&b, "lpassa $lm0 $ls8\n");
    for (unsigned c = 0; c < 4; c++)
        EQUAL(b, MEM_GRF1, 1, c, words[c]);
    EQUAL(b, MEM_GRF1, 1, 4, words[2]); /* word 4 */
    board_run(&b, "d set $lt 4 %s\n", values);
    board_run(&b, "lpassa $t $lm200v $lmb\n");             /* writes, base 4, one expression */
    board_run(&b, "lpassa $t $lmb; fvpassa $t $lm300v\n"); /* and two */
    for (unsigned c = 0; c < 4; c++) {
        EQUAL(b, MEM_LM0, 2, 102 + c, words[c]);
        EQUAL(b, MEM_LM0, 2, 152 + c, 0x3f80000000000000); /* the lower single is a zero */
    }
    board_run(&b, "imm i\"6\" $nb\nlpassa $t $ln0v $lnb\nlpassa $t $ln0\n");
    for (unsigned c = 0; c < 4; c++)
        EQUAL(b, MEM_LM1, 3, 3 + c, words[c]);
    EQUAL(b, MEM_LM1, 3, 2, words[3]); /* the step after it: base 4 */
    board_free(&b);
}

/* All four cycles read before anything is written. */
static void reads_first(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "d set $lr0 4 l1l2l3l4\n"
                  "d set $llt 4 lal0lbl0lcl0ldl0\n"
                  "lpassa $lr[0,2,4,6] $lr[2,4,6,0]\n"
                  "linc $t $t $ls0v\n");
    static const uint64_t rotated[] = {4, 1, 2, 3};
    for (unsigned c = 0; c < 4; c++) {
        EQUAL(b, MEM_GRF0, 2, c, rotated[c]);
        EQUAL(b, MEM_T, 1, 2 * c, 0xb + c);
        EQUAL(b, MEM_GRF1, 1, c, 0xb + c);
    }
    board_free(&b);
}

/* --- fixed inputs (3.6.1.20) --- */

static void fixed_inputs(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "lpassa $l2bid $llm0\n"
                  "ipassa $l1bid $lr0\n"
                  "spassa $mabid $lr2\n"
                  "ipassa $peid $llr4\n"
                  "spassa $subpeid $lr8\n"
                  "ipassa $msb1 $llr12\n"
                  "spassa $msb1 $llr16\n"
                  "lpassa $msb1 $llr20\n");
    for (unsigned l1b = 0; l1b < L1BS; l1b += 7)
        for (unsigned m = 0; m < MAB_PER_L1B; m += 3)
            for (unsigned p = 0; p < PE_PER_MAB; p++) {
                const uint64_t i = 0x0000000100000001u, s = 0x0001000100010001u;
                assert_int_equal(board_pe(&b, MEM_LM0, l1b, m, p, 0), l1b / 8);
                assert_int_equal(board_pe(&b, MEM_LM0, l1b, m, p, 1), l1b / 8);
                assert_int_equal(board_pe(&b, MEM_GRF0, l1b, m, p, 0), l1b % 8 * i);
                assert_int_equal(board_pe(&b, MEM_GRF0, l1b, m, p, 1), m * s);
                assert_int_equal(board_pe(&b, MEM_GRF0, l1b, m, p, 2), (m * 4 + p) * i);
                assert_int_equal(board_pe(&b, MEM_GRF0, l1b, m, p, 3), (m * 4 + p) * i);
                assert_int_equal(board_pe(&b, MEM_GRF0, l1b, m, p, 4), p * s);
                assert_true(board_pe(&b, MEM_GRF0, l1b, m, p, 7) == 0x8000000080000000u);
                assert_true(board_pe(&b, MEM_GRF0, l1b, m, p, 9) == 0x8000800080008000u);
                assert_true(board_pe(&b, MEM_GRF0, l1b, m, p, 11) == 0x8000000000000000u);
            }
    assert_int_equal(board_classes(&b), MABS);
    board_free(&b);
}

/* --- masks --- */

/* Bits of the two long words that a nibble lets through (3.6.2). */
static uint64_t let(unsigned nibble, bool wide, unsigned half)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (!(nibble >> (3 - i) & 1))
            continue;
        if (!wide && half == 0)
            bits |= 0xffffull << (48 - 16 * i);
        if (wide && i / 2 == half)
            bits |= i % 2 == 0 ? HIGH : LOW;
    }
    return !wide && half == 1 ? ~0ull : bits;
}

static uint64_t blend(uint64_t old, uint64_t now, uint64_t bits)
{
    return (old & ~bits) | (now & bits);
}

/* The flags of `sinc $lr64v`: 1 where the half word plus one is not negative (table 3.11). */
static unsigned sinc_flags(uint64_t word)
{
    unsigned flags = 0;
    for (unsigned i = 0; i < 4; i++)
        flags = flags << 1 | (((word >> (48 - 16 * i)) + 1) >> 15 & 1 ? 0 : 1);
    return flags;
}

struct mask_case {
    const char *text; /* after the slash */
    bool wide;
    int fixed; /* pattern, first cycle at bit 3; -1: entry 1 */
};

static void write_masks(void **state)
{
    (void)state;
    static const struct mask_case cases[] = {
        {"$imr1", false, -1}, {"$llimr1", true, -1}, {"1011", false, 0xb},
        {"ll0110", true, 6},  {"0000", false, 0},    {"ll0000", true, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct mask_case *m = &cases[i];
        struct board before = board_new(INIT_RANDOM, 6, 1), b = board_new(INIT_RANDOM, 6, 2);
        const char *shorter = m->wide ? "t" : "", *longer = m->wide ? "" : "p";
        board_run(&b,
                  "sinc $lr64v $omr1\n"
                  "lpassa $llr0v $lls0v/%s%s\n"
                  "lpassa $llr0v $ls64v/%s%s\n"
                  "lpassa $llr0v $lls128v\n"
                  "lpassa $llr0v $s97v/%s%s $t/%s%s\n",
                  m->text, longer, m->text, shorter, m->text, shorter, m->text, longer);
        for (unsigned p = 0; p < PE_PER_MAB; p++)
            for (unsigned c = 0; c < CYCLES; c++) {
                const unsigned nibble = m->fixed < 0 ? sinc_flags(pe(&before, MEM_GRF0, p, 32 + c))
                                                     : (m->fixed >> (3 - c) & 1) * 15u;
                uint64_t now[2], bits[2];
                for (unsigned h = 0; h < 2; h++) {
                    now[h] = pe(&before, MEM_GRF0, p, 2 * c + h);
                    bits[h] = let(nibble, m->wide, h);
                    EQUAL(b, MEM_GRF1, p, 2 * c + h,
                          blend(pe(&before, MEM_GRF1, p, 2 * c + h), now[h], bits[h]));
                    EQUAL(b, MEM_GRF1, p, 64 + 2 * c + h, now[h]);
                    EQUAL(b, MEM_T, p, 2 * c + h,
                          blend(pe(&before, MEM_T, p, 2 * c + h), now[h], bits[h]));
                }
                EQUAL(b, MEM_GRF1, p, 32 + c,
                      blend(pe(&before, MEM_GRF1, p, 32 + c), now[0], bits[0]));
                /* Words 97 + c. */
                const unsigned at = 97 + c;
                uint64_t want = pe(&before, MEM_GRF1, p, at / 2);
                for (unsigned k = 0; k < 4; k++) { /* all words that hit this long word */
                    if ((97 + k) / 2 != at / 2)
                        continue;
                    const unsigned nk = m->fixed < 0 ? sinc_flags(pe(&before, MEM_GRF0, p, 32 + k))
                                                     : (m->fixed >> (3 - k) & 1) * 15u;
                    const uint64_t word = pe(&before, MEM_GRF0, p, 2 * k) >> 32;
                    const uint64_t on = let(nk, m->wide, 0) >> 32;
                    want = (97 + k) % 2 == 0 ? blend(want, word << 32, on << 32)
                                             : blend(want, word, on);
                }
                EQUAL(b, MEM_GRF1, p, at / 2, want);
            }
        board_free(&before);
        board_free(&b);
    }
}

/* Masks under mask lines hold for the named memories only, and a line's own mask cancels them. */
static void mask_lines(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "imm i\"7\" $nowrite\n"
                  "maskr 0b10001\n"
                  "lpassa $aluf $lr0v $ls0v\n"
                  "lpassa $aluf $lr8v $ls8v/1000\n"
                  "mask 0\n"
                  "lpassa $aluf $lr16v\n");
    const uint64_t seven = 0x0000000700000007u;
    for (unsigned c = 0; c < 4; c++) {
        EQUAL(b, MEM_GRF0, 0, c, c == 3 ? seven : 0);
        EQUAL(b, MEM_GRF1, 0, c, seven);
        EQUAL(b, MEM_GRF0, 0, 4 + c, seven);
        EQUAL(b, MEM_GRF1, 0, 4 + c, c == 0 ? seven : 0);
        EQUAL(b, MEM_GRF0, 0, 8 + c, seven);
    }
    board_free(&b);
}

/* A masked base address register: the mask's bits of the twelve bits written. */
static void masked_bar(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "d set $lm0 8 l1l2l3l4l5l6l7l8\n"
                  "imm i\"2\" $mb/1000\n"
                  "imm i\"6\" $mb/0000\n"
                  "lpassa $lm0 $ls0v\n");
    EQUAL(b, MEM_GRF1, 0, 0, 2);
    board_free(&b);
}

/* Stored is flag AND mask, whatever the mask's length; the old entry is what masks (3.6.2). */
static void masked_masks(void **state)
{
    (void)state;
    struct board b = board_new(INIT_RANDOM, 7, 1);
    board_run(&b, "sinc $lr64v $omr1\n"
                  "sinc $lr72v $omr2/$imr1\n"
                  "sinc $lr72v $omr3/$llimr1t\n"
                  "sinc $lr72v $omr4/0101\n"
                  "sinc $lr80v $omr1/$imr1\n"
                  "d get $omr1n0c0b0m0 4\n");
    char want[4000] = "";
    for (unsigned p = 0; p < 4; p++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned first = sinc_flags(pe(&b, MEM_GRF0, p, 32 + c));
            const unsigned second = sinc_flags(pe(&b, MEM_GRF0, p, 36 + c));
            const unsigned third = sinc_flags(pe(&b, MEM_GRF0, p, 40 + c));
            const unsigned values[] = {first & third, first & second, first & second,
                                       c % 2 == 1 ? second : 0};
            for (unsigned e = 0; e < 4; e++)
                snprintf(want + strlen(want), sizeof want - strlen(want),
                         "DEBUG-OMR(n0c0b0m0p%u,%u):Mask{%u} #d get $omr1n0c0b0m0 4\n", p, e + 1,
                         values[e]);
        }
    assert_string_equal(b.dump, want);
    board_free(&b);
}

/* Zero-flush: the output before it is written, but not the flags (3.6.2.2). */
static void zero_flush(void **state)
{
    (void)state;
    struct board b = board_new(INIT_RANDOM, 8, 1);
    board_run(&b, "sinc $lr64v $omr1\n"
                  "lpassa/$imr1 $llr0v $lls0v $omr2\n"
                  "lpassa/$llimr1 $llr0v $lls16v\n"
                  "lpassa/0110 $llr0v $lls32v\n"
                  "lpassa/ll0110 $llr0v $lls48v\n"
                  "lpassa $aluf $lls64v\n"
                  "l1bmm/$llimr1 $llb0 $llm0v\n"
                  "l1bmm $llb0 $llm16v\n"
                  "hmread/$imr1 $llx0 $lln0v\n"
                  "hmread $llx0 $lln16v\n"
                  "lpassa $llr0v $omr3\n"
                  "d get $omr2n0c0b0m0p0 2\n");
    for (unsigned p = 0; p < 4; p++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned nibble = sinc_flags(pe(&b, MEM_GRF0, p, 32 + c));
            for (unsigned h = 0; h < 2; h++) {
                const uint64_t v = pe(&b, MEM_GRF0, p, 2 * c + h);
                const bool on = c == 1 || c == 2;
                EQUAL(b, MEM_GRF1, p, 2 * c + h, v & let(nibble, false, h));
                EQUAL(b, MEM_GRF1, p, 8 + 2 * c + h, v & let(nibble, true, h));
                EQUAL(b, MEM_GRF1, p, 16 + 2 * c + h, on || h == 1 ? v : 0);
                EQUAL(b, MEM_GRF1, p, 24 + 2 * c + h, on ? v : 0);
                EQUAL(b, MEM_GRF1, p, 32 + 2 * c + h, on ? v : 0); /* forwarded as flushed */
                EQUAL(b, MEM_LM0, p, 2 * c + h,
                      pe(&b, MEM_LM0, p, 8 + 2 * c + h) & let(nibble, true, h));
                EQUAL(b, MEM_LM1, p, 2 * c + h,
                      pe(&b, MEM_LM1, p, 8 + 2 * c + h) & let(nibble, false, h));
            }
        }
    for (const char *line = b.dump; *line != '\0'; line = strchr(line, '\n') + 1)
        assert_non_null(strstr(line, "Mask{0}")); /* no long word was all zero */
    board_free(&b);
}

/* --- forwarding --- */

static void forwarding(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "d set $llr0 4 l1l2l3l4l5l6l7l8\n"
                  "lpassa $llr0v $lls0/0000p\n" /* before the write mask */
                  "nop/3\n"
                  "lpassa $aluf $llm0v\n"
                  "noforward; linc $aluf $llm16v\n"
                  "lpassa $aluf $lln0v\n"
                  "linc $aluf $lln16v\n"
                  "zero $nowrite; l1bmm $lb64 $lm64v\n"
                  "lpassa $aluf $lln32v\n");
    for (unsigned c = 0; c < 4; c++)
        for (unsigned h = 0; h < 2; h++) {
            const uint64_t v = 1 + 2 * c + h;
            EQUAL(b, MEM_GRF1, 1, h, h == 0 ? 0 : 8); /* 0000 with p: the second long word goes */
            EQUAL(b, MEM_LM0, 1, 2 * c + h, v);
            EQUAL(b, MEM_LM0, 1, 8 + 2 * c + h, h == 0 ? v + 1 : v);
            EQUAL(b, MEM_LM1, 1, 2 * c + h, v);
            EQUAL(b, MEM_LM1, 1, 8 + 2 * c + h, h == 0 ? v + 1 : v);
            EQUAL(b, MEM_LM1, 1, 16 + 2 * c + h, 0);
        }
    board_free(&b);
}

/* A unit that reads its own output, and others that read it in the same step. */
static void forwarding_chain(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "imm f\"1.5\" $nowrite; fvpassa $lr0v $nowrite\n"
                  "fvadd $aluf $mauf $nowrite; linc $aluf $nowrite\n"
                  "fvadd $mauf $mauf $ls0v; lpassa $aluf $lr8v; l1bmm@0 $mauf $lb0\n"
                  "fvadd $mauf $mauf $ls8v; lpassa $mauf $lm0v\n");
    EQUAL(b, MEM_GRF1, 0, 0, 0x4040000040400000u);
    EQUAL(b, MEM_GRF0, 0, 4, 0x3fc000003fc00001u);
    EQUAL(b, MEM_GRF1, 0, 4, 0x40c0000040c00000u);
    EQUAL(b, MEM_LM0, 0, 0, 0x4040000040400000u);
    assert_int_equal(board_l1bm(&b, 9, 0), 0x3fc000003fc00000u);
    board_free(&b);
}

static void forwarding_units(void **state)
{
    (void)state;
    struct board b = board_new(INIT_RANDOM, 9, 1);
    board_run(&b, "l1bmm $llb16 $nowrite\n"
                  "lpassa $lbf $lls0v; l1bmp $lb3 $lm0\n"
                  "lpassa $lbf $lls16v\n"
                  "hmread $llx4 $nowrite\n"
                  "lpassa $mreadf $lls32v\n"
                  "dmread $lx1 $llm32v\n"
                  "lpassa $mreadf $lls48v\n");
    for (unsigned p = 0; p < 4; p++)
        for (unsigned c = 0; c < 4; c++) {
            EQUAL(b, MEM_GRF1, p, 2 * c, board_l1bm(&b, 0, 16 + 8 * c + p));
            EQUAL(b, MEM_GRF1, p, 2 * c + 1, board_l1bm(&b, 0, 16 + 8 * c + 4 + p));
            EQUAL(b, MEM_GRF1, p, 8 + 2 * c, board_l1bm(&b, 0, 3 + c));
            EQUAL(b, MEM_GRF1, p, 8 + 2 * c + 1, 0);
            EQUAL(b, MEM_GRF1, p, 24 + 2 * c, pe(&b, MEM_LM0, p, 16 + 2 * c));
            EQUAL(b, MEM_GRF1, p, 24 + 2 * c + 1, 0);
        }
    board_free(&b);
}

/* --- matrix registers, by the pseudocode of 3.6.10 and 3.6.11 --- */

static uint64_t element(uint64_t word, unsigned bits, unsigned i)
{
    return bits == 64 ? word : word >> (64 - bits * (i + 1)) & ((1ull << bits) - 1);
}

static void matrix(char prec, bool wide, unsigned row, unsigned column)
{
    const unsigned bits = prec == 'd' ? 64 : prec == 'h' ? 16 : 32;
    const unsigned n = prec == 'd' ? 4 : prec == 'h' ? 16 : 8;
    const unsigned each = 64 / bits; /* elements of a long word */
    struct board b = board_new(INIT_RANDOM, 10, 1);
    board_run(&b, "%cmwrite $%sr0v $%sy%u\n", prec, wide ? "ll" : "l", wide ? "ll" : "l", row);
    /* Read the whole plane, then once more from the column that is named. */
    for (unsigned i = 0; i < (n > 4 ? 2u : 1u); i++)
        board_run(&b, "%cmread $%sy%u $llm%uv\n", prec, prec == 'h' ? "ll" : "l",
                  prec == 'h' ? 8 * i : 4 * i, 32 * i);
    board_run(&b, "%cmread $%sy%u $lln0v\n", prec, prec == 'h' ? "ll" : "l", column);
    uint64_t a[16][16];
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            /* LM0 of PE i / each, element i % each: column j of row i. */
            const unsigned step = prec == 'h' ? j / 8 * 16 + j % 8 : j / 4 * 16 + 2 * (j % 4);
            a[i][j] = element(pe(&b, MEM_LM0, i / each, step), bits, i % each);
        }
    for (unsigned cycle = 0; cycle < 4; cycle++)
        for (unsigned j = 0; j < n; j++)
            for (unsigned h = 0; h < (wide ? 2u : 1u); h++) {
                const unsigned i = wide ? (row + cycle * 2) % n + h : (row + cycle) % n;
                const uint64_t src = pe(&b, MEM_GRF0, j / each, wide ? 2 * cycle + h : cycle);
                if (a[i][j] != element(src, bits, j % each))
                    fail_msg("%cmwrite row %u: element %u,%u", prec, row, i, j);
            }
    for (unsigned cycle = 0; cycle < 4; cycle++)
        for (unsigned i = 0; i < n; i++)
            for (unsigned h = 0; h < 2; h++) {
                const uint64_t got = pe(&b, MEM_LM1, i / each, 2 * cycle + h);
                uint64_t want = 0;
                if (prec == 'h')
                    want = a[i][(column + cycle * 2) % 16 + h];
                else if (h == 0)
                    want = a[i][(column + cycle) % n];
                if (element(got, bits, i % each) != want)
                    fail_msg("%cmread column %u: row %u, cycle %u", prec, column, i, cycle);
            }
    board_free(&b);
}

static void matrix_registers(void **state)
{
    (void)state;
    matrix('d', false, 0, 0);
    matrix('d', false, 3, 2);
    matrix('f', false, 0, 4);
    matrix('g', false, 6, 7);
    matrix('h', false, 14, 0);
    matrix('h', false, 5, 14);
    matrix('h', true, 0, 10);
    matrix('h', true, 12, 2);
}

/* Logical rows 0..3 of double are physical 0, 4, 8, 12; of single 0, 2, ... (3.6.1.14). */
static void matrix_rows(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    for (unsigned p = 0; p < 4; p++)
        board_run(&b, "d set $lr0p%u 4 l%xl%xl%xl%x\n", p, 0x10 + p, 0x20 + p, 0x30 + p, 0x40 + p);
    board_run(&b, "dmwrite $lr0v $lx0\n"
                  "zero $nowrite\n"
                  "fmwrite $aluf $lx1\n" /* physical rows 2, 4, 6, 8 */
                  "d getd $lx0n0c0b0m0 4\n");
    assert_non_null(strstr(b.dump, "m0,0):{(0) (0x0000000000000010)"));
    assert_non_null(strstr(b.dump, "m0,1):{(0) (0x0000000000000000)"));
    assert_non_null(strstr(b.dump, "m0,2):{(0) (0x0000000000000000)"));
    assert_non_null(strstr(b.dump, "m0,3):{(0) (0x0000000000000040)"));
    board_free(&b);
}

/* A product beside a write to the other plane, and a word into fmwrite (3.6.10.2). */
static void matrix_beside(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "imm f\"1.5\" $nowrite\n"
                  "fbfn $aluf $lr0v\n"
                  "nop\n"
                  "fmwrite $r0v $lx0\n"
                  "fmmul $lx $r0 $ls0v; fmwrite $lm0v $ly0\n"
                  "d getf $lx0n0c0b0m0 1\n");
    /* Row of A: four times 1.5 in the upper words; times 1.5 each: 9. Rows 4.. are zero. */
    EQUAL(b, MEM_GRF1, 0, 0, 0x4110000041100000u);
    EQUAL(b, MEM_GRF1, 1, 0, 0x4110000041100000u);
    EQUAL(b, MEM_GRF1, 2, 0, 0);
    assert_non_null(strstr(b.dump, "0x00000000)"));
    board_free(&b);
}

/* The example of 3.7.3. */
static void outputs_together(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "d set $lm0 8 l1l2l0l4l5l6l0l8\n"
                  "lpassa $llm0v $ln0v $lls0v $omr1\n"
                  "d get $omr1n0c0b0m0p0 1\n");
    static const uint64_t msb[] = {1, 0, 5, 0};
    for (unsigned c = 0; c < 4; c++)
        EQUAL(b, MEM_LM1, 0, c, msb[c]);
    for (unsigned i = 0; i < 8; i++)
        EQUAL(b, MEM_GRF1, 0, i, pe(&b, MEM_LM0, 0, i));
    assert_string_equal(b.dump, "DEBUG-OMR(n0c0b0m0p0,1):Mask{0} #d get $omr1n0c0b0m0p0 1\n"
                                "DEBUG-OMR(n0c0b0m0p0,1):Mask{15} #d get $omr1n0c0b0m0p0 1\n"
                                "DEBUG-OMR(n0c0b0m0p0,1):Mask{0} #d get $omr1n0c0b0m0p0 1\n"
                                "DEBUG-OMR(n0c0b0m0p0,1):Mask{15} #d get $omr1n0c0b0m0p0 1\n");
    board_free(&b);
}

/* The example of 3.7.1: integers to single precision. */
static void integer_to_float(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    for (unsigned i = 0; i < 8; i++)
        board_run(&b, "imm i\"%u\" $s%u/1000\n", 100 + i, i);
    board_run(&b, "imm f\"8388608\" $lr0/1000\n"
                  "ior $ls0v $aluf $nowrite\n"
                  "fvadd $aluf -$lr0 $ls0v\n");
    for (unsigned i = 0; i < 8; i++) {
        const float f = (float)(100 + i);
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        const uint64_t word = pe(&b, MEM_GRF1, 0, i / 2);
        assert_int_equal(i % 2 == 0 ? word >> 32 : word & LOW, bits);
    }
    board_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(access_lengths),   cmocka_unit_test(strides),
        cmocka_unit_test(local_addresses),  cmocka_unit_test(indirect_addresses),
        cmocka_unit_test(old_addresses),    cmocka_unit_test(base_of_a_whole_step),
        cmocka_unit_test(reads_first),      cmocka_unit_test(fixed_inputs),
        cmocka_unit_test(write_masks),      cmocka_unit_test(mask_lines),
        cmocka_unit_test(masked_bar),       cmocka_unit_test(masked_masks),
        cmocka_unit_test(zero_flush),       cmocka_unit_test(forwarding),
        cmocka_unit_test(forwarding_chain), cmocka_unit_test(forwarding_units),
        cmocka_unit_test(matrix_registers), cmocka_unit_test(matrix_rows),
        cmocka_unit_test(matrix_beside),    cmocka_unit_test(outputs_together),
        cmocka_unit_test(integer_to_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
