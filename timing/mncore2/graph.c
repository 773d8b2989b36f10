/*
 * graph: the nodes of an MN-Core 2 program (timing/graph.h): one for each expression of a step, one
 * for each MV statement. d get, d set and r lines are outside the machine.
 *
 * What expressions of one step may do, and the least distance of two, come from 3.6.3 (hazard.h)
 * and 3.6.4. A write under a variable mask may turn out to write nothing, so that it only counts
 * for the rules that hold whatever is written. Once a base address register has been written, no
 * dependence through its LM is certain; an access on one side of that write stays there.
 */
#include "timing/graph.h"

#include <stdlib.h>
#include <string.h>

#include "timing/mncore2/check_race.h"
#include "timing/mncore2/graph.h"
#include "timing/mncore2/graph_any.h"
#include "timing/mncore2/graph_claim.h"
#include "timing/mncore2/graph_mv.h"
#include "timing/mncore2/run.h"

static const char *const extra_names[GRAPH_EXTRAS] = {
    [GRAPH_L2BM] = "l2bm",    [GRAPH_L1BM] = "l1bm",           [GRAPH_TURN] = "l1bm.turn",
    [GRAPH_SLOT] = "mv.slot", [GRAPH_RELAY_ALU] = "alu.relay", [GRAPH_RELAY_MAU] = "mau.relay"};
static const char *const unit_names[UNIT_FIXED_COUNT] = {
#define UNIT(id, name, path, kind, instances, width) [UNIT_##id] = name,
#include "timing/mncore2/unit.def"
};

/* Transfers in flight that are watched: more than there are tags, so that only such without a tag
 * are forgotten. */
enum { OPEN = 320 };

/* The last node that produced a kind of hazard, and its step. */
struct producer_node {
    uint32_t node;
    size_t step;
};

struct builder {
    const struct program *program;
    struct graph *graph;
    struct graph_made *made;
    size_t part_capacity;
    struct graph_mv mv;
    unsigned slots; /* PE slots of a unit of the packed stream; 0: it is not packed */
    uint64_t close; /* cycles of the MV slot after them */
    bool stalls;    /* steps may be kept back by more than what is written */
    bool based[2];  /* LM0, LM1: a base address register is written somewhere */
    struct graph_seen seen;
    uint32_t open[OPEN]; /* nodes of transfers that nothing has waited for */
    unsigned open_count;
    struct producer_node last[HAZARD_COUNT][L1B_PER_L2B];
    size_t step;          /* steps before, without nops */
    uint32_t last_mv;     /* node; NONE_ID: none */
    uint32_t *first_node; /* by statement: of the first item that has it; NONE_ID: none yet */
};

/* --- spans ------------------------------------------------------------------------------------ */

/* A span, in two pieces where it reaches over the memory's end. */
static void put(struct builder *b, struct graph_span span, uint64_t first, uint64_t length)
{
    const uint64_t size = mncore2_space_size[span.space];
    span.node = (uint32_t)b->graph->node_count - 1;
    if (length >= size) {
        first = 0;
        length = size;
    }
    const uint64_t here = length < size - first ? length : size - first;
    span.first = first;
    span.count = here;
    graph_spans_add(&b->made->spans, &span);
    if (here < length) {
        span.first = 0;
        span.count = length - here;
        graph_spans_add(&b->made->spans, &span);
    }
}

static bool is_definite(const struct builder *b, const struct access *access)
{
    if (access->space == SPACE_MASK && access->write)
        return true; /* where its mask is 0, 0 is written (3.6.2) */
    if ((access->space == SPACE_LM0 && b->based[0]) || (access->space == SPACE_LM1 && b->based[1]))
        return false;
    return !access->entry && !access->any && !(access->operand && access->operand->j >= 0);
}

