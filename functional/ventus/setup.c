#include "functional/ventus/setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functional/diag.h"
#include "functional/ventus/state.h"
#include "host/grow.h"
#include "host/suggest.h"

const struct ventus_key_row ventus_keys[VENTUS_KEYS] = {
#define KEY(name, values, low, high, sentence) {#name, values, low, high},
#include "functional/ventus/launch.def"
};

enum ventus_key ventus_key_find(const char *name, size_t length)
{
    unsigned key = 0;
    while (key < VENTUS_KEYS && (strlen(ventus_keys[key].name) != length ||
                                 memcmp(ventus_keys[key].name, name, length) != 0))
        key++;
    return (enum ventus_key)key;
}

const char *ventus_key_near(const char *name, size_t length)
{
    const char *names[VENTUS_KEYS];
    for (size_t i = 0; i < VENTUS_KEYS; i++)
        names[i] = ventus_keys[i].name;
    return suggest_name(name, length, names, VENTUS_KEYS);
}

void ventus_setup_init(struct ventus_setup *setup)
{
    *setup = (struct ventus_setup){.buffers = NULL};
    for (unsigned i = 0; i < 3; i++)
        setup->value[VENTUS_LAUNCH_grid][i] = setup->value[VENTUS_LAUNCH_workgroup][i] = 1;
    setup->value[VENTUS_LAUNCH_threads][0] = VENTUS_LANES;
    setup->value[VENTUS_LAUNCH_private][0] = 1024;
    setup->value[VENTUS_LAUNCH_sgprs][0] = VENTUS_XREGS;
    setup->value[VENTUS_LAUNCH_vgprs][0] = VENTUS_VREGS;
}

void ventus_setup_free(struct ventus_setup *setup)
{
    for (size_t i = 0; i < setup->buffer_count; i++)
        free(setup->buffers[i].bytes);
    free(setup->buffers);
    free(setup->arguments);
    ventus_setup_init(setup);
}

bool ventus_setup_argument(struct ventus_setup *setup, uint32_t value)
{
    uint32_t *arguments = grow(setup->arguments, &setup->argument_capacity,
                               setup->argument_count + 1, sizeof *arguments);
    if (!arguments)
        return false;
    setup->arguments = arguments;
    arguments[setup->argument_count++] = value;
    return true;
}

/* --- memory ----------------------------------------------------------------------------------- */

static uint64_t room_of(const struct ventus_buffer *b)
{
    return b->room > b->size ? b->room : b->size;
}

uint32_t ventus_setup_place(const struct ventus_buffer *buffers, size_t count, uint64_t room)
{
    uint64_t at = VENTUS_GLOBAL;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < count; i++) {
            const struct ventus_buffer *b = &buffers[i];
            if (b->base >= at + room || b->base + room_of(b) <= at)
                continue;
            at = (b->base + room_of(b) + VENTUS_PAGE - 1) / VENTUS_PAGE * VENTUS_PAGE;
            moved = true;
        }
    }
    return at + room <= UINT32_MAX ? (uint32_t)at : 0;
}

static struct ventus_buffer *add_buffer(struct ventus_launch *launch,
                                        const struct ventus_buffer *from)
{
    struct ventus_buffer *buffers =
        grow(launch->buffers, &launch->buffer_capacity, launch->buffer_count + 1, sizeof *buffers);
    if (!buffers)
        return NULL;
    launch->buffers = buffers;
    struct ventus_buffer *to = &buffers[launch->buffer_count];
    *to = *from;
    to->bytes = from->size ? calloc((size_t)from->size + 3, 1) : NULL;
    if (from->size && !to->bytes)
        return NULL;
    if (from->bytes)
        memcpy(to->bytes, from->bytes, (size_t)from->size);
    launch->buffer_count++;
    return to;
}

/* A buffer of `room` bytes of global memory after the existing ones. Its address; 0: see *status.
 * */
