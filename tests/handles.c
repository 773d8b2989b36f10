#include "tests/handles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/takt_process.h"

const char *const handles_examples[HANDLES_EXAMPLES] = {HANDLES_FMA, "examples/mncore2/reduce.vsm",
                                                        "examples/amx/matmul.amx",
                                                        "examples/amx/threads.amx"};

void handles_fine(enum takt_status status, const struct takt_error *error)
{
    if (status != TAKT_FINE)
        fail_msg("status %d: %s", (int)status, error->text);
}

void handles_refused(enum takt_status status, enum takt_status expected,
                     const struct takt_error *error, const char *words)
{
    if (status != expected || error->status != expected || !strstr(error->text, words))
        fail_msg("status %d: %s; expected %d: %s", (int)status, error->text, (int)expected, words);
}

struct takt_machine *handles_machine(const char *name)
{
    struct takt_error error;
    struct takt_machine *machine;
    handles_fine(takt_machine_open(&machine, name, &error), &error);
    return machine;
}

static struct takt_program *program_of(struct takt_machine *machine, const char *path)
{
    struct takt_error error;
    struct takt_program *program;
    const struct takt_text text = {.name = path};
    handles_fine(takt_program_open(&program, machine, &text, 1, &error), &error);
    takt_machine_close(machine);
    return program;
}

struct takt_program *handles_program(const char *path)
{
    return program_of(handles_machine(path), path);
}

struct takt_program *handles_silent(const char *path)
{
    struct takt_error error;
    struct takt_machine *machine = handles_machine(path);
    handles_fine(takt_machine_silence(machine, "all", &error), &error);
    return program_of(machine, path);
}

struct takt_run *handles_done(struct takt_program *program, const struct takt_options *options)
{
    struct takt_error error;
    struct takt_run *run;
    handles_fine(takt_run_open(&run, program, options, &error), &error);
    handles_fine(takt_run_advance(run, 0, &error), &error);
    return run;
}

json_t *handles_command(const char *const *arguments)
{
    struct takt_result r = takt_run(arguments);
    json_t *root = json_loads(r.out, 0, NULL);
    if (r.exit_code != 0 || !root)
        fail_msg("takt %s: exit %d: %.300s", arguments[1], r.exit_code, r.err);
    takt_result_free(&r);
    return root;
}

uint64_t handles_integer(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}
