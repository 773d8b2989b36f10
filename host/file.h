/*
 * file: files read to their end, and files written as a whole or not at all.
 *
 *   path --file_read--> struct file_bytes --file_free-->
 *
 *   path --replace_open--> FILE * to write to --replace_close--> the file, or what stood there
 *
 * Failures are sentences that name the file.
 */
#ifndef TAKT_HOST_FILE_H
#define TAKT_HOST_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct file_bytes {
    char *at; /* NULL when size is 0 */
    size_t size;
    size_t room; /* of the memory, for big_memory_free */
};

enum { FILE_TOO_LARGE = 2 };

/* Reads path ("-" is standard input) to its end, at once: a mapping would end the process when
 * somebody cuts the file short. Returns 0; or, with bytes empty, 1 and a sentence when the file is
 * at fault, -1 and a sentence when the host is, FILE_TOO_LARGE when it holds `most` bytes or
 * more. */
int file_read(const char *path, size_t most, struct file_bytes *bytes, char *error,
              size_t error_size);
void file_free(struct file_bytes *bytes);

/* A file being written under a name of its own, PATH.XXXXXX; it takes its place at the end: a
 * reader never meets half of it, what stood there stays when the writer fails, and of two writers
 * at once the last one wins as a whole. What is no regular file (a pipe, a terminal) is written
 * directly; "-" is standard output. */
struct replace {
    FILE *file;           /* NULL: nothing is open */
    char *path, *partial; /* partial NULL: written directly */
};

/* 0, or -1 and a sentence. */
int replace_open(struct replace *replace, const char *path, char *error, size_t error_size);
/* keep: the file takes its name; else it is removed. Returns 0, or -1 and a sentence when not
 * everything could be written. Frees what replace holds in every case; one that is not open is
 * left alone. */
int replace_close(struct replace *replace, bool keep, char *error, size_t error_size);

#endif
