/* takt why as a user meets it: the wait that it names, who held it, and what it does when a trace
 * does not say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <sqlite3.h>

#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define RUN(...) takt_run((const char *const[]){__VA_ARGS__, NULL})

static const char *state_of(const json_t *answer)
{
    return json_string_value(json_object_get(answer, "state"));
}

static bool is_one_of(const char *text, const char *const *list)
{
    while (*list && strcmp(text, *list))
        list++;
    return *list;
}

/* The answer by totals alone, against the one by the intervals of the same run. Returns whether it
 * claims to be exact. */
static bool same_answer(const char *totals, const char *detail, const char *unit, unsigned cycle)
{
    char place[64];
    snprintf(place, sizeof place, "%s@%u", unit, cycle);
    struct takt_result a = RUN("why", totals, place, "--json");
    struct takt_result b = RUN("why", detail, place, "--json");
    json_t *said = json_loads(a.out, 0, NULL), *is = json_loads(b.out, 0, NULL);
    if (!said || !is)
        fail_msg("%s: %s %s", place, a.err, b.err);
    if (!json_is_true(json_object_get(is, "exact")))
        fail_msg("%s: %s", place, b.out);
    const bool exact = json_is_true(json_object_get(said, "exact"));
    const char *state = state_of(said), *true_state = state_of(is);
    static const char *const issues[] = {"busy", "nop", "packing", "idle", NULL};
    static const char *const anything[] = {"busy", "idle", NULL};
    const bool right = !strcmp(state, "issues")     ? is_one_of(true_state, issues)
                       : !exact                     ? true
                       : !strcmp(state, "not busy") ? strcmp(true_state, "busy") != 0
                                                    : !strcmp(state, true_state);
    const bool held = exact && !is_one_of(state, anything) && strcmp(state, "not busy") != 0;
    if (!right ||
        (held && (!json_equal(json_object_get(said, "from"), json_object_get(is, "from")) ||
                  !json_equal(json_object_get(said, "to"), json_object_get(is, "to")))))
        fail_msg("%s is %s: %s", place, b.out, a.out);
    json_decref(said);
    json_decref(is);
    takt_result_free(&a);
    takt_result_free(&b);
    return exact;
}

/* A transfer's own waits, back in time to the first that all others stand behind: the statements of
 * one link after the other, and nothing that happened later. */
static void chains_go_back_in_time(void **state)
{
    (void)state;
    const char *trace = takt_record("examples/mncore2/fma.vsm", "--no-detail");
    takt_expect(ARGS("why", trace, "issue@500"), 0,
                "issue at cycle 500: tag, from 376 to 564 (exact)\n  fma.vsm:38 nop; wait i03\n",
                NULL);
    struct takt_result r = RUN("why", trace, "issue@500", "--json");
    json_t *answer = json_loads(r.out, 0, NULL);
    const json_t *chain = json_object_get(answer, "chain");
    assert_true(json_array_size(chain) >= 5);
    json_int_t before = INT64_MAX;
    size_t i;
    json_t *link;
    json_array_foreach(chain, i, link)
    {
        /* The first wait of an edge began before what follows was released. */
        const json_int_t waited = json_integer_value(json_object_get(link, "waited"));
        const json_int_t at = json_integer_value(json_object_get(link, "at"));
        assert_true(waited > 0 && at <= 564 && at - waited < before);
        before = at;
    }
    link = json_array_get(chain, json_array_size(chain) - 1);
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(link, "statement"), "line")), 18);
    assert_string_equal(json_string_value(json_object_get(link, "kind")), "memory");
    json_decref(answer);
    takt_result_free(&r);
    /* Those that stand in the DRAM's queue are named: the transfer of line 23 came last. */
    takt_expect(
        ARGS("query", trace, "--csv",
             "SELECT src_line, dst_line FROM v_dep WHERE kind = 'memory' AND dst_line BETWEEN 18 "
             "AND 23 ORDER BY dst_line"),
        0, "src_line,dst_line\r\n,18\r\n18,19\r\n19,20\r\n20,21\r\n21,22\r\n22,23\r\n", NULL);
}

