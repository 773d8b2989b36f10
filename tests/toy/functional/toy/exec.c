#include "functional/toy/exec.h"

#include <string.h>

#include "host/hash.h"

void toy_state_init(struct toy_state *state, const struct init *init)
{
    *state = (struct toy_state){0};
    for (size_t c = 0; c < TOY_CELLS; c++)
        state->cells[c] = init_word(init, c);
}

uint64_t toy_state_hash(const struct toy_state *state)
{
    return hash_bytes(HASH_START, state, sizeof *state);
}

int toy_exec(struct toy_state *state, const struct toy_stmt *stmt, FILE *dump)
{
    uint64_t *acc = &state->acc[stmt->acc], *cell = &state->cells[stmt->cell];
    const uint64_t value =
        stmt->other == TOY_NO_ACC ? (uint64_t)stmt->number : state->acc[stmt->other];
    switch (stmt->insn) {
    case TOY_LOAD:
        *acc = *cell;
        break;
    case TOY_STORE:
        *cell = *acc;
        break;
    case TOY_ADD:
        *acc += value;
        break;
    case TOY_MUL:
        *acc *= value;
        break;
    case TOY_COPY:
        memmove(cell, &state->cells[stmt->from], stmt->count * sizeof *cell);
        break;
    case TOY_GET:
        for (uint32_t i = 0; dump && i < stmt->count; i++)
            fprintf(dump, "[%u] %lld\n", stmt->cell + i, (long long)cell[i]);
        break;
    case TOY_WAIT:
    case TOY_INSNS:
        break;
    }
    return dump && ferror(dump) ? -1 : 0;
}