static void put_access(struct builder *b, const struct access *access)
{
    const struct graph_span span = {.space = access->space,
                                    .write = access->write,
                                    .definite = is_definite(b, access),
                                    .latch = access->space == SPACE_FWD ||
                                             (access->space == SPACE_LBI && !b->made->places),
                                    .set = access->set};
    const bool all = !access->write || access->space == SPACE_MASK;
    if (access->any && (all || access->cycles))
        put(b, span, 0, UINT64_MAX);
    if (access->any)
        return;
    uint64_t first = 0, length = 0; /* cycles that continue each other are joined */
    for (unsigned i = 0; i < CYCLES; i++) {
        if (!all && !(access->cycles >> i & 1))
            continue;
        if (length && access->addr[i] == first && length == access->length)
            continue;
        if (length && access->addr[i] == first + length) {
            length += access->length;
            continue;
        }
        if (length)
            put(b, span, first, length);
        first = access->addr[i];
        length = access->length;
    }
    if (length)
        put(b, span, first, length);
}

/* --- nodes ------------------------------------------------------------------------------------ */

static struct graph_node *new_node(struct builder *b, const struct graph_part *part)
{
    struct graph_part *parts = graph_grow(b->graph, b->made->lags.parts, &b->part_capacity,
                                          b->graph->node_count + 1, sizeof *parts);
    if (!parts)
        return NULL;
    b->made->lags.parts = parts;
    parts[b->graph->node_count] = *part;
    struct graph_node *node = graph_add_node(b->graph);
    if (node)
        node->stmt = part->item;
    return node;
}

/* The effect of one expression of a step; NULL: l2bmdarw. */
static void effect_of(const struct expr *expr, const struct effect *whole, struct effect *effect)
{
    effect->count = 0;
    for (size_t i = 0; i < whole->count; i++) {
        const struct access *access = &whole->access[i];
        const bool mask = access->space == SPACE_MASK && !access->write;
        if (mask ? expr && mncore2_expr_masked(expr) : access->expr == expr)
            effect->access[effect->count++] = *access;
    }
}

/* Rows that hold whatever the address: only the last producer can bind. */
static void port_arcs(struct builder *b, const struct hazard_profile *profile)
{
    const uint32_t node = (uint32_t)b->graph->node_count - 1;
    for (uint32_t rows = profile ? profile->consumes : 0; rows; rows &= rows - 1) {
        const unsigned row = (unsigned)__builtin_ctz(rows);
        const enum hazard_overlap overlap = mncore2_hazard_rules[row].overlap;
        if (overlap == OVERLAP_ADDRESS)
            continue;
        uint32_t set = 0, found = NONE_ID;
        for (uint64_t to = profile->takers->consume[row]; to; to &= to - 1)
            set |= profile->touch[__builtin_ctzll(to)].set;
        for (unsigned s = 0; s < L1B_PER_L2B; s++) {
            const struct producer_node *last = &b->last[row][s];
            if (last->node == NONE_ID || last->node == found || last->step == b->step ||
                (overlap == OVERLAP_SET && !(set >> s & 1)) ||
                (b->step - last->step) * CYCLES >= b->made->lags.hazard->reach[row])
                continue;
            found = last->node;
            graph_add_arc(b->graph,
                          &(const struct graph_arc){
                              .from = last->node, .to = node, .kind = ARC_PORT, .rule = ""});
        }
    }
}

/* The nodes [first, end) of a step are the last producers of what they produce. */
static void produce(struct builder *b, size_t first)
{
    for (size_t n = first; n < b->graph->node_count; n++) {
        const struct hazard_profile *profile = b->made->lags.parts[n].profile;
        for (uint32_t rows = profile ? profile->produces : 0; rows; rows &= rows - 1) {
            const unsigned row = (unsigned)__builtin_ctz(rows);
            uint32_t set = mncore2_hazard_rules[row].overlap == OVERLAP_SET ? 0 : UINT32_MAX;
            for (uint64_t from = profile->takers->produce[row]; from; from &= from - 1)
                set |= profile->touch[__builtin_ctzll(from)].set;
            for (unsigned s = 0; s < L1B_PER_L2B; s++)
                if (set >> s & 1)
                    b->last[row][s] = (struct producer_node){(uint32_t)n, b->step};
        }
    }
}

