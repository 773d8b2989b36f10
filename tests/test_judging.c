/*
 * What a run is bound by, regions and loops, from the command line: hand-made programs whose
 * figures follow from the rules, and properties of random ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/dice.h"
#include "tests/gen_program.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

static json_t *answer(const char *const *arguments)
{
    struct takt_result r = takt_run(arguments);
    json_error_t error;
    json_t *root = json_loads(r.out, 0, &error);
    if (r.exit_code != 0 || !root)
        fail_msg("takt %s %s: exit %d: %s %.300s", arguments[0], arguments[1], r.exit_code,
                 error.text, r.err);
    takt_result_free(&r);
    return root;
}

static json_int_t integer(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* The statement `times` times, each %d its number. */
static const char *repeated(const char *name, const char *head, const char *body, int times)
{
    char *all = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&all, &size);
    assert_non_null(out);
    fputs(head, out);
    for (int i = 0; i < times; i++) {
        for (const char *at = body; *at; at++)
            if (*at == '%')
                fprintf(out, "%d", 8 * i);
            else
                putc(*at, out);
    }
    fclose(out);
    const char *path = takt_temp_file(name, all);
    free(all);
    return path;
}

/* --- verdict --------------------------------------------------------------------------------- */

/* The unit of the verdict, else its cause, else NULL. */
static const char *named(const json_t *limit)
{
    return text(limit, "unit") ? text(limit, "unit") : text(limit, "cause");
}

static void limit_is(const char *program, const char *option, const char *kind, const char *name,
                     int line)
{
    json_t *root = answer(ARGS("run", program, "--json", "--silence", "all", option));
    const json_t *limit = json_object_get(root, "limit");
    const char *found = named(limit);
    const json_t *lines = json_object_get(limit, "lines");
    const json_int_t first = integer(json_array_get(lines, 0), "line");
    if (strcmp(text(limit, "kind"), kind) || strcmp(found ? found : "", name) || first != line)
        fail_msg("%s: %s %s, line %lld; expected %s %s, line %d", program, text(limit, "kind"),
                 found ? found : "", (long long)first, kind, name, line);
    json_decref(root);
}

/* One program for each kind on each machine. */
static void limits(void **state)
{
    (void)state;
    /* Every step uses the ALU. */
    limit_is(repeated("alu.vsm", "", "zero $lm%v\n", 24), NULL, "resource", "alu", 0);
    /* ALU and MAU in turn, on different memories: each has work in half of the steps. */
    limit_is(repeated("turn.vsm", "imm f\"1.0\" $r0/0010\nnop/5\n",
                      "zero $lm%v\ndvadd $r0e $r0e $ln%v\n", 24),
             NULL, "issue", "issue", 0);
    /* Of 16 steps 12 are nops; so are they when the interlock puts them there. */
    limit_is(repeated("nops.vsm", "zero $lm0v\n", "nop/3\nzero $lm0v\n", 4), NULL, "latency", "nop",
             2);
    limit_is(repeated("stall.vsm", "zero $lm0v\n", "lpassa $lm0v $lm0v\n", 12), "--interlock",
             "latency", "port", 2);
    limit_is(repeated("read.vsm", "zero $lr0v\n", "lpassa $lr0v $lr0v\n", 12), "--interlock",
             "latency", "chain", 2);
    /* A unit of three steps for each mvnop: nothing of the program. */
    limit_is(repeated("fill.vsm", "zero $lm0v\n", "mvnop\n", 9), NULL, "packing", "", 0);
    /* One multiply-add a cycle into four accumulators, whose results take four cycles. */
    limit_is(takt_temp_file("full.amx", ".repeat 100\nmatfp f32 z=0\nmatfp f32 z=1\n"
                                        "matfp f32 z=2\nmatfp f32 z=3\n.end\n"),
             NULL, "resource", "array0", 0);
    limit_is(takt_temp_file("chain.amx", ".repeat 100\nmatfp f32 z=0\n.end\n"), NULL, "latency",
             "chain", 2);
    /* Array and port take turns. */
    limit_is(takt_temp_file("turn.amx",
                            ".repeat 100\nmatfp f32 z=0\nldx x=1 addr=0\nmatfp f32 z=1\n"
                            "ldx x=2 addr=64\nmatfp f32 z=2\nldx x=3 addr=128\n.end\n"),
             NULL, "issue", "cpu0", 0);
}

