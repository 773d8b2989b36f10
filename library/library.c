#include "library/library.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/whatif.h"
#include "functional/text.h"
#include "host/failure.h"
#include "host/grow.h"
#include "timing/machines.h"
#include "traces/schema.h"

/* --- errors ----------------------------------------------------------------------------------- */

/* What a caller gave is in sentences, too: it ends no line, and a terminal gets no control
 * characters with it. */
static void one_line(char *text)
{
    for (size_t left = strlen(text), size; left; text += size, left -= size) {
        size = text_character(text, left);
        if (size == 0 || *text == '\t')
            *text = *text == '\n' || *text == '\t' ? ' ' : '?';
        size = size ? size : 1;
    }
}

enum takt_status library_fail(struct takt_error *error, enum takt_status status, const char *format,
                              ...)
{
    if (!error)
        return status;
    va_list args;
    va_start(args, format);
    *error = (struct takt_error){.status = status};
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    one_line(error->text);
    return status;
}

enum takt_status library_no_memory(struct takt_error *error)
{
    return library_fail(error, TAKT_HOST, "out of memory");
}

enum takt_status library_fault(struct takt_error *error, const struct diag_list *diags,
                               const struct source *sources)
{
    for (size_t i = 0; i < diags->count; i++) {
        const struct diag *diag = &diags->items[i];
        if (diag->severity != DIAG_ERROR)
            continue;
        const char *file = sources[diag->file].name;
        if (diag->line == 0)
            library_fail(error, TAKT_INPUT, "%s: %s", file, diag->message);
        else
            library_fail(error, TAKT_INPUT, "%s:%u:%u: %s", file, diag->line, diag->column,
                         diag->message);
        if (!error)
            return TAKT_INPUT;
        error->line = diag->line;
        error->column = diag->column;
        snprintf(error->file, sizeof error->file, "%s", file);
        snprintf(error->rule, sizeof error->rule, "%s", diag->rule);
        snprintf(error->fix, sizeof error->fix, "%s", diag->fix ? diag->fix : "");
        return TAKT_INPUT;
    }
    return library_fail(error, TAKT_INPUT, "the program has errors");
}

enum takt_status library_missing(struct takt_error *error, const char *what)
{
    return library_fail(error, TAKT_MISUSE, "%s is NULL", what);
}

enum takt_status library_below(struct takt_error *error, int status, const char *text)
{
    return status == 0  ? TAKT_FINE
           : status > 0 ? library_fail(error, TAKT_INPUT, "%s", text)
                        : library_fail(error, TAKT_HOST, "%s", text[0] ? text : "out of memory");
}

int library_unless_host_failed(int status, unsigned long failures, char *text)
{
    if (status < 0 || failure_count_host() == failures)
        return status;
    text[0] = '\0';
    return -1;
}

bool library_is_stopped(void *self)
{
    struct library_stop *s = self;
    if (!atomic_load(&s->stopped) && s->stop && s->stop(s->context))
        atomic_store(&s->stopped, true);
    return atomic_load(&s->stopped);
}

const char *takt_version(void)
{
    return TAKT_VERSION;
}

/* --- a machine -------------------------------------------------------------------------------- */

struct takt_machine *library_machine(const struct machine *machine)
{
    struct takt_machine *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->machine = machine;
    atomic_init(&m->holders, 1);
    return m;
}

enum takt_status takt_machine_open(struct takt_machine **result, const char *name,
                                   struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    *result = NULL;
    const struct machine *machine = name ? machine_named(name) : machines[0];
    if (!machine)
        machine = machine_of(name);
    if (!machine)
        return library_fail(error, TAKT_MISUSE, "no machine is named '%s', or has such programs",
                            name);
    struct takt_machine *m = library_machine(machine);
    char text[MACHINE_ERROR] = "";
    if (!m)
        return library_no_memory(error);
    const int status = machine_config(machine, &m->config, text, sizeof text);
    if (status != 0)
        free(m);
    else
        *result = m;
    return library_below(error, status, text);
}

void takt_machine_close(struct takt_machine *machine)
{
    if (!machine || atomic_fetch_sub(&machine->holders, 1) > 1)
        return;
    config_free(&machine->config);
    for (size_t i = 0; i < machine->setting_count; i++) {
        free((char *)(uintptr_t)machine->settings[i].name);
        free((char *)(uintptr_t)machine->settings[i].value);
    }
    free(machine->settings);
    for (size_t i = 0; i < machine->silenced_count; i++)
        free(machine->silenced[i]);
    free(machine->silenced);
    free(machine);
}

const char *takt_machine_name(const struct takt_machine *machine)
{
    return machine->machine->name;
}

