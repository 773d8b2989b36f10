/* recorder_header: the program and the machine become rows, when a run begins. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "traces/recorder_state.h"
#include "traces/schema.h"

/* --- the program's text -------------------------------------------------------------------------
 */

/* A text of a region: statements that read the same share it. */
struct text {
    uint64_t hash;
    const char *text;
    size_t length;
    uint32_t region, uses;
};

struct listing {
    const struct sink_header *header;
    struct line {
        const char *text;
        size_t length;
        uint32_t file, line;
        bool is_stmt; /* the text of a statement is all of it */
    } * lines;        /* of all files */
    size_t *first;    /* line of each file, and the end */
    struct text *texts;
    size_t text_count;
    struct {
        uint64_t uid;
        uint32_t text; /* from 1 */
    } * stmts;
};

static int list_lines(struct listing *listing)
{
    const struct sink_header *h = listing->header;
    size_t count = 0, capacity = 0;
    listing->first = calloc(h->file_count + 1, sizeof *listing->first);
    for (uint32_t i = 0; listing->first && i < h->file_count; i++) {
        const char *at = h->files[i].text, *end = at + h->files[i].size;
        for (uint32_t line = 1; at < end; line++) {
            struct line *lines = grow(listing->lines, &capacity, count + 1, sizeof *lines);
            if (!lines)
                return -1;
            listing->lines = lines;
            const char *stop = memchr(at, '\n', (size_t)(end - at));
            const size_t length = (size_t)((stop ? stop : end) - at);
            lines[count++] = (struct line){.text = at, .length = length, .file = i, .line = line};
            at += length + 1;
        }
        listing->first[i + 1] = count;
    }
    return listing->first ? 0 : -1;
}

static bool same_text(const struct text *text, uint64_t hash, const struct stmt_info *s)
{
    return text->hash == hash && text->region == s->region && text->length == s->text_length &&
           memcmp(text->text, s->text, s->text_length) == 0;
}

/* Which text each statement has, and its uid: of text, region and ordinal among those that are
 * equal. */
static int find_texts(struct listing *listing)
{
    const struct sink_header *h = listing->header;
    size_t slot_count = 2, capacity = 0;
    while (slot_count < 2 * h->stmt_count)
        slot_count *= 2;
    uint32_t *slots = calloc(slot_count, sizeof *slots); /* text + 1; 0: empty */
    listing->stmts = malloc((h->stmt_count + 1) * sizeof *listing->stmts);
    int status = slots && listing->stmts ? 0 : -1;
    for (size_t i = 0; status == 0 && i < h->stmt_count; i++) {
        const struct stmt_info *s = &h->stmts[i];
        const uint64_t hash = strings_hash(STRINGS_SEED ^ s->region, s->text, s->text_length);
        size_t at = hash & (slot_count - 1);
        while (slots[at] && !same_text(&listing->texts[slots[at] - 1], hash, s))
            at = (at + 1) & (slot_count - 1);
        if (!slots[at]) {
            struct text *texts =
                grow(listing->texts, &capacity, listing->text_count + 1, sizeof *texts);
            if (!texts) {
                status = -1;
                break;
            }
            listing->texts = texts;
            texts[listing->text_count] = (struct text){hash, s->text, s->text_length, s->region, 0};
            slots[at] = (uint32_t)++listing->text_count;
        }
        struct text *text = &listing->texts[slots[at] - 1];
        text->uses++;
        listing->stmts[i].uid = strings_hash(hash, &text->uses, sizeof text->uses);
        listing->stmts[i].text = slots[at];
    }
    free(slots);
    return status;
}

static bool is_line(const struct listing *listing, const struct stmt_info *stmt)
{
    if (stmt->file >= listing->header->file_count || stmt->line == 0 ||
        listing->first[stmt->file] + stmt->line > listing->first[stmt->file + 1])
        return false;
    struct line *l = &listing->lines[listing->first[stmt->file] + stmt->line - 1];
    if (l->is_stmt || l->length != stmt->text_length || memcmp(l->text, stmt->text, l->length))
        return false;
    l->is_stmt = true;
    return true;
}

