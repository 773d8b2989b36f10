/*
 * What an AMX instruction reads and writes, against what the executor does. One instruction runs on
 * random registers and memory (A) and on a second state (B) in which every place that it is not
 * said to read holds something else:
 *
 *   A --instruction--> A'      what changed lies in the writes
 *   B --instruction--> B'      a bit that the instruction changed is the same in A' and B'
 *
 * The other way round, a place that is said to be read or written makes a difference in some run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/amx/exec.h"
#include "functional/amx/work.h"
#include "tests/often.h"
#include "tests/oracle/fill.h"

/* The state as 64-bit words: X, Y, Z, and the memory that the instructions use. */
enum { ROW = AMX_ROW / 8, ROWS = 2 * AMX_XY_REGS + AMX_Z_ROWS, MEMORY_ROWS = 64 };
enum { WORDS = (ROWS + MEMORY_ROWS) * ROW, TEXT = 32768 };

struct words {
    uint64_t at[WORDS];
};

static struct dice dice = {20260};

/* Numbers near 1 in every format, so that no NaN hides what was read. */
static uint64_t some_value(void)
{
    const uint64_t random = dice_next(&dice);
    return (random & UINT64_C(0x83ff83ff83ff83ff)) | UINT64_C(0x3c003c003c003c00);
}

static unsigned row_of(unsigned space, unsigned reg)
{
    return space == AMX_SPACE_X   ? reg
           : space == AMX_SPACE_Y ? AMX_XY_REGS + reg
                                  : 2 * AMX_XY_REGS + reg;
}

/* Run one instruction with the public interface alone: d set of everything, d get of everything. */
static void run(const char *insn, struct words *words)
{
    static char text[TEXT];
    static const struct {
        const char *place;
        unsigned rows;
    } part[] = {{"x0", AMX_XY_REGS}, {"y0", AMX_XY_REGS}, {"z0", AMX_Z_ROWS}, {"m0", MEMORY_ROWS}};
    size_t used = (size_t)snprintf(text, TEXT, ".version M2\n"), word = 0;
    for (size_t p = 0; p < sizeof part / sizeof *part; p++) {
        used += (size_t)snprintf(text + used, TEXT - used, "d set $%s %u ", part[p].place,
                                 part[p].rows * ROW);
        for (unsigned i = 0; i < part[p].rows * ROW; i++)
            used += (size_t)snprintf(text + used, TEXT - used, "%016llx",
                                     (unsigned long long)words->at[word++]);
        used += (size_t)snprintf(text + used, TEXT - used, "\n");
    }
    used += (size_t)snprintf(text + used, TEXT - used, "%s\n", insn);
    for (size_t p = 0; p < sizeof part / sizeof *part; p++)
        used += (size_t)snprintf(text + used, TEXT - used, "d get $%s %u\n", part[p].place,
                                 part[p].rows * ROW);
    assert_true(used < TEXT);

    struct source source;
    struct diag_list diags;
    struct amx_program program;
    char *dump = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&dump, &size);
    assert_non_null(out);
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "one.amx", text, used), 0);
    assert_int_equal(amx_program_parse(&program, &source, 1, &diags), 0);
    const struct amx_exec_options options = {.dump = out};
    struct amx_exec *exec = amx_exec_new(&program, &options);
    assert_non_null(exec);
    while (amx_exec_advance(exec, 1000) > 0)
        ;
    amx_exec_free(exec);
    amx_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
    fclose(out);
    const char *at = dump;
    for (word = 0; word < WORDS; word++) {
        at = strstr(at, "0x");
        assert_non_null(at);
        words->at[word] = strtoull(at, NULL, 16);
        at += 2;
    }
    free(dump);
}

/* The work of a program's only instruction. */
struct known {
    bool reads[ROWS + MEMORY_ROWS], writes[ROWS + MEMORY_ROWS];
};

static void mark(bool rows[], const struct span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_true(spans[i].space < AMX_SPACE_COUNT);
        assert_int_equal(spans[i].first, 0);
        assert_int_equal(spans[i].count, AMX_ROW);
        for (unsigned reg = 0; reg < AMX_Z_ROWS; reg++)
            if (spans[i].set >> reg & 1) {
                assert_true(spans[i].space == AMX_SPACE_Z || reg < AMX_XY_REGS);
                rows[row_of(spans[i].space, reg)] = true;
            }
    }
}

static const struct amx_item *next_insn(const struct amx_program *program,
                                        struct amx_cursor *cursor)
{
    const struct amx_item *item;
    do
        item = amx_cursor_next(cursor, program);
    while (item && item->kind != AMX_ITEM_INSN);
    return item;
}

