#include "functional/toy/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/suggest.h"

enum form { FORM_CELL, FORM_VALUE, FORM_COPY, FORM_GET, FORM_NONE };

static const char *const mnemonics[] = {
#define INSN(id, mnemonic, form, sentence) mnemonic,
#include "functional/toy/insn.def"
};
static const enum form forms[] = {
#define INSN(id, mnemonic, form, sentence) FORM_##form,
#include "functional/toy/insn.def"
};

/* --- words ------------------------------------------------------------------------------------ */

struct line {
    const char *start, *at, *end; /* end: of the text before a comment */
    uint32_t file, number;
    struct diag_list *diags;
    bool wrong;
};

struct word {
    const char *text;
    size_t length;
};

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct word next_word(struct line *line)
{
    while (line->at < line->end && blank(*line->at))
        line->at++;
    struct word word = {line->at, 0};
    while (line->at < line->end && !blank(*line->at))
        line->at++;
    word.length = (size_t)(line->at - word.text);
    return word;
}

static void fail(struct line *line, struct word word, const char *sentence, const char *fix)
{
    const struct diag at = {.severity = DIAG_ERROR,
                            .file = line->file,
                            .line = line->number,
                            .column = (uint32_t)(word.text - line->start) + 1,
                            .length = word.length ? (uint32_t)word.length : 1,
                            .rule = "",
                            .name = ""};
    if (!line->wrong) /* of a line the first alone */
        diag_add(line->diags, &at, "'%.*s': %s\n%s", (int)(word.length < 40 ? word.length : 40),
                 word.text, sentence, fix);
    line->wrong = true;
}

/* The whole word is a number of [low, high]. */
static bool number_of(struct word word, long long low, long long high, int64_t *number)
{
    char text[24], *end;
    if (word.length == 0 || word.length >= sizeof text || blank(word.text[0]))
        return false;
    memcpy(text, word.text, word.length);
    text[word.length] = '\0';
    errno = 0;
    *number = strtoll(text, &end, 10);
    return !errno && end == text + word.length && *number >= low && *number <= high;
}

static bool is_accumulator(struct word word, unsigned *acc)
{
    if (word.length != 2 || word.text[0] != 'a' || word.text[1] < '0' ||
        word.text[1] >= '0' + TOY_ACCS)
        return false;
    *acc = (unsigned)(word.text[1] - '0');
    return true;
}

static void read_accumulator(struct line *line, unsigned *acc)
{
    const struct word word = next_word(line);
    if (!is_accumulator(word, acc))
        fail(line, word, "no accumulator", "a0, a1, a2 or a3");
}

static void read_value(struct line *line, struct toy_stmt *stmt)
{
    const struct word word = next_word(line);
    stmt->other = TOY_NO_ACC;
    if (!is_accumulator(word, &stmt->other) &&
        !number_of(word, INT64_MIN, INT64_MAX, &stmt->number))
        fail(line, word, "neither an accumulator nor a number", "a0, a1, a2, a3 or 64 bits");
}

static void read_cell(struct line *line, uint32_t *cell)
{
    const struct word word = next_word(line);
    const bool framed = word.length > 2 && word.text[0] == '[' && word.text[word.length - 1] == ']';
    int64_t number = 0;
    if (!framed ||
        !number_of((struct word){word.text + 1, word.length - 2}, 0, TOY_CELLS - 1, &number))
        fail(line, word, "no cell", "[0] to [255]");
    *cell = (uint32_t)number;
}

static void read_count(struct line *line, struct toy_stmt *stmt)
{
    const struct word word = next_word(line);
    const uint32_t last = stmt->cell > stmt->from ? stmt->cell : stmt->from;
    int64_t number = 1;
    if (!number_of(word, 1, TOY_CELLS - last, &number))
        fail(line, word, "no count of cells", "1 or more, up to cell 255");
    stmt->count = (uint32_t)number;
}

/* --- statements ------------------------------------------------------------------------------- */

static void read_operands(struct line *line, struct toy_stmt *stmt)
{
    switch (forms[stmt->insn]) {
    case FORM_CELL:
        read_accumulator(line, &stmt->acc);
        read_cell(line, &stmt->cell);
        break;
    case FORM_VALUE:
        read_accumulator(line, &stmt->acc);
        read_value(line, stmt);
        break;
    case FORM_COPY:
        read_cell(line, &stmt->cell);
        read_cell(line, &stmt->from);
        read_count(line, stmt);
        break;
    case FORM_GET:
        read_cell(line, &stmt->cell);
        read_count(line, stmt);
        break;
    case FORM_NONE:
        break;
    }
}

static bool read_stmt(struct line *line, struct toy_stmt *stmt)
{
    const struct word name = next_word(line);
    if (!name.length)
        return false;
    *stmt = (struct toy_stmt){.insn = TOY_INSNS,
                              .count = 1,
                              .file = line->file,
                              .line = line->number,
                              .column = (uint32_t)(name.text - line->start) + 1,
                              .text = name.text};
    for (unsigned i = 0; i < TOY_INSNS; i++)
        if (strlen(mnemonics[i]) == name.length && !memcmp(mnemonics[i], name.text, name.length))
            stmt->insn = (enum toy_insn)i;
    if (stmt->insn == TOY_INSNS) {
        const char *near = suggest_name(name.text, name.length, mnemonics, TOY_INSNS);
        fail(line, name, "no statement of this name", near ? near : "load, store, add, mul, copy");
        return false;
    }
    read_operands(line, stmt);
    stmt->length = (size_t)(line->at - name.text);
    const struct word rest = next_word(line);
    if (rest.length)
        fail(line, rest, "nothing may follow", "one statement a line");
    return !line->wrong;
}

