/* dar: what the DAR hold when an indirect transfer issues (manual 3.5.6). */
#include "timing/mncore2/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

enum { DAR_LINE = 256 }; /* bytes, without the comment */

static uint32_t *new_table(struct dar_list *dars)
{
    uint32_t **tables = grow(dars->tables, &dars->capacity, dars->count + 1, sizeof *tables);
    if (!tables)
        return NULL;
    dars->tables = tables;
    uint32_t *table = calloc((size_t)GROUPS * DAR_ENTRIES, sizeof *table);
    if (table)
        dars->tables[dars->count++] = table;
    return table;
}

/* One access for each entry: the address is what the entry holds. */
static int copy_dar(const struct machine_run *run, uint32_t *table)
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

/* The estimate's lane notes which table each transfer finds; the other lane reads that. One table
 * serves until the DAR change. */
const uint32_t *mncore2_dar_contents(struct machine_run *run, uint32_t transfer)
{
    struct dar_list *dars = &run->dars;
    if (run->exec && dars->changed && !run->lane.ended) {
        uint32_t *table = new_table(dars);
        if (!table || copy_dar(run, table) != 0)
            return NULL;
        dars->changed = false;
    }
    if (!run->lane.ended)
        dars->used[transfer] = (uint32_t)dars->count - 1;
    return dars->tables[dars->used[transfer]];
}

/* GROUP ENTRY ADDRESS; # begins a comment. False when the line is neither that nor empty. */
static bool read_line(char *line, uint32_t *dar)
{
    line[strcspn(line, "#\n")] = '\0';
    if (line[strspn(line, " \t\r")] == '\0')
        return true;
    unsigned long long value[3];
    for (unsigned i = 0; i < 3; i++) {
        char *end;
        errno = 0;
        line += strspn(line, " \t");
        value[i] = strtoull(line, &end, 0);
        if (end == line || errno || *line == '-')
            return false;
        line = end;
    }
    if (line[strspn(line, " \t\r")] || value[0] >= GROUPS || value[1] >= DAR_ENTRIES ||
        value[2] > UINT32_MAX)
        return false;
    dar[value[0] * DAR_ENTRIES + value[1]] = (uint32_t)value[2];
    return true;
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
int mncore2_dar_read(struct machine_run *run, const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(run->error, MACHINE_ERROR, "%.200s: %s", path, strerror(errno));
        return 1;
    }
    uint32_t *dar = new_table(&run->dars);
    int status = dar ? 0 : -1;
    if (status != 0)
        snprintf(run->error, MACHINE_ERROR, "no memory for the DAR contents");
    char line[DAR_LINE];
    bool whole;
    for (unsigned long number = 1; status == 0 && next_line(file, line, &whole); number++)
        if (!whole || !read_line(line, dar)) {
            snprintf(run->error, MACHINE_ERROR,
                     "%.200s:%lu: expected GROUP (0..3) ENTRY (0..1023) ADDRESS (32 bits)", path,
                     number);
            status = 1;
        }
    if (status == 0 && !feof(file)) {
        snprintf(run->error, MACHINE_ERROR, "%.200s: %s", path, strerror(errno));
        status = 1;
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
}
