/* path: the critical path of a run, from its end back to cycle 0. */
#include "timing/mncore2/run.h"

#include <stdlib.h>

struct path {
    struct sink_crit *rows;
    size_t count, capacity;
};

static int add_crit(struct path *path, const struct sink_crit *row)
{
    if (!row->duration)
        return 0;
    if (path->count == path->capacity) {
        const size_t capacity = path->capacity ? 2 * path->capacity : 64;
        struct sink_crit *rows = realloc(path->rows, capacity * sizeof *rows);
        if (!rows)
            return -1;
        path->rows = rows;
        path->capacity = capacity;
    }
    path->rows[path->count++] = *row;
    return 0;
}

/* What held the transfer back last before `at`: its operations waited from cause->from on. */
static const struct mv_cause *last_cause(const struct mv_engine *mv,
                                         const struct transfer *transfer, uint64_t at)
{
    const struct mv_cause *last = NULL;
    uint64_t latest_at = 0;
    uint64_t next = 0;
    const struct mv_cause *cause;
    while ((cause = mv_next_cause(mv, transfer, &next))) {
        const uint64_t until = cause->at < at ? cause->at : at;
        if (cause->first >= at)
            continue;
        if (!last || until > latest_at || (until == latest_at && cause->waited > last->waited)) {
            last = cause;
            latest_at = until;
        }
    }
    return last;
}

static void crit_row(struct path *path, uint64_t from, uint64_t *at, uint32_t first,
                     uint32_t last, uint32_t unit, enum reason reason, int *status)
{
    const struct sink_crit row = {from, *at - from, first, last, unit, reason};
    *status |= add_crit(path, &row);
    *at = from;
}

/*
 * Back from `at`: the transfer's own work since something last held it, then whoever did. Where two
 * have held each other in turn up to `at`, the port is the path from the first time on, and one row
 * names both. While it waited for the DRAM, that is the path, for the sake of whoever was in front.
 * Returns the transfer whose issue the path reaches, with *at.
 */
static const struct transfer *crit_transfer(const struct machine_run *run, struct path *path,
                                            const struct transfer *transfer, uint64_t *at,
                                            int *status)
{
    const struct transfer *transfers = run->lanes[0].mv.transfers;
    for (;;) {
        const struct mv_cause *cause = last_cause(&run->lanes[0].mv, transfer, *at);
        const uint32_t item = transfer->item;
        const bool in_turn = cause && cause->at >= *at;
        crit_row(path, !cause ? transfer->issued : in_turn ? *at : cause->at, at, item, item,
                 transfer->plan.limit, REASON_BUSY, status);
        if (!cause)
            return transfer;
        const struct transfer *holder = cause->by == MV_NONE ? transfer : &transfers[cause->by];
        if (cause->reason == REASON_MEMORY)
            crit_row(path, in_turn || cause->times > 1 ? cause->from : cause->at - cause->waited,
                     at, holder->item, item, cause->unit, REASON_MEMORY, status);
        else if (in_turn)
            crit_row(path, cause->first, at, holder->item, item, cause->unit, REASON_BUSY,
                     status);
        transfer = holder;
        if (holder->issued >= *at) /* in that cycle: the issue is the link */
            return holder;
    }
}

static void reverse(struct path *path)
{
    for (size_t i = 0, j = path->count; i + 1 < j; i++) {
        const struct sink_crit row = path->rows[i];
        path->rows[i] = path->rows[--j];
        path->rows[j] = row;
    }
}

/* What the stream does between the statements from and to: busy, if there is a step among them that is
 * no nop; else nops, or what packing sends before MV statements. */
static enum reason stream_does(const struct machine_run *run, uint32_t from, uint32_t to)
{
    enum reason does = REASON_PACKING;
    for (uint32_t i = from; i < to && i < run->next_item; i++) {
        const struct stmt_class *class = &run->classes[run->program->items[i].stmt];
        if (class->kind == STMT_STEP && !class->nops)
            return REASON_BUSY;
        if (class->kind == STMT_STEP)
            does = REASON_NOP;
    }
    return does;
}

/* From the end back to cycle 0: the stream, and at each wait that stalled the transfer it waited
 * for, back to where that was issued. The rows tile [0, total). */
static int critical_path(const struct machine_run *run, struct path *path, uint64_t total)
{
    const struct mv_engine *mv = &run->lanes[0].mv;
    int status = 0;
    uint64_t at = total;
    uint32_t item = run->next_item ? (uint32_t)run->next_item - 1 : NONE_ID;
    uint32_t end = (uint32_t)run->next_item; /* the first statement after `at` */
    if (run->lanes[0].now < total) {
        for (uint32_t t = 0; t < mv->count; t++)
            if (mv->transfers[t].state == MV_DONE && mv->transfers[t].finished == total) {
                end = item = crit_transfer(run, path, &mv->transfers[t], &at, &status)->item;
                break;
            }
        if (at == total) { /* a stopped run: ports are held beyond the last statement */
            const uint64_t now = run->lanes[0].now;
            const struct sink_crit row = {now, total - now, item, item, UNIT_ISSUE,
                                          REASON_DRAINED};
            status = add_crit(path, &row);
            at = now;
        }
    }
    for (size_t s = run->stall_count; s-- > 0 && status == 0;) {
        const struct stall *stall = &run->stalls[s];
        if (stall->end > at || stall->end == stall->start)
            continue;
        struct sink_crit row = {stall->end, at - stall->end, stall->item, item, UNIT_ISSUE,
                                stream_does(run, stall->item, end)};
        status = add_crit(path, &row);
        at = stall->end;
        end = item = stall->item;
        if (stall->reason == REASON_TAG) {
            const struct transfer *transfer = &mv->transfers[stall->binding];
            row = (struct sink_crit){transfer->finished, at - transfer->finished, item, item,
                                     UNIT_ISSUE, REASON_TAG};
            status |= add_crit(path, &row);
            at = transfer->finished;
            end = item = crit_transfer(run, path, transfer, &at, &status)->item;
        } else {
            row = (struct sink_crit){stall->start, at - stall->start, item, item, UNIT_ISSUE,
                                     stall->reason};
            status |= add_crit(path, &row);
            at = stall->start;
        }
    }
    const struct sink_crit row = {0, at, run->next_item ? 0 : NONE_ID, item, UNIT_ISSUE,
                                  stream_does(run, 0, end)};
    status |= add_crit(path, &row);
    reverse(path);
    return status;
}

int path_find(const struct machine_run *run, uint64_t total, struct sink_crit **rows, size_t *count)
{
    struct path path = {0};
    const int status = critical_path(run, &path, total);
    *rows = path.rows;
    *count = path.count;
    return status;
}
