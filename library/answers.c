#include "library/library.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/bound_answer.h"
#include "analysis/diff_print.h"
#include "analysis/proven.h"
#include "host/text.h"
#include "timing/run.h"

/* --- proofs ----------------------------------------------------------------------------------- */

struct proof_handle {
    struct takt_proof answer;
    struct library_copy *copies;
};

void takt_proof_close(struct takt_proof *proof)
{
    struct proof_handle *h = (struct proof_handle *)proof;
    if (!h)
        return;
    library_copies_free(h->copies);
    free(h);
}

/* The text for takt certify. */
static int write_proof(struct proof_handle *h, const struct bound_answer *found)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_open(&text, &size);
    int status = out ? bound_answer_proof(found, out) : -1;
    if (out && text_close(out, &text) != 0)
        status = -1;
    h->answer.text = status == 0 ? library_kept(&h->copies, text, size) : NULL;
    h->answer.size = size;
    free(text);
    return h->answer.text ? 0 : -1;
}

static int list_proof(struct proof_handle *h, const struct bound_answer *found)
{
    const struct store *store = &found->store;
    const size_t count = store->bound_count;
    struct takt_bound *bounds = library_kept(&h->copies, NULL, count * sizeof *bounds);
    const char **texts = library_kept(&h->copies, NULL, count * sizeof *texts);
    json_t *json = proven_json(store);
    int status = bounds && texts && json ? 0 : -1;
    for (size_t i = 0; i < count && status == 0; i++) {
        const struct store_bound *bound = &store->bounds[i];
        char *text =
            json_dumps(json_object_get(json_array_get(json, i), "certificate"), JSON_COMPACT);
        bounds[i] =
            (struct takt_bound){bound->class, bound->kind,
                                library_kept_text(&h->copies, bound->resource), bound->cycles};
        texts[i] = library_kept_text(&h->copies, text);
        free(text);
        if (!texts[i] || (bound->resource && !bounds[i].unit))
            status = -1;
    }
    json_decref(json);
    h->answer = (struct takt_proof){.cycles = store->summary.cycles,
                                    .bounds = bounds,
                                    .certificates = texts,
                                    .bound_count = count};
    return status == 0 ? write_proof(h, found) : -1;
}

enum takt_status takt_proof_open(struct takt_proof **result, struct takt_run *run,
                                 const char *region, struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    *result = NULL;
    if (!run || run->stage != STAGE_DONE || !(run->flags & TAKT_BOUNDS))
        return library_fail(error, TAKT_MISUSE,
                            "a proof is of a run with TAKT_BOUNDS that is done");
    if (region && !(run->flags & TAKT_REGIONS))
        return library_fail(error, TAKT_MISUSE,
                            "a run without TAKT_REGIONS has no bounds of regions");
    const struct run_setup setup = library_setup(run);
    struct bound_answer found = {.program = run->program->sources[0].name,
                                 .region = region,
                                 .starts = &run->starts,
                                 .machine = run->program->machine->machine,
                                 .setup = &setup};
    struct proof_handle *h = calloc(1, sizeof *h);
    int status = h ? bound_answer_find(&found, &run->store) : -1;
    if (status == 0)
        status = list_proof(h, &found);
    const bool wrong = status == 0 && found.uncertified;
    bound_answer_free(&found);
    if (status == 0 && !wrong) {
        *result = &h->answer;
        return TAKT_FINE;
    }
    takt_proof_close(h ? &h->answer : NULL);
    return wrong ? library_fail(error, TAKT_HOST, "a certificate does not hold")
           : status > 0
               ? library_fail(error, TAKT_MISUSE, "the program has no region '%.100s'", region)
               : library_no_memory(error);
}

/* --- two runs --------------------------------------------------------------------------------- */

struct diff_handle {
    struct takt_diff answer;
    struct strings strings;
    struct diff_side sides[2];
    struct diff diff;
    struct takt_term *terms;
    struct takt_difference *parameters;
};

void takt_diff_close(struct takt_diff *diff)
{
    struct diff_handle *h = (struct diff_handle *)diff;
    if (!h)
        return;
    diff_free(&h->diff);
    diff_side_free(&h->sides[0]);
    diff_side_free(&h->sides[1]);
    strings_free(&h->strings);
    free(h->terms);
    free(h->parameters);
    free(h);
}

