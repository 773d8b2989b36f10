/* Parallel issue (manual 3.6.4): for each rule what is just legal and what is not any more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mncore2/lang_help.h"

struct pair {
    const char *text;
    const char *rule;  /* NULL: legal */
    const char *words; /* in sentence or fix */
};

static void run(const struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pairs[i].rule == NULL)
            lang_expect_clean(pairs[i].text);
        else
            lang_expect_error(pairs[i].text, pairs[i].rule, pairs[i].words);
}

#define RUN(pairs) run(pairs, sizeof(pairs) / sizeof((pairs)[0]))

/* "At most one expression of each group." */
static void groups(void **unused)
{
    (void)unused;
    static const struct pair pairs[] = {
        {"linc $lr0v $lm0v; fvpassa $lr0v $ln0v", NULL, ""},
        {"linc $lr0v $lm0v; ldec $lr0v $ln0v", "3.6.4", "group alu"},
        {"fvadd $lr0v $lr0v $lm0v; fvmul $lr0v $lr0v $ln0v", "3.6.4", "group mau-calc"},
        {"fmwrite $lr0v $lx0; fmwrite $lr0v $ly0", "3.6.4", "group mau-mwrite"},
        {"fmread $lx0 $lm0v; fmread $ly0 $ln0v", "3.6.4", "group mau-mread"},
        {"l2bmb $lc0 $lb0; l2bm@0 $lb64 $lc64", "3.6.4", "group l2bm"},
        {"l2bmb $lc0 $lb0; l2bmdars $lc64@.0 $dar0", "3.6.4", "group l2bm"},
        {"l2bmb $lc0 $lb0; l2bmdarw", NULL, ""},
        {"l2bmdars $lc0@.0 $dar0; l2bmdarw", NULL, ""},
        {"l2bmdarw; l2bmdarw", "3.6.4", "group l2bmdarw"},
        {"l1bmm@0 $lr0v $lb0; l1bmm@1 $lr0v $lb64", "3.6.4", "group l1bm "},
        {"l1bmm $lb0 $lr0v; l1bmm@1 $ls0v $lb64", "3.6.4", "group l1bm "},
        {"l1bmm@0 $lr0v $lbi\nl1bmm@0 $lr0v $lbi; l1bmm $lbi $ls0v", NULL, ""},
        {"l1bmm@0 $lr0v $lbi\nl1bmm $lbi $ls0v; l1bmm $lbi $lm0v", "3.6.4",
         "group l1bm-turnaround"},
        {"l1bmm@0 $lr0v $lbi\nl1bmm $lbi $ls0v; l1bmm $lb0 $lm0v", "3.6.4", "from L1BM to PE"},
        {"noforward; noforward; linc $t $t", "3.6.4", "group noforward"},
        {"linc $t $t; wait i01; wait i02", "3.6.4", "group wait"},
        /* one of each group */
        {"l1bmrdfadd $lr0v $lbi\nnoforward; l2bmb $lc256 $lb0; l2bmdarw; l1bmm $lbi $lr0v; "
         "l1bmrdfadd $lr8v $lb256; gmmul $lx $lm0v $ln0v; gmwrite $ls0v $ly0; hrelu $t $t $t; "
         "wait i01",
         NULL, ""},
        {"l1bmrdfadd $lr0v $lbi\nnoforward; l2bmb $lc256 $lb0; l2bmdarw; l1bmm $lbi $lr0v; "
         "l1bmrdfadd $lr8v $lb256; gmread $lx0 $ln0v; gmwrite $ls0v $ly0; hrelu $t $t $t; wait i01",
         NULL, ""},
    };
    RUN(pairs);
}

