/*
 * The cases of tests/ventus/cases.tar.gz, whose logs a public functional simulator wrote: the lines
 * of each core must be those of its log. And the form of the files, both edges.
 */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "functional/ventus/listing.h"
#include "functional/ventus/run.h"

static char root[] = "/tmp/takt-ventus-XXXXXX";
static unsigned cases, equal;

/* --- the listing of one case ------------------------------------------------------------------ */

struct listing {
    FILE *out;
    struct ventus_run run;
    struct ventus_listed listed[VENTUS_WARPS];
};

static void list(void *context, const struct ventus_warp *w, const struct ventus_effect *e)
{
    struct listing *l = context;
    if (w->executed == 1)
        ventus_listing_start(l->out, &l->run.exec, &l->listed[w->number], w->number);
    ventus_listing_step(l->out, &l->run.exec, &l->listed[w->number], w, e, w->number);
}

static char *listing_of(const char *path, size_t *size)
{
    static struct listing l;
    struct ventus_program program;
    struct source source;
    struct diag_list diags;
    char error[VENTUS_ERROR], *text = NULL;
    diag_list_init(&diags);
    assert_int_equal(source_open(&source, path, error, sizeof error), 0);
    assert_int_equal(ventus_program_load(&program, &source, 1, &diags), 0);
    l = (struct listing){.out = open_memstream(&text, size)};
    assert_int_equal(ventus_run_new(&l.run, &program, error), 0);
    l.run.exec.listing = true;
    l.run.observe = list;
    l.run.context = &l;
    assert_int_equal(ventus_run_advance(&l.run, 1000000, error), 0);
    ventus_listing_tail(l.out, &l.run.exec, &l.listed[0], l.run.warps, 0);
    fclose(l.out);
    ventus_run_free(&l.run);
    ventus_program_free(&program);
    source_close(&source);
    diag_list_free(&diags);
    return text;
}

/* The lines of one core, with the lines of the SIMT stack that follow them. */
static char *lines_of(const char *text, size_t size, unsigned core)
{
    char *out = malloc(size + 1), *to = out;
    bool own = false;
    for (const char *at = text; at < text + size;) {
        const char *end = memchr(at, '\n', (size_t)(text + size - at));
        const size_t length = end ? (size_t)(end - at) + 1 : (size_t)(text + size - at);
        if (!strncmp(at, "core", 4))
            own = strtoul(at + 4, NULL, 10) == core;
        if (own) {
            memcpy(to, at, length);
            to += length;
        }
        at += length;
    }
    *to = '\0';
    return out;
}

static int compare(const char *path, const struct stat *info, int flag, struct FTW *walk)
{
    (void)info;
    (void)walk;
    const size_t length = strlen(path);
    struct source log;
    char metadata[512], error[256];
    if (flag != FTW_F || length < 4 || strcmp(path + length - 4, ".log") != 0)
        return 0;
    snprintf(metadata, sizeof metadata, "%.*s.metadata", (int)(length - 4), path);
    assert_int_equal(source_open(&log, path, error, sizeof error), 0);
    size_t size;
    char *text = listing_of(metadata, &size);
    bool same = true;
    for (unsigned core = 0; core < VENTUS_WARPS; core++) {
        char *want = lines_of(log.text, log.size, core), *got = lines_of(text, size, core);
        same &= !strcmp(want, got);
        free(want);
        free(got);
    }
    if (!same)
        print_error("%s differs\n", path);
    cases++;
    equal += same;
    free(text);
    source_close(&log);
    return 0;
}

static void logs_are_equal(void **state)
{
    (void)state;
    assert_int_equal(nftw(root, compare, 16, FTW_PHYS), 0);
    assert_int_equal(cases, 45);
    assert_int_equal(equal, 45);
}

/* --- the form of the files -------------------------------------------------------------------- */

/* Loads NAME.metadata of this text, with the data text; the first sentence into `said`. */
static int load(const char *metadata, const char *data, char said[256])
{
    char path[128], error[256];
    struct ventus_program program;
    struct source source;
    struct diag_list diags;
    snprintf(path, sizeof path, "%s/form.data", root);
    FILE *file = fopen(path, "w");
    fputs(data, file);
    fclose(file);
    snprintf(path, sizeof path, "%s/form.metadata", root);
    file = fopen(path, "w");
    fputs(metadata, file);
    fclose(file);
    diag_list_init(&diags);
    assert_int_equal(source_open(&source, path, error, sizeof error), 0);
    const int status = ventus_program_load(&program, &source, 1, &diags);
    snprintf(said, 256, "%u: %.200s", diags.count ? diags.items[0].line : 0,
             diags.count ? diags.items[0].message : "");
    ventus_program_free(&program);
    source_close(&source);
    diag_list_free(&diags);
    return status;
}

/* start, id, grid x y z, threads, warps, metadata, local, private, sgprs, vgprs, private base, 1
 * buffer: base, size, room */
#define WORDS(threads, warps, size)                                                                \
    "80000000\n0\n0\n0\n1\n0\n1\n0\n1\n0\n" threads "\n0\n" warps                                  \
    "\n0\n90000000\n0\n0\n0\n0\n0\n40\n0\n40\n0\n90001000\n0\n1\n0\n80000000\n0\n" size            \
    "\n0\n1000\n0\n"

static void forms(void **state)
{
    (void)state;
    char said[256];
    assert_int_equal(load(WORDS("20", "8", "4"), "0000400b\n", said), 0);
    assert_int_equal(load(WORDS("21", "8", "4"), "0000400b\n", said), 1);
    assert_string_equal(said, "12: a warp has 1 to 32 threads");
    assert_int_equal(load(WORDS("0", "8", "4"), "0000400b\n", said), 1);
    assert_int_equal(load(WORDS("4", "20", "4"), "0000400b\n", said), 0);
    assert_int_equal(load(WORDS("4", "21", "4"), "0000400b\n", said), 1);
    assert_int_equal(load(WORDS("4", "8", "0"), "", said), 1);
    assert_string_equal(said, "34: no buffer holds code at the start address");
    assert_int_equal(load(WORDS("4", "8", "8"), "0000400b\n", said), 1);
    assert_non_null(strstr(said, "form.data:2: the file ends before its last word"));
    assert_int_equal(load(WORDS("4", "8", "4"), "0000400bx\n", said), 1);
    assert_int_equal(load(WORDS("4", "8", "4"), "000400b00\n", said), 1);
    assert_int_equal(load("80000000\n", "", said), 1);
    assert_int_equal(load("", "", said), 1);
}

static int unpack(void **state)
{
    (void)state;
    char command[256];
    if (!mkdtemp(root))
        return -1;
    snprintf(command, sizeof command, "tar -xzf tests/ventus/cases.tar.gz -C %s", root);
    return system(command);
}

static int clear(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_are_equal),
        cmocka_unit_test(forms),
    };
    return cmocka_run_group_tests(tests, unpack, clear);
}
