/*
 * What is said of a launch while it runs: each finding by a program that deserves it and by one
 * that only just does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/ventus/vkit.h"

enum { DATA = 0x40000000, LOCAL = 0x70000000, PRIVATE = 0x50000000 };

static const uint32_t nop = 0x00000013, barrier = 0x0400400b, endprg = 0x0000400b;

static uint32_t lw(uint32_t rd, uint32_t rs1, uint32_t imm)
{
    return imm << 20 | rs1 << 15 | 2u << 12 | rd << 7 | 0x03;
}

static uint32_t store(uint32_t f3, uint32_t rs2, uint32_t rs1, uint32_t imm)
{
    return (imm >> 5 & 127) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (imm & 31) << 7 | 0x23;
}

static uint32_t amoadd(uint32_t rd, uint32_t rs2, uint32_t rs1)
{
    return rs2 << 20 | rs1 << 15 | 2u << 12 | rd << 7 | 0x2f;
}

/* Two warps with x5 = DATA and x6 = 100 + their number, and checks. */
static void make(const uint32_t *code, size_t count)
{
    vkit_make(code, count);
    vkit.launch.local = 0x1000;
    vkit_start();
    vkit_check();
    for (uint32_t w = 0; w < 2; w++) {
        vkit.warps[w].x[5] = DATA;
        vkit.warps[w].x[6] = 100 + w;
        vkit.warps[w].x[7] = 100;
        vkit.warps[w].x_known |= 7u << 5;
    }
}

static int begin(void **state)
{
    (void)state;
    vkit_memory(DATA, 4096, 100);
    vkit_memory(LOCAL, 4096, 4096);
    vkit_memory(PRIVATE, 4096, 4096);
    return 0;
}

static int end(void **state)
{
    (void)state;
    vkit_free();
    return 0;
}

static void said(enum ventus_name name, const char *sentence)
{
    assert_int_equal(vkit.found, 1);
    assert_int_equal(vkit.findings[0].name, name);
    if (!strstr(vkit.findings[0].sentence, sentence))
        fail_msg("%s", vkit.findings[0].sentence);
    vkit.found = 0;
}

static void step(uint32_t warp)
{
    if (vkit_step_warp(warp) != 0)
        fail_msg("%s", vkit.exec.error);
}

/* --- races ------------------------------------------------------------------------------------ */

/* Warp 0 executes `first`, warp 1 `second`, with a barrier between or not. */
static size_t meet(uint32_t first, uint32_t second, bool between)
{
    const uint32_t code[] = {first, barrier, second};
    make(code, 3);
    memset(ventus_memory_at(&vkit.memory, DATA, 4), 0, 8);
    step(0);
    if (between) {
        step(0);
        vkit.warps[1].pc += 4;
        step(1);
    }
    vkit.warps[1].pc = VKIT_CODE + 8;
    step(1);
    return vkit.found;
}

