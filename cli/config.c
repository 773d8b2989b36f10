/* config: every parameter of a machine with value, ranges, provenance and source. */
#include "analysis/json_build.h"
#include "analysis/sensitivity.h"
#include "analysis/utf8_json.h"
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
    "@exit 0 fine, 1 errors in the configuration\n";

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

static json_t *param_json(const struct param *p)
{
    const bool text = p->row->type == PARAM_TEXT;
    json_t *row = json_pack("{s:s, s:o, s:s, s:s, s:s, s:s}", "name", p->row->name, "value",
                            text                            ? utf8_json(p->text)
                            : p->row->type == PARAM_INTEGER ? json_integer((json_int_t)p->value)
                                                            : json_real(p->value),
                            "unit", p->unit, "provenance", provenance_name[p->provenance], "source",
                            p->source, "meaning", p->row->sentence);
    if (!text) {
        build_field(&row, "low", json_real(p->low));
        build_field(&row, "high", json_real(p->high));
        build_field(&row, "documented", json_real(p->documented));
    } else if (p->documented_text) {
        build_field(&row, "documented", json_string(p->documented_text));
    }
    if (p->plausible) {
        build_field(&row, "plausible", sensitivity_plausible(p));
        build_field(&row, "reason", json_string(p->reason));
    }
    if (p->plausible && !text)
        build_field(&row, "optimistic", json_string(p->high_is_optimistic ? "high" : "low"));
    build_field(&row, "overridden", json_boolean(p->overridden));
    return row;
}

static int print_json(const struct machine *machine, const struct config *config)
{
    json_t *list = json_array();
    for (size_t i = 0; i < config->count; i++)
        build_row(&list, param_json(&config->params[i]));
    return cli_json("config",
                    json_pack("{s:s, s:s, s:o}", "machine", machine->name, "file",
                              machine->timing->config_name, "parameters", list),
                    JSON_INDENT(1) | JSON_REAL_PRECISION(15));
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
