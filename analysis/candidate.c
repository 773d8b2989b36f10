#include "analysis/candidate.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/text.h"
#include "timing/run.h"

/* How memories begin, and whether values are there only when they have arrived: that makes a
 * difference where an access comes before the end of a transfer. */
static const struct start {
    const char *init, *name;
    bool arriving;
} starts[] = {{NULL, "zero", false},
              {"random:1", "random:1", false},
              {"random:1", "random:1 poisoned", true}};
enum { STARTS = 3, SETTINGS = 32 };

/* What a program did from one start. */
struct values {
    bool known;
    char *dump;
    size_t dump_size;
    uint64_t hash;
};

struct candidates {
    struct candidate_setup setup;
    struct machine_program *program;
    uint64_t cycles, early; /* run_early of it */
    uint64_t excess;        /* of the last candidate that was timed: early cycles beyond those */
    bool needs_values;      /* the time cannot be had without them */
    size_t *warnings;       /* of the program as written, by machine.warnings */
    struct values values[STARTS];
    struct candidate_transfer *transfers;
    size_t transfer_count, transfer_capacity;
    uint32_t *lines; /* of the statements of the first run */
    char tried[160], tried_waits[160];
};

/* --- a sink that keeps the total -------------------------------------------------------------- */

struct taker {
    struct candidates *candidates;
    bool transfers; /* keep them, too */
    uint64_t cycles, early;
};

static int begin(void *context, const struct sink_header *header)
{
    const struct taker *taker = context;
    struct candidates *c = taker->candidates;
    if (!taker->transfers)
        return 0;
    free(c->lines);
    c->lines = malloc((header->stmt_count + 1) * sizeof *c->lines);
    if (!c->lines)
        return -1;
    for (size_t i = 0; i < header->stmt_count; i++)
        c->lines[i] = header->stmts[i].line;
    return 0;
}

static int transfer(void *context, const struct sink_transfer *transfer)
{
    const struct taker *taker = context;
    struct candidates *c = taker->candidates;
    if (!taker->transfers)
        return 0;
    if (!grow_list(&c->transfers, &c->transfer_capacity, c->transfer_count + 1,
                   sizeof *c->transfers))
        return -1;
    c->transfers[c->transfer_count++] = (struct candidate_transfer){
        .line = c->lines[transfer->stmt], .cycles = transfer->finished - transfer->issued};
    return 0;
}

static int finish(void *context, const struct sink_summary *summary)
{
    struct taker *taker = context;
    taker->cycles = summary->cycles;
    return 0;
}

static const struct sink_ops taker_ops = {
    .name = "total", .begin = begin, .transfer = transfer, .finish = finish};

/* --- runs ------------------------------------------------------------------------------------- */

static int run(const struct candidates *c, const struct machine_program *program,
               const struct run_options *options, struct taker *taker, uint64_t *hash,
               char error[MACHINE_ERROR])
{
    const struct machine *machine = c->setup.machine;
    const struct sink sink = {&taker_ops, taker};
    struct diag_list diags;
    struct machine_run *run = NULL;
    diag_list_init(&diags);
    const struct run_setup setup = {
        .program = program, .config = c->setup.config, .options = options, .sink = &sink};
    int status = run_open(&run, machine, &setup, &diags, error);
    if (status == 0) {
        status = run_whole(run, &diags, error);
        taker->early = run_early(run);
        if (status == 0 && hash)
            *hash = run_hash(run);
        run_close(run);
    }
    if (status > 0 && !error[0] && diags.count) {
        const struct diag *first = &diags.items[0];
        const int used = first->line ? snprintf(error, MACHINE_ERROR, "line %u ", first->line) : 0;
        snprintf(error + used, MACHINE_ERROR - (size_t)used, "%.200s", first->message);
    }
    diag_list_free(&diags);
    return status;
}

static struct run_options options_of(const struct candidates *c,
                                     const struct machine_setting *settings)
{
    return (struct run_options){.settings = settings ? settings : c->setup.settings,
                                .threads = 1,
                                .total_only = true,
                                .loads = c->setup.loads,
                                .word_order_big = c->setup.word_order_big};
}

/* The time of a legal program. */
static int time_of(const struct candidates *c, const struct machine_program *program,
                   const struct machine_setting *settings, struct taker *taker,
                   char error[MACHINE_ERROR])
{
    struct run_options options = options_of(c, settings);
    options.timing_only = !c->needs_values;
    if (options.timing_only)
        options.loads = NULL;
    return run(c, program, &options, taker, NULL, error);
}

/* Whether the machine has memories that start so. */
static bool has_start(const struct candidates *c, size_t start)
{
    char error[MACHINE_ERROR];
    const struct machine_language *language = c->setup.machine->language;
    const struct run_options options = {.settings = c->setup.settings, .init = starts[start].init};
    return !options.init || !language->accept || language->accept(&options, error) == 0;
}

