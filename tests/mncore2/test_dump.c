/*
 * d get and d set (manual 3.4.3, 3.4.4): every example of these sections with its printed dump, and
 * what design/mncore2-language.md section 3 adds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/mncore2/exec_board.h"

static void prints(const char *program, const char *want)
{
    struct board board = board_new(INIT_ZERO, 0, 1);
    board_run(&board, "%s", program);
    assert_string_equal(board.dump, want);
    board_free(&board);
}

static void get_examples(void **state)
{
    (void)state;
    prints("lpassa $subpeid $lm0\n"
           "d get $lm0n0c0b0m0 1\n",
           "DEBUG-LM0(n0c0b0m0p0,0):(f:0, i:{{0x0,0x0},{0x0,0x0}}, v:0x0) #d get $lm0n0c0b0m0 1\n"
           "DEBUG-LM0(n0c0b0m0p1,0):(f:0, i:{{0x0,0x0},{0x0,0x1}}, v:0x1) #d get $lm0n0c0b0m0 1\n"
           "DEBUG-LM0(n0c0b0m0p2,0):(f:0, i:{{0x0,0x0},{0x0,0x2}}, v:0x2) #d get $lm0n0c0b0m0 1\n"
           "DEBUG-LM0(n0c0b0m0p3,0):(f:0, i:{{0x0,0x0},{0x0,0x3}}, v:0x3) #d get $lm0n0c0b0m0 1\n");
    /* Neither byte order mark nor comment nor blanks are part of the statement. */
    prints("\xef\xbb\xbf  d getf  $r1n0c0b0m0p3 1\t# comment",
           "DEBUG-GREG0(n0c0b0m0p3,1):(0) (0x00000000) #d getf  $r1n0c0b0m0p3 1\n");
    prints("imm h\"1.5\" $ln0\n"
           "d geth $ln0n0c0b0m0p0 1\n",
           "DEBUG-LM1(n0c0b0m0p0,0):(1.5, 1.5, 1.5, 1.5) (0x3f00, 0x3f00, 0x3f00, 0x3f00) "
           "#d geth $ln0n0c0b0m0p0 1\n");
    char want[20000] = "";
    for (unsigned b = 0; b < 8; b++)
        snprintf(want + strlen(want), sizeof want - strlen(want),
                 "DEBUG-GREG0(n0c0b%um0p0,0):(f:0, i:{{0x0,0x0},{0x0,0x%u}}, v:0x%u) "
                 "#d get $lr0n0c0m0p0 1\n",
                 b, b, b);
    prints("lpassa $l1bid $lr0\n"
           "d get $lr0n0c0m0p0 1\n",
           want);
    want[0] = '\0';
    for (unsigned row = 0; row < 8; row++) {
        snprintf(want + strlen(want), sizeof want - strlen(want), "DEBUG-MRx(n0c0b0m0,%u):{", row);
        for (unsigned pe = 0; pe < 4; pe++)
            snprintf(want + strlen(want), sizeof want - strlen(want), "%s%s", pe > 0 ? ", " : "",
                     row < 4 ? "(1.5, 1.5) (0x3fc00000, 0x3fc00000)"
                             : "(0, 0) (0x00000000, 0x00000000)");
        strcat(want, "} #d getf $lx0n0c0b0m0 8\n");
    }
    prints("imm f\"1.5\" $nowrite\n"
           "fmwrite $aluf $lx0\n"
           "d getf $lx0n0c0b0m0 8\n",
           want);
}

static void block_example(void **state)
{
    (void)state;
    char want[2000] = "";
    static const char *const words[] = {"0x3ff8000000000000", "0x4008000000000000",
                                        "0x400c000000000000", "0x4018000000000000"};
    for (unsigned row = 0; row < 4; row++) {
        snprintf(want + strlen(want), sizeof want - strlen(want), "DEBUG-MRx(n0c0b0m0,%u):{", row);
        for (unsigned pe = 0; pe < 4; pe++)
            snprintf(want + strlen(want), sizeof want - strlen(want), "%s(%u) (%s)",
                     pe > 0 ? ", " : "", row + 1, words[row]);
        strcat(want, "} #d getbd $lx0n0c0b0m0 4\n");
    }
    prints("d set $lm0n0c0b0m0 1 3FF0000000000000 # 1.0\n"
           "d set $lm2n0c0b0m0 1 4000000000000000 # 2.0\n"
           "d set $lm4n0c0b0m0 1 4008000000000000 # 3.0\n"
           "d set $lm6n0c0b0m0 1 4010000000000000 # 4.0\n"
           "dbfn $lm0v $nowrite\n"
           "dmwrite $aluf $lx0\n"
           "d getbd $lx0n0c0b0m0 4\n",
           want);
}

