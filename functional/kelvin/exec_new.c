/* exec_new: the state of a program before its first instruction, and copies of it. */
#include "functional/kelvin/exec_state.h"

#include <stdlib.h>
#include <string.h>

#include "host/big_memory.h"

void kelvin_exec_decode(struct kelvin_exec *exec)
{
    const struct riscv_image *image = &exec->program->image;
    for (size_t i = 0; i < image->stmt_count; i++) {
        uint32_t word = 0;
        riscv_memory_load(exec->memory, image->stmts[i].address, 4, &word);
        kelvin_insn_decode(
            word, &exec->code[kelvin_program_slot(exec->program, image->stmts[i].address)]);
    }
}

static void fill(void *to, size_t size, const struct init *init, uint64_t *place)
{
    for (size_t i = 0; i < size; i += 8) {
        const uint64_t word = init_word(init, (*place)++);
        memcpy((uint8_t *)to + i, &word, size - i < 8 ? size - i : 8);
    }
}

static size_t block_count(const struct kelvin_program *program)
{
    size_t count = 0;
    for (size_t i = 0; i < program->range_count; i++)
        count += program->ranges[i].size / EXEC_BLOCK;
    return count;
}

void kelvin_exec_give(struct kelvin_exec *exec, const uint8_t *bytes, size_t size)
{
    uint8_t *blocks = exec->blocks;
    for (const struct riscv_memory *m = exec->memory; m; m = m->more) {
        if (size && bytes >= m->bytes && bytes < m->bytes + m->size) {
            const size_t first = (size_t)(bytes - m->bytes) / EXEC_BLOCK;
            const size_t last = ((size_t)(bytes - m->bytes) + size - 1) / EXEC_BLOCK;
            memset(blocks + first, 1, last - first + 1);
        }
        blocks += m->size / EXEC_BLOCK;
    }
}

static void initialise(struct kelvin_exec *exec, const struct init *init)
{
    const struct riscv_image *image = &exec->program->image;
    uint64_t place = 0;
    if (init->kind != INIT_ZERO) { /* x0 and CSRs keep their hardware reset values */
        fill(exec->state.x + 1, sizeof exec->state.x - 4, init, &place);
        fill(&exec->state.vector, sizeof exec->state.vector, init, &place);
        for (size_t i = 0; i < exec->program->range_count; i++)
            fill(exec->memory[i].bytes, exec->memory[i].size, init, &place);
        memset(exec->blocks, 1, block_count(exec->program));
    }
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct riscv_segment *segment = &image->segments[i];
        uint8_t *at = riscv_memory_at(exec->memory, segment->address, segment->size);
        if (segment->filled)
            memcpy(at, segment->bytes, segment->filled);
        kelvin_exec_give(exec, at, segment->filled);
        if (init->kind != INIT_ZERO)
            memset(at + segment->filled, 0, segment->size - segment->filled);
    }
    exec->state.pc = image->entry;
}

static struct kelvin_exec *allocate(const struct kelvin_program *program)
{
    struct kelvin_exec *exec = calloc(1, sizeof *exec);
    if (!exec)
        return NULL;
    exec->program = program;
    exec->end_stmt = exec->last = RISCV_NO_STMT;
    bool fine = true;
    for (size_t i = 0; i < program->range_count; i++) {
        const struct kelvin_range *range = &program->ranges[i];
        exec->memory[i] = (struct riscv_memory){
            .bytes = big_memory_new(range->size),
            .base = range->base,
            .size = range->size,
            .more = i + 1 < program->range_count ? &exec->memory[i + 1] : NULL,
        };
        fine = fine && exec->memory[i].bytes;
    }
    exec->blocks = calloc(block_count(program), 1);
    exec->code = calloc((size_t)program->code_words + 1, sizeof *exec->code);
    exec->stmts = malloc(((size_t)program->code_words + 1) * sizeof *exec->stmts);
    if (!fine || !exec->blocks || !exec->code || !exec->stmts) {
        kelvin_exec_free(exec);
        return NULL;
    }
    memset(exec->stmts, 0xff, ((size_t)program->code_words + 1) * sizeof *exec->stmts);
    for (size_t i = 0; i < program->image.stmt_count; i++)
        exec->stmts[kelvin_program_slot(program, program->image.stmts[i].address)] = (uint32_t)i;
    return exec;
}

struct kelvin_exec *kelvin_exec_new(const struct kelvin_program *program,
                                    const struct kelvin_exec_options *options)
{
    struct kelvin_exec *exec = allocate(program);
    if (!exec)
        return NULL;
    exec->options = *options;
    kelvin_vector_select(options->reference ? "plain" : NULL);
    initialise(exec, &options->init);
    kelvin_exec_decode(exec);
    return exec;
}

/* Before the first instruction only blocks that were given can differ from zero. */
static void copy_memory(struct kelvin_exec *exec, const struct kelvin_exec *from)
{
    size_t block = 0;
    memcpy(exec->blocks, from->blocks, block_count(from->program));
    for (size_t i = 0; i < from->program->range_count; i++)
        for (size_t at = 0; at < from->memory[i].size; at += EXEC_BLOCK, block++)
            if (from->blocks[block] || from->state.executed)
                memcpy(exec->memory[i].bytes + at, from->memory[i].bytes + at, EXEC_BLOCK);
}

struct kelvin_exec *kelvin_exec_copy(const struct kelvin_exec *from)
{
    struct kelvin_exec *exec = allocate(from->program);
    if (!exec)
        return NULL;
    exec->options = from->options;
    exec->options.dump = NULL;
    exec->timed = from->timed;
    exec->state = from->state;
    copy_memory(exec, from);
    memcpy(exec->code, from->code, from->program->code_words * sizeof *exec->code);
    exec->end = from->end;
    exec->end_stmt = from->end_stmt;
    exec->last = from->last;
    return exec;
}

void kelvin_exec_free(struct kelvin_exec *exec)
{
    if (!exec)
        return;
    for (size_t i = 0; i < exec->program->range_count; i++)
        big_memory_free(exec->memory[i].bytes, exec->memory[i].size);
    free(exec->blocks);
    free(exec->code);
    free(exec->stmts);
    free(exec);
}
