/* The AMX language: fields to operands, findings with their places, canonical text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/amx/program.h"
#include "tests/dice.h"

struct parsed {
    struct source source;
    struct amx_program program;
    struct diag_list diags;
    int status;
};

static void parse(struct parsed *p, const char *text, size_t size)
{
    diag_list_init(&p->diags);
    assert_int_equal(source_from_text(&p->source, "k.amx", text, size), 0);
    p->status = amx_program_parse(&p->program, &p->source, 1, &p->diags);
}

static void forget(struct parsed *p)
{
    amx_program_free(&p->program);
    diag_list_free(&p->diags);
    source_close(&p->source);
}

/* Each row: fields, and the operand put together by hand from the table of bits. */
static void fields_stand_where_the_table_says(void **state)
{
    (void)state;
#define F(bit, value) (UINT64_C(value) << (bit))
    static const struct {
        const char *text;
        uint64_t operand;
    } row[] = {
        {"f32", F(42, 4)},
        {"f64 x=64", F(42, 7) | F(10, 64)},
        {"f64 x=511 y=511 z=7", F(42, 7) | F(10, 511) | F(0, 511) | F(20, 7)},
        {"f16f32 y=0x40", F(42, 3) | F(0, 64)},
        {"f16 z=1", F(42, 2) | F(20, 1)},
        {"bf16", 0},
        {"bf16f32", F(42, 1)},
        {"f32 alu=fma", F(42, 4)},
        {"f32 alu=fms", F(42, 4) | F(47, 1)},
        {"f32 alu=relu", F(42, 4) | F(47, 4)},
        {"f32 alu=63", F(42, 4) | F(47, 63)},
        {"f32 xen=odd yen=even", F(42, 4) | F(32, 1) | F(58, 2)},
        {"f32 xen=clear yen=zero", F(42, 4) | F(32, 3) | F(58, 4)},
        {"f32 xen=none yen=none", F(42, 4) | F(38, 6) | F(23, 6)},
        {"f32 xen=only:15 yen=only:0", F(42, 4) | F(38, 1) | F(32, 15) | F(23, 1)},
        {"f32 xen=first:8 yen=last:3", F(42, 4) | F(38, 2) | F(32, 8) | F(23, 3) | F(58, 3)},
        {"f32 xen=first:0 yen=last:0", F(42, 4) | F(38, 4) | F(23, 5)},
        {"f32 xen=first:16 yen=last:16", F(42, 4) | F(38, 2) | F(23, 3)},
        {"f32 xen=5/31 yen=7/30", F(42, 4) | F(38, 5) | F(32, 31) | F(23, 7) | F(58, 30)},
        {"f32 shufx=1 shufy=3", F(42, 4) | F(29, 1) | F(27, 3)},
        {"f32 ix=5:2", F(42, 4) | F(53, 1) | F(49, 5)},
        {"f32 iy=7:4", F(42, 4) | F(53, 1) | F(49, 7) | F(48, 1) | F(47, 1)},
        {"0x123456789abcdef0", UINT64_C(0x123456789abcdef0)},
        {".operand 0xffffffffffffffff", UINT64_MAX},
        {"18446744073709551615", UINT64_MAX},
        {"0b101", 5},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t operand = 0;
        if (!amx_operand_parse(row[i].text, strlen(row[i].text), AMX_M2, &operand))
            fail_msg("refused: %s", row[i].text);
        if (operand != row[i].operand)
            fail_msg("%s: %016llx, not %016llx", row[i].text, (unsigned long long)operand,
                     (unsigned long long)row[i].operand);
    }
}

static void all_findings_come_in_one_run(void **state)
{
    (void)state;
    static const char text[] = "matfp f33 x=1\nmatfp f32 x=600 y=600\nldx x=9 addr=0\n.end\nfoo\n";
    struct parsed p;
    parse(&p, text, strlen(text));
    assert_int_equal(p.diags.errors, 6);
    for (size_t i = 1; i < p.diags.count; i++)
        assert_true(p.diags.items[i].line >= p.diags.items[i - 1].line);
    assert_string_equal(p.diags.items[0].fix, "did you mean 'f32'?");
    forget(&p);
}

