#include "cli/batch_best.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/diff_print.h"
#include "analysis/utf8_json.h"
#include "host/grow.h"

enum { SETTINGS = 32, BECAUSE = 400, COMPACT = JSON_COMPACT | JSON_ENSURE_ASCII };

/* What memories hold at the start of the comparisons, unless --init says it. */
static const char *const starts[] = {"zero", "random:1"};
enum { STARTS = sizeof starts / sizeof *starts };

/* AGAIN: equal so far, with another start to try. */
enum standing { UNTRIED, COMPARED, AGAIN, EQUAL, OTHER };

struct entry {
    enum batch_kind kind;
    char *text; /* of its job */
    size_t size;
    json_t *answer; /* NULL: none yet */
    double value;
    enum standing standing;
    size_t starts; /* with which it was equal */
};

struct comparison {
    size_t of; /* an entry; the reference has `count` */
    size_t start;
};

struct batch_best {
    struct batch_best_setup setup;
    struct entry *entries; /* by number, from 1 */
    size_t count, capacity;
    size_t *order; /* of those that were timed, the best first; NULL: not sorted yet */
    size_t timed, next;
    struct comparison *compared; /* by number beyond the input's */
    size_t compared_count, compared_capacity;
    size_t under_way, equal;
    json_t *references[STARTS]; /* its answers */
    size_t starts;              /* how many there are for this machine */
    size_t asked;               /* for the reference */
};

/* Not all machines take a random start. */
static size_t starts_of(const struct batch_best_setup *setup)
{
    char error[MACHINE_ERROR];
    const struct machine *machine = cli_machine(setup->batch->machine, setup->reference);
    const struct run_options random = {.init = starts[STARTS - 1]};
    return machine && machine_accept(machine, &random, error) == 0 ? STARTS : STARTS - 1;
}

struct batch_best *batch_best_new(const struct batch_best_setup *setup)
{
    struct batch_best *best = calloc(1, sizeof *best);
    if (!best)
        return NULL;
    best->setup = *setup;
    best->starts = setup->reference && !setup->init ? starts_of(setup) : 1;
    return best;
}

void batch_best_free(struct batch_best *best)
{
    if (!best)
        return;
    for (size_t i = 0; i < best->count; i++) {
        free(best->entries[i].text);
        json_decref(best->entries[i].answer);
    }
    for (size_t s = 0; s < STARTS; s++)
        json_decref(best->references[s]);
    free(best->entries);
    free(best->order);
    free(best->compared);
    free(best);
}

int batch_best_note(struct batch_best *best, const struct batch_job *job)
{
    if (!grow_list(&best->entries, &best->capacity, best->count + 1, sizeof *best->entries))
        return -1;
    struct entry *entry = &best->entries[best->count];
    *entry = (struct entry){.kind = job->kind, .size = job->size};
    entry->text = malloc(job->size + 1);
    if (!entry->text)
        return -1;
    if (job->size)
        memcpy(entry->text, job->text, job->size);
    entry->text[job->size] = '\0';
    best->count++;
    return 0;
}

/* --- answers ---------------------------------------------------------------------------------- */

static bool is_ok(const json_t *answer)
{
    return json_is_true(json_object_get(answer, "ok"));
}

static const char *text_of(const json_t *answer, const char *name)
{
    const char *text = json_string_value(json_object_get(answer, name));
    return text ? text : "";
}

/* The reference prints something. */
static bool prints(const struct batch_best *best)
{
    return *text_of(best->references[0], "dump");
}

static void judge(struct batch_best *best, struct entry *entry, size_t start, const json_t *values)
{
    const char *of = prints(best) ? "dump" : "state";
    const bool equal =
        is_ok(values) && strcmp(text_of(values, of), text_of(best->references[start], of)) == 0;
    entry->starts += equal;
    if (equal && entry->starts < best->starts) {
        entry->standing = AGAIN;
        return;
    }
    entry->standing = equal ? EQUAL : OTHER;
    best->equal += equal;
    best->under_way--;
}

int batch_best_take(struct batch_best *best, uint64_t number, char *answer)
{
    json_t *root = json_loads(answer, 0, NULL);
    free(answer);
    if (!root)
        return -1;
    if (number <= best->count) {
        struct entry *entry = &best->entries[number - 1];
        entry->answer = root;
        entry->value = json_number_value(json_object_get(root, best->setup.by));
        return 0;
    }
    const struct comparison *c = &best->compared[number - best->count - 1];
    if (c->of == best->count) {
        best->references[c->start] = root;
        return 0;
    }
    judge(best, &best->entries[c->of], c->start, root);
    json_decref(root);
    return 0;
}

