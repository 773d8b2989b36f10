/*
 * gen_program: random legal MN-Core 2 programs as text, for state hashes (threads, kernels), the
 * timing model beside its brute-force twin, the printer's round trip and fuzz seeds.
 *
 *   seed, options --gen_program--> text: d set / r lines, PE and MV statements, d get lines
 *
 * Every program is legal by construction. The generator keeps its own small model, written from the
 * manual, of what was written when (gen_model.h), and puts nops in front of a statement that would
 * come too early. The rules it keeps, with the manual's sections:
 *
 *   3.6.1.6 .8 .10   addresses and increments are multiples of the access length, GRF below 512
 *   3.6.1.14         hmread takes ll operands, row numbers below the precision's rows
 *   3.6.1.15 .. .18  forwarding is read only when the step before (nops not counted) produced it;
 *                    $mreadf only as the ALU's first input
 *   3.6.1.19         $nowrite stands alone
 *   3.6.2.1 .2       one mask entry and length in a step, t and p where due, one zero flush
 *   3.6.3.1 .. .9    hazards: see gen_model.c, one function a rule
 *   3.6.4            one expression a group, one write a PE memory, equal reads of a PE memory,
 *                    LM read and write equal, imm keeps LM0 free, each matrix plane once, at most
 *                    two of calc, mwrite and mread and those in one precision, vfma and vmul share
 *                    their second input with mwrite
 *   3.6.7, 3.6.8     alignment of L2BM and L1BM, L1B sets that are masks, turn-backs of the kind
 *                    that the step before put into $lbi, 2-long-word rules of 3.6.8.3 to .5
 *   3.5              unit operations, groups, tags waited for before their memory is used again
 *   3.6.13           wait only for tags in flight, never alone, never i00
 *   4.4              matrix-vector products see valid blocks only (an invalid one is undefined):
 *                    rows and vectors come from block float conversions of their precision
 */
#ifndef TAKT_TESTS_GEN_PROGRAM_H
#define TAKT_TESTS_GEN_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

enum gen_feature {
    GEN_FLAT = 1 << 0,     /* [a,b,c,d] operands */
    GEN_MASKS = 1 << 1,    /* write masks of both kinds, zero flushes, $omr */
    GEN_INDIRECT = 1 << 2, /* T-indirect LM0, base address registers, j<n> */
    GEN_MATRIX = 1 << 3,   /* mwrite, mread, mfma, mmul */
    GEN_L1BM = 1 << 4,
    GEN_L2BM = 1 << 5,
    GEN_MV = 1 << 6,    /* all 24 modes, tags, waits */
    GEN_DAR = 1 << 7,   /* l2bmdars, l2bmdarw, $di */
    GEN_ODD = 1 << 8,   /* access lengths other than the natural ones */
    GEN_STYLE = 1 << 9, /* comments, blanks, number bases, quit */
    GEN_ALL = (1 << 10) - 1
};

struct gen_options {
    unsigned features;   /* enum gen_feature */
    unsigned statements; /* machine statements other than the nops in between */
    unsigned tightness;  /* 0: four nops before every step; 100: never one more than is due */
    unsigned sets;       /* d set and r lines in front */
    unsigned gets;       /* d get lines at the end */
};

/* NUL-terminated text, size without the NUL in *size (may be NULL); the caller frees it. The same
 * seed and options give the same text everywhere. NULL when memory is out. */
char *gen_program(uint64_t seed, const struct gen_options *options, size_t *size);

#endif
