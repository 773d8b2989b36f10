#include "functional/amx/exec.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/hash.h"

struct amx_exec {
    const struct amx_program *program;
    struct amx_exec_options options;
    uint8_t *memory; /* AMX_MEMORY bytes, mapped on first use */
    struct amx_regs regs[AMX_THREADS];
    struct amx_cursor cursor;
    size_t section; /* current section */
    uint64_t done;
};

static void fill(uint8_t *bytes, size_t size, const struct init *init, uint64_t *place)
{
    for (size_t i = 0; i < size; i += 8)
        amx_put64(bytes + i, init_word(init, (*place)++));
}

static void initialise(struct amx_exec *exec, const struct init *init)
{
    uint64_t place = 0;
    if (init->kind == INIT_ZERO)
        return; /* freshly allocated memory is zero; do not touch it */
    for (unsigned t = 0; t < AMX_THREADS; t++) {
        fill(exec->regs[t].x, AMX_RING, init, &place);
        fill(exec->regs[t].y, AMX_RING, init, &place);
        fill(exec->regs[t].z[0], sizeof exec->regs[t].z, init, &place);
    }
    fill(exec->memory, AMX_MEMORY, init, &place);
}

struct amx_exec *amx_exec_new(const struct amx_program *program,
                              const struct amx_exec_options *options)
{
    struct amx_exec *exec = calloc(1, sizeof *exec);
    if (exec)
        exec->memory = calloc(AMX_MEMORY, 1);
    if (!exec || !exec->memory) {
        free(exec);
        return NULL;
    }
    exec->program = program;
    exec->options = *options;
    initialise(exec, &options->init);
    if (program->section_count)
        amx_cursor_section(&exec->cursor, program, 0, program->sections[0].first_thread);
    return exec;
}

void amx_exec_free(struct amx_exec *exec)
{
    if (exec)
        free(exec->memory);
    free(exec);
}

uint64_t amx_exec_done(const struct amx_exec *exec)
{
    return exec->done;
}

/* --- loads and stores --- */

static void move(uint8_t *reg, uint8_t *memory, bool store)
{
    memcpy(store ? memory : reg, store ? reg : memory, AMX_ROW);
}

static void transfer(struct amx_exec *exec, struct amx_regs *regs, const struct amx_item *item)
{
    const uint64_t at = amx_address_at(&item->address, &exec->cursor);
    for (unsigned i = 0; i <= item->pair; i++) {
        uint8_t *memory = exec->memory + at + (uint64_t)i * AMX_ROW;
        const unsigned reg = item->reg + i;
        uint8_t *x = regs->x + (size_t)(reg % AMX_XY_REGS) * AMX_ROW;
        uint8_t *y = regs->y + (size_t)(reg % AMX_XY_REGS) * AMX_ROW;
        uint8_t *z = regs->z[reg % AMX_Z_ROWS];
        switch ((enum amx_insn)item->insn) {
        case AMX_LDX:
        case AMX_STX:
            move(x, memory, item->insn == AMX_STX);
            break;
        case AMX_LDY:
        case AMX_STY:
            move(y, memory, item->insn == AMX_STY);
            break;
        default:
            move(z, memory, item->insn == AMX_STZ);
            break;
        }
    }
}

static void execute(struct amx_exec *exec, struct amx_regs *regs, const struct amx_item *item)
{
    switch ((enum amx_insn)item->insn) {
    case AMX_MATFP:
        amx_matfp_execute(regs, &item->matfp.decoded, exec->options.reference);
        return;
    case AMX_SET:
        memset(regs, 0, sizeof *regs);
        return;
    case AMX_CLR: /* registers keep their values for d get; only set may follow */
    case AMX_INSN_COUNT:
        return;
    default:
        transfer(exec, regs, item);
    }
}

/* --- d set, d get --- */

/* The bytes addressed by a debug statement. */
static uint8_t *debug_bytes(struct amx_exec *exec, struct amx_regs *regs,
                            const struct amx_debug *debug)
{
    switch (debug->file) {
    case 'x':
        return regs->x + debug->at * AMX_ROW;
    case 'y':
        return regs->y + debug->at * AMX_ROW;
    case 'z':
        return &regs->z[debug->at][0];
    default:
        return exec->memory + debug->at;
    }
}

