#include "timing/mncore2/removable.h"

#include <stdlib.h>

#include "host/grow.h"
#include "timing/mncore2/check_race.h"
#include "timing/mncore2/hazard.h"
#include "timing/mncore2/model.h"

/* Of a distinct statement; of all but steps only the kind. */
struct facts {
    uint32_t steps;
    uint8_t wait;
    uint8_t kind; /* enum stmt_kind */
    bool run;     /* a nop that may be part of a run */
    bool masks;   /* writes a mask register, which decides what later writes under it count for */
    bool known;
};

struct search {
    const struct program *program;
    struct hazard *hazard;
    struct hazard_window *window;
    struct facts *facts;                    /* of each distinct statement; made on first sight */
    const struct hazard_profile **profiles; /* of each distinct statement; made on first sight */
    bool *seen;
    uint8_t *near;   /* by item, as bits: something within reach of a run needs its profile */
    uint64_t reach;  /* cycles after which no producer matters any more */
    uint64_t issued; /* when the last producer that counts issued */
    uint64_t now;
    const struct arrivals *arrivals; /* of the run as written, or NULL */
    struct check_pair *pairs;        /* by their first item */
    size_t pair_count, pair_capacity;
    size_t *pair_of;  /* by item: where its last pair without a step to spare is, + 1; or NULL */
    bool *settled;    /* by item: the transfer has a pair with an access that waits for its end */
    size_t next_pair; /* those before it have begun ... */
    size_t *open;     /* ... and of these some have not ended */
    size_t open_count;
    bool together;               /* what is removed from a run is missing for later ones */
    struct machine_needs *needs; /* of the run that holds item `wanted`; or NULL */
    size_t wanted;
    machine_needs_found *found; /* instead: gets those of every run, with `self` */
    void *self;
    int status; /* -1 once the host had no memory */
};

static void learn(const struct step *step, struct facts *facts)
{
    *facts = (struct facts){.kind = STMT_STEP,
                            .steps = step->nops ? step->nops : 1,
                            .wait = step->wait,
                            .run = step->nops && !step->wait,
                            .known = true};
    for (unsigned g = 0; g < GROUP_COUNT; g++) {
        const struct expr *expr = step_expr(step, g);
        for (unsigned o = 0; expr && o < expr->out_count; o++)
            facts->masks |= expr_out(expr, o)->mem == MEM_OMR;
    }
}

static const struct stmt *stmt_at(const struct program *program, size_t item)
{
    return &program->stmts[program->items[item].stmt];
}

static inline struct facts facts_at(const struct search *search, size_t item)
{
    struct facts *facts = &search->facts[search->program->items[item].stmt];
    const struct stmt *stmt = stmt_at(search->program, item);
    if (!facts->known && stmt->kind == STMT_STEP)
        learn(stmt->step, facts);
    else if (!facts->known)
        *facts = (struct facts){.kind = stmt->kind, .known = true};
    return *facts;
}

static uint64_t longest(const struct hazard *hazard)
{
    uint64_t reach = 0;
    for (unsigned row = 0; row < HAZARD_COUNT; row++) {
        const uint64_t latency = mncore2_hazard_latency(hazard, (enum hazard_row)row);
        const uint64_t cycles = mncore2_hazard_rules[row].unit == HAZARD_STEPS
                                    ? (latency + 1) * CYCLES
                                    : latency + 2 * CYCLES;
        reach = cycles > reach ? cycles : reach;
    }
    return reach;
}

/* From the end: the items close before a run, and those before the last run that write mask
 * registers. Returns the item after the last run. */
static size_t mark(struct search *search)
{
    const struct program *program = search->program;
    uint64_t away = UINT64_MAX; /* cycles from here to the next run */
    size_t end = 0;
    for (size_t i = program->item_count; i-- > 0;) {
        const struct facts facts = facts_at(search, i);
        if (facts.run) {
            away = 0;
            if (end == 0)
                end = i + 1;
            continue;
        }
        if (end == 0)
            continue;
        away += facts.steps * CYCLES;
        if (away < search->reach || facts.masks)
            search->near[i / 8] |= (uint8_t)(1 << i % 8);
    }
    return end;
}

/* --- transfers -------------------------------------------------------------------------------- */

/* An access that issues when the transfer has ended, in the run as written. */
static bool is_settled(const struct search *search, const struct check_pair *pair)
{
    const struct arrivals *a = search->arrivals;
    return pair->kind == PAIR_MEETS && a && a->count &&
           a->at[pair->second] >= a->finished[pair->first];
}

