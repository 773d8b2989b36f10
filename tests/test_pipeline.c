/*
 * pipeline: loops whose interval was worked out by hand, all orders of small ones tried here, rings
 * of dependences counted one by one, and random loops, which tests/improved.h holds to what is
 * said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/dice.h"
#include "tests/improved.h"
#include "tests/often.h"
#include "timing/machines.h"

/* --- text of loops ---------------------------------------------------------------------------- */

/* A statement of a turn; in its text {a+b} is a plus b times the number of the turn, {a%b} a times
 * the number modulo b. */
static void put_statement(FILE *out, const char *text, unsigned turn)
{
    for (; *text; text++) {
        unsigned first, second;
        char kind;
        if (*text == '{' && sscanf(text, "{%u%c%u}", &first, &kind, &second) == 3) {
            fprintf(out, "%u", kind == '+' ? first + second * turn : first * (turn % second));
            text = strchr(text, '}');
        } else {
            fputc(*text, out);
        }
    }
}

/* A region `body` of some turns, between a head and a tail. */
static char *unrolled(const char *head, const char *turn, const char *tail, unsigned turns)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "%s# takt: begin body\n", head);
    for (unsigned t = 0; t < turns; t++)
        put_statement(out, turn, t);
    fprintf(out, "# takt: end\n%s", tail);
    fclose(out);
    return text;
}

/* --- by hand ---------------------------------------------------------------------------------- */

struct known {
    const char *why, *turn;
    uint64_t written, bound, waits, found, before, after;
    enum interval_limit limit;
    bool kept;
};

/* Eight turns without packing: 4 cycles a step. A GRF can be read two steps after it was written,
 * LM three; the last write has landed 6 cycles after its step (3.6.3.9). */
static const struct known known[] = {
    {"the ALU and the MAU have one statement each: one turn a step, the product two steps after the "
     "copy: 10 steps for 24",
     "lpassa $lm{0+8}v $lr{0+8}v\nnop\nfvmul $lr{0+8}v $lr{0+8}v $ls{0+8}v\n", 12, 4, 4, 4, 96 + 6,
     40 + 6, INTERVAL_UNIT, false},
    {"each sum needs the one before, two steps later: nothing to gain",
     "fvadd $lr0v $lm{0+8}v $lr0v\nnop\n", 8, 8, 8, 8, 64 + 2, 64 + 2, INTERVAL_CHAIN, true},
    {"each sum needs the last but one: a chain of two steps takes two turns, and the MAU has one "
     "statement a turn",
     "fvadd $lr{8%2}v $lm{0+8}v $lr{8%2}v\nnop\n", 8, 4, 4, 4, 64 + 2, 32 + 6, INTERVAL_UNIT,
     false},
    {"LM0 is written and read in each turn, and needs two empty steps to turn: 4 steps a turn",
     "lpassa $lr{0+8}v $lm{0+8}v\nnop/2\nlpassa $lm{256+8}v $ls{0+8}v\nnop/4\n", 32, 16, 16, 16,
     256, 128 + 6, INTERVAL_UNIT, false},
    {"three statements read three regions of GRF0 in a turn, two of them one after the other: three "
     "steps a turn, though no unit works for more than two; a turn takes 9 steps",
     "lpassa $lm{0+8}v $lr{0+8}v\nnop\nfvmul $lr{0+8}v $lr{0+8}v $ls{0+8}v\nnop\n"
     "fvadd $ls{0+8}v $lr{0+8}v $lr{64+8}v\nnop\nladd $lr{64+8}v $ls{0+8}v $ls{64+8}v\nnop\n",
     32, 12, 12, 12, 256 + 2, 4 * (7 * 3 + 8) + 6, INTERVAL_STEPS, false},
    {"what is forwarded is read in the next step: two of the ALU a turn, and the product beside the "
     "second of the next turn, two steps behind its own",
     "lpassa $lm{0+8}v $nowrite\nladd $aluf $ls0v $lr{0+8}v\nnop\n"
     "fvmul $lr{0+8}v $lr{0+8}v $ls{8+8}v\nnop\n",
     20, 8, 8, 8, 160 + 2, 4 * (7 * 2 + 4) + 6, INTERVAL_UNIT, false},
    {"each turn writes the same words of L1BM, one step after the turn before (3.6.4)",
     "l2bmd $lc{0+512} $lb0\nnop\n", 8, 4, 4, 4, 64 + 2, 32 + 6, INTERVAL_UNIT, false},
    {"64 long words: 16 cycles to start, 4, 16 until the wait ends, and the tag again a step later. "
     "Any order of other tags could have a transfer every 4 cycles",
     "mvp/n64i01 $p{0+64}@0 $lc{0+64}@0.0\nnop; wait i01\n", 40, 4, 40, 40, 320, 320,
     INTERVAL_CHAIN, true},
};