static enum takt_status in_use(const struct takt_machine *machine, struct takt_error *error)
{
    return atomic_load(&machine->holders) == 1
               ? TAKT_FINE
               : library_fail(error, TAKT_MISUSE,
                              "a machine is set up before a program is opened for it");
}

enum takt_status takt_machine_set(struct takt_machine *machine, const char *assignment,
                                  struct takt_error *error)
{
    if (!machine)
        return library_missing(error, "machine");
    if (!assignment)
        return library_missing(error, "assignment");
    const enum takt_status status = in_use(machine, error);
    if (status != TAKT_FINE)
        return status;
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        return library_fail(error, TAKT_MISUSE, "a parameter is set by KEY=VALUE, not '%.100s'",
                            assignment);
    char text[MACHINE_ERROR] = "";
    return library_below(error, config_set(&machine->config, assignment, text, sizeof text), text);
}

enum takt_status takt_machine_config(struct takt_machine *machine, const char *name,
                                     const char *text, size_t size, struct takt_error *error)
{
    if (!machine)
        return library_missing(error, "machine");
    if (!name)
        return library_missing(error, "name");
    if (size && !text)
        return library_missing(error, "text");
    const enum takt_status status = in_use(machine, error);
    if (status != TAKT_FINE)
        return status;
    char why[MACHINE_ERROR] = "";
    const struct config_file file = {name, text, size};
    return library_below(error, config_overlay(&machine->config, &file, why, sizeof why), why);
}

enum takt_status takt_machine_speed(struct takt_machine *machine, const char *text,
                                    struct takt_error *error)
{
    if (!machine)
        return library_missing(error, "machine");
    if (!text)
        return library_missing(error, "text");
    enum takt_status status = in_use(machine, error);
    struct whatif_sets sets = {.list = NULL};
    char why[MACHINE_ERROR] = "";
    if (status != TAKT_FINE)
        return status;
    const int found = whatif_speed(&sets, machine->machine, &machine->config, text, why);
    status =
        found > 0 ? library_fail(error, TAKT_MISUSE, "%s", why) : library_below(error, found, why);
    for (size_t i = 0; status == TAKT_FINE && i < sets.count; i++)
        status = takt_machine_set(machine, sets.list[i], error);
    free(sets.list);
    return status;
}

static const struct machine_option *find_option(const struct machine *machine, const char *name)
{
    const struct machine_option *option = machine_option(machine, "run", name);
    return option ? option : machine_option(machine, "check", name);
}

enum takt_status takt_machine_option(struct takt_machine *machine, const char *name,
                                     const char *value, struct takt_error *error)
{
    if (!machine)
        return library_missing(error, "machine");
    if (!name)
        return library_missing(error, "name");
    const enum takt_status status = in_use(machine, error);
    if (status != TAKT_FINE)
        return status;
    const struct machine_option *option = find_option(machine->machine, name);
    if (!option)
        return library_fail(error, TAKT_MISUSE, "programs of %s have no option '%.100s'",
                            machine->machine->name, name);
    if (!option->argument != !value)
        return library_fail(error, TAKT_MISUSE, "option %s takes %s", name,
                            value ? "no value" : "a value");
    bool known = !option->words;
    for (const char *const *word = option->words; word && *word && !known; word++)
        known = strcmp(*word, value) == 0;
    if (!known)
        return library_fail(error, TAKT_MISUSE, "option %s is never '%.100s'", name, value);
    struct machine_setting *settings = grow(machine->settings, &machine->setting_room,
                                            machine->setting_count + 2, sizeof *settings);
    if (!settings)
        return library_no_memory(error);
    machine->settings = settings;
    const struct machine_setting copy = {strdup(name), strdup(value ? value : "")};
    settings[machine->setting_count++] = copy;
    settings[machine->setting_count] = (struct machine_setting){NULL, NULL};
    return copy.name && copy.value ? TAKT_FINE : library_no_memory(error);
}

enum takt_status takt_machine_silence(struct takt_machine *machine, const char *name,
                                      struct takt_error *error)
{
    if (!machine)
        return library_missing(error, "machine");
    if (!name)
        return library_missing(error, "name");
    const enum takt_status status = in_use(machine, error);
    if (status != TAKT_FINE)
        return status;
    if (!machine_warns(machine->machine, name))
        return library_fail(error, TAKT_MISUSE, "no warning of %s is named '%.100s'",
                            machine->machine->name, name);
    char **silenced = grow(machine->silenced, &machine->silenced_room, machine->silenced_count + 2,
                           sizeof *silenced);
    char *copy = silenced ? strdup(name) : NULL;
    machine->silenced = silenced ? silenced : machine->silenced;
    if (!copy)
        return library_no_memory(error);
    silenced[machine->silenced_count++] = copy;
    silenced[machine->silenced_count] = NULL;
    return TAKT_FINE;
}