static void add_pair(void *self, const struct check_pair *pair)
{
    struct search *search = self;
    struct check_pair added = *pair;
    const bool settled = is_settled(search, pair);
    if (settled && search->settled[pair->first])
        return; /* what comes later waits for more */
    if (settled) {
        search->settled[pair->first] = true;
        added.spare =
            (search->arrivals->at[pair->second] - search->arrivals->finished[pair->first]) / CYCLES;
    }
    const bool rigid = !settled && added.spare == 0;
    struct check_pair *pairs =
        grow(search->pairs, &search->pair_capacity, search->pair_count + 1, sizeof *pairs);
    if (!pairs) {
        search->status = -1;
        return;
    }
    search->pairs = pairs;
    if (rigid && search->pair_of[pair->first]) {
        pairs[search->pair_of[pair->first] - 1] = added;
        return;
    }
    pairs[search->pair_count++] = added;
    if (rigid)
        search->pair_of[pair->first] = search->pair_count;
}

static int by_first(const void *a, const void *b)
{
    const struct check_pair *x = a, *y = b;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first)
                                : (x->second > y->second) - (x->second < y->second);
}

static int find_pairs(struct search *search, const struct config *config, bool documented)
{
    static const char *const all[] = {"all", NULL};
    const struct program *program = search->program;
    bool transfers = false;
    for (size_t i = 0; i < program->stmt_count && !transfers; i++)
        transfers = program->stmts[i].kind == STMT_MV;
    if (!transfers)
        return 0;
    search->pair_of = calloc(program->item_count, sizeof *search->pair_of);
    search->settled = calloc(program->item_count, sizeof *search->settled);
    if (!search->pair_of || !search->settled)
        return -1;
    struct diag_list dropped = {.silenced = all};
    struct check_race *race = mncore2_check_race_new(
        program, &dropped, config_integer(config, PARAM_dar_write_latency, documented));
    if (!race)
        return -1;
    mncore2_check_race_pairs(race, add_pair, NULL, search);
    for (size_t i = 0; i < program->item_count && search->status == 0; i++)
        search->status = mncore2_check_race_item(race, i) != 0 ? -1 : search->status;
    mncore2_check_race_free(race);
    diag_list_free(&dropped);
    if (search->pair_count)
        qsort(search->pairs, search->pair_count, sizeof *search->pairs, by_first);
    search->open = malloc((search->pair_count + 1) * sizeof *search->open);
    return search->open ? search->status : -1;
}

/* The pairs around a run from item `first` to before item `after`. */
static void open_pairs(struct search *search, size_t first, size_t after)
{
    size_t kept = 0;
    for (; search->next_pair < search->pair_count && search->pairs[search->next_pair].first < first;
         search->next_pair++)
        search->open[search->open_count++] = search->next_pair;
    for (size_t i = 0; i < search->open_count; i++)
        if (search->pairs[search->open[i]].second >= after)
            search->open[kept++] = search->open[i];
    search->open_count = kept;
}

/* --- judging ---------------------------------------------------------------------------------- */

static int profile_of(struct search *search, uint32_t index, const struct hazard_profile **profile)
{
    if (!search->seen[index]) {
        const int status = mncore2_hazard_profile_stmt(
            search->hazard, &search->program->stmts[index], &search->profiles[index]);
        if (status != 0)
            return status;
        search->seen[index] = true;
    }
    *profile = search->profiles[index];
    return 0;
}

/* The pair needs that many of the run's steps. */
static void need(struct search *search, uint64_t steps, size_t first, size_t second,
                 const char *rule)
{
    struct machine_needs *needs = search->needs;
    if (!needs || !steps)
        return;
    struct machine_need *rows = grow(needs->rows, &needs->capacity, needs->count + 1, sizeof *rows);
    if (!rows) {
        search->status = -1;
        return;
    }
    needs->rows = rows;
    rows[needs->count++] = (struct machine_need){(uint32_t)first, (uint32_t)second, rule, steps};
}

/* The window holds only what precedes the run, so a stall it reports for a statement after the run
 * comes from a pair that spans it. Each is judged from the cycle in which it would issue without
 * the run. Returns the steps that must stay. */
