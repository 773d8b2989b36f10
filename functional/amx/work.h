/*
 * work: reads and writes of an AMX instruction (functional/work.h).
 *
 *   program, item --amx_work_item--> struct work
 *
 *   operation   enum amx_insn
 *   set         registers of X or Y, rows of Z; first and count are bytes of each
 *
 * The accumulator of matfp counts as a whole: all rows that its lanes cover are read and written,
 * even those of disabled lanes. Registers belong to the thread; memory is shared.
 */
#ifndef TAKT_FUNCTIONAL_AMX_WORK_H
#define TAKT_FUNCTIONAL_AMX_WORK_H

#include "functional/amx/program.h"
#include "functional/work.h"

enum amx_space { AMX_SPACE_X, AMX_SPACE_Y, AMX_SPACE_Z, AMX_SPACE_COUNT };

struct amx_work_storage {
    struct span reads[AMX_SPACE_COUNT], writes[AMX_SPACE_COUNT];
    uint64_t addresses[2];
};

/* Compute what is the same in every execution of the instruction; stream, addresses and next are 0,
 * empty and WORK_END. item: an AMX_ITEM_INSN of the program. */
void amx_work_item(const struct amx_program *program, size_t item, struct amx_work_storage *storage,
                   struct work *work);

#endif
