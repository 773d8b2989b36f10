/*
 * What statements touch: the addresses of each cycle by the pseudocode of 3.6.7 and 3.6.8, masks of
 * 3.6.2, matrix rows of 3.6.1.14, and the regions of the 24 MV modes of 3.5.8, written out by hand.
 *
 * An access is printed as  r|w SPACE [/cycles] [~entry] [?] addresses +length [@set] [side]
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/effect.h"
#include "tests/mncore2/check_text.h"

static const char *const space_name[SPACE_COUNT] = {
    "LM0", "LM1", "GRF0", "GRF1", "T",    "MASK", "BAR0", "BAR1", "X",
    "Y",   "FWD", "LBI",  "L1BM", "L2BM", "PDM",  "DRAM", "DAR",  "DARBUF"};

static void print_access(const struct access *access, FILE *out)
{
    fprintf(out, "%c %s", access->write ? 'w' : 'r', space_name[access->space]);
    if (access->cycles != 15) {
        fputs("/", out);
        for (int i = 0; i < CYCLES; i++)
            fputc(access->cycles >> i & 1 ? '1' : '0', out);
    }
    if (access->entry)
        fprintf(out, "~%u", access->entry);
    if (access->any)
        fputs(" ?", out);
    fputc(' ', out);
    bool same = true;
    for (int i = 1; i < CYCLES; i++)
        same &= access->addr[i] == access->addr[0];
    for (int i = 0; i < (same ? 1 : CYCLES); i++)
        fprintf(out, "%s%u", i ? "," : "", access->addr[i]);
    fprintf(out, "+%u", access->length);
    if (access->set)
        fprintf(out, " @%02x", access->set);
    if (access->transposed)
        fputs(" t", out);
    if (access->side)
        fputs(access->side == SIDE_PE ? " pe" : " l2b", out);
    fputc('\n', out);
}

static void try(const char *program, const char *expected)
{
    struct check_text text;
    char *got = NULL;
    size_t size;
    FILE *out = open_memstream(&got, &size);
    assert_non_null(out);
    check_text_open(&text, program);
    if (text.parsed != 0) {
        check_text_show(&text);
        fail();
    }
    const struct stmt *stmt = &text.program.stmts[text.program.items[0].stmt];
    if (stmt->kind == STMT_STEP) {
        struct effect effect;
        mncore2_effect_of_step(stmt->step, &effect);
        for (size_t i = 0; i < effect.count; i++)
            print_access(&effect.access[i], out);
    } else {
        struct region region[2];
        mncore2_effect_of_mv(stmt->mv, region);
        for (int i = 0; i < 2; i++)
            fprintf(out, "%c %s%s %llu+%llu @%02x\n", region[i].write ? 'w' : 'r',
                    space_name[region[i].space], region[i].any ? " ?" : "",
                    (unsigned long long)region[i].addr, (unsigned long long)region[i].length,
                    region[i].set);
    }
    fclose(out);
    if (strcmp(got, expected) != 0)
        fprintf(stderr, "--- %s\n--- got\n%s--- expected\n%s", program, got, expected);
    assert_string_equal(got, expected);
    free(got);
    check_text_close(&text);
}

static void pe_memories(void **state)
{
    (void)state;
    try("lpassa $lm0v $ln8\n", "r LM0 0,2,4,6+2\nw LM1 8+2\nw FWD 1+1\n");
    try("lpassa $m1 $n4094v\n", "r LM0 1+1\nw LM1 4094,4095,0,1+1\nw FWD 1+1\n");
    try("lpassa $llr508v $s3v2\n", "r GRF0 508,0,4,8+4\nw GRF1 3,5,7,9+1\nw FWD 1+1\n");
    try("lpassa $lm[0,4,10,14] $lr0v\n", "r LM0 0,4,10,14+2\nw GRF0 0,2,4,6+2\nw FWD 1+1\n");
    try("lpassa $t $ls0v\n", "r T 0,4,8,12+4\nw GRF1 0,2,4,6+2\nw FWD 1+1\n");
    /* T-indirect: any address of LM0, and the slots of T. */
    try("lpassa $lmt $t\n", "r LM0 ? 0+2\nr T 0,4,8,12+4\nw T 0,4,8,12+4\nw FWD 1+1\n");
    try("lpassa $lr0v $lmt8v\n",
        "r GRF0 0,2,4,6+2\nw LM0 ? 8,10,12,14+2\nr T 0,4,8,12+4\nw FWD 1+1\n");
    /* madpe: some PEs one access further, with 3 all of them. */
    try("lpassa $lm0vj1 $ln0vj3\n", "r LM0 0,2,4,6+4\nw LM1 2,4,6,8+2\nw FWD 1+1\n");
    try("lpassa $lr0v $mb $lnb\n", "r GRF0 0,2,4,6+2\nw BAR0 0+1\nw BAR1 0+1\nw FWD 1+1\n");
    try("lpassa $mabid $nowrite\n", "w FWD 1+1\n");
    try("lpassa $mabid $nowrite; noforward\n", "");
    try("ladd $mauf $aluf $omr3\n", "r FWD 0+1\nr FWD 1+1\nw MASK 3+1\nw FWD 1+1\n");
    try("lpassa $lbf $ln0\n", "r FWD 2+1\nw LM1 0+2\nw FWD 1+1\n");
    try("lpassa $mreadf $ln0\n", "r FWD 3+1\nw LM1 0+2\nw FWD 1+1\n");
    try("nop/4\n", "");
}

