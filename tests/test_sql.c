/* Every question on the hand-made trace of tests/trace_sample.h, the first screen, the JSON answer,
 * and what a query may and may not do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "analysis/query.h"
#include "analysis/report.h"
#include "analysis/run_json.h"
#include "analysis/screen.h"
#include "host/number.h"
#include "tests/trace_sample.h"
#include "traces/recorder.h"
#include "traces/schema.h"
#include "traces/slice.h"
#include "traces/store_read.h"

static struct recorder *recorder;
static sqlite3 *db;

static int record(bool complete)
{
    static const struct recorder_options options = {
        .intervals = true, .kept = {.bounds = &sample_bounds, .graph = &sample_graph}};
    char error[600] = "";
    if (recorder_open(&recorder, NULL, &options, error, sizeof error))
        return -1;
    const struct sink sink = recorder_sink(recorder);
    if (sample_begin(&sink) || sample_events(&sink) || sample_finish(&sink, complete))
        return -1;
    db = recorder_db(recorder);
    return slice_register(db) == SQLITE_OK ? 0 : -1;
}

/* What the tables and views of a version are. A trace of the version must have them letter for
 * letter: when this fails, raise SCHEMA_VERSION and write down the new sum. */
static void schema_is_of_its_version(void **state)
{
    (void)state;
    static const struct {
        int version;
        uint64_t sum;
    } known = {1102, 1576766997783194573u};
    sqlite3_stmt *s = NULL;
    uint64_t sum = 14695981039346656037u;
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY "
                                        "type, name",
                                        -1, &s, NULL),
                     SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW)
        for (const unsigned char *c = sqlite3_column_text(s, 0); *c; c++)
            sum = (sum ^ *c) * 1099511628211u;
    sqlite3_finalize(s);
    assert_int_equal(SCHEMA_VERSION, known.version);
    if (sum != known.sum) {
        fail_msg("the tables of version %d have changed; their sum is now %llu", SCHEMA_VERSION,
                 (unsigned long long)sum);
    }
}

static int setup(void **state)
{
    (void)state;
    return record(true);
}

static int setup_incomplete(void **state)
{
    (void)state;
    return record(false);
}

static int teardown(void **state)
{
    (void)state;
    char error[600];
    return recorder_close(recorder, error, sizeof error);
}

static char *question_text(const char *name, enum answer_form form)
{
    const struct question *question = question_find(name);
    assert_non_null(question);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const struct answer_options options = {.form = form};
    const int rc = report_question(db, question, -1, &options, out);
    fclose(out);
    if (rc != SQLITE_OK)
        fail_msg("%s: %s", name, sqlite3_errmsg(db));
    return text;
}

