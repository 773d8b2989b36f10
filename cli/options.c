#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/whatif.h"
#include "host/file.h"
#include "host/grow.h"
#include "host/suggest.h"

enum { MOST_OPTIONS = 64, FIRST_VALUE = 256, VALUE_HELP = FIRST_VALUE + MOST_OPTIONS };
enum { HELP_WIDTH = 80 };

bool options_number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (errno || *end || number < low || number > high)
        return false;
    *value = number;
    return true;
}

static bool parse_window(const char *text, struct cli_window *window)
{
    const char *colon = strchr(text, ':');
    char first[24] = "0";
    if (!colon || (size_t)(colon - text) >= sizeof first)
        return false;
    if (colon != text) {
        memcpy(first, text, (size_t)(colon - text));
        first[colon - text] = '\0';
    }
    window->to = INT64_MAX;
    return options_number(first, 0, INT64_MAX, &window->from) &&
           (!colon[1] || options_number(colon + 1, 0, INT64_MAX, &window->to)) &&
           window->from < window->to;
}

/* EXIT_FINE when text is one of the words. */
static int one_of(const char *command, const char *name, const char *const *words, const char *text)
{
    char list[256] = "";
    size_t size = 0;
    for (const char *const *word = words; *word; word++) {
        if (strcmp(*word, text) == 0)
            return EXIT_FINE;
        const char *between = word == words ? "" : word[1] ? ", " : " or ";
        const int length = snprintf(list + size, sizeof list - size, "%s%s", between, *word);
        size += (size_t)length < sizeof list - size ? (size_t)length : 0;
    }
    return cli_usage(command, "--%s takes %s, not '%s'", name, list, text);
}

void cli_settings_free(struct cli_settings *settings)
{
    free(settings->items);
    *settings = (struct cli_settings){0};
}

static bool add_setting(struct cli_settings *settings, const char *name, const char *value)
{
    if (!grow_list(&settings->items, &settings->capacity, settings->count + 2,
                   sizeof *settings->items))
        return false;
    settings->items[settings->count++] = (struct machine_setting){name, value};
    settings->items[settings->count] = (struct machine_setting){NULL, NULL};
    return true;
}

static int refuse_number(const char *command, const struct cli_option *o, const char *text)
{
    const char *blank = o->what ? " " : "", *what = o->what ? o->what : "";
    if (o->high >= INT64_MAX)
        return cli_usage(command, "--%s takes a number%s%s, not '%s'", o->name,
                         o->what ? " of " : "", what, text);
    return cli_usage(command, "--%s takes %llu to %llu%s%s, not '%s'", o->name,
                     (unsigned long long)o->low, (unsigned long long)o->high, blank, what, text);
}

/* One value to its place. EXIT_FINE, or what the command is to return. */
static int take(const char *command, const struct cli_option *o, const char *text)
{
    if (o->flag) {
        *o->flag = true;
    } else if ((o->list || o->text || (o->settings && !o->bare)) && !*text) {
        return cli_usage(command, "--%s needs a value", o->name);
    } else if (o->list) {
        if (!cli_list_add(o->list, text))
            return cli_fail(EXIT_HOST, command, "out of memory");
    } else if (o->settings) {
        if (!add_setting(o->settings, o->name, o->bare ? "" : text))
            return cli_fail(EXIT_HOST, command, "out of memory");
    } else if (o->text) {
        *o->text = text;
        return o->words ? one_of(command, o->name, o->words, text) : EXIT_FINE;
    } else if (o->number) {
        if (!options_number(text, o->low, o->high, o->number))
            return refuse_number(command, o, text);
    } else if (!parse_window(text, o->window)) {
        return cli_usage(command, "--%s takes A:B, cycles with A < B, not '%s'", o->name, text);
    }
    return EXIT_FINE;
}

/* --- options of the machines ------------------------------------------------------------------ */

/* Whether a machine's option is for the command: what changes a run changes what follows from
 * it. What writes a file is for one run. */
static bool is_for(const struct machine_option *option, const char *command)
{
    static const char *const runs[] = {"app",  "sensitivity", "bound", "certify",
                                       "deps", "diff",        "batch"};
    if (machine_option_for(option, command))
        return true;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (strcmp(command, runs[i]) == 0 && option->file != MACHINE_WRITES &&
            machine_option_for(option, "run"))
            return true;
    return false;
}

