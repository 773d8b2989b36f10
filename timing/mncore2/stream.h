/*
 * stream: how the statements of a program are packed into the instruction stream (manual 1.2).
 *
 *   auto:  [PE][PE][PE][MV] [PE][PE][PE][MV] ...     flat:  [PE][PE][MV] [PE][PE][MV] ...
 *   none:  statements as written; an MV statement takes no slot (what the emulator accepts)
 *
 * The packer fills units in program order. An MV statement closes its unit: the PE slots left in
 * front of it become nops. A unit whose PE slots are full takes mvnop when a PE statement follows.
 * The last unit is filled up with nops too.
 *
 * Run, print and the hazard check walk the program with the same three calls:
 *
 *   struct packer packer = mncore2_packer_start(packing);
 *   mncore2_packer_steps(&packer, n)   before n PE statements (a nop/n is n): nothing is inserted
 *   mncore2_packer_mv(&packer)         before an MV statement or a written mvnop: nops inserted
 *                                      before it
 *   mncore2_packer_end(&packer)        at the end: nops that fill the last unit
 */
#ifndef TAKT_TIMING_MNCORE2_STREAM_H
#define TAKT_TIMING_MNCORE2_STREAM_H

#include "functional/mncore2/program.h"

enum packing { PACKING_NONE, PACKING_AUTO, PACKING_FLAT, PACKING_COUNT };

struct machine_setting; /* timing/machine.h */

struct packer {
    unsigned slots; /* PE slots of a unit; 0 = not packed */
    unsigned used;  /* filled in the open unit; 0 = no unit is open */
};

struct packer mncore2_packer_start(enum packing packing);
/* Returns the units that were opened (the first slot of each has been filled). */
uint64_t mncore2_packer_steps(struct packer *packer, uint64_t count);
unsigned mncore2_packer_mv(struct packer *packer);
unsigned mncore2_packer_end(struct packer *packer);

/* The packing of a run: name is "none", "auto", "flat", or NULL for the default, which is flat when
 * a step can only be assembled in flat mode, else auto. Returns 0, or -1 for another name. */
int mncore2_packing_choose(const struct program *program, const char *name, enum packing *packing);

/* Whether settings make a hazard a stall, and whether a transfer that has not ended is one. */
bool mncore2_stalls(const struct machine_setting *settings);
bool mncore2_holds(const struct machine_setting *settings);

/* The canonical text, or the packed stream with what the packer inserts. Returns 0, or -1 when the
 * host failed. */
int mncore2_stream_print(const struct program *program, enum packing packing, bool packed,
                         FILE *out);

#endif
