/* explain: what a word of an answer means, from the table of timing/terms.h. */
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "host/suggest.h"

static const char help[] =
    "usage: takt explain [OPTION]... [WORD|RULE]\n"
    "What a word that takt prints means: a reason (tag), a unit's kind, a heading\n"
    "(FLOOR), a limit, a warning's name, a term (slack, any order), a constant; or a\n"
    "section of a machine's manual that messages name (3.6.3.9), in our words. Each\n"
    "with an example. Without WORD, a list of all but constants (takt config).\n"
    "\n"
    "  --machine NAME  words of this machine alone, and those of every machine\n"
    "@common\n"
    "\n"
    "exit: 0 fine, 2 usage or an unknown word, 3 the host failed, 130 interrupted\n";

enum { MOST_TERMS = 600, LONGEST = 80, COLUMNS = 78 };

struct row {
    const struct machine *machine; /* NULL: of every machine */
    const struct term *term;
};

struct rows {
    struct row items[MOST_TERMS];
    size_t count;
};

static void add_rows(struct rows *rows, const struct machine *machine)
{
    const struct term *term = NULL;
    while ((term = terms_next(machine, NULL, NULL, term)) && rows->count < MOST_TERMS)
        rows->items[rows->count++] = (struct row){machine, term};
}

static void find_rows(struct rows *rows, const struct machine *only)
{
    rows->count = 0;
    add_rows(rows, NULL);
    for (size_t i = 0; i < machine_count; i++)
        if (!only || only == machines[i])
            add_rows(rows, machines[i]);
}

/* The words of the command line as one, without the brackets and "manual" of a message. */
static void join(char word[LONGEST], char *const *words, int count)
{
    static const char manual[] = "manual ";
    size_t n = 0;
    word[0] = '\0';
    for (int i = 0; i < count; i++) {
        n += (size_t)snprintf(word + n, LONGEST - n, "%s%s", n ? " " : "", words[i]);
        n = n < LONGEST ? n : LONGEST - 1;
    }
    const char *from = word + (*word == '[');
    from += strncmp(from, manual, sizeof manual - 1) == 0 ? sizeof manual - 1 : 0;
    memmove(word, from, strlen(from) + 1);
    word[strcspn(word, "]")] = '\0';
}

static bool means(const struct row *row, const char *word)
{
    return strcasecmp(row->term->word, word) == 0 ||
           (strcmp(row->term->kind, "rule") != 0 && strcasecmp(row->term->phrase, word) == 0);
}

/* A paragraph in lines, indented. */
static void put_paragraph(const char *text, int indent)
{
    int column = 0;
    for (const char *word = text; *word;) {
        const int length = (int)strcspn(word, " ");
        if (column && column + 1 + length > COLUMNS - indent) {
            putchar('\n');
            column = 0;
        }
        printf("%*s%.*s", column ? 1 : indent, "", length, word);
        column += length + (column > 0);
        word += length;
        word += *word == ' ';
    }
    putchar('\n');
}

static void print_row(const struct row *row)
{
    const struct term *t = row->term;
    printf("%s (%s%s%s)%s%s\n", t->word, row->machine ? row->machine->name : "",
           row->machine ? ", " : "", t->kind, strcmp(t->phrase, t->word) ? ": " : "",
           strcmp(t->phrase, t->word) ? t->phrase : "");
    put_paragraph(t->text, 2);
    puts("  example:");
    for (const char *line = t->example; *line;) {
        const int length = (int)strcspn(line, "\n");
        printf("    %.*s\n", length, line);
        line += length;
        line += *line == '\n';
    }
}

static json_t *row_json(const struct row *row)
{
    const struct term *t = row->term;
    return json_pack("{s:s*, s:s, s:s, s:s, s:s, s:s}", "machine",
                     row->machine ? row->machine->name : NULL, "kind", t->kind, "word", t->word,
                     "phrase", t->phrase, "text", t->text, "example", t->example);
}