static void mask_examples(void **state)
{
    (void)state;
    char want[4000] = "";
    for (unsigned pe = 0; pe < 4; pe++)
        for (unsigned cycle = 0; cycle < 4; cycle++)
            snprintf(want + strlen(want), sizeof want - strlen(want),
                     "DEBUG-OMR(n0c0b0m0p%u,1):Mask{%u} #d get $omr1n0c0b0m0 1\n", pe,
                     cycle <= pe ? 15 : 0);
    prints("imm i\"0\" $lr0\nimm i\"1\" $lr2\nimm i\"2\" $lr4\nimm i\"3\" $lr6\nnop\n"
           "isub $subpeid $lr0v $omr1\n"
           "d get $omr1n0c0b0m0 1\n",
           want);

    static const unsigned first[] = {9, 12, 7, 15}, second[] = {0, 0, 0, 15};
    want[0] = '\0';
    for (unsigned c = 0; c < 4; c++)
        snprintf(want + strlen(want), sizeof want - strlen(want),
                 "DEBUG-OMR(n0c0b0m0p0,1):Mask{%u} #d get $omr1n0c0b0m0p0 1\n", first[c]);
    for (unsigned c = 0; c < 4; c++)
        snprintf(want + strlen(want), sizeof want - strlen(want),
                 "DEBUG-OMR(n0c0b0m0p0,2):Mask{%u} #d get $omr2n0c0b0m0p0 1\n", second[c]);
    for (unsigned c = 0; c < 4; c++)
        snprintf(want + strlen(want), sizeof want - strlen(want),
                 "DEBUG-OMR(n0c0b0m0p0,1):Mask{%u} #d get $omr1n0c0b0m0p0 2\n"
                 "DEBUG-OMR(n0c0b0m0p0,2):Mask{%u} #d get $omr1n0c0b0m0p0 2\n",
                 first[c], second[c]);
    prints("d set $lm0n0c0b0m0p0 1 h0000_1111_1111_0000\n"
           "d set $lm2n0c0b0m0p0 1 h0000_0000_1111_1111\n"
           "d set $lm4n0c0b0m0p0 1 h1111_0000_0000_0000\n"
           "d set $lm6n0c0b0m0p0 1 h0000_0000_0000_0000\n"
           "spassa $lm0v $omr1\n"
           "lpassa $lm0v $omr2\n"
           "d get $omr1n0c0b0m0p0 1\n"
           "d get $omr2n0c0b0m0p0 1\n"
           "d get $omr1n0c0b0m0p0 2\n",
           want);

    prints("sinc $peid $omr1/1100\n"
           "d get $omr1n0c0b0m0p0 1\n",
           "DEBUG-OMR(n0c0b0m0p0,1):Mask{15} #d get $omr1n0c0b0m0p0 1\n"
           "DEBUG-OMR(n0c0b0m0p0,1):Mask{15} #d get $omr1n0c0b0m0p0 1\n"
           "DEBUG-OMR(n0c0b0m0p0,1):Mask{0} #d get $omr1n0c0b0m0p0 1\n"
           "DEBUG-OMR(n0c0b0m0p0,1):Mask{0} #d get $omr1n0c0b0m0p0 1\n");
}

#define TAIL0 "(f:0, i:{{0x0,0x0},{0x0,0x0}}, v:0x0)"

/* Entry 0 and entry 31 are all ones; entries from 16 have the flags of the cycles in their lower
 * four bits, the first cycle's highest (3.6.2). */
static void fixed_masks(void **state)
{
    (void)state;
    for (unsigned entry = 0; entry < 32; entry += entry == 0 ? 16 : 1) {
        char program[40], want[400] = "";
        snprintf(program, sizeof program, "d get $omr%un1c0b2m3p1 1", entry);
        for (unsigned cycle = 0; cycle < 4; cycle++)
            snprintf(want + strlen(want), sizeof want - strlen(want),
                     "DEBUG-OMR(n1c0b2m3p1,%u):Mask{%u} #%s\n", entry,
                     entry == 0 || (entry >> (3 - cycle) & 1) ? 15 : 0, program);
        prints(program, want);
    }
}