/* --- comparing -------------------------------------------------------------------------------- */

static const struct entry *sorted; /* entries, while their numbers are sorted */

static int by_value(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    if (sorted[x].value != sorted[y].value)
        return sorted[x].value < sorted[y].value ? -1 : 1;
    return (x > y) - (x < y);
}

static int sort(struct batch_best *best)
{
    best->order = malloc((best->count + 1) * sizeof *best->order);
    if (!best->order)
        return -1;
    for (size_t i = 0; i < best->count; i++)
        if (is_ok(best->entries[i].answer))
            best->order[best->timed++] = i;
    sorted = best->entries;
    if (best->timed)
        qsort(best->order, best->timed, sizeof *best->order, by_value);
    return 0;
}

/* The machine's settings with which values arrive when transfers end. */
static void add_arriving(const struct batch_best *best, const char *name, json_t *options)
{
    struct machine_setting list[SETTINGS + 1] = {{NULL, NULL}};
    const struct machine *machine = cli_machine(best->setup.batch->machine, name);
    machine_arriving(machine, NULL, list, SETTINGS);
    for (const struct machine_setting *s = list; s->name; s++)
        json_object_set_new(options, s->name,
                            s->value && *s->value ? json_string(s->value) : json_true());
}

/* A job once more, with its values. */
static char *job_text(const struct batch_best *best, json_t *job, size_t start)
{
    const char *file = json_string_value(json_object_get(job, "file"));
    const char *name = file ? file : json_string_value(json_object_get(job, "name"));
    json_t *options = json_object_get(job, "options");
    if (!options) {
        options = json_object();
        json_object_set_new(job, "options", options);
    }
    json_object_del(options, "trace");
    json_object_set_new(options, "dump", json_true());
    json_object_set_new(options, "hash", json_boolean(!best->references[0] || !prints(best)));
    if (best->setup.init || best->starts > 1)
        json_object_set_new(options, "init",
                            json_string(best->setup.init ? best->setup.init : starts[start]));
    add_arriving(best, name ? name : "", options);
    char *text = json_dumps(job, COMPACT);
    json_decref(job);
    return text;
}

static json_t *job_of(const struct entry *entry)
{
    if (entry->kind == BATCH_JSON)
        return json_loadb(entry->text, entry->size, JSON_REJECT_DUPLICATES, NULL);
    return json_pack("{s:s}", "file", entry->text);
}

static char *ask(struct batch_best *best, size_t of, size_t start, json_t *job)
{
    const bool room = grow_list(&best->compared, &best->compared_capacity, best->compared_count + 1,
                                sizeof *best->compared);
    char *text = room && job ? job_text(best, job, start) : NULL;
    if (text)
        best->compared[best->compared_count++] = (struct comparison){of, start};
    return text;
}

static char *ask_of_entry(struct batch_best *best, size_t of)
{
    struct entry *entry = &best->entries[of];
    char *text = ask(best, of, entry->starts, job_of(entry));
    const bool again = entry->standing == AGAIN;
    entry->standing = text ? COMPARED : OTHER;
    if (text && !again)
        best->under_way++;
    else if (!text && again)
        best->under_way--;
    return text;
}

char *batch_best_next(struct batch_best *best, uint64_t number)
{
    (void)number; /* they follow those of the input */
    if (!best->setup.reference)
        return NULL;
    if (best->asked < best->starts)
        return ask(best, best->count, best->asked++,
                   json_pack("{s:s}", "file", best->setup.reference));
    for (size_t s = 0; s < best->starts; s++)
        if (!is_ok(best->references[s]))
            return NULL;
    if (!best->order && sort(best) != 0)
        return NULL;
    char *text = NULL;
    for (size_t i = 0; i < best->next && !text; i++)
        if (best->entries[best->order[i]].standing == AGAIN)
            text = ask_of_entry(best, best->order[i]);
    while (!text && best->next < best->timed && best->equal + best->under_way < best->setup.most)
        text = ask_of_entry(best, best->order[best->next++]);
    return text;
}

/* --- why -------------------------------------------------------------------------------------- */

static const struct diff_term *largest_term(const struct diff *diff)
{
    const struct diff_term *largest = NULL;
    for (size_t i = 0; i < diff->term_count; i++) {
        const struct diff_term *term = &diff->terms[i];
        const bool same_sign = (term->cycles < 0) == (diff->difference < 0);
        if (same_sign && (!largest || llabs(term->cycles) > llabs(largest->cycles)))
            largest = term;
    }
    return largest;
}

