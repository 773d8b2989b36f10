/* Names, options, texts of traces and of configurations from outside on a terminal: whatever they
 * hold, a command prints UTF-8 without control characters, and no line that they begin. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "functional/text.h"
#include "tests/emulator.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

/* A colour, a line that looks like one of the command's, a byte that is no UTF-8, a bell, C1. */
#define EVIL "e\x1b[31m\nFORGED\xff\x07\xc2\x9b"

static const char *const examples[] = {"examples/mncore2/fma.vsm", "examples/amx/block.amx"};
static char program[2][400], early[400], none[400], trace[400], crafted[400], config[400];

static void expect_plain(const char *const *arguments, const char *text)
{
    const size_t size = strlen(text);
    const char *why = strncmp(text, "FORGED", 6) == 0 || strstr(text, "\nFORGED") ? "a line" : NULL;
    for (size_t i = 0; !why && i < size;) {
        const size_t character = text_character(text + i, size - i);
        if (!character && text[i] != '\n')
            why = "what may not be printed";
        i += character ? character : 1;
    }
    if (why)
        fail_msg("takt %s %s ..: %s: %s", arguments[0], arguments[1] ? arguments[1] : "", why,
                 text);
}

static void check(const char *const *arguments)
{
    struct takt_result r = takt_run_input(arguments, "");
    if (r.exit_code > 3)
        fail_msg("takt %s: exit %d", arguments[0], r.exit_code);
    assert_int_equal(strlen(r.out), r.out_size);
    expect_plain(arguments, r.out);
    expect_plain(arguments, r.err);
    takt_result_free(&r);
}
#define CHECK(...) check(ARGS(__VA_ARGS__))

static void names_of_programs(void **state)
{
    (void)state;
    static const char *const plain[] = {"run",  "check",    "bound",       "certify",
                                        "deps", "legalize", "sensitivity", "advise"};
    enum { PLAIN = sizeof plain / sizeof *plain, COSTLY = 2 };
    const char *const programs[] = {program[0], program[1], early, none};
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        const char *path = programs[p];
        for (size_t i = 0; i < PLAIN - (p == 1 ? 0 : COSTLY); i++)
            CHECK(plain[i], path);
        CHECK("whatif", "--free", "18", path);
        CHECK("whatif", "--speed", "dram" EVIL, path);
        CHECK("expect", path, "cycles <= 1");
        CHECK("expect", path, "cyc" EVIL);
        if (often_long() || p > 1)
            CHECK("schedule", path, "--out", takt_temp_path(EVIL ".out"));
        CHECK("diff", path, examples[0]);
        CHECK("diff", examples[0], path);
        CHECK("certify", path, none);
        CHECK("judge", path, none);
        CHECK("fit", path);
        CHECK("batch", path);
        CHECK("batch", "--list", none);
        CHECK("run", "--json", path);
        CHECK("run", "--trace", "/nowhere/" EVIL, path);
    }
}

static void options(void **state)
{
    (void)state;
    static const char *const names[] = {
        "--set",   "--config", "--silence",    "--init",    "--machine", "--load",   "--save",
        "--width", "--window", "--word-order", "--threads", "--packing", "--events", "--trace"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char joined[100];
        snprintf(joined, sizeof joined, "%s=" EVIL, names[i]);
        CHECK("run", names[i], "/nowhere/" EVIL, examples[0]);
        CHECK("run", names[i], "x=" EVIL, examples[0]);
        CHECK("run", joined, "--functional-only", examples[0], none);
    }
    unlink("x=" EVIL); /* a trace, a list of events */
    CHECK("run", "--" EVIL, examples[0]);
    CHECK("run", "-" EVIL, examples[0]);
    CHECK(EVIL);
    CHECK("--" EVIL);
    CHECK("help", EVIL);
    CHECK("config", EVIL);
    CHECK("config", "mncore2", "--set", "mv_start_latency=" EVIL);
    CHECK("loops", EVIL);
    CHECK("loops", "8x8", "--units=" EVIL);
    CHECK("batch", "--by", EVIL, "--best", "1", examples[0]);
    CHECK("deps", "--line", EVIL, examples[0]);
    CHECK("bound", "--region", EVIL, examples[0]);
    CHECK("trace", EVIL, trace);
    CHECK("config", "mncore2", "--config", config);
    CHECK("run", "--config", config, examples[0]);
}

/* Of a good trace with such a name, and of one whose texts are such. */
static void traces(void **state)
{
    (void)state;
    const char *const paths[] = {trace, crafted, none};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const char *path = paths[i];
        CHECK("report", path);
        CHECK("report", path, "units");
        CHECK("report", path, EVIL);
        CHECK("timeline", path);
        CHECK("timeline", path, "--statements");
        CHECK("why", path, "alu@100");
        CHECK("why", path, "al" EVIL "@100");
        CHECK("why", path, "i01");
        CHECK("query", path, "SELECT * FROM unit");
        CHECK("query", path, "SELECT \"" EVIL "\" FROM " EVIL);
        CHECK("export", path, "--format", EVIL);
        CHECK("export", path, "--format", "konata", "--output", "/nowhere/" EVIL);
        CHECK("expect", path, "cycles <= 1");
        CHECK("diff", path, trace);
        CHECK("diff", path, examples[0]);
    }
}