/* --- a program -------------------------------------------------------------------------------- */

void takt_program_close(struct takt_program *program)
{
    if (!program || atomic_fetch_sub(&program->holders, 1) > 1)
        return;
    if (program->program)
        program->machine->machine->language->unload(program->program);
    for (size_t i = 0; i < program->source_count; i++)
        source_close(&program->sources[i]);
    free(program->sources);
    free(program->findings);
    free(program->details);
    free(program->settings);
    diag_list_free(&program->diags);
    takt_machine_close(program->machine);
    free(program);
}

int library_open_text(struct source *source, const struct takt_text *text, char *error, size_t size)
{
    if (text->text)
        return source_from_text(source, text->name, text->text, text->size);
    if (strcmp(text->name, "-") != 0)
        return source_open(source, text->name, error, size);
    snprintf(error, size, "standard input is not read; ./- is a file of the name -");
    return 1;
}

static int open_sources(struct takt_program *program, const struct takt_text *texts, char *error,
                        size_t size)
{
    for (size_t i = 0; i < program->source_count; i++) {
        struct source *source = &program->sources[i];
        const int status = library_open_text(source, &texts[i], error, size);
        if (status != 0)
            return status;
    }
    return source_number_turns(program->sources, program->source_count);
}

struct takt_program *library_program(struct takt_machine *machine, size_t count)
{
    struct takt_program *program = calloc(1, sizeof *program);
    if (!program || !(program->sources = calloc(count, sizeof *program->sources))) {
        free(program);
        return NULL;
    }
    atomic_init(&program->holders, 1);
    atomic_fetch_add(&machine->holders, 1);
    program->machine = machine;
    program->source_count = count;
    diag_list_init(&program->diags);
    program->diags.silenced = (const char *const *)machine->silenced;
    return program;
}

static int list_findings(struct takt_program *program)
{
    const struct diag_list *diags = &program->diags;
    program->findings = calloc(diags->count + 1, sizeof *program->findings);
    program->details = calloc(diags->count + 1, sizeof *program->details);
    if (!program->findings || !program->details)
        return -1;
    for (size_t i = 0; i < diags->count; i++) {
        const struct diag *diag = &diags->items[i];
        const char *other =
            diag->other_line ? diag_file(program->sources, diag->file, diag->other_file).name : "";
        program->details[i] = (struct takt_detail){
            .text = diag->file,
            .other_file = *other ? other : NULL,
            .other_line = diag->other_line,
            .missing_cycles = diag->missing_cycles ? diag->missing_cycles : -1,
        };
        program->findings[i] = (struct takt_finding){
            .file = program->sources[diag->file].name,
            .line = diag->line,
            .column = diag->column,
            .length = diag->length,
            .severity = (enum takt_severity)diag->severity,
            .rule = diag->rule,
            .name = diag->name,
            .text = diag->message ? diag->message : "",
            .fix = diag->fix,
            .missing_steps = diag->missing_steps ? diag->missing_steps : -1,
            .spare_steps = diag->spare_steps,
            .spare_cycles = diag->spare_cycles,
        };
    }
    return 0;
}

int library_machine_fits(const struct takt_machine *m, char error[MACHINE_ERROR])
{
    for (size_t i = 0; i < m->setting_count; i++) {
        const struct machine_option *option = find_option(m->machine, m->settings[i].name);
        if (option->with && !machine_setting(m->settings, option->with)) {
            snprintf(error, MACHINE_ERROR, "option %s goes with %s", option->name, option->with);
            return 1;
        }
    }
    return m->machine->timing->valid ? m->machine->timing->valid(&m->config, error) : 0;
}

int library_judge(struct takt_program *program, const struct machine_setting *settings)
{
    const struct takt_machine *m = program->machine;
    struct diag_list *diags = &program->diags;
    int status = m->machine->language->load(&program->program, program->sources,
                                            program->source_count, diags);
    status = machine_legal(m->machine, status, program->program, &m->config, settings, diags);
    diag_sort(diags);
    program->legal = status == 0;
    return status;
}

void library_raise_traps(struct takt_program *program)
{
    const char *name = program->machine->machine->language->traps;
    struct diag_list *diags = &program->diags;
    for (size_t i = 0; name && i < diags->count; i++) {
        struct diag *d = &diags->items[i];
        if (d->severity != DIAG_WARNING || strcmp(d->name, name) != 0)
            continue;
        d->severity = DIAG_ERROR;
        diags->warnings--;
        diags->errors++;
    }
}

