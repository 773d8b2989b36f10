/* Parallel issue (manual 3.6.4): order, and findings of a file. The rules themselves are in
 * tests/cases/mncore2/rules.case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mncore2/lang_help.h"

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
    assert_int_equal(lang.program.item_count, 4); /* steps of lines 1, 2, 3 and 5 */
    lang_close(&lang);
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
        assert_int_equal(lang.program.item_count, 5); /* a refused one is a step, too */
        lang_close(&lang);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(same_shape),
        cmocka_unit_test(all_findings_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