static void write_masks(void **state)
{
    (void)state;
    try("zero $lr0v/1000\n", "w GRF0/1000 0,2,4,6+2\nw FWD 1+1\n");
    try("zero $lr0v/0110 $ln0v\n", "w GRF0/0110 0,2,4,6+2\nw LM1 0,2,4,6+2\nw FWD 1+1\n");
    try("zero $lr0v/$imr5\n", "r MASK 5+1\nw GRF0~5 0,2,4,6+2\nw FWD 1+1\n");
    try("zero $omr5/1100\n", "w MASK/1100 5+1\nw FWD 1+1\n");
    try("maskr 0b10001\nlpassa $lm0v $lr0v $ls0v\n",
        "r LM0 0,2,4,6+2\nw GRF0/0001 0,2,4,6+2\nw GRF1 0,2,4,6+2\nw FWD 1+1\n");
    /* A zero-flush mask reads its entry and leaves the writes whole. */
    try("fvpassa/$imr2 $lr0v $ls0v\n",
        "r MASK 2+1\nr GRF0 0,2,4,6+2\nw GRF1 0,2,4,6+2\nw FWD 0+1\n");
    try("fvpassa/0111 $lr0v $ls0v\n", "r GRF0 0,2,4,6+2\nw GRF1 0,2,4,6+2\nw FWD 0+1\n");
}

static void matrices(void **state)
{
    (void)state;
    try("dmwrite $lr0v $lx0\n", "r GRF0 0,2,4,6+2\nw X 0,4,8,12+1\n");
    try("dmwrite $lr0v $ly3\n", "r GRF0 0,2,4,6+2\nw Y 12,0,4,8+1\n");
    try("fmwrite $lr0v $lx6\n", "r GRF0 0,2,4,6+2\nw X 12,14,0,2+1\n");
    try("hmwrite $lr0v $ly14\n", "r GRF0 0,2,4,6+2\nw Y 14,15,0,1+1\n");
    try("hmwrite $llr0v $lly14\n", "r GRF0 0,4,8,12+4\nw Y 14,0,2,4+2\n");
    try("hmread $llx2 $llr0v\n", "r X 0+16 t\nw GRF0 0,4,8,12+4\nw FWD 3+1\n");
    try("gmfma $lx $lm0v $ln0v $lr0v\n",
        "r X 0+16\nr LM0 0,2,4,6+2\nr LM1 0,2,4,6+2\nw GRF0 0,2,4,6+2\nw FWD 0+1\n");
}

