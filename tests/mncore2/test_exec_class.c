/*
 * The representation of the state is invisible: lazily split classes, a state split from the
 * start, several threads and plain C kernels give the same hash after random programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/arith_select.h"
#include "tests/mncore2/exec_board.h"
#include "tests/often.h"

static uint64_t state;

static unsigned below(unsigned n)
{
    state++;
    return (unsigned)(board_random(state) >> 33) % n;
}

#define PICK(list) list[below(sizeof(list) / sizeof *(list))]

/* A PE operand to read or write, two long words, one, or a word. */
static const char *operand(char *text, size_t size, bool output)
{
    static const char *const lengths[] = {"ll", "l", "l", ""};
    static const char memories[] = {'r', 's', 'm', 'n'};
    static const char *const outputs[] = {"$t", "$llt", "$omr1", "$omr2", "$nowrite"};
    static const char *const inputs[] = {"$t", "$aluf", "$mauf", "$lbf", "$lmt4v", "$lm8vj1"};
    if (below(4) == 0) {
        snprintf(text, size, "%s", output ? PICK(outputs) : PICK(inputs));
        return text;
    }
    const char *length = PICK(lengths);
    const unsigned words = length[0] == '\0' ? 1 : length[1] == 'l' ? 4 : 2;
    snprintf(text, size, "$%s%c%u%s", length, memories[below(4)], below(16) * words,
             below(3) == 0 ? "" : "v");
    return text;
}

/* One random statement with a single expression; at most a few forms are refused by the parser. */
static void statement(char *line, size_t size)
{
    static const char *const one[] = {
        "lpassa",  "spassa", "iinc", "uldec",  "snot",  "hfloor",      "fvpassa",       "dvpassa",
        "hvpassa", "dbfn",   "gbfn", "hbfn/9", "fftoi", "hrelu $msb1", "lpackbit $msb1"};
    static const char *const two[] = {"ladd",  "isub",  "ulmax", "fmax",  "hmin",  "lxor", "slsl",
                                      "fvadd", "fvmul", "hvmul", "dvadd", "hrelu", "uilsr"};
    static const char *const fixed[] = {"lpassa $l2bid", "ipassa $l1bid", "sinc $mabid",
                                        "iinc $peid", "lpassa $subpeid"};
    static const char *const up[] = {"l1bmm@%u $lr0v $lb%u", "l1bmm4@%u $ls0v $lb%u"};
    char a[40], b[40], c[40];
    switch (below(14)) {
    case 0:
    case 1:
        snprintf(line, size, "%s %s %s", PICK(one), operand(a, sizeof a, false),
                 operand(c, sizeof c, true));
        return;
    case 2:
    case 3:
        snprintf(line, size, "%s %s %s %s", PICK(two), operand(a, sizeof a, false),
                 operand(b, sizeof b, false), operand(c, sizeof c, true));
        return;
    case 4:
        snprintf(line, size, "fvfma $lr%uv $lm%uv $ls%uv $ln%uv", 2 * below(8), 2 * below(8),
                 2 * below(8), 2 * below(8));
        return;
    case 5:
        if (below(6) == 0)
            snprintf(line, size, "%s %s", PICK(fixed), operand(c, sizeof c, true));
        else
            snprintf(line, size, "imm i\"%u\" $%s%u", below(9), below(2) ? "lr" : "s",
                     2 * below(8));
        return;
    case 6:
        snprintf(line, size, below(2) ? "l1bmp $lb%u $lr8v" : "l1bmm $lb%u $ls8v $omr0",
                 4 * below(8));
        if (strstr(line, "omr0") != NULL)
            line[strlen(line) - 6] = '\0';
        return;
    case 7:
        snprintf(line, size, below(2) ? "l1bmm4 $lb%u $lm0v" : "l1bmd $lb%u $ln0v", 64 * below(3));
        return;
    case 8:
        snprintf(line, size, PICK(up), below(4), 16 * below(8));
        return;
    case 9:
        snprintf(line, size,
                 below(2) ? "l1bmrliadd $lr8v $lb%u; lpassa $ls0v $lm0v" : "l1bmd+1 $ln0v $lb%u",
                 64 * below(4));
        return;
    case 10:
        snprintf(line, size, below(2) ? "l2bmrffadd $lb%u $lc64" : "l2bmd $lb%u $lc0",
                 16 * below(4));
        return;
    case 11:
        snprintf(line, size, below(2) ? "l2bmb $lc%u $lb0" : "l2bmd $lc%u $lb32", 64 * below(3));
        return;
    case 12:
        snprintf(line, size,
                 below(2) ? "lpassa $lr8v $ls%uv/$imr1"
                          : "noforward; ladd/$imr2 $aluf $lr0v $lm%uv",
                 2 * below(20));
        return;
    default:
        snprintf(line, size,
                 below(2) ? "hmwrite $lr%uv $lx0; hvadd $lm0v $lm0v $ln0v"
                          : "dmread $ly%u $lm0v $nowrite0",
                 2 * below(3));
        if (strstr(line, "$nowrite0") != NULL)
            line[strlen(line) - 10] = '\0';
    }
}