static void set_examples(void **state)
{
    (void)state;
    prints("d set $lm0n0c0b0m0p0 2 h1_2_3_4h5_6_7_8\n"
           "d set $lm4n0c0b0m0p0 2 laabblccdd\n"
           "d set $lm8n0c0b0m0p0 2 l4321hf_e_d_c\n"
           "d get $lm0n0c0b0m0p0 6\n",
           "DEBUG-LM0(n0c0b0m0p0,0):(f:0, i:{{0x1,0x2},{0x3,0x4}}, v:0x1000200030004) "
           "#d get $lm0n0c0b0m0p0 6\n"
           "DEBUG-LM0(n0c0b0m0p0,2):(f:0, i:{{0x5,0x6},{0x7,0x8}}, v:0x5000600070008) "
           "#d get $lm0n0c0b0m0p0 6\n"
           "DEBUG-LM0(n0c0b0m0p0,4):(f:0, i:{{0x0,0x0},{0x0,0xAABB}}, v:0xAABB) "
           "#d get $lm0n0c0b0m0p0 6\n"
           "DEBUG-LM0(n0c0b0m0p0,6):(f:0, i:{{0x0,0x0},{0x0,0xCCDD}}, v:0xCCDD) "
           "#d get $lm0n0c0b0m0p0 6\n"
           "DEBUG-LM0(n0c0b0m0p0,8):(f:0, i:{{0x0,0x0},{0x0,0x4321}}, v:0x4321) "
           "#d get $lm0n0c0b0m0p0 6\n"
           "DEBUG-LM0(n0c0b0m0p0,10):(f:0, i:{{0xF,0xE},{0xD,0xC}}, v:0xF000E000D000C) "
           "#d get $lm0n0c0b0m0p0 6\n");
    prints("d set $lr0n0c0b0m0p0 2 s1_2s3_4\n"
           "d get $lr2n0c0b0m0p0 1\n",
           "DEBUG-GREG0(n0c0b0m0p0,2):(f:0, i:{{0x0,0x3},{0x0,0x4}}, v:0x300000004) "
           "#d get $lr2n0c0b0m0p0 1\n");
    prints("d set $m0n0c0b0m0p0 2 h1_2_3_4h5_6_7_8\n"
           "d get $lm0n0c0b0m0p0 2\n",
           "DEBUG-LM0(n0c0b0m0p0,0):(f:0, i:{{0x1,0x2},{0x5,0x6}}, v:0x1000200050006) "
           "#d get $lm0n0c0b0m0p0 2\n"
           "DEBUG-LM0(n0c0b0m0p0,2):" TAIL0 " #d get $lm0n0c0b0m0p0 2\n");
    prints("d set $tn0c0b0m0p0 1 123456789abcdef0\n"
           "d get $lltn0c0b0m0p0 4\n"
           "d set $lltn0c0b0m0p0 2 "
           "111122223333444455556666777788889999aaaabbbbccccddddeeeeffff0000\n"
           "d get $lltn0c0b0m0p0 4\n",
           "DEBUG-TREG(n0c0b0m0p0,0):{(f:5.62635e-221, i:{{0x1234,0x5678},{0x9ABC,0xDEF0}}, "
           "v:0x123456789ABCDEF0), " TAIL0 "} #d get $lltn0c0b0m0p0 4\n"
           "DEBUG-TREG(n0c0b0m0p0,1):{" TAIL0 ", " TAIL0 "} #d get $lltn0c0b0m0p0 4\n"
           "DEBUG-TREG(n0c0b0m0p0,2):{" TAIL0 ", " TAIL0 "} #d get $lltn0c0b0m0p0 4\n"
           "DEBUG-TREG(n0c0b0m0p0,3):{" TAIL0 ", " TAIL0 "} #d get $lltn0c0b0m0p0 4\n"
           "DEBUG-TREG(n0c0b0m0p0,0):{(f:1.80811e-226, i:{{0x1111,0x2222},{0x3333,0x4444}}, "
           "v:0x1111222233334444), (f:1.19826E+103, i:{{0x5555,0x6666},{0x7777,0x8888}}, "
           "v:0x5555666677778888)} #d get $lltn0c0b0m0p0 4\n"
           "DEBUG-TREG(n0c0b0m0p0,1):{(f:-2.35957e-185, i:{{0x9999,0xAAAA},{0xBBBB,0xCCCC}}, "
           "v:0x9999AAAABBBBCCCC), (f:-1.46007E+144, i:{{0xDDDD,0xEEEE},{0xFFFF,0x0}}, "
           "v:0xDDDDEEEEFFFF0000)} #d get $lltn0c0b0m0p0 4\n"
           "DEBUG-TREG(n0c0b0m0p0,2):{" TAIL0 ", " TAIL0 "} #d get $lltn0c0b0m0p0 4\n"
           "DEBUG-TREG(n0c0b0m0p0,3):{" TAIL0 ", " TAIL0 "} #d get $lltn0c0b0m0p0 4\n");
}