/* traps: a statement that always fails is an error. */
static enum takt_status open_program(struct takt_program **result, struct takt_machine *machine,
                                     const struct takt_text *texts, size_t count, bool traps,
                                     struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    *result = NULL;
    if (!machine || !texts || count == 0)
        return library_fail(error, TAKT_MISUSE, "a program needs a machine and a text");
    for (size_t i = 0; i < count; i++)
        if (!texts[i].name)
            return library_missing(error, "the name of a text");
    const unsigned long failures = failure_count_host();
    struct takt_program *program = library_program(machine, count);
    if (!program)
        return library_no_memory(error);
    char text[MACHINE_ERROR] = "";
    int status = library_machine_fits(machine, text);
    if (status == 0)
        status = open_sources(program, texts, text, sizeof text);
    if (status != 0) {
        takt_program_close(program);
        return library_below(error, status, text);
    }
    status = library_judge(program, machine->settings);
    if (traps && status >= 0) {
        library_raise_traps(program);
        program->legal = !program->diags.errors;
        status = !program->legal;
    }
    if (list_findings(program) != 0 || library_unless_host_failed(status, failures, text) < 0) {
        takt_program_close(program);
        return library_no_memory(error);
    }
    *result = program;
    return status == 0 ? TAKT_FINE : library_fault(error, &program->diags, program->sources);
}

enum takt_status takt_program_open(struct takt_program **result, struct takt_machine *machine,
                                   const struct takt_text *texts, size_t count,
                                   struct takt_error *error)
{
    return open_program(result, machine, texts, count, false, error);
}

enum takt_status takt_program_check(struct takt_program **result, struct takt_machine *machine,
                                    const struct takt_text *texts, size_t count,
                                    struct takt_error *error)
{
    return open_program(result, machine, texts, count, true, error);
}

struct takt_program *library_copy(const struct takt_program *from, struct takt_machine *machine)
{
    struct takt_program *to = library_program(machine, from->source_count);
    for (size_t i = 0; to && i < from->source_count; i++) {
        const struct source *s = &from->sources[i];
        if (source_from_text(&to->sources[i], s->name, s->text, s->size) != 0) {
            takt_program_close(to);
            return NULL;
        }
        to->sources[i].turn = s->turn;
    }
    return to;
}

int library_freed(struct takt_program *program, const struct machine_setting *settings)
{
    size_t count = 0;
    while (settings && settings[count].name)
        count++;
    program->settings = calloc(count + 2, sizeof *program->settings);
    if (!program->settings)
        return -1;
    for (size_t i = 0; i < count; i++)
        program->settings[i] = settings[i];
    program->settings[count] = (struct machine_setting){"freed", ""};
    return 0;
}

int library_load_changed(struct takt_program *program, const struct machine_setting *settings,
                         struct diag_list *rules)
{
    const struct takt_machine *m = program->machine;
    int status = m->machine->language->load(&program->program, program->sources,
                                            program->source_count, &program->diags);
    program->legal = status == 0;
    if (status == 0 &&
        m->machine->language->check(program->program, &m->config, settings, rules) < 0)
        status = -1;
    diag_sort(&program->diags);
    return status;
}

enum takt_status takt_run_without(const struct takt_run *run, struct takt_program **result,
                                  const char *lines, struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    char why[MACHINE_ERROR] = "";
    *result = NULL;
    if (!run || !lines)
        return library_missing(error, run ? "lines" : "run");
    if (run->stage != STAGE_DONE)
        return library_fail(error, TAKT_MISUSE, "statements are taken out of a run that is done");
    const unsigned long failures = failure_count_host();
    struct takt_machine *m = run->program->machine;
    struct takt_program *program = library_copy(run->program, m);
    if (!program || library_freed(program, m->settings) != 0) {
        takt_program_close(program);
        return library_no_memory(error);
    }
    const int found = whatif_free(program->sources, program->source_count, &run->store, lines, why);
    int status = found == 0 ? library_load_changed(program, program->settings, &program->diags) : 0;
    status = status >= 0 && list_findings(program) != 0 ? -1 : status;
    status = library_unless_host_failed(status, failures, why);
    if (found == 0 && status == 0) {
        *result = program;
        return TAKT_FINE;
    }
    const enum takt_status code = status < 0 ? library_no_memory(error)
                                  : found != 0
                                      ? library_fail(error, TAKT_MISUSE, "%s", why)
                                      : library_fault(error, &program->diags, program->sources);
    takt_program_close(program);
    return code;
}

size_t takt_program_findings(const struct takt_program *program,
                             const struct takt_finding **findings)
{
    *findings = program->findings;
    return program->diags.count;
}

size_t takt_program_details(const struct takt_program *program, const struct takt_detail **details)
{
    *details = program->details;
    return program->diags.count;
}

size_t takt_program_count(const struct takt_program *program, enum takt_severity severity)
{
    const struct diag_list *diags = &program->diags;
    return severity == TAKT_ERROR     ? diags->errors
           : severity == TAKT_WARNING ? diags->warnings
                                      : diags->notes;
}
