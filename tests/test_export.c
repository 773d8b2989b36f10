/* Exports, the timeline and the chain of waits, on the hand-made trace of tests/trace_sample.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>

#include "analysis/page.h"
#include "analysis/timeline.h"
#include "analysis/why.h"
#include "tests/trace_sample.h"
#include "traces/extent.h"
#include "traces/konata.h"
#include "traces/perfetto.h"
#include "traces/recorder.h"
#include "traces/slice.h"

static struct recorder *recorder;
static sqlite3 *db;

static void record(bool intervals, bool complete, bool large)
{
    const struct recorder_options options = {.intervals = intervals};
    char error[600] = "";
    if (recorder_open(&recorder, NULL, &options, error, sizeof error))
        fail_msg("%s", error);
    const struct sink sink = recorder_sink(recorder);
    if (large) {
        assert_int_equal(sample_long(&sink, 100000, 7, 100000), 0);
    } else {
        assert_int_equal(
            sample_begin(&sink) || sample_events(&sink) || sample_finish(&sink, complete), 0);
    }
    db = recorder_db(recorder);
    assert_int_equal(slice_register(db), SQLITE_OK);
}

static void done(void)
{
    char error[600];
    assert_int_equal(recorder_close(recorder, error, sizeof error), 0);
}

/* --- trace-event JSON ------------------------------------------------------------------------- */

static json_t *perfetto(uint64_t from, uint64_t to)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(perfetto_write(db, from, to, out), SQLITE_OK);
    fclose(out);
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%s at %d", error.text, error.position);
    free(text);
    return root;
}

static json_int_t number(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);
    assert_true(json_is_number(value));
    return (json_int_t)json_number_value(value);
}

/* Cycles of a time in microseconds, by readers that round and by readers that cut. */
static json_int_t cycles(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);
    assert_true(json_is_number(value));
    const double ns = 1000.0 * json_number_value(value);
    assert_int_equal((json_int_t)ns, llround(ns));
    return (json_int_t)ns;
}

static const char *string(const json_t *event, const char *key)
{
    const char *value = json_string_value(json_object_get(event, key));
    assert_non_null(value);
    return value;
}

/* The events of an arrow: the first goes out alone, the others come in, and none is earlier than
 * the one before. */
static void follow_arrow(const json_t *events, const json_t *first)
{
    const json_int_t id = number(first, "bind_id");
    json_int_t last = cycles(first, "ts");
    size_t i, ins = 0;
    json_t *e;
    json_array_foreach(events, i, e)
    {
        if (e == first || !json_object_get(e, "bind_id") || number(e, "bind_id") != id)
            continue;
        assert_true(json_is_true(json_object_get(e, "flow_in")));
        assert_true(cycles(e, "ts") >= last);
        last = cycles(e, "ts");
        ins++;
    }
    assert_in_range(ins, 1, 2);
}

static bool disjoint(const json_t *e, const json_t *f)
{
    const json_int_t a = cycles(e, "ts"), b = a + cycles(e, "dur");
    const json_int_t c = cycles(f, "ts"), d = c + cycles(f, "dur");
    return b <= c || d <= a;
}

/* The format's rules: complete events have ts and dur, slices of a track do not overlap, arrows
 * come in where they have gone out; counters carry numbers; tracks are named. */
