#include "functional/loops/exec.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "functional/loops/arith.h"
#include "host/hash.h"

struct loops_exec {
    const struct loops_program *program;
    FILE *dump;
    uint8_t *memory;
    uint64_t size;   /* bytes, a multiple of 8 */
    uint32_t *lanes; /* results of a step waiting for pairwise addition */
    size_t held;
    size_t item;      /* next item to execute */
    uint64_t element; /* element of a d set or d get */
    bool inside;      /* inside its nest */
    unsigned part;    /* part of its code */
    struct loops_code code;
    struct loops_traversal at;
    struct loops_write write; /* the next one, while it is watched */
    void (*wrote)(void *context, const struct loops_write *write);
    void *context;
};

struct loops_exec *loops_exec_new(const struct loops_program *program, const struct init *init,
                                  FILE *dump)
{
    struct loops_exec *exec = calloc(1, sizeof *exec);
    if (!exec)
        return NULL;
    exec->program = program;
    exec->dump = dump;
    exec->size = (program->memory + 7) / 8 * 8;
    exec->memory = calloc(exec->size + 1, 1);
    exec->lanes = calloc(loops_units(program) + 1, sizeof *exec->lanes);
    if (!exec->memory || !exec->lanes) {
        loops_exec_free(exec);
        return NULL;
    }
    for (uint64_t i = 0; init->kind != INIT_ZERO && i < exec->size / 8; i++) {
        const uint64_t word = htole64(init_word(init, i));
        memcpy(exec->memory + 8 * i, &word, sizeof word);
    }
    return exec;
}

void loops_exec_free(struct loops_exec *exec)
{
    if (!exec)
        return;
    free(exec->memory);
    free(exec->lanes);
    free(exec);
}

uint64_t loops_exec_done(const struct loops_exec *exec)
{
    return exec->item;
}

/* --- watching --------------------------------------------------------------------------------- */

void loops_exec_watch(struct loops_exec *exec,
                      void (*wrote)(void *context, const struct loops_write *write), void *context)
{
    exec->wrote = wrote;
    exec->context = context;
}

static void prepare_write(struct loops_exec *exec)
{
    exec->write = (struct loops_write){.item = exec->item, .part = exec->part};
    for (unsigned k = 0; k < exec->at.part->sequential; k++)
        exec->write.index[k] = exec->at.index[k];
}

static void report_write(struct loops_exec *exec, int64_t address, enum loops_type type)
{
    exec->write.address = (uint64_t)address;
    exec->write.bytes = loops_type_size[type];
    exec->wrote(exec->context, &exec->write);
}

/* --- nests ------------------------------------------------------------------------------------ */

static uint32_t read_operand(const struct loops_exec *exec, const struct loops_nest *nest,
                             unsigned o)
{
    const struct loops_operand *operand = &nest->operand[o];
    if (operand->kind != LOOPS_TENSOR)
        return operand->bits;
    return loops_read(exec->program->tensors[operand->tensor].type,
                      exec->memory + exec->at.address[o]);
}

/* Store the result in its element, or accumulate. */
static void assign(struct loops_exec *exec, const struct loops_nest *nest, int64_t address,
                   uint32_t bits)
{
    const enum loops_type type = exec->program->tensors[nest->operand[LOOPS_TO].tensor].type;
    uint8_t *at = exec->memory + address;
    if (nest->assign != LOOPS_ASSIGN_SET)
        bits = loops_compute(nest->type,
                             nest->assign == LOOPS_ASSIGN_ADD ? LOOPS_OP_ADD : LOOPS_OP_MAX,
                             loops_read(type, at), bits);
    loops_write(type, at, bits);
    if (exec->wrote)
        report_write(exec, address, type);
}

/* Reduce the held results pairwise, neighbours first; a last one without a partner is kept. */
static uint32_t add_pairs(struct loops_exec *exec, const struct loops_nest *nest)
{
    const enum loops_op op = nest->assign == LOOPS_ASSIGN_ADD ? LOOPS_OP_ADD : LOOPS_OP_MAX;
    uint32_t *v = exec->lanes;
    for (size_t count = exec->held; count > 1; count = (count + 1) / 2)
        for (size_t i = 0; i < count; i += 2)
            v[i / 2] = i + 1 < count ? loops_compute(nest->type, op, v[i], v[i + 1]) : v[i];
    exec->held = 0;
    return v[0];
}

/* One iteration; false after the last one of the part. */
static bool iterate(struct loops_exec *exec, const struct loops_nest *nest)
{
    const int64_t to = exec->at.address[LOOPS_TO];
    const uint32_t a = read_operand(exec, nest, LOOPS_A);
    const uint32_t b = nest->op == LOOPS_OP_NONE ? 0 : read_operand(exec, nest, LOOPS_B);
    const uint32_t result = loops_compute(nest->type, nest->op, a, b);
    if (exec->wrote)
        prepare_write(exec);
    const unsigned level = loops_traversal_next(&exec->at);
    const struct loops_part *part = exec->at.part;
    if (!nest->tree || nest->assign == LOOPS_ASSIGN_SET) {
        assign(exec, nest, to, result);
    } else {
        exec->lanes[exec->held++] = result;
        if (level < part->sums || level == LOOPS_LEVELS)
            assign(exec, nest, to, add_pairs(exec, nest));
    }
    return level != LOOPS_LEVELS;
}

