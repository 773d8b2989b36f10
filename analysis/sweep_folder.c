#include "analysis/sweep_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/sweep_plan.h"
#include "timing/machines.h"
#include "host/file.h"
#include "host/hash.h"
#include "host/in_use.h"
#include "traces/rows.h"
#include "traces/sum.h"
#include "version.h"

enum { MOST_FILE = 0x7fffffff };

static int out_of_memory(char error[SWEEP_ERROR])
{
    snprintf(error, SWEEP_ERROR, "out of memory");
    return -1;
}

char *sweep_folder_path(const struct sweep_folder *folder, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", folder->path, name) < 0 ? NULL : path;
}

char *sweep_folder_chunk_path(const struct sweep_folder *folder, size_t chunk)
{
    char *path = NULL;
    return asprintf(&path, "%s/chunks/%zu.db", folder->path, chunk) < 0 ? NULL : path;
}

/* A pipe or a device would not end. */
static int read_file(const char *path, struct file_bytes *bytes, char error[SWEEP_ERROR])
{
    if (access(path, F_OK) == 0 && !file_is_regular(path)) {
        snprintf(error, SWEEP_ERROR, "%s is not a regular file", path);
        return 1;
    }
    return file_read(path, MOST_FILE, bytes, error, SWEEP_ERROR);
}

/* --- sweep.json ------------------------------------------------------------------------------- */

bool sweep_folder_has_plan(const char *path)
{
    const struct sweep_folder folder = {.path = (char *)(uintptr_t)path};
    char *name = sweep_folder_path(&folder, "sweep.json");
    const bool has = name && access(name, F_OK) == 0;
    free(name);
    return has;
}

static bool are_texts(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_string(json_array_get(list, i)))
            return false;
    return json_is_array(list);
}

static bool are_inputs(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        const char *file = json_string_value(json_object_get(row, "file"));
        if (!json_is_string(json_object_get(row, "name")) || !file || !strrchr(file, '/') ||
            !json_is_string(json_object_get(row, "hash")) ||
            !are_texts(json_object_get(row, "others")))
            return false;
    }
    return json_is_array(list);
}

/* The chunks follow each other and hold all points. */
static bool take_chunks(struct sweep_folder *folder, const json_t *list)
{
    uint64_t next = 0;
    folder->chunk_count = json_array_size(list);
    folder->chunks = calloc(folder->chunk_count + 1, sizeof *folder->chunks);
    for (size_t i = 0; folder->chunks && i < folder->chunk_count; i++) {
        const json_t *row = json_array_get(list, i);
        struct sweep_chunk *chunk = &folder->chunks[i];
        json_int_t number[3];
        for (size_t k = 0; k < 3; k++)
            if ((number[k] = json_integer_value(json_array_get(row, k))) < 0)
                return false;
        *chunk =
            (struct sweep_chunk){(uint64_t)number[0], (uint64_t)number[1], (uint64_t)number[2]};
        if (chunk->first != next || !chunk->points || chunk->points > SWEEP_POINTS)
            return false;
        next += chunk->points;
    }
    return folder->chunks && next == folder->points && next > 0;
}

static bool take_head(struct sweep_folder *folder)
{
    const json_t *head = folder->head, *points = json_object_get(head, "points");
    folder->axes = json_object_get(head, "axes");
    folder->counters = json_object_get(head, "counters");
    folder->takt = json_string_value(json_object_get(head, "takt"));
    folder->plan = json_string_value(json_object_get(head, "plan"));
    folder->points = json_integer_value(points) > 0 ? (uint64_t)json_integer_value(points) : 0;
    return json_integer_value(json_object_get(head, "format")) == SWEEP_FORMAT && folder->takt &&
           folder->plan && json_is_string(json_object_get(head, "machine")) &&
           json_is_string(json_object_get(head, "by")) &&
           json_is_string(json_object_get(head, "spec")) &&
           json_is_string(json_object_get(head, "numbers")) &&
           json_is_object(json_object_get(head, "quantities")) &&
           are_texts(json_object_get(head, "pareto")) && are_texts(folder->axes) &&
           are_texts(folder->counters) && are_inputs(json_object_get(head, "programs")) &&
           are_inputs(json_object_get(head, "chips")) &&
           take_chunks(folder, json_object_get(head, "chunks"));
}

int sweep_folder_open(struct sweep_folder *folder, const char *path, char error[SWEEP_ERROR])
{
    struct file_bytes bytes;
    *folder = (struct sweep_folder){.path = strdup(path)};
    char *name = folder->path ? sweep_folder_path(folder, "sweep.json") : NULL;
    if (!name)
        return out_of_memory(error);
    if (access(name, F_OK) != 0 && errno == ENOENT) {
        free(name);
        snprintf(error, SWEEP_ERROR,
                 "%s has no whole plan: takt sweep SPEC.yaml --out FOLDER makes one", path);
        return 1;
    }
    int status = read_file(name, &bytes, error);
    if (status == 0) {
        folder->head = json_loadb(bytes.at ? bytes.at : "", bytes.size, 0, NULL);
        file_free(&bytes);
        if (!folder->head || !take_head(folder)) {
            snprintf(error, SWEEP_ERROR, "%s is no plan that this takt reads", name);
            status = 1;
        }
    }
    free(name);
    return status;
}