/* "nop goes with wait only"; 3.6.13 "wait cannot stand alone". */
static void nop_and_wait(void **unused)
{
    (void)unused;
    static const struct pair pairs[] = {
        {"nop", NULL, ""},
        {"nop/24", NULL, ""},
        {"nop; wait i01", NULL, ""},
        {"wait i01; nop/2", NULL, ""},
        {"nop; noforward", "3.6.4", "nop goes with wait only"},
        {"nop; l2bmdarw", "3.6.4", "nop goes with wait only"},
        {"nop; linc $t $t", "3.6.4", "nop goes with wait only"},
        {"linc $t $t; nop; wait i01", "3.6.4", "nop goes with wait only"},
        {"nop; nop", "3.6.4", "group nop"},
        {"nop/0", "3.6.5", ""},
        {"nop/", "3.6.5", ""},
        {"nop/4294967295", NULL, ""},
        {"nop/4294967296", "3.6.5", "at most nop/4294967295"},
        {"nop/99999999999999999999999", "3.6.5", "at most nop/4294967295"},
        {"nop/-1", "3.6.5", ""},
        {"nop/1x", "3.6.5", ""},
        {"nop 2", "3.6.5", "no operands"},
        {"linc $t $t; wait i01", NULL, ""},
        {"noforward; wait i01", NULL, ""},
        {"l2bmdarw; wait iff", NULL, ""},
        {"noforward", NULL, ""},
        {"wait i01", "3.6.13", "nop; wait i01"},
        {"nop; wait i00", "3.6.13", "reserved"},
        {"nop; wait", "3.6.13", "tag"},
        {"nop; wait 01", "3.2.3", "i01"},
        {"nop; wait i1", "3.2.3", "i01"},
        {"nop; wait i001", "3.2.3", "i01"},
        {"nop; wait i0x1", "3.2.3", "i01"},
        {"nop; wait i0g", "3.2.3", "i01"},
        {"nop; wait i01 i02", "3.6.13", "no operands"},
    };
    RUN(pairs);
}

/* "Of mau-calc, mau-mwrite, mau-mread at most two, in one precision; vfma and vmul share their
 * second input with mwrite." */
static void mau(void **unused)
{
    (void)unused;
    static const struct pair pairs[] = {
        {"gmmul $lx $lm0v $ln0v; gmwrite $ls0v $ly0", NULL, ""},
        {"gmwrite $ls0v $ly0; gmread $lx0 $ln0v", NULL, ""},
        {"gmmul $lx $lm0v $ln0v; gmread $ly0 $lr0v", NULL, ""},
        {"fvadd $lm0v $lm0v $ln0v; fmread $ly0 $lr0v", NULL, ""},
        {"fvadd $lm0v $lm0v $ln0v; fmread $ly0 $lr0v; fmwrite $ls0v $lx0", "3.6.4", "at most two"},
        {"fmmul $lx $lm0v $ln0v; fmwrite $ls0v $ly0", NULL, ""},
        {"fmmul $lx $lm0v $ln0v; gmwrite $ls0v $ly0", "3.6.4", "in column 1 of the same step"},
        {"gmmul $lx $lm0v $ln0v; fmwrite $ls0v $ly0", "3.6.4", "precision"},
        {"gmwrite $ls0v $ly0; fmread $lx0 $ln0v", "3.6.4", "precision"},
        {"dvadd $lm0v $lm0v $ln0v; hmread $lly0 $llr0v", "3.6.4", "precision"},
        /* the second input is the matrix write's */
        {"fvfma $lm0v $lr0v $ls0v $ln0v; fmwrite $lr0v $lx0", NULL, ""},
        {"fvfma $lm0v $lr0v $ls0v $ln0v; fmwrite $lm0v $lx0", "3.6.4", "second input"},
        {"fvfma $lm0v $lr0v $ls0v $ln0v; fmwrite $ls0v $lx0", "3.6.4", "second input"},
        {"fvmul $lm0v $lr0v $ln0v; fmwrite $lr0v $lx0", NULL, ""},
        {"fvmul $lm0v $lr0v $ln0v; fmwrite $lm0v $lx0", "3.6.4", "second input"},
        {"fvmul $lm0v $aluf $ln0v; fmwrite $aluf $lx0", NULL, ""},
        {"fvmul $lm0v $aluf $ln0v; fmwrite $mauf $lx0", "3.6.4", "second input"},
        {"fvmul $lm0v -$lr0v $ln0v; fmwrite -$lr0v $lx0", NULL, ""},
        {"fvmul $lm0v -$lr0v $ln0v; fmwrite $lr0v $lx0", "3.6.4", "second input"},
        {"fvmul $lm0v $r0ve $ln0v; fmwrite $r0ve $lx0", NULL, ""},
        {"fvmul $lm0v $r0ve $ln0v; fmwrite $r0v $lx0", "3.6.4", "second input"},
        {"hvmul $lm0v $llr0vr $lln0v; hmwrite $llr0vr $lx0", NULL, ""},
        {"hvmul $lm0v $llr0vr $lln0v; hmwrite $llr0v $llx0", "3.6.4", "second input"},
        /* vadd, vpassa and products with a matrix are free */
        {"fvadd $lm0v $lr0v $ln0v; fmwrite $ls0v $lx0", NULL, ""},
        {"fvpassa $lm0v $ln0v; fmwrite $ls0v $lx0", NULL, ""},
        {"fmfma $ly $lm0v $lr0v $ln0v; fmwrite $ls0v $lx0", NULL, ""},
    };
    RUN(pairs);
}

