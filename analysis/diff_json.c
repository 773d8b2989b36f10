/* diff_json: the answer of a comparison as JSON (docs/json.md). */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/diff_print.h"
#include "analysis/json_build.h"
#include "analysis/utf8_json.h"

static json_t *name_json(const struct diff *diff, uint32_t number)
{
    return number == NONE_ID ? json_null() : utf8_json(diff_text(diff, number));
}

static json_t *line_json(const struct diff *diff, unsigned side, uint32_t stmt)
{
    return stmt == NONE_ID ? json_null() : json_integer(diff->sides[side]->stmts[stmt].line);
}

static json_t *text_json(const struct diff *diff, unsigned side, uint32_t stmt)
{
    return stmt == NONE_ID ? json_null() : name_json(diff, diff->sides[side]->stmts[stmt].text);
}

/* line_a and line_b, and the files where there are several. */
static void put_lines(const struct diff *diff, json_t **row, const uint32_t stmt[2])
{
    static const char *const lines[] = {"line_a", "line_b"}, *const files[] = {"file_a", "file_b"};
    for (unsigned s = 0; s < 2; s++) {
        const struct diff_side *side = diff->sides[s];
        build_field(row, lines[s], line_json(diff, s, stmt[s]));
        if (side->file_count > 1)
            build_field(row, files[s],
                        stmt[s] == NONE_ID || side->stmts[stmt[s]].file == NONE_ID
                            ? json_null()
                            : name_json(diff, side->files[side->stmts[stmt[s]].file]));
    }
}

static json_t *terms_json(const struct diff *diff)
{
    json_t *list = json_array();
    for (size_t i = 0; i < diff->term_count; i++) {
        const struct diff_term *term = &diff->terms[i];
        json_t *row = json_object();
        build_field(&row, "reason", name_json(diff, term->reason));
        build_field(&row, "unit", name_json(diff, term->unit));
        put_lines(diff, &row, term->stmt);
        build_field(&row, "cycles", json_integer(term->cycles));
        if (term->source[0] != NONE_ID || term->source[1] != NONE_ID) {
            build_field(&row, "source_a", line_json(diff, 0, term->source[0]));
            build_field(&row, "source_b", line_json(diff, 1, term->source[1]));
        }
        build_row(&list, row);
    }
    return list;
}

static json_t *sums_json(const struct diff *diff, enum diff_by by)
{
    static const char *const names[] = {"reason", "unit", "region"};
    size_t count;
    struct diff_sum *sums = diff_sums(diff, by, &count);
    json_t *list = sums ? json_array() : NULL;
    for (size_t i = 0; list && i < count; i++)
        build_row(&list, json_pack("{s:o, s:I}", names[by], name_json(diff, sums[i].name), "cycles",
                                   (json_int_t)sums[i].cycles));
    free(sums);
    return list;
}

static json_t *statements_json(const struct diff *diff)
{
    static const char *const names[] = {NULL, "moved", "changed", NULL};
    json_t *root =
        json_pack("{s:I, s:[], s:[], s:[], s:[]}", "same", (json_int_t)diff->counts[0][DIFF_SAME],
                  "moved", "changed", "added", "removed");
    for (unsigned s = 0; root && s < 2; s++)
        for (uint32_t i = 0; i < diff->sides[s]->stmt_count; i++) {
            const enum diff_kind kind = diff->kinds[s][i];
            if (kind == DIFF_SAME || (kind != DIFF_ALONE && s == 0))
                continue;
            uint32_t stmt[2];
            stmt[s] = i;
            stmt[1 - s] = diff->other[s][i];
            json_t *row = json_object();
            put_lines(diff, &row, stmt);
            build_field(&row, "text", text_json(diff, s, i));
            if (kind == DIFF_CHANGED)
                build_field(&row, "text_a", text_json(diff, 0, stmt[0]));
            json_array_append_new(json_object_get(root, kind != DIFF_ALONE ? names[kind]
                                                        : s                ? "added"
                                                                           : "removed"),
                                  row);
        }
    return root;
}

/* A number, or a text such as an address map. */
static json_t *value_json(const struct diff *diff, uint32_t value)
{
    char *end;
    const char *text = diff_text(diff, value);
    const double number = strtod(text, &end);
    if (!*text || *end || !isfinite(number))
        return name_json(diff, value);
    return number == floor(number) && fabs(number) < 1e15 ? json_integer((json_int_t)number)
                                                          : json_real(number);
}

static json_t *parameters_json(const struct diff *diff)
{
    json_t *list = json_array();
    for (size_t i = 0; i < diff->value_count; i++) {
        const struct diff_value *value = &diff->values[i];
        build_row(&list, json_pack("{s:o, s:o, s:o, s:o}", "name", name_json(diff, value->name),
                                   "a", value_json(diff, value->value[0]), "b",
                                   value_json(diff, value->value[1]), "unit",
                                   name_json(diff, value->unit)));
    }
    return list;
}

static json_t *values_json(const struct diff_values_found *found)
{
    if (found->verdict == DIFF_NOT_COMPARED)
        return json_null();
    json_t *row = json_pack("{s:s}", "compared", found->what);
    if (found->verdict == DIFF_UNEQUAL) {
        if (found->of != DIFF_OF_STATE)
            build_field(&row, found->of == DIFF_OF_LINE ? "line" : "word",
                        json_integer((json_int_t)found->at));
        if (found->of == DIFF_OF_LINE)
            build_field(&row, "column", json_integer((json_int_t)found->column));
        build_field(&row, "a", utf8_json(found->text[0]));
        build_field(&row, "b", utf8_json(found->text[1]));
    }
    return row;
}

static json_t *diverging_json(const struct diff *diff)
{
    if (!diff->diverges)
        return json_null();
    json_t *row = json_pack("{s:I}", "cycle", (json_int_t)diff->diverging);
    put_lines(diff, &row, diff->diverging_stmt);
    return row;
}

int diff_print_json(const struct diff_answer *answer, FILE *out)
{
    const struct diff *diff = answer->diff;
    const struct diff_side *const *sides = (const struct diff_side *const *)diff->sides;
    const enum diff_verdict verdict = answer->values.verdict;
    json_t *equal =
        verdict == DIFF_NOT_COMPARED ? json_null() : json_boolean(verdict == DIFF_EQUAL);
    json_t *root = json_pack(
        "{s:[o, o], s:o, s:[I, I], s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:[o, o], s:o, s:b, s:o, "
        "s:o}",
        "programs", utf8_json(answer->names[0]), utf8_json(answer->names[1]), "machine",
        name_json(diff, sides[0]->machine), "cycles", (json_int_t)sides[0]->cycles,
        (json_int_t)sides[1]->cycles, "difference", (json_int_t)diff->difference, "terms",
        terms_json(diff), "values_equal", equal, "values", values_json(&answer->values),
        "by_reason", sums_json(diff, DIFF_BY_REASON), "by_unit", sums_json(diff, DIFF_BY_UNIT),
        "by_region", sums_json(diff, DIFF_BY_REGION), "streams", name_json(diff, sides[0]->stream),
        name_json(diff, sides[1]->stream), "diverges", diverging_json(diff), "diverges_known",
        diff->diverges_known, "statements", statements_json(diff), "parameters",
        parameters_json(diff));
    const int status = root ? json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) : -1;
    json_decref(root);
    putc('\n', out);
    return status == 0 && !ferror(out) ? 0 : -1;
}
