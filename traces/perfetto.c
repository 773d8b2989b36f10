#include "traces/perfetto.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "timing/sink.h"
#include "traces/alike.h"
#include "traces/interval.h"
#include "traces/json_text.h"
#include "traces/rows.h"
#include "traces/schema.h"
#include "traces/trace.h"

enum process { UNITS = 1, TRANSFERS, CRITICAL, COUNTERS };
enum { ISSUE_TRACK = 1, WAIT_TRACK = 2, FIRST_LANE = 10, LANES = 1000 };

/* A stream of the machine, read together with another unit. */
struct stream {
    struct interval_reader reader;
    struct chunk_interval now;
    bool any; /* now is one */
};

struct writer {
    sqlite3 *db;
    FILE *out;
    uint64_t from, to;
    bool first;
    struct alike *units;
    size_t unit_count;
    char reasons[REASON_MAX][64];
    int rc; /* the first failure */
};

static void begin_event(struct writer *w, const char *phase, int process, int64_t track)
{
    fprintf(w->out, "%s\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%" PRId64, w->first ? "" : ",", phase,
            process, track);
    w->first = false;
}

/* A cycle is a nanosecond, the format counts in microseconds. Perfetto multiplies by
 * 1000 and truncates; where that would give one nanosecond less, print one more digit. */
static void put_cycles(struct writer *w, const char *key, uint64_t cycles)
{
    /* Cycles that a double cannot hold exactly are beyond this care. */
    const bool below =
        cycles < UINT64_C(1) << 53 && (uint64_t)((double)cycles / 1000.0 * 1000.0) < cycles;
    fprintf(w->out, ",\"%s\":%" PRIu64, key, cycles / 1000);
    if (cycles % 1000)
        fprintf(w->out, ".%03u%s", (unsigned)(cycles % 1000), below ? "0001" : "");
}

static void put_span(struct writer *w, uint64_t start, uint64_t duration)
{
    put_cycles(w, "ts", start);
    put_cycles(w, "dur", duration);
}

static void put_name(struct writer *w, const char *key, const char *text)
{
    fprintf(w->out, ",\"%s\":", key);
    json_text(w->out, text, strlen(text));
}

static void put_metadata(struct writer *w, const char *kind, int process, int64_t track,
                         const char *name)
{
    begin_event(w, "M", process, track);
    put_name(w, "name", kind);
    fputs(",\"args\":{\"name\":", w->out);
    json_text(w->out, name, strlen(name));
    fputs("}}", w->out);
}

static void put_sort(struct writer *w, const char *kind, int process, int64_t track, int64_t index)
{
    begin_event(w, "M", process, track);
    put_name(w, "name", kind);
    fprintf(w->out, ",\"args\":{\"sort_index\":%" PRId64 "}}", index);
}

/* Restricted to the window if there is one. */
static sqlite3_stmt *ask(struct writer *w, const char *sql)
{
    sqlite3_stmt *s = rows_select(w->db, sql, &w->rc);
    if (strstr(sql, "?2"))
        rows_window(s, w->from, w->to);
    return s;
}

static void write_tracks(struct writer *w)
{
    static const char *const names[] = {[UNITS] = "units",
                                        [TRANSFERS] = "transfers",
                                        [CRITICAL] = "critical path",
                                        [COUNTERS] = "counters"};
    for (int p = UNITS; p <= COUNTERS; p++) {
        put_metadata(w, "process_name", p, 0, names[p]);
        put_sort(w, "process_sort_index", p, 0, p);
    }
    put_metadata(w, "thread_name", TRANSFERS, ISSUE_TRACK, "issued");
    put_metadata(w, "thread_name", TRANSFERS, WAIT_TRACK, "waits");
    put_metadata(w, "thread_name", CRITICAL, 1, "critical path");
    for (size_t i = 0; i < w->unit_count; i++) {
        if (!w->units[i].busy)
            continue;
        put_metadata(w, "thread_name", UNITS, w->units[i].unit + 1, w->units[i].name);
        put_sort(w, "thread_sort_index", UNITS, w->units[i].unit + 1, w->units[i].unit + 1);
    }
}

/* --- intervals -------------------------------------------------------------------------------- */

/* Whether a stream waits for one reason all the time. */
static bool stream_waits(struct stream *streams, size_t count, const struct chunk_interval *wait)
{
    for (size_t i = 0; i < count; i++) {
        struct stream *s = &streams[i];
        while (s->any && s->now.start + s->now.duration <= wait->start)
            s->any = interval_next(&s->reader, &s->now);
        if (s->any && s->now.reason == wait->reason && s->now.start <= wait->start &&
            wait->start + wait->duration <= s->now.start + s->now.duration)
            return true;
    }
    return false;
}