/* "The same matrix register appears at most once." */
static void matrix(void **unused)
{
    (void)unused;
    static const struct pair pairs[] = {
        {"gmmul $lx $lm0v $ln0v; gmwrite $ls0v $lx0", "3.6.4", "matrix register x"},
        {"gmmul $ly $lm0v $ln0v; gmwrite $ls0v $ly0", "3.6.4", "matrix register y"},
        {"gmmul $ly $lm0v $ln0v; gmread $ly0 $lr0v", "3.6.4", "matrix register y"},
        {"gmwrite $ls0v $lx4; gmread $lx0 $ln0v", "3.6.4", "matrix register x"},
        {"gmwrite $ls0v $lx4; gmread $ly0 $ln0v", NULL, ""},
    };
    RUN(pairs);
}

/* "No two expressions write one PE operand"; 3.6.8.6 says the same of one expression. */
static void writes(void **unused)
{
    (void)unused;
    static const struct pair pairs[] = {
        {"linc $t $lr0v; fvpassa $t $ls0v", NULL, ""},
        {"linc $t $lr0v; fvpassa $t $lr8v", "3.6.4", "GRF0 is written twice"},
        {"linc $t $lr0v; fvpassa $t $lr0v", "3.6.4", "GRF0 is written twice"},
        {"linc $t $ls0v; fvpassa $t $ls8v", "3.6.4", "GRF1 is written twice"},
        {"linc $lr0v $t; fvpassa $lr0v $t", "3.6.4", "T is written twice"},
        {"linc $t $lm0v; fvpassa $t $lm8v", "3.6.4", "LM0 is written twice"},
        {"linc $t $ln0v; fvpassa $t $ln8v", "3.6.4", "LM1 is written twice"},
        {"linc $t $omr1; fvpassa $t $omr2", "3.6.4", "mask registers is written twice"},
        {"linc $t $omr1 $lr0v; fvpassa $t $ls0v", NULL, ""},
        {"linc $t $mb; fvpassa $t $nb", NULL, ""},
        {"linc $t $mb; fvpassa $t $lmb", "3.6.4", "base address register is written twice"},
        /* The base address register is no part of LM (deviations, row 126). */
        {"linc $t $lm0v $mb", NULL, ""},
        {"linc $t $lmb; fvpassa $t $lm0v", NULL, ""},
        {"linc $lm0v $mb", NULL, ""},
        {"linc $t $ln0v $lnb $lm0v $mb", NULL, ""},
        {"linc $t $mb $lmb", "3.6.4", "base address register is written twice"},
        {"linc $t $lm0v $mb; fvpassa $t $lm0v", "3.6.4", "LM0 is written twice"},
        {"linc $t $lm0v $lm100v", "3.6.4", "LM0 is written twice"},
        {"l1bmp $lb0 $lr0 $lm0v/$imr1 $lt", NULL, ""},
        {"l1bmp $lb0 $lm0v $lm100v", "3.6.4", "LM0 is written twice"},
        {"linc $t $lr0v $ls0v $lm0v $ln0v $t $omr1", NULL, ""},
        {"linc $t $nowrite; fvpassa $t $nowrite", NULL, ""},
        {"lpassa $t $lr0 $lr0 $lr0 $lr0 $lr0 $lr0 $lr0 $lr0 $lr0 $lr0 $lr0", "3.6.4", "too many"},
    };
    RUN(pairs);
}

