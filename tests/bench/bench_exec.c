/*
 * bench_exec: steps a second of the executor on a full chip (1024 different MABs), on 1 and 2
 * threads, beside the time that memcpy needs to move the same bytes on as many threads in the same
 * run; the bytes of a step are what its operands read and write. Statements walk over all addresses
 * so that the data stream from memory. Then programs that touch one MAB only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/state.h"
#include "tests/bench/bench.h"

enum { STATEMENTS = 256, BUFFER = 64 << 20 };

static uint64_t next(uint64_t *x)
{
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return *x >> 32 << 32 | (*x * 0x9e3779b97f4a7c15u) >> 32;
}

/* Numbers between 1/2 and 4 with random mantissas and signs. */
static uint64_t number(char prec, uint64_t r)
{
    if (prec == 'd')
        return (r & 0x800fffffffffffffu) | (1022 + (r >> 60 & 1)) << 52;
    if (prec == 'h') {
        uint64_t word = 0;
        for (unsigned i = 0; i < 64; i += 16)
            word |= ((r >> i & 0x81ff) | (30 + (r >> (i + 9) & 1)) << 9) << i;
        return word;
    }
    return (r & 0x807fffff807fffffu) | (126ull + (r >> 30 & 1)) << 55 | (126ull + (r >> 62)) << 23;
}

/* A block of 4 PE has one exponent; without hidden bit (4.4). */
static uint64_t block_number(char prec, uint64_t r)
{
    if (prec == 'd')
        return (r & 0x800fffffffffffffu) | 1023ull << 52;
    if (prec == 'h')
        return (r & 0x81ff81ff81ff81ffu) | 0x3e003e003e003e00u;
    return (r & 0x807fffff807fffffu) | 0x3f8000003f800000u;
}

static void fill(struct exec *e, char prec, bool block)
{
    uint64_t seed = 1;
    const size_t lanes = state_lanes(e);
    for (size_t row = 0; row < ROW_FWD; row++) {
        state_touch(e, row);
        for (size_t i = 0; i < lanes; i++) {
            const uint64_t r = next(&seed);
            state_row(e, row)[i] = block ? block_number(prec, r) : number(prec, r);
        }
    }
    for (unsigned plane = 0; plane < 2; plane++)
        for (size_t i = 0; i < e->classes * PLANE_LONGS; i++)
            e->planes[plane][i] = block_number(prec, next(&seed));
    for (size_t i = 0; i < (size_t)L1BS * L1BM_LONGS; i++)
        e->l1bm[0][i] = number(prec, next(&seed));
    for (size_t i = 0; i < (size_t)L2BS * L2BM_LONGS; i++)
        e->l2bm[0][i] = number(prec, next(&seed));
}

static struct exec *board(unsigned threads, bool full, char prec, bool block)
{
    char error[200];
    struct exec *e =
        mncore2_exec_new(&(struct exec_options){.threads = threads}, error, sizeof error);
    if (e == NULL) {
        fprintf(stderr, "%s\n", error);
        exit(3);
    }
    uint32_t key[MABS];
    for (unsigned mab = 0; mab < MABS; mab++)
        key[mab] = full ? mab : 0;
    if (mncore2_state_split(e, key) < 0)
        exit(3);
    fill(e, prec, block);
    return e;
}

/* --- memcpy on several threads --- */

struct copies {
    char *from, *to;
    size_t bytes; /* of one part */
};

static void copy_part(void *arg, size_t part, unsigned worker)
{
    (void)worker;
    const struct copies *c = arg;
    const size_t at = part * c->bytes % (BUFFER - c->bytes);
    memcpy(c->to + at, c->from + at, c->bytes);
}

/* Seconds to move `bytes` (half read, half written) in pieces of a step. */
static double copy_time(unsigned threads, size_t bytes)
{
    static struct copies c;
    if (c.from == NULL) {
        c.from = malloc(BUFFER);
        c.to = malloc(BUFFER);
        if (c.from == NULL || c.to == NULL)
            exit(3);
        memset(c.from, 1, BUFFER);
        memset(c.to, 1, BUFFER);
    }
    struct workers *w = workers_new(threads);
    c.bytes = bytes / 2 / 16;
    const size_t parts = ((size_t)256 << 20) / c.bytes;
    double best = 1e9;
    for (unsigned round = 0; round < 3; round++) {
        const double start = bench_wall();
        workers_run(w, parts, copy_part, &c);
        const double took = (bench_wall() - start) / (double)parts * 16;
        best = took < best ? took : best;
    }
    workers_free(w);
    return best;
}

/* --- one kind of statement --- */

struct kind {
    const char *name;
    const char *format; /* %1$u: addresses 8 i, %2$u: GRF address, %3$u: L1BM address */
    char prec;
    bool block;
    double rows; /* long words a PE and cycle, read and written */
};

static void parse(const char *text, struct source *source, struct program *program)
{
    struct diag_list diags;
    diag_list_init(&diags);
    if (source_from_text(source, "bench", text, strlen(text)) != 0 ||
        mncore2_program_parse(program, source, 1, &diags) != 0) {
        diag_print(&diags, source, 1, stderr, false);
        exit(1);
    }
    diag_list_free(&diags);
}

static double run(struct exec *e, const struct program *program, double least)
{
    double best = 1e9;
    const double begin = bench_wall();
    for (unsigned round = 0; round < 3 || bench_wall() - begin < least; round++) {
        const double start = bench_wall();
        for (size_t i = 0; i < program->item_count; i++)
            if (mncore2_exec_item(e, program, i, NULL) != 0)
                exit(1);
        const double took = (bench_wall() - start) / (double)program->item_count;
        best = took < best ? took : best;
    }
    return best;
}