static void put_interval(struct writer *w, int64_t unit, const struct chunk_interval *i,
                         sqlite3_stmt *statement)
{
    begin_event(w, "X", UNITS, unit + 1);
    put_span(w, i->start, i->duration);
    sqlite3_bind_int64(statement, 1, i->stmt);
    const bool found = i->stmt != NONE_ID && rows_next(statement, &w->rc);
    /* What the unit does for the statement; a wait is named by its reason. */
    put_name(w, "name",
             found && i->reason == REASON_BUSY ? rows_text(statement, 1)
             : i->reason < REASON_MAX          ? w->reasons[i->reason]
                                               : "");
    if (found)
        fprintf(w->out, ",\"args\":{\"line\":%lld}", sqlite3_column_int64(statement, 0));
    fputc('}', w->out);
    sqlite3_reset(statement);
}

/* Waits that touch, of one reason, are one slice with the line of the first. */
static void write_unit(struct writer *w, const struct alike *unit, struct stream *streams,
                       size_t stream_count)
{
    struct interval_reader reader;
    struct chunk_interval next, held = {0}; /* held: a wait that may continue; duration 0: none */
    sqlite3_stmt *statement = ask(w, "SELECT line, text FROM stmt WHERE id = ?1");
    interval_open(&reader, w->db, unit->unit, w->from, w->to, &w->rc);
    while (interval_next(&reader, &next)) {
        if (held.duration && next.reason == held.reason &&
            next.start == held.start + held.duration) {
            held.duration += next.duration;
            continue;
        }
        if (held.duration)
            put_interval(w, unit->unit, &held, statement);
        held.duration = 0;
        if (next.reason == REASON_BUSY)
            put_interval(w, unit->unit, &next, statement);
        else if (unit->issues || !stream_waits(streams, stream_count, &next))
            held = next;
    }
    if (held.duration)
        put_interval(w, unit->unit, &held, statement);
    interval_close(&reader);
    sqlite3_finalize(statement);
}

/* Busy units alone. Nearly all units wait when a stream does: that wait is the stream's. */
static void write_slices(struct writer *w)
{
    struct stream *streams = calloc(w->unit_count + 1, sizeof *streams);
    if (!streams)
        rows_fail(&w->rc, SQLITE_NOMEM);
    for (size_t i = 0; streams && i < w->unit_count; i++) {
        size_t count = 0;
        if (!w->units[i].busy)
            continue;
        for (size_t k = 0; k < w->unit_count; k++) {
            if (!w->units[k].issues)
                continue;
            struct stream *s = &streams[count++];
            interval_open(&s->reader, w->db, w->units[k].unit, w->from, w->to, &w->rc);
            s->any = interval_next(&s->reader, &s->now);
        }
        write_unit(w, &w->units[i], streams, count);
        while (count > 0)
            interval_close(&streams[--count].reader);
    }
    free(streams);
}

/* --- transfers -------------------------------------------------------------------------------- */

/* Left open: the caller adds to it. */
static void put_block(struct writer *w, int64_t track, uint64_t ts, uint64_t duration,
                      const char *name)
{
    begin_event(w, "X", TRANSFERS, track);
    put_span(w, ts, duration);
    put_name(w, "name", name);
}

/* Arrows run through the blocks of one transfer in order of time. */
static void put_arrow(struct writer *w, int64_t transfer, bool in, bool out)
{
    fprintf(w->out, ",\"bind_id\":%" PRId64 "%s%s", transfer, in ? ",\"flow_in\":true" : "",
            out ? ",\"flow_out\":true" : "");
}

/* A lane for each transfer that overlaps others. */
static int64_t take_lane(uint64_t *lanes, size_t *count, uint64_t started, uint64_t finished)
{
    size_t lane = 0;
    while (lane < *count && lanes[lane] > started)
        lane++;
    if (lane == LANES)
        lane = LANES - 1;
    *count = lane == *count ? lane + 1 : *count;
    lanes[lane] = finished;
    return FIRST_LANE + (int64_t)lane;
}

/* "copy i1f": the tag as the language writes it. */
static void transfer_name(char name[160], const char *mode, const char *tag)
{
    snprintf(name, 160, "%.120s%s%.30s", mode, *tag ? " " : "", tag);
}