/* Two streams of one program: a statement of one holds the same statement of the other. A wait that
 * happened once stands in a chain once, and the chain ends where the first of both began. */
static void streams_of_one_program(void **state)
{
    (void)state;
    const char *trace = takt_record("examples/ventus/matmul.ventus", NULL);
    unsigned alike = 0;
    for (unsigned cycle = 40; cycle < 600; cycle += 40) {
        char place[64];
        snprintf(place, sizeof place, "sm0.warp%u@%u", cycle / 40 % 2, cycle);
        struct takt_result r = RUN("why", trace, place, "--json");
        json_t *answer = json_loads(r.out, 0, NULL);
        const json_t *chain = json_object_get(answer, "chain");
        assert_true(json_array_size(chain) < 64);
        for (size_t i = 0; i < json_array_size(chain); i++)
            for (size_t k = 0; k < i; k++) {
                const json_t *a = json_array_get(chain, i), *b = json_array_get(chain, k);
                if (json_integer_value(json_object_get(a, "times")) == 1 && json_equal(a, b))
                    fail_msg("%s: %s", place, r.out);
            }
        alike += strstr(r.out, "\"kind\": \"queue\"") != NULL;
        json_decref(answer);
        takt_result_free(&r);
    }
    assert_true(alike > 0);
}

/* The only value of a query. */
static int64_t value_of(const char *trace, const char *sql)
{
    struct takt_result r = RUN("query", trace, "--csv", sql);
    const char *line = strchr(r.out, '\n');
    if (r.exit_code != 0 || !line)
        fail_msg("%s: %s", sql, r.err);
    const int64_t value = strtoll(line + 1, NULL, 10);
    takt_result_free(&r);
    return value;
}

/* Three that share pdm0, in operations of 4 cycles without latencies. Who has waited longest goes
 * first; the second's pace is 16, that of the others 4 and 8: from cycle 0 on a b c a a c a b c, a
 * pause, c b. So at 16 the third begins to wait for the first, as it does from 0 to 8 and from 28
 * to 32 for the second. */
static const char three[] = "mvp/n256i08 $lc2816@0.1 $p704@0\nmvp/n192i07 $d348654208@2 $p2496@0\n"
                            "mvb/n256i02 $p3008@0 $lc3008\n";

static const char *record_direct(const char *text, const char *detail)
{
    const char *program = takt_temp_file("direct.vsm", text);
    const char *trace = takt_temp_path("direct.db");
    unlink(trace);
    takt_expect(ARGS("run", program, "--trace", trace, "--quiet", "--timing-only", "--packing",
                     "none", "--silence", "all", "--set", "mv_start_latency=0", "--set",
                     "mv_notice_latency=0", "--set", "dram_tccd=0", "--set", "dram_trcd=0", "--set",
                     "dram_trp=0", "--set", "dram_tras=0", "--set", "dram_tcl=0", "--set",
                     "dram_turnaround=0", "--set", "dram_trefi=0", "--set", "dram_controller=0",
                     "--set", "dram_port=16", detail), /* whole cycles for each operation */
                0, NULL, NULL);
    return trace;
}

