#include "timing/mncore2/check_pe.h"

#include <stdlib.h>
#include <string.h>

#include "timing/mncore2/finding.h"

static bool open_memory(struct pe_memory *memory, enum space space)
{
    memory->name = mncore2_space_name[space];
    memory->units = mncore2_space_size[space];
    memory->written = calloc(memory->units, sizeof *memory->written);
    memory->owner = calloc(memory->units, sizeof *memory->owner);
    return memory->written && memory->owner;
}

int mncore2_check_pe_init(struct check_pe *pe, const struct program *program,
                          struct diag_list *diags)
{
    *pe = (struct check_pe){.program = program, .diags = diags, .record_count = 1};
    bool good = true;
    uint32_t records = 2; /* one a unit, one for the write at hand, and [0] */
    for (int i = 0; i < PE_MEMORIES; i++) {
        good &= open_memory(&pe->memories[i], (enum space)i);
        records += pe->memories[i].units;
    }
    pe->records = calloc(records, sizeof *pe->records);
    pe->record_limit = records;
    return good && pe->records ? 0 : -1;
}

void mncore2_check_pe_free(struct check_pe *pe)
{
    for (int i = 0; i < PE_MEMORIES; i++) {
        free(pe->memories[i].written);
        free(pe->memories[i].in);
        free(pe->memories[i].owner);
    }
    free(pe->records);
}

static uint32_t clip(uint32_t first, uint32_t length, uint32_t units)
{
    return first >= units ? 0 : length < units - first ? length : units - first;
}

/* Did something touch the record's memory at addresses unknown here since it was written? */
static bool touched(const struct pe_memory *memory, const struct pe_record *record)
{
    return record->read || memory->any_access > record->born;
}

/* `units` more units of the recorded write were overwritten. */
static void release(struct check_pe *pe, struct pe_memory *memory, uint32_t index, uint32_t units,
                    size_t item)
{
    struct pe_record *record = &pe->records[index];
    record->left -= units;
    if (record->left)
        return;
    if (!touched(memory, record)) {
        struct diag at = mncore2_finding_warning(pe->program, pe->diags, record->item,
                                                 record->operand, "dead-write");
        const struct diag_file other = mncore2_finding_other(pe->program, &at, item);
        diag_add(pe->diags, &at,
                 "what is written to %s here is overwritten in line %u%s%s before anything reads "
                 "it\n"
                 "leave the operand out, or write $nowrite if it is the only one",
                 memory->name, at.other_line, other.of, other.name);
    }
    record->left = pe->free_record;
    pe->free_record = index;
}

/* A record that is not used, or 0. */
static uint32_t take_record(struct check_pe *pe)
{
    const uint32_t index = pe->free_record;
    if (index)
        pe->free_record = pe->records[index].left;
    else if (pe->record_count < pe->record_limit)
        return pe->record_count++;
    return index;
}

/* How many units from k on, at most up to end, belong to the same record. */
static uint32_t same_owner(const struct pe_memory *memory, uint32_t k, uint32_t end)
{
    uint32_t next = k + 1;
    while (next < end && memory->owner[next] == memory->owner[k])
        next++;
    return next - k;
}

static bool all_written(const uint8_t *written, uint32_t length)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    for (; length >= 8; written += 8, length -= 8) {
        uint64_t eight;
        memcpy(&eight, written, sizeof eight);
        if (eight != ones)
            return false;
    }
    for (; length > 0; written++, length--)
        if (*written != UNIT_WRITTEN)
            return false;
    return true;
}

/* PEs in which d set has written the unit. */
static unsigned written_in(const struct pe_memory *memory, uint32_t unit)
{
    unsigned count = 0;
    for (unsigned w = 0; w < PES / 64; w++)
        count += (unsigned)__builtin_popcountll(memory->in[unit][w]);
    return count;
}

static void warn_partly(struct check_pe *pe, const struct piece *piece, unsigned count, size_t item)
{
    const struct diag at =
        mncore2_finding_warning(pe->program, pe->diags, item, piece->operand, "never-written");
    diag_add(pe->diags, &at,
             "reads %s in every PE, but d set has written it in %u of %u only\n"
             "set it in the others, too: a selector that is left out names all",
             pe->memories[piece->space].name, count, PES);
}

