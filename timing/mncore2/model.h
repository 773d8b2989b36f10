/*
 * model: the numbers and units of one MN-Core 2, taken from the chip file once.
 *
 * There are two sets of numbers: the estimate's, and the documented-only ones in which every
 * assumed parameter has its most optimistic value.
 */
#ifndef TAKT_TIMING_MNCORE2_MODEL_H
#define TAKT_TIMING_MNCORE2_MODEL_H

#include "config/config.h"
#include "functional/mncore2/program.h"
#include "timing/memory.h"
#include "timing/mncore2/stream.h"
#include "timing/resource.h"
#include "timing/sink.h"

enum param_mncore2 {
#define PARAM(name, type, sentence) PARAM_##name,
#include "timing/mncore2/param.def"
    PARAM_MNCORE2_COUNT
};
extern const struct param_row mncore2_params[PARAM_MNCORE2_COUNT];

enum unit_mncore2 {
#define UNIT(id, name, path, kind, instances, width) UNIT_##id,
#include "timing/mncore2/unit.def"
    UNIT_FIXED_COUNT /* the channels of the DRAMs follow */
};

enum reason_mncore2 {
    REASON_BEFORE_MNCORE2 = REASON_MACHINE - 1,
#define REASON(id, name, state, limit, sentence) REASON_##id,
#include "timing/mncore2/reason.def"
    REASONS_MNCORE2
};

enum counter_mncore2 {
#define COUNTER(id, name, index, unit, sentence) COUNTER_##id,
#include "timing/mncore2/counter.def"
    COUNTERS_MNCORE2
};

/* Ports of the MV side are the units from MV_FIRST on. */
enum {
    MV_FIRST = UNIT_PDM0,
    PORT_PDM = UNIT_PDM0 - MV_FIRST,    /* + group */
    PORT_DRAM = UNIT_DRAM0 - MV_FIRST,  /* + group */
    PORT_L2BM = UNIT_L2BM00 - MV_FIRST, /* + group * 2 + l2b */
    PORT_LINK = UNIT_LINK01 - MV_FIRST, /* + link_index */
    PORT_COUNT = UNIT_FIXED_COUNT - MV_FIRST
};

enum port_kind { PORT_KIND_PDM, PORT_KIND_DRAM, PORT_KIND_L2BM, PORT_KIND_LINK, PORT_KINDS };

static inline enum port_kind port_kind(unsigned port)
{
    return port >= PORT_LINK   ? PORT_KIND_LINK
           : port >= PORT_L2BM ? PORT_KIND_L2BM
           : port >= PORT_DRAM ? PORT_KIND_DRAM
                               : PORT_KIND_PDM;
}

/* A way: a mode from the groups of its source to those of its destination, one or all of each. */
enum { WAY_GROUPS = GROUPS + 1, WAYS = MV_COUNT * WAY_GROUPS * WAY_GROUPS };

/* The link from one group to another. */
static inline unsigned link_index(unsigned from, unsigned to)
{
    return from * (GROUPS - 1) + (to > from ? to - 1 : to);
}

enum { DRAM_GRANULE = 16 }; /* long words, 3.5.6 */
#define DRAM_GRANULES (DRAM_LONGS / DRAM_GRANULE)

/* Fixed-point bytes of the instruction supply. */
enum { SUPPLY_SHIFT = 16 };

struct numbers {
    uint64_t slot_cycles[PACKING_COUNT];       /* of the MV slot of a unit */
    uint64_t unit_bytes, buffer_bytes, supply; /* in 1 << SUPPLY_SHIFT-ths; supply 0 = unlimited */
    double width[PORT_KINDS];                  /* long words a cycle; 0 = unlimited */
    bool parts; /* some operations hold a port for parts of a cycle */
    uint64_t rate_in[MV_COUNT], rate_across[MV_COUNT];
    bool ways; /* transfers of one mode between the same groups share its rate */
    uint64_t start, notice, dar_write;
    uint64_t read_ahead; /* granules */
    struct memory_config dram;
};

struct model {
    const struct config *config;
    double clock_hz;
    struct numbers estimate, documented;
    struct unit_info *units;
    size_t unit_count;
    char *names; /* of the channels */
};

/* Returns 0, 1 with a sentence when the numbers make no chip, -1 when the host has no memory. */
int mncore2_model_init(struct model *model, const struct config *config, char *error,
                       size_t error_size);
void mncore2_model_free(struct model *model);
/* Only whether the numbers make a chip: 0, or 1 with a sentence. */
int mncore2_model_check(const struct config *config, char *error, size_t error_size);

/* Unit of a channel. */
static inline uint32_t model_channel(const struct model *model, unsigned group, unsigned channel)
{
    return (uint32_t)(UNIT_FIXED_COUNT + group * model->estimate.dram.channels + channel);
}

/* What one unit operation of an MV statement takes. Ticks: timing/resource.h. */
struct plan {
    uint64_t ports, sources;    /* bit p: port p; those that are read */
    uint64_t ops;               /* unit operations */
    uint64_t pace;              /* ticks of one */
    uint64_t words[PORT_KINDS]; /* long words through each port */
    uint64_t hold[PORT_KINDS];  /* ticks of each port */
    bool whole;                 /* all of these are whole cycles */
    uint32_t way;
    uint64_t way_cycles;  /* of one by the mode's rate alone */
    uint64_t bytes;       /* written by the whole transfer, all destinations together */
    unsigned dram_groups; /* bits */
    unsigned granules;    /* of a unit operation in each of these groups */
    bool dram_write;
    uint32_t limit; /* unit that it uses most */
    bool paced;     /* by the mode's rate, which is slower than any unit */
};

void mncore2_model_plan(const struct numbers *numbers, const struct mv *mv, struct plan *plan);

/* Cycles in which all of its operations can follow each other. */
static inline uint64_t plan_cycles(const struct plan *plan)
{
    return (plan->ops * plan->pace + RESOURCE_TICKS - 1) >> RESOURCE_TICK_SHIFT;
}

extern const char *const mncore2_mv_title[MV_COUNT]; /* "mvp P->D" */

#endif
