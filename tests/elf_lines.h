/* elf_lines: ELF files of RISC-V with a line table, made byte by byte (DWARF 4). Word i of the code
 * is in line elf_lines_line(i) of the file "/src/fN.c", N = i % files + 1. */
#ifndef TAKT_TESTS_ELF_LINES_H
#define TAKT_TESTS_ELF_LINES_H

#include <stddef.h>
#include <stdint.h>

struct elf_lines {
    const uint32_t *code;
    size_t count; /* words */
    uint32_t address, files;
    uint32_t units; /* with the one line table; 0 is 1 */
};

/* The file's bytes, to be freed. */
unsigned char *elf_lines_make(const struct elf_lines *from, size_t *size);
uint32_t elf_lines_line(size_t word);
void elf_lines_file(const struct elf_lines *from, size_t word, char name[32]);

#endif
