#include "timing/machine.h"

#include <stdlib.h>
#include <string.h>

#include "functional/directive.h"
#include "functional/init.h"
#include "functional/place.h"

bool machine_word_in(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

bool machine_option_for(const struct machine_option *option, const char *command)
{
    return machine_word_in(option->commands, command);
}

const struct machine_option *machine_option(const struct machine *machine, const char *command,
                                            const char *name)
{
    for (const struct machine_option *o = machine->language->options; o && o->name; o++)
        if (machine_option_for(o, command) && strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

bool machine_warns(const struct machine *machine, const char *name)
{
    bool known = strcmp(name, "all") == 0;
    for (const char *const *warning = machine->language->warnings; *warning && !known; warning++)
        known = strcmp(*warning, name) == 0;
    return known;
}

void machine_arriving(const struct machine *machine, const struct machine_setting *settings,
                      struct machine_setting *list, size_t most)
{
    size_t count = 0;
    if (most && machine_option(machine, "run", "poison"))
        list[count++] = (struct machine_setting){"poison", ""};
    for (; settings && settings->name && count < most; settings++)
        list[count++] = *settings;
    list[count] = (struct machine_setting){NULL, NULL};
}

const char *machine_setting(const struct machine_setting *settings, const char *name)
{
    for (; settings && settings->name; settings++)
        if (strcmp(settings->name, name) == 0)
            return settings->value;
    return NULL;
}

uint64_t machine_limit(const struct machine_setting *settings, char error[MACHINE_ERROR])
{
    const char *text = machine_setting(settings, "max-instructions"), *at = text;
    uint64_t number = 0;
    if (!text)
        return 1000000000;
    for (; *at >= '0' && *at <= '9' && number < UINT64_MAX / 20; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    if (!*at && number)
        return number;
    snprintf(error, MACHINE_ERROR, "--max-instructions takes a number from 1, not '%.60s'", text);
    return 0;
}

int machine_config(const struct machine *machine, struct config *config, char *error,
                   size_t error_size)
{
    const struct config_file file = {
        machine->timing->config_name, machine->timing->config_text,
        (size_t)(machine->timing->config_end - machine->timing->config_text)};
    return config_read(config, machine->timing->params, machine->timing->param_count, &file, error,
                       error_size);
}

int machine_legal(const struct machine *machine, int loaded, const struct machine_program *program,
                  const struct config *config, const struct machine_setting *settings,
                  struct diag_list *diags)
{
    const int checked =
        loaded >= 0 && program ? machine->language->check(program, config, settings, diags) : 0;
    return loaded < 0 || checked < 0 ? -1 : loaded || checked || diags->errors;
}

static struct param_info make_param(const struct config *config, size_t index, bool documented)
{
    const struct param *param = &config->params[index];
    const bool text = param->row->type == PARAM_TEXT;
    return (struct param_info){.name = param->row->name,
                               .text = text ? config_text(config, index, documented) : NULL,
                               .unit = text ? "" : param->unit,
                               .provenance = provenance_name[param->provenance],
                               .source = param->source,
                               .value = documented ? param->documented : param->value,
                               .low = param->low,
                               .high = param->high,
                               .documented = param->documented};
}

/* The statements with their regions. */
static int place_stmts(struct sink_header *header, struct machine_lists *lists)
{
    const size_t count = header->stmt_count;
    if (!lists->stmts) {
        lists->stmts = malloc((count + 1) * sizeof *lists->stmts);
        if (!lists->stmts)
            return -1;
        if (count)
            memcpy(lists->stmts, header->stmts, count * sizeof *lists->stmts);
        header->stmts = lists->stmts;
    }
    for (struct stmt_info *s = lists->stmts; s < lists->stmts + count; s++)
        s->region = directives_region(&lists->directives, s->file, s->line);
    return 0;
}

static int list_files(struct sink_header *header, struct machine_lists *lists)
{
    lists->files = calloc(lists->source_count + 1, sizeof *lists->files);
    for (size_t i = 0; lists->files && i < lists->source_count; i++) {
        const struct source *source = &lists->sources[i];
        lists->files[i] = (struct file_info){source->name, source->text, source->size};
    }
    header->files = lists->files;
    header->file_count = lists->source_count;
    return lists->files ? 0 : -1;
}

int machine_header(struct sink_header *header, struct machine_lists *lists,
                   const struct config *config, bool documented)
{
    struct directives *directives = &lists->directives;
    lists->params = calloc(config->count + 1, sizeof *lists->params);
    if (directives_read(directives, lists->sources, lists->source_count, NULL) < 0 ||
        !lists->params || (directives->region_count && place_stmts(header, lists) != 0) ||
        (!header->file_count && list_files(header, lists) != 0)) /* else the machine's own */
        return -1;
    if (directives->region_count || !header->region_count) { /* likewise */
        header->regions = (const char *const *)directives->names;
        header->region_count = directives->region_count;
    }
    for (size_t i = 0; i < config->count; i++)
        if (lists->with_host || !config_of_host(config->params[i].row))
            lists->params[header->param_count++] = make_param(config, i, documented);
    header->program_hash = source_list_hash(lists->sources, lists->source_count);
    header->program = lists->source_count ? lists->sources[0].name : "";
    header->command = header->command ? header->command : "";
    header->machine_hash = config_hash(config);
    header->params = lists->params;
    return 0;
}

void machine_lists_free(struct machine_lists *lists)
{
    free(lists->counters);
    free(lists->stmts);
    free(lists->files);
    free(lists->params);
    directives_free(&lists->directives);
}

/* "SPEC=FILE" of --save, or --load: SPEC into spec, the file's name is returned. NULL: malformed or
 * SPEC too long, and error says so. */
static const char *parse_spec(const char *text, bool save, char spec[MACHINE_SPEC],
                              char error[MACHINE_ERROR])
{
    const char *equals = strchr(text, '=');
    if (!equals || equals - text >= MACHINE_SPEC || !equals[1]) {
        snprintf(error, MACHINE_ERROR, "--%s takes SPEC=FILE, not '%.100s'", save ? "save" : "load",
                 text);
        return NULL;
    }
    memcpy(spec, text, (size_t)(equals - text));
    spec[equals - text] = '\0';
    return equals + 1;
}

static int check_specs(const struct machine *machine, const char *const *list, bool save,
                       char error[MACHINE_ERROR])
{
    char text[MACHINE_SPEC];
    const struct place_owner owner =
        machine->values->owner ? machine->values->owner(NULL) : (struct place_owner){0};
    for (; list && *list; list++)
        if (!parse_spec(*list, save, text, error) ||
            (machine->values->owner ? place_check(&owner, text, save, error, MACHINE_ERROR)
                                    : machine->values->spec(text, save, error, MACHINE_ERROR)) != 0)
            return 1;
    return 0;
}

int machine_accept(const struct machine *machine, const struct run_options *options,
                   char error[MACHINE_ERROR])
{
    struct init unused;
    return (machine->language->accept && machine->language->accept(options, error) != 0) ||
           init_parse(&unused, options->init, error, MACHINE_ERROR) != 0 ||
           check_specs(machine, options->loads, false, error) != 0 ||
           check_specs(machine, options->saves, true, error) != 0;
}

int machine_move(const char *const *list, bool save, machine_mover *move, struct machine_run *run,
                 char error[MACHINE_ERROR])
{
    int status = 0;
    for (; list && *list && status == 0; list++) {
        char spec[MACHINE_SPEC];
        const char *path = parse_spec(*list, save, spec, error);
        status = path ? move(run, save, spec, path, error) : 1;
    }
    return status;
}

int machine_prove(struct machine_proof *proof, const struct machine *machine,
                  const struct run_setup *setup, size_t limit, char error[MACHINE_ERROR])
{
    *proof = (struct machine_proof){.graph = {.limit = limit}};
    if (!machine->advice->graph) {
        snprintf(error, MACHINE_ERROR, "%s has no rules of what depends on what", machine->title);
        return 1;
    }
    const int status = machine->advice->graph(setup, &proof->graph, error);
    return status != 0 ? status : bounds_find(&proof->bounds, &proof->graph);
}

void machine_proof_free(struct machine_proof *proof)
{
    bounds_free(&proof->bounds);
    graph_free(&proof->graph);
}
