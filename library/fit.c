/* fit: what measurements say of unpublished numbers. */
#include "library/library.h"

#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "analysis/fit.h"
#include "host/failure.h"
#include "host/text.h"

struct fit_handle {
    struct takt_fit answer;
    struct library_copy *copies;
};

struct job {
    struct fit_list list;
    struct takt_machine *machine; /* of the list, where the caller has none */
    struct library_stop stop;
    struct fit fit;
};

void takt_fit_close(struct takt_fit *fit)
{
    struct fit_handle *h = (struct fit_handle *)fit;
    if (!h)
        return;
    library_copies_free(h->copies);
    free(h);
}

/* --- the lists -------------------------------------------------------------------------------- */

static enum takt_status wrong(int status, const char *sentence, struct takt_error *error)
{
    return status < 0 || !*sentence ? library_no_memory(error)
                                    : library_fail(error, TAKT_INPUT, "%s", sentence);
}

static enum takt_status read_list(struct job *job, const struct takt_text *text,
                                  struct takt_error *error)
{
    char sentence[FIT_ERROR] = "";
    struct source file;
    int status = library_open_text(&file, text, sentence, sizeof sentence);
    if (status != 0)
        return wrong(status, sentence, error);
    const struct config_file list = {file.name, file.text, file.size};
    status = fit_list_read(&job->list, &list, sentence);
    source_close(&file);
    return status == 0 ? TAKT_FINE : wrong(status, sentence, error);
}

static enum takt_status read_lists(struct job *job, const struct takt_text *lists, size_t count,
                                   struct takt_error *error)
{
    enum takt_status status = TAKT_FINE;
    for (size_t i = 0; i < count && status == TAKT_FINE; i++)
        status = lists[i].name ? read_list(job, &lists[i], error)
                               : library_missing(error, "the name of a list");
    return status;
}

/* The machine of the list, with its chip. */
static enum takt_status open_machine(const struct fit_list *list, struct takt_machine **machine,
                                     struct takt_error *error)
{
    char sentence[FIT_ERROR] = "";
    struct source chip;
    enum takt_status status = takt_machine_open(machine, list->machine->name, error);
    if (status != TAKT_FINE || !list->chip)
        return status;
    const int opened = fit_list_chip(list, &chip, sentence);
    if (opened != 0)
        return wrong(opened, sentence, error);
    status = takt_machine_config(*machine, chip.name, chip.text, chip.size, error);
    source_close(&chip);
    return status;
}

static enum takt_status find(struct job *job, const struct takt_machine *machine,
                             const struct takt_fit_search *search, struct takt_error *error)
{
    char sentence[FIT_ERROR] = "";
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (machine && machine->machine != job->list.machine)
        return library_fail(error, TAKT_MISUSE, "the list is for the machine %s",
                            job->list.machine->name);
    if (!machine) {
        const enum takt_status opened = open_machine(&job->list, &job->machine, error);
        if (opened != TAKT_FINE)
            return opened;
        machine = job->machine;
    }
    job->stop = (struct library_stop){.stop = search->stop, .context = search->context};
    int status = library_machine_fits(machine, sentence);
    if (status != 0)
        return wrong(status, sentence, error);
    const struct fit_options options = {.threads = search->threads  ? search->threads
                                                   : processors > 1 ? (unsigned)processors
                                                                    : 1,
                                        .seed = search->seed,
                                        .effort = search->effort,
                                        .stopped = search->stop ? library_is_stopped : NULL,
                                        .context = &job->stop};
    status = fit_find(&job->fit, &job->list, &machine->config, &options, sentence);
    return status == 0 ? TAKT_FINE : wrong(status, sentence, error);
}

/* --- the answer ------------------------------------------------------------------------------- */

static bool list_rows(struct fit_handle *h, const struct fit *fit)
{
    struct takt_fit_row *rows = library_kept(&h->copies, NULL, fit->count * sizeof *rows);
    bool whole = rows != NULL;
    for (size_t c = 0; c < fit->count && whole; c++) {
        const struct fit_measurement *m = fit->cases[c].measurement;
        const struct fit_row *row = &fit->rows[c];
        rows[c] = (struct takt_fit_row){.program = library_kept_text(&h->copies, m->program),
                                        .quantity = library_kept_text(&h->copies, m->quantity),
                                        .place = library_kept_text(&h->copies, m->place),
                                        .value = m->value,
                                        .tolerance = m->tolerance,
                                        .predicted = row->predicted,
                                        .low = row->low,
                                        .high = row->high,
                                        .left_out = row->left_out,
                                        .left_low = row->left_low,
                                        .left_high = row->left_high,
                                        .impossible = row->impossible,
                                        .conflicts = row->conflicts,
                                        .alone = row->alone};
        whole = rows[c].program && rows[c].quantity && rows[c].place;
    }
    h->answer.rows = rows;
    h->answer.row_count = fit->count;
    return whole;
}

