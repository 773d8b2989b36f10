/*
 * ahead: what a trace needs of the program alone. Of a long program it is worked out aside
 * (traces/aside.h), while the program is checked and runs, and written there, too.
 *
 *   struct told --ahead_start--> struct listing, leaves of the tree stmt
 *   struct pages --ahead_pages--> trees of source and stmt
 *   --ahead_join--> the rest of the trace
 */
#ifndef TAKT_TRACES_AHEAD_H
#define TAKT_TRACES_AHEAD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "traces/aside.h"
#include "traces/listing.h"
#include "traces/pages.h"

/* When ahead_pages follows: never; before the run; when it has ended. */
enum ahead_paging { AHEAD_NO_PAGES, AHEAD_PAGES_SOON, AHEAD_PAGES_LATE };

/* A program of more statements is long. */
enum { AHEAD_STMTS = 100000 };

struct ahead {
    struct told told;
    struct file_info *files; /* its own list */
    struct aside *aside;     /* NULL: the program is not long */
    bool lazy;               /* long: of a packed text only statements that are asked for get a row */
    enum ahead_paging paging;
    atomic_bool stop;
    struct listing listing;
    struct leaf_pool leaves; /* of all trees of the file */
    struct tree source, stmt;
    uint64_t stmt_count; /* rows of the tree stmt */
    uint8_t *likely;     /* not ahead_all: bits: statements that other rows will name, as far as can be known. They have
                            their rows in the tree, if there are pages to come */
    int status;          /* -1: memory is out */
    struct pages *pages;
    const uint32_t *source_root, *stmt_root;
    uint64_t first; /* jobs of aside when the first is done; 0: it is */
    uint64_t jobs;  /* its own, of those that aside was given */
};

/* told and what it points to, but for the list of files, have to stand until ahead_free. first: a job to be done
 * before all others, or NULL. Returns 0, or -1 when memory is out (and then first is not done). */
int ahead_start(struct ahead **ahead, const struct told *told, enum ahead_paging paging,
                void (*first)(void *argument), void *argument);
/* The pages are not to be touched until ahead_join. Roots: of source and stmt; read when the jobs given before are
 * done, 0: there is nothing to write to after all. */
void ahead_pages(struct ahead *ahead, struct pages *pages, const uint32_t *source_root,
                 const uint32_t *stmt_root);
/* Returns 0, or -1 when memory is out. What happened to the pages is to be asked there. */
int ahead_join(struct ahead *ahead);
/* The same when nobody needs it any more: what has not been begun is left. */
void ahead_stop(struct ahead *ahead);
/* What was made is in the pages: nobody needs it any more. */
void ahead_let_go(struct ahead *ahead);
/* NULL may be given. */
void ahead_free(struct ahead *ahead);

/* Does every statement have its row? */
static inline bool ahead_all(const struct ahead *ahead)
{
    return !ahead->lazy || !ahead->listing.packed.count;
}

#endif
