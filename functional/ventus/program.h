/*
 * program: what is to be run. The one type between files and the code that executes, times or
 * prints it.
 *
 *   NAME.metadata, NAME.data             --+
 *   text, several files                 --+--> struct ventus_program --> canonical text
 *   NAME.yaml and the ELF file it names --+
 *
 *   launches[]   in the order in which they run on one memory. The last one is the program; those
 *                before it only fill buffers that it reads
 *   image        a statement for each word of the last code, with its line in the text, in the
 *                ELF file's line table, or in a listing; labels
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_PROGRAM_H
#define TAKT_FUNCTIONAL_VENTUS_PROGRAM_H

#include <stdio.h>

#include "functional/diag.h"
#include "functional/riscv/get.h"
#include "functional/source.h"
#include "functional/ventus/setup.h"

enum ventus_kind { VENTUS_CASE, VENTUS_TEXT_FILE, VENTUS_ELF };

struct ventus_program {
    const struct source *sources; /* borrowed */
    size_t source_count;
    enum ventus_kind kind;
    struct ventus_launch *launches;
    size_t launch_count, launch_capacity;
    struct riscv_image image;
    struct ventus_setup setup; /* of a text or an ELF file */
    struct riscv_gets gets;
    struct riscv_get_rules get_rules;
};

static inline const struct ventus_launch *
ventus_program_launch(const struct ventus_program *program)
{
    return &program->launches[program->launch_count - 1];
}

/* The statement of an op of the last launch; NULL: the word is not in the text. */
const struct riscv_stmt *ventus_program_stmt(const struct ventus_program *program, size_t op);

/* Returns 0, 1 when there was an error, -1 when the host has no memory. Free it in every case. */
int ventus_program_load(struct ventus_program *program, const struct source *sources, size_t count,
                        struct diag_list *diags);
void ventus_program_free(struct ventus_program *program);

/* Place of the instruction at pc in the program's text: file, line, column and length of a finding.
 * False where it has none; the instruction, and of an ELF file its place, is put into `insn`, ""
 * where there is none. */
bool ventus_program_where(const struct ventus_program *program, uint32_t pc, struct diag *at,
                          char insn[VENTUS_TEXT]);

/* Canonical text: assembled again it is the same launch (of several, the last one). Returns 0 or
 * -1. */
int ventus_program_print(const struct ventus_program *program, FILE *out);

/* launch.c: an empty launch after the others, or NULL. */
struct ventus_launch *ventus_program_add(struct ventus_program *program);
/* case.c: the launches of NAME.metadata. elf.c: ELF file and setup of NAME.yaml, or of an ELF
 * file NAME.elf with a NAME.yaml. Status as above. */
int ventus_case_load(struct ventus_program *program, const struct source *source,
                     struct diag_list *diags);
/* Whether NAME.yaml is in the folder of NAME.elf. */
bool ventus_elf_described(const char *path);
int ventus_elf_load(struct ventus_program *program, const struct source *source,
                    struct diag_list *diags);

#endif