/* A unit that is busy in a given part of the steps. */
static void busy_units(void **state)
{
    (void)state;
    static const char alu[] = "zero $lm0v\n", head[] = "imm f\"1.0\" $r0/0010\nnop/5\n";
    char body[2000] = "";
    for (int i = 0; i < 19; i++)
        strcat(body, alu);
    strcat(body, "nop\n");
    limit_is(repeated("most.vsm", "", body, 20), NULL, "resource", "alu", 0); /* 95 % */
    body[0] = '\0';
    for (int i = 0; i < 3; i++)
        strcat(body, alu);
    const size_t three = strlen(body);
    strcat(body, "nop/2\n"); /* 60 %, the rest are nops, in line 4 */
    limit_is(repeated("nops.vsm", "", body, 20), NULL, "latency", "nop", 4);
    strcpy(body + three, "dvadd $r0e $r0e $ln0v\ndvadd $r0e $r0e $ln8v\n"); /* or other work */
    limit_is(repeated("work.vsm", head, body, 20), NULL, "issue", "issue", 0);
    /* Of 300 steps and n more two thirds and n, the rest nops; the last write takes 2 cycles more
     * than they do (3.6.3.9): 3 * 4 * (200 + n) >= 2 * (4 * (300 + n) + 2) from n = 1 on. */
    const char *nops = "zero $lm0v\nzero $lm0v\nnop\n";
    limit_is(repeated("below.vsm", "", nops, 100), "--packing=none", "latency", "nop", 3);
    limit_is(repeated("above.vsm", "zero $lm0v\n", nops, 100), "--packing=none", "resource", "alu",
             0);
    /* Three quarters of the steps, and one step less. */
    const char *works = "zero $lm0v\nzero $lm0v\nzero $lm0v\ndvadd $r0e $r0e $ln0v\n";
    limit_is(repeated("quarters.vsm", "", works, 99), NULL, "resource", "alu", 0);
    limit_is(repeated("less.vsm", "dvadd $r0e $r0e $ln0v\n", works, 99), NULL, "issue", "issue", 0);
}

/* What limits transfers: the port where it is as slow as the mode's rate, which is 16 (3.5.8.6), or
 * slower; else the rate. Short ones only start and end. */
static void transfer_limits(void **state)
{
    (void)state;
    const char *one = takt_temp_file("move.vsm", "mvp/n8192i03 $d0@0 $lc0@0.0\nnop; wait i03\n");
    limit_is(one, NULL, "transfer", "rate", 1);
    limit_is(one, "--set=dram_port=16.5", "transfer", "rate", 1);
    limit_is(one, "--set=dram_port=16", "transfer", "dram0", 1);
    limit_is(one, "--set=l2bm_port=10", "transfer", "l2bm0.0", 1);
    limit_is(takt_temp_file("link.vsm", "mvp/n8192i03 $p0@0 $p0@1\nnop; wait i03\n"), NULL,
             "transfer", "link0-1", 1);
    limit_is(repeated("short.vsm", "", "mvp/n64i03 $p0@0 $lc0@0.0\nnop; wait i03\n", 20), NULL,
             "transfer", "latency", 1);
    /* Rows of one bank each: the memory, not the port. */
    limit_is(one, "--set=dram_tccd=40", "transfer", "memory", 1);
}