static void follow_the_format(const json_t *root)
{
    const json_t *events = json_object_get(root, "traceEvents");
    assert_true(json_is_array(events));
    size_t i, k;
    json_t *e, *f;
    json_array_foreach(events, i, e)
    {
        const char *phase = string(e, "ph");
        assert_true(json_is_integer(json_object_get(e, "pid")));
        assert_true(json_is_integer(json_object_get(e, "tid")));
        assert_non_null(string(e, "name"));
        if (!strcmp(phase, "M")) {
            const json_t *args = json_object_get(e, "args");
            assert_true(json_object_get(args, "name") || json_object_get(args, "sort_index"));
            continue;
        }
        assert_true(cycles(e, "ts") >= 0);
        if (!strcmp(phase, "X")) {
            assert_true(cycles(e, "dur") > 0);
            bool named = false;
            json_array_foreach(events, k, f)
            {
                if (number(f, "pid") != number(e, "pid") || number(f, "tid") != number(e, "tid"))
                    continue;
                named = named || (!strcmp(string(f, "ph"), "M") &&
                                  !strcmp(string(f, "name"), "thread_name"));
                assert_true(k == i || strcmp(string(f, "ph"), "X") || disjoint(e, f));
            }
            assert_true(named);
            if (json_object_get(e, "bind_id") && !json_object_get(e, "flow_in"))
                follow_arrow(events, e);
        } else if (!strcmp(phase, "C")) {
            const char *key;
            json_t *value;
            json_object_foreach(json_object_get(e, "args"), key, value)
            {
                assert_true(json_is_number(value));
            }
        } else {
            fail_msg("phase %s", phase);
        }
    }
}

static size_t count_events(const json_t *root, const char *phase, json_int_t process)
{
    size_t i, count = 0;
    json_t *e;
    json_array_foreach(json_object_get(root, "traceEvents"), i, e)
    {
        count += !strcmp(string(e, "ph"), phase) && number(e, "pid") == process;
    }
    return count;
}

static double counter(const json_t *root, const char *name, json_int_t at)
{
    size_t i;
    json_t *e;
    json_array_foreach(json_object_get(root, "traceEvents"), i, e)
    {
        if (!strcmp(string(e, "ph"), "C") && !strcmp(string(e, "name"), name) &&
            cycles(e, "ts") == at)
            return json_number_value(json_object_get(json_object_get(e, "args"), "value"));
    }
    fail_msg("no %s at %d", name, (int)at);
    return 0;
}

static void perfetto_whole(void **state)
{
    (void)state;
    record(true, true, false);
    json_t *root = perfetto(0, INT64_MAX);
    follow_the_format(root);
    assert_int_equal(count_events(root, "X", 1), 11); /* intervals */
    assert_int_equal(count_events(root, "X", 2), 3);  /* issue, transfer, wait */
    assert_int_equal(count_events(root, "X", 3), 4);  /* critical path */
    /* Busy shares: eight windows, a fall to 0 after the last of each unit. Bytes a cycle of the two
     * units that have some: three windows and two, and their falls. */
    assert_int_equal(count_events(root, "C", 4), 8 + 4 + 3 + 2 + 2);
    /* 512 bytes in 30 cycles, of which 10 in the first 16. */
    assert_true(fabs(counter(root, "dram0 bytes/cycle", 0) - 512 / 30.0 * 10 / 16) < 1e-9);
    assert_true(fabs(counter(root, "dram0 bytes/cycle", 16) - 512 / 30.0) < 1e-9);
    assert_string_equal(string(json_object_get(root, "otherData"), "total_cycles"), "52");
    json_decref(root);
    done();
}

static void perfetto_window(void **state)
{
    (void)state;
    record(true, true, false);
    json_t *root = perfetto(44, 46);
    follow_the_format(root);
    /* The stream's second fvfma, mau's first, lm0's wait; no transfer. */
    assert_int_equal(count_events(root, "X", 1), 3);
    assert_int_equal(count_events(root, "X", 2), 0);
    assert_int_equal(count_events(root, "X", 3), 1);
    json_decref(root);
    done();
}

static void perfetto_without_intervals(void **state)
{
    (void)state;
    record(false, true, false);
    json_t *root = perfetto(0, INT64_MAX);
    follow_the_format(root);
    assert_int_equal(count_events(root, "X", 1), 0);
    assert_int_equal(count_events(root, "X", 2), 3);
    json_decref(root);
    done();
}