void sweep_folder_close(struct sweep_folder *folder)
{
    json_decref(folder->head);
    free(folder->chunks);
    free(folder->path);
}

void sweep_folder_keep(const struct sweep_folder *folder)
{
    static const struct {
        const char *name;
        void (*keep)(const char *path);
    } own[] = {{"sweep.json", in_use_keep},   {"plan.jsonl", in_use_keep},
               {"sweep.db", in_use_keep},     {"sweep.db-journal", in_use_keep},
               {"sweep.db-wal", in_use_keep}, {"chunks", in_use_keep_folder},
               {"inputs", in_use_keep_folder}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        char *path = sweep_folder_path(folder, own[i].name);
        if (path)
            own[i].keep(path);
        free(path);
    }
}

/* --- inputs ----------------------------------------------------------------------------------- */

static int add_file(const struct sweep_folder *folder, const char *below, const char *name,
                    uint64_t *hash, char error[SWEEP_ERROR])
{
    struct file_bytes bytes;
    char *path = NULL;
    if (asprintf(&path, "%s/%s%s", folder->path, below, name) < 0)
        return out_of_memory(error);
    const int status = read_file(path, &bytes, error);
    free(path);
    if (status == 0) {
        *hash = hash_bytes(*hash, bytes.at ? bytes.at : "", bytes.size);
        file_free(&bytes);
    }
    return status < 0 ? -1 : status != 0;
}

/* A program or a chip, of one file or several. */
static int check_input(const struct sweep_folder *folder, const json_t *row,
                       char error[SWEEP_ERROR])
{
    const char *file = json_string_value(json_object_get(row, "file"));
    const json_t *others = json_object_get(row, "others");
    uint64_t hash = HASH_START;
    char *below = strndup(file, (size_t)(strrchr(file, '/') - file) + 1), text[17];
    int status = below ? add_file(folder, "", file, &hash, error) : out_of_memory(error);
    for (size_t i = 0; status == 0 && i < json_array_size(others); i++)
        status =
            add_file(folder, below, json_string_value(json_array_get(others, i)), &hash, error);
    free(below);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    if (status || strcmp(text, json_string_value(json_object_get(row, "hash"))) == 0)
        return status;
    snprintf(error, SWEEP_ERROR,
             "%s/%s is not as it was when the sweep was planned: points would "
             "be of different programs",
             folder->path, file);
    return 1;
}

static int check_numbers(const struct sweep_folder *folder, char error[SWEEP_ERROR])
{
    const char *name = json_string_value(json_object_get(folder->head, "machine"));
    const struct machine *machine = machine_named(name);
    struct config config;
    char text[17];
    if (!machine) {
        snprintf(error, SWEEP_ERROR, "%s: takt has no machine '%.40s'", folder->path, name);
        return 1;
    }
    const int status = machine_config(machine, &config, error, SWEEP_ERROR);
    if (status)
        return status;
    snprintf(text, sizeof text, "%016llx", (unsigned long long)config_hash(&config));
    config_free(&config);
    if (strcmp(text, json_string_value(json_object_get(folder->head, "numbers"))) == 0)
        return 0;
    snprintf(error, SWEEP_ERROR, "%s was planned by a takt in which %s has other numbers",
             folder->path, machine->name);
    return 1;
}

int sweep_folder_check(const struct sweep_folder *folder, char error[SWEEP_ERROR])
{
    static const char *const kinds[] = {"programs", "chips"};
    if (strcmp(folder->takt, TAKT_VERSION) != 0) {
        snprintf(error, SWEEP_ERROR,
                 "%s was planned by takt %s, this is takt %s: their results may differ",
                 folder->path, folder->takt, TAKT_VERSION);
        return 1;
    }
    int status = check_numbers(folder, error);
    for (size_t k = 0; k < 2; k++) {
        const json_t *list = json_object_get(folder->head, kinds[k]);
        for (size_t i = 0; status == 0 && i < json_array_size(list); i++)
            status = check_input(folder, json_array_get(list, i), error);
    }
    return status;
}

/* --- a chunk ---------------------------------------------------------------------------------- */

void sweep_folder_close_chunk(struct sweep_chunk_file *file)
{
    sqlite3_close(file->db);
    sqlite3_free(file->bytes);
    *file = (struct sweep_chunk_file){.db = NULL};
}

