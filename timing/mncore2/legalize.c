#include "timing/mncore2/legalize.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/mncore2/check_race.h"
#include "timing/mncore2/hazard.h"
#include "timing/mncore2/run.h"

enum { TAGS = 256, STMT_TEXT = 4096 };

/* A wait that is added before an item. */
struct waits_at {
    size_t item;
    uint8_t tag;
};

/* An l2bmdarw, and a transfer that goes by its entries. */
struct dar_pair {
    size_t first, second;
    uint64_t cycles;
};

struct legalizer {
    const struct program *program;
    uint8_t *tags;         /* by item: of a transfer as it is written out */
    bool *ended, *dropped; /* by item: the transfer was waited for; the wait goes */
    size_t *flying;        /* transfers that were not waited for */
    size_t flying_count;
    size_t until[TAGS]; /* item that waits for an added tag last */
    bool used[TAGS];    /* in the text */
    struct waits_at *waits;
    size_t wait_count, wait_capacity;
    struct dar_pair *dars;
    size_t dar_count, dar_capacity;
    struct hazard *hazard;
    struct hazard_window *window;
    uint64_t *issued; /* by item: its cycle in the new program */
    uint64_t now;
    size_t next_wait, next_dar;
    FILE *out;
    struct legalized *counts;
    int status;
};

static const struct stmt *stmt_at(const struct legalizer *l, size_t item)
{
    return &l->program->stmts[l->program->items[item].stmt];
}

static const struct step *step_at(const struct legalizer *l, size_t item)
{
    const struct stmt *stmt = stmt_at(l, item);
    return stmt->kind == STMT_STEP ? stmt->step : NULL;
}

/* --- waits ------------------------------------------------------------------------------------ */

/* Returns whether a transfer of this tag was in flight. */
static bool end_tag(struct legalizer *l, uint8_t tag)
{
    size_t kept = 0;
    const size_t before = l->flying_count;
    for (size_t i = 0; i < before; i++) {
        const size_t transfer = l->flying[i];
        if (l->tags[transfer] == tag)
            l->ended[transfer] = true;
        else
            l->flying[kept++] = transfer;
    }
    l->flying_count = kept;
    return kept < before;
}

/* A tag that the text does not use, and that no other transfer has from this one on. */
static uint8_t choose_tag(const struct legalizer *l, size_t transfer)
{
    for (unsigned tag = 1; tag < TAGS; tag++)
        if (!l->used[tag] && (!l->until[tag] || l->until[tag] < transfer))
            return (uint8_t)tag;
    return 0;
}

static void wait_for(struct legalizer *l, size_t transfer, size_t item)
{
    uint8_t *tag = &l->tags[transfer];
    if (!*tag) {
        *tag = choose_tag(l, transfer);
        l->counts->tags++;
    }
    struct waits_at *waits = grow(l->waits, &l->wait_capacity, l->wait_count + 1, sizeof *waits);
    if (!waits || !*tag) {
        l->status = waits ? 1 : -1;
        return;
    }
    l->waits = waits;
    waits[l->wait_count++] = (struct waits_at){.item = item, .tag = *tag};
    l->counts->waits++;
    if (!l->used[*tag])
        l->until[*tag] = item;
    end_tag(l, *tag);
}

static void add_dar(struct legalizer *l, const struct check_pair *pair)
{
    struct dar_pair *dars = grow(l->dars, &l->dar_capacity, l->dar_count + 1, sizeof *dars);
    if (!dars) {
        l->status = -1;
        return;
    }
    l->dars = dars;
    dars[l->dar_count++] = (struct dar_pair){pair->first, pair->second, pair->cycles};
}

static void meet(void *self, const struct check_pair *pair)
{
    struct legalizer *l = self;
    if (pair->kind == PAIR_DAR)
        add_dar(l, pair);
    else if (pair->kind == PAIR_MEETS && !l->ended[pair->first] && l->status == 0)
        wait_for(l, pair->first, pair->second);
}

static bool is_over(void *self, size_t transfer, size_t item)
{
    const struct legalizer *l = self;
    (void)item;
    return l->ended[transfer];
}

