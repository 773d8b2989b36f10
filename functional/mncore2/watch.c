#include "functional/mncore2/watch.h"

#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/state.h"

enum { ALL = (1 << CYCLES) - 1 };

/* --- the place -------------------------------------------------------------------------------- */

static int refuse(const char *text, const char *why, char *error, size_t error_size)
{
    snprintf(error, error_size, "'%.100s' %s", text, why);
    return 1;
}

static int take_debug(struct watch *watch, const struct debug *debug, const char *text, char *error,
                      size_t error_size)
{
    const int8_t selected[] = {debug->group, debug->l2b, debug->l1b, debug->mab, debug->pe};
    unsigned *const fields[] = {&watch->group, &watch->l2b, &watch->l1b, &watch->mab, &watch->pe};
    if (debug->mem == MEM_X || debug->mem == MEM_Y || debug->mem == MEM_OMR)
        return refuse(text, "is in a matrix or mask register, whose values have no history here",
                      error, error_size);
    watch->mem = debug->mem;
    watch->words = debug->words;
    watch->addr = debug->addr;
    for (unsigned level = 0; level < mncore2_exec_levels(debug->mem); level++) {
        if (selected[level] < 0)
            return refuse(text,
                          "is in more than one place: n<group> c<L2B> b<L1B> m<MAB> p<PE> say "
                          "which, as in $lm0n0c0b0m0p0",
                          error, error_size);
        *fields[level] = (unsigned)selected[level];
    }
    return 0;
}

static const char *first_error(const struct diag_list *diags)
{
    for (size_t i = 0; i < diags->count; i++)
        if (diags->items[i].severity == DIAG_ERROR)
            return diags->items[i].message;
    return "";
}

/* By the language's own parser, as d get has it. */
static int parse_debug(struct watch *watch, const char *text, char *error, size_t error_size)
{
    char line[160];
    struct source source;
    struct program program;
    struct diag_list diags;
    const int length = snprintf(line, sizeof line, "d getf %.100s 1\n", text);
    if (strlen(text) > 100 || strcspn(text, " \t\r\n\f\v#;/") != strlen(text))
        return refuse(text, "is not a place", error, error_size);
    if (source_from_text(&source, "PLACE", line, (size_t)length) != 0)
        return -1;
    diag_list_init(&diags);
    int status = mncore2_program_parse(&program, &source, 1, &diags);
    if (status == 0 && (program.item_count != 1 || program.stmts[0].kind != STMT_GET))
        status = refuse(text, "is not a place", error, error_size);
    else if (status == 0)
        status = take_debug(watch, program.stmts[0].debug, text, error, error_size);
    else if (status > 0)
        snprintf(error, error_size, "'%.100s' is not a place: %s", text, first_error(&diags));
    mncore2_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
    return status;
}

int mncore2_watch_parse(struct watch *watch, const char *text, char *error, size_t error_size)
{
    *watch = (struct watch){.words = 2};
    if (*text == '$')
        return parse_debug(watch, text, error, error_size);
    struct exec_place at;
    const int status = mncore2_exec_place(text, &at, error, error_size);
    if (status == 0) {
        watch->mem = (uint8_t)at.mem;
        watch->group = at.group;
        watch->l2b = at.l2b;
        watch->l1b = at.l1b;
        watch->addr = at.addr;
    }
    return status;
}

static bool in_pe(const struct watch *w)
{
    return mncore2_exec_levels(w->mem) == 5;
}

static unsigned mab_of(const struct watch *w)
{
    return ((w->group * L2B_PER_GROUP + w->l2b) * L1B_PER_L2B + w->l1b) * MAB_PER_L1B + w->mab;
}

static size_t lane_of(const struct exec *e, const struct watch *w)
{
    return e->class_of[mab_of(w)] * (size_t)PE_PER_MAB + w->pe;
}

void mncore2_watch_read(const struct exec *e, const struct watch *w, uint64_t value[2])
{
    value[0] = value[1] = 0;
    if (!in_pe(w)) {
        mncore2_exec_read(e,
                          (struct exec_place){(enum mem)w->mem, w->group, w->l2b, w->l1b, w->addr},
                          w->words / 2, value);
        return;
    }
    const size_t first = w->mem == MEM_T ? ROW_T : state_base(w->mem) + w->addr / 2;
    for (unsigned half = 0; half < (w->words == 4 ? 2u : 1u); half++)
        value[half] = mncore2_state_long(e, first + half, lane_of(e, w));
    if (w->words == 1)
        value[0] = w->addr % 2 == 0 ? value[0] >> 32 : value[0] & 0xffffffffu;
}

/* --- steps: memories of a PE ------------------------------------------------------------------ */

/* Whether an output writes any of the watched bits in a cycle. */
static bool output_writes(const struct exec *e, const struct watch *w, const struct step *step,
                          const struct operand *op, unsigned cycle)
{
    const size_t lane = lane_of(e, w);
    const bool t = op->mem == MEM_T;
    if (t && cycle != 0)
        return false;
    const uint64_t first = t ? 0 : mncore2_state_address(e, op, cycle, lane);
    const unsigned words = t ? 4 : op->words;
    for (unsigned k = 0; k < words; k++) {
        const uint64_t bits = mncore2_exec_gate(e, step, op, (struct gate_at){cycle, k / 2, lane});
        if (first + k >= w->addr && first + k < w->addr + w->words &&
            (uint32_t)(bits >> (k % 2 ? 0 : 32)))
            return true;
    }
    return false;
}

