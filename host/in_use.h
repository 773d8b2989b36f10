/*
 * in_use: the files that a command reads and writes, so that it writes over none of them, whatever
 * names lead there and whoever opened them.
 *
 *   in_use_begin()              a command begins; before it nothing is noted, as in libtakt
 *   in_use_read(fd)             each file that is opened to be read
 *   in_use_write(path, ...)     each name that is to be written
 *
 * What is read is known by device and inode, what is written by those of its folder and its name:
 * what stood there is replaced.
 * From any thread.
 */
#ifndef TAKT_HOST_IN_USE_H
#define TAKT_HOST_IN_USE_H

#include <stddef.h>

/* Forgets what was noted. */
void in_use_begin(void);
/* 0; 1 when it is standard input and that has been read: a pipe has nothing twice. */
int in_use_read(int fd);
/* 0; 1 and a sentence when the file is read, or written already; -1 and a sentence when memory is
 * out. */
int in_use_write(const char *path, char *error, size_t error_size);

#endif