/* "Expressions that read one PE operand read the same region in every cycle." */
static void reads(void **unused)
{
    (void)unused;
    static const struct pair pairs[] = {
        {"linc $lr0v $ls0v; fvpassa $lr0v $lm0v", NULL, ""},
        {"linc $lr0v $ls0v; fvpassa $lr2v $lm0v", "3.6.4", "GRF0 is read at another place"},
        {"linc $lr0v $ls0v; fvpassa $lr0 $lm0v", "3.6.4", "GRF0 is read at another place"},
        {"linc $lr0v $ls0v; fvpassa $r0v2 $lm0v", "3.6.4", "length"},
        {"linc $lr0v $ls0v; fvpassa $lr[0,2,4,6] $lm0v", NULL, ""},
        {"linc $lr0v $ls0v; fvpassa $lr[0,2,4,8] $lm0v", "3.6.4", "GRF0"},
        {"linc $lr0v $ls0v; fvpassa -$lr0v $lm0v", NULL, ""},
        {"linc $ls0v $lr0v; fvpassa $ls2v $lm0v", "3.6.4", "GRF1 is read at another place"},
        {"linc $lm0v $lr0v; fvpassa $lm2v $ls0v", "3.6.4", "LM0 is read at another place"},
        {"linc $ln0v $lr0v; fvpassa $ln2v $ls0v", "3.6.4", "LM1 is read at another place"},
        {"linc $lm0vj1 $lr0v; fvpassa $lm0vj1 $ls0v", NULL, ""},
        {"linc $lm0vj1 $lr0v; fvpassa $lm0vj2 $ls0v", "3.6.4", "LM0"},
        {"linc $lm0vj1 $lr0v; fvpassa $lm0v $ls0v", "3.6.4", "LM0"},
        {"linc $lmt $lr0v; fvpassa $lmt $ls0v", NULL, ""},
        {"linc $lmt $lr0v; fvpassa $lm0 $ls0v", "3.6.4", "LM0"},
        {"linc $lmt $lr0v; fvpassa $lmt2 $ls0v", "3.6.4", "LM0"},
        {"linc $t $lr0v; fvpassa $lt $ls0v", NULL, ""},
        {"linc $aluf $lr0v; fvadd $aluf $aluf $ls0v; l1bmm@0 $aluf $lb0", NULL, ""},
        /* one expression has one port to a memory, too */
        {"fvfma $lm0v $lm0v $lm0v $lr0v", NULL, ""},
        {"fvfma $lm0v $lm8v $lr0v $lr0v", "3.6.4", "LM0"},
        {"ladd $lr0v $lr0v $ls0v", NULL, ""},
        {"ladd $lr0v $lr8v $ls0v", "3.6.4", "GRF0"},
        /* 3.7.2 */
        {"isub $lr0v $llm0v $ln0v; l1bmm@0 $llm0v $llb0", NULL, ""},
        {"isub $lr0v $lm0v4 $ln0v; l1bmm@0 $llm0v $llb0", "3.6.4", "LM0"},
        {"isub $lr0v $lm0v4 $ln0v", NULL, ""},
    };
    RUN(pairs);
}