static void races(void **state)
{
    (void)state;
    const uint32_t read = lw(8, 5, 0), write = store(2, 6, 5, 0), other = lw(8, 5, 4);
    const uint32_t atomic = amoadd(8, 6, 5), byte0 = store(0, 6, 5, 0), byte1 = store(0, 6, 5, 1);
    const uint32_t same = store(2, 7, 5, 0), zero = store(2, 0, 5, 0);
    const struct {
        uint32_t first, second;
        const char *says; /* NULL: no race */
    } rows[] = {
        {read, read, NULL},
        {read, write, "writes 0x40000000, read at pc 0x00001000 by another warp"},
        {write, read, "reads 0x40000000, written at pc 0x00001000 by another warp"},
        {write, write, "writes 0x40000000, written at pc 0x00001000"},
        {write, other, NULL},
        {atomic, atomic, NULL},
        {atomic, read, "reads 0x40000000, written"},
        {read, atomic, "atomically changes 0x40000000, read"},
        {write, atomic, "atomically changes 0x40000000, written"},
        {byte0, byte1, NULL},
        {byte0, byte0, "writes 0x40000000, written"},
        {byte1, read, "reads 0x40000001, written"},
        {same, same, NULL}, /* both store 100 */
        {zero, zero, NULL}, /* and nothing changes */
        {same, zero, "writes 0x40000000, written"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t found = meet(rows[i].first, rows[i].second, false);
        if (found != (rows[i].says != NULL))
            fail_msg("row %zu: %zu findings", i, found);
        if (rows[i].says)
            said(VENTUS_NAME_RACE, rows[i].says);
        assert_int_equal(meet(rows[i].first, rows[i].second, true), 0);
    }
}

/* Who stored the same value may read it; a third warp may not. One warp alone has no races. */
static void races_of_one(void **state)
{
    (void)state;
    const uint32_t code[] = {store(2, 7, 5, 0), lw(8, 5, 0), store(2, 6, 5, 0), lw(8, 5, 0)};
    make(code, 4);
    memset(ventus_memory_at(&vkit.memory, DATA, 4), 0, 4);
    step(0);
    step(1); /* 100 as well */
    step(1);
    assert_int_equal(vkit.found, 0);
    make(code, 4);
    for (int i = 0; i < 4; i++)
        step(0);
    assert_int_equal(vkit.found, 0);
    /* Once for each pair of places, however often they meet. */
    make(code, 4);
    for (int i = 0; i < 5; i++) {
        vkit.warps[0].pc = vkit.warps[1].pc = VKIT_CODE + 8;
        step(0);
        step(1);
    }
    said(VENTUS_NAME_RACE, "writes 0x40000000, written at pc 0x00001008");
    /* Another workgroup's stores are not looked at. */
    make(code, 4);
    memset(ventus_memory_at(&vkit.memory, DATA, 4), 0, 4);
    step(0);
    vkit_start();
    vkit.warps[1].x[5] = DATA;
    vkit.warps[1].x_known |= 1u << 5;
    vkit.warps[1].pc += 4;
    step(1);
    assert_int_equal(vkit.found, 0);
}

static uint32_t copy(uint32_t kind, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return kind << 25 | rs2 << 20 | rs1 << 15 | 6u << 12 | rd << 7 | 0x2b;
}

/* A copy's bytes before cp_dma_mbarrier, by whomever; a barrier alone does not wait for it. */
static void copies(void **state)
{
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        const uint32_t code[] = {copy(3, 12, 10, 5), waits ? copy(5, 0, 0, 0) : nop, lw(8, 10, 0),
                                 barrier, endprg};
        make(code, 5);
        vkit.launch.warps = 1;
        vkit_start();
        vkit.warps[0].x[5] = DATA;
        vkit.warps[0].x[10] = LOCAL;
        vkit.warps[0].x[12] = 16;
        vkit.warps[0].x_known = UINT64_MAX;
        for (int i = 0; i < 3; i++)
            step(0);
        if (!waits)
            said(VENTUS_NAME_RACE, "reads 0x70000000, copied at pc 0x00001000 and not waited for");
        assert_int_equal(vkit.found, 0);
        step(0);
        if (!waits)
            said(VENTUS_NAME_BARRIER, "a barrier does not wait for copies");
        step(0);
        if (!waits)
            said(VENTUS_NAME_BARRIER, "ends with copies that nothing has waited for");
        assert_int_equal(vkit.found, 0);
    }
}

/* --- registers -------------------------------------------------------------------------------- */

static void registers_never_written(void **state)
{
    (void)state;
    /* add x8, x5, x9; vadd.vv v3, v1, v2; vadd.vx v1, v1, x5 with v0.t */
    const uint32_t code[] = {9u << 20 | 5u << 15 | 8u << 7 | 0x33, vkit_opv(0, 0, 1, 1, 2, 3),
                             vkit_opv(0, 4, 0, 1, 5, 1)};
    make(code, 3);
    step(0);
    said(VENTUS_NAME_UNINITIALISED, "reads x9, s1, which nothing has written");
    vkit.warps[0].v_known[1] = 0xff;
    vkit.warps[0].v_known[2] = 0xfb;
    step(0);
    said(VENTUS_NAME_UNINITIALISED, "reads v2, which nothing has written in lane 2");
    make(code, 3);
    vkit.warps[0].x_known |= 1u << 9;
    vkit.warps[0].v_known[1] = 0xff;
    vkit.warps[0].v_known[2] = 0xfb;
    vkit.warps[0].active = 0xfb; /* that lane does not take part */
    step(0);
    step(0);
    assert_int_equal(vkit.warps[0].v_known[3], 0xfb);
    vkit.warps[0].active = 0xff;
    vkit.warps[0].v_known[0] = 0xff; /* a mask of zeros: nobody reads v1 */
    vkit.warps[0].v_known[1] = 0;
    step(0);
    assert_int_equal(vkit.found, 0);
    /* A function saves registers whatever they hold: vsw.v v1, 0(v2) to private memory. */
    const uint32_t save[] = {1u << 31 | 1u << 20 | 2u << 15 | 2u << 12 | 0x2b, endprg};
    make(save, 2);
    vkit.launch.private_base = PRIVATE;
    vkit_start();
    vkit.warps[0].v_known[2] = 0xff;
    step(0);
    assert_int_equal(vkit.found, 0);
}