/* The wait that covers the cycle is the answer, not a longer one of the same transfer. */
static void the_wait_of_the_cycle(void **state)
{
    (void)state;
    const char *trace = record_direct(three, "--detail");
    takt_expect(ARGS("why", trace, "l2bm0.0@19"), 0,
                "l2bm0.0 at cycle 19: port, from 16 to 20 (exact)\n"
                "  direct.vsm:3 mvb/n256i02 $p3008@0 $lc3008\n"
                "     held 4 cycles until 20: port (pdm0) [3.5.8]\n"
                "  <- direct.vsm:1 mvp/n256i08 $lc2816@0.1 $p704@0, released at 20\n",
                NULL);
    takt_expect(
        ARGS("why", trace, "l2bm0.0@1"), 0,
        "l2bm0.0 at cycle 1: port, from 0 to 8 (exact)\n"
        "  direct.vsm:3 mvb/n256i02 $p3008@0 $lc3008\n"
        "     held 12 cycles in 2 waits, the first until 8, the last until 32: port (pdm0) [3.5.8]\n"
        "  <- direct.vsm:2 mvp/n192i07 $d348654208@2 $p2496@0, released at 8\n",
        NULL);
    takt_expect(ARGS("why", trace, "l2bm0.0@31"), 0,
                "the last until 32: port (pdm0) [3.5.8]\n"
                "  <- direct.vsm:2 mvp/n192i07 $d348654208@2 $p2496@0, released at 32\n",
                NULL);
    /* Totals say as much where a wait stands alone, and say so where it does not. */
    trace = record_direct(three, "--no-detail");
    takt_expect(ARGS("why", trace, "l2bm0.0@19"), 0,
                "held 4 cycles until 20: port (pdm0) [3.5.8]\n  <- direct.vsm:1 ", NULL);
    takt_expect(ARGS("why", trace, "l2bm0.0@1"), 0,
                "     the trace does not say which of its waits this is; it may be:\n"
                "  direct.vsm:3 mvb/n256i02 $p3008@0 $lc3008\n     held 12 cycles in 2 waits, ",
                NULL);
    takt_expect(ARGS("why", trace, "l2bm0.0@1", "--json"), 0, "\"certain\": false", NULL);
    takt_expect(ARGS("why", trace, "l2bm0.0@19", "--json"), 0, "\"certain\": true", NULL);
}

/* Of a wait at a port the intervals alone show what it was for: the holder that released the port
 * in the cycle in which the transfer went on. Of three crowds. */
static void waits_name_the_holder(void **state)
{
    (void)state;
    char many[2000], *at = many;
    at += sprintf(at, "mvp/n1024i01 $p0@0 $lc0@0.0\nnop/3\n");
    for (int i = 0; i < 8; i++)
        at += sprintf(at, "mvp/n128p%d $p%d@0 $%s\nnop/%d\n", i % 3, 8192 + 128 * i,
                      i % 2 ? "d0@1" : "lc512@0.1", 3 + i % 4);
    const char *const programs[] = {
        three, many, "mvp/n128i05 $lc1856@0.1 $d320@3\nnop\nmvrdfadd/n512i02 $lc14848 $d393216\n"};
    static const char *const units[] = {"l2bm0.0", "link0-1", "dram2"};
    unsigned questions = 0;
    for (size_t p = 0; p < 3; p++) {
        const char *trace = record_direct(programs[p], "--detail");
        const int64_t cycles = value_of(trace, "SELECT cycles FROM v_reached");
        for (int64_t n = 0; n < cycles; n += often_long() ? 1 : 4) {
            char place[64], sql[600];
            const char *unit = units[n % 3];
            snprintf(place, sizeof place, "%s@%" PRId64, unit, n);
            struct takt_result r = RUN("why", trace, place, "--json");
            json_t *answer = json_loads(r.out, 0, NULL);
            const char *wait = state_of(answer);
            static const char *const waits[] = {"port", "link", "priority", NULL};
            const json_t *link = json_array_get(json_object_get(answer, "chain"), 0);
            if (is_one_of(wait, waits)) {
                const json_int_t line =
                    json_integer_value(json_object_get(json_object_get(link, "statement"), "line"));
                const json_int_t until = json_integer_value(json_object_get(link, "at"));
                const char *kind = json_string_value(json_object_get(link, "kind"));
                const char *rule = json_string_value(json_object_get(link, "rule"));
                const char *shared = json_string_value(json_object_get(link, "unit"));
                const json_t *next = json_array_get(json_object_get(answer, "chain"), 1);
                assert_non_null(shared);
                assert_string_equal(kind, strncmp(shared, "link", 4) ? "port" : "link");
                assert_string_equal(rule, strcmp(wait, "priority") ? "3.5.8" : "3.5.7");
                assert_true(json_is_true(json_object_get(link, "certain")));
                snprintf(sql, sizeof sql,
                         "SELECT min(ts) FROM slice l JOIN unit u ON u.id = l.track_id JOIN stmt s "
                         "ON s.id = l.stmt WHERE u.name = '%s' AND s.line = %d AND category = "
                         "'busy' AND ts > %d",
                         unit, (int)line, (int)n);
                if (value_of(trace, sql) != until)
                    fail_msg("%s until %d: %s", place, (int)until, r.out);
                snprintf(
                    sql, sizeof sql,
                    "SELECT count(*) FROM slice l JOIN unit u ON u.id = l.track_id JOIN stmt s "
                    "ON s.id = l.stmt WHERE u.name = '%s' AND s.line = %d AND category = "
                    "'busy' AND ts + dur = %d",
                    shared,
                    (int)json_integer_value(
                        json_object_get(json_object_get(next, "statement"), "line")),
                    (int)until);
                if (value_of(trace, sql) != 1)
                    fail_msg("%s: %s", place, r.out);
                questions++;
            }
            json_decref(answer);
            takt_result_free(&r);
        }
    }
    assert_true(questions > (often_long() ? 30 : 7));
}