/* Many transfers at once take lanes of their own. */
static void perfetto_lanes(void **state)
{
    (void)state;
    const struct recorder_options options = {.intervals = false};
    char error[600];
    assert_int_equal(recorder_open(&recorder, NULL, &options, error, sizeof error), 0);
    const struct sink sink = recorder_sink(recorder);
    assert_int_equal(sample_begin(&sink), 0);
    for (uint64_t i = 0; i < 40; i++) {
        static const uint64_t attributes[] = {1, 2};
        const struct sink_transfer t = {.stmt = 0,
                                        .tag = (uint32_t)i,
                                        .tag_name = i ? "i\"" : NULL,
                                        .attributes = attributes,
                                        .mode = "mvp \"D\"->P\\",
                                        .issued = i,
                                        .started = 3 * (i / 3),
                                        .finished = 3 * (i / 3) + 10 - i % 3,
                                        .waited = i % 2,
                                        .waited_by = 2,
                                        .limited_by = NONE_ID};
        assert_int_equal(sink.ops->transfer(sink.context, &t), 0);
    }
    assert_int_equal(sample_finish(&sink, true), 0);
    db = recorder_db(recorder);
    assert_int_equal(slice_register(db), SQLITE_OK);
    json_t *root = perfetto(0, INT64_MAX);
    /* Started before issued is impossible; what counts here is nesting and flows of the rest. */
    const json_t *events = json_object_get(root, "traceEvents");
    size_t i, k;
    json_t *e, *f;
    json_array_foreach(events, i, e)
    {
        json_array_foreach(events, k, f)
        {
            if (i < k && !strcmp(string(e, "ph"), "X") && !strcmp(string(f, "ph"), "X") &&
                number(e, "pid") == 2 && number(f, "pid") == 2 && number(e, "tid") >= 10 &&
                number(e, "tid") == number(f, "tid"))
                assert_true(disjoint(e, f));
        }
    }
    json_decref(root);
    done();
}

/* A multiple of 1/1000 is no sum of powers of two: every cycle has to come back all the same. */
static void perfetto_times(void **state)
{
    (void)state;
    const struct recorder_options options = {.intervals = true};
    char error[600];
    assert_int_equal(recorder_open(&recorder, NULL, &options, error, sizeof error), 0);
    const struct sink sink = recorder_sink(recorder);
    assert_int_equal(sample_begin(&sink), 0);
    uint64_t starts[200], at = 0;
    for (size_t i = 0; i < 200; i++) {
        at += i < 100 ? 2 * i + 1 : 104729 * i; /* all sorts of lengths */
        starts[i] = at;
        const struct sink_interval busy = {SAMPLE_MAU, REASON_BUSY, 3, at, 1};
        assert_int_equal(sink.ops->interval(sink.context, &busy), 0);
    }
    assert_int_equal(sample_finish(&sink, true), 0);
    db = recorder_db(recorder);
    json_t *root = perfetto(0, INT64_MAX), *e;
    size_t i, k = 0;
    json_array_foreach(json_object_get(root, "traceEvents"), i, e)
    {
        if (!strcmp(string(e, "ph"), "X") && number(e, "pid") == 1)
            assert_int_equal(cycles(e, "ts"), starts[k++]);
    }
    assert_int_equal(k, 200);
    json_decref(root);
    done();
}

/* The longest window with so many events, and all of it when there are no more. */
static void extents(void **state)
{
    (void)state;
    record(true, true, false);
    /* 11 intervals, one transfer, four runs of the critical path. */
    assert_int_equal(extent_events(db, 0, INT64_MAX), 11 + 3 + 4);
    assert_int_equal(extent_end(db, 0, INT64_MAX, 11 + 3 + 4), INT64_MAX);
    for (uint64_t most = 1; most < 18; most++) {
        const uint64_t end = extent_end(db, 0, INT64_MAX, most);
        assert_in_range(end, 1, SAMPLE_CYCLES - 1);
        assert_true(end == 1 || extent_events(db, 0, end) <= most);
        assert_true(extent_events(db, 0, end + 1) > most);
    }
    done();
}

/* --- Konata ----------------------------------------------------------------------------------- */

static char *konata(uint64_t from, uint64_t to)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(konata_write(db, from, to, out), SQLITE_OK);
    fclose(out);
    return text;
}

