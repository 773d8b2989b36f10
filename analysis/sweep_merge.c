#include "analysis/sweep_merge.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "host/failure.h"
#include "host/file.h"
#include "traces/rows.h"

struct merge {
    const struct sweep_folder *folder;
    sqlite3 *db;
    char *error;
};

static int failed(struct merge *m)
{
    snprintf(m->error, SWEEP_ERROR, "%s", sqlite3_errmsg(m->db));
    return -1;
}

/* --- the plan --------------------------------------------------------------------------------- */

static bool insert_planned(sqlite3_stmt *insert, const char *text, size_t size)
{
    int rc = SQLITE_OK;
    json_t *line = json_loadb(text, size, 0, NULL);
    const char *hash = json_string_value(json_object_get(line, "hash"));
    const json_t *number = json_object_get(line, "point");
    const bool good = hash && json_is_integer(number);
    if (good) {
        sqlite3_bind_int64(insert, 1, json_integer_value(number));
        sqlite3_bind_text(insert, 2, hash, -1, SQLITE_STATIC);
        rows_next(insert, &rc);
        sqlite3_reset(insert);
    }
    json_decref(line);
    return good && rc == SQLITE_OK;
}

static int read_plan(struct merge *m)
{
    int rc = SQLITE_OK, status = 0;
    char *path = sweep_folder_path(m->folder, "plan.jsonl"), *line = NULL;
    FILE *file = path && file_is_regular(path) ? fopen(path, "r") : NULL;
    size_t room = 0;
    ssize_t size;
    if (!file) {
        snprintf(m->error, SWEEP_ERROR, "%s cannot be read", path ? path : "the plan");
        free(path);
        return path ? 1 : -1;
    }
    rows_do(m->db, "CREATE TEMP TABLE plan (number INTEGER PRIMARY KEY, hash TEXT)", &rc);
    sqlite3_stmt *insert = rows_select(m->db, "INSERT INTO plan VALUES (?1, ?2)", &rc);
    while (status == 0 && (size = getline(&line, &room, file)) > 0)
        if (!insert_planned(insert, line, (size_t)size)) {
            snprintf(m->error, SWEEP_ERROR, "%s is damaged", path);
            status = 1;
        }
    sqlite3_finalize(insert);
    fclose(file);
    free(line);
    free(path);
    if (status == 0 &&
        rows_value(m->db, "SELECT count(*) FROM plan", 0, 0, -1) != (int64_t)m->folder->points) {
        snprintf(m->error, SWEEP_ERROR, "%s/plan.jsonl is damaged", m->folder->path);
        status = 1;
    }
    return rc == SQLITE_OK ? status : failed(m);
}

/* --- chunks ----------------------------------------------------------------------------------- */

static int attach(struct merge *m, const struct sweep_chunk_file *file)
{
    sqlite3_int64 size = 0;
    int rc = SQLITE_OK;
    unsigned char *bytes = sqlite3_serialize(file->db, "main", &size, SQLITE_SERIALIZE_NOCOPY);
    rows_do(m->db, "ATTACH ':memory:' AS chunk", &rc);
    if (rc == SQLITE_OK)
        rc = sqlite3_deserialize(m->db, "chunk", bytes, size, size, SQLITE_DESERIALIZE_READONLY);
    return rc == SQLITE_OK ? 0 : failed(m);
}

/* Rows that the plan does not have so; rows that another file has otherwise. */
static const char foreign[] = "SELECT c.number FROM chunk.points c LEFT JOIN plan p USING (number) "
                              "WHERE p.hash IS NOT c.hash LIMIT 1";
static const char unequal[] =
    "SELECT number FROM (SELECT * FROM chunk.points EXCEPT SELECT m.* FROM chunk.points c JOIN "
    "main.points m USING (number)) LIMIT 1";

static int take_rows(struct merge *m, const char *path)
{
    int rc = SQLITE_OK;
    const int64_t other = rows_value(m->db, foreign, 0, 0, -1);
    if (other >= 0) {
        snprintf(m->error, SWEEP_ERROR, "%s has a point %lld that the plan has not", path,
                 (long long)other);
        return 1;
    }
    rows_do(m->db, "INSERT OR IGNORE INTO main.points SELECT * FROM chunk.points", &rc);
    if (rc != SQLITE_OK) {
        snprintf(m->error, SWEEP_ERROR, "%s: %s", path, sqlite3_errmsg(m->db));
        return rc == SQLITE_NOMEM ? -1 : 1;
    }
    if (sqlite3_changes64(m->db) ==
        rows_value(m->db, "SELECT count(*) FROM chunk.points", 0, 0, -1))
        return 0;
    const int64_t differs = rows_value(m->db, unequal, 0, 0, -1);
    if (differs < 0)
        return 0;
    snprintf(m->error, SWEEP_ERROR, "%s has another result of point %lld than an earlier file",
             path, (long long)differs);
    return 1;
}