/* Moves the cursor to the next instruction of its thread. False at the end. */
static bool work_next(const struct amx_program *program, struct amx_cursor *cursor,
                      struct amx_work_storage *storage, struct work *work)
{
    const struct amx_item *item = next_insn(program, cursor);
    if (!item)
        return false;
    amx_work_item(program, (size_t)(item - program->items), storage, work);
    work->stream = cursor->thread;
    if (item->insn != AMX_MATFP && item->insn != AMX_SET && item->insn != AMX_CLR) {
        const uint64_t address = amx_address_at(&item->address, cursor);
        for (unsigned i = 0; i <= item->pair; i++)
            storage->addresses[work->address_count++] = address + (uint64_t)i * AMX_ROW;
    }
    struct amx_cursor after = *cursor;
    const struct amx_item *next = next_insn(program, &after);
    if (next)
        work->next = (uint32_t)(next - program->items);
    return true;
}

static void work_of(const char *insn, struct known *known)
{
    char text[128];
    struct source source;
    struct diag_list diags;
    struct amx_program program;
    struct amx_cursor cursor;
    struct amx_work_storage storage;
    struct work work;
    memset(known, 0, sizeof *known);
    snprintf(text, sizeof text, ".version M2\n%s\n", insn);
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "one.amx", text, strlen(text)), 0);
    assert_int_equal(amx_program_parse(&program, &source, 1, &diags), 0);
    amx_cursor_start(&cursor, &program, 0);
    assert_true(work_next(&program, &cursor, &storage, &work));
    assert_int_equal(work.next, WORK_END);
    mark(known->reads, work.reads, work.read_count);
    mark(known->writes, work.writes, work.write_count);
    for (size_t i = 0; i < work.address_count; i++) {
        assert_int_equal(work.addresses[i] % AMX_ROW, 0); /* as this test writes them */
        const size_t row = ROWS + work.addresses[i] / AMX_ROW;
        (strncmp(insn, "ld", 2) == 0 ? known->reads : known->writes)[row] = true;
    }
    assert_false(work_next(&program, &cursor, &storage, &work));
    amx_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
}

/* One pair of runs: in B the rows of `other` hold something else. Adds to differs the rows whose
 * changed bits are not the same afterwards, to written those that were changed. */
static void pair(const char *insn, const bool other[], bool differs[], bool written[])
{
    static struct words a, b, a_after, b_after;
    for (unsigned i = 0; i < WORDS; i++) {
        a.at[i] = some_value();
        b.at[i] = other[i / ROW] ? some_value() : a.at[i];
    }
    a_after = a;
    b_after = b;
    run(insn, &a_after);
    run(insn, &b_after);
    for (unsigned i = 0; i < WORDS; i++) {
        const uint64_t changed = (a.at[i] ^ a_after.at[i]) | (b.at[i] ^ b_after.at[i]);
        const uint64_t kept = (a.at[i] ^ b.at[i]) & ~changed;
        written[i / ROW] |= changed != 0;
        differs[i / ROW] |= (a_after.at[i] ^ b_after.at[i]) & ~kept;
    }
}

static void check(const char *insn)
{
    struct known known;
    work_of(insn, &known);
    bool other[ROWS + MEMORY_ROWS];
    bool differs[ROWS + MEMORY_ROWS] = {0}, written[ROWS + MEMORY_ROWS] = {0};
    for (unsigned row = 0; row < ROWS + MEMORY_ROWS; row++)
        other[row] = !known.reads[row];
    pair(insn, other, differs, written);
    for (unsigned row = 0; row < ROWS + MEMORY_ROWS; row++) {
        if (written[row] && !known.writes[row])
            fail_msg("%s writes row %u", insn, row);
        if (differs[row])
            fail_msg("%s reads more than it says: row %u depends on it", insn, row);
    }
}

/* Every row that is said to be read or written is: in one of some runs it makes a difference. */
static void check_tight(const char *insn)
{
    enum { TRIES = 8 };
    struct known known;
    work_of(insn, &known);
    bool written[ROWS + MEMORY_ROWS] = {0};
    for (unsigned row = 0; row < ROWS + MEMORY_ROWS; row++) {
        if (!known.reads[row])
            continue;
        bool other[ROWS + MEMORY_ROWS] = {0}, differs[ROWS + MEMORY_ROWS] = {0}, any = false;
        other[row] = true;
        for (unsigned k = 0; k < TRIES && !any; k++) {
            pair(insn, other, differs, written);
            for (unsigned i = 0; i < ROWS + MEMORY_ROWS; i++)
                any |= differs[i] && known.writes[i];
        }
        if (!any)
            fail_msg("%s does not read row %u", insn, row);
    }
    const bool none[ROWS + MEMORY_ROWS] = {0};
    bool differs[ROWS + MEMORY_ROWS] = {0};
    for (unsigned k = 0; k < TRIES; k++)
        pair(insn, none, differs, written);
    for (unsigned row = 0; row < ROWS + MEMORY_ROWS; row++)
        if (known.writes[row] && !written[row])
            fail_msg("%s does not write row %u", insn, row);
}

