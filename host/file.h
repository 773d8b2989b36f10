/*
 * file: reads whole files; writes files completely or not at all.
 *
 *   path --file_read--> struct file_bytes --file_free-->
 *
 *   path --replace_open--> FILE * to write to --replace_close--> the new file, or the old one
 *
 * Error messages name the file.
 */
#ifndef TAKT_HOST_FILE_H
#define TAKT_HOST_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct file_bytes {
    char *at; /* NULL when size is 0 */
    size_t size;
    size_t room; /* allocated size, for big_memory_free */
};

enum { FILE_TOO_LARGE = 2 };

/* Read path ("-" is standard input) to its end. A mapping is not used: it would kill the process if
 * the file were truncated meanwhile. Returns 0; or, with bytes empty and a message, 1 for an
 * unusable file, -1 when the host failed, FILE_TOO_LARGE when the file has `most` bytes or more. */
int file_read(const char *path, size_t most, struct file_bytes *bytes, char *error,
              size_t error_size);
/* False for a pipe, a device or a folder, and where there is nothing. */
bool file_is_regular(const char *path);
/* Open path for reading and register it in in_use.h; NULL with errno. */
FILE *file_open(const char *path);
/* Classify an errno of opening or reading: 1 concerns the file, -1 the host. */
int file_blame(int reason);
void file_free(struct file_bytes *bytes);

/* Give a replacement file the mode and, if permitted, the owner of the existing file at path; the
 * default mode if there is none. 0, or -1 with errno: a file without write permission must not be
 * replaced. */
int file_inherit(int fd, const char *path);

/* A file being written under a temporary name, PATH.XXXXXX, and renamed at the end. A reader never
 * sees a partial file; the old file stays if the writer or the host fails (failure.h); of two
 * concurrent writers the last one wins completely. For a link, its target is written. Anything but
 * a regular file (a pipe, a terminal) is written directly, and so is a descriptor (/dev/stderr,
 * /dev/fd/3); "-" and /dev/stdout are standard output. */
struct replace {
    FILE *file;             /* NULL: not open */
    char *path, *partial;   /* partial NULL: written directly */
    unsigned long failures; /* failure_count at the time of opening */
    bool settled, lost;     /* replace_settle; and not all could be written */
};

/* For the handler of a signal that ends the process: removes the partial files. */
void replace_abandon(void);

/* True if a name other than - means standard input; if a name, including -, means standard
 * output. */
bool file_is_input(const char *path);
bool replace_is_output(const char *path);
/* As mkstemps. replace_abandon removes the file, from its creation on: signals wait until it is
 * registered. The name must live until replace_forget. */
int replace_temporary(char *name, int end);
void replace_forget(char *name);
/* Returns 0; with a message, 1 when the command already reads or writes that file (in_use.h), -1
 * when it cannot be opened. */
int replace_open(struct replace *replace, const char *path, char *error, size_t error_size);
/* All is written to the disk, and not renamed yet: of several files none is renamed before all
 * could be written. Returns 0, or -1 and a message; replace_close follows in both cases. */
int replace_settle(struct replace *replace, char *error, size_t error_size);
/* keep: rename the file to its final name; else remove it. Returns 0, or -1 and a message if
 * something could not be written. Frees everything in every case; does nothing if it is not
 * open. */
int replace_close(struct replace *replace, bool keep, char *error, size_t error_size);

#endif