static uint64_t owed_to_hazards(struct search *search, size_t after, uint64_t written)
{
    const struct program *program = search->program;
    uint64_t t = search->now, owed = 0;
    for (size_t i = after; i < program->item_count && (owed < written || search->needs); i++) {
        if (t >= search->issued + search->reach)
            break;
        const struct hazard_profile *profile;
        struct hazard_finding found[HAZARD_COUNT];
        if (profile_of(search, program->items[i].stmt, &profile) != 0) {
            search->status = -1;
            break;
        }
        const size_t count = mncore2_hazard_findings(search->window, profile, t, false, found);
        for (size_t f = 0; f < count; f++) {
            owed = found[f].missing_steps > owed ? found[f].missing_steps : owed;
            need(search, found[f].missing_steps, found[f].producer, i,
                 mncore2_hazard_rules[found[f].row].section);
        }
        t += facts_at(search, i).steps * CYCLES;
    }
    return owed < written ? owed : written;
}

static uint64_t owed_to_pairs(struct search *search, uint64_t written)
{
    uint64_t owed = 0;
    for (size_t i = 0; i < search->open_count; i++) {
        const struct check_pair *pair = &search->pairs[search->open[i]];
        const uint64_t due = pair->spare < written ? written - pair->spare : 0;
        owed = due > owed ? due : owed;
        need(search, due, pair->first, pair->second, pair->rule);
    }
    return owed;
}

/* Steps removed from a run are missing between its pairs, too. */
static void shorten_pairs(struct search *search, uint64_t steps)
{
    for (size_t i = 0; i < search->open_count; i++) {
        struct check_pair *pair = &search->pairs[search->open[i]];
        pair->spare -= steps < pair->spare ? steps : pair->spare;
    }
}

static int most_first(const void *a, const void *b)
{
    const struct machine_need *x = a, *y = b;
    if (x->steps != y->steps)
        return (x->steps < y->steps) - (x->steps > y->steps);
    return x->second != y->second ? (x->second > y->second) - (x->second < y->second)
                                  : (x->first > y->first) - (x->first < y->first);
}

static int give_needs(struct search *search)
{
    struct machine_needs *needs = search->needs;
    if (needs->count)
        qsort(needs->rows, needs->count, sizeof *needs->rows, most_first);
    const int status = search->found(search->self, needs);
    needs->count = 0;
    return status;
}

/* The run from item `first` to before item `after`. */
static void judge(struct search *search, size_t first, size_t after, uint64_t written,
                  struct removable *row)
{
    struct machine_needs *needs = search->needs;
    if (needs && !search->found && (search->wanted < first || search->wanted >= after))
        search->needs = NULL;
    open_pairs(search, first, after);
    const uint64_t hazards = owed_to_hazards(search, after, written);
    const uint64_t pairs = owed_to_pairs(search, written);
    *row = (struct removable){
        .item = first, .written = written, .steps = written - (hazards > pairs ? hazards : pairs)};
    if (search->needs) {
        needs->first = (uint32_t)first;
        needs->last = (uint32_t)after - 1;
        needs->written = written;
        needs->spare = row->steps;
        needs->step_cycles = CYCLES;
    }
    if (search->found && search->status == 0)
        search->status = give_needs(search);
    search->needs = needs;
    if (search->together)
        shorten_pairs(search, row->steps);
}

/* The run that begins with item *i, which then is the one after it. */
static void walk_run(struct search *search, size_t *i, struct removable *row)
{
    const struct program *program = search->program;
    const size_t first = *i;
    uint64_t written = 0;
    for (; *i < program->item_count; ++*i) {
        const struct facts next = facts_at(search, *i);
        if (next.kind < STMT_GET && !next.run)
            break;
        written += next.steps;
    }
    judge(search, first, *i, written, row);
    search->now += (written - (search->together ? row->steps : 0)) * CYCLES;
    /* Directives inside the run, in their order; steps there are none. */
    for (size_t k = first; k < *i; k++)
        if (stmt_at(program, k)->kind == STMT_SET && stmt_at(program, k)->debug->mem == MEM_OMR)
            mncore2_hazard_forget_mask(search->window, 0);
}

static int add_row(struct removable_list *list, const struct removable *row)
{
    struct removable *rows = grow(list->rows, &list->capacity, list->count + 1, sizeof *rows);
    if (!rows)
        return -1;
    list->rows = rows;
    rows[list->count++] = *row;
    return 0;
}

/* Rows of all runs that have steps to spare go to the list, which may be NULL. */
static int walk(struct search *search, struct removable_list *list)
{
    const struct program *program = search->program;
    const size_t end = mark(search);
    for (size_t i = 0; search->status == 0 && i < end;) {
        const struct facts facts = facts_at(search, i);
        if (facts.run) {
            struct removable row;
            walk_run(search, &i, &row);
            if (search->status == 0 && list && row.steps)
                search->status = add_row(list, &row);
            continue;
        }
        if (facts.kind == STMT_SET && stmt_at(program, i)->debug->mem == MEM_OMR)
            mncore2_hazard_forget_mask(search->window, 0);
        if (facts.kind == STMT_STEP && search->near[i / 8] >> i % 8 & 1) {
            const struct hazard_profile *profile;
            search->status = profile_of(search, program->items[i].stmt, &profile);
            if (search->status == 0 && profile) {
                mncore2_hazard_issue(search->window, profile, search->now, i);
                search->issued = search->now;
            }
        }
        search->now += facts.steps * CYCLES;
        i++;
    }
    return search->status;
}

