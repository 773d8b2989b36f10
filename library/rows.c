#include "library/library.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/units.h"
#include "analysis/warned.h"

void *library_kept(struct library_copy **copies, const void *bytes, size_t length)
{
    struct library_copy *copy = calloc(1, sizeof *copy + length + 1);
    if (!copy)
        return NULL;
    if (length && bytes)
        memcpy(copy->bytes, bytes, length);
    copy->next = *copies;
    *copies = copy;
    return copy->bytes;
}

const char *library_kept_text(struct library_copy **copies, const char *text)
{
    return text ? library_kept(copies, text, strlen(text)) : NULL;
}

void library_copies_free(struct library_copy *copies)
{
    for (struct library_copy *copy = copies, *next; copy; copy = next) {
        next = copy->next;
        free(copy);
    }
}

/* Room for count items, one at least. */
static void *room(size_t count, size_t size, int *status)
{
    void *items = calloc(count + 1, size);
    if (!items)
        *status = -1;
    return items;
}

/* File and line of a statement; of none nothing. */
static struct takt_statement place_of(const struct store *store, uint32_t stmt)
{
    const struct stmt_info *info = store_stmt(store, stmt);
    return info ? (struct takt_statement){.file = store_file(store, info->file), .line = info->line}
                : (struct takt_statement){.file = NULL};
}

/* --- tables ----------------------------------------------------------------------------------- */

static int list_units(struct library_rows *rows, const struct store *store)
{
    const struct sink_header *h = &store->header;
    const size_t reasons = h->reason_count;
    int status = 0;
    rows->units = room(h->unit_count, sizeof *rows->units, &status);
    rows->shares = room(h->unit_count * reasons, sizeof *rows->shares, &status);
    struct unit_use *uses = units_use(store);
    uint64_t *cycles = room(h->unit_count * reasons, sizeof *cycles, &status);
    for (size_t i = 0; cycles && i < store->unit_total_count; i++) {
        const struct sink_unit_total *total = &store->unit_totals[i];
        cycles[total->unit * reasons + total->reason] += total->cycles;
    }
    status = uses ? status : -1;
    struct takt_reason *share = rows->shares;
    rows->unit_count = status == 0 ? h->unit_count : 0;
    for (size_t u = 0; u < rows->unit_count; u++) {
        struct takt_unit *unit = &rows->units[u];
        *unit = (struct takt_unit){.name = h->units[u].name,
                                   .kind = h->units[u].kind,
                                   .instances = h->units[u].instances,
                                   .busy = uses[u].busy,
                                   .waiting = uses[u].waiting,
                                   .idle = uses[u].idle,
                                   .reasons = share};
        for (size_t r = 0; r < reasons; r++)
            if (cycles[u * reasons + r])
                *share++ = (struct takt_reason){h->reasons[r].name, cycles[u * reasons + r]};
        unit->reason_count = (size_t)(share - unit->reasons);
    }
    free(uses);
    free(cycles);
    return status;
}

static int list_counters(struct library_rows *rows, const struct store *store)
{
    const struct sink_summary *s = &store->summary;
    int status = 0;
    rows->counters = room(s->counter_count, sizeof *rows->counters, &status);
    rows->counter_count = rows->counters ? s->counter_count : 0;
    for (size_t i = 0; i < rows->counter_count; i++) {
        const struct counter_info *info = &store->header.counters[s->counters[i].counter];
        rows->counters[i] = (struct takt_counter){.name = info->name,
                                                  .unit = info->unit,
                                                  .index_name = info->index,
                                                  .index = s->counters[i].index,
                                                  .value = s->counters[i].value};
    }
    return status;
}

static int list_statements(struct library_rows *rows, const struct store *store)
{
    const struct sink_header *h = &store->header;
    size_t count;
    int status = 0;
    struct sink_stmt_total *totals = costs_rows(store->summary.costs, &count);
    rows->statements = room(totals ? count : 0, sizeof *rows->statements, &status);
    status = totals ? status : -1;
    const char *text = NULL;
    for (size_t i = 0; status == 0 && i < count; i++) {
        const struct sink_stmt_total *total = &totals[i];
        const struct stmt_info *stmt = &h->stmts[total->stmt];
        struct takt_statement *row = &rows->statements[rows->statement_count++];
        if (i == 0 || totals[i - 1].stmt != total->stmt)
            text = library_kept(&rows->copies, stmt->text, stmt->text_length);
        *row = (struct takt_statement){.file = store_file(store, stmt->file),
                                       .line = stmt->line,
                                       .text = text,
                                       .unit = h->units[total->unit].name,
                                       .reason = h->reasons[total->reason].name,
                                       .cycles = total->cycles,
                                       .executions = total->execs,
                                       .operations = total->ops,
                                       .bytes = total->bytes};
        status = text ? 0 : -1;
    }
    free(totals);
    return status;
}

