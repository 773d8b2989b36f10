/* config: each fault of a chip file is reported with its place; --set and overlays have rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "timing/machines.h"

static const struct param_row rows[] = {{"clock_hz", PARAM_REAL, "clock"},
                                        {"latency", PARAM_INTEGER, "a latency"},
                                        {"map", PARAM_TEXT, "a text"}};
enum { ROWS = sizeof rows / sizeof *rows };

static const char good[] =
    "clock_hz: {value: 750e6, unit: Hz, low: 1, high: 1e10, provenance: documented, source: s}\n"
    "latency:\n"
    "  value: 6\n"
    "  unit: cycles\n"
    "  low: 0\n"
    "  high: 100\n"
    "  provenance: assumed\n"
    "  documented: 0\n"
    "  source: nobody has published it\n"
    "  plausible: [2, 8]\n"
    "  optimistic: low\n"
    "  reason: as others of its kind\n"
    "map: {value: \"row:bank\", unit: text, provenance: assumed, source: s, reason: usual,\n"
    "      plausible: [\"row:bank\", \"bank:row\"]}\n";

static int overlay_with(struct config *config, const char *text, char *error, size_t size)
{
    return config_overlay(config, &(struct config_file){"o.yaml", text, strlen(text)}, error, size);
}

static int read_text(struct config *config, const char *text, char error[400])
{
    error[0] = '\0';
    return config_read(config, rows, ROWS, &(struct config_file){"x.yaml", text, strlen(text)},
                       error, 400);
}

static void reads_values(void **state)
{
    (void)state;
    struct config config;
    char error[400];
    assert_int_equal(read_text(&config, good, error), 0);
    assert_true(config_real(&config, 0, false) == 750e6);
    assert_int_equal(config_integer(&config, 1, false), 6);
    assert_int_equal(config_integer(&config, 1, true), 0);
    assert_string_equal(config_text(&config, 2, false), "row:bank");
    assert_string_equal(config_text(&config, 2, true), "row:bank");
    config_free(&config);
}

/* Replace one piece of the good file and expect a message that names place and cause. */
static void refused(const char *from, const char *to, const char *place, const char *cause)
{
    char text[2000];
    const char *at = strstr(good, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    struct config config;
    char error[400];
    assert_int_equal(read_text(&config, text, error), 1);
    if (!strstr(error, place) || !strstr(error, cause))
        fail_msg("expected '%s' and '%s' in: %s", place, cause, error);
}

static void tells_faults(void **state)
{
    (void)state;
    refused("latency:", "latancy:", "x.yaml:2:1", "did you mean 'latency'");
    refused("map:", "clock_hz:", "x.yaml:13:1", "given twice");
    refused(strstr(good, "map:"), "", "x.yaml:", "map is missing");
    refused("  value: 6", "  value: 101", "x.yaml:3:10", "outside its range");
    refused("  value: 6", "  value: 6.5", "x.yaml:3:10", "integer");
    refused("  value: 6", "  value: six", "x.yaml:3:10", "not a number");
    refused("  value: 6", "  value: 6\n  value: 7", "x.yaml:4:3", "given twice");
    refused("  value: 6", "  volue: 6", "x.yaml:3:3", "no field 'volue'");
    refused("  unit: cycles\n", "", "x.yaml:", "lacks its unit");
    refused("  low: 0\n", "", "x.yaml:", "lacks its low");
    refused("  source: nobody has published it\n", "", "x.yaml:", "lacks its source");
    refused("  documented: 0\n", "", "x.yaml:", "most optimistic");
    refused("  provenance: assumed", "  provenance: guessed", "x.yaml:7:15", "must be documented");
    refused("  provenance: assumed", "  provenance: measured", "x.yaml:8:15", "only an assumed");
    refused("provenance: assumed, source: s", "provenance: measured, documented: a, source: s",
            "x.yaml:13", "only an assumed");
    refused("latency:\n", "latency: [\n", "x.yaml:", "error");
}

/* What is neither documented nor public has a plausible range, its value within, and a reason. */
static void plausible_ranges(void **state)
{
    (void)state;
    struct config config;
    char error[400], text[2000];
    assert_int_equal(read_text(&config, good, error), 0);
    assert_false(config.params[0].plausible); /* documented */
    assert_true(config.params[1].plausible_low == 2 && config.params[1].plausible_high == 8);
    assert_false(config.params[1].high_is_optimistic);
    assert_string_equal(config.params[2].choices[1], "bank:row");
    assert_null(config.params[2].choices[2]);
    assert_string_equal(config.params[2].reason, "usual");
    config_free(&config);
    static const char range[] = "  plausible: [2, 8]\n  optimistic: low\n"
                                "  reason: as others of its kind\n";
    refused(range, "", "x.yaml:3:3", "latency is assumed and lacks plausible");
    refused("reason: usual,\n      plausible: [\"row:bank\", \"bank:row\"]", "", "x.yaml:13:6",
            "map is assumed and lacks plausible");
    static const char *const all[] = {"measured", "inferred", "assumed", "documented", "public"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const bool guess = i == 1 || i == 2;
        snprintf(text, sizeof text,
                 "clock_hz: {value: 1, unit: Hz, low: 1, high: 9, provenance: %s, source: s%s}\n%s",
                 all[i], guess ? ", documented: 2" : "", strchr(good, '\n') + 1);
        assert_int_equal(read_text(&config, text, error), i < 3);
        if (i < 3)
            assert_non_null(strstr(error, "lacks plausible"));
        config_free(&config);
    }
    refused("  reason: as others of its kind\n", "", "x.yaml:10", "belong together");
    refused("  optimistic: low\n", "", "x.yaml:10", "belong together");
    refused("[2, 8]", "[2]", "x.yaml:10", "[least, greatest]");
    refused("[2, 8]", "[8, 2]", "x.yaml:10", "8 is above 2");
    refused("[2, 8]", "[2, 101]", "x.yaml:10", "outside its range");
    refused("optimistic: low", "optimistic: left", "x.yaml:11", "must be low or high");
    /* Both edges of where the value may lie. */
    refused("[2, 8]", "[7, 8]", "x.yaml:3:10", "not one that is plausible");
    refused("[2, 8]", "[2, 5]", "x.yaml:3:10", "not one that is plausible");
    refused("[\"row:bank\", ", "[", "x.yaml:13:14", "not one that is plausible");
    static const char *const edges[] = {"[6, 8]", "[2, 6]", "[6, 6]"};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const char *at = strstr(good, "[2, 8]");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, edges[i],
                 at + strlen("[2, 8]"));
        assert_int_equal(read_text(&config, text, error), 0);
        config_free(&config);
    }
    /* A value that is set, or laid over it, may lie anywhere in the legal range. */
    assert_int_equal(read_text(&config, good, error), 0);
    assert_int_equal(config_set(&config, "latency=100", error, sizeof error), 0);
    assert_int_equal(overlay_with(&config, "latency: {value: 0}\n", error, sizeof error), 0);
    config_free(&config);
}