/* The busiest unit is not the limit when nobody waits for it: the transfer is over before. */
static void limit_is_not_the_busiest(void **state)
{
    (void)state;
    const char *program = repeated("hidden.vsm", "mvp/n1024i03 $d0@0 $lc0@0.0\n",
                                   "zero $lm%v\nzero $ln%v\nnop/4\n", 24);
    json_t *root = answer(ARGS("run", program, "--json", "--silence", "all"));
    const json_t *units = json_object_get(root, "units"), *unit;
    json_int_t dram = 0, alu = 0;
    size_t i;
    json_array_foreach(units, i, unit)
    {
        if (strcmp(text(unit, "unit"), "dram0") == 0)
            dram = integer(unit, "busy");
        if (strcmp(text(unit, "unit"), "alu") == 0)
            alu = integer(unit, "busy");
    }
    assert_true(dram > 0 && alu > 0);
    assert_string_equal(text(json_object_get(root, "limit"), "kind"), "latency");
    json_decref(root);
}

/* The same sentence in the run, the report, the page and the judge. */
static void one_verdict(void **state)
{
    (void)state;
    const char *testcase = "examples/mncore2/judge-testcase.vsm";
    const char *right = "examples/mncore2/judge-answer.vsm";
    const char *trace = takt_temp_path("judge.db"), *page = takt_temp_path("judge.html");
    unlink(trace);
    unlink(page);
    json_t *judged = answer(ARGS("judge", testcase, right, "--trace", trace, "--json"));
    json_t *reported = answer(ARGS("report", trace, "--json"));
    assert_true(json_equal(json_object_get(judged, "limit"), json_object_get(reported, "limit")));
    assert_int_equal(integer(judged, "cycles"), integer(reported, "cycles"));
    json_decref(judged);
    json_decref(reported);
    struct takt_result r = takt_run(ARGS("judge", testcase, right));
    char *limit = strstr(r.out, "LIMIT   ");
    assert_non_null(limit);
    limit[strcspn(limit, "\n")] = '\0';
    takt_expect(ARGS("report", trace, "--width", "200"), 0, limit, NULL);
    takt_expect(ARGS("export", trace, "--format", "html", "--output", page), 0, NULL, NULL);
    size_t size;
    char *html = takt_read_file(page, &size);
    assert_non_null(html);
    for (char *lines = limit; (lines = strstr(lines + 1, " ("));)
        if (lines[2] >= 'a' && strchr(lines, '\0')[-1] == ')' && !strstr(lines + 1, " (")) {
            *lines = '\0'; /* the lines are links there */
            break;
        }
    assert_non_null(strstr(html, limit + strlen("LIMIT   ")));
    free(html);
    takt_result_free(&r);
    takt_expect(ARGS("judge", testcase, right, "--trace", right), 2, NULL, "would write over");
}

static double unit_busy(const json_t *root, const char *name)
{
    const json_t *unit;
    size_t i;
    json_array_foreach(json_object_get(root, "units"), i,
                       unit) if (strcmp(text(unit, "unit"), name) ==
                                 0) return (double)integer(unit, "busy") /
        (double)integer(root, "cycles");
    return 0;
}

/* Cycles of the critical path on units that move data, or those of one unit that is busy. */
static double path_cycles(const json_t *rows, const char *unit)
{
    const json_t *row;
    double sum = 0;
    size_t i;
    json_array_foreach(rows, i, row) if (unit ? strcmp(text(row, "unit"), unit) == 0 &&
                                                    strcmp(text(row, "reason"), "busy") == 0
                                              : strncmp(text(row, "text"), "mv", 2) == 0 &&
                                                    strcmp(text(row, "unit"), "issue")) sum +=
        (double)integer(row, "duration");
    return sum;
}

