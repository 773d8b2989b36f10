/* recorder_header: the program and the machine become rows, when a run begins. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/recorder_state.h"
#include "traces/schema.h"

/* --- the program's text -------------------------------------------------------------------------
 */

struct lines {
    const struct file_info *files;
    size_t file, at; /* the next line begins here */
    uint32_t line;
};

static size_t count_lines(const struct file_info *file)
{
    size_t count = 0;
    for (const char *at = file->text, *end = at + file->size; at < end; count++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : end;
    }
    return count;
}

static void bind_line(struct recorder *r, const struct recorder_rows *rows, size_t i,
                      sqlite3_stmt *s, int first)
{
    struct lines *lines = rows->context;
    (void)r;
    while (lines->at == lines->files[lines->file].size) {
        lines->file++;
        lines->at = lines->line = 0;
    }
    const struct file_info *file = &lines->files[lines->file];
    const char *text = file->text + lines->at;
    const char *end = memchr(text, '\n', file->size - lines->at);
    const size_t length = end ? (size_t)(end - text) : file->size - lines->at;
    sqlite3_bind_int64(s, first, (int64_t)i + 1);
    sqlite3_bind_int64(s, first + 1, (int64_t)lines->file);
    sqlite3_bind_int64(s, first + 2, ++lines->line);
    sqlite3_bind_text64(s, first + 3, text, length, SQLITE_STATIC, SQLITE_UTF8);
    lines->at += length + (end ? 1 : 0);
}

/* How often each text and region has occurred. */
struct ordinals {
    struct ordinal {
        uint64_t hash;
        uint32_t count; /* 0: empty */
    } * slots;
    size_t slot_count;
};

struct listing {
    const struct sink_header *header;
    int64_t *first_source; /* of each file, and the end */
    struct ordinals ordinals;
    size_t *own; /* statements whose text stands in no line */
    size_t own_count, own_capacity;
};

static uint64_t uid_of(struct listing *listing, const struct stmt_info *stmt)
{
    const uint64_t hash = strings_hash(STRINGS_SEED ^ stmt->region, stmt->text, stmt->text_length);
    const size_t mask = listing->ordinals.slot_count - 1;
    size_t at = hash & mask;
    while (listing->ordinals.slots[at].count && listing->ordinals.slots[at].hash != hash)
        at = (at + 1) & mask;
    struct ordinal *ordinal = &listing->ordinals.slots[at];
    ordinal->hash = hash;
    ordinal->count++;
    return strings_hash(hash, &ordinal->count, sizeof ordinal->count);
}

/* The byte of its line at which the text begins, from 1; 0 when it stands in no line. */
static size_t place_in_line(const struct listing *listing, const struct stmt_info *stmt)
{
    const struct file_info *file = &listing->header->files[stmt->file];
    const uintptr_t from = (uintptr_t)file->text, text = (uintptr_t)stmt->text;
    if (text < from || text + stmt->text_length > from + file->size ||
        memchr(stmt->text, '\n', stmt->text_length) || stmt->line == 0 ||
        listing->first_source[stmt->file] + stmt->line > listing->first_source[stmt->file + 1])
        return 0;
    const size_t before = (size_t)(text - from);
    const char *stop = memrchr(file->text, '\n', before);
    return before - (stop ? (size_t)(stop - file->text) + 1 : 0) + 1;
}

