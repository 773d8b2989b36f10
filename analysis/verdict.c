#include "analysis/verdict.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "traces/rows.h"
#include "analysis/utf8_json.h"

/* Cycles by kind, "work" among them. ?1: 1, the path counts; 0, the issuing units' accounts. */
#define KINDS                                                                                      \
    "WITH issuing AS (SELECT id FROM unit WHERE kind = 'issue'), "                                 \
    "moves AS (SELECT stmt FROM transfer), "                                                       \
    "path AS (SELECT c.duration AS cycles, CASE "                                                  \
    " WHEN c.unit NOT IN issuing AND c.first_stmt IN moves THEN 'transfer' "                       \
    " WHEN c.unit NOT IN issuing AND y.state = 0 THEN 'work' "                                     \
    " WHEN c.unit IN issuing AND (y.state = 0 OR y.id NOT IN "                                     \
    "  (SELECT reason FROM dep_kind WHERE reason NOT NULL)) AND y.name <> 'drained' THEN 'own' "   \
    " ELSE y.limits END AS kind "                                                                  \
    " FROM crit c JOIN reason y ON y.id = c.reason WHERE ?1), "                                    \
    "own AS (SELECT CASE y.state WHEN 0 THEN 'work' ELSE y.limits END AS kind, "                   \
    " sum(t.cycles) AS cycles FROM unit_total t JOIN reason y ON y.id = t.reason "                 \
    " WHERE t.unit IN issuing AND (NOT ?1 OR ((y.state = 0 OR y.id NOT IN "                        \
    "  (SELECT reason FROM dep_kind WHERE reason NOT NULL)) AND y.state <> 2)) GROUP BY 1), "      \
    "parts AS (SELECT kind, CAST(cycles AS REAL) AS cycles FROM path WHERE kind <> 'own' "         \
    " UNION ALL SELECT kind, cycles * CASE WHEN ?1 THEN "                                          \
    "  (SELECT coalesce(sum(cycles), 0) FROM path WHERE kind = 'own') * 1.0 "                      \
    "  / (SELECT max(sum(cycles), 1) FROM own) ELSE 1.0 END FROM own), "                           \
    "kinds AS (SELECT kind, sum(cycles) AS cycles FROM parts WHERE kind <> '' GROUP BY kind) "

struct look {
    sqlite3 *db;
    struct verdict *verdict;
    int64_t path; /* 0: a region */
    int rc;
};

static sqlite3_stmt *select_kinds(struct look *l, const char *sql)
{
    sqlite3_stmt *s = rows_select(l->db, sql, &l->rc);
    if (s && sqlite3_bind_parameter_count(s))
        sqlite3_bind_int64(s, 1, l->path);
    return s;
}

/* A query whose first row is the name of a unit and its busy share. */
static bool find_unit(struct look *l, const char *sql)
{
    sqlite3_stmt *s = select_kinds(l, sql);
    const bool found = rows_next(s, &l->rc);
    if (found) {
        rows_copy(s, 0, l->verdict->unit, VERDICT_NAME);
        l->verdict->busy = sqlite3_column_double(s, 1);
    }
    sqlite3_finalize(s);
    return found;
}

static void find_kind(struct look *l)
{
    sqlite3_stmt *s = select_kinds(
        l, KINDS "SELECT kind, cycles / (SELECT max(sum(cycles), 1) FROM kinds) FROM kinds "
                 "WHERE cycles > 0 ORDER BY kind = 'work' AND cycles * 2 >= (SELECT sum(cycles) "
                 "FROM kinds) DESC, kind = 'work', cycles DESC, kind DESC LIMIT 1");
    if (rows_next(s, &l->rc)) {
        rows_copy(s, 0, l->verdict->kind, VERDICT_NAME);
        l->verdict->share = sqlite3_column_double(s, 1);
    }
    sqlite3_finalize(s);
}

/* Resource or issue. */
static void find_work(struct look *l)
{
    const bool resource = find_unit(
        l, "WITH users AS (SELECT DISTINCT unit FROM cost WHERE cost IN (SELECT cost FROM "
           "main.stmt_cost_set WHERE stmt NOT IN (SELECT stmt FROM main.transfer))) "
           "SELECT unit, utilization FROM v_util WHERE kind <> 'issue' AND unit_id IN users AND "
           "4 * busy >= 3 * (SELECT max(busy) FROM v_util WHERE kind = 'issue') AND busy > 0 "
           "ORDER BY busy DESC, unit_id LIMIT 1");
    snprintf(l->verdict->kind, VERDICT_NAME, "%s", resource ? "resource" : "issue");
    if (!resource)
        find_unit(l, "SELECT unit, utilization FROM v_util WHERE kind = 'issue' "
                     "ORDER BY busy DESC, unit_id LIMIT 1");
}

/* Rows of statement, cycles: the longest in order of time. */
static void find_lines(struct look *l, const char *sql)
{
    struct verdict *v = l->verdict;
    sqlite3_stmt *s = select_kinds(l, sql);
    if (s && sqlite3_bind_parameter_count(s) > 1)
        sqlite3_bind_text(s, 2, v->kind, -1, SQLITE_STATIC);
    while (v->count < VERDICT_LINES && rows_next(s, &l->rc)) {
        v->lines[v->count].stmt = sqlite3_column_int64(s, 0);
        rows_copy(s, 1, v->lines[v->count].file, sizeof v->lines[0].file);
        v->lines[v->count].line = sqlite3_column_int64(s, 2);
        rows_copy(s, 3, v->lines[v->count++].tag, VERDICT_NAME);
    }
    sqlite3_finalize(s);
}