static void l1bm(void **state)
{
    (void)state;
    const char *lr = "w GRF0 0,2,4,6+2\nw FWD 2+1\n", *llr = "w GRF0 0,4,8,12+4\nw FWD 2+1\n";
    const struct {
        const char *text, *l1bm, *pe;
    } loads[] = {
        {"l1bmp $lb8190 $lr0v\n", "r L1BM 8190,8191,0,1+1 @ff pe\n", lr},
        {"l1bmp $llb8 $llr0v\n", "r L1BM 8,9,10,11+1 @ff pe\nr L1BM 12,13,14,15+1 @ff pe\n", llr},
        {"l1bmm $lb4 $lr0v\n", "r L1BM 4,8,12,16+4 @ff pe\n", lr},
        {"l1bmm $llb8 $llr0v\n", "r L1BM 8,16,24,32+8 @ff pe\n", llr},
        {"l1bmm4 $lb16 $lr0v\n", "r L1BM 16,32,48,64+16 @ff pe\n", lr},
        {"l1bmm4 $llb8160 $llr0v\n", "r L1BM 8160,0,32,64+32 @ff pe\n", llr},
        {"l1bmd+3 $lb64 $lr0v\n", "r L1BM 64,128,192,256+64 @ff pe\n", lr},
        {"l1bmm $lbi $lr0v\n", "r LBI 0+1\n", lr},
    };
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        char expected[256];
        snprintf(expected, sizeof expected, "%s%s", loads[i].l1bm, loads[i].pe);
        try(loads[i].text, expected);
    }
    const char *r = "r GRF0 0,2,4,6+2\n", *ll = "r GRF0 0,4,8,12+4\n";
    const struct {
        const char *text, *pe, *l1bm;
    } stores[] = {
        {"l1bmm@15 $lr0v $lb0\n", r, "w L1BM 0,4,8,12+4 @ff pe\nw LBI 0+1\n"},
        {"l1bmm@0 $llr0v $llb0\n", ll, "w L1BM 0,8,16,24+8 @ff pe\nw LBI 0+1\n"},
        {"l1bmrdfadd $lr0v $lb0\n", r, "w L1BM 0,4,8,12+4 @ff pe\nw LBI 0+1\n"},
        {"l1bmrffadd $llr0v $llb0\n", ll, "w L1BM 0,8,16,24+8 @ff pe\nw LBI 0+1\n"},
        {"l1bmrffaddr $llr0v $lb0\n", ll, "w L1BM 0,4,8,12+4 @ff pe\nw LBI 0+1\n"},
        {"l1bmm4@3 $lr0v $lb0\n", r, "w L1BM 0,16,32,48+16 @ff pe\nw LBI 0+1\n"},
        {"l1bmm4@3 $llr0v $llb0\n", ll, "w L1BM 0,32,64,96+32 @ff pe\nw LBI 0+1\n"},
        {"l1bmr4dfadd $lr0v $lb0\n", r, "w L1BM 0,16,32,48+16 @ff pe\nw LBI 0+1\n"},
        {"l1bmr4ffadd $llr0v $llb0\n", ll, "w L1BM 0,32,64,96+32 @ff pe\nw LBI 0+1\n"},
        {"l1bmd-15 $lr0v $lb0\n", r, "w L1BM 0,64,128,192+64 @ff pe\nw LBI 0+1\n"},
        {"l1bmm@0 $lr0v $lbi\n", r, "w LBI 0+1\n"},
        {"l1bmm@0 $lr0v $lb0; noforward\n", r, "w L1BM 0,4,8,12+4 @ff pe\n"},
    };
    for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++) {
        char expected[256];
        snprintf(expected, sizeof expected, "%s%s", stores[i].pe, stores[i].l1bm);
        try(stores[i].text, expected);
    }
}