static int take_chunk(struct merge *m, const char *name)
{
    struct sweep_chunk_file file = {.db = NULL};
    char *below = NULL, *path;
    if (asprintf(&below, "chunks/%s", name) < 0)
        return -1;
    path = sweep_folder_path(m->folder, below);
    free(below);
    int status = path ? sweep_folder_read_chunk(m->folder, path, &file, m->error) : -1;
    if (status == 2)
        status = 0; /* it was removed */
    else if (status == 0 && rows_exec(m->db, "COMMIT") != SQLITE_OK)
        status = failed(m);
    else if (status == 0) { /* nothing can be attached within a transaction */
        status = attach(m, &file);
        if (status == 0)
            status = take_rows(m, path);
        rows_exec(m->db, "DETACH chunk");
        rows_exec(m->db, "BEGIN");
    }
    sweep_folder_close_chunk(&file);
    free(path);
    return status;
}

static int is_chunk(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".db") == 0;
}

static int take_chunks(struct merge *m)
{
    struct dirent **names = NULL;
    char *path = sweep_folder_path(m->folder, "chunks");
    const int count = path ? scandir(path, &names, is_chunk, alphasort) : -1;
    int status = 0;
    if (count < 0) {
        snprintf(m->error, SWEEP_ERROR, "%s cannot be read", path ? path : "the folder");
        status = path ? 1 : -1;
    }
    for (int i = 0; i < count; i++) {
        if (status == 0)
            status = take_chunk(m, names[i]->d_name);
        free(names[i]);
    }
    free(names);
    free(path);
    return status;
}

/* --- the file --------------------------------------------------------------------------------- */

static int name_missing(struct merge *m)
{
    const struct sweep_folder *folder = m->folder;
    struct sweep_progress progress = {.folder = folder};
    char names[300];
    progress.chunks = calloc(folder->chunk_count + 1, sizeof *progress.chunks);
    if (!progress.chunks)
        return -1;
    for (size_t i = 0; i < folder->chunk_count; i++) {
        const struct sweep_chunk *chunk = &folder->chunks[i];
        const int64_t points =
            rows_value(m->db, "SELECT count(*) FROM points WHERE number BETWEEN ?1 AND ?2",
                       (int64_t)chunk->first, (int64_t)(chunk->first + chunk->points - 1), 0);
        progress.chunks[i].state = (uint64_t)points == chunk->points ? SWEEP_DONE : SWEEP_MISSING;
    }
    sweep_progress_missing(&progress, names, sizeof names);
    sweep_progress_free(&progress);
    if (!*names)
        return 0;
    snprintf(m->error, SWEEP_ERROR,
             "of %zu chunks these are missing: %s; takt sweep resume %s runs them",
             folder->chunk_count, names, folder->path);
    return 1;
}

static int write_merged(struct merge *m)
{
    const struct sweep_folder *folder = m->folder;
    const char *spec = json_string_value(json_object_get(folder->head, "spec"));
    const char *machine = json_string_value(json_object_get(folder->head, "machine"));
    char *path = sweep_folder_path(folder, "sweep.db");
    int status = path && sweep_store_about(m->db, "content", "sweep") == SQLITE_OK &&
                         sweep_store_about(m->db, "takt", folder->takt) == SQLITE_OK &&
                         sweep_store_about(m->db, "plan", folder->plan) == SQLITE_OK &&
                         sweep_store_about(m->db, "machine", machine) == SQLITE_OK &&
                         sweep_store_about(m->db, "spec", spec) == SQLITE_OK
                     ? 0
                     : failed(m);
    if (status == 0)
        status = sweep_store_write(m->db, path, m->error);
    free(path);
    return status;
}

int sweep_merge(const struct sweep_folder *folder, bool partial, struct sweep_merged *merged,
                char error[SWEEP_ERROR])
{
    struct merge m = {.folder = folder, .error = error};
    const unsigned long before = failure_count();
    int status = sweep_store_new(&m.db, folder->axes, folder->counters) == SQLITE_OK ? read_plan(&m)
                                                                                     : failed(&m);
    if (status == 0)
        status = take_chunks(&m);
    if (status == 0 && !partial)
        status = name_missing(&m);
    if (status == 0 && failure_count() != before) {
        snprintf(error, SWEEP_ERROR, "a chunk could not be read: %s", failure_sentence());
        status = 1;
    }
    if (status == 0) {
        merged->points = (uint64_t)rows_value(m.db, "SELECT count(*) FROM points", 0, 0, 0);
        merged->failed =
            (uint64_t)rows_value(m.db, "SELECT count(*) FROM points WHERE NOT ok", 0, 0, 0);
        status = write_merged(&m);
    }
    sqlite3_close(m.db);
    return status;
}