/* In a region: what its statements waited for, wherever that was issued. */
#define WAITED                                                                                     \
    "WITH waited AS (SELECT t.stmt AS stmt, t.limited_by AS limited_by, t.waited AS cycles "       \
    "FROM main.transfer t JOIN stmt s ON s.id = t.waited_by WHERE t.waited > 0 AND s.region = "    \
    "(SELECT r.id FROM region r JOIN meta m ON m.key = 'region' AND m.value = r.name)) "

static void find_transfers(struct look *l)
{
    find_unit(l, WAITED
              "SELECT v.unit, v.utilization FROM (SELECT coalesce(c.unit, t.limited_by) AS unit, "
              "c.duration AS cycles FROM crit c JOIN transfer t ON t.stmt = c.first_stmt "
              "JOIN unit u ON u.id = c.unit WHERE u.kind <> 'issue' AND ?1 UNION ALL "
              "SELECT limited_by, cycles FROM waited WHERE NOT ?1) p "
              "JOIN v_util v ON v.unit_id = p.unit GROUP BY p.unit "
              "ORDER BY sum(p.cycles) DESC, p.unit LIMIT 1");
    find_lines(l,
               WAITED "SELECT m.stmt, f.name, s.line, g.text FROM (SELECT p.stmt AS stmt FROM "
                      "(SELECT c.first_stmt AS stmt, c.duration AS cycles FROM crit c JOIN unit u "
                      "ON u.id = c.unit WHERE u.kind <> 'issue' AND ?1 UNION ALL "
                      "SELECT stmt, cycles FROM waited WHERE NOT ?1) p "
                      "JOIN main.transfer t ON t.stmt = p.stmt GROUP BY p.stmt "
                      "ORDER BY sum(p.cycles) DESC, p.stmt LIMIT 4) m JOIN stmt s ON s.id = m.stmt "
                      "JOIN file f ON f.id = s.file LEFT JOIN main.transfer t ON t.stmt = m.stmt "
                      "LEFT JOIN string g ON g.id = t.tag_name GROUP BY m.stmt ORDER BY m.stmt");
}

/* Statements that are charged with cycles of the kind: on an issuing unit, and where the path goes
 * through another. */
static void find_charged(struct look *l)
{
    find_lines(l, "SELECT m.stmt, f.name, s.line, NULL FROM (SELECT stmt FROM (SELECT c.stmt AS "
                  "stmt, c.cycles AS cycles FROM stmt_total c JOIN unit u ON u.id = c.unit "
                  "JOIN reason y ON y.id = c.reason WHERE u.kind = 'issue' AND y.state <> 0 AND "
                  "y.limits = ?2 UNION ALL SELECT c.first_stmt, c.duration FROM crit c "
                  "JOIN unit u ON u.id = c.unit JOIN reason y ON y.id = c.reason "
                  "WHERE u.kind <> 'issue' AND y.state <> 0 AND y.limits = ?2 AND ?1) "
                  "GROUP BY stmt ORDER BY sum(cycles) DESC, stmt LIMIT 4) m "
                  "JOIN stmt s ON s.id = m.stmt JOIN file f ON f.id = s.file ORDER BY m.stmt");
}

int verdict_find(sqlite3 *db, struct verdict *verdict)
{
    *verdict = (struct verdict){.kind = ""};
    struct look l = {.db = db, .verdict = verdict, .rc = SQLITE_OK};
    sqlite3_stmt *s =
        select_kinds(&l, "SELECT NOT EXISTS (SELECT 1 FROM meta WHERE key = 'region') AND "
                         "EXISTS (SELECT 1 FROM crit)");
    const bool path = rows_next(s, &l.rc) && sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    l.path = path;
    find_kind(&l);
    if (strcmp(verdict->kind, "work") == 0)
        find_work(&l);
    else if (strcmp(verdict->kind, "transfer") == 0)
        find_transfers(&l);
    else if (*verdict->kind)
        find_charged(&l);
    return l.rc;
}

/* The part of a path after its last slash. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

void verdict_print(const struct verdict *v, char text[VERDICT_TEXT])
{
    size_t n = 0;
    const size_t size = VERDICT_TEXT;
    if (!*v->kind) {
        snprintf(text, size, "nothing is done");
        return;
    }
    n += (size_t)snprintf(text, size, "%s-bound (%s%s", v->kind, v->unit, *v->unit ? ", " : "");
    n += (size_t)snprintf(text + n, size - n, v->count || !*v->unit ? "%.1f %%" : "%.1f %% busy",
                          100 * (v->count || !*v->unit ? v->share : v->busy));
    for (int i = 0; i < v->count && n + 60 < size; i++) {
        const bool same = i && strcmp(v->lines[i].file, v->lines[i - 1].file) == 0;
        if (*v->lines[i].tag)
            n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : ": ", v->lines[i].tag);
        else
            n += (size_t)snprintf(text + n, size - n, "%s%.30s%s%lld", i ? " > " : ": ",
                                  same ? "" : base_name(v->lines[i].file), same ? "" : ":",
                                  (long long)v->lines[i].line);
    }
    snprintf(text + n, size - n, ")");
}

json_t *verdict_json(const struct verdict *v)
{
    if (!*v->kind)
        return json_null();
    json_t *lines = json_array();
    for (int i = 0; lines && i < v->count; i++)
        if (json_array_append_new(lines,
                                  json_pack("{s:o, s:I}", "file", utf8_json(v->lines[i].file),
                                            "line", (json_int_t)v->lines[i].line)) != 0) {
            json_decref(lines);
            lines = NULL;
        }
    json_t *unit = *v->unit ? json_string(v->unit) : json_null();
    json_t *busy = *v->unit ? json_real(v->busy) : json_null();
    return json_pack("{s:s, s:o, s:o, s:f, s:o}", "kind", v->kind, "unit", unit, "busy", busy,
                     "share", v->share, "lines", lines);
}