/* The whole answer as CSV, worked out by hand from the head of trace_sample.h. */
static void answers(void **state)
{
    (void)state;
    static const struct {
        const char *name, *csv;
    } expected[] = {
        {"units", "unit,kind,instances,busy,waiting,idle,percent,waits_for\r\n"
                  "dram0,dram,1,30,0,22,57.7,\r\n"
                  "stream,issue,1,8,40,4,15.4,tag 32\r\n"
                  "lm0,port,4096,8,4,40,15.4,port 4\r\n"
                  "mau,mau,1024,8,0,44,15.4,\r\n"},
        {"reasons", "unit,reason,cycles,events,percent\r\n"
                    "stream,busy,8,2,15.4\r\nstream,tag,32,1,61.5\r\nstream,nop,8,1,15.4\r\n"
                    "stream,drained,4,1,7.7\r\nmau,busy,8,2,15.4\r\nmau,idle,44,1,84.6\r\n"
                    "lm0,busy,8,2,15.4\r\nlm0,port,4,1,7.7\r\nlm0,idle,40,1,76.9\r\n"
                    "dram0,busy,30,1,57.7\r\ndram0,idle,22,2,42.3\r\n"},
        {"stalls",
         "waited,times,holds,kind,unit,rule,waiting_line,waiting,culprit_line,culprit\r\n"
         "32,1,stream,tag,dram0,,3,wait i01,1,mvp/n64 $d0 $p0 i01\r\n"
         "4,1,stream,port,lm0,3.6.1.1,5,fvfma $lr0v $lr8v $lr16v $lr24v,4,fvfma $lr0v $lr8v $lr16v "
         "$lr24v\r\n"},
        {"transfers", "line,mode,tag,bytes,issued,started,finished,cycles,"
                      "bytes_per_cycle,waited,waited_by,limited_by,priority,long_words\r\n"
                      "1,mvp D->P,i01,512,0,4,40,36,14.2,32,3,dram0,0,64\r\n"},
        {"statements", "line,text,stream,busy,waiting,execs,ops,bytes_passed,slack,slack_exact\r\n"
                       "3,wait i01,32,0,32,1,0,0,0,0\r\n"
                       "2,nop/2,8,0,8,1,0,0,32,0\r\n"
                       "5,fvfma $lr0v $lr8v $lr16v $lr24v,4,10,4,1,32768,65536,0,0\r\n"
                       "4,fvfma $lr0v $lr8v $lr16v $lr24v,4,6,0,1,32768,65536,0,0\r\n"
                       "1,mvp/n64 $d0 $p0 i01,0,30,0,1,0,512,0,0\r\n"},
        /* dram0: 512 bytes in 52 cycles, 128 a cycle at most; lm0: 131,072 of 65,536. 750 MHz. */
        {"bandwidth", "unit,kind,held,percent_held,bytes,gbytes_per_s,peak_gbytes_per_s,percent,"
                      "peak_of,mode_gbytes_per_s,mode\r\n"
                      "dram0,dram,30,57.7,512,7.38,96,7.7,memory,,\r\n"
                      "lm0,port,8,15.4,131072,1890.46,49152,3.8,port,,\r\n"},
        {"counters", "counter,counted_by,idx,value,unit,percent,meaning\r\n"
                     "steps,,,12,steps,100,steps issued\r\n"
                     "nops.written,,,2,steps,16.7,steps of written nops\r\n"
                     "nops.tags,tag,,9,steps,75,steps sent while the stream waited for a tag\r\n"
                     "nops.tags,tag,1,8,steps,66.7,steps sent while the stream waited for a tag\r\n"
                     "nops.tags,tag,3,1,steps,8.3,steps sent while the stream waited for a tag\r\n"
                     "flops.single,,,65536,operations,100,single precision\r\n"
                     "flops.half,,,0,operations,0,half precision\r\n"},
        /* 65,536 operations in 52 cycles at 750 MHz = 0.945 of 49.152 T; 128 operations a byte at
         * 96 GB/s of memory allow 12.288 T. */
        {"roofline", "precision,flops,tflops,peak_tflops,percent,memory_bytes,intensity,"
                     "memory_tflops,roof\r\n"
                     "single,65536,0.945,49.152,1.9,512,128,12.288,memory\r\n"
                     "half,0,0,393.216,0,512,128,12.288,\r\n"},
        {"windows", "start,finish,unit,busy,percent\r\n"
                    "0,16,dram0,10,62.5\r\n16,32,dram0,16,100\r\n32,48,stream,8,50\r\n"
                    "32,48,mau,4,25\r\n32,48,lm0,4,25\r\n32,48,dram0,4,25\r\n"
                    "48,52,mau,4,100\r\n48,52,lm0,4,100\r\n"},
        {"tags", "tag,transfers,bytes,waited,line,mode,limited_by\r\n"
                 "i01,1,512,32,1,mvp D->P,dram0\r\n"},
        {"hazards", "waited,times,kind,rule,unit,first_line,first,then_line,then_text\r\n"
                    "4,1,port,3.6.1.1,lm0,4,fvfma $lr0v $lr8v $lr16v $lr24v,5,fvfma $lr0v $lr8v "
                    "$lr16v $lr24v\r\n"},
        {"assumed", "provenance,parameters,percent_of_parameters,cycles,percent_of_cycles,"
                    "most,most_cycles,moving\r\n"
                    "documented,2,66.7,48,92.3,,,\r\nassumed,1,33.3,4,7.7,,,\r\n"},
        {"parameters", "name,value,unit,lo,hi,documented,provenance,source,least,greatest\r\n"
                       "clock_hz,750000000,Hz,1,10000000000,750000000,documented,public figure,,"
                       "\r\n"
                       "dram_latency,4,cycles,0,1000,0,assumed,GDDR6 class,,\r\n"
                       "pe_write_latency,6,cycles,0,100,6,documented,3.6.3.9,,\r\n"},
        {"critical", "start,duration,unit,reason,first_line,last_line,text\r\n"
                     "0,4,stream,busy,1,1,mvp/n64 $d0 $p0 i01\r\n"
                     "4,36,dram0,memory,1,1,mvp/n64 $d0 $p0 i01\r\n"
                     "40,8,stream,busy,4,5,fvfma $lr0v $lr8v $lr16v $lr24v\r\n"
                     "48,4,mau,wait-data,5,5,fvfma $lr0v $lr8v $lr16v $lr24v\r\n"},
        {"bounds", "class,kind,unit,cycles,total,gap,percent\r\n"
                   "this-order,path,,48,52,,\r\n"
                   "any-order,unit,stream,16,52,36,69.2\r\n"},
        {"warnings", "name,file,line,sentence\r\nremovable,dir/k.vsm,2,nop/2 x2\r\n"},
        {"check", "rule,subject,expected,found\r\n"},
        /* Of a trace without a run. */
        {"nops", "line,steps,spare,rule,first_line,first,second_line,second,needed,cycles\r\n"},
        /* One region: the stream is busy in 8 cycles, held in 8 + 32, has drained in 4; edges of 32
           and 4. */
        {"regions", "region,statements,cycles,share,issuing,waiting,why,unit,busy,bound,stalls\r\n"
                    "rest,5,52,100,8,40,tag,dram0,57.7,,36\r\n"},
        /* Two equal statements are no loop yet. */
        {"loops", "first_line,last_line,stream,depth,statements,turns,cycles,a_turn,steady,entry,"
                  "exit,limit,percent\r\n"},
    };
    /* None is left out. */
    assert_int_equal(sizeof expected / sizeof *expected, question_count);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char *csv = question_text(expected[i].name, ANSWER_CSV);
        assert_string_equal(csv, expected[i].csv);
        free(csv);
    }
}