static int load(struct sweep_chunk_file *file, const struct file_bytes *bytes)
{
    int rc = sqlite3_open_v2(":memory:", &file->db, SQLITE_OPEN_READWRITE, NULL);
    file->bytes = sqlite3_malloc64(bytes->size + 1);
    if (rc != SQLITE_OK || !file->bytes)
        return SQLITE_NOMEM;
    if (bytes->size)
        memcpy(file->bytes, bytes->at, bytes->size);
    sqlite3_db_config(file->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return sqlite3_deserialize(file->db, "main", file->bytes, (sqlite3_int64)bytes->size,
                               (sqlite3_int64)bytes->size, SQLITE_DESERIALIZE_READONLY);
}

enum { CONTENT, TAKT, PLAN, POINTS, FAILED, STARTED, ENDED, ROWS, ROWS_FAILED, FIRST, LAST, FOUND };
static const char question[] =
    "SELECT max(iif(name = 'content', value, NULL)), max(iif(name = 'takt', value, NULL)),"
    " max(iif(name = 'plan', value, NULL)), max(iif(name = 'points', value, NULL)),"
    " max(iif(name = 'failed', value, NULL)), max(iif(name = 'started', value, NULL)),"
    " max(iif(name = 'ended', value, NULL)), (SELECT count(*) FROM points NOT INDEXED),"
    " (SELECT total(NOT ok) FROM points NOT INDEXED),"
    " (SELECT min(number) FROM points NOT INDEXED), (SELECT max(number) FROM points NOT INDEXED)"
    " FROM about";

static int take_found(void *context, int columns, char **values, char **names)
{
    char(*found)[80] = context;
    (void)names;
    for (int i = 0; i < columns && i < FOUND; i++)
        snprintf(found[i], sizeof found[i], "%s", values[i] ? values[i] : "");
    return 0;
}

/* Whether it has a sum, and a right one (traces/sum.h). Returns an SQLite code. */
static int verify(struct sweep_chunk_file *file, size_t size)
{
    enum { SECTOR = 512 }; /* pages are multiples of it */
    return size % SECTOR == SUM_SIZE ? sum_verify(file->db) : SQLITE_CORRUPT;
}

/* By sqlite3_exec: the host did not fail where a file is damaged. */
static int judge(const struct sweep_folder *folder, const char *path, struct sweep_chunk_file *file,
                 size_t size, char error[SWEEP_ERROR])
{
    char found[FOUND][80] = {{0}};
    int rc = sqlite3_exec(file->db, question, take_found, found, NULL);
    if (rc == SQLITE_OK)
        rc = verify(file, size);
    if (rows_host_failed(rc)) {
        snprintf(error, SWEEP_ERROR, "%s cannot be read: %s", path, sqlite3_errstr(rc));
        return -1;
    }
    file->points = strtoull(found[POINTS], NULL, 10);
    file->failed = strtoull(found[FAILED], NULL, 10);
    file->started = strtod(found[STARTED], NULL);
    file->ended = strtod(found[ENDED], NULL);
    file->first = strtoull(found[FIRST], NULL, 10);
    file->last = strtoull(found[LAST], NULL, 10);
    if (rc != SQLITE_OK || strcmp(found[CONTENT], "chunk") != 0 ||
        strtod(found[ROWS], NULL) != (double)file->points ||
        strtod(found[ROWS_FAILED], NULL) != (double)file->failed)
        snprintf(error, SWEEP_ERROR, "%s is no chunk of a sweep, or it is damaged", path);
    else if (strcmp(found[TAKT], folder->takt) != 0)
        snprintf(error, SWEEP_ERROR, "%s is a result of takt %s, and the plan of takt %s", path,
                 found[TAKT], folder->takt);
    else if (strcmp(found[PLAN], folder->plan) != 0)
        snprintf(error, SWEEP_ERROR, "%s is of another sweep", path);
    else
        return 0;
    return 1;
}

int sweep_folder_read_chunk(const struct sweep_folder *folder, const char *path,
                            struct sweep_chunk_file *file, char error[SWEEP_ERROR])
{
    struct file_bytes bytes;
    struct stat status;
    *file = (struct sweep_chunk_file){.db = NULL};
    if (stat(path, &status) != 0 && errno == ENOENT)
        return 2;
    const int code = read_file(path, &bytes, error);
    if (code)
        return code < 0 ? -1 : 1;
    const int rc = load(file, &bytes);
    const size_t size = bytes.size;
    file_free(&bytes);
    return rc == SQLITE_OK ? judge(folder, path, file, size, error) : out_of_memory(error);
}

bool sweep_folder_is_chunk(const struct sweep_folder *folder, size_t number,
                           const struct sweep_chunk_file *file)
{
    const struct sweep_chunk *chunk = &folder->chunks[number];
    return file->points == chunk->points && file->first == chunk->first &&
           file->last == chunk->first + chunk->points - 1;
}
