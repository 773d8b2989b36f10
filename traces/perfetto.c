#include "traces/perfetto.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "traces/json_text.h"
#include "traces/schema.h"
#include "traces/trace.h"

enum process { UNITS = 1, TRANSFERS, CRITICAL, COUNTERS };
enum { ISSUE_TRACK = 1, WAIT_TRACK = 2, FIRST_LANE = 10, LANES = 1000 };

struct writer {
    sqlite3 *db;
    FILE *out;
    uint64_t from, to;
    bool first;
};

static void begin_event(struct writer *w, const char *phase, int process, int64_t track)
{
    fprintf(w->out, "%s\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%" PRId64, w->first ? "" : ",", phase,
            process, track);
    w->first = false;
}

static void put_name(struct writer *w, const char *key, const char *text)
{
    fprintf(w->out, ",\"%s\":", key);
    json_text(w->out, text ? text : "", text ? strlen(text) : 0);
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

static const char *text_of(sqlite3_stmt *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s, column);
    return text ? text : "";
}

static int prepare(struct writer *w, const char *sql, sqlite3_stmt **s)
{
    const int rc = sqlite3_prepare_v2(w->db, sql, -1, s, NULL);
    if (rc == SQLITE_OK && sqlite3_bind_parameter_count(*s) > 1) {
        sqlite3_bind_int64(*s, 1, (int64_t)w->from);
        sqlite3_bind_int64(*s, 2, (int64_t)w->to);
    }
    return rc;
}

static int done(sqlite3_stmt *s, int rc)
{
    sqlite3_finalize(s);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int write_tracks(struct writer *w)
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
    sqlite3_stmt *s = NULL;
    int rc = prepare(w, "SELECT id, name, kind FROM unit WHERE kind <> 'node' ORDER BY id", &s);
    while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        const int64_t track = sqlite3_column_int64(s, 0) + 1;
        put_metadata(w, "thread_name", UNITS, track, text_of(s, 1));
        put_sort(w, "thread_sort_index", UNITS, track, track);
        rc = SQLITE_OK;
    }
    return done(s, rc);
}

static int write_slices(struct writer *w)
{
    sqlite3_stmt *s = NULL;
    int rc = prepare(w,
                     "SELECT s.ts, s.dur, s.track_id, s.name, s.category, x.line FROM temp.slice s "
                     "LEFT JOIN stmt x ON x.id = s.stmt WHERE s.ts + s.dur > ?1 AND s.ts < ?2",
                     &s);
    while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        begin_event(w, "X", UNITS, sqlite3_column_int64(s, 2) + 1);
        fprintf(w->out, ",\"ts\":%lld,\"dur\":%lld", sqlite3_column_int64(s, 0),
                sqlite3_column_int64(s, 1));
        const char *category = text_of(s, 4);
        /* What the unit does for the statement; a wait is named by its reason. */
        put_name(w, "name", strcmp(category, "busy") ? category : text_of(s, 3));
        put_name(w, "cat", category);
        fputs(",\"args\":{\"statement\":", w->out);
        json_text(w->out, text_of(s, 3), strlen(text_of(s, 3)));
        fprintf(w->out, ",\"line\":%lld}}", sqlite3_column_int64(s, 5));
        rc = SQLITE_OK;
    }
    return done(s, rc);
}

static void put_flow(struct writer *w, const char *phase, int64_t track, uint64_t ts, int64_t id,
                     const char *name)
{
    begin_event(w, phase, TRANSFERS, track);
    fprintf(w->out, ",\"ts\":%" PRIu64 ",\"id\":%" PRId64 "%s", ts, id,
            *phase == 'f' ? ",\"bp\":\"e\"" : "");
    put_name(w, "name", name);
    put_name(w, "cat", "transfer");
    fputc('}', w->out);
}

static void put_block(struct writer *w, int64_t track, uint64_t ts, uint64_t duration,
                      const char *name)
{
    begin_event(w, "X", TRANSFERS, track);
    fprintf(w->out, ",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64, ts, duration);
    put_name(w, "name", name);
    put_name(w, "cat", "transfer");
}

/* A lane for each transfer that runs beside others. */
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
static int write_issues(struct writer *w)
{
    sqlite3_stmt *s = NULL;
    int rc =
        prepare(w,
                "SELECT id, mode, tag_name, issued FROM v_transfer WHERE finished > ?1 AND issued "
                "< ?2 ORDER BY issued, id",
                &s);
    while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        char name[160];
        const uint64_t issued = (uint64_t)sqlite3_column_int64(s, 3);
        transfer_name(name, text_of(s, 1), text_of(s, 2));
        put_block(w, ISSUE_TRACK, issued, 1, name);
        fputs("}", w->out);
        put_flow(w, "s", ISSUE_TRACK, issued, 2 * sqlite3_column_int64(s, 0), "issued");
        rc = SQLITE_OK;
    }
    return done(s, rc);
}

