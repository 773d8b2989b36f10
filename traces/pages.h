/*
 * pages: many rows into an SQLite file at once, as whole pages.
 *
 *   closed database, empty tables --pages_open--> tree_begin, tree_row*, tree_end --pages_close-->
 * file
 *
 * A row through SQL costs 200 ns and more, a row here about 20: the b-tree of a table whose rows
 * come in order of their id is written leaf after leaf behind the end of the file, and the empty
 * root page becomes its top. The format is that of sqlite.org/fileformat2.html, sections 1.2
 * to 1.7, 2.1 and 3.
 *
 * Nothing in the file points to the new pages before pages_close. It writes a rollback journal of
 * the pages that change, changes them and drops the journal: a process that is killed leaves a file
 * which the next reader finds as it was. The caller keeps others out meanwhile (traces/work_file.h).
 */
#ifndef TAKT_TRACES_PAGES_H
#define TAKT_TRACES_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/leaves.h"

enum { PAGES_ROOTS = 24, PAGES_COLUMNS = 16 };

#define PAGES_NULL INT64_MIN /* NULL in a row of whole numbers */

struct pages {
    int fd;
    const char *path;
    uint32_t before, count; /* pages of the file; and with the new ones */
    uint32_t sent;          /* the first that is not on its way to the disk */
    uint8_t *buffer;        /* new pages that are not written yet, the last ones */
    size_t filled;
    struct {
        uint32_t number;
        uint8_t page[PAGE_SIZE];
    } * roots;
    size_t root_count;
    uint8_t head[PAGE_SIZE]; /* page 1 as it was */
    int error;               /* errno of the first call that failed, or 0 */
};

/* The database at path, open as fd, whose connections are closed or know that it changes. Returns 0 or -1; in both cases
 * pages_close must follow, and pages_free. */
int pages_open(struct pages *pages, int fd, const char *path);
/* What has been made so far is written, and on its way to the disk. */
void pages_flush(struct pages *pages);
/* With commit, and if nothing failed: the new pages become part of the file. Otherwise it stays as
 * it was. Returns 0, or -1 and pages->error. */
int pages_close(struct pages *pages, bool commit);
/* What it needed: after pages_close, or of zeros. */
void pages_free(struct pages *pages);

struct tree_child {
    uint32_t page;
    int64_t last; /* id of its last row; of an index: the entry that parts it from the next child */
};

/* A table by rising row id. Before it is attached its full leaves are kept in memory, and no row
 * may be longer than a leaf. */
struct tree {
    struct pages *pages; /* NULL: not attached */
    uint32_t root;
    struct leaves leaves;    /* those that are kept */
    int error;               /* as in struct pages, until it is attached */
    uint8_t page[PAGE_SIZE]; /* the leaf that is being filled */
    unsigned cells, content;
    int64_t last;
    struct tree_child *children;
    size_t child_count, child_capacity;
};

/* pool: for leaves that are kept, or NULL. */
void tree_begin(struct tree *tree, struct leaf_pool *pool);
/* From here on leaves go to the file, those that are kept first. */
void tree_attach(struct tree *tree, struct pages *pages, uint32_t root);
/* Columns of whole numbers, PAGES_NULL for NULL. key: the first column is the row id; what is given for
 * it does not matter. Failures are kept in pages->error. */
void tree_row(struct tree *tree, int64_t id, const int64_t *values, unsigned count, bool key);
/* The same, and a text as the last column. */
void tree_text(struct tree *tree, int64_t id, const int64_t *values, unsigned count, bool key,
               const char *text, size_t size);
/* Rows of another tree, neither of which is attached, by rising id up to `last`: a whole leaf of it. */
void tree_leaf(struct tree *tree, const uint8_t *leaf, int64_t last);
/* The tree must be attached. Also frees what it holds. */
void tree_end(struct tree *tree);
/* Frees what a tree holds that has not come to its end. */
void tree_free(struct tree *tree);

/* An index over whole numbers, or a table without row ids: entries that come in their order. Until it is attached
 * its full leaves are kept in memory. */
struct index {
    struct tree tree;
    unsigned columns, most, size; /* most: bytes of a record so far; size: of the last cell */
    int64_t last[PAGES_COLUMNS];  /* entry */
    int64_t *between;             /* entries that part leaves; tree_child.last is their number */
    size_t between_count, between_capacity;
};

/* Entries of `columns` numbers each, at most INDEX_COLUMNS. */
enum { INDEX_COLUMNS = 14 };
void index_begin(struct index *index, struct leaf_pool *pool, unsigned columns);
void index_attach(struct index *index, struct pages *pages, uint32_t root);
/* Later than the one before, as SQLite compares them: PAGES_NULL comes first. */
void index_row(struct index *index, const int64_t *values);
/* The index must be attached. Failures are kept in pages->error. Also frees what it holds. */
void index_end(struct index *index);
/* Frees what an index holds that has not come to its end. */
void index_free(struct index *index);

#endif