static void bind_stmt(struct recorder *r, const struct recorder_rows *rows, size_t i,
                      sqlite3_stmt *s, int first)
{
    struct listing *listing = rows->context;
    const struct stmt_info *stmt = &listing->header->stmts[i];
    const size_t files = listing->header->file_count;
    const size_t at = stmt->file < files ? place_in_line(listing, stmt) : 0;
    int64_t source = at ? listing->first_source[stmt->file] + stmt->line - 1 : 0;
    if (!at && listing->own_count == listing->own_capacity) {
        const size_t capacity = listing->own_capacity ? listing->own_capacity * 2 : 64;
        size_t *own = realloc(listing->own, capacity * sizeof *own);
        if (!own) {
            recorder_fail(r, "out of memory");
            return;
        }
        listing->own = own;
        listing->own_capacity = capacity;
    }
    if (!at) {
        source = listing->first_source[files] + (int64_t)listing->own_count;
        listing->own[listing->own_count++] = i;
    }
    sqlite3_bind_int64(s, first, (int64_t)i);
    sqlite3_bind_int64(s, first + 1, (int64_t)uid_of(listing, stmt));
    sqlite3_bind_int64(s, first + 2, stmt->file);
    sqlite3_bind_int64(s, first + 3, stmt->line);
    sqlite3_bind_int64(s, first + 4, stmt->region);
    sqlite3_bind_int64(s, first + 5, source);
    sqlite3_bind_int64(s, first + 6, at ? (int64_t)at : 1);
    sqlite3_bind_int64(s, first + 7, (int64_t)stmt->text_length);
}

static void bind_own(struct recorder *r, const struct recorder_rows *rows, size_t i,
                     sqlite3_stmt *s, int first)
{
    const struct listing *listing = rows->context;
    const struct stmt_info *stmt = &listing->header->stmts[listing->own[i]];
    (void)r;
    sqlite3_bind_int64(s, first, listing->first_source[listing->header->file_count] + (int64_t)i);
    sqlite3_bind_int64(s, first + 1, stmt->file);
    sqlite3_bind_null(s, first + 2);
    sqlite3_bind_text64(s, first + 3, stmt->text, stmt->text_length, SQLITE_STATIC, SQLITE_UTF8);
}

static int write_files(struct recorder *r, const struct sink_header *h)
{
    sqlite3_stmt *s = recorder_prepare(r, "INSERT INTO file VALUES (?, ?, ?)");
    for (size_t i = 0; s && i < h->file_count && !r->failed; i++) {
        sqlite3_bind_int64(s, 1, (int64_t)i);
        recorder_bind_text(s, 2, h->files[i].name);
        sqlite3_bind_int64(s, 3, (int64_t)h->files[i].size);
        recorder_step(r, s);
    }
    sqlite3_finalize(s);
    return r->failed ? -1 : 0;
}

static int write_program(struct recorder *r, const struct sink_header *h)
{
    struct listing listing = {.header = h, .ordinals.slot_count = 2};
    struct lines lines = {.files = h->files};
    while (listing.ordinals.slot_count < 2 * h->stmt_count)
        listing.ordinals.slot_count *= 2;
    listing.first_source = calloc(h->file_count + 1, sizeof *listing.first_source);
    listing.ordinals.slots = calloc(listing.ordinals.slot_count, sizeof *listing.ordinals.slots);
    if (!listing.first_source || !listing.ordinals.slots) {
        recorder_fail(r, "out of memory");
    } else {
        listing.first_source[0] = 1;
        for (size_t i = 0; i < h->file_count; i++)
            listing.first_source[i + 1] =
                listing.first_source[i] + (int64_t)count_lines(&h->files[i]);
        const size_t line_count = (size_t)listing.first_source[h->file_count] - 1;
        const struct recorder_rows source = {"source", 4, line_count, bind_line, .context = &lines};
        const struct recorder_rows stmts = {"stmt", 8, h->stmt_count, bind_stmt,
                                            .context = &listing};
        struct recorder_rows own = {"source", 4, 0, bind_own, .context = &listing};
        if (write_files(r, h) == 0 && recorder_insert(r, &source) == 0 &&
            recorder_insert(r, &stmts) == 0) {
            own.count = listing.own_count;
            recorder_insert(r, &own);
        }
    }
    free(listing.first_source);
    free(listing.ordinals.slots);
    free(listing.own);
    return r->failed ? -1 : 0;
}

