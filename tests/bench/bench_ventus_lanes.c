/* Lane operations of Ventus a second, by family, on one warp of 32 threads without time; with the
 * checks of takt run and without them. Of products of matrices each product counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functional/ventus/run.h"
#include "tests/bench/bench.h"

enum { COPIES = 16, TURNS = 4000 };

static void unsaid(void *context, const struct ventus_finding *finding)
{
    (void)context;
    (void)finding;
}

/* Millions of lanes a second of a loop of COPIES times this instruction. */
static double millions(const char *insn, double each, bool checked)
{
    char *text = NULL, error[VENTUS_ERROR];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, ".launch grid 1\n.launch workgroup 32\n.launch threads 32\n.buffer b, 4096\n"
                 ".text\n_start:\nla a0, b\nvid.v v1\nvsll.vi v1, v1, 2\nvadd.vx v1, v1, a0\n");
    for (int i = 2; i < 10; i++)
        fprintf(out, "vid.v v%d\nvfcvt.f.x.v v%d, v%d\n", i, i, i);
    fprintf(out, "li t0, %d\nloop:\n", TURNS);
    for (int i = 0; i < COPIES; i++)
        fprintf(out, "%s\n", insn);
    fprintf(out, "addi t0, t0, -1\nbnez t0, loop\nendprg\n");
    fclose(out);
    struct source source;
    struct ventus_program program;
    struct ventus_run run;
    struct diag_list diags;
    double result = 0;
    diag_list_init(&diags);
    if (source_from_text(&source, "bench.ventus", text, size) == 0) {
        if (ventus_program_load(&program, &source, 1, &diags) == 0 &&
            ventus_run_new(&run, &program, error) == 0) {
            run.exec.check = checked ? ventus_check_new(unsaid, NULL) : NULL;
            const double start = bench_cpu();
            while (ventus_run_advance(&run, 1u << 20, error) > 0)
                continue;
            result = 1e-6 * TURNS * COPIES * 32 * each / (bench_cpu() - start);
            ventus_check_free(run.exec.check);
            ventus_run_free(&run);
        } else if (diags.count) {
            fprintf(stderr, "%s: %s\n", insn, diags.items[0].message);
        }
        ventus_program_free(&program);
        source_close(&source);
    }
    diag_list_free(&diags);
    free(text);
    return result;
}

int main(void)
{
    static const struct {
        const char *insn;
        double each; /* operations of a lane */
    } rows[] = {
        {"vadd.vv v2, v3, v4", 1},  {"vmul.vx v2, v3, a0", 1},
        {"vmslt.vv v2, v3, v4", 1}, {"vdivu.vv v2, v3, v4", 1},
        {"vsadd.vv v2, v3, v4", 1}, {"vwmul.vv v8, v3, v4", 1},
        {"vfadd.vv v2, v3, v4", 1}, {"vfmacc.vv v2, v3, v4", 1},
        {"vfdiv.vv v2, v3, v4", 1}, {"vfexp v2, v3", 1},
        {"vftta.vv v2, v3, v4", 4}, {"vfadd64.vv v2, v4, v6", 1},
        {"vlw12.v v2, 0(v1)", 1},   {"vsw12.v v2, 0(v1)", 1},
        {"vle32.v v2, (a0)", 1},    {"mma.m8n8k8.f16.f32 v2, v4, v5", 16},
    };
    double least = 1e9;
    printf("%-32s %10s %10s   million lanes a second\n", "", "checked", "unchecked");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double with = millions(rows[i].insn, rows[i].each, true),
                     without = millions(rows[i].insn, rows[i].each, false);
        printf("%-32s %10.1f %10.1f\n", rows[i].insn, with, without);
        least = with < least ? with : least;
    }
    printf("least: %.1f million lanes a second\n", least);
    return least > 0 ? 0 : 1;
}