static const struct machine_option *find(const struct machine *machine, const char *command,
                                         const char *name)
{
    for (const struct machine_option *o = machine->language->options; o && o->name; o++)
        if (is_for(o, command) && strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

/* The options of all machines after those of the table, each name once. */
static size_t add_machines(const struct cli_options *options, struct cli_option *table)
{
    size_t count = options->count;
    for (size_t m = 0; options->settings && m < machine_count; m++)
        for (const struct machine_option *o = machines[m]->language->options; o && o->name; o++) {
            if (!is_for(o, options->command))
                continue;
            size_t i = 0;
            while (i < count && strcmp(table[i].name, o->name) != 0)
                i++;
            if (i == count && count < MOST_OPTIONS)
                table[count++] =
                    (struct cli_option){o->name, .settings = options->settings,
                                        .bare = !o->argument, .writes = o->file == MACHINE_WRITES};
        }
    return count;
}

static int refuse_foreign(const char *command, const struct machine *machine, const char *name)
{
    char others[128] = "";
    size_t size = 0;
    for (size_t m = 0; m < machine_count; m++)
        if (find(machines[m], command, name) && size < sizeof others)
            size += (size_t)snprintf(others + size, sizeof others - size, "%s%s", size ? ", " : "",
                                     machines[m]->name);
    return cli_usage(command, "--%s is for machines that have it (%s); programs of %s have none",
                     name, others, machine->name);
}

int options_accept(const char *command, const struct machine *machine,
                   const struct run_options *options)
{
    const struct machine_setting *s = options->settings;
    for (; s && s->name; s++) {
        const struct machine_option *o = find(machine, command, s->name);
        if (!o)
            return refuse_foreign(command, machine, s->name);
        const int code = o->words ? one_of(command, s->name, o->words, s->value) : EXIT_FINE;
        if (code != EXIT_FINE)
            return code;
        if (o->with && !machine_setting(options->settings, o->with))
            return cli_usage(command, "--%s goes with --%s", o->name, o->with);
    }
    if (!machine->values->places && (options->loads || options->saves))
        return cli_usage(command, "programs of %s have no place to load or save", machine->name);
    char error[MACHINE_ERROR];
    return machine_accept(machine, options, error) == 0 ? EXIT_FINE
                                                        : cli_usage(command, "%s", error);
}

/* --- help ------------------------------------------------------------------------------------- */

/* Lines of text, the second and later ones indented. */
static void print_lines(const char *text, int indent)
{
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1)
        printf("%.*s\n%*s", (int)(end - text), text, indent, "");
    puts(text);
}

static void print_options(const char *command, int column)
{
    for (size_t m = 0; m < machine_count; m++) {
        bool first = true;
        for (const struct machine_option *o = machines[m]->language->options; o && o->name; o++) {
            if (!is_for(o, command))
                continue;
            if (first)
                printf("programs of %s only\n", machines[m]->name);
            first = false;
            const int width = printf("  --%s%s%s", o->name, o->argument ? " " : "",
                                     o->argument ? o->argument : "");
            printf("%*s", column > width ? column - width : 1, "");
            print_lines(o->help, column);
        }
    }
}

/* Those of --load, or those whose values have a history. */
static void print_places(int column, bool history)
{
    for (size_t m = 0; m < machine_count; m++) {
        const struct machine_values *values = machines[m]->values;
        const char *places = history ? values->history_places : values->places;
        if (places)
            print_lines(places, printf("%*s%s: ", column, "", machines[m]->name));
    }
}

/* Options that many commands have, as help says them where a command says nothing else. */
static const struct common {
    const char *name, *argument, *sentence;
    const char *light; /* of a run that has values only where it needs them */
} commons[] = {
    {"json", "", "the answer as JSON on standard output (docs/json.md)", NULL},
    {"most", " N", "refuse programs of more than N pieces of work (default: 1000000)", NULL},
    {"init", " KIND", "as takt run", "as takt run; the run has values then"},
    {"load", " SPEC=FILE", "as takt run", "the same"},
    {"timing-only", "", "time without values",
     "never with values, even where the time depends on them"},
    {"machine", " NAME",
     "default: by the file's extension; of - it is the first that takt --help lists", NULL},
    {"config", " FILE", "parameters laid over the machine's chip file", NULL},
    {"set", " KEY=VALUE", "one parameter (takt config MACHINE lists them)", NULL},
    {"silence", " NAME", "drop warnings of this name (may be given again); all drops every one",
     NULL},
    {"help", "", "this text", NULL},
};

/* A sentence in lines that end at HELP_WIDTH, after `used` columns of the first. */
static void print_sentence(const char *text, int used, int column)
{
    printf("%*s", column > used ? column - used : 1, "");
    int at = column > used ? column : used + 1;
    for (const char *word = text; *word;) {
        const int length = (int)strcspn(word, " "), blank = word > text;
        if (at + blank + length > HELP_WIDTH && blank) {
            printf("\n%*s%.*s", column, "", length, word);
            at = column + length;
        } else {
            at += printf("%s%.*s", blank ? " " : "", length, word);
        }
        word += length;
        word += *word == ' ';
    }
    putchar('\n');
}

/* Those of --speed. */
static void print_units(int column)
{
    for (size_t m = 0; m < machine_count; m++) {
        const char *units[WHATIF_UNITS];
        const size_t count = whatif_units(machines[m], units);
        int at = count ? printf("%*s%s:", column, "", machines[m]->name) : 0;
        for (size_t i = 0; i < count; i++) {
            if (at + 2 + (int)strlen(units[i]) > HELP_WIDTH)
                at = printf("\n%*s", column + 1, "") - 1;
            at += printf(" %s%s", units[i], i + 1 < count ? "," : "\n");
        }
    }
}

/* The exit codes: those of the command, of `length`, and those of every command. */
static void print_exit(const char *own, int length)
{
    char text[300];
    snprintf(text, sizeof text, "%.*s, 2 usage, 3 the host failed, 130 interrupted", length, own);
    print_sentence(text, printf("exit:"), 0);
}

static bool has_row(const struct cli_options *options, const char *name)
{
    bool taken = strcmp(name, "help") == 0;
    for (size_t i = 0; i < options->count; i++)
        taken |= strcmp(options->table[i].name, name) == 0;
    return taken;
}

/* Rows of the command's table of which its text says nothing. */
static void print_common(const struct cli_options *options, int column)
{
    for (size_t i = 0; i < sizeof commons / sizeof *commons; i++) {
        const struct common *row = &commons[i];
        char start[40];
        snprintf(start, sizeof start, "\n  --%s ", row->name);
        if (!has_row(options, row->name) || strstr(options->help, start))
            continue;
        const int used = printf("  --%s%s", row->name, row->argument);
        print_sentence(options->light && row->light ? row->light : row->sentence, used, column);
    }
    if (options->settings)
        print_options(options->command, column);
}

/* Where the sentences of the text's rows begin. */
static int column_of(const char *help)
{
    enum { USUAL = 20 };
    const char *row = strstr(help, "\n  --"), *end = row ? strchr(row + 1, '\n') : NULL;
    const char *gap = row ? strstr(row + 5, "  ") : NULL;
    return gap && gap < end ? (int)(gap - row - 1 + (int)strspn(gap, " ")) : USUAL;
}

void options_help(const struct cli_options *options)
{
    static const char common[] = "@common\n", places[] = "@places\n", history[] = "@history\n";
    static const char units[] = "@units\n", exits[] = "@exit ";
    const int column = column_of(options->help);
    const char *help = options->help;
    for (const char *end; *help; help = end) {
        end = strchr(help, '\n') + 1;
        if (strncmp(help, common, sizeof common - 1) == 0)
            print_common(options, column);
        else if (strncmp(help, places, sizeof places - 1) == 0)
            print_places(column, false);
        else if (strncmp(help, history, sizeof history - 1) == 0)
            print_places(2, true);
        else if (strncmp(help, units, sizeof units - 1) == 0)
            print_units(column);
        else if (strncmp(help, exits, sizeof exits - 1) == 0)
            print_exit(help + sizeof exits - 1, (int)(end - help - (long)sizeof exits));
        else
            printf("%.*s", (int)(end - help), help);
    }
}

/* What getopt does not take, in words. */
static int refuse_option(const char *command, const struct option *options, const char *given,
                         bool lacks_value)
{
    if (given[0] != '-' || given[1] != '-')
        return cli_usage(command, "there is no option '%s'", given);
    const char *name = given + 2, *names[MOST_OPTIONS + 2];
    const size_t length = strcspn(name, "=");
    size_t count = 0, begins = 0;
    for (; options[count].name; count++) {
        names[count] = options[count].name;
        if (strncmp(options[count].name, name, length) == 0)
            begins++;
        if (strlen(options[count].name) == length && !strncmp(options[count].name, name, length))
            begins = 1;
    }
    if (begins == 1 && lacks_value)
        return cli_usage(command, "%s needs a value", given);
    if (begins == 1)
        return cli_usage(command, "--%.*s takes no value", (int)length, name);
    if (begins > 1)
        return cli_usage(command, "%s may be one of %zu options", given, begins);
    const char *near = suggest_name(name, length, names, count);
    return cli_usage(command, "there is no option '%s'%s%s%s", given,
                     near ? ", did you mean '--" : "", near ? near : "", near ? "'?" : "");
}

/* --- taking them ------------------------------------------------------------------------------ */

static bool wants_output(const struct cli_option *o, const char *given)
{
    if (o->flag)
        return *o->flag && strcmp(o->name, "json") == 0;
    return o->writes && given && replace_is_output(given);
}

/* Standard output takes one answer. given: the value of each row of the table, or NULL. */
static int check_outputs(const char *command, const struct cli_option *table,
                         const char *const *given, size_t count)
{
    char text[200] = "";
    size_t wants = 0;
    for (size_t i = 0; i < count && wants < 2; i++) {
        if (!wants_output(&table[i], given[i]))
            continue;
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s--%s%s%s", wants++ ? " and " : "",
                 table[i].name, table[i].flag ? "" : " ", table[i].flag ? "" : given[i]);
    }
    return wants < 2 ? EXIT_FINE : cli_usage(command, "%s both want standard output", text);
}

