/*
 * gzip: a stream whose bytes go compressed into another one.
 *
 *   FILE *packed = gzip_open(out);   write to packed
 *   gzip_close(packed)               out has all of it, and stays open
 */
#ifndef TAKT_CLI_GZIP_H
#define TAKT_CLI_GZIP_H

#include <stdbool.h>
#include <stdio.h>

/* Whether a file of this name is to be compressed: it ends in ".gz". */
bool gzip_named(const char *path);

/* NULL when the host has no memory. */
FILE *gzip_open(FILE *out);
/* Returns 0, or -1 when not everything could be written. */
int gzip_close(FILE *packed);

#endif
