/*
 * What a statement reads and writes, against what the executor does. One statement runs on random
 * memories (A) and on a second state (B) in which every place that it is not said to read holds
 * something else:
 *
 *   A --statement--> A'      what changed lies in the writes
 *   B --statement--> B'      a bit that the statement changed is the same in A' and B'
 *
 * The other way round, a place that is said to be read or written makes a difference in some run.
 * States are compared MAB by MAB; PDM and DRAM in their first long words, where the statements
 * move.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/state.h"
#include "tests/mncore2/work.h"
#include "tests/emulator.h"
#include "tests/gen_program.h"
#include "tests/often.h"
#include "tests/oracle/fill.h"

enum { WINDOW = 4096 }; /* long words of PDM and DRAM that are looked at */

/* A place: one unit of one instance; PE memories also once for each PE of the MAB. */
struct cell {
    uint8_t space, instance, pe;
    uint8_t part; /* of a unit with more than a long word */
    uint32_t unit;
};

static struct cell *cells;
static size_t cell_count, global; /* cells from global on are not the MAB's */

struct image {
    uint64_t *at;
};

static struct image a, b, a_after, b_after;
static bool *other;
static struct dice dice = {7};

static void add_cells(enum space space, unsigned instances, unsigned pes, uint32_t units,
                      unsigned parts)
{
    for (unsigned i = 0; i < instances; i++)
        for (unsigned pe = 0; pe < pes; pe++)
            for (uint32_t unit = 0; unit < units; unit++)
                for (unsigned part = 0; part < parts; part++) {
                    if (cells)
                        cells[cell_count] = (struct cell){.space = (uint8_t)space,
                                                          .instance = (uint8_t)i,
                                                          .pe = (uint8_t)pe,
                                                          .part = (uint8_t)part,
                                                          .unit = unit};
                    cell_count++;
                }
}

static void list_cells(void)
{
    cell_count = 0;
    for (enum space space = SPACE_LM0; space <= SPACE_BAR1; space++)
        add_cells(space, 1, PE_PER_MAB, mncore2_space_size[space], 1);
    add_cells(SPACE_FWD, 1, PE_PER_MAB, UNITS, 2 * CYCLES);
    add_cells(SPACE_X, 1, 1, MATRIX_ROWS, PE_PER_MAB);
    add_cells(SPACE_Y, 1, 1, MATRIX_ROWS, PE_PER_MAB);
    global = cell_count;
    add_cells(SPACE_LBI, L1BS, 1, 1, CYCLES * TURN_LONGS);
    add_cells(SPACE_L1BM, L1BS, 1, L1BM_LONGS, 1);
    add_cells(SPACE_L2BM, L2BS, 1, L2BM_LONGS, 1);
    add_cells(SPACE_PDM, GROUPS, 1, WINDOW, 1);
    add_cells(SPACE_DRAM, GROUPS, 1, WINDOW, 1);
    add_cells(SPACE_DAR, GROUPS, 1, DAR_ENTRIES, 1);
    add_cells(SPACE_DARBUF, GROUPS, 1, DARBUF_ENTRIES, 1);
}

static int set_up(void **state)
{
    (void)state;
    list_cells();
    cells = calloc(cell_count, sizeof *cells);
    other = calloc(cell_count, sizeof *other);
    struct image *const images[] = {&a, &b, &a_after, &b_after};
    for (size_t i = 0; i < sizeof images / sizeof *images; i++)
        images[i]->at = calloc(cell_count, sizeof(uint64_t));
    if (!cells || !other || !a.at || !b.at || !a_after.at || !b_after.at)
        return -1;
    list_cells();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(cells);
    free(other);
    free(a.at);
    free(b.at);
    free(a_after.at);
    free(b_after.at);
    return 0;
}

/* --- states and images ----------------------------------------------------------------------- */

/* The long word of a lane that a cell of LM0 .. T or FWD lies in; NULL: it reads as zero. */
static uint64_t *lane_long(const struct exec *e, const struct cell *cell, size_t lane)
{
    static const enum mem mem[] = {MEM_LM0, MEM_LM1, MEM_GRF0, MEM_GRF1, MEM_T};
    if (cell->space != SPACE_FWD)
        return state_row(e, state_base(mem[cell->space]) + cell->unit / 2) + lane;
    if (cell->part % 2 && !e->fwd_wide[cell->unit])
        return NULL;
    return state_row(e, state_fwd_row(cell->unit, e->fwd_buffer[cell->unit], cell->part / 2,
                                      cell->part % 2)) +
           lane;
}

