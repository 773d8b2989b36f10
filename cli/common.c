/* common: errors, machines, sources, configuration and diagnostics for all commands. */
#include "cli/cli.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/json_build.h"
#include "analysis/utf8_json.h"
#include "host/failure.h"
#include "host/file.h"
#include "functional/text.h"
#include "host/grow.h"
#include "traces/trace.h"

static char last_sentence[1200]; /* for an answer in JSON */
static bool said;

static void say(const char *command, const char *format, va_list args)
{
    vsnprintf(last_sentence, sizeof last_sentence, format, args);
    said = true;
    text_print(stderr, "takt %s: %s\n", command, last_sentence);
    fflush(stderr);
}

/* A function of SQL that does not come back, or a reader of the answer: the end all the same. */
static char too_late[100];
static void give_up(int number)
{
    (void)number;
    const ssize_t written = write(STDERR_FILENO, too_late, strlen(too_late));
    (void)written;
    replace_abandon();
    _exit(EXIT_INPUT);
}

void cli_alarm(const char *command, double seconds, unsigned grace)
{
    if (seconds <= 0)
        return;
    snprintf(too_late, sizeof too_late, "takt %s: stopped after %.0f s; --seconds allows more\n",
             command, seconds);
    signal(SIGALRM, give_up);
    alarm((unsigned)seconds + grace);
}

bool cli_said(void)
{
    return said;
}

int cli_fail(enum exit_code code, const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(command, format, args);
    va_end(args);
    return (int)code;
}

int cli_status(const char *command, int status, const char *error)
{
    if (status == 0)
        return EXIT_FINE;
    return cli_fail(status > 0 ? EXIT_INPUT : EXIT_HOST, command, "%s",
                    *error ? error : "out of memory");
}

int cli_fail_in(const char *command, int status, const struct source *file, const char *error)
{
    static const char mark[] = "; fix: ";
    const char *fix = status > 0 ? strstr(error, mark) : NULL;
    const int code = fix ? cli_fail(EXIT_INPUT, command, "%.*s", (int)(fix - error), error)
                         : cli_status(command, status, error);
    if (status > 0)
        cli_excerpt(file, error);
    if (fix)
        text_print(stderr, "  fix: %s\n", fix + strlen(mark));
    return code;
}

void cli_excerpt(const struct source *file, const char *error)
{
    const size_t name = strlen(file->name);
    char *end;
    if (strncmp(error, file->name, name) != 0 || error[name] != ':')
        return;
    const unsigned long line = strtoul(error + name + 1, &end, 10);
    const unsigned long column = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
    if (column > 0 && line < UINT32_MAX && column < UINT32_MAX)
        diag_excerpt(file, (uint32_t)line, (uint32_t)column, stderr);
}

int cli_usage(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(command, format, args);
    va_end(args);
    fprintf(stderr, "takt %s --help lists the options.\n", command);
    return EXIT_USAGE;
}

bool cli_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(fileno(stream)) && !(no_colour && *no_colour) &&
           !(term && strcmp(term, "dumb") == 0);
}

int cli_width(FILE *stream)
{
    struct winsize size;
    if (isatty(fileno(stream)) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 39)
        return size.ws_col;
    return 80;
}

unsigned cli_processors(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 1 ? (unsigned)processors : 1;
}

const struct machine *cli_machine(const char *name, const char *path)
{
    if (name)
        return machine_named(name);
    const struct machine *machine = machine_of(path);
    return machine ? machine : machines[0];
}

/* "name (.ext .ext), name (.ext)" */
static void list_machines(char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < machine_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s (%s)", i ? ", " : "",
                                 machines[i]->name, machines[i]->language->extensions);
}

const struct machine *cli_machine_for(const char *command, const char *name, char **paths,
                                      size_t count)
{
    char known[512] = "";
    const struct machine *machine = cli_machine(name, paths[0]);
    list_machines(known, sizeof known);
    if (!machine)
        cli_usage(command, "no machine is named '%s'", name);
    for (size_t i = 0; machine && !name && i < count; i++) {
        if (strcmp(paths[i], "-") != 0 && !machine_of(paths[i]) && !trace_is(paths[i])) {
            cli_usage(command,
                      "%s does not say which machine it is for; --machine NAME is required: %s",
                      *paths[i] ? paths[i] : "''", known);
            return NULL;
        }
        if (cli_machine(NULL, paths[i]) != machine) {
            cli_usage(command, "%s is a program of another machine than %s", paths[i], paths[0]);
            return NULL;
        }
    }
    return machine;
}

