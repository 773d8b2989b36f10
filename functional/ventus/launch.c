/* launch: its buffers in a memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functional/ventus/launch.h"
#include "functional/ventus/state.h"

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

void ventus_launch_free(struct ventus_launch *launch)
{
    for (size_t i = 0; i < launch->buffer_count; i++)
        free(launch->buffers[i].bytes);
    free(launch->buffers);
    free(launch->ops);
    *launch = (struct ventus_launch){.buffers = NULL};
}