static uint64_t *global_long(struct exec *e, const struct cell *cell)
{
    switch (cell->space) {
    case SPACE_LBI:
        return &e->turn[cell->instance][cell->part / TURN_LONGS][cell->part % TURN_LONGS];
    case SPACE_L1BM:
        return &e->l1bm[cell->instance][cell->unit];
    case SPACE_L2BM:
        return &e->l2bm[cell->instance][cell->unit];
    case SPACE_PDM:
        return &e->pdm[cell->instance].words[cell->unit];
    default:
        return &e->dram[cell->instance].words[cell->unit];
    }
}

/* The contents of a cell in one class, or what they become. */
static uint64_t visit(struct exec *e, const struct cell *cell, size_t class, const uint64_t *set)
{
    const size_t lane = class * PE_PER_MAB + cell->pe;
    uint64_t value = 0, *at;
    switch ((enum space)cell->space) {
    case SPACE_LM0:
    case SPACE_LM1:
    case SPACE_GRF0:
    case SPACE_GRF1:
    case SPACE_T: { /* a word: the even one is the upper half */
        const unsigned shift = cell->unit % 2 ? 0 : 32;
        at = lane_long(e, cell, lane);
        if (set)
            *at = (*at & ~((uint64_t)UINT32_MAX << shift)) | (*set & UINT32_MAX) << shift;
        return *at >> shift & UINT32_MAX;
    }
    case SPACE_FWD:
        at = lane_long(e, cell, lane);
        if (set)
            *at = *set;
        return at ? *at : 0;
    case SPACE_MASK:
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            uint8_t *mask = &state_mask(e, cell->unit, cycle)[lane];
            if (set)
                *mask = (uint8_t)(cell->unit ? *set >> 4 * cycle & 15 : 0);
            value |= (uint64_t)*mask << 4 * cycle;
        }
        return value;
    case SPACE_BAR0:
    case SPACE_BAR1:
        if (set)
            e->bar[cell->space - SPACE_BAR0][lane] = (uint16_t)*set;
        return e->bar[cell->space - SPACE_BAR0][lane];
    case SPACE_X:
    case SPACE_Y:
        at = e->planes[cell->space - SPACE_X] + class * PLANE_LONGS + cell->unit * PE_PER_MAB +
             cell->part;
        break;
    case SPACE_DAR:
        if (set)
            e->dar[cell->instance][cell->unit] = (uint32_t)*set;
        return e->dar[cell->instance][cell->unit];
    case SPACE_DARBUF:
        if (set)
            e->darbuf[cell->instance][cell->unit] = (uint32_t)*set;
        return e->darbuf[cell->instance][cell->unit];
    default:
        at = global_long(e, cell);
        break;
    }
    if (set)
        *at = *set;
    return *at;
}

static struct exec *new_state(const struct image *image)
{
    static const struct exec_options options = {.threads = 1};
    char error[200];
    struct exec *e = mncore2_exec_new(&options, error, sizeof error);
    assert_non_null(e);
    memset(e->touched, 1, sizeof e->touched);
    for (unsigned unit = 0; unit < UNITS; unit++)
        e->fwd_wide[unit] = true;
    for (unsigned group = 0; group < GROUPS; group++)
        for (unsigned mem = 0; mem < 2; mem++)
            mncore2_state_touch_pages(e, mem ? &e->pdm[group] : &e->dram[group], 0, WINDOW);
    for (size_t i = 0; i < cell_count; i++)
        visit(e, &cells[i], 0, &image->at[i]);
    for (unsigned lm = 0; lm < 2; lm++) {
        e->bar_value[lm] = e->bar[lm][0];
        for (unsigned pe = 0; pe < PE_PER_MAB; pe++)
            e->bar_uniform[lm] = e->bar_uniform[lm] && e->bar[lm][pe] == e->bar[lm][0];
    }
    return e;
}

