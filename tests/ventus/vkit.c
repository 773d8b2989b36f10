#include "tests/ventus/vkit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct vkit vkit;

void vkit_start(void)
{
    vkit.group.warps = vkit.warps;
    ventus_group_start(&vkit.exec, &vkit.group, 0, 0);
}

void vkit_make(const uint32_t *words, size_t count)
{
    uint8_t bytes[4 * VKIT_OPS];
    assert_true(count <= VKIT_OPS);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    ventus_decode_all(bytes, count, vkit.ops);
    vkit.launch = (struct ventus_launch){.start = VKIT_CODE,
                                         .sgprs = VENTUS_XREGS,
                                         .vgprs = VENTUS_VREGS,
                                         .grid = {1, 1, 1},
                                         .threads = 8,
                                         .warps = 2,
                                         .private = 64,
                                         .private_base = 0x90000000,
                                         .code = VKIT_CODE,
                                         .ops = vkit.ops,
                                         .op_count = count};
    vkit.exec = (struct ventus_exec){
        .launch = &vkit.launch, .memory = &vkit.memory, .check = vkit.exec.check};
    vkit_start();
}

int vkit_step_warp(uint32_t warp)
{
    return ventus_step(&vkit.exec, &vkit.warps[warp], &vkit.effect);
}

int vkit_step(void)
{
    return vkit_step_warp(0);
}

uint8_t *vkit_memory(uint32_t base, uint32_t size, uint32_t given)
{
    assert_int_equal(ventus_memory_add(&vkit.memory, base, size, 1), 0);
    ventus_memory_give(&vkit.memory, base, given);
    return ventus_memory_at(&vkit.memory, base, size);
}

static void find(void *context, const struct ventus_finding *finding)
{
    (void)context;
    assert_true(vkit.found < VKIT_FINDINGS);
    vkit.findings[vkit.found++] = *finding;
}

void vkit_check(void)
{
    ventus_check_free(vkit.exec.check);
    vkit.exec.check = ventus_check_new(find, NULL);
    vkit.found = 0;
    assert_non_null(vkit.exec.check);
}

void vkit_free(void)
{
    ventus_check_free(vkit.exec.check);
    vkit.exec.check = NULL;
    ventus_memory_free(&vkit.memory);
}

uint64_t vkit_random(void)
{
    static uint64_t seed = 0x9e3779b97f4a7c15u;
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * UINT64_C(0x2545f4914f6cdd1d);
}

uint32_t vkit_draw(void)
{
    static const uint32_t edges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 31, 32, 0xfffffffe};
    const uint64_t r = vkit_random();
    return r >> 63 ? (uint32_t)(r >> 13) : edges[r >> 20 & 7];
}

uint32_t vkit_opv(uint32_t f6, uint32_t f3, uint32_t vm, uint32_t vs2, uint32_t vs1, uint32_t vd)
{
    return f6 << 26 | vm << 25 | vs2 << 20 | vs1 << 15 | f3 << 12 | vd << 7 | 0x57;
}
