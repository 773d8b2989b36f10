/*
 * list_schedule, schedule_exact: small random blocks against every placing of their nodes. Each
 * order that is given out keeps all that moves.h says; the list's is never shorter than the best
 * one, and the exact search finds the best one. Blocks are made from an order as one would write
 * it, so that there always is one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/schedule_exact.h"
#include "tests/dice.h"
#include "tests/often.h"

enum { MOST = 48, REACH = 3, LANES = 4, BRUTE = 6, UNIT = 2, LATENCY = 9 };

static struct dice dice;

static uint32_t pick(uint32_t limit)
{
    return (uint32_t)dice_below(&dice, limit);
}

/* --- a block ---------------------------------------------------------------------------------- */

struct sample {
    struct moves_block block;
    struct moves moves;
    uint32_t distance[MOST][MOST];
};

static uint32_t distance(void *context, uint32_t first, uint32_t second)
{
    return ((const struct sample *)context)->distance[first][second];
}

static bool together(void *context, const uint32_t *nodes, size_t count)
{
    const struct sample *s = context;
    uint32_t lanes = 0;
    for (size_t i = 0; i < count; i++) {
        if (lanes & s->block.nodes[nodes[i]].lanes)
            return false;
        lanes |= s->block.nodes[nodes[i]].lanes;
    }
    return true;
}

static void add_arc(struct sample *s, uint32_t from, uint32_t to, uint32_t slots, bool relay)
{
    const struct moves_arc arc = {.from = from, .to = to, .slots = slots, .relay = relay};
    assert_int_equal(moves_add_arc(&s->block, &arc), 0);
}

/* What node n depends on: nodes of the lines before, or those of its own that take no slot. */
static void add_arcs(struct sample *s, uint32_t n, uint32_t filled)
{
    const struct moves_node *nodes = s->block.nodes;
    for (uint32_t m = 0; m < n; m++) {
        if (nodes[n].kind == NODE_STEP && nodes[m].kind == NODE_STEP && nodes[m].line == filled &&
            !nodes[m].quiet && pick(3) == 0) {
            s->block.nodes[m].loud = true;
            add_arc(s, m, n, 1, true);
        } else if (nodes[m].line < nodes[n].line && pick(4) == 0) {
            /* What takes no slot stands in front of its own: behind a step it has the next. */
            const bool behind = nodes[m].kind != NODE_FREE && nodes[n].kind == NODE_FREE;
            add_arc(s, m, n, behind + pick(3 - behind), false);
        } else if (nodes[m].kind == NODE_FREE && nodes[n].kind == NODE_FREE) {
            add_arc(s, m, n, 0, false);
        }
    }
}

/* Whether a slot of line `line` puts out what a later one reads. */
static uint32_t last_loud_line(const struct sample *s, uint32_t line)
{
    uint32_t last = 0;
    for (uint32_t n = 0; n < s->block.node_count; n++) {
        const struct moves_node *node = &s->block.nodes[n];
        if (node->line < line && node->kind == NODE_STEP && !node->quiet)
            last = node->line;
    }
    return last;
}

struct shape {
    uint32_t most;
    bool relays, distances, transfers, alone; /* alone: a slot has one node */
};

/* A transfer, or what waits for those that it depends on. */
static void make_transfer(struct moves_node *node)
{
    if (node->kind == NODE_STEP && pick(8) == 0)
        node->kind = NODE_WAIT;
    node->transfer = node->kind == NODE_FREE && pick(4);
    node->latency = node->transfer ? 1 + pick(LATENCY) : 0;
}

/* The only one of its slot, which may be longer than others; it takes a unit for a while. */
static void make_alone(struct moves_node *node)
{
    node->kind = NODE_STEP;
    node->issue = 1 + pick(3);
    node->unit = pick(3);
    node->busy = node->unit ? 1 + pick(5) : 0;
}

