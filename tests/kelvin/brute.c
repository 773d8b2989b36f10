#include "tests/kelvin/brute.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT64_MAX

enum { OPS = 1 << 16, LINES = 1024, MISSES = 16 };

/* --- caches ----------------------------------------------------------------------------------- */

struct line {
    uint64_t number, filled, used; /* number + 1; 0: empty */
    bool dirty;
};

struct store {
    struct line lines[LINES];
    uint64_t sets, ways, latency, misses, turn;
    uint64_t fills[MISSES]; /* cycle in which each fetch ends */
};

enum queue { ALU0, ALU1, CONV, LDST, QUEUES };

/* An operation of the vector side. */
struct op {
    const struct kelvin_step *step;
    uint64_t seen; /* cycle from which decode can take it */
    uint64_t decoded, started;
    enum queue queue;
    bool both, beats, done; /* beats: .m, one register after the other */
    uint64_t cycles, reads, writes;
    unsigned lines; /* lines accessed so far by a load or store */
    bool load, store;
};

struct brute {
    const struct kelvin_program *program;
    const struct kelvin_step *steps;
    size_t count, next;
    const struct brute_numbers *n;
    uint64_t now, finish, *dispatched;
    /* The scalar core. */
    uint64_t x_ready[32];
    uint64_t go_on; /* first cycle of the next group */
    unsigned slots; /* used in this cycle */
    uint64_t line, line_ready;
    uint64_t divider, multiplier, data_port, memory;
    /* The vector core. */
    struct op *ops;
    /* operations in order: dispatched, decoded, first not completed */
    size_t pushed, taken, oldest;
    uint64_t v_ready[64], v_read[64]; /* v_read: last cycle in which one that has started reads */
    uint64_t unit_free[QUEUES];
    size_t queued[QUEUES];
    bool second; /* ALU of the next operation */
    struct store l0, l1i, l1d;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void done(struct brute *b, uint64_t at)
{
    b->finish = later(b->finish, at);
}

static uint64_t from_memory(struct brute *b, uint64_t at)
{
    at = later(at, b->memory);
    b->memory = at + b->n->memory_interval;
    done(b, b->memory);
    return at + b->n->memory_latency;
}

static uint64_t look_up(struct brute *b, struct store *s, uint64_t address, bool write, uint64_t at,
                        bool *refused);

static uint64_t fetch_line(struct brute *b, struct store *s, uint64_t address, uint64_t at)
{
    bool refused = true;
    if (s != &b->l0)
        return from_memory(b, at);
    if (!b->n->caches)
        return at + b->n->l1i_latency;
    while (refused)
        at = look_up(b, &b->l1i, address, false, at, &refused);
    return at;
}

/* When the line of an address arrives. If refused: the cycle in which to retry. */
static uint64_t look_up(struct brute *b, struct store *s, uint64_t address, bool write, uint64_t at,
                        bool *refused)
{
    const uint64_t number = address / b->n->line_bytes + 1;
    struct line *set = &s->lines[(number - 1) % s->sets * s->ways], *oldest = NULL;
    *refused = false;
    for (uint64_t w = 0; w < s->ways; w++)
        if (set[w].number == number) {
            set[w].used = ++s->turn;
            set[w].dirty |= write;
            return later(at + s->latency, set[w].filled > at ? set[w].filled : 0);
        }
    uint64_t again = NEVER;
    for (uint64_t w = 0; w < s->ways; w++)
        if (set[w].filled > at)
            again = set[w].filled < again ? set[w].filled : again;
        else if (!oldest || set[w].used < oldest->used)
            oldest = &set[w];
    uint64_t *fetch = NULL;
    for (uint64_t m = 0; oldest && m < s->misses && !fetch; m++)
        if (s->fills[m] <= at)
            fetch = &s->fills[m];
        else
            again = s->fills[m] < again ? s->fills[m] : again;
    if (!fetch) {
        *refused = true;
        return again;
    }
    *fetch = fetch_line(b, s, address, at + s->latency);
    if (oldest->dirty)
        from_memory(b, at + s->latency);
    *oldest = (struct line){number, *fetch, ++s->turn, write};
    return *fetch;
}

/* A data access in this cycle: when it is served; false: not possible in this cycle. */
static bool access_data(struct brute *b, uint64_t address, uint64_t bytes, bool write,
                        uint64_t *ready)
{
    if (b->data_port > b->now)
        return false;
    *ready = b->n->caches ? 0 : b->now + b->n->load_latency;
    for (uint64_t at = !b->n->caches ? UINT64_MAX : address / b->n->line_bytes * b->n->line_bytes;
         at < address + bytes; at += b->n->line_bytes) {
        bool refused;
        *ready = later(*ready, look_up(b, &b->l1d, at, write, b->now, &refused));
        if (refused)
            return false;
    }
    b->data_port = b->now + 1;
    return true;
}

/* --- the scalar core -------------------------------------------------------------------------- */

static bool is(const struct kelvin_insn *insn, const char *names)
{
    const char *name = insn->vector.form->name;
    const size_t length = strcspn(name, ".");
    for (const char *at = names; (at = strstr(at, " ")); at++)
        if (strncmp(at + 1, name, length) == 0 && at[1 + length] == ' ')
            return true;
    return false;
}

static void registers_of(const struct kelvin_insn *insn, uint32_t *reads, uint32_t *writes)
{
    static const uint32_t zero[32];
    struct kelvin_vector_work work;
    const struct riscv_op *op = &insn->scalar;
    if (insn->kind == KELVIN_VECTOR || insn->kind == KELVIN_CORE) {
        kelvin_vector_work(&insn->vector, zero, &work);
        *reads = work.x_reads;
        *writes = work.x_writes;
        return;
    }
    *reads = *writes = 0;
    if (insn->kind != KELVIN_SCALAR)
        return;
    const enum riscv_insn name = (enum riscv_insn)op->insn;
    *reads |= riscv_reads_rs1(name) ? UINT32_C(1) << op->rs1 : 0;
    *reads |= riscv_reads_rs2(name) ? UINT32_C(1) << op->rs2 : 0;
    *writes = riscv_writes_rd(name) ? UINT32_C(1) << op->rd : 0;
    *reads &= ~UINT32_C(1);
    *writes &= ~UINT32_C(1);
}

static bool ready(const struct brute *b, uint32_t reads, uint32_t writes, uint64_t latency)
{
    for (unsigned r = 1; r < 32; r++)
        if ((reads >> r & 1 && b->x_ready[r] > b->now) ||
            (writes >> r & 1 && b->x_ready[r] > b->now + latency))
            return false;
    return true;
}

/* The line of the next instruction; the following lines are requested in the cycle that uses it. */
static bool have_line(struct brute *b, uint32_t address)
{
    const uint64_t number = address / b->n->line_bytes + 1;
    if (number != b->line) {
        bool refused;
        uint64_t at = b->now, got = look_up(b, &b->l0, address, false, at, &refused);
        while (refused) {
            at = got;
            got = look_up(b, &b->l0, address, false, at, &refused);
        }
        b->line = number;
        b->line_ready = got;
        for (uint64_t i = 1; i <= b->n->l0_ahead; i++) {
            const uint64_t ahead = (number - 1 + i) * b->n->line_bytes;
            if (ahead < KELVIN_MEMORY)
                look_up(b, &b->l0, ahead, false, at, &refused);
        }
    }
    return b->line_ready <= b->now;
}

static void push(struct brute *b, const struct kelvin_insn *insn, const struct kelvin_step *step)
{
    uint32_t x[32] = {0};
    struct kelvin_vector_work work;
    struct op *op = &b->ops[b->pushed++ % OPS];
    x[insn->vector.operands.at[KELVIN_T] & 31] = step->value;
    kelvin_vector_work(&insn->vector, x, &work);
    const struct kelvin_form *form = insn->vector.form;
    *op = (struct op){.step = step,
                      .seen = b->now + b->n->vector_delay,
                      .started = NEVER,
                      .beats = form->m,
                      .cycles = form->m ? 4 : 1,
                      .reads = work.reads,
                      .writes = work.writes,
                      .load = work.load,
                      .store = work.store};
    if (work.load || work.store)
        op->queue = LDST;
    if (is(insn, " aconv acset actr vcget ")) {
        op->queue = CONV;
        op->cycles = is(insn, " aconv ")   ? (step->value >> 7 & 31) - (step->value >> 2 & 31) + 1
                     : is(insn, " vcget ") ? 1
                                           : b->n->conv_set;
    }
    if (is(insn, " adwinit vdwconv adwconv vsraqs vsraqsu "))
        op->both = true;
    if (form->m && (is(insn, " vmv vslidehn vslidehp ") ||
                    (form->scalar && is(insn, " vmul vmulh vmulhu vmuls vdmulh ")))) {
        op->both = true;
        op->beats = false;
        op->cycles = 1;
    }
}

static size_t waiting(const struct brute *b)
{
    return b->pushed - b->taken;
}

static bool everything_done(const struct brute *b)
{
    return b->oldest == b->pushed && b->finish <= b->now;
}

/* Write back dirty lines and invalidate: all, or the line of one number (from 1). */
static void empty(struct brute *b, struct store *s, uint64_t one, bool forget)
{
    for (uint64_t i = 0; i < s->sets * s->ways; i++) {
        struct line *line = &s->lines[i];
        if (!line->number || (one && line->number != one))
            continue;
        if (line->dirty)
            from_memory(b, b->now);
        line->dirty = false;
        if (forget)
            *line = (struct line){0};
    }
}

/* fence.i, flushall, flushat, when everything is done: flush the caches, and set when the core
 * continues. */
static void flush(struct brute *b, const struct kelvin_step *step, bool code, bool one)
{
    const uint64_t number = one ? step->address / b->n->line_bytes + 1 : 0;
    if (!b->n->caches && !code)
        return;
    empty(b, &b->l0, number, true);
    empty(b, &b->l1i, number, true);
    const uint64_t before = b->memory;
    empty(b, &b->l1d, number, !code);
    b->line = 0;
    b->go_on = later(b->now + 1, b->memory > before ? b->memory : 0);
}

/* The next instruction's position and cycle; whether the group ends. */
static void follow(struct brute *b, const struct kelvin_insn *insn, const struct kelvin_step *step)
{
    const bool scalar = insn->kind == KELVIN_SCALAR;
    const enum riscv_insn name = scalar ? (enum riscv_insn)insn->scalar.insn : RISCV_INSN_COUNT;
    const bool branch = scalar && riscv_is_branch(name);
    const bool foreseen = branch && insn->scalar.imm < 0;
    uint64_t lost = 0;
    bool ends = step->taken;
    if (branch && step->taken != foreseen) {
        lost = b->n->branch_miss;
        ends = true;
    } else if (name == RISCV_JALR || (step->taken && !branch && name != RISCV_JAL)) {
        lost = b->n->jump_miss;
        ends = true;
    }
    b->slots++;
    if (ends)
        b->go_on = b->now + 1 + lost;
    if (ends || b->slots == b->n->dispatch_width)
        b->slots = (unsigned)b->n->dispatch_width;
}

/* Dispatch the next instruction in this cycle if possible. */
static bool dispatch(struct brute *b)
{
    if (b->next == b->count || b->go_on > b->now || b->slots == b->n->dispatch_width)
        return false;
    const struct kelvin_step *step = &b->steps[b->next];
    const struct riscv_stmt *stmt = &b->program->image.stmts[step->stmt];
    struct kelvin_insn insn;
    kelvin_insn_decode(stmt->word, &insn);
    const enum riscv_insn name =
        insn.kind == KELVIN_SCALAR ? (enum riscv_insn)insn.scalar.insn : RISCV_INSN_COUNT;
    const bool fence = name == RISCV_FENCE || name == RISCV_FENCE_I || name == RISCV_EBREAK ||
                       (insn.kind == KELVIN_CORE && is(&insn, " mpause flushall flushat "));
    const bool system = name == RISCV_ECALL || name == RISCV_MRET ||
                        insn.kind == KELVIN_UNDEFINED ||
                        (insn.kind == KELVIN_CORE && is(&insn, " eexit eyield ectxsw "));
    if ((fence || riscv_is_csr(name)) && b->slots)
        return false;
    if (!have_line(b, stmt->address))
        return false;
    uint64_t latency = b->n->alu_latency, at;
    if (riscv_is_multiply(name))
        latency = b->n->mul_latency;
    if (riscv_is_divide(name))
        latency = b->n->div_base + (step->quotient + b->n->div_bits - 1) / b->n->div_bits;
    if (riscv_is_load(name))
        latency = b->n->load_latency;
    uint32_t reads, writes;
    registers_of(&insn, &reads, &writes);
    const bool vector = insn.kind == KELVIN_VECTOR && !is(&insn, " getvl getmaxvl ");
    if (!ready(b, reads, writes, latency) || (riscv_is_multiply(name) && b->multiplier > b->now) ||
        (riscv_is_divide(name) && b->divider > b->now) || (fence && !everything_done(b)) ||
        (vector && waiting(b) >= b->n->vector_fifo + b->n->vector_guard))
        return false;
    at = b->now + latency;
    if (riscv_is_load(name) || riscv_is_store(name)) {
        static const unsigned sizes[] = {1, 2, 4, 1, 2, 1, 2, 4}; /* lb lh lw lbu lhu sb sh sw */
        if (!access_data(b, step->address, sizes[name - RISCV_LB], riscv_is_store(name), &at))
            return false;
    }
    if (riscv_is_multiply(name))
        b->multiplier = b->now + 1;
    if (riscv_is_divide(name))
        b->divider = at;
    for (unsigned r = 1; r < 32; r++)
        if (writes >> r & 1)
            b->x_ready[r] = at;
    done(b, writes ? at : b->now + 1);
    if (vector)
        push(b, &insn, step);
    b->dispatched[b->next++] = b->now;
    follow(b, &insn, step);
    if (fence || system || riscv_is_csr(name) || name == RISCV_JAL)
        b->slots = (unsigned)b->n->dispatch_width;
    if (name == RISCV_FENCE_I || (insn.kind == KELVIN_CORE && is(&insn, " flushall flushat ")))
        flush(b, step, name == RISCV_FENCE_I, insn.kind == KELVIN_CORE && is(&insn, " flushat "));
    return true;
}

/* --- the vector core -------------------------------------------------------------------------- */

static uint64_t part(const struct op *op, uint64_t set, unsigned beat)
{
    return op->beats ? set & UINT64_C(0x1111111111111111) << beat : set;
}

static struct op *first_of(struct brute *b, enum queue queue)
{
    for (size_t i = b->oldest; i < b->taken; i++) {
        struct op *op = &b->ops[i % OPS];
        if (!op->done && (op->queue == queue || (op->both && queue == ALU1)))
            return op;
    }
    return NULL;
}

/* True if an older operation still has to write one of the registers. */
static bool is_to_come(const struct brute *b, const struct op *op)
{
    for (size_t i = b->oldest; &b->ops[i % OPS] != op; i++) {
        const struct op *older = &b->ops[i % OPS];
        if (!older->done && (older->writes & (op->reads | op->writes)))
            return true;
    }
    return false;
}

static bool can_start(const struct brute *b, const struct op *op)
{
    const uint64_t wait = op->queue == CONV ? b->n->conv_wait : 0;
    if (is_to_come(b, op) || b->unit_free[op->queue] > b->now ||
        (op->both && b->unit_free[ALU1] > b->now))
        return false;
    for (unsigned k = 0; k < (op->beats ? 4 : 1); k++)
        for (unsigned r = 0; r < 64; r++)
            if ((part(op, op->reads, k) >> r & 1 && b->v_ready[r] + wait > b->now + k &&
                 b->v_ready[r]) ||
                (part(op, op->writes, k) >> r & 1 &&
                 b->v_ready[r] > b->now + k + b->n->vector_latency))
                return false;
    return true;
}

static void finish(struct brute *b, struct op *op)
{
    op->done = true;
    b->queued[op->queue]--;
    if (op->both)
        b->queued[ALU1]--;
    while (b->oldest < b->taken && b->ops[b->oldest % OPS].done)
        b->oldest++;
}

static void start(struct brute *b, struct op *op)
{
    const uint64_t latency = b->n->vector_latency;
    for (unsigned k = 0; k < (op->beats ? 4 : 1); k++)
        for (unsigned r = 0; r < 64; r++)
            if (part(op, op->writes, k) >> r & 1)
                b->v_ready[r] = b->now + (op->beats ? k : op->cycles - 1) + latency;
    for (unsigned k = 0; b->n->read_hold && k < op->cycles; k++)
        for (unsigned r = 0; r < 64; r++)
            if ((op->beats ? part(op, op->reads, k) : op->reads) >> r & 1)
                b->v_read[r] = later(b->v_read[r], b->now + k);
    b->unit_free[op->queue] = b->now + op->cycles;
    if (op->both)
        b->unit_free[ALU1] = b->now + op->cycles;
    done(b, b->now + op->cycles - 1 + latency);
    finish(b, op);
}

/* Access one line of a load or store. */
static void move(struct brute *b, struct op *op)
{
    const struct kelvin_step *step = op->step;
    const unsigned lines = step->pieces;
    const unsigned bytes = op->lines + 1 == lines ? step->last : step->piece;
    const unsigned each = !op->beats ? lines + !lines : lines > 4 ? lines / 4 : 1;
    uint64_t at = b->now + 1;
    if (lines && !access_data(b, step->address + op->lines * step->stride, bytes, op->store, &at))
        return;
    const unsigned r = lines ? op->lines / each : 0;
    const bool last = op->lines + 1 >= lines; /* registers beyond the length are cleared */
    const uint64_t all = op->reads | op->writes, set = op->beats && !last ? part(op, all, r) : all;
    at = op->store ? b->now + 1 : at + b->n->vload_write;
    for (unsigned v = 0; v < 64; v++)
        if (op->load && set >> v & 1)
            b->v_ready[v] = at;
    done(b, at);
    op->lines++;
    b->unit_free[LDST] = b->now + 1;
    if (op->lines % each == 0 || last) { /* done with its register */
        op->reads &= ~set;
        op->writes &= ~set;
    }
    if (last)
        finish(b, op);
}

static void run_queue(struct brute *b, enum queue queue)
{
    struct op *op = first_of(b, queue);
    if (!op || op->decoded >= b->now || (op->both && (queue == ALU1 || first_of(b, ALU1) != op)))
        return;
    if (op->started == NEVER && !can_start(b, op))
        return;
    if (queue != LDST) {
        start(b, op);
        return;
    }
    op->started = b->now;
    move(b, op);
}

/* Decode in order, into queues that had space at the start of the cycle. */
static bool decode(struct brute *b, size_t full[QUEUES])
{
    if (b->taken == b->pushed || b->ops[b->taken % OPS].seen > b->now)
        return false;
    struct op *op = &b->ops[b->taken % OPS];
    const bool alu = op->queue == ALU0 && !op->both;
    const enum queue queue = alu && b->second ? ALU1 : op->queue;
    const uint64_t room[QUEUES] = {b->n->queue_alu, b->n->queue_alu, b->n->queue_conv,
                                   b->n->queue_ldst};
    if (full[queue] >= room[queue] || (op->both && full[ALU1] >= room[ALU1]))
        return false;
    for (size_t i = b->oldest; i < b->taken; i++) {
        const struct op *older = &b->ops[i % OPS];
        if (!older->done && (op->writes & (older->reads | older->writes)))
            return false;
    }
    for (unsigned r = 0; r < 64; r++)
        if (op->writes >> r & 1 && b->v_read[r] > b->now)
            return false;
    op->queue = queue;
    op->decoded = b->now;
    b->queued[queue]++;
    full[queue]++;
    if (op->both) {
        b->queued[ALU1]++;
        full[ALU1]++;
    }
    if (alu)
        b->second = !b->second;
    b->taken++;
    return true;
}

/* --- the run ---------------------------------------------------------------------------------- */

static void make(struct store *s, uint64_t lines, uint64_t ways, uint64_t latency, uint64_t misses)
{
    *s = (struct store){.sets = lines / ways ? lines / ways : 1,
                        .ways = ways,
                        .latency = latency,
                        .misses = misses};
}

uint64_t kelvin_brute(const struct kelvin_program *program, const struct kelvin_step *steps,
                      size_t count, const struct brute_numbers *n, uint64_t *dispatched)
{
    struct brute *b = calloc(1, sizeof *b);
    b->ops = calloc(OPS, sizeof *b->ops);
    b->program = program;
    b->steps = steps;
    b->count = count;
    b->n = n;
    b->dispatched = dispatched;
    make(&b->l0, n->l0_bytes / n->line_bytes, 1, 0, 4);
    make(&b->l1i, n->l1i_bytes / n->line_bytes, n->l1i_ways, n->l1i_latency, 4);
    make(&b->l1d, n->l1d_bytes / n->line_bytes, n->l1d_ways, n->load_latency, n->l1d_misses);
    const uint64_t most = 1000 * (uint64_t)count + 100000;
    while (b->now < most && (b->next < b->count || !everything_done(b))) {
        b->slots = 0;
        while (dispatch(b))
            continue;
        size_t full[QUEUES];
        /* space freed in this cycle is available in the next */
        memcpy(full, b->queued, sizeof full);
        run_queue(b, LDST);
        run_queue(b, CONV);
        run_queue(b, ALU0);
        run_queue(b, ALU1);
        for (uint64_t i = 0; i < n->vector_decode && decode(b, full); i++)
            continue;
        b->now++;
    }
    const uint64_t cycles = b->next == b->count ? b->finish : 0;
    free(b->ops);
    free(b);
    return cycles;
}
