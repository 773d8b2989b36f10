#include "analysis/diff.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/align.h"

const char *diff_text(const struct diff *diff, uint32_t number)
{
    return number == NONE_ID ? "" : diff->strings->entries[number].text;
}

/* --- which statements correspond -------------------------------------------------------------- */

/* Sides in an order that does not depend on which was given first, so that exchanging them
 * exchanges the answer: shortest scripts are many. */
static bool is_first(const struct diff *diff)
{
    const struct diff_side *a = diff->sides[0], *b = diff->sides[1];
    if (a->stmt_count != b->stmt_count)
        return a->stmt_count < b->stmt_count;
    for (size_t i = 0; i < a->stmt_count; i++)
        if (a->stmts[i].text != b->stmts[i].text)
            return strcmp(diff_text(diff, a->stmts[i].text), diff_text(diff, b->stmts[i].text)) < 0;
    return true;
}

static void pair(struct diff *diff, const uint32_t stmt[2], enum diff_kind kind)
{
    for (unsigned s = 0; s < 2; s++) {
        diff->other[s][stmt[s]] = stmt[1 - s];
        diff->kinds[s][stmt[s]] = (uint8_t)kind;
    }
}

struct single { /* a statement without another one */
    uint32_t key, stmt;
};

static int by_key(const void *a, const void *b)
{
    const struct single *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->stmt > y->stmt) - (x->stmt < y->stmt);
}

/* Sides in the order first, second. */
struct matching {
    struct diff *diff;
    unsigned sides[2];
    uint32_t *keys[2];
    uint32_t *match; /* of the first side's keys */
    struct single *singles[2];
};

static size_t list_singles(const struct matching *m, unsigned k)
{
    const unsigned s = m->sides[k];
    const struct diff_side *side = m->diff->sides[s];
    size_t count = 0;
    for (uint32_t i = 0; i < side->stmt_count; i++)
        if (m->diff->kinds[s][i] == DIFF_ALONE)
            m->singles[k][count++] = (struct single){side->stmts[i].text, i};
    if (count)
        qsort(m->singles[k], count, sizeof *m->singles[k], by_key);
    return count;
}

static void pair_ordered(const struct matching *m, uint32_t first, uint32_t second,
                         enum diff_kind kind)
{
    uint32_t stmt[2];
    stmt[m->sides[0]] = first;
    stmt[m->sides[1]] = second;
    pair(m->diff, stmt, kind);
}

static void match_moved(const struct matching *m)
{
    const size_t counts[2] = {list_singles(m, 0), list_singles(m, 1)};
    for (size_t i = 0, j = 0; i < counts[0] && j < counts[1];) {
        const struct single *x = &m->singles[0][i], *y = &m->singles[1][j];
        if (x->key == y->key)
            pair_ordered(m, x->stmt, y->stmt, DIFF_MOVED);
        i += x->key <= y->key;
        j += y->key <= x->key;
    }
}

/* Statements [from, to) of a side without another one: their words into keys, and which they
 * are. */
static size_t list_words(const struct matching *m, unsigned k, size_t from, size_t to)
{
    const unsigned s = m->sides[k];
    size_t count = 0;
    for (size_t i = from; i < to; i++)
        if (m->diff->kinds[s][i] == DIFF_ALONE) {
            m->keys[k][count] = m->diff->sides[s]->stmts[i].word;
            m->singles[k][count++].stmt = (uint32_t)i;
        }
    return count;
}

/* Between two pairs that are the same. */
static int match_changed_between(const struct matching *m, const size_t from[2], const size_t to[2])
{
    const size_t counts[2] = {list_words(m, 0, from[0], to[0]), list_words(m, 1, from[1], to[1])};
    if (!counts[0] || !counts[1])
        return 0;
    if (align((struct align_side){m->keys[0], counts[0]},
              (struct align_side){m->keys[1], counts[1]}, m->match) != 0)
        return -1;
    for (size_t i = 0; i < counts[0]; i++)
        if (m->match[i] != ALIGN_NONE)
            pair_ordered(m, m->singles[0][i].stmt, m->singles[1][m->match[i]].stmt, DIFF_CHANGED);
    return 0;
}

