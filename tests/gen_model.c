#include "tests/gen_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEVER = -1000 };

static void fill_never(int64_t *times, size_t count)
{
    for (size_t i = 0; i < count; i++)
        times[i] = NEVER;
}

void gen_model_init(struct gen *gen)
{
    gen->step = 0;
    fill_never(gen->lm_written, 2);
    fill_never(gen->bar_written, 2);
    fill_never(gen->grf[0], GRF_WORDS);
    fill_never(gen->grf[1], GRF_WORDS);
    fill_never(gen->t, CYCLES);
    fill_never(gen->l1_pe, L1BM_LONGS);
    fill_never(gen->l1_down, L1BM_LONGS);
    fill_never(gen->l1_multi, L1BM_LONGS);
    fill_never(gen->down, L1B_PER_L2B);
    fill_never(gen->multi, L1B_PER_L2B);
    fill_never(gen->l2_written, L2BM_LONGS);
    gen->pe_to_l1 = gen->l1_to_l2 = NEVER;
    gen->lbi_kind = -1;
    memset(gen->untouched, 1, sizeof gen->untouched);
    for (unsigned plane = 0; plane < 2; plane++)
        for (unsigned prec = 0; prec <= PREC_H; prec++)
            gen->rows[plane][prec] = 0xffff; /* zeros are valid blocks */
    gen->next_tag = 1;
}

static void at_least(int64_t *earliest, int64_t step)
{
    if (*earliest < step)
        *earliest = step;
}

/* The first step whose cycle `cycle` is at least `distance` cycles after `written`. */
static int64_t step_after(int64_t written, unsigned cycle, int64_t distance)
{
    const int64_t due = written + distance - (int64_t)cycle;
    return due <= 0 ? 0 : (due + 3) / 4;
}

static uint32_t span_longs(const struct span *span)
{
    return span->paired ? 2 : span->rate;
}

static uint32_t span_address(const struct span *span, unsigned cycle, uint32_t i)
{
    const uint32_t offset = span->paired ? cycle + 4 * i : cycle * span->rate + i;
    return (span->start + offset) % L1BM_LONGS;
}

/* 3.6.3.9: PE memories. A write in cycle w can be read in cycle w + 7. */
static void pe_reads(const struct gen *gen, const struct plan *plan, int64_t *earliest)
{
    for (unsigned mem = PE_M; mem <= PE_N; mem++) {
        if (plan->reads[mem])
            at_least(earliest, gen->lm_written[mem] + 3); /* two empty steps, any address */
        if (plan->reads[mem] || plan->writes[mem])
            at_least(earliest, gen->bar_written[mem] + 2);
    }
    for (unsigned mem = PE_R; mem <= PE_S; mem++)
        if (plan->reads[mem])
            for (unsigned cycle = 0; cycle < CYCLES; cycle++)
                for (unsigned word = 0; word < plan->read[mem].words; word++) {
                    const uint32_t at = (plan->read[mem].at[cycle] + word) % GRF_WORDS;
                    at_least(earliest, step_after(gen->grf[mem - PE_R][at], cycle, 7));
                }
    if (plan->reads[PE_T])
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            at_least(earliest, step_after(gen->t[cycle], cycle, 7));
}

/* 3.6.3.5, .6, .8: L1BM -> PE after l2bmi, L2BM -> L1BM, PE -> L1BM. */
static void l1bm_to_pe(const struct gen *gen, const struct plan *plan, int64_t *earliest)
{
    if (!plan->l1_read.on)
        return;
    at_least(earliest, gen->pe_to_l1 + 3);
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        for (uint32_t i = 0; i < span_longs(&plan->l1_read); i++) {
            const uint32_t at = span_address(&plan->l1_read, cycle, i);
            at_least(earliest, step_after(gen->l1_multi[at], cycle, 11));
            at_least(earliest, step_after(gen->l1_down[at], cycle, 7));
        }
}

/* 3.6.3.2, .3, .4, .7: the L2BM side. */
static void l2bm_side(const struct gen *gen, const struct plan *plan, int64_t *earliest)
{
    if (plan->l2b == L2B_DOWN || plan->l2b == L2B_DARS)
        at_least(earliest, gen->l1_to_l2 + 4);
    if (plan->l2b != L2B_UP && plan->l2b != L2B_MULTI)
        return;
    for (unsigned l1b = 0; l1b < L1B_PER_L2B; l1b++)
        if (plan->l1b_read >> l1b & 1) {
            at_least(earliest, gen->down[l1b] + 3);
            at_least(earliest, gen->multi[l1b] + 4);
        }
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        for (uint32_t i = 0; i < span_longs(&plan->l2b_l1); i++)
            at_least(earliest,
                     step_after(gen->l1_pe[span_address(&plan->l2b_l1, cycle, i)], cycle, 11));
}

int64_t gen_model_earliest(const struct gen *gen, const struct plan *plan)
{
    int64_t earliest = gen->step;
    pe_reads(gen, plan, &earliest);
    l1bm_to_pe(gen, plan, &earliest);
    l2bm_side(gen, plan, &earliest);
    return earliest;
}

/* 3.6.3.1: one empty step between l2bm@ and an MV that reads the region. */
int64_t gen_model_mv_earliest(const struct gen *gen, const struct region region[2])
{
    int64_t earliest = gen->step;
    if (region[0].mem == MEM_L2BM)
        for (uint64_t i = 0; i < region[0].length; i++)
            at_least(&earliest, gen->l2_written[(region[0].start + i) % L2BM_LONGS] + 2);
    return earliest;
}

