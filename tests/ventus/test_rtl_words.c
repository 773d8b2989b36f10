/*
 * Programs that published runs of the RTL executed (rtl_programs.tsv): every word is an instruction
 * whose text is the same word again, and each program ends after as many instructions as the run
 * had. Launched as those were: A at 0x90000000, B at 0x90001000 (of memory-rf4-v7 at 0x90010000 and
 * 0x90100000), the result at 0x90002000.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/ventus/run.h"
#include "functional/ventus/work.h"
#include "tests/takt_process.h"

enum { WORDS = 400, FTTA = 0x0c00400b };

struct rtl_program {
    char name[80];
    uint32_t warps, count, given; /* given: words of the row */
    uint32_t words[WORDS];
};

/* The next row; false: there is none. */
static bool next(const char **at, struct rtl_program *p)
{
    while (**at == '#')
        *at = strchr(*at, '\n') + 1;
    if (!**at)
        return false;
    int used;
    assert_int_equal(sscanf(*at, "%79s %u %u%n", p->name, &p->warps, &p->count, &used), 3);
    *at += used;
    p->given = 0;
    while (**at != '\n') {
        assert_true(p->given < WORDS);
        char *end;
        p->words[p->given++] = (uint32_t)strtoul(*at, &end, 16);
        *at = end;
    }
    ++*at;
    return true;
}

static void words_are_instructions(void **state)
{
    (void)state;
    char *rows = takt_read_file("tests/ventus/rtl_programs.tsv", NULL);
    const char *at = rows;
    static struct rtl_program p;
    unsigned programs = 0, tensors = 0;
    for (; next(&at, &p); programs++) {
        assert_int_equal(p.given, p.count);
        for (uint32_t i = 0; i < p.given; i++) {
            struct ventus_op op;
            char text[VENTUS_TEXT];
            if (!ventus_decode(p.words[i], NULL, &op))
                fail_msg("%s: 0x%08x", p.name, p.words[i]);
            assert_int_equal(ventus_encode(&op), p.words[i]);
            ventus_insn_print(&op, NULL, NULL, text);
            assert_null(strstr(text, ".word"));
            /* The page of the runs says vd, vs2, vs1. */
            if (op.body == BODY_VFTTA) {
                char want[80];
                snprintf(want, sizeof want, "vftta.vv v%u, v%u, v%u, vm", p.words[i] >> 7 & 31,
                         p.words[i] >> 20 & 31, p.words[i] >> 15 & 31);
                assert_string_equal(text, want);
                tensors++;
            }
        }
    }
    assert_int_equal(programs, 29);
    assert_true(tensors > 0);
    free(rows);
}

/* The text of a program and its launch; `clear`: bits 25 of vftta are 0. */
static void write(char *text, size_t size, const struct rtl_program *p, bool clear)
{
    const bool far = !strncmp(p->name, "memory", 6);
    int used =
        snprintf(text, size,
                 ".launch workgroup %u\n.launch threads 32\n.launch local 4096\n"
                 ".launch private 128\n.launch sgprs 64\n.launch vgprs 64\n"
                 ".buffer a, 4096, 0x%x\n.buffer b, 4096, 0x%x\n"
                 ".buffer out, 4096, 0x90002000\n.arg a, b, out\n.text\n_start:\n",
                 32 * p->warps, far ? 0x90010000 : 0x90000000, far ? 0x90100000 : 0x90001000);
    for (uint32_t i = 0; i < p->given; i++) {
        const bool tensor = (p->words[i] & 0xfc00707f) == FTTA;
        used += snprintf(text + used, size - (size_t)used, ".word 0x%08x\n",
                         p->words[i] & ~(clear && tensor ? UINT32_C(1) << 25 : 0));
    }
}

/* Word i of table k: small whole numbers. */
static float value_of(size_t k, uint32_t i)
{
    return (float)((i * (k + 3) + k) % 7) - 2;
}

