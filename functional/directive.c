#include "functional/directive.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

struct scan {
    struct directives *found;
    struct diag_list *diags;
    const char *line, *end; /* the current line */
    struct diag at;         /* its position */
    struct directive_part open;
    uint32_t open_column, open_length;
    size_t name_capacity, part_capacity, expect_capacity, get_capacity;
    bool no_get; /* the language has a get statement */
    int status;
};

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    return at;
}

static const char *word_end(const char *at, const char *end)
{
    while (at < end && *at != ' ' && *at != '\t' && *at != '\r')
        at++;
    return at;
}

static bool is_word(const char *from, const char *to, const char *word)
{
    return (size_t)(to - from) == strlen(word) && memcmp(from, word, (size_t)(to - from)) == 0;
}

/* sentence: may contain "\nfix". */
static void refuse(struct scan *s, const char *from, const char *to, const char *sentence)
{
    if (s->status == 0)
        s->status = 1;
    if (!s->diags)
        return;
    s->at.column = (uint32_t)(from - s->line) + 1;
    s->at.length = to > from ? (uint32_t)(to - from) : 1;
    diag_add(s->diags, &s->at, "%s", sentence);
}

static int add_name(struct scan *s, const char *name, size_t length)
{
    struct directives *d = s->found;
    const size_t count = d->names ? d->region_count + 1 : 0;
    char **names = grow(d->names, &s->name_capacity, count + 1, sizeof *names);
    if (names) {
        d->names = names;
        names[count] = NULL; /* names[0] is "rest"; the array ends with NULL */
    }
    char *copy = names ? strndup(name, length) : NULL;
    if (!copy)
        return -1;
    d->names[count] = copy;
    d->region_count = count;
    return 0;
}

static void begin(struct scan *s, const char *from, const char *end)
{
    struct directives *d = s->found;
    const char *to = word_end(from, end);
    if (s->open.region) {
        refuse(s, from, to, "a region begins in another\nput # takt: end above it");
        return;
    }
    if (from == to || skip_blanks(to, end) < end) {
        refuse(s, from, end, "a region has one word as its name\nas in # takt: begin load");
        return;
    }
    if (is_word(from, to, "rest")) {
        refuse(s, from, to, "rest is the name of what lies in no region\ngive it another name");
        return;
    }
    uint32_t region = 1;
    while (region <= d->region_count && !is_word(from, to, d->names[region]))
        region++;
    if (region > d->region_count && add_name(s, from, (size_t)(to - from)) != 0) {
        s->status = -1;
        return;
    }
    s->open = (struct directive_part){s->at.file, s->at.line, 0, region};
    s->open_column = (uint32_t)(from - s->line) + 1;
    s->open_length = (uint32_t)(to - from);
}

static void finish_part(struct scan *s, uint32_t last)
{
    struct directives *d = s->found;
    struct directive_part *parts =
        grow(d->parts, &s->part_capacity, d->part_count + 1, sizeof *parts);
    if (!parts) {
        s->status = -1;
        return;
    }
    d->parts = parts;
    s->open.last = last;
    parts[d->part_count++] = s->open;
    s->open.region = 0;
}