/* design/mncore2-language.md section 3 */
static void further_forms(void **state)
{
    (void)state;
    prints("d set $lm0n0c0b0m0p0 1 h42_42_0_42\n"
           "d get $lm0n0c0b0m0p0 1 # a comment\n",
           "DEBUG-LM0(n0c0b0m0p0,0):(f:2.00268e-307, i:{{0x42,0x42},{0x0,0x42}}, "
           "v:0x42004200000042) #d get $lm0n0c0b0m0p0 1\n");
    prints("d set $ls2n0c0b0m0p0 1 s3f800000_40a00000\n"
           "  d getf $ls2n0c0b0m0p0 1\n"
           "d getf $lls0n0c0b0m0p0 1\n"
           "d getf $s3n0c0b0m0p0 1\n"
           "d geth $s3n0c0b0m0p0 1\n"
           "d getd $ls2n0c0b0m0p0 1\n",
           "DEBUG-GREG1(n0c0b0m0p0,2):(1, 5) (0x3f800000, 0x40a00000) #d getf $ls2n0c0b0m0p0 1\n"
           "DEBUG-GREG1(n0c0b0m0p0,0):{(0, 0) (0x00000000, 0x00000000), (1, 5) (0x3f800000, "
           "0x40a00000)} #d getf $lls0n0c0b0m0p0 1\n"
           "DEBUG-GREG1(n0c0b0m0p0,3):(5) (0x40a00000) #d getf $s3n0c0b0m0p0 1\n"
           "DEBUG-GREG1(n0c0b0m0p0,3):(2.625, 0) (0x40a0, 0x0000) #d geth $s3n0c0b0m0p0 1\n"
           "DEBUG-GREG1(n0c0b0m0p0,2):(0.0078125) (0x3f80000040a00000) "
           "#d getd $ls2n0c0b0m0p0 1\n");
    /* Exponent 0 is a zero with its sign, all ones an infinity (1.3). */
    prints("d set $lr0n0c0b0m0p0 2 s80000001_7f800001sff800000_00000007\n"
           "d getf $lr0n0c0b0m0p0 2\n"
           "d set $lr0n0c0b0m0p0 2 lfff0000000000000l8000000000000001\n"
           "d get $llr0n0c0b0m0p0 1\n",
           "DEBUG-GREG0(n0c0b0m0p0,0):(-0, inf) (0x80000001, 0x7f800001) #d getf "
           "$lr0n0c0b0m0p0 2\n"
           "DEBUG-GREG0(n0c0b0m0p0,2):(-inf, 0) (0xff800000, 0x00000007) #d getf "
           "$lr0n0c0b0m0p0 2\n"
           "DEBUG-GREG0(n0c0b0m0p0,0):{(f:-inf, i:{{0xFFF0,0x0},{0x0,0x0}}, "
           "v:0xFFF0000000000000), (f:-0, i:{{0x8000,0x0},{0x0,0x1}}, v:0x8000000000000001)} "
           "#d get $llr0n0c0b0m0p0 1\n");
    /* $t is echoed as $lt; the memories above the PE. */
    prints("d set $lt 2 l1l2\n"
           "d getf $tn0c0b0m0p3 3\n",
           "DEBUG-TREG(n0c0b0m0p3,0):(0, 0) (0x00000000, 0x00000001) #d getf $ltn0c0b0m0p3 3\n"
           "DEBUG-TREG(n0c0b0m0p3,1):(0, 0) (0x00000000, 0x00000002) #d getf $ltn0c0b0m0p3 3\n"
           "DEBUG-TREG(n0c0b0m0p3,2):(0, 0) (0x00000000, 0x00000000) #d getf $ltn0c0b0m0p3 3\n");
    prints("d set $lb5n1c0b2 1 l1\nd set $lc7n1c1 1 l2\nr 2 000000010 001 0000000000000003\n"
           "mvp/n64 $d0@2 $p64@1\n"
           "d get $lb5n1c0b2 1\nd get $lc7n1c1 1\nd get $d16n2 1\nd get $p80n1 1\n",
           "DEBUG-L1BM(n1c0b2,5):(f:0, i:{{0x0,0x0},{0x0,0x1}}, v:0x1) #d get $lb5n1c0b2 1\n"
           "DEBUG-L2BM(n1c1,7):(f:0, i:{{0x0,0x0},{0x0,0x2}}, v:0x2) #d get $lc7n1c1 1\n"
           "DEBUG-DRAM(n2,16):(f:0, i:{{0x0,0x0},{0x0,0x3}}, v:0x3) #d get $d16n2 1\n"
           "DEBUG-PDM(n1,80):(f:0, i:{{0x0,0x0},{0x0,0x3}}, v:0x3) #d get $p80n1 1\n");
    prints("d set $llb8n0c0b0 2 l1l2l3l4\n"
           "d getd $llb8n0c0b0 2\n",
           "DEBUG-L1BM(n0c0b0,8):{(0) (0x0000000000000001), (0) (0x0000000000000002)} "
           "#d getd $llb8n0c0b0 2\n"
           "DEBUG-L1BM(n0c0b0,10):{(0) (0x0000000000000003), (0) (0x0000000000000004)} "
           "#d getd $llb8n0c0b0 2\n");
}

