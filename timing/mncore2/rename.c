/* rename: see rename.h. */
#include "timing/mncore2/rename.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/mncore2/run.h"

/* --- which webs move -------------------------------------------------------------------------- */

struct chooser {
    const struct webs *webs;
    uint32_t *next[SPACE_COUNT]; /* by piece and lane: the next web that does not move */
    bool *stays;                 /* by web */
};

static uint32_t *next_at(const struct chooser *c, const struct web_access *access, uint32_t piece,
                         unsigned lane)
{
    return &c->next[access->space][(size_t)piece * WEB_LANES + lane];
}

/* Whether the next values at the web's place wait for no read but that of the item that writes
 * them. */
static bool next_is_free(const struct chooser *c, const struct web *web,
                         const struct web_access *access)
{
    const uint32_t *piece = c->webs->piece[access->space];
    for (uint32_t p = piece[access->first]; p < piece[access->first + access->count]; p++)
        for (unsigned lane = 0; lane < WEB_LANES; lane++) {
            const uint32_t next = *next_at(c, access, p, lane);
            if (access->set >> lane & 1 && next != NONE_ID &&
                (web->many || web->reader != c->webs->webs[next].first))
                return false;
        }
    return true;
}

static void keep(const struct chooser *c, uint32_t web, const struct web_access *access)
{
    const uint32_t *piece = c->webs->piece[access->space];
    for (uint32_t p = piece[access->first]; p < piece[access->first + access->count]; p++)
        for (unsigned lane = 0; lane < WEB_LANES; lane++)
            if (access->set >> lane & 1)
                *next_at(c, access, p, lane) = web;
}

/* From the last web to the first. What it reads it has written, unless it is pinned. */
static void choose(struct chooser *c)
{
    const struct webs *webs = c->webs;
    for (uint32_t k = (uint32_t)webs->web_count; k-- > 0;) {
        const struct web *web = &webs->webs[k];
        c->stays[k] = true;
        for (size_t a = web->access; !web->pinned && c->stays[k] && a < web->access_end; a++)
            c->stays[k] = !webs->accesses[a].write || next_is_free(c, web, &webs->accesses[a]);
        for (size_t a = web->access; c->stays[k] && a < web->access_end; a++)
            if (web->pinned || webs->accesses[a].write)
                keep(c, k, &webs->accesses[a]);
    }
}

static int choose_webs(struct chooser *c)
{
    int status = 0;
    c->stays = calloc(c->webs->web_count + 1, sizeof *c->stays);
    for (unsigned s = 0; s < SPACE_COUNT && status == 0; s++) {
        if (!mncore2_webs_cover(s))
            continue;
        const size_t size = (mncore2_space_size[s] + (size_t)1) * WEB_LANES;
        c->next[s] = malloc(size * sizeof *c->next[s]);
        status = c->next[s] ? 0 : -1;
        if (c->next[s])
            memset(c->next[s], 0xff, size * sizeof *c->next[s]);
    }
    if (!c->stays || status != 0)
        return -1;
    choose(c);
    return 0;
}

/* --- places ----------------------------------------------------------------------------------- */

/* New addresses differ from the old ones by a multiple of that. */
static uint32_t alignment(unsigned space, uint32_t words)
{
    enum { NARROW = 4, WIDE = 8, L1BM = 64, L2BM = 256 };
    return space == SPACE_L2BM ? L2BM : space == SPACE_L1BM ? L1BM : words > NARROW ? WIDE : NARROW;
}

/* The latest end of a value in the places that the web would have; RENAME_TAKEN: it cannot. */
static uint32_t latest_end(const struct renaming *r, const struct web *web, uint32_t shift)
{
    const uint32_t *end = r->end[web->space];
    uint32_t latest = 0;
    for (size_t a = web->access; a < web->access_end && latest != RENAME_TAKEN; a++) {
        const struct web_access *access = &r->webs.accesses[a];
        const uint32_t first = access->first + shift;
        for (uint32_t i = 0; access->write && i < access->count; i++)
            latest = end[first + i] > latest ? end[first + i] : latest;
    }
    return latest;
}

static void take(struct renaming *r, const struct web *web, uint32_t shift, uint32_t end)
{
    for (size_t a = web->access; a < web->access_end; a++) {
        const struct web_access *access = &r->webs.accesses[a];
        for (uint32_t i = 0; i < access->count; i++)
            r->end[web->space][access->first + shift + i] = end;
    }
}

