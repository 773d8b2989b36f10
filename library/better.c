/* better: advice, schedules and loops: programs that take less time. */
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/advise.h"
#include "analysis/pipeline.h"
#include "analysis/schedule.h"
#include "host/failure.h"

struct better {
    union {
        struct takt_advice advice;
        struct takt_schedule schedule;
        struct takt_loop loop;
    } answer;
    struct library_copy *copies;
    struct candidate_setup setup;
    struct candidates *candidates;
    struct takt_search search;
    struct library_stop stop;
    unsigned long failures; /* of the host before */
};

static void close_better(struct better *b)
{
    if (!b)
        return;
    candidate_free(b->candidates);
    library_copies_free(b->copies);
    free(b);
}

void takt_advice_close(struct takt_advice *advice)
{
    close_better((struct better *)advice);
}

void takt_schedule_close(struct takt_schedule *schedule)
{
    close_better((struct better *)schedule);
}

void takt_loop_close(struct takt_loop *loop)
{
    close_better((struct better *)loop);
}

/* --- the search ------------------------------------------------------------------------------- */

enum kind { ADVICE, ORDER, LOOP };

/* What a machine does not have of what is requested; NULL: it has all. */
static const char *missing(const struct machine_advice *has, enum kind kind,
                           const struct takt_search *search)
{
    if (kind == ADVICE)
        return has->advise ? NULL : "advice";
    if (!has->moves)
        return "other orders";
    if (kind == LOOP && !has->overlaps)
        return "overlapped turns";
    if (search->tags && !has->tags)
        return "tags of transfers";
    return search->rename && !has->rename ? "other places for values" : NULL;
}

/* The program as written, run once. */
static enum takt_status open_better(struct better **result, struct takt_program *program,
                                    const struct takt_search *search, enum kind kind,
                                    struct takt_error *error)
{
    struct takt_search known = {0};
    const struct takt_search none = TAKT_SEARCH_INIT;
    if (library_take(&known, sizeof known, offsetof(struct takt_search, context),
                     search ? search : &none, error) != TAKT_FINE)
        return TAKT_MISUSE;
    if (!program || !program->legal || program->source_count != 1)
        return library_fail(error, TAKT_MISUSE, "a legal program of one text is made better");
    if (kind == LOOP && known.rename)
        return library_fail(error, TAKT_MISUSE, "the values of a loop keep their places");
    const struct takt_machine *m = program->machine;
    const char *lacks = missing(m->machine->advice, kind, &known);
    if (lacks)
        return library_fail(error, TAKT_INPUT, "programs of %s have no %s", m->machine->name,
                            lacks);
    struct better *b = *result = calloc(1, sizeof *b);
    if (!b)
        return library_no_memory(error);
    b->search = known;
    b->stop = (struct library_stop){.stop = known.stop, .context = known.context};
    b->setup =
        (struct candidate_setup){.machine = m->machine,
                                 .config = &m->config,
                                 .source = program->sources,
                                 .settings = program->settings ? program->settings : m->settings,
                                 .stop = known.stop ? library_is_stopped : NULL,
                                 .stop_self = &b->stop};
    struct diag_list diags;
    char text[MACHINE_ERROR] = "";
    diag_list_init(&diags);
    b->failures = failure_count_host();
    int status = candidate_open(&b->candidates, &b->setup, &diags, text);
    status = library_unless_host_failed(status, b->failures, text);
    const enum takt_status code = status == 0 ? TAKT_FINE
                                  : status > 0 && !*text
                                      ? library_fault(error, &diags, program->sources)
                                      : library_fail(error, status > 0 ? TAKT_INPUT : TAKT_HOST,
                                                     "%s", *text ? text : "out of memory");
    diag_list_free(&diags);
    return code;
}

/* What the search needed goes; of what it found copies remain. status and text: of the search;
 * whole: all was copied. */
static enum takt_status end_better(struct better *b, int status, bool whole, char *text,
                                   struct takt_error *error)
{
    status = library_unless_host_failed(status, b->failures, text);
    if (status == 0 && whole) {
        candidate_free(b->candidates);
        b->candidates = NULL;
        return TAKT_FINE;
    }
    close_better(b);
    return status > 0 ? library_fail(error, TAKT_INPUT, "%s", text) : library_no_memory(error);
}

/* --- advice ----------------------------------------------------------------------------------- */