/* A dump names the address in the memory where a word stands, whether the first address wraps
 * (3.6.1.6, 3.5.2.2) or a later one does. */
static void wrapped_words(void **state)
{
    (void)state;
    prints("d set $lm4094n0c0b0m0p0 2 l1l2\n"
           "d getd $lm0n0c0b0m0p0 1\n"
           "d getd $lm4096n0c0b0m0p0 1\n"
           "d getd $lm4094n0c0b0m0p0 2\n"
           "d getf $m8191n0c0b0m0p0 2\n",
           "DEBUG-LM0(n0c0b0m0p0,0):(0) (0x0000000000000002) #d getd $lm0n0c0b0m0p0 1\n"
           "DEBUG-LM0(n0c0b0m0p0,0):(0) (0x0000000000000002) #d getd $lm4096n0c0b0m0p0 1\n"
           "DEBUG-LM0(n0c0b0m0p0,4094):(0) (0x0000000000000001) #d getd $lm4094n0c0b0m0p0 2\n"
           "DEBUG-LM0(n0c0b0m0p0,0):(0) (0x0000000000000002) #d getd $lm4094n0c0b0m0p0 2\n"
           "DEBUG-LM0(n0c0b0m0p0,4095):(0) (0x00000001) #d getf $m8191n0c0b0m0p0 2\n"
           "DEBUG-LM0(n0c0b0m0p0,0):(0) (0x00000000) #d getf $m8191n0c0b0m0p0 2\n");
    prints("d set $ln4098n0c0b0m0p0 1 l7\n"
           "d getd $lln4092n0c0b0m0p0 2\n",
           "DEBUG-LM1(n0c0b0m0p0,4092):{(0) (0x0000000000000000), (0) (0x0000000000000000)} "
           "#d getd $lln4092n0c0b0m0p0 2\n"
           "DEBUG-LM1(n0c0b0m0p0,0):{(0) (0x0000000000000000), (0) (0x0000000000000007)} "
           "#d getd $lln4092n0c0b0m0p0 2\n");
    prints("r 1 000000000 001 0000000000000005\n"
           "d getd $d536870911n1 2\n"
           "d getd $d1073741824n1 1\n",
           "DEBUG-DRAM(n1,536870911):(0) (0x0000000000000000) #d getd $d536870911n1 2\n"
           "DEBUG-DRAM(n1,0):(0) (0x0000000000000005) #d getd $d536870911n1 2\n"
           "DEBUG-DRAM(n1,0):(0) (0x0000000000000005) #d getd $d1073741824n1 1\n");
    prints("d set $lr510n0c0b0m0p0 2 l1l2\n"
           "d set $lb8191n0c0b0 2 l3l4\n"
           "d set $lc32767n0c0 2 l5l6\n"
           "d set $lc63n0c0 2 l7l8\n" /* d set writes no PDM */
           "mvp/n64 $lc0@0.0 $p524224@0\n"
           "mvp/n64 $lc64@0.0 $p0@0\n"
           "d getd $lr510n0c0b0m0p0 2\n"
           "d getd $llb8191n0c0b0 1\n"
           "d getd $lb8191n0c0b0 2\n"
           "d getd $lc32767n0c0 2\n"
           "d getd $p524287n0 2\n",
           "DEBUG-GREG0(n0c0b0m0p0,510):(0) (0x0000000000000001) #d getd $lr510n0c0b0m0p0 2\n"
           "DEBUG-GREG0(n0c0b0m0p0,0):(0) (0x0000000000000002) #d getd $lr510n0c0b0m0p0 2\n"
           "DEBUG-L1BM(n0c0b0,8191):{(0) (0x0000000000000003), (0) (0x0000000000000004)} "
           "#d getd $llb8191n0c0b0 1\n"
           "DEBUG-L1BM(n0c0b0,8191):(0) (0x0000000000000003) #d getd $lb8191n0c0b0 2\n"
           "DEBUG-L1BM(n0c0b0,0):(0) (0x0000000000000004) #d getd $lb8191n0c0b0 2\n"
           "DEBUG-L2BM(n0c0,32767):(0) (0x0000000000000005) #d getd $lc32767n0c0 2\n"
           "DEBUG-L2BM(n0c0,0):(0) (0x0000000000000006) #d getd $lc32767n0c0 2\n"
           "DEBUG-PDM(n0,524287):(0) (0x0000000000000007) #d getd $p524287n0 2\n"
           "DEBUG-PDM(n0,0):(0) (0x0000000000000008) #d getd $p524287n0 2\n");
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

/* Left out selectors mean all; hierarchy outside, addresses inside (3.4.3). */
static void selectors(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "d get $lm0 1\n");
    assert_int_equal(count_lines(b.dump), PES);
    board_clear(&b);
    board_run(&b, "d get $lb0n1 2\n");
    assert_int_equal(count_lines(b.dump), 2 * 16);
    board_clear(&b);
    board_run(&b, "d set $lr0n0b1m2 1 l9\nd get $lr0n0b1m2 1\n");
    assert_int_equal(count_lines(b.dump), 2 * 4);
    assert_int_equal(strncmp(b.dump, "DEBUG-GREG0(n0c0b1m2p0,0):", 26), 0);
    for (const char *line = b.dump; *line != '\0'; line = strchr(line, '\n') + 1)
        assert_int_equal(strncmp(strstr(line, "v:"), "v:0x9)", 6), 0);
    board_clear(&b);
    board_run(&b, "d get $lr0n0c1b1m3 1\n");
    assert_null(strstr(b.dump, "v:0x9"));
    board_clear(&b);
    board_run(&b, "d getd $lr0n3c1b7m15 2\n");
    const char *second = strchr(b.dump, '\n') + 1;
    assert_int_equal(strncmp(second, "DEBUG-GREG0(n3c1b7m15p0,2):", 27), 0);
    board_free(&b);
}