static int match_changed(const struct matching *m)
{
    const unsigned first = m->sides[0];
    const size_t counts[2] = {m->diff->sides[first]->stmt_count,
                              m->diff->sides[1 - first]->stmt_count};
    size_t from[2] = {0, 0};
    for (size_t i = 0; i <= counts[0]; i++) {
        if (i < counts[0] && m->diff->kinds[first][i] != DIFF_SAME)
            continue;
        const size_t to[2] = {i, i < counts[0] ? m->diff->other[first][i] : counts[1]};
        if (match_changed_between(m, from, to) != 0)
            return -1;
        from[0] = to[0] + 1;
        from[1] = to[1] + 1;
    }
    return 0;
}

static int match_parts(const struct matching *m)
{
    const struct diff_side *const *sides = m->diff->sides;
    size_t counts[2];
    for (unsigned k = 0; k < 2; k++) {
        counts[k] = sides[m->sides[k]]->stmt_count;
        for (size_t i = 0; i < counts[k]; i++)
            m->keys[k][i] = sides[m->sides[k]]->stmts[i].text;
    }
    if (align((struct align_side){m->keys[0], counts[0]},
              (struct align_side){m->keys[1], counts[1]}, m->match) != 0)
        return -1;
    for (uint32_t i = 0; i < counts[0]; i++)
        if (m->match[i] != ALIGN_NONE)
            pair_ordered(m, i, m->match[i], DIFF_SAME);
    match_moved(m);
    return match_changed(m);
}

static int match(struct diff *diff)
{
    struct matching m = {.diff = diff};
    m.sides[0] = is_first(diff) ? 0 : 1;
    m.sides[1] = 1 - m.sides[0];
    bool room = true;
    for (unsigned s = 0; s < 2; s++) {
        const size_t count = diff->sides[s]->stmt_count;
        diff->other[s] = malloc((count + 1) * sizeof *diff->other[s]);
        diff->kinds[s] = malloc(count + 1);
        room &= diff->other[s] && diff->kinds[s];
        for (size_t i = 0; room && i < count; i++) {
            diff->other[s][i] = NONE_ID;
            diff->kinds[s][i] = DIFF_ALONE;
        }
    }
    for (unsigned k = 0; k < 2; k++) {
        const size_t count = diff->sides[m.sides[k]]->stmt_count;
        m.keys[k] = malloc((count + 1) * sizeof *m.keys[k]);
        m.singles[k] = malloc((count + 1) * sizeof *m.singles[k]);
        room &= m.keys[k] && m.singles[k];
    }
    m.match = malloc((diff->sides[m.sides[0]]->stmt_count + 1) * sizeof *m.match);
    const int status = room && m.match ? match_parts(&m) : -1;
    for (unsigned k = 0; k < 2; k++) {
        free(m.keys[k]);
        free(m.singles[k]);
    }
    free(m.match);
    for (unsigned s = 0; status == 0 && s < 2; s++)
        for (size_t i = 0; i < diff->sides[s]->stmt_count; i++)
            diff->counts[s][diff->kinds[s][i]]++;
    return status;
}

/* --- terms ------------------------------------------------------------------------------------ */

static bool is_edited(const struct diff *diff, const uint32_t stmt[2])
{
    bool edited = false;
    for (unsigned s = 0; s < 2; s++)
        edited |= stmt[s] != NONE_ID && diff->kinds[s][stmt[s]] != DIFF_SAME;
    return edited;
}

bool diff_is_edit(const struct diff *diff, const struct diff_term *term)
{
    return is_edited(diff, term->stmt) || is_edited(diff, term->source);
}

static void both(const struct diff *diff, unsigned side, uint32_t stmt, uint32_t pair_of[2])
{
    pair_of[side] = stmt;
    pair_of[1 - side] = stmt == NONE_ID ? NONE_ID : diff->other[side][stmt];
}

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_subject(const void *a, const void *b)
{
    const struct diff_term *x = a, *y = b;
    const uint32_t keys[][2] = {{x->stmt[0], y->stmt[0]},     {x->stmt[1], y->stmt[1]},
                                {x->reason, y->reason},       {x->unit, y->unit},
                                {x->source[0], y->source[0]}, {x->source[1], y->source[1]}};
    int order = 0;
    for (size_t i = 0; order == 0 && i < sizeof keys / sizeof *keys; i++)
        order = compare(keys[i][0], keys[i][1]);
    return order;
}