/* A register with itself: the published programs clear theirs like that (rtl_programs.tsv). What is
 * read beside it, and every other operation, is still said. */
static void registers_cleared(void **state)
{
    (void)state;
    const struct {
        uint32_t word;
        const char *says; /* NULL: nothing */
    } rows[] = {
        {vkit_opv(0x0b, 0, 1, 1, 1, 1), NULL},       /* vxor.vv v1, v1, v1 */
        {vkit_opv(0x02, 0, 1, 1, 1, 2), NULL},       /* vsub.vv v2, v1, v1 */
        {vkit_opv(0x1b, 2, 1, 3, 3, 1), NULL},       /* vmxor.mm v1, v3, v3 */
        {0x009484b3 | 4u << 12, NULL},               /* xor s1, s1, s1 */
        {0x409484b3, NULL},                          /* sub s1, s1, s1 */
        {vkit_opv(0x0b, 0, 1, 1, 2, 1), "reads v"},  /* vxor.vv v1, v1, v2 */
        {vkit_opv(0x00, 0, 1, 1, 1, 1), "reads v1"}, /* vadd.vv v1, v1, v1 */
        {0x009484b3, "reads x9, s1"},                /* add s1, s1, s1 */
        {vkit_opv(0x0b, 4, 1, 1, 1, 1), "reads "},   /* vxor.vx v1, v1, ra */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make(&rows[i].word, 1);
        step(0);
        if ((vkit.found != 0) != (rows[i].says != NULL))
            fail_msg("row %zu: %zu findings", i, vkit.found);
        if (rows[i].says && !strstr(vkit.findings[0].sentence, rows[i].says))
            fail_msg("row %zu: %s", i, vkit.findings[0].sentence);
        vkit.found = 0;
    }
}

static void registers_of_the_launch(void **state)
{
    (void)state;
    /* regext rd + 32; vmv.v.x v32, x5 -- and addi x8, x5, 0 */
    const uint32_t code[] = {1u << 20 | 0x200b, vkit_opv(0x17, 4, 1, 0, 5, 0),
                             5u << 15 | 8u << 7 | 0x13};
    for (uint32_t most = 32; most <= 36; most += 4) {
        make(code, 3);
        vkit.launch.vgprs = most;
        vkit.launch.sgprs = most == 32 ? 8 : 12;
        step(0);
        step(0);
        if (most == 32)
            said(VENTUS_NAME_REGISTERS, "v32 of a launch with 32 vector registers");
        step(0);
        if (most == 32)
            said(VENTUS_NAME_REGISTERS, "x8 of a launch with 8 scalar registers");
        assert_int_equal(vkit.found, 0);
    }
    /* mma with C in v28 to v31 and v32. */
    const uint32_t matrix[] = {0u << 29 | 1u << 26 | 8u << 20 | 0u << 15 | 5u << 12 | 28u << 7 |
                               0x0b};
    make(matrix, 1);
    vkit.launch.threads = 32;
    vkit.launch.vgprs = 28 + 4;
    vkit_start();
    memset(vkit.warps[0].v_known, 255, sizeof vkit.warps[0].v_known);
    step(0);
    assert_int_equal(vkit.found, 0);
    vkit.launch.vgprs = 28;
    vkit.warps[0].pc = VKIT_CODE;
    step(0);
    said(VENTUS_NAME_REGISTERS, "v31 of a launch with 28 vector registers");
}

/* --- memory ----------------------------------------------------------------------------------- */

