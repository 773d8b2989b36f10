/*
 * fuzz_rows: values in a trace that libtakt has written are changed, then everything reads it.
 *
 *   machine, then for each change: table, column, which rows, kind of value, value
 *
 * Each is a byte, taken modulo what there is. What is left of the program is run again.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/report.h"
#include "analysis/run_json.h"
#include "analysis/screen.h"
#include "library/library.h"
#include "tests/fuzz/caller.h"
#include "tests/fuzz/file.h"
#include "timing/machines.h"
#include "traces/konata.h"
#include "traces/perfetto.h"
#include "traces/slice.h"
#include "traces/sinks.h"
#include "traces/store_read.h"
#include "traces/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PROGRAMS = 5 };
static const char *const programs[PROGRAMS] = {
    "tests/hostile/small/p.amx", "tests/hostile/small/p.kelvin", "tests/hostile/small/p.ventus",
    "tests/hostile/small/p.vsm", "examples/loops/dot.loops"};

static FILE *nowhere;

struct image {
    unsigned char *bytes;
    sqlite3_int64 size;
};

static void record(const char *path, const char *program)
{
    struct takt_error error;
    struct takt_program *opened;
    struct takt_run *run;
    struct takt_machine *machine = caller_machine(program);
    const struct takt_text text = {.name = program};
    const struct takt_options options = {.size = sizeof options,
                                         .flags = TAKT_VALUES | TAKT_BOUNDS | TAKT_DETAIL |
                                                  TAKT_DEPENDENCES | TAKT_WARNINGS | TAKT_REGIONS,
                                         .trace = path};
    unlink(path);
    enum takt_status status = takt_program_open(&opened, machine, &text, 1, &error);
    caller_must(status == TAKT_FINE, "an example is legal", &error);
    status = takt_run_open(&run, opened, &options, &error);
    caller_must(status == TAKT_FINE, "an example begins", &error);
    status = takt_run_advance(run, 0, &error);
    caller_must(status == TAKT_FINE, "an example is recorded", &error);
    takt_run_close(run);
    takt_program_close(opened);
    takt_machine_close(machine);
}

static const struct image *image_of(unsigned program)
{
    static struct image images[PROGRAMS];
    struct image *image = &images[program];
    char error[600] = "";
    sqlite3 *db;
    if (image->bytes)
        return image;
    const char *path = fuzz_path("rows.db");
    record(path, programs[program]);
    caller_must(trace_open(&db, path, error, sizeof error) == 0, error, NULL);
    image->bytes = sqlite3_serialize(db, "main", &image->size, 0);
    if (!image->bytes)
        abort();
    sqlite3_close(db);
    return image;
}

static sqlite3 *copy_of(const struct image *image)
{
    sqlite3 *db = NULL;
    unsigned char *bytes = sqlite3_malloc64((sqlite3_uint64)image->size);
    if (!bytes || sqlite3_open(":memory:", &db) != SQLITE_OK)
        abort();
    memcpy(bytes, image->bytes, (size_t)image->size);
    if (sqlite3_deserialize(db, "main", bytes, image->size, image->size,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) !=
            SQLITE_OK ||
        slice_register(db) != SQLITE_OK)
        abort();
    return db;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* The name that a query with ?1 and ?2 gives, into name; false: none. */
static bool pick(sqlite3 *db, const char *sql, const char *of, unsigned n, char name[100])
{
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK)
        abort();
    sqlite3_bind_text(q, 1, of, -1, SQLITE_STATIC);
    sqlite3_bind_int(q, 2, (int)n);
    const bool found = sqlite3_step(q) == SQLITE_ROW;
    snprintf(name, 100, "%s", found ? (const char *)sqlite3_column_text(q, 0) : "");
    sqlite3_finalize(q);
    return found;
}