static uint64_t size_of(int64_t cycles)
{
    return cycles < 0 ? -(uint64_t)cycles : (uint64_t)cycles;
}

struct ranked {
    struct diff_term term;
    bool edit, itself; /* what was edited is the statement itself, not its source */
};

static int by_weight(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    const uint64_t p = size_of(x->term.cycles), q = size_of(y->term.cycles);
    if (x->edit != y->edit)
        return x->edit ? -1 : 1;
    if (p != q)
        return p > q ? -1 : 1;
    if (x->itself != y->itself)
        return x->itself ? -1 : 1;
    return by_subject(&x->term, &y->term);
}

static int rank(struct diff *diff)
{
    struct ranked *ranked = malloc((diff->term_count + 1) * sizeof *ranked);
    if (!ranked)
        return -1;
    for (size_t i = 0; i < diff->term_count; i++) {
        const struct diff_term *term = &diff->terms[i];
        ranked[i] = (struct ranked){*term, diff_is_edit(diff, term), is_edited(diff, term->stmt)};
    }
    if (diff->term_count)
        qsort(ranked, diff->term_count, sizeof *ranked, by_weight);
    for (size_t i = 0; i < diff->term_count; i++)
        diff->terms[i] = ranked[i].term;
    while (diff->edit_count < diff->term_count && ranked[diff->edit_count].edit)
        diff->edit_count++;
    free(ranked);
    return 0;
}

/* Whether a side knows of no statement for cells of a reason: then they are of none on both. */
static void find_coarse(const struct diff *diff, bool *coarse)
{
    for (unsigned s = 0; s < 2; s++)
        for (size_t i = 0; i < diff->sides[s]->cell_count; i++) {
            const struct diff_cell *cell = &diff->sides[s]->cells[i];
            if (cell->stmt == NONE_ID && cell->reason != NONE_ID)
                coarse[cell->reason] = true;
        }
}

/* --- a wait that moved ---

Of two statements one waits for a source in a only, and the other one for the same source in b only:
that is one wait at another place, and one term. */

static bool is_same_wait(const struct diff_term *a, const struct diff_term *b)
{
    return a->reason == b->reason && a->unit == b->unit && a->source[0] == b->source[0] &&
           a->source[1] == b->source[1];
}

static int by_wait(const void *a, const void *b)
{
    const struct diff_term *x = *(struct diff_term *const *)a, *y = *(struct diff_term *const *)b;
    const uint32_t keys[][2] = {{x->reason, y->reason},
                                {x->unit, y->unit},
                                {x->source[0], y->source[0]},
                                {x->source[1], y->source[1]}};
    int order = 0;
    for (size_t i = 0; order == 0 && i < sizeof keys / sizeof *keys; i++)
        order = compare(keys[i][0], keys[i][1]);
    return order ? order : by_subject(x, y);
}

/* waits: of one side alone, and of one source. Terms that are now part of others have no cycles. */
static void join_waits(struct diff_term **waits, size_t count)
{
    if (count)
        qsort(waits, count, sizeof *waits, by_wait);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && is_same_wait(waits[end], waits[i]); end++)
            ;
        struct diff_term *first = waits[i], *second = waits[end - 1];
        if (end - i != 2 || (first->cycles < 0) == (second->cycles < 0))
            continue;
        struct diff_term *of[] = {first->cycles < 0 ? first : second,
                                  first->cycles < 0 ? second : first};
        *of[0] = (struct diff_term){.reason = of[0]->reason,
                                    .unit = of[0]->unit,
                                    .stmt = {of[0]->stmt[0], of[1]->stmt[1]},
                                    .source = {of[0]->source[0], of[0]->source[1]},
                                    .cycles = of[0]->cycles + of[1]->cycles};
        of[1]->cycles = 0;
    }
}

