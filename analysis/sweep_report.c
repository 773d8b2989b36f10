#include "analysis/sweep_report.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/answer.h"
#include "analysis/query.h"
#include "host/file.h"
#include "host/number.h"
#include "traces/json_text.h"
#include "traces/rows.h"
#include "traces/sum.h"

const char *const sweep_section_name[SWEEP_SECTIONS] = {"worth", "totals", "front", "best",
                                                        "failures"};
const char *const sweep_section_title[SWEEP_SECTIONS] = {
    "what each parameter is worth", "totals over each parameter", "Pareto front", "best designs",
    "failures"};

enum { GROUPS = 8, MOST_VALUES = 64 }; /* rows of a parameter that is drawn, and of another */
#define NONE "as in the chip"

static int run(sqlite3 *db, const char *format, ...)
{
    int rc = SQLITE_NOMEM;
    va_list args;
    va_start(args, format);
    char *sql = sqlite3_vmprintf(format, args);
    va_end(args);
    if (sql)
        rc = rows_exec(db, sql);
    sqlite3_free(sql);
    return rc;
}

/* --- quantities ------------------------------------------------------------------------------- */

/* The expression of a name, or the text itself. */
static const char *expression_of(const struct sweep_report *r, const char *text)
{
    const char *named =
        json_string_value(json_object_get(json_object_get(r->folder->head, "quantities"), text));
    return named ? named : text;
}

static int check_quantity(const struct sweep_report *r, const char *text, char error[SWEEP_ERROR])
{
    sqlite3_stmt *s = NULL;
    const char *rest = "";
    char *sql = sqlite3_mprintf("SELECT (%s) FROM points", expression_of(r, text));
    const int rc = sql ? sqlite3_prepare_v2(r->db, sql, -1, &s, &rest) : SQLITE_NOMEM;
    const bool good = rc == SQLITE_OK && !*rest && sqlite3_column_count(s) == 1;
    sqlite3_finalize(s);
    sqlite3_free(sql);
    if (!good)
        snprintf(error, SWEEP_ERROR, "'%.100s' is no quantity: %s", text,
                 rc == SQLITE_OK ? "it has several parts" : sqlite3_errmsg(r->db));
    return good ? 0 : 1;
}

/* The comma of "A,B" outside of parentheses. */
static const char *divide(const char *text)
{
    int depth = 0;
    for (; *text; text++) {
        depth += *text == '(';
        depth -= *text == ')';
        if (*text == ',' && depth == 0)
            return text;
    }
    return NULL;
}

static int choose(struct sweep_report *r, const struct sweep_report_options *options,
                  char error[SWEEP_ERROR])
{
    const json_t *head = r->folder->head, *pareto = json_object_get(head, "pareto");
    const char *comma = options->pareto ? divide(options->pareto) : NULL;
    if (options->pareto && !comma) {
        snprintf(error, SWEEP_ERROR, "--pareto takes two quantities, A,B, not '%.100s'",
                 options->pareto);
        return 1;
    }
    r->by = strdup(options->by ? options->by : json_string_value(json_object_get(head, "by")));
    if (comma) {
        r->pareto[0] = strndup(options->pareto, (size_t)(comma - options->pareto));
        r->pareto[1] = strdup(comma + 1);
    } else if (json_array_size(pareto) == 2) {
        for (size_t i = 0; i < 2; i++)
            r->pareto[i] = strdup(json_string_value(json_array_get(pareto, i)));
    }
    if (!r->by || !r->pareto[0] != !r->pareto[1])
        return -1;
    int status = check_quantity(r, r->by, error);
    for (size_t i = 0; status == 0 && r->pareto[0] && i < 2; i++)
        status = check_quantity(r, r->pareto[i], error);
    return status;
}

/* --- designs ---------------------------------------------------------------------------------- */

/* Values of a column, failed points included. None, as in a row of a list that does not name the
 * parameter, is one. */
static int64_t distinct(const struct sweep_report *r, const char *column)
{
    char *sql = sqlite3_mprintf("SELECT count(DISTINCT \"%w\") + (count(*) > count(\"%w\")) "
                                "FROM points",
                                column, column);
    const int64_t count = sql ? rows_value(r->db, sql, 0, 0, 0) : 0;
    sqlite3_free(sql);
    return count;
}

static const char *axis(const struct sweep_report *r, size_t i)
{
    return i ? json_string_value(json_array_get(r->folder->axes, i - 1)) : "chip";
}

