#include "timing/mncore2/removable.h"

#include <stdlib.h>

#include "timing/mncore2/check.h"
#include "timing/mncore2/hazard.h"

/* What steps of one shape have in common (program.h); of what is no step only the kind. */
struct facts {
    uint32_t steps;
    uint8_t wait;
    uint8_t kind; /* enum stmt_kind */
    bool run;     /* a nop that may be part of a run */
    bool masks;   /* writes a mask register, which decides what later writes under it count for */
    bool known;
};

enum { FEW_STMTS = 1 << 14 };

struct search {
    const struct program *program;
    struct hazard *hazard;
    struct hazard_window *window;
    struct facts *facts; /* by shape */
    struct facts *
        /* of each distinct statement, if they are few: items lead to it at once; or NULL */
        of_stmt;
    const struct hazard_profile **profiles; /* of each distinct statement; made on first sight */
    bool *seen;
    uint8_t *near;   /* by item, as bits: something within reach of a run needs its profile */
    uint64_t reach;  /* cycles after which no producer matters any more */
    uint64_t issued; /* when the last producer that counts issued */
    uint64_t now;
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

static struct facts facts_of(const struct search *search, const struct stmt *stmt)
{
    if (stmt->kind != STMT_STEP)
        return (struct facts){.kind = stmt->kind, .known = true};
    struct facts *facts = &search->facts[stmt->shape];
    if (!facts->known || stmt->shape == 0)
        learn(stmt->step, facts);
    return *facts;
}

static inline struct facts facts_at(const struct search *search, size_t item)
{
    if (!search->of_stmt)
        return facts_of(search, stmt_at(search->program, item));
    const uint32_t index = search->program->items[item].stmt;
    struct facts *facts = &search->of_stmt[index];
    if (!facts->known)
        *facts = facts_of(search, &search->program->stmts[index]);
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
 * registers. *end is the item behind which no run is judged: the last run's, or the first MV
 * statement that nobody waits for. */
static void mark(struct search *search, size_t *end)
{
    const struct program *program = search->program;
    size_t loose = program->item_count;
    uint64_t away = UINT64_MAX; /* cycles from here to the next run */
    bool waited[256] = {false};
    *end = 0;
    for (size_t i = program->item_count; i-- > 0;) {
        const struct facts facts = facts_at(search, i);
        if (facts.run) {
            away = 0;
            if (*end == 0)
                *end = i + 1;
            continue;
        }
        if (facts.wait)
            waited[facts.wait] = true;
        if (facts.kind == STMT_MV) {
            const uint8_t tag = stmt_at(program, i)->mv->tag;
            if (!tag || !waited[tag])
                loose = i;
            waited[tag] = false;
        }
        if (*end == 0)
            continue;
        away += facts.steps * CYCLES;
        if (away < search->reach || facts.masks)
            search->near[i / 8] |= (uint8_t)(1 << i % 8);
    }
    if (*end > loose)
        *end = loose;
}

static int profile_of(struct search *search, uint32_t index, const struct hazard_profile **profile)
{
    if (!search->seen[index]) {
        const struct stmt *stmt = &search->program->stmts[index];
        int status = 0;
        if (stmt->kind == STMT_STEP && !stmt->step->nops) {
            struct effect effect;
            mncore2_effect_of_step(stmt->step, &effect);
            status = mncore2_hazard_profile_step(search->hazard, &effect, &search->profiles[index]);
        } else if (stmt->kind == STMT_MV) {
            struct region region[2];
            mncore2_effect_of_mv(stmt->mv, region);
            status = mncore2_hazard_profile_mv(search->hazard, region, &search->profiles[index]);
        }
        if (status != 0)
            return status;
        search->seen[index] = true;
    }
    *profile = search->profiles[index];
    return 0;
}

/* The window holds what comes before the run and nothing of what follows it, so what it answers for
 * a statement behind the run is owed to pairs around the run alone. Each is asked for the earliest
 * cycle from where it would issue without the run. */
static int judge(struct search *search, size_t after, uint64_t written, uint64_t *spare)
{
    const struct program *program = search->program;
    uint64_t t = search->now;
    *spare = written;
    for (size_t i = after; i < program->item_count && *spare; i++) {
        if (t >= search->issued + search->reach)
            break;
        const struct hazard_profile *profile;
        if (profile_of(search, program->items[i].stmt, &profile) != 0)
            return -1;
        const uint64_t earliest = mncore2_hazard_earliest(search->window, profile, t, NULL);
        const uint64_t owed = (earliest - t) / CYCLES;
        if (owed >= written)
            *spare = 0;
        else if (written - owed < *spare)
            *spare = written - owed;
        t += facts_at(search, i).steps * CYCLES;
    }
    return 0;
}

static int walk(struct search *search, removable_found *found, void *self)
{
    const struct program *program = search->program;
    size_t end;
    mark(search, &end);
    int status = 0;
    for (size_t i = 0; status == 0 && i < end;) {
        const struct facts facts = facts_at(search, i);
        if (facts.run) {
            const size_t first = i;
            uint64_t written = 0, spare;
            for (; i < program->item_count; i++) {
                const struct facts next = facts_at(search, i);
                if (next.kind < STMT_GET && !next.run)
                    break;
                written += next.steps;
            }
            status = judge(search, i, written, &spare);
            if (status == 0 && spare)
                status = found(self, first, spare, written);
            search->now += written * CYCLES;
            /* Directives inside the run, in their order; steps there are none. */
            for (size_t k = first; k < i; k++)
                if (stmt_at(program, k)->kind == STMT_SET &&
                    stmt_at(program, k)->debug->mem == MEM_OMR)
                    mncore2_hazard_forget_mask(search->window, 0);
            continue;
        }
        if (facts.kind == STMT_SET && stmt_at(program, i)->debug->mem == MEM_OMR)
            mncore2_hazard_forget_mask(search->window, 0);
        if (facts.kind == STMT_STEP && search->near[i / 8] >> i % 8 & 1) {
            const struct hazard_profile *profile;
            status = profile_of(search, program->items[i].stmt, &profile);
            if (status == 0 && profile) {
                mncore2_hazard_issue(search->window, profile, search->now, i);
                search->issued = search->now;
            }
        }
        search->now += facts.steps * CYCLES;
        i++;
    }
    return status;
}

int mncore2_removable_find(const struct program *program, const struct config *config,
                           bool documented, removable_found *found, void *self)
{
    struct search search = {.program = program, .hazard = mncore2_hazard_new(config, documented)};
    int status = -1;
    if (search.hazard) {
        search.reach = longest(search.hazard);
        search.window = mncore2_hazard_window_new(search.hazard);
        search.facts = calloc((size_t)program->shape_count + 1, sizeof *search.facts);
        search.profiles = calloc(program->stmt_count + 1, sizeof *search.profiles);
        search.seen = calloc(program->stmt_count + 1, sizeof *search.seen);
        if (program->stmt_count <= FEW_STMTS) /* without it the same is found */
            search.of_stmt = calloc(program->stmt_count + 1, sizeof *search.of_stmt);
        search.near = calloc(program->item_count / 8 + 1, 1);
        if (search.window && search.facts && search.profiles && search.seen && search.near)
            status = walk(&search, found, self);
    }
    free(search.near);
    free(search.facts);
    free(search.of_stmt);
    free(search.seen);
    free(search.profiles);
    mncore2_hazard_window_free(search.window);
    mncore2_hazard_free(search.hazard);
    return status;
}

struct notes {
    const struct program *program;
    struct diag_list *diags;
};

static int add_note(void *self, size_t item, uint64_t steps, uint64_t written)
{
    const struct notes *notes = self;
    struct diag at = mncore2_check_place(notes->program, item, NULL, notes->diags);
    at.severity = DIAG_NOTE;
    at.rule = "3.6.3";
    at.name = "removable";
    diag_add(notes->diags, &at, "%llu of %llu nop steps could go: no hazard asks for them\n%s",
             (unsigned long long)steps, (unsigned long long)written,
             steps == written ? "remove the run" : "shorten the run");
    return 0;
}

int mncore2_removable_diags(const struct program *program, const struct config *config,
                            struct diag_list *diags)
{
    struct notes notes = {program, diags};
    return mncore2_removable_find(program, config, false, add_note, &notes);
}