/* Transfers of all lengths between groups, some at the same time. */
static char *moves(uint64_t seed)
{
    static const char *const ways[] = {"$p%d@%d $p%d@%d", "$d%d@%d $p%d@%d", "$p%d@%d $lc%d@%d.0"};
    struct dice dice = {seed};
    char *all = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&all, &size);
    assert_non_null(out);
    for (int i = 1; i <= 8; i++) {
        const bool one_link = seed % 8 == 3;
        const int from = one_link ? 0 : (int)dice_below(&dice, 4);
        const int to = one_link ? 1 : (from + 1 + (int)dice_below(&dice, 3)) % 4;
        fprintf(out, "mvp/n%di%02x ", 1024 << dice_below(&dice, 4), i);
        fprintf(out, ways[one_link ? 0 : dice_below(&dice, 3)], 4096 * i, from, 4096 * (i % 2), to);
        fputs("\n", out);
        if (dice_below(&dice, 2))
            fprintf(out, "nop; wait i%02x\n", i);
    }
    fclose(out);
    return all;
}

/* A unit is named only where it is busy: in two thirds of the run, or of the transfers' cycles. */
static void named_units_are_busy(void **state)
{
    (void)state;
    int kinds[4] = {0}; /* of units named, by transfers, issue, resource, and others */
    const size_t rounds = often(40);
    for (uint64_t seed = 0; seed < rounds; seed++) {
        const struct gen_options options = {.features = seed % 2 ? GEN_ALL : GEN_MATRIX | GEN_MV,
                                            .statements = 40,
                                            .tightness = seed % 3 ? 100 : 60};
        char *program = seed % 4 == 3 ? moves(seed) : gen_program(seed, &options, NULL);
        assert_non_null(program);
        const char *file = takt_temp_file("any.vsm", program);
        const char *trace = takt_record(file, "--silence=all");
        json_t *root = answer(ARGS("report", trace, "--json"));
        json_t *path = answer(ARGS("report", trace, "critical", "--json"));
        const json_t *limit = json_object_get(root, "limit");
        const char *kind = text(limit, "kind"), *unit = text(limit, "unit");
        if (unit && strcmp(kind, "transfer") == 0) {
            kinds[0]++;
            assert_true(3 * path_cycles(path, unit) >= 2 * path_cycles(path, NULL));
        } else if (unit) {
            kinds[strcmp(kind, "issue") ? 2 : 1]++;
            assert_true(3 * unit_busy(root, unit) >= 2);
        } else {
            kinds[3]++;
            assert_string_not_equal(kind, "resource");
        }
        json_decref(root);
        json_decref(path);
        free(program);
    }
    assert_true(kinds[0] && kinds[3]);
}

/* --- regions --------------------------------------------------------------------------------- */

static void regions_by_hand(void **state)
{
    (void)state;
    /* Steps of 4 cycles: a has 1 + 2 and 2, b 3, and 1 lies in neither, as the 6 cycles that the
     * last write takes when all has issued (3.6.3.9). */
    const char *program = takt_temp_file(
        "parts.vsm", "# takt: begin a\nzero $lm0v\nnop/2\n# takt: end\nzero $lm8v\n"
                     "# takt: begin b\nzero $lm16v\nzero $lm24v\nzero $lm32v\n# takt: end\n"
                     "# takt: begin a\nzero $lm40v\nzero $lm48v\n# takt: end\n");
    json_t *root = answer(ARGS("run", program, "--json", "--silence", "all"));
    const json_t *regions = json_object_get(root, "regions");
    static const struct {
        const char *name;
        int statements, cycles, bound; /* one write of LM0 a step */
    } expected[] = {{"a", 4, 20, 12}, {"b", 3, 12, 12}, {"rest", 1, 4 + 6, 4}};
    assert_int_equal(json_array_size(regions), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *region = json_array_get(regions, i);
        assert_string_equal(text(region, "region"), expected[i].name);
        assert_int_equal(integer(region, "statements"), expected[i].statements);
        assert_int_equal(integer(region, "cycles"), expected[i].cycles);
        assert_int_equal(integer(region, "bound"), expected[i].bound);
    }
    json_decref(root);
    /* From the first step of a, at 0, to its last: 7 statements and 2 nops. */
    takt_expect(
        ARGS("bound", program, "--packing", "none", "--region", "a"), 0,
        "parts.vsm: a   36 cycles\n  this order 12\n  any order 12 (alu)   24 cycles (66.7 %) to gain",
        NULL);
    takt_expect(ARGS("bound", program, "--packing", "none", "--region", "b", "--json"), 0,
                "\"cycles\": 12,", NULL);
    takt_expect(ARGS("bound", program, "--region", "c"), 1, NULL, "has no region 'c'");
    const char *trace = takt_record(program, "--no-detail");
    takt_expect(ARGS("report", trace, "--region", "a"), 0, "parts.vsm: a   20 cycles", NULL);
    takt_expect(ARGS("report", trace, "reasons", "--region", "a", "--csv"), 0, "issue,nop", NULL);
    takt_expect(ARGS("report", trace, "reasons", "--region", "b", "--csv"), 0, "alu", NULL);
    takt_expect(ARGS("report", trace, "--region", "c"), 1, NULL, "its regions are a, b, rest");
    takt_expect(ARGS("report", trace, "regions", "--csv"), 0, "rest,1,10,", NULL);
    takt_expect(ARGS("timeline", trace, "--region", "b"), 1, NULL, "--detail");
    trace = takt_record(program, "--detail");
    takt_expect(ARGS("timeline", trace, "--region", "b"), 0, "cycles 16 to 28", NULL);
    takt_expect(ARGS("timeline", trace, "--region", "b", "--window", "1:2"), 2, NULL, "exclude");
}

