/*
 * statement_key: the text of a statement up to its numbers (addresses, registers, tags), as a hash.
 */
#ifndef TAKT_ANALYSIS_STATEMENT_KEY_H
#define TAKT_ANALYSIS_STATEMENT_KEY_H

#include <stddef.h>
#include <stdint.h>

/* Each number is one character, hexadecimal digits after its first too. */
uint64_t statement_key(const char *text, size_t length);

#endif