/* --- the machine --------------------------------------------------------------------------------
 */

/* The tree: paths without a unit of their own become rows of kind node, behind the units. */
struct tree {
    const struct sink_header *header;
    sqlite3_stmt *insert;
    char **nodes; /* paths */
    size_t node_count;
};

static int insert_unit(struct recorder *r, const struct tree *tree, size_t id, int64_t parent,
                       const struct unit_info *unit)
{
    sqlite3_stmt *s = tree->insert;
    sqlite3_bind_int64(s, 1, (int64_t)id);
    recorder_bind_text(s, 2, unit->name);
    recorder_bind_text(s, 3, unit->path);
    recorder_bind_id(s, 4, parent < 0 ? NONE_ID : (uint32_t)parent);
    recorder_bind_text(s, 5, unit->kind);
    sqlite3_bind_int64(s, 6, unit->instances);
    sqlite3_bind_double(s, 7, unit->width);
    sqlite3_bind_double(s, 8, unit->peak_flops);
    return recorder_step(r, s);
}

/* -1 at the root, and after recorder_fail. */
static int64_t parent_of(struct recorder *r, struct tree *tree, const char *path)
{
    const char *dot = strrchr(path ? path : "", '.');
    if (!dot || r->failed)
        return -1;
    const size_t unit_count = tree->header->unit_count;
    char *up = strndup(path, (size_t)(dot - path));
    char **nodes = realloc(tree->nodes, (tree->node_count + 1) * sizeof *nodes);
    tree->nodes = nodes ? nodes : tree->nodes;
    if (!up || !nodes) {
        free(up);
        return recorder_fail(r, "out of memory");
    }
    int64_t id = -1;
    for (size_t i = 0; id < 0 && i < unit_count; i++)
        id = strcmp(tree->header->units[i].path, up) == 0 ? (int64_t)i : -1;
    for (size_t i = 0; id < 0 && i < tree->node_count; i++)
        id = strcmp(nodes[i], up) == 0 ? (int64_t)(unit_count + i) : -1;
    if (id >= 0) {
        free(up);
        return id;
    }
    id = (int64_t)(unit_count + tree->node_count);
    nodes[tree->node_count++] = up;
    const int64_t above = parent_of(r, tree, up);
    const char *last = strrchr(up, '.');
    const struct unit_info node = {last ? last + 1 : up, up, "node", 1, 0, 0};
    return r->failed || insert_unit(r, tree, (size_t)id, above, &node) ? -1 : id;
}

static int write_units(struct recorder *r, const struct sink_header *h)
{
    struct tree tree = {
        .header = h,
        .insert = recorder_prepare(r, "INSERT INTO unit VALUES (?, ?, ?, ?, ?, ?, ?, ?)")};
    for (size_t i = 0; tree.insert && i < h->unit_count && !r->failed; i++) {
        const int64_t parent = parent_of(r, &tree, h->units[i].path);
        if (!r->failed)
            insert_unit(r, &tree, i, parent, &h->units[i]);
    }
    for (size_t i = 0; i < tree.node_count; i++)
        free(tree.nodes[i]);
    free(tree.nodes);
    sqlite3_finalize(tree.insert);
    return r->failed ? -1 : 0;
}

static int write_params(struct recorder *r, const struct sink_header *h)
{
    sqlite3_stmt *s =
        recorder_prepare(r, "INSERT OR REPLACE INTO param VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; s && i < h->param_count && !r->failed; i++) {
        const struct param_info *p = &h->params[i];
        recorder_bind_text(s, 1, p->name);
        recorder_bind_text(s, 2, p->unit);
        if (p->text)
            recorder_bind_text(s, 3, p->text);
        else
            sqlite3_bind_double(s, 3, p->value);
        sqlite3_bind_double(s, 4, p->low);
        sqlite3_bind_double(s, 5, p->high);
        sqlite3_bind_double(s, 6, p->documented);
        recorder_bind_text(s, 7, p->provenance);
        recorder_bind_text(s, 8, p->source);
        recorder_step(r, s);
    }
    sqlite3_finalize(s);
    return r->failed ? -1 : 0;
}

