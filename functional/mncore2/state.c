#include "functional/mncore2/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* --- memory --- */

/* Reserve zeroed address space; pages cost nothing until they are written. */
static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void release(void *memory, size_t bytes)
{
    if (memory != NULL)
        munmap(memory, bytes);
}

/* Rows of a full chip would all start in the same cache sets; nine more lines per row spread
 * them. */
static size_t stride_of(size_t capacity)
{
    const size_t lanes = capacity * PE_PER_MAB;
    return lanes < 512 ? lanes : lanes + 72;
}

static size_t rows_bytes(size_t stride)
{
    return (size_t)ROWS * stride * sizeof(uint64_t);
}

static size_t planes_bytes(size_t capacity)
{
    return capacity * PLANE_LONGS * sizeof(uint64_t);
}

static size_t masks_bytes(size_t capacity)
{
    return (size_t)MASK_ENTRIES * CYCLES * capacity * PE_PER_MAB;
}

/* --- classes --- */

/* A run of classes copied from consecutive classes. */
struct run {
    size_t to, from, count;
};

static size_t find_runs(const uint16_t *from, size_t first, size_t count, struct run *runs)
{
    size_t found = 0;
    for (size_t k = first; k < first + count; k++)
        if (found > 0 && from[k] == runs[found - 1].from + runs[found - 1].count)
            runs[found - 1].count++;
        else
            runs[found++] = (struct run){.to = k, .from = from[k], .count = 1};
    return found;
}

static void copy_lanes(void *to, const void *from, const struct run *runs, size_t run_count,
                       size_t class_bytes)
{
    for (size_t i = 0; i < run_count; i++)
        memcpy((char *)to + runs[i].to * class_bytes,
               (const char *)from + runs[i].from * class_bytes, runs[i].count * class_bytes);
}