/* One track, in order of time. */
static void write_issues(struct writer *w)
{
    sqlite3_stmt *s =
        ask(w, "SELECT id, mode, tag_name, issued FROM v_transfer WHERE finished > ?1 AND issued "
               "< ?2 ORDER BY issued, id");
    while (rows_next(s, &w->rc)) {
        char name[160];
        const uint64_t issued = (uint64_t)sqlite3_column_int64(s, 3);
        transfer_name(name, rows_text(s, 1), rows_text(s, 2));
        put_block(w, ISSUE_TRACK, issued, 1, name);
        put_arrow(w, sqlite3_column_int64(s, 0), false, true);
        fputc('}', w->out);
    }
    sqlite3_finalize(s);
}

/* A wait ends with the step that follows the notice: its edge says when. */
static void write_waits(struct writer *w)
{
    sqlite3_stmt *s = ask(
        w, "SELECT id, (SELECT text FROM string s WHERE s.id = tag_name), until - waited, waited "
           "FROM (SELECT t.*, coalesce((SELECT "
           "d.first_at FROM dep d JOIN dep_kind k ON k.id = d.kind WHERE d.dst = "
           "t.waited_by AND d.src = t.stmt AND k.name = 'tag' AND d.times = 1), "
           "max(t.finished, t.waited)) AS until FROM transfer t WHERE finished > ?1 AND "
           "issued < ?2 AND waited > 0) ORDER BY until - waited, id");
    while (rows_next(s, &w->rc)) {
        char name[160];
        const uint64_t from = (uint64_t)sqlite3_column_int64(s, 2);
        const uint64_t waited = (uint64_t)sqlite3_column_int64(s, 3);
        transfer_name(name, "wait", rows_text(s, 1));
        put_block(w, WAIT_TRACK, from, waited, name);
        put_arrow(w, sqlite3_column_int64(s, 0), true, false);
        fputc('}', w->out);
    }
    sqlite3_finalize(s);
}

static void write_transfers(struct writer *w)
{
    uint64_t *lanes = calloc(LANES, sizeof *lanes);
    size_t lane_count = 0, named = 0;
    char *sql = trace_expand(w->db, "SELECT id, mode, tag_name, started, finished, waited, "
                                    " text, limited_by, line, bytes /*attributes*/ "
                                    "FROM v_transfer t WHERE finished > ?1 AND issued < ?2 "
                                    "ORDER BY started, id");
    if (!lanes || !sql)
        rows_fail(&w->rc, SQLITE_NOMEM);
    sqlite3_stmt *s = w->rc == SQLITE_OK ? ask(w, sql) : NULL;
    sqlite3_free(sql);
    while (rows_next(s, &w->rc)) {
        const int64_t id = sqlite3_column_int64(s, 0);
        const uint64_t started = (uint64_t)sqlite3_column_int64(s, 3);
        const uint64_t finished = (uint64_t)sqlite3_column_int64(s, 4);
        const uint64_t waited = (uint64_t)sqlite3_column_int64(s, 5);
        const uint64_t length = finished > started ? finished - started : 1;
        char name[160];
        transfer_name(name, rows_text(s, 1), rows_text(s, 2));
        const int64_t lane = take_lane(lanes, &lane_count, started, started + length);
        if (lane_count > named) {
            char track[32];
            snprintf(track, sizeof track, "in flight %zu", ++named);
            put_metadata(w, "thread_name", TRANSFERS, lane, track);
        }
        put_block(w, lane, started, length, name);
        fprintf(w->out, ",\"args\":{\"line\":%lld,\"bytes\":%lld", sqlite3_column_int64(s, 8),
                sqlite3_column_int64(s, 9));
        for (int k = 10; k < sqlite3_column_count(s); k++) {
            fputc(',', w->out);
            json_text(w->out, sqlite3_column_name(s, k), strlen(sqlite3_column_name(s, k)));
            fprintf(w->out, ":%lld", sqlite3_column_int64(s, k));
        }
        fputs(",\"statement\":", w->out);
        json_text(w->out, rows_text(s, 6), strlen(rows_text(s, 6)));
        fputs(",\"limited_by\":", w->out);
        json_text(w->out, rows_text(s, 7), strlen(rows_text(s, 7)));
        fputc('}', w->out);
        put_arrow(w, id, true, waited > 0);
        fputc('}', w->out);
    }
    free(lanes);
    sqlite3_finalize(s);
}

