#include "analysis/sweep_store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/sweep_yaml.h"
#include "host/file.h"
#include "host/suggest.h"
#include "traces/rows.h"
#include "traces/sum.h"

/* Before and after the axes. */
static const struct column {
    const char *name, *type;
} first[] = {{"number", "INTEGER PRIMARY KEY"},
             {"hash", "TEXT NOT NULL UNIQUE"},
             {"program", "TEXT NOT NULL"},
             {"chip", "TEXT NOT NULL"}},
  last[] = {{"ok", "INTEGER NOT NULL"},
            {"cycles", "INTEGER"},
            {"cycles_documented", "INTEGER"},
            {"range_low", "INTEGER"},
            {"range_high", "INTEGER"},
            {"seconds", "REAL"},
            {"bound_by", "TEXT"},
            {"errors", "INTEGER"},
            {"warnings", "INTEGER"},
            {"why", "TEXT"}};
enum { FIRST = sizeof first / sizeof *first, LAST = sizeof last / sizeof *last };

bool sweep_store_has(const char *name)
{
    for (size_t i = 0; i < FIRST; i++)
        if (sqlite3_stricmp(first[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < LAST; i++)
        if (sqlite3_stricmp(last[i].name, name) == 0)
            return true;
    return false;
}

/* --- tables ----------------------------------------------------------------------------------- */

static void put_names(sqlite3_str *sql, const json_t *names)
{
    for (size_t i = 0; i < json_array_size(names); i++)
        sqlite3_str_appendf(sql, ", \"%w\"", json_string_value(json_array_get(names, i)));
}

static int run(sqlite3 *db, sqlite3_str *sql)
{
    char *text = sqlite3_str_finish(sql);
    const int rc = text ? rows_exec(db, text) : SQLITE_NOMEM;
    sqlite3_free(text);
    return rc;
}

int sweep_store_new(sqlite3 **db, const json_t *axes, const json_t *counters)
{
    int rc = sqlite3_open_v2(":memory:", db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (rc != SQLITE_OK)
        return rc;
    sqlite3_str *sql = sqlite3_str_new(*db);
    sqlite3_str_appendall(sql, "CREATE TABLE about (name TEXT PRIMARY KEY, value) WITHOUT ROWID;"
                               "CREATE TABLE points (");
    for (size_t i = 0; i < FIRST; i++)
        sqlite3_str_appendf(sql, "%s%s %s", i ? ", " : "", first[i].name, first[i].type);
    put_names(sql, axes);
    for (size_t i = 0; i < LAST; i++)
        sqlite3_str_appendf(sql, ", %s %s", last[i].name, last[i].type);
    put_names(sql, counters);
    sqlite3_str_appendall(sql, ");BEGIN");
    return run(*db, sql);
}

static int about(sqlite3 *db, const char *name, const char *text, double number)
{
    int rc = SQLITE_OK;
    sqlite3_stmt *s = rows_select(db, "INSERT OR REPLACE INTO about VALUES (?1, ?2)", &rc);
    sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    if (text)
        sqlite3_bind_text(s, 2, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_double(s, 2, number);
    rows_next(s, &rc);
    sqlite3_finalize(s);
    return rc;
}

int sweep_store_about(sqlite3 *db, const char *name, const char *value)
{
    return about(db, name, value, 0);
}

int sweep_store_about_number(sqlite3 *db, const char *name, double value)
{
    return about(db, name, NULL, value);
}

/* --- rows ------------------------------------------------------------------------------------- */

sqlite3_stmt *sweep_store_insert(sqlite3 *db, const json_t *axes, const json_t *counters, int *rc)
{
    sqlite3_str *sql = sqlite3_str_new(db);
    const size_t columns = FIRST + json_array_size(axes) + LAST + json_array_size(counters);
    sqlite3_str_appendall(sql, "INSERT INTO points VALUES (");
    for (size_t i = 0; i < columns; i++)
        sqlite3_str_appendall(sql, i ? ", ?" : "?");
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    sqlite3_stmt *insert = text ? rows_select(db, text, rc) : NULL;
    if (!text)
        rows_fail(rc, SQLITE_NOMEM);
    sqlite3_free(text);
    return insert;
}

static void bind(sqlite3_stmt *insert, int at, const json_t *value)
{
    if (json_is_integer(value))
        sqlite3_bind_int64(insert, at, json_integer_value(value));
    else if (json_is_real(value))
        sqlite3_bind_double(insert, at, json_real_value(value));
    else if (json_is_boolean(value))
        sqlite3_bind_int(insert, at, json_is_true(value));
    else if (json_is_string(value))
        sqlite3_bind_text64(insert, at, json_string_value(value), json_string_length(value),
                            SQLITE_STATIC, SQLITE_UTF8);
    else
        sqlite3_bind_null(insert, at);
}

static const json_t *value_of(const json_t *answer, const char *name)
{
    if (strcmp(name, "range_low") == 0 || strcmp(name, "range_high") == 0)
        return json_object_get(json_object_get(answer, "range"), name + strlen("range_"));
    if (strcmp(name, "bound_by") == 0)
        return json_object_get(json_object_get(answer, "limit"), "text");
    return json_object_get(answer, name);
}

/* The sum over its indices; NULL where the machine counts nothing of the name. */
static void bind_counter(sqlite3_stmt *insert, int at, const json_t *list, const char *name)
{
    json_int_t sum = 0;
    bool any = false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *counter = json_array_get(list, i);
        if (strcmp(json_string_value(json_object_get(counter, "name")), name) != 0)
            continue;
        any = true;
        sum += json_integer_value(json_object_get(counter, "value"));
    }
    if (any)
        sqlite3_bind_int64(insert, at, sum);
    else
        sqlite3_bind_null(insert, at);
}

int sweep_store_put(sqlite3_stmt *insert, const json_t *axes, const json_t *counters,
                    const json_t *line, const json_t *answer)
{
    static const char *const of_line[FIRST] = {"point", "hash", "program", "chip"};
    int at = 0, rc = SQLITE_OK;
    for (size_t i = 0; i < FIRST; i++)
        bind(insert, ++at, json_object_get(line, of_line[i]));
    for (size_t i = 0; i < json_array_size(axes); i++) {
        const char *name = json_string_value(json_array_get(axes, i));
        const json_t *value = json_object_get(json_object_get(line, "set"), name);
        bind(insert, ++at, value ? value : json_object_get(json_object_get(line, "options"), name));
    }
    for (size_t i = 0; i < LAST; i++)
        bind(insert, ++at, value_of(answer, last[i].name));
    for (size_t i = 0; i < json_array_size(counters); i++)
        bind_counter(insert, ++at, json_object_get(answer, "counters"),
                     json_string_value(json_array_get(counters, i)));
    rows_next(insert, &rc);
    sqlite3_reset(insert);
    return rc;
}

/* Room for the sum follows the pages. */
static int add_sum(unsigned char *bytes, sqlite3_int64 size)
{
    sqlite3 *db = NULL;
    int rc = sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_deserialize(db, "main", bytes, size, size + SUM_SIZE, 0);
    if (rc == SQLITE_OK)
        rc = sum_write(db);
    sqlite3_close(db);
    return rc;
}

int sweep_store_write(sqlite3 *db, const char *path, char error[SWEEP_ERROR])
{
    struct replace file;
    sqlite3_int64 size = 0;
    if (access(path, F_OK) == 0 && !file_is_regular(path)) {
        snprintf(error, SWEEP_ERROR, "%s is not a regular file", path);
        return -1;
    }
    if (!sqlite3_get_autocommit(db) && rows_exec(db, "COMMIT") != SQLITE_OK) {
        snprintf(error, SWEEP_ERROR, "%s: %s", path, sqlite3_errmsg(db));
        return -1;
    }
    unsigned char *pages = sqlite3_serialize(db, "main", &size, 0);
    unsigned char *bytes = pages ? sqlite3_realloc64(pages, (sqlite3_uint64)size + SUM_SIZE) : NULL;
    if (!bytes || add_sum(bytes, size) != SQLITE_OK) {
        snprintf(error, SWEEP_ERROR, "out of memory");
        sqlite3_free(bytes ? bytes : pages);
        return -1;
    }
    int status = replace_open(&file, path, error, SWEEP_ERROR) == 0 ? 0 : -1;
    if (status == 0) {
        fwrite(bytes, 1, (size_t)size + SUM_SIZE, file.file);
        status = replace_close(&file, true, error, SWEEP_ERROR);
    }
    sqlite3_free(bytes);
    return status;
}

/* --- what a spec says of them ----------------------------------------------------------------- */

/* Whether the machine counts it. */
static int check_counter(const struct sweep_spec *spec, const struct sweep_value *counter,
                         struct diag_list *diags)
{
    const struct machine_timing *timing = spec->machine->timing;
    const char **names = calloc(timing->counter_count + 1, sizeof *names);
    int status = names ? 1 : -1;
    for (size_t i = 0; names && i < timing->counter_count; i++) {
        names[i] = timing->counters[i].name;
        if (strcmp(names[i], counter->text) == 0)
            status = 0;
    }
    if (status == 1) {
        const char *near =
            suggest_name(counter->text, strlen(counter->text), names, timing->counter_count);
        status = sweep_yaml_fail_at(
            diags, &counter->at, "%s counts no '%.60s'%s%s%s", spec->machine->title, counter->text,
            near ? "\ndid you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    free(names);
    return status;
}

static int check_counters(const struct sweep_spec *spec, struct diag_list *diags)
{
    int status = 0;
    for (size_t i = 0; i < spec->counters.count && status >= 0; i++) {
        const struct sweep_value *counter = &spec->counters.items[i];
        const int known = check_counter(spec, counter, diags);
        if (known) {
            status = known;
            continue;
        }
        bool taken = sweep_store_has(counter->text);
        for (size_t a = 0; a < spec->axis_count; a++)
            taken |= sqlite3_stricmp(spec->axes[a].name, counter->text) == 0;
        for (size_t k = 0; k < i; k++)
            taken |= sqlite3_stricmp(spec->counters.items[k].text, counter->text) == 0;
        if (taken)
            status = sweep_yaml_fail_at(diags, &counter->at, "a column '%.60s' exists already",
                                        counter->text);
    }
    return status;
}

static int check_expression(sqlite3 *db, const char *expression, const struct document_span *at,
                            struct diag_list *diags)
{
    sqlite3_stmt *s = NULL;
    const char *rest = "";
    char *sql = sqlite3_mprintf("SELECT (%s) FROM points", expression);
    if (!sql)
        return -1;
    const int rc = sqlite3_prepare_v2(db, sql, -1, &s, &rest);
    const bool good = rc == SQLITE_OK && !*rest && sqlite3_column_count(s) == 1;
    sqlite3_finalize(s);
    sqlite3_free(sql);
    if (rows_host_failed(rc))
        return -1;
    return good ? 0
                : sweep_yaml_fail_at(diags, at, "no expression over columns: %s",
                                     rc == SQLITE_OK ? "it has several parts" : sqlite3_errmsg(db));
}

static int check_quantity(const struct sweep_spec *spec, sqlite3 *db,
                          const struct sweep_value *quantity, struct diag_list *diags)
{
    if (!quantity->text)
        return 0;
    for (size_t q = 0; q < spec->quantity_count; q++)
        if (strcmp(spec->quantities[q].name, quantity->text) == 0)
            return 0;
    return check_expression(db, quantity->text, &quantity->at, diags);
}

static int check_expressions(const struct sweep_spec *spec, sqlite3 *db, struct diag_list *diags)
{
    int status = 0, each;
    for (size_t q = 0; status >= 0 && q < spec->quantity_count; q++) {
        each = check_expression(db, spec->quantities[q].expression, &spec->quantities[q].at, diags);
        status = each ? each : status;
    }
    const struct sweep_value *const ranks[] = {&spec->by, &spec->pareto[0], &spec->pareto[1]};
    for (size_t i = 0; status >= 0 && i < 3; i++) {
        each = check_quantity(spec, db, ranks[i], diags);
        status = each ? each : status;
    }
    return status;
}

int sweep_store_check(const struct sweep_spec *spec, struct diag_list *diags)
{
    sqlite3 *db = NULL;
    int status = check_counters(spec, diags);
    if (status)
        return status;
    json_t *axes = json_array(), *counters = json_array();
    for (size_t a = 0; a < spec->axis_count; a++)
        json_array_append_new(axes, json_string(spec->axes[a].name));
    for (size_t i = 0; i < spec->counters.count; i++)
        if (json_array_append_new(counters, json_string(spec->counters.items[i].text)) != 0)
            status = sweep_yaml_fail_at(diags, &spec->counters.items[i].at, "no text");
    if (status == 0)
        status = sweep_store_new(&db, axes, counters) == SQLITE_OK
                     ? check_expressions(spec, db, diags)
                     : -1;
    sqlite3_close(db);
    json_decref(axes);
    json_decref(counters);
    return status;
}