/* Block floats: no hidden bit; the exponents of a block agree, or it is an error (4.4). */
static void block_floats(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "d set $lr0n0c0b0m0p0 1 sbfc00000_3fc0001f\n"
                  "d set $lr0n0c0b0m0p1 1 s3fa00000_3f800000\n"
                  "d set $lr0n0c0b0m0p2 1 s3f800000_bf800000\n"
                  "d set $lr0n0c0b0m0p3 1 s3fc00001_3fffffff\n"
                  "d getbf $lr0n0c0b0m0 1\n"
                  "d getbg $lr0n0c0b0m0p0 1\n"
                  "d getbf $r0n0c0b0m0p1 1\n");
    assert_string_equal(
        b.dump,
        "DEBUG-GREG0(n0c0b0m0p0,0):(-1, 1.00001) (0xbfc00000, 0x3fc0001f) #d getbf $lr0n0c0b0m0 1\n"
        "DEBUG-GREG0(n0c0b0m0p1,0):(0.5, 0) (0x3fa00000, 0x3f800000) #d getbf $lr0n0c0b0m0 1\n"
        "DEBUG-GREG0(n0c0b0m0p2,0):(0, -0) (0x3f800000, 0xbf800000) #d getbf $lr0n0c0b0m0 1\n"
        "DEBUG-GREG0(n0c0b0m0p3,0):(1, 2) (0x3fc00001, 0x3fffffff) #d getbf $lr0n0c0b0m0 1\n"
        "DEBUG-GREG0(n0c0b0m0p0,0):(-1, 1) (0xbfc00000, 0x3fc0001f) #d getbg $lr0n0c0b0m0p0 1\n"
        "DEBUG-GREG0(n0c0b0m0p1,0):(0.5) (0x3fa00000) #d getbf $r0n0c0b0m0p1 1\n");

    /* Upper and lower words are blocks of their own in single, one block in pseudo single. */
    char text[200];
    board_run(&b, "d set $lr0n0c0b0m0 1 s3fc00000_40400000\n");
    assert_false(board_fault(&b, "d getbf $lr0n0c0b0m0 1\n", NULL, 0));
    assert_true(board_fault(&b, "d getbg $lr0n0c0b0m0 1\n", text, sizeof text));
    assert_non_null(strstr(text, "block"));
    board_run(&b, "d set $lr0n0c0b0m0p2 1 s40400000_40400000\n");
    assert_true(board_fault(&b, "d getbf $lr0n0c0b0m0p0 1\n", NULL, 0));

    /* Half precision: 2^-14 is mantissa 1 with exponent 0 in a block of exponent 0x1f. */
    board_clear(&b);
    board_run(&b, "d set $lr0n0c0b0m0 1 h0_0_0_0\n"
                  "d set $lr0n0c0b0m0p0 1 h3f00_0001_8001_3e00\n"
                  "d getbh $lr0n0c0b0m0p0 1\n");
    assert_string_equal(b.dump, "DEBUG-GREG0(n0c0b0m0p0,0):(1, 6.10352e-05, -6.10352e-05, 0) "
                                "(0x3f00, 0x0001, 0x8001, 0x3e00) #d getbh $lr0n0c0b0m0p0 1\n");
    board_run(&b, "d set $lr0n0c0b0m0p3 1 h4000_0_0_0\n");
    assert_true(board_fault(&b, "d getbh $lr0n0c0b0m0p0 1\n", NULL, 0));

    /* Exponent 0 is zero and the highest one infinity, whatever the mantissa (1.3, 4.4). */
    board_clear(&b);
    board_run(&b, "d set $lm0n0c0b0m0 2 000000000000000180000000000000ff\n"
                  "d set $lm4n0c0b0m0 2 7ff0000000000000fff0000000000001\n"
                  "d getbd $lm0n0c0b0m0p0 4\n");
    assert_string_equal(
        b.dump, "DEBUG-LM0(n0c0b0m0p0,0):(0) (0x0000000000000001) #d getbd $lm0n0c0b0m0p0 4\n"
                "DEBUG-LM0(n0c0b0m0p0,2):(-0) (0x80000000000000ff) #d getbd $lm0n0c0b0m0p0 4\n"
                "DEBUG-LM0(n0c0b0m0p0,4):(inf) (0x7ff0000000000000) #d getbd $lm0n0c0b0m0p0 4\n"
                "DEBUG-LM0(n0c0b0m0p0,6):(-inf) (0xfff0000000000001) #d getbd $lm0n0c0b0m0p0 4\n");
    /* A row of a matrix register is a block as well. */
    board_run(&b, "d set $lm0n0c0b0m0p2 1 4000000000000000\n"
                  "dmwrite $lm0v $lx0\n");
    assert_false(board_fault(&b, "d getd $lx0n0c0b0m0 4\n", NULL, 0));
    assert_true(board_fault(&b, "d getbd $lx0n0c0b0m0 4\n", text, sizeof text));
    assert_non_null(strstr(text, "n0c0b0m0 in MRx"));
    board_free(&b);
}

