#include "traces/schema.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "config/embed.h"
#include "traces/edges.h"
#include "traces/rows.h"

EMBED(traces_schema_sql, "traces/schema.sql");
EMBED(traces_check_sql, "traces/check.sql");

static const struct {
    const char *name, *sentence;
} states[] = {
    [STATE_BUSY] = {"busy", "the unit does work"},
    [STATE_WAITING] = {"waiting", "the unit has work but is held back"},
    [STATE_IDLE] = {"idle", "the unit has no work"},
};

/* The facts in meta; sentences for schema_field. */
static const struct {
    const char *key, *type, *sentence;
} facts[] = {
    {"takt_version", "TEXT", "version of the program that wrote the trace"},
    {"machine", "TEXT", "name of the machine"},
    {"program", "TEXT", "name of the program"},
    {"command", "TEXT", "command line"},
    {"statements", "INTEGER", "statements of the program"},
    {"program_hash", "TEXT", "hash of the program text, 16 hex digits"},
    {"machine_hash", "TEXT", "hash of machine and parameters, 16 hex digits"},
    {"clock_hz", "REAL", "cycles a second; the only way from cycles to time"},
    {"detail", "TEXT",
     "totals: no intervals; intervals: all of them, packed; window: and those that touch a window "
     "as plain rows, too"},
    {"window_from", "INTEGER", "first cycle of the plain rows, when there are any"},
    {"window_to", "INTEGER", "cycle after the plain rows"},
    {"warnings_left_out", "INTEGER",
     "warnings that have no row: of the language beyond 10,000, and of statements of the run; "
     "absent when there are none"},
    {"complete", "INTEGER", "1 when the program ran to its end; written last"},
    {"ending", "TEXT", "how the program ended; absent where a program simply ends"},
    {"limit", "TEXT", "what limits an application, as takt app says it; absent for a program"},
    {"total_cycles", "INTEGER", "cycles of the run; only when complete"},
    {"cycles_reached", "INTEGER", "how far a run came that was stopped"},
    {"cycles_documented", "INTEGER",
     "total with every assumed or inferred parameter at its best; 0 unknown"},
    {"cycles_assumed", "INTEGER", "total_cycles - cycles_documented, or 0"},
    {"range_low", "INTEGER",
     "no plausible setting of the unpublished numbers gives less; absent where not worked out"},
    {"range_high", "INTEGER", "the largest total seen with them"},
    {"range_parameters", "INTEGER", "how many numbers that are"},
    {"range_most", "TEXT", "the one of these with the largest effect"},
    {"range_most_cycles", "INTEGER", "cycles by which that moves the total"},
    {"state", "TEXT", "hash of the final state, 16 hex digits; of a run with --hash alone"},
    {"events", "INTEGER", "events that the simulation handled"},
    {"window", "INTEGER", "cycles of one window of util_window; 0 when there are none"},
};

static int run(sqlite3 *db, const char *sql)
{
    return rows_exec(db, sql);
}

static int bind_text(sqlite3_stmt *s, int index, const char *text, size_t size)
{
    return sqlite3_bind_text(s, index, text, (int)size, SQLITE_TRANSIENT);
}

