/* Mnemonics and encodings against the vendor's table: name, operands, match, mask of each form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/kelvin/vector.h"
#include "tests/dice.h"
#include "tests/kelvin/table.h"
#include "tests/often.h"

static const char *const operand_names[KELVIN_OPERAND_KINDS] = {
    [KELVIN_D] = "d",   [KELVIN_S] = "s",   [KELVIN_T] = "t",  [KELVIN_VD] = "Vd",
    [KELVIN_VS] = "Vs", [KELVIN_VT] = "Vt", [KELVIN_VR] = "Vr"};

struct row {
    char name[24], operands[16];
    uint32_t match, mask;
};

static struct row rows[1200];
static size_t row_count;

static int setup(void **context)
{
    (void)context;
    char *text = kelvin_table_match();
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        struct row *row = &rows[row_count++];
        if (sscanf(line, "%23s %15s %x %x", row->name, row->operands, &row->match, &row->mask) != 4)
            return -1;
    }
    free(text);
    return 0;
}

static void test_table(void **context)
{
    (void)context;
    const struct kelvin_form *forms;
    assert_int_equal(row_count, 1173);
    assert_int_equal(kelvin_forms(&forms), row_count);
    for (size_t i = 0; i < row_count; i++) {
        const struct kelvin_form *form = kelvin_form_find(rows[i].name, strlen(rows[i].name));
        if (form == NULL)
            fail_msg("%s is missing", rows[i].name);
        char operands[16] = "";
        for (unsigned k = 0; k < form->count; k++) {
            strcat(operands, k ? "," : "");
            strcat(operands, operand_names[form->operands[k]]);
        }
        if (form->match != rows[i].match || form->mask != rows[i].mask ||
            strcmp(form->count ? operands : "-", rows[i].operands) != 0)
            fail_msg("%s %s %08x %08x, not %s %08x %08x", rows[i].name, operands, form->match,
                     form->mask, rows[i].operands, rows[i].match, rows[i].mask);
        assert_string_equal(form->name, rows[i].name);
    }
}

static void test_unknown(void **context)
{
    (void)context;
    static const char *const names[] = {"",
                                        "v",
                                        "vadd",
                                        "vadd.b",
                                        "vadd.b.v",
                                        "vadd.b.vv.mm",
                                        "vand.b.vv",
                                        "vnot.b.v",
                                        "vmv.v.",
                                        "vaddw.b.vv",
                                        "vsrans.w.vv",
                                        "vsliden.b.1.vv.m",
                                        "vslidevn.b.1.vv",
                                        "vsliden.b.5.vv",
                                        "vld.b.xx",
                                        "vld.b.l.x",
                                        "vst.q.x",
                                        "vadd.b.u.vv",
                                        "add",
                                        "aconv",
                                        "acset.v.m",
                                        "vsraqs.h.vv",
                                        "VADD.B.VV"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_null(kelvin_form_find(names[i], strlen(names[i])));
    assert_non_null(kelvin_form_find("vadd.b.vv.m, v0", strlen("vadd.b.vv.m")));
}

/* Spellings of the reference in addition to the table's: vmulh.[b,h,w].{u}.{r} and vmulh.{ur}, and
 * actr.[w].v.{m}. */
