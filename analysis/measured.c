#include "analysis/measured.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/measured_align.h"
#include "host/grow.h"
#include "host/search.h"

/* --- the run ---------------------------------------------------------------------------------- */

/* As analysis/statement_key.h has it. */
static void take_kind(const struct stmt_info *stmt, char kind[MEASURED_KIND])
{
    size_t size = 0;
    for (size_t i = 0; i < stmt->text_length && size + 1 < MEASURED_KIND; i++) {
        const unsigned char c = (unsigned char)stmt->text[i];
        kind[size++] = isdigit(c) ? '#' : (char)c;
        while (isdigit(c) && i + 1 < stmt->text_length &&
               strchr("0123456789abcdefx", stmt->text[i + 1]) && stmt->text[i + 1])
            i++;
    }
    kind[size] = '\0';
}

static int take_kinds(struct measured_listener *l, const struct sink_header *header)
{
    l->kinds = calloc(l->stmt_count + 1, sizeof *l->kinds);
    for (size_t s = 0; l->kinds && s < l->stmt_count; s++)
        take_kind(&header->stmts[s], l->kinds[s]);
    return l->kinds ? 0 : -1;
}

static int on_begin(void *context, const struct sink_header *header)
{
    struct measured_listener *l = context;
    l->stmt_count = header->stmt_count;
    l->unit_count = header->unit_count;
    l->lines = calloc(l->stmt_count + 1, sizeof *l->lines);
    l->streams = calloc(l->unit_count + 1, sizeof *l->streams);
    l->works = calloc(l->stmt_count + 1, sizeof *l->works);
    l->names = calloc(l->unit_count + 1, sizeof *l->names);
    l->lasts = calloc(l->unit_count + 1, sizeof *l->lasts);
    if (!l->lines || !l->lasts || !l->streams || !l->works || !l->names)
        return -1;
    for (size_t r = REASON_MACHINE; r < header->reason_count && r < REASON_MAX; r++) {
        const char *limit = header->reasons[r].limit;
        if (limit && strcmp(limit, "latency") == 0)
            l->passing |= UINT32_C(1) << r;
    }
    for (size_t s = 0; s < l->stmt_count; s++)
        l->lines[s] = header->stmts[s].line;
    for (size_t u = 0; u < l->unit_count; u++)
        l->streams[u] = NONE_ID;
    for (size_t u = 0; u < l->unit_count; u++)
        if (strcmp(header->units[u].kind, "issue") == 0) {
            snprintf(l->names[l->stream_count], MEASURED_NAME, "%s", header->units[u].name);
            l->streams[u] = l->stream_count++;
        }
    return l->sorts ? take_kinds(l, header) : 0;
}

/* stream's last issue, or NULL. */
static struct measured_run_issue *last_of(const struct measured_listener *l, uint32_t stream)
{
    const size_t last = stream <= l->unit_count ? l->lasts[stream] : 0;
    return last ? &l->issues[last - 1] : NULL;
}

static int add_issue(struct measured_listener *l, uint32_t stream, uint32_t stmt, uint64_t cycle,
                     bool idle)
{
    struct measured_run_issue *last = last_of(l, stream);
    l->works[stmt] |= !idle;
    if (last && last->idle && !last->part && last->stmt == stmt) {
        if (!last->passes || !idle)
            last->cycle = cycle; /* it has waited, and goes now */
        last->idle = idle;
        return 0;
    }
    if (!grow_list(&l->issues, &l->capacity, l->count + 1, sizeof *l->issues))
        return -1;
    l->issues[l->count++] = (struct measured_run_issue){
        .cycle = cycle, .stream = stream, .stmt = stmt, .line = l->lines[stmt], .idle = idle};
    if (stream <= l->unit_count)
        l->lasts[stream] = l->count;
    return 0;
}

/* Of a statement that only passes time the interval in which it does, or the last in a row, is its
 * issue. */
static int on_interval(void *context, const struct sink_interval *interval)
{
    struct measured_listener *l = context;
    const uint32_t stream = l->streams[interval->unit];
    if (l->wide || stream == NONE_ID || interval->stmt >= l->stmt_count)
        return 0;
    const bool passes = interval->reason < REASON_MAX && l->passing >> interval->reason & 1;
    struct measured_run_issue *last = last_of(l, stream);
    if (passes && last)
        last->passes = false;
    const int status =
        add_issue(l, stream, interval->stmt, interval->start, interval->reason != REASON_BUSY);
    if (status == 0 && passes)
        last_of(l, stream)->passes = true;
    return status;
}

/* Transfers come when they have ended: others have been issued since. */
static int on_transfer(void *context, const struct sink_transfer *transfer)
{
    struct measured_listener *l = context;
    if (transfer->stmt >= l->stmt_count)
        return 0;
    const size_t last = l->lasts[0];
    const int status = add_issue(l, 0, transfer->stmt, transfer->issued, false);
    if (last)
        l->lasts[0] = last;
    return status;
}

