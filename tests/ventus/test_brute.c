/*
 * Random arithmetic of two warps against a model that looks at every cycle: banks, units and
 * write-back are queues, and what waits in them is asked each cycle whether it can go. Memory,
 * branches and fetch are not in it: all instructions are of one line of the instruction cache.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/often.h"
#include "tests/ventus/timed.h"

enum { WARPS = 2, LENGTH = 40, ALL = WARPS * (LENGTH + 1), BANKS = 4 };
#define SETTINGS                                                                                   \
    "fetch_width=16 l1i_line=4096 buffer_groups=8 fetch_latency=1 sfu_interval=4 register_banks=4"

/* What the programs are made of: %u are registers of one file. */
static const struct op {
    const char *text, *latency;
    unsigned sources, unit; /* 0: none */
    bool vector;
} ops[] = {
    {" lui s%u, 1\n", "salu_latency", 0, 1, false},
    {" addi s%u, s%u, 1\n", "salu_latency", 1, 1, false},
    {" add s%u, s%u, s%u\n", "salu_latency", 2, 1, false},
    {" mul s%u, s%u, s%u\n", "mul_latency", 2, 2, false},
    {" divu s%u, s%u, s%u\n", "sfu_latency", 2, 3, false},
    {" vadd.vv v%u, v%u, v%u\n", "valu_latency", 2, 4, true},
    {" vmul.vv v%u, v%u, v%u\n", "mul_latency", 2, 2, true},
    {" vfadd.vv v%u, v%u, v%u\n", "fpu_latency", 2, 5, true},
    {" vdivu.vv v%u, v%u, v%u\n", "sfu_latency", 2, 3, true},
};
enum { OPS = sizeof ops / sizeof *ops, UNITS = 6 };

/* s2 to s9 are x18 to x25. */
struct insn {
    unsigned op, rd, rs1, rs2;
};
static struct insn program[LENGTH];

/* --- every cycle ------------------------------------------------------------------------------ */

enum stage { READS, PASSES, ENTERS, WORKS, WRITES, DONE };

/* One instruction of one warp, in order of issue. */
struct flight {
    const struct insn *insn; /* NULL: endprg */
    unsigned warp;
    enum stage stage;
    unsigned reads; /* bits of operands that are still to be read */
    uint64_t left;  /* cycles in this stage */
};

struct brute {
    struct flight flights[ALL];
    unsigned count, next[WARPS]; /* next: instruction of each warp */
    int busy[WARPS][2][32];      /* writes on their way */
    bool full[WARPS];            /* its collector */
    uint64_t waited[WARPS], unit_left[UNITS];
    uint64_t latency[OPS], pipe, salu, interval;
    bool greedy;
    unsigned turn;
};

static bool can_issue(const struct brute *b, unsigned w)
{
    if (b->next[w] > LENGTH || b->full[w])
        return false;
    if (b->next[w] == LENGTH)
        return true;
    const struct insn *i = &program[b->next[w]];
    const struct op *op = &ops[i->op];
    const int *busy = b->busy[w][op->vector];
    return !busy[i->rd] && (op->sources < 1 || !busy[i->rs1]) && (op->sources < 2 || !busy[i->rs2]);
}

static void issue(struct brute *b, unsigned w)
{
    const struct insn *i = b->next[w] < LENGTH ? &program[b->next[w]] : NULL;
    struct flight *f = &b->flights[b->count++];
    *f = (struct flight){.insn = i, .warp = w, .stage = READS};
    b->next[w]++;
    b->full[w] = true;
    b->turn = w;
    b->waited[w] = 0;
    if (!i || !ops[i->op].sources) {
        f->stage = PASSES;
        f->left = b->pipe;
    }
    if (!i)
        return;
    b->busy[w][ops[i->op].vector][i->rd]++;
    f->reads = ops[i->op].sources == 0 ? 0 : ops[i->op].sources == 1 || i->rs1 == i->rs2 ? 1 : 3;
}

/* A bank gives one operand a cycle, to the instruction that issued first, of two of one the lower
 * register. */
static void read_banks(struct brute *b)
{
    bool taken[2][BANKS] = {{false}};
    for (unsigned n = 0; n < b->count; n++) {
        struct flight *f = &b->flights[n];
        if (f->stage != READS || !f->insn)
            continue;
        const struct insn *i = f->insn;
        const bool vector = ops[i->op].vector, swap = f->reads == 3 && i->rs2 < i->rs1;
        for (unsigned k = 0; k < 2; k++) {
            const unsigned source = k ^ swap;
            const unsigned bank = ((source ? i->rs2 : i->rs1) + f->warp) % BANKS;
            if (f->reads & 1u << source && !taken[vector][bank]) {
                taken[vector][bank] = true;
                f->reads &= ~(1u << source);
            }
        }
    }
}

static uint64_t passes(const struct insn *i)
{
    return ops[i->op].unit == 3 ? (ops[i->op].vector ? 4 : 1) : 0;
}