/* 20 transfers in turn hold one for 8 cycles each: the first and the last of them are named. */
static void first_and_last_holders(void **state)
{
    (void)state;
    char text[2000], *at = text;
    at += sprintf(at, "mvp/n4096i01 $p0@0 $lc0@0.0\nnop/3\n");
    for (int i = 0; i < 20; i++)
        at += sprintf(at, "mvp/n128p3 $p%d@0 $lc%d@0.1\nnop/5\n", 8192 + 128 * i, 128 * i);
    const char *trace = record_direct(text, "--detail");
    assert_int_equal(value_of(trace, "SELECT sum(waited) FROM dep WHERE dst = 0"), 160);
    struct takt_result r = RUN("report", trace, "stalls", "--top", "0", "--csv");
    assert_int_equal(r.exit_code, 0);
    for (int i = 0; i < 20; i++) {
        char row[200];
        snprintf(row, sizeof row, "8,1,transfer,port,pdm0,3.5.7,1,mvp/n4096i01 $p0@0 $lc0@0.0,%d,",
                 3 + 2 * i);
        if (!strstr(r.out, row))
            fail_msg("no %s in %s", row, r.out);
    }
    takt_result_free(&r);
    /* Transfer i of line 3 + 2i issues at 12 + 20i and holds pdm0 for 8 cycles: at 233 it is 11. */
    takt_expect(ARGS("why", trace, "l2bm0.0@233"), 0,
                "l2bm0.0 at cycle 233: priority, from 232 to 240 (exact)\n"
                "  direct.vsm:1 mvp/n4096i01 $p0@0 $lc0@0.0\n"
                "     held 8 cycles until 240: port (pdm0) [3.5.7]\n"
                "  <- direct.vsm:25 mvp/n128p3 $p9600@0 $lc1408@0.1, released at 240\n",
                NULL);
}

