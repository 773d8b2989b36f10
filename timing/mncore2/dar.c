/*
 * dar: what the DAR hold when an indirect transfer issues (manual 3.5.6).
 *
 * Values follow the order of the program, but l2bmdarw takes effect dar_write_latency later. So the
 * entries that it replaces are kept for the transfers after it, and each lane, which has its own
 * times, restores those that have not been replaced yet in the cycle of the issue.
 */
#include "timing/mncore2/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/file.h"
#include "host/grow.h"

enum { DAR_LINE = 256 }; /* bytes, without the comment */

static uint32_t *new_table(uint32_t ***tables, size_t *count, size_t *capacity)
{
    uint32_t **grown = grow(*tables, capacity, *count + 1, sizeof *grown);
    if (!grown)
        return NULL;
    *tables = grown;
    uint32_t *table = calloc((size_t)GROUPS * DAR_ENTRIES, sizeof *table);
    if (table)
        grown[(*count)++] = table;
    return table;
}

/* One access for each entry: the address is what the entry holds. */
static int copy_dar(const struct mncore2_run *run, uint32_t *table)
{
    static const struct mv whole = {
        .mode = MV_D_P, .nd = 1, .from = {.mem = MEM_DRAM, .group = -1, .indirect = true}};
    uint64_t *addresses = malloc(DAR_ENTRIES * sizeof *addresses);
    if (!addresses)
        return -1;
    for (unsigned g = 0; g < GROUPS; g++) {
        mncore2_exec_dar_addresses(run->exec, &whole, g, DAR_ENTRIES, addresses);
        for (unsigned i = 0; i < DAR_ENTRIES; i++)
            table[g * DAR_ENTRIES + i] = (uint32_t)addresses[i];
    }
    free(addresses);
    return 0;
}

/* Steps of the program that have issued, in any lane. */
static uint64_t steps_of(const struct mncore2_run *run)
{
    return run->counters[COUNTER_PE_STATEMENTS] + run->counters[COUNTER_NOPS_WRITTEN] +
           run->counters[COUNTER_NOPS_PACKING];
}

void mncore2_dar_follow(struct mncore2_run *run, const struct stmt *stmt)
{
    struct dar_list *dars = &run->dars;
    const struct expr *l2bm = stmt->kind == STMT_STEP ? step_expr(stmt->step, GROUP_L2BM) : NULL;
    if (l2bm && l2bm->insn == INSN_L2BMDARS)
        dars->next = expr_out(l2bm, 0)->addr[0] % DAR_ENTRIES;
    if (stmt->kind != STMT_STEP || !stmt->step->darw)
        return;
    struct dar_write *write = &dars->recent[dars->recent_count++ % DAR_RECENT];
    write->first = dars->next;
    write->step = steps_of(run);
    for (unsigned g = 0; g < GROUPS; g++) {
        const struct mv entries = {
            .mode = MV_D_P,
            .nd = 1,
            .from = {.mem = MEM_DRAM, .group = -1, .indirect = true, .addr = dars->next}};
        uint64_t addresses[CYCLES];
        mncore2_exec_dar_addresses(run->exec, &entries, g, CYCLES, addresses);
        for (unsigned i = 0; i < CYCLES; i++)
            write->old[g][i] = (uint32_t)addresses[i];
    }
    dars->next = (dars->next + CYCLES) % DAR_ENTRIES;
    dars->changed = true;
}

/* The estimate's lane notes for the others what the transfer finds. A table serves until the DAR
 * change. */
static int note_use(struct mncore2_run *run, struct dar_use *use)
{
    struct dar_list *dars = &run->dars;
    if (run->exec && dars->changed) {
        uint32_t *table = new_table(&dars->tables, &dars->count, &dars->capacity);
        if (!table || copy_dar(run, table) != 0)
            return -1;
        dars->changed = false;
    }
    *use = (struct dar_use){.table = (uint32_t)dars->count - 1, .writes = dars->write_count};
    uint64_t r = dars->recent_count;
    while (r > 0 && dars->recent_count - r < DAR_RECENT &&
           steps_of(run) - dars->recent[(r - 1) % DAR_RECENT].step < DAR_RECENT)
        r--;
    for (; r < dars->recent_count; r++, use->count++) {
        struct dar_write *writes =
            grow(dars->writes, &dars->write_capacity, dars->write_count + 1, sizeof *writes);
        if (!writes)
            return -1;
        dars->writes = writes;
        dars->writes[dars->write_count++] = dars->recent[r % DAR_RECENT];
    }
    return 0;
}