static void hand_derived(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i += often_long() ? 1 : 2) {
        const struct known *k = &known[i];
        char *text = unrolled("", k->turn, "", 8), error[MACHINE_ERROR];
        struct pipeline p;
        assert_true(improved_pipeline(&machine_mncore2, text, "none", "body", &p, error));
        const struct interval *bound = &p.intervals[INTERVAL_ANY_ORDER],
                              *waits = &p.intervals[INTERVAL_WAITS];
        const bool by_waits = k->waits > k->bound;
        if (p.turns.count != 8 || p.written.interval != k->written || bound->cycles != k->bound ||
            waits->cycles != k->waits || p.found.interval != k->found || p.before != k->before ||
            p.after != k->after || p.kept != k->kept || !p.optimal || p.same_waits != by_waits ||
            (!p.kept && 4 * (uint64_t)p.slots != k->found) ||
            (by_waits ? waits : bound)->limit != k->limit)
            fail_msg("%s: %u turns, every %llu cycles, at least %llu, %llu with these waits (limit "
                     "%d), found %llu; %llu -> %llu cycles, optimal %d\n%s",
                     k->why, p.turns.count, (unsigned long long)p.written.interval,
                     (unsigned long long)bound->cycles, (unsigned long long)waits->cycles,
                     (int)bound->limit, (unsigned long long)p.found.interval,
                     (unsigned long long)p.before, (unsigned long long)p.after, p.optimal,
                     p.text ? p.text : text);
        pipeline_free(&p);
        free(text);
    }
}

/* Turns that are 2, 3 and 4 steps of 4 cycles apart have no interval; on average they are 12. */
static void not_steady(void **state)
{
    (void)state;
    char *text = unrolled("", "fvadd $lr0v $lm{0+8}v $lr0v\nnop/{1+1}\n", "", 4);
    char error[MACHINE_ERROR];
    struct pipeline p;
    assert_true(improved_pipeline(&machine_mncore2, text, "none", "body", &p, error));
    assert_int_equal(p.turns.count, 4);
    assert_int_equal(p.written.steady, 0);
    assert_int_equal(p.written.interval, 12);
    pipeline_free(&p);
    free(text);
}

/* --- what is a loop, and what is not ---------------------------------------------------------- */

static void refused(const char *text, const char *region, const char *sentence)
{
    char error[MACHINE_ERROR];
    struct pipeline p;
    assert_false(improved_pipeline(&machine_mncore2, text, "none", region, &p, error));
    if (!strstr(error, sentence))
        fail_msg("'%s', not '%s'", error, sentence);
}

static void what_is_no_loop(void **state)
{
    (void)state;
    static const char twice[] = "# takt: begin a\n"
                                "lpassa $lm0v $lr0v\nnop/2\nfvmul $lr0v $lr0v $ls0v\n"
                                "lpassa $lm8v $lr8v\nnop\nfvmul $lr8v $lr8v $ls8v\n"
                                "lpassa $lm16v $lr16v\nnop\nfvadd $lr16v $lr16v $ls16v\n"
                                "# takt: end\n# takt: begin b\n# takt: end\n";
    refused(twice, "c", "no region 'c'; its regions: 'a', 'b'");
    refused(twice, "b", "region 'b' has no loop");
    refused(twice, "a",
            "lines 2 to 5 are equal up to numbers to lines 5 to 8, but line 10, 'fvadd $lr16v "
            "$lr16v $ls16v', differs from line 7, 'fvmul $lr8v $lr8v $ls8v'");
    refused("# takt: begin a\nlpassa $lm0v $lr0v\nnop/2\nfvmul $lr0v $lr0v $ls0v\n# takt: end\n",
            "a", "no two of its 2 statements are equal");
    refused("# takt: begin a\nlpassa $lm0v $lr0v\nlpassa $lm8v $lr8v\n# takt: end\n", "a",
            "where the region ends");
    refused("# takt: begin a\nlpassa $lm0v $lr0v\nlpassa $lm8v $lr8v\n# takt: end\n"
            "lpassa $ln8v $lr64v\n# takt: begin a\nlpassa $lm16v $lr16v\n# takt: end\n",
            "a", "line 5 is between two turns of 'a'");
}