static void start_part(struct loops_exec *exec, const struct loops_nest *nest)
{
    const struct loops_part *part = &exec->code.parts[exec->part];
    loops_traversal_start(&exec->at, nest, part, part->count);
}

/* Returns the remaining budget. */
static uint64_t run_nest(struct loops_exec *exec, uint64_t budget)
{
    const struct loops_nest *nest = &exec->program->nests[exec->program->items[exec->item].nest];
    if (!exec->inside) {
        loops_generate(exec->program, nest, &exec->code);
        exec->inside = true;
        exec->part = 0;
        start_part(exec, nest);
    }
    while (budget) {
        budget--;
        if (iterate(exec, nest))
            continue;
        if (++exec->part == exec->code.part_count) {
            exec->inside = false;
            exec->item++;
            break;
        }
        start_part(exec, nest);
    }
    return budget;
}

/* --- d set, d get ----------------------------------------------------------------------------- */

static void set_element(struct loops_exec *exec, const struct loops_debug *debug, uint64_t i)
{
    const struct loops_tensor *tensor = &exec->program->tensors[debug->tensor];
    const uint64_t address = loops_element(tensor, debug->first + i);
    loops_write(tensor->type, exec->memory + address,
                exec->program->values[debug->value + i % debug->value_count]);
    exec->write = (struct loops_write){.item = exec->item};
    if (exec->wrote)
        report_write(exec, (int64_t)address, tensor->type);
}

static void print_element(const struct loops_exec *exec, const struct loops_item *item, uint64_t i)
{
    enum { ROW = 8 };
    const struct loops_debug *debug = &item->debug;
    const struct loops_tensor *tensor = &exec->program->tensors[debug->tensor];
    const char *text = exec->program->sources[item->place.source].text + item->place.offset;
    const uint32_t bits =
        loops_read(tensor->type, exec->memory + loops_element(tensor, debug->first + i));
    if (i % ROW == 0)
        fprintf(exec->dump, "DEBUG-%s(%llu):(", tensor->name,
                (unsigned long long)(debug->first + i));
    if (tensor->type == LOOPS_F32)
        fprintf(exec->dump, "%.9g", (double)loops_float(bits));
    else
        fprintf(exec->dump, "%d", (int32_t)bits);
    if (i + 1 < debug->count && (i + 1) % ROW)
        fputs(", ", exec->dump);
    else
        fprintf(exec->dump, ") #%.*s\n", (int)item->place.length, text);
}

/* Returns the remaining budget. */
static uint64_t run_debug(struct loops_exec *exec, const struct loops_item *item, uint64_t budget)
{
    for (; budget && exec->element < item->debug.count; budget--, exec->element++)
        if (item->kind == LOOPS_ITEM_SET)
            set_element(exec, &item->debug, exec->element);
        else if (exec->dump)
            print_element(exec, item, exec->element);
    if (exec->element == item->debug.count) {
        exec->element = 0;
        exec->item++;
    }
    return budget;
}

int loops_exec_advance(struct loops_exec *exec, uint64_t budget)
{
    while (budget && exec->item < exec->program->item_count) {
        const struct loops_item *item = &exec->program->items[exec->item];
        budget =
            item->kind == LOOPS_ITEM_NEST ? run_nest(exec, budget) : run_debug(exec, item, budget);
        if (exec->dump && ferror(exec->dump))
            return -1;
    }
    return exec->item < exec->program->item_count;
}

uint64_t loops_exec_hash(const struct loops_exec *exec)
{
    return hash_bytes(HASH_START, exec->memory, exec->size);
}

/* --- places ----------------------------------------------------------------------------------- */

static int find_place(void *machine, const char *spec, struct place *place, char *error,
                      size_t error_size)
{
    const struct loops_exec *exec = machine;
    place->words = exec ? exec->size / 8 : UINT64_MAX;
    place->bytes = exec ? exec->memory : NULL;
    if (!exec || (place->file_length == 1 && *place->file == 'm'))
        return 0;
    const struct loops_tensor *tensor =
        loops_find_tensor(exec->program, place->file, place->file_length);
    if (!tensor || tensor->low % 8) {
        snprintf(error, error_size,
                 tensor ? "'%.100s' does not begin with a 64-bit word"
                        : "'%.100s': the program has no such tensor",
                 spec);
        return 1;
    }
    place->words = (tensor->high + 7) / 8 - tensor->low / 8;
    place->bytes += tensor->low;
    return 0;
}

struct place_owner loops_exec_places(struct loops_exec *exec)
{
    static const struct place_rules rules = {
        .takes = "m or the name of a tensor, :ADDRESS in 64-bit words"};
    return (struct place_owner){.rules = &rules, .machine = exec, .find = find_place};
}
