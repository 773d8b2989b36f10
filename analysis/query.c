#include "analysis/query.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "traces/rows.h"

enum { VALUE_BYTES = 256 << 20, HEAP_BYTES = 1 << 30, PROGRESS_STEPS = 20000 };

/* What a query may call: functions that compute, and nothing that loads, reads a file or takes a
 * pointer (fts3_tokenizer). */
static bool is_function(const char *name)
{
    static const char *const names[] = {
        /* of a value */
        "abs", "char", "coalesce", "concat", "concat_ws", "format", "glob", "hex", "ifnull", "iif",
        "instr", "length", "like", "likelihood", "likely", "lower", "ltrim", "nullif",
        "octet_length", "printf", "quote", "random", "randomblob", "replace", "round", "rtrim",
        "sign", "soundex", "sqlite_source_id", "sqlite_version", "substr", "substring", "trim",
        "typeof", "unhex", "unicode", "unlikely", "upper", "zeroblob",
        /* of a group or window */
        "avg", "count", "cume_dist", "dense_rank", "first_value", "group_concat", "lag",
        "last_value", "lead", "max", "min", "nth_value", "ntile", "percent_rank", "rank",
        "row_number", "string_agg", "sum", "total",
        /* of time */
        "current_date", "current_time", "current_timestamp", "date", "datetime", "julianday",
        "strftime", "time", "timediff", "unixepoch",
        /* of numbers */
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos",
        "cosh", "degrees", "exp", "floor", "ln", "log", "log10", "log2", "mod", "pi", "pow",
        "power", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc", "->", "->>"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sqlite3_stricmp(name, names[i]) == 0)
            return true;
    return sqlite3_strnicmp(name, "json", 4) == 0;
}

static int authorize(void *context, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    (void)context, (void)database, (void)trigger;
    /* Pragmas that only read. */
    static const char *const pragmas[] = {
        "table_info",     "table_xinfo",    "table_list",      "index_list",    "index_info",
        "index_xinfo",    "user_version",   "application_id",  "page_count",    "page_size",
        "encoding",       "quick_check",    "integrity_check", "function_list", "compile_options",
        "collation_list", "freelist_count", "foreign_key_list"};
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return second && is_function(second) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA:
        for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++)
            if (!strcmp(first, pragmas[i]))
                return SQLITE_OK;
        return SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int late(void *until)
{
    return now() > *(const double *)until;
}

/* Is there a second statement after the first? */
static int more(sqlite3 *db, const char *tail)
{
    while (tail && *tail) {
        while (isspace((unsigned char)*tail) || *tail == ';')
            tail++;
        if (!*tail)
            break;
        sqlite3_stmt *s = NULL;
        const char *next = NULL;
        const int rc = sqlite3_prepare_v2(db, tail, -1, &s, &next);
        const int found = rc != SQLITE_OK || s;
        sqlite3_finalize(s);
        if (found)
            return 1;
        tail = next; /* a comment */
    }
    return 0;
}

/* Append to the lines of an error, where it is not empty; line ends of the text are blanks. */
static void add_line(char *error, size_t size, int most, const char *indent, const char *text)
{
    const size_t used = strlen(error), from = used && used + 1 < size ? used + 1 : used;
    snprintf(error + from, size - from, "%s%.*s", indent, most, text);
    for (char *at = error + from; (at = strchr(at, '\n'));)
        *at = ' ';
    if (from > used)
        error[used] = '\n';
}

int64_t query_limit(sqlite3 *db)
{
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, VALUE_BYTES);
    return sqlite3_hard_heap_limit64(HEAP_BYTES);
}

int query_run(sqlite3 *db, const char *sql, const struct query_options *options, FILE *out,
              char *error, size_t error_size)
{
    sqlite3_set_authorizer(db, authorize, NULL);
    const int64_t heap = query_limit(db);
    double until = now() + options->seconds;
    if (options->seconds > 0)
        sqlite3_progress_handler(db, PROGRESS_STEPS, late, &until);
    sqlite3_stmt *s = NULL;
    const char *tail = NULL;
    int rc = SQLITE_OK;
    error[0] = '\0';
    rows_fail(&rc, sqlite3_prepare_v2(db, sql, -1, &s, &tail));
    int status = QUERY_FINE;
    if (rc == SQLITE_AUTH) {
        snprintf(error, error_size, "a query can only read: %s", sqlite3_errmsg(db));
        status = QUERY_REFUSED;
    } else if (rc != SQLITE_OK) {
        const int at = sqlite3_error_offset(db);
        add_line(error, error_size, 500, "", sqlite3_errmsg(db));
        if (at >= 0) {
            add_line(error, error_size, 60, "  ", sql + at);
            add_line(error, error_size, 1, "  ", "^");
        }
        status = QUERY_REFUSED;
    } else if (!s) {
        snprintf(error, error_size, "there is no statement");
        status = QUERY_REFUSED;
    } else if (more(db, tail)) {
        snprintf(error, error_size, "one statement at a time");
        status = QUERY_REFUSED;
    } else if (!sqlite3_stmt_readonly(s) || sqlite3_column_count(s) == 0) {
        snprintf(error, error_size, "a query can only read");
        status = QUERY_REFUSED;
    } else {
        rc = answer_print(s, &options->answer, out, NULL);
        status = rc == SQLITE_OK          ? QUERY_FINE
                 : rc == SQLITE_ROW       ? QUERY_CUT
                 : rc == SQLITE_INTERRUPT ? QUERY_LATE
                                          : -1;
        /* What a query takes up in SQLite is its own fault. */
        if (rc == SQLITE_TOOBIG || rc == SQLITE_ERROR ||
            (rc == SQLITE_NOMEM && sqlite3_errcode(db) == SQLITE_NOMEM)) {
            snprintf(error, error_size, "%s", sqlite3_errmsg(db));
            status = QUERY_REFUSED;
        }
    }
    sqlite3_finalize(s);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_set_authorizer(db, NULL, NULL);
    sqlite3_hard_heap_limit64(heap);
    return status;
}