/* What is before and after the loop keeps its order, its nops and its comments; the parts of a
 * region that is repeated are turns. */
static void what_is_around(void **state)
{
    (void)state;
    static const char head[] = "# first\nimm f\"1.5\" $ls0v\nnop/3 # kept\n",
                      tail[] = "lpassa $ls8v $lr128v # last\nnop/5\nlpassa $ls16v $lr136v\n",
                      turn[] = "lpassa $lm{0+8}v $lr{0+8}v # load\nnop/4\n"
                               "fvmul $lr{0+8}v $ls0v $ls{8+8}v\nnop\n# takt: end\n"
                               "# takt: begin body\n";
    char *text = unrolled(head, turn, tail, 6), error[MACHINE_ERROR];
    struct pipeline p;
    assert_true(improved_pipeline(&machine_mncore2, text, "none", "body", &p, error));
    assert_int_equal(p.turns.count, 6);
    assert_int_equal(p.found.interval, 4);
    assert_false(p.kept);
    const char *const pieces[] = {"# first\nimm",
                                  "# loop body: prologue\n",
                                  "lpassa $lm0v $lr0v  # 5: load\n",
                                  "# loop body: 4 steady turns\n",
                                  "fvmul $lr0v $ls0v $ls8v; lpassa $lm16v",
                                  "# loop body: epilogue\n",
                                  "# takt: end\n",
                                  "lpassa $ls8v $lr128v",
                                  "last\nnop/5\nlpassa $ls16v $lr136v"};
    const char *at = p.text;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        const char *found = strstr(at, pieces[i]);
        if (!found)
            fail_msg("'%s' is not there, or not in its place:\n%s", pieces[i], p.text);
        at = found;
    }
    pipeline_free(&p);
    free(text);
}

/* The best of a loop is the best of the loop that it has become: its kernel. */
static void again(void **state)
{
    (void)state;
    char *text = unrolled("", known[5].turn, "", 12), error[MACHINE_ERROR];
    struct pipeline p, q;
    assert_true(improved_pipeline(&machine_mncore2, text, "none", "body", &p, error));
    assert_true(improved_pipeline(&machine_mncore2, p.text, "none", "body", &q, error));
    assert_true(q.kept && q.optimal);
    assert_int_equal(q.found.interval, p.found.interval);
    pipeline_free(&q);
    pipeline_free(&p);
    free(text);
}

/* --- every order of small loops --------------------------------------------------------------- */

enum { STATEMENTS = 3, WIDEST = 8, TURNS = 10 };

/* Statements with operands of some kinds, so that they depend on each other within a turn, over
 * turns, by ports, or not. */
static void small_statement(struct dice *dice, char *text, size_t size)
{
    static const char *const insns[] = {"fvmul", "fvadd", "ladd", "land"};
    static const char *const firsts[] = {"$lr{0+8}v", "$lr{128+8}v", "$lr{8%2}v",
                                         "$lr240v",   "$lm{0+8}v",   "$ln{0+8}v"};
    static const char *const seconds[] = {"$ls{0+8}v", "$ls{128+8}v", "$ls{8%3}v", "$ls240v"};
    static const char *const memories[] = {"$lm{256+8}v", "$ln{256+8}v"};
    const uint64_t from = dice_below(dice, 6), to = dice_below(dice, 4);
    const char *const write = dice_below(dice, 3) == 0 ? firsts[to]
                              : from < 4 && to < 2     ? memories[to]
                                                       : seconds[to];
    snprintf(text, size, "%s %s %s %s", insns[dice_below(dice, 4)], firsts[from],
             seconds[dice_below(dice, 4)], write);
}

