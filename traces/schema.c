#include "traces/schema.h"

#include <stdio.h>
#include <string.h>

#include "config/embed.h"
#include "timing/sink.h"

EMBED(traces_schema_sql, "traces/schema.sql");
EMBED(traces_check_sql, "traces/check.sql");

enum { STATE_BUSY, STATE_WAITING, STATE_IDLE };

static const struct {
    const char *name, *sentence;
} states[] = {
    [STATE_BUSY] = {"busy", "the unit does work"},
    [STATE_WAITING] = {"waiting", "the unit has work but is held back"},
    [STATE_IDLE] = {"idle", "the unit has no work"},
};

static const struct {
    const char *name, *sentence;
    int state;
} reasons[REASON_COUNT] = {
#define REASON(id, name, sentence)                                                                 \
    {name, sentence,                                                                               \
     REASON_##id == REASON_BUSY                                    ? STATE_BUSY                    \
     : REASON_##id == REASON_IDLE || REASON_##id == REASON_DRAINED ? STATE_IDLE                    \
                                                                   : STATE_WAITING},
    TAKT_REASONS(REASON)
#undef REASON
};

static const struct {
    const char *name, *sentence;
} dep_kinds[] = {
    [EDGE_ORDER] = {"order", "statements issue in program order"},
    [EDGE_TAG] = {"tag", "a wait stood until the tag of a transfer was complete"},
    [EDGE_PORT] = {"port", "both need the same port"},
    [EDGE_DATA] = {"data", "dst reads what src writes"},
    [EDGE_LINK] = {"link", "both need the same link between groups"},
    [EDGE_MEMORY] = {"memory", "DRAM served src first"},
    [EDGE_SUPPLY] = {"supply", "the instruction had not arrived"},
};

/* The facts in meta; sentences for schema_field. */
static const struct {
    const char *key, *type, *sentence;
} facts[] = {
    {"takt_version", "TEXT", "version of the program that wrote the trace"},
    {"machine", "TEXT", "name of the machine"},
    {"program", "TEXT", "name of the program"},
    {"command", "TEXT", "command line"},
    {"statements", "INTEGER",
     "statements of the program; of more than 100,000 whose lines repeat only the first of each line, those "
     "that issue transfers or wait, and those that another table refers to have a row in stmt"},
    {"program_hash", "TEXT", "hash of the program text, 16 hex digits; of more than 100,000 "
     "statements only when the run has ended"},
    {"machine_hash", "TEXT", "hash of machine and parameters, 16 hex digits"},
    {"stream_units", "INTEGER", "the first so many units follow the stream of steps (step_chunk)"},
    {"clock_hz", "REAL", "cycles a second; the only way from cycles to time"},
    {"peak_flops_double", "REAL", "operations a cycle of the whole chip, double precision"},
    {"peak_flops_single", "REAL", "operations a cycle of the whole chip, single precision"},
    {"peak_flops_pseudo_single", "REAL", "operations a cycle of the whole chip, pseudo single"},
    {"peak_flops_half", "REAL", "operations a cycle of the whole chip, half precision"},
    {"detail", "TEXT",
     "totals: no intervals; intervals: all, packed, and those of the window as plain rows, too; "
     "window: those plain rows only"},
    {"window_from", "INTEGER", "first cycle of the plain rows, when a window was asked for"},
    {"window_to", "INTEGER", "cycle after the plain rows"},
    {"warnings_left_out", "INTEGER",
     "warnings of the language beyond 10,000, which have no row; absent when there are none"},
    {"complete", "INTEGER", "1 when the program ran to its end; written last"},
    {"partial", "TEXT", "where the run writes its data until it has ended"},
    {"total_cycles", "INTEGER", "cycles of the run; only when complete"},
    {"cycles_reached", "INTEGER", "how far a run came that was stopped"},
    {"cycles_documented", "INTEGER", "total with every assumed parameter at its best; 0 unknown"},
    {"cycles_assumed", "INTEGER", "total_cycles - cycles_documented, or 0"},
    {"steps", "INTEGER", "steps issued, nops of all causes included"},
    {"pe_statements", "INTEGER", "steps written in the program, nop/N counts N"},
    {"mv_statements", "INTEGER", "MV statements issued, written mvnops included"},
    {"nops_written", "INTEGER", "steps of nops that the program writes"},
    {"nops_packing", "INTEGER", "steps of nops that packing inserted"},
    {"nops_wait", "INTEGER", "steps of nops sent while a wait stood"},
    {"nops_empty", "INTEGER", "steps of nops sent while the instruction buffer was empty"},
    {"flops_double", "INTEGER", "double precision operations"},
    {"flops_single", "INTEGER", "single precision operations"},
    {"flops_pseudo_single", "INTEGER", "pseudo single precision operations"},
    {"flops_half", "INTEGER", "half precision operations"},
    {"window", "INTEGER", "cycles of one window of mip; 0 when there are none"},
};

