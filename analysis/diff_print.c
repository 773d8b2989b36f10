#include "analysis/diff_print.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/columns.h"
#include "functional/text.h"
#include "host/number.h"
#include "host/path.h"
#include "host/text.h"

/* So that the whole is at most 40 lines. */
enum { TERMS_SHOWN = 14, EDITS_SHOWN = 8, VALUES_SHOWN = 5, SUMS_SHOWN = 6 };

const char *diff_place(const struct diff *diff, unsigned side, uint32_t stmt, char text[DIFF_PLACE])
{
    const struct diff_side *of = diff->sides[side];
    if (stmt == NONE_ID) {
        strcpy(text, "-");
        return text;
    }
    const struct diff_stmt *s = &of->stmts[stmt];
    const char *file = s->file != NONE_ID ? diff_text(diff, of->files[s->file]) : "";
    if (of->file_count > 1)
        snprintf(text, DIFF_PLACE, "%.80s:%u", path_base(file), s->line);
    else
        snprintf(text, DIFF_PLACE, "%u", s->line);
    return text;
}

static const char *stmt_text(const struct diff *diff, unsigned side, uint32_t stmt)
{
    return stmt == NONE_ID ? "" : diff_text(diff, diff->sides[side]->stmts[stmt].text);
}

const char *diff_term_text(const struct diff *diff, const struct diff_term *term)
{
    const unsigned side = term->stmt[1] != NONE_ID;
    return stmt_text(diff, side, term->stmt[side]);
}

/* --- lines ------------------------------------------------------------------------------------ */

struct page {
    const struct diff_answer *answer;
    const struct diff *diff;
    FILE *out;
    bool failed;
};