/* A line of another file is named with it; what set and clr did ends with their file. */
static void lines_of_other_files(void **state)
{
    (void)state;
    static const char *const texts[] = {"set\n.cluster 2\n", "ldx x=0 addr=0\nset\n.cluster 3\n",
                                        "set\nset\n"};
    struct source sources[3];
    static const char *const names[] = {"a.amx", "b.amx", "c.amx"};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(source_from_text(&sources[i], names[i], texts[i], strlen(texts[i])), 0);
    struct diag_list diags;
    struct amx_program program;
    diag_list_init(&diags);
    assert_int_equal(amx_program_parse(&program, sources, 3, &diags), 1);
    assert_int_equal(diags.errors, 1);
    assert_string_equal(diags.items[0].message,
                        "thread 0 is on cluster 2 already (line 2 of a.amx)");
    assert_int_equal(diags.items[0].file, 1);
    amx_program_free(&program);
    diag_list_free(&diags);
    source_close(&sources[1]);
    assert_int_equal(source_from_text(&sources[1], "b.amx", texts[1], strlen(texts[1]) - 11), 0);
    assert_int_equal(amx_program_parse(&program, sources, 3, &diags), 1);
    assert_int_equal(diags.count, 2);
    assert_string_equal(diags.items[0].name, "set-clears");
    assert_int_equal(diags.items[0].file, 1);
    assert_int_equal(diags.items[0].other_line, 0);
    assert_int_equal(diags.items[1].file, 2);
    assert_int_equal(diags.items[1].other_file, 2);
    assert_int_equal(diags.items[1].other_line, 1);
    amx_program_free(&program);
    diag_list_free(&diags);
    for (size_t i = 0; i < 3; i++)
        source_close(&sources[i]);
}

static void warnings_can_be_silenced(void **state)
{
    (void)state;
    static const char text[] =
        "matfp f32 z=5\nmatfp f32 alu=2\nd set $x0 1 0000000000000000\nset\n";
    struct parsed p;
    parse(&p, text, strlen(text));
    assert_int_equal(p.status, 0);
    assert_int_equal(p.diags.warnings, 3);
    assert_string_equal(p.diags.items[0].name, "z-row");
    assert_string_equal(p.diags.items[1].name, "noop");
    assert_string_equal(p.diags.items[2].name, "set-clears");
    forget(&p);
}

static void lines_may_be_written_freely(void **state)
{
    (void)state;
    static const char text[] =
        "# a comment\r\n\t.version M2 # M2\r\n\r\n  matfp\tf32  x=0x40# no blank\n"
        "ldx addr=0 x=1\nldx 0x4200000000000040\n.thread 0..3\nclr";
    struct parsed p;
    parse(&p, text, strlen(text));
    assert_int_equal(p.status, 0);
    assert_int_equal(p.program.item_count, 4);
    assert_int_equal(p.program.version, AMX_M2);
    assert_int_equal(p.program.items[0].matfp.decoded.x_offset, 64);
    assert_int_equal(p.program.items[2].reg, 2);
    assert_true(p.program.items[2].pair);
    assert_int_equal(p.program.items[2].address.base, 0x40);
    assert_int_equal(p.program.threads, 15);
    assert_int_equal(p.program.items[3].length, 3);
    forget(&p);
}

static struct dice dice = {99};

static uint64_t next(void)
{
    return dice_next(&dice);
}

/* Any operand prints to text that parses to the same operand, on both versions. */
static void operands_survive_printing(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        uint64_t operand = next();
        if (i & 1) /* of these many have a named form */
            operand &=
                ~(UINT64_C(7) << 54 | UINT64_C(1) << 57 | UINT64_C(1) << 63 | UINT64_C(1) << 46 |
                  UINT64_C(1) << 41 | UINT64_C(1) << 37 | UINT64_C(1) << 31 | UINT64_C(1) << 26 |
                  UINT64_C(1) << 19 | UINT64_C(1) << 9);
        const enum amx_version version = i & 2 ? AMX_M2 : AMX_M1;
        char text[200];
        const int length = amx_operand_print(operand, version, text, sizeof text);
        uint64_t again;
        assert_true(length > 0 && (size_t)length < sizeof text);
        if (!amx_operand_parse(text, (size_t)length, version, &again) || again != operand)
            fail_msg("%016llx prints as %s", (unsigned long long)operand, text);
    }
}

static char *print(const struct amx_program *program)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(amx_program_print(program, out), 0);
    fclose(out);
    return text;
}

/* Printing is a fixed point: what is printed parses, and prints the same. */
static void programs_survive_printing(void **state)
{
    (void)state;
    static const char text[] =
        ".version M2\nset\n.repeat 3\nldx x=7 addr=0x40 step=64 pair\n.repeat 2\n"
        "ldz z=63 addr=4096 step=-64,128\nstz z=1 addr=0\nmatfp bf16 z=1 yen=last:3\n.end\n.end\n"
        "d set $z5 2 0123456789ABCDEF fedcba9876543210\n.thread 2..3\n.cluster 1\nldy y=1 addr=0\n"
        "stx x=1 addr=3\nsty y=2 addr=1\n.operand 0x8000000000000000\nd get $m0x40 3\nclr\n";
    struct parsed one, two;
    parse(&one, text, strlen(text));
    assert_int_equal(one.status, 0);
    char *first = print(&one.program);
    parse(&two, first, strlen(first));
    assert_int_equal(two.status, 0);
    char *second = print(&two.program);
    assert_string_equal(first, second);
    assert_int_equal(one.program.item_count, two.program.item_count);
    assert_non_null(strstr(first, "        ldz z=63 addr=0x1000 step=-64,128\n"));
    free(first);
    free(second);
    forget(&one);
    forget(&two);
}