/* "LM0 read and written in one step: the same region in every cycle. Likewise LM1." */
static void lm_read_and_write(void **unused)
{
    (void)unused;
    static const struct pair pairs[] = {
        {"lpassa $lm0v $lm0v", NULL, ""},
        {"lpassa $lm0v $lm8v", "3.6.4", "LM0 is written at another place"},
        {"lpassa $lm0v $llm0v4", "3.6.4", "LM0"},
        {"lpassa $lm0v $lm0", "3.6.4", "LM0"},
        {"lpassa $lm0v $lm[0,2,4,6]", NULL, ""},
        {"lpassa $lm[0,2,4,6] $lm[0,2,6,4]", "3.6.4", "LM0"},
        {"lpassa $lmt $lmt", NULL, ""},
        {"lpassa $lmt $lm0", "3.6.4", "LM0"},
        {"lpassa $lm0vj0 $lm0vj0", NULL, ""},
        {"lpassa $lm0vj0 $lm0v", "3.6.4", "LM0"},
        {"lpassa $ln0v $ln0v", NULL, ""},
        {"lpassa $ln0v $ln8v", "3.6.4", "LM1 is written at another place"},
        {"lpassa $lm0v $ln8v", NULL, ""},
        {"fvpassa $lm0v $lr0v; linc $t $lm0v", NULL, ""},
        {"fvpassa $lm0v $lr0v; linc $t $lm2v", "3.6.4", "LM0"},
        /* GRF and T have a port for each */
        {"lpassa $lr0v $lr8v", NULL, ""},
        {"lpassa $ls0v $ls8v", NULL, ""},
    };
    RUN(pairs);
}

/* "With imm, LM0 is not accessed." */
static void imm(void **unused)
{
    (void)unused;
    static const struct pair pairs[] = {
        {"imm f\"1\" $ln0; fvpassa $lr0v $ls0v", NULL, ""},
        {"imm f\"1\" $ln0; fvpassa $lm0v $ls0v", "3.6.4", "LM0 cannot be accessed"},
        {"imm f\"1\" $ln0; fvpassa $lr0v $lm0v", "3.6.4", "LM0 cannot be accessed"},
        {"imm f\"1\" $lm0", "3.6.4", "LM0 cannot be accessed"},
        {"immu f\"1\" $lm0", "3.6.4", "LM0 cannot be accessed"},
        {"imm f\"1\" $mb", NULL, ""},
        {"zero $lm0v; fvpassa $lm0v $ls0v", NULL, ""},
        {"imm f\"1\" $ln0; l1bmm $lb0 $lm0v", "3.6.4", "LM0 cannot be accessed"},
        {"imm f\"1\" $ln0; l1bmm@1 $lm0v $lb0", "3.6.4", "LM0 cannot be accessed"},
    };
    RUN(pairs);
}

