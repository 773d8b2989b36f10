/* ELF: a program built byte by byte: what is loaded, what is rejected, and every byte of it changed
 * or missing. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/kelvin/exec.h"
#include "tests/dice.h"
#include "tests/often.h"

/* lui a1, 1; lw a0, 0(a1); lw a2, 4(a1); mpause: the second data word is beyond the file's
 * bytes. */
struct file {
    Elf32_Ehdr header;
    Elf32_Phdr segments[2];
    uint32_t code[4], data;
};

static void make(struct file *f)
{
    *f = (struct file){
        .header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_EXEC,
                   .e_machine = 243,
                   .e_version = EV_CURRENT,
                   .e_entry = 0x100,
                   .e_phoff = sizeof f->header,
                   .e_ehsize = sizeof f->header,
                   .e_phentsize = sizeof f->segments[0],
                   .e_phnum = 2},
        .segments = {{.p_type = PT_LOAD,
                      .p_offset = offsetof(struct file, code),
                      .p_vaddr = 0x100,
                      .p_paddr = 0x100,
                      .p_filesz = sizeof f->code,
                      .p_memsz = sizeof f->code,
                      .p_flags = PF_R | PF_X,
                      .p_align = 4},
                     {.p_type = PT_LOAD,
                      .p_offset = offsetof(struct file, data),
                      .p_vaddr = 0x1000,
                      .p_paddr = 0x1000,
                      .p_filesz = 4,
                      .p_memsz = 8,
                      .p_flags = PF_R | PF_W,
                      .p_align = 4}},
        .code = {0x000015b7, 0x0005a503, 0x0045a603, 0x08000073},
        .data = 0x12345678};
}

struct rig {
    struct source source;
    struct diag_list diags;
    struct kelvin_program program;
};

static int load(struct rig *rig, const void *bytes, size_t size)
{
    assert_int_equal(source_from_text(&rig->source, "k.elf", bytes, size), 0);
    diag_list_init(&rig->diags);
    return kelvin_program_load(&rig->program, &rig->source, 1, &rig->diags);
}

static void unload(struct rig *rig)
{
    kelvin_program_free(&rig->program);
    diag_list_free(&rig->diags);
    source_close(&rig->source);
}

/* Also with random initial memory. */
static void segments_are_loaded(void **state)
{
    (void)state;
    static const enum init_kind kinds[] = {INIT_ZERO, INIT_PATTERN, INIT_RANDOM};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct file file;
        struct rig rig;
        make(&file);
        assert_int_equal(load(&rig, &file, sizeof file), 0);
        const struct kelvin_exec_options options = {.init = {.kind = kinds[i], .seed = 3}};
        struct kelvin_exec *exec = kelvin_exec_new(&rig.program, &options);
        assert_non_null(exec);
        assert_int_equal(kelvin_exec_advance(exec, 100, NULL), 4);
        assert_int_equal(kelvin_exec_end(exec), KELVIN_ENDED);
        assert_non_null(strstr(kelvin_exec_sentence(exec), "mpause at 0x10c"));
        assert_int_equal(kelvin_exec_state(exec)->x[10], 0x12345678);
        assert_int_equal(kelvin_exec_state(exec)->x[12], 0);
        kelvin_exec_free(exec);
        unload(&rig);
    }
}

