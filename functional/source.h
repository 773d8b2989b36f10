/*
 * source: a program's text.
 *
 *   file or stdin --source_open--> struct source { name, text, size } --source_close-->
 *
 * The text is not NUL-terminated: read text[0 .. size). It is read once, so a file that changes
 * during a run does not affect the run. Everything that quotes the program (diagnostics, d set
 * payloads, the trace) keeps offsets into this text. Lines and columns have 32 bits: a text of
 * SOURCE_MOST bytes or more is rejected.
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
    unsigned turn; /* how many times the same name was given before */
    size_t room;   /* allocated size, for big_memory_free */
};

/* Read path. Returns 0; with a message in error (at most error_size bytes, NUL-terminated) 1 for an
 * unusable file, -1 when the host failed. */
int source_open(struct source *source, const char *path, char *error, size_t error_size);

/* Make a source from a copy of text (tests, fuzzers). Returns 0, or -1 when memory is out. */
int source_from_text(struct source *source, const char *name, const char *text, size_t size);

/* The turn of each: how many before it have its name. Returns 0, or -1 when memory is out. */
int source_number_turns(struct source *sources, size_t count);

void source_close(struct source *source);

/* From now on, of this thread, each path that source_open is given is reported, too, until NULL. */
void source_watch(void (*seen)(void *context, const char *path), void *context);

/* Hash of the text. */
uint64_t source_hash(const struct source *source);
/* Hash of a program: of the texts of its files, in order. */
uint64_t source_list_hash(const struct source *sources, size_t count);

#endif