/* "One zero-flush mask; masks of one length; one entry is read" (3.6.2.1, 3.6.2.2, 3.6.4). */
static void masks(void **unused)
{
    (void)unused;
    static const struct pair pairs[] = {
        {"linc $t $lr0v/1100 $ls0v/1100", NULL, ""},
        {"linc $t $lr0v/1100 $ls0v/1110", "3.6.4", "one entry"},
        {"linc $t $lr0v/$imr1 $ls0v/$imr1", NULL, ""},
        {"linc $t $lr0v/$imr1 $ls0v/$imr2", "3.6.4", "one entry"},
        {"linc $t $lr0v/1100 $ls0v", NULL, ""},
        {"linc $t $lr0v/1100; fvpassa $t $ls0v/1100", NULL, ""},
        {"linc $t $lr0v/1100; fvpassa $t $ls0v/0011", "3.6.4", "one entry"},
        {"linc $t $llr0v/ll1100; fvpassa $t $lls0v/ll1100", NULL, ""},
        {"linc $t $llr0v/ll1100; fvpassa $t $lls0v/1100p", "3.6.4", "one length"},
        {"linc $t $llr0v/ll1100; fvpassa $t $ls0v/ll1100t", NULL, ""},
        {"linc/1100 $t $lr0v", NULL, ""},
        {"linc/ll1100 $t $lr0v", NULL, ""},
        {"linc/$imr3 $t $lr0v/$imr3", NULL, ""},
        {"linc/$imr3 $t $lr0v/$imr4", "3.6.4", "same entry"},
        {"linc/$llimr3 $t $lr0v/$imr3", "3.6.4", "same length"},
        {"linc/1100 $t $lr0v; fvpassa/1100 $t $ls0v", "3.6.4", "one zero-flush"},
        {"linc/1100 $t $lr0v; fvpassa $t $ls0v", NULL, ""},
        {"fvpassa/1100 $t $ls0v", NULL, ""},
        {"fmread/1100 $lx0 $ls0v", NULL, ""},
        {"l1bmm/1100 $lb0 $ls0v", NULL, ""},
        {"l1bmd+1/1100 $lb0 $ls0v", NULL, ""},
        {"hbfn/9/ll1100 $llm0v $nowrite", NULL, ""},
        {"imm/1000 f\"1\" $lr0", NULL, ""},
        {"l1bmm@0/1100 $lr0v $lb0", "3.6.2.2", "no zero-flush"},
        {"l2bmb/1100 $lc0 $lb0", "3.6.2.2", "no zero-flush"},
        {"fmwrite/1100 $lr0v $lx0", "3.6.2.2", "no zero-flush"},
        {"noforward/1100", "3.6.2.2", "no zero-flush"},
        {"linc/110 $t $lr0v", "3.6.2.1", "four digits"},
        {"linc/1100/1100 $t $lr0v", "3.6.2.2", ""},
        /* a mask line counts like a mask on the output, unless the step has its own */
        {"maskr 3\nlinc/$imr3 $t $lr0v", NULL, ""},
        {"maskr 3\nlinc/$imr4 $t $lr0v", "3.6.4", "mask line"},
        {"maskllr 3\nlinc/$imr3 $t $lr0v", "3.6.4", "same length"},
        {"masks 3\nlinc/$imr4 $t $lr0v", NULL, ""},
        {"maskr 3\nlinc/$imr4 $t $lr0v $ls0v/$imr4", NULL, ""},
    };
    RUN(pairs);
}

/* The examples of 3.6.4 itself, letters restored. */
static void example_of_the_manual(void **unused)
{
    (void)unused;
    lang_expect_clean(
        "l2bmdars $lc0@.0 $dar0; l2bmdarw; l1bmrdfadd $lr0v $lbi\n"
        "noforward; l2bmb $lc256 $lb0; l2bmdarw; l1bmm $lbi $lr0v/$imr1; l1bmrdfadd $lr8v $lb256; "
        "gmmul $lx $lm0v $ln0v/$imr1; gmwrite $ls0v $ly0; hrelu/$imr1 $t $t $t; wait i01\n");
}

/* The order in a line does not change the step. */
static void order_does_not_matter(void **unused)
{
    (void)unused;
    struct lang a, b;
    lang_step(&a, "linc $t $lr0v; fvpassa $lm0v $ls0v; l1bmm@3 $aluf $lb0; wait i05");
    lang_step(&b, "wait i05;l1bmm@3 $aluf $lb0 ;fvpassa $lm0v $ls0v;\tlinc $t $lr0v ;");
    assert_true(lang_same(&a.program, &a.program.stmts[0], &b.program, &b.program.stmts[0]));
    lang_close(&a);
    lang_close(&b);
}

