/*
 * graph: the nodes of an MN-Core 2 program (timing/graph.h): one for each expression of a step, one
 * for each MV statement. d get, d set and r lines stand outside.
 *
 * What expressions of one step may do, and the least distance of two, come from 3.6.3 (hazard.h)
 * and 3.6.4. A write under a variable mask may turn out to write nothing, so that it only counts
 * for the rules that hold whatever is written. Once a base address register has been written, no
 * dependence through its LM is certain; an access on one side of that write stays there.
 */
#include "timing/graph.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/mncore2/check_race.h"
#include "timing/mncore2/graph_lag.h"
#include "timing/mncore2/graph_mv.h"
#include "timing/mncore2/run.h"

/* Units that only a step has: one expression of the group in each. */
enum { EXTRA_L2BM, EXTRA_L1BM, EXTRA_TURN, EXTRA_SLOT, EXTRAS };
static const char *const extra_names[EXTRAS] = {[EXTRA_L2BM] = "l2bm",
                                                [EXTRA_L1BM] = "l1bm",
                                                [EXTRA_TURN] = "l1bm.turn",
                                                [EXTRA_SLOT] = "mv.slot"};
static const char *const unit_names[UNIT_FIXED_COUNT] = {
#define UNIT(id, name, path, kind, instances, width) [UNIT_##id] = name,
#include "timing/mncore2/unit.def"
};

enum { SEEN = 1 << 16, OPEN = 64 /* transfers in flight that are watched */ };

/* The last node that produced a kind of hazard, and the step that it stood in. */
struct producer_node {
    uint32_t node;
    size_t step;
};

struct builder {
    const struct program *program;
    struct graph *graph;
    struct graph_spans spans;
    struct graph_lags lags;
    size_t part_capacity;
    struct graph_mv mv;
    unsigned slots;         /* PE slots of a unit of the packed stream; 0: it is not packed */
    uint64_t close;         /* cycles of the MV slot behind them */
    bool stalls;            /* steps may be kept back by more than what is written */
    bool based[2];          /* LM0, LM1: a base address register is written somewhere */
    uint8_t seen[SEEN / 8]; /* places that a port has been claimed for, by hash */
    uint32_t open[OPEN];    /* nodes of transfers that nothing has waited for */
    unsigned open_count;
    struct producer_node last[HAZARD_COUNT][L1B_PER_L2B];
    size_t step;      /* steps before, without nops */
    uint32_t last_mv; /* node; NONE_ID: none */
};

/* --- spans ------------------------------------------------------------------------------------ */

/* A span, in two pieces where it reaches over the memory's end. */
static int put(struct builder *b, struct graph_span span, uint64_t first, uint64_t length)
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
    int status = graph_add_span(&b->spans, &span);
    if (status == 0 && here < length) {
        span.first = 0;
        span.count = length - here;
        status = graph_add_span(&b->spans, &span);
    }
    return status;
}

static bool is_definite(const struct builder *b, const struct access *access)
{
    if (access->space == SPACE_MASK && access->write)
        return true; /* where its mask is 0, 0 is written (3.6.2) */
    if ((access->space == SPACE_LM0 && b->based[0]) || (access->space == SPACE_LM1 && b->based[1]))
        return false;
    return !access->entry && !access->any && !(access->operand && access->operand->j >= 0);
}