/* What has read its operands goes through the pipeline, and to its unit in order of issue. */
static void enter_units(struct brute *b)
{
    bool asked[UNITS] = {false};
    for (unsigned n = 0; n < b->count; n++) {
        struct flight *f = &b->flights[n];
        if (f->stage >= WORKS)
            continue;
        const unsigned unit = f->insn ? ops[f->insn->op].unit : 0;
        const bool first = !unit || !asked[unit];
        asked[unit] = true;
        if (f->stage != ENTERS || !first || b->unit_left[unit])
            continue;
        const uint64_t taken = !f->insn ? 1 : passes(f->insn) ? passes(f->insn) * b->interval : 1;
        f->stage = WORKS;
        f->left = taken - 1 + (f->insn ? b->latency[f->insn->op] : b->salu);
        if (unit)
            b->unit_left[unit] = taken;
        b->full[f->warp] = false;
    }
}

/* One result of each kind a cycle is written, that which issued first. */
static void write_back(struct brute *b)
{
    bool taken[2] = {false, false};
    for (unsigned n = 0; n < b->count; n++) {
        struct flight *f = &b->flights[n];
        if (f->stage == WRITES && !taken[ops[f->insn->op].vector]) {
            taken[ops[f->insn->op].vector] = true;
            f->stage = DONE;
            f->left = 1; /* can be read in the next cycle */
        }
    }
}

/* The cycles from the first issue to the end of everything. */
static uint64_t run_brute(struct brute *b)
{
    uint64_t cycle = 0, end = 0;
    for (bool more = true; more; cycle++) {
        for (unsigned n = 0; n < b->count; n++) {
            struct flight *f = &b->flights[n];
            if (f->stage == DONE && f->left) {
                f->left = 0;
                b->busy[f->warp][ops[f->insn->op].vector][f->insn->rd]--;
            }
            if (f->stage == PASSES && !f->left--)
                f->stage = ENTERS;
        }
        enter_units(b);
        for (unsigned n = 0; n < b->count; n++) {
            struct flight *f = &b->flights[n];
            if (f->stage == WORKS && !f->left--) {
                f->stage = f->insn ? WRITES : DONE;
                f->left = 0;
                end = cycle;
            }
        }
        write_back(b);
        int best = -1;
        for (unsigned k = 1; k <= WARPS; k++) {
            const unsigned w = (b->turn + k) % WARPS;
            if (can_issue(b, w) && (best < 0 || (b->greedy && b->waited[w] > b->waited[best])))
                best = (int)w;
        }
        if (b->greedy && can_issue(b, b->turn))
            best = (int)b->turn;
        for (unsigned w = 0; w < WARPS; w++)
            b->waited[w] += can_issue(b, w);
        for (unsigned u = 0; u < UNITS; u++)
            b->unit_left[u] -= b->unit_left[u] > 0;
        read_banks(b);
        more = false;
        for (unsigned n = 0; n < b->count; n++) {
            struct flight *f = &b->flights[n];
            if (f->stage == READS && !f->reads) {
                f->stage = PASSES;
                f->left = b->pipe;
            }
            end = f->stage == DONE && f->left ? cycle + 1 : end;
            more = more || f->stage != DONE || f->left;
        }
        if (best >= 0)
            issue(b, (unsigned)best);
        more = more || best >= 0 || b->next[0] <= LENGTH || b->next[1] <= LENGTH;
    }
    return end;
}

/* --- both ------------------------------------------------------------------------------------- */

static struct dice dice = {7};

static void write_program(char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, " .launch threads 4\n .launch workgroup 8\n .text\n");
    for (unsigned n = 0; n < LENGTH; n++) {
        struct insn *i = &program[n];
        i->op = (unsigned)dice_below(&dice, OPS);
        const unsigned first = ops[i->op].vector ? 1 : 18;
        i->rd = first + (unsigned)dice_below(&dice, 8);
        i->rs1 = first + (unsigned)dice_below(&dice, 8);
        i->rs2 = first + (unsigned)dice_below(&dice, 8);
        const unsigned less = ops[i->op].vector ? 0 : 16;
        at += (size_t)snprintf(text + at, size - at, ops[i->op].text, i->rd - less, i->rs1 - less,
                               i->rs2 - less);
    }
    snprintf(text + at, size - at, " endprg\n");
}

static void random_programs(void **state)
{
    (void)state;
    static const char *const settings[] = {
        SETTINGS, SETTINGS " warp_policy=greedy", SETTINGS " pipe_cycles=0",
        SETTINGS " pipe_cycles=0 warp_policy=greedy salu_latency=4 mul_latency=1 valu_latency=2"};
    for (size_t n = 0; n < often(120); n++) {
        static struct ran ran;
        char text[LENGTH * 32 + 200];
        struct config config;
        struct brute b = {.turn = 0};
        read_config(&config, settings[n % 4]);
        write_program(text, sizeof text);
        run_text(&ran, text, &config, false);
        for (unsigned k = 0; k < OPS; k++)
            b.latency[k] = number(&config, ops[k].latency);
        b.pipe = number(&config, "pipe_cycles");
        b.salu = number(&config, "salu_latency");
        b.interval = number(&config, "sfu_interval");
        b.greedy = n % 2;
        uint64_t first = 0;
        while (!ran.issued[first])
            first++;
        const uint64_t brute = first + run_brute(&b);
        if (ran.cycles != brute)
            fail_msg("%" PRIu64 " cycles, not %" PRIu64 ", from %" PRIu64 " on (%s)\n%s",
                     ran.cycles, brute, first, settings[n % 4], text);
        config_free(&config);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
