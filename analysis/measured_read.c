/* measured_read: a list of measured issues. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/measured.h"
#include "functional/riscv/image.h"
#include "functional/source.h"
#include "host/grow.h"

enum column { CYCLE, EVENT, STREAM, PLACE, COLUMNS };
enum { FIELDS = 256, FIELD = MEASURED_NAME, STREAMS = 4096 };

struct reader {
    struct measured *list;
    const char *name;
    char *error;
    uint32_t row;
    unsigned columns[COLUMNS]; /* where each one is, from 1; 0: the header is to come */
    char other[FIELD];         /* the last event but issues; "": all are issues */
};

static int fail(struct reader *r, const char *sentence, ...)
{
    const int at = snprintf(r->error, MEASURED_ERROR, "%.300s:%u: error: ", r->name, r->row);
    va_list list;
    va_start(list, sentence);
    vsnprintf(r->error + at, MEASURED_ERROR - (size_t)at, sentence, list);
    va_end(list);
    return 1;
}

/* A field in quotes, in which "" is a quote: from after the first one. Returns where it ends. */
static const char *take_quoted(const char *at, const char *end, char field[FIELD])
{
    size_t size = 0;
    for (; at < end && (*at != '"' || (at + 1 < end && at[1] == '"')); at++) {
        at += *at == '"';
        if (size + 1 < FIELD)
            field[size++] = *at;
    }
    field[size] = '\0';
    return at < end ? at + 1 : end;
}

/* The fields of a line, without blanks around them; 0: more than FIELDS. */
static unsigned split(const char *at, const char *end, char fields[FIELDS][FIELD])
{
    for (unsigned count = 0; count < FIELDS;) {
        while (at < end && *at != ',' && isspace((unsigned char)*at))
            at++;
        char *field = fields[count++];
        const bool quoted = at < end && *at == '"';
        if (quoted)
            at = take_quoted(at + 1, end, field);
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        size_t size = (size_t)(stop - at);
        while (size && isspace((unsigned char)at[size - 1]))
            size--;
        if (!quoted)
            snprintf(field, FIELD, "%.*s", (int)(size < FIELD ? size : FIELD - 1), at);
        if (!comma)
            return count;
        at = comma + 1;
    }
    return 0;
}

/* Streams and places are also called after what issues on the machine, and after its addresses:
 * in this order the first columns of other names. */
static int read_head(struct reader *r, char fields[FIELDS][FIELD], unsigned count)
{
    static const char *const names[] = {"cycle", "event", "stream", "place", "word"};
    unsigned others[FIELDS], other_count = 0, next = 0;
    for (unsigned f = 0; f < count; f++) {
        unsigned c = 0;
        while (c <= COLUMNS && strcasecmp(fields[f], names[c]) != 0)
            c++;
        if (c < COLUMNS)
            r->columns[c] = f + 1;
        else if (c > COLUMNS)
            others[other_count++] = f + 1;
    }
    for (unsigned c = STREAM; c < COLUMNS; c++)
        if (!r->columns[c] && next < other_count)
            r->columns[c] = others[next++];
    for (unsigned c = 0; c < COLUMNS; c++)
        if (!r->columns[c])
            return fail(r,
                        "the first line has no column %s: it begins with '%.60s'%s; "
                        "fix: a header as cycle,event,stream,place",
                        names[c], fields[0],
                        strpbrk(fields[0], ";\t") ? ", and columns are separated by commas" : "");
    return 0;
}

static bool read_count(const char *text, int base, uint64_t *value)
{
    char *end;
    if (!isxdigit((unsigned char)text[0]))
        return false;
    *value = strtoull(text, &end, base); /* of what is too large UINT64_MAX */
    return !*end;
}

static bool is_address(const char *text)
{
    return strncasecmp(text, "0x", 2) == 0 ||
           (strlen(text) == 8 && strspn(text, "0123456789abcdefABCDEF") == 8);
}

static int stream_of(struct reader *r, const char *name, uint32_t *stream)
{
    for (*stream = 0; *stream < r->list->streams; ++*stream)
        if (strcmp(r->list->names[*stream], name) == 0)
            return 0;
    if (*stream == STREAMS)
        return fail(r, "more streams than a machine has");
    snprintf(r->list->names[r->list->streams++], FIELD, "%s", name);
    return 0;
}

