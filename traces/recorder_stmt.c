/* recorder_stmt: what the program alone gives (traces/listing.h) goes into its tables. */
#include <stdlib.h>

#include "traces/recorder_state.h"

static bool bit(const uint8_t *bits, size_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

/* The next statement from i on that is referred to; stmt_count when there is none. */
static size_t next_wanted(const struct recorder *r, size_t i)
{
    while (i < r->told.stmt_count && !bit(r->stmt_seen, i)) {
        i += i % 8 == 0 && r->stmt_seen[i / 8] == 0 ? 8 : 1;
    }
    return i < r->told.stmt_count ? i : r->told.stmt_count;
}

/* Those that have no row and want one: of a packed text the ones that are referred to. -1 without a
 * sentence: memory is out. */
static int write_stmts(struct recorder *r, struct out *out)
{
    struct listing *listing = &r->ahead->listing;
    const bool all = ahead_all(r->ahead);
    if (!r->stmt_written && !(r->stmt_written = calloc(r->told.stmt_count / 8 + 1, 1))) {
        return -1;
    }
    for (size_t i = all ? 0 : next_wanted(r, 0); i < r->told.stmt_count;
         i = all ? i + 1 : next_wanted(r, i + 1)) {
        int64_t row[1][STMT_COLUMNS];
        if (bit(r->stmt_written, i)) {
            continue;
        }
        r->stmt_written[i / 8] |= (uint8_t)(1 << i % 8);
        if (listing_stmts(listing, i, 1, row)) {
            return -1;
        }
        seal_add(r, SEAL_stmt, 0);
        if (out_row(out, row[0])) {
            return -1;
        }
    }
    return 0;
}

/* --- beside those that have their rows ----------------------------------------------------------- */

/* Has a statement of [from, end) been asked for that is none of the likely ones? */
static bool more_wanted(const struct recorder *r, size_t from, size_t end)
{
    const uint8_t *seen = r->stmt_seen, *likely = r->ahead->likely;
    for (size_t i = from; i < end; i += 8 - i % 8) {
        const unsigned first = 0xffu << i % 8, last = end - i < 8 - i % 8 ? 0xffu >> (8 - end % 8) : 0xff;
        if (seen[i / 8] & ~likely[i / 8] & first & last) {
            return true;
        }
    }
    return false;
}

static int write_wanted(struct recorder *r, struct tree *tree, size_t from, size_t end)
{
    for (size_t i = next_wanted(r, from); i < end; i = next_wanted(r, i + 1)) {
        int64_t row[1][STMT_COLUMNS];
        if (listing_stmts(&r->ahead->listing, i, 1, row)) {
            return -1;
        }
        tree_row(tree, row[0][0], row[0], STMT_COLUMNS, true);
    }
    return 0;
}

int recorder_write_stmts(struct recorder *r, struct tree *tree, bool *likely)
{
    const struct tree *made = &r->ahead->stmt;
    for (size_t i = 0; i <= r->told.stmt_count / 8; i++) {
        r->seals[SEAL_stmt].rows += (uint64_t)__builtin_popcount(r->stmt_seen[i]);
    }
    *likely = !more_wanted(r, 0, r->told.stmt_count);
    size_t id = 0; /* those before are written */
    for (size_t i = 0, count; i < made->child_count && !*likely; i += count) {
        const uint8_t *leaf = leaves_run(&made->leaves, i, &count);
        for (size_t k = 0; k < count; k++) {
            const int64_t last = made->children[i + k].last;
            if (!more_wanted(r, id, (size_t)last + 1)) {
                tree_leaf(tree, leaf + k * PAGE_SIZE, last);
            } else if (write_wanted(r, tree, id, (size_t)last + 1)) {
                return -1;
            }
            id = (size_t)last + 1;
        }
    }
    return made->error || (!*likely && write_wanted(r, tree, id, r->told.stmt_count)) ? -1 : 0;
}

/* --- through SQL --------------------------------------------------------------------------------
 */

struct inserting {
    struct recorder *recorder;
    sqlite3_stmt *insert;
};

static int insert_source(void *self, int64_t id, const int64_t columns[SOURCE_COLUMNS],
                         const char *text, size_t size)
{
    const struct inserting *to = self;
    sqlite3_bind_int64(to->insert, 1, id);
    for (int i = 1; i < SOURCE_COLUMNS; i++) {
        if (columns[i] == PAGES_NULL) {
            sqlite3_bind_null(to->insert, 1 + i);
        } else {
            sqlite3_bind_int64(to->insert, 1 + i, columns[i]);
        }
    }
    sqlite3_bind_text64(to->insert, 1 + SOURCE_COLUMNS, text, size, SQLITE_STATIC, SQLITE_UTF8);
    return recorder_insert(to->recorder, to->insert);
}

static int insert_program(struct recorder *r)
{
    if (ahead_join(r->ahead)) {
        return recorder_fail(r, "out of memory");
    }
    r->program_hash = r->ahead->listing.hash;
    struct inserting to = {r, recorder_prepare(r, "INSERT INTO source VALUES (?, ?, ?, ?, ?)")};
    struct out out;
    int status = to.insert ? out_open(&out, r, "stmt", STMT_COLUMNS, true) : -1;
    if (status == 0) {
        status = write_stmts(r, &out) ? recorder_fail(r, "out of memory") : 0;
        status = out_close(&out) ? -1 : status;
    }
    /* Now it is known which texts stand in no file. */
    if (status == 0) {
        status = listing_sources(&r->ahead->listing, insert_source, &to);
        recorder_seal_sources(r);
    }
    sqlite3_finalize(to.insert);
    return status;
}

static int write_sql(struct recorder *r, struct rows *rows, const char *table, bool keyed)
{
    if (rows->written == rows->count) {
        return 0;
    }
    struct out out;
    int status = out_open(&out, r, table, rows->columns, keyed);
    if (status == 0) {
        status = rows_write(rows, rows->count, &out);
    }
    return out_close(&out) ? -1 : status;
}

int recorder_write_rows(struct recorder *r)
{
    return r->lean ? 0
           : insert_program(r) || write_sql(r, &r->transfers, "transfer", true) ||
                   write_sql(r, &r->warnings, "warning", false)
               ? -1
               : 0;
}

void recorder_seal_sources(struct recorder *r)
{
    const struct listing *listing = &r->ahead->listing;
    r->seals[SEAL_source] =
        (struct seal){.rows = listing->source_count, .sum = listing->source_sum % SEAL_MODULUS};
}

void recorder_free_stmts(struct recorder *r)
{
    free(r->own_stmts);
    free(r->stmt_seen);
    free(r->stmt_written);
    free(r->costs);
    free(r->shared_shapes);
    free(r->files);
    rows_free(&r->transfers);
    tree_free(&r->transfer_tree);
    tree_free(&r->warning_tree);
    rows_free(&r->warnings);
    ahead_free(r->ahead);
}