/* A wait ends with the step that follows the notice: its edge says when. */
static int write_waits(struct writer *w)
{
    sqlite3_stmt *s = NULL;
    int rc = prepare(
        w,
        "SELECT id, (SELECT text FROM string s WHERE s.id = tag_name), until - waited, waited "
        "FROM (SELECT t.*, coalesce((SELECT "
        "d.first_at FROM dep d JOIN dep_kind k ON k.id = d.kind WHERE d.dst = "
        "t.waited_by AND d.src = t.stmt AND k.name = 'tag' AND d.times = 1), "
        "max(t.finished, t.waited)) AS until FROM transfer t WHERE finished > ?1 AND "
        "issued < ?2 AND waited > 0) ORDER BY until - waited, id",
        &s);
    while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        char name[160];
        const uint64_t from = (uint64_t)sqlite3_column_int64(s, 2);
        const uint64_t waited = (uint64_t)sqlite3_column_int64(s, 3);
        transfer_name(name, "wait", text_of(s, 1));
        put_block(w, WAIT_TRACK, from, waited, name);
        fputs("}", w->out);
        put_flow(w, "f", WAIT_TRACK, from + waited - 1, 2 * sqlite3_column_int64(s, 0) + 1,
                 "waited for");
        rc = SQLITE_OK;
    }
    return done(s, rc);
}

static int write_transfers(struct writer *w)
{
    uint64_t *lanes = calloc(LANES, sizeof *lanes);
    size_t lane_count = 0, named = 0;
    sqlite3_stmt *s = NULL;
    char *sql = trace_expand(w->db, "SELECT id, mode, tag, issued, started, finished, waited, "
                                    "tag_name, text, limited_by, line, bytes /*attributes*/ "
                                    "FROM v_transfer t WHERE finished > ?1 AND issued < ?2 "
                                    "ORDER BY started, id");
    int rc = lanes && sql ? prepare(w, sql, &s) : SQLITE_NOMEM;
    sqlite3_free(sql);
    while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        const int64_t id = sqlite3_column_int64(s, 0), tag = sqlite3_column_int64(s, 2);
        const uint64_t issued = (uint64_t)sqlite3_column_int64(s, 3);
        const uint64_t started = (uint64_t)sqlite3_column_int64(s, 4);
        const uint64_t finished = (uint64_t)sqlite3_column_int64(s, 5);
        const uint64_t waited = (uint64_t)sqlite3_column_int64(s, 6);
        const uint64_t length = finished > started ? finished - started : 1;
        char name[160];
        transfer_name(name, text_of(s, 1), text_of(s, 7));
        const int64_t lane = take_lane(lanes, &lane_count, started, started + length);
        if (lane_count > named) {
            char track[32];
            snprintf(track, sizeof track, "in flight %zu", ++named);
            put_metadata(w, "thread_name", TRANSFERS, lane, track);
        }
        put_block(w, lane, started, length, name);
        fprintf(w->out, ",\"args\":{\"line\":%lld,\"tag\":%" PRId64 ",\"bytes\":%lld",
                sqlite3_column_int64(s, 10), tag, sqlite3_column_int64(s, 11));
        for (int k = 12; k < sqlite3_column_count(s); k++) {
            fputc(',', w->out);
            json_text(w->out, sqlite3_column_name(s, k), strlen(sqlite3_column_name(s, k)));
            fprintf(w->out, ":%lld", sqlite3_column_int64(s, k));
        }
        fputs(",\"statement\":", w->out);
        json_text(w->out, text_of(s, 8), strlen(text_of(s, 8)));
        fputs(",\"limited_by\":", w->out);
        json_text(w->out, text_of(s, 9), strlen(text_of(s, 9)));
        fputs("}}", w->out);
        put_flow(w, "f", lane, started > issued ? started : issued, 2 * id, "issued");
        if (waited)
            put_flow(w, "s", lane, started + length - 1, 2 * id + 1, "waited for");
        rc = SQLITE_OK;
    }
    free(lanes);
    return done(s, rc);
}

static int write_critical(struct writer *w)
{
    sqlite3_stmt *s = NULL;
    int rc = prepare(w,
                     "SELECT c.start, c.duration, u.name, y.name, a.line FROM crit c "
                     "LEFT JOIN unit u ON u.id = c.unit JOIN reason y ON y.id = c.reason "
                     "LEFT JOIN stmt a ON a.id = c.first_stmt "
                     "WHERE c.start + c.duration > ?1 AND c.start < ?2 ORDER BY c.start",
                     &s);
    while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        char name[160];
        begin_event(w, "X", CRITICAL, 1);
        fprintf(w->out, ",\"ts\":%lld,\"dur\":%lld", sqlite3_column_int64(s, 0),
                sqlite3_column_int64(s, 1));
        snprintf(name, sizeof name, "%.80s %.60s", text_of(s, 2), text_of(s, 3));
        put_name(w, "name", name);
        put_name(w, "cat", text_of(s, 3));
        fprintf(w->out, ",\"args\":{\"line\":%lld}}", sqlite3_column_int64(s, 4));
        rc = SQLITE_OK;
    }
    return done(s, rc);
}

