/*
 * bench_ventus_rtl: the public traces and totals of the newer chip's RTL beside the model:
 * intervals that are exact, totals, ranges, and each interval that differs.
 *
 *   bench_ventus_rtl [-d]     -d: each difference
 */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include "tests/ventus/rtl.h"

struct sum {
    unsigned runs, intervals, exact, within, inside;
    double error;
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

static bool totals(struct sum *sum)
{
    static char line[4096], program[4096], text[1 << 16];
    FILE *file = fopen("tests/ventus/rtl_micro.tsv", "r");
    bool fine = file != NULL;
    while (fine && fgets(line, sizeof line, file)) {
        struct rtl_score score;
        char name[64];
        uint32_t warps;
        uint64_t total;
        if (line[0] == 35 || (getenv("ONLY") && strncmp(line, getenv("ONLY"), strlen(getenv("ONLY")))))
            continue;
        fine = sscanf(line, "%63s %u %" SCNu64 " %4095[^\n]", name, &warps, &total, program) == 4 &&
               rtl_text(program, warps, text, sizeof text) &&
               rtl_run(text, NULL, false, false, true, &score);
        score.rtl_total = total;
        if (fine) {
            print_row(name, &score);
            add(sum, &score);
        }
    }
    if (file)
        fclose(file);
    return fine;
}

int main(int argc, char **argv)
{
    struct sum sums[3] = {{0}};
    if (!traces(argc > 1 && !strcmp(argv[1], "-d"), sums) || !totals(&sums[2])) {
        printf("a trace or a total could not be read or run\n");
        return 1;
    }
    print_sum("traces of one warp", &sums[0]);
    print_sum("traces of several warps", &sums[1]);
    print_sum("totals", &sums[2]);
    return 0;
}