/* Constants of the machines, by name: what takt config says, in short. Returns how many. */
static size_t explain_constants(const struct machine *only, const char *word, json_t *list)
{
    size_t found = 0;
    for (size_t i = 0; i < machine_count; i++) {
        struct config config;
        char error[600];
        if ((only && only != machines[i]) ||
            machine_config(machines[i], &config, error, sizeof error) != 0)
            continue;
        for (size_t k = 0; k < config.count; k++) {
            const struct param *p = &config.params[k];
            if (strcasecmp(p->row->name, word) != 0)
                continue;
            if (list)
                json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "machine",
                                                      machines[i]->name, "kind", "constant", "word",
                                                      p->row->name, "phrase", p->row->name, "text",
                                                      p->row->sentence, "example", p->source));
            else
                printf("%s%s (%s, constant, %s)\n", found ? "\n" : "", p->row->name,
                       machines[i]->name, provenance_name[p->provenance]);
            if (!list) {
                put_paragraph(p->row->sentence, 2);
                printf("  example:\n    takt run PROGRAM --set %s=VALUE\n", p->row->name);
            }
            found++;
        }
        config_free(&config);
    }
    return found;
}

static int unknown(const struct rows *rows, const char *word)
{
    const char *names[2 * MOST_TERMS];
    for (size_t i = 0; i < rows->count; i++) {
        names[2 * i] = rows->items[i].term->word;
        names[2 * i + 1] = rows->items[i].term->phrase;
    }
    const char *nearest = suggest_name(word, strlen(word), names, 2 * rows->count);
    return cli_usage("explain", "no word is '%s'%s%s%s", word,
                     nearest ? ", did you mean '" : "; takt explain lists all",
                     nearest ? nearest : "", nearest ? "'?" : "");
}

/* Kinds in the order of the tables; the words of each on as few lines as fit. */
static void print_list(const struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *first = &rows->items[i];
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = strcmp(rows->items[k].term->kind, first->term->kind) == 0 &&
                   rows->items[k].machine == first->machine;
        if (seen)
            continue;
        char line[4096];
        size_t n = 0;
        for (size_t k = i; k < rows->count && n < sizeof line - LONGEST; k++)
            if (strcmp(rows->items[k].term->kind, first->term->kind) == 0 &&
                rows->items[k].machine == first->machine)
                n += (size_t)snprintf(line + n, sizeof line - n, "%s%s", n ? ", " : "",
                                      rows->items[k].term->word);
        printf("%s%s%s\n", first->machine ? first->machine->name : "", first->machine ? ", " : "",
               first->term->kind);
        put_paragraph(line, 2);
    }
}

/* The title of a rule, or what is in front of its comma: mvp of "mvp, PDM to DRAM". */
static bool titles(const struct row *row, const char *word)
{
    const size_t length = strlen(word);
    const char *title = row->term->phrase;
    return strncasecmp(title, word, length) == 0 && (!title[length] || title[length] == ',');
}

/* The rows that a word means; titled: the rules of this title. NULL: all. Returns how many. */
static size_t explain_rows(const struct rows *rows, const char *word, bool titled, json_t *list)
{
    size_t found = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->items[i];
        if (word && !(titled ? titles(row, word) : means(row, word)))
            continue;
        if (list) {
            json_array_append_new(list, row_json(row));
        } else if (word) {
            if (found)
                putchar('\n');
            print_row(row);
        }
        found++;
    }
    return found;
}

static int explain(const struct rows *rows, const struct machine *only, const char *word, bool json)
{
    json_t *list = json ? json_array() : NULL;
    size_t found = explain_rows(rows, word, false, list);
    if (word && !found)
        found = explain_rows(rows, word, true, list);
    if (word && !found)
        found = explain_constants(only, word, list);
    if (word && !found) {
        json_decref(list);
        return unknown(rows, word);
    }
    if (json)
        return cli_json("explain", list, JSON_INDENT(1));
    if (!word)
        print_list(rows);
    return EXIT_FINE;
}

int cmd_explain(int argc, char **argv)
{
    bool json = false;
    const char *machine = NULL;
    const struct cli_option table[] = {{"json", .flag = &json}, {"machine", .text = &machine}};
    int code;
    if (!OPTIONS_TAKE("explain", help, table, argc, argv, &code))
        return code;
    const struct machine *only = machine ? machine_named(machine) : NULL;
    if (machine && !only)
        return cli_usage("explain", "no machine is named '%s'", machine);
    static struct rows rows;
    char word[LONGEST];
    join(word, argv + optind, argc - optind);
    find_rows(&rows, only);
    return explain(&rows, only, *word ? word : NULL, json);
}
