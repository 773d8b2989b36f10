#include "tests/elf_lines.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint32_t elf_lines_line(size_t word)
{
    return (uint32_t)(word * 3 + 7);
}

void elf_lines_file(const struct elf_lines *from, size_t word, char name[32])
{
    snprintf(name, 32, "/src/f%u.c", (unsigned)(word % from->files + 1));
}

/* --- bytes ------------------------------------------------------------------------------------ */

static void put(FILE *out, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        fputc((int)(value >> 8 * i & 0xff), out);
}

static void put_text(FILE *out, const char *text)
{
    fwrite(text, 1, strlen(text) + 1, out);
}

static void put_uleb(FILE *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        fputc((int)(value & 0x7f) | 0x80, out);
    fputc((int)value, out);
}

static void put_sleb(FILE *out, int64_t value)
{
    for (; value < -64 || value > 63; value >>= 7)
        fputc((int)(value & 0x7f) | 0x80, out);
    fputc((int)(value & 0x7f), out);
}

struct bytes {
    char *at;
    size_t size;
};

static FILE *begin(struct bytes *bytes)
{
    FILE *out = open_memstream(&bytes->at, &bytes->size);
    assert_non_null(out);
    return out;
}

/* --- DWARF 4 ---------------------------------------------------------------------------------- */

/* A unit: language, name, folder, line table at 0, its code. */
static struct bytes make_abbrev(void)
{
    static const unsigned char rows[] = {1,    0x11, 0,    0x13, 0x05, 0x03, 0x08, 0x1b, 0x08,
                                         0x10, 0x17, 0x11, 0x01, 0x12, 0x06, 0,    0,    0};
    struct bytes bytes;
    FILE *out = begin(&bytes);
    fwrite(rows, 1, sizeof rows, out);
    fclose(out);
    return bytes;
}

static struct bytes make_info(const struct elf_lines *from)
{
    struct bytes die, bytes;
    FILE *out = begin(&die);
    put(out, 4, 2);
    put(out, 0, 4);
    put(out, 4, 1);
    put_uleb(out, 1);
    put(out, 0x0c, 2); /* C99 */
    put_text(out, "/src/f1.c");
    put_text(out, "/src");
    put(out, 0, 4);
    put(out, from->address, 4);
    put(out, from->count * 4, 4);
    fclose(out);
    out = begin(&bytes);
    for (uint32_t i = 0; i < from->units + !from->units; i++) {
        put(out, die.size, 4);
        fwrite(die.at, 1, die.size, out);
    }
    fclose(out);
    free(die.at);
    return bytes;
}

static void put_files(FILE *out, const struct elf_lines *from)
{
    char name[32];
    for (size_t i = 0; i < from->files; i++) {
        elf_lines_file(from, i, name);
        put_text(out, name);
        put(out, 0, 3); /* folder, time, size */
    }
    put(out, 0, 1);
}

static void put_rows(FILE *out, const struct elf_lines *from)
{
    int64_t line = 1;
    put(out, 0, 1); /* set the address */
    put_uleb(out, 5);
    put(out, 2, 1);
    put(out, from->address, 4);
    for (size_t i = 0; i < from->count; i++) {
        put(out, 4, 1); /* set the file */
        put_uleb(out, i % from->files + 1);
        put(out, 3, 1); /* advance the line */
        put_sleb(out, elf_lines_line(i) - line);
        line = elf_lines_line(i);
        put(out, 1, 1); /* a row */
        put(out, 2, 1); /* advance the address */
        put_uleb(out, 4);
    }
    put(out, 0, 1); /* end */
    put_uleb(out, 1);
    put(out, 1, 1);
}

static struct bytes make_line(const struct elf_lines *from)
{
    static const unsigned char settings[] = {1, 1, 1, 0xfb, 14, 13, 0, 1, 1,
                                             1, 1, 0, 0,    0,  1,  0, 0, 1};
    struct bytes head, body, bytes;
    FILE *out = begin(&head);
    fwrite(settings, 1, sizeof settings, out);
    put(out, 0, 1); /* no folders */
    put_files(out, from);
    fclose(out);
    out = begin(&body);
    put(out, 4, 2);
    put(out, head.size, 4);
    fwrite(head.at, 1, head.size, out);
    put_rows(out, from);
    fclose(out);
    out = begin(&bytes);
    put(out, body.size, 4);
    fwrite(body.at, 1, body.size, out);
    fclose(out);
    free(head.at);
    free(body.at);
    return bytes;
}

/* --- the file --------------------------------------------------------------------------------- */

enum { NONE, TEXT, ABBREV, INFO, LINE, NAMES, SECTIONS };
static const char names[] = "\0.text\0.debug_abbrev\0.debug_info\0.debug_line\0.shstrtab";
static const uint32_t name_at[SECTIONS] = {0, 1, 7, 21, 33, 45};

unsigned char *elf_lines_make(const struct elf_lines *from, size_t *size)
{
    struct bytes parts[SECTIONS] = {[TEXT] = {(char *)(uintptr_t)from->code, from->count * 4},
                                    [ABBREV] = make_abbrev(),
                                    [INFO] = make_info(from),
                                    [LINE] = make_line(from),
                                    [NAMES] = {(char *)(uintptr_t)names, sizeof names}};
    const uint32_t start = sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr) + SECTIONS * sizeof(Elf32_Shdr);
    const Elf32_Ehdr header = {
        .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = EM_RISCV,
        .e_version = EV_CURRENT,
        .e_entry = from->address,
        .e_phoff = sizeof(Elf32_Ehdr),
        .e_shoff = sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr),
        .e_ehsize = sizeof(Elf32_Ehdr),
        .e_phentsize = sizeof(Elf32_Phdr),
        .e_phnum = 1,
        .e_shentsize = sizeof(Elf32_Shdr),
        .e_shnum = SECTIONS,
        .e_shstrndx = NAMES};
    const Elf32_Phdr segment = {.p_type = PT_LOAD,
                                .p_offset = start,
                                .p_vaddr = from->address,
                                .p_paddr = from->address,
                                .p_filesz = (uint32_t)from->count * 4,
                                .p_memsz = (uint32_t)from->count * 4,
                                .p_flags = PF_R | PF_X,
                                .p_align = 4};
    struct bytes bytes;
    FILE *out = begin(&bytes);
    fwrite(&header, sizeof header, 1, out);
    fwrite(&segment, sizeof segment, 1, out);
    for (uint32_t i = 0, at = start; i < SECTIONS; i++) {
        const Elf32_Shdr section = {.sh_name = name_at[i],
                                    .sh_type = i == NONE    ? SHT_NULL
                                               : i == NAMES ? SHT_STRTAB
                                                            : SHT_PROGBITS,
                                    .sh_flags = i == TEXT ? SHF_ALLOC | SHF_EXECINSTR : 0,
                                    .sh_addr = i == TEXT ? from->address : 0,
                                    .sh_offset = i == NONE ? 0 : at,
                                    .sh_size = (uint32_t)parts[i].size,
                                    .sh_addralign = i == TEXT ? 4 : i != NONE};
        fwrite(&section, sizeof section, 1, out);
        at += (uint32_t)parts[i].size;
    }
    for (size_t i = 0; i < SECTIONS; i++)
        if (parts[i].size)
            fwrite(parts[i].at, 1, parts[i].size, out);
    fclose(out);
    for (size_t i = ABBREV; i <= LINE; i++)
        free(parts[i].at);
    *size = bytes.size;
    return (unsigned char *)bytes.at;
}