static void put_counter(struct writer *w, const char *name, uint64_t ts, const char *series,
                        double value)
{
    begin_event(w, "C", COUNTERS, 0);
    fprintf(w->out, ",\"ts\":%" PRIu64, ts);
    put_name(w, "name", name);
    fprintf(w->out, ",\"args\":{\"%s\":", series);
    json_text_real(w->out, value);
    fputs("}}", w->out);
}

/* Busy share by window; 0 after a window that is followed by a quiet one. */
static int write_windows(struct writer *w)
{
    const int64_t window = trace_integer(w->db, "window", 0);
    sqlite3_stmt *s = NULL;
    if (window <= 0)
        return SQLITE_OK;
    char sql[400];
    snprintf(sql, sizeof sql,
             "SELECT u.name, p.idx * %" PRId64 ", p.busy, lead(p.idx, 1, -1) OVER (PARTITION BY "
             "p.unit ORDER BY p.idx) = p.idx + 1 FROM util_window p JOIN unit u ON u.id = p.unit "
             "WHERE (p.idx + 1) * %" PRId64 " > ?1 AND p.idx * %" PRId64 " < ?2",
             window, window, window);
    const int64_t cycles = trace_value(w->db, "SELECT cycles FROM v_reached", 0, 0, INT64_MAX);
    int rc = prepare(w, sql, &s);
    while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        char name[160];
        const int64_t start = sqlite3_column_int64(s, 1);
        const int64_t end = start + window < cycles ? start + window : cycles;
        snprintf(name, sizeof name, "%.120s busy %%", text_of(s, 0));
        put_counter(w, name, (uint64_t)start, "percent",
                    end > start ? 100.0 * sqlite3_column_double(s, 2) / (double)(end - start) : 0);
        if (!sqlite3_column_int(s, 3))
            put_counter(w, name, (uint64_t)end, "percent", 0);
        rc = SQLITE_OK;
    }
    return done(s, rc);
}

/* Bytes a cycle of all transfers in flight, by the unit that paces them. */
static int write_bandwidth(struct writer *w)
{
    sqlite3_stmt *s = NULL;
    int rc =
        prepare(w,
                "SELECT name, at, sum(delta) FROM ("
                " SELECT coalesce(limited_by, 'transfers') AS name, started AS at, "
                "  1.0 * bytes / max(finished - started, 1) AS delta FROM v_transfer "
                "  WHERE finished > ?1 AND issued < ?2 "
                " UNION ALL SELECT coalesce(limited_by, 'transfers'), max(finished, started + 1), "
                "  -1.0 * bytes / max(finished - started, 1) FROM v_transfer "
                "  WHERE finished > ?1 AND issued < ?2) GROUP BY name, at ORDER BY name, at",
                &s);
    char last[160] = "";
    double flow = 0;
    while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        char name[160];
        snprintf(name, sizeof name, "%.120s bytes/cycle", text_of(s, 0));
        flow = strcmp(name, last) ? 0 : flow;
        memcpy(last, name, sizeof last);
        flow += sqlite3_column_double(s, 2);
        put_counter(w, name, (uint64_t)sqlite3_column_int64(s, 1), "bytes", flow < 1e-6 ? 0 : flow);
        rc = SQLITE_OK;
    }
    return done(s, rc);
}

uint64_t perfetto_estimate(sqlite3 *db, uint64_t from, uint64_t to)
{
    const int64_t slices =
        trace_value(db, "SELECT count(*) FROM temp.slice WHERE till > ?1 AND ts < ?2",
                    (int64_t)from, (int64_t)to, 0);
    const int64_t transfers =
        trace_value(db, "SELECT count(*) FROM transfer WHERE finished > ?1 AND issued < ?2",
                    (int64_t)from, (int64_t)to, 0);
    return (uint64_t)(slices + 8 * transfers);
}

int perfetto_write(sqlite3 *db, uint64_t from, uint64_t to, FILE *out)
{
    struct writer w = {.db = db, .out = out, .from = from, .to = to, .first = true};
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"takt\":\"" SCHEMA_TAKT_VERSION
          "\",\"time_unit\":\"1 cycle is shown as 1 us\"",
          out);
    sqlite3_stmt *s = NULL;
    int rc = prepare(&w,
                     "SELECT key, value FROM meta WHERE key IN ('machine', 'program', 'clock_hz', "
                     "'total_cycles', 'complete') ORDER BY key",
                     &s);
    while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        put_name(&w, text_of(s, 0), text_of(s, 1));
        rc = SQLITE_OK;
    }
    rc = done(s, rc);
    fputs("},\"traceEvents\":[", out);
    static int (*const parts[])(struct writer *) = {write_tracks,    write_slices,   write_issues,
                                                    write_transfers, write_waits,    write_critical,
                                                    write_windows,   write_bandwidth};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == SQLITE_OK; i++)
        rc = parts[i](&w);
    fputs("\n]}\n", out);
    return rc != SQLITE_OK ? rc : fflush(out) || ferror(out) ? SQLITE_IOERR : SQLITE_OK;
}