static int put_access(struct builder *b, const struct access *access)
{
    const struct graph_span span = {.space = access->space,
                                    .write = access->write,
                                    .definite = is_definite(b, access),
                                    .latch =
                                        access->space == SPACE_FWD || access->space == SPACE_LBI,
                                    .set = access->set};
    if (access->any)
        return put(b, span, 0, UINT64_MAX);
    const bool all = !access->write || access->space == SPACE_MASK;
    uint64_t first = 0, length = 0; /* cycles that continue each other are joined */
    int status = 0;
    for (unsigned i = 0; i < CYCLES && status == 0; i++) {
        if (!all && !(access->cycles >> i & 1))
            continue;
        if (length && access->addr[i] == first && length == access->length)
            continue;
        if (length && access->addr[i] == first + length) {
            length += access->length;
            continue;
        }
        if (length)
            status = put(b, span, first, length);
        first = access->addr[i];
        length = access->length;
    }
    return status == 0 && length ? put(b, span, first, length) : status;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static struct graph_node *new_node(struct builder *b, const struct graph_part *part)
{
    struct graph_part *parts =
        grow(b->lags.parts, &b->part_capacity, b->graph->node_count + 1, sizeof *parts);
    if (!parts)
        return NULL;
    b->lags.parts = parts;
    parts[b->graph->node_count] = *part;
    struct graph_node *node = graph_add_node(b->graph);
    if (node)
        node->stmt = (uint32_t)part->item;
    return node;
}

static int claim(struct builder *b, uint32_t unit, bool placed)
{
    struct graph *graph = b->graph;
    const struct graph_node *node = &graph->nodes[graph->node_count - 1];
    for (size_t u = node->use; u < graph->use_count; u++)
        if (graph->uses[u].unit == unit)
            return 0;
    return graph_add_use(
        graph, &(const struct graph_use){.unit = unit, .placed = placed, .cycles = CYCLES});
}

static uint32_t region_hash(const struct operand *operand)
{
    uint32_t hash = 2166136261u;
    const uint32_t words[] = {operand->mem,        operand->words,   operand->flags & OPERAND_T,
                              (uint8_t)operand->j, operand->addr[0], operand->addr[1],
                              operand->addr[2],    operand->addr[3]};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = (hash ^ words[i]) * 16777619u;
    return (hash ^ hash >> 16) % SEEN;
}

/* Whether a region may have been seen before. */
static bool see(struct builder *b, const struct operand *operand)
{
    const uint32_t hash = region_hash(operand);
    const bool before = b->seen[hash / 8] >> hash % 8 & 1;
    b->seen[hash / 8] |= (uint8_t)(1 << hash % 8);
    return before;
}

static uint32_t write_port(uint8_t mem)
{
    switch (mem) {
    case MEM_LM0:
        return UNIT_LM0;
    case MEM_LM1:
        return UNIT_LM1;
    case MEM_GRF0:
        return UNIT_GRF0W;
    case MEM_GRF1:
        return UNIT_GRF1W;
    case MEM_T:
        return UNIT_TW;
    case MEM_X:
        return UNIT_MATX;
    case MEM_Y:
        return UNIT_MATY;
    default:
        return NONE_ID;
    }
}

static uint32_t read_port(uint8_t mem)
{
    return mem == MEM_GRF0 ? UNIT_GRF0R : mem == MEM_GRF1 ? UNIT_GRF1R : write_port(mem);
}

static uint32_t group_unit(unsigned group)
{
    switch (group) {
    case GROUP_ALU:
        return UNIT_ALU;
    case GROUP_MAU_CALC:
        return UNIT_MAU;
    case GROUP_L2BM:
        return UNIT_FIXED_COUNT + EXTRA_L2BM;
    case GROUP_L1BM:
        return UNIT_FIXED_COUNT + EXTRA_L1BM;
    case GROUP_L1BM_TURN:
        return UNIT_FIXED_COUNT + EXTRA_TURN;
    default:
        return NONE_ID;
    }
}

/* 3.6.4: one expression of a group, one write of a PE memory, one use of a plane in a step; reads
 * of one memory in a step are of one region, and of an LM its write's. */
static int claims(struct builder *b, unsigned group, const struct expr *expr)
{
    const uint32_t unit = group_unit(group);
    int status = unit == NONE_ID ? 0 : claim(b, unit, false);
    for (unsigned i = 0; expr && status == 0 && i < (unsigned)expr->in_count + expr->out_count;
         i++) {
        const struct operand *operand = &expr->in[i];
        const bool write = i >= expr->in_count;
        const bool plane = operand->mem == MEM_X || operand->mem == MEM_Y;
        const uint32_t port = write ? write_port(operand->mem) : read_port(operand->mem);
        if (port != NONE_ID && (write || plane || (operand->mem != MEM_T && !see(b, operand))))
            status = claim(b, port, true);
    }
    return status;
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
static int port_arcs(struct builder *b, const struct hazard_profile *profile)
{
    const uint32_t node = (uint32_t)b->graph->node_count - 1;
    int status = 0;
    for (uint32_t rows = profile ? profile->consumes : 0; rows && status == 0; rows &= rows - 1) {
        const unsigned row = (unsigned)__builtin_ctz(rows);
        const enum hazard_overlap overlap = mncore2_hazard_rules[row].overlap;
        if (overlap == OVERLAP_ADDRESS)
            continue;
        uint32_t set = 0, found = NONE_ID;
        for (uint64_t to = profile->takers->consume[row]; to; to &= to - 1)
            set |= profile->touch[__builtin_ctzll(to)].set;
        for (unsigned s = 0; s < L1B_PER_L2B && status == 0; s++) {
            const struct producer_node *last = &b->last[row][s];
            if (last->node == NONE_ID || last->node == found || last->step == b->step ||
                (overlap == OVERLAP_SET && !(set >> s & 1)) ||
                (b->step - last->step) * CYCLES >= b->lags.hazard->reach[row])
                continue;
            found = last->node;
            status = graph_add_arc(
                b->graph, &(const struct graph_arc){
                              .from = last->node, .to = node, .kind = ARC_PORT, .rule = ""});
        }
    }
    return status;
}

/* The nodes [first, end) of a step are the last producers of what they produce. */
static void produce(struct builder *b, size_t first)
{
    for (size_t n = first; n < b->graph->node_count; n++) {
        const struct hazard_profile *profile = b->lags.parts[n].profile;
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

static int add_expr(struct builder *b, size_t item, unsigned group, const struct effect *whole,
                    bool joined)
{
    const struct step *step = b->program->stmts[b->program->items[item].stmt].step;
    const struct expr *expr = step_expr(step, group);
    struct effect effect;
    effect_of(expr, whole, &effect);
    struct graph_part part = {.expr = expr, .item = item, .kind = STMT_STEP};
    struct effect sure = effect;
    for (size_t i = 0; i < sure.count; i++)
        if (sure.access[i].write && sure.access[i].entry)
            sure.access[i].cycles = sure.access[i].entry = 0;
    if (mncore2_hazard_profile_step(b->lags.hazard, &sure, &part.profile) != 0)
        return -1;
    struct graph_node *node = new_node(b, &part);
    if (!node)
        return -1;
    node->part = group;
    node->joined = joined;
    node->issue = CYCLES;
    node->length = CYCLES + b->close;
    int status = 0;
    for (size_t i = 0; i < effect.count && status == 0; i++) {
        const struct access *access = &effect.access[i];
        status = put_access(b, access);
        for (unsigned lm = 0; lm < 2 && status == 0; lm++)
            if (b->based[lm] && access->space == SPACE_LM0 + lm)
                status = put(b, (struct graph_span){.space = (uint16_t)(SPACE_BAR0 + lm)}, 0, 1);
    }
    if (status == 0)
        status = claims(b, group, expr);
    return status == 0 ? port_arcs(b, part.profile) : status;
}

/* A wait: transfers with the tag are over, and those that end before them. */
static void wait_tag(struct builder *b, size_t item, unsigned tag)
{
    const struct program *program = b->program;
    const struct mv *open[OPEN];
    bool over[OPEN] = {false};
    for (unsigned i = 0; i < b->open_count; i++) {
        open[i] = program->stmts[program->items[b->lags.parts[b->open[i]].item].stmt].mv;
        for (unsigned k = 0; open[i]->tag == tag && k <= i; k++)
            over[k] |= k == i || mncore2_mv_ends_before(open[k], open[i]);
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < b->open_count; i++)
        if (over[i])
            b->lags.parts[b->open[i]].waited = item;
        else
            b->open[kept++] = b->open[i];
    b->open_count = kept;
}

static int add_step(struct builder *b, size_t item, const struct step *step)
{
    struct effect whole;
    if (step->wait)
        wait_tag(b, item, step->wait);
    if (step->nops)
        return 0;
    mncore2_effect_of_step(step, &whole);
    const size_t first = b->graph->node_count;
    int status = 0;
    for (unsigned group = 0; group < GROUP_COUNT && status == 0; group++)
        if (step_expr(step, group) || (group == GROUP_L2BMDARW && step->darw))
            status = add_expr(b, item, group, &whole, b->graph->node_count > first);
    produce(b, first);
    b->step++;
    return status;
}

/* --- transfers -------------------------------------------------------------------------------- */

static int put_dar(struct builder *b, const struct mv *mv, const struct mv_operand *operand,
                   const struct region *region)
{
    const struct graph_span span = {.space = SPACE_DAR, .set = region->set};
    return operand->indirect
               ? put(b, span, operand->addr % DAR_ENTRIES, mncore2_check_dar_entries(mv, region))
               : 0;
}

/* Each MV statement has a unit of the packed stream for itself (1.2). */
static int slot_arc(struct builder *b)
{
    const uint32_t node = (uint32_t)b->graph->node_count - 1, before = b->last_mv;
    b->last_mv = node;
    return before == NONE_ID
               ? 0
               : graph_add_arc(b->graph,
                               &(const struct graph_arc){
                                   .from = before, .to = node, .kind = ARC_PORT, .rule = "1.2"});
}

static int add_mv(struct builder *b, size_t item, const struct mv *mv)
{
    struct region region[2];
    struct plan plan;
    mncore2_effect_of_mv(mv, region);
    mncore2_model_plan(b->mv.numbers, mv, &plan);
    struct graph_part part = {.item = item, .kind = STMT_MV, .waited = SIZE_MAX};
    if (mncore2_hazard_profile_mv(b->lags.hazard, region, &part.profile) != 0)
        return -1;
    struct graph_node *node = new_node(b, &part);
    if (!node)
        return -1;
    node->transfer = true;
    node->issue = (uint32_t)b->close;
    node->length = mncore2_graph_length(&b->mv, &plan);
    if (node->length < b->close)
        node->length = b->close;
    node->release = (uint64_t)b->slots * CYCLES;
    int status = mncore2_graph_uses(&b->mv, mv, &plan);
    for (unsigned i = 0; i < 2 && status == 0; i++) {
        const struct graph_span span = {.space = region[i].space,
                                        .write = region[i].write,
                                        .definite = !region[i].any,
                                        .set = region[i].set};
        status = put(b, span, region[i].addr, region[i].any ? UINT64_MAX : region[i].length);
        if (status == 0)
            status = put_dar(b, mv, i ? &mv->to : &mv->from, &region[i]);
    }
    if (status == 0 && b->slots)
        status = slot_arc(b);
    if (b->open_count == OPEN)
        memmove(b->open, b->open + 1, --b->open_count * sizeof *b->open);
    b->open[b->open_count++] = (uint32_t)b->graph->node_count - 1;
    return status;
}

/* --- what stands outside ---------------------------------------------------------------------- */

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

static int add_debug(struct builder *b, size_t item, const struct stmt *stmt)
{
    const struct debug *debug = stmt->debug;
    const enum space space = mncore2_space_of(debug->mem);
    const struct graph_part part = {.item = item, .kind = stmt->kind};
    struct graph_node *node = new_node(b, &part);
    if (!node)
        return -1;
    node->outside = true;
    const bool pe = space <= SPACE_GRF1;
    const bool block =
        space == SPACE_L1BM || space == SPACE_L2BM || space == SPACE_PDM || space == SPACE_DRAM;
    const uint64_t each = pe ? debug->words : debug->words > 2 ? 2 : 1;
    const bool known = (pe || block) && debug->count < mncore2_space_size[space];
    const struct graph_span span = {
        .space = (uint16_t)space, .write = stmt->kind != STMT_GET, .set = all_of(space)};
    return put(b, span, known ? debug->addr % mncore2_space_size[space] : 0,
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
                    see(b, out);
            }
        }
    }
}

static int add_item(struct builder *b, size_t item)
{
    const struct stmt *stmt = &b->program->stmts[b->program->items[item].stmt];
    switch ((enum stmt_kind)stmt->kind) {
    case STMT_STEP:
        return add_step(b, item, stmt->step);
    case STMT_MV:
        return add_mv(b, item, stmt->mv);
    case STMT_MVNOP:
        return 0;
    case STMT_GET:
    case STMT_SET:
    case STMT_PRESET:
        return add_debug(b, item, stmt);
    }
    return 0;
}

static int add_units(struct builder *b)
{
    struct graph *graph = b->graph;
    int status = 0;
    for (uint32_t u = 0; u < UNIT_FIXED_COUNT && status == 0; u++)
        status = graph_add_unit(graph, unit_names[u], u);
    for (unsigned e = 0; e < EXTRAS && status == 0; e++)
        status = graph_add_unit(graph, extra_names[e], NONE_ID);
    for (unsigned way = 0; way < WAYS; way++)
        b->mv.way[way] = GRAPH_NONE;
    return status == 0 ? mncore2_graph_channels(&b->mv) : status;
}

/* A packed stream is whole units, each with as many steps and one MV statement at most. Where it
 * never stands still, it ends with a unit, too. */
static void pack(struct builder *b)
{
    struct graph *graph = b->graph;
    bool transfers = false;
    for (uint32_t u = 0; b->slots && u < graph->unit_count; u++)
        if (u < MV_FIRST || (u >= UNIT_FIXED_COUNT && u < UNIT_FIXED_COUNT + EXTRAS)) {
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
    if (add_units(b) != 0)
        return -1;
    pack(b);
    look_ahead(b);
    b->last_mv = NONE_ID;
    for (unsigned row = 0; row < HAZARD_COUNT; row++)
        for (unsigned s = 0; s < L1B_PER_L2B; s++)
            b->last[row][s].node = NONE_ID;
    for (size_t i = 0; i < b->program->item_count; i++) {
        if (add_item(b, i) != 0)
            return -1;
        if (graph->limit && graph->node_count > graph->limit) {
            snprintf(error, MACHINE_ERROR,
                     "the program has more than %zu expressions and transfers", graph->limit);
            return 1;
        }
    }
    return graph_link(graph, &b->spans, mncore2_graph_lag, &b->lags);
}

int mncore2_graph(const struct machine_program *program, const struct config *config,
                  const struct machine_setting *settings, bool documented, struct graph *graph,
                  char error[MACHINE_ERROR])
{
    static const unsigned slots[PACKING_COUNT] = {0, 3, 2};
    enum packing packing;
    struct model model;
    if (mncore2_packing_choose(&program->program, machine_setting(settings, "packing"), &packing) !=
        0) {
        snprintf(error, MACHINE_ERROR, "packing must be none, auto or flat");
        return 1;
    }
    int status = mncore2_model_init(&model, config, error, MACHINE_ERROR);
    if (status != 0)
        return status;
    graph->quantum = CYCLES;
    graph->spaces = mncore2_space_name;
    struct builder *b = calloc(1, sizeof *b);
    uint64_t now = 0;
    status = -1;
    if (b) {
        b->program = &program->program;
        b->graph = graph;
        b->mv.numbers = documented ? &model.documented : &model.estimate;
        b->mv.graph = graph;
        b->mv.accounted = !documented;
        b->stalls = mncore2_stalls(settings);
        b->mv.slot_unit = UNIT_FIXED_COUNT + EXTRA_SLOT;
        b->slots = slots[packing];
        b->close = b->mv.numbers->slot_cycles[packing];
        b->mv.slot = b->slots * CYCLES + b->close;
        b->lags.hazard = mncore2_hazard_new(config, documented);
        b->lags.window = b->lags.hazard ? mncore2_hazard_window_new(b->lags.hazard) : NULL;
        b->lags.now = &now;
        b->lags.slot = b->mv.slot;
        if (b->lags.window)
            status = build(b, error);
        mncore2_hazard_window_free(b->lags.window);
        mncore2_hazard_free(b->lags.hazard);
        free(b->spans.list);
        free(b->lags.parts);
    }
    free(b);
    mncore2_model_free(&model);
    return status;
}