static void written_words(struct gen *gen, const struct plan *plan, unsigned mem)
{
    const struct place *place = &plan->write[mem];
    uint8_t *block = gen->block[mem - PE_R];
    bool *untouched = gen->untouched[mem - PE_R];
    /* A conversion that writes all of its lanes leaves valid blocks; anything else does not. */
    const bool whole = plan->blocks[mem] && !plan->masked && !gen->mask_mode && place->words >= 2;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        for (unsigned word = 0; word < place->words; word++) {
            const uint32_t at = (place->at[cycle] + word) % GRF_WORDS;
            /* 3.6.2: a mask of one long word does not touch the second one. */
            if (plan->cycles[mem] >> cycle & 1 || (!plan->mask_wide && word >= 2))
                gen->grf[mem - PE_R][at] = 4 * gen->step + cycle;
            untouched[at] = false;
            /* Only half precision converts the LSB long word too (3.6.12.12). */
            block[at] = whole && (word < 2 || plan->alu_block == PREC_H) ? plan->alu_block : 0;
        }
}

static void issue_memories(struct gen *gen, const struct plan *plan)
{
    for (unsigned mem = PE_M; mem <= PE_N; mem++) {
        if (plan->writes[mem])
            gen->lm_written[mem] = gen->step;
        if (plan->bar[mem])
            gen->bar_written[mem] = gen->step;
    }
    for (unsigned mem = PE_R; mem <= PE_S; mem++)
        if (plan->writes[mem])
            written_words(gen, plan, mem);
    if (plan->writes[PE_T])
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            if (plan->cycles[PE_T] >> cycle & 1 || !plan->mask_wide) /* as above */
                gen->t[cycle] = 4 * gen->step + cycle;
    if (plan->writes_rows)
        for (unsigned prec = 0; prec <= PREC_H; prec++) {
            uint16_t *rows = &gen->rows[plan->rows_plane][prec];
            *rows = plan->rows_block == prec && prec ? *rows | plan->rows
                                                     : (uint16_t)(*rows & ~plan->rows);
        }
}

static void issue_l1bm(struct gen *gen, const struct plan *plan)
{
    if (plan->l1_write.on) {
        gen->pe_to_l1 = gen->step;
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            for (uint32_t i = 0; i < span_longs(&plan->l1_write); i++)
                gen->l1_pe[span_address(&plan->l1_write, cycle, i)] = 4 * gen->step + cycle;
    }
    const struct span *to = plan->l2b == L2B_MULTI ? &plan->l2b_l1_to : &plan->l2b_l1;
    int64_t *times = plan->l2b == L2B_MULTI ? gen->l1_multi : gen->l1_down;
    int64_t *steps = plan->l2b == L2B_MULTI ? gen->multi : gen->down;
    if (plan->l2b == L2B_MULTI || plan->l2b == L2B_DOWN) {
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            for (uint32_t i = 0; i < span_longs(to); i++)
                times[span_address(to, cycle, i)] = 4 * gen->step + cycle;
        for (unsigned l1b = 0; l1b < L1B_PER_L2B; l1b++)
            if (plan->l1b_written >> l1b & 1)
                steps[l1b] = gen->step;
    }
    if (plan->l2b == L2B_UP) {
        gen->l1_to_l2 = gen->step;
        for (uint32_t i = 0; i < plan->c_length && plan->single; i++)
            gen->l2_written[(plan->c_start + i) % L2BM_LONGS] = gen->step;
    }
}

void gen_model_issue(struct gen *gen, const struct plan *plan)
{
    issue_memories(gen, plan);
    issue_l1bm(gen, plan);
    if (!plan->noforward) {
        gen->forward[0] = plan->mau;
        gen->forward[1] = plan->alu;
        gen->forward[2] = plan->lbf;
        gen->forward[3] = plan->mread;
        gen->aluf_block = plan->alu_block;
        if (plan->from_pe) {
            gen->lbi_kind = plan->kind;
            gen->lbi_mabdiff = plan->mabdiff;
        } else if (plan->turn) {
            gen->lbi_kind = -1;
        }
    }
    gen->step++;
}

static uint64_t size_of(uint8_t mem)
{
    return mem == MEM_PDM ? PDM_LONGS : mem == MEM_DRAM ? DRAM_LONGS : L2BM_LONGS;
}

bool gen_region_meets(const struct region *a, const struct region *b)
{
    if (a->mem != b->mem || !(a->set & b->set))
        return false;
    if (a->any || b->any)
        return true;
    const uint64_t size = size_of(a->mem);
    return (b->start + size - a->start) % size < a->length ||
           (a->start + size - b->start) % size < b->length;
}

int gen_model_conflict(const struct gen *gen, const struct region *touched, bool writes, bool dar)
{
    for (unsigned i = 0; i < gen->in_flight; i++) {
        const struct transfer *t = &gen->flight[i];
        if (dar && t->indirect)
            return (int)i;
        if (touched && (gen_region_meets(touched, &t->region[1]) ||
                        (writes && gen_region_meets(touched, &t->region[0]))))
            return (int)i;
    }
    return -1;
}

void gen_model_landed(struct gen *gen, unsigned index)
{
    gen->flight[index] = gen->flight[--gen->in_flight];
}
