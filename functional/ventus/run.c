#include "functional/ventus/run.h"

#include <stdlib.h>
#include <string.h>

#include "host/hash.h"

/* --- values for --dump ------------------------------------------------------------------------ */

struct got {
    const struct ventus_run *run;
    const struct ventus_warp *warp; /* NULL at the end */
};

static const uint8_t *bytes_of(const void *context, const struct riscv_get *get, uint64_t offset,
                               uint32_t size)
{
    const struct got *got = context;
    if (get->file == 'm')
        return ventus_memory_at(&got->run->memory, get->at + (uint32_t)offset, size);
    return (get->file == 'v' ? (const uint8_t *)got->warp->v[get->at]
                             : (const uint8_t *)&got->warp->x[get->at]) +
           offset;
}

static void reach(void *context, const struct ventus_warp *w)
{
    const struct ventus_run *run = context;
    const struct ventus_program *program = run->program;
    const uint32_t stmt = riscv_image_stmt(&program->image, w->pc);
    char who[80];
    if (stmt == RISCV_NO_STMT || run->exec.launch != ventus_program_launch(program))
        return;
    snprintf(who, sizeof who, " workgroup (%u, %u, %u) warp %u", w->group->x, w->group->y,
             w->group->z, w->number);
    riscv_gets_print(&program->gets, stmt,
                     &(struct riscv_get_state){.rules = &program->get_rules,
                                               .bytes = bytes_of,
                                               .context = &(struct got){.run = run, .warp = w},
                                               .who = who},
                     run->dump);
}

void ventus_run_gets(struct ventus_run *run, FILE *dump)
{
    run->exec.printed = dump;
    if (!dump || !run->program->gets.count)
        return;
    run->dump = dump;
    run->exec.reach = reach;
    run->exec.reacher = run;
}

void ventus_run_end_gets(const struct ventus_run *run, FILE *dump)
{
    const struct riscv_get_state state = {.rules = &run->program->get_rules,
                                          .bytes = bytes_of,
                                          .context = &(struct got){.run = run},
                                          .who = ""};
    if (dump)
        riscv_gets_print(&run->program->gets, RISCV_NO_STMT, &state, dump);
}

/* --- launches --------------------------------------------------------------------------------- */

uint32_t ventus_group_count(const struct ventus_launch *launch)
{
    return launch->grid[0] * launch->grid[1] * launch->grid[2];
}

void ventus_run_fault(struct ventus_run *run, const struct ventus_warp *w, char error[VENTUS_ERROR])
{
    run->fault_pc = w->pc;
    snprintf(error, VENTUS_ERROR, "workgroup (%u, %u, %u), warp %u: %s", w->group->x, w->group->y,
             w->group->z, w->number, run->exec.error);
}

static void start(struct ventus_run *run, const struct ventus_launch *launch)
{
    run->exec.launch = launch;
    run->next_group = run->next_warp = 0;
    run->group = (struct ventus_group){.warps = run->warps};
}

/* The next warp that can go, or NULL at the end of the launch. */
static struct ventus_warp *choose(struct ventus_run *run)
{
    struct ventus_group *g = &run->group;
    if (g->ended == g->count) {
        if (run->next_group == ventus_group_count(run->exec.launch))
            return NULL;
        ventus_group_start(&run->exec, g, run->next_group++, 0);
        run->next_warp = 0;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        struct ventus_warp *w = &g->warps[(run->next_warp + i) % g->count];
        if (w->state == VENTUS_RUNS) {
            run->next_warp = w->number + 1;
            return w;
        }
    }
    return NULL;
}

int ventus_run_advance(struct ventus_run *run, uint64_t steps, char error[VENTUS_ERROR])
{
    struct ventus_effect effect;
    for (uint64_t i = 0; i < steps; i++) {
        struct ventus_warp *w = choose(run);
        if (!w)
            return 0;
        if (ventus_step(&run->exec, w, &effect) != 0) {
            ventus_run_fault(run, w, error);
            return -1;
        }
        run->steps++;
        if (run->observe)
            run->observe(run->context, w, &effect);
    }
    return 1;
}

/* A launch that never ends is not the program's: what it reads of earlier ones is bounded. */
enum { EARLIER_STEPS = 100000000 };

int ventus_run_new(struct ventus_run *run, const struct ventus_program *program,
                   char error[VENTUS_ERROR])
{
    *run = (struct ventus_run){.program = program};
    run->warps = calloc(VENTUS_WARPS, sizeof *run->warps);
    if (!run->warps) {
        snprintf(error, VENTUS_ERROR, "no memory for warps");
        return -1;
    }
    run->exec.memory = &run->memory;
    for (size_t i = 0; i < program->launch_count; i++) {
        const struct ventus_launch *launch = &program->launches[i];
        const int status = ventus_launch_fill(launch, &run->memory, error, VENTUS_ERROR);
        if (status != 0)
            return status;
        start(run, launch);
        if (i + 1 == program->launch_count)
            break;
        if (ventus_run_advance(run, EARLIER_STEPS, error) != 0)
            return 1;
        ventus_local_clear(&run->memory);
    }
    run->steps = run->exec.steps = 0;
    return 0;
}

int ventus_run_given(struct ventus_run *run)
{
    const struct ventus_memory *memory = &run->memory;
    for (size_t i = run->given.count; i < memory->count; i++) {
        const struct ventus_piece *p = &memory->pieces[i];
        if (ventus_memory_add(&run->given, p->base, p->size, (uint32_t)(p->room / p->size)) != 0)
            return -1;
    }
    ventus_memory_copy(&run->given, memory);
    return 0;
}

void ventus_run_same(struct ventus_run *run, const struct ventus_run *as)
{
    if (as->given.count)
        ventus_memory_copy(&run->memory, &as->given);
}

void ventus_run_free(struct ventus_run *run)
{
    ventus_memory_free(&run->memory);
    ventus_memory_free(&run->given);
    free(run->warps);
}

/* Bytes of memory from an address on, code words as they were loaded as 0. */
static void leave_code_out(const struct ventus_run *run, uint32_t from, uint8_t *bytes,
                           uint32_t size)
{
    const struct riscv_image *image = &run->program->image;
    for (uint32_t at = (0 - from) & 3; at + 4 <= size; at += 4) {
        const uint32_t stmt = riscv_image_stmt(image, from + at);
        for (unsigned b = 0; stmt != RISCV_NO_STMT && b < 4; b++)
            bytes[at + b] = (uint8_t)(bytes[at + b] ^ image->stmts[stmt].word >> 8 * b);
    }
}

uint64_t ventus_run_hash(const struct ventus_run *run)
{
    enum { PAGE = 4096 };
    static const uint8_t zero[PAGE];
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < run->memory.count; i++) {
        const struct ventus_piece *p = &run->memory.pieces[i];
        for (uint32_t at = 0; p->room <= p->size && at < p->size; at += PAGE) {
            const uint32_t from = p->base + at, size = p->size - at < PAGE ? p->size - at : PAGE;
            uint8_t bytes[PAGE];
            memcpy(bytes, p->bytes + at, size);
            leave_code_out(run, from, bytes, size);
            if (memcmp(bytes, zero, size) == 0)
                continue;
            hash = hash_bytes(hash, &from, sizeof from);
            hash = hash_bytes(hash, bytes, size);
        }
    }
    return hash;
}