static int values_of(const struct candidates *c, const struct machine_program *program,
                     const struct machine_setting *settings, size_t start, struct values *values,
                     char error[MACHINE_ERROR])
{
    struct taker taker = {.candidates = NULL};
    struct run_options options = options_of(c, settings);
    *values = (struct values){.known = false};
    error[0] = '\0';
    struct machine_setting own[SETTINGS + 1];
    options.functional_only = true;
    options.threads = 2; /* the same values, in half the time where the host has two */
    options.init = starts[start].init;
    if (starts[start].arriving) {
        machine_arriving(c->setup.machine, options.settings, own, SETTINGS);
        options.settings = own;
    }
    options.dump = text_open(&values->dump, &values->dump_size);
    if (!options.dump)
        return -1;
    const int status = run(c, program, &options, &taker, &values->hash, error);
    if (text_close(options.dump, &values->dump) != 0)
        return -1;
    values->known = status == 0;
    return status;
}

/* --- programs --------------------------------------------------------------------------------- */

static void count_warnings(const struct machine *machine, const struct diag_list *diags,
                           size_t *counts)
{
    for (size_t i = 0; i < diags->count; i++)
        for (size_t w = 0; machine->language->warnings[w]; w++)
            counts[w] += diags->items[i].severity == DIAG_WARNING &&
                         strcmp(machine->language->warnings[w], diags->items[i].name) == 0;
}

static size_t warning_kinds(const struct machine *machine)
{
    size_t count = 0;
    while (machine->language->warnings[count])
        count++;
    return count;
}

static int load_checked(const struct candidates *c, const struct source *source,
                        const struct machine_setting *settings, struct machine_program **program,
                        struct diag_list *diags)
{
    const struct machine *machine = c->setup.machine;
    const int status = machine->language->load(program, source, 1, diags);
    return machine_legal(machine, status, *program, c->setup.config,
                         settings ? settings : c->setup.settings, diags);
}

/* Of a warning that says nothing once the values are known to be equal. */
static bool about_values(const struct candidates *c, size_t warning)
{
    const char *const *name = c->setup.machine->language->about_values;
    while (name && *name && strcmp(*name, c->setup.machine->language->warnings[warning]) != 0)
        name++;
    return name && *name;
}

int candidate_load(const struct candidates *c, const struct candidate *candidate,
                   struct source *source, struct machine_program **program)
{
    struct diag_list diags;
    *program = NULL;
    if (source_from_text(source, c->setup.source->name, candidate->text, candidate->size) != 0)
        return -1;
    diag_list_init(&diags);
    int status = load_checked(c, source, candidate->settings, program, &diags);
    size_t *counts = calloc(warning_kinds(c->setup.machine) + 1, sizeof *counts);
    if (!counts)
        status = -1;
    if (status == 0 && c->warnings) {
        count_warnings(c->setup.machine, &diags, counts);
        for (size_t w = 0; c->setup.machine->language->warnings[w]; w++)
            if (counts[w] > c->warnings[w] && !about_values(c, w))
                status = 1;
    }
    free(counts);
    diag_list_free(&diags);
    if (status != 0) {
        if (*program)
            c->setup.machine->language->unload(*program);
        *program = NULL;
        source_close(source);
    }
    return status;
}

int candidate_time(struct candidates *c, const struct candidate *candidate, uint64_t *cycles)
{
    char error[MACHINE_ERROR];
    struct source source;
    struct machine_program *program;
    struct taker taker = {.candidates = c};
    *cycles = UINT64_MAX;
    c->excess = 0;
    int status = candidate_load(c, candidate, &source, &program);
    if (status != 0)
        return status < 0 ? -1 : 0;
    status = time_of(c, program, candidate->settings, &taker, error);
    const uint64_t early = candidate->waits ? 0 : c->early;
    if (status == 0 && taker.early <= early)
        *cycles = taker.cycles;
    else if (status == 0)
        c->excess = taker.early - early;
    c->setup.machine->language->unload(program);
    source_close(&source);
    return status < 0 ? -1 : 0;
}

