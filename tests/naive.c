#include "tests/naive.h"
#include "timing/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 4096 };

struct text {
    char *line[LINES];
    size_t count;
};

static struct text split(const char *from)
{
    struct text text = {.count = 0};
    for (const char *at = from; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        assert_true(text.count < LINES);
        text.line[text.count++] = strndup(at, strcspn(at, "\n"));
    }
    return text;
}

static char *join(const struct text *text)
{
    char *out = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&out, &size);
    for (size_t i = 0; i < text->count; i++)
        fprintf(file, "%s\n", text->line[i]);
    fclose(file);
    return out;
}

static void drop(struct text *text)
{
    for (size_t i = 0; i < text->count; i++)
        free(text->line[i]);
}

/* The first hazard's line and the empty steps that it asks for; 0: legal. */
static uint32_t missing(const struct machine *machine, const char *text, uint32_t *line)
{
    struct source source;
    struct diag_list diags;
    struct config config;
    struct machine_program *program;
    char error[MACHINE_ERROR];
    uint32_t steps = 0;
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "naive", text, strlen(text)), 0);
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    assert_int_equal(machine->language->load(&program, &source, 1, &diags), 0);
    machine->language->check(program, &config, NULL, &diags);
    diag_sort(&diags);
    for (size_t i = 0; i < diags.count; i++) {
        const struct diag *d = &diags.items[i];
        if (d->severity != DIAG_ERROR)
            continue;
        assert_true(d->missing_steps > 0);
        if (steps && d->line != *line)
            break;
        *line = d->line;
        steps = (uint32_t)d->missing_steps > steps ? (uint32_t)d->missing_steps : steps;
    }
    machine->language->unload(program);
    source_close(&source);
    diag_list_free(&diags);
    config_free(&config);
    return steps;
}

static bool forwarded(const char *expr, size_t length)
{
    static const char *const names[] = {"$mauf", "$aluf", "$lbf", "$mreadf", "$lbi", "$llbi"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (memmem(expr, length, names[i], strlen(names[i])))
            return true;
    return false;
}

static void put_step(const char *line, FILE *out)
{
    const char *wait = strstr(line, "; wait i");
    const size_t end = wait ? (size_t)(wait - line) : strlen(line);
    if (wait)
        fprintf(out, "nop; %s\n", wait + 2);
    if (strncmp(line, "nop", 3) == 0)
        return;
    if (strncmp(line, "noforward", 9) == 0) {
        fprintf(out, "%.*s\n", (int)end, line);
        return;
    }
    for (int readers = 1; readers >= 0; readers--) {
        for (size_t at = 0, next; at < end; at = next + 2) {
            const char *stop = memmem(line + at, end - at, "; ", 2);
            next = stop ? (size_t)(stop - line) : end;
            if (forwarded(line + at, next - at) == readers)
                fprintf(out, "%.*s\n", (int)(next - at), line + at);
        }
    }
}

char *naive_steps(const struct machine *machine, const char *text)
{
    struct source source;
    struct diag_list diags;
    struct machine_program *program;
    char *canonical = NULL, *out = NULL;
    size_t size = 0;
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "naive", text, strlen(text)), 0);
    assert_int_equal(machine->language->load(&program, &source, 1, &diags), 0);
    FILE *file = open_memstream(&canonical, &size);
    assert_int_equal(machine->language->print(program, NULL, file), 0);
    fclose(file);
    machine->language->unload(program);
    diag_list_free(&diags);
    source_close(&source);
    struct text lines = split(canonical);
    free(canonical);
    file = open_memstream(&out, &size);
    for (size_t i = 0; i < lines.count; i++) {
        const char *line = lines.line[i];
        if (strncmp(line, "mv", 2) == 0 || strncmp(line, "d ", 2) == 0 || line[1] == ' ')
            fprintf(file, "%s\n", line);
        else
            put_step(line, file);
    }
    fclose(file);
    drop(&lines);
    uint32_t line;
    for (uint32_t steps; (steps = missing(machine, out, &line)) != 0;) {
        char *next = NULL;
        lines = split(out);
        file = open_memstream(&next, &size);
        for (size_t i = 0; i < lines.count; i++) {
            if (i + 1 == line)
                fprintf(file, "nop/%u\n", steps);
            fprintf(file, "%s\n", lines.line[i]);
        }
        fclose(file);
        drop(&lines);
        free(out);
        out = next;
    }
    return out;
}

/* --- loads ------------------------------------------------------------------------------------ */

static int nothing(void *context, const struct sink_summary *summary)
{
    (void)context;
    (void)summary;
    return 0;
}

/* Hash of the state behind the program, from memories at random. */
static uint64_t values(const struct machine *machine, const char *text)
{
    static const struct sink_ops ops = {.name = "nothing", .finish = nothing};
    const struct sink sink = {&ops, NULL};
    const struct run_options options = {.functional_only = true, .init = "random:7", .threads = 1};
    struct source source;
    struct diag_list diags;
    struct config config;
    struct machine_program *program;
    struct machine_run *run;
    char error[MACHINE_ERROR];
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "naive", text, strlen(text)), 0);
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    assert_int_equal(machine->language->load(&program, &source, 1, &diags), 0);
    const struct run_setup setup = {
        .program = program, .config = &config, .options = &options, .sink = &sink};
    assert_int_equal(run_open(&run, machine, &setup, &diags, error), 0);
    enum run_status status = RUN_MORE;
    while (status == RUN_MORE)
        status = run_advance(run, UINT64_MAX, &diags, error);
    assert_int_equal(status, RUN_DONE);
    const uint64_t hash = run_hash(run);
    run_close(run);
    machine->language->unload(program);
    source_close(&source);
    diag_list_free(&diags);
    config_free(&config);
    return hash;
}

static bool begins(const char *line, const char *word)
{
    return strncmp(line + strspn(line, " "), word, strlen(word)) == 0;
}

/* The registers of X or Y that a line names: bits. A load of a pair has two, and so has a vector
 * that does not begin at a register. */
static unsigned registers(const char *line, char file)
{
    const char name[] = {' ', file, '=', '\0'};
    const char *at = strstr(line, name);
    if (!at)
        return 0;
    const unsigned number = (unsigned)strtoul(at + 3, NULL, 10);
    if (begins(line, "matfp"))
        return 1u << number / 64 | (number % 64 ? 1u << (number / 64 + 1) % 8 : 0);
    return 1u << number | (strstr(line, "pair") ? 1u << (number + 1) % 8 : 0);
}

char *naive_loads(const struct machine *machine, const char *text)
{
    struct text lines = split(text);
    for (size_t i = lines.count; i-- > 0;) {
        if (!begins(lines.line[i], "ldx") && !begins(lines.line[i], "ldy"))
            continue;
        const char file = begins(lines.line[i], "ldx") ? 'x' : 'y';
        for (size_t k = i; k + 1 < lines.count && begins(lines.line[k + 1], "matfp") &&
                           !(registers(lines.line[k], file) & registers(lines.line[k + 1], file));
             k++) {
            char *line = lines.line[k];
            lines.line[k] = lines.line[k + 1];
            lines.line[k + 1] = line;
        }
    }
    char *out = join(&lines);
    drop(&lines);
    assert_true(values(machine, out) == values(machine, text));
    return out;
}