/* Terms of a difference by region: the nops that became longer, and steps that fill the last
 * unit. */
static void differences_by_region(void **state)
{
    (void)state;
    const char *before = takt_temp_file(
        "before.vsm", "# takt: begin a\nzero $lm0v\nnop/2\n# takt: end\nnop/3\nzero $lm8v\n"
                      "zero $lm16v\nzero $lm24v\n");
    const char *after = takt_temp_file(
        "after.vsm", "# takt: begin a\nzero $lm0v\nnop/5\n# takt: end\nnop/9\nzero $lm8v\n"
                     "zero $lm16v\nzero $lm24v\n");
    json_t *root = answer(ARGS("diff", before, after, "--json"));
    const json_t *rows = json_object_get(root, "by_region");
    assert_int_equal(integer(root, "difference"), 36);
    assert_int_equal(json_array_size(rows), 2);
    assert_string_equal(text(json_array_get(rows, 0), "region"), "rest");
    assert_int_equal(integer(json_array_get(rows, 0), "cycles"), 24);
    assert_string_equal(text(json_array_get(rows, 1), "region"), "a");
    assert_int_equal(integer(json_array_get(rows, 1), "cycles"), 12);
    json_decref(root);
    takt_expect(ARGS("diff", before, after), 0, "BY REGION   rest +24   a +12\n", NULL);
    const char *none = takt_temp_file("none.vsm", "zero $lm0v\n");
    root = answer(ARGS("diff", none, none, "--json"));
    assert_int_equal(json_array_size(json_object_get(root, "by_region")), 0);
    json_decref(root);
}

/* What each region has of each unit for each reason, by another way: each interval cut at those of
 * its issuing unit. Every row that differs, and regions that do not add up. */
static const char other_way[] =
    "WITH place AS (SELECT i.track_id AS unit, i.ts AS ts, i.till AS till, s.region AS region "
    " FROM temp.slice i JOIN unit u ON u.id = i.track_id JOIN stmt s ON s.id = i.stmt "
    " WHERE u.kind = 'issue'), "
    "cut AS (SELECT p.region AS region, i.track_id AS unit, i.reason AS reason, "
    " sum(min(p.till, i.till) - max(p.ts, i.ts)) AS cycles FROM temp.slice i "
    " JOIN unit u ON u.id = i.track_id JOIN place p ON p.ts < i.till AND p.till > i.ts "
    " WHERE p.region > 0 AND p.unit = CASE WHEN u.kind = 'issue' THEN u.id ELSE "
    " (SELECT min(v.id) FROM unit v WHERE v.kind = 'issue') END GROUP BY 1, 2, 3), "
    "kept AS (SELECT region, unit, reason, cycles FROM unit_total "
    " WHERE region > 0 AND reason <> (SELECT id FROM reason WHERE name = 'idle')) "
    "SELECT * FROM (SELECT * FROM cut EXCEPT SELECT * FROM kept) UNION ALL "
    "SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM cut)";

