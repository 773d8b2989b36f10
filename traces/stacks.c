#include "traces/stacks.h"

#include <inttypes.h>
#include <string.h>

#include "traces/json_text.h"
#include "traces/rows.h"
#include "traces/schema.h"

/* Columns as in the enum below; cycles of a stream and reason that no statement has come with file
 * NULL. Identifiers of regions and reasons count from 0. */
static const char stacks_sql[] =
    "WITH charged AS (SELECT c.unit AS unit, c.stmt AS stmt, c.reason AS reason, "
    "                        sum(c.cycles) AS cycles "
    "                 FROM stmt_total c JOIN unit u ON u.id = c.unit WHERE u.kind = 'issue' "
    "                 GROUP BY c.unit, c.stmt, c.reason), "
    "given AS (SELECT unit, reason, sum(cycles) AS cycles FROM charged GROUP BY unit, reason), "
    "whole AS (SELECT t.unit AS unit, t.reason AS reason, sum(t.cycles) AS cycles "
    "          FROM unit_total t JOIN unit u ON u.id = t.unit WHERE u.kind = 'issue' "
    "          GROUP BY t.unit, t.reason) "
    "SELECT u.name, r.name, f.name, s.line, s.text, y.name, c.cycles, c.unit, c.stmt, c.reason, "
    "       s.region "
    "FROM charged c JOIN unit u ON u.id = c.unit JOIN stmt s ON s.id = c.stmt "
    "     JOIN region r ON r.id = s.region JOIN file f ON f.id = s.file "
    "     JOIN reason y ON y.id = c.reason WHERE c.cycles > 0 "
    "UNION ALL "
    "SELECT u.name, '', NULL, 0, '', y.name, w.cycles - coalesce(g.cycles, 0), w.unit, -1, "
    "       w.reason, 0 "
    "FROM whole w JOIN unit u ON u.id = w.unit JOIN reason y ON y.id = w.reason "
    "     LEFT JOIN given g ON g.unit = w.unit AND g.reason = w.reason "
    "WHERE w.cycles > coalesce(g.cycles, 0) "
    "ORDER BY 8, 9, 10";

enum { UNIT, REGION, FILE_NAME, LINE, TEXT, REASON, CYCLES, UNIT_ID, STMT, REASON_ID, REGION_ID };
static const char nowhere[] = "(no statement)";

static int ended(sqlite3_stmt *s, int rc, FILE *out)
{
    sqlite3_finalize(s);
    if (fflush(out) || ferror(out))
        rows_fail(&rc, SQLITE_IOERR);
    return rc;
}

static bool has_statement(sqlite3_stmt *s)
{
    return sqlite3_column_type(s, FILE_NAME) != SQLITE_NULL;
}

/* --- folded ----------------------------------------------------------------------------------- */

/* A frame: semicolons separate frames, and lines end stacks. */
static void put_frame(const char *text, FILE *out)
{
    for (; *text; text++)
        putc(*text == ';' ? ':' : (unsigned char)*text < ' ' ? ' ' : *text, out);
}

int stacks_folded(sqlite3 *db, FILE *out)
{
    int rc = SQLITE_OK;
    sqlite3_stmt *s = rows_select(db, stacks_sql, &rc);
    while (rows_next(s, &rc)) {
        put_frame(rows_text(s, UNIT), out);
        putc(';', out);
        if (has_statement(s)) {
            put_frame(rows_text(s, REGION), out);
            putc(';', out);
            put_frame(rows_text(s, FILE_NAME), out);
            fprintf(out, ":%" PRId64 " ", (int64_t)sqlite3_column_int64(s, LINE));
            put_frame(rows_text(s, TEXT), out);
        } else {
            fputs(nowhere, out);
        }
        putc(';', out);
        put_frame(rows_text(s, REASON), out);
        fprintf(out, " %" PRId64 "\n", (int64_t)sqlite3_column_int64(s, CYCLES));
    }
    return ended(s, rc, out);
}

/* --- speedscope ------------------------------------------------------------------------------- */

static void put_string(const char *text, FILE *out)
{
    json_text(out, text, strlen(text));
}

/* Frames are numbered by their positions: first all regions, then all reasons, then one for the
 * statement of each row. */
static int64_t put_names(sqlite3 *db, const char *sql, int64_t count, FILE *out, int *rc)
{
    sqlite3_stmt *s = rows_select(db, sql, rc);
    for (; rows_next(s, rc); count++) {
        fprintf(out, "%s{\"name\":", count ? ",\n" : "");
        put_string(rows_text(s, 0), out);
        putc('}', out);
    }
    sqlite3_finalize(s);
    return count;
}