static int run(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static int bind_text(sqlite3_stmt *s, int index, const char *text, size_t size)
{
    return sqlite3_bind_text(s, index, text, (int)size, SQLITE_TRANSIENT);
}

static int step_reset(sqlite3_stmt *s)
{
    const int rc = sqlite3_step(s);
    sqlite3_reset(s);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int add_field(sqlite3_stmt *s, const char *owner, size_t owner_size, const char *field,
                     size_t field_size, const char *type, size_t type_size, const char *sentence,
                     size_t sentence_size)
{
    bind_text(s, 1, owner, owner_size);
    bind_text(s, 2, field, field_size);
    bind_text(s, 3, type, type_size);
    bind_text(s, 4, sentence, sentence_size);
    return step_reset(s);
}

/* A line of a table: `-- sentence`, or `column TYPE ..., -- sentence`; of a view: `-- sentence`, or
 * `-- column TYPE: sentence`. *first: no line of this owner had a sentence yet. */
static int document_line(sqlite3_stmt *s, const char *owner, size_t owner_size, bool view,
                         bool *first, const char *field, const char *end)
{
    const char *dashes = memmem(field, (size_t)(end - field), "-- ", 3);
    if (!dashes || (view && dashes != field)) {
        return SQLITE_OK;
    }
    const char *sentence = dashes + 3;
    if (dashes == field && *first) {
        *first = false;
        return add_field(s, owner, owner_size, "", 0, "", 0, sentence, (size_t)(end - sentence));
    }
    field = view ? sentence : field;
    const size_t field_size = strcspn(field, " ");
    const char *type = field + field_size + 1;
    const size_t type_size = strcspn(type, view ? ":" : " ,");
    sentence = view ? type + type_size + 2 : sentence;
    return add_field(s, owner, owner_size, field, field_size, type, type_size, sentence,
                     (size_t)(end - sentence));
}

/* The comments of the SQL become rows: their form is the contract, and a test holds that no column
 * lacks a sentence. */
static int document(sqlite3_stmt *s, const char *text)
{
    static const char *const create[] = {"CREATE TABLE ", "CREATE VIEW "};
    const char *owner = NULL;
    size_t owner_size = 0;
    bool view = false, first = true;
    int rc = SQLITE_OK;
    for (const char *line = text; *line && rc == SQLITE_OK;) {
        const char *end = strchrnul(line, '\n');
        const bool begins_view = !strncmp(line, create[1], strlen(create[1]));
        if (begins_view || !strncmp(line, create[0], strlen(create[0]))) {
            owner = line + strlen(create[begins_view]);
            owner_size = strcspn(owner, " \n");
            view = begins_view;
            first = true;
        } else if (*line == ')' || (view && !strncmp(line, "    SELECT", 10))) {
            owner = NULL;
        } else if (owner) {
            rc = document_line(s, owner, owner_size, view, &first, line + strspn(line, " "), end);
        }
        line = *end ? end + 1 : end;
    }
    return rc;
}

static int document_all(sqlite3 *db)
{
    sqlite3_stmt *s;
    int rc = sqlite3_prepare_v2(db, "INSERT INTO schema_field VALUES (?, ?, ?, ?)", -1, &s, NULL);
    if (rc != SQLITE_OK) {
        return rc;
    }
    rc = document(s, traces_schema_sql);
    if (rc == SQLITE_OK) {
        rc = document(s, traces_check_sql);
    }
    for (size_t i = 0; i < sizeof facts / sizeof *facts && rc == SQLITE_OK; i++) {
        rc = add_field(s, "meta", 4, facts[i].key, strlen(facts[i].key), facts[i].type,
                       strlen(facts[i].type), facts[i].sentence, strlen(facts[i].sentence));
    }
    sqlite3_finalize(s);
    return rc;
}

static int dictionary(sqlite3 *db, const char *sql, int id, const char *name, const char *sentence,
                      int state)
{
    sqlite3_stmt *s;
    int rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    if (rc != SQLITE_OK) {
        return rc;
    }
    sqlite3_bind_int(s, 1, id);
    bind_text(s, 2, name, strlen(name));
    bind_text(s, 3, sentence, strlen(sentence));
    if (state >= 0) {
        sqlite3_bind_int(s, 4, state);
    }
    rc = step_reset(s);
    sqlite3_finalize(s);
    return rc;
}

int schema_create(sqlite3 *db, bool documented)
{
    char mark[96];
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
    int rc = run(db, mark);
    if (rc == SQLITE_OK) {
        rc = run(db, traces_schema_sql);
    }
    if (rc == SQLITE_OK) {
        rc = run(db, traces_check_sql);
    }
    if (rc == SQLITE_OK && documented) {
        rc = document_all(db);
    }
    for (size_t i = 0; i < sizeof states / sizeof *states && rc == SQLITE_OK; i++) {
        rc = dictionary(db, "INSERT INTO state VALUES (?, ?, ?)", (int)i, states[i].name,
                        states[i].sentence, -1);
    }
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons && rc == SQLITE_OK; i++) {
        rc = dictionary(db, "INSERT INTO reason VALUES (?1, ?2, ?4, ?3)", (int)i, reasons[i].name,
                        reasons[i].sentence, reasons[i].state);
    }
    for (size_t i = 0; i < sizeof dep_kinds / sizeof *dep_kinds && rc == SQLITE_OK; i++) {
        rc = dictionary(db, "INSERT INTO dep_kind VALUES (?, ?, ?)", (int)i, dep_kinds[i].name,
                        dep_kinds[i].sentence, -1);
    }
    return rc;
}
