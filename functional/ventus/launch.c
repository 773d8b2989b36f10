/* launch: one more of a program, and its buffers in a memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functional/ventus/program.h"
#include "functional/ventus/state.h"
#include "host/grow.h"

struct ventus_launch *ventus_program_add(struct ventus_program *program)
{
    struct ventus_launch *launches = grow(program->launches, &program->launch_capacity,
                                          program->launch_count + 1, sizeof *launches);
    if (!launches)
        return NULL;
    program->launches = launches;
    launches[program->launch_count] = (struct ventus_launch){.buffers = NULL};
    return &launches[program->launch_count++];
}

bool ventus_launch_has(const struct ventus_launch *launch, uint32_t address)
{
    for (size_t i = 0; i < launch->buffer_count; i++) {
        const struct ventus_buffer *b = &launch->buffers[i];
        const uint64_t room = b->room > b->size ? b->room : b->size;
        if (address >= b->base && address - b->base < room)
            return true;
    }
    return address - VENTUS_LOCAL_BASE < VENTUS_LOCAL_SIZE;
}

int ventus_launch_fill(const struct ventus_launch *launch, struct ventus_memory *memory,
                       char *error, size_t error_size)
{
    for (size_t i = 0; i < launch->buffer_count; i++) {
        const struct ventus_buffer *b = &launch->buffers[i];
        const uint64_t room = b->room > b->size ? b->room : b->size;
        const uint64_t pages = (room + VENTUS_PAGE - 1) / VENTUS_PAGE * VENTUS_PAGE;
        if (!ventus_memory_at(memory, b->base, room > UINT32_MAX ? UINT32_MAX : (uint32_t)room)) {
            int status = ventus_memory_add(memory, b->base, pages, 1);
            if (status > 0)
                status = ventus_memory_add(memory, b->base, room, 1);
            if (status != 0) {
                snprintf(error, error_size,
                         status > 0 ? "the buffer at 0x%08x overlaps another one"
                                    : "no memory for the buffer at 0x%08x",
                         b->base);
                return status;
            }
        }
        ventus_memory_give(memory, b->base, room);
        if (b->size)
            memcpy(ventus_memory_at(memory, b->base, (uint32_t)b->size), b->bytes, (size_t)b->size);
    }
    if (ventus_memory_at(memory, VENTUS_LOCAL_BASE, 1))
        return 0;
    const int status = ventus_memory_add(memory, VENTUS_LOCAL_BASE, VENTUS_LOCAL_SIZE, VENTUS_SMS);
    ventus_memory_give(memory, VENTUS_LOCAL_BASE, VENTUS_LOCAL_SIZE);
    if (status != 0)
        snprintf(error, error_size, "no room for local memory at 0x%08x", VENTUS_LOCAL_BASE);
    return status;
}

/* Stacks are made a MiB at a time, one for each SM. */
uint8_t *ventus_local_at(struct ventus_memory *memory, uint32_t address, uint32_t count,
                         uint32_t sm)
{
    uint8_t *at = ventus_memory_at(memory, address, count);
    const uint32_t from = address - VENTUS_LOCAL_BASE;
    if (at || from >= VENTUS_LOCAL_SPACE)
        return at;
    const uint32_t end = (from / VENTUS_STACK_SIZE + 1) * VENTUS_STACK_SIZE;
    const uint32_t begin = end == VENTUS_STACK_SIZE ? VENTUS_LOCAL_SIZE : end - VENTUS_STACK_SIZE;
    const uint32_t base = VENTUS_LOCAL_BASE + begin;
    if (ventus_memory_add(memory, base, end - begin, VENTUS_SMS) != 0)
        return NULL;
    ventus_memory_give(memory, base, end - begin);
    ventus_memory_turn(memory, sm);
    return ventus_memory_at(memory, address, count);
}

void ventus_local_clear(struct ventus_memory *memory)
{
    memset(ventus_memory_at(memory, VENTUS_LOCAL_BASE, VENTUS_LOCAL_SIZE), 0, VENTUS_LOCAL_SIZE);
    for (size_t i = memory->count; i-- > 0;) {
        const struct ventus_piece *p = &memory->pieces[i];
        if (p->room > p->size && p->base != VENTUS_LOCAL_BASE)
            ventus_memory_remove(memory, p->base);
    }
}

void ventus_launch_free(struct ventus_launch *launch)
{
    for (size_t i = 0; i < launch->buffer_count; i++)
        free(launch->buffers[i].bytes);
    free(launch->buffers);
    free(launch->ops);
    *launch = (struct ventus_launch){.buffers = NULL};
}
