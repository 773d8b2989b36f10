/* recorder_begin: the header of a run becomes rows: facts, units as a tree, parameters, files. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/recorder_state.h"
#include "traces/schema.h"

static void bind_text(sqlite3_stmt *s, int index, const char *text)
{
    sqlite3_bind_text(s, index, text ? text : "", -1, SQLITE_STATIC);
}

static int insert_unit(struct recorder *r, sqlite3_stmt *s, size_t id, const char *name,
                       const char *path, int64_t parent, const char *kind, uint32_t instances,
                       double width, double peak)
{
    sqlite3_bind_int64(s, 1, (int64_t)id);
    bind_text(s, 2, name);
    bind_text(s, 3, path);
    if (parent < 0) {
        sqlite3_bind_null(s, 4);
    } else {
        sqlite3_bind_int64(s, 4, parent);
    }
    bind_text(s, 5, kind);
    sqlite3_bind_int64(s, 6, instances);
    sqlite3_bind_double(s, 7, width);
    sqlite3_bind_double(s, 8, peak);
    return recorder_insert(r, s);
}

/* The tree: paths without a unit of their own become rows of kind node, after the units. */
struct node {
    char path[256];
    size_t id;
};

static int64_t find_path(const struct sink_header *h, const struct node *nodes, size_t node_count,
                         const char *path)
{
    for (size_t i = 0; i < h->unit_count; i++) {
        if (!strcmp(h->units[i].path, path)) {
            return (int64_t)i;
        }
    }
    for (size_t i = 0; i < node_count; i++) {
        if (!strcmp(nodes[i].path, path)) {
            return (int64_t)nodes[i].id;
        }
    }
    return -1;
}

static int64_t parent_of(struct recorder *r, sqlite3_stmt *s, const struct sink_header *h,
                         struct node **nodes, size_t *node_count, const char *path)
{
    char up[sizeof(*nodes)->path];
    snprintf(up, sizeof up, "%s", path ? path : "");
    char *dot = strrchr(up, '.');
    if (!dot) {
        return -1;
    }
    *dot = '\0';
    int64_t id = find_path(h, *nodes, *node_count, up);
    if (id >= 0) {
        return id;
    }
    const int64_t above = parent_of(r, s, h, nodes, node_count, up);
    struct node *grown = realloc(*nodes, (*node_count + 1) * sizeof *grown);
    if (!grown) {
        recorder_fail(r, "out of memory");
        return -1;
    }
    *nodes = grown;
    struct node *node = &grown[*node_count];
    memcpy(node->path, up, sizeof up);
    node->id = h->unit_count + *node_count;
    ++*node_count;
    id = (int64_t)node->id;
    const char *last = strrchr(up, '.');
    insert_unit(r, s, node->id, last ? last + 1 : up, up, above, "node", 1, 0, 0);
    return id;
}