static void make(struct sample *s, const struct shape *shape)
{
    const bool relays = shape->relays, distances = shape->distances;
    *s = (struct sample){.moves = {.slot_cycles = 1,
                                   .reach = REACH,
                                   .context = s,
                                   .unit_slots = shape->transfers ? UNIT : 0,
                                   .together = shape->alone ? NULL : together}};
    const uint32_t count = 2 + pick(shape->most - 1);
    uint32_t line = 0, used = 0;
    bool quiet = false;
    while (s->block.node_count < count) {
        struct moves_node node = {.kind = pick(6) ? NODE_STEP : NODE_FREE, .issue = 1};
        if (shape->transfers)
            make_transfer(&node);
        if (shape->alone)
            make_alone(&node);
        node.lanes = node.kind == NODE_STEP ? 1u << pick(LANES) : 0;
        if (line == 0 || shape->alone || node.kind != NODE_STEP || (used & node.lanes) || pick(2)) {
            line++; /* what takes no slot stands in front of a line */
            used = 0;
            quiet = relays && pick(4) == 0;
        }
        used |= node.kind == NODE_STEP ? node.lanes : UINT32_MAX;
        node.line = line;
        node.quiet = quiet && node.kind == NODE_STEP;
        assert_non_null(moves_add_node(&s->block, &node));
        add_arcs(s, (uint32_t)s->block.node_count - 1, relays ? last_loud_line(s, line) : 0);
    }
    for (uint32_t m = 0; distances && m < count; m++)
        for (uint32_t n = 0; n < count; n++)
            s->distance[m][n] =
                pick(4) || s->block.nodes[n].kind == NODE_WAIT ? 0 : pick(REACH + 1);
    s->moves.distance = distances ? distance : NULL;
    s->moves.blocks = &s->block;
    s->moves.block_count = 1;
}

static void unmake(struct sample *s)
{
    free(s->block.nodes);
    free(s->block.arcs);
}

/* --- what an order must keep ------------------------------------------------------------------ */

static bool relay_kept(const struct sample *s, const struct moves_arc *arc, const uint32_t *slot)
{
    for (uint32_t n = 0; n < s->block.node_count; n++)
        if (s->block.nodes[n].loud && slot[n] > slot[arc->from] && slot[n] < slot[arc->to])
            return false;
    return true;
}

static bool pair_kept(const struct sample *s, uint32_t m, uint32_t n, const uint32_t *slot)
{
    const struct moves_node *nodes = s->block.nodes;
    if (nodes[m].kind != NODE_STEP)
        return true;
    if (!s->moves.together && nodes[n].kind == NODE_STEP && slot[m] < slot[n] + nodes[n].issue &&
        slot[n] < slot[m] + nodes[m].issue)
        return false;
    if (nodes[m].unit && nodes[m].unit == nodes[n].unit && slot[m] <= slot[n] &&
        slot[n] - slot[m] < nodes[m].busy)
        return false;
    if (slot[m] < slot[n])
        return slot[n] - slot[m] >= s->distance[m][n];
    return nodes[n].kind != NODE_STEP || slot[m] != slot[n] ||
           (!(nodes[m].lanes & nodes[n].lanes) && !(nodes[m].loud && nodes[n].quiet) &&
            !(nodes[n].loud && nodes[m].quiet));
}

/* Between nodes below `count`. */
static bool kept(const struct sample *s, uint32_t count, const uint32_t *slot)
{
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t m = 0; m < n; m++)
            if (!pair_kept(s, m, n, slot) || !pair_kept(s, n, m, slot))
                return false;
    for (size_t a = 0; a < s->block.arc_count; a++) {
        const struct moves_arc *arc = &s->block.arcs[a];
        if (arc->to < count && slot[arc->to] < slot[arc->from] + arc->slots)
            return false;
        if (arc->relay && count == s->block.node_count && !relay_kept(s, arc, slot))
            return false;
    }
    return true;
}