static void write_critical(struct writer *w)
{
    sqlite3_stmt *s = ask(w, "SELECT c.start, c.duration, u.name, y.name, a.line FROM crit c "
                             "LEFT JOIN unit u ON u.id = c.unit JOIN reason y ON y.id = c.reason "
                             "LEFT JOIN stmt a ON a.id = c.first_stmt "
                             "WHERE c.start + c.duration > ?1 AND c.start < ?2 ORDER BY c.start");
    while (rows_next(s, &w->rc)) {
        char name[160];
        begin_event(w, "X", CRITICAL, 1);
        put_span(w, (uint64_t)sqlite3_column_int64(s, 0), (uint64_t)sqlite3_column_int64(s, 1));
        snprintf(name, sizeof name, "%.80s %.60s", rows_text(s, 2), rows_text(s, 3));
        put_name(w, "name", name);
        fprintf(w->out, ",\"args\":{\"line\":%lld}}", sqlite3_column_int64(s, 4));
    }
    sqlite3_finalize(s);
}

/* --- counters --------------------------------------------------------------------------------- */

static void put_counter(struct writer *w, const char *unit, const char *what, uint64_t ts,
                        double value)
{
    char name[160];
    snprintf(name, sizeof name, "%.100s %s", unit, what);
    begin_event(w, "C", COUNTERS, 0);
    put_cycles(w, "ts", ts);
    put_name(w, "name", name);
    fputs(",\"args\":{\"value\":", w->out);
    json_text_real(w->out, value);
    fputs("}}", w->out);
}

/* Of a unit that has bytes: as many in each busy cycle as there are on average, so never more than
 * its width. */
static void put_window(struct writer *w, const struct alike *unit, uint64_t at, double busy)
{
    put_counter(w, unit->name, "busy %", at, 100.0 * busy);
    if (unit->peak > 0 && unit->bytes > 0)
        put_counter(w, unit->name, "bytes/cycle", at,
                    busy * unit->bytes / (double)unit->busy_cycles);
}

/* Shares by window; 0 after a window that is followed by a quiet one. */
static void write_windows(struct writer *w)
{
    const int64_t window = trace_integer(w->db, "window", 0);
    const int64_t cycles = rows_value(w->db, "SELECT cycles FROM v_reached", 0, 0, INT64_MAX);
    const int64_t from = window > 0 ? (int64_t)w->from / window : 0;
    for (size_t i = 0; window > 0 && i < w->unit_count; i++) {
        const struct alike *unit = &w->units[i];
        int64_t after = -1; /* of the last window */
        if (!unit->busy)
            continue;
        sqlite3_stmt *s = rows_select(w->db,
                                      "SELECT idx, busy FROM util_window WHERE unit = ?1 AND "
                                      "idx >= ?2 AND idx * ?3 < ?4 ORDER BY idx",
                                      &w->rc);
        const int64_t bound[] = {unit->unit, from, window, (int64_t)w->to};
        for (int k = 0; k < 4; k++)
            sqlite3_bind_int64(s, k + 1, bound[k]);
        while (rows_next(s, &w->rc)) {
            const int64_t start = sqlite3_column_int64(s, 0) * window;
            const int64_t end = start + window < cycles ? start + window : cycles;
            if (after >= 0 && after != start)
                put_window(w, unit, (uint64_t)after, 0);
            put_window(w, unit, (uint64_t)start,
                       end > start ? sqlite3_column_double(s, 1) / (double)(end - start) : 0);
            after = end;
        }
        if (after >= 0)
            put_window(w, unit, (uint64_t)after, 0);
        sqlite3_finalize(s);
    }
}

int perfetto_write(sqlite3 *db, uint64_t from, uint64_t to, FILE *out)
{
    struct writer w = {.db = db, .out = out, .from = from, .to = to, .first = true};
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"takt\":\"" TAKT_VERSION
          "\",\"time_unit\":\"1 cycle is shown as 1 ns\"",
          out);
    sqlite3_stmt *s =
        ask(&w, "SELECT key, value FROM meta WHERE key IN ('machine', 'program', 'clock_hz', "
                "'total_cycles', 'complete') ORDER BY key");
    while (rows_next(s, &w.rc))
        put_name(&w, rows_text(s, 0), rows_text(s, 1));
    sqlite3_finalize(s);
    trace_reasons(db, w.reasons, &w.rc);
    rows_fail(&w.rc, alike_find(db, ALIKE_FOLDED, &w.units, &w.unit_count));
    fputs("},\"traceEvents\":[", out);
    static void (*const parts[])(struct writer *) = {write_tracks,    write_slices, write_issues,
                                                     write_transfers, write_waits,  write_critical,
                                                     write_windows};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && w.rc == SQLITE_OK; i++)
        parts[i](&w);
    free(w.units);
    fputs("\n]}\n", out);
    if (fflush(out) || ferror(out))
        rows_fail(&w.rc, SQLITE_IOERR);
    return w.rc;
}
