#include "tests/brute/brute_model.h"

#include <stdlib.h>
#include <string.h>

#include "tests/brute/brute_state.h"

/* --- numbers ---------------------------------------------------------------------------------- */

static size_t find(const struct config *config, const char *name)
{
    for (size_t i = 0; i < config->count; i++)
        if (strcmp(config->rows[i].name, name) == 0)
            return i;
    fprintf(stderr, "no parameter %s\n", name);
    abort();
}

static uint64_t number(const struct config *config, const char *name, bool documented)
{
    return config_integer(config, find(config, name), documented);
}

/* A port that turns in n empty steps takes the write 4 n - 2 cycles after its own. */
static uint64_t port_turns(const struct config *config, const char *name, bool documented)
{
    const uint64_t steps = number(config, name, documented);
    return steps ? 4 * steps - 2 : 0;
}

/* 0 is no limit; what is set beyond the documented-only width holds there, too. */
static double width(const struct config *config, const char *name, bool documented)
{
    const double set = config_real(config, find(config, name), false);
    const double best = config_real(config, find(config, name), true);
    if (!documented || set == 0)
        return set;
    return best == 0 || best > set ? best : set;
}

static void read_numbers(const struct config *config, bool documented, struct numbers *n)
{
#define NUMBER(field, name) n->field = number(config, name, documented)
    NUMBER(slot_steps[0], "mv_slot_steps_auto");
    NUMBER(slot_steps[1], "mv_slot_steps_flat");
    NUMBER(start_latency, "mv_start_latency");
    NUMBER(notice_latency, "mv_notice_latency");
    NUMBER(dar_latency, "dar_write_latency");
    NUMBER(registers_land, "pe_write_latency");
    n->lm_lands = port_turns(config, "hazard_lm", documented);
    n->l2bm_lands = port_turns(config, "hazard_l2bm_store_load", documented);
    n->load_lands = port_turns(config, "hazard_l1bm_load_store", documented);
    n->multicast_lands = port_turns(config, "hazard_multicast_store", documented);
    n->store_lands = port_turns(config, "hazard_pe_store_load", documented);
    NUMBER(channels, "dram_channels");
    NUMBER(banks, "dram_banks");
    NUMBER(row_bytes, "dram_row_bytes");
    NUMBER(tccd, "dram_tccd");
    NUMBER(trcd, "dram_trcd");
    NUMBER(trp, "dram_trp");
    NUMBER(tras, "dram_tras");
    NUMBER(tcl, "dram_tcl");
    NUMBER(turnaround, "dram_turnaround");
    NUMBER(trefi, "dram_trefi");
    NUMBER(trfc, "dram_trfc");
    NUMBER(read_ahead, "dram_read_ahead");
    NUMBER(window, "dram_window");
    NUMBER(age_limit, "dram_age_limit");
    NUMBER(write_buffer, "dram_write_buffer");
    NUMBER(write_high, "dram_write_high");
    NUMBER(write_low, "dram_write_low");
    NUMBER(defer, "dram_refresh_defer");
    NUMBER(controller, "dram_controller");
#undef NUMBER
    n->pdm_port = width(config, "pdm_port", documented);
    n->dram_port = width(config, "dram_port", documented);
    n->l2bm_port = width(config, "l2bm_port", documented);
    n->link_width = width(config, "link_width", documented);
    n->shared_rates =
        strcmp(config_text(config, find(config, "mode_cap_scope"), documented), "path") == 0;
    const double supply = config_real(config, find(config, "supply_bytes"), documented);
    n->supply = (uint64_t)(supply * 65536 + 0.5);
    n->unit = 65536 * number(config, "unit_bytes", documented);
    n->buffer = 65536 * number(config, "buffer_bytes", documented);
    const char *map = config_text(config, find(config, "dram_map"), documented);
    for (int i = 0; i < 4; i++) {
        n->map[i].name = map[0] == 'c' && map[1] == 'o' ? 'o' : map[0]; /* column */
        n->map[i].size = map[0] == 'b'   ? n->banks
                         : map[0] == 'r' ? UINT64_MAX
                         : map[1] == 'o' ? n->row_bytes / 128
                                         : n->channels;
        map += strcspn(map, ":");
        map += *map == ':';
    }
    /* The rest of 2^25 granules are rows. */
    for (int i = 0; i < 4; i++)
        if (n->map[i].name == 'r')
            n->map[i].size = (UINT64_C(1) << 25) / (n->channels * n->banks * (n->row_bytes / 128));
}