static int find_terms(struct diff *diff)
{
    const size_t most = diff->sides[0]->cell_count + diff->sides[1]->cell_count;
    struct diff_term *terms = diff->terms = malloc((most + 1) * sizeof *terms);
    struct diff_term **waits = malloc((most + 1) * sizeof *waits);
    bool *coarse = calloc(diff->strings->count + 1, sizeof *coarse);
    size_t count = 0, wait_count = 0, sum_count = 0;
    if (!terms || !waits || !coarse) {
        free(waits);
        free(coarse);
        return -1;
    }
    find_coarse(diff, coarse);
    for (unsigned s = 0; s < 2; s++)
        for (size_t i = 0; i < diff->sides[s]->cell_count; i++) {
            const struct diff_cell *cell = &diff->sides[s]->cells[i];
            struct diff_term *term = &terms[count++];
            *term = (struct diff_term){.reason = cell->reason, .unit = cell->unit};
            term->cycles = (int64_t)(s ? cell->cycles : -cell->cycles);
            const bool placed = cell->reason == NONE_ID || !coarse[cell->reason];
            both(diff, s, placed ? cell->stmt : NONE_ID, term->stmt);
            both(diff, s, cell->source, term->source);
        }
    free(coarse);
    if (count)
        qsort(terms, count, sizeof *terms, by_subject);
    for (size_t i = 0, end; i < count; i = end) {
        struct diff_term sum = terms[i];
        bool alone = sum.source[0] != NONE_ID && sum.source[1] != NONE_ID;
        for (end = i + 1; end < count && by_subject(&terms[end], &sum) == 0; end++) {
            alone &= (terms[end].cycles < 0) == (terms[i].cycles < 0);
            sum.cycles = (int64_t)((uint64_t)sum.cycles + (uint64_t)terms[end].cycles);
        }
        if (alone && sum.cycles)
            waits[wait_count++] = &terms[sum_count];
        terms[sum_count++] = sum;
    }
    join_waits(waits, wait_count);
    free(waits);
    for (size_t i = 0; i < sum_count; i++)
        if (terms[i].cycles)
            terms[diff->term_count++] = terms[i];
    return rank(diff);
}

static int by_cycles(const void *a, const void *b)
{
    const struct diff_sum *x = a, *y = b;
    const uint64_t p = size_of(x->cycles), q = size_of(y->cycles);
    return p != q ? (p < q) - (p > q) : compare(x->name, y->name);
}

/* Of a statement, or of what has none. */
static uint32_t region_of(const struct diff_side *side, uint32_t stmt)
{
    return stmt != NONE_ID      ? side->stmts[stmt].region
           : side->region_count ? side->regions[0]
                                : NONE_ID;
}

struct diff_sum *diff_sums(const struct diff *diff, enum diff_by by, size_t *count)
{
    const size_t names = diff->strings->count;
    struct diff_sum *sums = calloc(names + 1, sizeof *sums), *last = sums;
    for (unsigned s = 0; sums && s < 2; s++)
        for (size_t i = 0; i < diff->sides[s]->cell_count; i++) {
            const struct diff_cell *cell = &diff->sides[s]->cells[i];
            const uint32_t name = by == DIFF_BY_REASON ? cell->reason
                                  : by == DIFF_BY_UNIT ? cell->unit
                                                       : region_of(diff->sides[s], cell->stmt);
            struct diff_sum *sum = &sums[name == NONE_ID ? names : name];
            const uint64_t cycles = (uint64_t)sum->cycles;
            sum->name = name;
            sum->cycles = (int64_t)(s ? cycles + cell->cycles : cycles - cell->cycles);
        }
    for (size_t i = 0; sums && i <= names; i++)
        if (sums[i].cycles)
            *last++ = sums[i];
    *count = sums ? (size_t)(last - sums) : 0;
    if (*count)
        qsort(sums, *count, sizeof *sums, by_cycles);
    return sums;
}

/* --- where they begin to differ --------------------------------------------------------------- */

struct cursor {
    size_t run;
    size_t stmt; /* the first statement that has not been passed */
};

/* The first statement that is not the same before the stream gets beyond `last`; NONE_ID: none. */
static uint32_t edit_until(const struct diff *diff, unsigned s, struct cursor *at, size_t last)
{
    for (; at->stmt <= last && at->stmt < diff->sides[s]->stmt_count; at->stmt++)
        if (diff->kinds[s][at->stmt] != DIFF_SAME)
            return (uint32_t)at->stmt;
    return NONE_ID;
}

