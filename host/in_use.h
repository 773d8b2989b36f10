/*
 * in_use: the files that a command reads and writes. It prevents overwriting one of them, even
 * through another name or a link.
 *
 *   in_use_begin()              a command begins; nothing is recorded without it, as in libtakt
 *   in_use_read(fd)             each file opened for reading
 *   in_use_keep(path)           each name next to a file that is read, which is a part of it
 *   in_use_write(path, ...)     each name to be written
 *
 * Files read are identified by device and inode. Files written are identified by folder and name,
 * since replacing a file changes its inode. Callable from any thread.
 */
#ifndef TAKT_HOST_IN_USE_H
#define TAKT_HOST_IN_USE_H

#include <stddef.h>

/* Clear the records. */
void in_use_begin(void);
/* 0; 1 if it is standard input and was already read: a pipe cannot be read twice. */
int in_use_read(int fd);
/* Nothing of this name is written, whether it exists or not; and nothing inside this folder. */
void in_use_keep(const char *path);
void in_use_keep_folder(const char *path);
/* 0; 1 and a message if the file is read, kept or already written; -1 and a message when memory is
 * out. */
int in_use_write(const char *path, char *error, size_t error_size);
/* The file was written for a command that ends early, and may be written once more. */
void in_use_rewrite(const char *path);

#endif
