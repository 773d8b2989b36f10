/* hover: a word of the language in one sentence, and the time of its line. */
#include "editor/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/utf8_json.h"
#include "editor/value.h"
#include "editor/words.h"
#include "host/text.h"

static const struct machine_advice *advice_of(const struct buffer *file)
{
    return file->machine->advice;
}

/* Its row in the vocabulary: of the word whole, or without the parameters of an opcode. */
static const struct vocabulary_word *look_up(struct buffer *file, const struct buffer_word *word)
{
    const struct words *words = words_of(file->machine);
    const char *name = word->start + word->at;
    const struct vocabulary_word *row = words_find(words, name, word->length);
    for (size_t length = word->length; !row && length > 1; length--)
        if (strchr("/@+-=", name[length - 1]))
            row = words_find(words, name, length - 1);
    return row;
}

static void say_word(const struct vocabulary_word *row, FILE *out)
{
    fprintf(out, "**`%s`**", row->name);
    if (row->sentence[0])
        fprintf(out, " %s", row->sentence);
    if (row->section[0])
        fprintf(out, " (manual %s)", row->section);
    fputs("\n\n", out);
}

/* --- arcs of the graph ------------------------------------------------------------------------ */

static uint32_t line_of_node(const struct buffer *file, uint32_t node)
{
    const struct graph *graph = &file->study.run->proof.graph;
    const struct stmt_info *info =
        node < graph->node_count ? store_stmt(&file->study.run->store, graph->nodes[node].stmt)
                                 : NULL;
    return info ? info->line : 0;
}

void buffer_arcs(struct buffer *file, uint32_t line, bool from, buffer_arc *each, void *context)
{
    if (!file->study.proven)
        return;
    const struct graph *graph = &file->study.run->proof.graph;
    for (size_t i = 0; i < graph->arc_count; i++) {
        const struct graph_arc *arc = &graph->arcs[i];
        if (line_of_node(file, from ? arc->from : arc->to) != line)
            continue;
        const uint32_t other = line_of_node(file, from ? arc->to : arc->from);
        if (other)
            each(context, arc, other);
    }
}

struct arcs {
    FILE *out;
    const struct graph *graph;
    const char *word, *space; /* space NULL: any */
    uint64_t address;
    int told;
};

static void say_writer(void *context, const struct graph_arc *arc, uint32_t line)
{
    struct arcs *arcs = context;
    const char *space = arcs->graph->spaces[arc->space];
    if (arc->kind != ARC_RAW || (arcs->space && strcmp(space, arcs->space) != 0) ||
        arcs->told++ > 3)
        return;
    fprintf(arcs->out, "- %s %llu to %llu: written by line %u, read at least %llu cycles later",
            space, (unsigned long long)arc->first, (unsigned long long)arc->last, line,
            (unsigned long long)arc->lag);
    fprintf(arcs->out, arc->rule && arc->rule[0] ? " (%s)\n" : "\n", arc->rule);
}

static void say_reader(void *context, const struct graph_arc *arc, uint32_t line)
{
    struct arcs *arcs = context;
    if (arc->kind != ARC_RAW || arcs->told++ > 3)
        return;
    fprintf(arcs->out, "- line %u reads %s %llu to %llu at least %llu cycles later", line,
            arcs->graph->spaces[arc->space], (unsigned long long)arc->first,
            (unsigned long long)arc->last, (unsigned long long)arc->lag);
    fprintf(arcs->out, arc->rule && arc->rule[0] ? " (%s)\n" : "\n", arc->rule);
}

static void say_arcs(struct buffer *file, const struct buffer_word *word, FILE *out)
{
    const struct vocabulary *vocabulary = file->machine->language->vocabulary;
    struct arcs arcs = {.out = out, .graph = &file->study.run->proof.graph};
    if (vocabulary && vocabulary->space)
        arcs.space = vocabulary->space(word->start + word->at, word->length, &arcs.address);
    buffer_arcs(file, word->line, false, say_writer, &arcs);
    arcs.told = 0;
    if (!arcs.space)
        buffer_arcs(file, word->line, true, say_reader, &arcs);
}

/* --- time ------------------------------------------------------------------------------------- */

/* The statement that has the rows of this one: the first of the same text, where each is executed
 * once. */
