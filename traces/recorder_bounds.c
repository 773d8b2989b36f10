/* recorder_bounds: lower bounds with their certificates, as JSON of statements. */
#include "traces/recorder_state.h"
#include "host/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_stmt(FILE *out, uint32_t stmt)
{
    if (stmt == NONE_ID)
        fputs("null", out); /* it stands outside the machine */
    else
        fprintf(out, "%" PRIu32, stmt);
}

static void print_path(FILE *out, const struct bound *bound, const struct graph *graph)
{
    fprintf(out, "{\"head\":%" PRIu64 ",\"path\":[", bound->head);
    for (size_t k = 0; k < bound->node_count; k++) {
        fputs(k ? ",[" : "[", out);
        print_stmt(out, graph->nodes[bound->nodes[k]].stmt);
        fprintf(out, ",%" PRIu64 "]", k + 1 < bound->node_count ? bound->lags[k] : 0);
    }
    fprintf(out, "],\"tail\":%" PRId64 "}", bound->tail);
}

/* Neighbouring statements are one range. */
static void print_stmts(FILE *out, const uint32_t *nodes, size_t count, const struct graph *graph)
{
    fputs("\"statements\":[", out);
    for (size_t k = 0, end; k < count; k = end) {
        const uint32_t first = graph->nodes[nodes[k]].stmt;
        uint32_t last = first;
        for (end = k + 1; end < count; last = graph->nodes[nodes[end++]].stmt)
            if (graph->nodes[nodes[end]].stmt - last > 1)
                break;
        fprintf(out, "%s[%" PRIu32 ",%" PRIu32 "]", k ? "," : "", first, last);
    }
    fputc(']', out);
}

static void print_raises(FILE *out, const struct bound_raises *raises, const struct graph *graph)
{
    static const char *const events[] = {
        [RAISE_HEAD] = "head", [RAISE_TAIL] = "tail", [RAISE_BEHIND] = "behind"};
    enum { MOST = 4096 }; /* statements that are named */
    fprintf(out, ",\"raised\":%zu", raises->count);
    if (raises->member_count > MOST)
        return;
    fputs(",\"raises\":[", out);
    for (size_t i = 0; i < raises->count; i++) {
        const struct bound_raise *raise = &raises->list[i];
        fprintf(out, "%s{\"event\":\"%s\",\"stmt\":", i ? "," : "", events[raise->event]);
        print_stmt(out, graph->nodes[raise->node].stmt);
        fprintf(out,
                ",\"cycles\":%" PRIu64 ",\"unit\":\"%s\",\"head\":%" PRIu64 ",\"tail\":%" PRId64
                ",",
                raise->cycles, graph->units[raise->unit].name, raise->head, raise->tail);
        print_stmts(out, raises->members + raise->first, raise->count, graph);
        fputc('}', out);
    }
    fputc(']', out);
}

static void print_set(FILE *out, const struct bound *bound, const struct graph *graph)
{
    const uint64_t work = bound->cycles - bound->head - (uint64_t)bound->tail;
    fprintf(out, "{\"head\":%" PRIu64 ",\"work\":%" PRIu64 ",\"tail\":%" PRId64 ",", bound->head,
            work, bound->tail);
    print_stmts(out, bound->nodes, bound->node_count, graph);
    if (bound->raises)
        print_raises(out, bound->raises, graph);
    fputc('}', out);
}

static char *certificate(const struct bound *bound, const struct graph *graph)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_open(&text, &size);
    if (!out)
        return NULL;
    if (bound->kind == BOUND_PATH)
        print_path(out, bound, graph);
    else
        print_set(out, bound, graph);
    text_close(out, &text);
    return text;
}

int recorder_write_bounds(struct recorder *r)
{
    const struct bounds *bounds = r->options.bounds;
    if (!bounds || !bounds->count)
        return 0;
    sqlite3_stmt *insert = recorder_prepare(r, "INSERT INTO bound VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    int status = insert ? 0 : -1;
    for (size_t i = 0; i < bounds->count && status == 0; i++) {
        const struct bound *row = &bounds->rows[i];
        char *text = certificate(row, r->options.graph);
        if (!text) {
            status = recorder_fail(r, "out of memory");
            break;
        }
        recorder_bind_text(insert, 1, bound_class_names[row->class]);
        recorder_bind_text(insert, 2, bound_kind_names[row->kind]);
        if (row->unit == GRAPH_NONE) {
            sqlite3_bind_null(insert, 3);
            sqlite3_bind_null(insert, 4);
        } else {
            recorder_bind_text(insert, 3, r->options.graph->units[row->unit].name);
            recorder_bind_id(insert, 4, r->options.graph->units[row->unit].unit);
        }
        sqlite3_bind_int64(insert, 5, (int64_t)row->cycles);
        recorder_bind_text(insert, 6, text);
        status = recorder_step(r, insert);
        free(text);
    }
    sqlite3_finalize(insert);
    return status;
}

int recorder_prove(struct recorder *r)
{
    return recorder_exec(r, "DELETE FROM bound") || recorder_write_bounds(r) ? -1 : 0;
}