static int on_execution(void *context, const struct sink_execution *execution)
{
    struct measured_listener *l = context;
    if (execution->stmt >= l->stmt_count)
        return 0;
    if (l->wide)
        return execution->stream < l->stream_count
                   ? add_issue(l, execution->stream, execution->stmt, execution->start, false)
                   : 0;
    const bool works = l->works[execution->stmt];
    const int status = add_issue(l, execution->stream, execution->stmt, execution->start, false);
    l->works[execution->stmt] = works;
    struct measured_run_issue *issue =
        status == 0 && execution->stream <= l->unit_count ? last_of(l, execution->stream) : NULL;
    if (issue)
        issue->part = true;
    else if (status == 0)
        l->issues[l->count - 1].part = true;
    return status;
}

static int on_edge(void *context, const struct sink_edge *edge)
{
    struct measured_listener *l = context;
    if (edge->waited == 0 || edge->dst >= l->stmt_count)
        return 0;
    if (!grow_list(&l->edges, &l->edge_capacity, l->edge_count + 1, sizeof *l->edges))
        return -1;
    l->edges[l->edge_count] =
        (struct measured_edge){.at = edge->at,
                               .waited = edge->waited,
                               .src_line = edge->src < l->stmt_count ? l->lines[edge->src] : 0,
                               .dst = edge->dst,
                               .dst_line = l->lines[edge->dst],
                               .kind = edge->kind};
    snprintf(l->edges[l->edge_count++].rule, sizeof l->edges->rule, "%s", edge->rule);
    return 0;
}

struct sink measured_sink(struct measured_listener *listener)
{
    static const struct sink_ops ops = {.name = "measured",
                                        .begin = on_begin,
                                        .interval = on_interval,
                                        .transfer = on_transfer,
                                        .edge = on_edge,
                                        .execution = on_execution};
    return (struct sink){&ops, listener};
}

void measured_listener_free(struct measured_listener *l)
{
    free(l->issues);
    free(l->edges);
    free(l->lines);
    free(l->works);
    free(l->names);
    free(l->lasts);
    free(l->streams);
    free(l->kinds);
    *l = (struct measured_listener){.count = 0};
}

/* --- both ------------------------------------------------------------------------------------- */

