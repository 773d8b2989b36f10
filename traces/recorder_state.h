/* recorder_state: what recorder.c and recorder_*.c share; nobody else looks inside, but live.c. */
#ifndef TAKT_TRACES_RECORDER_STATE_H
#define TAKT_TRACES_RECORDER_STATE_H

#include "traces/ahead.h"
#include "traces/bulk.h"
#include "traces/chunk.h"
#include "traces/deps.h"
#include "traces/dictionary.h"
#include "traces/pages.h"
#include "traces/recorder.h"
#include "traces/work_file.h"

/* Tables with a seal, in the order of enum seal_table. */
#define SEAL_TABLES(TABLE)                                                                         \
    TABLE(stmt)                                                                                    \
    TABLE(cost_range)                                                                              \
    TABLE(source) TABLE(unit_total) TABLE(cost) TABLE(nop_tag) TABLE(transfer) TABLE(dep)          \
        TABLE(slack_range) TABLE(crit) TABLE(bound) TABLE(mip) TABLE(warning) TABLE(slice_chunk)   \
            TABLE(pattern) TABLE(step_chunk) TABLE(slice_row)

enum seal_table {
#define TABLE(name) SEAL_##name,
    SEAL_TABLES(TABLE)
#undef TABLE
        SEAL_COUNT
};

enum {
    TABLE_UNIT_TOTAL,
    TABLE_COST,
    TABLE_COST_RANGE, /* behind cost */
    TABLE_SLACK_RANGE,
    TABLE_CRIT,
    TABLE_TRANSFER,
    TABLE_WARNING,
    TABLE_DEP,
    TABLE_MIP,
    TABLE_NOP_TAG,
    RECORDER_TABLES
};
/* Roots of a file: these, and behind them recorder_tables. */
enum {
    ROOT_SOURCE,
    ROOT_STMT,
    ROOT_STRING,
    ROOT_TRANSFER_STMT,
    ROOTS
};
enum { TRANSFER_FIELDS = 13, TRANSFER_ENTRY = 2, WARNING_FIELDS = 5, DEP_FIELDS = 14 };
enum { DEP_SRC = 1, DEP_DST }; /* columns */

enum { RECORDER_LITERALS = 64 };
enum { SEAL_MODULUS = 1000003, COMMIT_ROWS = 1 << 15, LEAN_DEPS = 256, POINTER_CACHE = 32 };

/* Two threads may count at once: no two seals are in one line of the cache. */
struct seal {
    uint64_t rows, sum;
    uint64_t unused[6];
};

/* Rows that are gathered until they are written. */
struct rows {
    int64_t *values;
    size_t count, capacity, written;
    unsigned columns;
};

/* Where rows go: through SQL, into a tree of pages, or into a table without row ids. */
struct out {
    struct recorder *recorder;
    struct bulk bulk;
    struct tree *tree;   /* NULL: */
    struct index *index; /* NULL: SQL */
    unsigned columns;
    bool keyed; /* the first column is the row id */
    int64_t id; /* of the last row, else */
};

struct slice_buffer {
    struct slice_item *items; /* CHUNK_ITEMS */
    size_t count;
};

/* Steps and holds that are not written yet; the first `carried` of them are, and matter still. */
struct step_buffer {
    struct slice_item *items; /* CHUNK_ITEMS */
    size_t count, carried;
    uint64_t finish;
    uint32_t *reach; /* of each pattern: cycles to the end of its last part */
    size_t pattern_count, pattern_capacity;
    uint32_t longest;
    uint64_t chunks;
};

struct recorder {
    sqlite3 *db;
    bool file, lean;
    char *path; /* that was asked for */
    struct recorder_options options;
    struct work_file work;
    bool opening; /* the second thread opens the file, or the database in memory, and writes its head, before the
                     begin */
    atomic_bool dropped; /* nobody will need what is still being begun */
    int opened;   /* how that went, or it without that thread: as recorder_open returns */
    uint64_t sync_job;     /* jobs of the aside when sync_file is done */
    atomic_int sync_error; /* errno of a sync that failed, or 0 */
    unsigned char *announcement; /* the file as it was when it had its head */
    size_t announcement_size;
    char error[2 * WORK_ERROR];
    atomic_bool failing, failed; /* the sentence is being written; stands */
    bool begun, finished, complete;
    bool telling; /* transfers are being told aside: texts, edges and they themselves */
    uint64_t told_jobs; /* jobs of the aside when they are told */
    struct apart *apart; /* tables that are being made (recorder_apart.c), or NULL */
    uint64_t pending_rows;
    struct seal seals[SEAL_COUNT];

