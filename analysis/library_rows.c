#include "analysis/library.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

/* A copy that stands as long as the rows, with a NUL behind it; NULL when memory is out. */
static void *keep(struct library_rows *rows, const void *bytes, size_t length)
{
    struct library_copy *copy = malloc(sizeof *copy + length + 1);
    if (!copy)
        return NULL;
    if (length)
        memcpy(copy->bytes, bytes, length);
    ((char *)copy->bytes)[length] = '\0';
    copy->next = rows->copies;
    rows->copies = copy;
    return copy->bytes;
}

/* NULL stays NULL: *status is -1 when memory is out. */
static const char *keep_name(struct library_rows *rows, const char *text, int *status)
{
    const char *copy = text ? keep(rows, text, strlen(text)) : NULL;
    if (text && !copy)
        *status = -1;
    return copy;
}

/* --- the header ------------------------------------------------------------------------------- */

/* Room for count items, one at least. */
static void *room(size_t count, size_t size, int *status)
{
    void *items = calloc(count + 1, size);
    if (!items)
        *status = -1;
    return items;
}

static void take_units(struct library_rows *rows, const struct sink_header *header, int *status)
{
    rows->units = room(header->unit_count, sizeof *rows->units, status);
    rows->unit_count = rows->units ? header->unit_count : 0;
    for (size_t i = 0; i < rows->unit_count; i++)
        rows->units[i] = (struct takt_unit){.name = keep_name(rows, header->units[i].name, status),
                                            .kind = keep_name(rows, header->units[i].kind, status),
                                            .instances = header->units[i].instances};
    rows->reasons = room(header->reason_count, sizeof *rows->reasons, status);
    rows->states = room(header->reason_count, sizeof *rows->states, status);
    rows->reason_count = rows->reasons && rows->states ? header->reason_count : 0;
    for (size_t i = 0; i < rows->reason_count; i++) {
        rows->reasons[i] = keep_name(rows, header->reasons[i].name, status);
        rows->states[i] = header->reasons[i].state;
    }
}

static void take_places(struct library_rows *rows, const struct sink_header *header, int *status)
{
    rows->places = room(header->stmt_count, sizeof *rows->places, status);
    rows->place_count = rows->places ? header->stmt_count : 0;
    const bool texts = rows->flags & TAKT_STATEMENTS;
    for (size_t i = 0; i < rows->place_count && *status == 0; i++) {
        const struct stmt_info *stmt = &header->stmts[i];
        rows->places[i] = (struct takt_statement){
            .file = rows->program->sources[stmt->file].name,
            .line = stmt->line,
            .text = texts ? keep(rows, stmt->text, stmt->text_length) : NULL};
        if (texts && !rows->places[i].text)
            *status = -1;
    }
}

static int begin(void *context, const struct sink_header *header)
{
    struct library_rows *rows = context;
    int status = 0;
    rows->totals.clock_hz = header->clock_hz;
    take_units(rows, header, &status);
    rows->counter_names = room(header->counter_count, sizeof *rows->counter_names, &status);
    rows->counter_name_count = rows->counter_names ? header->counter_count : 0;
    for (size_t i = 0; i < rows->counter_name_count; i++) {
        const struct counter_info *counter = &header->counters[i];
        rows->counter_names[i] =
            (struct takt_counter){.name = keep_name(rows, counter->name, &status),
                                  .unit = keep_name(rows, counter->unit, &status),
                                  .index_name = keep_name(rows, counter->index, &status)};
    }
    if (rows->flags & (TAKT_STATEMENTS | TAKT_TRANSFERS | TAKT_PATH))
        take_places(rows, header, &status);
    rows->attribute_names = room(header->attribute_count, sizeof *rows->attribute_names, &status);
    rows->attribute_count = rows->attribute_names ? header->attribute_count : 0;
    for (size_t i = 0; i < rows->attribute_count; i++)
        rows->attribute_names[i] =
            (struct takt_attribute){.name = keep_name(rows, header->attributes[i].name, &status),
                                    .unit = keep_name(rows, header->attributes[i].unit, &status)};
    return status;
}

/* --- events ----------------------------------------------------------------------------------- */

/* NULL when memory is out. */
static const struct takt_attribute *keep_attributes(struct library_rows *rows,
                                                    const uint64_t *values)
{
    const size_t count = rows->attribute_count;
    struct takt_attribute *kept = keep(rows, rows->attribute_names, count * sizeof *kept);
    for (size_t i = 0; kept && i < count; i++)
        kept[i].value = values[i];
    return kept;
}

static int transfer(void *context, const struct sink_transfer *sent)
{
    struct library_rows *rows = context;
    struct takt_transfer *transfers =
        grow(rows->transfers, &rows->transfer_room, rows->transfer_count + 1, sizeof *transfers);
    int status = 0;
    if (!transfers)
        return -1;
    rows->transfers = transfers;
    const struct takt_attribute *attributes = keep_attributes(rows, sent->attributes);
    transfers[rows->transfer_count++] = (struct takt_transfer){
        .file = rows->places[sent->stmt].file,
        .line = rows->places[sent->stmt].line,
        .mode = keep_name(rows, sent->mode, &status),
        .tag = keep_name(rows, sent->tag_name, &status),
        .bytes = sent->bytes,
        .issued = sent->issued,
        .started = sent->started,
        .finished = sent->finished,
        .waited = sent->waited,
        .waited_by = sent->waited_by == NONE_ID ? 0 : rows->places[sent->waited_by].line,
        .limited_by = sent->limited_by == NONE_ID ? NULL : rows->units[sent->limited_by].name,
        .attributes = attributes,
        .attribute_count = rows->attribute_count};
    return attributes ? status : -1;
}