static uint8_t outputs_write(const struct exec *e, const struct watch *w, const struct step *step)
{
    static const unsigned groups[] = {GROUP_L1BM, GROUP_L1BM_TURN, GROUP_MAU_CALC, GROUP_MAU_MREAD,
                                      GROUP_ALU};
    unsigned cycles = 0;
    for (unsigned g = 0; g < sizeof groups / sizeof *groups; g++) {
        const struct expr *expr = step_expr(step, groups[g]);
        for (unsigned o = 0; expr && o < expr->out_count; o++)
            for (unsigned cycle = 0; cycle < CYCLES; cycle++)
                if (expr_out(expr, o)->mem == w->mem &&
                    output_writes(e, w, step, expr_out(expr, o), cycle))
                    cycles |= 1u << cycle;
    }
    return (uint8_t)cycles;
}

/* --- steps: memories above -------------------------------------------------------------------- */

/* Whether ranges of a memory that wraps meet. */
static bool meet(uint64_t size, uint64_t a, uint64_t a_length, uint64_t b, uint64_t b_length)
{
    return (b + size - a % size) % size < a_length || (a + size - b % size) % size < b_length;
}

static uint64_t size_of(const struct watch *w)
{
    return w->mem == MEM_DRAM ? DRAM_LONGS : mncore2_space_size[mncore2_space_of(w->mem)];
}

/* Whether a set of instances (effect.h) has the watched one. */
static bool in_set(const struct watch *w, unsigned set)
{
    const unsigned instance = w->mem == MEM_L1BM   ? w->l1b
                              : w->mem == MEM_L2BM ? w->group * L2B_PER_GROUP + w->l2b
                                                   : w->group;
    return set >> instance & 1;
}

static bool access_writes(const struct watch *w, const struct access *access, unsigned cycle)
{
    return access->cycles >> cycle & 1 &&
           (access->any ||
            meet(size_of(w), access->addr[cycle], access->length, w->addr, w->words / 2));
}

static size_t accesses_write(const struct watch *w, const struct step *step,
                             struct watch_write writes[WATCH_WRITES])
{
    const struct expr *l2bm = step_expr(step, GROUP_L2BM);
    struct effect effect;
    size_t count = 0;
    mncore2_effect_of_step(step, &effect);
    for (size_t i = 0; i < effect.count && count < WATCH_WRITES; i++) {
        const struct access *access = &effect.access[i];
        unsigned cycles = 0;
        if (!access->write || access->space != mncore2_space_of(w->mem) || !in_set(w, access->set))
            continue;
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            cycles |= (unsigned)access_writes(w, access, cycle) << cycle;
        if (cycles)
            writes[count++] = (struct watch_write){.space = (enum space)access->space,
                                                   .side = access->side,
                                                   .multicast = l2bm && l2bm->insn == INSN_L2BMI,
                                                   .cycles = (uint8_t)cycles,
                                                   .maybe = access->any || access->entry};
    }
    return count;
}

/* --- other statements ------------------------------------------------------------------------- */

static bool selects(int8_t selector, unsigned number)
{
    return selector < 0 || (unsigned)selector == number;
}

/* d set and r lines. */
static bool host_writes(const struct watch *w, const struct debug *d)
{
    const unsigned levels = mncore2_exec_levels(d->mem);
    if (d->mem != w->mem || !selects(d->group, w->group) ||
        (levels > 1 && !selects(d->l2b, w->l2b)) || (levels > 2 && !selects(d->l1b, w->l1b)) ||
        (levels > 3 && !selects(d->mab, w->mab)) || (levels > 4 && !selects(d->pe, w->pe)))
        return false;
    if (d->mem == MEM_T)
        return true;
    if (in_pe(w))
        return meet(2 * state_size(w->mem), d->addr, d->count * d->words, w->addr, w->words);
    return meet(size_of(w), d->addr, d->count * (d->words == 4 ? 2 : 1), w->addr, w->words / 2);
}

static bool transfer_writes(const struct watch *w, const struct mv *mv, bool *maybe)
{
    struct region region[2];
    mncore2_effect_of_mv(mv, region);
    *maybe = region[1].any;
    return region[1].space == mncore2_space_of(w->mem) && in_set(w, region[1].set) &&
           (region[1].any ||
            meet(size_of(w), region[1].addr, region[1].length, w->addr, w->words / 2));
}

size_t mncore2_watch_writes(const struct exec *e, const struct watch *w, const struct stmt *stmt,
                            struct watch_write writes[WATCH_WRITES])
{
    writes[0] = (struct watch_write){.space = mncore2_space_of(w->mem), .cycles = ALL};
    switch ((enum stmt_kind)stmt->kind) {
    case STMT_STEP:
        if (stmt->step->nops)
            return 0;
        if (!in_pe(w))
            return accesses_write(w, stmt->step, writes);
        writes[0].cycles = outputs_write(e, w, stmt->step);
        return writes[0].cycles != 0;
    case STMT_MV:
        return !in_pe(w) && transfer_writes(w, stmt->mv, &writes[0].maybe);
    case STMT_SET:
    case STMT_PRESET:
        return host_writes(w, stmt->debug);
    case STMT_MVNOP:
    case STMT_GET:
        break;
    }
    return 0;
}
