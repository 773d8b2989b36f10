/* brute_transfer: the transfers of the brute-force model, cycle by cycle. */
#include "tests/brute/brute_state.h"

#include <stdlib.h>
#include <string.h>

/* --- one cycle of the MV side (README 3) ------------------------------------------------------ */

static uint64_t ahead(const struct brute *brute, const struct transfer *transfer)
{
    const uint64_t operations = brute->numbers.read_ahead / transfer->granules;
    return operations ? operations : 1;
}

static uint64_t since(const struct transfer *transfer)
{
    if (!transfer->granules || transfer->writes_dram)
        return transfer->next;
    if (transfer->missing[transfer->done])
        return UINT64_MAX;
    return brute_greatest(transfer->next, transfer->data[transfer->done]);
}

/* What begins in cycle t begins where the use before it ended, if that was in this cycle. */
static uint64_t begins(uint64_t end, uint64_t t)
{
    return end / 65536 == t ? end : t * 65536;
}

static void start(struct brute *brute, struct transfer *transfer, uint64_t t)
{
    for (size_t p = 0; p < transfer->port_count; p++) {
        struct port *one = transfer->ports[p];
        const struct brute_use use = {one->name, transfer->does[p], transfer->words[p], true};
        brute->line = transfer->line;
        brute_access(brute, &use, t);
        if (!transfer->hold[p])
            continue;
        one->end = begins(one->end, t) + transfer->hold[p];
        one->held += transfer->hold[p];
        /* One cycle after the other that it is held in, while there is one to mark. */
        for (uint64_t c = t; c * 65536 < one->end; c++)
            if (c >= one->until && (one->marked + 1) * 65536 <= one->held) {
                brute_mark(brute, one->name, c, 1);
                one->marked++;
                one->until = c + 1;
            }
    }
    if (brute->numbers.shared_rates)
        transfer->way->free_at = t + transfer->way_pace;
    if (transfer->done == 0)
        transfer->started = t;
    if (transfer->writes_dram)
        brute_dram_arrive(brute, transfer, transfer->done);
    else if (transfer->granules)
        brute_dram_arrive(brute, transfer, transfer->done + ahead(brute, transfer));
    transfer->done++;
    transfer->exact = begins(transfer->exact, t) + transfer->pace;
    transfer->next = transfer->exact / 65536;
    if (transfer->done == transfer->operations)
        transfer->finished = (transfer->exact + 65535) / 65536 + brute->numbers.notice_latency;
}

void brute_transfer_cycle(struct brute *brute, uint64_t t)
{
    for (size_t i = 0; i < brute->transfer_count; i++) {
        struct transfer *transfer = &brute->transfers[i];
        if (transfer->begun || transfer->next > t)
            continue;
        transfer->begun = true;
        if (transfer->granules && !transfer->writes_dram)
            for (uint64_t j = 0; j < ahead(brute, transfer); j++)
                brute_dram_arrive(brute, transfer, j);
    }
    /* Take the waiting operations in order: find the next by the last one's key. */
    bool *seen = calloc(brute->transfer_count + 1, sizeof *seen);
    if (!seen) {
        brute->failed = true;
        return;
    }
    for (;;) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < brute->transfer_count; i++) {
            const struct transfer *one = &brute->transfers[i];
            if (seen[i] || one->done == one->operations || !one->begun || since(one) > t)
                continue;
            if (best != SIZE_MAX) {
                const struct transfer *other = &brute->transfers[best];
                if (one->mv->priority < other->mv->priority ||
                    (one->mv->priority == other->mv->priority && since(one) >= since(other)))
                    continue;
            }
            best = i;
        }
        if (best == SIZE_MAX)
            break;
        seen[best] = true;
        struct transfer *transfer = &brute->transfers[best];
        if (!brute_dram_accepts(brute, transfer))
            continue;
        bool free_now = transfer->way->free_at <= t;
        for (size_t p = 0; p < transfer->port_count; p++)
            free_now &= transfer->ports[p]->end / 65536 <= t;
        if (free_now)
            start(brute, transfer, t);
    }
    free(seen);
    brute_dram_cycle(brute, t);
}

/* --- issuing an MV statement (README 2; 3.5.8) ------------------------------------------------ */

static struct port *port(struct brute *brute, const char *name)
{
    for (size_t p = 0; p < brute->port_count; p++)
        if (strcmp(brute->ports[p].name, name) == 0)
            return &brute->ports[p];
    struct port *fresh = &brute->ports[brute->port_count++];
    snprintf(fresh->name, sizeof fresh->name, "%s", name);
    fresh->end = 0;
    return fresh;
}