/* Text fills KELVIN_MEMORY bytes from address 0; a file may have memory anywhere. */
static void text_is_what_text_can_fill(void **state)
{
    (void)state;
    static const struct {
        uint32_t address;
        int status;
    } cases[] = {{KELVIN_MEMORY - 8, 0}, {KELVIN_MEMORY - 4, 1}, {0x10000000, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct file file;
        struct rig rig;
        struct source printed;
        struct kelvin_program again;
        char *text;
        size_t size;
        make(&file);
        file.segments[1].p_vaddr = file.segments[1].p_paddr = cases[i].address;
        assert_int_equal(load(&rig, &file, sizeof file), 0);
        FILE *out = open_memstream(&text, &size);
        assert_int_equal(kelvin_program_print(&rig.program, out), cases[i].status);
        fclose(out);
        if (cases[i].status == 0) {
            assert_int_equal(source_from_text(&printed, "k.kelvin", text, size), 0);
            assert_int_equal(kelvin_program_load(&again, &printed, 1, &rig.diags), 0);
            kelvin_program_free(&again);
            source_close(&printed);
        }
        free(text);
        unload(&rig);
    }
}

static void expect_refused(const void *bytes, size_t size, const char *what)
{
    struct rig rig;
    if (load(&rig, bytes, size) != 1 || !rig.diags.errors)
        fail_msg("%s: not refused", what);
    unload(&rig);
}

/* All of it in the other order of bytes, as a linker for it would write it. */
static void turn(struct file *file)
{
    Elf32_Ehdr *h = &file->header;
    h->e_ident[EI_DATA] = ELFDATA2MSB;
    Elf32_Half *const halves[] = {&h->e_type, &h->e_machine, &h->e_ehsize, &h->e_phentsize,
                                  &h->e_phnum};
    for (size_t i = 0; i < 5; i++)
        *halves[i] = (Elf32_Half)(*halves[i] << 8 | *halves[i] >> 8);
    h->e_version = __builtin_bswap32(h->e_version);
    h->e_entry = __builtin_bswap32(h->e_entry);
    h->e_phoff = __builtin_bswap32(h->e_phoff);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < sizeof(Elf32_Phdr) / sizeof(Elf32_Word); k++) {
            Elf32_Word *const word = (Elf32_Word *)&file->segments[i] + k;
            *word = __builtin_bswap32(*word);
        }
}

static void others_are_refused(void **state)
{
    (void)state;
    struct file file;
    struct rig rig;
    make(&file);
    turn(&file);
    assert_int_equal(load(&rig, &file, sizeof file), 1);
    assert_non_null(strstr(rig.diags.items[0].message, "not for 32-bit RISC-V"));
    unload(&rig);
    make(&file);
    file.header.e_machine = EM_386;
    expect_refused(&file, sizeof file, "another machine");
    make(&file);
    file.header.e_ident[EI_CLASS] = ELFCLASS64;
    expect_refused(&file, sizeof file, "64 bits");
    make(&file);
    file.header.e_flags = 1;
    expect_refused(&file, sizeof file, "compressed instructions");
    make(&file);
    file.header.e_type = ET_REL;
    expect_refused(&file, sizeof file, "an object");
    /* The extensions named by a header. */
    static const struct {
        uint32_t flags;
        const char *name;
    } named[] = {{1, "extension C"}, {2, "extension F"}, {4, "extension D"}, {8, "RV32E"}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        make(&file);
        file.header.e_flags = named[i].flags;
        assert_int_equal(load(&rig, &file, sizeof file), 1);
        assert_non_null(strstr(rig.diags.items[0].message, named[i].name));
        unload(&rig);
    }
    make(&file);
    file.segments[1].p_vaddr = file.segments[1].p_paddr = UINT32_MAX - 3;
    expect_refused(&file, sizeof file, "a segment beyond the last address");
    make(&file);
    file.segments[1].p_memsz = 0x20000000;
    expect_refused(&file, sizeof file, "512 MiB");
}

static void expect_message(const struct file *file, const char *message)
{
    struct rig rig;
    assert_int_equal(load(&rig, file, sizeof *file), 1);
    assert_non_null(strstr(rig.diags.items[0].message, message));
    unload(&rig);
}

