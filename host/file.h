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
/* A stream to read path, which in_use.h then knows; NULL with errno. */
FILE *file_open(const char *path);
/* Whose fault an errno of opening or reading is: 1 the file's, -1 the host's. */
int file_blame(int reason);
void file_free(struct file_bytes *bytes);

/* Gives a file that is to replace what stands at path the rights that it has, and its owner where
 * that may be; those of a new file where nothing stands. 0, or -1 with errno: a file that may not
 * be written is not replaced either. */
int file_inherit(int fd, const char *path);

/* A file being written under a name of its own, PATH.XXXXXX; it takes its place at the end: a
 * reader never meets half of it, what stood there stays when the writer fails or the host does
 * meanwhile (failure.h), and of two writers at once the last one wins as a whole. Of a link the
 * target is written. What is no regular file (a pipe, a terminal) is written directly, and so is a
 * descriptor (/dev/stderr, /dev/fd/3), whatever it is; "-" and /dev/stdout are standard output. */
struct replace {
    FILE *file;             /* NULL: nothing is open */
    char *path, *partial;   /* partial NULL: written directly */
    unsigned long failures; /* of the host before it was opened */
};

/* What a handler of a signal that ends the process calls: what is being written goes. */
void replace_abandon(void);

/* Whether a name other than - means standard input; standard output, - too. */
bool file_is_input(const char *path);
bool replace_is_output(const char *path);
/* What is written under a name that others chose (mkstemp), for replace_abandon; name stands until
 * it is forgotten. */
void replace_remember(char *name);
void replace_forget(char *name);
/* 0; or, with a sentence, 1 when the command reads or writes that file already (in_use.h), -1 when
 * it cannot be opened. */
int replace_open(struct replace *replace, const char *path, char *error, size_t error_size);
/* keep: the file takes its name; else it is removed. Returns 0, or -1 and a sentence when not
 * everything could be written. Frees what replace holds in every case; one that is not open is
 * left alone. */
int replace_close(struct replace *replace, bool keep, char *error, size_t error_size);

#endif