/* Matrix rows beyond the precision's last do not wrap (3.4.3); lower selectors are ignored. */
static void matrix_rows(void **state)
{
    (void)state;
    struct board b = board_new(INIT_RANDOM, 1, 1);
    board_run(&b, "d geth $ly14n0c0b0m0 2\n");
    assert_int_equal(count_lines(b.dump), 2);
    assert_int_equal(strncmp(b.dump, "DEBUG-MRy(n0c0b0m0,14):{(", 25), 0);
    board_clear(&b);
    if (!board_fault(&b, "d getd $lx2n0c0b0m0 4\n", NULL, 0))
        assert_int_equal(count_lines(b.dump), 2);
    board_free(&b);
}

static void faults(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "d set $lr0 1 g\n",
        "d set $lr0 2 l1\n",
        "d set $lr0 1 l1l2\n",
        "d set $lr0 1 l12345678123456781\n",
        "d set $lr0 1 s1\n",
        "d set $lr0 1 s1_123456789\n",
        "d set $lr0 1 h1_2_3\n",
        "d set $lr0 1 h1_2_3_12345\n",
        "d set $lr0 1 h1_2_3_-4\n",
        "d set $lr0 1 123456789abcdef\n",
        "d set $lr0 2 0123456789abcdefl1\n",
        "d set $lr0 2 l10123456789abcdef\n",
        "d set $llr0 1 l1\n",
        "d get $r0 1\n",
        "d getd $r0 1\n",
        "d get $lx0 1\n",
        "r 0 000000000 002 0000000000000001\n",
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct board b = board_new(INIT_ZERO, 0, 1);
        const uint64_t before = mncore2_exec_hash(b.exec);
        if (!board_fault(&b, wrong[i], NULL, 0))
            fail_msg("accepted: %s", wrong[i]);
        assert_true(mncore2_exec_hash(b.exec) == before);
        board_free(&b);
    }
}