static uint32_t length(const struct sample *s, const uint32_t *slot)
{
    uint32_t slots = 0;
    for (uint32_t n = 0; n < s->block.node_count; n++) {
        const struct moves_node *node = &s->block.nodes[n];
        const uint32_t end = slot[n] + (node->kind != NODE_FREE) * node->issue;
        slots = end > slots ? end : slots;
    }
    return slots;
}

/* The fewest slots of all placings of the nodes from n on, if fewer than `best`. */
static uint32_t brute(const struct sample *s, uint32_t n, uint32_t *slot, uint32_t best,
                      uint32_t *found)
{
    if (n == s->block.node_count && length(s, slot) < best) {
        memcpy(found, slot, n * sizeof *slot);
        return length(s, slot);
    }
    if (n < s->block.node_count)
        for (slot[n] = 0; slot[n] < best; slot[n]++)
            if (kept(s, n + 1, slot))
                best = brute(s, n + 1, slot, best, found);
    return best;
}

/* The order that the list holds: each node once, in the order of slots, all kept, and written quiet
 * where a relay waits. */
static void expect_order(const struct sample *s, const struct list *list)
{
    const uint32_t count = (uint32_t)s->block.node_count;
    uint32_t slot[MOST] = {0};
    uint64_t seen = 0;
    bool quiet[MOST];
    for (uint32_t i = 0; i < count; i++) {
        const struct moves_place *place = &list->places[i];
        assert_in_range(place->node, 0, count - 1);
        assert_false(seen >> place->node & 1);
        assert_true(i == 0 || list->places[i - 1].slot <= place->slot);
        seen |= UINT64_C(1) << place->node;
        slot[place->node] = place->slot;
        quiet[place->node] = place->quiet;
    }
    assert_true(kept(s, count, slot));
    assert_int_equal(length(s, slot), list->slots);
    for (uint32_t n = 0; n < count; n++) {
        if (s->block.nodes[n].kind != NODE_STEP)
            continue;
        assert_false(quiet[n] && s->block.nodes[n].loud);
        assert_true(quiet[n] || !s->block.nodes[n].quiet);
        for (size_t a = 0; a < s->block.arc_count; a++) {
            const struct moves_arc *arc = &s->block.arcs[a];
            if (arc->relay && slot[n] > slot[arc->from] && slot[n] < slot[arc->to])
                assert_true(quiet[n]);
        }
    }
}

/* Cycles: slot by slot, units one behind the other, until the last of them and all results are
 * there. */
static uint64_t cycles_of(const struct sample *s, const uint32_t *slot)
{
    const uint32_t unit = s->moves.unit_slots;
    uint64_t now = 0, end = 0;
    for (uint32_t at = 0; at < length(s, slot) || (unit && at % unit); at++) {
        for (uint32_t n = 0; n < s->block.node_count; n++)
            if (slot[n] == at && now + s->block.nodes[n].landed > end)
                end = now + s->block.nodes[n].landed;
        now += s->moves.slot_cycles;
        if (unit && at % unit == unit - 1)
            now += s->moves.unit_cycles - unit * s->moves.slot_cycles;
    }
    return now > end ? now : end;
}

static const struct exact_job job = {.most = 400000};

static uint64_t brute_cycles(const struct sample *s, uint32_t n, uint32_t *slot, uint64_t best)
{
    if (n == s->block.node_count)
        return cycles_of(s, slot) < best ? cycles_of(s, slot) : best;
    for (slot[n] = 0; slot[n] < best; slot[n]++)
        if (kept(s, n + 1, slot))
            best = brute_cycles(s, n + 1, slot, best);
    return best;
}

