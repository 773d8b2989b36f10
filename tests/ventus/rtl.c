#include "tests/ventus/rtl.h"
#include "timing/machines.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The request without a gate, and with one that opens in cycle 512, when the caches have long been
 * cleared. */
enum { REQUEST = 18, REQUEST_GATED = 512 };

/* --- rows ------------------------------------------------------------------------------------- */

static bool read_line(struct rtl_rows *rows, const char *line)
{
    char event[32];
    uint64_t cycle;
    uint32_t warp, pc, word;
    if (sscanf(line, "%" SCNu64 ",%31[a-z.],%" SCNu32 ",%" SCNx32 ",%" SCNx32, &cycle, event, &warp,
               &pc, &word) != 5 ||
        warp >= RTL_WARPS)
        return false;
    if (!strcmp(event, "host.finish"))
        rows->total = cycle - (rows->gated ? REQUEST_GATED : REQUEST);
    if (strcmp(event, "collect") != 0)
        return true;
    const uint32_t at = (pc - VENTUS_CODE) / 4;
    if (at >= RTL_WORDS)
        return false;
    rows->warps = warp + 1 > rows->warps ? warp + 1 : rows->warps;
    rows->count = at + 1 > rows->count ? at + 1 : rows->count;
    rows->words[at] = word;
    rows->issue[warp][at] = cycle;
    return true;
}

bool rtl_read(struct rtl_rows *rows, const char *name)
{
    char path[160], line[128];
    *rows = (struct rtl_rows){.gated = strncmp(name, "kernel-trace", 12) != 0,
                              .banks8 = strstr(name, "rf8") != NULL};
    snprintf(rows->name, sizeof rows->name, "%s", name);
    snprintf(path, sizeof path, "tests/ventus/rtl/%s.csv", name);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool fine = fgets(line, sizeof line, file) && !strcmp(line, "cycle,event,warp,pc,word\n");
    while (fine && fgets(line, sizeof line, file))
        fine = read_line(rows, line);
    fclose(file);
    return fine && rows->count;
}

/* --- programs --------------------------------------------------------------------------------- */

static size_t head(char *text, size_t size, uint32_t warps, bool far)
{
    return (size_t)snprintf(text, size,
                            ".launch workgroup %u\n.launch threads 32\n.launch local 4096\n"
                            ".launch private 128\n.launch sgprs 64\n.launch vgprs 64\n"
                            ".buffer a, 4096, 0x%x\n.buffer b, 4096, 0x%x\n"
                            ".buffer out, 4096, 0x90002000\n.arg a, b, out\n.text\n_start:\n",
                            32 * warps, far ? 0x90010000 : 0x90000000,
                            far ? 0x90100000 : 0x90001000);
}

void rtl_program(const struct rtl_rows *rows, char text[RTL_TEXT])
{
    size_t used = head(text, RTL_TEXT, rows->warps, !strncmp(rows->name, "memory", 6));
    for (uint32_t i = 0; i < rows->count && used < RTL_TEXT - 32; i++)
        used += (size_t)snprintf(text + used, RTL_TEXT - used, ".word 0x%08x\n", rows->words[i]);
}

/* Instructions between here and `end`, one a line; remarks in brackets of their own left out. */
static size_t lines_of(const char *at, const char *end, char *text, size_t used, size_t size)
{
    while (at < end && used + 2 < size) {
        if (*at == ' ' && at + 1 < end && (at[1] == '(' || !strncmp(at, " in each", 8))) {
            const char *close = at[1] == '(' ? memchr(at, ')', (size_t)(end - at)) : end - 1;
            at = close ? close + 1 : end;
            continue;
        }
        text[used++] = *at == ';' ? '\n' : *at;
        at++;
    }
    text[used++] = '\n';
    text[used] = '\0';
    return used;
}

bool rtl_text(const char *listed, uint32_t warps, char *text, size_t size)
{
    size_t used = head(text, size, warps, false);
    for (const char *open; (open = strchr(listed, '['));) {
        const char *close = strchr(open, ']'), *count = open;
        while (count > listed && strchr("0123456789 x", count[-1]))
            count--;
        if (!close || atoi(count) <= 0)
            return false;
        used = lines_of(listed, count, text, used, size);
        for (int i = atoi(count); i > 0; i--)
            used = lines_of(open + 1, close, text, used, size);
        listed = close + 1 + (close[1] == ';');
    }
    used = lines_of(listed, listed + strlen(listed), text, used, size);
    return used + 2 < size;
}