static void diverge(struct diff *diff, uint64_t cycle, const uint32_t stmt[2])
{
    diff->diverges = diff->diverges_known = true;
    diff->diverging = cycle;
    memcpy(diff->diverging_stmt, stmt, sizeof diff->diverging_stmt);
}

static void find_divergence(struct diff *diff)
{
    const struct diff_side *const *sides = diff->sides;
    struct cursor at[2] = {{0, 0}, {0, 0}};
    uint64_t cycle = 0;
    if (!sides[0]->ordered || !sides[1]->ordered)
        return;
    for (;;) {
        const struct diff_run *run[2];
        uint32_t stmt[2], edit[2];
        for (unsigned s = 0; s < 2; s++) {
            run[s] = at[s].run < sides[s]->run_count ? &sides[s]->runs[at[s].run++] : NULL;
            if (!run[s] && !sides[s]->all)
                return; /* it continues, unknown how */
            stmt[s] = run[s] ? run[s]->stmt : NONE_ID;
        }
        for (unsigned s = 0; s < 2; s++)
            edit[s] = !run[s]                   ? edit_until(diff, s, &at[s], SIZE_MAX)
                      : run[s]->stmt != NONE_ID ? edit_until(diff, s, &at[s], run[s]->stmt)
                                                : NONE_ID;
        if (edit[0] != NONE_ID || edit[1] != NONE_ID) {
            for (unsigned s = 0; s < 2; s++)
                if (edit[s] == NONE_ID)
                    edit[s] = diff->other[1 - s][edit[1 - s]];
            diverge(diff, cycle, edit);
            return;
        }
        if (!run[0] && !run[1])
            break;
        if (!run[0] || !run[1] || run[0]->reason != run[1]->reason ||
            stmt[1] != (stmt[0] == NONE_ID ? NONE_ID : diff->other[0][stmt[0]])) {
            diverge(diff, cycle, stmt);
            return;
        }
        if (run[0]->cycles != run[1]->cycles) {
            const uint64_t shorter =
                run[0]->cycles < run[1]->cycles ? run[0]->cycles : run[1]->cycles;
            diverge(diff, cycle + shorter, stmt);
            return;
        }
        cycle += run[0]->cycles;
    }
    if (sides[0]->cycles != sides[1]->cycles) /* what the end waits for */
        diverge(diff, cycle, (const uint32_t[]){NONE_ID, NONE_ID});
    diff->diverges_known = true;
}

/* --- parameters ------------------------------------------------------------------------------- */

static int find_values(struct diff *diff)
{
    const struct diff_side *a = diff->sides[0], *b = diff->sides[1];
    struct diff_value *values = diff->values =
        malloc((a->param_count + b->param_count + 1) * sizeof *values);
    if (!values)
        return -1;
    for (size_t i = 0, j = 0; i < a->param_count || j < b->param_count;) {
        const struct diff_param *x = i < a->param_count ? &a->params[i] : NULL;
        const struct diff_param *y = j < b->param_count ? &b->params[j] : NULL;
        const int order = !x   ? 1
                          : !y ? -1
                               : strcmp(diff_text(diff, x->name), diff_text(diff, y->name));
        const struct diff_param *any = order <= 0 ? x : y;
        const struct diff_value value = {
            any->name,
            any->unit,
            {order <= 0 ? x->value : NONE_ID, order >= 0 ? y->value : NONE_ID}};
        if (value.value[0] != value.value[1])
            values[diff->value_count++] = value;
        i += order <= 0;
        j += order >= 0;
    }
    return 0;
}

int diff_make(struct diff *diff, const struct diff_side *a, const struct diff_side *b,
              const struct strings *strings)
{
    *diff = (struct diff){.sides = {a, b}, .strings = strings};
    diff->difference = (int64_t)(b->cycles - a->cycles);
    if (match(diff) != 0 || find_terms(diff) != 0 || find_values(diff) != 0)
        return -1;
    find_divergence(diff);
    return 0;
}

void diff_free(struct diff *diff)
{
    for (unsigned s = 0; s < 2; s++) {
        free(diff->other[s]);
        free(diff->kinds[s]);
    }
    free(diff->terms);
    free(diff->values);
    *diff = (struct diff){.difference = 0};
}