/* One order of all turns, as text: statement i of turn t in step at[i] + t * interval. */
static char *in_order(char texts[STATEMENTS][128], const unsigned *at, unsigned interval)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    unsigned last = 0;
    for (unsigned i = 0; i < STATEMENTS; i++)
        last = at[i] + (TURNS - 1) * interval > last ? at[i] + (TURNS - 1) * interval : last;
    fputs("# takt: begin body\n", out);
    for (unsigned step = 0; step <= last; step++) {
        const char *divider = "";
        for (unsigned i = 0; i < STATEMENTS; i++) {
            if (step < at[i] || (step - at[i]) % interval || (step - at[i]) / interval >= TURNS)
                continue;
            fputs(divider, out);
            put_statement(out, texts[i], (step - at[i]) / interval);
            divider = "; ";
        }
        fputs(*divider ? "\n" : "nop\n", out);
    }
    fputs("# takt: end\n", out);
    fclose(out);
    return text;
}

/* Whether any order with this interval is legal and keeps the values. */
static bool possible(struct original *original, char texts[STATEMENTS][128], unsigned interval)
{
    for (unsigned code = 0; code < WIDEST * WIDEST * WIDEST; code++) {
        const unsigned at[STATEMENTS] = {code % WIDEST, code / WIDEST % WIDEST,
                                         code / WIDEST / WIDEST};
        if (at[0] && at[1] && at[2])
            continue;
        char *text = in_order(texts, at, interval);
        const bool good = improved_same(original, text) != UINT64_MAX;
        free(text);
        if (good)
            return true;
    }
    return false;
}

/* No order goes below the bound. The search tries one order for each interval: it may miss one. */
static void small_loops(void **state)
{
    (void)state;
    struct dice dice = {7};
    unsigned shorter = 0, above = 0, missed = 0;
    for (size_t round = 0; round < often(8); round++) {
        char texts[STATEMENTS][128], turn[512], error[MACHINE_ERROR];
        for (unsigned i = 0; i < STATEMENTS; i++)
            small_statement(&dice, texts[i], sizeof texts[i]);
        snprintf(turn, sizeof turn, "%s\nnop/2\n%s\nnop/2\n%s\nnop/2\n", texts[0], texts[1],
                 texts[2]);
        char *text = unrolled("", turn, "", TURNS);
        struct pipeline p;
        assert_true(improved_pipeline(&machine_mncore2, text, "none", "body", &p, error));
        const uint64_t least = p.intervals[INTERVAL_ANY_ORDER].cycles / 4,
                       found = p.found.interval / 4;
        if (p.turns.lines == STATEMENTS) {
            struct original *original = improved_open(&machine_mncore2, text, "none");
            for (unsigned interval = 1; interval < found; interval++) {
                if (!(interval < least ? interval + 2 >= least : interval + 1 == found) ||
                    !possible(original, texts, interval))
                    continue;
                if (interval < least)
                    fail_msg("an interval of %u steps is possible, bound %llu, found %llu\n%s",
                             interval, (unsigned long long)least, (unsigned long long)found, turn);
                missed++;
            }
            improved_close(original);
            shorter += !p.kept;
            above += found > least;
        }
        pipeline_free(&p);
        free(text);
    }
    if (often_long())
        print_message("%u shorter, %u above their bounds, %u above the shortest\n", shorter, above,
                      missed);
    assert_true(shorter > 0);
    assert_true(missed <= shorter / 4);
}

/* --- random loops ----------------------------------------------------------------------------- */

static char *random_turn(struct dice *dice)
{
    static const char *const more[] = {
        "lpassa $lm{0+8}v $nowrite\nladd $aluf $ls248v $lr{64+8}v",
        "mvp/n64i01 $p{0+64}@0 $lc{0+64}@0.0\nnop; wait i01",
        "lpassa $lr{0+8}v $lm{256+8}v",
        "lpassa $ln{256+8}v $ls{64+8}v",
        ("lpassa $lr{64+8}v $nowrite\nnop\nfvmul $lm{0+8}v $ls0v $lr{128+8}v\n"
         "ladd $mauf $ls0v $ls{128+8}v"),
        "lpassa $lm{0+8}v $t",
        "fvadd $t $lr{0+8}v $ls{8%2}v"};
    char *text = NULL, statement[128];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const uint64_t count = 2 + dice_below(dice, 5);
    for (uint64_t i = 0; i < count; i++) {
        small_statement(dice, statement, sizeof statement);
        fprintf(out, "%s\nnop/%u\n", dice_below(dice, 3) ? statement : more[dice_below(dice, 7)],
                (unsigned)(2 + dice_below(dice, 3)));
    }
    fclose(out);
    return text;
}

