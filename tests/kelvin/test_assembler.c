/* The assembler's data, expressions and sections: bytes by hand and by GNU as (of
 * gcc-riscv64-unknown-elf; skipped if it is missing). Errors: tests/cases/kelvin/assembler.case. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/riscv/piece.h"
#include "tests/dice.h"
#include "tests/kelvin/rig.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define TOOL "riscv64-unknown-elf-"
enum { MOST = 1 << 16, DATA = 16 }; /* DATA: after one instruction, aligned to 16 */

/* --- bytes ------------------------------------------------------------------------------------ */

/* The data bytes of a program that begins with one instruction. Returns their number. */
static size_t bytes_of(const char *statements, uint8_t *bytes)
{
    struct rig rig;
    char *text = NULL;
    size_t size, end = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, ".text\nmpause\n.data\n%s\n", statements);
    fclose(out);
    rig_load(&rig, text);
    memset(bytes, 0, MOST);
    for (size_t i = 0; i < rig.program.image.segment_count; i++) {
        const struct riscv_segment *segment = &rig.program.image.segments[i];
        assert_in_range(segment->address + segment->size, 4, MOST);
        if (segment->filled)
            memcpy(bytes + segment->address, segment->bytes, segment->filled);
        if (segment->address + segment->size > end)
            end = segment->address + segment->size;
    }
    memmove(bytes, bytes + DATA, MOST - DATA);
    rig_free(&rig);
    free(text);
    return end > DATA ? end - DATA : 0;
}

static bool have_tools(void)
{
    return system("command -v " TOOL "as >/dev/null") == 0;
}

/* The same with GNU as. */
static size_t theirs(const char *statements, uint8_t *bytes)
{
    char *text = NULL, source[256], line[1200];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, ".data\n%s\n", statements);
    fclose(out);
    snprintf(source, sizeof source, "%s", takt_temp_file("data.s", text));
    free(text);
    snprintf(line, sizeof line,
             TOOL "as -march=rv32im -o %s.o %s && " TOOL "objcopy -O binary -j .data %s.o %s.bin",
             source, source, source, source);
    if (system(line) != 0)
        fail_msg("%s", statements);
    snprintf(line, sizeof line, "%s.bin", source);
    char *all = takt_read_file(line, &size);
    assert_non_null(all);
    assert_true(size <= MOST);
    memset(bytes, 0, MOST);
    memcpy(bytes, all, size);
    free(all);
    return size;
}

