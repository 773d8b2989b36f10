/*
 * image: the empty traces that takt carries (traces/image/make_image.c writes them when it is
 * built).
 */
#ifndef TAKT_TRACES_IMAGE_H
#define TAKT_TRACES_IMAGE_H

#include <sqlite3.h>
#include <stddef.h>

enum image {
    IMAGE_FILE,   /* every table; indexes come when the rows stand */
    IMAGE_TOTALS, /* and their indexes, for rows that do not come through SQL */
    IMAGE_LEAN    /* for a recording in memory */
};

/* The bytes of an SQLite file. */
const void *image_bytes(enum image image, size_t *size);
/* An open connection to an empty database in memory gets it. Returns an SQLite code. */
int image_load(sqlite3 *db, enum image image);

#endif