/* Entries that a write issued at `at` has not replaced by `now` hold what they held before. */
static int put_back(struct lane *lane, const struct dar_write *write, uint64_t at, uint32_t **table)
{
    for (unsigned i = 0; i < CYCLES; i++) {
        if (lane->now > at + i + lane->numbers->dar_write)
            continue;
        if (!lane->dars || *table != lane->dars[lane->dar_count - 1]) {
            uint32_t *own = new_table(&lane->dars, &lane->dar_count, &lane->dar_capacity);
            if (!own)
                return -1;
            memcpy(own, *table, (size_t)GROUPS * DAR_ENTRIES * sizeof *own);
            *table = own;
        }
        for (unsigned g = 0; g < GROUPS; g++)
            (*table)[g * DAR_ENTRIES + (write->first + i) % DAR_ENTRIES] = write->old[g][i];
    }
    return 0;
}

const uint32_t *mncore2_dar_contents(struct lane *lane)
{
    struct mncore2_run *run = lane->run;
    struct dar_list *dars = &run->dars;
    struct dar_use *use = &dars->used[lane->mv.count];
    if (lane == run->lane && note_use(run, use) != 0)
        return NULL;
    uint32_t *table = dars->tables[use->table];
    for (uint32_t back = 1; back <= use->count;
         back++) /* the first of several had what all replaced */
        if (put_back(lane, &dars->writes[use->writes + use->count - back],
                     lane->darw_at[(lane->darw_count - back) % DAR_RECENT], &table) != 0)
            return NULL;
    return table;
}

/* GROUP ENTRY ADDRESS; # begins a comment. NULL, or what is wrong in a line that is neither that
 * nor empty. */
static const char *read_line(char *line, uint32_t *dar)
{
    static const uint64_t ends[3] = {GROUPS, DAR_ENTRIES, UINT64_C(1) << 32};
    line[strcspn(line, "#\n")] = '\0';
    if (line[strspn(line, " \t\r")] == '\0')
        return NULL;
    unsigned long long value[3];
    for (unsigned i = 0; i < 3; i++) {
        char *end;
        errno = 0;
        line += strspn(line, " \t");
        value[i] = strtoull(line, &end, 0);
        if (end == line || errno || *line == '-' || value[i] >= ends[i])
            return line;
        line = end;
    }
    line += strspn(line, " \t\r");
    if (*line)
        return line;
    dar[value[0] * DAR_ENTRIES + value[1]] = (uint32_t)value[2];
    return NULL;
}

/* The next line, the rest of a long comment left out. False at the end; *whole: it is one. */
static bool next_line(FILE *file, char line[DAR_LINE], bool *whole)
{
    if (!fgets(line, DAR_LINE, file))
        return false;
    *whole = strchr(line, '\n') || feof(file);
    if (!*whole && strchr(line, '#')) {
        int c;
        while ((c = getc(file)) != EOF && c != '\n')
            ;
        *whole = true;
    }
    return true;
}

/* Entries that the file does not name hold 0. */
int mncore2_dar_read(struct mncore2_run *run, const char *path, char error[MACHINE_ERROR])
{
    FILE *file = file_open(path);
    if (!file) {
        const int why = errno;
        snprintf(error, MACHINE_ERROR, "%.200s: %s", path, strerror(why));
        return file_blame(why);
    }
    struct dar_list *dars = &run->dars;
    uint32_t *dar = new_table(&dars->tables, &dars->count, &dars->capacity);
    int status = dar ? 0 : -1;
    if (status != 0)
        snprintf(error, MACHINE_ERROR, "no memory for the DAR contents");
    char line[DAR_LINE];
    bool whole;
    for (unsigned long number = 1; status == 0 && next_line(file, line, &whole); number++) {
        const char *wrong = whole ? read_line(line, dar) : line + DAR_LINE - 1;
        if (wrong) {
            snprintf(error, MACHINE_ERROR,
                     "%.200s:%lu:%d: expected GROUP (0..3) ENTRY (0..1023) ADDRESS (32 bits), "
                     "as in 0 12 0x400",
                     path, number, (int)(wrong - line) + 1);
            status = 1;
        }
    }
    if (status == 0 && !feof(file)) {
        status = file_blame(errno);
        snprintf(error, MACHINE_ERROR, "%.200s: %s", path, strerror(errno));
    }
    fclose(file);
    return status;
}

void mncore2_dar_free(struct dar_list *dars)
{
    for (size_t d = 0; d < dars->count; d++)
        free(dars->tables[d]);
    free(dars->tables);
    free(dars->used);
    free(dars->writes);
}