    sqlite3_stmt *insert_meta, *insert_string;
    struct dictionary strings;
    struct {
        const char *text;
        uint32_t id;
    } cache[POINTER_CACHE]; /* by pointer: modes and rules are literals */
    struct short_text {
        char text[16]; /* with zeros behind it */
        uint32_t id;
    } short_texts[POINTER_CACHE]; /* by their bytes: what is said of many statements */
    char **copies;                /* texts that had to be kept */
    size_t copy_count, copy_capacity;

    struct told told; /* its list of files is an own one */
    uint64_t program_hash; /* of a long program, when its pages are made */
    struct stmt_info *own_stmts;
    bool lazy;             /* only statements that another table refers to get a row */
    uint8_t *stmt_seen;    /* lazy: bits */
    uint8_t *stmt_written; /* bits; NULL before the first */
    struct stmt_cost {
        uint32_t stmt, shape;
    } * costs; /* by statement: those that share theirs with nobody */
    size_t cost_count, cost_capacity;
    uint32_t *shared_shapes; /* of struct sink_summary's shared */
    struct file_info *files;
    struct ahead *ahead; /* NULL: lean, or nothing has been begun */
    struct rows transfers;      /* of a file only what its index needs: stmt and id */
    struct tree transfer_tree;  /* a file: the rows */
    struct out transfer_out;    /* to it */
    struct rows warnings;
    bool warnings_aside;        /* rows of theirs are being made, or written */
    struct tree warning_tree;   /* a file: the rows that have been written, before the rest is */
    struct out warning_out;     /* to it */
    uint64_t left_out; /* warnings */

    /* A file, but for intervals while they come, is no open database for others, and written as pages. */
    bool paging;
    struct pages pages;
    uint32_t roots[PAGES_ROOTS];

    struct bulk slice_row;
    bool bulk_open;
    sqlite3_stmt *insert_chunk, *insert_steps;
    struct step_buffer steps;
    uint64_t chunk_count;

    struct deps deps;
    struct deps moved;    /* a file: edges of transfers, which come behind those; told by the aside */
    struct literal {
        const char *text;
        uint32_t id;
    } literals[RECORDER_LITERALS]; /* a file: of transfers, told at the begin */
    size_t literal_count;
    size_t transfer_room; /* transfers that may come */

    struct slice_buffer *slices; /* by unit */
    size_t unit_count;
};

/* 0, or -1 after keeping the sentence of what SQLite says. */
int recorder_sql(struct recorder *r, int rc);
/* By any thread; the first sentence is kept. */
int recorder_fail(struct recorder *r, const char *sentence);
int recorder_exec(struct recorder *r, const char *sql);
int recorder_meta_integer(struct recorder *r, const char *key, uint64_t value);
int recorder_meta_real(struct recorder *r, const char *key, double value);
int recorder_meta_text(struct recorder *r, const char *key, const char *text);
/* The run is complete, so that how far it came is its total; or not. */
int recorder_say(struct recorder *r, bool complete);
sqlite3_stmt *recorder_prepare(struct recorder *r, const char *sql); /* NULL on failure */
int recorder_insert(struct recorder *r, sqlite3_stmt *s);            /* step and reset */

/* Make sure that the statement gets its row; NONE_ID is fine. */
static inline void recorder_need_stmt(struct recorder *r, uint32_t stmt)
{
    if (r->lazy && stmt < r->told.stmt_count) {
        r->stmt_seen[stmt / 8] |= (uint8_t)(1 << stmt % 8);
    }
}

/* The same by any thread, while the program runs. */
static inline void recorder_need_now(struct recorder *r, uint32_t stmt)
{
    if (r->lazy && stmt < r->told.stmt_count) {
        __atomic_fetch_or(&r->stmt_seen[stmt / 8], (uint8_t)(1 << stmt % 8), __ATOMIC_RELAXED);
    }
}

/* recorder.c: commit, when enough has come. */
int recorder_flush_now_and_then(struct recorder *r);

/* recorder_events.c, recorder_intervals.c: calls of the sink (timing/sink.h), and what is left of
 * intervals at the end. */