bool cli_list_add(struct cli_list *list, const char *item)
{
    if (!grow_list(&list->items, &list->capacity, list->count + 2, sizeof *list->items))
        return false;
    list->items[list->count++] = item;
    list->items[list->count] = NULL;
    return true;
}

bool cli_list_join(struct cli_list *list, const struct cli_list *more)
{
    bool room = true;
    for (size_t i = 0; i < more->count; i++)
        room &= cli_list_add(list, more->items[i]);
    return room;
}

void cli_list_free(struct cli_list *list)
{
    free(list->items);
    *list = (struct cli_list){0};
}

int cli_silenced(const char *command, const struct machine *machine, const struct cli_list *names)
{
    for (size_t i = 0; i < names->count; i++) {
        if (machine_warns(machine, names->items[i]))
            continue;
        char list[1024];
        int size = snprintf(list, sizeof list, "all");
        for (const char *const *name = machine->language->warnings;
             *name && size < (int)sizeof list; name++)
            size += snprintf(list + size, sizeof list - (size_t)size, ", %s", *name);
        return cli_usage(command, "--silence: no warning of %s is named '%s'; the names are %s",
                         machine->name, names->items[i], list);
    }
    return EXIT_FINE;
}

static bool json_written;

void cli_unread_json(void)
{
    json_written = true;
    json_t *answer =
        json_pack("{s:b,s:o,s:[]}", "ok", 0, "error", utf8_json(last_sentence), "diagnostics");
    if (answer)
        json_dumpf(answer, stdout, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    putchar('\n');
    json_decref(answer);
}

int cli_end_json(bool json, int code)
{
    if (json && (code == EXIT_INPUT || code == EXIT_USAGE) && !json_written)
        cli_unread_json();
    return code;
}

int cli_open_sources(const char *command, char **paths, size_t count, struct source *sources)
{
    for (size_t i = 0; i < count; i++) {
        char error[MACHINE_ERROR];
        if (trace_is(paths[i])) {
            cli_close_sources(sources, i);
            return cli_fail(EXIT_INPUT, command, "%s is a takt trace, not a program", paths[i]);
        }
        const int status = source_open(&sources[i], paths[i], error, sizeof error);
        if (status != 0) {
            cli_close_sources(sources, i);
            return cli_status(command, status, error);
        }
    }
    if (source_number_turns(sources, count) == 0)
        return EXIT_FINE;
    cli_close_sources(sources, count);
    return cli_fail(EXIT_HOST, command, "out of memory");
}

int cli_stdin_once(const char *command, char **paths, size_t count, const struct cli_list *files)
{
    size_t times = 0;
    for (size_t i = 0; i < count; i++)
        times += strcmp(paths[i], "-") == 0;
    for (size_t i = 0; files && i < files->count; i++)
        times += strcmp(files->items[i], "-") == 0;
    return times < 2
               ? EXIT_FINE
               : cli_usage(command, "standard input (-) can be read once, not %zu times", times);
}

void cli_close_sources(struct source *sources, size_t count)
{
    for (size_t i = 0; i < count; i++)
        source_close(&sources[i]);
}

/* The line of a chip file that gives a parameter; 0: none does. */
static unsigned line_of_parameter(const struct source *file, const char *name, size_t length)
{
    unsigned line = 1;
    for (const char *at = file->text; at; line++) {
        if (strncmp(at, name, length) == 0 && at[length] == ':')
            return line;
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return 0;
}

/* Numbers that do not go together: where a file gives the first that the sentence names, and no
 * --set does. */
static int fail_together(const char *command, const struct cli_list *files,
                         const struct cli_list *sets, const char *sentence)
{
    char error[1000];
    struct source file;
    const size_t length = strcspn(sentence, " ");
    bool set = false;
    for (size_t s = 0; s < sets->count; s++)
        set = set ||
              (strncmp(sets->items[s], sentence, length) == 0 && sets->items[s][length] == '=');
    for (size_t i = files->count; !set && i-- > 0;) {
        if (source_open(&file, files->items[i], error, sizeof error) != 0)
            continue;
        const unsigned line = line_of_parameter(&file, sentence, length);
        if (line) {
            snprintf(error, sizeof error, "%s:%u:1: error: %s", file.name, line, sentence);
            cli_fail_in(command, 1, &file, error);
        }
        source_close(&file);
        if (line)
            return EXIT_INPUT;
    }
    return cli_fail(EXIT_INPUT, command, "%s", sentence);
}

int cli_config(const char *command, const struct machine *machine, const struct cli_list *files,
               const struct cli_list *sets, struct config *config)
{
    for (size_t i = 0; i < sets->count; i++) {
        const char *equals = strchr(sets->items[i], '=');
        if (!equals || equals == sets->items[i])
            return cli_usage(command, "--set takes KEY=VALUE, not '%s'", sets->items[i]);
    }
    char error[600];
    int status = machine_config(machine, config, error, sizeof error);
    for (size_t i = 0; status == 0 && i < files->count; i++) {
        struct source file;
        const int opened = source_open(&file, files->items[i], error, sizeof error);
        if (opened != 0) {
            config_free(config);
            return cli_status(command, opened, error);
        }
        status = config_overlay(config, &(struct config_file){file.name, file.text, file.size},
                                error, sizeof error);
        const int code = status > 0 ? cli_fail_in(command, status, &file, error) : EXIT_FINE;
        source_close(&file);
        if (code != EXIT_FINE) {
            config_free(config);
            return code;
        }
    }
    for (size_t i = 0; status == 0 && i < sets->count; i++)
        status = config_set(config, sets->items[i], error, sizeof error);
    const bool read = status == 0;
    if (read && machine->timing->valid)
        status = machine->timing->valid(config, error);
    if (status == 0)
        return EXIT_FINE;
    config_free(config);
    if (read && status > 0)
        return fail_together(command, files, sets, error);
    return status > 0 ? cli_fail(EXIT_INPUT, command, "%s", error)
                      : cli_fail(EXIT_HOST, command, "out of memory");
}

static void print_count(const struct diag_list *diags)
{
    fprintf(stderr, "%zu error%s, %zu warning%s", diags->errors, diags->errors == 1 ? "" : "s",
            diags->warnings, diags->warnings == 1 ? "" : "s");
    if (diags->notes)
        fprintf(stderr, ", %zu note%s", diags->notes, diags->notes == 1 ? "" : "s");
    fputc('\n', stderr);
    fflush(stderr);
}

static size_t left_out(const struct diag_list *diags)
{
    return diags->errors + diags->warnings + diags->notes - diags->count;
}

void cli_diags(const struct diag_list *diags, const struct source *sources, size_t count)
{
    cli_diags_shown(diags, diags, sources, count);
}

void cli_diags_shown(const struct diag_list *shown, const struct diag_list *diags,
                     const struct source *sources, size_t count)
{
    if (diags->count == 0)
        return;
    diag_print(shown, sources, count, stderr, cli_colour(stderr));
    print_count(diags);
    if (left_out(diags))
        fprintf(stderr, "%zu of them are not listed\n", left_out(diags));
}

void cli_diags_errors(const struct diag_list *diags, const struct source *sources, size_t count)
{
    if (diags->errors == 0)
        return;
    struct diag_list errors = *diags;
    errors.items = malloc((diags->count + 1) * sizeof *errors.items);
    errors.count = 0;
    for (size_t i = 0; errors.items && i < diags->count; i++)
        if (diags->items[i].severity == DIAG_ERROR)
            errors.items[errors.count++] = diags->items[i];
    diag_print(&errors, sources, count, stderr, cli_colour(stderr));
    print_count(diags);
    free(errors.items);
}

void cli_diags_few(const struct diag_list *diags, const struct source *sources, size_t count)
{
    enum { SHOWN_WARNINGS = 5, SHOWN_ERRORS = 50 };
    if (diags->errors && diags->count <= SHOWN_ERRORS) {
        cli_diags(diags, sources, count);
        return;
    }
    struct diag items[SHOWN_ERRORS];
    struct diag_list few = *diags;
    few.items = items;
    few.count = 0;
    const enum diag_severity shown = diags->errors ? DIAG_ERROR : DIAG_WARNING;
    const size_t most = diags->errors ? SHOWN_ERRORS : SHOWN_WARNINGS;
    for (size_t i = 0; i < diags->count; i++)
        if (diags->items[i].severity == shown && few.count < most)
            items[few.count++] = diags->items[i];
    diag_print(&few, sources, count, stderr, cli_colour(stderr));
    if (diags->errors)
        fprintf(stderr, "%zu errors, %zu warnings; takt check lists them\n", diags->errors,
                diags->warnings);
    else if (diags->warnings > few.count)
        fprintf(stderr, "%zu more warning%s; takt check lists them\n", diags->warnings - few.count,
                diags->warnings - few.count == 1 ? "" : "s");
    fflush(stderr);
}

int cli_json(const char *command, json_t *root, size_t flags)
{
    json_written = true;
    const int status = root ? json_dumpf(root, stdout, flags) : -1;
    json_decref(root);
    putchar('\n');
    return status == 0 ? EXIT_FINE : cli_fail(EXIT_HOST, command, "could not write the answer");
}

json_t *cli_diag_json(const struct diag *d, const struct source *sources, size_t count)
{
    static const char *const severity[] = {"note", "warning", "error"};
    const bool has_other = d->other_line && d->file < count && d->other_file < count;
    const char *other = has_other ? diag_file(sources, d->file, d->other_file).name : "";
    json_t *row =
        json_pack("{s:o, s:I, s:I, s:s, s:s, s:o}", "file",
                  utf8_json(d->file < count ? sources[d->file].name : ""), "line",
                  (json_int_t)d->line, "column", (json_int_t)d->column, "severity",
                  severity[d->severity], "rule", d->rule, "message", utf8_json(d->message));
    if (d->name[0])
        build_field(&row, "name", json_string(d->name));
    if (d->fix)
        build_field(&row, "fix", utf8_json(d->fix));
    if (d->other_line)
        build_field(&row, "other_line", json_integer(d->other_line));
    if (other[0])
        build_field(&row, "other_file", utf8_json(other));
    if (d->missing_steps)
        build_field(&row, "missing_steps", json_integer(d->missing_steps));
    if (d->missing_cycles)
        build_field(&row, "missing_cycles", json_integer(d->missing_cycles));
    if (d->spare_steps)
        build_field(&row, "spare_steps", build_count(d->spare_steps));
    if (d->spare_timed)
        build_field(&row, "spare_cycles", build_count(d->spare_cycles));
    return row;
}

int cli_diags_json(const char *command, const struct diag_list *diags, const struct source *sources,
                   size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < diags->count; i++)
        build_row(&list, cli_diag_json(&diags->items[i], sources, count));
    return cli_json(command,
                    json_pack("{s:b, s:o, s:I, s:I, s:I, s:I}", "ok", diags->errors == 0,
                              "diagnostics", list, "errors", (json_int_t)diags->errors, "warnings",
                              (json_int_t)diags->warnings, "notes", (json_int_t)diags->notes,
                              "left_out", (json_int_t)left_out(diags)),
                    JSON_INDENT(1) | JSON_ENSURE_ASCII);
}

int cli_write(const char *command, const char *path, int (*print)(const void *answer, FILE *out),
              const void *answer)
{
    char error[600];
    struct replace file;
    const int opened = replace_open(&file, path, error, sizeof error);
    if (opened != 0)
        return cli_fail(opened > 0 ? EXIT_USAGE : EXIT_HOST, command, "%s", error);
    const bool failed = print(answer, file.file) != 0 || failure_count() != 0;
    if (replace_close(&file, !failed, error, sizeof error) != 0)
        return cli_fail(EXIT_HOST, command, "%s", error);
    return failed ? cli_fail(EXIT_HOST, command, "%s: not everything could be written", path)
                  : EXIT_FINE;
}
