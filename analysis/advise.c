#include "analysis/advise.h"

#include <stdlib.h>
#include <string.h>

#include "functional/directive.h"
#include "host/grow.h"
#include "host/text.h"

/* A line of the program as it is now. Within a round lines keep their places: a removed one has
 * no text, and one to which others were added has several in its text. */
struct line {
    char *text;
    uint32_t origin; /* in the program as written, from 1; 0: it came later */
    bool touched;    /* in this round */
};

/* What the machine proposed, with its own copies. */
struct proposal {
    struct advice_item item;
    uint64_t cycles;
    bool joint;
    char *setting[2]; /* name and value, or NULL */
};

struct adviser {
    struct candidates *candidates;
    const struct advise_job *job;
    struct advice *advice;
    struct line *lines;
    size_t line_count, line_capacity;
    struct proposal *proposals;
    size_t proposal_count, proposal_capacity;
    uint64_t budget;
};

/* --- lines ------------------------------------------------------------------------------------ */

static int add_line(struct adviser *a, const char *text, size_t size, uint32_t origin)
{
    if (!grow_list(&a->lines, &a->line_capacity, a->line_count + 1, sizeof *a->lines))
        return -1;
    a->lines[a->line_count] = (struct line){strndup(text, size), origin, false};
    return a->lines[a->line_count++].text ? 0 : -1;
}

/* Lines of a text; the first has the origin, if it is one of the program as written. */
static int add_lines(struct adviser *a, const char *text, size_t size, const char *kept,
                     uint32_t origin)
{
    for (size_t at = 0, next; at < size; at = next + 1) {
        for (next = at; next < size && text[next] != '\n'; next++)
            continue;
        const bool same = kept && strlen(kept) == next - at && !memcmp(kept, text + at, next - at);
        if (add_line(a, text + at, next - at, !kept || same ? origin : 0) != 0)
            return -1;
    }
    return 0;
}

static void drop_lines(struct line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(lines[i].text);
    free(lines);
}

static void swap_edits(struct adviser *a, struct advice_item *item)
{
    for (size_t e = 0; e < item->edit_count; e++) {
        struct line *line = &a->lines[item->edits[e].line - 1];
        char *text = line->text;
        line->text = item->edits[e].text;
        item->edits[e].text = text;
    }
}

static int render(struct adviser *a, char **text, size_t *size)
{
    *text = NULL;
    FILE *out = text_open(text, size);
    if (!out)
        return -1;
    for (size_t i = 0; i < a->line_count; i++)
        if (a->lines[i].text)
            fprintf(out, "%s\n", a->lines[i].text);
    return text_close(out, text);
}

/* The same lines, each by itself again. */
static int settle(struct adviser *a)
{
    struct line *old = a->lines;
    const size_t count = a->line_count;
    a->lines = NULL;
    a->line_count = a->line_capacity = 0;
    int status = 0;
    for (size_t i = 0; i < count; i++) {
        const char *text = old[i].text;
        if (!text)
            continue;
        if (strchr(text, '\n'))
            status |= add_lines(a, text, strlen(text), "", 0);
        else
            status |= add_line(a, text, strlen(text), old[i].origin);
    }
    drop_lines(old, count);
    return status;
}

/* --- proposals -------------------------------------------------------------------------------- */

static void drop_item(struct advice_item *item)
{
    free(item->kind);
    free(item->sentence);
    for (size_t e = 0; e < item->edit_count; e++)
        free(item->edits[e].text);
    free(item->edits);
}

static void drop_proposals(struct adviser *a)
{
    for (size_t i = 0; i < a->proposal_count; i++) {
        drop_item(&a->proposals[i].item);
        free(a->proposals[i].setting[0]);
        free(a->proposals[i].setting[1]);
    }
    a->proposal_count = 0;
}

static int collect(void *self, const struct moves_advice *from)
{
    struct adviser *a = self;
    if (!grow_list(&a->proposals, &a->proposal_capacity, a->proposal_count + 1,
                   sizeof *a->proposals))
        return -1;
    struct proposal *to = &a->proposals[a->proposal_count++];
    *to = (struct proposal){.item = {.kind = strdup(from->kind),
                                     .sentence = strdup(from->sentence),
                                     .current = from->line,
                                     .finding = from->finding,
                                     .dumps_only = from->dumps_only,
                                     .edits = calloc(MOVES_EDITS, sizeof *to->item.edits)},
                            .joint = from->joint};
    bool good = to->item.kind && to->item.sentence && to->item.edits;
    for (size_t e = 0; good && e < from->edit_count; e++) {
        struct advice_edit *edit = &to->item.edits[to->item.edit_count++];
        edit->line = from->edits[e].line;
        edit->text = from->edits[e].text ? strdup(from->edits[e].text) : NULL;
        good &= !from->edits[e].text || edit->text;
    }
    if (from->settings) {
        to->setting[0] = strdup(from->settings->name);
        to->setting[1] = strdup(from->settings->value);
        good &= to->setting[0] && to->setting[1];
    }
    return good ? 0 : -1;
}