static uint32_t add_room(struct ventus_launch *launch, uint64_t room, uint64_t size, int *status)
{
    const uint32_t base = ventus_setup_place(launch->buffers, launch->buffer_count, room);
    if (!base)
        *status = *status ? *status : 1;
    else if (!add_buffer(launch, &(struct ventus_buffer){.base = base, .size = size, .room = room}))
        *status = -1;
    return *status ? 0 : base;
}

/* The text with its data is one buffer, each separate segment another one. */
static int add_segments(struct ventus_launch *launch, const struct riscv_image *image,
                        uint32_t room)
{
    uint64_t low = UINT64_MAX, filled = 0, end = 0;
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct riscv_segment *s = &image->segments[i];
        if (s->apart) {
            if (!add_buffer(launch, &(struct ventus_buffer){.base = s->address,
                                                            .size = s->filled,
                                                            .room = s->size,
                                                            .bytes = s->bytes}))
                return -1;
            continue;
        }
        low = s->address < low ? s->address & ~UINT32_C(3) : low;
        filled =
            s->address + (uint64_t)s->filled > filled ? s->address + (uint64_t)s->filled : filled;
        end = s->address + (uint64_t)s->size > end ? s->address + (uint64_t)s->size : end;
    }
    if (end < low)
        return 0;
    struct ventus_buffer *code =
        add_buffer(launch, &(struct ventus_buffer){.base = (uint32_t)low,
                                                   .size = (filled - low + 3) / 4 * 4,
                                                   .room = room > end - low ? room : end - low});
    if (!code)
        return -1;
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct riscv_segment *s = &image->segments[i];
        if (!s->apart && s->filled)
            memcpy(code->bytes + (s->address - low), s->bytes, s->filled);
    }
    launch->code = code->base;
    if (!image->stmt_count)
        return 0;
    const uint32_t last = image->stmts[image->stmt_count - 1].address;
    launch->op_count = (last - launch->code) / 4 + 1;
    launch->ops = calloc(launch->op_count, sizeof *launch->ops);
    if (!launch->ops)
        return -1;
    ventus_decode_all(code->bytes, launch->op_count, launch->ops);
    return 0;
}

/* Threads of a workgroup: without its size, one warp. */
static uint64_t group_size(const struct ventus_setup *setup, uint32_t dimension)
{
    return !setup->given[VENTUS_LAUNCH_workgroup] && !dimension
               ? setup->value[VENTUS_LAUNCH_threads][0]
               : setup->value[VENTUS_LAUNCH_workgroup][dimension];
}

/* --- what takt makes -------------------------------------------------------------------------- */

static void put(struct ventus_launch *launch, uint32_t base, uint32_t word, uint32_t value)
{
    for (size_t i = 0; i < launch->buffer_count; i++)
        for (unsigned k = 0; launch->buffers[i].base == base && k < 4; k++)
            launch->buffers[i].bytes[4 * word + k] = (uint8_t)(value >> 8 * k);
}

static int add_metadata(const struct ventus_setup *setup, struct ventus_launch *launch)
{
    const uint32_t(*value)[3] = setup->value;
    const uint64_t words = setup->argument_count;
    const uint32_t print_bytes = value[VENTUS_LAUNCH_print][0];
    int status = 0;
    uint32_t arguments = 0, print = 0;
    if (words)
        arguments = add_room(launch, 4 * words, 4 * words, &status);
    for (uint32_t i = 0; status == 0 && i < words; i++)
        put(launch, arguments, i, setup->arguments[i]);
    if (status == 0 && print_bytes)
        print = add_room(launch, print_bytes, 0, &status);
    if (status == 0)
        launch->metadata = add_room(launch, 64, 64, &status);
    if (status != 0)
        return status;
    uint32_t dimensions = 1;
    put(launch, launch->metadata, 0,
        setup->given[VENTUS_LAUNCH_kernel] ? value[VENTUS_LAUNCH_kernel][0] : launch->start);
    put(launch, launch->metadata, 1, arguments);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t local = (uint32_t)group_size(setup, i);
        const uint32_t global = value[VENTUS_LAUNCH_grid][i] * local;
        put(launch, launch->metadata, 3 + i, global);
        put(launch, launch->metadata, 6 + i, local);
        put(launch, launch->metadata, 9 + i, value[VENTUS_LAUNCH_offset][i]);
        dimensions = global > 1 ? i + 1 : dimensions;
    }
    put(launch, launch->metadata, 2, dimensions);
    put(launch, launch->metadata, 12, print);
    put(launch, launch->metadata, 13, print_bytes);
    return 0;
}