/* All findings of a file, in source order. */
static void all_findings_in_order(void **unused)
{
    (void)unused;
    struct lang lang;
    lang_open(&lang, "lpassa $lr1v $ls1v; fvpasa $lr0 $lr0\n"
                     "nop\n"
                     "linc $lr0v $lm0v; ldec $lr2v $lm2v; wait i00\n"
                     "\xc3\xa4 # \xc3\xa4\n"
                     "lpassa $lr1v $ls1v; fvpasa $lr0 $lr0\n"
                     "mvp/n63 $p1@0 $d1@4\n");
    assert_int_equal(lang.result, 1);
    static const struct {
        uint32_t line, column;
        const char *rule;
    } expected[] = {
        {1, 11, "3.6.1.10"}, {1, 17, "3.6.1.11"}, {1, 21, "3.6"},      {3, 19, "3.6.4"},
        {3, 42, "3.6.13"},   {4, 1, "3.1"},       {5, 11, "3.6.1.10"}, {5, 17, "3.6.1.11"},
        {5, 21, "3.6"},      {6, 5, "3.5.3"},     {6, 18, "3.5.2"},
    };
    assert_int_equal(lang.diags.count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < lang.diags.count; i++) {
        assert_int_equal(lang.diags.items[i].line, expected[i].line);
        assert_int_equal(lang.diags.items[i].column, expected[i].column);
        assert_string_equal(lang.diags.items[i].rule, expected[i].rule);
    }
    assert_int_equal(lang.program.item_count, 1);
    lang_close(&lang);
}

/* Each precision and each length has its own section (3.6.8 to 3.6.11). */
static void sections(void **unused)
{
    (void)unused;
    static const struct pair pairs[] = {
        {"dmfmau $lx $lr0v $ls0v", "3.6.9.2", "no output"},
        {"dmmulu $lx $lr0v", "3.6.9.3", "no output"},
        {"fmfma $lx $lr0v $ls0v", "3.6.9.4", "no output"},
        {"fmmul $lx $lr0v", "3.6.9.5", "no output"},
        {"gmfma $lx $lr0v $ls0v", "3.6.9.6", "no output"},
        {"gmmul $lx $lr0v", "3.6.9.7", "no output"},
        {"hmfma $lx $lr0v $ls0v", "3.6.9.8", "no output"},
        {"hmmul $lx $lr0v", "3.6.9.9", "no output"},
        {"dvfmau $lr0v $ls0v $lm0v", "3.6.9.10", "no output"},
        {"dvmulu $lr0v $ls0v", "3.6.9.11", "no output"},
        {"dvadd $lr0v $ls0v", "3.6.9.12", "no output"},
        {"dvpassa $lr0v", "3.6.9.13", "no output"},
        {"fvfma $lr0v $ls0v $lm0v", "3.6.9.14", "no output"},
        {"fvmul $lr0v $ls0v", "3.6.9.15", "no output"},
        {"fvadd $lr0v $ls0v", "3.6.9.16", "no output"},
        {"fvpassa $lr0v", "3.6.9.17", "no output"},
        {"hvfma $lr0v $ls0v $lm0v", "3.6.9.18", "no output"},
        {"hvmul $lr0v $ls0v", "3.6.9.19", "no output"},
        {"hvadd $lr0v $ls0v", "3.6.9.20", "no output"},
        {"hvpassa $lr0v", "3.6.9.21", "no output"},
        {"dmwrite $lr0v", "3.6.10.1", "lacks"},
        {"fmwrite $lr0v", "3.6.10.2", "lacks"},
        {"gmwrite $lr0v", "3.6.10.2", "lacks"},
        {"hmwrite $lr0v", "3.6.10.3", "lacks"},
        {"dmread", "3.6.11.1", "lacks"},
        {"fmread", "3.6.11.2", "lacks"},
        {"gmread $lx0", "3.6.11.2", "no output"},
        {"hmread $llx0", "3.6.11.3", "no output"},
        {"l1bmp $lb0", "3.6.8.6", "no output"},
        {"l1bmp $llb0", "3.6.8.7", "no output"},
        {"l1bmm $lb0", "3.6.8.8", "no output"},
        {"l1bmm $llb0", "3.6.8.9", "no output"},
        {"l1bmm4 $lb0", "3.6.8.14", "no output"},
        {"l1bmm4 $llb0", "3.6.8.15", "no output"},
        {"l1bmm@0 $lr0v $lb0 $lb4", "3.6.8.10", "too much"},
        {"l1bmm@0 $llr0v $llb0 $lb8", "3.6.8.11", "too much"},
        {"l1bmrfbor $lr0v $llb0", "3.5.5", ""},
        {"l1bmrlbor $lr0v $llb4", "3.6.8.13", "aligned to 8"},
    };
    RUN(pairs);
}