static int propose(struct adviser *a)
{
    const struct candidate_setup *setup = a->job->setup;
    char *text;
    size_t size;
    struct source source;
    struct machine_program *program;
    drop_proposals(a);
    int status = render(a, &text, &size);
    if (status == 0)
        status = candidate_load(a->candidates, &(struct candidate){.text = text, .size = size},
                                &source, &program);
    free(text);
    if (status != 0)
        return -1;
    status = setup->machine->advice->advise(program, setup->config, setup->settings, collect, a);
    setup->machine->language->unload(program);
    source_close(&source);
    return status;
}

/* The time with a proposal applied; compare: also whether all values are equal. */
static int judge(struct adviser *a, struct proposal *p, bool compare, bool *equal)
{
    char *text;
    size_t size;
    const struct machine_setting settings[] = {{p->setting[0], p->setting[1]}, {NULL, NULL}};
    swap_edits(a, &p->item);
    int status = render(a, &text, &size);
    swap_edits(a, &p->item);
    const struct candidate candidate = {.text = text,
                                        .size = size,
                                        .settings = p->setting[0] ? settings : NULL,
                                        .waits = a->job->waits};
    a->advice->tried++;
    if (status == 0 && !compare)
        status = candidate_time(a->candidates, &candidate, &p->cycles);
    else if (status == 0)
        status = candidate_compare(a->candidates, &candidate, p->item.dumps_only, equal);
    free(text);
    return status;
}

static int by_cycles(const void *a, const void *b)
{
    const struct proposal *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? -1 : 1;
    return (x->item.current > y->item.current) - (x->item.current < y->item.current);
}

/* --- rounds ----------------------------------------------------------------------------------- */

/* Lines of the program as it is now instead of places in lines. */
static uint32_t number_of(const struct adviser *a, uint32_t place)
{
    uint32_t number = 1;
    for (uint32_t i = 0; i + 1 < place; i++)
        for (const char *at = a->lines[i].text; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
            number++;
    return number;
}

static int record(struct adviser *a, const struct proposal *p, uint64_t before)
{
    if (!grow_list(&a->advice->items, &a->advice->capacity, a->advice->count + 1,
                   sizeof *a->advice->items))
        return -1;
    struct advice_item *item = &a->advice->items[a->advice->count];
    *item = p->item;
    item->kind = strdup(p->item.kind);
    item->sentence = strdup(p->item.sentence);
    item->line = a->lines[p->item.current - 1].origin;
    item->current = number_of(a, p->item.current);
    item->before = before;
    item->after = p->cycles;
    item->edits = calloc(p->item.edit_count + 1, sizeof *item->edits);
    item->edit_count = 0;
    bool good = item->kind && item->sentence && item->edits;
    for (size_t e = 0; good && e < p->item.edit_count; e++, item->edit_count++) {
        item->edits[e].line = number_of(a, p->item.edits[e].line);
        item->edits[e].text = p->item.edits[e].text ? strdup(p->item.edits[e].text) : NULL;
        good &= !p->item.edits[e].text || item->edits[e].text;
    }
    a->advice->count++;
    return good ? 0 : -1;
}

/* The lines that a proposal has to do with: whatever it moves passes those in between. */
static void extent(const struct proposal *p, size_t *low, size_t *high)
{
    *low = SIZE_MAX;
    *high = 0;
    for (size_t e = 0; e < p->item.edit_count; e++) {
        const size_t at = p->item.edits[e].line - 1;
        *low = at < *low ? at : *low;
        *high = at > *high ? at : *high;
    }
}

/* Whether it would move something into a region or out of one: what regions cost could not be
 * compared any more. */
static bool leaves_region(const struct adviser *a, const struct proposal *p)
{
    size_t low, high;
    extent(p, &low, &high);
    for (size_t at = low; at <= high; at++)
        if (a->lines[at].text && directive_is(a->lines[at].text, strlen(a->lines[at].text), true))
            return true;
    return false;
}

/* What was found to be independent may not be so any more where something has moved. */
static bool untouched(const struct adviser *a, const struct proposal *p)
{
    size_t low, high;
    extent(p, &low, &high);
    for (size_t at = low; at <= high; at++)
        if (a->lines[at].touched)
            return false;
    return true;
}

enum { VALUES = 8 }; /* a run with values costs as much as this many without */

/* Of one trial. */
static uint64_t cost_of(const struct adviser *a)
{
    enum { START = 100 }; /* a run costs something however short it is */
    return (a->line_count + START) * (candidate_needs_values(a->candidates) ? VALUES : 1);
}

static bool affordable(struct adviser *a, bool values)
{
    const uint64_t cost = cost_of(a) * (values ? VALUES : 1);
    if (candidate_stopped(a->candidates)) {
        a->advice->stopped = true;
        a->budget = 0;
    }
    if (a->budget < cost) {
        a->advice->complete = false;
        return false;
    }
    a->budget -= cost;
    return true;
}

/* One proposal: an item, if it saves cycles after the earlier items and changes no value. */
static int try_item(struct adviser *a, struct proposal *p, bool first, bool *taken)
{
    bool equal = false;
    int status = first ? 0 : judge(a, p, false, NULL);
    if (status == 0 && p->cycles < a->advice->after && affordable(a, true))
        status = judge(a, p, true, &equal);
    if (status != 0 || !equal)
        return status;
    status = record(a, p, a->advice->after);
    swap_edits(a, &p->item);
    size_t low, high;
    extent(p, &low, &high);
    for (size_t at = low; at <= high; at++)
        a->lines[at].touched = true;
    a->advice->after = p->cycles;
    *taken = true;
    return status;
}

/* Some proposals of a round: all are timed, then tried, the largest saving first. */
static int batch_of(struct adviser *a, struct proposal *batch, size_t count, bool *taken)
{
    bool changed = false;
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        struct proposal *p = &batch[i];
        p->cycles = UINT64_MAX;
        if (!p->item.finding && !p->joint && untouched(a, p) && !leaves_region(a, p) &&
            affordable(a, false))
            status = judge(a, p, false, NULL);
    }
    if (status != 0)
        return status;
    qsort(batch, count, sizeof *batch, by_cycles);
    for (size_t i = 0; i < count && status == 0; i++) {
        struct proposal *p = &batch[i];
        if (p->cycles == UINT64_MAX || (p->cycles >= a->advice->after && !changed))
            continue;
        if (untouched(a, p) && (!changed || affordable(a, false)))
            status = try_item(a, p, !changed, &changed);
    }
    *taken |= changed;
    return status;
}