/* --- what is known of a statement ------------------------------------------------------------ */

struct statement {
    const struct program *program;
    size_t item;
    struct mncore2_work_storage storage;
    struct work work;
};

static bool has_instance(const struct cell *cell, uint64_t set)
{
    return set == 0 ||
           set >> (cell->space == SPACE_L1BM ? cell->instance % L1B_PER_L2B : cell->instance) & 1;
}

static bool covers(const struct span *spans, size_t count, const struct cell *cell)
{
    for (size_t i = 0; i < count; i++)
        if (spans[i].space == cell->space && cell->unit >= spans[i].first &&
            cell->unit - spans[i].first < spans[i].count && has_instance(cell, spans[i].set))
            return true;
    return false;
}

/* Spans of one space side by side make this quick enough for every cell. */
static void mark(const struct span *spans, size_t count, bool *marks)
{
    struct span of_space[sizeof((struct mncore2_work_storage *)0)->spans / sizeof *spans];
    size_t found = 0;
    unsigned space = SPACE_COUNT;
    for (size_t i = 0; i < cell_count; i++) {
        if (cells[i].space != space) {
            space = cells[i].space;
            found = 0;
            for (size_t k = 0; k < count; k++)
                if (spans[k].space == space)
                    of_space[found++] = spans[k];
        }
        marks[i] = covers(of_space, found, &cells[i]);
    }
}

static void check_form(const struct work *work)
{
    const struct span *const spans[2] = {work->reads, work->writes};
    const size_t count[2] = {work->read_count, work->write_count};
    for (unsigned w = 0; w < 2; w++)
        for (size_t i = 0; i < count[w]; i++) {
            const struct span *span = &spans[w][i];
            assert_true(span->space < SPACE_COUNT);
            assert_true(span->count > 0 && span->when > 0 && span->when < 1 << CYCLES);
            assert_true((uint64_t)span->first + span->count <= mncore2_space_size[span->space]);
        }
}

static void open_statement(struct statement *s, const struct program *program, size_t item)
{
    s->program = program;
    s->item = item;
    mncore2_work(program, item, &s->storage, &s->work);
    check_form(&s->work);
    assert_int_equal(s->work.statement, item);
    assert_int_equal(s->work.next, item + 1 < program->item_count ? item + 1 : WORK_END);
}

static void show(const struct statement *s, const char *what, const struct cell *cell)
{
    size_t length;
    const char *line = mncore2_program_line(s->program, s->item, &length);
    fail_msg("%.*s %s: space %u instance %u pe %u unit %u", (int)length, line, what, cell->space,
             cell->instance, cell->pe, cell->unit);
}

/* --- pairs of runs --------------------------------------------------------------------------- */

static uint64_t some_value(const struct cell *cell, bool like)
{
    const uint64_t random = dice_next(&dice);
    switch ((enum space)cell->space) {
    case SPACE_BAR0:
    case SPACE_BAR1:
        return 0;
    case SPACE_MASK:
        return cell->unit ? random & 0xffff : 0;
    case SPACE_LM0:
    case SPACE_LM1:
    case SPACE_GRF0:
    case SPACE_GRF1:
    case SPACE_T:
        return random >> 32;
    case SPACE_DAR: /* units of 16 long words, so that nd accesses stay in the window */
        return random % (WINDOW / 16 - 16);
    case SPACE_DARBUF:
        return random >> 32;
    default:
        /* Floats of each precision near 1: no NaN hides what was read. */
        return like ? (random & UINT64_C(0x83ff83ff83ff83ff)) | UINT64_C(0x3c003c003c003c00)
                    : random;
    }
}

/* The contents of L1BM and $lbi are the same in every L1B when the statement passes them on to the
 * PEs: each MAB would become a class of its own. */
static bool alike_blocks(const struct statement *s)
{
    const struct stmt *stmt = &s->program->stmts[s->program->items[s->item].stmt];
    return stmt->kind == STMT_STEP &&
           (step_expr(stmt->step, GROUP_L1BM) || step_expr(stmt->step, GROUP_L1BM_TURN));
}

static void make_alike(struct image *image, size_t i)
{
    if (cells[i].instance && cells[i].space == SPACE_L1BM)
        image->at[i] = image->at[i - L1BM_LONGS];
    else if (cells[i].instance && cells[i].space == SPACE_LBI)
        image->at[i] = image->at[i - CYCLES * TURN_LONGS];
}