static void l2bm(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"l2bmb $lc0 $lb0\n", "r L2BM 0,16,32,48+16 @ff l2b\nw L1BM 0,16,32,48+16 @ff l2b\n"},
        {"l2bmb@[0,2,4,6] $lc16 $lb16\n",
         "r L2BM 16,32,48,64+16 @ff l2b\nw L1BM 16,32,48,64+16 @55 l2b\n"},
        {"l2bmb2@5/2 $lc64 $lb0\n",
         "r L2BM 64,128,192,256+64 @ff l2b\nw L1BM 0,16,32,48+16 @a0 l2b\n"},
        {"l2bmd $lc32704 $lb8184\n",
         "r L2BM 32704,0,64,128+64 @ff l2b\nw L1BM 8184,0,8,16+8 @ff l2b\n"},
        {"l2bm@1 $lb0 $lc0\n", "r L1BM 0,16,32,48+16 @02 l2b\nw L2BM 0,16,32,48+16 @ff l2b\n"},
        {"l2bmrdfadd@[0,4] $lb0 $lc0\n",
         "r L1BM 0,16,32,48+16 @11 l2b\nw L2BM 0,16,32,48+16 @ff l2b\n"},
        {"l2bmr2dfadd $lb0 $lc0\n",
         "r L1BM 0,16,32,48+16 @ff l2b\nw L2BM 0,64,128,192+64 @ff l2b\n"},
        {"l2bmd $lb8 $lc0\n", "r L1BM 8,16,24,32+8 @ff l2b\nw L2BM 0,64,128,192+64 @ff l2b\n"},
        /* 3.6.7.9: 0/0 to all others; 0/6 from the even to the odd; 0/4 from 0 and 4 to the
         * rest. */
        {"l2bmi@0/0 $lb0 $lb64\n",
         "r L1BM 0,16,32,48+16 @01 l2b\nw L1BM 64,80,96,112+16 @fe l2b\n"},
        {"l2bmi@0/6 $lb0 $lb64\n",
         "r L1BM 0,16,32,48+16 @55 l2b\nw L1BM 64,80,96,112+16 @aa l2b\n"},
        {"l2bmi@0/4 $lb0 $lb64\n",
         "r L1BM 0,16,32,48+16 @11 l2b\nw L1BM 64,80,96,112+16 @ee l2b\n"},
        {"l2bmi@3/2 $lb0 $lb64\n",
         "r L1BM 0,16,32,48+16 @0a l2b\nw L1BM 64,80,96,112+16 @f5 l2b\n"},
        {"l2bmdars $lc64@.1 $dar16\n",
         "r L2BM 64,128,192,256+64 @aa l2b\nw DARBUF 0,128,256,384+128 @0f\n"},
        {"l2bmdarw\n", "r DARBUF ? 0+1 @0f\nw DAR ? 0+1 @0f\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        try(cases[i].text, cases[i].expected);
}

