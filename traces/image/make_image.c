/*
 * make_image: the empty trace as takt carries it, made when takt is built: fifty tables and views
 * through SQL take four milliseconds, a copy of the finished file next to nothing.
 *
 *   make_image file | totals | lean     writes the image to standard output
 *
 *   file    every table, documented; says complete = 0
 *   totals  and the indexes
 *   lean    for a recording in memory: without sentences, and without the tables that are read
 * where they are gathered (traces/live.h)
 */
#include <stdio.h>
#include <string.h>

#include "traces/schema.h"

static int fail(sqlite3 *db)
{
    fprintf(stderr, "make_image: %s\n", db ? sqlite3_errmsg(db) : "out of memory");
    return 1;
}

int main(int argc, char **argv)
{
    const int lean = argc == 2 && !strcmp(argv[1], "lean");
    const int totals = argc == 2 && !strcmp(argv[1], "totals");
    if (!lean && !totals && (argc != 2 || strcmp(argv[1], "file"))) {
        fprintf(stderr, "make_image: file, totals or lean\n");
        return 2;
    }
    sqlite3 *db = NULL;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
        sqlite3_exec(db, "PRAGMA page_size = 4096; BEGIN", NULL, NULL, NULL) != SQLITE_OK ||
        schema_create(db, !lean) != SQLITE_OK ||
        (totals && sqlite3_exec(db, SCHEMA_INDEXES, NULL, NULL, NULL) != SQLITE_OK) ||
        sqlite3_exec(db, "INSERT INTO meta VALUES ('complete', 0)", NULL, NULL, NULL) !=
            SQLITE_OK ||
        (lean && sqlite3_exec(db,
                              "DROP TABLE transfer; DROP TABLE warning; DROP TABLE stmt;"
                              "DROP TABLE source",
                              NULL, NULL, NULL) != SQLITE_OK) ||
        sqlite3_exec(db, "COMMIT; VACUUM", NULL, NULL, NULL) != SQLITE_OK) {
        return fail(db);
    }
    sqlite3_int64 size = 0;
    unsigned char *image = sqlite3_serialize(db, "main", &size, 0);
    if (!image) {
        return fail(db);
    }
    const int written = fwrite(image, 1, (size_t)size, stdout) == (size_t)size && !fflush(stdout);
    sqlite3_free(image);
    sqlite3_close(db);
    return written ? 0 : 3;
}
