/*
 * bench_parse: how fast program text becomes a program, all checks of the language included, beside
 * a plain count of the lines of the same text in the same run.
 *
 *   bench_parse [MEGABYTES]      three texts: few distinct statements, all distinct, d set payloads
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "functional/mncore2/program.h"
#include "tests/bench/bench.h"
#include "tests/bench/dice.h"

/* A step of a software-pipelined kernel, as real programs have them. range bounds how many
 * different addresses occur. */
static int one_line(char *line, size_t size, unsigned range)
{
    const unsigned lm = pick(range) % 500 * 8, ln = pick(range) % 500 * 8;
    const unsigned r0 = pick(range) % 60 * 8, r1 = pick(range) % 60 * 8;
    switch (pick(6)) {
    case 0:
        return snprintf(line, size, "nop/%u\n", 1 + pick(3));
    case 1:
        return snprintf(line, size, "l1bmm $lb%u $ls%uv\n", pick(range) % 512 * 16, r0);
    case 2:
        return snprintf(line, size, "fvmul $ln%uv $mauf $lr%uv\n", ln, r0);
    default:
        return snprintf(line, size,
                        "fvfma $lm%uv $lr%uv $mauf $ls%uv; lpassa $lm%uv $ln%uv/$imr%u\n", lm, r0,
                        r1, lm, ln, 1 + pick(15));
    }
}

enum { PAYLOAD = 4096 }; /* digits of a d set line */

static size_t set_line(char *text)
{
    size_t at = (size_t)sprintf(text, "d set $lm0n%uc%ub%um%up%u %d ", pick(4), pick(2), pick(8),
                                pick(16), pick(4), PAYLOAD / 16);
    for (unsigned i = 0; i < PAYLOAD; i++)
        text[at++] = "0123456789abcdef"[pick(16)];
    text[at++] = '\n';
    return at;
}

/* About bytes of program text; range 0 makes d set lines. */
static char *code(size_t bytes, unsigned range, size_t *size)
{
    char *text = malloc(bytes + PAYLOAD + 200);
    size_t at = 0;
    while (text != NULL && at < bytes)
        at += range == 0 ? set_line(text + at) : (size_t)one_line(text + at, 200, range);
    *size = at;
    return text;
}

static void measure(const char *what, size_t bytes, unsigned range)
{
    size_t size;
    char *text = code(bytes, range, &size);
    struct source source;
    if (text == NULL)
        return;
    source_from_text(&source, what, text, size);
    free(text);

    /* The best of a few runs: other work on the machine only ever adds time. */
    double counting = 1e9, parsing = 1e9;
    struct diag_list diags;
    struct program program;
    int result = 0;
    for (unsigned run = 0; run < 3; run++) {
        double start = bench_wall();
        size_t lines = 0;
        for (const char *p = source.text, *end = p + source.size;
             p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
            lines++;
        const double counted = bench_wall() - start;
        counting = counted < counting && lines > 0 ? counted : counting;
        if (run > 0) {
            mncore2_program_free(&program);
            diag_list_free(&diags);
        }
        diag_list_init(&diags);
        start = bench_wall();
        result = mncore2_program_parse(&program, &source, 1, &diags);
        const double parsed = bench_wall() - start;
        parsing = parsed < parsing ? parsed : parsing;
    }
    if (result != 0)
        diag_print(&diags, &source, 1, stderr, false);
    printf("parse %-22s %7.1f MB  %8zu items  %8zu distinct  %7.1f MB/s  %6.2f M statements/s   "
           "memchr count %7.1f MB/s  %.1fx\n",
           what, (double)size / 1e6, program.item_count, program.stmt_count,
           (double)size / parsing / 1e6, (double)program.item_count / parsing / 1e6,
           (double)size / counting / 1e6, parsing / counting);
    mncore2_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
}

int main(int argc, char **argv)
{
    const size_t megabytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 50;
    const size_t bytes = megabytes * 1000 * 1000;
    measure("few distinct", bytes, 4);
    measure("nearly all distinct", bytes, 1u << 30);
    measure("d set payloads", bytes, 0);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("parse peak memory %.0f MB, of which one copy of the text is %zu MB\n",
           (double)usage.ru_maxrss / 1024, megabytes);
    return 0;
}