/* Of one cycle in order of places, so that the order of rows is nothing. */
static int by_point(const void *a, const void *b)
{
    const struct measured_point *x = a, *y = b;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int by_issue(const void *a, const void *b)
{
    const struct measured_interval *x = a, *y = b;
    return (x->issue > y->issue) - (x->issue < y->issue);
}

/* before NULL: from the start of the run. at: in the run the issue before, and this one. */
static void take_interval(struct measured_answer *answer, const struct measured_listener *l,
                          const struct measured_issue *issue, const struct measured_issue *before,
                          const size_t at[2])
{
    static const struct measured_run_issue start;
    const struct measured_run_issue *here = &l->issues[at[1]],
                                    *there = before ? &l->issues[at[0]] : &start;
    struct measured_interval *interval = &answer->intervals[answer->count++];
    *interval = (struct measured_interval){
        .issue = issue,
        .stmt = here->stmt,
        .line = here->line,
        .from_line = there->line,
        .measured = (int64_t)(issue->cycle - (before ? before->cycle : 0)),
        .modelled = (int64_t)(here->cycle - there->cycle),
        .from = there->cycle,
        .cycle = here->cycle,
        .stream = here->stream};
    const int64_t difference = interval->measured - interval->modelled;
    const double size = (double)(difference < 0 ? -difference : difference);
    answer->equal += difference == 0;
    answer->off += size;
    answer->worst = size > answer->worst ? size : answer->worst;
}

/* --- streams ---------------------------------------------------------------------------------- */

/* Numbers in names by their value. */
static int by_name(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    while (*x && *y) {
        char *x_end = (char *)(uintptr_t)x, *y_end = (char *)(uintptr_t)y;
        const bool numbers = isdigit((unsigned char)*x) && isdigit((unsigned char)*y);
        const unsigned long long m = numbers ? strtoull(x, &x_end, 10) : (unsigned char)*x++;
        const unsigned long long n = numbers ? strtoull(y, &y_end, 10) : (unsigned char)*y++;
        if (m != n)
            return m < n ? -1 : 1;
        x = numbers ? x_end : x;
        y = numbers ? y_end : y;
    }
    return (*x != 0) - (*y != 0);
}

/* The unit of the run that has a name, or a number; NONE_ID: neither. */
static uint32_t named_stream(const struct measured_listener *l, const char *name)
{
    char *end;
    for (uint32_t s = 0; s < l->stream_count; s++)
        if (strcasecmp(l->names[s], name) == 0)
            return s;
    const unsigned long number = strtoul(name, &end, 10);
    return isdigit((unsigned char)*name) && !*end && number < NONE_ID ? (uint32_t)number : NONE_ID;
}

/* By stream of the list that of the run: other names, in their order, are the units without one
 * that issue anything. run: in order of streams. */
static int map_streams(uint32_t *streams, const struct measured *list,
                       const struct measured_listener *l, const struct measured_point *run,
                       size_t run_count)
{
    const char **others = calloc(list->streams + 1, sizeof *others);
    bool *taken = calloc(l->unit_count + 1, sizeof *taken);
    size_t count = 0, next = 0;
    const bool fine = others && taken;
    for (uint32_t s = 0; fine && s < list->streams; s++) {
        streams[s] = named_stream(l, list->names[s]);
        if (streams[s] == NONE_ID)
            others[count++] = list->names[s];
        else if (streams[s] <= l->unit_count)
            taken[streams[s]] = true;
    }
    if (count)
        qsort(others, count, sizeof *others, by_name);
    for (size_t i = 0; fine && i < run_count && next < count; i++) {
        const uint32_t stream = run[i].stream;
        if (stream > l->unit_count || taken[stream])
            continue;
        taken[stream] = true;
        const char *name = others[next++];
        streams[(name - list->names[0]) / MEASURED_NAME] = stream;
    }
    free(others);
    free(taken);
    return fine ? 0 : -1;
}

/* --- the comparison --------------------------------------------------------------------------- */

struct both {
    const struct measured *list;
    const struct measured_listener *l;
    struct measured_point *a, *b; /* by stream and cycle */
    size_t a_count, b_count;
    size_t *matches;           /* by point of a stream of the list that of the run */
    uint32_t *listed, *issued; /* by place: the last stream with it, from 1 */
    uint64_t places;
};

/* The points of one stream, from `at` on. Returns how many. */
static size_t mark_stream(const struct both *w, const struct measured_point *points, size_t count,
                          uint32_t stream, uint32_t *places)
{
    size_t i = 0;
    for (; i < count && points[i].stream == stream; i++)
        if (points[i].place < w->places)
            places[points[i].place] = stream + 1;
    return i;
}

/* Of these the ones at places that both have. Returns how many. */
static size_t keep_common(const struct both *w, struct measured_point *points, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (points[i].place < w->places && w->listed[points[i].place] == points[i].stream + 1 &&
            w->issued[points[i].place] == points[i].stream + 1)
            points[kept++] = points[i];
    return kept;
}

static int compare_stream(struct measured_answer *answer, const struct both *w,
                          struct measured_point *a, size_t a_count, struct measured_point *b,
                          size_t b_count)
{
    const struct measured_issue *issues = w->list->issues, *before = NULL;
    const size_t listed = keep_common(w, a, a_count), issued = keep_common(w, b, b_count);
    const int status = measured_align(a, listed, b, issued, w->matches);
    size_t matched = 0, from = 0;
    for (size_t i = 0; status == 0 && i < listed; i++) {
        if (w->matches[i] == SIZE_MAX)
            continue;
        const size_t at = b[w->matches[i]].index;
        if (matched++ || w->list->start)
            take_interval(answer, w->l, &issues[a[i].index], before, (const size_t[2]){from, at});
        before = &issues[a[i].index];
        from = at;
    }
    answer->unmatched += a_count - matched;
    answer->missing += issued - matched;
    return status;
}

static int compare_streams(struct measured_answer *answer, const struct both *w)
{
    int status = 0;
    for (size_t i = 0, k = 0; status == 0 && i < w->a_count;) {
        const uint32_t stream = w->a[i].stream;
        while (k < w->b_count && w->b[k].stream < stream)
            k++;
        const size_t a = mark_stream(w, w->a + i, w->a_count - i, stream, w->listed),
                     b = mark_stream(w, w->b + k, w->b_count - k, stream, w->issued);
        status = compare_stream(answer, w, w->a + i, a, w->b + k, b);
        i += a;
        k += b;
    }
    qsort(answer->intervals, answer->count, sizeof *answer->intervals, by_issue);
    return status;
}

static int take_points(struct both *w)
{
    const struct measured *list = w->list;
    const struct measured_listener *l = w->l;
    for (size_t i = 0; i < l->count; i++) {
        const struct measured_run_issue *issue = &l->issues[i];
        const uint64_t place = list->by_address ? issue->stmt : issue->line;
        if ((issue->idle || issue->part) && l->works[issue->stmt])
            continue;
        w->b[w->b_count++] = (struct measured_point){issue->cycle, place, issue->stream, i};
        w->places = place < w->places ? w->places : place + 1;
    }
    qsort(w->b, w->b_count, sizeof *w->b, by_point);
    uint32_t *streams = calloc(list->streams + 1, sizeof *streams);
    const int status = streams ? map_streams(streams, list, l, w->b, w->b_count) : -1;
    for (size_t i = 0; status == 0 && i < list->count; i++)
        w->a[w->a_count++] = (struct measured_point){list->issues[i].cycle, list->issues[i].place,
                                                     streams[list->issues[i].stream], i};
    free(streams);
    qsort(w->a, w->a_count, sizeof *w->a, by_point);
    return status;
}

int measured_compare(struct measured_answer *answer, const struct measured *list,
                     const struct measured_listener *l)
{
    struct both w = {.list = list,
                     .l = l,
                     .a = calloc(list->count + 1, sizeof *w.a),
                     .b = calloc(l->count + 1, sizeof *w.b),
                     .matches = calloc(list->count + 1, sizeof *w.matches)};
    *answer =
        (struct measured_answer){.intervals = calloc(list->count + 1, sizeof *answer->intervals)};
    int status = answer->intervals && w.a && w.b && w.matches ? take_points(&w) : -1;
    w.listed = calloc(w.places + 1, sizeof *w.listed);
    w.issued = calloc(w.places + 1, sizeof *w.issued);
    if (status == 0)
        status = w.listed && w.issued ? compare_streams(answer, &w) : -1;
    free(w.a);
    free(w.b);
    free(w.matches);
    free(w.listed);
    free(w.issued);
    return status != 0 ? -1 : answer->count == 0;
}

void measured_answer_free(struct measured_answer *answer)
{
    free(answer->intervals);
    *answer = (struct measured_answer){.count = 0};
}

/* --- waits ------------------------------------------------------------------------------------ */

static int by_stream(const void *a, const void *b)
{
    const struct measured_run_issue *x = *(const struct measured_run_issue *const *)a,
                                    *y = *(const struct measured_run_issue *const *)b;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return (x->cycle > y->cycle) - (x->cycle < y->cycle);
}

static int by_end(const void *a, const void *b)
{
    const struct measured_edge *x = *(const struct measured_edge *const *)a,
                               *y = *(const struct measured_edge *const *)b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x > y) - (x < y);
}