static int by_line(const void *a, const void *b)
{
    const struct candidate_transfer *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

int candidate_lengths(struct candidates *c, const struct candidate *candidate,
                      struct candidate_transfer **transfers, size_t *count)
{
    char error[MACHINE_ERROR];
    struct source source;
    struct machine_program *program;
    struct candidates own = *c; /* its transfers are those of the candidate */
    struct taker taker = {.candidates = &own, .transfers = true};
    own.transfers = NULL;
    own.transfer_count = own.transfer_capacity = 0;
    own.lines = NULL;
    *transfers = NULL;
    *count = 0;
    int status = candidate_load(c, candidate, &source, &program);
    if (status != 0)
        return status < 0 ? -1 : 0;
    status = time_of(&own, program, candidate->settings, &taker, error);
    c->setup.machine->language->unload(program);
    source_close(&source);
    free(own.lines);
    if (status != 0) {
        free(own.transfers);
        return status < 0 ? -1 : 0;
    }
    if (own.transfer_count)
        qsort(own.transfers, own.transfer_count, sizeof *own.transfers, by_line);
    *transfers = own.transfers;
    *count = own.transfer_count;
    return 0;
}

int candidate_compare(struct candidates *c, const struct candidate *candidate, bool dumps_only,
                      bool *equal)
{
    char error[MACHINE_ERROR];
    struct source source;
    struct machine_program *program;
    *equal = false;
    int status = candidate_load(c, candidate, &source, &program);
    if (status != 0)
        return status < 0 ? -1 : 0;
    *equal = true;
    for (size_t s = 0; s < STARTS && *equal && status == 0; s++) {
        const struct values *as_written = &c->values[s];
        struct values values;
        if (!as_written->known || (starts[s].arriving && candidate->waits))
            continue;
        status = values_of(c, program, candidate->settings, s, &values, error);
        *equal = status == 0 && values.dump_size == as_written->dump_size &&
                 memcmp(values.dump, as_written->dump, values.dump_size) == 0 &&
                 (dumps_only ? values.dump_size > 0 : values.hash == as_written->hash);
        free(values.dump);
        if (status > 0)
            status = 0;
    }
    c->setup.machine->language->unload(program);
    source_close(&source);
    return status;
}

/* --- the program as written ------------------------------------------------------------------- */

static int time_as_written(struct candidates *c, char error[MACHINE_ERROR])
{
    struct taker taker = {.candidates = c, .transfers = true};
    int status = time_of(c, c->program, NULL, &taker, error);
    if (status > 0) { /* its time depends on values */
        c->needs_values = true;
        c->transfer_count = 0;
        status = time_of(c, c->program, NULL, &taker, error);
    }
    c->cycles = taker.cycles;
    c->early = taker.early;
    return status;
}

static int run_as_written(struct candidates *c, char error[MACHINE_ERROR])
{
    int status = time_as_written(c, error);
    size_t used = 0;
    char why[STARTS][MACHINE_ERROR] = {""};
    for (size_t s = 0; s < STARTS && status == 0; s++) {
        if ((starts[s].arriving && !c->early) || !has_start(c, s))
            continue;
        const int run = values_of(c, c->program, NULL, s, &c->values[s], why[s]);
        if (run < 0)
            status = -1;
        if (run == 0 && !starts[s].arriving)
            snprintf(c->tried_waits + used, sizeof c->tried_waits - used, "%s%s", used ? ", " : "",
                     starts[s].name);
        if (run == 0)
            used += (size_t)snprintf(c->tried + used, sizeof c->tried - used, "%s%s",
                                     used ? ", " : "", starts[s].name);
    }
    const size_t waits_used = strlen(c->tried_waits);
    if (c->early && waits_used)
        snprintf(c->tried_waits + waits_used, sizeof c->tried_waits - waits_used,
                 ", when transfers end at once");
    if (status == 0 && !used) {
        snprintf(error, MACHINE_ERROR, "%s",
                 why[0][0] ? why[0]
                           : "the program cannot be run with values, so that nothing could be "
                             "compared");
        return 1;
    }
    return status;
}

int candidate_open(struct candidates **result, const struct candidate_setup *setup,
                   struct diag_list *diags, char error[MACHINE_ERROR])
{
    struct candidates *c = calloc(1, sizeof *c);
    *result = c;
    error[0] = '\0';
    if (!c)
        return -1;
    c->setup = *setup;
    c->warnings = calloc(warning_kinds(setup->machine) + 1, sizeof *c->warnings);
    struct diag_list all; /* silenced ones count, too */
    diag_list_init(&all);
    int status = c->warnings ? load_checked(c, setup->source, NULL, &c->program, &all) : -1;
    if (c->warnings)
        count_warnings(setup->machine, &all, c->warnings);
    diag_append(diags, &all);
    if (status == 0) {
        if (setup->new_warnings) {
            free(c->warnings);
            c->warnings = NULL;
        }
        status = run_as_written(c, error);
    }
    return status;
}

void candidate_free(struct candidates *c)
{
    if (!c)
        return;
    if (c->program)
        c->setup.machine->language->unload(c->program);
    for (size_t s = 0; s < STARTS; s++)
        free(c->values[s].dump);
    free(c->warnings);
    free(c->transfers);
    free(c->lines);
    free(c);
}

bool candidate_stopped(const struct candidates *c)
{
    return c->setup.stop && c->setup.stop(c->setup.stop_self);
}

uint64_t candidate_cycles(const struct candidates *c)
{
    return c->cycles;
}

uint64_t candidate_excess(const struct candidates *c)
{
    return c->excess;
}

bool candidate_needs_values(const struct candidates *c)
{
    return c->needs_values;
}

const struct machine_program *candidate_program(const struct candidates *c)
{
    return c->program;
}

int candidate_moves(const struct candidates *candidates, struct moves *moves,
                    char error[MACHINE_ERROR])
{
    const struct candidate_setup *setup = &candidates->setup;
    const struct run_options options = {.settings = setup->settings,
                                        .loads = setup->loads,
                                        .word_order_big = setup->word_order_big};
    const struct run_setup run = {
        .program = candidates->program, .config = setup->config, .options = &options};
    return setup->machine->advice->moves(&run, moves, error);
}

const struct candidate_transfer *candidate_transfers(const struct candidates *c, size_t *count)
{
    *count = c->transfer_count;
    return c->transfers;
}

const char *candidate_tried(const struct candidates *c, bool waits)
{
    return waits ? c->tried_waits : c->tried;
}