static void why_needs_no_intervals(void **state)
{
    (void)state;
    const char *const hand_made[] = {
        takt_temp_file("interlock.vsm", "lpassa $lm0v $lr0v\nlpassa $lr0v $ln0v\n"
                                        "fvadd $lm0v $lm0v $lr8v\nfvmul $lr8v $lr8v $ln8v\n"
                                        "mvp/n256i01 $p0@0 $lc0@0.0\nmvp/n256i02p3 $p0@0 $lc0@0.1\n"
                                        "mvp/n256i03 $p1024@0 $lc512@1.0\nnop/5\n"
                                        "nop; wait i02\nl2bmd $lc0 $lb0\nnop; wait i03\n"
                                        "nop; wait i01\n"),
        takt_temp_file("links.vsm", "mvp/n512i01 $p0@0 $p0@1\nmvp/n512i02p2 $p512@0 $p512@1\n"
                                    "mvp/n512i03 $d0@0 $p1024@1\nmvp/n512i04p1 $d8192@0 $p2048@0\n"
                                    "nop/40\nlpassa $lm0v $lr0v\nnop; wait i01\nnop; wait i02\n"
                                    "nop/3; wait i03\nnop; wait i04\nmvp/n512 $p0@2 $p0@3\n"),
        "examples/mncore2/fma.vsm",
        "examples/amx/matmul.amx",
        "examples/kelvin/dot.kelvin",
        "examples/ventus/histogram.ventus",
        "examples/loops/matmul.loops"};
    static const char *const units[][4] = {{"issue", "grf0.w", "pdm0", "link0-1"},
                                           {"issue", "alu", "link0-1", "dram0"},
                                           {"issue", "lm0", "dram0", "l2bm0.1"},
                                           {"cpu0", "array0", "ldst0", "cpu0"},
                                           {"core", "vldst", "valu0", "mem"},
                                           {"sm0.fetch", "sm0.issue", "sm0.lsu", "sm1.warp3"},
                                           {"traversal0", "banks0", "math0", "control0"}};
    char traces[2][256];
    for (size_t i = 0; i < sizeof hand_made / sizeof *hand_made; i += often_long() ? 1 : 2) {
        for (int d = 0; d < 2; d++) {
            snprintf(traces[d], sizeof traces[d], "%s",
                     takt_temp_path(d ? "detail.db" : "totals.db"));
            unlink(traces[d]);
            takt_expect(ARGS("run", hand_made[i], "--trace", traces[d], "--quiet", "--silence",
                             "all", d ? "--detail" : "--no-detail", i == 0 ? "--interlock" : NULL),
                        0, NULL, NULL);
        }
        struct takt_result cycles =
            RUN("query", traces[0], "SELECT cycles FROM v_reached", "--csv");
        const unsigned total = (unsigned)strtoul(strchr(cycles.out, '\n') + 1, NULL, 10);
        takt_result_free(&cycles);
        assert_in_range(total, 20, 200000);
        int exact = 0, questions = 0;
        for (unsigned n = 0; n < 24; n += often_long() ? 1 : 3, questions++)
            exact += same_answer(traces[0], traces[1], units[i][n % 4], n * (total - 1) / 23);
        if (total < 2000 && exact < questions / 2) /* windows of few cycles */
            fail_msg("%s: %d of %d are exact", hand_made[i], exact, questions);
    }
}

static void chains_are_printed(void **state)
{
    (void)state;
    const char *trace = takt_record("examples/mncore2/fma.vsm", "--detail");
    takt_expect(ARGS("why", trace, "issue@200"), 0, "issue at cycle 200: tag, from ", NULL);
    takt_expect(ARGS("why", trace, "issue@200"), 0, "it is a transfer: mvp D->C", NULL);
    takt_expect_json(ARGS("why", trace, "issue@200", "--json"));
    takt_expect(ARGS("why", trace, "isue@200"), 1, NULL, "did you mean 'issue'?");
    takt_expect(ARGS("why", trace, "issue@99999999"), 1, NULL, "is not in the run");
    takt_expect(ARGS("why", trace, "--line", "1"), 1, NULL, "there is no statement on line 1");
    takt_expect(ARGS("why", trace, "issue"), 2, NULL, "UNIT@CYCLE");
    takt_expect(ARGS("why", trace), 2, NULL, NULL);
}

/* A program instead of a trace: LM0 may be read two steps behind the write (3.6.3.9), the rest of
 * the nops serves nobody; the transfer of 20 operations is done long after the last wait. */
