/*
 * Any instruction in any state: words of every row with random fields, behind random prefixes, on
 * random registers. A step ends well or with a sentence; whoever does not take part keeps what it
 * had: x0, lanes that are not active, memory outside of the buffers' pieces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/ventus/work.h"
#include "tests/often.h"
#include "tests/ventus/vkit.h"

enum { DATA = 0x40000000, LOCAL = 0x70000000, PRIVATE = 0x50000000, SIZE = 0x4000 };

static uint64_t any_word(size_t row)
{
    const struct ventus_insn *insn = &ventus_insns[row];
    const bool is_long = (insn->match & 0x7f) == 0x3f;
    return insn->match | (vkit_random() & ~insn->mask & (is_long ? UINT64_MAX : UINT32_MAX));
}

/* Often an address, or a small number. */
static uint32_t any_value(void)
{
    const uint64_t r = vkit_random();
    const uint32_t at = (uint32_t)(r >> 8) & (SIZE - 1) & ~15u;
    switch (r & 7) {
    case 0:
    case 1:
        return DATA + at;
    case 2:
        return LOCAL + at / 4;
    case 3:
        return (uint32_t)(r >> 40) & 31;
    case 4:
        return 0;
    default:
        return vkit_draw();
    }
}

/* Addresses that accesses like, or offsets; pairs of registers have no upper half. */
static uint32_t tame_value(uint32_t reg, bool address)
{
    const uint32_t at = (uint32_t)(vkit_random() >> 20) & 0x1f0;
    return reg & 1 ? 0 : address ? DATA + SIZE / 2 + at : at;
}

static void any_state(struct ventus_warp *w)
{
    const uint64_t kind = vkit_random() % 4;
    for (uint32_t i = 1; i < VENTUS_XREGS; i++)
        w->x[i] = kind < 2 ? any_value() : tame_value(i, kind == 2);
    for (uint32_t r = 0; r < VENTUS_VREGS; r++)
        for (uint32_t i = 0; i < VENTUS_LANES; i++)
            w->v[r][i] = kind < 2 ? any_value() : tame_value(r, kind == 2);
    w->active = (uint32_t)vkit_random();
    w->active &= vkit.launch.threads == 32 ? UINT32_MAX : (1u << vkit.launch.threads) - 1;
    w->fcsr.rounding = (uint8_t)(vkit_random() % 6);
    w->vxrm = vkit_random() & 3;
    w->vtype = vkit_random() % 8 ? 0xd0 : 0xd1;
    w->vl = vkit.launch.threads << (w->vtype & 1);
    w->depth = (uint32_t)(vkit_random() % 3) * 31;
    w->rpc = VKIT_CODE + 4 * (uint32_t)(vkit_random() % 4);
}

/* Its own bits for registers above 31, and whatever else a prefix may say. */
static size_t any_prefix(uint32_t *words)
{
    static const uint32_t kinds[] = {0x200b, 0x300b, 0x100b, 0x700b, 0x302b};
    const uint64_t r = vkit_random();
    const uint32_t fields[] = {0, 0, 0x000e0f00, 0x000e0f00, 0x000f8f80};
    if (r & 3)
        return 0;
    words[0] = kinds[r % 5] | ((uint32_t)(r >> 8) & (0xfff00000 | fields[r % 5]));
    return 1;
}

static void check_rest(const struct ventus_warp *before, const struct ventus_warp *w)
{
    assert_int_equal(w->x[0], 0);
    for (uint32_t r = 0; r < VENTUS_VREGS; r++)
        for (uint32_t i = 0; i < VENTUS_LANES; i++)
            if (!(before->active >> i & 1) && w->v[r][i] != before->v[r][i])
                fail_msg("lane %u of v%u, which is not active: word %08x %08x, %s", i, r,
                         vkit.effect.op->word, vkit.effect.op->high, vkit.exec.error);
}

/* Registers that changed are those that ventus_work says are written. */
static void check_written(const struct ventus_warp *before, const struct ventus_warp *w,
                          const struct ventus_prefix *prefix)
{
    struct ventus_work_storage storage;
    struct work work;
    ventus_work(vkit.effect.op, prefix, &storage, &work);
    for (uint32_t r = 0; r < VENTUS_VREGS; r++) {
        bool named = memcmp(before->v[r], w->v[r], sizeof w->v[r]) == 0;
        for (size_t i = 0; i < work.write_count; i++) {
            const struct span *s = &work.writes[i];
            const uint32_t most = s->count << (before->vtype & 1);
            named |= s->space == VENTUS_SPACE_V && (r - s->first) % VENTUS_VREGS < most;
        }
        if (!named)
            fail_msg("v%u changes, which is not written by %08x %08x", r, vkit.effect.op->word,
                     vkit.effect.op->high);
    }
    for (uint32_t r = 1; r < VENTUS_XREGS; r++) {
        bool named = before->x[r] == w->x[r];
        for (size_t i = 0; i < work.write_count; i++)
            named |= work.writes[i].space == VENTUS_SPACE_X && (work.writes[i].set >> r & 1);
        if (!named)
            fail_msg("x%u changes, which is not written by %08x", r, vkit.effect.op->word);
    }
}

static void any(void **state)
{
    (void)state;
    static struct ventus_warp before;
    const size_t rows = VENTUS_INSNS - RISCV_INSN_COUNT;
    size_t fine = 0;
    vkit_memory(DATA, SIZE, SIZE);
    vkit_memory(LOCAL, SIZE, SIZE);
    vkit_memory(PRIVATE, SIZE, SIZE);
    vkit_check();
    for (size_t n = 0; n < often(6000); n++) {
        uint32_t words[6] = {0};
        const size_t at = any_prefix(words);
        const uint64_t word = any_word(n % rows);
        words[at] = (uint32_t)word;
        words[at + 1] = (uint32_t)(word >> 32);
        vkit_make(words, 6);
        vkit.launch.threads = vkit_random() % 4 ? 32 : 16;
        vkit.launch.local = 0x1000;
        vkit.launch.private_base = PRIVATE;
        vkit_start();
        struct ventus_warp *w = &vkit.warps[0];
        any_state(w);
        if (at && vkit_step() != 0)
            continue;
        before = *w;
        const int status = vkit_step();
        assert_true(status == 0 || (status == 1 && vkit.exec.error[0]));
        check_rest(&before, w);
        /* One of memory is void in front of what is no access. */
        if (before.prefix.memory && status == 0 && !ventus_is_access(vkit.effect.op))
            before.prefix = (struct ventus_prefix){.set = false};
        if (status == 0)
            check_written(&before, w, &before.prefix);
        fine += status == 0;
    }
    vkit_free();
    assert_true(fine > often(6000) / 3); /* not all of them are refused */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