static int list_transfers(struct library_rows *rows, const struct store *store)
{
    const size_t count = store->header.attribute_count;
    int status = 0;
    rows->transfers = room(store->transfer_count, sizeof *rows->transfers, &status);
    rows->attributes = room(store->transfer_count * count, sizeof *rows->attributes, &status);
    rows->transfer_count = status == 0 ? store->transfer_count : 0;
    struct takt_attribute *attribute = rows->attributes;
    for (size_t i = 0; i < rows->transfer_count; i++) {
        const struct store_transfer *sent = &store->transfers[i];
        const struct stmt_info *by = store_stmt(store, sent->sink.waited_by);
        const struct takt_statement place = place_of(store, sent->sink.stmt);
        const char *mode = store_text(store, sent->mode);
        rows->transfers[i] =
            (struct takt_transfer){.file = place.file,
                                   .line = place.line,
                                   .mode = mode ? mode : "",
                                   .tag = store_text(store, sent->tag_name),
                                   .bytes = sent->sink.bytes,
                                   .issued = sent->sink.issued,
                                   .started = sent->sink.started,
                                   .finished = sent->sink.finished,
                                   .waited = sent->sink.waited,
                                   .waited_by = by ? by->line : 0,
                                   .limited_by = store_unit(store, sent->sink.limited_by),
                                   .attributes = attribute,
                                   .attribute_count = count};
        for (size_t k = 0; k < count; k++)
            *attribute++ =
                (struct takt_attribute){.name = store->header.attributes[k].name,
                                        .unit = store->header.attributes[k].unit,
                                        .value = store->attributes[sent->attributes + k]};
    }
    return status;
}

static int list_path(struct library_rows *rows, const struct store *store)
{
    int status = 0;
    rows->path = room(store->summary.crit_count, sizeof *rows->path, &status);
    for (size_t i = 0; rows->path && i < store->summary.crit_count; i++) {
        const struct sink_crit *crit = &store->summary.crit[i];
        const struct takt_statement first = place_of(store, crit->first_stmt);
        const struct takt_statement last = place_of(store, crit->last_stmt);
        if (crit->duration)
            rows->path[rows->path_count++] =
                (struct takt_step){.start = crit->start,
                                   .cycles = crit->duration,
                                   .unit = store_unit(store, crit->unit),
                                   .reason = store->header.reasons[crit->reason].name,
                                   .file = first.file,
                                   .last_file = last.file,
                                   .line = first.line,
                                   .last_line = last.line};
    }
    return status;
}

int library_rows_dependences(struct library_rows *rows, const struct dependences *d)
{
    size_t count, all = 0;
    int status = 0;
    const struct sink_slack *slacks = store_slacks(d->store, &count);
    for (size_t i = 0; i < count; i++)
        all += slacks[i].last_stmt - slacks[i].first_stmt + 1;
    rows->dependences = room(d->count, sizeof *rows->dependences, &status);
    rows->slacks = room(all, sizeof *rows->slacks, &status);
    for (size_t i = 0; status == 0 && i < d->count; i++) {
        const struct dependence *row = &d->rows[i];
        const struct takt_statement from = place_of(d->store, row->from),
                                    to = place_of(d->store, row->to);
        rows->dependences[rows->dependence_count++] =
            (struct takt_dependence){.from_file = from.file,
                                     .to_file = to.file,
                                     .from_line = from.line,
                                     .to_line = to.line,
                                     .kind = graph_arc_names[row->arc->kind],
                                     .space = dependences_space(d->graph, row->arc),
                                     .first = row->arc->first,
                                     .last = row->arc->last,
                                     .lag = row->arc->lag,
                                     .rule = row->arc->rule,
                                     .completes = row->arc->completes,
                                     .has_slack = row->known,
                                     .slack = row->known ? row->slack : 0};
    }
    for (size_t i = 0; status == 0 && i < count; i++)
        for (uint32_t s = slacks[i].first_stmt; s <= slacks[i].last_stmt; s++) {
            const struct takt_statement place = place_of(d->store, s);
            rows->slacks[rows->slack_count++] =
                (struct takt_slack){.file = place.file,
                                    .line = place.line,
                                    .cycles = (uint64_t)slacks[i].slack,
                                    .exact = slacks[i].exact};
        }
    return status;
}

/* Those of the program are in its own list, and counters have removable work. */
static int list_findings(struct library_rows *rows, const struct store *store)
{
    int status = 0;
    struct warned *warnings = warned_list(store);
    rows->findings = room(store->warning_count, sizeof *rows->findings, &status);
    status = warnings ? status : -1;
    for (size_t i = 0; status == 0 && i < store->warning_count; i++)
        if (!warnings[i].row->order && strcmp(warnings[i].name, "removable") != 0)
            rows->findings[rows->finding_count++] =
                (struct takt_finding){.file = warnings[i].file ? warnings[i].file : "",
                                      .line = warnings[i].line,
                                      .length = 1,
                                      .severity = TAKT_WARNING,
                                      .rule = "",
                                      .name = warnings[i].name,
                                      .text = warnings[i].sentence,
                                      .missing_steps = -1};
    free(warnings);
    return status;
}

int library_rows_list(struct library_rows *rows, const struct store *store, unsigned flags)
{
    const struct sink_summary *s = &store->summary;
    rows->totals = (struct takt_totals){.clock_hz = store->header.clock_hz, .complete = true};
    rows->totals.cycles = s->cycles;
    rows->totals.cycles_documented = s->cycles_documented;
    rows->totals.events = s->events;
    if (list_units(rows, store) != 0 || list_counters(rows, store) != 0)
        return -1;
    if (flags & TAKT_TRANSFERS && list_transfers(rows, store) != 0)
        return -1;
    if (flags & TAKT_WARNINGS && list_findings(rows, store) != 0)
        return -1;
    if (flags & TAKT_PATH && list_path(rows, store) != 0)
        return -1;
    return flags & TAKT_STATEMENTS ? list_statements(rows, store) : 0;
}

void library_rows_free(struct library_rows *rows)
{
    library_copies_free(rows->copies);
    free(rows->units);
    free(rows->shares);
    free(rows->counters);
    free(rows->statements);
    free(rows->transfers);
    free(rows->attributes);
    free(rows->path);
    free(rows->dependences);
    free(rows->slacks);
    free(rows->findings);
}