/* Every machine's chip file says it of each of its parameters. */
static void chip_files_are_whole(void **state)
{
    (void)state;
    for (size_t m = 0; m < machine_count; m++) {
        struct config config;
        char error[400];
        assert_int_equal(machine_config(machines[m], &config, error, sizeof error), 0);
        for (size_t i = 0; i < config.count; i++) {
            const struct param *param = &config.params[i];
            const bool published = param->provenance == PROVENANCE_DOCUMENTED ||
                                   param->provenance == PROVENANCE_PUBLIC;
            if (published == param->plausible || published == (param->reason && *param->reason))
                fail_msg("%s", param->row->name);
        }
        config_free(&config);
    }
}

/* Each provenance is read as it is written; only a guess may have an optimistic value. */
static void provenances(void **state)
{
    (void)state;
    static const char *const names[] = {"documented", "public", "measured", "inferred"};
#define RANGE ", plausible: [1e8, 1e9], optimistic: high, reason: r"
    static const char *const best[] = {"", "", RANGE, RANGE ", documented: 1e9"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct config config;
        char text[1000], error[400];
        snprintf(
            text, sizeof text,
            "clock_hz: {value: 750e6, unit: Hz, low: 1, high: 1e10, provenance: %s, source: s%s}\n"
            "%s",
            names[i], best[i], strchr(good, '\n') + 1);
        if (read_text(&config, text, error) != 0)
            fail_msg("%s", error);
        assert_string_equal(provenance_name[config.params[0].provenance], names[i]);
        assert_true(config_real(&config, 0, true) == (i == 3 ? 1e9 : 750e6));
        config_free(&config);
    }
    refused("provenance: documented", "provenance: inferred" RANGE, "x.yaml:1", "most optimistic");
    refused("  provenance: assumed", "  provenance: public", "x.yaml:8:15", "latency is public");
}