/* --- what pays together ----------------------------------------------------------------------- */

/* Joint proposals, by index in proposals. */
struct joint {
    size_t *list, count;
    struct proposal *all; /* one proposal of those that are applied: swapped edits */
    uint64_t cycles;      /* with them */
};

static void swap_joint(struct adviser *a, const struct joint *joint, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        swap_edits(a, &a->proposals[joint->list[i]].item);
}

/* Some of them at once; if they do not go, each half of them. */
static int try_joint(struct adviser *a, struct joint *joint, size_t first, size_t end)
{
    struct proposal none = {.item.dumps_only = false};
    bool equal = false;
    if (first == end || !affordable(a, false))
        return 0;
    swap_joint(a, joint, first, end);
    int status = judge(a, &none, false, NULL);
    if (status == 0 && none.cycles <= joint->cycles && affordable(a, true))
        status = judge(a, &none, true, &equal);
    if (equal) {
        joint->cycles = none.cycles;
        for (size_t i = first; i < end; i++) {
            struct advice_item *item = &a->proposals[joint->list[i]].item;
            if (!joint->all->item.edit_count) {
                joint->all->item.kind = item->kind;
                joint->all->item.sentence = item->sentence;
            }
            joint->all->item.edits[joint->all->item.edit_count++] = item->edits[0];
            item->edit_count = 0;
        }
        return status;
    }
    swap_joint(a, joint, first, end);
    const size_t half = first + (end - first) / 2;
    if (status == 0 && half > first)
        status = try_joint(a, joint, first, half);
    if (status == 0 && half > first)
        status = try_joint(a, joint, half, end);
    return status;
}

/* All that were applied are one item if they save anything. */
static int take_joint(struct adviser *a, struct proposal *all, bool *taken)
{
    char sentence[80];
    swap_edits(a, &all->item);
    if (all->cycles >= a->advice->after)
        return 0;
    const size_t count = all->item.edit_count;
    snprintf(sentence, sizeof sentence, "%zu such changes pay together, here and below", count);
    all->item.sentence = count > 1 ? sentence : all->item.sentence;
    all->item.current = all->item.edits[0].line;
    const int status = record(a, all, a->advice->after);
    for (size_t e = 0; e < count; e++)
        a->lines[all->item.edits[e].line - 1].touched = true;
    swap_edits(a, &all->item);
    a->advice->after = all->cycles;
    *taken = true;
    return status;
}

