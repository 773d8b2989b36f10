/*
 * exec: executes statements on the machine's memories (manual 3.4 to 3.6), without timing: a
 * statement is complete when mncore2_exec_item returns, as in the vendor's emulator (3.4.3).
 *
 *   struct program, item --mncore2_exec_item--> struct exec (the state of one board), dump lines
 *
 * All PE run the same step, so MABs with equal memories share one copy of the PE state until they
 * differ. For each address, the values of all lanes are adjacent in memory.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_EXEC_H
#define TAKT_FUNCTIONAL_MNCORE2_EXEC_H

#include "functional/init.h"
#include "functional/mncore2/program.h"

struct exec_options {
    FILE *dump;       /* output of d get; NULL discards it */
    struct init init; /* initial contents of data memories */
    unsigned threads; /* 0 means one */
    bool reference;   /* plain C kernels only, no vector paths */
};

struct exec;

/* NULL when memory is out; error gets the message. */
struct exec *mncore2_exec_new(const struct exec_options *options, char *error, size_t error_size);
void mncore2_exec_free(struct exec *exec);

/* From the first item on, show values as they are while transfers are in flight (poison.h). seed
 * selects the words shown for undefined values. Returns 0, or -1 when memory is out. */
struct poison_end;
int mncore2_exec_poison(struct exec *exec, const struct program *program,
                        const struct poison_end *ends, uint64_t seed);

/* Execute one item. Returns 0; 1 for an error in the program, added to diags (malformed d set
 * payload, invalid block float in d get ...); -1 when the host failed. */
int mncore2_exec_item(struct exec *exec, const struct program *program, size_t item,
                      struct diag_list *diags);

/* Hash of the whole state (all memories, registers, masks): equal states have equal hashes, in any
 * representation and with any number of threads and kernels. */
uint64_t mncore2_exec_hash(const struct exec *exec);

/* DRAM addresses (in units of 16 long words) that an indirect operand of this MV will use on
 * `group`, for its first `count` accesses of 16 long words (3.5.6). */
void mncore2_exec_dar_addresses(const struct exec *exec, const struct mv *mv, unsigned group,
                                size_t count, uint64_t *addresses);

/* Memories by name for --load and --save: spec is p@<g>:<addr>, d@<g>:<addr>, c@<g>.<l2b>:<addr>,
 * b@<g>.<l2b>.<l1b>:<addr>, each with +<count> for saving. Words have 64 bits, little-endian in the
 * file unless big. Returns 0; 1 with a message for an invalid spec or an unusable file; -1 when the
 * host failed. */
/* Check a spec for saving or loading: 0, or 1 with a message. */
int mncore2_exec_spec(const char *spec, bool save, char *error, size_t error_size);
int mncore2_exec_load(struct exec *exec, const char *spec, const char *path, bool big, char *error,
                      size_t error_size);
int mncore2_exec_save(const struct exec *exec, const char *spec, const char *path, bool big,
                      char *error, size_t error_size);

/* The same to and from a buffer of exactly count words. */
int mncore2_exec_put(struct exec *exec, const char *spec, const uint64_t *words, size_t count,
                     char *error, size_t error_size);
int mncore2_exec_get(const struct exec *exec, const char *spec, uint64_t *words, size_t count,
                     char *error, size_t error_size);

/* A long word above the PEs. mem is PDM, DRAM, L2BM or L1BM. Levels that do not number the memory
 * are ignored (l1b except for L1BM, l2b of PDM and DRAM). Addresses wrap. */
struct exec_place {
    enum mem mem;
    unsigned group, l2b, l1b;
    uint64_t addr;
};

/* The place of a spec without +<count>. Returns 0, or 1 with a message. */
int mncore2_exec_place(const char *spec, struct exec_place *at, char *error, size_t error_size);

/* Copy count consecutive long words from or to a place. */
void mncore2_exec_read(const struct exec *exec, struct exec_place from, size_t count,
                       uint64_t *out);
void mncore2_exec_write(struct exec *exec, struct exec_place to, size_t count, const uint64_t *in);

#endif
