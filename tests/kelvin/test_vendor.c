/* Programs like the vendor's: C with vendor mnemonics, compiled by Debian's compiler to assembly
 * for takt's assembler, with similar start-up code; and ELF files of the same tools. The programs
 * in tests/kelvin/programs compute their expected results by the formulas of the instruction
 * reference. Skipped if gcc-riscv64-unknown-elf is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define GCC      "riscv64-unknown-elf-gcc -misa-spec=2.2 -mabi=ilp32 -ffreestanding "
#define RV32IM   "-march=rv32im "
#define PROGRAMS "tests/kelvin/programs/"

static bool have_tools(void)
{
    FILE *file = fopen(PROGRAMS "start.S", "r"); /* run from the root */
    if (file)
        fclose(file);
    const bool have = file && system("command -v riscv64-unknown-elf-gcc >/dev/null") == 0;
    if (!have)
        print_message("skipped: no riscv64-unknown-elf-gcc; make test-long installs it\n");
    return have;
}

static void command(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void command(const char *format, ...)
{
    char text[2000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (system(text) != 0)
        fail_msg("%s", text);
}

/* The assembly of a C file. GCC 12 confuses bytes with words when it vectorises for a core without
 * vectors. */
static const char *compiled(const char *source, const char *options, const char *name)
{
    const char *path = takt_temp_path(name);
    command(GCC RV32IM "%s -g -fno-tree-vectorize -fno-tree-loop-distribute-patterns -S -o %s %s",
            options, path, source);
    return path;
}

static const char *const levels[] = {"-O0", "-O1", "-O2", "-Os"};

static void programs_of_each_form(void **state)
{
    (void)state;
    static const char *const names[] = {"arithmetic", "shuffle", "memory", "convolution"};
    if (!have_tools())
        skip();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof levels / sizeof *levels; k += often_long() ? 1 : 2)
            for (unsigned wrong = 0; wrong < 2; wrong++) {
                char source[100], options[100], with[100];
                snprintf(source, sizeof source, PROGRAMS "%s.c", names[i]);
                snprintf(options, sizeof options, "%s -DWRONG=%u", levels[k], wrong);
                snprintf(with, sizeof with, "%s.s", names[i]);
                const char *program = compiled(source, options, with);
                const char *common = compiled(PROGRAMS "common.c", options, "common.s");
                /* Failing checks end with ebreak and, by the vendor's convention, 1. */
                takt_expect(ARGS("run", "--machine", "kelvin", "--functional-only",
                                 PROGRAMS "start.S", program, common),
                            (int)wrong, wrong ? NULL : "ENDED   mpause at 0x",
                            wrong ? "so ends a program that fails its own checks" : NULL);
            }
}

/* Two files of C and C++ that use the same names: each has separate statics and labels; weak
 * functions of both, anchors, constructors, tables and debug information. */
static void files_have_names_of_their_own(void **state)
{
    (void)state;
    static const char first[] =
        "struct Counter { int n; Counter(int v) : n(v) {} virtual int get() { return n; } };\n"
        "struct Twice : Counter { Twice(int v) : Counter(v) {} int get() override { return 2 * n; } };\n"
        "template <typename T> T add(T x, T y) { return x + y; }\n"
        "static int state = 1;\n"
        "static Twice object(21);\n"
        "int table[4] = {1, 2, 3, 4};\n"
        "__attribute__((weak)) int absent();\n"
        "__attribute__((weak)) int chosen() { return 1; }\n"
        "extern int other(int), common;\n"
        "extern Counter *made();\n"
        "int step(int n) { state += n; return add(state, n); }\n"
        "int main()\n"
        "{\n"
        "    if (object.get() != 42) return 1;\n"
        "    if (absent) return 2;\n"
        "    if (chosen() != 7) return 3;\n"
        "    if (step(5) != 11) return 4;\n"
        "    if (other(2) != 104) return 5;\n"
        "    if (made()->get() != 6) return 6;\n"
        "    switch (table[common]) {\n"
        "    case 1: return 7;\n"
        "    case 2: return 8;\n"
        "    case 3: return 9;\n"
        "    case 4: return 0;\n"
        "    case 9: return 10;\n"
        "    }\n"
        "    return 11;\n"
        "}\n";
    static const char second[] =
        "struct Counter { int n; Counter(int v) : n(v) {} virtual int get() { return n; } };\n"
        "template <typename T> T add(T x, T y) { return x + y; }\n"
        "static int state = 100;\n"
        "static Counter object(6);\n"
        "int common = 3;\n"
        "int chosen() { return 7; }\n"
        "int other(int n) { state += n; return add(state, n); }\n"
        "Counter *made() { return &object; }\n";
    if (!have_tools())
        skip();
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        char options[100];
        snprintf(options, sizeof options, "%s -fno-exceptions -fno-rtti", levels[k]);
        const char *a = compiled(takt_temp_file("first.cc", first), options, "first.s");
        const char *b = compiled(takt_temp_file("second.cc", second), options, "second.s");
        takt_expect(ARGS("run", "--machine", "kelvin", PROGRAMS "start.S", a, b), 0,
                    "ENDED   mpause at 0x", NULL);
        takt_expect(ARGS("run", "--machine", "kelvin", PROGRAMS "start.S", b, a), 0,
                    "ENDED   mpause at 0x", NULL);
    }
    /* A name that two files define as global is an error, as for a linker. */
    const char *twice = takt_temp_file("twice.s", ".globl f\nf: ret\n");
    const char *again = takt_temp_file("again.s", ".globl f\nf: ret\n");
    takt_expect(ARGS("run", twice, again), 1, NULL, "f is defined twice, first in line 2 of ");
}

/* --- ELF files -------------------------------------------------------------------------------- */