/* Cycles until the last write of an expression has landed; 0: none lands later. */
static uint64_t landing(const struct builder *b, const struct expr *expr,
                        const struct effect *effect)
{
    uint64_t end = 0;
    for (size_t i = 0; i < effect->count; i++) {
        const struct access *access = &effect->access[i];
        const enum hazard_kind kind = mncore2_landing_kind((enum space)access->space, access->side,
                                                           expr && expr->insn == INSN_L2BMI);
        if (!access->write || !access->cycles || kind == KIND_COUNT ||
            (b->made->documented && kind == KIND_L2BM_STORE))
            continue;
        const uint64_t lands = mncore2_hazard_landing(b->made->lags.hazard, kind);
        const uint64_t last = 32 - (unsigned)__builtin_clz(access->cycles);
        if (lands && lands + last > end)
            end = lands + last;
    }
    return end;
}

/* Of an expression whose statement came before: the profiles are kept once. */
static bool profiles_again(const struct builder *b, struct graph_part *part, unsigned group)
{
    const struct graph *graph = b->graph;
    const uint32_t first = b->first_node[b->program->items[part->item].stmt];
    for (size_t n = first; first != NONE_ID && n < graph->node_count; n++) {
        const struct graph_part *same = &b->made->lags.parts[n];
        if (same->item != b->made->lags.parts[first].item || same->item == part->item)
            return false;
        if (graph->nodes[n].part != group)
            continue;
        part->profile = same->profile;
        part->any_mask = same->any_mask;
        return true;
    }
    return false;
}

static int make_profiles(const struct builder *b, const struct effect *effect,
                         struct graph_part *part)
{
    struct effect sure = *effect;
    bool masked = false;
    for (size_t i = 0; i < sure.count; i++)
        if (sure.access[i].write && sure.access[i].entry) {
            sure.access[i].cycles = sure.access[i].entry = 0;
            masked = true;
        }
    if (mncore2_hazard_profile_step(b->made->lags.hazard, &sure, &part->profile) != 0)
        return -1;
    part->any_mask = part->profile;
    return masked ? mncore2_hazard_profile_step(b->made->lags.hazard, effect, &part->any_mask) : 0;
}

static void add_expr(struct builder *b, size_t item, unsigned group, const struct effect *whole,
                     bool joined)
{
    const struct step *step = b->program->stmts[b->program->items[item].stmt].step;
    const struct expr *expr = step_expr(step, group);
    struct effect effect;
    effect_of(expr, whole, &effect);
    struct graph_part part = {.expr = expr, .item = (uint32_t)item, .kind = STMT_STEP};
    if (!profiles_again(b, &part, group) && make_profiles(b, &effect, &part) != 0)
        b->graph->status = -1;
    struct graph_node *node = new_node(b, &part);
    if (!node)
        return;
    uint32_t *first = &b->first_node[b->program->items[item].stmt];
    if (*first == NONE_ID)
        *first = (uint32_t)b->graph->node_count - 1;
    node->part = (uint16_t)group;
    node->joined = joined;
    node->issue = CYCLES;
    node->length = CYCLES + b->close;
    const uint64_t landed = landing(b, expr, &effect);
    if (landed > node->length) {
        node->settle = landed - node->length;
        node->length = landed;
    }
    for (size_t i = 0; i < effect.count; i++) {
        const struct access *access = &effect.access[i];
        put_access(b, access);
        for (unsigned lm = 0; lm < 2; lm++)
            if (b->based[lm] && access->space == SPACE_LM0 + lm && access->cycles)
                put(b, (struct graph_span){.space = (uint16_t)(SPACE_BAR0 + lm)}, 0, 1);
    }
    mncore2_graph_claims(b->graph, &b->seen, group, expr);
    port_arcs(b, part.profile);
}

/* A wait: transfers with the tag are over, and those that end before them. */
static void wait_tag(struct builder *b, size_t item, unsigned tag)
{
    const struct program *program = b->program;
    const struct mv *open[OPEN];
    bool over[OPEN] = {false};
    for (unsigned i = 0; i < b->open_count; i++) {
        open[i] = program->stmts[program->items[b->made->lags.parts[b->open[i]].item].stmt].mv;
        for (unsigned k = 0; open[i]->tag == tag && k <= i; k++)
            over[k] |= k == i || mncore2_mv_ends_before(open[k], open[i]);
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < b->open_count; i++)
        if (over[i])
            b->graph->nodes[b->open[i]].waited = (uint32_t)item;
        else
            b->open[kept++] = b->open[i];
    b->open_count = kept;
}