static int add_stmt(struct toy_program *program, const struct toy_stmt *stmt)
{
    struct toy_stmt *stmts =
        grow(program->stmts, &program->capacity, program->count + 1, sizeof *stmts);
    if (!stmts)
        return -1;
    program->stmts = stmts;
    program->stmts[program->count++] = *stmt;
    return 0;
}

int toy_parse(struct toy_program *program, const struct source *sources, size_t count,
              struct diag_list *diags)
{
    *program = (struct toy_program){.sources = sources, .source_count = count};
    int status = 0;
    for (uint32_t f = 0; f < count; f++) {
        const char *at = sources[f].text, *end = at + sources[f].size;
        for (uint32_t number = 1; at < end; number++) {
            const char *stop = memchr(at, '\n', (size_t)(end - at));
            stop = stop ? stop : end;
            const char *comment = memchr(at, '#', (size_t)(stop - at));
            struct line line = {at, at, comment ? comment : stop, f, number, diags, false};
            struct toy_stmt stmt;
            if (read_stmt(&line, &stmt) && add_stmt(program, &stmt) != 0)
                return -1;
            status |= line.wrong;
            at = stop + 1;
        }
    }
    return status;
}

void toy_free(struct toy_program *program)
{
    free(program->stmts);
    program->stmts = NULL;
}

int toy_print(const struct toy_program *program, FILE *out)
{
    for (const struct toy_stmt *s = program->stmts; s < program->stmts + program->count; s++) {
        fputs(mnemonics[s->insn], out);
        if (forms[s->insn] == FORM_CELL)
            fprintf(out, " a%u [%u]", s->acc, s->cell);
        else if (forms[s->insn] == FORM_VALUE && s->other != TOY_NO_ACC)
            fprintf(out, " a%u a%u", s->acc, s->other);
        else if (forms[s->insn] == FORM_VALUE)
            fprintf(out, " a%u %lld", s->acc, (long long)s->number);
        else if (forms[s->insn] == FORM_COPY)
            fprintf(out, " [%u] [%u] %u", s->cell, s->from, s->count);
        else if (forms[s->insn] == FORM_GET)
            fprintf(out, " [%u] %u", s->cell, s->count);
        putc('\n', out);
    }
    return ferror(out) ? -1 : 0;
}

/* --- rules of time ---------------------------------------------------------------------------- */

/* The copies in flight: by cell, statement + 1 of the last one that writes or reads it. */
struct flights {
    size_t writes[TOY_CELLS], reads[TOY_CELLS];
};

/* The copy in flight that forbids cells [first, first + count) to a statement; 0: none. */
static size_t conflict(const struct flights *flights, uint32_t first, uint32_t count, bool writes)
{
    for (uint32_t c = first; c < first + count; c++)
        if (flights->writes[c] || (writes && flights->reads[c]))
            return flights->writes[c] ? flights->writes[c] : flights->reads[c];
    return 0;
}

static size_t find_conflict(const struct flights *flights, const struct toy_stmt *stmt)
{
    if (stmt->insn == TOY_ADD || stmt->insn == TOY_MUL || stmt->insn == TOY_WAIT)
        return 0;
    const bool writes = stmt->insn == TOY_STORE || stmt->insn == TOY_COPY;
    const size_t copy = conflict(flights, stmt->cell, stmt->count, writes);
    return copy || stmt->insn != TOY_COPY ? copy
                                          : conflict(flights, stmt->from, stmt->count, false);
}

int toy_check(const struct toy_program *program, struct diag_list *diags)
{
    struct flights flights = {0};
    int status = 0;
    for (size_t i = 0; i < program->count; i++) {
        const struct toy_stmt *stmt = &program->stmts[i];
        const size_t copy = find_conflict(&flights, stmt);
        if (copy) {
            const struct toy_stmt *by = &program->stmts[copy - 1];
            const struct diag at = {.severity = DIAG_ERROR,
                                    .file = stmt->file,
                                    .line = stmt->line,
                                    .column = stmt->column,
                                    .length = (uint32_t)stmt->length,
                                    .other_line = by->line,
                                    .other_file = by->file,
                                    .rule = "copy",
                                    .name = ""};
            diag_add(diags, &at, "touches cells of the copy of line %u\nwait for it first",
                     by->line);
            status = 1;
        }
        if (stmt->insn == TOY_WAIT)
            flights = (struct flights){0};
        for (uint32_t c = 0; stmt->insn == TOY_COPY && c < stmt->count; c++) {
            flights.writes[stmt->cell + c] = i + 1;
            flights.reads[stmt->from + c] = i + 1;
        }
    }
    return status;
}

/* --- work ------------------------------------------------------------------------------------- */

void toy_work(const struct toy_program *program, size_t i, struct toy_work_storage *storage,
              struct work *work)
{
    const struct toy_stmt *stmt = &program->stmts[i];
    const bool computes = stmt->insn == TOY_ADD || stmt->insn == TOY_MUL;
    const uint64_t acc = UINT64_C(1) << stmt->acc;
    *storage = (struct toy_work_storage){.reads = {.when = 1, .count = 1},
                                         .writes = {.when = 1, .count = 1}};
    if (computes || stmt->insn == TOY_STORE)
        storage->reads.set = acc;
    if (computes && stmt->other != TOY_NO_ACC)
        storage->reads.set |= UINT64_C(1) << stmt->other;
    if (computes || stmt->insn == TOY_LOAD)
        storage->writes.set = acc;
    *work = (struct work){.statement = (uint32_t)i,
                          .operation = stmt->insn,
                          .reads = &storage->reads,
                          .read_count = storage->reads.set != 0,
                          .writes = &storage->writes,
                          .write_count = storage->writes.set != 0,
                          .next = i + 1 < program->count ? (uint32_t)i + 1 : WORK_END};
}