/* The head comment names each column, in order; and an example that names the question. */
static void heads_are_true(void **state)
{
    (void)state;
    for (size_t i = 0; i < question_count; i++) {
        const struct question *q = &questions[i];
        size_t size;
        const char *asks = question_asks(q, &size);
        assert_true(!strncmp(q->sql, "-- ", 3) && !strncmp(q->sql + 3, q->name, strlen(q->name)));
        assert_true(size > 10 && (asks[size - 1] == '?' || asks[size - 1] == ')'));
        const char *line = strstr(q->sql, "\n-- columns:\n");
        const char *example = strstr(q->sql, "\n-- example: takt report k.db ");
        assert_non_null(line);
        assert_non_null(example);
        example += strlen("\n-- example: takt report k.db ");
        assert_true(!strncmp(example, q->name, strlen(q->name)));
        line = strchr(line + 1, '\n') + 1;
        sqlite3_stmt *s = NULL;
        assert_int_equal(q->prepare ? q->prepare(db) : SQLITE_OK, SQLITE_OK);
        assert_int_equal(sqlite3_prepare_v2(db, q->sql, -1, &s, NULL), SQLITE_OK);
        for (int c = 0; c < sqlite3_column_count(s); c++) {
            char head[80];
            const int n = snprintf(head, sizeof head, "--   %s: ", sqlite3_column_name(s, c));
            if (strncmp(line, head, (size_t)n))
                fail_msg("%s: column %s is not described in its place", q->name,
                         sqlite3_column_name(s, c));
            line = strchr(line, '\n') + 1;
        }
        assert_true(!strncmp(line, "-- example:", 11) || !strncmp(line, "-- attributes:", 14));
        sqlite3_finalize(s);
    }
}

static void json_is_valid(void **state)
{
    (void)state;
    for (size_t i = 0; i < question_count; i++) {
        char *text = question_text(questions[i].name, ANSWER_JSON);
        json_error_t error;
        json_t *rows = json_loads(text, 0, &error);
        if (!json_is_array(rows))
            fail_msg("%s: %s", questions[i].name, error.text);
        json_decref(rows);
        free(text);
    }
}

static void tables_line_up(void **state)
{
    (void)state;
    char *text = question_text("units", ANSWER_TABLE);
    assert_non_null(
        strstr(text, "unit    kind   instances  busy  waiting  idle  percent  waits_f"));
    assert_non_null(
        strstr(text, "\nlm0     port       4,096     8        4    40     15.4  port 4\n"));
    free(text);
    const struct answer_options narrow = {.width = 70};
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(report_question(db, question_find("hazards"), -1, &narrow, out), SQLITE_OK);
    fclose(out);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 70 + 20); /* heads and numbers are never cut */
    free(text);
}

static char *screen_text(int width)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct store store;
    assert_int_equal(store_read(&store, db), SQLITE_OK);
    assert_int_equal(screen_print(&store, &(const struct screen_options){.width = width}, out), 0);
    store_close(&store);
    fclose(out);
    return text;
}