static struct way *way(struct brute *brute, const struct mv *mv)
{
    for (size_t w = 0; w < brute->way_count; w++)
        if (brute->ways[w].mode == (unsigned)mv->mode && brute->ways[w].from == mv->from.group &&
            brute->ways[w].to == mv->to.group)
            return &brute->ways[w];
    struct way *fresh = &brute->ways[brute->way_count++];
    *fresh = (struct way){(unsigned)mv->mode, mv->from.group, mv->to.group, 0};
    return fresh;
}

static void use(struct brute *brute, struct transfer *transfer, const char *name, uint64_t words,
                double width_of_it)
{
    const size_t p = transfer->port_count++;
    transfer->ports[p] = port(brute, name);
    transfer->words[p] = (unsigned)words;
    transfer->does[p] = "pass";
    if (width_of_it > 0)
        transfer->hold[p] = (uint64_t)(65536.0 * (double)words / width_of_it + 0.5);
}

static unsigned groups_of(const struct mv_operand *operand)
{
    return operand->group < 0 ? 15 : 1u << operand->group;
}

static void use_memory(struct brute *brute, struct transfer *transfer,
                       const struct mv_operand *operand, uint64_t words)
{
    const struct numbers *n = &brute->numbers;
    char name[BRUTE_NAME];
    const size_t first = transfer->port_count;
    for (unsigned g = 0; g < 4; g++) {
        if (!(groups_of(operand) >> g & 1))
            continue;
        if (operand->mem == MEM_L2BM) {
            for (int b = 0; b < 2; b++) {
                if (operand->l2b >= 0 && operand->l2b != b)
                    continue;
                snprintf(name, sizeof name, "l2bm%u.%d", g, b);
                use(brute, transfer, name, words, n->l2bm_port);
            }
        } else {
            const bool pdm = operand->mem == MEM_PDM;
            snprintf(name, sizeof name, "%s%u", pdm ? "pdm" : "dram", g);
            use(brute, transfer, name, words, pdm ? n->pdm_port : n->dram_port);
        }
    }
    for (size_t p = first; p < transfer->port_count; p++)
        transfer->does[p] = operand == &transfer->mv->from ? "read" : "write";
    if (operand->mem == MEM_DRAM) {
        transfer->granules = words / 16;
        transfer->dram_groups = groups_of(operand);
    }
}

/* Long words that each side's memory, and each link, sees of one unit operation. */
static void words_of(const struct mv *mv, uint64_t *from, uint64_t *to, uint64_t *link)
{
    *from = *to = 64;
    switch (mv->mode) {
    case MV_D_C_B4:
        *from = *link = 32;
        return;
    case MV_C_D_R4:
        *to = *link = 32;
        return;
    case MV_D_C_B:
        *from = *link = 16;
        return;
    case MV_C_D_R:
        *to = *link = 16;
        return;
    case MV_P_C_DIST:
        *from = 512, *link = 128;
        return; /* two L2BM of 64 in each other group */
    case MV_C_P_JOIN:
        *to = 512, *link = 128;
        return;
    case MV_P_D_DIST:
        *to = *link = 16;
        return;
    case MV_D_P_JOIN:
        *from = *link = 16;
        return;
    case MV_P_C_PAR:
    case MV_C_P_PAR:
    case MV_D_C_PAR:
    case MV_C_D_PAR:
    case MV_D_C_B2:
    case MV_C_D_R2:
    case MV_C_P_R2:
        *link = 0;
        return;
    default:
        *link = 64;
        return;
    }
}

static const char *rate_of(const struct mv *mv, bool across)
{
    switch (mv->mode) {
    case MV_D_P:
        return across ? "rate_mvp_dp_across" : "rate_mvp_dp_group";
    case MV_P_P:
        return "rate_mvp_across";
    case MV_D_C_B2:
    case MV_C_D_R2:
    case MV_C_P_R2:
        return "rate_mvb2";
    case MV_D_C_B4:
    case MV_C_D_R4:
        return "rate_mvb4";
    case MV_P_C_B:
    case MV_C_P_R:
        return "rate_mvb_pdm";
    case MV_D_C_B:
    case MV_C_D_R:
        return "rate_mvb_dram";
    case MV_P_C_DIST:
    case MV_C_P_JOIN:
    case MV_P_D_DIST:
    case MV_D_P_JOIN:
        return "rate_mvd";
    default:
        return across ? "rate_mvp_across" : "rate_mvp_group";
    }
}

/* What the DAR of a group holds at an entry once everything so far has taken effect. */
static uint64_t dar_value(const struct brute *brute, unsigned group, unsigned entry)
{
    const struct mv one = {.mode = MV_D_P,
                           .nd = 1,
                           .from = {.mem = MEM_DRAM, .group = -1, .indirect = true, .addr = entry}};
    uint64_t value;
    mncore2_exec_dar_addresses(brute->exec, &one, group, 1, &value);
    return value;
}