/* Some MABs differ from the start. */
static void differ(struct board *board, unsigned long long seed)
{
    for (unsigned i = 0; i < 1 + seed % 4; i++)
        board_run(board, "d set $lr0n%llum%llu 4 l%llxl%llxl%llxl%llx\n", (seed + i) % 4,
                  (seed * 3 + i) % 16, (unsigned long long)board_random(seed + i),
                  (unsigned long long)board_random(seed + i + 1),
                  (unsigned long long)board_random(seed + i + 2),
                  (unsigned long long)board_random(seed + i + 3));
    board_run(board, "d set $lb0n1c0b%llu 2 l%llxl5\n", seed % 8,
              (unsigned long long)board_random(seed));
}

/* Lines that the parser accepts, so that every board runs the same program. */
static size_t program(char *text, size_t size, unsigned lines)
{
    size_t used = 0;
    for (unsigned tries = 0; lines > 0 && tries < 100000; tries++) {
        char line[200];
        statement(line, sizeof line);
        struct source source;
        struct program parsed;
        struct diag_list diags;
        diag_list_init(&diags);
        assert_int_equal(source_from_text(&source, "line", line, strlen(line)), 0);
        const int bad = mncore2_program_parse(&parsed, &source, 1, &diags);
        mncore2_program_free(&parsed);
        source_close(&source);
        diag_list_free(&diags);
        if (bad != 0)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s\n", line);
        lines--;
    }
    assert_int_equal(lines, 0);
    return used;
}

static void lazy_and_split(void **unused)
{
    (void)unused;
    static char text[100000];
    size_t smallest = MABS;
    for (unsigned seed = 0; seed < often(10); seed++) {
        state = seed * 1000003ull;
        program(text, sizeof text, 60);
        struct board lazy = board_new(INIT_ZERO, 0, 1), split = board_new(INIT_ZERO, 0, 3);
        board_split(&split);
        differ(&lazy, seed);
        differ(&split, seed);
        if (mncore2_exec_hash(lazy.exec) != mncore2_exec_hash(split.exec))
            fail_msg("seed %u: d set", seed);
        for (char *line = text; *line != '\0';) {
            char *end = strchr(line, '\n');
            *end = '\0';
            board_run(&lazy, "%s\n", line);
            board_run(&split, "%s\n", line);
            if (strncmp(line, "l2bm", 4) == 0 &&
                mncore2_exec_hash(lazy.exec) != mncore2_exec_hash(split.exec))
                fail_msg("seed %u: after %s", seed, line);
            line = end + 1;
        }
        if (mncore2_exec_hash(lazy.exec) != mncore2_exec_hash(split.exec))
            fail_msg("seed %u: at the end", seed);
        if (board_classes(&lazy) < smallest)
            smallest = board_classes(&lazy);
        board_free(&lazy);
        board_free(&split);
    }
    assert_true(smallest < MABS); /* otherwise nothing was compared */
}

static uint64_t hash_of(const char *text, unsigned threads, bool reference)
{
    struct board board = board_new(INIT_RANDOM, 77, threads);
    mncore2_arith_select(reference);
    board_run(&board, "%s", text);
    const uint64_t hash = mncore2_exec_hash(board.exec);
    board_free(&board);
    mncore2_arith_select(false);
    return hash;
}

static void threads_and_kernels(void **unused)
{
    (void)unused;
    static char text[100000];
    for (unsigned seed = 0; seed < often(2); seed++) {
        state = seed * 99991ull + 7;
        program(text, sizeof text, 80);
        const uint64_t want = hash_of(text, 1, false);
        assert_true(want == hash_of(text, 2, false));
        assert_true(want == hash_of(text, 7, false));
        assert_true(want == hash_of(text, 2, true));
    }
}