static bool list_item(struct better *b, const struct advice_item *from, struct takt_item *to)
{
    struct takt_edit *edits = library_kept(&b->copies, NULL, from->edit_count * sizeof *edits);
    *to = (struct takt_item){.kind = library_kept_text(&b->copies, from->kind),
                             .sentence = library_kept_text(&b->copies, from->sentence),
                             .line = from->line,
                             .current = from->current,
                             .before = from->before,
                             .after = from->after,
                             .finding = from->finding,
                             .dumps_only = from->dumps_only,
                             .edits = edits,
                             .edit_count = from->edit_count};
    bool whole = edits && to->kind && to->sentence;
    for (size_t e = 0; e < from->edit_count && whole; e++) {
        const struct advice_edit *edit = &from->edits[e];
        edits[e] = (struct takt_edit){edit->line, library_kept_text(&b->copies, edit->text)};
        whole = !edit->text || edits[e].text;
    }
    return whole;
}

static bool list_advice(struct better *b, const struct advice *from)
{
    struct takt_advice *to = &b->answer.advice;
    struct takt_item *items = library_kept(&b->copies, NULL, from->count * sizeof *items);
    *to = (struct takt_advice){.before = from->before,
                               .after = from->after,
                               .items = items,
                               .item_count = from->count,
                               .tried = from->tried,
                               .stopped = from->stopped,
                               .complete = from->complete,
                               .equal = library_kept_text(&b->copies, from->equal),
                               .text = library_kept(&b->copies, from->text, from->size),
                               .size = from->size};
    bool whole = items && to->equal && to->text;
    for (size_t i = 0; i < from->count && whole; i++)
        whole = list_item(b, &from->items[i], &items[i]);
    return whole;
}

enum takt_status takt_advice_open(struct takt_advice **result, struct takt_program *program,
                                  const struct takt_search *search, struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    struct better *b = NULL;
    *result = NULL;
    enum takt_status code = open_better(&b, program, search, ADVICE, error);
    if (code != TAKT_FINE) {
        close_better(b);
        return code;
    }
    const struct advise_job job = {.setup = &b->setup,
                                   .text = b->setup.source->text,
                                   .size = b->setup.source->size,
                                   .cycles = candidate_cycles(b->candidates),
                                   .budget = b->search.stop ? UINT64_MAX : ADVISE_BUDGET,
                                   .findings = true};
    struct advice found;
    char text[MACHINE_ERROR] = "";
    const int status = advise_find(b->candidates, &job, &found);
    const bool whole = status == 0 && list_advice(b, &found);
    advise_free(&found);
    code = end_better(b, status, whole, text, error);
    if (code == TAKT_FINE)
        *result = &b->answer.advice;
    return code;
}

/* --- orders ----------------------------------------------------------------------------------- */

/* NULL: no memory. */
static const struct takt_pair *list_pairs(struct better *b, const struct moves_pair *from,
                                          size_t count)
{
    struct takt_pair *pairs = library_kept(&b->copies, NULL, count * sizeof *pairs);
    for (size_t i = 0; i < count && pairs; i++) {
        const char *tag = library_kept_text(&b->copies, from[i].tag);
        pairs[i] = (struct takt_pair){from[i].transfer, from[i].access, from[i].cycles,
                                      from[i].early,    from[i].wait,   tag};
        pairs = tag ? pairs : NULL;
    }
    return pairs;
}

static const struct takt_moved *list_moved(struct better *b, const struct renamed *renamed)
{
    struct takt_moved *moved = library_kept(&b->copies, NULL, renamed->count * sizeof *moved);
    for (size_t i = 0; i < renamed->count && moved; i++) {
        const struct renamed_value *value = &renamed->values[i];
        const char *from = library_kept_text(&b->copies, value->from),
                   *to = library_kept_text(&b->copies, value->to);
        moved[i] = (struct takt_moved){value->line, value->accesses, from, to};
        moved = from && to ? moved : NULL;
    }
    return moved;
}

/* The text that was found; that of the program if it is kept. */
static const char *list_text(struct better *b, bool kept, const char *text, size_t *size)
{
    const struct source *source = b->setup.source;
    *size = kept ? source->size : *size;
    return library_kept(&b->copies, kept ? source->text : text, *size);
}

static bool list_schedule(struct better *b, const struct schedule *from)
{
    struct takt_schedule *to = &b->answer.schedule;
    *to = (struct takt_schedule){.before = from->before,
                                 .after = from->after,
                                 .bound = from->bound,
                                 .kept = from->kept,
                                 .optimal = from->optimal,
                                 .stopped = from->stopped,
                                 .reason = library_kept_text(&b->copies, from->reason),
                                 .pieces = from->nodes,
                                 .tries = from->tries,
                                 .equal = library_kept_text(&b->copies, from->equal),
                                 .pairs = list_pairs(b, from->pairs, from->pair_count),
                                 .pair_count = from->pair_count,
                                 .size = from->size,
                                 .same_waits = from->same_waits,
                                 .moved = list_moved(b, &from->renamed),
                                 .moved_count = from->renamed.count};
    to->text = list_text(b, from->kept, from->text, &to->size);
    if (from->rename) {
        to->unrenamed = from->unrenamed;
        to->free_places = from->free_places;
        to->bytes = from->renamed.bytes;
    }
    return to->reason && to->equal && to->pairs && to->moved && to->text;
}