int recorder_transfer(void *self, const struct sink_transfer *transfer);
int recorder_edge(void *self, const struct sink_edge *edge);
int recorder_transfers(void *self, sink_tale *tell, const void *asked);
int recorder_transfers_ahead(void *self, sink_tale *tell, const void *asked);
/* Of a file: their ids, before the aside looks for them. */
int recorder_literals(struct recorder *r, const char *const *texts);
/* Until transfers have been told. */
void recorder_wait_told(struct recorder *r);
int recorder_warning(void *self, const char *name, uint32_t stmt, const char *sentence);
int recorder_warnings(void *self, const char *name, const struct sink_warnings *warnings);
int recorder_slice(void *self, uint32_t unit, enum reason reason, uint32_t stmt, uint64_t start,
                   uint64_t duration);
int recorder_pattern(void *self, const struct sink_part *parts, size_t count);
int recorder_step(void *self, uint32_t pattern, uint32_t stmt, uint64_t start);
int recorder_hold(void *self, enum reason reason, uint32_t stmt, uint64_t start, uint64_t duration);
int recorder_flush_intervals(struct recorder *r);

/* recorder_rows.c: rows on their way. */
int rows_add(struct recorder *r, struct rows *rows, const int64_t *row);
/* Room for so many more. */
int rows_reserve(struct recorder *r, struct rows *rows, size_t more);
void rows_free(struct rows *rows);
int out_open(struct out *out, struct recorder *r, const char *table, unsigned columns, bool keyed);
int out_row(struct out *out, const int64_t *row);
int out_close(struct out *out); /* writes what is left; not needed for a tree */
/* Those not written yet, before number `end`. */
int rows_write(struct rows *rows, size_t end, struct out *out);

/* recorder_stmt.c: the statements and the text they stand in. Of a packed text: the rows of stmt; likely: those that
 * the tree of r->ahead has are all, and this one stays empty. -1 when memory is out, without a sentence. */
int recorder_write_stmts(struct recorder *r, struct tree *stmt, bool *likely);
/* All rows of source have been given. */
void recorder_seal_sources(struct recorder *r);
/* What has been gathered goes through SQL: statements, transfers, warnings. */
int recorder_write_rows(struct recorder *r);
void recorder_free_stmts(struct recorder *r);

/* recorder_begin.c: facts, units, parameters and names of files; of a file also what is to be announced. */
int recorder_header(struct recorder *r, const struct sink_header *header);
int recorder_program_hash(struct recorder *r, uint64_t hash);

/* recorder_finish.c */
struct recorder_table {
    const char *name;
    unsigned columns;
    bool keyed; /* as struct out */
    int (*rows)(struct recorder *r, struct out *out, const struct sink_summary *summary);
};
extern const struct recorder_table recorder_tables[RECORDER_TABLES]; /* in this order */
int recorder_summary(struct recorder *r, const struct sink_summary *summary);
/* The row of edge number i of deps or moved, as its table's columns are told; and that it is written. */
void recorder_dep_row(struct recorder *r, const struct deps *deps, size_t i, int64_t row[DEP_FIELDS]);
/* The statements that the summary and the edges refer to, and those that have their row anyway. */
void recorder_need_stmts(struct recorder *r, const struct sink_summary *summary);

/* recorder_pages.c: from now on the file is written as pages, and the connection rests; and back. Without commit
 * it is as it was before. */
int recorder_open_pages(struct recorder *r);
/* The thread of r->ahead is the first to write; what it was given before opens the pages. */
void recorder_write_ahead(struct recorder *r);
int recorder_close_pages(struct recorder *r, bool commit);
/* recorder_apart.c: the tables of recorder_tables, their indexes, and statements. Those that wait for no summary may
 * be begun before, by the aside, while the file is written as pages: all edges and transfers are told, or will be by
 * a job of the aside that has been given. */
int recorder_begin_apart(struct recorder *r);
/* Nothing of it is written any more; the aside has nothing left to do. */
void recorder_end_apart(struct recorder *r);
int recorder_write_apart(struct recorder *r, const struct sink_summary *summary);
/* All tables, between opening and closing. */
int recorder_write_pages(struct recorder *r, const struct sink_summary *summary);

static inline void seal_add(struct recorder *r, enum seal_table table, uint64_t value)
{
    struct seal *seal = &r->seals[table];
    seal->rows++;
    seal->sum = (seal->sum + value % SEAL_MODULUS) % SEAL_MODULUS;
}

static inline int64_t id_or_null(uint32_t id)
{
    return id == NONE_ID ? BULK_NULL : (int64_t)id;
}

#endif