static uint32_t owner_of(const struct buffer *file, const struct sink_stmt_total *rows,
                         size_t count, uint32_t stmt)
{
    const struct store *store = &file->study.run->store;
    const struct stmt_info *info = store_stmt(store, stmt);
    uint32_t owner = stmt;
    for (size_t i = 0; file->machine->language->once && info && i < count; i++) {
        const struct stmt_info *other = store_stmt(store, rows[i].stmt);
        if (rows[i].stmt == stmt)
            return stmt;
        if (owner == stmt && other && other->text_length == info->text_length &&
            memcmp(other->text, info->text, info->text_length) == 0)
            owner = rows[i].stmt;
    }
    return owner;
}

static void say_units(const struct buffer *file, uint32_t stmt, FILE *out)
{
    const struct store *store = &file->study.run->store;
    size_t count, told = 0;
    struct sink_stmt_total *rows = costs_rows(store->summary.costs, &count);
    const uint32_t owner = rows ? owner_of(file, rows, count, stmt) : stmt;
    for (size_t i = 0; rows && i < count; i++) {
        const struct sink_stmt_total *row = &rows[i];
        if (row->reason != REASON_BUSY || row->stmt != owner)
            continue;
        const uint64_t times = file->machine->language->once && row->execs ? row->execs : 1;
        fprintf(out, "%s%s %llu", told++ ? ", " : "- units: ", store_unit(store, row->unit),
                (unsigned long long)(row->cycles / times));
    }
    if (told)
        fputs(" cycles busy\n", out);
    free(rows);
}

/* Why steps that only pass time are there. */
static void say_needs(const struct buffer *file, uint32_t stmt, FILE *out)
{
    struct machine_needs needs = {0};
    const struct store *store = &file->study.run->store;
    if (!advice_of(file)->needs || advice_of(file)->needs(file->study.run->run, stmt, &needs) != 0)
        return;
    fprintf(out, "- %llu empty steps, %llu of them needed\n", (unsigned long long)needs.written,
            (unsigned long long)(needs.written - needs.spare));
    for (size_t i = 0; i < needs.count && i < 4; i++) {
        const struct machine_need *need = &needs.rows[i];
        const struct stmt_info *a = store_stmt(store, need->first);
        const struct stmt_info *b = store_stmt(store, need->second);
        if (a && b)
            fprintf(out, "- %llu between lines %u and %u (%s)\n", (unsigned long long)need->steps,
                    a->line, b->line, need->rule);
    }
    free(needs.rows);
}

static void say_time(struct buffer *file, const struct buffer_word *word, FILE *out)
{
    const struct study_line *row = study_line(&file->study, word->line);
    if (!row)
        return;
    fprintf(out, "- issued in cycle %llu", (unsigned long long)row->issue);
    if (row->times > 1)
        fprintf(out, ", executed %llu times", (unsigned long long)row->times);
    if (row->lost)
        fprintf(out, "; waits %llu cycles, %llu of them for %s", (unsigned long long)row->lost,
                (unsigned long long)row->most, row->reason);
    if (row->slack != STUDY_NEVER && (row->slack || row->exact))
        fprintf(out, "; slack %s%llu cycles", row->exact ? "" : "at least ",
                (unsigned long long)row->slack);
    fputc('\n', out);
    say_units(file, row->last - 1, out);
    say_needs(file, row->last - 1, out);
}

json_t *hover_at(struct buffer *file, size_t offset)
{
    char *text = NULL;
    size_t size = 0;
    const struct buffer_word word = buffer_word(file, offset);
    const size_t comment = vocabulary_statement(word.start, word.size);
    if (word.length == 0 || word.at >= comment)
        return json_null();
    study_prove(&file->study);
    FILE *out = text_open(&text, &size);
    const struct vocabulary_word *row = look_up(file, &word);
    if (out && row)
        say_word(row, out);
    if (out && file->study.stage == STUDY_TIMED) {
        say_time(file, &word, out);
        say_arcs(file, &word, out);
        value_say(file, &word, out);
    }
    if (text_close(out, &text) != 0)
        return NULL;
    const size_t start = (size_t)(word.start - file->document.text);
    json_t *answer =
        text[0] ? json_pack("{s:{s:s,s:o},s:o}", "contents", "kind", "markdown", "value",
                            utf8_json(text), "range",
                            buffer_range_of(file, start + word.at, start + word.at + word.length))
                : json_null();
    free(text);
    return answer;
}
