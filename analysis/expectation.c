#include "analysis/expectation.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/answer.h"
#include "functional/diag.h"
#include "host/suggest.h"
#include "traces/rows.h"

/* --- text ------------------------------------------------------------------------------------ */

static const char *const compares[] = {[EXPECT_LE] = "<=", [EXPECT_GE] = ">=", [EXPECT_LT] = "<",
                                       [EXPECT_GT] = ">",  [EXPECT_EQ] = "==", [EXPECT_NE] = "!="};

static const char *skip(const char *at, const char *end)
{
    while (at < end && isspace((unsigned char)*at))
        at++;
    return at;
}

/* [from, to) without blanks around it; false when it is empty or too long. */
static bool keep(char *to, size_t size, const char *from, const char *end)
{
    from = skip(from, end);
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    if (end == from || (size_t)(end - from) >= size)
        return false;
    memcpy(to, from, (size_t)(end - from));
    to[end - from] = '\0';
    return true;
}

static bool parse_limit(struct expectation *e, const char *at, const char *end)
{
    char number[64], *stop;
    if (!keep(number, sizeof number, at, end))
        return false;
    e->baseline = strcmp(number, "baseline") == 0;
    if (e->baseline)
        return true;
    if (!isdigit((unsigned char)number[number[0] == '-']) || strpbrk(number, "xXpP"))
        return false;
    e->limit = strtold(number, &stop);
    if (!expectation_whole(e->limit))
        e->limit = strtod(number, &stop);
    while (isspace((unsigned char)*stop))
        stop++;
    e->percent = *stop == '%';
    if (e->percent)
        e->limit = (double)e->limit / 100;
    return isfinite(e->limit) && !stop[e->percent];
}

int expectation_parse(struct expectation *e, const char *text, size_t length,
                      char error[EXPECTATION_ERROR])
{
    const char *const end = text + length;
    *e = (struct expectation){.name = ""};
    const char *at = text;
    while (at < end && !strchr("<>=!", *at))
        at++;
    const char *open = memchr(text, '(', (size_t)(at - text)), *after = at;
    size_t compare = 0;
    const size_t count = sizeof compares / sizeof *compares;
    while (compare < count && ((size_t)(end - at) < strlen(compares[compare]) ||
                               strncmp(at, compares[compare], strlen(compares[compare]))))
        compare++;
    if (compare < count)
        after = at + strlen(compares[compare]);
    e->compare = (enum expectation_compare)compare;
    const char *close = open ? memchr(open, ')', (size_t)(at - open)) : NULL;
    const bool named = keep(e->name, sizeof e->name, text, open ? open : at) &&
                       (!open || (close && skip(close + 1, at) == at &&
                                  keep(e->argument, sizeof e->argument, open + 1, close)));
    if (compare < count && named && parse_limit(e, after, end))
        return 0;
    snprintf(error, EXPECTATION_ERROR,
             "'%.*s' is no expectation; one is a name, a comparison and a number, as in "
             "cycles <= 1400 or util(UNIT) >= 90%%",
             (int)(length < 200 ? length : 200), text);
    return 1;
}

/* --- values ---------------------------------------------------------------------------------- */

/* sql gives the value for ?1, the argument, or no row or NULL; then, if it has another column, 0
 * where that is a least value only; names the words it may be. */
struct term {
    const char *name;
    bool with, without; /* an argument */
    const char *what;   /* the argument is, for sentences */
    const char *sql, *names;
};

#define TOTAL "(SELECT value FROM meta WHERE key = 'total_cycles')"
#define LINES                                                                                      \
    "SELECT s.id FROM stmt s JOIN file f ON f.id = s.file WHERE CAST(s.line AS TEXT) = ?1 "        \
    "AND (SELECT count(*) FROM file) = 1 OR f.name || ':' || s.line = ?1"
static const struct term terms[] = {
    {"cycles", false, true, NULL, "SELECT " TOTAL, NULL},
    {"cycles", true, false, "region",
     "SELECT sum(t.cycles) FROM unit_total t JOIN region r ON r.id = t.region WHERE r.name = ?1 "
     "AND t.unit = (SELECT min(id) FROM unit WHERE kind = 'issue')",
     "SELECT name FROM region"},
    {"busy", true, false, "unit", "SELECT busy FROM v_util WHERE unit = ?1",
     "SELECT unit FROM v_util"},
    {"util", true, false, "unit", "SELECT 1.0 * busy / max(total, 1) FROM v_util WHERE unit = ?1",
     "SELECT unit FROM v_util"},
    {"wait", true, false, "reason",
     "SELECT (SELECT coalesce(sum(t.cycles), 0) FROM unit_total t JOIN unit u ON u.id = t.unit "
     "WHERE t.reason = y.id AND u.kind = 'issue') FROM reason y WHERE y.name = ?1 AND y.state = 1",
     "SELECT name FROM reason WHERE state = 1"},
    {"bound", true, false, "class of bounds", "SELECT max(cycles) FROM bound WHERE class = ?1",
     "SELECT DISTINCT class FROM bound"},
    {"gap", true, false, "class of bounds",
     "SELECT 1.0 * (" TOTAL " - max(cycles)) / max(" TOTAL ", 1) FROM bound WHERE class = ?1 "
     "HAVING count(*) > 0",
     "SELECT DISTINCT class FROM bound"},
    {"slack", true, false, "line with a known slack",
     "SELECT k.slack, k.exact FROM stmt_slack k WHERE k.stmt IN (" LINES ") "
     "ORDER BY k.slack, k.exact DESC LIMIT 1",
     NULL},
    {"warnings", false, true, NULL,
     "SELECT (SELECT count(*) FROM v_warning WHERE name <> 'removable') + "
     "coalesce((SELECT value FROM meta WHERE key = 'warnings_left_out'), 0)",
     NULL},
    {"warnings", true, false, "warning", "SELECT count(*) FROM v_warning WHERE name = ?1", NULL},
};
enum { TERMS = sizeof terms / sizeof *terms };

