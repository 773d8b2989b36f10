/*
 * check_pe: what a program does to LM0, LM1, GRF0, GRF1 and T, statement by statement, for the
 * warnings never-written and dead-write. All PEs run the same steps, so one map serves them all,
 * but for what d set writes in some of them.
 */
#ifndef TAKT_TIMING_MNCORE2_CHECK_PE_H
#define TAKT_TIMING_MNCORE2_CHECK_PE_H

#include "functional/diag.h"
#include "timing/mncore2/pieces.h"

/* A write of PE memory by one operand, until all its units have been overwritten. */
struct pe_record {
    uint64_t born;
    size_t item;
    const struct operand *operand;
    uint32_t left; /* units that still hold its value; next free record when free */
    bool read;
};

enum unit_state {
    UNIT_UNWRITTEN,
    UNIT_WRITTEN,
    UNIT_PARTLY,    /* by d set, in some PEs */
    UNIT_WORTHLESS, /* with what came from where nothing has written */
};

struct pe_memory {
    const char *name;
    uint32_t units;
    uint8_t *written;         /* enum unit_state */
    uint64_t (*in)[PES / 64]; /* of a UNIT_PARTLY: the PEs; NULL until there is one */
    bool worthless;           /* some unit is */
    uint32_t *owner;          /* record of each unit, 0 = none */
    uint64_t any_access;      /* last time that any unit may have been touched */
    bool any_written;
};

enum { PE_MEMORIES = SPACE_T + 1 }; /* in the order of enum space */

struct check_pe {
    const struct program *program;
    struct diag_list *diags;
    struct pe_memory memories[PE_MEMORIES];
    bool bar_written[2];
    struct pe_record
        *records;         /* [0] is not used; a unit has one owner, so their number is bounded */
    uint32_t free_record; /* a list by `left`; 0: empty */
    uint32_t record_count, record_limit; /* from record_count on none was used yet */
    uint64_t now;                        /* the caller counts it on: reads of a step, its writes */
};

/* Returns 0, or -1 when the host has no memory; free it in every case. */
int mncore2_check_pe_init(struct check_pe *pe, const struct program *program,
                          struct diag_list *diags);
void mncore2_check_pe_free(struct check_pe *pe);

/* One access of a step to a PE memory or a base address register. worthless: bit i: of what cycle i
 * writes. Returns the cycles whose reads are. */
unsigned mncore2_check_pe_touch(struct check_pe *pe, const struct piece *piece, unsigned worthless,
                                size_t item);
/* d set writes, d get reads. Returns 0, or -1 when the host has no memory. */
int mncore2_check_pe_debug(struct check_pe *pe, const struct debug *statement, bool write);

#endif