/* By hand, from the intervals and the transfer of the sample. */
static void konata_whole(void **state)
{
    (void)state;
    record(true, true, false);
    char *text = konata(0, INT64_MAX);
    assert_string_equal(text, "Kanata\t0004\n"
                              "C=\t0\n"
                              "I\t0\t0\t0\n"
                              "L\t0\t0\t1: mvp/n64 $d0 $p0 i01\nL\t0\t1\tdir/k.vsm:1\n"
                              "I\t1\t1\t0\n"
                              "L\t1\t0\t2: nop/2\nL\t1\t1\tdir/k.vsm:2\n"
                              "S\t0\t0\tqueue\n"
                              "S\t1\t0\tnop\n"
                              "C\t4\n"
                              "E\t0\t0\tqueue\n"
                              "S\t0\t0\tmove\n"
                              "C\t4\n"
                              "E\t1\t0\tnop\n"
                              "R\t1\t0\t0\n"
                              "I\t2\t2\t0\n"
                              "L\t2\t0\t3: wait i01\nL\t2\t1\tdir/k.vsm:3\n"
                              "S\t2\t0\ttag\n"
                              "C\t32\n"
                              "E\t0\t0\tmove\n"
                              "E\t2\t0\ttag\n"
                              "R\t0\t1\t0\n"
                              "R\t2\t2\t0\n"
                              "I\t3\t3\t0\n"
                              "L\t3\t0\t4: fvfma $lr0v $lr8v $lr16v $lr24v\n"
                              "L\t3\t1\tdir/k.vsm:4\n"
                              "S\t3\t0\tIs\n"
                              "S\t3\t1\tlm0\n"
                              "C\t2\n"
                              "E\t3\t1\tlm0\n"
                              "C\t2\n"
                              "E\t3\t0\tIs\n"
                              "I\t4\t4\t0\n"
                              "L\t4\t0\t5: fvfma $lr0v $lr8v $lr16v $lr24v\n"
                              "L\t4\t1\tdir/k.vsm:5\n"
                              "S\t3\t0\tmau\n"
                              "S\t4\t0\tIs\n"
                              "C\t2\n"
                              "S\t4\t1\tlm0\n"
                              "C\t2\n"
                              "E\t3\t0\tmau\n"
                              "E\t4\t0\tIs\n"
                              "R\t3\t3\t0\n"
                              "S\t4\t0\tmau\n"
                              "C\t4\n"
                              "E\t4\t1\tlm0\n"
                              "E\t4\t0\tmau\n"
                              "R\t4\t4\t0\n");
    free(text);
    /* A window that holds the second fvfma alone. */
    text = konata(48, 52);
    assert_null(strstr(text, "nop/2"));
    free(text);
    done();
}

/* --- HTML ------------------------------------------------------------------------------------- */