/* Every unit is in a region as long as the issuing one, and all regions add up to the run. */
static const char adds_up[] =
    "SELECT t.region, t.unit, sum(t.cycles) AS cycles FROM unit_total t GROUP BY 1, 2 "
    "HAVING sum(t.cycles) <> (SELECT sum(i.cycles) FROM unit_total i WHERE i.region = t.region "
    "AND i.unit = (SELECT min(id) FROM unit WHERE kind = 'issue')) UNION ALL "
    "SELECT -1, unit, sum(cycles) FROM unit_total GROUP BY unit "
    "HAVING sum(cycles) <> (SELECT value FROM meta WHERE key = 'total_cycles')";

/* Directives between the lines of a program at random. */
static char *with_regions(const char *program, struct dice *dice)
{
    char *all = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&all, &size);
    bool open = false;
    assert_non_null(out);
    for (const char *at = program; *at;) {
        const size_t length = strcspn(at, "\n");
        if (dice_below(dice, 6) == 0) {
            fprintf(out, open ? "# takt: end\n" : "# takt: begin r%d\n", (int)dice_below(dice, 3));
            open = !open;
        }
        fprintf(out, "%.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    fputs(open ? "# takt: end\n" : "", out);
    fclose(out);
    return all;
}

static json_int_t total_of(const char *program)
{
    json_t *root = answer(ARGS("run", program, "--json", "--silence", "all"));
    const json_int_t cycles = integer(root, "cycles");
    json_decref(root);
    return cycles;
}

static void regions_hold(const char *plain, const char *marked)
{
    const char *trace = takt_record(marked, "--detail");
    struct takt_result r = takt_run(ARGS("query", trace, other_way, "--csv"));
    if (r.exit_code != 0 || strchr(r.out, '\n') != strrchr(r.out, '\n'))
        fail_msg("%s: %s%.500s", marked, r.err, r.out);
    takt_result_free(&r);
    takt_expect(ARGS("report", trace, "check", "--csv"), 0, NULL, NULL);
    /* The same without --detail, and the run is as without regions. */
    trace = takt_record(marked, NULL);
    r = takt_run(ARGS("query", trace, adds_up, "--csv"));
    if (r.exit_code != 0 || strchr(r.out, '\n') != strrchr(r.out, '\n'))
        fail_msg("%s: %s%.500s", marked, r.err, r.out);
    takt_result_free(&r);
    assert_int_equal(total_of(plain), total_of(marked));
}

static void regions_at_random(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < often(12); round++) {
        struct dice dice = {round};
        const struct gen_options options = {.features = GEN_ALL & ~(unsigned)GEN_STYLE,
                                            .statements = 30,
                                            .tightness = 50,
                                            .sets = 2};
        char *program = gen_program(round, &options, NULL);
        assert_non_null(program);
        char *marked = with_regions(program, &dice);
        regions_hold(takt_temp_file("plain.vsm", program), takt_temp_file("marked.vsm", marked));
        free(program);
        free(marked);
    }
    /* Two threads of one cluster share its units, which follow the first. */
    static const char threads[] = ".thread 0..0\n.repeat 5\nldx x=0 addr=0\nmatfp f32 x=0 z=0\n"
                                  "stx x=0 addr=64\n.end\nmatfp f32 z=1\nmatfp f32 z=1\n"
                                  "ldy y=0 addr=0\nmatfp f32 y=0 z=2\n";
    for (uint64_t round = 0; round < 6; round++) {
        struct dice dice = {round};
        char *marked = with_regions(threads, &dice);
        regions_hold(takt_temp_file("plain.amx", threads), takt_temp_file("marked.amx", marked));
        free(marked);
    }
}