static unsigned pick(unsigned below)
{
    return fill_below(&dice, below);
}

#define MUST_BE_0 (UINT64_C(7) << 54) /* matfp does nothing when one of these bits is 1 */
#define INDEXED_Y (UINT64_C(1) << 53 | UINT64_C(5) << 49 | UINT64_C(1) << 47)

static void random_instructions(void **state)
{
    (void)state;
    static const char *const lanes[] = {"f64", "f32", "f16", "f16f32", "bf16", "bf16f32"};
    static const char *const moves[] = {"ldx x", "ldy y", "ldz z", "stx x", "sty y", "stz z"};
    static const char *const extra[] = {"", "", " alu=relu", " alu=fms"};
    for (unsigned round = 0; round < often(150); round++) {
        char insn[100];
        if (pick(3) == 0)
            snprintf(insn, sizeof insn, "%s=%u addr=%u%s", moves[pick(6)], pick(8),
                     pick(MEMORY_ROWS - 1) * AMX_ROW, pick(2) ? " pair" : "");
        else if (pick(2) == 0) /* any operand, half of them indexed */
            snprintf(insn, sizeof insn, "matfp 0x%016llx",
                     (unsigned long long)(dice_next(&dice) & ~MUST_BE_0));
        else
            snprintf(insn, sizeof insn, "matfp %s x=%u y=%u z=%u%s", lanes[pick(6)], pick(512),
                     pick(512), pick(2), extra[pick(4)]);
        check(insn);
    }
    check("set");
    check("clr");
}

static void nothing_too_much(void **state)
{
    (void)state;
    static const char *const insns[] = {"ldx x=7 addr=64 pair",
                                        "ldy y=3 addr=0",
                                        "ldz z=63 addr=128 pair",
                                        "stx x=7 addr=0 pair",
                                        "sty y=0 addr=64",
                                        "stz z=62 addr=64 pair",
                                        "matfp f64 x=0 y=64 z=3",
                                        "matfp f32 x=10 y=500 z=1",
                                        "matfp f16 x=448 y=449 z=1",
                                        "matfp f16f32 x=0 y=1",
                                        "matfp f32 x=64 y=64 z=2 alu=relu",
                                        "set"};
    for (size_t i = 0; i < sizeof insns / sizeof *insns; i++)
        check_tight(insns[i]);
    char insn[64];
    snprintf(insn, sizeof insn, "matfp 0x%llx", (unsigned long long)MUST_BE_0);
    check_tight(insn);
    snprintf(insn, sizeof insn, "matfp 0x%llx", (unsigned long long)INDEXED_Y);
    check_tight(insn);
}

/* Streams, addresses and what follows, by hand: two threads, two blocks. */
static void the_order_of_a_thread(void **state)
{
    (void)state;
    static const char text[] = "ldx x=0 addr=0\n"                /* item 0 */
                               ".repeat 2\n"                     /* 1 */
                               "d get $x0 1\n"                   /* 2 */
                               "stz z=1 addr=64 step=128 pair\n" /* 3 */
                               ".end\n"                          /* 4 */
                               ".thread 1\nmatfp f32\n"          /* 5 */
                               ".thread 0\nclr\n";               /* 6 */
    static const struct {
        uint32_t thread, statement, operation, next;
        size_t addresses;
        uint64_t first;
    } expected[] = {
        {0, 0, AMX_LDX, 3, 1, 0},          {0, 3, AMX_STZ, 3, 2, 64},
        {0, 3, AMX_STZ, 6, 2, 192},        {0, 6, AMX_CLR, WORK_END, 0, 0},
        {1, 5, AMX_MATFP, WORK_END, 0, 0},
    };
    struct source source;
    struct diag_list diags;
    struct amx_program program;
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "order.amx", text, strlen(text)), 0);
    assert_int_equal(amx_program_parse(&program, &source, 1, &diags), 0);
    size_t i = 0;
    for (uint32_t thread = 0; thread < 2; thread++) {
        struct amx_cursor cursor;
        struct amx_work_storage storage;
        struct work work;
        amx_cursor_start(&cursor, &program, thread);
        for (; work_next(&program, &cursor, &storage, &work); i++) {
            assert_true(i < sizeof expected / sizeof *expected);
            assert_int_equal(work.stream, expected[i].thread);
            assert_int_equal(thread, expected[i].thread);
            assert_int_equal(work.statement, expected[i].statement);
            assert_int_equal(work.operation, expected[i].operation);
            assert_int_equal(work.next, expected[i].next);
            assert_int_equal(work.address_count, expected[i].addresses);
            for (size_t k = 0; k < work.address_count; k++)
                assert_int_equal(work.addresses[k], expected[i].first + k * AMX_ROW);
        }
    }
    assert_int_equal(i, sizeof expected / sizeof *expected);
    amx_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions),
        cmocka_unit_test(nothing_too_much),
        cmocka_unit_test(the_order_of_a_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
