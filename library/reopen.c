#include "library/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/failure.h"
#include "traces/file_text.h"
#include "traces/rows.h"
#include "traces/trace.h"

int library_trace_numbers(struct takt_machine *machine, sqlite3 *db)
{
    char error[MACHINE_ERROR], set[4096];
    sqlite3_stmt *q = NULL;
    int status = machine_config(machine->machine, &machine->config, error, sizeof error);
    const int step = rows_prepare(db,
                                  "SELECT name || '=' || CASE typeof(value) WHEN 'text' "
                                  "THEN value ELSE printf('%.17g', value) END FROM param",
                                  &q);
    while (status == 0 && step == SQLITE_OK && rows_step(q) == SQLITE_ROW) {
        snprintf(set, sizeof set, "%s", rows_text(q, 0));
        status = config_set(&machine->config, set, error, sizeof error);
    }
    sqlite3_finalize(q);
    return status;
}

struct takt_program *library_trace_program(struct takt_machine *machine, sqlite3 *db, int *rc)
{
    const size_t files = (size_t)rows_value(db, "SELECT count(*) FROM file", 0, 0, 0);
    struct takt_program *program = library_program(machine, files);
    sqlite3_stmt *q = NULL;
    size_t count = 0;
    *rc = program ? rows_prepare(db, "SELECT name, id FROM file ORDER BY id", &q) : SQLITE_NOMEM;
    while (*rc == SQLITE_OK && count < files && rows_step(q) == SQLITE_ROW) {
        char *text = NULL;
        size_t size = 0;
        struct source *source = &program->sources[count++];
        *rc = file_text(db, sqlite3_column_int64(q, 1), UINT32_MAX, &text, &size);
        if (*rc == SQLITE_OK && source_from_text(source, rows_text(q, 0), text, size) != 0)
            *rc = SQLITE_NOMEM;
        free(text);
    }
    const int ended = sqlite3_finalize(q);
    *rc = *rc == SQLITE_OK ? ended : *rc;
    if (*rc == SQLITE_OK)
        return program;
    takt_program_close(program);
    return NULL;
}

enum takt_status takt_trace_check(const char *path, struct takt_error *error)
{
    char text[sizeof error->text] = "";
    sqlite3 *db = NULL;
    if (!path)
        return library_missing(error, "the path of a trace");
    const unsigned long failures = failure_count_host();
    int status = trace_open(&db, path, text, sizeof text);
    sqlite3_close(db);
    if (status == 0)
        status = library_unless_host_failed(status, failures, text);
    return library_below(error, status, text);
}