/* The same block with results that land later, and perhaps in units. */
static void with_landings(struct sample *s, struct list *list)
{
    uint32_t slot[MOST];
    for (uint32_t n = 0; n < s->block.node_count; n++)
        if (s->block.nodes[n].kind == NODE_STEP && pick(2))
            s->block.nodes[n].landed = 2 + pick(4);
    s->moves.unit_slots = (uint32_t[]){0, 2, 3}[pick(3)];
    s->moves.unit_cycles = s->moves.unit_slots + pick(2);
    for (uint32_t i = 0; i < s->block.node_count; i++)
        slot[list->places[i].node] = list->places[i].slot;
    uint64_t cycles = schedule_cycles(list);
    assert_int_equal(cycles, cycles_of(s, slot));
    const uint64_t best = brute_cycles(s, 0, slot, cycles);
    const int all = schedule_exact(list, &job, &cycles);
    expect_order(s, list);
    assert_int_equal(cycles, schedule_cycles(list));
    if (all == 1)
        assert_int_equal(cycles, best);
}

/* What is wrong, to be read. */
static void show(const struct sample *s, const uint32_t *slot)
{
    for (uint32_t n = 0; n < s->block.node_count; n++) {
        const struct moves_node *node = &s->block.nodes[n];
        print_error("%u: line %u%s%s%s lanes %x, best in slot %u;", n, node->line,
                    node->kind == NODE_FREE ? " free" : "", node->loud ? " loud" : "",
                    node->quiet ? " quiet" : "", node->lanes, slot[n]);
        for (size_t a = 0; a < s->block.arc_count; a++)
            if (s->block.arcs[a].to == n)
                print_error(" %u+%u%s", s->block.arcs[a].from, s->block.arcs[a].slots,
                            s->block.arcs[a].relay ? "r" : "");
        for (uint32_t m = 0; m < s->block.node_count; m++)
            if (s->distance[m][n])
                print_error(" d%u+%u", m, s->distance[m][n]);
        print_error("\n");
    }
}

static void against_all(uint64_t seed, bool relays, bool distances)
{
    const struct shape shape = {.most = BRUTE, .relays = relays, .distances = distances};
    size_t equal = 0, exact = 0;
    const size_t rounds = often(1500);
    for (size_t round = 0; round < rounds; round++) {
        struct sample s;
        struct list list;
        uint32_t slot[MOST], found[MOST];
        dice = (struct dice){seed + round * 1000};
        make(&s, &shape);
        assert_int_equal(list_open(&list, &s.moves, &s.block), 0);
        const uint32_t best = brute(&s, 0, slot, 24, found);
        assert_true(list_run(&list));
        expect_order(&s, &list);
        assert_true(list.slots >= best);
        equal += list.slots == best;
        uint64_t cycles = schedule_cycles(&list);
        const int all = schedule_exact(&list, &job, &cycles);
        expect_order(&s, &list);
        assert_true(list.slots >= best);
        exact += all == 1;
        if (all == 1 && list.slots != best) {
            show(&s, found);
            fail_msg("round %zu: %u slots are said to be the fewest, %u do", round, list.slots,
                     best);
        }
        with_landings(&s, &list);
        list_free(&list);
        unmake(&s);
    }
    print_message("%zu blocks: the list has the best order of %zu, all were searched for %zu\n",
                  rounds, equal, exact);
    assert_true(exact > rounds / 2);
}

static void plain(void **state)
{
    (void)state;
    against_all(1, false, false);
}

static void relays(void **state)
{
    (void)state;
    against_all(2, true, false);
}

static void distances(void **state)
{
    (void)state;
    against_all(3, false, true);
}

static void relays_and_distances(void **state)
{
    (void)state;
    against_all(4, true, true);
}

/* --- the stream's time ------------------------------------------------------------------------ */

enum { FEW = 5, LEAD = 2 };

/* Transfers of a way are complete in the order of `rank`; each of them `work` behind the others of
 * any set that began together, or later. */