static char *html(size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    const int rc = page_print(db, &(struct page_options){.to = UINT64_MAX}, out);
    fclose(out);
    if (rc != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    return text;
}

/* Every element that is opened is closed, in order. */
static void balanced(const char *text)
{
    static const char *const lone[] = {"meta", "rect", "line", "path", "link", "br"};
    char open[64][16];
    size_t depth = 0;
    for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
        char name[16] = "";
        const bool closing = at[1] == '/';
        const char *start = at + 1 + closing;
        const size_t length = strcspn(start, " >/\n");
        if (at[1] == '!' || length >= sizeof name)
            continue;
        memcpy(name, start, length);
        const char *end = strchr(at, '>');
        assert_non_null(end);
        bool single = end[-1] == '/';
        for (size_t i = 0; i < sizeof lone / sizeof *lone; i++)
            single = single || !strcmp(name, lone[i]);
        if (closing) {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (!single) {
            assert_true(depth < 64);
            memcpy(open[depth++], name, sizeof name);
            if (!strcmp(name, "script") || !strcmp(name, "style"))
                at = strstr(at, !strcmp(name, "script") ? "</script>" : "</style>") - 1;
        }
    }
    assert_int_equal(depth, 0);
}

static void html_page(void **state)
{
    (void)state;
    record(false, true, false);
    size_t size;
    char *text = html(&size);
    balanced(text);
    assert_non_null(
        strstr(text, "DRAM transfers (memory latency): 69.2 % of the critical path (line "));
    assert_non_null(strstr(text, "<script type=\"application/json\" class=\"run\""));
    assert_non_null(strstr(text, "<tr id=\"L5\">"));
    assert_non_null(strstr(text, "prefers-color-scheme: dark"));
    assert_non_null(strstr(text, "keydown"));
    assert_non_null(strstr(text, "mvp D-&gt;P"));
    /* No request leaves the page. */
    assert_null(strstr(text, "href=\"http"));
    assert_null(strstr(text, "src="));
    assert_null(strstr(text, "url("));
    assert_null(strstr(text, "@import"));
    assert_null(strstr(text, "fetch("));
    assert_null(strstr(text, "XMLHttpRequest"));
    assert_null(strstr(text, "WebSocket"));
    assert_non_null(strstr(text, "default-src 'none'"));
    free(text);
    done();
}

static void html_of_a_large_trace(void **state)
{
    (void)state;
    record(true, true, true);
    size_t size;
    char *text = html(&size);
    balanced(text);
    assert_true(size < 8000000);
    assert_non_null(strstr(text, "The first 400; takt report TRACE statements"));
    free(text);
    done();
}

static void html_without_total(void **state)
{
    (void)state;
    record(false, false, false);
    size_t size;
    char *text = html(&size);
    balanced(text);
    assert_non_null(strstr(text, "incomplete: there is no total"));
    assert_null(strstr(text, "52 cycles,"));
    free(text);
    done();
}

/* --- timeline --------------------------------------------------------------------------------- */

static char *timeline(struct timeline_options options)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(timeline_print(db, &options, out), TIMELINE_FINE);
    fclose(out);
    return text;
}

static void timeline_of_units(void **state)
{
    (void)state;
    record(true, true, false);
    /* 12 for the label, 2 blanks, 26 columns of two cycles. */
    char *text = timeline((struct timeline_options){.to = INT64_MAX, .width = 40});
    assert_non_null(strstr(text, "cycles 0 to 52, one column = 2 cycles\n"));
    assert_non_null(strstr(text, "\nstream        nnnntttttttttttttttt####__\n"));
    assert_non_null(strstr(text, "\nmau           ......................####\n"));
    assert_non_null(strstr(text, "\nlm0           ....................#pp###\n"));
    assert_non_null(strstr(text, "\ndram0         ...###############........\n"));
    free(text);
    text = timeline((struct timeline_options){.from = 40, .to = 48, .width = 40});
    assert_non_null(strstr(text, "cycles 40 to 48, one column = 1 cycle\n"));
    assert_non_null(strstr(text, "\nlm0           ##pppp##\n"));
    free(text);
    text = timeline((struct timeline_options){.to = INT64_MAX, .width = 40, .json = true});
    json_t *answer = json_loads(text, 0, NULL);
    assert_non_null(answer);
    assert_int_equal(json_array_size(json_object_get(answer, "rows")), 4);
    json_decref(answer);
    free(text);
    FILE *out = fopen("/dev/null", "w");
    assert_int_equal(
        timeline_print(db, &(const struct timeline_options){.from = 52, .to = 60, .width = 80},
                       out),
        TIMELINE_EMPTY);
    fclose(out);
    done();
}