/* --- files (mncore2_exec_load, mncore2_exec_save) --- */

static void files(void **state)
{
    (void)state;
    struct board b = board_new(INIT_ZERO, 0, 1);
    char path[] = "/tmp/takt-exec-XXXXXX", error[300];
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    static const unsigned char bytes[24] = {1, 2, 3, 4, 5, 6, 7, 8, 0x11, 0, 0, 0,
                                            0, 0, 0, 0, 0, 0, 0, 0, 0,    0, 0, 9};
    assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
    uint64_t got[4];
    assert_int_equal(mncore2_exec_load(b.exec, "p@3:0x10", path, false, error, sizeof error), 0);
    mncore2_exec_read(b.exec, (struct exec_place){MEM_PDM, 3, 0, 0, 16}, 4, got);
    assert_true(got[0] == 0x0807060504030201u && got[1] == 0x11);
    assert_true(got[2] == 0x0900000000000000u && got[3] == 0);
    assert_int_equal(mncore2_exec_load(b.exec, "b@1.1.7:8189", path, true, error, sizeof error), 0);
    mncore2_exec_read(b.exec, (struct exec_place){MEM_L1BM, 1, 1, 7, 8189}, 3, got);
    assert_true(got[0] == 0x0102030405060708u && got[1] == 0x1100000000000000u && got[2] == 9);
    assert_int_equal(mncore2_exec_load(b.exec, "d@2:536870909", path, false, error, sizeof error),
                     0);
    assert_int_equal(mncore2_exec_load(b.exec, "c@0.1:5+2", path, false, error, sizeof error), 0);
    assert_true(board_l2bm(&b, 1, 6) == 0x11 && board_l2bm(&b, 1, 7) == 0);

    static const char *const wrong[] = {
        "x@0:0",      "p@4:0",      "p@0",         "p0:0",
        "p@0:524288", "p@0:-1",     "c@0:0",       "c@0.2:0",
        "b@0.0:0",    "b@0.0.8:0",  "p@0:0+",      "p@0:0+524289",
        "p@0:1 ",     "p@0:524287", "c@0.0:32766", "p@0:0+4",
        "",           "p@:0",       "p@0:0x",      "p@0:99999999999999999999"};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        error[0] = '\0';
        if (mncore2_exec_load(b.exec, wrong[i], path, false, error, sizeof error) != 1 ||
            error[0] == '\0')
            fail_msg("accepted: %s", wrong[i]);
    }
    assert_int_equal(
        mncore2_exec_load(b.exec, "p@0:0", "/nonexistent/file", false, error, sizeof error), 1);
    assert_int_equal(
        mncore2_exec_save(b.exec, "p@0:0+1", "/nonexistent/file", false, error, sizeof error), -1);
    assert_int_equal(mncore2_exec_save(b.exec, "p@0:0", path, false, error, sizeof error), 1);

    for (unsigned big = 0; big < 2; big++) {
        unsigned char back[24];
        assert_int_equal(mncore2_exec_save(b.exec, big ? "b@1.1.7:8189+3" : "d@2:536870909+3", path,
                                           big, error, sizeof error),
                         0);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        assert_int_equal(fread(back, 1, sizeof back, file), sizeof back);
        assert_int_equal(fgetc(file), EOF);
        fclose(file);
        assert_memory_equal(back, bytes, sizeof bytes);
    }
    assert_int_equal(truncate(path, 23), 0); /* saving has put another file there */
    assert_int_equal(mncore2_exec_load(b.exec, "p@0:0", path, false, error, sizeof error), 1);
    close(fd);
    unlink(path);
    board_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(get_examples),  cmocka_unit_test(block_example),
        cmocka_unit_test(mask_examples), cmocka_unit_test(set_examples),
        cmocka_unit_test(further_forms), cmocka_unit_test(wrapped_words),
        cmocka_unit_test(selectors),     cmocka_unit_test(block_floats),
        cmocka_unit_test(matrix_rows),   cmocka_unit_test(faults),
        cmocka_unit_test(files),         cmocka_unit_test(fixed_masks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