static int search_open(struct search *search, const struct config *config, bool documented)
{
    const struct program *program = search->program;
    search->hazard = mncore2_hazard_new(config, documented);
    if (!search->hazard)
        return -1;
    search->reach = longest(search->hazard);
    search->window = mncore2_hazard_window_new(search->hazard);
    search->facts = calloc(program->stmt_count + 1, sizeof *search->facts);
    search->profiles = calloc(program->stmt_count + 1, sizeof *search->profiles);
    search->seen = calloc(program->stmt_count + 1, sizeof *search->seen);
    search->near = calloc(program->item_count / 8 + 1, 1);
    if (!search->window || !search->facts || !search->profiles || !search->seen || !search->near)
        return -1;
    return find_pairs(search, config, documented);
}

static void search_free(struct search *search)
{
    free(search->open);
    free(search->pair_of);
    free(search->settled);
    free(search->pairs);
    free(search->near);
    free(search->facts);
    free(search->seen);
    free(search->profiles);
    mncore2_hazard_window_free(search->window);
    mncore2_hazard_free(search->hazard);
}

/* What of each run can go with those before it shortened, too. */
static int find_together(const struct search *like, const struct config *config, bool documented,
                         struct removable_list *list)
{
    struct search search = {.program = like->program, .arrivals = like->arrivals, .together = true};
    struct removable_list together = {NULL, 0, 0, false};
    int status = search_open(&search, config, documented);
    if (status == 0)
        status = walk(&search, &together);
    for (size_t i = 0, k = 0; status == 0 && i < list->count; i++) {
        while (k < together.count && together.rows[k].item < list->rows[i].item)
            k++;
        if (k < together.count && together.rows[k].item == list->rows[i].item)
            list->rows[i].together = together.rows[k].steps;
    }
    free(together.rows);
    search_free(&search);
    return status;
}

int mncore2_removable_find(const struct program *program, const struct config *config,
                           bool documented, const struct arrivals *arrivals,
                           struct removable_list *list)
{
    struct search search = {.program = program, .arrivals = arrivals};
    *list = (struct removable_list){NULL, 0, 0, false};
    int status = search_open(&search, config, documented);
    if (status == 0)
        status = walk(&search, list);
    if (status == 0 && list->count == 1)
        list->rows[0].together = list->rows[0].steps;
    if (status == 0 && list->count > 1)
        status = find_together(&search, config, documented, list);
    search_free(&search);
    return status;
}

int mncore2_removable_needs(const struct program *program, const struct config *config,
                            bool documented, const struct arrivals *arrivals, size_t item,
                            struct machine_needs *needs)
{
    struct search search = {
        .program = program, .arrivals = arrivals, .needs = needs, .wanted = item};
    *needs = (struct machine_needs){.first = NONE_ID};
    int status = search_open(&search, config, documented);
    if (status == 0)
        status = walk(&search, NULL);
    if (needs->count)
        qsort(needs->rows, needs->count, sizeof *needs->rows, most_first);
    search_free(&search);
    return status == 0 && needs->first == NONE_ID ? 1 : status;
}

int mncore2_removable_all_needs(const struct program *program, const struct config *config,
                                const struct arrivals *arrivals, bool documented,
                                machine_needs_found *found, void *self)
{
    struct machine_needs needs = {.first = NONE_ID};
    struct search search = {
        .program = program, .arrivals = arrivals, .needs = &needs, .found = found, .self = self};
    int status = search_open(&search, config, documented);
    if (status == 0)
        status = walk(&search, NULL);
    free(needs.rows);
    search_free(&search);
    return status;
}

void mncore2_removable_cut(const struct program *program, const struct removable *row,
                           uint64_t steps, uint32_t *cut)
{
    uint64_t written = row->written;
    for (size_t i = row->item; written; i++) {
        const struct stmt *stmt = stmt_at(program, i);
        const uint64_t nops = stmt->kind == STMT_STEP ? stmt->step->nops : 0;
        cut[i] = (uint32_t)(nops < steps ? nops : steps);
        steps -= cut[i];
        written -= nops;
    }
}