/* Append the rest of the line to the expect or get list. */
static void keep_rest(struct scan *s, bool get, const char *from, const char *end)
{
    struct directives *d = s->found;
    struct directive_expect **list = get ? &d->gets : &d->expects;
    size_t *count = get ? &d->get_count : &d->expect_count;
    while (end > from && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    if (from == end) {
        refuse(s, from, end,
               get ? "nothing is to be got\nas in # takt: get v8.w 8"
                   : "nothing is expected\nas in # takt: expect cycles <= 1400");
        return;
    }
    struct directive_expect *rows =
        grow(*list, get ? &s->get_capacity : &s->expect_capacity, *count + 1, sizeof *rows);
    if (!rows) {
        s->status = -1;
        return;
    }
    *list = rows;
    rows[(*count)++] = (struct directive_expect){
        s->at.file, s->at.line, (uint32_t)(from - s->line) + 1, from, (size_t)(end - from)};
}

/* hash: the start of the line's comment. */
static void take(struct scan *s, const char *hash)
{
    static const char mark[] = "takt:";
    const char *at = skip_blanks(hash + 1, s->end);
    if ((size_t)(s->end - at) < sizeof mark - 1 || memcmp(at, mark, sizeof mark - 1) != 0)
        return;
    at = skip_blanks(at + sizeof mark - 1, s->end);
    const char *to = word_end(at, s->end), *rest = skip_blanks(to, s->end);
    if (skip_blanks(s->line, hash) < hash) {
        refuse(s, hash, to, "a directive after a statement\nput it on a separate line");
    } else if (is_word(at, to, "begin")) {
        begin(s, rest, s->end);
    } else if (is_word(at, to, "end")) {
        if (!s->open.region)
            refuse(s, at, to, "no region is open here\nput # takt: begin NAME above it");
        else if (rest < s->end)
            refuse(s, rest, s->end, "end takes nothing\nleave it away");
        if (s->open.region)
            finish_part(s, s->at.line);
    } else if (is_word(at, to, "expect")) {
        keep_rest(s, false, rest, s->end);
    } else if (is_word(at, to, "get") && !s->no_get) {
        keep_rest(s, true, rest, s->end);
    } else {
        refuse(s, at, to, "there is no such directive\nthey are begin NAME, end and expect");
    }
}

static void scan_source(struct scan *s, uint32_t file, const struct source *source)
{
    const char *const stop = source->text + source->size;
    uint32_t line = 0;
    s->at = (struct diag){.severity = DIAG_ERROR, .file = file};
    for (s->line = source->text; s->line < stop && s->status >= 0; s->line = s->end + 1) {
        const char *end = memchr(s->line, '\n', (size_t)(stop - s->line));
        s->end = end ? end : stop;
        s->at.line = ++line;
        const char *hash = memchr(s->line, '#', (size_t)(s->end - s->line));
        if (hash)
            take(s, hash);
    }
    if (!s->open.region || s->status < 0)
        return;
    s->at.line = s->open.first;
    s->line = source->text;
    refuse(s, s->line + s->open_column - 1, s->line + s->open_column - 1 + s->open_length,
           "this region has no end\nput # takt: end below its last statement");
    finish_part(s, UINT32_MAX);
}

static int scan_all(struct directives *directives, const struct source *sources, size_t count,
                    struct diag_list *diags, bool no_get)
{
    struct scan scan = {.found = directives, .diags = diags, .no_get = no_get};
    *directives = (struct directives){.names = NULL};
    if (add_name(&scan, "rest", strlen("rest")) != 0)
        return -1;
    for (size_t i = 0; i < count && scan.status >= 0; i++)
        scan_source(&scan, (uint32_t)i, &sources[i]);
    return scan.status;
}

int directives_read(struct directives *directives, const struct source *sources, size_t count,
                    struct diag_list *diags)
{
    return scan_all(directives, sources, count, diags, false);
}

void directives_free(struct directives *directives)
{
    for (size_t i = 0; directives->names && i <= directives->region_count; i++)
        free(directives->names[i]);
    free(directives->names);
    free(directives->parts);
    free(directives->expects);
    free(directives->gets);
    *directives = (struct directives){.names = NULL};
}

int directives_check(const struct source *sources, size_t count, struct diag_list *diags)
{
    struct directives directives;
    const int status = scan_all(&directives, sources, count, diags, true);
    directives_free(&directives);
    return status;
}

int directives_regions(const struct source *sources, size_t count)
{
    struct directives directives;
    const int status = directives_read(&directives, sources, count, NULL);
    const bool any = status == 0 && directives.region_count;
    directives_free(&directives);
    return status < 0 ? -1 : any;
}

uint32_t directives_region(const struct directives *directives, uint32_t file, uint32_t line)
{
    size_t low = 0, high = directives->part_count; /* the last part that begins above the line */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct directive_part *part = &directives->parts[middle];
        if (part->file < file || (part->file == file && part->first < line))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    const struct directive_part *part = &directives->parts[low - 1];
    return part->file == file && line < part->last ? part->region : 0;
}

uint32_t directives_part(const struct directives *directives, uint32_t file, uint32_t line)
{
    uint32_t count = 0;
    for (size_t i = 0; i < directives->part_count; i++) {
        const struct directive_part *part = &directives->parts[i];
        count += part->file == file && part->first < line;
        count += part->file == file && part->last < line;
    }
    return count;
}

bool directive_is(const char *line, size_t length, bool part)
{
    static const char mark[] = "takt:";
    const char *end = line + length, *at = skip_blanks(line, end);
    if (at == end || *at != '#')
        return false;
    at = skip_blanks(at + 1, end);
    if ((size_t)(end - at) < sizeof mark - 1 || memcmp(at, mark, sizeof mark - 1) != 0)
        return false;
    at = skip_blanks(at + sizeof mark - 1, end);
    const char *to = word_end(at, end);
    return !part || is_word(at, to, "begin") || is_word(at, to, "end");
}
