/* webs: see webs.h. */
#include "timing/mncore2/webs.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/mncore2/run.h"

struct finder {
    struct webs *webs;
    bool *pinned; /* by operand */
    uint32_t
        *definition[SPACE_COUNT]; /* by piece and lane: the operand that wrote it, or NONE_ID */
    bool lost;
};

bool mncore2_webs_cover(unsigned space)
{
    return space <= SPACE_GRF1 || space == SPACE_L1BM || space == SPACE_L2BM;
}

/* --- accesses --------------------------------------------------------------------------------- */

/* The operand of the item, which may have been added already. */
static uint32_t operand_at(struct finder *f, uint32_t item, uint16_t at)
{
    struct webs *w = f->webs;
    for (size_t k = w->operand_count; k > 0 && w->operands[k - 1].item == item; k--)
        if (w->operands[k - 1].at == at)
            return (uint32_t)k - 1;
    struct web_operand *list =
        grow(w->operands, &w->operand_capacity, w->operand_count + 1, sizeof *list);
    f->lost |= !list;
    if (!list)
        return 0;
    w->operands = list;
    list[w->operand_count] =
        (struct web_operand){.item = item, .web = (uint32_t)w->operand_count, .at = at};
    return (uint32_t)w->operand_count++;
}

/* In two pieces where it reaches over the memory's end. */
static void add_access(struct finder *f, struct web_access access)
{
    struct webs *w = f->webs;
    const uint32_t size = mncore2_space_size[access.space];
    if (access.count >= size) {
        access.first = 0;
        access.count = size;
    }
    const uint32_t beyond =
        access.first + access.count > size ? access.first + access.count - size : 0;
    struct web_access *list =
        access.count ? grow(w->accesses, &w->access_capacity, w->access_count + 2, sizeof *list)
                     : NULL;
    f->lost |= access.count && !list;
    if (!list)
        return;
    w->accesses = list;
    access.count -= beyond;
    list[w->access_count++] = access;
    access.first = 0;
    access.count = beyond;
    if (beyond)
        list[w->access_count++] = access;
}

static void add_step_access(struct finder *f, uint32_t item, const struct step *step,
                            const struct access *access)
{
    if (access->write && access->space == SPACE_BAR0)
        f->webs->frozen[SPACE_LM0] = true;
    if (access->write && access->space == SPACE_BAR1)
        f->webs->frozen[SPACE_LM1] = true;
    if (!mncore2_webs_cover(access->space))
        return;
    f->webs->frozen[access->space] |= access->any || !access->operand;
    if (access->any || !access->operand)
        return;
    const uint16_t at = (uint16_t)((const char *)access->operand - (const char *)step);
    struct web_access run = {.operand = operand_at(f, item, at),
                             .space = access->space,
                             .set = access->set ? access->set : 1,
                             .write = access->write,
                             .definite = !access->entry && access->operand->j < 0};
    for (unsigned i = 0; i < CYCLES; i++) { /* cycles that continue each other are one access */
        if (access->write && !(access->cycles >> i & 1))
            continue;
        if (run.count && access->addr[i] == run.first + run.count) {
            run.count += access->length;
            continue;
        }
        add_access(f, run);
        run.first = access->addr[i];
        run.count = access->length;
    }
    add_access(f, run);
}

/* Reads of a step come before its writes. */
static void add_step(struct finder *f, uint32_t item, const struct step *step)
{
    struct effect effect;
    if (step->nops)
        return;
    mncore2_effect_of_step(step, &effect);
    for (unsigned write = 0; write < 2; write++)
        for (size_t i = 0; i < effect.count; i++)
            if (effect.access[i].write == (write == 1))
                add_step_access(f, item, step, &effect.access[i]);
}

static void add_mv(struct finder *f, uint32_t item, const struct mv *mv)
{
    struct region region[2];
    mncore2_effect_of_mv(mv, region);
    for (uint16_t i = 0; i < 2; i++)
        if (region[i].space == SPACE_L2BM)
            add_access(f, (struct web_access){.operand = operand_at(f, item, i),
                                              .first = (uint32_t)region[i].addr,
                                              .count = (uint32_t)region[i].length,
                                              .space = SPACE_L2BM,
                                              .set = region[i].set,
                                              .write = region[i].write,
                                              .definite = true});
}