static void add_step(struct builder *b, size_t item, const struct step *step)
{
    struct effect whole;
    if (step->wait)
        wait_tag(b, item, step->wait);
    if (step->nops)
        return;
    mncore2_effect_of_step(step, &whole);
    const size_t first = b->graph->node_count;
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        if (step_expr(step, group) || (group == GROUP_L2BMDARW && step->darw))
            add_expr(b, item, group, &whole, b->graph->node_count > first);
    produce(b, first);
    b->step++;
}

/* --- transfers -------------------------------------------------------------------------------- */

static void put_dar(struct builder *b, const struct mv *mv, const struct mv_operand *operand,
                    const struct region *region)
{
    const struct graph_span span = {.space = SPACE_DAR, .set = region->set};
    if (operand->indirect)
        put(b, span, operand->addr % DAR_ENTRIES, mncore2_dar_entries(mv, region));
}

/* Each MV statement has a unit of the packed stream for itself (1.2). */
static void slot_arc(struct builder *b)
{
    const uint32_t node = (uint32_t)b->graph->node_count - 1, before = b->last_mv;
    b->last_mv = node;
    if (before != NONE_ID)
        graph_add_arc(b->graph, &(const struct graph_arc){
                                    .from = before, .to = node, .kind = ARC_PORT, .rule = "1.2"});
}

/* The node that was added last is a transfer in flight; the first without a tag is forgotten for
 * it, where it must be. */
static void watch(struct builder *b)
{
    const struct program *program = b->program;
    unsigned first = 0;
    while (first < b->open_count &&
           program->stmts[program->items[b->graph->nodes[b->open[first]].stmt].stmt].mv->tag)
        first++;
    if (b->open_count == OPEN) {
        first = first < OPEN ? first : 0;
        memmove(b->open + first, b->open + first + 1, (--b->open_count - first) * sizeof *b->open);
    }
    b->open[b->open_count++] = (uint32_t)b->graph->node_count - 1;
}

static void add_mv(struct builder *b, size_t item, const struct mv *mv)
{
    struct region region[2];
    struct plan plan;
    mncore2_effect_of_mv(mv, region);
    mncore2_model_plan(b->mv.numbers, mv, &plan);
    struct graph_part part = {.item = (uint32_t)item, .kind = STMT_MV, .over = NONE_ID};
    if (b->made->arrivals.count)
        part.over = (uint32_t)mncore2_arrivals_over(&b->made->arrivals, item);
    if (mncore2_hazard_profile_mv(b->made->lags.hazard, region, &part.profile) != 0)
        b->graph->status = -1;
    part.any_mask = part.profile;
    struct graph_node *node = new_node(b, &part);
    if (!node)
        return;
    node->transfer = true;
    node->issue = (uint32_t)b->close;
    node->length = mncore2_graph_length(&b->mv, &plan);
    if (node->length < b->close)
        node->length = b->close;
    node->release = (uint64_t)b->slots * CYCLES;
    mncore2_graph_uses(&b->mv, mv, &plan);
    for (unsigned i = 0; i < 2; i++) {
        const struct graph_span span = {.space = region[i].space,
                                        .write = region[i].write,
                                        .definite = !region[i].any,
                                        .set = region[i].set};
        put(b, span, region[i].addr, region[i].any ? UINT64_MAX : region[i].length);
        put_dar(b, mv, i ? &mv->to : &mv->from, &region[i]);
    }
    if (b->slots)
        slot_arc(b);
    watch(b);
}

/* --- outside the machine ---------------------------------------------------------------------- */

static uint64_t all_of(enum space space)
{
    switch (space) {
    case SPACE_L1BM:
        return (1 << L1B_PER_L2B) - 1;
    case SPACE_L2BM:
        return (1 << L2BS) - 1;
    case SPACE_PDM:
    case SPACE_DRAM:
    case SPACE_DAR:
        return (1 << GROUPS) - 1;
    default:
        return 0;
    }
}