static size_t axes(const struct sweep_report *r)
{
    return json_array_size(r->folder->axes) + 1;
}

static int name_columns(struct sweep_report *r)
{
    sqlite3_str *text = sqlite3_str_new(r->db);
    for (size_t i = 0; i < axes(r); i++)
        if (distinct(r, axis(r, i)) > 1)
            sqlite3_str_appendf(text, ", coalesce(\"%w\", '" NONE "') AS \"%w\"", axis(r, i),
                                axis(r, i));
    if (sqlite3_str_length(text) == 0)
        sqlite3_str_appendall(text, ", chip");
    r->columns = sqlite3_str_finish(text);
    return r->columns ? SQLITE_OK : SQLITE_NOMEM;
}

/* q, a, b: by and the two of the front. Of one program the numbers are its own. */
static int make_designs(struct sweep_report *r)
{
    const char *mean = r->programs == 1 ? "max" : "avg";
    sqlite3_str *sql = sqlite3_str_new(r->db);
    sqlite3_str_appendf(sql,
                        "CREATE TEMP TABLE design AS SELECT min(number) AS point%s, "
                        "%s(%s) AS q, %s(%s) AS a, %s(%s) AS b FROM points GROUP BY chip",
                        r->columns, mean, expression_of(r, r->by), mean,
                        r->pareto[0] ? expression_of(r, r->pareto[0]) : "NULL", mean,
                        r->pareto[1] ? expression_of(r, r->pareto[1]) : "NULL");
    for (size_t i = 1; i < axes(r); i++)
        sqlite3_str_appendf(sql, ", points.\"%w\"", axis(r, i));
    sqlite3_str_appendf(sql, " HAVING sum(ok) = %lld ORDER BY point", (long long)r->programs);
    char *text = sqlite3_str_finish(sql);
    const int rc = text ? rows_exec(r->db, text) : SQLITE_NOMEM;
    sqlite3_free(text);
    if (rc == SQLITE_OK)
        r->designs = rows_value(r->db, "SELECT count(*) FROM design", 0, 0, 0);
    return rc;
}

/* --- worth and totals ------------------------------------------------------------------------- */

/* Rows of a parameter: each value has one, or where each point has its own value, GROUPS do. */
static int64_t rows_of(const struct sweep_report *r, const char *name)
{
    const int64_t values = distinct(r, name), points = r->points / (r->programs ? r->programs : 1);
    size_t varied = 0;
    for (size_t i = 0; i < axes(r); i++)
        varied += distinct(r, axis(r, i)) > 1;
    const bool few = values <= MOST_VALUES && (values < points || varied == 1);
    return values <= GROUPS || few ? values : GROUPS;
}

/* `share` is of the size of the program's mean, `off` how far it is from the mean. */
static int add_axis(struct sweep_report *r, const char *name)
{
    const char *by = expression_of(r, r->by);
    int rc = run(r->db,
                 "CREATE TEMP TABLE part AS SELECT \"%w\" AS value, "
                 "(dense_rank() OVER (ORDER BY \"%w\") - 1) * %lld / %lld AS place, q, "
                 "q / size AS share, (q - mean) / size AS off FROM (SELECT *, "
                 "coalesce(nullif(abs(mean), 0), 1) AS size FROM (SELECT \"%w\", (%s) AS q, "
                 "avg(%s) OVER (PARTITION BY program) AS mean FROM points WHERE ok AND "
                 "(%s) IS NOT NULL))",
                 name, name, (long long)rows_of(r, name), (long long)distinct(r, name), name, by,
                 by, by);
    if (rc == SQLITE_OK)
        rc = run(r->db,
                 "INSERT INTO total SELECT %Q, coalesce(iif(min(value) IS max(value), min(value), "
                 "min(value) || ' .. ' || max(value)), '" NONE "'), count(*), min(q), avg(q), "
                 "max(q), avg(share), avg(off), min(value) FROM part GROUP BY place ORDER BY place",
                 name);
    if (rc == SQLITE_OK)
        rc = run(r->db,
                 "INSERT INTO worth SELECT %Q, (SELECT value FROM total WHERE parameter = %Q ORDER "
                 "BY off, rowid LIMIT 1), (SELECT value FROM total WHERE parameter = %Q ORDER BY "
                 "off DESC, rowid LIMIT 1), (SELECT (max(share) - min(share)) / "
                 "nullif(abs(min(share)), 0) FROM total WHERE parameter = %Q), "
                 "(SELECT total(points * off * off) FROM total WHERE parameter = %Q) / "
                 "nullif((SELECT total(off * off) FROM part), 0)",
                 name, name, name, name, name);
    if (rc == SQLITE_OK)
        rc = rows_exec(r->db, "DROP TABLE part");
    return rc;
}