/* Without a table of sections, code is what segments that can be executed have in the file. */
static void code_is_what_can_be_executed(void **state)
{
    (void)state;
    for (uint32_t data = 0; data <= PF_X; data += PF_X) {
        struct file file;
        struct rig rig;
        make(&file);
        file.segments[1].p_flags |= data;
        assert_int_equal(load(&rig, &file, sizeof file), 0);
        const struct riscv_image *image = &rig.program.image;
        assert_int_equal(image->stmt_count, data ? 5 : 4);
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(image->stmts[i].address, 0x100 + 4 * i);
            assert_int_equal(image->stmts[i].word, file.code[i]);
        }
        assert_int_equal(riscv_image_stmt(image, 0x1000), data ? 4 : RISCV_NO_STMT);
        assert_int_equal(riscv_image_stmt(image, 0x1004), RISCV_NO_STMT);
        unload(&rig);
        file.header.e_entry = data ? 0x1004 : 0x1000;
        expect_message(&file, data ? "0x1004 is not in the code" : "0x1000 is not in the code");
    }
    struct file file;
    make(&file);
    file.segments[0].p_flags = PF_R;
    expect_message(&file, "no code");
}

/* Memory covers the segments: blocks of 4 MiB, always including the first. */
static void memory_is_where_segments_lie(void **state)
{
    (void)state;
    static const struct {
        uint32_t at;   /* address of the data */
        uint32_t last; /* the last byte of its block */
    } rows[] = {{0x1000, 0x3fffff},
                {0x3ffffc, 0x7fffff}, /* in two blocks */
                {0x20000000, 0x203fffff},
                {0x803ff000, 0x803fffff},
                {0xfffff000, 0xffffffff}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct file file;
        struct rig rig;
        make(&file);
        file.segments[1].p_vaddr = file.segments[1].p_paddr = rows[i].at;
        /* lui a1; lw a0, 0(a1) of the page or of its end */
        const uint32_t upper = (rows[i].at + 0x800) & 0xfffff000;
        file.code[0] = upper | 0x5b7;
        file.code[1] = (rows[i].at & 0xfff) << 20 | 0x0005a503;
        file.code[2] = (rows[i].at + 4) << 20 | 0x0005a603;
        assert_int_equal(load(&rig, &file, sizeof file), 0);
        assert_true(kelvin_program_has(&rig.program, 0));
        assert_true(kelvin_program_has(&rig.program, rows[i].last));
        assert_false(kelvin_program_has(&rig.program, (uint64_t)rows[i].last + 1));
        struct kelvin_exec *exec = kelvin_exec_new(&rig.program, &(struct kelvin_exec_options){0});
        assert_non_null(exec);
        kelvin_exec_advance(exec, 100, NULL);
        if (kelvin_exec_end(exec) != KELVIN_ENDED)
            fail_msg("0x%x: %s", rows[i].at, kelvin_exec_sentence(exec));
        assert_int_equal(kelvin_exec_state(exec)->x[10], 0x12345678);
        assert_int_equal(kelvin_exec_state(exec)->x[12], 0);
        kelvin_exec_free(exec);
        unload(&rig);
    }
}

/* For any bytes: a program or an error message. */
static void expect_answer(const void *bytes, size_t size)
{
    struct rig rig;
    const int status = load(&rig, bytes, size);
    assert_in_range(status, 0, 1);
    assert_true(status ? rig.diags.errors > 0 : rig.program.image.stmt_count > 0);
    unload(&rig);
}

static void damage_is_told(void **state)
{
    (void)state;
    struct file file;
    make(&file);
    for (size_t size = 4; size < sizeof file; size++)
        expect_answer(&file, size);
    struct dice dice = {5};
    for (size_t round = 0; round < often(2000); round++) {
        uint8_t bytes[sizeof file];
        make(&file);
        memcpy(bytes, &file, sizeof file);
        for (uint64_t n = 1 + dice_below(&dice, 3); n; n--) /* after the four magic bytes */
            bytes[4 + dice_below(&dice, sizeof bytes - 4)] = (uint8_t)dice_next(&dice);
        expect_answer(bytes, sizeof bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(segments_are_loaded),
                                       cmocka_unit_test(others_are_refused),
                                       cmocka_unit_test(text_is_what_text_can_fill),
                                       cmocka_unit_test(code_is_what_can_be_executed),
                                       cmocka_unit_test(memory_is_where_segments_lie),
                                       cmocka_unit_test(damage_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
