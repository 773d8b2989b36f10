/*
 * ELF files with a launch in YAML: what they start with, from either of both files, every malformed
 * one with its place, and texts that are damaged at random. The line table is that of a file that
 * GNU as has made, where it is there.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "functional/ventus/program.h"
#include "functional/ventus/run.h"
#include "tests/dice.h"
#include "tests/often.h"
#include "tests/takt_process.h"

static char root[] = "/tmp/takt-ventus-XXXXXX";
static char said[600];
static struct source source;
static struct ventus_program program;

/* csrr x5, knl; lw x5, 4(x5); lw x6, 0(x5); lw x7, 4(x5); sw x7, 8(x6); endprg: the second argument
 * goes into the third word of the first one's buffer. */
struct file {
    Elf32_Ehdr header;
    Elf32_Phdr segment;
    uint32_t code[6];
};

static const struct file good = {
    .header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
               .e_type = ET_EXEC,
               .e_machine = 243,
               .e_version = EV_CURRENT,
               .e_entry = 0x80000000,
               .e_phoff = sizeof(Elf32_Ehdr),
               .e_ehsize = sizeof(Elf32_Ehdr),
               .e_phentsize = sizeof(Elf32_Phdr),
               .e_phnum = 1},
    .segment = {.p_type = PT_LOAD,
                .p_offset = offsetof(struct file, code),
                .p_vaddr = 0x80000000,
                .p_filesz = sizeof(uint32_t[6]),
                .p_memsz = 64,
                .p_flags = PF_R | PF_X,
                .p_align = 4},
    .code = {0x803022f3, 0x0042a283, 0x0002a303, 0x0042a383, 0x00732423, 0x0000400b}};

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int load(const char *name)
{
    struct diag_list diags;
    char error[256];
    diag_list_init(&diags);
    assert_int_equal(source_open(&source, path_of(name), error, sizeof error), 0);
    const int status = ventus_program_load(&program, &source, 1, &diags);
    said[0] = '\0';
    if (diags.count)
        snprintf(said, sizeof said, "%u:%u: %s", diags.items[0].line, diags.items[0].column,
                 diags.items[0].message);
    assert_true(status == 0 || diags.errors);
    diag_list_free(&diags);
    return status;
}

static void unload(void)
{
    ventus_program_free(&program);
    source_close(&source);
}

