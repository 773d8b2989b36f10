#include "analysis/answer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/columns.h"
#include "functional/text.h"
#include "host/failure.h"
#include "host/grow.h"
#include "host/number.h"
#include "traces/json_text.h"
#include "traces/rows.h"

/* --- CSV and JSON ----------------------------------------------------------------------------- */

static bool is_number(const char *text, size_t size)
{
    char *end;
    if (strspn(text, "+-.0123456789eE") != size)
        return false;
    strtod(text, &end);
    return end == text + size;
}

/* A spreadsheet would execute it. */
static bool is_formula(const char *text, size_t size)
{
    return size > 0 && strchr("=+-@\t\r", text[0]) && text[0] && !is_number(text, size);
}

/* A file gets the exact bytes, a terminal what may be printed. */
static void csv_bytes(FILE *out, const char *text, size_t size, bool terminal)
{
    if (terminal)
        text_put(out, text, size);
    else
        fwrite(text, 1, size, out);
}

/* The apostrophe makes it a text, which is how spreadsheets write one. */
static void csv_text(FILE *out, const char *text, size_t size, bool terminal)
{
    bool quote = is_formula(text, size);
    const char *mark = quote ? "'" : "";
    for (size_t i = 0; i < size && !quote; i++)
        quote = text[i] == '"' || text[i] == ',' || text[i] == '\n' || text[i] == '\r';
    if (!quote) {
        csv_bytes(out, text, size, terminal);
        return;
    }
    fprintf(out, "\"%s", mark);
    for (const char *end = text + size, *next; text < end; text = next) {
        const char *inner = memchr(text, '"', (size_t)(end - text));
        next = inner ? inner + 1 : end;
        csv_bytes(out, text, (size_t)(next - text), terminal);
        if (inner)
            putc('"', out);
    }
    putc('"', out);
}

/* A BLOB as hex digits. */
static void put_digits(FILE *out, sqlite3_stmt *s, int i)
{
    const unsigned char *data = sqlite3_column_blob(s, i);
    const int size = sqlite3_column_bytes(s, i);
    for (int k = 0; k < size; k++)
        fprintf(out, "%02x", data[k]);
}

static void put_value(FILE *out, sqlite3_stmt *s, int i, bool json, bool terminal)
{
    switch (sqlite3_column_type(s, i)) {
    case SQLITE_NULL:
        fputs(json ? "null" : "", out);
        break;
    case SQLITE_FLOAT:
        json_text_real(out, sqlite3_column_double(s, i));
        break;
    case SQLITE_INTEGER:
        fprintf(out, "%lld", sqlite3_column_int64(s, i));
        break;
    case SQLITE_BLOB:
        fputs(json ? "\"" : "", out);
        put_digits(out, s, i);
        fputs(json ? "\"" : "", out);
        break;
    default: {
        size_t size;
        const char *text = rows_string(s, i, &size);
        if (json)
            json_text(out, text, size);
        else
            csv_text(out, text, size, terminal);
    }
    }
}

