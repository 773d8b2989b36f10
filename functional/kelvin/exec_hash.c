/* exec_hash: the state as one number. */
#include <string.h>

#include "functional/kelvin/exec_state.h"
#include "host/hash.h"

/* Code words as they were loaded become 0, others what differs from that. */
static void leave_code_out(const struct kelvin_exec *exec, uint32_t page, uint8_t *bytes,
                           uint32_t size)
{
    const struct riscv_image *image = &exec->program->image;
    for (uint32_t at = 0; at < size; at += 4) {
        const uint32_t slot = kelvin_program_slot(exec->program, page + at);
        if (slot == UINT32_MAX || exec->stmts[slot] == RISCV_NO_STMT)
            continue;
        const uint32_t word = image->stmts[exec->stmts[slot]].word;
        for (unsigned b = 0; b < 4; b++)
            bytes[at + b] = (uint8_t)(bytes[at + b] ^ word >> 8 * b);
    }
}

uint64_t kelvin_exec_hash(const struct kelvin_exec *exec)
{
    enum { PAGE = 4096 };
    static const uint8_t zero[PAGE];
    const struct kelvin_state *s = &exec->state;
    uint64_t hash = hash_bytes(HASH_START, s->x, sizeof s->x);
    hash = hash_bytes(hash, &s->pc, sizeof s->pc);
    hash = hash_bytes(hash, &s->user, sizeof s->user);
    hash = hash_bytes(hash, s->csr, sizeof s->csr);
    hash = hash_bytes(hash, &s->vector, sizeof s->vector);
    for (const struct riscv_memory *memory = exec->memory; memory; memory = memory->more)
        for (uint32_t at = 0; at < memory->size; at += PAGE) {
            if (memcmp(memory->bytes + at, zero, PAGE) == 0)
                continue;
            const uint32_t page = memory->base + at;
            uint8_t bytes[PAGE];
            memcpy(bytes, memory->bytes + at, PAGE);
            leave_code_out(exec, page, bytes, PAGE);
            if (memcmp(bytes, zero, PAGE) == 0)
                continue;
            hash = hash_bytes(hash, &page, sizeof page);
            hash = hash_bytes(hash, bytes, PAGE);
        }
    return hash;
}