/* The file of a statement, NULL without one, and its line. */
static const char *file_of(const struct diff *diff, unsigned side, uint32_t stmt, uint32_t *line)
{
    const struct diff_side *s = diff->sides[side];
    if (stmt == NONE_ID)
        return NULL;
    *line = s->stmts[stmt].line;
    return s->stmts[stmt].file == NONE_ID ? "" : diff_text(diff, s->files[s->stmts[stmt].file]);
}

static void list_term(const struct diff *diff, const struct diff_term *from, struct takt_term *to)
{
    *to = (struct takt_term){.cycles = from->cycles,
                             .reason = diff_text(diff, from->reason),
                             .unit = diff_text(diff, from->unit),
                             .text = diff_term_text(diff, from),
                             .edited = diff_is_edit(diff, from)};
    to->file_a = file_of(diff, 0, from->stmt[0], &to->line_a);
    to->file_b = file_of(diff, 1, from->stmt[1], &to->line_b);
    to->source_file_a = file_of(diff, 0, from->source[0], &to->source_line_a);
    to->source_file_b = file_of(diff, 1, from->source[1], &to->source_line_b);
}

static int list_diff(struct diff_handle *h)
{
    const struct diff *diff = &h->diff;
    h->terms = calloc(diff->term_count + 1, sizeof *h->terms);
    h->parameters = calloc(diff->value_count + 1, sizeof *h->parameters);
    if (!h->terms || !h->parameters)
        return -1;
    for (size_t i = 0; i < diff->term_count; i++)
        list_term(diff, &diff->terms[i], &h->terms[i]);
    for (size_t i = 0; i < diff->value_count; i++) {
        const struct diff_value *value = &diff->values[i];
        h->parameters[i] = (struct takt_difference){
            diff_text(diff, value->name), diff_text(diff, value->unit),
            diff_text(diff, value->value[0]), diff_text(diff, value->value[1])};
    }
    h->answer = (struct takt_diff){.cycles_a = h->sides[0].cycles,
                                   .cycles_b = h->sides[1].cycles,
                                   .difference = diff->difference,
                                   .same = diff->counts[0][DIFF_SAME],
                                   .moved = diff->counts[0][DIFF_MOVED],
                                   .changed = diff->counts[0][DIFF_CHANGED],
                                   .added = diff->counts[1][DIFF_ALONE],
                                   .removed = diff->counts[0][DIFF_ALONE],
                                   .diverges = diff->diverges,
                                   .diverging = diff->diverges ? diff->diverging : 0,
                                   .terms = h->terms,
                                   .term_count = diff->term_count,
                                   .parameters = h->parameters,
                                   .parameter_count = diff->value_count};
    return 0;
}

enum takt_status takt_diff_open(struct takt_diff **result, const struct takt_run *a,
                                const struct takt_run *b, struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    const struct takt_run *const runs[2] = {a, b};
    *result = NULL;
    for (unsigned s = 0; s < 2; s++)
        if (!runs[s] || runs[s]->stage != STAGE_DONE || !(runs[s]->flags & TAKT_DIFF))
            return library_fail(error, TAKT_MISUSE,
                                "compared are two runs with TAKT_DIFF that are done");
    if (a->program->machine->machine != b->program->machine->machine)
        return library_fail(error, TAKT_MISUSE, "runs of two machines cannot be compared");
    struct diff_handle *h = calloc(1, sizeof *h);
    int status = h ? 0 : -1;
    for (unsigned s = 0; s < 2 && status == 0; s++)
        status = diff_side_read(&h->sides[s], &runs[s]->store, &runs[s]->stream, &h->strings);
    if (status == 0)
        status = diff_make(&h->diff, &h->sides[0], &h->sides[1], &h->strings);
    if (status == 0)
        status = list_diff(h);
    if (status != 0) {
        takt_diff_close(h ? &h->answer : NULL);
        return library_no_memory(error);
    }
    h->answer.compared = a->flags & b->flags & TAKT_VALUES;
    h->answer.equal = h->answer.compared && run_hash(a->run) == run_hash(b->run);
    *result = &h->answer;
    return TAKT_FINE;
}