static uint32_t word(const struct ventus_memory *memory, uint32_t address)
{
    const uint8_t *at = ventus_memory_at(memory, address, 4);
    assert_non_null(at);
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static const char yaml[] = "# a launch\n"
                           "grid: [2, 1]\n"
                           "workgroup: 8\n"
                           "threads: 4\n"
                           "buffers:\n"
                           "  - {name: a, value: [7, 2.5], size: 32}\n"
                           "  - {name: b, value: 1.0, size: 12}\n"
                           "  - name: c\n"
                           "    file: c.bin\n"
                           "  - {name: d, size: 8, address: 0x90001000}\n"
                           "arguments: [a, 0x12345678, -1, 0.5, d, 0x1E5]\n";

static void starts_from(const char *name)
{
    struct ventus_run run;
    char error[VENTUS_ERROR];
    if (load(name) != 0)
        fail_msg("%s: %s", name, said);
    const struct ventus_launch *l = ventus_program_launch(&program);
    assert_int_equal(l->grid[0], 2);
    assert_int_equal(l->warps, 2);
    assert_int_equal(l->start, 0x80000000);
    assert_int_equal(ventus_run_new(&run, &program, error), 0);
    assert_int_equal(ventus_run_advance(&run, 1000, error), 0);
    /* d has a page of its own; the others take those that are free. */
    const struct ventus_memory *m = &run.memory;
    const uint32_t a = 0x90000000, b = 0x90002000, c = 0x90003000, d = 0x90001000;
    assert_int_equal(word(m, a), 7);
    assert_int_equal(word(m, a + 4), 0x40200000);
    assert_int_equal(word(m, a + 8), 0x12345678); /* of the code */
    assert_int_equal(word(m, b + 8), 0x3f800000);
    assert_int_equal(word(m, c), 0x64636261);
    const uint32_t arguments = word(m, l->metadata + 4);
    const uint32_t want[] = {a, 0x12345678, UINT32_MAX, 0x3f000000, d, 0x1e5};
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(word(m, arguments + 4 * i), want[i]);
    ventus_run_free(&run);
    unload();
}

static void both_ways(void **state)
{
    (void)state;
    write_file("k.elf", &good, sizeof good);
    write_file("c.bin", "abcde", 5);
    write_file("k.yaml", yaml, strlen(yaml));
    starts_from("k.yaml");
    starts_from("k.elf");
    char *named = malloc(sizeof yaml + 20);
    sprintf(named, "elf: k.elf\n%s", yaml);
    write_file("other.yaml", named, strlen(named));
    starts_from("other.yaml");
    free(named);
}

/* As a text it is the same launch. */
static void as_text(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    assert_int_equal(load("k.yaml"), 0);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(ventus_program_print(&program, out), 0);
    fclose(out);
    unload();
    write_file("k.ventus", text, size);
    starts_from("k.ventus");
    free(text);
}

static void wrong_descriptions(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"grid: 0\n", "1:7: grid is a number from 1 to 1048576"},
        {"grid: [1, 1, 1, 1]\n", "1:17: grid has at most 3 values"},
        {"grid: {x: 1}\n", "1:7: grid: a number was expected here"},
        {"threads: 1.5\n", "1:10: threads is a number from 1 to 32"},
        {"gird: 1\n", "1:1: a launch has no 'gird'"},
        {"grid: 1\ngrid: 2\n", "2:1: grid is given twice"},
        {"- 1\n", "1:1: a launch was expected here, as grid: 4"},
        {"grid: 1\n---\ngrid: 1\n", "2:1: a second document: a document describes one launch"},
        {"grid: &a 1\nlocal: *a\n", "2:8: aliases are not taken here"},
        {"grid: [1\n", "2:1: did not find expected ',' or ']'"},
        {"buffers: 1\n", "1:10: buffers: a list was expected here"},
        {"buffers: [1]\n", "1:11: a buffer was expected here, as {name: x, size: 4096}"},
        {"buffers: [{size: 4}]\n", "1:11: a buffer has a name"},
        {"buffers: [{name: x}]\n", "1:12: how large it is was expected: file, value or size"},
        {"buffers: [{name: x, color: 4}]\n",
         "1:21: a buffer has name, file, value, size and address"},
        {"buffers: [{name: x, size: 0}]\n", "1:27: size is a number from 1 to 4294967295"},
        {"buffers: [{name: x, value: no}]\n",
         "1:28: a word was expected here: a number of 32 bits, or a single as 2.5"},
        {"buffers: [{name: x, value: [1, 2], size: 4}]\n",
         "1:36: it has more bytes than its size says"},
        {"buffers: [{name: x, file: c.bin, value: 1}]\n",
         "1:11: it has a file or values, not both"},
        {"buffers:\n  - {name: x, size: 4}\n  - {name: x, size: 4}\n",
         "3:12: a second buffer of this name, first in line 2"},
        {"arguments: [x]\n", "1:13: an argument is a buffer, a symbol, or a number of 32 bits"},
        {"arguments: [4294967296]\n",
         "1:13: an argument is a buffer, a symbol, or a number of 32 bits"},
        {"kernel: k\n", "1:9: the ELF file has no symbol of this name"},
        {"workgroup: 33\n", "0:0: a workgroup of 33 threads is not 1 to 32 whole warps of 32"},
        {"start: 0x80000018\n", "0:0: the start address 0x80000018 is not in the code"},
    };
    char *text = malloc(1000);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sprintf(text, "%s", rows[i][0]);
        write_file("wrong.yaml", text, strlen(text));
        write_file("wrong.elf", &good, sizeof good);
        assert_int_equal(load("wrong.yaml"), 1);
        said[strlen(rows[i][1])] = '\0';
        assert_string_equal(said, rows[i][1]);
        unload();
        /* The other way round the place stands in the sentence. */
        assert_int_equal(load("wrong.elf"), 1);
        if (rows[i][1][0] != '0') {
            char want[400];
            snprintf(want, sizeof want, "0:0: %s/wrong.yaml:%s", root, rows[i][1]);
            said[strlen(want)] = '\0';
            assert_string_equal(said, want);
        }
        unload();
    }
    free(text);
}

