/*
 * lang_tables: text made from the rows of insn.def and mv.def: the table of all opcodes in
 * functional/mncore2/opcodes.md and the fuzzer's dictionary. test_tables.c holds the committed
 * files against it; TAKT_REGENERATE=1 rewrites them.
 */
#ifndef TAKT_TESTS_MNCORE2_LANG_TABLES_H
#define TAKT_TESTS_MNCORE2_LANG_TABLES_H

#include <stdio.h>

void lang_opcode_table(FILE *out);
void lang_dictionary(FILE *out);

#endif