static void screen_says_it(void **state)
{
    (void)state;
    char *text = screen_text(80);
    assert_string_equal(
        text, "k.vsm   52 cycles   69.33 ns at 750 MHz   (documented numbers alone: 48)\n"
              "  uncertain: takt sensitivity gives the range; 1 constant is unpublished\n"
              "LIMIT   DRAM transfers (memory latency): 69.2 % of the critical path (line 1)\n"
              "FLOOR   16 in any order of these statements: 36 cycles (69.2 %) to gain\n"
              "        (limited by stream)\n"
              "WAITS   32  line 3 waits for line 1   mvp/n64 $d0 $p0 i01             DRAM\n"
              "         4  line 5 waits for line 4   fvfma $lr0v $lr8v $lr16v ..     port (lm0)\n"
              "SPARE   steps, line 2: not timed together\n"
              "UNITS   dram0    57.7 %  ##########........  idle 42.3\n"
              "        stream   15.4 %  ###...............  waits for transfers 61.5, nop 15.4\n"
              "        mau      15.4 %  ###...............  idle 84.6\n"
              "        lm0      15.4 %  ###...............  idle 76.9, port taken 7.7\n"
              "next: takt explain tag\n");
    free(text);
    text = screen_text(200);
    assert_non_null(strstr(text, "LIMIT   DRAM transfers (memory latency): 69.2 % of the critical "
                                 "path (line 1)\nFLOOR   16 in any order of these statements: 36 "
                                 "cycles (69.2 %) to gain (limited by stream)\n"));
    free(text);
    text = screen_text(40);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 40);
    free(text);
}

static void screen_without_total(void **state)
{
    (void)state;
    char *text = screen_text(80);
    assert_non_null(strstr(text, "INCOMPLETE: stopped at cycle 52; there is no total"));
    assert_null(strstr(text, "52 cycles"));
    assert_null(strstr(text, "%"));
    free(text);
    char *check = question_text("check", ANSWER_CSV);
    assert_string_equal(check, "rule,subject,expected,found\r\n");
    free(check);
}

static json_t *run_json(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct store store;
    assert_int_equal(store_read(&store, db), SQLITE_OK);
    assert_int_equal(run_json_print(&store, NULL, out), 0);
    store_close(&store);
    fclose(out);
    json_error_t error;
    json_t *answer = json_loads(text, 0, &error);
    free(text);
    if (!answer)
        fail_msg("%s", error.text);
    return answer;
}

static void run_json_has_its_names(void **state)
{
    (void)state;
    json_t *answer = run_json();
    json_t *clock, *units, *transfers, *bounds, *warnings;
    const char *takt, *program, *machine;
    int complete;
    json_t *tags;
    json_int_t cycles, documented, events, steps, written, f, h;
    double seconds;
    json_error_t error;
    const int rc = json_unpack_ex(
        answer, &error, 0,
        "{s:s,s:s,s:s,s:b,s:I,s:I,s:F,s:o,s:I,s:I,s:{s:I,s:o},s:o,s:{s:I,s:I},s:o,s:o,s:o}", "takt",
        &takt, "program", &program, "machine", &machine, "complete", &complete, "cycles", &cycles,
        "cycles_documented", &documented, "seconds", &seconds, "clock_hz", &clock, "events",
        &events, "steps", &steps, "nops", "written", &written, "tags", &tags, "units", &units,
        "flops", "single", &f, "half", &h, "transfers", &transfers, "bounds", &bounds, "warnings",
        &warnings);
    if (rc)
        fail_msg("%s", error.text);
    assert_true(complete && cycles == 52 && documented == 48 && steps == 12 && events == 17);
    assert_true(written == 2 && f == 65536 && h == 0);
    /* A counter with an index: an object for each, in its order. */
    char *text = json_dumps(tags, JSON_COMPACT);
    assert_string_equal(text, "[{\"tag\":1,\"steps\":8},{\"tag\":3,\"steps\":1}]");
    free(text);
    assert_true(seconds > 69.3e-9 && seconds < 69.4e-9);
    assert_true(json_number_value(clock) == 750e6);
    assert_int_equal(json_array_size(units), 4);
    const json_t *dram = json_array_get(units, 3);
    assert_string_equal(json_string_value(json_object_get(dram, "unit")), "dram0");
    assert_int_equal(json_integer_value(json_object_get(dram, "busy")), 30);
    assert_int_equal(json_integer_value(json_object_get(dram, "total")), 52);
    assert_true(json_real_value(json_object_get(dram, "utilization")) > 0.5769);
    const json_t *t = json_array_get(transfers, 0);
    assert_int_equal(json_integer_value(json_object_get(t, "line")), 1);
    assert_int_equal(json_integer_value(json_object_get(t, "tag")), 1);
    assert_string_equal(json_string_value(json_object_get(t, "tag_name")), "i01");
    assert_int_equal(json_integer_value(json_object_get(t, "priority")), 0);
    assert_int_equal(json_integer_value(json_object_get(t, "long_words")), 64);
    assert_int_equal(json_integer_value(json_object_get(t, "started")), 4);
    assert_int_equal(json_integer_value(json_object_get(t, "finished")), 40);
    assert_string_equal(json_string_value(json_object_get(t, "mode")), "mvp D->P");
    assert_string_equal(json_string_value(json_object_get(t, "limited_by")), "dram0");
    assert_int_equal(json_array_size(bounds), 2);
    assert_int_equal(json_array_size(warnings), 1);
    json_decref(answer);
}