static void fill_a(const struct statement *s)
{
    const bool alike = alike_blocks(s), floats = fill_chance(&dice, 2);
    for (size_t i = 0; i < cell_count; i++) {
        a.at[i] = some_value(&cells[i], floats);
        if (alike)
            make_alike(&a, i);
    }
}

/* B is A but for the other cells. */
static void fill_b(bool alike)
{
    for (size_t i = 0; i < cell_count; i++) {
        const struct cell *cell = &cells[i];
        b.at[i] = a.at[i];
        if (!other[i])
            continue;
        b.at[i] = cell->space == SPACE_BAR0 || cell->space == SPACE_BAR1
                      ? 4 * (1 + fill_below(&dice, 100))
                      : some_value(cell, true);
        if (alike)
            make_alike(&b, i);
    }
}

static struct exec *run(const struct statement *s, const struct image *image)
{
    struct exec *e = new_state(image);
    struct diag_list diags;
    diag_list_init(&diags);
    assert_int_equal(mncore2_exec_item(e, s->program, s->item, &diags), 0);
    diag_list_free(&diags);
    return e;
}

static bool *changed, *differs;

/* Compares cells [first, end) of one MAB before and after. Notes in changed what was written and in
 * differs what depends on the other contents. */
static void compare(struct exec *ea, struct exec *eb, unsigned mab, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const uint64_t now_a = visit(ea, &cells[i], ea->class_of[mab], NULL);
        const uint64_t now_b = visit(eb, &cells[i], eb->class_of[mab], NULL);
        const uint64_t written = (now_a ^ a.at[i]) | (now_b ^ b.at[i]);
        const uint64_t kept = (a.at[i] ^ b.at[i]) & ~written;
        changed[i] |= written != 0;
        differs[i] |= ((now_a ^ now_b) & ~kept) != 0;
    }
}

/* Runs the statement on A and B and compares all MABs; classes that were compared are left out. */
static void pair(const struct statement *s)
{
    struct exec *ea = run(s, &a), *eb = run(s, &b);
    bool *seen = calloc((size_t)MABS * MABS, 1);
    assert_non_null(seen);
    for (unsigned mab = 0; mab < MABS; mab++) {
        bool *here = &seen[(size_t)ea->class_of[mab] * MABS + eb->class_of[mab]];
        if (!*here)
            compare(ea, eb, mab, 0, global);
        *here = true;
    }
    compare(ea, eb, 0, global, cell_count);
    free(seen);
    mncore2_exec_free(ea);
    mncore2_exec_free(eb);
}

static void forget(void)
{
    free(changed);
    free(differs);
    changed = calloc(cell_count, sizeof *changed);
    differs = calloc(cell_count, sizeof *differs);
    assert_true(changed && differs);
}

static void check(const struct program *program, size_t item)
{
    struct statement s;
    open_statement(&s, program, item);
    mark(s.work.reads, s.work.read_count, other);
    for (size_t i = 0; i < cell_count; i++)
        other[i] = !other[i];
    forget();
    fill_a(&s);
    fill_b(alike_blocks(&s));
    pair(&s);
    mark(s.work.writes, s.work.write_count, other);
    for (size_t i = 0; i < cell_count; i++) {
        if (changed[i] && !other[i])
            show(&s, "writes more than it says", &cells[i]);
        if (differs[i])
            show(&s, "reads more than it says, this depends on it", &cells[i]);
    }
}

static void parse(const char *text, struct source *source, struct program *program)
{
    struct diag_list diags;
    diag_list_init(&diags);
    assert_int_equal(source_from_text(source, "work.vsm", text, strlen(text)), 0);
    const int status = mncore2_program_parse(program, source, 1, &diags);
    if (status != 0)
        diag_print(&diags, source, 1, stderr, false);
    assert_int_equal(status, 0);
    diag_list_free(&diags);
}

