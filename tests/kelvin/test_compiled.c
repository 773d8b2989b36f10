/* Programs built by Debian's cross tools (gcc-riscv64-unknown-elf; skipped if it is missing):
 * complete programs that check themselves, a suite per scalar instruction against plain C, and the
 * words of both assemblers. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/kelvin/exec.h"
#include "tests/dice.h"
#include "tests/kelvin/scalar.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define TOOL    "riscv64-unknown-elf-"
#define FLAGS   "-march=rv32im -misa-spec=2.2 -mabi=ilp32"
#define SOURCES "examples/kelvin/c/"

static bool have_tools(void)
{
    FILE *file = fopen(SOURCES "start.S", "r"); /* run from the root */
    if (file)
        fclose(file);
    const bool have = file && system("command -v " TOOL "gcc >/dev/null") == 0;
    if (!have)
        print_message("skipped: no " TOOL "gcc; make test-long installs it\n");
    return have;
}

static void command(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void command(const char *format, ...)
{
    char text[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (system(text) != 0)
        fail_msg("%s", text);
}

/* --- complete programs ------------------------------------------------------------------------ */

static const char *build(const char *source, const char *level)
{
    const char *path = takt_temp_path("program.elf");
    command(TOOL "gcc " FLAGS " %s -g -nostdlib -static -ffreestanding -fno-exceptions"
                 " -Wl,--no-warn-rwx-segments -T " SOURCES "link.ld -o %s " SOURCES
                 "start.S %s -lgcc",
            level, path, source);
    return path;
}

static const char *const levels[] = {"-O0", "-O1", "-O2", "-Os"};

static void programs_check_themselves(void **state)
{
    (void)state;
    if (!have_tools())
        skip();
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i += often_long() ? 1 : 2) {
        takt_expect(ARGS("run", "--machine", "kelvin", "--quiet", "--dump", "-",
                         build(SOURCES "hello.c", levels[i])),
                    0, "fib ten is 55, 76\n", NULL); /* 1234 / 7 % 100 */
        takt_expect(ARGS("run", "--machine", "kelvin", build(SOURCES "vectors.cc", levels[i])), 0,
                    "ENDED   mpause at 0x", NULL);
    }
}

/* The linker drops a function, whose line rows are then at address 0, like the start-up code. */
static void dropped_functions_have_no_lines(void **state)
{
    (void)state;
    if (!have_tools())
        skip();
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("int unused(volatile int *at)\n{\n", out);
    for (unsigned i = 0; i < 100; i++)
        fputs("    *at = *at * 3;\n", out);
    fputs("    return *at;\n}\nint main(void)\n{\n    return 0;\n}\n", out);
    fclose(out);
    const char *path =
        build(takt_temp_file("dropped.c", text), "-O1 -ffunction-sections -Wl,--gc-sections");
    takt_expect(ARGS("run", "--machine", "kelvin", path), 0, "_start+0x54, start.S:28)", NULL);
    free(text);
}

/* Time by source line and by function. */
static void reports_have_source_lines(void **state)
{
    (void)state;
    if (!have_tools())
        skip();
    const char *trace = takt_temp_path("program.db");
    takt_expect(ARGS("run", "--machine", "kelvin", "--quiet", "--trace", trace,
                     build(SOURCES "hello.c", "-O1")),
                0, NULL, NULL);
    takt_expect(ARGS("report", trace), 0, "hello.c:", NULL);
    takt_expect(ARGS("report", trace), 0, "start.S:", NULL);
    takt_expect(ARGS("query", trace, "SELECT name FROM region"), 0, "fib", NULL);
}

static void faults_name_their_place(void **state)
{
    (void)state;
    if (!have_tools())
        skip();
    static const char text[] = "static int clear(int *at)\n{\n    return *at = 0;\n}\n"
                               "int main(void)\n{\n    return clear((int *)0x400000);\n}\n";
    const char *path = build(takt_temp_file("fault.c", text), "-O0");
    takt_expect(ARGS("run", "--machine", "kelvin", path), 1, NULL, "(clear+0x");
    takt_expect(ARGS("run", "--machine", "kelvin", path), 1, NULL, "fault.c:3)");
    takt_expect(ARGS("run", "--machine", "kelvin", path), 1, NULL,
                "usage fault: a store to 0x400000, outside of memory at 0x");
}

/* --- a suite per instruction ------------------------------------------------------------------ */

struct suite {
    char *text;
    size_t size;
    FILE *out;
    uint32_t expected[8192];
    char cases[8192][40];
    size_t count;
};

/* The result of the code before it is in t0. */
static void expect(struct suite *s, uint32_t value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void expect(struct suite *s, uint32_t value, const char *format, ...)
{
    va_list args;
    assert_true(s->count < sizeof s->expected / sizeof *s->expected);
    va_start(args, format);
    vsnprintf(s->cases[s->count], sizeof s->cases[0], format, args);
    va_end(args);
    s->expected[s->count++] = value;
    fputs(" sw t0, 0(s0)\n addi s0, s0, 4\n", s->out);
}

static void begin(struct suite *s)
{
    *s = (struct suite){.count = 0};
    s->out = open_memstream(&s->text, &s->size);
    fputs(".globl _start\n_start: la s0, results\n", s->out);
}

/* As GNU as assembles the text. */
static struct source assembled(const char *text)
{
    const char *object = takt_temp_path("suite.o"), *path = takt_temp_path("suite.elf");
    command(TOOL "as " FLAGS " -o %s %s", object, takt_temp_file("suite.s", text));
    command(TOOL "ld -melf32lriscv --no-relax --no-warn-rwx-segments -Ttext=0 -o %s %s", path,
            object);
    struct source source;
    char error[200];
    if (source_open(&source, path, error, sizeof error) != 0)
        fail_msg("%s", error);
    return source;
}

static void check(struct suite *s)
{
    fprintf(s->out, " .word 0x08000073\n .bss\n .balign 8\n .globl results\nresults: .zero %zu\n",
            4 * s->count + 8);
    fclose(s->out);
    struct source source = assembled(s->text);
    struct kelvin_program program;
    struct diag_list diags;
    char error[200];
    static uint64_t words[8192];
    diag_list_init(&diags);
    assert_int_equal(kelvin_program_load(&program, &source, 1, &diags), 0);
    struct kelvin_exec *exec = kelvin_exec_new(&program, &(struct kelvin_exec_options){0});
    assert_non_null(exec);
    kelvin_exec_advance(exec, UINT64_MAX, NULL);
    if (kelvin_exec_end(exec) != KELVIN_ENDED)
        fail_msg("%s", kelvin_exec_sentence(exec));
    const struct place_owner places = kelvin_exec_places(exec);
    if (place_get(&places, "m:results", words, s->count / 2 + 1, error, sizeof error) != 0)
        fail_msg("%s", error);
    for (size_t i = 0; i < s->count; i++) {
        const uint32_t is = (uint32_t)(words[i / 2] >> 32 * (i % 2));
        if (is != s->expected[i])
            fail_msg("%s: 0x%" PRIx32 ", not 0x%" PRIx32, s->cases[i], is, s->expected[i]);
    }
    kelvin_exec_free(exec);
    kelvin_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
    free(s->text);
}

static const uint32_t edges[] = {0,          1,          2,     31,         32,         0x7ff,
                                 0x7fffffff, 0x80000000, 65535, 0x80000001, 0xfffffffe, UINT32_MAX};
enum { EDGES = sizeof edges / sizeof *edges };

static void set(struct suite *s, const char *name, uint32_t value)
{
    fprintf(s->out, " li %s, %" PRId64 "\n", name, scalar_sign(value));
}

static void arithmetic(void **state)
{
    (void)state;
    static const uint8_t immediates[] = {0, 2, 3, 4, 5, 6, 7, 8, 9};
    static const int numbers[] = {-2048, -1, 0, 1, 2047};
    static struct suite s;
    if (!have_tools())
        skip();
    begin(&s);
    for (unsigned name = 0; name < SCALAR_NAMES; name++)
        for (unsigned i = 0; i < EDGES * EDGES; i++) {
            const uint32_t a = edges[i / EDGES], b = edges[i % EDGES];
            set(&s, "t1", a);
            set(&s, "t2", b);
            fprintf(s.out, " %s t0, t1, t2\n", scalar_names[name]);
            expect(&s, scalar_value(name, a, b), "%s 0x%x 0x%x", scalar_names[name], a, b);
        }
    for (unsigned k = 0; k < sizeof immediates; k++)
        for (unsigned i = 0; i < EDGES * 5; i++) {
            const unsigned name = immediates[k];
            const bool shift = name == 2 || name == 6 || name == 7;
            const uint32_t a = edges[i / 5];
            const int b = shift ? numbers[i % 5] & 31 : numbers[i % 5];
            set(&s, "t1", a);
            fprintf(s.out, " %.3si%s t0, t1, %d\n", scalar_names[name], name == 4 ? "u" : "", b);
            expect(&s, scalar_value(name, a, (uint32_t)b), "%si 0x%x %d", scalar_names[name], a, b);
        }
    for (unsigned i = 0; i < 20; i++) {
        const uint32_t upper = i < 2 ? 0xfffff * i : UINT32_C(1) << (i - 1);
        fprintf(s.out, " lui t0, 0x%x\n", upper);
        expect(&s, upper << 12, "lui 0x%x", upper);
        fprintf(s.out, " auipc t0, 0x%x\n auipc t1, 0\n addi t1, t1, -4\n sub t0, t0, t1\n", upper);
        expect(&s, upper << 12, "auipc 0x%x", upper);
    }
    check(&s);
}

static void branches(void **state)
{
    (void)state;
    static const char *const names[] = {"beq", "bne", "blt", "bge", "bltu", "bgeu"};
    static struct suite s;
    if (!have_tools())
        skip();
    begin(&s);
    for (unsigned name = 0; name < 6; name++)
        for (unsigned i = 0; i < EDGES * EDGES; i++) {
            const uint32_t a = edges[i / EDGES], b = edges[i % EDGES];
            const bool less = name < 4 ? scalar_sign(a) < scalar_sign(b) : a < b;
            const bool taken = (name < 2 ? a == b : less) != (name % 2 != 0);
            set(&s, "t1", a);
            set(&s, "t2", b);
            fprintf(s.out, " li t0, 1\n %s t1, t2, 1f\n li t0, 0\n1:\n", names[name]);
            expect(&s, taken, "%s 0x%x 0x%x", names[name], a, b);
            /* The same to a lower address. */
            fprintf(s.out, " li t0, 2\n j 2f\n1: li t0, 3\n j 3f\n2: %s t1, t2, 1b\n3:\n",
                    names[name]);
            expect(&s, taken ? 3 : 2, "%s 0x%x 0x%x, back", names[name], a, b);
        }
    fputs(" la t1, 1f+1\n jalr t2, 0(t1)\n1: auipc t0, 0\n sub t0, t0, t2\n", s.out);
    expect(&s, 0, "jalr to an odd address");
    fputs(" jal t2, 1f\n li t2, 0\n1: auipc t0, 0\n sub t0, t0, t2\n", s.out);
    expect(&s, 4, "jal");
    fputs(" la t1, 1f\n jalr t1, 0(t1)\n li t0, 7\n1: la t0, 1b-4\n sub t0, t0, t1\n", s.out);
    expect(&s, 0, "jalr to the register that it writes");
    check(&s);
}

static void memory(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned bytes;
        bool is_signed;
    } loads[] = {
        {"lb", 1, true}, {"lh", 2, true}, {"lw", 4, true}, {"lbu", 1, false}, {"lhu", 2, false}};
    static const char *const stores[] = {"sb", "sh", "sw"};
    static const uint8_t data[] = {0x80, 0x7f, 0xff, 0,    1,    0xfe, 0x81, 0x7e,
                                   0,    0x80, 0x12, 0xf4, 0xff, 0xff, 0x55, 0xaa};
    static struct suite s;
    if (!have_tools())
        skip();
    begin(&s);
    for (unsigned i = 0; i < 5; i++)
        for (unsigned at = 0; at + loads[i].bytes <= sizeof data; at++) {
            uint32_t value = 0;
            for (unsigned k = 0; k < loads[i].bytes; k++)
                value += (uint32_t)data[at + k] << 8 * k;
            const bool negative = loads[i].is_signed && data[at + loads[i].bytes - 1] > 127;
            for (unsigned k = loads[i].bytes; negative && k < 4; k++)
                value += UINT32_C(255) << 8 * k;
            fprintf(s.out, " la t1, data+8\n %s t0, %d(t1)\n", loads[i].name, (int)at - 8);
            expect(&s, value, "%s %u", loads[i].name, at);
        }
    for (unsigned i = 0; i < 3; i++)
        for (unsigned at = 0; at < 4; at++) {
            uint8_t bytes[8];
            memset(bytes, 0x11, sizeof bytes);
            for (unsigned k = 0; k < 1u << i; k++)
                bytes[at + k] = (uint8_t)(0xdeadbeef >> 8 * k);
            fputs(" la t1, spare+8\n li t2, 0x11111111\n sw t2, -8(t1)\n sw t2, -4(t1)\n", s.out);
            fprintf(s.out, " li t2, 0xdeadbeef\n %s t2, %d(t1)\n", stores[i], (int)at - 8);
            for (unsigned word = 0; word < 2; word++) {
                uint32_t value = 0;
                for (unsigned k = 0; k < 4; k++)
                    value += (uint32_t)bytes[4 * word + k] << 8 * k;
                fprintf(s.out, " lw t0, %d(t1)\n", (int)(4 * word) - 8);
                expect(&s, value, "%s %u, word %u", stores[i], at, word);
            }
        }
    fputs(" .data\ndata: .byte ", s.out);
    for (unsigned i = 0; i < sizeof data; i++)
        fprintf(s.out, "%s0x%x", i ? ", " : "", data[i]);
    fputs("\nspare: .zero 16\n .text\n", s.out);
    check(&s);
}

static void csrs(void **state)
{
    (void)state;
    static const char *const names[] = {"csrrw", "csrrs", "csrrc"};
    static struct suite s;
    if (!have_tools())
        skip();
    begin(&s);
    for (unsigned name = 0; name < 3; name++)
        for (unsigned i = 0; i < EDGES * EDGES; i++) {
            const uint32_t old = edges[i / EDGES], b = edges[i % EDGES];
            for (unsigned immediate = 0; immediate < 2; immediate++) {
                const uint32_t operand = immediate ? b & 31 : b;
                const uint32_t both = scalar_value(9, old, operand);
                const uint32_t value = name == 0   ? operand
                                       : name == 1 ? old + operand - both
                                                   : old - both;
                set(&s, "t1", old);
                fputs(" csrw mscratch, t1\n", s.out);
                set(&s, "t2", b);
                if (immediate)
                    fprintf(s.out, " %si t0, mscratch, %u\n", names[name], operand);
                else
                    fprintf(s.out, " %s t0, mscratch, t2\n", names[name]);
                expect(&s, old, "%s 0x%x 0x%x, rd", names[name], old, b);
                fputs(" csrr t0, mscratch\n", s.out);
                expect(&s, value, "%s 0x%x 0x%x", names[name], old, b);
            }
        }
    check(&s);
}

/* --- both assemblers -------------------------------------------------------------------------- */

static void add_random(FILE *out, struct dice *dice)
{
    static const char *const pseudo[] = {"mv", "not", "neg", "seqz", "snez", "sltz", "sgtz"};
    static const char *const targets[] = {"beq", "bne",  "blt", "bge",  "bltu",
                                          "bgt", "bgtu", "ble", "bleu", "bgeu"};
    static const char *const zero[] = {"beqz", "bnez", "blez", "bgez", "bltz", "bgtz"};
    static const char *const csr[] = {"csrr a0, mcycle",
                                      "csrw mtvec, a1",
                                      "csrs mepc, a2",
                                      "csrc mscratch, t0",
                                      "csrwi mcause, 3",
                                      "csrsi mscratch, 31",
                                      "csrci mscratch, 16",
                                      "fence rw, w",
                                      "fence",
                                      "fence.i",
                                      "ecall",
                                      "ebreak",
                                      "mret",
                                      "nop",
                                      "ret"};
    const unsigned d = (unsigned)dice_below(dice, 32), a = (unsigned)dice_below(dice, 32),
                   b = (unsigned)dice_below(dice, 32);
    const int number = (int)dice_below(dice, 4096) - 2048, label = (int)dice_below(dice, 8);
    switch (dice_below(dice, 9)) {
    case 0:
        fprintf(out, " %s x%u, x%u\n", pseudo[dice_below(dice, 7)], d, a);
        return;
    case 1:
        fprintf(out, " %s x%u, x%u, l%d\n", targets[dice_below(dice, 10)], a, b, label);
        return;
    case 2:
        fprintf(out, " %s x%u, l%d\n", zero[dice_below(dice, 6)], a, label);
        return;
    case 3:
        fprintf(out, " %s\n", csr[dice_below(dice, sizeof csr / sizeof *csr)]);
        return;
    case 4:
        fprintf(out, " li x%u, %" PRId64 "\n", d, scalar_sign((uint32_t)dice_next(dice)));
        return;
    case 5:
        fprintf(out, " %c%c x%u, %d(x%u)\n", "ls"[dice_below(dice, 2)], "bhw"[dice_below(dice, 3)],
                d, number, a);
        return;
    case 6:
        fprintf(out, dice_below(dice, 2) ? " j l%d\n" : " jal l%d\n", label);
        return;
    case 7:
        fprintf(out, " %s x%u, x%u, %d\n slti x%u, x%u, %d\n", "addi", d, a, number, b, a, number);
        return;
    default:
        fprintf(out, " %s x%u, x%u, x%u\n", scalar_names[dice_below(dice, SCALAR_NAMES)], d, a, b);
    }
}

static void assemblers_agree(void **state)
{
    (void)state;
    if (!have_tools())
        skip();
    for (size_t round = 0; round < often(10); round++) {
        struct dice dice = {round * 31 + 7};
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        fputs(" .globl _start\n_start:\n", out);
        for (unsigned i = 0; i < 400; i++) {
            if (i % 50 == 0)
                fprintf(out, "l%u:\n", i / 50);
            add_random(out, &dice);
        }
        fclose(out);
        struct source sources[2] = {assembled(text)};
        assert_int_equal(source_from_text(&sources[1], "suite.s", text, size), 0);
        struct kelvin_program programs[2];
        struct diag_list diags;
        diag_list_init(&diags);
        for (unsigned i = 0; i < 2; i++)
            if (kelvin_program_load(&programs[i], &sources[i], 1, &diags) != 0) {
                diag_print(&diags, &sources[i], 1, stderr, false);
                fail_msg("not loaded: %u", i);
            }
        const struct riscv_image *theirs = &programs[0].image, *ours = &programs[1].image;
        for (size_t i = 0; i < theirs->stmt_count && i < ours->stmt_count; i++)
            if (theirs->stmts[i].word != ours->stmts[i].word)
                fail_msg("line %u: 0x%08" PRIx32 ", not 0x%08" PRIx32 "\n%s", ours->stmts[i].line,
                         ours->stmts[i].word, theirs->stmts[i].word, text);
        assert_int_equal(theirs->stmt_count, ours->stmt_count);
        for (unsigned i = 0; i < 2; i++) {
            kelvin_program_free(&programs[i]);
            source_close(&sources[i]);
        }
        diag_list_free(&diags);
        free(text);
    }
}

/* --- reading words ---------------------------------------------------------------------------- */

/* Most of them instructions of insn.def; none is longer than 32 bits. */
static uint32_t random_word(struct dice *dice)
{
    uint32_t word = (uint32_t)dice_next(dice);
    const struct riscv_row *row = &riscv_rows[dice_below(dice, RISCV_INSN_COUNT)];
    if (dice_below(dice, 8))
        word = (word & ~row->mask) | row->match;
    word |= 3;
    return (word & 0x1c) == 0x1c ? word & ~UINT32_C(0x10) : word;
}

/* The same names and numbers in the same order, in any number format. */
static bool alike(const char *a, const char *b)
{
    static const char marks[] = " \t,()";
    for (;;) {
        a += strspn(a, marks);
        b += strspn(b, marks);
        const size_t x = strcspn(a, marks), y = strcspn(b, marks);
        char *a_end, *b_end;
        if (!x || !y)
            return x == y;
        if ((x != y || memcmp(a, b, x) != 0) &&
            (strtoll(a, &a_end, 0) != strtoll(b, &b_end, 0) || a_end != a + x || b_end != b + y))
            return false;
        a += x;
        b += y;
    }
}

static void expect_alike(uint32_t address, uint32_t word, const char *theirs)
{
    char text[RISCV_TEXT], target[16], csr[20] = "";
    struct riscv_op op;
    if (!riscv_decode(word, KELVIN_EXTENSIONS, &op) || riscv_encode(&op) != word) {
        if ((word & 0x0200307f) == 0x02001013)
            return; /* a shift by more than 31: objdump prints it, the manual reserves it */
        if (riscv_find(theirs, strcspn(theirs, " \t"), KELVIN_EXTENSIONS) != RISCV_INSN_COUNT)
            fail_msg("%08" PRIx32 " is %s", word, theirs);
        return;
    }
    snprintf(target, sizeof target, "0x%" PRIx32, address + (uint32_t)op.imm);
    if (riscv_is_csr(op.insn)) { /* it may have a name in one of them */
        const char *from = strchr(theirs, ',');
        assert_non_null(from);
        snprintf(csr, sizeof csr, "%.*s", (int)strcspn(from + 1, ","), from + 1);
        assert_true(*csr != '0' || strtol(csr, NULL, 0) == op.imm);
    }
    riscv_print(&op, target, *csr ? csr : NULL, text);
    if (!strstr(theirs, "unknown") && !alike(text, theirs)) /* a fence without bits */
        fail_msg("%08" PRIx32 " is %s, not %s", word, theirs, text);
}

/* GNU objdump, limited to the scalar instructions, and ours. */
static void words_read_alike(void **state)
{
    (void)state;
    enum { WORDS = 20000 };
    static uint32_t words[WORDS];
    struct dice dice = {11};
    if (!have_tools())
        skip();
    for (size_t i = 0; i < WORDS; i++)
        words[i] = random_word(&dice);
    const char *path = takt_temp_path("words.bin"), *listing = takt_temp_path("words.txt");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fwrite(words, sizeof words, 1, file); /* both sides are little-endian */
    fclose(file);
    command(TOOL "objdump -b binary -m riscv:rv32 -M no-aliases -D %s > %s", path, listing);
    char *text = takt_read_file(listing, NULL);
    assert_non_null(text);
    size_t count = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned address, word;
        int used = 0;
        if (sscanf(line, " %x: %x %n", &address, &word, &used) != 2 || !used)
            continue;
        char *end = strstr(line, " <");
        end = end ? end : strstr(line, " #");
        if (end)
            *end = '\0';
        assert_int_equal(word, words[address / 4]);
        expect_alike(address, word, line + used);
        count++;
    }
    assert_int_equal(count, WORDS);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_check_themselves),
        cmocka_unit_test(dropped_functions_have_no_lines),
        cmocka_unit_test(reports_have_source_lines),
        cmocka_unit_test(faults_name_their_place),
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(branches),
        cmocka_unit_test(memory),
        cmocka_unit_test(csrs),
        cmocka_unit_test(assemblers_agree),
        cmocka_unit_test(words_read_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