static uint64_t done_of(const struct sample *s, uint32_t n, const uint64_t *issued,
                        const uint32_t *rank)
{
    const struct moves_node *nodes = s->block.nodes;
    uint64_t done = issued[n] + nodes[n].least;
    for (uint32_t first = 0; first < s->block.node_count; first++) {
        uint64_t work = 0;
        if (!nodes[first].transfer || nodes[first].way != nodes[n].way || !nodes[n].way ||
            issued[first] == UINT64_MAX || rank[first] > rank[n])
            continue;
        for (uint32_t m = 0; m < s->block.node_count; m++)
            if (nodes[m].transfer && nodes[m].way == nodes[n].way && issued[m] != UINT64_MAX &&
                rank[m] <= rank[n] && issued[m] >= issued[first])
                work += nodes[m].work;
        if (issued[first] + LEAD + work > done && issued[first] <= issued[n])
            done = issued[first] + LEAD + work;
    }
    return done;
}

/* A wait stands until all that it waits for is complete. */
static uint64_t wait_end(const struct sample *s, uint32_t n, const uint64_t *issued,
                         const uint32_t *rank)
{
    uint64_t end = 0;
    for (size_t a = 0; a < s->block.arc_count; a++) {
        const struct moves_arc *arc = &s->block.arcs[a];
        if (arc->to == n && s->block.nodes[arc->from].transfer &&
            done_of(s, arc->from, issued, rank) > end)
            end = done_of(s, arc->from, issued, rank);
    }
    return end;
}

/* Cycles of a placing, where what has the same slot goes by its number; UINT64_MAX: a slot has two
 * waits, or one is complete before one that has to be. */
static uint64_t stream_cycles(const struct sample *s, const uint32_t *slot, const uint32_t *rank)
{
    const uint32_t count = (uint32_t)s->block.node_count, unit = s->moves.unit_slots;
    const struct moves_node *nodes = s->block.nodes;
    uint64_t issued[MOST], now = 0, end = 0;
    uint32_t used = 0;
    memset(issued, 0xff, sizeof issued);
    for (uint32_t at = 0; at <= length(s, slot); at++) {
        for (uint32_t n = 0; n < count; n++) {
            if (slot[n] != at || !nodes[n].transfer)
                continue;
            now += unit - used;
            used = 0;
            for (uint32_t m = 0; m < count; m++)
                if (nodes[m].transfer && nodes[m].way == nodes[n].way && nodes[n].way &&
                    issued[m] != UINT64_MAX && rank[m] > rank[n] &&
                    done_of(s, m, issued, rank) <= now)
                    return UINT64_MAX;
            issued[n] = now;
        }
        if (at == length(s, slot))
            break;
        uint32_t waits = 0;
        used = used == unit ? 1 : used + 1;
        for (uint32_t n = 0; n < count; n++)
            if (slot[n] == at && nodes[n].kind == NODE_WAIT && waits++ == 0 &&
                wait_end(s, n, issued, rank) > now)
                now = wait_end(s, n, issued, rank);
        if (waits > 1)
            return UINT64_MAX;
        now++;
    }
    now += used ? unit - used : 0;
    for (uint32_t n = 0; n < count; n++)
        if (nodes[n].transfer && done_of(s, n, issued, rank) > end)
            end = done_of(s, n, issued, rank);
    return now > end ? now : end;
}

