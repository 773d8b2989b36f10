#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 40, FIRST_VALUE = 256, VALUE_HELP = FIRST_VALUE + MOST_OPTIONS };

const char *const options_packings[] = {"none", "auto", "flat", NULL};

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

static int refuse_word(const char *command, const struct cli_option *o, const char *text)
{
    char words[256] = "";
    size_t size = 0;
    for (const char *const *word = o->words; *word; word++)
        size += (size_t)snprintf(words + size, sizeof words - size, "%s%s",
                                 word == o->words ? ""
                                 : word[1]        ? ", "
                                                  : " or ",
                                 *word);
    return cli_usage(command, "--%s takes %s, not '%s'", o->name, words, text);
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
    } else if ((o->list || o->text) && !*text) {
        return cli_usage(command, "--%s needs a value", o->name);
    } else if (o->list) {
        if (!cli_list_add(o->list, text))
            return cli_fail(EXIT_HOST, command, "out of memory");
    } else if (o->text) {
        const char *const *word = o->words;
        while (word && *word && strcmp(*word, text) != 0)
            word++;
        if (word && !*word)
            return refuse_word(command, o, text);
        *o->text = text;
    } else if (o->number) {
        if (!options_number(text, o->low, o->high, o->number))
            return refuse_number(command, o, text);
    } else if (!parse_window(text, o->window)) {
        return cli_usage(command, "--%s takes A:B, cycles with A < B, not '%s'", o->name, text);
    }
    return EXIT_FINE;
}

bool options_take(const char *command, const char *help, const struct cli_option *table,
                  size_t count, int argc, char **argv, int *code)
{
    struct option options[MOST_OPTIONS + 2] = {0};
    const char *given[MOST_OPTIONS] = {0};
    int help_value = VALUE_HELP;
    for (size_t i = 0; i < count; i++) {
        options[i] = (struct option){table[i].name, table[i].flag ? no_argument : required_argument,
                                     NULL, FIRST_VALUE + (int)i};
        if (strcmp(table[i].name, "help") == 0)
            help_value = FIRST_VALUE + (int)i;
    }
    if (help_value == VALUE_HELP)
        options[count] = (struct option){"help", no_argument, NULL, VALUE_HELP};
    int value;
    optind = 1;
    while ((value = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        value = value == 'h' ? help_value : value;
        if (value == VALUE_HELP) {
            fputs(help, stdout);
            *code = EXIT_FINE;
            return false;
        }
        if (value == '?') { /* getopt has said what is wrong */
            *code = cli_see_help(command);
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
    *code = EXIT_FINE;
    return true;
}