static void bind(sqlite3_stmt *q, unsigned kind, int value)
{
    static const int64_t numbers[] = {0, -1, INT64_MAX, INT64_MIN, UINT32_MAX, INT32_MAX, 1 << 20};
    static const unsigned char bytes[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x80\x00";
    if (kind < 7)
        sqlite3_bind_int64(q, 1, numbers[kind]);
    else if (kind < 11)
        sqlite3_bind_int64(q, 1, value);
    else if (kind == 11)
        sqlite3_bind_double(q, 1, value ? value * 1e300 : NAN);
    else if (kind == 12)
        sqlite3_bind_text(q, 1, (const char *)bytes, value % (int)sizeof bytes, SQLITE_STATIC);
    else if (kind == 13)
        sqlite3_bind_blob(q, 1, bytes, value % (int)sizeof bytes, SQLITE_STATIC);
    else if (kind == 14)
        sqlite3_bind_text(q, 1, "busy", -1, SQLITE_STATIC);
}

static void change(sqlite3 *db, const uint8_t bytes[5])
{
    static const char tables[] =
        "SELECT name FROM sqlite_schema WHERE type = ?1 LIMIT 1 OFFSET ?2 % "
        "(SELECT count(*) FROM sqlite_schema WHERE type = ?1)";
    static const char columns[] = "SELECT name FROM pragma_table_info(?1) LIMIT 1 OFFSET ?2 % "
                                  "(SELECT count(*) FROM pragma_table_info(?1))";
    char table[100], column[100], sql[800], sum[110];
    sqlite3_stmt *q = NULL;
    if (!pick(db, tables, "table", bytes[0], table) || !pick(db, columns, table, bytes[1], column))
        return;
    const unsigned rows = bytes[2] % 16, kind = bytes[3] % 20;
    const char *where = rows < 8 ? "%u = rank" : rows < 12 ? "%u < rank" : "%u >= 0";
    char which[60];
    snprintf(which, sizeof which, where, rows % 8);
    snprintf(sum, sizeof sum, "\"%s\" + ?1", column);
    if (kind >= 18)
        snprintf(sql, sizeof sql,
                 "DELETE FROM \"%s\" WHERE \"%s\" IN (SELECT v FROM (SELECT \"%s\" "
                 "AS v, row_number() OVER () - 1 AS rank FROM \"%s\") WHERE %s)",
                 table, column, column, table, which);
    else
        snprintf(sql, sizeof sql,
                 "UPDATE OR IGNORE \"%s\" SET \"%s\" = %s WHERE \"%s\" IN (SELECT "
                 "v FROM (SELECT \"%s\" AS v, row_number() OVER () - 1 AS rank FROM \"%s\") WHERE "
                 "%s)",
                 table, column, kind >= 16 ? sum : "?1", column, column, table, which);
    if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK) {
        if (kind < 18)
            bind(q, kind >= 16 ? 7 : kind, kind == 17 ? -(int)bytes[4] : bytes[4]);
        sqlite3_step(q);
    }
    sqlite3_finalize(q);
}

/* --- readers ---------------------------------------------------------------------------------- */

static void read_answers(sqlite3 *db)
{
    struct store store;
    if (store_read(&store, db) == SQLITE_OK) {
        screen_print(&store, &(const struct screen_options){.width = 80}, nowhere);
        run_json_print(&store, NULL, nowhere);
    }
    store_close(&store);
    report_check(db, nowhere);
    perfetto_write(db, 0, 10000, nowhere);
    konata_write(db, 0, 10000, nowhere);
}

static void run_again(sqlite3 *db, const struct machine *machine)
{
    int rc;
    char error[MACHINE_ERROR];
    const struct run_options options = {.threads = 1};
    struct takt_machine *chip = library_machine(machine);
    struct takt_program *program = NULL;
    if (library_trace_numbers(chip, db) == 0)
        program = library_trace_program(chip, db, &rc);
    struct takt_run *run =
        program && library_judge(program, NULL) == 0 ? library_run(program, &options) : NULL;
    if (run && library_begin(run, sink_null(), error) == 0)
        for (unsigned i = 0; i < 10 && library_advance(run, 200, error) == RUN_MORE; i++)
            ;
    takt_run_close(run);
    takt_program_close(program);
    takt_machine_close(chip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { CHANGE = 5, MOST = 40 };
    if (size == 0)
        return 0;
    if (!nowhere && !(nowhere = fopen("/dev/null", "w")))
        abort();
    const unsigned program = data[0] % PROGRAMS;
    sqlite3 *db = copy_of(image_of(program));
    for (size_t i = 1; i + CHANGE <= size && i < CHANGE * MOST; i += CHANGE)
        change(db, data + i);
    read_answers(db);
    run_again(db, machine_of(programs[program]));
    sqlite3_close(db);
    return 0;
}