/* Steps that differ from a legal one before in addresses only need not be legal. */
static void same_shape(void **unused)
{
    (void)unused;
    static const struct {
        const char *legal, *other;
        bool fault;
    } cases[] = {
        {"lpassa $lm0v $lr0v; fvpassa $lm0v $ls0v", "lpassa $lm8v $lr0v; fvpassa $lm0v $ls0v",
         true},
        {"lpassa $lm0v $lr0v; fvpassa $lm0v $ls0v", "lpassa $lm8v $lr8v; fvpassa $lm8v $ls8v",
         false},
        {"lpassa $lr0v $ls0v; fvpassa $lr0v $lm0v", "lpassa $lr0v $ls0v; fvpassa $lr8v $lm0v",
         true},
        {"fvadd $lm0v $lm0v $lr0v", "fvadd $lm0v $lm8v $lr0v", true},
        {"fvadd $lm0v $ln0v $lr0v", "fvadd $lm0v $ln8v $lr0v", false},
        {"lpassa $lm0v $lm0v", "lpassa $lm0v $lm8v", true},
        {"lpassa $ln0v $ln0v", "lpassa $ln8v $ln0v", true},
        {"lpassa $lr0v $lr0v", "lpassa $lr0v $lr8v", false},
        {"lpassa $lm0v $ln0v", "lpassa $lm8v $ln16v", false},
        {"l1bmm $lb0 $lm0v; lpassa $lm0v $nowrite", "l1bmm $lb0 $lm0v; lpassa $lm8v $nowrite",
         true},
        {"nop", "nop; noforward", true},
        {"nop/3", "nop/3; noforward", true},
        {"noforward", "nop; noforward", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* The legal one often enough for whatever is kept of it, the other one twice. */
        char text[400];
        snprintf(text, sizeof text, "%s\n %s\n%s\n %s\n%s", cases[i].legal, cases[i].legal,
                 cases[i].other, cases[i].other, cases[i].legal);
        struct lang lang;
        lang_open(&lang, text);
        assert_int_equal(lang.diags.errors, cases[i].fault ? 2 : 0);
        for (size_t k = 0; k < lang.diags.count; k++) {
            assert_int_equal(lang.diags.items[k].line, 3 + k);
            assert_string_equal(lang.diags.items[k].rule, "3.6.4");
        }
        assert_int_equal(lang.program.item_count, cases[i].fault ? 3 : 5);
        lang_close(&lang);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups),
        cmocka_unit_test(nop_and_wait),
        cmocka_unit_test(sections),
        cmocka_unit_test(mau),
        cmocka_unit_test(matrix),
        cmocka_unit_test(writes),
        cmocka_unit_test(reads),
        cmocka_unit_test(lm_read_and_write),
        cmocka_unit_test(imm),
        cmocka_unit_test(masks),
        cmocka_unit_test(example_of_the_manual),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(same_shape),
        cmocka_unit_test(all_findings_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