/* --- runs ------------------------------------------------------------------------------------- */

struct seen {
    struct unit_info units[128];
    uint64_t issue[RTL_WARPS][RTL_WORDS];
    uint64_t cycles;
};

static int keep_units(void *context, const struct sink_header *header)
{
    struct seen *seen = context;
    if (header->unit_count > sizeof seen->units / sizeof *seen->units)
        return -1;
    memcpy(seen->units, header->units, header->unit_count * sizeof *header->units);
    return 0;
}

static int keep_issue(void *context, const struct sink_interval *interval)
{
    struct seen *seen = context;
    unsigned sm, warp;
    if (interval->reason == REASON_BUSY && interval->stmt < RTL_WORDS &&
        sscanf(seen->units[interval->unit].name, "sm%u.warp%u", &sm, &warp) == 2 && sm == 0 &&
        warp < RTL_WARPS)
        seen->issue[warp][interval->stmt] = interval->start;
    return 0;
}

static int keep_cycles(void *context, const struct sink_summary *summary)
{
    ((struct seen *)context)->cycles = summary->cycles;
    return 0;
}

static const struct sink_ops keep = {
    .name = "keep", .begin = keep_units, .interval = keep_issue, .finish = keep_cycles};

static bool read_chip(struct config *config, bool gated, bool banks8)
{
    static const char path[] = "config/ventus/ventus128.yaml";
    char error[400];
    struct source source;
    if (source_open(&source, path, error, sizeof error) != 0)
        return false;
    const struct config_file file = {path, source.text, source.size};
    const bool fine = machine_config(&machine_ventus, config, error, sizeof error) == 0 &&
                      config_overlay(config, &file, error, sizeof error) == 0 &&
                      (gated || config_set(config, "since_reset=15", error, sizeof error) == 0) &&
                      (!banks8 || config_set(config, "register_banks=8", error, sizeof error) == 0);
    source_close(&source);
    return fine;
}

static void compare(const struct rtl_rows *rows, const struct seen *seen,
                    const struct ventus_launch *launch, struct rtl_score *score)
{
    for (uint32_t w = 0; w < rows->warps; w++)
        for (uint32_t i = 1; i < rows->count; i++) {
            const int64_t rtl = (int64_t)(rows->issue[w][i] - rows->issue[w][i - 1]);
            const int64_t mine = (int64_t)(seen->issue[w][i] - seen->issue[w][i - 1]);
            struct rtl_kind *kind = &score->kinds[ventus_class_of(&launch->ops[i])];
            score->intervals++;
            score->exact += rtl == mine;
            kind->intervals++;
            kind->exact += rtl == mine;
            if (rtl != mine && score->difference_count < RTL_DIFFERENCES)
                score->differences[score->difference_count++] =
                    (struct rtl_difference){rows->issue[w][i], w, i, mine - rtl};
        }
}

bool rtl_run(const char *text, const struct rtl_rows *rows, bool gated, bool banks8, bool range,
             struct rtl_score *score)
{
    static struct seen seen;
    static const struct run_options options = {.no_range = false};
    struct config config;
    struct machine_program program;
    struct source source;
    struct diag_list diags;
    struct machine_run *run;
    char error[MACHINE_ERROR] = "";
    seen = (struct seen){.cycles = 0};
    *score = (struct rtl_score){.rtl_total = rows ? rows->total : 0};
    diag_list_init(&diags);
    if (!read_chip(&config, gated, banks8) ||
        source_from_text(&source, "rtl.ventus", text, strlen(text)) != 0 ||
        ventus_program_load(&program.program, &source, 1, &diags) != 0) {
        diag_print(&diags, &source, 1, stderr, false);
        return false;
    }
    const struct sink sink = {&keep, &seen};
    const struct run_setup setup = {&program, &config, &options, &sink};
    bool fine = run_open(&run, &machine_ventus, &setup, &diags, error) == 0 &&
                run_whole(run, &diags, error) == 0;
    struct range interval = {0};
    if (fine && range) {
        fine = run_range(run, 1, &interval) == 0;
        score->low = interval.low;
        score->high = interval.high;
        range_free(&interval);
    }
    score->total = seen.cycles;
    if (!fine)
        fprintf(stderr, "%s\n", error);
    if (fine && rows)
        compare(rows, &seen, ventus_program_launch(&program.program), score);
    run_close(run);
    config_free(&config);
    ventus_program_free(&program.program);
    source_close(&source);
    diag_list_free(&diags);
    return fine;
}