/* One line, cut to the width so that no terminal wraps it. */
static void put_line(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put_line(struct page *p, const char *format, ...)
{
    char *line = NULL;
    va_list args;
    va_start(args, format);
    const int size = vasprintf(&line, format, args);
    va_end(args);
    if (size < 0) {
        p->failed = true;
        return;
    }
    const int most = p->answer->all || !p->answer->width ? INT32_MAX : p->answer->width;
    int columns;
    if (columns_clean(line) > most)
        fprintf(p->out, "%.*s..\n", (int)columns_fit(line, most - 2, &columns), line);
    else
        fprintf(p->out, "%s\n", line);
    free(line);
}

static char *signed_number(char text[NUMBER_TEXT], int64_t value)
{
    char number[NUMBER_TEXT];
    snprintf(text, NUMBER_TEXT, "%s%.29s", value > 0 ? "+" : "", number_group(number, value));
    return text;
}

/* --- text ------------------------------------------------------------------------------------- */

static void put_totals(struct page *p)
{
    const struct diff *diff = p->diff;
    const int64_t before = (int64_t)diff->sides[0]->cycles;
    char number[NUMBER_TEXT], change[NUMBER_TEXT];
    const bool streams = diff->sides[0]->stream != diff->sides[1]->stream;
    for (unsigned s = 0; s < 2; s++) {
        char *line = NULL, *stream = NULL;
        if (asprintf(&line, "%c  %s   %s cycles", 'A' + (int)s, p->answer->names[s],
                     number_group(number, (int64_t)diff->sides[s]->cycles)) < 0 ||
            asprintf(&stream, "%s%s", streams ? "   stream " : "",
                     streams ? diff_text(diff, diff->sides[s]->stream) : "") < 0) {
            p->failed = true;
        } else if (s && before) {
            put_line(p, "%s   %s   %+.2f %%%s", line, signed_number(change, diff->difference),
                     100.0 * (double)diff->difference / (double)before, stream);
        } else {
            put_line(p, "%s%s", line, stream);
        }
        free(line);
        free(stream);
    }
}

static void put_edits(struct page *p)
{
    static const char *const names[] = {"same", "moved", "changed"};
    const struct diff *diff = p->diff;
    const size_t *a = diff->counts[0], *b = diff->counts[1];
    put_line(p, "STATEMENTS  %zu same   %zu moved   %zu changed   %zu added   %zu removed",
             a[DIFF_SAME], a[DIFF_MOVED], a[DIFF_CHANGED], b[DIFF_ALONE], a[DIFF_ALONE]);
    const size_t all = a[DIFF_MOVED] + a[DIFF_CHANGED] + a[DIFF_ALONE] + b[DIFF_ALONE];
    size_t shown = 0;
    const size_t most = p->answer->all ? SIZE_MAX : EDITS_SHOWN;
    /* In the order of b; removed statements come last. */
    for (unsigned side = 2; side-- > 0;)
        for (uint32_t i = 0; i < diff->sides[side]->stmt_count && shown < most; i++) {
            char first[DIFF_PLACE], second[DIFF_PLACE];
            const enum diff_kind kind = diff->kinds[side][i];
            if (kind == DIFF_SAME || (side == 0 && kind != DIFF_ALONE))
                continue;
            shown++;
            const uint32_t a_stmt = side ? diff->other[1][i] : i, b_stmt = side ? i : NONE_ID;
            const char *before = kind == DIFF_CHANGED ? stmt_text(diff, 0, a_stmt) : "";
            put_line(p, "  %-8s %s -> %s  %s%s%s",
                     kind != DIFF_ALONE ? names[kind]
                     : side             ? "added"
                                        : "removed",
                     diff_place(diff, 0, a_stmt, first), diff_place(diff, 1, b_stmt, second),
                     before, *before ? "  ->  " : "", stmt_text(diff, side, i));
        }
    if (shown < all)
        put_line(p, "  %zu more", all - shown);
}

static void put_values(struct page *p)
{
    const struct diff *diff = p->diff;
    const struct diff_values_found *found = &p->answer->values;
    const size_t most = p->answer->all ? SIZE_MAX : VALUES_SHOWN;
    for (size_t i = 0; i < diff->value_count && i < most; i++) {
        const struct diff_value *value = &diff->values[i];
        put_line(p, "%-12s%s  %s -> %s  %s", i ? "" : "PARAMETERS", diff_text(diff, value->name),
                 diff_text(diff, value->value[0]), diff_text(diff, value->value[1]),
                 diff_text(diff, value->unit));
    }
    if (diff->value_count > most)
        put_line(p, "%-12s%zu more", "", diff->value_count - most);
    if (diff->diverges) {
        char number[NUMBER_TEXT], first[DIFF_PLACE], second[DIFF_PLACE];
        const uint32_t *stmt = diff->diverging_stmt;
        const unsigned side = stmt[1] != NONE_ID;
        put_line(p, "DIVERGE     in cycle %s   %s -> %s  %s",
                 number_group(number, (int64_t)diff->diverging),
                 diff_place(diff, 0, stmt[0], first), diff_place(diff, 1, stmt[1], second),
                 stmt_text(diff, side, stmt[side]));
    }
    if (found->verdict == DIFF_EQUAL) {
        put_line(p, "VALUES      equal (%s)", found->what);
    } else if (found->verdict == DIFF_UNEQUAL) {
        static const char *const kinds[] = {
            [DIFF_OF_STATE] = "", [DIFF_OF_LINE] = ": line ", [DIFF_OF_WORD] = ": word "};
        char at[24] = ": hashes";
        if (found->of != DIFF_OF_STATE)
            snprintf(at, sizeof at, "%llu", (unsigned long long)found->at);
        put_line(p, "VALUES      not equal (%s)%s%s", found->what, kinds[found->of], at);
        for (unsigned s = 0; s < 2; s++)
            put_line(p, "  %c  %s", 'A' + (int)s, found->text[s]);
    }
}

static void put_sums(struct page *p, enum diff_by by)
{
    static const char *const heads[] = {"BY REASON", "BY UNIT", "BY REGION"};
    size_t count, size;
    char *line = NULL;
    struct diff_sum *sums = diff_sums(p->diff, by, &count);
    FILE *out = sums ? text_open(&line, &size) : NULL;
    if (out) {
        const size_t most = p->answer->all ? SIZE_MAX : SUMS_SHOWN;
        for (size_t i = 0; i < count && i < most; i++) {
            char number[NUMBER_TEXT];
            text_print(out, "%s%s %s", i ? "   " : "", diff_text(p->diff, sums[i].name),
                       signed_number(number, sums[i].cycles));
        }
        if (count > most)
            fprintf(out, "   %zu more", count - most);
        if (text_close(out, &line) == 0 && count)
            put_line(p, "%-12s%s", heads[by], line);
    }
    p->failed |= !line;
    free(sums);
    free(line);
}

/* The source of a term, as lines of A and B; "" where it says nothing more. */
static const char *source_of(const struct diff *diff, const struct diff_term *term, char text[256])
{
    char a[DIFF_PLACE], b[DIFF_PLACE];
    const uint32_t *source = term->source;
    *text = '\0';
    if ((source[0] == NONE_ID && source[1] == NONE_ID) ||
        (source[0] == term->stmt[0] && source[1] == term->stmt[1]))
        return text;
    diff_place(diff, 0, source[0], a);
    diff_place(diff, 1, source[1], b);
    if (strcmp(a, b) == 0)
        snprintf(text, 256, "  <- %s", a);
    else
        snprintf(text, 256, "  <- %s | %s", a, b);
    return text;
}

static void put_term(struct page *p, const struct diff_term *term)
{
    enum { BEFORE = 53, LEAST = 12 }; /* columns in front of the statement, and of it */
    const struct diff *diff = p->diff;
    char number[NUMBER_TEXT], a[DIFF_PLACE], b[DIFF_PLACE], source[256];
    const char *text = diff_term_text(diff, term);
    source_of(diff, term, source);
    const int left = p->answer->width - BEFORE - (int)strlen(source);
    const int room = p->answer->all || !p->answer->width ? INT32_MAX : left < LEAST ? LEAST : left;
    const bool cut = strlen(text) > (size_t)room;
    put_line(p, "%14s  %-9s %-11s %5s %5s  %.*s%s%s", signed_number(number, term->cycles),
             diff_text(diff, term->reason), diff_text(diff, term->unit),
             diff_place(diff, 0, term->stmt[0], a), diff_place(diff, 1, term->stmt[1], b),
             cut ? room - 2 : INT32_MAX, text, cut ? ".." : "", source);
}

/* Terms [from, to), at most `most` of them. Returns how many lines they took. */
static size_t put_terms(struct page *p, size_t from, size_t to, size_t most)
{
    if (from == to)
        return 0;
    const bool edits = to <= p->diff->edit_count;
    put_line(p, "%-7s %6s  %-9s %-11s %5s %5s  %s", edits ? "EDITS" : "OTHERS", "cycles", "reason",
             "unit", "A", "B", "statement");
    if (p->answer->all)
        most = SIZE_MAX;
    size_t i = from;
    for (; i < to && i - from < most; i++)
        put_term(p, &p->diff->terms[i]);
    if (i < to)
        put_line(p, "  %zu more; --all shows them", to - i);
    return i - from;
}

int diff_print_text(const struct diff_answer *answer, FILE *out)
{
    struct page p = {.answer = answer, .diff = answer->diff, .out = out};
    put_totals(&p);
    put_edits(&p);
    put_values(&p);
    if (answer->diff->term_count) {
        put_sums(&p, DIFF_BY_REASON);
        put_sums(&p, DIFF_BY_UNIT);
        if (answer->diff->sides[0]->region_count > 1 || answer->diff->sides[1]->region_count > 1)
            put_sums(&p, DIFF_BY_REGION);
        const size_t edits = answer->diff->edit_count, all = answer->diff->term_count;
        const size_t half = TERMS_SHOWN / 2, others = all - edits;
        const size_t most = TERMS_SHOWN - (others < half ? others : half);
        const size_t shown = put_terms(&p, 0, edits, most);
        put_terms(&p, edits, all, TERMS_SHOWN - shown);
    }
    return p.failed || ferror(out) ? -1 : 0;
}