/* The least cycles of all placings of the nodes from n on and all ranks. */
static uint64_t brute_stream(const struct sample *s, uint32_t n, uint32_t *slot, uint64_t best)
{
    static const uint32_t ranks[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    enum { SLOTS = 9 };
    for (slot[n] = 0; n < s->block.node_count && slot[n] < SLOTS; slot[n]++)
        if (kept(s, n + 1, slot))
            best = brute_stream(s, n + 1, slot, best);
    for (size_t r = 0; n == s->block.node_count && r < sizeof ranks / sizeof *ranks; r++) {
        uint32_t rank[MOST] = {0};
        for (uint32_t m = 0, t = 0; m < n; m++)
            if (s->block.nodes[m].transfer)
                rank[m] = ranks[r][t++];
        const uint64_t cycles = stream_cycles(s, slot, rank);
        best = cycles < best ? cycles : best;
    }
    return best;
}

static void streams(void **state)
{
    (void)state;
    const size_t rounds = often(400);
    size_t waited = 0;
    for (size_t round = 0; round < rounds; round++) {
        struct sample s;
        struct list list;
        uint32_t slot[MOST], transfers = 0;
        uint64_t cycles = UINT64_MAX;
        bool other = false;
        dice = (struct dice){80000 + round * 1000};
        make(&s, &(struct shape){.most = FEW, .transfers = true, .distances = pick(2)});
        for (uint32_t n = 0; n < s.block.node_count; n++) {
            struct moves_node *node = &s.block.nodes[n];
            node->work = 1 + pick(4);
            node->least = LEAD + node->work;
            node->way = node->transfer ? pick(2) : 0;
            transfers += node->transfer;
            waited += node->kind == NODE_WAIT;
            other |= node->kind == NODE_FREE && !node->transfer;
        }
        for (size_t a = 0; a < s.block.arc_count; a++) /* a wait stands in front of its slot */
            s.block.arcs[a].slots += s.block.nodes[s.block.arcs[a].to].kind == NODE_WAIT &&
                                     s.block.nodes[s.block.arcs[a].from].kind == NODE_STEP &&
                                     s.block.arcs[a].slots == 0;
        s.moves.unit_cycles = UNIT;
        assert_int_equal(list_open(&list, &s.moves, &s.block), 0);
        if (transfers <= 3 && !other) {
            assert_int_equal(schedule_exact(&list, &job, &cycles), 1);
            expect_order(&s, &list);
            const uint64_t best = brute_stream(&s, 0, slot, UINT64_MAX);
            if (cycles != best)
                show(&s, slot);
            assert_int_equal(cycles, best);
        }
        list_free(&list);
        unmake(&s);
    }
    assert_true(waited > rounds / 8);
}

/* Larger ones, with transfers and waits. */
static void keep(uint64_t seed, const struct shape *shape)
{
    size_t longer = 0, none = 0;
    const size_t rounds = often(1500);
    for (size_t round = 0; round < rounds; round++) {
        struct sample s;
        struct list list;
        dice = (struct dice){seed + round * 1000};
        make(&s, shape);
        assert_int_equal(list_open(&list, &s.moves, &s.block), 0);
        list.fill_units = pick(2);
        list.linger = pick(3);
        none += !list_run(&list);
        if (list.place_count == s.block.node_count) {
            expect_order(&s, &list);
            const uint32_t slots = list.slots;
            for (uint32_t n = 0; n < s.block.node_count; n++)
                list.priority[n] = pick(10);
            if (list_run(&list)) {
                expect_order(&s, &list);
                longer += list.slots > slots;
            }
        }
        list_free(&list);
        unmake(&s);
    }
    print_message("%zu blocks: no order for %zu; longer by any priorities: %zu\n", rounds, none,
                  longer);
    assert_true(longer > rounds / 4);
    assert_true(none < rounds / 20);
}

static void larger(void **state)
{
    (void)state;
    keep(5, &(struct shape){.most = MOST, .relays = true, .distances = true});
}

static void transfers(void **state)
{
    (void)state;
    keep(6, &(struct shape){.most = MOST, .transfers = true, .distances = true});
}

static void one_by_one(void **state)
{
    (void)state;
    keep(7, &(struct shape){.most = MOST, .alone = true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),      cmocka_unit_test(relays),
        cmocka_unit_test(distances),  cmocka_unit_test(relays_and_distances),
        cmocka_unit_test(larger),     cmocka_unit_test(transfers),
        cmocka_unit_test(one_by_one), cmocka_unit_test(streams),
    };
    return cmocka_run_group_tests_name("list_schedule", tests, NULL, NULL);
}