static void put_statements(sqlite3 *db, int64_t count, FILE *out, int *rc)
{
    sqlite3_stmt *s = rows_select(db, stacks_sql, rc);
    for (; rows_next(s, rc); count++) {
        fprintf(out, "%s{\"name\":", count ? ",\n" : "");
        put_string(has_statement(s) ? rows_text(s, TEXT) : nowhere, out);
        if (has_statement(s)) {
            fputs(",\"file\":", out);
            put_string(rows_text(s, FILE_NAME), out);
            fprintf(out, ",\"line\":%" PRId64, (int64_t)sqlite3_column_int64(s, LINE));
        }
        putc('}', out);
    }
    sqlite3_finalize(s);
}

static const char regions_sql[] = "SELECT name FROM region ORDER BY id";
static const char reasons_sql[] = "SELECT name FROM reason ORDER BY id";

/* The profile of one stream: samples or weights of its rows. */
static int64_t put_rows(sqlite3 *db, int64_t unit, bool weights, FILE *out, int *rc)
{
    const int64_t regions = rows_value(db, "SELECT count(*) FROM region", 0, 0, 0);
    const int64_t names = regions + rows_value(db, "SELECT count(*) FROM reason", 0, 0, 0);
    sqlite3_stmt *s = rows_select(db, stacks_sql, rc);
    int64_t row = 0, total = 0;
    const char *between = "";
    for (; rows_next(s, rc); row++) {
        if (sqlite3_column_int64(s, UNIT_ID) != unit)
            continue;
        const int64_t cycles = sqlite3_column_int64(s, CYCLES);
        total += cycles;
        fputs(between, out);
        between = ",";
        if (weights) {
            fprintf(out, "%" PRId64, cycles);
            continue;
        }
        putc('[', out);
        if (has_statement(s))
            fprintf(out, "%" PRId64 ",", (int64_t)sqlite3_column_int64(s, REGION_ID));
        fprintf(out, "%" PRId64 ",%" PRId64 "]", names + row,
                regions + (int64_t)sqlite3_column_int64(s, REASON_ID));
    }
    sqlite3_finalize(s);
    return total;
}

static void put_profile(sqlite3 *db, int64_t unit, const char *name, FILE *out, int *rc)
{
    fputs("{\"type\":\"sampled\",\"unit\":\"none\",\"startValue\":0,\"name\":", out);
    put_string(name, out);
    fputs(",\"samples\":[", out);
    put_rows(db, unit, false, out, rc);
    fputs("],\"weights\":[", out);
    const int64_t total = put_rows(db, unit, true, out, rc);
    fprintf(out, "],\"endValue\":%" PRId64 "}", total);
}

int stacks_speedscope(sqlite3 *db, FILE *out)
{
    int rc = SQLITE_OK;
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
          "\"exporter\":\"takt " TAKT_VERSION "\",\"shared\":{\"frames\":[\n",
          out);
    const int64_t regions = put_names(db, regions_sql, 0, out, &rc);
    const int64_t names = put_names(db, reasons_sql, regions, out, &rc);
    put_statements(db, names, out, &rc);
    fputs("]},\"profiles\":[\n", out);
    sqlite3_stmt *s = rows_select(
        db,
        "SELECT id, name FROM unit WHERE kind = 'issue' AND id IN (SELECT unit FROM unit_total) "
        "ORDER BY id",
        &rc);
    for (const char *between = ""; rows_next(s, &rc); between = ",\n") {
        fputs(between, out);
        put_profile(db, sqlite3_column_int64(s, 0), rows_text(s, 1), out, &rc);
    }
    fputs("]}\n", out);
    return ended(s, rc, out);
}

/* --- callgrind -------------------------------------------------------------------------------- */

static void put_line(const char *key, const char *text, FILE *out)
{
    fputs(key, out);
    put_frame(text, out);
    putc('\n', out);
}

int stacks_callgrind(sqlite3 *db, FILE *out)
{
    int rc = SQLITE_OK;
    fputs("# callgrind format\nversion: 1\ncreator: takt " TAKT_VERSION "\npositions: line\n"
          "event: Cycles : cycles of the instruction streams\n"
          "event: Busy : of them those with work\nevents: Cycles Busy\n",
          out);
    sqlite3_stmt *s = rows_select(db, stacks_sql, &rc);
    while (rows_next(s, &rc)) {
        const int64_t cycles = sqlite3_column_int64(s, CYCLES);
        const bool busy = strcmp(rows_text(s, REASON), "busy") == 0;
        put_line("\nfl=", has_statement(s) ? rows_text(s, FILE_NAME) : nowhere, out);
        put_line("fn=", has_statement(s) ? rows_text(s, REGION) : nowhere, out);
        fprintf(out, "%" PRId64 " %" PRId64 " %" PRId64 "\n",
                (int64_t)sqlite3_column_int64(s, LINE), cycles, busy ? cycles : 0);
    }
    fprintf(out, "\ntotals: %" PRId64 "\n",
            rows_value(db,
                       "SELECT coalesce(sum(t.cycles), 0) FROM unit_total t JOIN unit u "
                       "ON u.id = t.unit WHERE u.kind = 'issue'",
                       0, 0, 0));
    return ended(s, rc, out);
}
