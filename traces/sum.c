#include "traces/sum.h"

#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/hash.h"

enum {
    PIECE = 1 << 18,
    SECTOR = 512,    /* pages are multiples of it */
    COUNTER_AT = 24, /* in the header of SQLite's file format */
    VALID_AT = 92,   /* the same, since version 3.7 */
};

struct sum {
    char mark[8];
    unsigned char counter[4], zero[4];
    uint64_t value;
};

_Static_assert(sizeof(struct sum) == SUM_SIZE, "as in sum.h");

static const char mark[8] = {'t', 'a', 'k', 't', ' ', 's', 'u', 'm'};

struct view {
    sqlite3_file *file;
    sqlite3_int64 size, pages; /* bytes; those before the sum */
};

static int look(sqlite3 *db, struct view *view)
{
    int rc = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &view->file);
    if (rc == SQLITE_OK)
        rc = view->file->pMethods ? view->file->pMethods->xFileSize(view->file, &view->size)
                                  : SQLITE_MISUSE;
    view->pages = view->size;
    if (view->size % SECTOR != 0)
        view->pages -= view->size % SECTOR;
    return rc;
}

static int read_at(const struct view *view, void *to, size_t size, sqlite3_int64 at)
{
    return view->file->pMethods->xRead(view->file, to, (int)size, at);
}

static int sum_of(const struct view *view, struct sum *sum)
{
    uint64_t *words = malloc(PIECE);
    int rc = words ? SQLITE_OK : SQLITE_NOMEM;
    *sum = (struct sum){.value = (uint64_t)view->pages};
    memcpy(sum->mark, mark, sizeof mark);
    for (sqlite3_int64 at = 0; rc == SQLITE_OK && at < view->pages; at += PIECE) {
        const size_t size = view->pages - at < PIECE ? (size_t)(view->pages - at) : PIECE;
        rc = read_at(view, words, size, at);
        for (size_t i = 0; rc == SQLITE_OK && i < size / sizeof *words; i++)
            sum->value += hash_place((uint64_t)at / sizeof *words + i, le64toh(words[i]));
        if (at == 0 && rc == SQLITE_OK)
            memcpy(sum->counter, (const char *)words + COUNTER_AT, sizeof sum->counter);
    }
    sum->value = htole64(sum->value);
    free(words);
    return rc;
}

int sum_write(sqlite3 *db)
{
    struct view view;
    struct sum sum;
    int rc = look(db, &view);
    if (rc == SQLITE_OK)
        rc = sum_of(&view, &sum);
    if (rc == SQLITE_OK)
        rc = view.file->pMethods->xWrite(view.file, &sum, sizeof sum, view.pages);
    if (rc != SQLITE_OK && view.file && view.file->pMethods) /* not half of it */
        view.file->pMethods->xTruncate(view.file, view.pages);
    return rc;
}

int sum_verify(sqlite3 *db)
{
    struct view view;
    struct sum said, found;
    int rc = look(db, &view);
    if (rc != SQLITE_OK || view.pages == view.size)
        return rc;
    if (view.size - view.pages != sizeof said)
        return SQLITE_CORRUPT;
    unsigned char counter[4], valid[4];
    rc = read_at(&view, &said, sizeof said, view.pages);
    if (rc == SQLITE_OK)
        rc = read_at(&view, counter, sizeof counter, COUNTER_AT);
    if (rc == SQLITE_OK)
        rc = read_at(&view, valid, sizeof valid, VALID_AT);
    if (rc != SQLITE_OK)
        return rc;
    if (memcmp(said.mark, mark, sizeof mark) != 0)
        return SQLITE_CORRUPT;
    /* Changed since, by SQLite, which counts up and writes both. */
    if (memcmp(counter, said.counter, sizeof counter) > 0 &&
        memcmp(counter, valid, sizeof counter) == 0)
        return SQLITE_OK;
    rc = sum_of(&view, &found);
    return rc != SQLITE_OK || memcmp(&said, &found, sizeof said) == 0 ? rc : SQLITE_CORRUPT;
}