static const struct {
    const char *text, *hex;
} known[] = {
    {".byte 1, -1, 255, -128", "01ffff80"},
    {".half 1, -2\n.short 3\n.2byte 4\n.hword 5", "0100feff030004000500"},
    {".word 1\n.long 2\n.4byte 3\n.int -4", "010000000200000003000000fcffffff"},
    {".dword 1\n.quad -2\n.8byte 0x123456789abcdef0", "0100000000000000feffffffffffffff"
                                                      "f0debc9a78563412"},
    {".byte 010, 0x1f, 0X1F, 0b101, 0B11, 0", "081f1f050300"},
    {".byte 'a, 'b', '\\n, '\\\\, ''', ';', '#', '\"' # '", "61620a5c273b2322"},
    {".byte '\\t, ' ', '\\b'", "092008"},
    {".ascii \"a\\101\\x41\\tq\\\"\\\\\\n\\r\\b\\f\\0z\", \"b\"", "6141410971225c0a0d080c007a62"},
    {".asciz \"x\", \"y\" ; .string \"t\"", "780079007400"},
    {".ascii \"a;b#c//d/*e\"", "613b6223632f2f642f2a65"},
    {".ascii \"\"\n.byte 1", "01"},
    {".fill 2, 2, 0x123", "23012301"},
    {".fill 3\n.byte 1", "00000001"},
    {".fill 0, 4, 1\n.byte 1", "01"},
    {".zero 2\n.skip 2, 7\n.space 1, -1\n.byte 2", "00000707ff02"},
    {".byte 1\n.align 2\n.byte 2", "0100000002"},
    {".byte 1\n.balign 4\n.p2align 1\n.byte 2", "0100000002"},
    {".byte 1\n.balign 1\n.byte 2", "0102"},
    {".byte 1\n.org 4\n.byte 2", "0100000002"},
    {".float 1.5, -0.1\n.single 1e10, 0.0", "0000c03fcdccccbdf902155000000000"},
    {".byte 1 /* one */, /* two */ 2", "0102"},
    {"/* over\nlines */ .byte 3", "03"},
    {".byte 1;.byte 2 ; .byte 3;", "010203"},
    {"a: b: .byte b-a, 1f-a, a-1f\n1: .byte 2f-1b\n2:", "0003fd01"},
    {"1: .byte 1f-1b\n1: .byte .-1b", "0100"},
    {".set x, 5\n.equ y, x+1\nz = y*2\n.byte x, y, z\nx = 9\n.byte x", "05060c09"},
    {".byte later\nlater = 3", "03"},
    {".type a, @object\n.size a, 4\n.globl a, c\n.weak a\n.local b\na: .byte 1\n.cfi_sections .debug_frame",
     "01"},
    {".file \"x\"\n.ident \"y\"\n.option norvc\n.hidden a\na: .byte 1", "01"},
    /* Higher precedence first: products and shifts, bits, sums, comparisons, && and ||. */
    {".byte 1+2|4, 1<<2+1, 7&3+1, 6|1*2, 2^3+1, 1|2^3, 8>>1<<2, 12/3*2, 10-3-2",
     "070504060200100805"},
    {".byte 1+2==3, 3==1+2, 5-3>1, 1<2+3, 6&2==2, 7!=2, 7<>2, 2>=2, 2<=1, 3>=4, 3>3",
     "ffffffffffffffff000000"},
    {".byte 1&&0||1, 1||0&&0, 0||3==3, 5&&0, 5||0, 0||0, 7!2", "0101010001"
                                                               "00ff"},
    {".byte -~1, ~5, !5, !!5, - 3, +4, 2*-3, (1+2)*(3-1), ((((7))))", "02fa0001fd04fa0607"},
    {".dword -8 >> 1, -1 << 63, -7/2, -7%3, 7%-3", "fcffffffffffff7f0000000000000080fdffffffffff"
                                                   "ffffffffffffffffffff0100000000000000"},
    {".dword 18446744073709551615, 0x8000000000000000", "ffffffffffffffff0000000000000080"},
};

static void expect_bytes(const char *text, const char *hex, const uint8_t *bytes, size_t size,
                         const char *whose)
{
    bool same = strlen(hex) == 2 * size;
    for (size_t i = 0; same && i < size; i++) {
        unsigned byte;
        same = sscanf(hex + 2 * i, "%2x", &byte) == 1 && byte == bytes[i];
    }
    if (same)
        return;
    for (size_t i = 0; i < size; i++)
        print_error("%02x", bytes[i]);
    fail_msg(" are %s bytes of %s", whose, text);
}

static void data_by_hand(void **state)
{
    (void)state;
    static uint8_t bytes[MOST];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t size = bytes_of(known[i].text, bytes);
        expect_bytes(known[i].text, known[i].hex, bytes, size, "our");
    }
}

static void data_by_the_other(void **state)
{
    (void)state;
    static uint8_t bytes[MOST];
    if (!have_tools())
        skip(); /* installed by make test-long */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t size = theirs(known[i].text, bytes);
        expect_bytes(known[i].text, known[i].hex, bytes, size, "their");
    }
}

static struct dice dice = {3};

static uint64_t below(uint64_t limit)
{
    return dice_below(&dice, limit);
}

/* Shifts and divisions have a small number on the right; GNU as rejects others. */
static void write_expression(FILE *out, unsigned depth)
{
    static const char *const signs[] = {"-", "~", "!", "+", "- -"};
    static const char *const operators[] = {"+",  "-",  "*", "|", "&",  "^",  "!",
                                            "==", "!=", "<", ">", "<=", ">=", "<>",
                                            "&&", "||", "/", "%", "<<", ">>"};
    enum { FREE = 16, COUNT = sizeof operators / sizeof *operators };
    if (below(6) == 0)
        fputs(signs[below(5)], out);
    if (depth && below(4) == 0) {
        fputc('(', out);
        write_expression(out, depth - 1);
        fputc(')', out);
    } else {
        static const char *const forms[] = {"%" PRIu64, "0x%" PRIx64, "0%" PRIo64};
        const uint64_t number = dice_next(&dice) >> below(64);
        fprintf(out, forms[below(3)], number);
    }
    for (unsigned more = (unsigned)below(4); depth && more > 0; more--) {
        const unsigned which = (unsigned)below(COUNT);
        fprintf(out, below(2) ? " %s " : "%s", operators[which]);
        if (which >= FREE)
            fprintf(out, "%" PRIu64, 1 + below(which < FREE + 2 ? 1000 : 63));
        else
            write_expression(out, depth - 1);
    }
}