/* Steps, and the result's bytes. */
static uint64_t run(const struct rtl_program *p, bool clear, uint8_t out[4096])
{
    static char text[32 * WORDS];
    struct ventus_program program;
    struct ventus_run run;
    struct source source;
    struct diag_list diags;
    char error[VENTUS_ERROR] = "";
    write(text, sizeof text, p, clear);
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "t.ventus", text, strlen(text)), 0);
    if (ventus_program_load(&program, &source, 1, &diags) != 0)
        fail_msg("%s: %s", p->name, diags.count ? diags.items[0].message : "");
    assert_int_equal(ventus_run_new(&run, &program, error), 0);
    const uint32_t tables[] = {0x90000000, 0x90001000, 0x90010000, 0x90100000};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        for (uint32_t i = 0; i < 1024; i++) {
            const float value = value_of(k, i);
            uint8_t *to = ventus_memory_at(&run.memory, tables[k] + 4 * i, 4);
            if (to)
                memcpy(to, &value, 4);
        }
    if (ventus_run_advance(&run, 1000000, error) != 0)
        fail_msg("%s: %s", p->name, error);
    memcpy(out, ventus_memory_at(&run.memory, 0x90002000, 4096), 4096);
    const uint64_t steps = run.steps;
    ventus_run_free(&run);
    ventus_program_free(&program);
    source_close(&source);
    diag_list_free(&diags);
    return steps;
}

static void programs_end(void **state)
{
    (void)state;
    char *rows = takt_read_file("tests/ventus/rtl_programs.tsv", NULL);
    const char *at = rows;
    static struct rtl_program p;
    static uint8_t set[4096], cleared[4096], zero[4096];
    while (next(&at, &p)) {
        assert_int_equal(run(&p, false, set), (uint64_t)p.warps * p.count);
        assert_int_equal(run(&p, true, cleared), (uint64_t)p.warps * p.count);
        assert_memory_equal(set, cleared, sizeof set);
        assert_memory_not_equal(set, zero, sizeof set); /* they do store something */
    }
    free(rows);
}

/* `resident-16`: a tile of 4 x 4 of a product with K = 8 x 16, for which A and B are loaded
 * once. The values are those of run(). */
static void product(void **state)
{
    (void)state;
    char *rows = takt_read_file("tests/ventus/rtl_programs.tsv", NULL);
    const char *at = rows;
    static struct rtl_program p;
    unsigned found = 0;
    while (next(&at, &p)) {
        float out[1024];
        if (!strstr(p.name, "__resident-16-"))
            continue;
        run(&p, false, (uint8_t *)out);
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t j = 0; j < 4; j++) {
                float sum = 0;
                for (uint32_t k = 0; k < 8; k++)
                    sum += 16 * value_of(0, 8 * i + k) * value_of(1, 8 * j + k);
                assert_true(out[4 * i + j] == sum);
            }
        found++;
    }
    assert_int_equal(found, 5);
    free(rows);
}

/* `ffn-d8-h8`: two layers, max(0, X W + b) W' + b', the matrix between them through memory. What
 * the page of the runs does not say is in their addresses: X, b by tiles of four columns, b' at
 * A, W by tiles and W' at B, weights by outputs. The order of rows and columns in a product
 * decides what the second layer reads. */
static void two_layers(void **state)
{
    (void)state;
    char *rows = takt_read_file("tests/ventus/rtl_programs.tsv", NULL);
    const char *at = rows;
    static struct rtl_program p;
    unsigned found = 0;
    while (next(&at, &p)) {
        float out[1024], between[4][8];
        if (!strstr(p.name, "ffn-d8-h8-"))
            continue;
        run(&p, false, (uint8_t *)out);
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t n = 0; n < 8; n++) {
                const uint32_t tile = n / 4, j = n % 4;
                float sum = value_of(0, 64 * tile + 32 + 4 * i + j);
                for (uint32_t k = 0; k < 8; k++)
                    sum += value_of(0, 64 * tile + 8 * i + k) * value_of(1, 32 * tile + 8 * j + k);
                between[i][n] = sum > 0 ? sum : 0;
            }
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t j = 0; j < 4; j++) {
                float sum = value_of(0, 128 + 4 * i + j);
                for (uint32_t k = 0; k < 8; k++)
                    sum += between[i][k] * value_of(1, 64 + 8 * j + k);
                assert_true(out[4 * i + j] == sum);
            }
        found++;
    }
    assert_int_equal(found, 2);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_instructions),
        cmocka_unit_test(programs_end),
        cmocka_unit_test(product),
        cmocka_unit_test(two_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
