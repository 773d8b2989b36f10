/*
 * How fast the values of one full-chip step are computed: 4096 PE, four cycles, on one and on two
 * threads, for each set of kernels, each beside the time that memcpy takes to stream the same bytes
 * (inputs and outputs once, a matrix plane once a step) in the same run. As in a program, each
 * cycle has addresses of its own: the operands do not stay in a core's cache.
 *
 *   bench_arith [seconds per figure]
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/arith.h"
#include "functional/mncore2/arith_select.h"
#include "tests/bench/bench.h"

enum { MAX_THREADS = 2, BUSES = 3, PLANE = 16 * PES, ADDRESSES = 256 };

enum unit { UNIT_MAU, UNIT_ALU, UNIT_RRN };

struct figure {
    const char *name;
    enum unit unit;
    uint8_t insn, prec; /* of RRN: enum rrn */
    unsigned in, out;   /* long words a lane and cycle */
    bool matrix;
};

static const struct figure figures[] = {
    {"fvfma", UNIT_MAU, INSN_VFMA, PREC_F, 3, 1, false},
    {"fvadd", UNIT_MAU, INSN_VADD, PREC_F, 2, 1, false},
    {"fvpassa", UNIT_MAU, INSN_VPASSA, PREC_F, 1, 1, false},
    {"dvfma", UNIT_MAU, INSN_VFMA, PREC_D, 3, 1, false},
    {"dvadd", UNIT_MAU, INSN_VADD, PREC_D, 2, 1, false},
    {"hvfma", UNIT_MAU, INSN_VFMA, PREC_H, 4, 2, false},
    {"hmfma", UNIT_MAU, INSN_MFMA, PREC_H, 3, 2, true},
    {"gmfma", UNIT_MAU, INSN_MFMA, PREC_G, 2, 1, true},
    {"fmfma", UNIT_MAU, INSN_MFMA, PREC_F, 2, 1, true},
    {"dmfma", UNIT_MAU, INSN_MFMA, PREC_D, 2, 1, true},
    {"ladd", UNIT_ALU, INSN_ADD, PREC_L, 3, 2, false},
    {"smax", UNIT_ALU, INSN_MAX, PREC_S, 3, 2, false},
    {"hbfn", UNIT_ALU, INSN_BFN, PREC_H, 2, 2, false},
    {"ffadd 16", UNIT_RRN, RRN_FADD, PREC_F, 1, 0, false},
    {"dfadd 16", UNIT_RRN, RRN_FADD, PREC_D, 1, 0, false},
};

/* For each address, all PE side by side. */
static uint64_t bus[BUSES][2][ADDRESSES][PES], result[2][ADDRESSES][PES], matrix[PLANE];

struct work {
    const struct figure *figure;
    size_t first, lanes, bytes;
    double seconds, took;
    bool copies;
    uint64_t steps;
};

static void copy_step(const struct work *w, uint64_t step)
{
    const size_t room = sizeof bus[0] / MAX_THREADS, offset = w->first / (PES / MAX_THREADS) * room;
    const size_t at = step * w->bytes % (room - w->bytes) / 64 * 64;
    memcpy((char *)result + offset + at, (char *)bus[0] + offset + at, w->bytes);
    __asm__ volatile("" ::: "memory");
}

static void one_step(const struct work *w, uint64_t step)
{
    const struct figure *f = w->figure;
    const size_t at = w->first;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        const size_t address = (CYCLES * step + cycle) % ADDRESSES;
        const uint64_t *in[3][2];
        uint64_t *out[2] = {result[0][address] + at, result[1][address] + at};
        for (unsigned b = 0; b < 3; b++)
            for (unsigned k = 0; k < 2; k++)
                in[b][k] = bus[b][k][address] + at;
        if (f->unit == UNIT_MAU) {
            const struct mau_op op = {.insn = f->insn, .prec = f->prec};
            mncore2_mau_cycle(
                &op, &(struct mau_io){w->lanes, matrix + 16 * at, in[0], in[1], in[2], out, NULL});
        } else if (f->unit == UNIT_ALU) {
            const struct alu_op op = {.insn = f->insn, .prec = f->prec, .mantissa = 9};
            mncore2_alu_cycle(&op, w->lanes, in[0], in[1], out, NULL);
        } else {
            const uint64_t *src[16];
            for (size_t l1b = 0; l1b < w->lanes; l1b += 64) {
                for (size_t mab = 0; mab < 16; mab++)
                    src[mab] = in[0][0] + l1b + 4 * mab;
                mncore2_rrn_l1bm((struct rrn_op){f->insn, f->prec, false}, 16, 4, src,
                                 out[0] + l1b / 16);
            }
        }
    }
}