/* The hash sees every kind of state. */
static void hash_sees(void **unused)
{
    (void)unused;
    static const char *const changes[] = {
        "d set $lm4094n3c1b7m15p3 1 l1",
        "d set $lm4094n3c1b7m15p2 1 l1",
        "d set $ln0n0 1 l1",
        "d set $lr0n0 1 l1",
        "d set $ls0n0 1 l1",
        "d set $lt0 1 l1",
        "d set $llt 1 l1l2",
        "d set $lb1 1 l1",
        "d set $lc1 1 l1",
        "imm i\"1\" $mb",
        "imm i\"1\" $nb",
        "lpassa $lr0 $omr1",
        "lpassa $lr0 $omr2",
        "imm i\"1\" $nowrite",
        "r 0 000000000 001 0000000000000001",
        "r 1 000000000 001 0000000000000001",
        "r 0 01fffffff 001 0000000000000001",
    };
    enum { N = sizeof changes / sizeof *changes };
    uint64_t hashes[N + 1];
    size_t n = 0;
    struct board board = board_new(INIT_ZERO, 0, 1);
    hashes[n++] = mncore2_exec_hash(board.exec);
    board_free(&board);
    for (size_t i = 0; i < N; i++) {
        board = board_new(INIT_ZERO, 0, 1);
        if (!board_fault(&board, changes[i], NULL, 0)) {
            for (size_t k = 0; k < n; k++)
                if (mncore2_exec_hash(board.exec) == hashes[k])
                    fail_msg("%s has the hash of %s", changes[i], k == 0 ? "nothing" : "another");
            hashes[n++] = mncore2_exec_hash(board.exec);
        }
        board_free(&board);
    }
    assert_true(n > N - 2); /* the parser may refuse a form or two */

    /* Writing zeros over zeros changes nothing, in DRAM neither. */
    board = board_new(INIT_ZERO, 0, 1);
    board_run(&board, "d set $lr0n0m3 1 l0\nmvp/n64 $p0@0 $d0@3\nr 0 000001000 001 "
                      "0000000000000000\n");
    assert_true(mncore2_exec_hash(board.exec) == hashes[0]);
    board_free(&board);
}

/* Initial contents: the same seed gives the same board, another seed another. */
static void initial(void **unused)
{
    (void)unused;
    struct board a = board_new(INIT_RANDOM, 1, 1), b = board_new(INIT_RANDOM, 1, 2),
                 c = board_new(INIT_RANDOM, 2, 1), d = board_new(INIT_PATTERN, 0, 1);
    assert_true(mncore2_exec_hash(a.exec) == mncore2_exec_hash(b.exec));
    assert_true(mncore2_exec_hash(a.exec) != mncore2_exec_hash(c.exec));
    assert_int_equal(board_classes(&d), 1);
    uint64_t x[3], y[3];
    mncore2_exec_read(a.exec, (struct exec_place){MEM_DRAM, 2, 0, 0, DRAM_LONGS - 1}, 3, x);
    board_run(&a, "mvp/n64 $d0@2 $p0@0\n");
    mncore2_exec_read(a.exec, (struct exec_place){MEM_PDM, 0, 0, 0, 0}, 2, y);
    assert_true(y[0] == x[1] && y[1] == x[2]);
    board_run(&a, "mvp/n64 $p64@0 $d0@2\n"); /* the rest of the page keeps its contents */
    uint64_t later[3], before[3];
    mncore2_exec_read(a.exec, (struct exec_place){MEM_DRAM, 2, 0, 0, 100}, 3, later);
    mncore2_exec_read(b.exec, (struct exec_place){MEM_DRAM, 2, 0, 0, 100}, 3, before);
    assert_memory_equal(later, before, sizeof later);
    board_run(&d, "lpassa $lm0 $ls0\n");
    assert_true(board_pe(&d, MEM_GRF1, 3, 2, 1, 0) == 0xdeadbeefdeadbeefu);
    board_free(&a);
    board_free(&b);
    board_free(&c);
    board_free(&d);
}

/* Sharing ends exactly where something differs. */
static void class_counts(void **unused)
{
    (void)unused;
    struct board b = board_new(INIT_ZERO, 0, 1);
    board_run(&b, "lpassa $lr0v $ls0v\nl1bmm $lb0 $lr0v\nl1bmd $lb0 $lr0v\nd set $lr0 1 l5\n");
    assert_int_equal(board_classes(&b), 1);
    board_run(&b, "d set $lr0n0c0b0m0p1 1 l6\n");
    assert_int_equal(board_classes(&b), 2);
    board_run(&b, "d set $lb0n1c1b0 1 l7\nl1bmm $lb4 $lr0v\n");
    assert_int_equal(board_classes(&b), 2); /* other addresses */
    board_run(&b, "l1bmm $lb0 $lr8v\n");
    assert_int_equal(board_classes(&b), 3);
    board_run(&b, "l1bmm4 $lb0 $lr8v\n");
    assert_int_equal(board_classes(&b), 4); /* one quad of that L1B */
    board_run(&b, "lpassa $l1bid $lr8v\n");
    assert_int_equal(board_classes(&b), 11);
    board_run(&b, "lpassa $mabid $lr8v\nlpassa $l2bid $lr8v\n");
    assert_int_equal(board_classes(&b), MABS);
    board_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lazy_and_split), cmocka_unit_test(threads_and_kernels),
        cmocka_unit_test(hash_sees),      cmocka_unit_test(initial),
        cmocka_unit_test(class_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
