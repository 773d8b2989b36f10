#include "analysis/report.h"

#include <string.h>

int report_question(sqlite3 *db, const struct question *question, int64_t top,
                    const struct answer_options *options, FILE *out)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(db, question->sql, -1, &s, NULL);
    if (rc == SQLITE_OK) {
        const int parameter = sqlite3_bind_parameter_index(s, ":top");
        if (parameter) {
            sqlite3_bind_int64(s, parameter, top);
        }
        uint64_t rows = 0;
        rc = answer_print(s, options, out, &rows);
        if (rc == SQLITE_OK && options->form == ANSWER_TABLE && top > 0 && rows == (uint64_t)top) {
            fprintf(out, "(the first %lld rows; --top 0 shows all)\n", (long long)top);
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
    int rc = sqlite3_prepare_v2(db,
                                "SELECT rule, subject, coalesce(expected, 'nothing'), "
                                "coalesce(found, 'nothing') FROM v_check",
                                -1, &s, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        if (++found <= SHOWN) {
            fprintf(out, "%s: %s: expected %s, found %s\n", sqlite3_column_text(s, 0),
                    sqlite3_column_text(s, 1), sqlite3_column_text(s, 2),
                    sqlite3_column_text(s, 3));
        }
        rc = SQLITE_OK;
    }
    sqlite3_finalize(s);
    if (found > SHOWN) {
        fprintf(out, "and %d more\n", found - SHOWN);
    }
    return rc == SQLITE_DONE ? found : -1;
}