static unsigned hex_value(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

static void debug_set(uint8_t *bytes, const struct amx_debug *debug, const char *payload)
{
    for (uint64_t i = 0; i < debug->count; i++) {
        uint64_t word = 0;
        for (unsigned digits = 0; digits < 16; payload++)
            if (*payload > ' ') { /* blanks between words are allowed */
                word = word << 4 | hex_value(*payload);
                digits++;
            }
        amx_put64(bytes + 8 * i, word);
    }
}

static int debug_get(const struct amx_exec *exec, const uint8_t *bytes, const struct amx_item *item)
{
    const struct amx_debug *debug = &item->debug;
    const char *text = exec->program->sources[item->source].text + item->offset;
    FILE *out = exec->options.dump;
    const uint64_t scale = debug->file == 'm' ? AMX_ROW : 1;
    for (uint64_t i = 0; i < debug->count; i += 8) {
        fprintf(out, "DEBUG-%c(%llu,0):(", debug->file - 'a' + 'A',
                (unsigned long long)(debug->at + i / 8 * scale));
        for (uint64_t k = i; k < debug->count && k < i + 8; k++)
            fprintf(out, "%s0x%016llx", k > i ? ", " : "",
                    (unsigned long long)amx_get64(bytes + 8 * k));
        fprintf(out, ") #%.*s\n", (int)item->length, text);
    }
    return ferror(out) ? -1 : 0;
}

/* --- the run --- */

/* The next statement in text order: all threads of a section, one after the other. */
static const struct amx_item *next_item(struct amx_exec *exec)
{
    const struct amx_program *program = exec->program;
    while (exec->section < program->section_count) {
        const struct amx_section *section = &program->sections[exec->section];
        const struct amx_item *item = amx_cursor_next(&exec->cursor, program);
        if (item && exec->cursor.section == exec->section)
            return item;
        if (exec->cursor.thread < section->last_thread) {
            amx_cursor_section(&exec->cursor, program, exec->section, exec->cursor.thread + 1);
        } else if (++exec->section < program->section_count) {
            amx_cursor_section(&exec->cursor, program, exec->section,
                               program->sections[exec->section].first_thread);
        }
    }
    return NULL;
}

int amx_exec_one(struct amx_exec *exec, const struct amx_item **done, uint32_t *thread)
{
    const struct amx_item *item = *done = next_item(exec);
    if (!item)
        return 0;
    *thread = exec->cursor.thread;
    struct amx_regs *regs = &exec->regs[*thread];
    exec->done++;
    if (item->kind == AMX_ITEM_INSN)
        execute(exec, regs, item);
    else if (item->kind == AMX_ITEM_SET)
        debug_set(debug_bytes(exec, regs, &item->debug), &item->debug,
                  exec->program->sources[item->source].text + item->debug.payload);
    else if (exec->options.dump &&
             debug_get(exec, debug_bytes(exec, regs, &item->debug), item) != 0)
        return -1;
    return 1;
}

int amx_exec_advance(struct amx_exec *exec, uint64_t budget)
{
    const struct amx_item *item;
    uint32_t thread;
    int more = 1;
    for (; budget && more > 0; budget--)
        more = amx_exec_one(exec, &item, &thread);
    return more;
}

uint64_t amx_exec_hash(const struct amx_exec *exec)
{
    uint64_t hash = hash_bytes(HASH_START, exec->regs, sizeof exec->regs);
    for (uint64_t at = 0; at < AMX_MEMORY; at += 8)
        hash += hash_place(at, amx_get64(exec->memory + at));
    return hash;
}

/* --- files --- */

static int find_place(void *machine, const char *spec, struct place *place, char *error,
                      size_t error_size)
{
    struct amx_exec *exec = machine;
    const struct amx_debug debug = {.file = *place->file};
    if (place->index >= AMX_THREADS)
        return place_beyond(spec, "threads", error, error_size);
    place->words = *place->file == 'm'   ? AMX_MEMORY / 8
                   : *place->file == 'z' ? AMX_Z_ROWS * AMX_ROW / 8
                                         : AMX_RING / 8;
    if (exec)
        place->bytes = debug_bytes(exec, &exec->regs[place->index], &debug);
    return 0;
}

struct place_owner amx_exec_places(struct amx_exec *exec)
{
    static const struct place_rules rules = {
        .takes = "m, x, y or z, @THREAD for registers, :ADDRESS in 64-bit words", .files = "mxyz"};
    return (struct place_owner){.rules = &rules, .machine = exec, .find = find_place};
}