bool options_take(const struct cli_options *given_options, int argc, char **argv, int *code)
{
    const char *command = given_options->command;
    struct cli_option table[MOST_OPTIONS] = {0};
    memcpy(table, given_options->table, given_options->count * sizeof *table);
    const size_t count = add_machines(given_options, table);
    struct option options[MOST_OPTIONS + 2] = {0};
    const char *given[MOST_OPTIONS] = {0};
    int help_value = VALUE_HELP;
    for (size_t i = 0; i < count; i++) {
        options[i] = (struct option){
            table[i].name, table[i].flag || table[i].bare ? no_argument : required_argument, NULL,
            FIRST_VALUE + (int)i};
        if (strcmp(table[i].name, "help") == 0)
            help_value = FIRST_VALUE + (int)i;
    }
    if (help_value == VALUE_HELP)
        options[count] = (struct option){"help", no_argument, NULL, VALUE_HELP};
    int value;
    optind = 1;
    opterr = 0;
    while ((value = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        value = value == 'h' ? help_value : value;
        if (value == VALUE_HELP) {
            options_help(given_options);
            *code = EXIT_FINE;
            return false;
        }
        if (optopt > 0 && optopt <= UCHAR_MAX && value == '?') {
            *code = cli_usage(command, "there is no option '-%c'", optopt);
            return false;
        }
        if (value == '?' || value == ':') {
            *code = refuse_option(command, options, argv[optind - 1], value == ':');
            return false;
        }
        const struct cli_option *o = &table[value - FIRST_VALUE];
        const char **before = &given[value - FIRST_VALUE];
        if (!o->flag && !o->list && *before && strcmp(*before, optarg) != 0) {
            *code = cli_usage(command, "--%s is given twice, as '%s' and as '%s'", o->name, *before,
                              optarg);
            return false;
        }
        *before = optarg;
        if ((*code = take(command, o, optarg)) != EXIT_FINE)
            return false;
    }
    *code = check_outputs(command, table, given, count);
    return *code == EXIT_FINE;
}

bool options_line(const char *text, char *file, size_t size, uint64_t *line)
{
    const char *colon = strrchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : 0;
    if (length >= size || (colon && !length))
        return false;
    memcpy(file, text, length);
    file[length] = '\0';
    return options_number(colon ? colon + 1 : text, 1, UINT32_MAX, line);
}