static void random_loops(void **state)
{
    (void)state;
    static const char *const packings[] = {"none", NULL, "flat"};
    struct dice dice = {3};
    size_t shorter = 0, optimal = 0;
    for (size_t round = 0; round < often(80); round++) {
        char *turn = random_turn(&dice), error[MACHINE_ERROR];
        char *text = unrolled("imm f\"1.5\" $ls248v\nnop/2\n", turn, "lpassa $ls0v $lr200v\n",
                              (unsigned)(4 + dice_below(&dice, 9)));
        struct pipeline p;
        if (improved_pipeline(&machine_mncore2, text, packings[round % 3], "body", &p, error)) {
            shorter += !p.kept;
            optimal += p.optimal;
            pipeline_free(&p);
        }
        free(turn);
        free(text);
    }
    if (often_long())
        print_message("%zu shorter, %zu optimal\n", shorter, optimal);
    assert_true(shorter > 0 && optimal > 0);
}

/* --- rings of dependences --------------------------------------------------------------------- */

struct walk {
    const struct fold *fold;
    bool seen[8];
    uint32_t first;
    uint64_t lag, turns; /* of the ring with the most lag a turn */
};

static void walk(struct walk *w, uint32_t at, uint64_t lag, uint64_t turns)
{
    w->seen[at] = true;
    for (size_t a = 0; a < w->fold->count; a++) {
        const struct fold_arc *arc = &w->fold->arcs[a];
        const uint64_t more = lag + arc->least, later = turns + arc->turns;
        if (!arc->every || arc->from != at)
            continue;
        if (arc->to == w->first && (!w->turns || more * w->turns > w->lag * later)) {
            w->lag = more;
            w->turns = later;
        }
        if (arc->to > w->first && !w->seen[arc->to])
            walk(w, arc->to, more, later);
    }
    w->seen[at] = false;
}

/* Arcs within a turn go from lower to higher positions, so that each ring takes turns. */
static void rings(void **state)
{
    (void)state;
    struct dice dice = {5};
    for (size_t round = 0; round < often(400); round++) {
        const uint32_t positions = 1 + (uint32_t)dice_below(&dice, 6);
        struct fold fold = {.arcs = NULL};
        struct fold_ring ring;
        for (uint64_t left = dice_below(&dice, 14); left > 0; left--) {
            struct fold_arc arc = {.from = (uint32_t)dice_below(&dice, positions),
                                   .to = (uint32_t)dice_below(&dice, positions),
                                   .lag = dice_below(&dice, 20)};
            arc.turns = (uint32_t)dice_below(&dice, 3) + (arc.from >= arc.to);
            const uint32_t seen = dice_below(&dice, 4) ? 12 - arc.turns : 3;
            for (arc.turn = 0; arc.turn < seen; arc.turn++)
                assert_int_equal(fold_add(&fold, &arc), 0);
        }
        fold_merge(&fold, 12);
        struct walk w = {.fold = &fold};
        for (w.first = 0; w.first < positions; w.first++)
            walk(&w, w.first, 0, 0);
        assert_int_equal(fold_longest(&fold, positions, &ring), 0);
        assert_true((w.lag == 0) == (ring.lag == 0));
        if (w.lag)
            assert_true(ring.lag * w.turns == w.lag * ring.turns && ring.count <= positions);
        free(ring.positions);
        fold_free(&fold);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_derived),    cmocka_unit_test(not_steady),
        cmocka_unit_test(what_is_no_loop), cmocka_unit_test(what_is_around),
        cmocka_unit_test(again),           cmocka_unit_test(small_loops),
        cmocka_unit_test(random_loops),    cmocka_unit_test(rings),
    };
    return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}