/* Line ends are those of the format, also where arguments have them and the byte that marks them.
 * */
static void lines_are_the_formats(void **state)
{
    (void)state;
    static const struct {
        const char *argument, *printed;
    } rows[] = {{"a", "1 a\n2\n"},      {"a\nb", "1 a?b\n2\n"},
                {"a\tb", "1 a b\n2\n"}, {"\xc3\xa9\x80", "1 \xc3\xa9?\n2\n"},
                {"a\xff", "1 a??2\n"},  {"", "1 \n2\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        text_print(out, "1 %s\n2\n", rows[i].argument);
        fclose(out);
        assert_string_equal(text, rows[i].printed);
        free(text);
    }
}

static void copy(char to[400], const char *name, const char *from)
{
    char *text = from ? takt_read_file(from, NULL) : NULL;
    snprintf(to, 400, "%s", text ? takt_temp_file(name, text) : takt_temp_path(name));
    free(text);
}

static void execute(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

/* CSV is exact in a file; a terminal gets no control characters with it. */
static void query_csv(const char *out)
{
    char command[1500];
    snprintf(command, sizeof command,
             "\"${TAKT:-build/takt}\" query '%s' --csv \"SELECT char(27) || '[31m' AS a, "
             "'b' || char(34, 8238, 10, 27) AS b\" > '%s'",
             crafted, out);
    assert_int_equal(system(command), 0);
}

static void csv(void **state)
{
    (void)state;
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (emulated() && terminal < 0)
        skip(); /* in the folder of the emulated system are no terminals */
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const char *const name = ptsname(terminal), *const file = takt_temp_path("exact.csv");
    assert_non_null(name);
    const int held = open(name, O_RDWR | O_NOCTTY); /* what is written stays to be read */
    assert_true(held >= 0);
    char shown[500] = "";
    query_csv(name);
    assert_true(read(terminal, shown, sizeof shown - 1) > 0);
    close(held);
    close(terminal);
    assert_non_null(strstr(shown, "?[31m,\"b\"\"?????\"")); /* three bytes are U+202E */
    assert_null(strchr(shown, '\x1b'));
    query_csv(file);
    char *exact = takt_read_file(file, NULL);
    assert_string_equal(exact, "a,b\r\n\x1b[31m,\"b\"\"\xe2\x80\xae\n\x1b\"\r\n");
    free(exact);
}

/* Each character of which Unicode says that it turns the direction of text. */
static void directions(void **state)
{
    (void)state;
    static const char *const turning[] = {"\u061c", "\u200e", "\u200f", "\u202a",
                                          "\u202b", "\u202c", "\u202d", "\u202e",
                                          "\u2066", "\u2067", "\u2068", "\u2069"};
    static const char *const others[] = {"\u061b", "\u061d", "\u200d", "\u2010", "\u2029",
                                         "\u202f", "\u2065", "\u206a", "\u05d0", "\u0627"};
    for (size_t i = 0; i < sizeof turning / sizeof *turning; i++)
        assert_int_equal(text_character(turning[i], strlen(turning[i])), 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(text_character(others[i], strlen(others[i])), strlen(others[i]));
}

static int prepare(void **state)
{
    (void)state;
    sqlite3 *db;
    copy(program[0], EVIL ".vsm", examples[0]);
    copy(program[1], EVIL ".amx", examples[1]);
    copy(none, "none" EVIL ".vsm", NULL);
    copy(trace, EVIL ".db", NULL);
    copy(crafted, "crafted.db", NULL);
    snprintf(early, sizeof early, "%s",
             takt_temp_file("early" EVIL ".vsm",
                            "imm f\"1.0\" $r0/0010\nnop\ndvadd $lm0v $r0e $ln0v\n"));
    snprintf(config, sizeof config, "%s",
             takt_temp_file("c" EVIL ".yaml", "mv_start_latency:\n  value: 4\n"
                                              "  source: \"x\\x1b[31m\\nFORGED\"\n"));
    const char *const paths[] = {trace, crafted};
    for (size_t i = 0; i < 2; i++)
        takt_expect(ARGS("run", "--quiet", "--detail", "--trace", paths[i], examples[0]), 0, NULL,
                    NULL);
    assert_int_equal(sqlite3_open(crafted, &db), SQLITE_OK);
    execute(db, "UPDATE unit SET name = name || char(27, 10) || 'FORGED'");
    execute(db, "UPDATE reason SET name = name || char(27, 10) || 'FORGED'");
    execute(db, "UPDATE text SET text = text || char(27, 10) || 'FORGED'");
    execute(db, "UPDATE file SET name = name || char(27, 10) || 'FORGED'");
    execute(db, "UPDATE string SET text = text || char(27, 10) || 'FORGED'");
    execute(db, "UPDATE meta SET value = value || char(27, 10) || 'FORGED' WHERE key = 'program'");
    return sqlite3_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_the_formats),
        cmocka_unit_test(names_of_programs),
        cmocka_unit_test(options),
        cmocka_unit_test(traces),
        cmocka_unit_test(csv),
        cmocka_unit_test(directions),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
