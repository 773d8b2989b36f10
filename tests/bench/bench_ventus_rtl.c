/*
 * bench_ventus_rtl: the public traces and totals of the newer chip's RTL beside the model:
 * intervals that are exact, totals, ranges, each interval that differs, and a table by instruction.
 *
 *   bench_ventus_rtl [-d]     -d: each difference
 */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/ventus/rtl.h"

struct sum {
    unsigned runs, intervals, exact, within, inside;
    double error;
    struct rtl_kind kinds[VENTUS_CLASSES];
};

static void add(struct sum *sum, const struct rtl_score *s)
{
    const double error = (double)s->total / (double)s->rtl_total - 1;
    sum->runs++;
    sum->intervals += s->intervals;
    sum->exact += s->exact;
    sum->error += error < 0 ? -error : error;
    sum->within += error <= 0.01 && error >= -0.01;
    sum->inside += s->rtl_total >= s->low && s->rtl_total <= s->high;
    for (int kind = 0; kind < VENTUS_CLASSES; kind++) {
        sum->kinds[kind].intervals += s->kinds[kind].intervals;
        sum->kinds[kind].exact += s->kinds[kind].exact;
    }
}

static void print_sum(const char *what, const struct sum *sum)
{
    printf("%-24s %2u runs, %4u of %4u intervals exact, totals: mean error %.2f %%, %u within "
           "1 %%, %u inside the range\n",
           what, sum->runs, sum->exact, sum->intervals, 100 * sum->error / sum->runs, sum->within,
           sum->inside);
}

static void print_row(const char *name, const struct rtl_score *s)
{
    printf("%-50s %4u of %4u  %6" PRIu64 " %6" PRIu64 " %+6.2f %%  %" PRIu64 " to %" PRIu64 "\n",
           name, s->exact, s->intervals, s->rtl_total, s->total,
           100 * ((double)s->total / (double)s->rtl_total - 1), s->low, s->high);
}

static void print_differences(const struct rtl_rows *rows, const struct rtl_score *s, bool all)
{
    for (uint32_t i = 0; i < s->difference_count && (all || !i); i++) {
        const struct rtl_difference *d = &s->differences[i];
        printf("    cycle %" PRIu64 ", warp %u, 0x%08x (word 0x%08x): %+" PRId64 "\n", d->cycle,
               d->warp, VENTUS_CODE + 4 * d->at, rows->words[d->at], d->cycles);
    }
}

static bool traces(bool all, struct sum sums[2])
{
    static struct rtl_rows rows;
    static char text[RTL_TEXT];
    glob_t found;
    if (glob("tests/ventus/rtl/*.csv", 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct rtl_score score;
        char name[96];
        snprintf(name, sizeof name, "%s", strrchr(found.gl_pathv[i], '/') + 1);
        *strrchr(name, '.') = '\0';
        if (!rtl_read(&rows, name))
            return false;
        rtl_program(&rows, text);
        if (!rtl_run(text, &rows, rows.gated, rows.banks8, true, &score))
            return false;
        print_row(name, &score);
        print_differences(&rows, &score, all);
        add(&sums[rows.warps > 1], &score);
    }
    globfree(&found);
    return true;
}

/* right_away: launched right behind the reset, as they were; else as takt config ventus has it. */
static bool totals(struct sum *sum, bool right_away)
{
    static char line[4096], program[4096], text[1 << 16];
    FILE *file = fopen("tests/ventus/rtl_micro.tsv", "r");
    bool fine = file != NULL;
    while (fine && fgets(line, sizeof line, file)) {
        struct rtl_score score;
        char name[64];
        uint32_t warps;
        uint64_t total;
        if (line[0] == '#')
            continue;
        fine = sscanf(line, "%63s %u %" SCNu64 " %4095[^\n]", name, &warps, &total, program) == 4 &&
               rtl_text(program, warps, text, sizeof text) &&
               rtl_run(text, NULL, !right_away, false, true, &score);
        score.rtl_total = total;
        if (fine && right_away)
            print_row(name, &score);
        if (fine)
            add(sum, &score);
    }
    if (file)
        fclose(file);
    return fine;
}

static void print_kinds(const struct sum *one, const struct sum *several)
{
    static const char *const names[VENTUS_CLASSES] = {[VENTUS_CONTROL] = "branch, end",
                                                      [VENTUS_SALU] = "scalar",
                                                      [VENTUS_VALU] = "vector, integer",
                                                      [VENTUS_MUL] = "product",
                                                      [VENTUS_FPU] = "float",
                                                      [VENTUS_SFU] = "division",
                                                      [VENTUS_TENSOR] = "tensor",
                                                      [VENTUS_CSR] = "control register",
                                                      [VENTUS_MEMORY] = "load, store"};
    printf("%-18s %14s %18s\n", "exact in front of", "one warp", "several warps");
    for (int kind = 0; kind < VENTUS_CLASSES; kind++)
        if (one->kinds[kind].intervals)
            printf("%-18s %5u of %5u %9u of %5u\n", names[kind], one->kinds[kind].exact,
                   one->kinds[kind].intervals, several->kinds[kind].exact,
                   several->kinds[kind].intervals);
}

int main(int argc, char **argv)
{
    struct sum sums[4] = {{0}};
    if (!traces(argc > 1 && !strcmp(argv[1], "-d"), sums) || !totals(&sums[2], true) ||
        !totals(&sums[3], false)) {
        printf("a trace or a total could not be read or run\n");
        return 1;
    }
    print_sum("traces of one warp", &sums[0]);
    print_sum("traces of several warps", &sums[1]);
    print_sum("totals", &sums[2]);
    print_sum("totals, long after reset", &sums[3]);
    print_kinds(&sums[0], &sums[1]);
    return 0;
}