/* --- the end ---------------------------------------------------------------------------------- */

static int by_issue(const void *a, const void *b)
{
    const struct takt_transfer *x = a, *y = b;
    if (x->issued != y->issued)
        return x->issued < y->issued ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Totals of a unit come by region, too: they are added up. */
static int take_totals(struct library_rows *rows, const struct sink_summary *summary)
{
    const size_t reasons = rows->reason_count;
    int status = 0;
    uint64_t *cycles = room(rows->unit_count * reasons, sizeof *cycles, &status);
    size_t used = 0;
    for (size_t i = 0; cycles && i < summary->unit_total_count; i++) {
        const struct sink_unit_total *total = &summary->unit_totals[i];
        used += cycles[total->unit * reasons + total->reason] == 0;
        cycles[total->unit * reasons + total->reason] += total->cycles;
    }
    struct takt_reason *share = rows->shares = room(used, sizeof *share, &status);
    for (size_t u = 0; status == 0 && u < rows->unit_count; u++) {
        struct takt_unit *unit = &rows->units[u];
        uint64_t states[] = {[STATE_BUSY] = 0, [STATE_WAITING] = 0, [STATE_IDLE] = 0};
        unit->reasons = share;
        for (size_t r = 0; r < reasons; r++) {
            const uint64_t spent = cycles[u * reasons + r];
            states[rows->states[r]] += spent;
            if (spent)
                *share++ = (struct takt_reason){rows->reasons[r], spent};
        }
        unit->reason_count = (size_t)(share - unit->reasons);
        unit->busy = states[STATE_BUSY];
        unit->waiting = states[STATE_WAITING];
        unit->idle = states[STATE_IDLE];
    }
    free(cycles);
    return status;
}

static int take_statements(struct library_rows *rows, const struct sink_summary *summary)
{
    int status = 0;
    rows->statements = room(summary->stmt_total_count, sizeof *rows->statements, &status);
    rows->statement_count = rows->statements ? summary->stmt_total_count : 0;
    for (size_t i = 0; i < rows->statement_count; i++) {
        const struct sink_stmt_total *total = &summary->stmt_totals[i];
        struct takt_statement *row = &rows->statements[i];
        *row = rows->places[total->stmt];
        row->unit = rows->units[total->unit].name;
        row->reason = rows->reasons[total->reason];
        row->cycles = total->cycles;
        row->executions = total->execs;
        row->operations = total->ops;
        row->bytes = total->bytes;
    }
    return status;
}

static struct takt_statement place_of(const struct library_rows *rows, uint32_t stmt)
{
    return stmt == NONE_ID ? (struct takt_statement){.file = NULL} : rows->places[stmt];
}

static int take_path(struct library_rows *rows, const struct sink_summary *summary)
{
    int status = 0;
    rows->path = room(summary->crit_count, sizeof *rows->path, &status);
    for (size_t i = 0; rows->path && i < summary->crit_count; i++) {
        const struct sink_crit *crit = &summary->crit[i];
        const struct takt_statement first = place_of(rows, crit->first_stmt);
        const struct takt_statement last = place_of(rows, crit->last_stmt);
        if (crit->duration)
            rows->path[rows->path_count++] = (struct takt_step){
                .start = crit->start,
                .cycles = crit->duration,
                .unit = crit->unit == NONE_ID ? NULL : rows->units[crit->unit].name,
                .reason = rows->reasons[crit->reason],
                .file = first.file,
                .last_file = last.file,
                .line = first.line,
                .last_line = last.line};
    }
    return status;
}

static int take_counters(struct library_rows *rows, const struct sink_summary *summary)
{
    int status = 0;
    rows->counters = room(summary->counter_count, sizeof *rows->counters, &status);
    rows->counter_count = rows->counters ? summary->counter_count : 0;
    for (size_t i = 0; i < rows->counter_count; i++) {
        const struct sink_counter *counter = &summary->counters[i];
        rows->counters[i] = rows->counter_names[counter->counter];
        rows->counters[i].index = counter->index;
        rows->counters[i].value = counter->value;
    }
    return status;
}

static int finish(void *context, const struct sink_summary *summary)
{
    struct library_rows *rows = context;
    if (!summary->complete)
        return 0;
    rows->totals.complete = true;
    rows->totals.cycles = summary->cycles;
    rows->totals.cycles_documented = summary->cycles_documented;
    rows->totals.events = summary->events;
    if (rows->transfer_count)
        qsort(rows->transfers, rows->transfer_count, sizeof *rows->transfers, by_issue);
    if (take_totals(rows, summary) != 0 || take_counters(rows, summary) != 0)
        return -1;
    if (rows->flags & TAKT_PATH && take_path(rows, summary) != 0)
        return -1;
    return rows->flags & TAKT_STATEMENTS ? take_statements(rows, summary) : 0;
}

struct sink library_sink(struct library_rows *rows, struct sink_ops *ops)
{
    *ops = (struct sink_ops){.name = "library", .begin = begin, .finish = finish};
    if (rows->flags & TAKT_TRANSFERS)
        ops->transfer = transfer;
    return (struct sink){ops, rows};
}

void library_rows_free(struct library_rows *rows)
{
    for (struct library_copy *copy = rows->copies, *next; copy; copy = next) {
        next = copy->next;
        free(copy);
    }
    free(rows->units);
    free(rows->reasons);
    free(rows->states);
    free(rows->counter_names);
    free(rows->places);
    free(rows->shares);
    free(rows->counters);
    free(rows->statements);
    free(rows->attribute_names);
    free(rows->transfers);
    free(rows->path);
}