static void of_a_program(void **state)
{
    (void)state;
    const char *program =
        takt_temp_file("needs.vsm", "mvp/n1280i01 $p0@0 $lc0@0.0\nzero $lm0v\nnop/4\n"
                                    "lpassa $lm0v $lr0v\nnop; wait i01\nnop/3\n");
    takt_expect(ARGS("why", program, "--line", "3"), 0, "  2 -> 4, 3.6.3.9: 2 of 4\n", NULL);
    takt_expect(ARGS("why", program, "--line", "3"), 0, "2 of 4 steps could go", NULL);
    takt_expect(ARGS("why", program, "--line", "6"), 0, "nothing needs it: 3 of 3 steps", NULL);
    takt_expect(ARGS("why", program, "--line", "4"), 0, "slack: ", NULL);
    takt_expect(ARGS("why", program, "issue@0"), 0, "issue at cycle 0", NULL);
    takt_expect_json(ARGS("why", program, "--line", "3", "--json"));
    takt_expect(ARGS("why", program, "--line", "9"), 1, NULL, "there is no statement on line 9");
    takt_expect(ARGS("why", "examples/amx/matmul.amx", "--line", "99999"), 1, NULL, "no statement");
    const char *trace = takt_record(program, "--detail");
    takt_expect(ARGS("why", trace, "--line", "3"), 0, "  2 -> 4, 3.6.3.9: 2 of 4\n", NULL);
    takt_expect(ARGS("why", trace, "--line", "6"), 0, "nothing needs it: 3 of 3 steps", NULL);
    takt_expect(ARGS("why", trace, "--line", "3", "--set", "dram_tcl=3"), 2, NULL,
                "these are for a program");
}

/* The numbers of the run and its options, from the trace: without a hazard of LM nothing is due. */
static void needs_by_the_numbers_of_the_trace(void **state)
{
    (void)state;
    const char *program =
        takt_temp_file("lm.vsm", "lpassa $lr0v $lm0v\nnop/2\nlpassa $lm0v $ls0v\n");
    takt_expect(ARGS("why", takt_record(program, "--detail"), "--line", "2"), 0, "2 of 2\n", NULL);
    takt_expect(ARGS("why", takt_record(program, "--documented"), "--line", "2"), 0, "2 of 2\n",
                NULL);
    const char *trace = takt_temp_path("lm0.db");
    takt_expect(ARGS("run", program, "--set", "hazard_lm=0", "--quiet", "--trace", trace), 0, NULL,
                NULL);
    takt_expect(ARGS("why", trace, "--line", "2"), 0, "nothing needs it: 2 of 2", NULL);
}

static long cycles_of(const char *text)
{
    struct takt_result run = RUN("run", takt_temp_file("delayed.vsm", text), "--packing", "none",
                                 "--timing-only", "--silence", "all", "--json");
    json_t *answer = json_loads(run.out, 0, NULL);
    if (!answer)
        fail_msg("%s\n%s", run.err, text);
    const long cycles = (long)json_integer_value(json_object_get(answer, "cycles"));
    json_decref(answer);
    takt_result_free(&run);
    return cycles;
}

/* So many nops more in front of a line, which is one statement in the stream as written. */
static long delayed(const char *text, unsigned line, long nops)
{
    char *changed = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&changed, &size);
    unsigned at = 1;
    for (const char *from = text; *from; from = strchr(from, '\n') + 1, at++) {
        if (at == line && nops)
            fprintf(out, "nop/%ld\n", nops);
        fprintf(out, "%.*s\n", (int)strcspn(from, "\n"), from);
    }
    fclose(out);
    const long cycles = cycles_of(changed);
    free(changed);
    return cycles;
}

static const char *text_of(const char *text, unsigned line, char statement[64])
{
    while (--line > 0)
        text = strchr(text, '\n') + 1;
    snprintf(statement, 64, "%.*s", (int)strcspn(text, "\n"), text);
    return statement;
}

/* The slack of a trace, of takt deps and of takt expect, by nops: so many are free and one more is
 * not, but where the statement is held: its slack counts from when it goes. Without packing each
 * nop is a step of 4 cycles. */