static void add_debug(struct builder *b, size_t item, const struct stmt *stmt)
{
    const struct debug *debug = stmt->debug;
    const enum space space = mncore2_space_of(debug->mem);
    const struct graph_part part = {.item = (uint32_t)item, .kind = stmt->kind};
    struct graph_node *node = new_node(b, &part);
    if (!node)
        return;
    node->outside = true;
    const bool pe = space <= SPACE_GRF1;
    const bool block =
        space == SPACE_L1BM || space == SPACE_L2BM || space == SPACE_PDM || space == SPACE_DRAM;
    const uint64_t each = pe ? debug->words : debug->words > 2 ? 2 : 1;
    const bool based = space <= SPACE_LM1 && b->based[space]; /* it is read as if it were not */
    const bool known = !based && (pe || block) && debug->count < mncore2_space_size[space];
    const struct graph_span span = {
        .space = (uint16_t)space, .write = stmt->kind != STMT_GET, .set = all_of(space)};
    put(b, span, known ? debug->addr % mncore2_space_size[space] : 0,
        known ? debug->count * each : UINT64_MAX);
}

/* --- all -------------------------------------------------------------------------------------- */

/* What has to be known of the whole program before its first statement. */
static void look_ahead(struct builder *b)
{
    for (size_t i = 0; i < b->program->stmt_count; i++) {
        const struct stmt *stmt = &b->program->stmts[i];
        if (stmt->kind == STMT_SET) {
            b->based[0] |= stmt->debug->mem == MEM_BAR0;
            b->based[1] |= stmt->debug->mem == MEM_BAR1;
        }
        for (unsigned group = 0; stmt->kind == STMT_STEP && group < GROUP_COUNT; group++) {
            const struct expr *expr = step_expr(stmt->step, group);
            for (unsigned k = 0; expr && k < expr->out_count; k++) {
                const struct operand *out = expr_out(expr, k);
                b->based[0] |= out->mem == MEM_BAR0;
                b->based[1] |= out->mem == MEM_BAR1;
                if (out->mem == MEM_LM0 || out->mem == MEM_LM1)
                    mncore2_graph_see(&b->seen, out);
            }
        }
    }
}

static void add_item(struct builder *b, size_t item)
{
    const struct stmt *stmt = &b->program->stmts[b->program->items[item].stmt];
    switch ((enum stmt_kind)stmt->kind) {
    case STMT_STEP:
        add_step(b, item, stmt->step);
        break;
    case STMT_MV:
        add_mv(b, item, stmt->mv);
        break;
    case STMT_MVNOP:
        break;
    case STMT_GET:
    case STMT_SET:
    case STMT_PRESET:
        add_debug(b, item, stmt);
        break;
    }
}

static void add_units(struct builder *b)
{
    struct graph *graph = b->graph;
    for (uint32_t u = 0; u < UNIT_FIXED_COUNT; u++)
        graph_add_unit(graph, unit_names[u], u);
    for (unsigned e = 0; e < GRAPH_EXTRAS; e++)
        graph_add_unit(graph, extra_names[e], NONE_ID);
    for (unsigned way = 0; way < WAYS; way++)
        b->mv.way[way] = GRAPH_NONE;
    mncore2_graph_channels(&b->mv);
}

/* A packed stream consists of units of `slots` steps and at most one MV statement; without stalls
 * its length is a multiple of a unit. */
static void pack(struct builder *b)
{
    struct graph *graph = b->graph;
    bool transfers = false;
    for (uint32_t u = 0; b->slots && u < graph->unit_count; u++)
        if (u < MV_FIRST || (u >= UNIT_FIXED_COUNT && u < UNIT_FIXED_COUNT + GRAPH_EXTRAS)) {
            graph->units[u].frame = b->mv.slot;
            graph->units[u].frame_uses = u == b->mv.slot_unit ? 1 : b->slots;
        }
    for (size_t i = 0; i < b->program->stmt_count; i++)
        transfers |= b->program->stmts[i].kind == STMT_MV;
    if (b->slots && !b->stalls && !transfers && !b->mv.numbers->supply)
        graph->whole = b->mv.slot;
}

