/* place: --load, --save, put and get: memory in 64-bit words, so that byte 0x90000000 is
 * m:0x12000000; or a label of the program. */
#include <stdio.h>

#include "functional/ventus/run.h"

static int find(void *machine, const char *spec, struct place *place, char *error,
                size_t error_size)
{
    const struct ventus_run *run = machine;
    place->words = UINT64_MAX;
    if (!run)
        return 0;
    if (place->symbol) {
        const struct riscv_symbol *symbol =
            riscv_image_symbol(&run->program->image, place->symbol, place->symbol_length);
        if (!symbol || !symbol->label || symbol->value % 8) {
            snprintf(error, error_size, "'%.100s' names no label at a multiple of 8", spec);
            return 1;
        }
        place->at = symbol->value / 8;
    }
    for (size_t i = 0; i < run->memory.count; i++) {
        const struct ventus_piece *p = &run->memory.pieces[i];
        place->first = p->base / 8;
        place->words = p->size / 8;
        place->bytes = p->bytes;
        if (place->at >= place->first && place->at - place->first < place->words &&
            p->base % 8 == 0)
            return 0;
    }
    snprintf(error, error_size, "no buffer holds all words of '%.100s'", spec);
    return 1;
}

static int written(void *machine, const struct place *place)
{
    (void)place;
    return ventus_run_given(machine);
}

struct place_owner ventus_run_places(struct ventus_run *run)
{
    static const struct place_rules rules = {
        .takes = "m:ADDRESS in 64-bit words or m:SYMBOL", .files = "m", .symbols = true};
    return (struct place_owner){.rules = &rules, .machine = run, .find = find, .written = written};
}