/* The manual has neither a clock nor the size of a packed unit: both are public figures. */
static void figures_of_the_chip(void **state)
{
    (void)state;
    const char *names[] = {"clock_hz", "unit_bytes"};
    struct config config;
    char error[400];
    assert_int_equal(machine_config(&machine_mncore2, &config, error, sizeof error), 0);
    for (size_t i = 0; i < config.count; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(config.rows[i].name, names[k]) == 0) {
                assert_int_equal(config.params[i].provenance, PROVENANCE_PUBLIC);
                names[k] = "";
            }
    assert_string_equal(names[0], "");
    assert_string_equal(names[1], "");
    config_free(&config);
}

static void sets_and_overlays(void **state)
{
    (void)state;
    struct config config;
    char error[400];
    assert_int_equal(read_text(&config, good, error), 0);
    const uint64_t before = config_hash(&config);
    assert_int_equal(config_set(&config, "latency=100", error, sizeof error), 0);
    assert_int_equal(config_integer(&config, 1, false), 100);
    assert_int_equal(config_integer(&config, 1, true), 0); /* the bound does not move */
    assert_true(config_hash(&config) != before);
    assert_int_equal(config_set(&config, "latency=101", error, sizeof error), 1);
    assert_non_null(strstr(error, "range"));
    assert_int_equal(config_set(&config, "latency=-1", error, sizeof error), 1);
    assert_int_equal(config_set(&config, "latency=", error, sizeof error), 1);
    assert_int_equal(config_set(&config, "latency", error, sizeof error), 1);
    assert_int_equal(config_set(&config, "clock=1", error, sizeof error), 1);
    assert_int_equal(config_set(&config, "clock_h=1", error, sizeof error), 1);
    assert_non_null(strstr(error, "did you mean 'clock_hz'"));
    assert_int_equal(config_set(&config, "clock_hz=0x10", error, sizeof error), 0);
    assert_true(config_real(&config, 0, true) == 16.0); /* documented parameters move both */
    const char overlay[] = "latency: {value: 9}\n";
    assert_int_equal(overlay_with(&config, overlay, error, sizeof error), 0);
    assert_int_equal(config_integer(&config, 1, false), 9);
    const char wrong[] = "latency: {value: 900}\n";
    assert_int_equal(overlay_with(&config, wrong, error, sizeof error), 1);
    assert_non_null(strstr(error, "o.yaml:1:18"));
    const char other[] = "latency: {value: 9, unit: steps}\n";
    assert_int_equal(overlay_with(&config, other, error, sizeof error), 1);
    assert_non_null(strstr(error, "o.yaml:1:27"));
    assert_non_null(strstr(error, "counted in cycles"));
    const char same[] = "latency: {value: 10, unit: cycles}\n";
    assert_int_equal(overlay_with(&config, same, error, sizeof error), 0);
    assert_int_equal(config_integer(&config, 1, false), 10);
    /* What is inferred keeps its optimistic value as what is assumed does; so does a text. */
    const char guess[] = "latency: {value: 11, provenance: inferred, documented: 2}\n"
                         "map: {value: bank, documented: row}\n";
    assert_int_equal(overlay_with(&config, guess, error, sizeof error), 0);
    assert_int_equal(config_set(&config, "latency=12", error, sizeof error), 0);
    const uint64_t hash = config_hash(&config);
    assert_int_equal(config_set(&config, "map=column", error, sizeof error), 0);
    assert_int_equal(config_integer(&config, 1, false), 12);
    assert_int_equal(config_integer(&config, 1, true), 2);
    assert_string_equal(config_text(&config, 2, false), "column");
    assert_string_equal(config_text(&config, 2, true), "row");
    assert_true(config_hash(&config) != hash);
    config_free(&config);
}

/* An overlay of the good file; place NULL: it is fine. */
static void overlaid(const char *text, const char *place, const char *cause)
{
    struct config config;
    char error[400] = "";
    assert_int_equal(read_text(&config, good, error), 0);
    const int status = overlay_with(&config, text, error, sizeof error);
    assert_int_equal(status, place ? 1 : 0);
    if (place && (!strstr(error, place) || !strstr(error, cause)))
        fail_msg("expected '%s' and '%s' in: %s", place, cause, error);
    config_free(&config);
}