enum takt_status takt_schedule_open(struct takt_schedule **result, struct takt_program *program,
                                    const struct takt_search *search, struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    struct better *b = NULL;
    char text[MACHINE_ERROR] = "";
    *result = NULL;
    enum takt_status code = open_better(&b, program, search, ORDER, error);
    if (code != TAKT_FINE) {
        close_better(b);
        return code;
    }
    const struct schedule_job job = {
        .setup = &b->setup, .tags = b->search.tags, .on = b->search.stop != NULL};
    struct schedule found;
    const int status = b->search.rename ? schedule_find_renamed(b->candidates, &job, &found, text)
                                        : schedule_find(b->candidates, &job, &found, text);
    const bool whole = status == 0 && list_schedule(b, &found);
    schedule_free(&found);
    code = end_better(b, status, whole, text, error);
    if (code == TAKT_FINE)
        *result = &b->answer.schedule;
    return code;
}

/* --- loops ------------------------------------------------------------------------------------ */

static bool list_interval(struct better *b, const struct pipeline *found, enum interval_class class,
                          struct takt_interval *to)
{
    const struct interval *from = &found->intervals[class];
    struct takt_load *units = library_kept(&b->copies, NULL, from->unit_count * sizeof *units);
    *to = (struct takt_interval){
        .class_name = interval_class_names[class],
        .limit = interval_limit_names[from->limit],
        .cycles = from->cycles,
        .units = units,
        .unit_count = from->unit_count,
        .steps = from->steps,
        .apart = library_kept(&b->copies, from->apart, from->apart_count * sizeof *from->apart),
        .apart_count = from->apart_count,
        .chain = from->chain,
        .turns = from->turns,
        .lines = library_kept(&b->copies, from->lines, from->line_count * sizeof *from->lines),
        .line_count = from->line_count};
    bool whole = units && to->apart && to->lines;
    for (size_t i = 0; i < from->unit_count && whole; i++) {
        const struct interval_unit *unit = &from->units[i];
        units[i] = (struct takt_load){library_kept_text(&b->copies, found->unit[unit->unit]),
                                      unit->cycles, unit->turned};
        whole = units[i].unit;
    }
    return whole;
}

static bool list_loop(struct better *b, const struct pipeline *from)
{
    struct takt_loop *to = &b->answer.loop;
    struct takt_interval *bounds =
        library_kept(&b->copies, NULL, INTERVAL_CLASSES * sizeof *bounds);
    *to = (struct takt_loop){.first = from->first,
                             .last = from->last,
                             .turns = from->turns.count,
                             .statements = from->turns.lines,
                             .before = from->before,
                             .after = from->after,
                             .written = {from->written.interval, from->written.steady},
                             .found = {from->found.interval, from->found.steady},
                             .bounds = bounds,
                             .bound_count = INTERVAL_CLASSES,
                             .steps = from->slots,
                             .stages = from->stages,
                             .kept = from->kept,
                             .stopped = from->stopped,
                             .optimal = from->optimal,
                             .same_waits = from->same_waits,
                             .reason = library_kept_text(&b->copies, from->reason),
                             .tries = from->tries,
                             .equal = library_kept_text(&b->copies, from->equal),
                             .pairs = list_pairs(b, from->pairs, from->pair_count),
                             .pair_count = from->pair_count,
                             .size = from->size};
    to->text = list_text(b, from->kept, from->text, &to->size);
    bool whole = bounds && to->reason && to->equal && to->pairs && to->text;
    for (unsigned c = 0; c < INTERVAL_CLASSES && whole; c++)
        whole = list_interval(b, from, c, &bounds[c]);
    return whole;
}

enum takt_status takt_loop_open(struct takt_loop **result, struct takt_program *program,
                                const char *region, const struct takt_search *search,
                                struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    *result = NULL;
    if (!region)
        return library_missing(error, "the region");
    struct better *b = NULL;
    char text[MACHINE_ERROR] = "";
    enum takt_status code = open_better(&b, program, search, LOOP, error);
    if (code != TAKT_FINE) {
        close_better(b);
        return code;
    }
    const struct pipeline_job job = {.setup = &b->setup, .region = region, .tags = b->search.tags};
    struct pipeline found;
    const int status = pipeline_find(b->candidates, &job, &found, text);
    const bool whole = status == 0 && list_loop(b, &found);
    pipeline_free(&found);
    code = end_better(b, status, whole, text, error);
    if (code == TAKT_FINE)
        *result = &b->answer.loop;
    return code;
}