static int add_private(const struct ventus_setup *setup, struct ventus_launch *launch)
{
    int status = 0;
    const uint64_t bytes = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2] *
                           launch->threads * launch->warps * launch->private;
    launch->private_base = setup->value[VENTUS_LAUNCH_private_base][0];
    if (bytes && !setup->given[VENTUS_LAUNCH_private_base])
        launch->private_base = add_room(launch, bytes, 0, &status);
    return status;
}

/* --- the launch ------------------------------------------------------------------------------- */

static int set_numbers(const struct ventus_setup *setup, const struct riscv_image *image,
                       struct ventus_launch *launch, char *error, size_t size)
{
    const uint32_t(*value)[3] = setup->value;
    const uint32_t threads = value[VENTUS_LAUNCH_threads][0];
    const uint64_t group = group_size(setup, 0) * group_size(setup, 1) * group_size(setup, 2);
    memcpy(launch->grid, value[VENTUS_LAUNCH_grid], sizeof launch->grid);
    launch->threads = threads;
    launch->warps = (uint32_t)(group / threads);
    launch->private = value[VENTUS_LAUNCH_private][0] / 4 * 4;
    launch->sgprs = value[VENTUS_LAUNCH_sgprs][0];
    launch->vgprs = value[VENTUS_LAUNCH_vgprs][0];
    launch->start =
        setup->given[VENTUS_LAUNCH_start] ? value[VENTUS_LAUNCH_start][0] : image->entry;
    launch->metadata = value[VENTUS_LAUNCH_metadata][0];
    launch->local =
        setup->given[VENTUS_LAUNCH_local] ? value[VENTUS_LAUNCH_local][0] : 1024 * launch->warps;
    const uint64_t groups = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    if (group % threads || group > (uint64_t)VENTUS_WARPS * threads)
        snprintf(error, size,
                 "a workgroup of %" PRIu64 " threads is not 1 to %d whole warps of %" PRIu32
                 "\ngive .launch threads, or a multiple of it",
                 group, VENTUS_WARPS, threads);
    else if (groups > UINT32_MAX)
        snprintf(error, size, "a grid has less than 2^32 workgroups");
    else
        return 0;
    return 1;
}

int ventus_setup_launch(const struct ventus_setup *setup, const struct riscv_image *image,
                        struct ventus_launch *launch, char *error, size_t size)
{
    *launch = (struct ventus_launch){.buffers = NULL};
    int status = set_numbers(setup, image, launch, error, size);
    if (status != 0)
        return status;
    for (size_t i = 0; status == 0 && i < setup->buffer_count; i++)
        status = add_buffer(launch, &setup->buffers[i]) ? 0 : -1;
    if (status == 0)
        status = add_segments(launch, image, setup->value[VENTUS_LAUNCH_room][0]);
    if (status == 0 && !setup->given[VENTUS_LAUNCH_metadata])
        status = add_metadata(setup, launch);
    if (status == 0)
        status = add_private(setup, launch);
    if (status > 0)
        snprintf(error, size, "the buffers and private memory do not fit into 32 bits of address");
    if (status == 0 && (launch->start % 4 || launch->start < launch->code ||
                        (launch->start - launch->code) / 4 >= launch->op_count)) {
        snprintf(error, size, "the start address 0x%08" PRIx32 " is not in the code",
                 launch->start);
        status = 1;
    }
    return status;
}