/* --- loops ----------------------------------------------------------------------------------- */

static json_t *loops_of(const char *program)
{
    return answer(ARGS("report", takt_record(program, "--detail"), "loops", "--json"));
}

static void loop_is(const json_t *loop, const int expected[8], const char *limit)
{
    static const char *const names[] = {"first_line", "depth",  "statements", "turns",
                                        "cycles",     "a_turn", "entry",      "exit"};
    for (size_t i = 0; i < 8; i++)
        if (integer(loop, names[i]) != expected[i])
            fail_msg("%s is %lld, expected %d", names[i], (long long)integer(loop, names[i]),
                     expected[i]);
    assert_string_equal(text(loop, "limit"), limit);
}

static void loops_by_hand(void **state)
{
    (void)state;
    /* Unrolled ten times: a turn is 1 + 3 + 1 steps of 4 cycles, most of it nops. */
    json_t *rows = loops_of(
        repeated("unrolled.vsm", "zero $ln0v\n", "zero $lm%v\nnop/3\nlpassa $lm%v $ln%v\n", 10));
    assert_int_equal(json_array_size(rows), 1);
    loop_is(json_array_get(rows, 0), (const int[]){2, 1, 3, 10, 200, 20, 0, 0}, "latency");
    json_decref(rows);
    /* Twice is no loop; three times is. */
    rows = loops_of(repeated("twice.vsm", "", "zero $lm%v\nlpassa $aluf $ln%v\n", 2));
    assert_int_equal(json_array_size(rows), 0);
    json_decref(rows);
    rows = loops_of(repeated("thrice.vsm", "", "zero $lm%v\nlpassa $aluf $ln%v\n", 3));
    assert_int_equal(json_array_size(rows), 1);
    loop_is(json_array_get(rows, 0), (const int[]){1, 1, 2, 3, 24, 8, 0, 0}, "resource alu");
    json_decref(rows);
    /* A chain through one accumulator: 4 cycles a turn; the first one does not wait. */
    rows = loops_of(takt_temp_file("chain.amx", ".repeat 50\nmatfp f32 z=0\n.end\n"));
    assert_int_equal(json_array_size(rows), 1);
    loop_is(json_array_get(rows, 0), (const int[]){2, 1, 1, 50, 197, 4, 1, 0}, "latency");
    json_decref(rows);
    /* Loops in a loop: three loads, then a matfp, four times; what is loaded is not used. */
    rows = loops_of(takt_temp_file("nest.amx", ".repeat 4\n.repeat 3\nldx x=1 addr=0\n.end\n"
                                               "matfp f32 z=0\n.end\n"));
    assert_int_equal(json_array_size(rows), 2);
    assert_int_equal(integer(json_array_get(rows, 0), "statements"), 4);
    assert_int_equal(integer(json_array_get(rows, 0), "turns"), 4);
    assert_int_equal(integer(json_array_get(rows, 1), "depth"), 2);
    assert_int_equal(integer(json_array_get(rows, 1), "turns"), 3);
    json_decref(rows);
    takt_expect(ARGS("report",
                     takt_record(takt_temp_file("chain.amx", "matfp f32 z=0\n"), "--no-detail"),
                     "loops"),
                0, NULL, "no intervals");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits),
        cmocka_unit_test(busy_units),
        cmocka_unit_test(transfer_limits),
        cmocka_unit_test(named_units_are_busy),
        cmocka_unit_test(limit_is_not_the_busiest),
        cmocka_unit_test(one_verdict),
        cmocka_unit_test(regions_by_hand),
        cmocka_unit_test(regions_at_random),
        cmocka_unit_test(loops_by_hand),
        cmocka_unit_test(differences_by_region),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