static void random_steps(void **state)
{
    (void)state;
    const uint64_t rounds = emulated() ? 1 : often(4); /* each of dozens of states */
    for (uint64_t seed = 0; seed < rounds; seed++) {
        static const struct gen_options options = {.features =
                                                       GEN_ALL & ~(unsigned)(GEN_MV | GEN_STYLE),
                                                   .statements = 15,
                                                   .tightness = 90};
        char *text = gen_program(seed, &options, NULL);
        assert_non_null(text);
        struct source source;
        struct program program;
        parse(text, &source, &program);
        for (size_t i = 0; i < program.item_count; i++) {
            const struct stmt *stmt = &program.stmts[program.items[i].stmt];
            if (stmt->kind == STMT_STEP && stmt->step->nops == 0)
                check(&program, i);
        }
        mncore2_program_free(&program);
        source_close(&source);
        free(text);
    }
}

/* --- nothing too much ------------------------------------------------------------------------ */

/* Changing the unit of this cell alone changes what the statement does, in one of some runs. */
static bool matters(const struct statement *s, size_t cell)
{
    enum { TRIES = 6 };
    for (unsigned k = 0; k < TRIES; k++) {
        memset(other, 0, cell_count * sizeof *other);
        size_t part = cell - cells[cell].part;
        do
            other[part++] = true;
        while (part < cell_count && cells[part].part);
        forget();
        fill_a(s);
        fill_b(false);
        pair(s);
        for (size_t i = 0; i < cell_count; i++)
            if (differs[i])
                return true;
    }
    return false;
}

/* A unit of every read span matters; every unit of every write span is written. */
static void check_tight(const struct program *program, size_t item)
{
    struct statement s;
    open_statement(&s, program, item);
    for (size_t k = 0; k < s.work.read_count; k++) {
        const struct span *span = &s.work.reads[k];
        bool *in_span = calloc(cell_count, sizeof *in_span);
        assert_non_null(in_span);
        mark(span, 1, in_span);
        size_t in = 0;
        for (size_t i = 0; i < cell_count; i++)
            in += in_span[i];
        assert_true(in > 0);
        const size_t chosen = dice_next(&dice) % in;
        for (size_t i = 0, seen = 0; i < cell_count; i++)
            if (in_span[i] && seen++ == chosen && !matters(&s, i))
                show(&s, "does not read", &cells[i]);
        free(in_span);
    }
    forget();
    memset(other, 0, cell_count * sizeof *other);
    for (unsigned k = 0; k < 4; k++) {
        fill_a(&s);
        fill_b(false);
        pair(&s);
    }
    mark(s.work.writes, s.work.write_count, other);
    for (size_t i = 0; i < cell_count;) {
        bool any = false;
        const size_t unit = i;
        do
            any |= changed[i++];
        while (i < cell_count && cells[i].part);
        if (other[unit] && !any)
            show(&s, "does not write", &cells[unit]);
    }
}

static void nothing_too_much(void **state)
{
    (void)state;
    if (emulated())
        skip(); /* hundreds of states */
    /* The last line of each is looked at. */
    static const char *const texts[] = {
        "lpassa $lm0v $ln8v\n",  "lpassa $lm4094v $lr0v\n",       "lxor $llr0v $ls8v $t\n",
        "lpassa $lr0v $omr3\n",  "lpassa $lr0v $mb $lnb\n",       "lxor $lr0v $ls0v $ln0v/1010\n",
        "dmwrite $lr0v $lx0\n",  "hmread $llx2 $llr0v\n",         "l1bmm $lb8188 $lr0v\n",
        "l1bmp $llb8 $llr0v\n",  "l1bmd $lb64 $lr0v\n",           "l1bmr4liadd $lr0v $lb0\n",
        "l1bmd $lr0v $lb0\n",    "l2bmb@[0,2,4,6] $lc16 $lb16\n", "l2bmi@3/2 $lb0 $lb64\n",
        "l2bmd $lb8 $lc32704\n", "l2bmdars $lc64@.1 $dar16\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += often_long() ? 1 : 3) {
        struct source source;
        struct program program;
        parse(texts[i], &source, &program);
        check_tight(&program, program.item_count - 1);
        mncore2_program_free(&program);
        source_close(&source);
    }
}