static int write_units(struct recorder *r, const struct sink_header *h)
{
    sqlite3_stmt *s = recorder_prepare(r, "INSERT INTO unit VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    struct node *nodes = NULL;
    size_t node_count = 0;
    for (size_t i = 0; s && i < h->unit_count && !r->failed; i++) {
        const struct unit_info *u = &h->units[i];
        const int64_t parent = parent_of(r, s, h, &nodes, &node_count, u->path);
        insert_unit(r, s, i, u->name, u->path, parent, u->kind, u->instances, u->width,
                    u->peak_flops);
    }
    free(nodes);
    sqlite3_finalize(s);
    return r->failed ? -1 : 0;
}

static int write_params(struct recorder *r, const struct sink_header *h)
{
    sqlite3_stmt *s =
        recorder_prepare(r, "INSERT OR REPLACE INTO param VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; s && i < h->param_count && !r->failed; i++) {
        const struct param_info *p = &h->params[i];
        bind_text(s, 1, p->name);
        bind_text(s, 2, p->unit);
        if (p->text) {
            bind_text(s, 3, p->text);
        } else {
            sqlite3_bind_double(s, 3, p->value);
        }
        sqlite3_bind_double(s, 4, p->low);
        sqlite3_bind_double(s, 5, p->high);
        sqlite3_bind_double(s, 6, p->documented);
        bind_text(s, 7, p->provenance);
        bind_text(s, 8, p->source);
        recorder_insert(r, s);
    }
    sqlite3_finalize(s);
    return r->failed ? -1 : 0;
}

static int write_files(struct recorder *r, const struct sink_header *h)
{
    sqlite3_stmt *s = recorder_prepare(r, "INSERT INTO file VALUES (?, ?, ?)");
    for (size_t i = 0; s && i < h->file_count && !r->failed; i++) {
        sqlite3_bind_int64(s, 1, (int64_t)i);
        bind_text(s, 2, h->files[i].name);
        sqlite3_bind_int64(s, 3, (int64_t)h->files[i].size);
        recorder_insert(r, s);
    }
    sqlite3_finalize(s);
    /* The texts outlive the run; the list itself does not outlive this call. */
    struct file_info *files = calloc(h->file_count + 1, sizeof *files);
    if (!files) {
        return recorder_fail(r, "out of memory");
    }
    if (h->file_count) {
        memcpy(files, h->files, h->file_count * sizeof *files);
    }
    r->files = files;
    return r->failed ? -1 : 0;
}

int recorder_program_hash(struct recorder *r, uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return recorder_meta_text(r, "program_hash", text);
}

static int write_meta(struct recorder *r, const struct sink_header *h)
{
    char text[24];
    const bool window = r->options.window_to > r->options.window_from;
    if (recorder_meta_text(r, "takt_version", SCHEMA_TAKT_VERSION) ||
        recorder_meta_text(r, "machine", h->machine) ||
        recorder_meta_text(r, "program", h->program) ||
        recorder_meta_text(r, "command", h->command) ||
        recorder_meta_integer(r, "statements", h->stmt_count) ||
        recorder_meta_integer(r, "stream_units", h->stream_units)) {
        return -1;
    }
    snprintf(text, sizeof text, "%016" PRIx64, h->machine_hash);
    if (recorder_meta_text(r, "machine_hash", text) ||
        recorder_meta_real(r, "clock_hz", h->clock_hz) ||
        recorder_meta_text(r, "detail",
                           r->options.detail == DETAIL_CHUNKS ? "intervals"
                           : window                           ? "window"
                                                              : "totals")) {
        return -1;
    }
    static const char *const peaks[] = {"peak_flops_double", "peak_flops_single",
                                        "peak_flops_pseudo_single", "peak_flops_half"};
    for (size_t i = 0; i < sizeof peaks / sizeof *peaks; i++) {
        if (h->peak_flops[i] > 0 && recorder_meta_real(r, peaks[i], h->peak_flops[i])) {
            return -1;
        }
    }
    if (window && (recorder_meta_integer(r, "window_from", r->options.window_from) ||
                   recorder_meta_integer(r, "window_to", r->options.window_to))) {
        return -1;
    }
    return 0;
}

/* That of a long program comes with its text. */
static int write_hash(struct recorder *r, const struct sink_header *h)
{
    return r->lean || h->stmt_count > AHEAD_STMTS || !h->program_hash
               ? 0
               : recorder_program_hash(r, h->program_hash(h->asked, NULL));
}

static int write_header(struct recorder *r, const struct sink_header *h)
{
    return write_meta(r, h) || write_units(r, h) || write_params(r, h) || write_files(r, h) ||
                   write_hash(r, h)
               ? -1
               : recorder_exec(r, "INSERT INTO region VALUES (0, 'program')");
}

/* What is announced: the file as it is now. */
static int keep_announcement(struct recorder *r)
{
    struct stat st;
    if (fstat(r->work.lock, &st)) {
        return recorder_fail(r, strerror(errno));
    }
    r->announcement_size = (size_t)st.st_size;
    r->announcement = malloc(r->announcement_size + 1);
    if (!r->announcement) {
        return recorder_fail(r, "out of memory");
    }
    size_t done = 0;
    while (done < r->announcement_size) {
        const ssize_t n = pread(r->work.lock, r->announcement + done, r->announcement_size - done,
                                (off_t)done);
        if (n <= 0 && errno != EINTR) {
            return recorder_fail(r, n ? strerror(errno) : "the file has become shorter");
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

int recorder_header(struct recorder *r, const struct sink_header *h)
{
    if (write_header(r, h) || !r->file) {
        return r->failed ? -1 : 0;
    }
    return recorder_meta_text(r, "partial", r->work.path) || recorder_flush(r) ||
                   keep_announcement(r) ||
                   recorder_exec(r, "DELETE FROM meta WHERE key = 'partial'") || recorder_flush(r)
               ? -1
               : 0;
}