static void ends_of_buffers(void **state)
{
    (void)state;
    const uint32_t code[] = {lw(8, 5, 96), lw(8, 5, 100), lw(8, 5, 100)};
    make(code, 3);
    step(0);
    assert_int_equal(vkit.found, 0);
    step(0);
    said(VENTUS_NAME_BEYOND_BUFFER, "4 bytes at 0x40000064, beyond the end of their buffer");
    vkit.warps[0].pc -= 4;
    step(0); /* said once for the place */
    assert_int_equal(vkit.found, 0);
    step(0);
    said(VENTUS_NAME_BEYOND_BUFFER, "0x40000064");
}

/* Local memory of the workgroup to its last byte, and beyond: only where there are others. */
static void local_memory_of_others(void **state)
{
    (void)state;
    const uint32_t code[] = {lw(8, 10, 0)};
    for (uint32_t groups = 1; groups < 3; groups++)
        for (uint32_t last = 0x7c; last <= 0x80; last += 4) {
            make(code, 1);
            vkit.launch.grid[1] = groups;
            vkit.launch.local = 0x80;
            vkit_start();
            vkit.warps[0].x[10] = LOCAL + last;
            vkit.warps[0].x_known |= 1u << 10;
            step(0);
            if (groups == 2 && last == 0x80)
                said(VENTUS_NAME_BEYOND_BUFFER, "in local memory that is another workgroup's: this "
                                                "one has 128 at 0x70000000");
            assert_int_equal(vkit.found, 0);
        }
}