static void timeline_of_statements(void **state)
{
    (void)state;
    record(true, true, false);
    char *text = timeline((struct timeline_options){
        .to = INT64_MAX, .width = 34 + 2 + 52, .statements = true, .rows = 60});
    assert_non_null(strstr(text, "one column = 1 cycle\n"));
    assert_non_null(strstr(text, "     1 mvp/n64 $d0 $p0 i01          "
                                 "qqqq~~##############################~~~~            \n"));
    assert_non_null(strstr(text, "     2 nop/2                        nnnnnnnn"));
    assert_non_null(strstr(text, "     4 fvfma $lr0v $lr8v $lr16v $l  "
                                 "                                        IIII####    \n"));
    free(text);
    text = timeline(
        (struct timeline_options){.to = INT64_MAX, .width = 80, .statements = true, .rows = 2});
    assert_non_null(strstr(text, "and 3 more statements"));
    free(text);
    done();
}

static void timeline_without_intervals(void **state)
{
    (void)state;
    record(false, true, false);
    /* Windows of 16 cycles, columns of 2: dram0 is busy 10, 16 and 4 of 16. */
    char *text = timeline((struct timeline_options){.to = INT64_MAX, .width = 40});
    assert_non_null(strstr(text, "\ndram0         66666666########33333333..\n"));
    free(text);
    done();
}

/* --- why -------------------------------------------------------------------------------------- */

static char *ask_why(const char *unit, uint64_t cycle, bool json)
{
    char *text = NULL;
    size_t size;
    struct why why = {.db = db, .out = open_memstream(&text, &size), .json = json};
    const enum why_status status = unit ? why_unit(&why, unit, cycle) : why_line(&why, NULL, cycle);
    fclose(why.out);
    if (status != WHY_FINE) {
        free(text);
        text = strdup(why.error);
    }
    return text;
}

static void why_of_units(void **state)
{
    (void)state;
    record(true, true, false);
    char *text = ask_why("stream", 20, false);
    assert_string_equal(text,
                        "stream at cycle 20: tag, from 8 to 40 (exact)\n"
                        "  k.vsm:3 wait i01\n"
                        "     held 32 cycles until 40: transfer (dram0)\n"
                        "  <- k.vsm:1 mvp/n64 $d0 $p0 i01, released at 40\n"
                        "     it is a transfer: mvp D->P, issued 0, started 4, finished 40, "
                        "limited by dram0\n"
                        "     k.vsm:1 was held by nothing: it issued in program order; its slack "
                        "is at least 0 cycles\n");
    free(text);
    text = ask_why("lm0", 43, false);
    assert_non_null(strstr(text, "lm0 at cycle 43: port, from 42 to 46 (exact)\n"
                                 "  k.vsm:5 fvfma $lr0v $lr8v $lr16v $lr24v\n"
                                 "     held 4 cycles until 46: port (lm0) [3.6.1.1]\n"
                                 "  <- k.vsm:4 "));
    free(text);
    text = ask_why("mau", 0, false);
    assert_non_null(strstr(text, "mau at cycle 0: idle (exact); it is used next at cycle 44\n"));
    free(text);
    text = ask_why("lm0", 51, false);
    assert_non_null(strstr(text, "busy, from 46 to 52"));
    free(text);
    text = ask_why("dram0", 50, false);
    assert_non_null(strstr(text, "idle (exact); nothing uses it any more"));
    free(text);
    text = ask_why("lm1", 0, false);
    assert_non_null(strstr(text, "there is no unit 'lm1', did you mean 'lm0'?"));
    free(text);
    text = ask_why("mau", 52, false);
    assert_non_null(strstr(text, "cycle 52 is not in the run, which has 52 cycles"));
    free(text);
    text = ask_why("stream", 20, true);
    json_t *answer = json_loads(text, 0, NULL);
    assert_non_null(answer);
    const json_t *chain = json_object_get(answer, "chain");
    assert_int_equal(json_array_size(chain), 2);
    assert_string_equal(string(json_array_get(chain, 0), "kind"), "tag");
    assert_int_equal(number(json_array_get(chain, 0), "waited"), 32);
    assert_int_equal(number(json_object_get(json_array_get(chain, 1), "transfer"), "started"), 4);
    json_decref(answer);
    free(text);
    done();
}

