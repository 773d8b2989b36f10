/* Rows of libtakt of ELF files with a line table: each has the file and line that the table says,
 * however many files there are, and nothing is taken out of a file without text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/elf_lines.h"
#include "tests/handles.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

enum { KELVIN_STOPS = 0x08000073, VENTUS_STOPS = 0x0000400b, ADDI = 0x00150513, WORDS = 900 };
static uint32_t code[WORDS];

/* addi a0, a0, 1, and what ends a program of the machine. */
static struct elf_lines lines_of(uint32_t stops, uint32_t address, uint32_t files)
{
    for (size_t i = 0; i < WORDS; i++)
        code[i] = i + 1 < WORDS ? ADDI : stops;
    return (struct elf_lines){code, WORDS, address, files, 1};
}

static const char *write_elf(const char *name, const struct elf_lines *lines)
{
    size_t size;
    unsigned char *bytes = elf_lines_make(lines, &size);
    const char *path = takt_temp_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    free(bytes);
    return path;
}

static const struct takt_options wanted = {.size = sizeof wanted,
                                           .flags = TAKT_STATEMENTS | TAKT_PATH | TAKT_VERDICT};

static struct takt_program *open_program(const char *machine_name, const char *path)
{
    struct takt_error error;
    struct takt_program *program;
    struct takt_machine *machine = handles_machine(machine_name);
    const struct takt_text text = {.name = path};
    handles_fine(takt_program_open(&program, machine, &text, 1, &error), &error);
    takt_machine_close(machine);
    return program;
}

/* The word that a row is of. */
static size_t expect_place(const struct elf_lines *lines, const char *file, uint32_t line)
{
    char name[32];
    const size_t word = (line - elf_lines_line(0)) / 3;
    assert_int_equal(line, elf_lines_line(word));
    assert_in_range(word, 0, WORDS - 1);
    assert_non_null(file);
    elf_lines_file(lines, word, name);
    assert_string_equal(file, name);
    return word;
}

static void expect_rows(const struct elf_lines *lines, const struct takt_run *run)
{
    static bool seen[WORDS];
    const struct takt_statement *statements;
    const struct takt_step *steps;
    size_t found = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = takt_run_statements(run, &statements); i-- > 0;)
        seen[expect_place(lines, statements[i].file, statements[i].line)] = true;
    for (size_t i = 0; i < WORDS; i++)
        found += seen[i];
    assert_int_equal(found, WORDS); /* the code is straight: each word is executed */
    for (size_t i = takt_run_path(run, &steps); i-- > 0;)
        if (steps[i].line) {
            expect_place(lines, steps[i].file, steps[i].line);
            expect_place(lines, steps[i].last_file, steps[i].last_line);
        }
    const struct takt_verdict *verdict = takt_run_verdict(run);
    for (size_t i = 0; i < verdict->line_count; i++)
        expect_place(lines, verdict->lines[i].file, verdict->lines[i].line);
}

static void check(const char *machine, const char *path, const struct elf_lines *lines)
{
    struct takt_program *program = open_program(machine, path);
    struct takt_run *run = handles_done(program, &wanted);
    takt_program_close(program);
    expect_rows(lines, run);
    takt_run_close(run);
}

/* What is wrong with a whole file has no line, and neither "0:0" in its sentence. */
static void whole_files(void **state)
{
    (void)state;
    static const char header[] = "\x7f"
                                 "ELF",
                      yaml[] = "grid: 1\n";
    const struct takt_text texts[] = {{"k.elf", header, 4}, {"v.yaml", yaml, sizeof yaml - 1}};
    for (size_t i = 0; i < 2; i++) {
        struct takt_error error;
        struct takt_program *program;
        const struct takt_finding *found;
        struct takt_machine *machine = handles_machine(i ? "ventus" : "kelvin");
        assert_int_equal(takt_program_open(&program, machine, &texts[i], 1, &error), TAKT_INPUT);
        assert_int_equal(takt_program_findings(program, &found), 1);
        assert_int_equal(found->line + found->column, 0);
        assert_int_equal(error.line + error.column, 0);
        assert_string_equal(error.file, texts[i].name);
        const size_t length = strlen(texts[i].name);
        assert_memory_equal(error.text, texts[i].name, length);
        assert_memory_equal(error.text + length, ": ", 2);
        assert_string_equal(error.text + length + 2, found->text);
        takt_program_close(program);
        takt_machine_close(machine);
    }
}