/* The model is made for the ranges of the machine's file. */
static void overlays_narrow(void **state)
{
    (void)state;
    overlaid("latency: {value: 0, low: 0, high: 100}\n", NULL, NULL);
    overlaid("latency: {value: 5, low: 5, high: 5}\n", NULL, NULL);
    overlaid("latency: {value: 0, low: -1}\n", "o.yaml:1:26",
             "low of latency = -1 is outside 0 .. 100");
    overlaid("latency: {value: 0, high: 101}\n", "o.yaml:1:27", "high of latency = 101 is outside");
    overlaid("latency: {value: 0, low: 101}\n", "o.yaml:1:26", "low of latency = 101 is outside");
    overlaid("latency: {value: 4, low: 5}\n", "o.yaml:1:18", "outside its range 5 .. 100");
    overlaid("clock_hz: {value: 0, low: 0}\n", "o.yaml:1:27", "low of clock_hz");
}

/* Settings of several parameters together: each has a plausible value of each of them. */
static void joint_settings(void **state)
{
    (void)state;
    overlaid("joint: {parameters: [latency, map], settings: [\"2 row:bank\", 8 bank:row]}\n", NULL,
             NULL);
    overlaid("joint: {parameters: [latency], settings: [2], error: 0.5}\n", NULL, NULL);
    overlaid("joint: {parameters: [latency], settings: [2], error: 1.5}\n", "o.yaml:1:54",
             "share from 0 to 1");
    overlaid("joint: {parameters: [latency], settings: [2], error: nan}\n", "o.yaml:1:54",
             "share from 0 to 1");
    overlaid("joint: {parameters: [latency], settings: [2], error: [1]}\n", "o.yaml:1:54",
             "share from 0 to 1");
    overlaid("joint: 3\n", "o.yaml:1:8", "two lists, parameters and settings");
    overlaid("joint: {parameters: [clock_hz], settings: []}\n", "o.yaml:1:22", "'clock_hz'");
    overlaid("joint: {parameters: [latency, latency], settings: []}\n", "o.yaml:1:31", "twice");
    overlaid("joint: {parameters: [latency], settings: [9]}\n", "o.yaml:1:43", "plausible value");
    overlaid("joint: {parameters: [latency], settings: [2 3]}\n", "o.yaml:1:43", "of each");
    overlaid("joint: {parameters: [latency, map], settings: [2]}\n", "o.yaml:1:48", "of each");
    overlaid("joint: {parameters: [map], settings: [bank]}\n", "o.yaml:1:39", "plausible value");
}

/* `count` times what, between head and tail. */
static void overlaid_many(const char *head, const char *what, size_t count, const char *tail,
                          const char *place, const char *cause)
{
    const size_t length = strlen(what);
    char *text = malloc(strlen(head) + count * length + strlen(tail) + 1);
    assert_non_null(text);
    char *to = stpcpy(text, head);
    for (size_t i = 0; i < count; i++)
        to = stpcpy(to, what);
    strcpy(to, tail);
    overlaid(text, place, cause);
    free(text);
}

/* What is no set of parameters is refused before the loader takes it in. */
static void shapes(void **state)
{
    (void)state;
    overlaid("", NULL, NULL);
    overlaid("# nothing\n", NULL, NULL);
    overlaid("--- {latency: {value: 1}}\n...\n", NULL, NULL);
    overlaid("latency: {value: 1}\n---\nlatency: {value: 2}\n", "o.yaml:2:1", "second document");
    overlaid_many("latency: ", "[", 7, "]]]]]]]\n", "o.yaml:1:10", "must be a mapping");
    overlaid_many("latency: ", "[", 8, "]]]]]]]]\n", "o.yaml:1:17", "nested too deep");
    overlaid_many("latency: ", "[", 1000000, "", "o.yaml:1:17", "nested too deep");
    overlaid_many("latency: {value: 1}\nmap: [", "x,", 200, "]\n", "o.yaml:2:6",
                  "must be a mapping");
    overlaid_many("latency: {value: 1}\nmap: [", "x,", 3000, "]\n", "o.yaml:2:", "more than all");
    overlaid_many("", "latency: {value: 1}\n", 1000000, "", "o.yaml:", "more than all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_values),      cmocka_unit_test(tells_faults),
        cmocka_unit_test(plausible_ranges),  cmocka_unit_test(chip_files_are_whole),
        cmocka_unit_test(provenances),       cmocka_unit_test(figures_of_the_chip),
        cmocka_unit_test(sets_and_overlays), cmocka_unit_test(overlays_narrow),
        cmocka_unit_test(joint_settings),    cmocka_unit_test(shapes)};
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