/* Every mode of 3.5.8: exact both ways. */
static void moves(void **state)
{
    (void)state;
    if (emulated())
        skip(); /* as many states as that */
    static const char *const texts[] = {
        "mvp/n128 $p64@1 $d32@2\n",  "mvp/n128 $d64@1 $p64@2\n",     "mvp/n64 $p0@0 $lc64@2.1\n",
        "mvp/n64 $lc64@3.0 $p0@0\n", "mvp/n64 $d0@1 $lc64@0.0\n",    "mvp/n64 $lc64@0.1 $d0@1\n",
        "mvp/n64 $p0@0 $p64@1\n",    "mvp/n64 $p0 $lc0@.1\n",        "mvp/n64 $lc0@.0 $p0\n",
        "mvp/n64 $d0 $lc0@.1\n",     "mvp/n64 $lc0@.0 $d0\n",        "mvb2/n64 $d0 $lc32704\n",
        "mvr2liadd/n64 $lc0 $d0\n",  "mvr2liadd/n64 $lc0@1 $p0@1\n", "mvb4/n128 $d0 $lc0\n",
        "mvr4liadd/n128 $lc0 $d0\n", "mvb/n64 $p0@3 $lc0\n",         "mvrliadd/n64 $lc0 $p0@3\n",
        "mvb/n128 $d0 $lc0\n",       "mvrliadd/n128 $lc0 $d0\n",     "mvd/n128 $p0@0 $lc0\n",
        "mvd/n128 $lc0 $p0@0\n",     "mvd/n128 $p0@0 $d0\n",         "mvd/n128 $d0 $p0@0\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += often_long() ? 1 : 3) {
        struct source source;
        struct program program;
        parse(texts[i], &source, &program);
        check(&program, 0);
        check_tight(&program, 0);
        mncore2_program_free(&program);
        source_close(&source);
    }
}

/* Addresses from DAR: any of DRAM, and the entries that are read. */
static void indirect_moves(void **state)
{
    (void)state;
    static const char *const texts[] = {"mvp/n256nd4 $p1600@1 $di512@2\n", "mvp/n64 $di3 $lc0@.0\n",
                                        "mvp/n128nd3 $di1022 $lc0@.1\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += often_long() ? 1 : 3) {
        struct source source;
        struct program program;
        parse(texts[i], &source, &program);
        check(&program, 0);
        mncore2_program_free(&program);
        source_close(&source);
    }
}

/* --- cycles and addresses, by hand ----------------------------------------------------------- */

static void put_spans(FILE *out, char what, const struct span *spans, size_t count)
{
    static const char *const name[SPACE_COUNT] = {"LM0",  "LM1",  "GRF0", "GRF1", "T",   "MASK",
                                                  "BAR0", "BAR1", "X",    "Y",    "FWD", "LBI",
                                                  "L1BM", "L2BM", "PDM",  "DRAM", "DAR", "DARBUF"};
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%c %s %u+%u when %u set %llx port %u\n", what, name[spans[i].space],
                spans[i].first, spans[i].count, spans[i].when, (unsigned long long)spans[i].set,
                spans[i].port);
}

static void try(const char *text, const char *expected)
{
    struct source source;
    struct program program;
    struct statement s;
    char *got = NULL;
    size_t size;
    FILE *out = open_memstream(&got, &size);
    assert_non_null(out);
    parse(text, &source, &program);
    open_statement(&s, &program, program.item_count - 1);
    put_spans(out, 'r', s.work.reads, s.work.read_count);
    put_spans(out, 'w', s.work.writes, s.work.write_count);
    for (size_t i = 0; i < s.work.address_count; i++)
        fprintf(out, "at %llu\n", (unsigned long long)s.work.addresses[i]);
    fclose(out);
    assert_string_equal(got, expected);
    free(got);
    mncore2_program_free(&program);
    source_close(&source);
}

