#include "tests/ventus/launch_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct kit kit;

void kit_start(void)
{
    kit.group.warps = kit.warps;
    ventus_group_start(&kit.exec, &kit.group, 0, 0);
}

void kit_make(const uint32_t *words, size_t count)
{
    uint8_t bytes[4 * KIT_OPS];
    assert_true(count <= KIT_OPS);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    ventus_decode_all(bytes, count, kit.ops);
    kit.launch = (struct ventus_launch){.start = KIT_CODE,
                                        .grid = {1, 1, 1},
                                        .threads = 8,
                                        .warps = 2,
                                        .private = 64,
                                        .private_base = 0x90000000,
                                        .code = KIT_CODE,
                                        .ops = kit.ops,
                                        .op_count = count};
    kit.exec =
        (struct ventus_exec){.launch = &kit.launch, .memory = &kit.memory, .check = kit.exec.check};
    kit_start();
}

int kit_step_warp(uint32_t warp)
{
    return ventus_step(&kit.exec, &kit.warps[warp], &kit.effect);
}

int kit_step(void)
{
    return kit_step_warp(0);
}

uint8_t *kit_memory(uint32_t base, uint32_t size, uint32_t given)
{
    assert_int_equal(ventus_memory_add(&kit.memory, base, size), 0);
    ventus_memory_give(&kit.memory, base, given);
    return ventus_memory_at(&kit.memory, base, size);
}

static void find(void *context, const struct ventus_finding *finding)
{
    (void)context;
    assert_true(kit.found < KIT_FINDINGS);
    kit.findings[kit.found++] = *finding;
}

void kit_check(void)
{
    ventus_check_free(kit.exec.check);
    kit.exec.check = ventus_check_new(find, NULL);
    kit.found = 0;
    assert_non_null(kit.exec.check);
}

void kit_free(void)
{
    ventus_check_free(kit.exec.check);
    kit.exec.check = NULL;
    ventus_memory_free(&kit.memory);
}

uint64_t kit_random(void)
{
    static uint64_t seed = 0x9e3779b97f4a7c15u;
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * UINT64_C(0x2545f4914f6cdd1d);
}

uint32_t kit_draw(void)
{
    static const uint32_t edges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 31, 32, 0xfffffffe};
    const uint64_t r = kit_random();
    return r >> 63 ? (uint32_t)(r >> 13) : edges[r >> 20 & 7];
}

uint32_t kit_opv(uint32_t f6, uint32_t f3, uint32_t vm, uint32_t vs2, uint32_t vs1, uint32_t vd)
{
    return f6 << 26 | vm << 25 | vs2 << 20 | vs1 << 15 | f3 << 12 | vd << 7 | 0x57;
}