static int step_reset(sqlite3_stmt *s)
{
    const int rc = rows_step(s);
    sqlite3_reset(s);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

struct span {
    const char *text;
    size_t size;
};

static struct span whole(const char *text)
{
    return (struct span){text, strlen(text)};
}

/* owner, field, type, sentence */
static int add_field(sqlite3_stmt *s, const struct span fields[4])
{
    for (int i = 0; i < 4; i++)
        bind_text(s, i + 1, fields[i].text, fields[i].size);
    return step_reset(s);
}

struct owner {
    struct span name; /* text NULL: none */
    bool view;
    bool said; /* a line of it had a sentence */
};

/* A line of a table: `-- sentence`, or `column TYPE ..., -- sentence`; of a view: `-- sentence`, or
 * `-- column TYPE: sentence`. */
static int document_line(sqlite3_stmt *s, struct owner *owner, const char *line, const char *end)
{
    const char *dashes = memmem(line, (size_t)(end - line), "-- ", 3);
    if (!dashes || (owner->view && dashes != line))
        return SQLITE_OK;
    const char *sentence = dashes + 3;
    struct span fields[4] = {owner->name, whole(""), whole(""), {NULL, 0}};
    if (dashes != line || owner->said) {
        const char *field = owner->view ? sentence : line;
        fields[1] = (struct span){field, strcspn(field, " ")};
        const char *type = field + fields[1].size + 1;
        fields[2] = (struct span){type, strcspn(type, owner->view ? ":" : " ,")};
        sentence = owner->view ? type + fields[2].size + 2 : sentence;
    }
    owner->said = true;
    fields[3] = (struct span){sentence, (size_t)(end - sentence)};
    return add_field(s, fields);
}

/* The comments of the SQL become rows: their form is the contract, and a test holds that no column
 * lacks a sentence. */
static int document(sqlite3_stmt *s, const char *text)
{
    static const char *const create[] = {"CREATE TABLE ", "CREATE VIEW "};
    struct owner owner = {.name.text = NULL};
    int rc = SQLITE_OK;
    for (const char *line = text; *line && rc == SQLITE_OK;) {
        const char *end = strchrnul(line, '\n');
        const bool view = !strncmp(line, create[1], strlen(create[1]));
        if (view || !strncmp(line, create[0], strlen(create[0]))) {
            const char *name = line + strlen(create[view]);
            owner = (struct owner){.name = {name, strcspn(name, " \n")}, .view = view};
        } else if (*line == ')' || (owner.view && !strncmp(line, "    SELECT", 10))) {
            owner.name.text = NULL;
        } else if (owner.name.text) {
            rc = document_line(s, &owner, line + strspn(line, " "), end);
        }
        line = *end ? end + 1 : end;
    }
    return rc;
}

static int document_all(sqlite3 *db)
{
    sqlite3_stmt *s;
    int rc = rows_prepare(db, "INSERT INTO schema_field VALUES (?, ?, ?, ?)", &s);
    if (rc != SQLITE_OK)
        return rc;
    rc = document(s, traces_schema_sql);
    rc = rc == SQLITE_OK ? document(s, traces_check_sql) : rc;
    for (size_t i = 0; i < sizeof facts / sizeof *facts && rc == SQLITE_OK; i++)
        rc = add_field(s, (const struct span[]){whole("meta"), whole(facts[i].key),
                                                whole(facts[i].type), whole(facts[i].sentence)});
    sqlite3_finalize(s);
    return rc;
}

int schema_tables(sqlite3 *db)
{
    const int rc = run(db, traces_schema_sql);
    return rc == SQLITE_OK ? run(db, traces_check_sql) : rc;
}

static int write_states(sqlite3 *db)
{
    sqlite3_stmt *s;
    int rc = rows_prepare(db, "INSERT INTO state VALUES (?, ?, ?)", &s);
    for (size_t i = 0; i < sizeof states / sizeof *states && rc == SQLITE_OK; i++) {
        sqlite3_bind_int(s, 1, (int)i);
        bind_text(s, 2, states[i].name, strlen(states[i].name));
        bind_text(s, 3, states[i].sentence, strlen(states[i].sentence));
        rc = step_reset(s);
    }
    sqlite3_finalize(s);
    return rc;
}

static int write_kinds(sqlite3 *db)
{
    sqlite3_stmt *s;
    int rc = rows_prepare(db, "INSERT INTO dep_kind VALUES (?, ?, nullif(?, -1), ?)", &s);
    for (size_t i = 0; i < EDGE_KINDS && rc == SQLITE_OK; i++) {
        sqlite3_bind_int(s, 1, (int)i);
        bind_text(s, 2, edge_rows[i].name, strlen(edge_rows[i].name));
        sqlite3_bind_int(s, 3, edge_rows[i].reason);
        bind_text(s, 4, edge_rows[i].sentence, strlen(edge_rows[i].sentence));
        rc = step_reset(s);
    }
    sqlite3_finalize(s);
    return rc;
}

int schema_create(sqlite3 *db)
{
    char mark[96];
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
    int rc = run(db, mark);
    rc = rc == SQLITE_OK ? schema_tables(db) : rc;
    rc = rc == SQLITE_OK ? document_all(db) : rc;
    rc = rc == SQLITE_OK ? write_states(db) : rc;
    return rc == SQLITE_OK ? write_kinds(db) : rc;
}
