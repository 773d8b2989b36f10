/*
 * table: the vendor's tables as text, to be freed by the caller.
 *
 *   match.tsv    mnemonic, operands, match, mask: the table of its assembler
 *   vectors.tsv  source, form, mnemonic, inputs, expected: the checks of its instruction tests
 */
#ifndef TAKT_TESTS_KELVIN_TABLE_H
#define TAKT_TESTS_KELVIN_TABLE_H

char *kelvin_table_match(void);
char *kelvin_table_vectors(void);

#endif