void brute_mark(struct brute *brute, const char *name, uint64_t from, uint64_t length)
{
    struct brute_result *result = brute->result;
    size_t u = 0;
    while (u < result->unit_count && strcmp(result->units[u].name, name) != 0)
        u++;
    struct brute_unit *unit = &result->units[u];
    if (u == result->unit_count) {
        if (u == BRUTE_UNITS) {
            brute->failed = true;
            return;
        }
        result->unit_count++;
        snprintf(unit->name, sizeof unit->name, "%s", name);
    }
    if (from + length > unit->size) {
        const size_t size = 2 * (size_t)(from + length) + 1024;
        uint8_t *marks = realloc(unit->marks, size);
        if (!marks) {
            brute->failed = true;
            return;
        }
        memset(marks + unit->size, 0, size - unit->size);
        unit->marks = marks;
        unit->size = size;
    }
    memset(unit->marks + from, 1, (size_t)length);
}

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

static void cycle(struct brute *brute, uint64_t t)
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

/* The stream stands still for a step: four cycles go by. */
static void step_passes(struct brute *brute)
{
    for (int i = 0; i < 4; i++) {
        cycle(brute, brute->now);
        brute->now++;
        brute->level += brute->numbers.supply;
        if (brute->level > brute->numbers.buffer)
            brute->level = brute->numbers.buffer;
    }
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
static void replace_entries(struct brute *brute)
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

static void issue_mv(struct brute *brute, const struct mv *mv, uint32_t line)
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
    const uint64_t rate = number(brute->config, rate_of(mv, across), brute->options->documented);
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

/* --- PE side (README 4) ----------------------------------------------------------------------- */

/* An access: of a unit, in some cycles of the step, each of so much; later: a write, cycles until
 * it lands, 0: at once. */
struct use {
    const char *unit, *operation; /* NULL: no memory */
    unsigned amount, cycles;
    uint64_t later;
};

static void record(struct brute *brute, const struct use *use, uint64_t t)
{
    struct brute_use one = {use->unit, use->operation, use->amount, !use->later};
    brute_access(brute, &one, t);
    one.operation = "land";
    one.holds = true;
    if (use->later)
        brute_access(brute, &one, t + use->later);
}

/* Marks cycles of t .. t + 3, so much later for what lands in an SRAM. */
static void busy(struct brute *brute, const struct use *use)
{
    /* Where a write lands in L2BM is in no document (README 1). */
    const bool counts = !brute->options->documented || strncmp(use->unit, "l2bm", 4) != 0;
    for (unsigned i = 0; i < 4; i++)
        if (use->cycles >> i & 1) {
            const uint64_t at = brute->now + i + use->later;
            if (use->operation)
                record(brute, use, brute->now + i);
            brute_mark(brute, use->unit, at, 1);
            if (use->later && counts)
                brute->landed_all = brute_greatest(brute->landed_all, at + 1);
        }
}

static void busy_operand(struct brute *brute, const struct step *step,
                         const struct operand *operand, bool write)
{
    static const char *const reads[] = {"lm0", "lm1", "grf0.r", "grf1.r", "t.r"};
    static const char *const writes[] = {"lm0", "lm1", "grf0.w", "grf1.w", "t.w"};
    unsigned cycles = 15;
    if (write && (operand->flags & OPERAND_MASKED) && step->mask_entry >= 16) {
        cycles = 0;
        for (unsigned i = 0; i < 4; i++)
            if (step->mask_entry >> (3 - i) & 1)
                cycles |= 1u << i;
        /* 3.6.2: a mask of one long word does not touch the second one. */
        if (!step->mask_wide && operand->words == 4)
            cycles = 15;
    }
    if (operand->mem >= MEM_LM0 && operand->mem <= MEM_T) {
        const unsigned memory = operand->mem - (unsigned)MEM_LM0;
        const uint64_t later = memory < 2 ? brute->numbers.lm_lands : brute->numbers.registers_land;
        busy(brute, &(struct use){write ? writes[memory] : reads[memory], write ? "write" : "read",
                                  operand->words, cycles, write ? later : 0});
    }
    if (operand->flags & OPERAND_T) /* 3.6.1.6: two long words, of which one is used */
        busy(brute, &(struct use){"t.r", "read", 4, 15, 0});
    if (operand->mem == MEM_X || operand->mem == MEM_Y) /* 3.6.10: a row is four long words */
        busy(brute, &(struct use){operand->mem == MEM_X ? "matx" : "maty", write ? "write" : "read",
                                  write ? operand->words > 2 ? 2 : 1 : 0, 15, 0});
}

/* 3.6.7.2 to .10: long words a cycle of each L2BM, and of each L1BM. */
static unsigned l2bm_rate(const struct expr *expr, bool l1bm)
{
    switch (expr->insn) {
    case INSN_L2BMB:
    case INSN_L2BM:
    case INSN_L2BMR:
    case INSN_L2BMI:
        return 16;
    case INSN_L2BMB2:
    case INSN_L2BMR2:
        return l1bm ? 16 : 64;
    case INSN_L2BMDARS:
        return 64;
    default: /* l2bmd, both ways */
        return l1bm ? 8 : 64;
    }
}

/* Table 3.8: long words a cycle of each L1BM. */
static unsigned l1bm_rate(const struct expr *expr, const struct operand *operand)
{
    const unsigned wide = operand->words == 4 ? 2 : 1;
    switch (expr->insn) {
    case INSN_L1BMP:
        return wide;
    case INSN_L1BMM:
    case INSN_L1BMM_AT:
    case INSN_L1BMR:
        return 4 * wide;
    case INSN_L1BMM4:
    case INSN_L1BMM4_AT:
    case INSN_L1BMR4:
        return 16 * wide;
    default:
        return 64;
    }
}

static void busy_l2bm(struct brute *brute, const struct expr *expr)
{
    char name[BRUTE_NAME];
    for (int side = 0; side < 2; side++) {
        const struct operand *operand = side ? expr_out(expr, 0) : &expr->in[0];
        if (operand->mem == MEM_L2BM)
            for (int b = 0; b < 2; b++) {
                if (expr->insn == INSN_L2BMDARS && operand->l2b != b)
                    continue;
                snprintf(name, sizeof name, "l2bm%d.pe", b);
                busy(brute, &(struct use){name, side ? "write" : "read", l2bm_rate(expr, false), 15,
                                          side ? brute->numbers.l2bm_lands : 0});
            }
        /* One of the eight L1B, and l2bmr, give 16 long words a cycle, the others 64 (3.6.7). */
        const unsigned each = expr->insn == INSN_L2BM || expr->insn == INSN_L2BMR ? 16 : 64;
        for (unsigned k = 0; k < 4 * each && side && operand->mem == MEM_L2BM; k++)
            brute->landed[(operand->addr[0] + k) % L2BM_LONGS] =
                brute->now + brute->numbers.l2bm_lands + k / each + 1;
        if (operand->mem != MEM_L1BM)
            continue;
        for (int l = 0; l < 8; l++) {
            bool taken = expr->insn == INSN_L2BMR2 || expr->insn == INSN_L2BMD_JOIN ||
                         (expr->l1bset >> l & 1);
            if (expr->insn == INSN_L2BMI && side) {
                taken = false;
                for (int from = 0; from < 8; from++)
                    taken |= (expr->l1bset >> from & 1) && from != l &&
                             (from & expr->immode) == (l & expr->immode);
            }
            if (!taken)
                continue;
            snprintf(name, sizeof name, "l1bm%d.l2b", l);
            const uint64_t later = expr->insn == INSN_L2BMI ? brute->numbers.multicast_lands
                                                            : brute->numbers.load_lands;
            busy(brute, &(struct use){name, side ? "write" : "read", l2bm_rate(expr, true), 15,
                                      side ? later : 0});
        }
    }
    if (expr->insn == INSN_L2BMDARS)
        busy(brute, &(struct use){"darbuf", "write", 128, 15, 0});
}

static void busy_step(struct brute *brute, const struct step *step)
{
    for (unsigned g = 0; g < GROUP_COUNT; g++) {
        const struct expr *expr = step_expr(step, g);
        if (!expr)
            continue;
        if (expr->group == GROUP_L2BM) {
            busy_l2bm(brute, expr);
            continue;
        }
        if (expr->group == GROUP_ALU)
            busy(brute, &(struct use){"alu", NULL, 0, 15, 0});
        if (expr->group == GROUP_MAU_CALC)
            busy(brute, &(struct use){"mau", NULL, 0, 15, 0});
        for (int i = 0; i < expr->in_count; i++) {
            busy_operand(brute, step, &expr->in[i], false);
            if (expr->in[i].mem == MEM_L1BM)
                busy(brute, &(struct use){"l1bm.pe", "read", l1bm_rate(expr, &expr->in[i]), 15, 0});
        }
        for (unsigned o = 0; o < expr->out_count; o++) {
            busy_operand(brute, step, expr_out(expr, o), true);
            if (expr_out(expr, o)->mem == MEM_L1BM)
                busy(brute, &(struct use){"l1bm.pe", "write", l1bm_rate(expr, expr_out(expr, o)),
                                          15, brute->numbers.store_lands});
        }
    }
    const struct expr *l2bm = step_expr(step, GROUP_L2BM);
    if (l2bm && l2bm->insn == INSN_L2BMDARS)
        brute->dar_next = expr_out(l2bm, 0)->addr[0] % 1024;
    if (step->darw && brute->exec)
        replace_entries(brute);
    if (step->darw) {
        busy(brute, &(struct use){"darbuf", "read", 1, 15, 0});
        busy(brute, &(struct use){"dar", "write", 1, 15, 0});
    }
}

/* --- the stream (README 1) -------------------------------------------------------------------- */

static void close_unit(struct brute *brute)
{
    for (uint64_t i = 0; i < brute->numbers.slot_steps[brute->slots == 2]; i++) {
        step_passes(brute);
        brute->result->nops_packing++;
    }
    brute->used = 0;
}

static void open_unit(struct brute *brute)
{
    if (!brute->numbers.supply)
        return;
    while (brute->level < brute->numbers.unit) {
        step_passes(brute);
        brute->result->nops_empty++;
    }
    brute->level -= brute->numbers.unit;
}

/* A PE slot for the next step. */
static void take_slot(struct brute *brute)
{
    if (!brute->slots)
        return;
    if (brute->used == brute->slots)
        close_unit(brute);
    if (brute->used == 0)
        open_unit(brute);
    brute->used++;
}

static void packing_nops(struct brute *brute)
{
    for (; brute->used < brute->slots; brute->used++) {
        step_passes(brute);
        brute->result->nops_packing++;
    }
}

static void wait_for(struct brute *brute, unsigned tag)
{
    for (;;) {
        bool all = true;
        for (size_t i = 0; i < brute->transfer_count; i++) {
            const struct transfer *transfer = &brute->transfers[i];
            if (transfer->mv->tag == tag && transfer->tag_open)
                all &= transfer->done == transfer->operations && transfer->finished <= brute->now;
        }
        if (all)
            break;
        step_passes(brute);
        brute->result->nops_wait++;
    }
    for (size_t i = 0; i < brute->transfer_count; i++)
        if (brute->transfers[i].mv->tag == tag)
            brute->transfers[i].tag_open = false;
}

static void do_step(struct brute *brute, const struct step *step, uint32_t line)
{
    const uint64_t count = step->nops ? step->nops : 1;
    for (uint64_t i = 0; i < count; i++) {
        take_slot(brute);
        if (i == 0 && step->wait)
            wait_for(brute, step->wait);
        if (!step->nops) {
            while (brute->options->interlock &&
                   !brute_hazard_step_legal(brute->hazard, step, (int64_t)brute->now)) {
                step_passes(brute);
                brute->result->nops_hazard++;
            }
            brute_hazard_issue(brute->hazard, step, (int64_t)brute->now);
            brute->line = line;
            brute->statement++;
            busy_step(brute, step);
        } else {
            brute->result->nops_written++;
        }
        step_passes(brute);
    }
}

static void do_mv(struct brute *brute, const struct stmt *stmt, uint32_t line)
{
    if (brute->slots) {
        if (brute->used == 0)
            open_unit(brute);
        packing_nops(brute);
    }
    if (stmt->kind == STMT_MV) {
        while (brute->options->interlock &&
               !brute_hazard_mv_legal(brute->hazard, stmt->mv, (int64_t)brute->now)) {
            step_passes(brute);
            brute->result->nops_hazard++;
        }
        issue_mv(brute, stmt->mv, line);
    }
    if (brute->slots)
        close_unit(brute);
}

static bool running(const struct brute *brute)
{
    for (size_t i = 0; i < brute->transfer_count; i++)
        if (brute->transfers[i].done < brute->transfers[i].operations)
            return true;
    return false;
}

static void run(struct brute *brute, struct diag_list *diags)
{
    for (size_t i = 0; i < brute->program->item_count && !brute->failed; i++) {
        const struct item *item = &brute->program->items[i];
        const struct stmt *stmt = &brute->program->stmts[item->stmt];
        if (stmt->kind == STMT_STEP)
            do_step(brute, stmt->step, item->line);
        else if (stmt->kind == STMT_MV || stmt->kind == STMT_MVNOP)
            do_mv(brute, stmt, item->line);
        else if (stmt->kind == STMT_SET && stmt->debug->mem == MEM_OMR)
            brute_hazard_set_mask(brute->hazard);
        if (brute->exec && mncore2_exec_item(brute->exec, brute->program, i, diags) != 0)
            brute->failed = true;
    }
    if (brute->used) {
        packing_nops(brute);
        close_unit(brute);
    }
    uint64_t t = brute->now;
    for (; running(brute) && !brute->failed; t++)
        cycle(brute, t);
    uint64_t total = brute_greatest(brute->now, brute->landed_all);
    for (size_t i = 0; i < brute->transfer_count; i++)
        total = brute_greatest(total, brute->transfers[i].finished);
    for (; t < total && !brute->failed; t++) /* writes that still wait in the channels */
        cycle(brute, t);
    brute->result->cycles = total;
}

/* --- results ---------------------------------------------------------------------------------- */

static int results(struct brute *brute)
{
    struct brute_result *result = brute->result;
    result->transfers = calloc(brute->transfer_count + 1, sizeof *result->transfers);
    if (!result->transfers)
        return -1;
    result->transfer_count = brute->transfer_count;
    for (size_t i = 0; i < brute->transfer_count; i++) {
        const struct transfer *transfer = &brute->transfers[i];
        result->transfers[i] = (struct brute_transfer){transfer->line, transfer->issued,
                                                       transfer->started, transfer->finished};
    }
    for (size_t u = 0; u < result->unit_count; u++) {
        struct brute_unit *unit = &result->units[u];
        for (size_t t = 0; t < unit->size && t < result->cycles; t++)
            unit->busy += unit->marks[t];
    }
    return 0;
}

static bool make(struct brute *brute)
{
    char error[256];
    brute->hazard = brute_hazard_new();
    brute->transfers = calloc(brute->program->item_count + 1, sizeof *brute->transfers);
    if (!brute->hazard || !brute->transfers || brute->numbers.channels > CHANNELS_MAX ||
        brute->numbers.banks > BANKS_MAX)
        return false;
    for (int g = 0; g < 4; g++) {
        brute->channels[g] = calloc(brute->numbers.channels, sizeof *brute->channels[g]);
        if (!brute->channels[g])
            return false;
    }
    if (brute->options->values) {
        const struct exec_options options = {.threads = 1};
        brute->exec = mncore2_exec_new(&options, error, sizeof error);
        return brute->exec != NULL;
    }
    return true;
}

int brute_run(const struct program *program, const struct config *config,
              const struct brute_options *options, struct brute_result *result)
{
    memset(result, 0, sizeof *result);
    struct brute brute = {
        .program = program, .options = options, .result = result, .config = config};
    read_numbers(config, options->documented, &brute.numbers);
    brute.level = brute.numbers.buffer;
    brute.slots = strcmp(options->packing, "auto") == 0   ? 3
                  : strcmp(options->packing, "flat") == 0 ? 2
                                                          : 0;
    struct diag_list diags;
    diag_list_init(&diags);
    int status = -1;
    if (make(&brute)) {
        run(&brute, &diags);
        if (!brute.failed)
            status = results(&brute);
    }
    for (size_t i = 0; i < brute.transfer_count; i++) {
        free(brute.transfers[i].data);
        free(brute.transfers[i].missing);
        for (int g = 0; g < 4; g++)
            free(brute.transfers[i].addresses[g]);
    }
    for (int g = 0; g < 4; g++) {
        for (uint64_t c = 0; brute.channels[g] && c < brute.numbers.channels; c++)
            free(brute.channels[g][c].list);
        free(brute.channels[g]);
    }
    free(brute.transfers);
    free(brute.old);
    brute_hazard_free(brute.hazard);
    if (brute.exec)
        mncore2_exec_free(brute.exec);
    diag_list_free(&diags);
    return status;
}

void brute_result_free(struct brute_result *result)
{
    for (size_t u = 0; u < result->unit_count; u++)
        free(result->units[u].marks);
    free(result->transfers);
    free(result->accesses);
    memset(result, 0, sizeof *result);
}

uint64_t brute_busy(const struct brute_result *result, const char *name)
{
    for (size_t u = 0; u < result->unit_count; u++)
        if (strcmp(result->units[u].name, name) == 0)
            return result->units[u].busy;
    return 0;
}