static int make_tables(struct sweep_report *r)
{
    int rc = name_columns(r);
    rows_do(r->db,
            "CREATE TEMP TABLE total (parameter, value, points, least, mean, greatest, share, off, "
            "low);"
            "CREATE TEMP TABLE worth (parameter, best, worst, spread, explains)",
            &rc);
    if (rc == SQLITE_OK)
        rc = make_designs(r);
    for (size_t i = 0; rc == SQLITE_OK && i < axes(r); i++)
        if (distinct(r, axis(r, i)) > 1)
            rc = add_axis(r, axis(r, i));
    return rc;
}

/* --- opening ---------------------------------------------------------------------------------- */

static int open_merged(struct sweep_report *r, const char *path, char error[SWEEP_ERROR])
{
    if (!file_is_regular(path)) {
        snprintf(error, SWEEP_ERROR, "%s: there is none; takt sweep merge %s makes it", path,
                 r->folder->path);
        return 1;
    }
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_open_v2(path, &r->db, SQLITE_OPEN_READONLY, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(r->db, "SELECT value FROM about WHERE name = 'plan'", -1, &s, NULL);
    const bool same = rc == SQLITE_OK && rows_step(s) == SQLITE_ROW &&
                      strcmp(rows_text(s, 0), r->folder->plan) == 0;
    const bool whole = same && sum_verify(r->db) == SQLITE_OK;
    sqlite3_finalize(s);
    if (whole)
        return 0;
    if (same) {
        snprintf(error, SWEEP_ERROR, "%s is damaged; takt sweep merge %s makes it anew", path,
                 r->folder->path);
        return 1;
    }
    snprintf(error, SWEEP_ERROR, "%s is not the result of this sweep; takt sweep merge %s makes it",
             path, r->folder->path);
    return rc == SQLITE_NOMEM ? -1 : 1;
}

int sweep_report_open(struct sweep_report *r, const struct sweep_folder *folder,
                      const struct sweep_report_options *options, char error[SWEEP_ERROR])
{
    *r = (struct sweep_report){.folder = folder, .best = options->best};
    sweep_folder_keep(folder);
    char *path = sweep_folder_path(folder, "sweep.db");
    int status = path ? open_merged(r, path, error) : -1;
    free(path);
    if (status == 0)
        query_limit(r->db);
    if (status == 0)
        status = choose(r, options, error);
    if (status)
        return status;
    r->points = rows_value(r->db, "SELECT count(*) FROM points", 0, 0, 0);
    r->failed = rows_value(r->db, "SELECT count(*) FROM points WHERE NOT ok", 0, 0, 0);
    r->programs = rows_value(r->db, "SELECT count(DISTINCT program) FROM points", 0, 0, 0);
    if (make_tables(r) == SQLITE_OK)
        return 0;
    snprintf(error, SWEEP_ERROR, "%s", sqlite3_errmsg(r->db));
    return 1;
}

void sweep_report_close(struct sweep_report *r)
{
    sqlite3_free(r->columns);
    sqlite3_close(r->db);
    free(r->by);
    free(r->pareto[0]);
    free(r->pareto[1]);
}

/* --- sections --------------------------------------------------------------------------------- */

static char *section_sql(const struct sweep_report *r, enum sweep_section section)
{
    switch (section) {
    case SWEEP_WORTH:
        return sqlite3_mprintf(
            "SELECT parameter, best, worst, round(100 * spread, 2) AS \"spread_"
            "percent\", round(100 * explains, 1) AS explains_percent FROM worth ORDER "
            "BY explains DESC, spread DESC, rowid");
    case SWEEP_TOTALS:
        return sqlite3_mprintf("SELECT t.parameter, value, points, least, round(mean, 1) AS mean, "
                               "greatest FROM total t JOIN worth w USING (parameter) ORDER BY "
                               "w.explains DESC, w.spread DESC, w.rowid, t.rowid");
    case SWEEP_FRONT:
        return r->pareto[0]
                   ? sqlite3_mprintf(
                         "SELECT a AS \"%w\", b AS \"%w\"%s, point FROM (SELECT *, min(b) OVER "
                         "(ORDER BY a, b, point ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) "
                         "AS before FROM design WHERE a IS NOT NULL AND b IS NOT NULL) WHERE "
                         "before IS NULL OR b < before ORDER BY a",
                         r->pareto[0], r->pareto[1], r->columns)
                   : NULL;
    case SWEEP_BEST:
        return sqlite3_mprintf("SELECT q AS \"%w\"%s, point FROM design WHERE q IS NOT NULL ORDER "
                               "BY q, point LIMIT %lld",
                               r->by, r->columns, (long long)r->best);
    case SWEEP_FAILURES:
    case SWEEP_SECTIONS:
        break;
    }
    return r->failed ? sqlite3_mprintf("SELECT count(*) AS points, min(number) AS first, program, "
                                       "why FROM points WHERE NOT ok GROUP BY program, why ORDER "
                                       "BY count(*) DESC, first LIMIT 50")
                     : NULL;
}

sqlite3_stmt *sweep_report_rows(const struct sweep_report *r, enum sweep_section section, int *rc)
{
    char *sql = section_sql(r, section);
    sqlite3_stmt *rows = sql ? rows_select(r->db, sql, rc) : NULL;
    sqlite3_free(sql);
    return rows;
}

static int print_section(const struct sweep_report *r, enum sweep_section section,
                         const struct answer_options *options, FILE *out)
{
    uint64_t rows;
    int rc = SQLITE_OK;
    sqlite3_stmt *s = sweep_report_rows(r, section, &rc);
    if (s) {
        fprintf(out, "\n%s", sweep_section_title[section]);
        fprintf(out, section < SWEEP_FRONT ? " (%s)\n" : "\n", r->by);
        rc = answer_print(s, options, out, &rows);
    }
    sqlite3_finalize(s);
    return rc == SQLITE_OK ? 0 : -1;
}

int sweep_report_print(const struct sweep_report *r, int width, FILE *out)
{
    const struct answer_options options = {.form = ANSWER_TABLE, .width = width, .within = true};
    char points[NUMBER_TEXT], designs[NUMBER_TEXT];
    int status = 0;
    fprintf(out, "%s point%s, %lld failed; %lld program%s, %s design%s\n",
            number_group(points, r->points), r->points == 1 ? "" : "s", (long long)r->failed,
            (long long)r->programs, r->programs == 1 ? "" : "s", number_group(designs, r->designs),
            r->designs == 1 ? "" : "s");
    for (enum sweep_section s = 0; status == 0 && s < SWEEP_SECTIONS; s++)
        if (r->designs || s == SWEEP_FAILURES)
            status = print_section(r, s, &options, out);
    return status || ferror(out) ? -1 : 0;
}

int sweep_report_csv(const struct sweep_report *r, FILE *out)
{
    const struct answer_options options = {.form = ANSWER_CSV};
    uint64_t rows;
    int rc = SQLITE_OK;
    sqlite3_stmt *s = rows_select(r->db, "SELECT * FROM points ORDER BY number", &rc);
    if (rc == SQLITE_OK)
        rc = answer_print(s, &options, out, &rows);
    sqlite3_finalize(s);
    return rc == SQLITE_OK && !ferror(out) ? 0 : -1;
}

int sweep_report_json(const struct sweep_report *r, FILE *out)
{
    const struct answer_options options = {.form = ANSWER_JSON};
    int rc = SQLITE_OK;
    fprintf(out, "{\"points\": %lld, \"failed\": %lld, \"programs\": %lld, \"designs\": %lld",
            (long long)r->points, (long long)r->failed, (long long)r->programs,
            (long long)r->designs);
    fputs(",\n\"by\": ", out);
    json_text(out, r->by, strlen(r->by));
    for (enum sweep_section section = 0; rc == SQLITE_OK && section < SWEEP_SECTIONS; section++) {
        uint64_t rows;
        fprintf(out, ",\n\"%s\":\n", sweep_section_name[section]);
        sqlite3_stmt *s = sweep_report_rows(r, section, &rc);
        if (s)
            rc = answer_print(s, &options, out, &rows);
        else
            fputs("[]\n", out);
        sqlite3_finalize(s);
    }
    fputs("}\n", out);
    return rc == SQLITE_OK && !ferror(out) ? 0 : -1;
}