static void test_spellings(void **context)
{
    (void)context;
    static const char *const pairs[][2] = {
        {"vmulh.b.u.vv", "vmulhu.b.vv"},
        {"vmulh.h.u.r.vx", "vmulhu.h.r.vx"},
        {"vmulh.w.ur.vv.m", "vmulhu.w.r.vv.m"},
        {"vmulh.w.u.vx.m", "vmulhu.w.vx.m"},
        {"vmulh.b.r.vv", "vmulh.b.r.vv"},
        {"actr.w.v", "actr.v"},
        {"actr.w.v.m", "actr.v"},
        {"vhadd.b.u.r.vv", "vhadd.b.ur.vv"},
    };
    static const char *const none[] = {"vmulh.b.su.vv", "vmulh.u.b.vv",  "vmulh.b.u.u.vv",
                                       "vmulh.u.vv",    "vmulhu.b.u.vv", "actr.b.v",
                                       "actr.v.m.m",    "vadd.b.b.vv"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct kelvin_form *form = kelvin_form_find(pairs[i][0], strlen(pairs[i][0]));
        assert_non_null(form);
        assert_string_equal(form->name, pairs[i][1]);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(kelvin_form_find(none[i], strlen(none[i])));
}

/* The table's row for a word, found by trying all: the one with most fixed bits. */
static const struct row *row_of(uint32_t word)
{
    const struct row *best = NULL;
    for (size_t i = 0; i < row_count; i++)
        if ((word & rows[i].mask) == rows[i].match &&
            (!best || (rows[i].mask & best->mask) == best->mask))
            best = &rows[i];
    return best;
}

/* The reference: operations without a type "have the same behavior regardless of the size field";
 * actr is written actr.[w].v.{m}. The table has them with one size each. */
static uint32_t as_in_table(uint32_t word)
{
    static const char *const typeless[] = {"vand.vv",   "vor.vv",   "vxor.vv",   "vnot.v",
                                           "vmv.v",     "vmvp.vv",  "acset.v",   "adwinit.v",
                                           "actr.v",    "vcget",    "vand.vv.m", "vor.vv.m",
                                           "vxor.vv.m", "vnot.v.m", "vmv.v.m",   "vmvp.vv.m"};
    const uint32_t size = UINT32_C(3) << 12, m = UINT32_C(1) << 5;
    for (size_t i = 0; i < row_count; i++)
        for (size_t k = 0; k < sizeof typeless / sizeof *typeless; k++) {
            const uint32_t idle = strcmp(rows[i].name, "actr.v") == 0 ? size | m : size;
            if (strcmp(rows[i].name, typeless[k]) == 0 &&
                (word & rows[i].mask & ~idle) == (rows[i].match & ~idle))
                return (word & ~idle) | (rows[i].match & idle);
        }
    return word;
}

static void check_word(uint32_t word)
{
    struct kelvin_vop op;
    const struct row *row = row_of(word);
    if (!row && (row = row_of(as_in_table(word)))) { /* the same meaning, but another word */
        if (!kelvin_vector_decode(word, &op) || strcmp(op.form->name, row->name) != 0)
            fail_msg("%08x is %s", word, row->name);
        assert_int_equal(kelvin_vector_encode(op.form, &op.operands), as_in_table(word));
        return;
    }
    if (kelvin_vector_decode(word, &op) != (row != NULL))
        fail_msg("%08x is %s", word, row ? row->name : "nothing");
    if (row == NULL)
        return;
    if (strcmp(op.form->name, row->name) != 0)
        fail_msg("%08x is %s, not %s", word, row->name, op.form->name);
    assert_int_equal(kelvin_vector_encode(op.form, &op.operands), word);
}

/* Every form with random and extreme operands; words that differ from it in one bit. */
static void test_words(void **context)
{
    (void)context;
    struct dice dice = {1};
    for (size_t i = 0; i < row_count; i++) {
        check_word(rows[i].match);
        check_word(rows[i].match | ~rows[i].mask);
        for (unsigned k = 0; k < 4; k++)
            check_word(rows[i].match | ((uint32_t)dice_next(&dice) & ~rows[i].mask));
        for (unsigned bit = 0; bit < 32; bit++)
            check_word(rows[i].match ^ UINT32_C(1) << bit);
    }
}

static void test_random(void **context)
{
    (void)context;
    struct dice dice = {2};
    const size_t rounds = often(20000);
    for (size_t i = 0; i < rounds; i++)
        check_word((uint32_t)dice_next(&dice));
}

/* The position of each operand, transcribed from the reference's pictures. */
static void test_fields(void **context)
{
    (void)context;
    const struct {
        const char *name;
        struct kelvin_operands operands;
        uint32_t word;
    } cases[] = {
        {"vadd.w.vv.m",
         {.at = {[KELVIN_VD] = 60, [KELVIN_VS] = 4, [KELVIN_VT] = 8}},
         8u << 20 | 4 << 14 | 2 << 12 | 60 << 6 | 1 << 5},
        {"vsub.h.vx",
         {.at = {[KELVIN_VD] = 63, [KELVIN_VS] = 62, [KELVIN_T] = 31}},
         1u << 26 | 31 << 20 | 62 << 14 | 1 << 12 | 63 << 6 | 2},
        {"vld.b.lp.xx",
         {.at = {[KELVIN_VD] = 1, [KELVIN_S] = 10, [KELVIN_T] = 11}},
         5u << 26 | 11 << 20 | 10 << 15 | 1 << 6 | 0x1f},
        {"aconv.vxv",
         {.at = {[KELVIN_VD] = 48, [KELVIN_VS] = 16, [KELVIN_T] = 7, [KELVIN_VR] = 24}},
         24u << 26 | 1 << 25 | 7 << 20 | 16 << 14 | 2 << 12 | 48 << 6 | 5},
        {"getvl.h.xx.m",
         {.at = {[KELVIN_D] = 3, [KELVIN_S] = 4, [KELVIN_T] = 5}},
         1u << 28 | 1 << 27 | 1 << 25 | 5 << 20 | 4 << 15 | 3 << 7 | 0x77},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct kelvin_form *form = kelvin_form_find(cases[i].name, strlen(cases[i].name));
        assert_non_null(form);
        assert_int_equal(kelvin_vector_encode(form, &cases[i].operands), cases[i].word);
        struct kelvin_vop op;
        assert_true(kelvin_vector_decode(cases[i].word, &op));
        assert_ptr_equal(op.form, form);
        assert_memory_equal(&op.operands, &cases[i].operands, sizeof op.operands);
    }
}

/* Words shared by two forms decode to the one with fewer operands. */
static void test_shared(void **context)
{
    (void)context;
    static const char *const pairs[][2] = {{"getvl.b.x", "getmaxvl.b"},
                                           {"getvl.w.xx.m", "getmaxvl.w.m"},
                                           {"vld.h.p.xx", "vld.h.p.x"},
                                           {"vst.w.p.xx.m", "vst.w.p.x.m"},
                                           {"flushat", "flushall"}};
    const struct kelvin_operands zero = {.at = {0}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct kelvin_vop op;
        const struct kelvin_form *form = kelvin_form_find(pairs[i][0], strlen(pairs[i][0]));
        assert_true(kelvin_vector_decode(kelvin_vector_encode(form, &zero), &op));
        assert_string_equal(op.form->name, pairs[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),     cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_spellings), cmocka_unit_test(test_words),
        cmocka_unit_test(test_random),    cmocka_unit_test(test_fields),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