/* A dump or preset; both read what was there, since a preset may write in some PEs only. */
static void add_debug(struct finder *f, uint32_t item, const struct stmt *stmt)
{
    const struct debug *debug = stmt->debug;
    const enum space space = mncore2_space_of(debug->mem);
    if (stmt->kind == STMT_SET && (space == SPACE_BAR0 || space == SPACE_BAR1))
        f->webs->frozen[space == SPACE_BAR0 ? SPACE_LM0 : SPACE_LM1] = true;
    if (!mncore2_webs_cover(space))
        return;
    const uint64_t size = mncore2_space_size[space], each = space <= SPACE_GRF1 ? debug->words
                                                            : debug->words > 2  ? 2
                                                                                : 1;
    const bool all = debug->count >= size || debug->count * each >= size;
    const uint32_t operand = operand_at(f, item, 0);
    add_access(f, (struct web_access){
                      .operand = operand,
                      .first = all ? 0 : (uint32_t)(debug->addr % size),
                      .count = (uint32_t)(all ? size : debug->count * each),
                      .space = (uint8_t)space,
                      .set = space <= SPACE_GRF1 ? 1 : (1 << WEB_LANES) - 1,
                      .write = stmt->kind != STMT_GET,
                  });
}

static void find_accesses(struct finder *f)
{
    const struct program *program = f->webs->program;
    for (uint32_t i = 0; i < program->item_count && !f->lost; i++) {
        const struct stmt *stmt = &program->stmts[program->items[i].stmt];
        if (stmt->kind == STMT_STEP)
            add_step(f, i, stmt->step);
        else if (stmt->kind == STMT_MV)
            add_mv(f, i, stmt->mv);
        else if (stmt->kind != STMT_MVNOP)
            add_debug(f, i, stmt);
    }
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* Cut each memory wherever an access begins or ends. */
static int cut(struct finder *f)
{
    struct webs *w = f->webs;
    for (unsigned s = 0; s < SPACE_COUNT; s++) {
        if (!mncore2_webs_cover(s))
            continue;
        const size_t size = mncore2_space_size[s];
        w->piece[s] = calloc(size + 1, sizeof *w->piece[s]);
        f->definition[s] = malloc((size + 1) * WEB_LANES * sizeof *f->definition[s]);
        if (!w->piece[s] || !f->definition[s])
            return -1;
        memset(f->definition[s], 0xff, (size + 1) * WEB_LANES * sizeof *f->definition[s]);
    }
    for (size_t a = 0; a < w->access_count; a++) {
        const struct web_access *access = &w->accesses[a];
        w->piece[access->space][access->first] = 1;
        w->piece[access->space][access->first + access->count] = 1;
    }
    for (unsigned s = 0; s < SPACE_COUNT; s++)
        for (size_t i = 0; w->piece[s] && i < mncore2_space_size[s]; i++)
            w->piece[s][i + 1] += w->piece[s][i];
    return 0;
}

/* --- webs ------------------------------------------------------------------------------------- */

static uint32_t root(struct web_operand *operands, uint32_t k)
{
    while (operands[k].web != k)
        k = operands[k].web = operands[operands[k].web].web;
    return k;
}

/* The first one is the root. */
static void unite(struct web_operand *operands, uint32_t a, uint32_t b)
{
    a = root(operands, a);
    b = root(operands, b);
    if (a < b)
        operands[b].web = a;
    else
        operands[a].web = b;
}

static void flow(struct finder *f, const struct web_access *access)
{
    struct webs *w = f->webs;
    const uint32_t *piece = w->piece[access->space];
    const uint32_t end = piece[access->first + access->count];
    for (uint32_t p = piece[access->first]; p < end; p++)
        for (unsigned lane = 0; lane < WEB_LANES; lane++) {
            uint32_t *definition = &f->definition[access->space][(size_t)p * WEB_LANES + lane];
            if (!(access->set >> lane & 1))
                continue;
            if (!access->write || !access->definite) {
                if (*definition == NONE_ID)
                    f->pinned[access->operand] = true;
                else
                    unite(w->operands, access->operand, *definition);
            }
            if (access->write)
                *definition = access->operand;
        }
}

/* Accesses [begin, end) are those of one item. */
static void tie(struct webs *w, size_t begin, size_t end)
{
    for (size_t a = begin; a < end; a++)
        for (size_t b = begin; b < a; b++)
            if (w->accesses[a].space == w->accesses[b].space && !w->accesses[b].write &&
                (!w->accesses[a].write || w->accesses[a].space <= SPACE_LM1))
                unite(w->operands, w->accesses[a].operand, w->accesses[b].operand);
}

static void find_definitions(struct finder *f)
{
    struct webs *w = f->webs;
    for (size_t begin = 0, end; begin < w->access_count; begin = end) {
        const uint32_t item = w->operands[w->accesses[begin].operand].item;
        for (end = begin;
             end < w->access_count && w->operands[w->accesses[end].operand].item == item;)
            flow(f, &w->accesses[end++]);
        const struct stmt *stmt = &w->program->stmts[w->program->items[item].stmt];
        if (stmt->kind == STMT_STEP)
            tie(w, begin, end);
        for (size_t a = begin; stmt->kind != STMT_STEP && stmt->kind != STMT_MV && a < end; a++)
            f->pinned[w->accesses[a].operand] = true;
    }
    for (unsigned s = 0; s < SPACE_COUNT; s++)
        for (size_t i = 0; f->definition[s] && i < (size_t)mncore2_space_size[s] * WEB_LANES; i++)
            if (f->definition[s][i] != NONE_ID)
                f->pinned[f->definition[s][i]] = true;
}

static void note_access(struct web *web, const struct web_access *access, uint32_t item)
{
    web->last = item;
    web->space = access->space;
    web->access_end++;
    if (access->write && access->definite)
        return;
    web->many |= web->reader != NONE_ID && web->reader != item;
    web->reader = item;
}

/* Accesses are sorted by web and stay in their order. */
static int gather(struct finder *f)
{
    struct webs *w = f->webs;
    struct web_access *sorted = malloc((w->access_count + 1) * sizeof *sorted);
    w->webs = calloc(w->operand_count + 1, sizeof *w->webs);
    if (!sorted || !w->webs) {
        free(sorted);
        return -1;
    }
    for (uint32_t k = 0; k < w->operand_count; k++) {
        struct web_operand *operand = &w->operands[k];
        const uint32_t of = operand->web; /* roots come first: it has its number */
        if (of == k)
            w->webs[w->web_count] = (struct web){.first = operand->item, .reader = NONE_ID};
        operand->web = of == k ? (uint32_t)w->web_count++ : w->operands[of].web;
        w->webs[operand->web].operands++;
        w->webs[operand->web].pinned |= f->pinned[k];
    }
    for (size_t a = 0; a < w->access_count; a++) {
        const struct web_operand *operand = &w->operands[w->accesses[a].operand];
        note_access(&w->webs[operand->web], &w->accesses[a], operand->item);
    }
    size_t next = 0;
    for (size_t k = 0; k < w->web_count; k++) {
        struct web *web = &w->webs[k];
        web->pinned |= w->frozen[web->space];
        web->access = next;
        next += web->access_end;
        web->access_end = web->access;
    }
    for (size_t a = 0; a < w->access_count; a++)
        sorted[w->webs[w->operands[w->accesses[a].operand].web].access_end++] = w->accesses[a];
    free(w->accesses);
    w->accesses = sorted;
    return 0;
}

int mncore2_webs_find(struct webs *webs, const struct program *program)
{
    struct finder f = {.webs = webs};
    *webs = (struct webs){.program = program};
    find_accesses(&f);
    f.pinned = calloc(webs->operand_count + 1, sizeof *f.pinned);
    int status = f.lost || !f.pinned ? -1 : cut(&f);
    if (status == 0) {
        find_definitions(&f);
        for (uint32_t k = 0; k < webs->operand_count; k++)
            webs->operands[k].web = root(webs->operands, k);
        status = gather(&f);
    }
    for (unsigned s = 0; s < SPACE_COUNT; s++)
        free(f.definition[s]);
    free(f.pinned);
    return status;
}

void mncore2_webs_free(struct webs *webs)
{
    for (unsigned s = 0; s < SPACE_COUNT; s++)
        free(webs->piece[s]);
    free(webs->operands);
    free(webs->accesses);
    free(webs->webs);
}