static void why_of_lines(void **state)
{
    (void)state;
    record(false, true, false);
    char *text = ask_why(NULL, 5, false);
    assert_non_null(strstr(text, "held 4 cycles until 46: port (lm0) [3.6.1.1]\n"));
    free(text);
    text = ask_why(NULL, 2, false);
    assert_non_null(strstr(text, "k.vsm:2 nop/2 was held by nothing"));
    assert_non_null(strstr(text, "its slack is at least 32 cycles"));
    free(text);
    text = ask_why(NULL, 77, false);
    assert_string_equal(text, "there is no statement on line 77");
    free(text);
    done();
}

/* Without intervals: what edges, transfers and windows show of this unit, and how surely. */
static void why_by_totals(void **state)
{
    (void)state;
    record(false, true, false);
    static const struct {
        const char *unit;
        uint64_t cycle;
        const char *answer, *more;
    } cases[] = {
        {"stream", 20, "tag, from 8 to 40 (exact)\n  k.vsm:3 wait i01\n     held 32 cycles", ""},
        {"stream", 7, "from windows: busy 0 of 16 cycles from 0 to 16\n",
         "nothing holds it from 0 to 8: it issues statements, or what the machine puts between "
         "them\n     after "
         "k.vsm:1 mvp/n64 $d0 $p0 i01, issued at 0\n     before k.vsm:3 wait i01, issued at 40\n"},
        {"stream", 40, "from windows: busy 8 of 16 cycles from 32 to 48\n",
         "nothing holds it from 40 to 48"},
        {"stream", 50, "drained, from 48 to 52 (exact)\n", ""},
        /* 16 empty cycles of a window leave no doubt, nor do 16 full ones. */
        {"mau", 20, "not busy, from 16 to 32 (exact)\n     the stream there: tag, from 8 to 40",
         "or --window 16:32\n  k.vsm:3 wait i01\n     held 32 cycles until 40: transfer"},
        {"mau", 33, "from windows: busy 4 of 16 cycles from 32 to 48\n     the stream there: tag",
         "or --window 32:48"},
        {"mau", 50, "busy, from 48 to 52 (exact)\n", ""},
        {"dram0", 20, "busy, from 16 to 32 (exact)\n     in flight on it: k.vsm:1 mvp/n64",
         "was held by nothing"},
        {"dram0", 2,
         "from windows: busy 10 of 16 cycles from 0 to 16\n     to begin on it: k.vsm:1",
         "or --window 0:16"},
        {"dram0", 40, "idle (exact)\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = ask_why(cases[i].unit, cases[i].cycle, false);
        char start[200];
        snprintf(start, sizeof start, "%s at cycle %d: %s", cases[i].unit, (int)cases[i].cycle,
                 cases[i].answer);
        if (strncmp(text, start, strlen(start)) != 0 || !strstr(text, cases[i].more))
            fail_msg("%s, not %s ... %s", text, start, cases[i].more);
        free(text);
    }
    char *text = ask_why("mau", 33, true);
    json_t *answer = json_loads(text, 0, NULL);
    assert_non_null(answer);
    assert_true(json_is_false(json_object_get(answer, "exact")));
    assert_int_equal(number(json_object_get(answer, "window"), "busy"), 4);
    assert_string_equal(string(json_object_get(answer, "stream"), "state"), "tag");
    json_decref(answer);
    free(text);
    done();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perfetto_whole),
        cmocka_unit_test(perfetto_window),
        cmocka_unit_test(perfetto_without_intervals),
        cmocka_unit_test(perfetto_lanes),
        cmocka_unit_test(perfetto_times),
        cmocka_unit_test(extents),
        cmocka_unit_test(konata_whole),
        cmocka_unit_test(html_page),
        cmocka_unit_test(html_of_a_large_trace),
        cmocka_unit_test(html_without_total),
        cmocka_unit_test(timeline_of_units),
        cmocka_unit_test(timeline_of_statements),
        cmocka_unit_test(timeline_without_intervals),
        cmocka_unit_test(why_of_units),
        cmocka_unit_test(why_of_lines),
        cmocka_unit_test(why_by_totals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