static int build(struct builder *b, char error[MACHINE_ERROR])
{
    struct graph *graph = b->graph;
    add_units(b);
    pack(b);
    look_ahead(b);
    b->last_mv = NONE_ID;
    for (unsigned row = 0; row < HAZARD_COUNT; row++)
        for (unsigned s = 0; s < L1B_PER_L2B; s++)
            b->last[row][s].node = NONE_ID;
    for (size_t i = 0; i < b->program->item_count && graph->status == 0; i++) {
        add_item(b, i);
        if (graph->limit && graph->node_count > graph->limit) {
            snprintf(error, MACHINE_ERROR,
                     "the program has more than %zu expressions and transfers" GRAPH_LIMIT,
                     graph->limit);
            graph->status = 1;
        }
    }
    const int status = graph_link(graph, &b->made->spans, mncore2_graph_lag, &b->made->lags);
    if (!b->made->places) /* to move nodes needs them, too */
        graph_spans_free(&b->made->spans);
    return status == 0 ? mncore2_graph_any(graph, &b->made->lags, UNIT_FIXED_COUNT) : status;
}

/* A wait that never ends leaves nothing to be said of what follows it. */
static int refuse_endless(const struct run_setup *setup, char error[MACHINE_ERROR])
{
    const struct program *program = &setup->program->program;
    const size_t item = mncore2_endless_wait(program, setup->options->settings);
    if (item == program->item_count)
        return 0;
    snprintf(error, MACHINE_ERROR,
             "line %u waits for tag i%02x, which no MV statement before carries, so that the "
             "program never ends",
             program->items[item].line, program->stmts[program->items[item].stmt].step->wait);
    return 1;
}

int mncore2_graph_make(struct graph_made *made, const struct run_setup *setup,
                       char error[MACHINE_ERROR])
{
    const struct machine_program *program = setup->program;
    const struct config *config = setup->config;
    const struct machine_setting *settings = setup->options->settings;
    static const unsigned slots[PACKING_COUNT] = {0, 3, 2};
    const size_t limit = made->graph.limit;
    enum packing packing;
    struct model model;
    made->graph = (struct graph){.quantum = CYCLES, .spaces = mncore2_space_name, .limit = limit};
    if (mncore2_packing_choose(&program->program, machine_setting(settings, "packing"), &packing) !=
        0) {
        snprintf(error, MACHINE_ERROR, "packing must be none, auto or flat");
        return 1;
    }
    int status = refuse_endless(setup, error);
    if (status == 0)
        status = mncore2_arrivals_of(&made->arrivals, setup, error);
    if (status == 0)
        status = mncore2_model_init(&model, config, error, MACHINE_ERROR);
    if (status != 0)
        return status;
    struct graph_lags *lags = &made->lags;
    struct builder *b = calloc(1, sizeof *b);
    lags->now = &made->now;
    lags->hazard = mncore2_hazard_new(config, made->documented);
    lags->window = lags->hazard ? mncore2_hazard_window_new(lags->hazard) : NULL;
    status = -1;
    if (b)
        b->first_node = malloc((program->program.stmt_count + 1) * sizeof *b->first_node);
    if (b && b->first_node && lags->window) {
        memset(b->first_node, 0xff, program->program.stmt_count * sizeof *b->first_node);
        b->program = &program->program;
        b->graph = &made->graph;
        b->made = made;
        b->mv.numbers = made->documented ? &model.documented : &model.estimate;
        b->mv.graph = &made->graph;
        b->mv.accounted = !made->documented;
        b->stalls = mncore2_stalls(settings);
        b->mv.slot_unit = UNIT_FIXED_COUNT + GRAPH_SLOT;
        b->slots = slots[packing];
        b->close = b->mv.numbers->slot_cycles[packing];
        lags->slot = b->mv.slot = b->slots * CYCLES + b->close;
        status = build(b, error);
    }
    if (b)
        free(b->first_node);
    free(b);
    mncore2_model_free(&model);
    return status;
}

void mncore2_graph_free(struct graph_made *made)
{
    graph_free(&made->graph);
    mncore2_hazard_window_free(made->lags.window);
    mncore2_hazard_free(made->lags.hazard);
    mncore2_arrivals_free(&made->arrivals);
    free(made->lags.parts);
    graph_spans_free(&made->spans);
}

int mncore2_graph(const struct run_setup *setup, struct graph *graph, char error[MACHINE_ERROR])
{
    struct graph_made made = {.documented = setup->options->documented,
                              .graph.limit = graph->limit};
    const int status = mncore2_graph_make(&made, setup, error);
    *graph = made.graph;
    made.graph = (struct graph){.nodes = NULL};
    mncore2_graph_free(&made);
    return status;
}
