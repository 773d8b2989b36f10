/*
 * legalize: the nops that it puts in are the least. An exhaustive search tries every way to put
 * fewer between the statements of small random programs; none of them passes the check. With
 * transfers, the result passes the check and computes the same when values arrive as transfers end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/gen_program.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"
#include "timing/machines.h"
#include "timing/mncore2/legalize.h"

static const struct machine *machine = &machine_mncore2;

/* Legal as written, or why not in `list`. */
static bool is_legal(const char *text, const struct config *config)
{
    struct source source;
    struct diag_list diags;
    struct machine_program *program = NULL;
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "k.vsm", text, strlen(text)), 0);
    int status = machine->language->load(&program, &source, 1, &diags);
    status = machine_legal(machine, status, program, config, NULL, &diags);
    machine->language->unload(program);
    source_close(&source);
    diag_list_free(&diags);
    return status == 0;
}

/* The result, or NULL where the language takes no such statements in a row. */
static char *legalized(const char *text, const struct config *config, struct legalized *counts)
{
    struct source source;
    struct diag_list diags;
    struct machine_program *program = NULL;
    char error[MACHINE_ERROR] = "", *result = NULL;
    size_t size = 0;
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "k.vsm", text, strlen(text)), 0);
    if (machine->language->load(&program, &source, 1, &diags) == 0) {
        FILE *out = open_memstream(&result, &size);
        assert_non_null(out);
        assert_int_equal(mncore2_legalize(program, config, out, counts, error), 0);
        fclose(out);
    }
    machine->language->unload(program);
    source_close(&source);
    diag_list_free(&diags);
    return result;
}

enum { LINES = 8 };

/* The lines of a program that are no nops, at most LINES - 1; returns how many there are. */
static size_t statements(char *text, const char *lines[LINES])
{
    size_t count = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (strncmp(line, "nop", 3) != 0 && count < LINES)
            lines[count++] = line;
    return count;
}

/* The lines with nops[i] nops before line i. */
static char *written(const char *const *lines, const uint64_t *nops, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < count; i++) {
        if (nops[i])
            fprintf(out, "nop/%llu\n", (unsigned long long)nops[i]);
        fprintf(out, "%s\n", lines[i]);
    }
    fclose(out);
    return text;
}

/* Whether some way to put `left` nops before lines `at` and later is legal. */
static bool some_legal(const char *const *lines, uint64_t *nops, size_t at, size_t count,
                       uint64_t left, const struct config *config)
{
    if (at + 1 >= count) {
        nops[at] = left;
        char *text = written(lines, nops, count);
        const bool legal = is_legal(text, config);
        free(text);
        return legal;
    }
    for (nops[at] = 0; nops[at] <= left; nops[at]++)
        if (some_legal(lines, nops, at + 1, count, left - nops[at], config))
            return true;
    return false;
}

static uint64_t nops_in(const char *text)
{
    uint64_t sum = 0;
    for (const char *at = text; (at = strstr(at, "nop")); at += 3)
        sum += at[3] == '/' ? strtoul(at + 4, NULL, 10) : 1;
    return sum;
}

static void fewest(void **state)
{
    (void)state;
    struct config config;
    char error[MACHINE_ERROR];
    size_t tried = 0, with_nops = 0;
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    for (uint64_t seed = 0; seed < often(60); seed++) {
        const struct gen_options options = {.features = seed % 2 ? GEN_FLAT | GEN_MASKS | GEN_MATRIX
                                                                 : GEN_MASKS | GEN_L1BM | GEN_L2BM |
                                                                       GEN_INDIRECT,
                                            .statements = 4 + seed % 2,
                                            .tightness = 100};
        const char *lines[LINES];
        struct legalized counts;
        char *program = gen_program(seed, &options, NULL);
        assert_non_null(program);
        const size_t count = statements(program, lines);
        uint64_t nops[LINES] = {0};
        char *order = written(lines, nops, count), *result = legalized(order, &config, &counts);
        if (result && count < LINES && counts.nops < 9) {
            tried++;
            with_nops += counts.nops > 0;
            if (!is_legal(result, &config))
                fail_msg("not legal:\n%s", result);
            assert_int_equal(nops_in(result), counts.nops);
            for (uint64_t fewer = 0; fewer < counts.nops; fewer++) {
                nops[0] = 0; /* before the first nothing helps */
                if (some_legal(lines, nops, 1, count, fewer, &config)) {
                    char *better = written(lines, nops, count);
                    fail_msg("%llu nops, not %llu:\n%s", (unsigned long long)fewer,
                             (unsigned long long)counts.nops, better);
                }
            }
        }
        free(order);
        free(result);
        free(program);
    }
    assert_true(tried > often(60) / 3 && with_nops > often(60) / 8);
    config_free(&config);
}

/* A program without its nops and waits. */
static char *bare(const char *text)
{
    char *copy = strdup(text), *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    assert_true(copy && out);
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
        char *wait = strstr(line, "; wait i");
        if (wait)
            *wait = '\0';
        if (strncmp(line, "nop", 3) != 0 || strncmp(line, "nopf", 4) == 0)
            fprintf(out, "%s\n", line);
    }
    fclose(out);
    free(copy);
    return result;
}

/* What the order prints without regard to time is what the result does when values arrive. */
static void transfers(void **state)
{
    (void)state;
    size_t tried = 0, waits = 0;
    for (uint64_t seed = 0; seed < often(12); seed++) {
        const struct gen_options options = {.features = GEN_MV | GEN_L2BM | GEN_L1BM |
                                                        (seed % 3 ? GEN_DAR : 0),
                                            .statements = 25,
                                            .tightness = 100,
                                            .gets = 8};
        char *program = gen_program(seed, &options, NULL);
        assert_non_null(program);
        char *order = bare(program);
        const char *from = takt_temp_file("order.vsm", order);
        const char *to = takt_temp_path("legal.vsm"), *dump = takt_temp_path("dump.txt");
        const char *arrived = takt_temp_path("arrived.txt");
        remove(to);
        struct takt_result r = takt_run(ARGS("legalize", from, "--out", to, "--silence", "all"));
        if (r.exit_code != 0)
            fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, r.err, order);
        waits += strstr(r.out, ", 0 waits") == NULL;
        takt_result_free(&r);
        takt_expect(ARGS("check", to, "--silence", "all"), 0, NULL, NULL);
        takt_expect(ARGS("run", from, "--interlock", "--quiet", "--silence", "all", "--dump", dump),
                    0, NULL, NULL);
        takt_expect(ARGS("run", to, "--poison", "--quiet", "--silence", "all", "--dump", arrived),
                    0, NULL, NULL);
        size_t sizes[2];
        char *a = takt_read_file(dump, &sizes[0]), *b = takt_read_file(arrived, &sizes[1]);
        assert_true(a && b);
        if (sizes[0] != sizes[1] || memcmp(a, b, sizes[0]) != 0)
            fail_msg("seed %llu: values differ\n%s", (unsigned long long)seed, order);
        tried++;
        free(a);
        free(b);
        free(order);
        free(program);
    }
    assert_true(tried > often(12) / 2 && waits > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fewest), cmocka_unit_test(transfers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