/* Mutations of a program never crash, and whatever is accepted has an end that can be walked to. */
static void mutations_do_no_harm(void **state)
{
    (void)state;
    static const char text[] =
        ".version M2\n.thread 0..3\n.cluster 1\nset\n.repeat 3\nldx x=7 addr=0x40 step=64 pair\n"
        ".repeat 2\nldz z=63 addr=4096 step=-64,128\nmatfp bf16 z=1 yen=last:3 ix=1:4\n.end\n.end\n"
        "d set $z5 1 0123456789abcdef\nd get $m0x40 3\nclr\n";
    for (unsigned i = 0; i < 50000; i++) {
        char copy[sizeof text];
        memcpy(copy, text, sizeof text);
        for (unsigned k = 0; k < 1 + i % 3; k++) {
            const size_t at = next() % (sizeof text - 1), from = next() % (sizeof text - 1);
            copy[at] = i % 2 ? (char)next() : text[from];
        }
        struct parsed p;
        parse(&p, copy, sizeof text - 1);
        assert_true(p.status == (p.diags.errors > 0));
        if (p.status == 0) {
            struct amx_cursor cursor;
            for (uint32_t t = 0; t < AMX_THREADS; t++) {
                amx_cursor_start(&cursor, &p.program, t);
                for (unsigned n = 0; n < 1000 && amx_cursor_next(&cursor, &p.program); n++)
                    ;
            }
        }
        forget(&p);
    }
}

/* Blocks that hold nothing are over at once, however often they turn. */
static void empty_blocks_end(void **state)
{
    (void)state;
    static const char text[] =
        ".repeat 1000000\n.repeat 1000000\n.end\n.repeat 1\n.end\n.end\nclr\n";
    struct parsed p;
    parse(&p, text, strlen(text));
    assert_int_equal(p.status, 0);
    struct amx_cursor cursor;
    amx_cursor_start(&cursor, &p.program, 0);
    assert_ptr_equal(amx_cursor_next(&cursor, &p.program), &p.program.items[6]);
    assert_null(amx_cursor_next(&cursor, &p.program));
    assert_int_equal(amx_program_length(&p.program, 0), 1);
    assert_int_equal(amx_program_length(&p.program, 1), 0);
    forget(&p);
}

/* Several programs on one state: the version is one for all, each may leave AMX off. */
static void programs_follow_each_other(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second;
        int status;
    } row[] = {
        {"set\nmatfp f32\nclr\n", "matfp f32\n", 0},
        {"matfp f32\nclr\n", "set\n", 0},
        {".version M2\nmatfp bf16\n", "matfp bf16\n", 0},
        {".version M2\nmatfp bf16\n", ".version M2\nmatfp bf16\n", 0},
        {"matfp f32\n", ".version M2\nmatfp bf16\n", 1},
        {".version M1\n", ".version M2\n", 1},
        {".repeat 2\n", ".end\n", 1},
        {".thread 3\nclr\n", "matfp f32\n", 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct source sources[2];
        struct amx_program program;
        struct diag_list diags;
        diag_list_init(&diags);
        assert_int_equal(source_from_text(&sources[0], "a.amx", row[i].first, strlen(row[i].first)),
                         0);
        assert_int_equal(
            source_from_text(&sources[1], "b.amx", row[i].second, strlen(row[i].second)), 0);
        assert_int_equal(amx_program_parse(&program, sources, 2, &diags), row[i].status);
        if (i == 4)
            assert_int_equal(diags.items[0].file, 1);
        amx_program_free(&program);
        diag_list_free(&diags);
        source_close(&sources[0]);
        source_close(&sources[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_stand_where_the_table_says),
        cmocka_unit_test(all_findings_come_in_one_run),
        cmocka_unit_test(lines_of_other_files),
        cmocka_unit_test(warnings_can_be_silenced),
        cmocka_unit_test(lines_may_be_written_freely),
        cmocka_unit_test(operands_survive_printing),
        cmocka_unit_test(programs_survive_printing),
        cmocka_unit_test(mutations_do_no_harm),
        cmocka_unit_test(empty_blocks_end),
        cmocka_unit_test(programs_follow_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