/* Cycles in which the piece reads nothing of worth. */
static unsigned worthless_cycles(const struct pe_memory *memory, const struct piece *piece)
{
    unsigned cycles = 0;
    for (unsigned c = 0; memory->worthless && c < CYCLES; c++) {
        uint16_t first, length, found = 0;
        if (!piece_cycle(piece, c, &first, &length)) {
            first = piece->range[0].first;
            length = piece->count == 1 ? piece->range[0].length : 0;
        }
        while (found < length && first + found < memory->units &&
               memory->written[first + found] == UNIT_WORTHLESS)
            found++;
        cycles |= (unsigned)(length && found == length) << c;
    }
    return cycles;
}

static unsigned pe_read(struct check_pe *pe, const struct piece *piece, size_t item)
{
    struct pe_memory *memory = &pe->memories[piece->space];
    const bool unknown =
        piece->any || (piece->space <= SPACE_LM1 && pe->bar_written[piece->space - SPACE_LM0]);
    if (unknown) {
        memory->any_access = pe->now;
        return 0;
    }
    const unsigned worthless = worthless_cycles(memory, piece);
    unsigned partly = 0;
    /* An access is suspect when none of its words was written: half of two long words may be. */
    bool missing = false;
    for (unsigned i = 0; i < piece->count; i++) {
        const uint32_t first = piece->range[i].first;
        const uint32_t length = clip(first, piece->range[i].length, memory->units);
        for (uint32_t k = first; k < first + length; k += same_owner(memory, k, first + length))
            pe->records[memory->owner[k]].read = true;
        if (all_written(memory->written + first, length))
            continue;
        uint8_t some = 1;
        uint32_t next = 0;
        for (uint32_t k = 0; k < length; k++) {
            if (k == next) {
                missing |= !some;
                some = 0;
                next += piece->unit;
            }
            uint8_t *state = &memory->written[first + k];
            some |= *state != UNIT_UNWRITTEN;
            if (*state == UNIT_PARTLY && !partly)
                partly = written_in(memory, first + k);
            if (*state != UNIT_WORTHLESS)
                *state = UNIT_WRITTEN; /* once is enough */
        }
        missing |= !some;
    }
    if (memory->any_written)
        return worthless;
    const struct diag at =
        mncore2_finding_warning(pe->program, pe->diags, item, piece->operand, "never-written");
    if (missing)
        mncore2_finding_never_written(pe->diags, &at, memory->name);
    else if (partly)
        warn_partly(pe, piece, partly, item);
    return worthless;
}

/* What is written of the range: bit i: cycle i writes nothing of worth. */
static void mark(struct pe_memory *memory, const struct piece *piece, unsigned range,
                 unsigned worthless)
{
    const unsigned all = (1u << CYCLES) - 1;
    const uint32_t first = piece->range[range].first;
    memset(memory->written + first, worthless == all ? UNIT_WORTHLESS : UNIT_WRITTEN,
           clip(first, piece->range[range].length, memory->units));
    memory->worthless |= worthless == all;
    for (unsigned c = 0; worthless && worthless != all && c < CYCLES; c++) {
        uint16_t at, length;
        if (!(worthless >> c & 1) || !piece_cycle(piece, c, &at, &length))
            continue;
        memset(memory->written + at, UNIT_WORTHLESS, clip(at, length, memory->units));
        memory->worthless = true;
    }
}

