#include "cli/sweep_chunk.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/sweep_part.h"
#include "cli/batch_job.h"
#include "cli/cli.h"
#include "host/failure.h"
#include "host/file.h"
#include "host/in_use.h"

/* --- one point -------------------------------------------------------------------------------- */

struct points {
    const char *root; /* the folder, absolute */
    const json_t *head;
    struct batch batch;
    struct takt_text chip;
    struct file_bytes bytes; /* of the chip's file */
    const json_t *here;      /* the program in whose folder the process is */
    const json_t *with;      /* the chip that is read; or NULL */
};

static const json_t *input_named(const json_t *list, const json_t *name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_object_get(json_array_get(list, i), "name"), name))
            return json_array_get(list, i);
    return NULL;
}

/* FOLDER/FILE of an input; cut: only the folder that it is in. */
static char *input_path(const struct points *p, const json_t *input, bool cut)
{
    const char *file = json_string_value(json_object_get(input, "file"));
    char *path = NULL;
    if (asprintf(&path, "%s/%.*s", p->root,
                 (int)(cut ? (size_t)(strrchr(file, '/') - file) : strlen(file)), file) < 0)
        return NULL;
    return path;
}

/* Programs are named without a folder, so that no sentence depends on where the sweep is. */
static int go_to(struct points *p, const json_t *program)
{
    if (program == p->here)
        return EXIT_FINE;
    char *path = input_path(p, program, true);
    const int code = path && chdir(path) == 0 ? EXIT_FINE
                                              : cli_fail(EXIT_HOST, "sweep", "%s: no such folder",
                                                         path ? path : "inputs");
    free(path);
    p->here = program;
    return code;
}

static int read_chip(struct points *p, const json_t *chip)
{
    char error[MACHINE_ERROR];
    if (chip == p->with)
        return EXIT_FINE;
    takt_machine_close(p->batch.open);
    free(p->batch.open_key);
    file_free(&p->bytes);
    p->batch.open = NULL;
    p->batch.open_key = NULL;
    p->batch.config_count = 0;
    p->with = chip;
    if (!chip)
        return EXIT_FINE;
    char *path = input_path(p, chip, false);
    const int status =
        path ? file_read(path, SOURCE_MOST, &p->bytes, error, sizeof error) : FILE_TOO_LARGE;
    free(path);
    if (status)
        return cli_fail(EXIT_HOST, "sweep", "%s", path ? error : "out of memory");
    p->chip = (struct takt_text){json_string_value(json_object_get(chip, "name")),
                                 p->bytes.at ? p->bytes.at : "", p->bytes.size};
    p->batch.configs = &p->chip;
    p->batch.config_count = 1;
    return EXIT_FINE;
}

