/* words: access to the state as 64-bit words for --load, --save, put and get. */
#include <string.h>

#include "functional/kelvin/exec_state.h"

/* One word per x register, its high half 0. */
static void copy_x(struct kelvin_exec *exec)
{
    memset(exec->x_words, 0, sizeof exec->x_words);
    for (unsigned i = 0; i < 32; i++)
        for (unsigned k = 0; k < 4; k++)
            exec->x_words[8 * i + k] = (uint8_t)(exec->state.x[i] >> 8 * k);
}

static int written(void *machine, const struct place *place)
{
    struct kelvin_exec *exec = machine;
    if (*place->file == 'm')
        kelvin_exec_give(exec, place->bytes, 8 * place->count);
    for (unsigned i = 1; *place->file == 'x' && i < 32; i++) {
        const uint8_t *b = exec->x_words + 8 * i;
        exec->state.x[i] = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    }
    return 0;
}

static int find(void *machine, const char *spec, struct place *place, char *error,
                size_t error_size)
{
    struct kelvin_exec *exec = machine;
    uint32_t address = 0;
    if (*place->file == 'm') {
        place->words = (UINT64_C(1) << 32) / 8;
        if (!exec)
            return 0;
        const bool known =
            !place->symbol ||
            (kelvin_program_address(exec->program, place->symbol, place->symbol_length, &address) &&
             address % 8 == 0);
        if (known && place->symbol)
            place->at = address / 8;
        const struct riscv_memory *memory = exec->memory;
        for (const struct riscv_memory *m = memory; m; m = m->more)
            if (place->at >= m->base / 8 && place->at - m->base / 8 < m->size / 8)
                memory = m;
        place->first = memory->base / 8;
        place->words = memory->size / 8;
        place->bytes = memory->bytes;
        if (known)
            return 0;
        snprintf(error, error_size, "'%.100s' names no label at a multiple of 8 in memory", spec);
        return 1;
    }
    const bool vector = *place->file == 'v';
    const uint64_t each = vector ? KELVIN_BYTES / 8 : 1;
    place->words = vector ? KELVIN_REGISTERS * each : 32;
    place->usual = each;
    if (place->index >= place->words / each || (!vector && place->at) || place->at > place->words)
        return place_beyond(spec, "registers", error, error_size);
    place->at += place->index * each;
    if (exec && !vector)
        copy_x(exec);
    if (exec)
        place->bytes = vector ? exec->state.vector.v[0].b : exec->x_words;
    return 0;
}

struct place_owner kelvin_exec_places(struct kelvin_exec *exec)
{
    static const struct place_rules rules = {
        .takes = "m:ADDRESS in 64-bit words, m:SYMBOL, x@N, v@N or v@N:WORD",
        .files = "mxv",
        .symbols = true,
        .registers = true};
    return (struct place_owner){.rules = &rules, .machine = exec, .find = find, .written = written};
}