struct waits {
    const struct measured_run_issue **issues; /* by stream and cycle */
    const struct measured_edge **edges;       /* by when they ended */
    size_t *of;                               /* by statement: the last interval with it, from 1 */
    size_t issue_count, edge_count;
};

/* Statements that the stream issues after an interval begins, to its end. */
static void mark(const struct waits *w, const struct measured_interval *one, size_t number)
{
    const struct measured_run_issue after = {.stream = one->stream, .cycle = one->from + 1},
                                    *wanted = &after;
    size_t low = search_rows(w->issues, w->issue_count, sizeof *w->issues, &wanted, by_stream);
    for (; low < w->issue_count && w->issues[low]->stream == one->stream &&
           w->issues[low]->cycle <= one->cycle;
         low++)
        w->of[w->issues[low]->stmt] = number;
}

static void take_waits(const struct waits *w, struct measured_interval *one, size_t number)
{
    size_t low = 0, high = w->edge_count;
    mark(w, one, number);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (w->edges[middle]->at <= one->from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < w->edge_count && w->edges[low]->at <= one->cycle + 1; low++) {
        const struct measured_edge *edge = w->edges[low];
        if (w->of[edge->dst] != number)
            continue;
        if (!one->edge || edge->waited > one->edge->waited)
            one->edge = edge;
        one->waits++;
        one->waited += edge->waited;
    }
}

int measured_waits(struct measured_answer *answer, const struct measured_listener *l)
{
    struct waits w = {.issues = calloc(l->count + 1, sizeof *w.issues),
                      .edges = calloc(l->edge_count + 1, sizeof *w.edges),
                      .of = calloc(l->stmt_count + 1, sizeof *w.of),
                      .issue_count = l->count,
                      .edge_count = l->edge_count};
    const bool fine = w.issues && w.edges && w.of;
    for (size_t i = 0; fine && i < l->count; i++)
        w.issues[i] = &l->issues[i];
    for (size_t e = 0; fine && e < l->edge_count; e++)
        w.edges[e] = &l->edges[e];
    if (fine) {
        qsort(w.issues, w.issue_count, sizeof *w.issues, by_stream);
        qsort(w.edges, w.edge_count, sizeof *w.edges, by_end);
        for (size_t i = 0; i < answer->count; i++)
            if (answer->intervals[i].measured != answer->intervals[i].modelled)
                take_waits(&w, &answer->intervals[i], i + 1);
    }
    free(w.issues);
    free(w.edges);
    free(w.of);
    return fine ? 0 : -1;
}