static void faults(void **state)
{
    (void)state;
    const struct {
        uint32_t word;
        const char *says; /* NULL: fine */
    } rows[] = {
        {lw(8, 5, 2047 & ~3u), NULL},
        {lw(8, 5, 2), "load of 4 bytes at 0x40000002, which is not a multiple of 4"},
        {store(1, 6, 5, 1), "store of 2 bytes at 0x40000001, which is not a multiple of 2"},
        {store(0, 6, 5, 1), NULL},
        {lw(8, 0, 0), "load of 4 bytes at 0x00000000, where no buffer is"},
        {0x00000073, "Ventus has no ecall and ebreak"},
        {0xffffffff, "0xffffffff is not an instruction"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make(&rows[i].word, 1);
        assert_int_equal(vkit_step(), rows[i].says != NULL);
        if (rows[i].says)
            assert_string_equal(vkit.exec.error, rows[i].says);
    }
}

/* --- branches, barriers, ends ----------------------------------------------------------------- */

static void stack_overflow(void **state)
{
    (void)state;
    const uint32_t branch = 1u << 20 | 2u << 15 | 8u << 7 | 0x5b; /* vbeq v1, v2, + 8 */
    for (uint32_t depth = VENTUS_STACK - 2; depth < VENTUS_STACK; depth++) {
        make(&branch, 1);
        vkit.warps[0].v[1][0] = 1; /* lane 0 stays, the others jump */
        vkit.warps[0].depth = depth;
        assert_int_equal(vkit_step(), depth == VENTUS_STACK - 1);
    }
    assert_string_equal(vkit.exec.error, "the SIMT stack of 64 entries is full");
}

static void barriers(void **state)
{
    (void)state;
    const uint32_t code[] = {barrier, barrier, endprg};
    make(code, 3);
    step(0);
    step(1);
    assert_int_equal(vkit.found, 0);
    make(code, 3); /* at different ones */
    step(0);
    vkit.warps[1].pc += 4;
    step(1);
    said(VENTUS_NAME_BARRIER,
         "waits at the barrier at pc 0x00001004, warp 0 at that at 0x00001000");
    make(code, 3); /* one has ended */
    vkit.warps[1].pc += 8;
    step(1);
    step(0);
    said(VENTUS_NAME_BARRIER, "which 1 of 2 warps have not reached before they ended");
    make(code, 3);
    vkit.warps[0].depth = 1;
    assert_int_equal(vkit_step(), 1);
    assert_string_equal(vkit.exec.error,
                        "a barrier in a branch that not all threads of the warp take");
}

static void prefixes(void **state)
{
    (void)state;
    const uint32_t regext = 0x200b, regexti = 0x300b;
    const struct {
        uint32_t first, second;
        const char *says;
    } rows[] = {
        {regext, nop, NULL},
        {regext, regext, "a prefix after a prefix"},
        {regext, 0x000000bf, "a prefix in front of an instruction of 64 bits"},
        {regexti, vkit_opv(0, 3, 1, 4, 3, 8), NULL},
        {regexti, vkit_opv(0, 4, 1, 4, 3, 8),
         "a prefix for an immediate of five bits, and there is none"},
        {2u << 20 | 0x200b, 1u << 7 | 0x13, "a scalar register above x63"},
        {1u << 20 | 0x200b, 31u << 7 | 0x13, NULL}, /* x63 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t code[] = {rows[i].first, rows[i].second, 0};
        make(code, 3);
        step(0);
        assert_int_equal(vkit_step(), rows[i].says != NULL);
        if (rows[i].says)
            assert_string_equal(vkit.exec.error, rows[i].says);
    }
}

/* The bits of a word that name one of its registers. */
static uint64_t field_of(struct ventus_operand o, uint64_t number)
{
    const unsigned low = o.letter == 'x' ? 15 : o.letter == 'y' ? 20 : o.letter == 'z' ? 27 : 7;
    return number << (o.width ? o.low : low);
}

/* Each operand of each instruction that form.def calls a scalar register, with a number that none
 * has: bits 2 to 0 of a prefix extend rd, and three more each rs1, rs2 and rs3. */
static void scalar_operands(void **state)
{
    (void)state;
    size_t refused = 0;
    for (uint32_t i = VENTUS_FIRST + 1; i < VENTUS_INSNS; i++) {
        const struct ventus_insn *insn = &ventus_insns[i - VENTUS_FIRST - 1];
        const bool wide = ventus_size((uint32_t)insn->match) == 8;
        struct ventus_op op;
        const uint32_t high = (uint32_t)(insn->match >> 32);
        if (!ventus_decode((uint32_t)insn->match, &high, &op) || op.insn != i)
            continue;
        const char *at = ventus_operands(&op);
        for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;) {
            if (!strchr("xyzdD", o.letter) || o.pair || (!wide && o.width))
                continue;
            const uint32_t slot = o.letter == 'x'   ? 3
                                  : o.letter == 'y' ? 6
                                  : o.letter == 'z' ? 9
                                                    : 0;
            const uint64_t word = insn->match | field_of(o, wide ? 64 : 1);
            if ((word & insn->mask) != insn->match)
                continue;
            const uint32_t code[] = {(2u << slot) << 20 | 0x200b, (uint32_t)word, 0};
            const uint32_t pair[] = {(uint32_t)word, (uint32_t)(word >> 32), 0};
            make(wide ? pair : code, 3);
            if (!wide)
                step(0);
            if (vkit_step() != 1)
                fail_msg("%s %c", insn->name, o.letter);
            if (!strstr(vkit.exec.error, "prefix"))
                assert_string_equal(vkit.exec.error, "a scalar register above x63");
            refused += !strstr(vkit.exec.error, "prefix");
        }
    }
    assert_true(refused > 100);
}

/* No more than so many of one name, and a sentence that says so. */
static void capped(void **state)
{
    (void)state;
    uint32_t code[VKIT_OPS];
    for (uint32_t i = 0; i < VKIT_OPS; i++)
        code[i] = lw(8, 5, 100);
    make(code, VKIT_OPS);
    for (uint32_t i = 0; i < VKIT_OPS; i++)
        step(0);
    assert_int_equal(vkit.found, VENTUS_FINDINGS + 1);
    assert_string_equal(vkit.findings[VENTUS_FINDINGS].sentence,
                        "more places of this kind than the 20 above are not listed");
}

static void endless(void **state)
{
    (void)state;
    const uint32_t code[] = {nop, nop, endprg};
    for (uint64_t most = 2; most <= 3; most++) {
        make(code, 3);
        vkit.exec.most = most;
        step(0);
        step(0);
        assert_int_equal(vkit_step(), most == 2);
    }
    make(code, 3);
    vkit.exec.most = 1;
    step(0);
    assert_int_equal(vkit_step(), 1);
    assert_string_equal(vkit.exec.error, "the launch has not ended after 1 instructions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(races),
        cmocka_unit_test(races_of_one),
        cmocka_unit_test(copies),
        cmocka_unit_test(registers_never_written),
        cmocka_unit_test(registers_cleared),
        cmocka_unit_test(registers_of_the_launch),
        cmocka_unit_test(ends_of_buffers),
        cmocka_unit_test(local_memory_of_others),
        cmocka_unit_test(faults),
        cmocka_unit_test(stack_overflow),
        cmocka_unit_test(barriers),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(scalar_operands),
        cmocka_unit_test(capped),
        cmocka_unit_test(endless),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