static char *job_text(const struct points *p, const json_t *line, const json_t *program)
{
    const char *file = json_string_value(json_object_get(program, "file"));
    json_t *options = json_copy(json_object_get(line, "options"));
    if (json_array_size(json_object_get(p->head, "counters")))
        json_object_set_new(options, "counters", json_true());
    json_object_set(options, "set", json_object_get(line, "set"));
    json_t *job = json_pack("{s:O, s:s, s:O, s:o}", "id", json_object_get(line, "point"), "file",
                            strrchr(file, '/') + 1, "machine", json_object_get(p->head, "machine"),
                            "options", options);
    char *text = json_dumps(job, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(job);
    return text;
}

/* The answer of one line, which is given up then; NULL with *code. */
static json_t *answer_of(struct points *p, const json_t *line, int *code)
{
    const json_t *program =
        input_named(json_object_get(p->head, "programs"), json_object_get(line, "program"));
    const json_t *chip =
        input_named(json_object_get(p->head, "chips"), json_object_get(line, "chip"));
    *code = program ? go_to(p, program) : cli_fail(EXIT_INPUT, "sweep", "the plan is damaged");
    if (*code == EXIT_FINE)
        *code = read_chip(p, chip);
    if (*code != EXIT_FINE)
        return NULL;
    char *text = job_text(p, line, program), *answer = NULL;
    enum takt_status status = TAKT_HOST;
    const unsigned long before = failure_count_host();
    if (text) {
        const struct batch_job job = {BATCH_JSON, text, strlen(text), 1};
        in_use_begin();
        answer = batch_answer(&p->batch, &job, &status);
    }
    json_t *root = answer && status != TAKT_HOST ? json_loads(answer, JSON_ALLOW_NUL, NULL) : NULL;
    if (!root || failure_count_host() != before) {
        const json_t *why = json_object_get(root, "why");
        *code = cli_fail(EXIT_HOST, "sweep", "point %lld: %s",
                         (long long)json_integer_value(json_object_get(line, "point")),
                         why ? json_string_value(why) : failure_sentence());
        json_decref(root);
        root = NULL;
    }
    free(answer);
    free(text);
    return root;
}

static void points_end(struct points *p)
{
    takt_machine_close(p->batch.open);
    free(p->batch.open_key);
    json_decref(p->batch.options);
    file_free(&p->bytes);
}

/* --- a chunk ---------------------------------------------------------------------------------- */

struct chunk {
    const struct sweep_folder *folder;
    struct points *points;
    const struct sweep_chunk *range;
    sqlite3 *db;
    sqlite3_stmt *insert;
    struct sweep_part part;
};

static int put_line(struct chunk *c, const char *text, size_t size)
{
    int code = EXIT_FINE;
    json_t *line = json_loadb(text, size, 0, NULL);
    json_t *answer = line ? answer_of(c->points, line, &code) : NULL;
    if (!line)
        code = cli_fail(EXIT_INPUT, "sweep", "%s/plan.jsonl is damaged", c->folder->path);
    if (answer) {
        c->part.points++;
        c->part.failed += !json_is_true(json_object_get(answer, "ok"));
        if (sweep_store_put(c->insert, c->folder->axes, c->folder->counters, line, answer) !=
            SQLITE_OK)
            code = cli_fail(EXIT_HOST, "sweep", "%s", sqlite3_errmsg(c->db));
    }
    json_decref(answer);
    json_decref(line);
    return code;
}

static int put_lines(struct chunk *c, struct sweep_part_file *part)
{
    char *path = NULL, *line = NULL;
    size_t room = 0;
    int code = EXIT_FINE;
    if (asprintf(&path, "%s/plan.jsonl", c->points->root) < 0)
        return cli_fail(EXIT_HOST, "sweep", "out of memory");
    FILE *plan = file_is_regular(path) ? fopen(path, "r") : NULL;
    if (!plan || fseeko(plan, (off_t)c->range->offset, SEEK_SET) != 0)
        code = cli_fail(EXIT_HOST, "sweep", "%s cannot be read", path);
    for (uint64_t i = 0; code == EXIT_FINE && i < c->range->points; i++) {
        const ssize_t size = getline(&line, &room, plan);
        code = size > 0 ? put_line(c, line, (size_t)size)
                        : cli_fail(EXIT_INPUT, "sweep", "%s is damaged", path);
        sweep_part_note(part, &c->part);
    }
    if (plan)
        fclose(plan);
    free(line);
    free(path);
    return code;
}

static int write_chunk(struct chunk *c, size_t number)
{
    char error[SWEEP_ERROR] = "out of memory", *path = NULL;
    const struct sweep_folder *f = c->folder;
    sqlite3_finalize(c->insert);
    c->insert = NULL;
    if (asprintf(&path, "%s/chunks/%zu.db", c->points->root, number) < 0)
        path = NULL;
    const bool good =
        path && sweep_store_about(c->db, "content", "chunk") == SQLITE_OK &&
        sweep_store_about(c->db, "takt", f->takt) == SQLITE_OK &&
        sweep_store_about(c->db, "plan", f->plan) == SQLITE_OK &&
        sweep_store_about_number(c->db, "points", (double)c->range->points) == SQLITE_OK &&
        sweep_store_about_number(c->db, "failed", (double)c->part.failed) == SQLITE_OK &&
        sweep_store_about_number(c->db, "started", c->part.started) == SQLITE_OK &&
        sweep_store_about_number(c->db, "ended", sweep_part_now()) == SQLITE_OK;
    in_use_begin();
    const int status = good ? sweep_store_write(c->db, path, error) : -1;
    free(path);
    return status == 0 ? EXIT_FINE : cli_fail(EXIT_HOST, "sweep", "chunk %zu: %s", number, error);
}

static int run_chunk(const struct sweep_folder *folder, struct points *points, size_t number)
{
    struct chunk c = {.folder = folder,
                      .points = points,
                      .range = &folder->chunks[number],
                      .part.started = sweep_part_now()};
    struct sweep_part_file part;
    char *chunks = NULL;
    if (asprintf(&chunks, "%s/chunks", points->root) < 0)
        return cli_fail(EXIT_HOST, "sweep", "out of memory");
    sweep_part_open(&part, chunks, number);
    free(chunks);
    int rc = sweep_store_new(&c.db, folder->axes, folder->counters);
    c.insert = sweep_store_insert(c.db, folder->axes, folder->counters, &rc);
    int code =
        rc == SQLITE_OK ? put_lines(&c, &part) : cli_fail(EXIT_HOST, "sweep", "out of memory");
    if (code == EXIT_FINE)
        code = write_chunk(&c, number);
    sweep_part_close(&part);
    sqlite3_finalize(c.insert);
    sqlite3_close(c.db);
    return code;
}

static bool is_done(const struct points *points, const struct sweep_folder *folder, size_t number)
{
    struct sweep_chunk_file file;
    char error[SWEEP_ERROR], *path = NULL;
    if (asprintf(&path, "%s/chunks/%zu.db", points->root, number) < 0)
        return false;
    const int status = sweep_folder_read_chunk(folder, path, &file, error);
    const bool done = status == 0 && sweep_folder_is_chunk(folder, number, &file);
    sweep_folder_close_chunk(&file);
    free(path);
    return done;
}

int sweep_chunk_run(const struct sweep_folder *folder, size_t first, size_t count)
{
    int code = EXIT_FINE;
    char *root = realpath(folder->path, NULL);
    struct points points = {
        .root = root, .head = folder->head, .batch = {.options = json_object()}};
    if (!root || !points.batch.options)
        code = cli_fail(EXIT_HOST, "sweep", "%s cannot be read", folder->path);
    for (size_t i = first; code == EXIT_FINE && i < first + count && i < folder->chunk_count; i++)
        if (!is_done(&points, folder, i))
            code = run_chunk(folder, &points, i);
    points_end(&points);
    free(root);
    return code;
}

/* --- how long a point takes ------------------------------------------------------------------- */

static void time_line(const char *folder, const json_t *head, const char *text)
{
    int code;
    struct points points = {
        .root = realpath(folder, NULL), .head = head, .batch = {.options = json_object()}};
    json_t *line = json_loads(text, 0, NULL);
    if (points.root && line)
        json_decref(answer_of(&points, line, &code));
}

/* Twice, since the first point also reads files; a child ends with the clock where it takes
 * longer. */
double sweep_chunk_time(const char *folder, const json_t *head, const char *line, unsigned most)
{
    const double from = sweep_part_now();
    const pid_t pid = fork();
    if (pid < 0)
        return -1;
    if (pid == 0) {
        signal(SIGALRM, SIG_DFL);
        alarm(most);
        if (!freopen("/dev/null", "w", stderr))
            _exit(EXIT_HOST);
        for (unsigned i = 0; i < 2; i++)
            time_line(folder, head, line);
        _exit(EXIT_FINE);
    }
    waitpid(pid, NULL, 0);
    const double seconds = (sweep_part_now() - from) / 2;
    return seconds < 1e-4 ? 1e-4 : seconds;
}
