/*
 * program: AMX programs after decoding. Execution, timing, checks and printing read only this.
 *
 *     .version M2                    matfp of the M2 (M1 when absent)
 *     .thread 0                      the following runs on CPU thread 0 (0 when absent);
 *     .cluster 1                       0..3 is four threads running the same; on cluster 1
 *     .repeat 1000                   1000 iterations up to .end; blocks nest
 *         ldx x=0 addr=0 step=64     step: bytes added per iteration, innermost block first
 *         matfp f32 x=0 y=64 z=1
 *     .end
 *     d get $z0 8
 *
 *   items[]     statements in the order of the text, .repeat and .end included
 *   sections[]  runs of items of one source and one set of threads
 *
 * There are no branches, so a cursor can enumerate what a thread executes.
 */
#ifndef TAKT_FUNCTIONAL_AMX_PROGRAM_H
#define TAKT_FUNCTIONAL_AMX_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "functional/amx/matfp.h"
#include "functional/amx/state.h"
#include "functional/diag.h"
#include "functional/line.h"
#include "functional/source.h"

enum { AMX_DEPTH = 8 }; /* maximum nesting of .repeat blocks */
#define AMX_REPEAT_MAX UINT64_C(1000000000000)

enum amx_item_kind { AMX_ITEM_INSN, AMX_ITEM_SET, AMX_ITEM_GET, AMX_ITEM_REPEAT, AMX_ITEM_END };

/* A memory address: base + the iteration numbers of the enclosing blocks, innermost first, times
 * their steps. */
struct amx_address {
    uint64_t base;
    uint8_t steps;
    int64_t step[AMX_DEPTH];
};

struct amx_matfp {
    uint64_t operand;
    struct matfp decoded;
};

/* d set, d get: count words of 64 bits. */
struct amx_debug {
    char file;   /* 'x', 'y', 'z', or 'm' for memory */
    uint64_t at; /* register number; or byte address of memory */
    uint64_t count;
    size_t payload, payload_size; /* d set: the hex digits, offset in the source */
};

struct amx_repeat {
    uint64_t count;
    size_t other; /* item of the .end, or of the .repeat */
    bool empty;   /* no statement inside at any depth */
};

struct amx_item {
    uint8_t kind; /* enum amx_item_kind */
    uint8_t insn; /* enum amx_insn */
    uint8_t reg;  /* of loads and stores */
    bool pair;    /* 128 bytes: this register and the next */
    uint32_t source, line;
    uint32_t column, length; /* of the statement's text */
    size_t offset;           /* of the statement's text in its source */
    union {
        struct amx_matfp matfp;
        struct amx_address address;
        struct amx_debug debug;
        struct amx_repeat repeat;
    };
};

struct amx_section {
    size_t first, end; /* items */
    uint8_t first_thread, last_thread;
};

struct amx_program {
    const struct source *sources; /* borrowed */
    size_t source_count;
    enum amx_version version;
    bool version_written;
    struct amx_item *items;
    size_t item_count, item_capacity;
    struct amx_section *sections;
    size_t section_count, section_capacity;
    uint32_t threads;            /* bit t: thread t has a section with items */
    int8_t cluster[AMX_THREADS]; /* as written by .cluster; -1 = chosen by the machine */
    uint32_t cluster_line[AMX_THREADS], cluster_source[AMX_THREADS];
};

/* Parse all sources in order. Findings go to diags, sorted. Returns 0, 1 when there was an error,
 * -1 when memory is out. Free the program in every case. */
int amx_program_parse(struct amx_program *program, const struct source *sources, size_t count,
                      struct diag_list *diags);
void amx_program_free(struct amx_program *program);

/* Rules on the control flow of a thread: AMX on or off. Called by amx_program_parse; -1 when memory
 * is out. */
int amx_program_flow(const struct amx_program *program, struct diag_list *diags);

/* Print the canonical text. Returns 0 or -1. Parsing it gives the same program. */
int amx_program_print(const struct amx_program *program, FILE *out);

/* Parse matfp with named fields: text[0 .. length) follows "matfp". Returns true and the operand,
 * or false without a message. */
bool amx_operand_parse(const char *text, size_t length, enum amx_version version,
                       uint64_t *operand);
/* The same up to the end of a line, reporting findings. */
bool amx_line_operand(struct line *line, enum amx_version version, uint64_t *operand);
/* Print named fields if they are lossless, else the raw form. */
int amx_operand_print(uint64_t operand, enum amx_version version, char *text, size_t size);

/* Enumerates the statements that one thread executes. */
struct amx_cursor {
    size_t section, item;
    uint32_t thread;
    unsigned depth;
    struct {
        uint64_t turn, turns;
    } block[AMX_DEPTH]; /* outermost first */
};

void amx_cursor_start(struct amx_cursor *cursor, const struct amx_program *program,
                      uint32_t thread);
/* Start at one section; the thread must be one of its threads. */
void amx_cursor_section(struct amx_cursor *cursor, const struct amx_program *program,
                        size_t section, uint32_t thread);
/* The next AMX_ITEM_INSN, SET or GET, or NULL at the end. */
const struct amx_item *amx_cursor_next(struct amx_cursor *cursor,
                                       const struct amx_program *program);

/* The address in the cursor's current iterations. */
uint64_t amx_address_at(const struct amx_address *address, const struct amx_cursor *cursor);

/* Number of instructions a thread executes; UINT64_MAX if it does not fit. */
uint64_t amx_program_length(const struct amx_program *program, uint32_t thread);

extern const char *const amx_mnemonic[AMX_INSN_COUNT];

#endif