/* The parser takes time by the square of what is nested: a minute for these. */
static void deep_descriptions(void **state)
{
    (void)state;
    enum { DEEP = 200000 };
    char *text = malloc(DEEP);
    assert_non_null(text);
    memset(text, '[', DEEP);
    memcpy(text, "grid: ", 6);
    write_file("deep.yaml", text, DEEP);
    free(text);
    alarm(20); /* which ends the suite */
    assert_int_equal(load("deep.yaml"), 1);
    alarm(0);
    unload();
}

static void wrong_files(void **state)
{
    (void)state;
    struct file bad = good;
    write_file("alone.elf", &good, sizeof good);
    assert_int_equal(load("alone.elf"), 1);
    assert_non_null(strstr(said, "alone.yaml"));
    unload();
    write_file("none.yaml", "grid: 1\n", 8);
    assert_int_equal(load("none.yaml"), 1);
    assert_non_null(strstr(said, "none.elf"));
    unload();
    write_file("nofile.yaml", "grid: 1\nelf: nothing.elf\n", 25);
    assert_int_equal(load("nofile.yaml"), 1);
    assert_memory_equal(said, "2:6: ", 5);
    unload();
    write_file("nofile.yaml", "elf: k.elf\nbuffers: [{name: x, file: nothing.bin}]\n", 51);
    assert_int_equal(load("nofile.yaml"), 1);
    assert_memory_equal(said, "2:27: ", 6);
    unload();
    bad.segment.p_vaddr = 0x90000000;
    bad.header.e_entry = 0x90000000;
    write_file("none.elf", &bad, sizeof bad);
    assert_int_equal(load("none.yaml"), 1);
    assert_non_null(strstr(said, "none.elf: the segment at 0x90000000"));
    unload();
    write_file("none.elf", &good, 60);
    assert_int_equal(load("none.yaml"), 1);
    unload();
}

/* Any text is taken or refused with a sentence. */
static void damaged_descriptions(void **state)
{
    (void)state;
    struct dice dice = {.state = 5};
    char text[sizeof yaml];
    static const char marks[] = "{}[]:,-#&*!|>'\"%@ \n\t019ax";
    for (size_t turn = 0; turn < often(2000); turn++) {
        memcpy(text, yaml, sizeof yaml);
        for (uint64_t n = dice_below(&dice, 4) + 1; n; n--)
            text[dice_below(&dice, sizeof yaml - 1)] = marks[dice_below(&dice, sizeof marks - 1)];
        write_file("k.yaml", text,
                   dice_below(&dice, 8) ? sizeof yaml - 1 : dice_below(&dice, sizeof yaml));
        assert_true(load("k.yaml") >= 0);
        unload();
    }
    write_file("k.yaml", yaml, strlen(yaml));
}

static void lines(void **state)
{
    (void)state;
    static const char text[] = ".globl _start\n_start:\n    li x5, 1\n\n    addi x6, x5, 2\n";
    char line[900];
    if (system("command -v riscv64-unknown-elf-ld >/dev/null") != 0) {
        print_message("skipped: no riscv64-unknown-elf-as; make test-long installs it\n");
        return;
    }
    write_file("lines.s", text, strlen(text));
    snprintf(
        line, sizeof line,
        "cd %s && riscv64-unknown-elf-as -g -march=rv32ima -mabi=ilp32 -o lines.o lines.s && "
        "riscv64-unknown-elf-ld -N --no-warn-rwx-segments -m elf32lriscv -Ttext 0x80000000 -o lines.elf lines.o",
        root);
    assert_int_equal(system(line), 0);
    write_file("lines.yaml", "kernel: _start\n", 15);
    if (load("lines.yaml") != 0)
        fail_msg("%s", said);
    const struct riscv_stmt *first = ventus_program_stmt(&program, 0);
    const struct riscv_stmt *last = ventus_program_stmt(&program, 1);
    assert_int_equal(first->line, 3);
    assert_int_equal(last->line, 5);
    assert_non_null(strstr(program.image.files[last->file].name, "lines.s"));
    assert_memory_equal(last->text, "addi t1, t0, 2", 14);
    unload();
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int clear(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways),
        cmocka_unit_test(as_text),
        cmocka_unit_test(wrong_descriptions),
        cmocka_unit_test(deep_descriptions),
        cmocka_unit_test(wrong_files),
        cmocka_unit_test(damaged_descriptions),
        cmocka_unit_test(lines),
    };
    return cmocka_run_group_tests(tests, make_folder, clear);
}
