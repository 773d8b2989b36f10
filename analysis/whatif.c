#include "analysis/whatif.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/path.h"
#include "host/suggest.h"

/* --- statements that are taken away ----------------------------------------------------------- */

void whatif_blank(struct source *source, uint32_t line)
{
    char *at = (char *)(uintptr_t)source->text, *const end = at + source->size;
    for (uint32_t l = 1; l < line && at < end; l++) {
        char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : end;
    }
    for (; at < end && *at != '\n'; at++)
        *at = ' ';
}

/* Statements in the lines [first, last] of a file go, those of a block with all of it; whether
 * there are some. */
static bool free_lines(struct source *sources, const struct store *store, uint32_t file,
                       const unsigned long lines[2])
{
    const struct sink_header *h = &store->header;
    const struct stmt_info *block = NULL;
    bool any = false;
    for (const struct stmt_info *s = h->stmts; s < h->stmts + h->stmt_count; s++) {
        block = s->last ? s : block;
        if (s->file != file || s->line < lines[0] || s->line > lines[1])
            continue;
        const bool within = block && block->file == file && s->line <= block->last;
        for (uint32_t line = within ? block->line : s->line;
             line <= (within ? block->last : s->line); line++)
            whatif_blank(&sources[file], line);
        any = true;
    }
    return any;
}

/* Statements have lines of this source: not of the listing of an image, or of its line table. */
static bool has_statements(const struct source *source, const struct store *store, size_t file)
{
    const struct sink_header *h = &store->header;
    return file < h->file_count && h->files[file].size == source->size && source->size > 0 &&
           memcmp(h->files[file].text, source->text, source->size) == 0;
}

/* The source of this name, with or without its folder; -1: there is not exactly one. */
static int64_t find_source(const struct source *sources, size_t count, const char *name,
                           size_t length)
{
    int64_t found = -1;
    for (size_t i = 0; i < count; i++) {
        const char *full = sources[i].name, *base = path_base(full);
        if ((strlen(full) == length && memcmp(full, name, length) == 0) ||
            (strlen(base) == length && memcmp(base, name, length) == 0)) {
            if (found >= 0)
                return -1;
            found = (int64_t)i;
        }
    }
    return found;
}

/* "12" or "12-20" at *at, which is moved past it. */
static bool parse_lines(const char **at, unsigned long lines[2])
{
    char *end;
    const bool digit = isdigit((unsigned char)**at);
    lines[0] = lines[1] = strtoul(*at, &end, 10);
    if (digit && *end == '-' && isdigit((unsigned char)end[1]))
        lines[1] = strtoul(end + 1, &end, 10);
    *at = end;
    return digit && (!*end || *end == ',') && lines[0] && lines[1] >= lines[0] &&
           lines[1] <= UINT32_MAX;
}

int whatif_free(struct source *sources, size_t count, const struct store *store, const char *text,
                char error[MACHINE_ERROR])
{
    const char *colon = strrchr(text, ':'), *at = colon ? colon + 1 : text;
    const int64_t file = colon        ? find_source(sources, count, text, (size_t)(colon - text))
                         : count == 1 ? 0
                                      : -1;
    if (file < 0) {
        snprintf(error, MACHINE_ERROR,
                 colon ? "--free %.300s: no one program has this name"
                       : "--free %.300s: of several programs it takes NAME:LINES",
                 text);
        return 1;
    }
    if (!has_statements(&sources[file], store, (size_t)file)) {
        snprintf(error, MACHINE_ERROR, "--free %.100s: %.200s is not a text of statements", text,
                 sources[file].name);
        return 1;
    }
    for (;; at++) {
        unsigned long lines[2];
        if (!parse_lines(&at, lines)) {
            snprintf(error, MACHINE_ERROR,
                     "--free takes lines as in 12 or 12-20 or 12,15-17, not '%.300s'", text);
            return 1;
        }
        if (!free_lines(sources, store, (uint32_t)file, lines)) {
            snprintf(error, MACHINE_ERROR,
                     lines[0] == lines[1] ? "--free %.100s: there is no statement in line %lu of "
                                            "%.200s"
                                          : "--free %.100s: there is no statement in the lines "
                                            "from %lu on of %.200s",
                     text, lines[0], sources[file].name);
            return 1;
        }
        if (!*at)
            return 0;
    }
}

/* --- a faster machine ------------------------------------------------------------------------- */

size_t whatif_units(const struct machine *machine, const char *units[WHATIF_UNITS])
{
    size_t count = 0;
    for (const struct machine_speed *s = machine->advice->speeds; s && s->unit; s++) {
        size_t i = 0;
        while (i < count && strcmp(units[i], s->unit) != 0)
            i++;
        if (i == count && count < WHATIF_UNITS)
            units[count++] = s->unit;
    }
    return count;
}

static int unknown_unit(const struct machine *machine, const char *unit, size_t length,
                        char error[MACHINE_ERROR])
{
    const char *names[WHATIF_UNITS];
    char list[300] = "", word[64];
    const size_t count = whatif_units(machine, names);
    for (size_t i = 0; i < count; i++) {
        strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, names[i], sizeof list - strlen(list) - 1);
    }
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), unit);
    const char *near = suggest_name(word, strlen(word), names, count);
    snprintf(error, MACHINE_ERROR,
             "--speed: %s has no parameters of a unit '%s'%s%s%s; those that it has are of %s",
             machine->name, word, near ? ", did you mean '" : "", near ? near : "",
             near ? "'?" : "", *list ? list : "none");
    return 1;
}

/* What a parameter becomes when its unit is `factor` times as fast. */
static double faster(const struct param *param, bool rate, double factor)
{
    const bool whole = param->row->type == PARAM_INTEGER;
    double value = rate ? param->value * factor : param->value / factor;
    if (whole)
        value = rate ? floor(value) : ceil(value);
    return rate && param->value > 0 && whole && value < 1 ? 1 : value;
}

int whatif_speed(struct whatif_sets *sets, const struct machine *machine,
                 const struct config *config, const char *text, char error[MACHINE_ERROR])
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    const double factor = equals ? strtod(equals + 1, &end) : 0;
    if (!equals || equals == text || !equals[1] || *end || !isfinite(factor) || factor <= 0) {
        snprintf(error, MACHINE_ERROR, "--speed takes UNIT=K with K above 0, not '%.300s'", text);
        return 1;
    }
    const size_t length = (size_t)(equals - text);
    bool found = false;
    for (const struct machine_speed *s = machine->advice->speeds; s && s->unit; s++) {
        if (strlen(s->unit) != length || memcmp(s->unit, text, length) != 0)
            continue;
        found = true;
        for (const struct param *p = config->params; p < config->params + config->count; p++) {
            if (strcmp(p->row->name, s->param) != 0)
                continue;
            if (!grow_list(&sets->list, &sets->capacity, sets->count + 1, sizeof *sets->list))
                return -1;
            snprintf(sets->list[sets->count++], WHATIF_ASSIGNMENT, "%s=%.15g", s->param,
                     faster(p, s->rate, factor));
        }
    }
    return found ? 0 : unknown_unit(machine, text, length, error);
}