static bool list_numbers(struct fit_handle *h, const struct fit *fit)
{
    const size_t count = fit->space.count;
    struct takt_fit_number *numbers = library_kept(&h->copies, NULL, count * sizeof *numbers);
    bool whole = numbers != NULL;
    for (size_t a = 0; a < count && whole; a++) {
        const struct fit_number *number = &fit->numbers[a];
        char text[200];
        fit_axis_text(&fit->space, a, number->value, text, sizeof text);
        numbers[a] = (struct takt_fit_number){
            .name = library_kept_text(&h->copies, fit_axis_name(&fit->space, a)),
            .seen = number->seen,
            .text = library_kept_text(&h->copies, text),
            .value = number->value,
            .found_low = number->inner[0],
            .found_high = number->inner[1],
            .left_low = number->outer[0],
            .left_high = number->outer[1]};
        whole = numbers[a].name && numbers[a].text;
    }
    h->answer.numbers = numbers;
    h->answer.number_count = count;
    return whole;
}

static bool write_texts(struct fit_handle *h, const struct fit *fit)
{
    char *text = NULL, sentence[FIT_ERROR];
    size_t size = 0;
    const int status = fit_make_chip(fit, &text, &size, sentence);
    h->answer.chip = status == 0 ? library_kept(&h->copies, text, size) : NULL;
    h->answer.chip_size = h->answer.chip ? size : 0;
    free(text);
    json_t *json = fit_json(fit);
    text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    h->answer.json = text ? library_kept_text(&h->copies, text) : NULL;
    free(text);
    json_decref(json);
    return (h->answer.chip || status > 0) && h->answer.json;
}

static struct takt_fit *list_answer(const struct job *job)
{
    const struct fit *fit = &job->fit;
    struct fit_handle *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->answer = (struct takt_fit){.machine = job->list.machine->name,
                                  .verdict = library_kept_text(&h->copies, fit_verdict_words(fit)),
                                  .explained = fit_is_explained(fit),
                                  .stopped = fit->interrupted};
    if (h->answer.verdict && list_rows(h, fit) && list_numbers(h, fit) && write_texts(h, fit))
        return &h->answer;
    takt_fit_close(&h->answer);
    return NULL;
}

enum takt_status takt_fit_machine(struct takt_machine **result, const struct takt_text *lists,
                                  size_t list_count, struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    *result = NULL;
    if (!lists || !list_count)
        return library_missing(error, "a list");
    struct job job = {.machine = NULL};
    const unsigned long failures = failure_count_host();
    enum takt_status status = read_lists(&job, lists, list_count, error);
    if (status == TAKT_FINE)
        status = open_machine(&job.list, result, error);
    if (status != TAKT_HOST && failure_count_host() != failures)
        status = library_no_memory(error);
    if (status != TAKT_FINE) {
        takt_machine_close(*result);
        *result = NULL;
    }
    fit_list_free(&job.list);
    return status;
}

enum takt_status takt_fit_open(struct takt_fit **result, struct takt_machine *machine,
                               const struct takt_text *lists, size_t list_count,
                               const struct takt_fit_search *search, struct takt_error *error)
{
    struct takt_fit_search how = TAKT_FIT_SEARCH_INIT;
    if (!result)
        return library_missing(error, "the place of the answer");
    *result = NULL;
    if (!lists || !list_count)
        return library_missing(error, "a list");
    enum takt_status status =
        search ? library_take(&how, sizeof how,
                              offsetof(struct takt_fit_search, context) + sizeof how.context,
                              search, error)
               : TAKT_FINE;
    if (status != TAKT_FINE)
        return status;
    if (!how.effort || how.threads > 256)
        return library_fail(error, TAKT_MISUSE,
                            "a fit has an effort of 1 or more, and at most 256 "
                            "threads");
    struct job job = {.machine = NULL};
    const unsigned long failures = failure_count_host();
    status = read_lists(&job, lists, list_count, error);
    if (status == TAKT_FINE)
        status = find(&job, machine, &how, error);
    if (status == TAKT_FINE && !(*result = list_answer(&job)))
        status = library_no_memory(error);
    if (status != TAKT_HOST && failure_count_host() != failures) {
        takt_fit_close(*result);
        *result = NULL;
        status = library_no_memory(error);
    }
    fit_free(&job.fit);
    fit_list_free(&job.list);
    takt_machine_close(job.machine);
    return status;
}