/* Make class k a copy of old class from[k], for all k in the runs. */
static void copy_classes(struct exec *e, const struct exec *old, const struct run *runs,
                         size_t run_count)
{
    for (size_t row = 0; row < ROWS; row++)
        if (e->touched[row])
            copy_lanes(state_row(e, row), state_row(old, row), runs, run_count,
                       PE_PER_MAB * sizeof(uint64_t));
    for (unsigned plane = 0; plane < 2; plane++)
        copy_lanes(e->planes[plane], old->planes[plane], runs, run_count,
                   PLANE_LONGS * sizeof(uint64_t));
    for (unsigned entry = 1; entry < MASK_ENTRIES; entry++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            copy_lanes(state_mask(e, entry, cycle), state_mask(old, entry, cycle), runs, run_count,
                       PE_PER_MAB);
    for (unsigned lm = 0; lm < 2; lm++)
        copy_lanes(e->bar[lm], old->bar[lm], runs, run_count, PE_PER_MAB * sizeof(uint16_t));
}

static int allocate_classes(struct exec *e, size_t capacity)
{
    e->capacity = capacity;
    e->stride = stride_of(capacity);
    e->rows = reserve(rows_bytes(e->stride));
    e->planes[0] = reserve(planes_bytes(capacity));
    e->planes[1] = reserve(planes_bytes(capacity));
    e->masks = calloc(1, masks_bytes(capacity));
    e->bar[0] = calloc(capacity * PE_PER_MAB, sizeof *e->bar[0]);
    e->bar[1] = calloc(capacity * PE_PER_MAB, sizeof *e->bar[1]);
    if (e->rows == NULL || e->planes[0] == NULL || e->planes[1] == NULL || e->masks == NULL ||
        e->bar[0] == NULL || e->bar[1] == NULL)
        return -1;
#ifdef MADV_HUGEPAGE
    if (capacity >= 256)
        madvise(e->rows, rows_bytes(e->stride), MADV_HUGEPAGE);
#endif
    return 0;
}

static void release_classes(struct exec *e)
{
    release(e->rows, rows_bytes(e->stride));
    release(e->planes[0], planes_bytes(e->capacity));
    release(e->planes[1], planes_bytes(e->capacity));
    free(e->masks);
    free(e->bar[0]);
    free(e->bar[1]);
}

/* Renumber all classes, ordered by their smallest MAB. from[k]: the old number of class k. */
static int relayout(struct exec *e, size_t classes, const uint16_t *from)
{
    uint16_t number[MABS];
    uint16_t origin[MABS];
    bool seen[MABS] = {false};
    size_t found = 0;
    for (unsigned mab = 0; mab < MABS; mab++) {
        const uint16_t k = e->class_of[mab];
        if (!seen[k]) {
            seen[k] = true;
            number[k] = (uint16_t)found;
            origin[found++] = from[k];
        }
        e->class_of[mab] = number[k];
    }
    size_t capacity = e->capacity;
    while (capacity < classes)
        capacity *= 2;
    struct exec old = *e;
    if (allocate_classes(e, capacity) < 0) {
        release_classes(e);
        e->rows = old.rows;
        memcpy(e->planes, old.planes, sizeof e->planes);
        e->masks = old.masks;
        memcpy(e->bar, old.bar, sizeof e->bar);
        e->capacity = old.capacity;
        e->stride = old.stride;
        return -1;
    }
    struct run runs[MABS];
    const size_t run_count = find_runs(origin, 0, classes, runs);
    copy_classes(e, &old, runs, run_count);
    release_classes(&old);
    return 0;
}

static void describe_classes(struct exec *e)
{
    for (unsigned mab = MABS; mab-- > 0;)
        e->rep[e->class_of[mab]] = (uint16_t)mab;
    for (unsigned b = 0; b < L1BS; b++) {
        const uint16_t *classes = e->class_of + b * MAB_PER_L1B;
        unsigned a = 0;
        while (a < b && (e->l1b_rep[a] != a || memcmp(e->class_of + a * MAB_PER_L1B, classes,
                                                      MAB_PER_L1B * sizeof *classes) != 0))
            a++;
        e->l1b_rep[b] = (uint8_t)a;
    }
}

int mncore2_state_split(struct exec *e, const uint32_t key[MABS])
{
    if (e->classes == MABS)
        return 0;
    enum { SLOTS = 4 * MABS };
    struct {
        uint32_t key;
        uint16_t old, now; /* now = class + 1; 0 = free */
    } table[SLOTS];
    uint16_t from[MABS];
    bool named[MABS] = {false}; /* the old number is already used for one of the keys */
    memset(table, 0, sizeof table);
    for (size_t k = 0; k < e->classes; k++)
        from[k] = (uint16_t)k;
    uint16_t class_of[MABS];
    size_t classes = e->classes;
    for (unsigned mab = 0; mab < MABS; mab++) {
        const uint16_t old = e->class_of[mab];
        size_t slot = (key[mab] * 0x9e3779b1u ^ old * 0x85ebca6bu) % SLOTS;
        while (table[slot].now != 0 && (table[slot].key != key[mab] || table[slot].old != old))
            slot = (slot + 1) % SLOTS;
        if (table[slot].now == 0) {
            uint16_t now = old;
            if (named[old]) {
                now = (uint16_t)classes++;
                from[now] = old;
            }
            named[old] = true;
            table[slot].key = key[mab];
            table[slot].old = old;
            table[slot].now = (uint16_t)(now + 1);
        }
        class_of[mab] = (uint16_t)(table[slot].now - 1);
    }
    if (classes == e->classes)
        return 0;
    uint16_t before[MABS];
    memcpy(before, e->class_of, sizeof before);
    memcpy(e->class_of, class_of, sizeof class_of);
    if (classes > e->capacity || classes == MABS) {
        if (relayout(e, classes, from) < 0) {
            memcpy(e->class_of, before, sizeof before);
            return -1;
        }
    } else {
        struct run runs[MABS];
        const size_t run_count = find_runs(from, e->classes, classes - e->classes, runs);
        copy_classes(e, e, runs, run_count);
    }
    e->classes = classes;
    describe_classes(e);
    return 0;
}

/* --- contents at power-on --- */

static void fill(struct exec *e, uint64_t *memory, size_t count, uint64_t place)
{
    for (size_t i = 0; i < count; i++)
        memory[i] = init_word(&e->options.init, place + i);
}

/* Data memories start with the pattern; addresses, flags and pipeline registers with zero. Rows of
 * PE memories and pages of PDM and DRAM are filled when they are first touched. */
static int fill_memories(struct exec *e)
{
    fill(e, e->l1bm[0], (size_t)L1BS * L1BM_LONGS, state_place(PLACE_L1BM, 0));
    fill(e, e->l2bm[0], (size_t)L2BS * L2BM_LONGS, state_place(PLACE_L2BM, 0));
    if (e->options.init.kind == INIT_RANDOM) {
        uint32_t key[MABS];
        for (unsigned mab = 0; mab < MABS; mab++)
            key[mab] = mab;
        if (mncore2_state_split(e, key) < 0)
            return -1;
    }
    for (unsigned plane = 0; plane < 2; plane++)
        for (size_t k = 0; k < e->classes; k++)
            fill(e, e->planes[plane] + k * PLANE_LONGS, PLANE_LONGS,
                 state_place(PLACE_PLANE, (plane * MABS + e->rep[k]) * (uint64_t)PLANE_LONGS));
    return 0;
}

static int reserve_pages(struct paged *memory, uint64_t longs, uint64_t place)
{
    *memory = (struct paged){.words = reserve(longs * sizeof(uint64_t)),
                             .touched = reserve(longs / PAGE_LONGS / 8),
                             .longs = longs,
                             .place = place};
    return memory->words == NULL || memory->touched == NULL ? -1 : 0;
}

static void release_pages(struct paged *memory)
{
    release(memory->words, memory->longs * sizeof(uint64_t));
    release(memory->touched, memory->longs / PAGE_LONGS / 8);
}

int mncore2_state_init(struct exec *e)
{
    e->classes = 1;
    e->bar_uniform[0] = e->bar_uniform[1] = true;
    if (allocate_classes(e, 4) < 0)
        return -1;
    describe_classes(e);
    e->l1bm = reserve(L1BS * sizeof *e->l1bm);
    e->l2bm = reserve(L2BS * sizeof *e->l2bm);
    e->turn = calloc(L1BS, sizeof *e->turn);
    if (e->l1bm == NULL || e->l2bm == NULL || e->turn == NULL)
        return -1;
    for (unsigned g = 0; g < GROUPS; g++)
        if (reserve_pages(&e->pdm[g], PDM_LONGS, state_place(PLACE_PDM, g * PDM_LONGS)) < 0 ||
            reserve_pages(&e->dram[g], DRAM_LONGS, state_place(PLACE_DRAM, g * DRAM_LONGS)) < 0)
            return -1;
    return e->options.init.kind == INIT_ZERO ? 0 : fill_memories(e);
}

void mncore2_state_release(struct exec *e)
{
    release_classes(e);
    release(e->l1bm, L1BS * sizeof *e->l1bm);
    release(e->l2bm, L2BS * sizeof *e->l2bm);
    free(e->turn);
    for (unsigned group = 0; group < GROUPS; group++) {
        release_pages(&e->pdm[group]);
        release_pages(&e->dram[group]);
    }
}

/* --- rows --- */

uint64_t mncore2_state_initial(const struct exec *e, size_t row, size_t lane)
{
    const uint64_t pe = e->rep[lane / PE_PER_MAB] * (uint64_t)PE_PER_MAB + lane % PE_PER_MAB;
    return row < ROW_FWD ? init_word(&e->options.init, state_place(PLACE_PE, pe * ROWS) + row) : 0;
}

uint64_t mncore2_state_long(const struct exec *e, size_t row, size_t lane)
{
    return e->touched[row] ? state_row(e, row)[lane] : mncore2_state_initial(e, row, lane);
}

void mncore2_state_fill(struct exec *e, size_t row, size_t count)
{
    for (size_t end = row + count; row < end; row++) {
        if (e->touched[row] || e->options.init.kind == INIT_ZERO)
            continue;
        state_touch(e, row);
        for (size_t lane = 0; lane < state_lanes(e); lane++)
            state_row(e, row)[lane] = mncore2_state_initial(e, row, lane);
    }
}

/* --- above the PE --- */

/* Long words of the next contiguous piece, up to the memory's end. */
static size_t piece(uint64_t size, uint64_t at, size_t left)
{
    return size - at < left ? (size_t)(size - at) : left;
}

void mncore2_state_copy_out(uint64_t *out, const uint64_t *memory, uint64_t size, uint64_t addr,
                            size_t count)
{
    for (size_t done = 0; done < count;) {
        const uint64_t at = (addr + done) % size;
        const size_t here = piece(size, at, count - done);
        memcpy(out + done, memory + at, here * sizeof *out);
        done += here;
    }
}

void mncore2_state_copy_in(uint64_t *memory, uint64_t size, uint64_t addr, const uint64_t *in,
                           size_t count)
{
    for (size_t done = 0; done < count;) {
        const uint64_t at = (addr + done) % size;
        const size_t here = piece(size, at, count - done);
        memcpy(memory + at, in + done, here * sizeof *in);
        done += here;
    }
}

/* --- PDM and DRAM --- */

void mncore2_state_touch_pages(struct exec *e, const struct paged *memory, uint64_t addr,
                               uint64_t count)
{
    if (count == 0)
        return;
    const uint64_t last = addr / PAGE_LONGS + (addr % PAGE_LONGS + count - 1) / PAGE_LONGS;
    for (uint64_t wrapped = addr / PAGE_LONGS; wrapped <= last; wrapped++) {
        const uint64_t page = wrapped % (memory->longs / PAGE_LONGS);
        uint64_t *bits = &memory->touched[page / 64];
        if (*bits >> page % 64 & 1)
            continue;
        *bits |= 1ull << page % 64;
        if (e->options.init.kind != INIT_ZERO)
            fill(e, memory->words + page * PAGE_LONGS, PAGE_LONGS,
                 memory->place + page * PAGE_LONGS);
    }
}

void mncore2_state_read_pages(const struct exec *e, const struct paged *memory, uint64_t addr,
                              size_t count, uint64_t *out)
{
    while (count > 0) {
        const uint64_t at = addr % memory->longs;
        const uint64_t page = at / PAGE_LONGS;
        size_t here = (size_t)(PAGE_LONGS - at % PAGE_LONGS);
        if (here > count)
            here = count;
        if (e->options.init.kind == INIT_ZERO || (memory->touched[page / 64] >> page % 64 & 1))
            memcpy(out, memory->words + at, here * sizeof *out);
        else
            for (size_t i = 0; i < here; i++)
                out[i] = init_word(&e->options.init, memory->place + at + i);
        addr = at + here;
        out += here;
        count -= here;
    }
}

/* --- operands of PE memories (3.6.1) --- */

static const uint64_t HIGH = 0xffffffff00000000u;

/* Word address used by a lane (3.6.1.6): aligned down, wrapped. */
static inline uint32_t lane_address(const struct exec *e, const struct operand *op, unsigned cycle,
                                    size_t lane)
{
    uint64_t addr = op->addr[cycle];
    addr += e->bar[op->mem == MEM_LM1][lane];
    if (op->flags & OPERAND_T)
        addr += state_row(e, ROW_T + 2 * cycle)[lane];
    if (op->j >= 0 && (int)(lane % PE_PER_MAB) <= op->j)
        addr += op->words;
    return (uint32_t)(addr % LM_WORDS) & ~(op->words - 1u);
}

static uint32_t uniform_address(const struct exec *e, const struct operand *op, unsigned cycle)
{
    uint32_t addr = op->addr[cycle];
    if (op->mem == MEM_LM0 || op->mem == MEM_LM1)
        return (addr + e->bar_value[op->mem == MEM_LM1]) % LM_WORDS & ~(op->words - 1u);
    return addr % GRF_WORDS & ~(op->words - 1u);
}

uint32_t mncore2_state_address(const struct exec *e, const struct operand *op, unsigned cycle,
                               size_t lane)
{
    return state_uniform(e, op) ? uniform_address(e, op, cycle) : lane_address(e, op, cycle, lane);
}

void mncore2_state_fill_operand(struct exec *e, const struct operand *op)
{
    if (op->flags & OPERAND_T || op->mem == MEM_T)
        mncore2_state_fill(e, ROW_T, T_LONGS);
    if (op->mem < MEM_LM0 || op->mem > MEM_GRF1)
        return;
    const size_t base = state_base(op->mem);
    if (!state_uniform(e, op))
        mncore2_state_fill(e, base, state_size(op->mem));
    else
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            mncore2_state_fill(e, base + uniform_address(e, op, cycle) / 2, op->words == 4 ? 2 : 1);
}

void mncore2_state_read(const struct exec *e, const struct operand *op, unsigned cycle,
                        struct lanes lanes, uint64_t *spare, const uint64_t *bus[2])
{
    const size_t first = lanes.first, count = lanes.count;
    bus[0] = bus[1] = NULL;
    if (op->mem >= MEM_MAUF && op->mem <= MEM_MREADF) {
        const unsigned unit = UNIT_MAU + (unsigned)(op->mem - MEM_MAUF);
        const unsigned buffer = e->fwd_buffer[unit];
        bus[0] = state_row(e, state_fwd_row(unit, buffer, cycle, 0)) + first;
        if (e->fwd_wide[unit])
            bus[1] = state_row(e, state_fwd_row(unit, buffer, cycle, 1)) + first;
        return;
    }
    if (op->mem == MEM_T) {
        bus[0] = state_row(e, ROW_T + 2 * cycle) + first;
        bus[1] = state_row(e, ROW_T + 2 * cycle + 1) + first;
        return;
    }
    const size_t base = state_base(op->mem);
    if (state_uniform(e, op)) {
        const uint32_t addr = uniform_address(e, op, cycle);
        const uint64_t *row = state_row(e, base + addr / 2) + first;
        if (op->words >= 2) {
            bus[0] = row;
            if (op->words == 4)
                bus[1] = row + e->stride;
            return;
        }
        if (addr % 2 == 0)
            for (size_t i = 0; i < count; i++)
                spare[i] = row[i] & HIGH;
        else
            for (size_t i = 0; i < count; i++)
                spare[i] = row[i] << 32;
        bus[0] = spare;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t addr = lane_address(e, op, cycle, first + i);
        const uint64_t *row = state_row(e, base + addr / 2) + first + i;
        if (op->words == 1)
            spare[i] = addr % 2 == 0 ? *row & HIGH : *row << 32;
        else
            spare[i] = *row;
        if (op->words == 4)
            spare[count + i] = row[e->stride];
    }
    bus[0] = spare;
    if (op->words == 4)
        bus[1] = spare + count;
}

/* Write value to row where the gate permits; value == NULL is zero. */
static void write_longs(uint64_t *row, const uint64_t *value, size_t count, const uint64_t *bits,
                        bool all)
{
    if (bits == NULL && !all)
        return;
    if (bits == NULL && value == NULL)
        memset(row, 0, count * sizeof *row);
    else if (bits == NULL)
        memcpy(row, value, count * sizeof *row);
    else if (value == NULL)
        for (size_t i = 0; i < count; i++)
            row[i] &= ~bits[i];
    else
        for (size_t i = 0; i < count; i++)
            row[i] ^= (row[i] ^ value[i]) & bits[i];
}

/* Write the upper word of each value to one word of the row. */
static void write_words(uint64_t *row, const uint64_t *value, size_t count, const uint64_t *bits,
                        bool all, bool odd)
{
    if (bits == NULL && !all)
        return;
    for (size_t i = 0; i < count; i++) {
        const uint64_t v = value == NULL ? 0 : value[i];
        const uint64_t b = (bits == NULL ? HIGH : bits[i] & HIGH) >> (odd ? 32 : 0);
        row[i] ^= (row[i] ^ (odd ? v >> 32 : v)) & b;
    }
}

/* The lowest 12 bits of the most significant word or long word (3.6.1.7). */
static void write_bar(struct exec *e, const struct operand *op, struct lanes lanes,
                      const uint64_t *value, const struct gate *gate)
{
    const uint64_t *bits = gate->bits[0];
    if (bits == NULL && !gate->all[0])
        return;
    uint16_t *bar = e->bar[op->mem == MEM_BAR1] + lanes.first;
    const unsigned shift = op->words == 1 ? 32 : 0;
    for (size_t i = 0; i < lanes.count; i++) {
        const uint16_t v = (uint16_t)((value == NULL ? 0 : value[i]) >> shift & 0xfff);
        const uint16_t b = (uint16_t)((bits == NULL ? ~0ull : bits[i]) >> shift & 0xfff);
        bar[i] = (uint16_t)((bar[i] & ~b) | (v & b));
    }
}

void mncore2_state_write(struct exec *e, const struct operand *op, unsigned cycle,
                         struct lanes lanes, const uint64_t *const bus[2], const struct gate *gate)
{
    const size_t first = lanes.first, count = lanes.count;
    if (op->mem == MEM_BAR0 || op->mem == MEM_BAR1) {
        write_bar(e, op, lanes, bus[0], gate);
        return;
    }
    if (op->mem == MEM_T) {
        for (unsigned half = 0; half < 2; half++) {
            const size_t row = ROW_T + 2 * cycle + half;
            state_touch(e, row);
            write_longs(state_row(e, row) + first, bus[half], count, gate->bits[half],
                        gate->all[half]);
        }
        return;
    }
    const size_t base = state_base(op->mem);
    if (state_uniform(e, op)) {
        const uint32_t addr = uniform_address(e, op, cycle);
        const size_t row = base + addr / 2;
        state_touch(e, row);
        if (op->words == 1) {
            write_words(state_row(e, row) + first, bus[0], count, gate->bits[0], gate->all[0],
                        addr % 2 == 1);
            return;
        }
        write_longs(state_row(e, row) + first, bus[0], count, gate->bits[0], gate->all[0]);
        if (op->words == 4) {
            state_touch(e, row + 1);
            write_longs(state_row(e, row + 1) + first, bus[1], count, gate->bits[1], gate->all[1]);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t addr = lane_address(e, op, cycle, first + i);
        for (unsigned half = 0; half < (op->words == 4 ? 2u : 1u); half++) {
            const size_t row = base + addr / 2 + half;
            const uint64_t *value = bus[half] == NULL ? NULL : bus[half] + i;
            const uint64_t *bits = gate->bits[half] == NULL ? NULL : gate->bits[half] + i;
            state_touch(e, row);
            if (op->words == 1)
                write_words(state_row(e, row) + first + i, value, 1, bits, gate->all[half],
                            addr % 2 == 1);
            else
                write_longs(state_row(e, row) + first + i, value, 1, bits, gate->all[half]);
        }
    }
}