static void slack_is_what_nops_show(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "mvp/n1280i01 $p0@0 $lc0@0.0\nzero $lm0v\nnop/4\nlpassa $lm0v $lr0v\nnop; wait i01\n"
        "nop/3\n",
        "mvp/n64i01 $p0@0 $lc0@0.0\nlpassa $lm0v $lr0v\nmvp/n64i02 $p0@1 $lc0@1.0\n"
        "lpassa $lm8v $ls0v\nnop; wait i01\nnop; wait i02\nlpassa $lm16v $ls8v\n",
        "mvb2/n1024i01 $d0 $lc0\nzero $lm0v\nnop; wait i01\nl2bmb $lc0 $lb0\n"
        "mvp/n64i02 $p0@0 $lc4096@0.0\nnop/2\nzero $ln0v\nnop; wait i02\n"};
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        const char *text = programs[p];
        char *trace = strdup(takt_temp_path("slack.db"));
        char *program = strdup(takt_temp_file("slack.vsm", text));
        takt_expect(ARGS("run", program, "--packing", "none", "--quiet", "--silence", "all",
                         "--trace", trace),
                    0, NULL, NULL);
        struct takt_result rows =
            RUN("query", trace,
                "SELECT line, slack, exact FROM stmt_slack k JOIN stmt s ON s.id = "
                "k.stmt ORDER BY line",
                "--json");
        json_t *answer = json_loads(rows.out, 0, NULL), *row;
        const long total = cycles_of(text);
        size_t i;
        assert_true(json_array_size(answer) >= 5);
        json_array_foreach(answer, i, row)
        {
            const unsigned line = (unsigned)json_integer_value(json_object_get(row, "line"));
            const long slack = (long)json_integer_value(json_object_get(row, "slack"));
            char wanted[64], statement[64];
            assert_int_equal(json_integer_value(json_object_get(row, "exact")), 1);
            assert_int_equal(slack % 4, 0);
            const bool waits = strstr(text_of(text, line, statement), "wait") != NULL;
            if (delayed(text, line, slack / 4) != total ||
                (!waits && delayed(text, line, slack / 4 + 1) <= total))
                fail_msg("line %u: slack %ld of %ld\n%s", line, slack, total, text);
            snprintf(wanted, sizeof wanted, "slack(%u) == %ld", line, slack);
            takt_expect(ARGS("expect", trace, wanted), 0, "ok", NULL);
            takt_expect(ARGS("expect", program, "--packing", "none", "--timing-only", wanted), 0,
                        "ok", NULL);
            snprintf(wanted, sizeof wanted, "  %-14u %ld cycles\n", line, slack);
            takt_expect(ARGS("deps", program, "--packing", "none"), 0, wanted, NULL);
        }
        json_decref(answer);
        takt_result_free(&rows);
        free(trace);
        free(program);
    }
}

/* A run without values does not know where an indirect transfer reads. */
static void values_where_time_needs_them(void **state)
{
    (void)state;
    const char *program = takt_temp_file("di.vsm", "l2bmdars $lc0@.0 $dar0\nnop\nl2bmdarw\nnop/10\n"
                                                   "mvb2/n64nd1i01 $di0 $lc0\nnop; wait i01\n");
    takt_expect(ARGS("bound", program), 0, "any order", NULL);
    takt_expect(ARGS("deps", program, "--line", "di.vsm:5"), 0, "3 -> 5", NULL);
    takt_expect(ARGS("why", program, "--line", "5"), 0, "slack: ", NULL);
    takt_expect(ARGS("bound", program, "--timing-only"), 1, NULL, "depends on the DAR");
    takt_expect(ARGS("bound", program, "--init", "random:3"), 0, "any order", NULL);
    takt_expect(ARGS("deps", program, "--line", "other.vsm:5"), 1, NULL,
                "there is no statement on");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_go_back_in_time),
        cmocka_unit_test(streams_of_one_program),
        cmocka_unit_test(the_wait_of_the_cycle),
        cmocka_unit_test(waits_name_the_holder),
        cmocka_unit_test(first_and_last_holders),
        cmocka_unit_test(why_needs_no_intervals),
        cmocka_unit_test(chains_are_printed),
        cmocka_unit_test(of_a_program),
        cmocka_unit_test(needs_by_the_numbers_of_the_trace),
        cmocka_unit_test(slack_is_what_nops_show),
        cmocka_unit_test(values_where_time_needs_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