static void expressions_at_random(void **state)
{
    (void)state;
    enum { LINES = 300 };
    static uint8_t ours[MOST], other[MOST];
    if (!have_tools())
        skip(); /* installed by make test-long */
    for (size_t round = 0; round < often(2); round++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        for (unsigned i = 0; i < LINES; i++) {
            fputs(".dword ", out);
            write_expression(out, 3);
            fputc('\n', out);
        }
        fclose(out);
        const size_t count = bytes_of(text, ours);
        assert_int_equal(theirs(text, other), count);
        const char *line = text;
        for (size_t i = 0; i < LINES; i++, line = strchr(line, '\n') + 1)
            if (memcmp(ours + 8 * i, other + 8 * i, 8) != 0)
                fail_msg("%.*s", (int)strcspn(line, "\n"), line);
        free(text);
    }
}

/* --- sections --------------------------------------------------------------------------------- */

/* Each kind in its order, sections of a kind in order of appearance, aligned to 16 or as
 * required. */
static void sections_lie_in_order(void **state)
{
    (void)state;
    static const char text[] = ".section .rodata.x, \"a\", @progbits\n"
                               "constant: .byte 2\n"
                               ".section \".data.y\", \"aw\"\n"
                               "first: .byte 3\n"
                               ".previous\n"
                               ".byte 4\n"
                               ".section .init\n"
                               "start: nop\n"
                               ".text\n"
                               "lla a0, constant\nlla a1, first\nlla a2, zeros\nlla a3, shared\n"
                               "lla a4, more\nlla a5, late\nlla a6, own\nmpause\n"
                               ".bss\n"
                               ".balign 64\n"
                               "zeros: .zero 3\n"
                               ".comm shared, 8, 32\n"
                               ".comm late, 4\n"
                               ".rodata\n"
                               "more: .byte 5\n"
                               ".section .own, \"ax\"\n"
                               "own: nop\n";
    /* .init: 4 bytes at 0; .text: 8 instructions, of which 7 are two words, at 16; .own: 4 bytes at
     * 80; .rodata.x: 2 bytes at 96; .rodata: 1 at 112; .data.y: 1 at 128; .bss: at 192. */
    expect_registers(text, (const uint32_t[]){10, 11, 12, 13, 14, 15, 16},
                     (const uint32_t[]){96, 128, 192, 224, 112, 232, 80}, 7);
}

/* Of a text, what names its own place by . cannot be moved; other points are of names and of
 * numbers (functional/riscv/piece.h). */
static void what_names_its_place_stays(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool fixed;
    } lines[] = {{"_start: li a0, 5", false},
                 {"addi a1, x0, . - _start", true},
                 {".Lone: addi a2, x0, 1", false},
                 {"addi a3, x0, _start - .", true},
                 {"addi a4, x0, .Lone - _start", false},
                 {"la a5, .", true},
                 {"vld.w.x v0, a0", false},
                 {"mpause", false}};
    enum { LINES = sizeof lines / sizeof *lines };
    char text[400] = "";
    for (size_t i = 0; i < LINES; i++) {
        strcat(text, lines[i].text);
        strcat(text, "\n");
    }
    struct rig rig;
    struct riscv_pieces pieces;
    rig_load(&rig, text);
    assert_int_equal(riscv_pieces_find(&pieces, &rig.program.image, &rig.source, NULL), 0);
    assert_int_equal(pieces.count, LINES);
    for (size_t i = 0; i < LINES; i++)
        if (pieces.items[i].fixed != lines[i].fixed)
            fail_msg("%s", lines[i].text);
    riscv_pieces_free(&pieces);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_by_hand),
        cmocka_unit_test(data_by_the_other),
        cmocka_unit_test(expressions_at_random),
        cmocka_unit_test(sections_lie_in_order),
        cmocka_unit_test(what_names_its_place_stays),
    };
    return cmocka_run_group_tests_name("assembler", tests, NULL, NULL);
}