static void pe_write(struct check_pe *pe, const struct piece *piece, unsigned worthless,
                     size_t item)
{
    struct pe_memory *memory = &pe->memories[piece->space];
    const bool unknown =
        piece->any || (piece->space <= SPACE_LM1 && pe->bar_written[piece->space - SPACE_LM0]);
    if (unknown) {
        memory->any_access = pe->now;
        memory->any_written = true;
        return;
    }
    uint32_t fresh = 0;
    if (piece->definite && piece->count) {
        fresh = take_record(pe);
        pe->records[fresh] =
            (struct pe_record){.born = pe->now, .item = item, .operand = piece->operand};
    }
    for (unsigned i = 0; i < piece->count; i++) {
        const uint32_t first = piece->range[i].first;
        const uint32_t length = clip(first, piece->range[i].length, memory->units);
        mark(memory, piece, i, worthless);
        for (uint32_t k = first, units; k < first + length; k += units) {
            const uint32_t old = memory->owner[k];
            units = same_owner(memory, k, first + length);
            if (!fresh) { /* only some PEs or cycles write: what was there may live on */
                pe->records[old].read = true;
                continue;
            }
            if (old == fresh)
                continue;
            if (old)
                release(pe, memory, old, units, item);
            for (uint32_t n = 0; n < units; n++)
                memory->owner[k + n] = fresh;
            pe->records[fresh].left += units;
        }
    }
}

unsigned mncore2_check_pe_touch(struct check_pe *pe, const struct piece *piece, unsigned worthless,
                                size_t item)
{
    if (piece->space == SPACE_BAR0 || piece->space == SPACE_BAR1)
        pe->bar_written[piece->space - SPACE_BAR0] |= piece->write;
    else if (piece->write)
        pe_write(pe, piece, worthless, item);
    else
        return pe_read(pe, piece, item);
    return 0;
}

/* --- d set ------------------------------------------------------------------------------------ */

static bool names(int8_t selector, unsigned number)
{
    return selector < 0 || (unsigned)selector == number;
}

/* The PEs that a statement names; false: all. */
static bool named_pes(const struct debug *s, uint64_t in[PES / 64])
{
    if (s->group < 0 && s->l2b < 0 && s->l1b < 0 && s->mab < 0 && s->pe < 0)
        return false;
    memset(in, 0, PES / 64 * sizeof *in);
    for (unsigned pe = 0; pe < PES; pe++) {
        const unsigned mab = pe / PE_PER_MAB, l1b = mab / MAB_PER_L1B, l2b = l1b / L1B_PER_L2B;
        if (names(s->pe, pe % PE_PER_MAB) && names(s->mab, mab % MAB_PER_L1B) &&
            names(s->l1b, l1b % L1B_PER_L2B) && names(s->l2b, l2b % L2B_PER_GROUP) &&
            names(s->group, l2b / L2B_PER_GROUP))
            in[pe / 64] |= UINT64_C(1) << pe % 64;
    }
    return true;
}

/* A unit is written in these PEs: in all of them, once they are all. */
static void write_in(struct pe_memory *memory, uint32_t unit, const uint64_t in[PES / 64])
{
    uint64_t *known = memory->in[unit], all = UINT64_MAX;
    if (memory->written[unit] == UNIT_WRITTEN)
        return;
    if (memory->written[unit] != UNIT_PARTLY)
        memset(known, 0, sizeof memory->in[unit]);
    for (unsigned w = 0; w < PES / 64; w++)
        all &= known[w] |= in[w];
    memory->written[unit] = all == UINT64_MAX ? UNIT_WRITTEN : UNIT_PARTLY;
}

int mncore2_check_pe_debug(struct check_pe *pe, const struct debug *statement, bool write)
{
    const enum space space = mncore2_space_of(statement->mem);
    const uint64_t count = statement->count;
    if (space > SPACE_T)
        return 0;
    struct pe_memory *memory = &pe->memories[space];
    pe->now++;
    memory->any_access = pe->now; /* nothing before it is a dead write */
    if (!write)
        return 0;
    uint64_t words = count * (space == SPACE_T ? memory->units : statement->words);
    uint64_t in[PES / 64];
    if (words > memory->units || count > memory->units)
        words = memory->units;
    const bool partly = named_pes(statement, in);
    if (partly && !memory->in)
        memory->in = calloc(memory->units, sizeof *memory->in);
    if (partly && !memory->in)
        return -1;
    for (uint64_t i = 0; i < words; i++) {
        const uint32_t unit = (uint32_t)((statement->addr + i) % memory->units);
        if (partly)
            write_in(memory, unit, in);
        else
            memory->written[unit] = UNIT_WRITTEN;
    }
    return 0;
}