static bool is_among(char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static void free_names(char **names, int count)
{
    for (int i = 0; names && i < count; i++)
        sqlite3_free(names[i]);
    free(names);
}

/* An object has one value of a name: the second column "cycles" is "cycles:2". On the heap. */
static char **object_names(sqlite3_stmt *s, int columns)
{
    char **names = calloc((size_t)columns + 1, sizeof *names);
    for (int i = 0; names && i < columns; i++) {
        const char *name = sqlite3_column_name(s, i);
        int number = 1;
        for (int k = 0; k < i; k++)
            number += !strcmp(sqlite3_column_name(s, k), name);
        names[i] =
            number == 1 ? sqlite3_mprintf("%s", name) : sqlite3_mprintf("%s:%d", name, number);
        while (names[i] && is_among(names, i, names[i])) {
            sqlite3_free(names[i]);
            names[i] = sqlite3_mprintf("%s:%d", name, ++number);
        }
        if (!names[i]) {
            free_names(names, i);
            names = NULL;
        }
    }
    if (!names)
        failure_note("out of memory");
    return names;
}

static int stream(sqlite3_stmt *s, const struct answer_options *o, FILE *out, uint64_t *rows)
{
    const int columns = sqlite3_column_count(s);
    const bool json = o->form == ANSWER_JSON, terminal = isatty(fileno(out)) == 1;
    char **names = json ? object_names(s, columns) : NULL;
    if (json && !names)
        return SQLITE_NOMEM;
    if (json)
        putc('[', out);
    for (int i = 0; !json && i < columns; i++) {
        if (i)
            putc(',', out);
        csv_text(out, sqlite3_column_name(s, i), strlen(sqlite3_column_name(s, i)), terminal);
    }
    if (!json)
        fputs("\r\n", out);
    int rc;
    while ((rc = rows_step(s)) == SQLITE_ROW) {
        if (o->row_limit && *rows == o->row_limit)
            break;
        if (json)
            fputs(*rows ? ",\n {" : "\n {", out);
        for (int i = 0; i < columns; i++) {
            if (i)
                putc(',', out);
            if (json) {
                json_text(out, names[i], strlen(names[i]));
                putc(':', out);
            }
            put_value(out, s, i, json, terminal);
        }
        fputs(json ? "}" : "\r\n", out);
        ++*rows;
    }
    if (json)
        fputs("\n]\n", out);
    free_names(names, columns);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* --- table ------------------------------------------------------------------------------------ */

struct cell {
    char *text; /* heap */
    int width;  /* in characters */
    bool number;
};

struct grid {
    struct cell *cells;
    size_t count, capacity;
    int columns;
};

/* Lines, tags and ids are names, not amounts. */
static bool is_name(const char *column)
{
    static const char *const names[] = {"line", "tag", "id",  "stmt",      "idx",
                                        "src",  "dst", "uid", "waited_by", "priority"};
    const size_t size = strlen(column);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        if (size >= n && !strcmp(column + size - n, names[i]) &&
            (size == n || column[size - n - 1] == '_'))
            return true;
    }
    return false;
}

static bool add_cell(struct grid *g, char *text, bool number)
{
    if (!text || !grow_list(&g->cells, &g->capacity, g->count + 1, sizeof *g->cells)) {
        failure_note("out of memory");
        free(text);
        return false;
    }
    g->cells[g->count++] =
        (struct cell){.text = text, .width = columns_clean(text), .number = number};
    return true;
}

static char *cell_text(sqlite3_stmt *s, int i, bool plain, bool *number)
{
    char text[NUMBER_TEXT];
    *number = true;
    switch (sqlite3_column_type(s, i)) {
    case SQLITE_NULL:
        return strdup("");
    case SQLITE_INTEGER:
        if (plain || is_name(sqlite3_column_name(s, i)))
            snprintf(text, sizeof text, "%lld", sqlite3_column_int64(s, i));
        else
            number_group(text, sqlite3_column_int64(s, i));
        return strdup(text);
    case SQLITE_FLOAT:
        if (plain || is_name(sqlite3_column_name(s, i)))
            snprintf(text, sizeof text, "%.10g", sqlite3_column_double(s, i));
        else
            number_group_real(text, sqlite3_column_double(s, i));
        return strdup(text);
    case SQLITE_BLOB:
        *number = false;
        snprintf(text, sizeof text, "%d bytes", sqlite3_column_bytes(s, i));
        return strdup(text);
    default: {
        *number = false;
        const char *t = rows_text(s, i);
        return strdup(t ? t : "");
    }
    }
}

/* Shorten the widest text columns until the row fits; numbers and heads stay. False: it does
 * not. */
static bool fit(const struct grid *g, int *widths, const bool *numbers, int width)
{
    for (;;) {
        int sum = 0, widest = -1;
        for (int c = 0; c < g->columns; c++) {
            sum += widths[c] + (c ? 2 : 0);
            if (!numbers[c] && widths[c] > g->cells[c].width && widths[c] > 14 &&
                (widest < 0 || widths[c] > widths[widest]))
                widest = c;
        }
        if (width == 0 || sum <= width || widest < 0)
            return width == 0 || sum <= width;
        widths[widest]--;
    }
}

static void put_cell(FILE *out, const struct cell *cell, int width, bool right, bool last)
{
    const int blanks = width > cell->width ? width - cell->width : 0;
    if (right)
        fprintf(out, "%*s", blanks, "");
    if (cell->width <= width) {
        fputs(cell->text, out);
    } else {
        int columns;
        const int bytes = (int)columns_fit(cell->text, width - 2, &columns);
        fprintf(out, "%.*s..%*s", bytes, cell->text, right || last ? 0 : width - 2 - columns, "");
    }
    if (!right && !last)
        fprintf(out, "%*s", blanks, "");
}

/* Each row as lines of a name and a value, a blank line between two. */
static void print_records(const struct grid *g, int width, FILE *out)
{
    int names = 0;
    for (int c = 0; c < g->columns; c++)
        names = g->cells[c].width > names ? g->cells[c].width : names;
    const int values = width - names - 2 > 8 ? width - names - 2 : 8;
    for (size_t i = (size_t)g->columns; i < g->count; i++) {
        const size_t c = i % (size_t)g->columns;
        if (!c && i > (size_t)g->columns)
            putc('\n', out);
        put_cell(out, &g->cells[c], names, false, false);
        fputs("  ", out);
        put_cell(out, &g->cells[i], values, false, true);
        putc('\n', out);
    }
}

static int print_grid(const struct grid *g, const struct answer_options *o, FILE *out)
{
    int *widths = calloc((size_t)g->columns + 1, sizeof *widths);
    bool *numbers = malloc(((size_t)g->columns + 1) * sizeof *numbers);
    if (!widths || !numbers) {
        free(widths);
        free(numbers);
        return SQLITE_NOMEM;
    }
    for (int c = 0; c < g->columns; c++) {
        numbers[c] = true;
        for (size_t i = (size_t)c; i < g->count; i += (size_t)g->columns) {
            const struct cell *cell = &g->cells[i];
            widths[c] = cell->width > widths[c] ? cell->width : widths[c];
            numbers[c] = numbers[c] && (cell->number || i == (size_t)c);
        }
    }
    const bool records = !fit(g, widths, numbers, o->width) && o->within;
    if (records)
        print_records(g, o->width, out);
    for (size_t i = 0; i < g->count && !records; i++) {
        const int c = (int)(i % (size_t)g->columns);
        if (c)
            fputs("  ", out);
        put_cell(out, &g->cells[i], widths[c], numbers[c], c == g->columns - 1);
        if (c == g->columns - 1)
            putc('\n', out);
    }
    free(widths);
    free(numbers);
    return SQLITE_OK;
}

static int table(sqlite3_stmt *s, const struct answer_options *o, FILE *out, uint64_t *rows)
{
    struct grid g = {.columns = sqlite3_column_count(s)};
    int rc = SQLITE_OK;
    for (int c = 0; c < g.columns && rc == SQLITE_OK; c++)
        rc = add_cell(&g, strdup(sqlite3_column_name(s, c)), false) ? SQLITE_OK : SQLITE_NOMEM;
    while (rc == SQLITE_OK && (rc = rows_step(s)) == SQLITE_ROW) {
        if (o->row_limit && *rows == o->row_limit)
            break;
        rc = SQLITE_OK;
        for (int c = 0; c < g.columns && rc == SQLITE_OK; c++) {
            bool number;
            char *text = cell_text(s, c, o->plain, &number);
            rc = add_cell(&g, text, number) ? SQLITE_OK : SQLITE_NOMEM;
        }
        ++*rows;
    }
    if (rc == SQLITE_DONE || rc == SQLITE_ROW) {
        const int printed = print_grid(&g, o, out);
        if (*rows == 0)
            fputs("(no rows)\n", out);
        rc = printed != SQLITE_OK ? printed : rc == SQLITE_DONE ? SQLITE_OK : SQLITE_ROW;
    }
    for (size_t i = 0; i < g.count; i++)
        free(g.cells[i].text);
    free(g.cells);
    return rc;
}

int answer_print(sqlite3_stmt *statement, const struct answer_options *options, FILE *out,
                 uint64_t *rows)
{
    uint64_t ignored;
    rows = rows ? rows : &ignored;
    *rows = 0;
    return options->form == ANSWER_TABLE ? table(statement, options, out, rows)
                                         : stream(statement, options, out, rows);
}