static void moves(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"mvp/n128 $p64@1 $d32@2\n", "r PDM 64+128 @02\nw DRAM 32+128 @04\n"},
        {"mvp/n128 $d64@1 $p64@2\n", "r DRAM 64+128 @02\nw PDM 64+128 @04\n"},
        {"mvp/n64 $p0@0 $lc64@2.1\n", "r PDM 0+64 @01\nw L2BM 64+64 @20\n"},
        {"mvp/n64 $lc64@3.0 $p0@0\n", "r L2BM 64+64 @40\nw PDM 0+64 @01\n"},
        {"mvp/n64 $d0@1 $lc64@0.0\n", "r DRAM 0+64 @02\nw L2BM 64+64 @01\n"},
        {"mvp/n64 $lc64@0.1 $d0@1\n", "r L2BM 64+64 @02\nw DRAM 0+64 @02\n"},
        {"mvp/n64 $p0@0 $p64@1\n", "r PDM 0+64 @01\nw PDM 64+64 @02\n"},
        {"mvp/n64 $p0 $lc0@.1\n", "r PDM 0+64 @0f\nw L2BM 0+64 @aa\n"},
        {"mvp/n64 $lc0@.0 $p0\n", "r L2BM 0+64 @55\nw PDM 0+64 @0f\n"},
        {"mvp/n64 $d0 $lc0@.1\n", "r DRAM 0+64 @0f\nw L2BM 0+64 @aa\n"},
        {"mvp/n64 $lc0@.0 $d0\n", "r L2BM 0+64 @55\nw DRAM 0+64 @0f\n"},
        {"mvb2/n64 $d0 $lc0\n", "r DRAM 0+64 @0f\nw L2BM 0+64 @ff\n"},
        {"mvr2dfadd/n64 $lc0 $d0\n", "r L2BM 0+64 @ff\nw DRAM 0+64 @0f\n"},
        {"mvr2dfadd/n64 $lc0@1 $p0@1\n", "r L2BM 0+64 @0c\nw PDM 0+64 @02\n"},
        /* 3.5.8.16, .17: 32 of each DRAM for 64 of each L2BM. */
        {"mvb4/n128 $d0 $lc0\n", "r DRAM 0+64 @0f\nw L2BM 0+128 @ff\n"},
        {"mvr4dfadd/n128 $lc0 $d0\n", "r L2BM 0+128 @ff\nw DRAM 0+64 @0f\n"},
        {"mvb/n64 $p0@3 $lc0\n", "r PDM 0+64 @08\nw L2BM 0+64 @ff\n"},
        {"mvrdfadd/n64 $lc0 $p0@3\n", "r L2BM 0+64 @ff\nw PDM 0+64 @08\n"},
        /* 3.5.8.20, .21: 16 of each DRAM. */
        {"mvb/n128 $d0 $lc0\n", "r DRAM 0+32 @0f\nw L2BM 0+128 @ff\n"},
        {"mvrdfadd/n128 $lc0 $d0\n", "r L2BM 0+128 @ff\nw DRAM 0+32 @0f\n"},
        /* 3.5.8.22 to .25: counted in L2BM, 512 of the PDM; counted in PDM, 16 of each DRAM. */
        {"mvd/n128 $p0@0 $lc0\n", "r PDM 0+1024 @01\nw L2BM 0+128 @ff\n"},
        {"mvd/n128 $lc0 $p0@0\n", "r L2BM 0+128 @ff\nw PDM 0+1024 @01\n"},
        {"mvd/n128 $p0@0 $d0\n", "r PDM 0+128 @01\nw DRAM 0+32 @0f\n"},
        {"mvd/n128 $d0 $p0@0\n", "r DRAM 0+32 @0f\nw PDM 0+128 @01\n"},
        {"mvp/n256nd4 $p1600@1 $di512@2\n", "r PDM 1600+256 @02\nw DRAM ? 0+256 @04\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        try(cases[i].text, cases[i].expected);
}

/* One step at 750 MHz is 5.33 ns: 12.29, 49.2, 98.3, 393.2 TFLOPS (design note 8, 1.4). */
static void operations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int prec;
        double tflops;
    } cases[] = {
        {"dmfmau $lx $lr0v $ls0v $nowrite\n", 0, 12.288},
        {"fmfma $lx $r0v $ls0v $nowrite\n", 1, 49.152},
        {"gmfma $lx $lr0v $ls0v $nowrite\n", 2, 98.304},
        {"hmfma $lx $lr0v $lls0v $nowrite\n", 3, 393.216},
        {"dvfmau $lr0v $ls0v $lm0v $nowrite\n", 0, 3.072},
        {"fvfma $lr0v $ls0v $lm0v $nowrite\n", 1, 12.288},
        {"hvfma $lr0v $ls0v $llm0v $nowrite\n", 3, 24.576},
        {"fvmul $lr0v $ls0v $nowrite\n", 1, 6.144},
        {"dvadd $lr0v $ls0v $nowrite\n", 0, 3.072},
        {"fvpassa $lr0v $nowrite\n", 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct check_text text;
        struct effect effect;
        check_text_open(&text, cases[i].text);
        if (text.parsed != 0)
            check_text_show(&text);
        assert_int_equal(text.parsed, 0);
        mncore2_effect_of_step(text.program.stmts[0].step, &effect);
        for (int prec = 0; prec < 4; prec++)
            assert_int_equal(effect.flops[prec],
                             prec == cases[i].prec ? cases[i].tflops * 1e12 / 750e6 * CYCLES : 0);
        check_text_close(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pe_memories), cmocka_unit_test(write_masks), cmocka_unit_test(matrices),
        cmocka_unit_test(l1bm),        cmocka_unit_test(l2bm),        cmocka_unit_test(moves),
        cmocka_unit_test(operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
