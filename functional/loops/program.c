/* program: name tables, and values derived from a tensor's shape. */
#include "functional/loops/program.h"

#include <stdlib.h>
#include <string.h>

const char *const loops_type_name[LOOPS_TYPES] = {
#define TYPE(id, name, bytes) name,
#include "functional/loops/op.def"
};
const uint8_t loops_type_size[LOOPS_TYPES] = {
#define TYPE(id, name, bytes) bytes,
#include "functional/loops/op.def"
};
const char *const loops_op_text[LOOPS_OPS] = {
#define OP(id, text, sentence) text,
#include "functional/loops/op.def"
};
const char *const loops_assign_text[LOOPS_ASSIGNS] = {
#define ASSIGN(id, text, sentence) text,
#include "functional/loops/op.def"
};
const char *const loops_over_name[LOOPS_OVERS] = {
#define OVER(id, name, sentence) name,
#include "functional/loops/op.def"
};
const char *const loops_strategy_name[LOOPS_STRATEGIES] = {
#define STRATEGY(id, name, sentence) name,
#include "functional/loops/op.def"
};

void loops_program_free(struct loops_program *program)
{
    free(program->tensors);
    free(program->nests);
    free(program->items);
    free(program->values);
    *program = (struct loops_program){0};
}

uint64_t loops_elements(const struct loops_tensor *tensor)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < tensor->rank; d++)
        count = count > LOOPS_ITERATIONS / tensor->shape[d] ? LOOPS_ITERATIONS
                                                            : count * tensor->shape[d];
    return count;
}

uint64_t loops_element(const struct loops_tensor *tensor, uint64_t number)
{
    int64_t at = 0;
    for (unsigned d = tensor->rank; d-- > 0; number /= tensor->shape[d])
        at += (int64_t)(number % tensor->shape[d]) * tensor->stride[d];
    return tensor->base + (uint64_t)(at * loops_type_size[tensor->type]);
}

const struct loops_tensor *loops_find_tensor(const struct loops_program *program, const char *name,
                                             size_t length)
{
    for (size_t i = 0; i < program->tensor_count; i++) {
        const struct loops_tensor *t = &program->tensors[i];
        if (strlen(t->name) == length && memcmp(t->name, name, length) == 0)
            return t;
    }
    return NULL;
}