static int write_dictionaries(struct recorder *r, const struct sink_header *h)
{
    sqlite3_stmt *s = recorder_prepare(r, "INSERT INTO reason VALUES (?, ?, ?, ?)");
    for (size_t i = 0; s && i < h->reason_count && !r->failed; i++) {
        sqlite3_bind_int64(s, 1, (int64_t)i);
        recorder_bind_text(s, 2, h->reasons[i].name);
        sqlite3_bind_int64(s, 3, (int64_t)h->reasons[i].state);
        recorder_bind_text(s, 4, h->reasons[i].sentence);
        recorder_step(r, s);
    }
    sqlite3_finalize(s);
    s = recorder_prepare(r, "INSERT INTO attribute VALUES (?, ?, ?, ?)");
    for (size_t i = 0; s && i < h->attribute_count && !r->failed; i++) {
        sqlite3_bind_int64(s, 1, (int64_t)i);
        recorder_bind_text(s, 2, h->attributes[i].name);
        recorder_bind_text(s, 3, h->attributes[i].unit);
        recorder_bind_text(s, 4, h->attributes[i].sentence);
        recorder_step(r, s);
    }
    sqlite3_finalize(s);
    s = recorder_prepare(r, "INSERT INTO counter VALUES (?, NULL, NULL, ?, ?, ?, ?)");
    for (size_t i = 0; s && i < h->counter_count && !r->failed; i++) {
        const struct counter_info *c = &h->counters[i];
        recorder_bind_text(s, 1, c->name);
        sqlite3_bind_double(s, 2, c->peak);
        recorder_bind_text(s, 3, c->unit);
        sqlite3_bind_text(s, 4, c->index, -1, SQLITE_STATIC); /* NULL stays NULL */
        recorder_bind_text(s, 5, c->sentence);
        recorder_step(r, s);
    }
    sqlite3_finalize(s);
    return r->failed ? -1 : 0;
}

/* --- all ----------------------------------------------------------------------------------------
 */

static int write_meta(struct recorder *r, const struct sink_header *h)
{
    char program_hash[24], machine_hash[24], clock[80];
    const bool window = r->options.window_to > r->options.window_from;
    snprintf(program_hash, sizeof program_hash, "%016" PRIx64, h->program_hash);
    snprintf(machine_hash, sizeof machine_hash, "%016" PRIx64, h->machine_hash);
    const struct recorder_fact facts[] = {
        {"takt_version", SCHEMA_TAKT_VERSION, 0},
        {"machine", h->machine ? h->machine : "", 0},
        {"program", h->program ? h->program : "", 0},
        {"command", h->command ? h->command : "", 0},
        {"program_hash", program_hash, 0},
        {"machine_hash", machine_hash, 0},
        {"detail",
         window                 ? "window"
         : r->options.intervals ? "intervals"
                                : "totals",
         0},
        {"statements", NULL, h->stmt_count},
        {"window_from", NULL, r->options.window_from},
        {"window_to", NULL, r->options.window_to},
    };
    snprintf(clock, sizeof clock, "INSERT INTO meta VALUES ('clock_hz', %.17g + 0.0)", h->clock_hz);
    return recorder_write_facts(r, facts, sizeof facts / sizeof *facts - (window ? 0 : 2)) ||
                   recorder_exec(r, clock)
               ? -1
               : 0;
}

int recorder_write_header(struct recorder *r, const struct sink_header *header)
{
    return write_meta(r, header) || write_dictionaries(r, header) || write_units(r, header) ||
                   write_params(r, header) ||
                   recorder_exec(r, "INSERT INTO region VALUES (0, 'program')") ||
                   write_program(r, header)
               ? -1
               : 0;
}
