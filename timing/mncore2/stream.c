#include "timing/mncore2/stream.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/machine.h"

struct packer mncore2_packer_start(enum packing packing)
{
    static const unsigned slots[] = {[PACKING_NONE] = 0, [PACKING_AUTO] = 3, [PACKING_FLAT] = 2};
    return (struct packer){.slots = slots[packing]};
}

uint64_t mncore2_packer_steps(struct packer *packer, uint64_t count)
{
    if (!packer->slots || !count)
        return 0;
    const uint64_t filled = packer->used + count; /* counted from the open unit's first slot */
    const uint64_t units = (filled + packer->slots - 1) / packer->slots;
    packer->used = (unsigned)(filled - (units - 1) * packer->slots);
    return units - (filled > count ? 1 : 0);
}

unsigned mncore2_packer_mv(struct packer *packer)
{
    const unsigned nops = packer->slots - packer->used;
    packer->used = 0;
    return nops;
}

unsigned mncore2_packer_end(struct packer *packer)
{
    const unsigned nops = packer->used ? packer->slots - packer->used : 0;
    packer->used = 0;
    return nops;
}

int mncore2_packing_choose(const struct program *program, const char *name, enum packing *packing)
{
    *packing = PACKING_AUTO;
    if (!name) {
        for (size_t i = 0; i < program->stmt_count; i++)
            if (program->stmts[i].kind == STMT_STEP && program->stmts[i].step->needs_flat)
                *packing = PACKING_FLAT;
        return 0;
    }
    if (strcmp(name, "none") == 0)
        *packing = PACKING_NONE;
    else if (strcmp(name, "flat") == 0)
        *packing = PACKING_FLAT;
    else if (strcmp(name, "auto") != 0)
        return -1;
    return 0;
}

bool mncore2_stalls(const struct machine_setting *settings)
{
    return machine_setting(settings, "interlock") || machine_setting(settings, "drop-nops");
}

bool mncore2_holds(const struct machine_setting *settings)
{
    return machine_setting(settings, "drop-nops") != NULL;
}

struct printer {
    const struct program *program;
    FILE *out;
    char *text;
    size_t size;
};

static int print_stmt(struct printer *printer, const struct stmt *stmt)
{
    const int needed = mncore2_stmt_print(printer->program, stmt, printer->text, printer->size);
    if (needed < 0)
        return -1;
    if ((size_t)needed >= printer->size) {
        char *text = grow(printer->text, &printer->size, (size_t)needed + 1, 1);
        if (!text)
            return -1;
        printer->text = text;
        mncore2_stmt_print(printer->program, stmt, printer->text, printer->size);
    }
    return fprintf(printer->out, "%s\n", printer->text) < 0 ? -1 : 0;
}

/* Longer runs of units that hold nops alone are printed as one nop/n. */
enum { UNITS_IN_FULL = 16 };

/*
 * One step a line, as the slots are: nop/n is n slots. A unit that fills up before a PE statement
 * gets its mvnop. More than UNITS_IN_FULL whole units of nops are one nop/n, n a multiple of the
 * slots; their mvnops are understood but for the last, which comes as after every full unit. Packed
 * again, this text gives the same stream and the same text.
 */
static int print_slots(struct printer *printer, struct packer *packer, const struct stmt *stmt)
{
    const uint64_t nops = stmt->step->nops;
    for (uint64_t i = 0; i < (nops ? nops : 1); i++) {
        const bool full = packer->used == packer->slots;
        if (full && fputs("mvnop\n", printer->out) < 0)
            return -1;
        const uint64_t units = nops ? (nops - i) / packer->slots : 0;
        if (units > UNITS_IN_FULL && (full || packer->used == 0) && (i > 0 || !stmt->step->wait)) {
            const uint64_t count = units * packer->slots;
            if (fprintf(printer->out, "nop/%llu\n", (unsigned long long)count) < 0)
                return -1;
            mncore2_packer_steps(packer, count);
            i += count - 1;
            continue;
        }
        mncore2_packer_steps(packer, 1);
        if (nops && (i > 0 || !stmt->step->wait)) {
            if (fputs("nop\n", printer->out) < 0)
                return -1;
        } else if (nops) {
            struct step first = *stmt->step;
            first.nops = 1;
            const struct stmt one = {.kind = STMT_STEP, .step = &first};
            if (print_stmt(printer, &one) != 0)
                return -1;
        } else if (print_stmt(printer, stmt) != 0) {
            return -1;
        }
    }
    return 0;
}

static int print_nops(struct printer *printer, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (fputs("nop\n", printer->out) < 0)
            return -1;
    return 0;
}

int mncore2_stream_print(const struct program *program, enum packing packing, bool packed,
                         FILE *out)
{
    struct printer printer = {.program = program, .out = out};
    struct packer packer = mncore2_packer_start(packed ? packing : PACKING_NONE);
    int status = 0;
    for (size_t i = 0; status == 0 && i < program->item_count; i++) {
        const struct stmt *stmt = &program->stmts[program->items[i].stmt];
        if (packer.slots && stmt->kind == STMT_STEP)
            status = print_slots(&printer, &packer, stmt);
        else if (packer.slots && (stmt->kind == STMT_MV || stmt->kind == STMT_MVNOP))
            status = print_nops(&printer, mncore2_packer_mv(&packer)) | print_stmt(&printer, stmt);
        else
            status = print_stmt(&printer, stmt);
    }
    if (status == 0 && packer.used)
        status = print_nops(&printer, mncore2_packer_end(&packer)) |
                 (fputs("mvnop\n", out) < 0 ? -1 : 0);
    free(printer.text);
    return status;
}