static int read_value(sqlite3 *db, const char *sql, struct expectation *e, long double *value)
{
    const char *argument = *e->argument ? e->argument : e->name;
    sqlite3_stmt *s = NULL;
    int status = -1;
    if (rows_prepare(db, sql, &s) == SQLITE_OK) {
        if (sqlite3_bind_parameter_count(s))
            sqlite3_bind_text(s, 1, argument, -1, SQLITE_STATIC);
        const int step = rows_step(s);
        if (step == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL) {
            *value = sqlite3_column_type(s, 0) == SQLITE_INTEGER
                         ? (long double)sqlite3_column_int64(s, 0)
                         : (long double)sqlite3_column_double(s, 0);
            e->at_least = sqlite3_column_count(s) > 1 && !sqlite3_column_int(s, 1);
            status = 0;
        } else if (step == SQLITE_ROW || step == SQLITE_DONE) {
            status = 1;
        }
    }
    sqlite3_finalize(s);
    return status;
}

/* ", did you mean 'x'?" from a column of names, and those of all terms when also; or nothing. */
static void suggest(sqlite3 *db, const char *sql, bool also, const char *word, char text[100])
{
    enum { MOST = 512 };
    char *names[MOST];
    size_t count = 0;
    sqlite3_stmt *s = NULL;
    for (size_t i = 0; also && i < TERMS; i++)
        if ((names[count] = strdup(terms[i].name)))
            count++;
    if (sql && rows_prepare(db, sql, &s) == SQLITE_OK)
        while (count < MOST && rows_step(s) == SQLITE_ROW)
            if ((names[count] = strdup(rows_text(s, 0))))
                count++;
    sqlite3_finalize(s);
    const char *near = suggest_name(word, strlen(word), (const char *const *)names, count);
    *text = '\0';
    if (near)
        snprintf(text, 100, ", did you mean '%.60s'?", near);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
}

static int failed(sqlite3 *db, char error[EXPECTATION_ERROR])
{
    snprintf(error, EXPECTATION_ERROR, "%s", sqlite3_errmsg(db));
    return -1;
}

int expectation_value(sqlite3 *db, struct expectation *e, long double *value,
                      char error[EXPECTATION_ERROR])
{
    const struct term *other = NULL;
    char near[100];
    for (const struct term *t = terms; t < terms + TERMS; t++) {
        if (strcmp(t->name, e->name) != 0)
            continue;
        other = t;
        if (*e->argument ? !t->with : !t->without)
            continue;
        const int status = read_value(db, t->sql, e, value);
        if (status <= 0)
            return status < 0 ? failed(db, error) : 0;
        suggest(db, t->names, false, e->argument, near);
        snprintf(error, EXPECTATION_ERROR, "the run has no %s '%.200s'%s",
                 t->what ? t->what : "total", e->argument, near);
        return 1;
    }
    if (other) {
        snprintf(error, EXPECTATION_ERROR,
                 other->with ? "%s has an argument, a %s" : "%s has no argument", e->name,
                 other->what);
        return 1;
    }
    const int status = *e->argument ? 1
                                    : read_value(db,
                                                 "SELECT value FROM counter WHERE name = ?1 AND "
                                                 "idx IS NULL",
                                                 e, value);
    if (status <= 0)
        return status < 0 ? failed(db, error) : 0;
    suggest(db, "SELECT name FROM counter WHERE idx IS NULL", true, e->name, near);
    snprintf(error, EXPECTATION_ERROR, "nothing is called '%s'%s%s", e->name, near,
             *near ? "" : "; takt expect --help lists the names");
    return 1;
}

bool expectation_needs_proof(const struct expectation *e)
{
    return strcmp(e->name, "bound") == 0 || strcmp(e->name, "gap") == 0;
}

const char *expectation_delays(const struct expectation *e)
{
    return strcmp(e->name, "slack") == 0 ? LINES : NULL;
}

bool expectation_whole(long double value)
{
    return value >= -0x1p63L && value < 0x1p63L && floorl(value) >= value;
}

bool expectation_holds(const struct expectation *e, long double value)
{
    const bool above = e->compare == EXPECT_GE || e->compare == EXPECT_GT,
               below = e->compare == EXPECT_LE || e->compare == EXPECT_LT;
    if ((e->at_least && !above) || (e->limit_at_least && !below))
        return false;
    switch (e->compare) {
    case EXPECT_LE:
        return value <= e->limit;
    case EXPECT_GE:
        return value >= e->limit;
    case EXPECT_LT:
        return value < e->limit;
    case EXPECT_GT:
        return value > e->limit;
    case EXPECT_EQ:
        return value <= e->limit && value >= e->limit;
    case EXPECT_NE:
        return value < e->limit || value > e->limit;
    }
    return false;
}

void expectation_number(const struct expectation *e, long double value, char text[40])
{
    const bool share = strcmp(e->name, "util") == 0 || strcmp(e->name, "gap") == 0;
    if (e->percent)
        snprintf(text, 40, "%.6Lg %%", 100 * value);
    else if (share)
        snprintf(text, 40, "%.6Lg", value);
    else if (expectation_whole(value))
        answer_number(text, (int64_t)value);
    else
        snprintf(text, 40, "%.6Lg", value);
}
