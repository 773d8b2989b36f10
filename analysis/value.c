#include "analysis/value.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/utf8_json.h"
#include "functional/text.h"
#include "timing/sink.h"
#include "host/number.h"

/* --- elements of words ------------------------------------------------------------------------ */

static double element(const struct history *h, const struct history_format *format, uint64_t word,
                      unsigned index)
{
    const unsigned shift =
        h->low_first ? index * format->bits : h->bits - format->bits * (index + 1);
    const uint64_t mask = format->bits == 64 ? UINT64_MAX : (UINT64_C(1) << format->bits) - 1;
    return format->value(word >> shift & mask);
}

static unsigned per_word(const struct history *h, const struct history_format *format)
{
    return h->bits / format->bits; /* 0: the word is too short for it */
}

/* Of a line of the host, which the run has no statement for, file and line. */
static struct stmt_info statement_of(const struct value_question *q,
                                     const struct history_write *write)
{
    return write->stmt == NONE_ID ? (struct stmt_info){.file = write->file,
                                                       .line = write->line,
                                                       .text = "d set",
                                                       .text_length = 5}
                                  : q->run->header.stmts[write->stmt];
}

/* --- text ------------------------------------------------------------------------------------- */

static void print_hex(const struct history *h, const uint64_t *words, FILE *out)
{
    for (size_t i = 0; i < h->words; i++)
        fprintf(out, " 0x%0*" PRIx64, (int)(h->bits / 4), words[i]);
}

void value_words(const struct history *h, const uint64_t *words, FILE *out)
{
    enum { FEW = 8 };
    for (size_t i = 0; i < h->words; i++)
        fprintf(out, "%s0x%0*" PRIx64, i ? " " : "", (int)(h->bits / 4), words[i]);
    for (const struct history_format *f = h->formats; f->name; f++) {
        const size_t count = per_word(h, f) * h->words;
        if (!count || count > FEW)
            continue;
        fprintf(out, "; %s", f->name);
        for (size_t i = 0; i < count; i++)
            fprintf(out, f->whole ? " %.0f" : " %.9g",
                    element(h, f, words[i / per_word(h, f)], (unsigned)(i % per_word(h, f))));
    }
}

static void print_words(const struct history *h, const uint64_t *words, FILE *out)
{
    fputs("   value   ", out);
    print_hex(h, words, out);
    fputc('\n', out);
    for (const struct history_format *f = h->formats; f->name; f++) {
        if (!per_word(h, f))
            continue;
        fprintf(out, "   %-8s", f->name);
        for (size_t i = 0; i < h->words; i++)
            for (unsigned k = 0; k < per_word(h, f); k++)
                fprintf(out, f->whole ? " %.0f" : " %.9g", element(h, f, words[i], k));
        fputc('\n', out);
    }
}

static void print_statement(const struct value_question *q, const struct history_write *write,
                            const char *head, FILE *out)
{
    const struct stmt_info stmt = statement_of(q, write);
    char issued[NUMBER_TEXT], readable[NUMBER_TEXT];
    number_group(issued, (int64_t)write->issued);
    number_group(readable, (int64_t)write->readable);
    text_print(out, "   %-8s %s:%u  ", head, q->run->header.files[stmt.file].name, stmt.line);
    text_put(out, stmt.text, stmt.text_length);
    fprintf(out, "\n            issued in cycle %s, readable from cycle %s on\n", issued, readable);
}

static void print_value(const struct value_question *q, const struct history_at *at, FILE *out)
{
    const struct history *h = q->history;
    if (at->words)
        print_words(h, at->words, out);
    else
        fputs("   value    not known: a statement writes it in several cycles, and only some have "
              "landed\n",
              out);
    if (at->last)
        print_statement(q, at->last, "written", out);
    else
        fputs("   written  not yet: it is as the run found it\n", out);
    if (at->landing) {
        print_statement(q, at->landing, "landing", out);
        if (at->words && at->landing->first < at->landing->readable) {
            char first[NUMBER_TEXT];
            number_group(first, (int64_t)at->landing->first);
            fprintf(out,
                    "            the old value is read until it lands in parts from cycle %s on,"
                    " at last",
                    first);
        } else {
            fputs(at->words ? "            until then the old value is read, then"
                            : "            then",
                  out);
        }
        print_hex(h, at->landing->words, out);
        fputc('\n', out);
    }
    if (at->next)
        print_statement(q, at->next, "next", out);
}

static void print_text(const struct value_question *q, const struct history_at *at, FILE *out)
{
    char cycle[NUMBER_TEXT], total[NUMBER_TEXT];
    number_group(cycle, (int64_t)q->cycle);
    number_group(total, (int64_t)run_total(q->run->model));
    text_print(out, "%s   in cycle %s of %s\n", q->place, cycle, total);
    print_value(q, at, out);
    if (run_early(q->run))
        fputs("   NOTE     accesses come before a transfer has ended: values are those of program "
              "order\n",
              out);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *words_json(const struct history *h, const uint64_t *words)
{
    if (!words)
        return json_null();
    json_t *list = json_array(), *value = json_pack("{s:o}", "hex", list);
    for (size_t i = 0; i < h->words; i++) {
        char hex[24];
        snprintf(hex, sizeof hex, "0x%0*" PRIx64, (int)(h->bits / 4), words[i]);
        json_array_append_new(list, json_string(hex));
    }
    for (const struct history_format *f = h->formats; f->name; f++) {
        if (!per_word(h, f))
            continue;
        json_t *numbers = json_array();
        for (size_t i = 0; i < h->words; i++)
            for (unsigned k = 0; k < per_word(h, f); k++) {
                const double number = element(h, f, words[i], k);
                json_array_append_new(numbers, !isfinite(number) ? json_null()
                                               : f->whole        ? json_integer((json_int_t)number)
                                                                 : json_real(number));
            }
        json_object_set_new(value, f->name, numbers);
    }
    return value;
}

static json_t *text_json(const char *text, size_t length)
{
    char *copy = strndup(text, length);
    json_t *value = copy ? utf8_json(copy) : NULL;
    free(copy);
    return value;
}

static json_t *write_json(const struct value_question *q, const struct history_write *write)
{
    if (!write)
        return json_null();
    const struct stmt_info stmt = statement_of(q, write);
    return json_pack("{s:o, s:I, s:o, s:I, s:I, s:I, s:o}", "file",
                     utf8_json(q->run->header.files[stmt.file].name), "line", (json_int_t)stmt.line,
                     "statement", text_json(stmt.text, stmt.text_length), "issued",
                     (json_int_t)write->issued, "lands", (json_int_t)write->first, "readable",
                     (json_int_t)write->readable, "value", words_json(q->history, write->words));
}

static int print_json(const struct value_question *q, const struct history_at *at, FILE *out)
{
    json_t *root =
        json_pack("{s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:b}", "place", utf8_json(q->place), "cycle",
                  (json_int_t)q->cycle, "cycles", (json_int_t)run_total(q->run->model), "value",
                  words_json(q->history, at->words), "written", write_json(q, at->last), "landing",
                  write_json(q, at->landing), "next", write_json(q, at->next), "early",
                  run_early(q->run) != 0);
    const int status = root ? json_dumpf(root, out, JSON_INDENT(1)) : -1;
    json_decref(root);
    if (status == 0)
        fputc('\n', out);
    return status;
}

int value_print(const struct value_question *q, bool json, FILE *out)
{
    const struct history_at at = history_at(q->history, q->cycle);
    if (json)
        return print_json(q, &at, out);
    print_text(q, &at, out);
    return 0;
}