static void cycles(void **state)
{
    (void)state;
    /* A stride of one long word from the last one of LM0: the second cycle is at its beginning. */
    try("lpassa $lm4094v $ln8; noforward\n",
        "r LM0 4094+2 when 1 set 0 port 0\nr LM0 0+2 when 2 set 0 port 0\n"
        "r LM0 2+2 when 4 set 0 port 0\nr LM0 4+2 when 8 set 0 port 0\n"
        "r BAR0 0+1 when 15 set 0 port 0\nr BAR1 0+1 when 15 set 0 port 0\n"
        "w LM1 8+2 when 15 set 0 port 0\n");
    /* Some PEs one access further: two long words, which wrap. */
    try("lpassa $lm4094j1 $lr0; noforward\n",
        "r LM0 4094+2 when 15 set 0 port 0\nr LM0 0+2 when 15 set 0 port 0\n"
        "r BAR0 0+1 when 15 set 0 port 0\nw GRF0 0+2 when 15 set 0 port 0\n");
    /* A fixed mask leaves cycles 1 and 2. */
    try("zero $lr0v/0110; noforward\n",
        "w GRF0 2+2 when 2 set 0 port 0\nw GRF0 4+2 when 4 set 0 port 0\n");
    try("lpassa $lr0v4 $lmt0; noforward\n",
        "r GRF0 0+2 when 1 set 0 port 0\nr GRF0 4+2 when 2 set 0 port 0\n"
        "r GRF0 8+2 when 4 set 0 port 0\nr GRF0 12+2 when 8 set 0 port 0\n"
        "r T 0+4 when 1 set 0 port 0\nr T 4+4 when 2 set 0 port 0\nr T 8+4 when 4 set 0 port 0\n"
        "r T 12+4 when 8 set 0 port 0\nr BAR0 0+1 when 15 set 0 port 0\n"
        "w LM0 0+4096 when 15 set 0 port 0\n");
    /* A mask that leaves one cycle to write in, and one that leaves none: the addresses are read
     * all the same. */
    try("lpassa $lr0v4 $lmt0/0010; noforward\n",
        "r GRF0 0+2 when 1 set 0 port 0\nr GRF0 4+2 when 2 set 0 port 0\n"
        "r GRF0 8+2 when 4 set 0 port 0\nr GRF0 12+2 when 8 set 0 port 0\n"
        "r T 0+4 when 1 set 0 port 0\nr T 4+4 when 2 set 0 port 0\nr T 8+4 when 4 set 0 port 0\n"
        "r T 12+4 when 8 set 0 port 0\nr BAR0 0+1 when 4 set 0 port 0\n"
        "w LM0 0+4096 when 4 set 0 port 0\n");
    try("lpassa $lr0v4 $lmt0/0000; noforward\n",
        "r GRF0 0+2 when 1 set 0 port 0\nr GRF0 4+2 when 2 set 0 port 0\n"
        "r GRF0 8+2 when 4 set 0 port 0\nr GRF0 12+2 when 8 set 0 port 0\n"
        "r T 0+4 when 1 set 0 port 0\nr T 4+4 when 2 set 0 port 0\nr T 8+4 when 4 set 0 port 0\n"
        "r T 12+4 when 8 set 0 port 0\n");
    try("l2bmb@1 $lc32752 $lb0\n",
        "r L2BM 32752+16 when 1 set ff port 2\nr L2BM 0+16 when 2 set ff port 2\n"
        "r L2BM 16+16 when 4 set ff port 2\nr L2BM 32+16 when 8 set ff port 2\n"
        "w L1BM 0+16 when 1 set 2 port 2\nw L1BM 16+16 when 2 set 2 port 2\n"
        "w L1BM 32+16 when 4 set 2 port 2\nw L1BM 48+16 when 8 set 2 port 2\n");
    try("mvp/n128 $d64@1 $p524224@2\n",
        "r DRAM 64+128 when 15 set 2 port 0\nw PDM 524224+64 when 15 set 4 port 0\n"
        "w PDM 0+64 when 15 set 4 port 0\nat 64\n");
    /* 256 long words are 16 accesses; an entry serves 4 of them. */
    try("mvp/n256nd4 $p1600@1 $di1022@2\n",
        "r PDM 1600+256 when 15 set 2 port 0\nr DAR 1022+2 when 15 set 4 port 0\n"
        "r DAR 0+2 when 15 set 4 port 0\nw DRAM 0+536870912 when 15 set 4 port 0\n");
    try("nop/4\n", "");
    try("d get $lr0 1\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles),
        cmocka_unit_test(random_steps),
        cmocka_unit_test(moves),
        cmocka_unit_test(indirect_moves),
        cmocka_unit_test(nothing_too_much),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