static void say(const struct diff *diff, const char *than, char text[BECAUSE])
{
    char a[DIFF_PLACE], b[DIFF_PLACE];
    const struct diff_term *term = largest_term(diff);
    size_t n = (size_t)snprintf(text, BECAUSE, "%+lld cycles against %.100s",
                                (long long)diff->difference, than);
    if (!diff->difference || !term)
        return;
    n += (size_t)snprintf(text + n, BECAUSE - n, "; most: %+lld %s", (long long)term->cycles,
                          diff_text(diff, term->reason));
    snprintf(text + n, BECAUSE - n, " %s, line %s -> %s  %.100s", diff_text(diff, term->unit),
             diff_place(diff, 0, term->stmt[0], a), diff_place(diff, 1, term->stmt[1], b),
             diff_term_text(diff, term));
}

static struct batch_job job_line(const struct entry *entry)
{
    return (struct batch_job){entry->kind, entry->text, entry->size, 0};
}

/* How the best is better than the reference, or than the second; "" where that cannot be had. */
static void because(const struct batch_best *best, const struct entry *first, char text[BECAUSE])
{
    const char *reference = best->setup.reference;
    *text = '\0';
    if (!reference && best->timed < 2)
        return;
    const struct entry *second = reference ? NULL : &best->entries[best->order[1]];
    const struct batch_job lines[2] = {
        second ? job_line(second) : (struct batch_job){BATCH_FILE, reference, strlen(reference), 0},
        job_line(first)};
    char *id = second ? json_dumps(json_object_get(second->answer, "id"), JSON_ENCODE_ANY) : NULL;
    struct batch_diff found = {0};
    if (batch_diff(best->setup.batch, lines, &found) == 0)
        say(&found.diff, reference ? reference : id ? id : "", text);
    batch_diff_free(&found);
    free(id);
}

/* --- printing --------------------------------------------------------------------------------- */

/* The entries to print, the best first. */
static size_t choose(const struct batch_best *best, const struct entry **chosen)
{
    size_t count = 0;
    for (size_t i = 0; i < best->timed && count < best->setup.most; i++) {
        const struct entry *entry = &best->entries[best->order[i]];
        if (!best->setup.reference || entry->standing == EQUAL)
            chosen[count++] = entry;
    }
    return count;
}

static size_t others(const struct batch_best *best)
{
    size_t count = 0;
    for (size_t i = 0; i < best->count; i++)
        count += best->entries[i].standing == OTHER;
    return count;
}

static int none_left(const struct batch_best *best)
{
    if (!best->timed)
        return cli_fail(EXIT_INPUT, "batch", "none of %zu programs could be timed%s%s", best->count,
                        best->count ? ": " : "",
                        best->count ? text_of(best->entries[0].answer, "why") : "");
    return cli_fail(EXIT_INPUT, "batch", "none of %zu programs has the values of %s", best->timed,
                    best->setup.reference);
}

int batch_best_print(struct batch_best *best)
{
    char text[BECAUSE];
    for (size_t s = 0; best->setup.reference && s < best->starts; s++)
        if (!is_ok(best->references[s]))
            return cli_fail(EXIT_INPUT, "batch", "%s: %s", best->setup.reference,
                            text_of(best->references[s], "why"));
    const struct entry **chosen = calloc(best->count + 1, sizeof *chosen);
    if (!chosen || (!best->order && sort(best) != 0)) {
        free(chosen);
        return cli_fail(EXIT_HOST, "batch", "out of memory");
    }
    const size_t count = choose(best, chosen);
    for (size_t i = 0; i < count; i++) {
        json_t *line = chosen[i]->answer;
        json_object_set_new(line, "rank", json_integer((json_int_t)i + 1));
        if (best->setup.reference)
            json_object_set_new(line, "equal", json_true());
        if (i == 0) {
            because(best, chosen[0], text);
            json_object_set_new(line, "because", utf8_json(text));
            json_object_set_new(line, "unequal", json_integer((json_int_t)others(best)));
            json_object_set_new(line, "untimed",
                                json_integer((json_int_t)(best->count - best->timed)));
        }
        json_dumpf(line, stdout, COMPACT | JSON_REAL_PRECISION(15));
        putchar('\n');
    }
    free(chosen);
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_fail(EXIT_HOST, "batch", "could not write the answer");
    return count ? EXIT_FINE : none_left(best);
}
