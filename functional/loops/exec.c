#include "functional/loops/exec.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "functional/loops/arith.h"
#include "functional/words.h"
#include "host/hash.h"

struct loops_exec {
    const struct loops_program *program;
    FILE *dump;
    uint8_t *memory;
    uint64_t size;   /* bytes, a multiple of 8 */
    uint32_t *lanes; /* results of a step that are still to be added in pairs */
    size_t held;
    size_t item;      /* to be executed next */
    uint64_t element; /* of a d set or d get */
    bool inside;      /* of its nest */
    unsigned part;    /* of its code */
    struct loops_code code;
    struct loops_traversal at;
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

/* The result goes to its element. */
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
}

/* In pairs, neighbours first; the last one without partner goes on as it is. */
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

/* One iteration; false behind the last one of the part. */
static bool iterate(struct loops_exec *exec, const struct loops_nest *nest)
{
    const int64_t to = exec->at.address[LOOPS_TO];
    const uint32_t a = read_operand(exec, nest, LOOPS_A);
    const uint32_t b = nest->op == LOOPS_OP_NONE ? 0 : read_operand(exec, nest, LOOPS_B);
    const uint32_t result = loops_compute(nest->type, nest->op, a, b);
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

/* Returns what is left of the budget. */
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
    loops_write(tensor->type, exec->memory + loops_element(tensor, debug->first + i),
                exec->program->values[debug->value + i % debug->value_count]);
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

/* Returns what is left of the budget. */
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

struct place {
    char name[LOOPS_NAME];
    unsigned long long address, count; /* words */
    uint8_t *bytes;
};

static bool number_at(const char **at, unsigned long long *number)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *number = strtoull(*at, &end, 0);
    *at = end;
    return errno == 0;
}

static int parse_place(const char *spec, bool counted, struct place *place, char *error,
                       size_t error_size)
{
    const char *colon = strchr(spec, ':');
    const size_t length = colon ? (size_t)(colon - spec) : 0;
    *place = (struct place){.count = 0};
    bool fine = length > 0 && length < sizeof place->name;
    if (fine) {
        memcpy(place->name, spec, length);
        const char *at = colon + 1;
        fine = number_at(&at, &place->address);
        if (fine && counted)
            fine = *at++ == '+' && number_at(&at, &place->count) && place->count > 0;
        fine = fine && !*at;
    }
    if (fine)
        return 0;
    snprintf(error, error_size,
             "'%s' is not %s: m or the name of a tensor, :ADDRESS%s in 64-bit words", spec,
             counted ? "what --save takes" : "what --load takes", counted ? "+COUNT" : "");
    return 1;
}

int loops_exec_spec(const char *spec, bool save, char *error, size_t error_size)
{
    struct place place;
    return parse_place(spec, save, &place, error, error_size);
}

static int find_place(const struct loops_exec *exec, const char *spec, bool counted,
                      struct place *place, char *error, size_t error_size)
{
    if (parse_place(spec, counted, place, error, error_size) != 0)
        return 1;
    uint64_t low = 0, high = exec->size;
    if (strcmp(place->name, "m") != 0) {
        const struct loops_tensor *tensor =
            loops_find_tensor(exec->program, place->name, strlen(place->name));
        if (!tensor) {
            snprintf(error, error_size, "'%s': the program has no such tensor", spec);
            return 1;
        }
        low = tensor->low;
        high = (tensor->high + 7) / 8 * 8;
        if (low % 8) {
            snprintf(error, error_size, "'%s' does not begin with a 64-bit word", spec);
            return 1;
        }
    }
    const uint64_t words = (high - low) / 8;
    if (place->address >= words || (counted && place->count > words - place->address)) {
        snprintf(error, error_size, "'%s' is beyond the %llu words", spec,
                 (unsigned long long)words);
        return 1;
    }
    place->bytes = exec->memory + low + 8 * place->address;
    place->count = counted ? place->count : words - place->address;
    return 0;
}

int loops_exec_load(struct loops_exec *exec, const char *spec, const char *path, bool big,
                    char *error, size_t error_size)
{
    struct place place;
    const int status = find_place(exec, spec, false, &place, error, error_size);
    return status ? status : words_load(path, big, place.bytes, place.count, error, error_size);
}

int loops_exec_save(const struct loops_exec *exec, const char *spec, const char *path, bool big,
                    char *error, size_t error_size)
{
    struct place place;
    const int status = find_place(exec, spec, true, &place, error, error_size);
    return status ? status : words_save(path, big, place.bytes, place.count, error, error_size);
}

/* A place that so many words fit into. */
static int find_words(const struct loops_exec *exec, const char *spec, size_t count,
                      struct place *place, char *error, size_t error_size)
{
    const bool counted = strchr(spec, '+');
    const int status = find_place(exec, spec, counted, place, error, error_size);
    if (status != 0 || (counted ? count == place->count : count <= place->count))
        return status;
    snprintf(error, error_size, "%s: %zu words are given, not %s%llu", spec, count,
             counted ? "" : "at most ", place->count);
    return 1;
}

int loops_exec_put(struct loops_exec *exec, const char *spec, const uint64_t *words, size_t count,
                   char *error, size_t error_size)
{
    struct place place;
    const int status = find_words(exec, spec, count, &place, error, error_size);
    for (size_t i = 0; status == 0 && i < count; i++) {
        const uint64_t word = htole64(words[i]);
        memcpy(place.bytes + 8 * i, &word, sizeof word);
    }
    return status;
}

int loops_exec_get(const struct loops_exec *exec, const char *spec, uint64_t *words, size_t count,
                   char *error, size_t error_size)
{
    struct place place;
    const int status = find_words(exec, spec, count, &place, error, error_size);
    for (size_t i = 0; status == 0 && i < count; i++) {
        memcpy(&words[i], place.bytes + 8 * i, sizeof *words);
        words[i] = le64toh(words[i]);
    }
    return status;
}