/* The place of a statement of an ELF file is in the sentence. */
static void words_that_are_wrong(void **state)
{
    (void)state;
    struct takt_error error;
    const struct takt_finding *found;
    struct elf_lines lines = lines_of(VENTUS_STOPS, 0x100, 1); /* no instruction of this machine */
    size_t size;
    unsigned char *bytes = elf_lines_make(&lines, &size);
    const struct takt_text text = {"k.elf", (const char *)bytes, size};
    struct takt_machine *machine = handles_machine("kelvin");
    struct takt_program *program;
    assert_int_equal(takt_program_open(&program, machine, &text, 1, &error), TAKT_FINE);
    assert_int_equal(takt_program_findings(program, &found), 1);
    assert_int_equal(found->line + found->column, 0);
    assert_non_null(strstr(found->text, "f1.c:"));
    takt_program_close(program);
    takt_machine_close(machine);
    free(bytes);
}

static const uint32_t counts[] = {1, 2, 400, 899};

static void kelvin(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const struct elf_lines lines = lines_of(KELVIN_STOPS, 0x100, counts[i]);
        check("kelvin", write_elf("k.elf", &lines), &lines);
    }
}

static void ventus(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const struct elf_lines lines = lines_of(VENTUS_STOPS, 0x80000000, counts[i]);
        char text[200];
        const char *elf = strrchr(write_elf("v.elf", &lines), '/') + 1;
        snprintf(text, sizeof text, "elf: %s\nkernel: 0x80000000\n", elf);
        check("ventus", takt_temp_file("v.yaml", text), &lines);
    }
}

/* An answer of takt batch has the same files. */
static void batch(void **state)
{
    (void)state;
    const struct elf_lines lines = lines_of(KELVIN_STOPS, 0x100, 400);
    const char *path = write_elf("k.elf", &lines);
    json_t *root = handles_command((const char *const[]){"batch", "--machine", "kelvin",
                                                         "--statements", "--path", path, NULL});
    static const char *const lists[] = {"statements", "path"};
    for (size_t l = 0; l < 2; l++) {
        size_t i;
        json_t *row;
        json_array_foreach(json_object_get(root, lists[l]), i, row)
        {
            const char *file = json_string_value(json_object_get(row, "file"));
            if (handles_integer(row, "line"))
                expect_place(&lines, file, (uint32_t)handles_integer(row, "line"));
        }
        assert_true(i > 0);
    }
    json_decref(root);
}

/* Lines of an ELF file are those of its table or its listing, not of its bytes. */
static void nothing_is_taken_out_of_bytes(void **state)
{
    (void)state;
    struct takt_error error;
    struct elf_lines lines = lines_of(KELVIN_STOPS, 0x100, 1);
    struct takt_program *program = open_program("kelvin", write_elf("k.elf", &lines)), *without;
    struct takt_run *run = handles_done(program, NULL);
    handles_refused(takt_run_without(run, &without, "7", &error), TAKT_MISUSE, &error, "k.elf");
    assert_null(without);
    takt_run_close(run);
    takt_program_close(program);
    takt_expect(ARGS("whatif", "--machine", "kelvin", "--free", "10", write_elf("k.elf", &lines)),
                2, NULL, "not a text");
}

/* Units that share a line table cost no more than one, but for their own bytes. */
static double seconds_of(uint32_t units)
{
    enum { LONG = 20000 };
    static uint32_t words[LONG];
    for (size_t i = 0; i < LONG; i++)
        words[i] = i + 1 < LONG ? ADDI : KELVIN_STOPS;
    const struct elf_lines lines = {words, LONG, 0x100, 2000, units};
    const char *path = write_elf("u.elf", &lines);
    const clock_t from = clock();
    takt_program_close(open_program("kelvin", path));
    return (double)(clock() - from) / CLOCKS_PER_SEC;
}

static void a_table_is_read_once(void **state)
{
    (void)state;
    const double one = seconds_of(1), many = seconds_of(2000);
    if (many > 10 * one + 1)
        fail_msg("one unit: %.2f s; 2000: %.2f s", one, many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kelvin),
        cmocka_unit_test(ventus),
        cmocka_unit_test(batch),
        cmocka_unit_test(whole_files),
        cmocka_unit_test(words_that_are_wrong),
        cmocka_unit_test(a_table_is_read_once),
        cmocka_unit_test(nothing_is_taken_out_of_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