static int joint_round(struct adviser *a, bool *taken)
{
    struct proposal all = {.item.edits = calloc(a->proposal_count + 1, sizeof *all.item.edits)};
    struct joint joint = {.list = calloc(a->proposal_count + 1, sizeof *joint.list),
                          .all = &all,
                          .cycles = a->advice->after};
    int status = joint.list && all.item.edits ? 0 : -1;
    for (size_t i = 0; status == 0 && i < a->proposal_count; i++)
        if (a->proposals[i].joint)
            joint.list[joint.count++] = i;
    if (status == 0)
        status = try_joint(a, &joint, 0, joint.count);
    all.cycles = joint.cycles;
    if (status == 0 && all.item.edit_count)
        status = take_joint(a, &all, taken);
    for (size_t e = 0; all.item.edits && e < all.item.edit_count; e++)
        free(all.item.edits[e].text);
    free(all.item.edits);
    free(joint.list);
    return status;
}

static int round_of(struct adviser *a, bool *taken)
{
    enum { BATCH = 256 }; /* a long program gains before all of it has been looked at */
    *taken = false;
    int status = propose(a);
    /* Items of one line each say more, where there is time to find them. */
    const bool large = a->budget / cost_of(a) < a->proposal_count;
    if (status == 0 && large)
        status = joint_round(a, taken);
    for (size_t i = 0; i < a->proposal_count && status == 0; i += BATCH) {
        const size_t left = a->proposal_count - i;
        status = batch_of(a, &a->proposals[i], left < BATCH ? left : BATCH, taken);
    }
    if (status == 0 && !large && !*taken)
        status = joint_round(a, taken);
    return status == 0 ? settle(a) : status;
}

/* One finding of a kind about a line is enough. */
static bool found_already(const struct adviser *a, const struct proposal *p)
{
    for (size_t i = 0; i < a->advice->count; i++) {
        const struct advice_item *item = &a->advice->items[i];
        if (item->finding && !p->setting[0] && item->current == p->item.current &&
            strcmp(item->kind, p->item.kind) == 0)
            return true;
    }
    return false;
}

/* What is for people to decide: with a value or a cycle that changes nothing that is looked at. */
static int find_findings(struct adviser *a)
{
    enum { MOST = 64 };
    size_t compared = 0;
    int status = propose(a);
    for (size_t i = 0; i < a->proposal_count && status == 0; i++) {
        struct proposal *p = &a->proposals[i];
        bool equal = false;
        if (!p->item.finding || compared == MOST || found_already(a, p) || !affordable(a, false))
            continue;
        status = judge(a, p, false, NULL);
        const bool saves = p->cycles < a->advice->after,
                   idle = p->cycles != UINT64_MAX && !p->setting[0] && !p->item.dumps_only;
        if (status != 0 || !(saves || idle))
            continue;
        compared++;
        status = judge(a, p, true, &equal);
        if (status == 0 && equal)
            status = record(a, p, a->advice->after);
    }
    return status;
}

int advise_find(struct candidates *candidates, const struct advise_job *job, struct advice *advice)
{
    struct adviser a = {
        .candidates = candidates, .job = job, .advice = advice, .budget = job->budget};
    *advice = (struct advice){.program = job->setup->source->name,
                              .equal = candidate_tried(candidates, false),
                              .before = job->cycles,
                              .after = job->cycles,
                              .complete = true};
    int status = 0;
    for (size_t at = 0, next, number = 1; at < job->size && status == 0; at = next + 1) {
        for (next = at; next < job->size && job->text[next] != '\n'; next++)
            continue;
        status = add_line(&a, job->text + at, next - at, (uint32_t)number++);
    }
    for (bool taken = true; taken && status == 0 && !candidate_stopped(candidates);)
        status = round_of(&a, &taken);
    if (status == 0 && job->findings && !candidate_stopped(candidates))
        status = find_findings(&a);
    if (candidate_stopped(candidates))
        advice->stopped = true;
    advice->complete &= !advice->stopped;
    if (status == 0)
        status = render(&a, &advice->text, &advice->size);
    drop_proposals(&a);
    free(a.proposals);
    drop_lines(a.lines, a.line_count);
    return status;
}

void advise_free(struct advice *advice)
{
    for (size_t i = 0; i < advice->count; i++)
        drop_item(&advice->items[i]);
    free(advice->items);
    free(advice->text);
    *advice = (struct advice){.items = NULL};
}
