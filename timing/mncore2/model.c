#include "timing/mncore2/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct param_row mncore2_params[PARAM_MNCORE2_COUNT] = {
#define PARAM(name, type, sentence) {#name, PARAM_##type, sentence},
#include "timing/mncore2/param.def"
};

const char *const mncore2_mv_title[MV_COUNT] = {
#define MV(id, base, from, to, where, unit_from, unit_to, section, sentence)                       \
    [MV_##id] = base " " #from "->" #to,
#include "functional/mncore2/mv.def"
};

static const enum mv_where mv_wheres[MV_COUNT] = {
#define MV(id, base, from, to, where, unit_from, unit_to, section, sentence)                       \
    [MV_##id] = WHERE_##where,
#include "functional/mncore2/mv.def"
};

static const uint32_t mv_unit_to[MV_COUNT] = {
#define MV(id, base, from, to, where, unit_from, unit_to, section, sentence) [MV_##id] = unit_to,
#include "functional/mncore2/mv.def"
};

struct cost {
    uint32_t counted;
    enum param_mncore2 rate_in, rate_across;
    uint32_t words[4]; /* by kind of port: PDM, DRAM, L2BM, link */
};

/* The switch makes a missing or a double row stop the build. */
static struct cost mv_cost(enum mv_mode mode)
{
    switch (mode) {
#define COST(id, counted, rate_in, rate_across, pdm, dram, l2bm, link)                             \
    case MV_##id:                                                                                  \
        return (struct cost){                                                                      \
            counted, PARAM_##rate_in, PARAM_##rate_across, {pdm, dram, l2bm, link}};
#include "timing/mncore2/cost.def"
    case MV_COUNT:
        break;
    }
    return (struct cost){0};
}

/* --- numbers ---------------------------------------------------------------------------------- */

static const char *const field_names[MEMORY_FIELDS] = {"row", "bank", "column", "channel"};

/* The address map names the four fields from the highest to the lowest, separated by colons. */
static bool read_map(const char *text, uint64_t columns, struct memory_config *dram)
{
    enum memory_field order[MEMORY_FIELDS];
    unsigned seen = 0, count = 0;
    while (count < MEMORY_FIELDS) {
        const size_t length = strcspn(text, ":");
        unsigned f = 0;
        while (f < MEMORY_FIELDS &&
               (strlen(field_names[f]) != length || strncmp(field_names[f], text, length) != 0))
            f++;
        if (f == MEMORY_FIELDS || (seen >> f & 1))
            return false;
        seen |= 1u << f;
        order[count++] = (enum memory_field)f;
        text += length;
        if (count < MEMORY_FIELDS && *text++ != ':')
            return false;
    }
    if (*text)
        return false;
    const uint64_t below = dram->channels * dram->banks * columns;
    dram->size[MEMORY_CHANNEL] = (uint32_t)dram->channels;
    dram->size[MEMORY_BANK] = (uint32_t)dram->banks;
    dram->size[MEMORY_COLUMN] = (uint32_t)columns;
    dram->size[MEMORY_ROW] = (uint32_t)((DRAM_GRANULES + below - 1) / below);
    uint64_t divisor = 1;
    for (unsigned i = MEMORY_FIELDS; i-- > 0;) {
        /* Beyond the last granule nothing differs any more. */
        dram->divisor[order[i]] = (uint32_t)(divisor < DRAM_GRANULES ? divisor : DRAM_GRANULES);
        divisor *= dram->size[order[i]];
    }
    return true;
}

static int read_dram(struct memory_config *dram, const struct config *config, bool documented,
                     char *error, size_t error_size)
{
#define NUMBER(name) config_integer(config, PARAM_dram_##name, documented)
    const uint64_t granule_bytes = DRAM_GRANULE * sizeof(uint64_t);
    const uint64_t columns = NUMBER(row_bytes) / granule_bytes;
    *dram = (struct memory_config){.channels = NUMBER(channels),
                                   .banks = NUMBER(banks),
                                   .tccd = NUMBER(tccd),
                                   .trcd = NUMBER(trcd),
                                   .trp = NUMBER(trp),
                                   .tras = NUMBER(tras),
                                   .tcl = NUMBER(tcl),
                                   .turnaround = NUMBER(turnaround),
                                   .trefi = NUMBER(trefi),
                                   .trfc = NUMBER(trfc),
                                   .latency = NUMBER(controller),
                                   .window = NUMBER(window),
                                   .age_limit = NUMBER(age_limit),
                                   .write_buffer = NUMBER(write_buffer),
                                   .write_high = NUMBER(write_high),
                                   .write_low = NUMBER(write_low),
                                   .defer = NUMBER(refresh_defer)};
#undef NUMBER
    if (!read_map(config_text(config, PARAM_dram_map, false), columns, dram)) {
        snprintf(error, error_size,
                 "dram_map must name row, bank, column and channel once each, separated by ':', "
                 "not '%.60s'",
                 config_text(config, PARAM_dram_map, false));
        return 1;
    }
    if (dram->trefi && dram->trfc >= dram->trefi) {
        snprintf(error, error_size,
                 "dram_trfc = %llu leaves no time between refreshes (dram_trefi "
                 "= %llu)",
                 (unsigned long long)dram->trfc, (unsigned long long)dram->trefi);
        return 1;
    }
    if (dram->write_low >= dram->write_high || dram->write_high > dram->write_buffer) {
        snprintf(error, error_size,
                 "dram_write_low = %llu, dram_write_high = %llu and "
                 "dram_write_buffer = %llu must be low < high <= buffer",
                 (unsigned long long)dram->write_low, (unsigned long long)dram->write_high,
                 (unsigned long long)dram->write_buffer);
        return 1;
    }
    dram->ideal = !dram->tccd && !dram->trcd && !dram->trp && !dram->tras && !dram->tcl &&
                  !dram->turnaround && !dram->trefi && !dram->latency;
    return 0;
}

/* A width set beyond what the documents leave open counts in the documented-only run, too. */
static double wider(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a > b ? a : b;
}

/* Time for which a number of long words hold a port. */
static uint64_t ticks(uint64_t words, double width)
{
    return width > 0 ? (uint64_t)llround((double)words * RESOURCE_TICKS / width) : 0;
}

static int read_widths(struct numbers *numbers, const struct config *config, bool documented,
                       char *error, size_t error_size)
{
    static const enum param_mncore2 widths[PORT_KINDS] = {PARAM_pdm_port, PARAM_dram_port,
                                                          PARAM_l2bm_port, PARAM_link_width};
    const double least = 1.0 / 1024;
    for (unsigned k = 0; k < PORT_KINDS; k++) {
        double *width = &numbers->width[k];
        *width = config_real(config, widths[k], false);
        if (documented)
            *width = wider(*width, config_real(config, widths[k], true));
        if (*width > 0 && *width < least) {
            snprintf(error, error_size, "%s = %.17g is less than 1/1024; 0 is unlimited",
                     config->rows[widths[k]].name, *width);
            return 1;
        }
    }
    for (unsigned m = 0; m < MV_COUNT; m++)
        for (unsigned k = 0; k < PORT_KINDS; k++)
            numbers->parts |=
                ticks(mv_cost((enum mv_mode)m).words[k], numbers->width[k]) % RESOURCE_TICKS != 0;
    return 0;
}

static int read_scope(struct numbers *numbers, const struct config *config, bool documented,
                      char *error, size_t error_size)
{
    const char *scope = config_text(config, PARAM_mode_cap_scope, documented);
    numbers->ways = strcmp(scope, "path") == 0;
    if (numbers->ways || strcmp(scope, "transfer") == 0)
        return 0;
    snprintf(error, error_size, "mode_cap_scope must be path or transfer, not '%.60s'", scope);
    return 1;
}

/* A port that took a later write before an earlier one could not be shown in order. */
static int check_landings(const struct config *config, char *error, size_t error_size)
{
    const uint64_t multicast = config_integer(config, PARAM_hazard_multicast_store, false);
    const uint64_t load = config_integer(config, PARAM_hazard_l1bm_load_store, false);
    if (multicast <= load + 1 && load <= multicast + 1)
        return 0;
    snprintf(
        error, error_size,
        "hazard_multicast_store = %llu and hazard_l1bm_load_store = %llu are more than 1 apart",
        (unsigned long long)multicast, (unsigned long long)load);
    return 1;
}

static int read_numbers(struct numbers *numbers, const struct config *config, bool documented,
                        char *error, size_t error_size)
{
#define NUMBER(name) config_integer(config, PARAM_##name, documented)
    *numbers = (struct numbers){
        .slot_cycles = {[PACKING_AUTO] = NUMBER(mv_slot_steps_auto) * CYCLES,
                        [PACKING_FLAT] = NUMBER(mv_slot_steps_flat) * CYCLES},
        .unit_bytes = NUMBER(unit_bytes) << SUPPLY_SHIFT,
        .buffer_bytes = NUMBER(buffer_bytes) << SUPPLY_SHIFT,
        .supply = (uint64_t)llround(config_real(config, PARAM_supply_bytes, documented) *
                                    (double)(1 << SUPPLY_SHIFT)),
        .start = NUMBER(mv_start_latency),
        .notice = NUMBER(mv_notice_latency),
        .dar_write = NUMBER(dar_write_latency),
        .read_ahead = NUMBER(dram_read_ahead),
    };
#undef NUMBER
    for (unsigned m = 0; m < MV_COUNT; m++) {
        const struct cost cost = mv_cost((enum mv_mode)m);
        numbers->rate_in[m] = config_integer(config, cost.rate_in, documented);
        numbers->rate_across[m] = config_integer(config, cost.rate_across, documented);
    }
    const double supply = config_real(config, PARAM_supply_bytes, documented);
    if (supply > 0 && !numbers->supply) {
        snprintf(error, error_size,
                 "supply_bytes = %.17g is counted in 1/%d of a byte and rounds to 0, which is "
                 "unlimited",
                 supply, 1 << SUPPLY_SHIFT);
        return 1;
    }
    /* A unit has two PE slots or more: what arrives meanwhile is all that the next one takes. */
    if (numbers->supply * 2 * CYCLES >= numbers->unit_bytes)
        numbers->supply = 0;
    if (check_landings(config, error, error_size) != 0 ||
        read_widths(numbers, config, documented, error, error_size) != 0 ||
        read_scope(numbers, config, documented, error, error_size) != 0)
        return 1;
    return read_dram(&numbers->dram, config, documented, error, error_size);
}

/* --- units ------------------------------------------------------------------------------------ */

static void fixed_units(struct model *model)
{
    const double *width = model->estimate.width;
    const double pdm_port = width[PORT_KIND_PDM], dram_port = width[PORT_KIND_DRAM];
    const double l2bm_port = width[PORT_KIND_L2BM], link_width = width[PORT_KIND_LINK];
    const struct unit_info rows[UNIT_FIXED_COUNT] = {
#define UNIT(id, name, path, kind, instances, width)                                               \
    [UNIT_##id] = {name, path, kind, instances, width, 0},
#include "timing/mncore2/unit.def"
    };
    memcpy(model->units, rows, sizeof rows);
    /* 1.4: 16 x 16 products with their sums in half precision, in each of 1024 MAU. */
    model->units[UNIT_MAU].peak_flops = 2.0 * 16 * 16 * MABS;
}

static int make_units(struct model *model)
{
    enum { NAME = 48 };
    const struct memory_config *dram = &model->estimate.dram;
    const size_t channels = GROUPS * dram->channels;
    model->unit_count = UNIT_FIXED_COUNT + channels;
    model->units = calloc(model->unit_count, sizeof *model->units);
    model->names = calloc(channels, 2 * NAME);
    if (!model->units || !model->names)
        return -1;
    fixed_units(model);
    char *text = model->names;
    for (unsigned g = 0; g < GROUPS; g++)
        for (unsigned c = 0; c < dram->channels; c++) {
            struct unit_info *unit = &model->units[model_channel(model, g, c)];
            unit->name = text;
            text += 1 + snprintf(text, NAME, "dram%u.ch%u", g, c);
            unit->path = text;
            text += 1 + snprintf(text, NAME, "chip.group%u.dram.ch%u", g, c);
            unit->kind = "channel";
            unit->instances = 1;
            unit->width = dram->tccd ? (double)DRAM_GRANULE / (double)dram->tccd : 0;
        }
    return 0;
}

int mncore2_model_check(const struct config *config, char *error, size_t error_size)
{
    struct numbers numbers;
    const int status = read_numbers(&numbers, config, false, error, error_size);
    return status ? status : read_numbers(&numbers, config, true, error, error_size);
}

int mncore2_model_init(struct model *model, const struct config *config, char *error,
                       size_t error_size)
{
    *model =
        (struct model){.config = config, .clock_hz = config_real(config, PARAM_clock_hz, false)};
    int status = read_numbers(&model->estimate, config, false, error, error_size);
    if (status == 0)
        status = read_numbers(&model->documented, config, true, error, error_size);
    if (status == 0 && (status = make_units(model)) != 0)
        snprintf(error, error_size, "out of memory");
    if (status != 0)
        mncore2_model_free(model);
    return status;
}

void mncore2_model_free(struct model *model)
{
    free(model->units);
    free(model->names);
    model->units = NULL;
    model->names = NULL;
}

/* --- plans of transfers ----------------------------------------------------------------------- */

static uint64_t ceiling(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static unsigned group_bits(const struct mv_operand *operand)
{
    return operand->group < 0 ? (1u << GROUPS) - 1 : 1u << operand->group;
}

static uint64_t memory_ports(const struct mv_operand *operand)
{
    uint64_t ports = 0;
    for (unsigned g = 0; g < GROUPS; g++) {
        if (!(group_bits(operand) >> g & 1))
            continue;
        if (operand->mem == MEM_PDM)
            ports |= 1ull << (PORT_PDM + g);
        else if (operand->mem == MEM_DRAM)
            ports |= 1ull << (PORT_DRAM + g);
        else
            for (unsigned b = 0; b < L2B_PER_GROUP; b++)
                if (operand->l2b < 0 || operand->l2b == (int)b)
                    ports |= 1ull << (PORT_L2BM + g * L2B_PER_GROUP + b);
    }
    return ports;
}

/* Data go from every group of `from` to every other group of `to`; modes in which every group works
 * by itself use no link. */
static uint64_t link_ports(const struct mv *mv)
{
    const enum mv_where where = mv_wheres[mv->mode];
    uint64_t ports = 0;
    if (where == WHERE_EACH || where == WHERE_EACH2 || where == WHERE_GRP2)
        return 0;
    for (unsigned from = 0; from < GROUPS; from++)
        for (unsigned to = 0; to < GROUPS; to++)
            if (from != to && (group_bits(&mv->from) >> from & 1) &&
                (group_bits(&mv->to) >> to & 1))
                ports |= 1ull << (PORT_LINK + link_index(from, to));
    return ports;
}

#define PORTS(from, to) (((1ull << (to)) - 1) & ~((1ull << (from)) - 1))
static const uint64_t ports_of[PORT_KINDS] = {[PORT_KIND_PDM] = PORTS(PORT_PDM, PORT_DRAM),
                                              [PORT_KIND_DRAM] = PORTS(PORT_DRAM, PORT_L2BM),
                                              [PORT_KIND_L2BM] = PORTS(PORT_L2BM, PORT_LINK),
                                              [PORT_KIND_LINK] = PORTS(PORT_LINK, PORT_COUNT)};
#undef PORTS

/* The port that a unit operation holds longest; among equals a link before a DRAM, a DRAM before a
 * PDM, a PDM before an L2BM. */
static uint32_t longest_held(const struct plan *plan)
{
    static const enum port_kind order[PORT_KINDS] = {PORT_KIND_LINK, PORT_KIND_DRAM, PORT_KIND_PDM,
                                                     PORT_KIND_L2BM};
    unsigned best = PORT_COUNT;
    for (unsigned i = 0; i < PORT_KINDS; i++) {
        const uint64_t ports = plan->ports & ports_of[order[i]];
        if (ports && (best == PORT_COUNT || plan->hold[order[i]] > plan->hold[port_kind(best)]))
            best = (unsigned)__builtin_ctzll(ports);
    }
    return MV_FIRST + best;
}

static uint32_t way_of(const struct mv *mv)
{
    return ((uint32_t)mv->mode * WAY_GROUPS + (uint32_t)(mv->from.group + 1)) * WAY_GROUPS +
           (uint32_t)(mv->to.group + 1);
}

void mncore2_model_plan(const struct numbers *numbers, const struct mv *mv, struct plan *plan)
{
    enum { COUNTED = 64 }; /* of n<size> for a unit operation (3.5.3) */
    const struct cost cost = mv_cost((enum mv_mode)mv->mode);
    const uint64_t links = link_ports(mv);
    const uint64_t destinations = memory_ports(&mv->to);
    const uint64_t sources = memory_ports(&mv->from);
    *plan = (struct plan){.ports = sources | destinations | links,
                          .sources = sources,
                          .ops = mv->size / COUNTED,
                          .way = way_of(mv)};
    const uint64_t rate = links ? numbers->rate_across[mv->mode] : numbers->rate_in[mv->mode];
    plan->way_cycles = ceiling(cost.counted, rate);
    plan->pace = plan->way_cycles * RESOURCE_TICKS;
    uint64_t parts = 0;
    for (unsigned k = 0; k < PORT_KINDS; k++) {
        plan->words[k] = cost.words[k];
        if (!(plan->ports & ports_of[k]))
            continue;
        plan->hold[k] = ticks(cost.words[k], numbers->width[k]);
        parts |= plan->hold[k] % RESOURCE_TICKS;
        if (plan->hold[k] > plan->pace)
            plan->pace = plan->hold[k];
    }
    plan->whole = !parts;
    plan->bytes = plan->ops * mv_unit_to[mv->mode] * sizeof(uint64_t) *
                  (uint64_t)__builtin_popcountll(destinations);
    plan->limit = longest_held(plan);
    plan->paced = plan->pace > plan->hold[port_kind(plan->limit - MV_FIRST)];
    if (mv->from.mem == MEM_DRAM || mv->to.mem == MEM_DRAM) {
        plan->dram_write = mv->to.mem == MEM_DRAM;
        plan->dram_groups = group_bits(plan->dram_write ? &mv->to : &mv->from);
        plan->granules = cost.words[PORT_KIND_DRAM] / DRAM_GRANULE;
    }
}