static int read_row(struct reader *r, char fields[FIELDS][FIELD], unsigned count)
{
    struct measured *list = r->list;
    struct measured_issue issue = {.row = r->row};
    for (unsigned c = 0; c < COLUMNS; c++)
        if (r->columns[c] > count)
            return fail(r, "the row lacks a field");
    const char *event = fields[r->columns[EVENT] - 1], *place = fields[r->columns[PLACE] - 1];
    if (strcasecmp(event, "issue") != 0 && strcasecmp(event, "collect") != 0) {
        snprintf(r->other, FIELD, "%s", event);
        return 0;
    }
    const bool address = is_address(place);
    if (list->count && address != list->by_address)
        return fail(r, "some places are lines, some are addresses");
    list->by_address = address;
    if (!read_count(fields[r->columns[CYCLE] - 1], 10, &issue.cycle) ||
        !read_count(place, address ? 16 : 10, &issue.place))
        return fail(r, "cycle or place is no number");
    if (issue.cycle > MEASURED_CYCLES || issue.place > MEASURED_CYCLES)
        return fail(r, "cycle or place is too large");
    const int status = stream_of(r, fields[r->columns[STREAM] - 1], &issue.stream);
    if (status != 0)
        return status;
    if (!grow_list(&list->issues, &list->capacity, list->count + 1, sizeof *list->issues))
        return -1;
    list->issues[list->count++] = issue;
    return 0;
}

static int by_cycle(const void *a, const void *b)
{
    const struct measured_issue *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Whether all addresses are of the program. */
static bool are_of(const struct measured *list, const struct riscv_image *image)
{
    for (size_t i = 0; i < list->count; i++) {
        const uint64_t place = list->issues[i].place;
        if (place > UINT32_MAX || riscv_image_stmt(image, (uint32_t)place) == RISCV_NO_STMT)
            return false;
    }
    return true;
}

/* Addresses become indices of instructions. */
static void count_addresses(struct measured *list, const struct riscv_image *image)
{
    uint64_t least = UINT64_MAX;
    const bool own = image && list->by_address && are_of(list, image);
    for (size_t i = 0; list->by_address && i < list->count; i++)
        least = list->issues[i].place < least ? list->issues[i].place : least;
    for (size_t i = 0; list->by_address && i < list->count; i++) {
        uint64_t *place = &list->issues[i].place;
        *place = own ? riscv_image_stmt(image, (uint32_t)*place) : (*place - least) / 4;
    }
}

static int read_line(struct reader *r, const char *at, const char *stop)
{
    char fields[FIELDS][FIELD];
    while (at < stop && isspace((unsigned char)*at))
        at++;
    if (at == stop)
        return 0;
    const unsigned count = split(at, stop, fields);
    if (count == 0)
        return fail(r, "more than %d columns", FIELDS);
    return r->columns[0] ? read_row(r, fields, count) : read_head(r, fields, count);
}

/* Lines end with LF, CR LF or CR. */
static int read_text(struct reader *r, const struct source *file)
{
    const char *at = file->text, *end = file->text + file->size;
    int status = 0;
    if (file->size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    while (status == 0 && at < end) {
        const char *stop = at;
        while (stop < end && *stop != '\n' && *stop != '\r')
            stop++;
        r->row++;
        status = read_line(r, at, stop);
        at = stop + (stop < end) + (end - stop > 1 && memcmp(stop, "\r\n", 2) == 0);
    }
    r->row += r->row == 0;
    if (status != 0 || r->list->count)
        return status;
    return *r->other ? fail(r,
                            "no row is an issue: the last has the event '%.60s'; "
                            "fix: issue or collect in the column event",
                            r->other)
                     : fail(r, "no row is an issue: the list has no rows");
}

int measured_read(struct measured **measured, const char *path, const struct riscv_image *image,
                  char error[MEASURED_ERROR])
{
    struct source file;
    *measured = NULL;
    int status = source_open(&file, path, error, MEASURED_ERROR);
    if (status != 0)
        return status;
    struct reader r = {.list = calloc(1, sizeof **measured), .name = path, .error = error};
    if (r.list)
        r.list->names = calloc(STREAMS, sizeof *r.list->names);
    status = r.list && r.list->names ? read_text(&r, &file) : -1;
    source_close(&file);
    if (status == 0) {
        count_addresses(r.list, image);
        qsort(r.list->issues, r.list->count, sizeof *r.list->issues, by_cycle);
    } else {
        measured_free(r.list);
    }
    *measured = status == 0 ? r.list : NULL;
    return status;
}

void measured_free(struct measured *measured)
{
    if (!measured)
        return;
    free(measured->issues);
    free(measured->names);
    free(measured);
}