static int find_waits(struct legalizer *l, const struct config *config)
{
    static const char *const all[] = {"all", NULL};
    struct diag_list dropped = {.silenced = all};
    struct check_race *race = mncore2_check_race_new(
        l->program, &dropped, config_integer(config, PARAM_dar_write_latency, false));
    if (!race)
        return -1;
    mncore2_check_race_pairs(race, meet, is_over, l);
    for (size_t i = 0; i < l->program->item_count && l->status == 0; i++) {
        const struct stmt *stmt = stmt_at(l, i);
        if (stmt->kind == STMT_STEP && stmt->step->wait)
            l->dropped[i] = !end_tag(l, stmt->step->wait);
        if (mncore2_check_race_item(race, i) != 0)
            l->status = -1;
        if (stmt->kind == STMT_MV)
            l->flying[l->flying_count++] = i;
    }
    mncore2_check_race_free(race);
    diag_list_free(&dropped);
    return l->status;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The first cycle from `now` on in which the rules allow the item. */
static uint64_t earliest(struct legalizer *l, size_t item, const struct hazard_profile *profile,
                         uint64_t now)
{
    uint64_t at = profile ? mncore2_hazard_earliest(l->window, profile, now, NULL) : now;
    for (; l->next_dar < l->dar_count && l->dars[l->next_dar].second == item; l->next_dar++) {
        const struct dar_pair *dar = &l->dars[l->next_dar];
        const uint64_t due = l->issued[dar->first] + dar->cycles;
        at = due > at ? due : at;
    }
    return (at + CYCLES - 1) / CYCLES * CYCLES;
}

static void put_nops(struct legalizer *l, uint64_t count)
{
    if (count)
        fprintf(l->out, count > 1 ? "nop/%llu\n" : "nop\n", (unsigned long long)count);
    l->counts->nops += count;
    l->now += count * CYCLES;
}

/* Without the word wait and the sign that divides it from the rest. */
static void put_without_wait(FILE *out, const char *text, size_t length)
{
    size_t at = length, end;
    while (at > 0 && strncmp(text + at, "wait", 4) != 0)
        at--;
    for (end = at; end < length && text[end] != ';';)
        end++;
    while (at > 0 && text[at - 1] == ' ')
        at--;
    if (at > 0)
        at--; /* ';' */
    else
        end += end < length;
    fprintf(out, "%.*s%.*s", (int)at, text, (int)(length - end), text + end);
}

/* The line of an item: with another tag, with `wait`, or without its own. */
static void put_line(struct legalizer *l, size_t item, uint8_t wait)
{
    const struct stmt *stmt = stmt_at(l, item);
    size_t whole, length;
    const char *line = mncore2_program_line(l->program, item, &whole);
    const char *text = mncore2_program_text(l->program, item, &length);
    const char *end = text + length;
    fprintf(l->out, "%.*s", (int)(text - line), line);
    if (stmt->kind == STMT_MV && l->tags[item] != stmt->mv->tag) {
        char printed[STMT_TEXT];
        struct mv mv = *stmt->mv;
        const struct stmt tagged = {.kind = STMT_MV, .mv = &mv};
        mv.tag = l->tags[item];
        mncore2_stmt_print(l->program, &tagged, printed, sizeof printed);
        fputs(printed, l->out);
    } else if (l->dropped[item]) {
        put_without_wait(l->out, text, length);
    } else {
        fprintf(l->out, "%.*s", (int)length, text);
    }
    if (wait)
        fprintf(l->out, "; wait i%02x", wait);
    fprintf(l->out, "%.*s\n", (int)(line + whole - end), end);
}

/* Nops, waits and the item itself. */
static void put_item(struct legalizer *l, size_t item)
{
    const struct step *step = step_at(l, item);
    const struct hazard_profile *profile;
    size_t count = 0;
    while (l->next_wait + count < l->wait_count && l->waits[l->next_wait + count].item == item)
        count++;
    const bool joins = count && step && !step->nops && (!step->wait || l->dropped[item]);
    const size_t alone = count - joins;
    if (mncore2_hazard_profile_stmt(l->hazard, stmt_at(l, item), &profile) != 0) {
        l->status = -1;
        return;
    }
    const uint64_t first = l->now + alone * CYCLES;
    put_nops(l, (earliest(l, item, profile, first) - first) / CYCLES);
    for (size_t w = 0; w < alone; w++)
        fprintf(l->out, "nop; wait i%02x\n", l->waits[l->next_wait + w].tag);
    l->now += alone * CYCLES;
    put_line(l, item, joins ? l->waits[l->next_wait + alone].tag : 0);
    l->next_wait += count;
    l->issued[item] = l->now;
    if (profile)
        mncore2_hazard_issue(l->window, profile, l->now, item);
    if (stmt_at(l, item)->kind == STMT_SET && stmt_at(l, item)->debug->mem == MEM_OMR)
        mncore2_hazard_forget_mask(l->window, 0);
    if (step)
        l->now += CYCLES;
}

/* Statements that only pass time go; of `nop/n; wait` one step stays. */
static void put(struct legalizer *l, size_t item)
{
    const struct step *step = step_at(l, item);
    const bool nop = step && step->nops;
    if (stmt_at(l, item)->kind == STMT_MVNOP || (nop && (!step->wait || l->dropped[item])))
        return;
    if (nop) {
        fprintf(l->out, "nop; wait i%02x\n", step->wait);
        l->now += CYCLES;
    } else {
        put_item(l, item);
    }
}

/* Lines without a statement stay where they are. */
static void put_program(struct legalizer *l)
{
    const struct source *source = &l->program->sources[0];
    const struct program *program = l->program;
    uint32_t line = 1;
    size_t item = 0;
    for (size_t at = 0, end; at < source->size && l->status == 0; at = end + 1, line++) {
        for (end = at; end < source->size && source->text[end] != '\n';)
            end++;
        if (item < program->item_count && program->items[item].line == line)
            put(l, item++);
        else
            fprintf(l->out, "%.*s\n", (int)(end - at), source->text + at);
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

static int open_lists(struct legalizer *l, const struct config *config)
{
    const size_t count = l->program->item_count + 1;
    l->tags = calloc(count, sizeof *l->tags);
    l->ended = calloc(count, sizeof *l->ended);
    l->dropped = calloc(count, sizeof *l->dropped);
    l->flying = calloc(count, sizeof *l->flying);
    l->issued = calloc(count, sizeof *l->issued);
    l->hazard = mncore2_hazard_new(config, false);
    l->window = l->hazard ? mncore2_hazard_window_new(l->hazard) : NULL;
    if (!l->tags || !l->ended || !l->dropped || !l->flying || !l->issued || !l->window)
        return -1;
    for (size_t i = 0; i + 1 < count; i++) {
        const struct stmt *stmt = stmt_at(l, i);
        l->tags[i] = stmt->kind == STMT_MV ? stmt->mv->tag : 0;
        l->used[l->tags[i]] = true;
    }
    return 0;
}

static void free_lists(struct legalizer *l)
{
    free(l->tags);
    free(l->ended);
    free(l->dropped);
    free(l->flying);
    free(l->issued);
    free(l->waits);
    free(l->dars);
    mncore2_hazard_window_free(l->window);
    mncore2_hazard_free(l->hazard);
}

int mncore2_legalize(const struct machine_program *machine_program, const struct config *config,
                     FILE *out, struct legalized *counts, char error[MACHINE_ERROR])
{
    struct legalizer l = {.program = &machine_program->program, .out = out, .counts = counts};
    *counts = (struct legalized){.nops = 0};
    int status = open_lists(&l, config);
    if (status == 0)
        status = find_waits(&l, config);
    if (status > 0)
        snprintf(error, MACHINE_ERROR, "more transfers are in flight than there are tags");
    if (status == 0) {
        put_program(&l);
        status = l.status != 0 || ferror(out) ? -1 : 0;
    }
    free_lists(&l);
    return status;
}
