/* config: every parameter of a machine with value, ranges, provenance and source. */
#include "analysis/sensitivity.h"
#include "cli/options.h"
#include "functional/text.h"

#include <jansson.h>
#include <string.h>

static const char help[] =
    "usage: takt config [OPTION]... [MACHINE]\n"
    "Every parameter of a machine: value, unit, the range in which the hardware's\n"
    "number plausibly lies and why, legal limits, provenance and source. Without\n"
    "MACHINE, the machines.\n"
    "\n"
    "  --config FILE     with MACHINE: parameters laid over its chip file\n"
    "  --set KEY=VALUE   with MACHINE: one parameter\n"
    "@common\n"
    "\n"
    "exit: 0 fine, 1 errors in the configuration, 2 usage, 3 the host failed\n";

/* The plausible range of the hardware's number, and why. */
static void print_plausible(const struct param *p)
{
    if (!p->plausible)
        return;
    fputs("    plausible ", stdout);
    if (p->row->type == PARAM_TEXT)
        for (char **choice = p->choices; *choice; choice++)
            text_print(stdout, "%s%s", choice == p->choices ? "" : " | ", *choice);
    else if (p->plausible_low < p->plausible_high)
        text_print(stdout, "%.15g .. %.15g, %s is optimistic", p->plausible_low, p->plausible_high,
                   p->high_is_optimistic ? "high" : "low");
    else
        text_print(stdout, "%.15g alone", p->plausible_low);
    text_print(stdout, ": %s\n", p->reason);
}

static void print_legal(const struct param *p)
{
    if (p->row->type == PARAM_TEXT)
        fputs("    legal: text", stdout);
    else
        text_print(stdout, "    legal %.15g .. %.15g", p->low, p->high);
    if (p->documented_text)
        text_print(stdout, ", documented-only %s", p->documented_text);
    else if ((p->provenance == PROVENANCE_ASSUMED || p->provenance == PROVENANCE_INFERRED) &&
             p->row->type != PARAM_TEXT)
        text_print(stdout, ", documented-only %.15g", p->documented);
    putchar('\n');
}

static void print_text(const struct machine *machine, const struct config *config)
{
    size_t assumed = 0;
    for (size_t i = 0; i < config->count; i++)
        assumed += config->params[i].provenance == PROVENANCE_ASSUMED;
    text_print(stdout, "%s (%s)  %zu parameters, %zu assumed  %s\n", machine->name, machine->title,
               config->count, assumed, machine->timing->config_name);
    for (size_t i = 0; i < config->count; i++) {
        const struct param *p = &config->params[i];
        if (p->row->type == PARAM_TEXT)
            text_print(stdout, "\n%s = %s", p->row->name, p->text);
        else
            text_print(stdout, "\n%s = %.15g %s", p->row->name, p->value, p->unit);
        text_print(stdout, "   [%s%s]\n", provenance_name[p->provenance],
                   p->overridden ? ", set here" : "");
        text_print(stdout, "    %s\n", p->row->sentence);
        print_plausible(p);
        print_legal(p);
        text_print(stdout, "    source: %s\n", p->source);
    }
}

static int print_json(const struct machine *machine, const struct config *config)
{
    json_t *list = json_array();
    for (size_t i = 0; i < config->count; i++) {
        const struct param *p = &config->params[i];
        json_t *row = json_object();
        json_object_set_new(row, "name", json_string(p->row->name));
        if (p->row->type == PARAM_TEXT)
            json_object_set_new(row, "value", json_string(p->text));
        else if (p->row->type == PARAM_INTEGER)
            json_object_set_new(row, "value", json_integer((json_int_t)p->value));
        else
            json_object_set_new(row, "value", json_real(p->value));
        json_object_set_new(row, "unit", json_string(p->unit));
        json_object_set_new(row, "provenance", json_string(provenance_name[p->provenance]));
        json_object_set_new(row, "source", json_string(p->source));
        json_object_set_new(row, "meaning", json_string(p->row->sentence));
        if (p->row->type != PARAM_TEXT) {
            json_object_set_new(row, "low", json_real(p->low));
            json_object_set_new(row, "high", json_real(p->high));
            json_object_set_new(row, "documented", json_real(p->documented));
        } else if (p->documented_text) {
            json_object_set_new(row, "documented", json_string(p->documented_text));
        }
        if (p->plausible) {
            json_object_set_new(row, "plausible", sensitivity_plausible(p));
            json_object_set_new(row, "reason", json_string(p->reason));
            if (p->row->type != PARAM_TEXT)
                json_object_set_new(row, "optimistic",
                                    json_string(p->high_is_optimistic ? "high" : "low"));
        }
        json_object_set_new(row, "overridden", json_boolean(p->overridden));
        json_array_append_new(list, row);
    }
    json_t *root = json_object();
    json_object_set_new(root, "machine", json_string(machine->name));
    json_object_set_new(root, "file", json_string(machine->timing->config_name));
    json_object_set_new(root, "parameters", list);
    return cli_json("config", root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
}

static void list_machines(bool json)
{
    if (json)
        puts("[");
    for (size_t i = 0; i < machine_count; i++)
        printf(json ? " {\"machine\": \"%s\", \"title\": \"%s\", \"extensions\": \"%s\"}%s\n"
                    : "%-10s %-20s programs: %s%s\n",
               machines[i]->name, machines[i]->title, machines[i]->language->extensions,
               json && i + 1 < machine_count ? "," : "");
    if (json)
        puts("]");
}

static int list_parameters(const char *name, const struct cli_list *files,
                           const struct cli_list *sets, bool json)
{
    const struct machine *machine = cli_machine(name, "");
    if (!machine)
        return cli_usage("config", "no machine is named '%s'", name);
    struct config config;
    int code = cli_stdin_once("config", NULL, 0, files);
    if (code != EXIT_FINE)
        return code;
    code = cli_config("config", machine, files, sets, &config);
    if (code != EXIT_FINE)
        return cli_end_json(json, code);
    if (json)
        code = print_json(machine, &config);
    else
        print_text(machine, &config);
    config_free(&config);
    return code;
}

int cmd_config(int argc, char **argv)
{
    bool json = false;
    struct cli_list files = {0}, sets = {0};
    const struct cli_option table[] = {
        {"json", .flag = &json}, {"config", .list = &files}, {"set", .list = &sets}};
    int code;
    if (OPTIONS_TAKE("config", help, table, argc, argv, &code)) {
        if (argc - optind > 1)
            code = cli_usage("config", "one machine at a time");
        else if (optind < argc)
            code = list_parameters(argv[optind], &files, &sets, json);
        else if (files.count || sets.count)
            code = cli_usage("config", "--config and --set are about one machine: which?");
        else
            list_machines(json);
    }
    cli_list_free(&files);
    cli_list_free(&sets);
    return code;
}