static void *run(void *argument)
{
    struct work *w = argument;
    const double start = bench_wall();
    w->steps = 0;
    do {
        for (unsigned i = 0; i < 16; i++, w->steps++)
            if (w->copies)
                copy_step(w, w->steps);
            else
                one_step(w, w->steps);
    } while (bench_wall() - start < w->seconds);
    w->took = bench_wall() - start;
    return NULL;
}

/* Microseconds for one step of the whole chip. */
static double measure(const struct figure *f, unsigned threads, bool copies, double seconds)
{
    struct work work[MAX_THREADS];
    pthread_t id[MAX_THREADS];
    const size_t words = (size_t)CYCLES * (f->in + f->out) + (f->matrix ? 16 : 0);
    for (unsigned t = 0; t < threads; t++) {
        const size_t lanes = PES / threads;
        work[t] = (struct work){.figure = f,
                                .first = t * lanes,
                                .lanes = lanes,
                                .bytes = lanes * words * 8,
                                .seconds = seconds,
                                .copies = copies};
        if (pthread_create(&id[t], NULL, run, &work[t]) != 0)
            exit(3);
    }
    double slowest = 0;
    for (unsigned t = 0; t < threads; t++) {
        pthread_join(id[t], NULL);
        const double each = 1e6 * work[t].took / (double)work[t].steps;
        slowest = each > slowest ? each : slowest;
    }
    return slowest;
}

static void fill(void)
{
    uint64_t state = 88172645463325252, *const words = &bus[0][0][0][0];
    for (size_t i = 0; i < sizeof bus / sizeof *words; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        words[i] = (state & 0x807f807f807f807f) | 0x3e003e003e003e00; /* exponents near 1 */
    }
}

/* Operands of a matrix operation are block float. */
static void fill_blocks(uint8_t prec)
{
    const struct alu_op op = {.insn = INSN_BFN, .prec = prec, .mantissa = 9};
    for (unsigned address = 0; address < ADDRESSES; address++) {
        const uint64_t *const in[2] = {bus[0][0][address], bus[0][1][address]};
        uint64_t *const out[2] = {result[0][address], result[1][address]};
        mncore2_alu_cycle(&op, PES, in, in, out, NULL);
    }
    memcpy(bus[0], result, sizeof result);
    for (size_t mab = 0; mab < MABS; mab++)
        for (unsigned row = 0; row < MATRIX_ROWS; row++)
            memcpy(matrix + 64 * mab + 4 * row, result[0][row] + 4 * mab, 32);
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 0.1;
    static const char *const names[] = {"reference", "avx2"};
    enum { NAMES = sizeof names / sizeof *names };
    printf("microseconds a step of 4096 PE; x = times the memcpy of the same bytes\n");
    printf("%-10s %-8s", "", "threads");
    printf(" %9s", "memcpy");
    for (size_t i = 0; i < NAMES; i++)
        printf(" %10s      x", names[i]);
    printf("\n");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        for (unsigned threads = 1; threads <= MAX_THREADS; threads++) {
            fill();
            memset(result, 1, sizeof result);
            mncore2_arith_select(false);
            if (figures[i].matrix)
                fill_blocks(figures[i].prec);
            const double copy = measure(&figures[i], threads, true, seconds);
            printf("%-10s %-8u %9.2f", figures[i].name, threads, copy);
            for (size_t k = 0; k < NAMES; k++) {
                if (!mncore2_arith_select_name(names[k])) {
                    printf(" %10s %6s", "-", "-");
                    continue;
                }
                const double time = measure(&figures[i], threads, false, seconds);
                printf(" %10.1f %6.1f", time, time / copy);
            }
            printf("\n");
        }
    return 0;
}