static void run_json_without_total(void **state)
{
    (void)state;
    json_t *answer = run_json();
    assert_true(json_is_false(json_object_get(answer, "complete")));
    assert_true(json_is_null(json_object_get(answer, "cycles")));
    assert_true(json_is_null(json_object_get(answer, "seconds")));
    json_decref(answer);
}

static int run_query(const char *sql, struct query_options options, char **text, char error[600])
{
    size_t size;
    FILE *out = open_memstream(text, &size);
    const int status = query_run(db, sql, &options, out, error, 600);
    fclose(out);
    return status;
}

static void queries_read(void **state)
{
    (void)state;
    static const struct query_options csv = {.answer = {.form = ANSWER_CSV, .row_limit = 1000}};
    char *text, error[600];
    assert_int_equal(run_query("SELECT count(*) FROM stmt; -- done", csv, &text, error),
                     QUERY_FINE);
    assert_string_equal(text, "count(*)\r\n5\r\n");
    free(text);
    /* Packed intervals as rows. */
    assert_int_equal(run_query("SELECT ts, dur, category, name FROM slice WHERE track_id = 0 AND "
                               "ts >= 8 AND ts < 48",
                               csv, &text, error),
                     QUERY_FINE);
    assert_string_equal(text, "ts,dur,category,name\r\n8,32,tag,wait i01\r\n"
                              "40,4,busy,fvfma $lr0v $lr8v $lr16v $lr24v\r\n"
                              "44,4,busy,fvfma $lr0v $lr8v $lr16v $lr24v\r\n");
    free(text);
    /* Intervals and totals are the same cycles. */
    assert_int_equal(run_query("SELECT count(*) FROM (SELECT track_id, reason, sum(dur) AS d FROM "
                               "slice GROUP BY 1, 2) s JOIN unit_total t ON t.unit = s.track_id "
                               "AND t.reason = s.reason AND t.cycles = s.d",
                               csv, &text, error),
                     QUERY_FINE);
    assert_string_equal(text, "count(*)\r\n8\r\n");
    free(text);
    assert_int_equal(run_query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                               "SELECT i FROM n",
                               csv, &text, error),
                     QUERY_CUT);
    free(text);
    /* No end: the clock stops it. */
    struct query_options quick = csv;
    quick.seconds = 0.2;
    const time_t before = time(NULL);
    assert_int_equal(run_query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                               "SELECT count(*) FROM n",
                               quick, &text, error),
                     QUERY_LATE);
    assert_true(time(NULL) - before < 10);
    free(text);
}

static void queries_do_not_write(void **state)
{
    (void)state;
    static const struct query_options csv = {.answer = {.form = ANSWER_CSV}};
    static const char *const bad[] = {
        "INSERT INTO meta VALUES ('a', 1)",
        "UPDATE meta SET value = 2",
        "DELETE FROM stmt_row",
        "DROP TABLE stmt",
        "CREATE TABLE x (a)",
        "CREATE TEMP TABLE x (a)",
        "ATTACH 'other.db' AS other",
        "DETACH main",
        "VACUUM INTO 'copy.db'",
        "PRAGMA journal_mode = WAL",
        "PRAGMA query_only = 0",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('x')",
        "SELECT fts3_tokenizer('simple')",
        "SELECT hex(fts3_tokenizer('simple', x'4141414141414141'))",
        "BEGIN",
        "REINDEX",
        "ANALYZE",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE stmt",
        "",
        "-- nothing",
        "SELEC 1",
        "SELECT nonsense FROM stmt",
        "SELECT zeroblob(1000000000)",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *text, error[600] = "";
        const int status = run_query(bad[i], csv, &text, error);
        if (status != QUERY_REFUSED || !*error)
            fail_msg("%s: %d %s", bad[i], status, error);
        free(text);
    }
    char *text, error[600];
    assert_int_equal(run_query("PRAGMA table_info(stmt)", csv, &text, error), QUERY_FINE);
    free(text);
}

