/*
 * source: a program's text.
 *
 *   file or stdin --source_open--> struct source { name, text, size } --source_close-->
 *
 * The text is not NUL-terminated: read text[0 .. size). It is read once: a file that changes during
 * a run does not change the run. Everything that quotes the program (diagnostics, d set payloads,
 * the trace) keeps offsets into this text. Lines and columns are counted in 32 bits: a text of
 * SOURCE_MOST bytes or more is refused.
 */
#ifndef TAKT_FUNCTIONAL_SOURCE_H
#define TAKT_FUNCTIONAL_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#define SOURCE_MOST UINT32_MAX

struct source {
    char *name;       /* as the user gave it; "<stdin>" for "-" */
    const char *text; /* size bytes; never NULL, even when empty */
    size_t size;
    unsigned turn; /* above 0: the same name has been given so many times before */
    size_t room;   /* of the text's memory, for big_memory_free */
};

/* Reads path. Returns 0, or a sentence in error (at most error_size bytes, NUL-terminated) and 1
 * when the file is at fault, -1 when the host is. */
int source_open(struct source *source, const char *path, char *error, size_t error_size);

/* A source made of a copy of text (tests, fuzzers). Returns 0, or -1 when memory is out. */
int source_from_text(struct source *source, const char *name, const char *text, size_t size);

void source_close(struct source *source);

/* Hash of the text. */
uint64_t source_hash(const struct source *source);
/* Hash of a program: of the texts of its files, in their order. */
uint64_t source_list_hash(const struct source *sources, size_t count);

#endif