static void measure(const struct kind *kind)
{
    static char text[STATEMENTS * 120];
    size_t used = 0;
    for (unsigned i = 0; i < STATEMENTS; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, kind->format, 16 * i,
                                 8 * (i % 32), 64 * (i % 100));
        text[used++] = '\n';
        text[used] = '\0';
    }
    struct source source;
    struct program program;
    parse(text, &source, &program);
    const size_t bytes = (size_t)(kind->rows * CYCLES * PES * sizeof(uint64_t));
    printf("%-34s", kind->name);
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct exec *e = board(threads, true, kind->prec, kind->block);
        const double step = run(e, &program, 0.1), copy = copy_time(threads, bytes);
        printf(" %8.0f %7.1f %7.1f %5.1f", 1 / step, 1e6 * step, 1e6 * copy, step / copy);
        mncore2_exec_free(e);
    }
    printf("\n");
    mncore2_program_free(&program);
    source_close(&source);
}

static void one_mab(const char *title, const char *format, unsigned steps)
{
    char *text = malloc((size_t)steps * 80);
    if (text == NULL)
        exit(3);
    size_t used = 0;
    for (unsigned i = 0; i < steps; i++) {
        used += (size_t)snprintf(text + used, 80, format, 8 * (i % 500), 8 * (i % 60), i % 7);
        text[used++] = '\n';
    }
    text[used] = '\0';
    struct source source;
    struct program program;
    parse(text, &source, &program);
    struct exec *e = board(1, false, 'f', false);
    const double start = bench_wall();
    for (size_t i = 0; i < program.item_count; i++)
        if (mncore2_exec_item(e, &program, i, NULL) != 0)
            exit(1);
    const double took = bench_wall() - start;
    printf("%-34s %8.0f steps/s, %.3f s for %u steps\n", title, steps / took, took, steps);
    mncore2_exec_free(e);
    mncore2_program_free(&program);
    source_close(&source);
    free(text);
}

int main(void)
{
    static const struct kind kinds[] = {
        {"fvfma $lm0v $ln0v $lr0v $ls0v", "fvfma $lm%1$uv $ln%1$uv $lr%2$uv $ls%2$uv", 'f', false,
         4},
        {"fvfma, in place", "fvfma $lm%1$uv $ln%1$uv $lr%2$uv $lm%1$uv", 'f', false, 4},
        {"dvfmau $lm0v $ln0v $lr0v $ls0v", "dvfmau $lm%1$uv $ln%1$uv $lr%2$uv $ls%2$uv", 'd', false,
         4},
        {"hvfma $lm0v $ln0v $llr0v $lls0v", "hvfma $lm%1$uv $ln%1$uv $llr%2$uv $lls%2$uv", 'h',
         false, 6},
        {"hmfma $lx $lm0v $llr0v $lls0v", "hmfma $lx $lm%1$uv $llr%2$uv $lls%2$uv", 'h', true, 5},
        {"gmfma $lx $lm0v $lr0v $ls0v", "gmfma $lx $lm%1$uv $lr%2$uv $ls%2$uv", 'f', true, 3},
        {"fmfma $lx $m0v $lr0v $ls0v", "fmfma $lx $m%1$uv $lr%2$uv $ls%2$uv", 'f', true, 2.5},
        {"dmfmau $lx $lm0v $lr0v $ls0v", "dmfmau $lx $lm%1$uv $lr%2$uv $ls%2$uv", 'd', true, 3},
        {"ladd $lm0v $ln0v $ls0v", "ladd $lm%1$uv $ln%1$uv $ls%2$uv", 'f', false, 3},
        {"lpassa $llm0v $lls0v", "lpassa $llm%1$uv $lls%2$uv", 'f', false, 4},
        {"l1bmm $lb0 $lm0v", "l1bmm $lb%3$u $lm%1$uv", 'f', false, 1},
        {"l1bmd $lb0 $lm0v", "l1bmd $lb%3$u $lm%1$uv", 'f', false, 2},
        {"l1bmrffadd $llm0v $llb0", "l1bmrffadd $llm%1$uv $llb%3$u", 'f', false, 2},
        {"l1bmd $lm0v $lb0", "l1bmd $lm%1$uv $lb%3$u", 'f', false, 2},
        {"l2bmb $lc0 $lb0", "l2bmb $lc%3$u $lb%3$u", 'f', false, 0.25},
        {"l2bmrffadd $lb0 $lc0", "l2bmrffadd $lb%3$u $lc%3$u", 'f', false, 0.25},
        {"mvp/n4096 $p0@0 $d0@0", "mvp/n4096 $p%3$u@0 $d%1$u@0", 'f', false, 0.0625 * 8},
        {"mvrffadd/n512 $lc0 $p0@0", "mvrffadd/n512 $lc%3$u $p%3$u@0", 'f', false,
         0.03125 + 0.0039},
    };
    printf("full chip; steps/s, us a step, us of memcpy for the same bytes, ratio\n");
    printf("%-34s %30s %30s\n", "", "1 thread", "2 threads");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        measure(&kinds[i]);
    printf("one class of MABs\n");
    one_mab("fvfma", "fvfma $lm%1$uv $ln%1$uv $lr%2$uv $ls%2$uv", 100000);
    one_mab("fvfma and ALU",
            "fvfma $lm%1$uv $ln%1$uv $lr%2$uv $ls%2$uv; iadd $lr%2$uv $aluf $nowrite", 100000);
    one_mab("l1bmm", "l1bmm $lb%1$u $lm%1$uv", 100000);
    one_mab("l1bmrffadd", "l1bmrffadd $lm%1$uv $lb%1$u", 100000);
    return 0;
}
