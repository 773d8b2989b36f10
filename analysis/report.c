#include "analysis/report.h"

#include <jansson.h>
#include <string.h>

#include "functional/text.h"
#include "traces/rows.h"
#include "traces/trace.h"

int report_question(sqlite3 *db, const struct question *question, int64_t top,
                    const struct answer_options *options, FILE *out)
{
    sqlite3_stmt *s = NULL;
    struct answer_options first = *options;
    first.row_limit = top > 0 ? (uint64_t)top : 0;
    int rc = question->prepare ? question->prepare(db) : SQLITE_OK;
    char *sql = rc == SQLITE_OK ? trace_expand(db, question->sql) : NULL;
    if (rc == SQLITE_OK)
        rc = sql ? rows_prepare(db, sql, &s) : SQLITE_NOMEM;
    sqlite3_free(sql);
    if (rc == SQLITE_OK) {
        const int parameter = sqlite3_bind_parameter_index(s, ":top");
        if (parameter) /* one more shows whether there are more */
            sqlite3_bind_int64(s, parameter, top > 0 && top < INT64_MAX ? top + 1 : top);
        rc = answer_print(s, &first, out, NULL);
        if (rc == SQLITE_ROW) {
            if (options->form == ANSWER_TABLE)
                fprintf(out, "(the first %lld rows; --top 0 shows all)\n", (long long)top);
            rc = SQLITE_OK;
        }
    }
    sqlite3_finalize(s);
    return rc;
}

static void describe(const struct question *question, FILE *out)
{
    for (const char *line = question->sql; !strncmp(line, "-- ", 3);) {
        const size_t size = strcspn(line, "\n");
        fprintf(out, "%.*s\n", (int)size - 3, line + 3);
        line += size + (line[size] == '\n');
    }
}

/* The text between two places as a JSON string. */
static json_t *text_of(const char *from, const char *end)
{
    return json_stringn(from, (size_t)(end - from));
}

/* The same as an object: question, asks, columns, example. */
static json_t *describe_json(const struct question *question)
{
    size_t size;
    const char *asks = question_asks(question, &size);
    json_t *object = json_object(), *columns = json_array();
    json_object_set_new(object, "question", json_string(question->name));
    json_object_set_new(object, "asks", text_of(asks, asks + size));
    json_object_set_new(object, "columns", columns);
    static const char column[] = "--   ", example[] = "-- example: ";
    for (const char *line = question->sql; !strncmp(line, "-- ", 3);) {
        const char *end = line + strcspn(line, "\n"), *colon = strstr(line, ": ");
        if (!strncmp(line, column, sizeof column - 1) && colon && colon < end) {
            json_t *row = json_object();
            json_object_set_new(row, "name", text_of(line + sizeof column - 1, colon));
            json_object_set_new(row, "meaning", text_of(colon + 2, end));
            json_array_append_new(columns, row);
        } else if (!strncmp(line, example, sizeof example - 1)) {
            json_object_set_new(object, "example", text_of(line + sizeof example - 1, end));
        }
        line = end + (*end == '\n');
    }
    return object;
}

void report_list_json(FILE *out)
{
    json_t *list = json_array();
    for (size_t i = 0; i < question_count; i++)
        json_array_append_new(list, describe_json(&questions[i]));
    json_dumpf(list, out, JSON_INDENT(1));
    putc('\n', out);
    json_decref(list);
}

void report_list(FILE *out, bool detailed)
{
    for (size_t i = 0; i < question_count; i++) {
        size_t size;
        const char *asks = question_asks(&questions[i], &size);
        if (detailed) {
            describe(&questions[i], out);
            putc('\n', out);
        } else {
            fprintf(out, "%-12s %.*s\n", questions[i].name, (int)size, asks);
        }
    }
}

int report_check(sqlite3 *db, FILE *out)
{
    enum { SHOWN = 10 };
    sqlite3_stmt *s = NULL;
    int found = 0;
    int rc = rows_prepare(db,
                          "SELECT rule, subject, coalesce(expected, 'nothing'), "
                          "coalesce(found, 'nothing') FROM v_check",
                          &s);
    while (rc == SQLITE_OK && (rc = rows_step(s)) == SQLITE_ROW) {
        if (++found <= SHOWN)
            text_print(out, "%s: %s: expected %s, found %s\n", rows_text(s, 0), rows_text(s, 1),
                       rows_text(s, 2), rows_text(s, 3));
        rc = SQLITE_OK;
    }
    sqlite3_finalize(s);
    if (found > SHOWN)
        fprintf(out, "and %d more\n", found - SHOWN);
    return rc == SQLITE_DONE ? found : -1;
}