/* The section of the entry is first; its flags are `flags`. RAM at `origin`. */
static const char *linked(const char *march, const char *text, const char *flags,
                          const char *origin)
{
    static const char script[] = "ENTRY(_start)\n"
                                 "MEMORY { RAM (rwx) : ORIGIN = %s, LENGTH = 4M }\n"
                                 "SECTIONS {\n"
                                 "  ._init : { KEEP(*(._init)) } > RAM\n"
                                 "  .text : { *(.text .text.*) } > RAM\n"
                                 "  .data : { *(.data .data.* .sdata .sdata.*) } > RAM\n"
                                 "  .bss : { *(.bss .bss.* .sbss .sbss.*) } > RAM\n"
                                 "  __stack_end__ = ORIGIN(RAM) + LENGTH(RAM);\n"
                                 "}\n";
    char layout[1000], start[1000];
    snprintf(layout, sizeof layout, script, origin);
    snprintf(
        start, sizeof start,
        ".section ._init, \"%s\"\n.globl _start\n_start: la sp, __stack_end__\n addi sp, sp, -16\n"
        " sw ra, 12(sp)\n call main\n bnez a0, 1f\n .word 0x08000073\n1: ebreak\n",
        flags);
    const char *path = takt_temp_path("program"); /* no extension */
    command(GCC "-march=%s -O1 -mno-relax -nostdlib -static -Wl,--no-warn-rwx-segments "
                "-T %s -o %s %s %s -lgcc",
            march, takt_temp_file("layout.ld", layout), path, takt_temp_file("start.s", start),
            takt_temp_file("main.c", text));
    return path;
}

#define MAIN                                                                                       \
    "int table[3] = {1, 2, 3}; int sum;\nint main(void)\n{\n"                                      \
    "    for (int i = 0; i < 3; i++) sum += table[i];\n    return sum - 6;\n}\n"

static void elf_needs_no_name(void **state)
{
    (void)state;
    static const char *const origins[] = {"0", "0x10000", "0x20000000", "0x80000000"};
    if (!have_tools())
        skip();
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        takt_expect(ARGS("run", linked("rv32im", MAIN, "ax", origins[i])), 0,
                    "ENDED   mpause at 0x", NULL);
        takt_expect(ARGS("run", "--functional-only", linked("rv32im", MAIN, "aw", origins[i])), 0,
                    /* code in a section without the executable flag */
                    "ENDED   mpause at 0x", NULL);
    }
    takt_expect(ARGS("check", linked("rv32im", MAIN, "ax", "0")), 0, NULL, NULL);
    takt_expect(ARGS("run", linked("rv32im", "int main(void) { return 1; }\n", "ax", "0")), 1, NULL,
                "so ends a program that fails its own checks");
    /* With a launch file it belongs to Ventus. */
    const char *elf = linked("rv32im", MAIN, "ax", "0");
    takt_temp_file("program.yaml", "elf: program\n");
    takt_expect(ARGS("run", elf), 1, NULL, NULL);
    remove(takt_temp_path("program.yaml"));
    takt_expect(ARGS("run", takt_temp_file("bytes", "\177ELF and no more")), 2, NULL,
                "does not say which machine it is for");
}

/* The extension in the compiler's -march that the machine lacks. */
static void extensions_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *march, *text, *sentence;
    } rows[] = {
        {"rv32imc", MAIN, "extension C"},
        {"rv32imf", "int main(void) { __asm__ volatile(\"fadd.s f0, f1, f2\"); return 0; }\n",
         "of extension F"},
        {"rv32imfd", "int main(void) { __asm__ volatile(\"fld f0, 0(sp)\"); return 0; }\n",
         "of extension D"},
        {"rv32im_zbb", "int main(void) { __asm__ volatile(\"rol a0, a1, a2\"); return 0; }\n",
         "of extension Zbb"},
        {"rv32im_zbb", "int main(void) { __asm__ volatile(\"andn a0, a1, a2\"); return 0; }\n",
         "of extension Zbb"},
        {"rv32im_zba", "int main(void) { __asm__ volatile(\"sh2add a0, a1, a2\"); return 0; }\n",
         "of extension Zba"},
        {"rv32ima", "int main(void) { __asm__ volatile(\"amoadd.w a0, a1, (sp)\"); return 0; }\n",
         "of extension A"},
        {"rv32imv",
         "int main(void) { __asm__ volatile(\"vsetvli t0, a0, e8, m1, ta, ma\");"
         " return 0; }\n",
         "of extension V"},
    };
    if (!have_tools())
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        takt_expect(ARGS("run", linked(rows[i].march, rows[i].text, "ax", "0")), 1, NULL,
                    rows[i].sentence);
}

/* The same for assembly texts, without a compiler. */
static void extensions_of_texts(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"c.addi a0, 1\n", "extension C"},        {"fadd.s f0, f1, f2\n", "extension F"},
        {"fld f0, 0(sp)\n", "extension D"},       {"rol a0, a1, a2\n", "extension Zbb"},
        {"sh1add a0, a1, a2\n", "extension Zba"}, {"bseti a0, a1, 3\n", "extension Zbs"},
        {"lr.w a0, (a1)\n", "extension A"},       {"vsetvli t0, a0, e8\n", "extension V"},
        {"vadd.vi v0, v1, 3\n", "extension V"},   {"frobnicate a0\n", "there is no instruction"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        takt_expect(ARGS("check", takt_temp_file("text.kelvin", rows[i][0])), 1, NULL, rows[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_of_each_form), cmocka_unit_test(files_have_names_of_their_own),
        cmocka_unit_test(elf_needs_no_name), cmocka_unit_test(extensions_are_named),
        cmocka_unit_test(extensions_of_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
