#include "traces/ahead.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 };

static int make_stmts(struct ahead *a)
{
    const size_t count = a->told.stmt_count;
    for (size_t first = 0; first < count; first += BLOCK) {
        int64_t rows[BLOCK][STMT_COLUMNS];
        const size_t many = count - first < BLOCK ? count - first : BLOCK;
        if (listing_stmts(&a->listing, first, many, rows)) {
            return -1;
        }
        for (size_t i = 0; i < many; i++) {
            tree_row(&a->stmt, rows[i][0], rows[i], STMT_COLUMNS, true);
        }
    }
    a->stmt_count = count;
    return 0;
}

/* Those that move data, which transfers and edges name, and the first of equal ones, to which costs of them all may be
 * charged. */
static int make_likely(struct ahead *a)
{
    enum { UNKNOWN, RESTS, MOVES };
    const struct packed *packed = &a->listing.packed;
    uint8_t *states = calloc(packed->count + 1, 1);
    a->likely = calloc(a->told.stmt_count / 8 + 1, 1);
    int status = states && a->likely ? 0 : -1;
    for (size_t id = 0; id < a->told.stmt_count && status == 0 && !a->stop; id++) {
        uint8_t *state = &states[packed->of_stmt[id]];
        if (*state == RESTS) {
            continue;
        }
        if (*state == UNKNOWN) {
            *state = a->told.moves && a->told.moves(a->told.asked, (uint32_t)id) ? MOVES : RESTS;
        }
        a->likely[id / 8] |= (uint8_t)(1 << id % 8);
        int64_t row[1][STMT_COLUMNS];
        if (a->paging != AHEAD_NO_PAGES && (status = listing_stmts(&a->listing, id, 1, row)) == 0) {
            tree_row(&a->stmt, row[0][0], row[0], STMT_COLUMNS, true);
            a->stmt_count++;
        }
    }
    free(states);
    return status;
}

static void make(void *self)
{
    struct ahead *a = self;
    if (!a->stop) {
        a->status = listing_make(&a->listing, &a->told, a->lazy);
    }
    if (!a->stop && a->status == 0 && a->paging == AHEAD_PAGES_LATE && ahead_all(a)) {
        a->status = make_stmts(a); /* there is time for it */
    }
    if (!a->stop && a->status == 0 && !ahead_all(a)) {
        a->status = make_likely(a);
    }
}

static int take_source(void *tree, int64_t id, const int64_t columns[SOURCE_COLUMNS],
                       const char *text, size_t size)
{
    tree_text(tree, id, columns, SOURCE_COLUMNS, true, text, size);
    return 0;
}

static void write_trees(void *self)
{
    struct ahead *a = self;
    if (a->stop || a->status || !*a->source_root) {
        return;
    }
    tree_attach(&a->source, a->pages, *a->source_root);
    listing_sources(&a->listing, take_source, &a->source);
    tree_end(&a->source);
    if (ahead_all(a)) {
        tree_attach(&a->stmt, a->pages, *a->stmt_root);
        if (a->paging == AHEAD_PAGES_SOON) {
            a->status = make_stmts(a);
        }
        tree_end(&a->stmt);
    }
    pages_flush(a->pages); /* here nobody waits for it */
}

int ahead_start(struct ahead **ahead, const struct told *told, enum ahead_paging paging,
                void (*first)(void *argument), void *argument)
{
    struct ahead *a = calloc(1, sizeof *a);
    struct file_info *files = calloc(told->file_count + 1, sizeof *files);
    if (!a || !files) {
        free(a);
        free(files);
        return -1;
    }
    if (told->file_count) {
        memcpy(files, told->files, told->file_count * sizeof *files);
    }
    a->told = *told;
    a->told.files = a->files = files;
    a->lazy = told->stmt_count > AHEAD_STMTS;
    a->paging = paging;
    a->aside = a->lazy ? aside_open() : NULL;
    leaf_pool_begin(&a->leaves);
    tree_begin(&a->source, &a->leaves);
    tree_begin(&a->stmt, &a->leaves);
    *ahead = a;
    if (first) {
        aside_do(a->aside, first, argument);
        a->first = aside_given(a->aside);
    }
    aside_do(a->aside, make, a);
    a->jobs = aside_given(a->aside);
    return 0;
}

void ahead_pages(struct ahead *a, struct pages *pages, const uint32_t *source_root,
                 const uint32_t *stmt_root)
{
    a->pages = pages;
    a->source_root = source_root;
    a->stmt_root = stmt_root;
    aside_do(a->aside, write_trees, a);
    a->jobs = aside_given(a->aside);
}

int ahead_join(struct ahead *a)
{
    aside_wait_for(a->aside, a->jobs);
    return a->status;
}

void ahead_stop(struct ahead *a)
{
    a->stop = true;
    aside_wait(a->aside);
}

void ahead_let_go(struct ahead *a)
{
    tree_free(&a->source);
    tree_free(&a->stmt);
    listing_free(&a->listing);
    free(a->likely);
    a->likely = NULL;
}

void ahead_free(struct ahead *a)
{
    if (!a) {
        return;
    }
    a->stop = true;
    aside_close(a->aside);
    ahead_let_go(a);
    leaf_pool_end(&a->leaves);
    free(a->files);
    free(a);
}