static void bind_stmt(struct recorder *r, const struct recorder_rows *rows, size_t i,
                      sqlite3_stmt *s, int first)
{
    const struct listing *listing = rows->context;
    const struct stmt_info *stmt = &listing->header->stmts[i];
    const uint64_t values[] = {listing->stmts[i].uid, stmt->file, stmt->line,
                               is_line(listing, stmt), listing->stmts[i].text};
    (void)r;
    /* SQLite counts on from the first id, in a third less time than it takes to find a place. */
    recorder_bind_id(s, first, i == 0 ? 0 : NONE_ID);
    recorder_bind_integers(s, first + 1, values, 5);
}

static void bind_text(struct recorder *r, const struct recorder_rows *rows, size_t i,
                      sqlite3_stmt *s, int first)
{
    const struct text *text = (const struct text *)rows->list + i;
    (void)r;
    sqlite3_bind_int64(s, first, text->region);
    sqlite3_bind_text64(s, first + 1, text->text, text->length, SQLITE_STATIC, SQLITE_UTF8);
}

static bool keep_line(const void *list, size_t i)
{
    return !((const struct line *)list)[i].is_stmt;
}

static void bind_line(struct recorder *r, const struct recorder_rows *rows, size_t i,
                      sqlite3_stmt *s, int first)
{
    const struct line *l = (const struct line *)rows->list + i;
    (void)r;
    recorder_bind_integers(s, first, (const uint64_t[]){l->file, l->line}, 2);
    sqlite3_bind_text64(s, first + 2, l->text, l->length, SQLITE_STATIC, SQLITE_UTF8);
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
    struct listing listing = {.header = h};
    if (list_lines(&listing) || find_texts(&listing)) {
        recorder_fail(r, "out of memory");
    } else {
        const struct recorder_rows texts = {"text (region, text)", 2, listing.text_count, bind_text,
                                            .list = listing.texts};
        const struct recorder_rows stmts = {"stmt_row", 6, h->stmt_count, bind_stmt,
                                            .context = &listing};
        const struct recorder_rows lines = {
            "other_line",     3, listing.first[h->file_count], bind_line, .list = listing.lines,
            .keep = keep_line};
        if (write_files(r, h) == 0 && recorder_insert(r, &texts) == 0 &&
            recorder_insert(r, &stmts) == 0)
            recorder_insert(r, &lines);
    }
    free(listing.first);
    free(listing.lines);
    free(listing.texts);
    free(listing.stmts);
    return r->failed ? -1 : 0;
}

/* --- the machine --------------------------------------------------------------------------------
 */

/* The tree: paths without a unit become rows of kind node, after the units. */
struct tree {
    const struct sink_header *header;
    sqlite3_stmt *insert;
    char **nodes; /* paths */
    size_t node_count, node_capacity;
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
    char **nodes = grow(tree->nodes, &tree->node_capacity, tree->node_count + 1, sizeof *nodes);
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
    sqlite3_stmt *s = recorder_prepare(
        r, "INSERT OR REPLACE INTO param VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)");
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
    sqlite3_stmt *s = recorder_prepare(r, "INSERT INTO reason VALUES (?, ?, ?, ?, ?)");
    for (size_t i = 0; s && i < h->reason_count && !r->failed; i++) {
        sqlite3_bind_int64(s, 1, (int64_t)i);
        recorder_bind_text(s, 2, h->reasons[i].name);
        sqlite3_bind_int64(s, 3, (int64_t)h->reasons[i].state);
        recorder_bind_text(s, 4, h->reasons[i].limit);
        recorder_bind_text(s, 5, h->reasons[i].sentence);
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

static int write_regions(struct recorder *r, const struct sink_header *h)
{
    const uint64_t *bounds = r->store->region_bounds;
    sqlite3_stmt *s = recorder_prepare(r, "INSERT INTO region VALUES (?, ?, ?)");
    for (size_t i = 0; s && i <= h->region_count && !r->failed; i++) {
        sqlite3_bind_int64(s, 1, (int64_t)i);
        recorder_bind_text(s, 2, h->regions ? h->regions[i] : "rest");
        if (bounds)
            sqlite3_bind_int64(s, 3, (int64_t)bounds[i]);
        else
            sqlite3_bind_null(s, 3);
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
        {"takt_version", TAKT_VERSION, 0},
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

int recorder_write_header(struct recorder *r)
{
    const struct sink_header *header = &r->store->header;
    return write_meta(r, header) || write_dictionaries(r, header) || write_units(r, header) ||
                   write_params(r, header) || write_regions(r, header) || write_program(r, header)
               ? -1
               : 0;
}