static void csv_and_json_quote(void **state)
{
    (void)state;
    struct query_options options = {.answer = {.form = ANSWER_CSV}};
    static const char sql[] = "SELECT 'a,\"b\"' AS \"x y\", 1.5 AS r, NULL AS n, x'00ff' AS b, "
                              "char(10) || 'z' AS l, CAST(x'80' AS TEXT) AS bad";
    char *text, error[600];
    assert_int_equal(run_query(sql, options, &text, error), QUERY_FINE);
    static const char csv[] = "x y,r,n,b,l,bad\r\n\"a,\"\"b\"\"\",1.5,,00ff,\"\nz\",";
    assert_int_equal(strncmp(text, csv, sizeof csv - 1), 0);
    free(text);
    options.answer.form = ANSWER_JSON;
    assert_int_equal(run_query(sql, options, &text, error), QUERY_FINE);
    json_t *rows = json_loads(text, 0, NULL);
    assert_non_null(rows);
    const json_t *row = json_array_get(rows, 0);
    assert_string_equal(json_string_value(json_object_get(row, "x y")), "a,\"b\"");
    assert_string_equal(json_string_value(json_object_get(row, "b")), "00ff");
    assert_string_equal(json_string_value(json_object_get(row, "l")), "\nz");
    assert_string_equal(json_string_value(json_object_get(row, "bad")), "\xef\xbf\xbd");
    json_decref(rows);
    free(text);
}

static void numbers_are_grouped(void **state)
{
    (void)state;
    char text[NUMBER_TEXT];
    assert_string_equal(number_group(text, 0), "0");
    assert_string_equal(number_group(text, 999), "999");
    assert_string_equal(number_group(text, 1000), "1,000");
    assert_string_equal(number_group(text, -1234567), "-1,234,567");
    assert_string_equal(number_group(text, INT64_MIN), "-9,223,372,036,854,775,808");
}

/* What v_check finds is reported, the first ten of it and how many more; of a whole trace it finds
 * nothing. */
static void differences_are_reported(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "SELECT 1", "UPDATE unit_total SET cycles = cycles + 1",
        "UPDATE transfer SET started = finished + 9; DELETE FROM stmt_cost_set"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *text = NULL, more[40];
        size_t size;
        FILE *out = open_memstream(&text, &size);
        assert_int_equal(sqlite3_exec(db, "SAVEPOINT whole", NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, changes[i], NULL, NULL, NULL), SQLITE_OK);
        const int found = report_check(db, out);
        assert_int_equal(sqlite3_exec(db, "ROLLBACK TO whole; RELEASE whole", NULL, NULL, NULL),
                         SQLITE_OK);
        fclose(out);
        int lines = 0;
        for (const char *at = text; (at = strstr(at, ": expected ")) != NULL; at++)
            lines++;
        assert_true(found >= 0 && (found > 0) == (i > 0));
        assert_int_equal(lines, found < 10 ? found : 10);
        snprintf(more, sizeof more, "and %d more\n", found - 10);
        assert_int_equal(strstr(text, more) != NULL, found > 10);
        free(text);
    }
}

int main(void)
{
#define COMPLETE(test)   cmocka_unit_test_setup_teardown(test, setup, teardown)
#define INCOMPLETE(test) cmocka_unit_test_setup_teardown(test, setup_incomplete, teardown)
    const struct CMUnitTest tests[] = {
        COMPLETE(answers),
        COMPLETE(heads_are_true),
        COMPLETE(json_is_valid),
        COMPLETE(tables_line_up),
        COMPLETE(screen_says_it),
        INCOMPLETE(screen_without_total),
        COMPLETE(run_json_has_its_names),
        INCOMPLETE(run_json_without_total),
        COMPLETE(queries_read),
        COMPLETE(queries_do_not_write),
        COMPLETE(csv_and_json_quote),
        cmocka_unit_test(numbers_are_grouped),
        COMPLETE(schema_is_of_its_version),
        COMPLETE(differences_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
