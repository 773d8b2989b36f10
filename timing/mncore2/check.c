#include "timing/mncore2/check.h"

#include <stdlib.h>
#include <string.h>

#include "host/big_memory.h"
#include "timing/mncore2/check_race.h"
#include "timing/mncore2/check_use.h"
#include "timing/mncore2/finding.h"
#include "timing/mncore2/model.h"
#include "timing/mncore2/stream.h"

/*
 * Real programs repeat statements: what is worked out of one is kept, if it comes again. Generated
 * code may have millions that do not: what is worked out of those passes by in the caches.
 */
enum seen { SEEN_NOT, SEEN_ONCE, SEEN_AGAIN, SEEN_LEARNED };

struct checker {
    const struct program *program;
    struct diag_list *diags;
    struct hazard *hazard;
    struct hazard_window *window;
    struct check_use *use;
    struct check_race *race;
    const struct hazard_profile **profiles; /* of each distinct statement; made on first sight */
    uint8_t *seen;                          /* enum seen */
    bool no_flat;                           /* the packing has no place for flat operands */
    uint64_t cycle;
};

static struct diag hazard_place(const struct program *program, size_t item,
                                const struct hazard_finding *finding, const struct diag_list *list,
                                struct diag_file *other)
{
    struct diag at = mncore2_finding_place(program, item, finding->operand, list);
    const struct stmt *stmt = &program->stmts[program->items[item].stmt];
    if (stmt->kind == STMT_MV && stmt->mv->from.column) {
        at.column = stmt->mv->from.column;
        at.length = stmt->mv->from.length;
    }
    *other = mncore2_finding_other(program, &at, finding->producer);
    at.rule = mncore2_hazard_rules[finding->row].section;
    return at;
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

/* The error of one hazard: item is the later statement, finding->producer the earlier one's. */
static void add_hazard(const struct program *program, const struct hazard *hazard, size_t item,
                       const struct hazard_finding *finding, struct diag_list *diags)
{
    const struct hazard_rule *rule = &mncore2_hazard_rules[finding->row];
    struct diag_file other;
    struct diag at = hazard_place(program, item, finding, diags, &other);
    at.severity = DIAG_ERROR;
    at.missing_steps = (int32_t)finding->missing_steps;
    if (rule->unit == HAZARD_CYCLES)
        at.missing_cycles = (int32_t)finding->missing;
    const char *unit = rule->unit == HAZARD_CYCLES ? "cycle" : "step";
    const uint32_t needed = mncore2_hazard_latency(hazard, finding->row);
    const uint32_t present = needed > finding->missing ? needed - finding->missing : 0;
    diag_add(diags, &at,
             "%s too soon after the %s in line %u%s%s: %s (%u empty %s%s needed, %u present)\n"
             "needs %u more empty step%s",
             mncore2_hazard_phrases[rule->consumer], mncore2_hazard_phrases[rule->producer],
             at.other_line, other.of, other.name, rule->sentence, needed, unit, plural(needed),
             present, finding->missing_steps, plural(finding->missing_steps));
}

/* The same statement would be an error if the mask's value were not known. */
static void warn_mask(struct checker *checker, size_t item, const struct hazard_finding *finding)
{
    struct diag_file other;
    struct diag at = hazard_place(checker->program, item, finding, checker->diags, &other);
    at.severity = DIAG_WARNING;
    at.name = "variable-mask";
    diag_add(checker->diags, &at,
             "%s is legal after the %s in line %u%s%s only because its variable mask was last "
             "written under a mask that leaves out some cycles\n"
             "%u more empty step%s would make it legal under any mask",
             mncore2_hazard_phrases[mncore2_hazard_rules[finding->row].consumer],
             mncore2_hazard_phrases[mncore2_hazard_rules[finding->row].producer], at.other_line,
             other.of, other.name, finding->missing_steps, plural(finding->missing_steps));
}

static void report(struct checker *checker, size_t item, const struct hazard_profile *profile)
{
    struct hazard_finding found[HAZARD_COUNT], masked[HAZARD_COUNT];
    const size_t count =
        mncore2_hazard_findings(checker->window, profile, checker->cycle, false, found);
    for (size_t i = 0; i < count; i++)
        add_hazard(checker->program, checker->hazard, item, &found[i], checker->diags);
    if (!mncore2_hazard_masks_matter(checker->window, checker->cycle))
        return;
    const size_t more =
        mncore2_hazard_findings(checker->window, profile, checker->cycle, true, masked);
    for (size_t i = 0; i < more; i++) {
        bool known = false;
        for (size_t k = 0; k < count; k++)
            known |= found[k].row == masked[i].row;
        if (!known)
            warn_mask(checker, item, &masked[i]);
    }
}

/* Work out the profile of a statement that has none yet. *passing: nothing of it is kept. */
static int profile_of(struct checker *checker, uint32_t index,
                      const struct hazard_profile **profile, bool *passing)
{
    const struct stmt *stmt = &checker->program->stmts[index];
    if (stmt->kind == STMT_STEP && !stmt->step->nops) {
        struct effect effect;
        mncore2_effect_of_step(stmt->step, &effect);
        *passing = checker->seen[index] == SEEN_ONCE;
        if (*passing) {
            mncore2_check_use_pass(checker->use, &effect);
            return mncore2_hazard_profile_once(checker->hazard, &effect, profile);
        }
        checker->seen[index] = SEEN_LEARNED;
        if (mncore2_check_use_learn(checker->use, index, &effect) != 0 ||
            mncore2_hazard_profile_step(checker->hazard, &effect, &checker->profiles[index]) != 0)
            return -1;
        *profile = checker->profiles[index];
        return 0;
    }
    checker->seen[index] = SEEN_LEARNED;
    if (mncore2_hazard_profile_stmt(checker->hazard, stmt, &checker->profiles[index]) != 0)
        return -1;
    *profile = checker->profiles[index];
    return 0;
}

static void refuse_flat(struct checker *checker, size_t item)
{
    struct diag at = mncore2_finding_place(checker->program, item, NULL, checker->diags);
    at.severity = DIAG_ERROR;
    at.rule = "1.2";
    diag_add(checker->diags, &at,
             "an operand of this statement can only be assembled in flat mode\n"
             "use --packing flat, or v<n> where the addresses allow it");
}

static void check_hazards(struct checker *checker, size_t item,
                          const struct hazard_profile *profile)
{
    const struct stmt *stmt = &checker->program->stmts[checker->program->items[item].stmt];
    switch (stmt->kind) {
    case STMT_STEP: {
        const uint64_t steps = stmt->step->nops ? stmt->step->nops : 1;
        if (checker->no_flat && stmt->step->needs_flat)
            refuse_flat(checker, item);
        if (profile) {
            report(checker, item, profile);
            mncore2_hazard_issue(checker->window, profile, checker->cycle, item);
        }
        checker->cycle += steps * CYCLES;
        return;
    }
    case STMT_MV:
        if (profile)
            report(checker, item, profile);
        return;
    case STMT_SET:
        if (stmt->debug->mem == MEM_OMR)
            mncore2_hazard_forget_mask(checker->window, 0);
        return;
    default:
        return;
    }
}

static int check_items(struct checker *checker)
{
    const struct program *program = checker->program;
    for (size_t i = 0; i < program->item_count; i++) {
        uint8_t *seen = &checker->seen[program->items[i].stmt];
        *seen = *seen == SEEN_NOT ? SEEN_ONCE : SEEN_AGAIN;
    }
    for (size_t i = 0; i < program->item_count; i++) {
        const uint32_t index = program->items[i].stmt;
        bool passing = false;
        const struct hazard_profile *profile = NULL;
        if (checker->seen[index] == SEEN_LEARNED)
            profile = checker->profiles[index];
        else if (profile_of(checker, index, &profile, &passing) != 0)
            return -1;
        check_hazards(checker, i, profile);
        if (mncore2_check_race_item(checker->race, i) != 0)
            return -1;
        if (mncore2_check_use_item(checker->use, i, passing) != 0)
            return -1;
    }
    mncore2_check_race_end(checker->race);
    return 0;
}

int mncore2_check(const struct program *program, const struct config *config, const char *packing,
                  struct diag_list *diags)
{
    enum packing chosen;
    if (mncore2_packing_choose(program, packing, &chosen) != 0)
        return -1;
    const size_t errors = diags->errors;
    /* Errors come first: the list of findings is limited. */
    struct diag_list habits = {.silenced = diags->silenced};
    struct checker checker = {
        .program = program,
        .diags = diags,
        .use = mncore2_check_use_new(program, &habits),
        .race = mncore2_check_race_new(program, &habits,
                                       config_integer(config, PARAM_dar_write_latency, false)),
        .no_flat = chosen == PACKING_AUTO,
        .hazard = mncore2_hazard_new(config, false),
        .profiles = big_memory_touched((program->stmt_count + 1) * sizeof *checker.profiles),
        .seen = big_memory_touched((program->stmt_count + 1) * sizeof *checker.seen),
    };
    checker.window = checker.hazard ? mncore2_hazard_window_new(checker.hazard) : NULL;
    int status = -1;
    if (checker.use && checker.race && checker.window && checker.profiles && checker.seen)
        status = check_items(&checker);
    if (!errors) /* what a refused statement would have written, read or tagged is not known */
        diag_append(diags, &habits);
    else
        diag_list_free(&habits);
    big_memory_free(checker.seen, (program->stmt_count + 1) * sizeof *checker.seen);
    big_memory_free(checker.profiles, (program->stmt_count + 1) * sizeof *checker.profiles);
    mncore2_hazard_window_free(checker.window);
    mncore2_hazard_free(checker.hazard);
    mncore2_check_race_free(checker.race);
    mncore2_check_use_free(checker.use);
    if (status != 0)
        return status;
    diag_sort(diags);
    return diags->errors > errors ? 1 : 0;
}