/* l2bmdarw in the step at brute->now: an entry a cycle. */
void brute_transfer_replace_entries(struct brute *brute)
{
    for (unsigned i = 0; i < 4; i++) {
        if (brute->old_count == brute->old_size) {
            const size_t size = 2 * brute->old_size + 64;
            struct old_entry *old = realloc(brute->old, size * sizeof *old);
            if (!old) {
                brute->failed = true;
                return;
            }
            brute->old = old;
            brute->old_size = size;
        }
        struct old_entry *old = &brute->old[brute->old_count++];
        old->entry = brute->dar_next;
        old->last = brute->now + i + brute->numbers.dar_latency;
        for (unsigned g = 0; g < 4; g++)
            old->held[g] = dar_value(brute, g, old->entry);
        brute->dar_next = (brute->dar_next + 1) % 1024;
    }
}

/* What an MV statement issued now finds there. */
static uint64_t dar_found(const struct brute *brute, unsigned group, unsigned entry)
{
    for (size_t i = 0; i < brute->old_count; i++)
        if (brute->old[i].entry == entry && brute->now <= brute->old[i].last)
            return brute->old[i].held[group];
    return dar_value(brute, group, entry);
}

static bool addresses(struct brute *brute, struct transfer *transfer)
{
    const struct mv *mv = transfer->mv;
    const struct mv_operand *operand = mv->from.mem == MEM_DRAM ? &mv->from : &mv->to;
    const uint64_t count = transfer->operations * transfer->granules;
    transfer->data = calloc(transfer->operations, sizeof *transfer->data);
    transfer->missing = calloc(transfer->operations, sizeof *transfer->missing);
    if (!transfer->data || !transfer->missing)
        return false;
    for (unsigned g = 0; g < 4; g++) {
        if (!transfer->granules || !(transfer->dram_groups >> g & 1))
            continue;
        transfer->addresses[g] = calloc(count, sizeof *transfer->addresses[g]);
        if (!transfer->addresses[g])
            return false;
        for (uint64_t i = 0; i < count; i++) {
            if (!operand->indirect)
                transfer->addresses[g][i] = operand->addr / 16 + i;
            else if (mv->nd)
                transfer->addresses[g][i] =
                    dar_found(brute, g, (unsigned)((operand->addr + i / mv->nd) % 1024)) +
                    i % mv->nd;
            else
                transfer->addresses[g][i] = dar_found(brute, g, (unsigned)operand->addr) + i;
            transfer->addresses[g][i] %= UINT64_C(1) << 25;
        }
    }
    return true;
}

void brute_transfer_issue(struct brute *brute, const struct mv *mv, uint32_t line)
{
    struct transfer *transfer = &brute->transfers[brute->transfer_count++];
    *transfer = (struct transfer){.mv = mv,
                                  .issued = brute->now,
                                  .operations = mv->size / 64,
                                  .next = brute->now + brute->numbers.start_latency,
                                  .writes_dram = mv->to.mem == MEM_DRAM,
                                  .tag_open = true,
                                  .line = line};
    uint64_t from, to, link;
    words_of(mv, &from, &to, &link);
    use_memory(brute, transfer, &mv->from, from);
    use_memory(brute, transfer, &mv->to, to);
    bool across = false;
    for (unsigned a = 0; a < 4; a++)
        for (unsigned b = 0; b < 4; b++) {
            if (a == b || !link || !(groups_of(&mv->from) >> a & 1) ||
                !(groups_of(&mv->to) >> b & 1))
                continue;
            char name[BRUTE_NAME];
            snprintf(name, sizeof name, "link%u-%u", a, b);
            use(brute, transfer, name, link, brute->numbers.link_width);
            across = true;
        }
    const uint64_t counted = mv->mode == MV_P_C_DIST || mv->mode == MV_C_P_JOIN ? 512 : 64;
    const uint64_t rate =
        brute_number(brute->config, rate_of(mv, across), brute->options->documented);
    transfer->way = way(brute, mv);
    transfer->way_pace = (counted + rate - 1) / rate;
    transfer->pace = transfer->way_pace * 65536;
    for (size_t p = 0; p < transfer->port_count; p++)
        transfer->pace = brute_greatest(transfer->pace, transfer->hold[p]);
    const bool waits = mv->from.mem == MEM_L2BM && !brute->options->documented;
    for (uint64_t k = 0; k < mv->size && waits; k++) {
        const uint64_t landed = brute->landed[(mv->from.addr + k) % L2BM_LONGS];
        const uint64_t behind = k / 64 * transfer->pace / 65536;
        if (landed > transfer->next + behind)
            transfer->next = landed - behind;
    }
    transfer->exact = transfer->next * 65536;
    if (!addresses(brute, transfer))
        brute->failed = true;
}