/* The place that has been unused for the longest time; of several the first. */
static void move(struct renaming *r, uint32_t k)
{
    enum { APART = 64 }; /* items between two values of a place, so that every rule is kept */
    const struct web *web = &r->webs.webs[k];
    const uint32_t size = mncore2_space_size[web->space];
    uint32_t first = size, last = 0, best = RENAME_TAKEN, shift = 0;
    for (size_t a = web->access; a < web->access_end; a++) {
        const struct web_access *access = &r->webs.accesses[a];
        first = access->first < first ? access->first : first;
        last = access->first + access->count > last ? access->first + access->count : last;
    }
    const uint32_t align = alignment(web->space, last - first), from = first / align * align;
    for (uint32_t to = 0; to + (last - from) <= size && best > 0; to += align) {
        const uint32_t end = latest_end(r, web, to - from);
        const bool over = end == 0 || (web->space != SPACE_L2BM && end != RENAME_TAKEN &&
                                       end + APART < web->first);
        if (!over || end >= best)
            continue;
        best = end;
        shift = to - from;
    }
    if (best == RENAME_TAKEN)
        return;
    r->shift[k] = shift;
    take(r, web, shift, web->last + 1);
}

static int move_webs(struct renaming *r)
{
    struct chooser c = {.webs = &r->webs};
    int status = choose_webs(&c);
    r->shift = calloc(r->webs.web_count + 1, sizeof *r->shift);
    if (!r->shift)
        status = -1;
    for (unsigned s = 0; s < SPACE_COUNT && status == 0; s++)
        if (mncore2_webs_cover(s)) {
            r->end[s] = calloc(mncore2_space_size[s] + (size_t)1, sizeof *r->end[s]);
            status = r->end[s] ? 0 : -1;
        }
    for (size_t k = 0; k < r->webs.web_count && status == 0; k++)
        take(r, &r->webs.webs[k], 0, RENAME_TAKEN);
    for (uint32_t k = 0; k < r->webs.web_count && status == 0; k++)
        if (!c.stays[k])
            move(r, k);
    for (unsigned s = 0; s < SPACE_COUNT; s++)
        free(c.next[s]);
    free(c.stays);
    return status;
}

/* --- tags ------------------------------------------------------------------------------------- */

static int add_tags(struct renaming *r, uint32_t item, uint8_t tag)
{
    struct rename_tags *list = grow(r->tags, &r->tag_capacity, r->tag_count + 1, sizeof *list);
    if (!list)
        return -1;
    r->tags = list;
    list[r->tag_count++] = (struct rename_tags){.first = item, .from = tag, .to = tag};
    return 0;
}

/* Transfers with their waits. A wait for a tag that has been waited for belongs to the same. */
static int find_tags(struct renaming *r)
{
    const struct program *program = r->program;
    uint32_t open[256] = {0}; /* by tag: 1 + its number */
    r->tags_of = calloc(program->item_count + 1, sizeof *r->tags_of);
    if (!r->tags_of)
        return -1;
    for (uint32_t i = 0; i < program->item_count; i++) {
        const struct stmt *stmt = &program->stmts[program->items[i].stmt];
        const bool transfer = stmt->kind == STMT_MV;
        const uint8_t tag = transfer                  ? stmt->mv->tag
                            : stmt->kind == STMT_STEP ? stmt->step->wait
                                                      : 0;
        if (!tag || (!transfer && !open[tag]))
            continue;
        if (!open[tag] || (transfer && r->tags[open[tag] - 1].waited)) {
            if (add_tags(r, i, tag) != 0)
                return -1;
            open[tag] = (uint32_t)r->tag_count;
        }
        struct rename_tags *tags = &r->tags[open[tag] - 1];
        tags->last = i;
        tags->items++;
        tags->waited |= !transfer;
        r->tags_of[i] = open[tag];
    }
    return 0;
}

/* A tag that the program does not have: one unused, or that whose wait is the longest ago. */
static void choose_tags(struct renaming *r)
{
    enum { APART = 64 };
    uint32_t end[256] = {RENAME_TAKEN}, last[256] = {0};
    for (size_t k = 0; k < r->tag_count; k++) {
        end[r->tags[k].from] = RENAME_TAKEN;
        last[r->tags[k].from] = (uint32_t)k;
    }
    for (size_t k = 0; k < r->tag_count; k++) {
        struct rename_tags *tags = &r->tags[k];
        unsigned best = 0;
        for (unsigned t = 1; t < 256 && last[tags->from] != k; t++)
            if (end[t] < end[best] && (end[t] == 0 || end[t] + APART < tags->first))
                best = t;
        if (best == 0)
            continue;
        tags->to = (uint8_t)best;
        end[best] = tags->waited ? tags->last + 1 : RENAME_TAKEN;
    }
}

/* --- all -------------------------------------------------------------------------------------- */

int mncore2_renaming_find(struct renaming *r, const struct program *program)
{
    *r = (struct renaming){.program = program};
    int status = mncore2_webs_find(&r->webs, program);
    if (status == 0)
        status = move_webs(r);
    if (status == 0)
        status = find_tags(r);
    if (status == 0)
        choose_tags(r);
    return status;
}

void mncore2_renaming_free(struct renaming *r)
{
    mncore2_webs_free(&r->webs);
    free(r->shift);
    for (unsigned s = 0; s < SPACE_COUNT; s++)
        free(r->end[s]);
    free(r->tags);
    free(r->tags_of);
}
