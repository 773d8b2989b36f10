/* What is found without a run always ends one, and the other way round: random instructions after
 * random prefixes, against the executor. Programs as text: tests/cases/ventus/illegal.case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "functional/ventus/illegal.h"
#include "functional/ventus/work.h"
#include "tests/often.h"
#include "tests/ventus/vkit.h"

enum { ROUNDS = 400000 };

/* Of what values, memory or other warps decide. */
static bool depends(const char *sentence)
{
    static const char *const parts[] = {
        "no buffer is",      "which is not a multiple", "local memory",
        "cp_dma_tensor: ",   "bytes are given",         "no code at",
        "a scalar register", "is not an instruction",   "no warp of the",
        "cp_dma_tensor to",  "cp_dma_bulk of no",       "beyond the local"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(sentence, parts[i]))
            return true;
    return false;
}

static uint64_t draw_word(void)
{
    const size_t row = vkit_random() % (VENTUS_INSNS - RISCV_INSN_COUNT + 8);
    if (row >= VENTUS_INSNS - RISCV_INSN_COUNT) /* ld, csrrw, ecall and other scalars */
        return (vkit_random() & 0xffffff80) | (row & 1 ? 0x73 : vkit_random() & 1 ? 0x33 : 0x03);
    return (vkit_random() & ~ventus_insns[row].mask) | ventus_insns[row].match;
}

static uint32_t draw_prefix(void)
{
    for (;;) {
        struct ventus_op op;
        const uint64_t word = draw_word();
        if (ventus_decode((uint32_t)word, NULL, &op) && op.form >= FORM_REGEXT &&
            op.form <= FORM_PREFIXM)
            return (uint32_t)word;
    }
}

static void the_executor_agrees(void **state)
{
    static const struct {
        uint32_t vtype;
        uint8_t kind;
    } types[] = {
        {0xd0, VENTUS_VTYPE_ONE}, {0xd1, VENTUS_VTYPE_TWO}, {0x80000000, VENTUS_VTYPE_OTHER}};
    size_t found = 0, fine = 0;
    (void)state;
    for (size_t round = 0; round < often(ROUNDS); round++) {
        const uint64_t word = draw_word();
        const uint32_t words[] = {draw_prefix(), (uint32_t)word, (uint32_t)(word >> 32)};
        const size_t from = vkit_random() & 1, type = vkit_random() % 3;
        vkit_make(words + from, 3 - from);
        vkit.launch.threads = vkit_random() & 1 ? 32 : 16;
        vkit_start();
        vkit.warps[0].vtype = types[type].vtype;
        const struct ventus_op *op = &vkit.ops[1 - from];
        const struct ventus_prefix prefix =
            from ? (struct ventus_prefix){.set = false} : ventus_prefix_of(&vkit.ops[0]);
        if (op->insn == VENTUS_NO_INSN)
            continue;
        if (!from)
            assert_int_equal(vkit_step(), 0);
        const char *sentence =
            ventus_op_illegal(op, &prefix, types[type].kind, vkit.launch.threads);
        const int status = vkit_step();
        if (sentence && status == 0)
            fail_msg("0x%016llx behind 0x%08x: %s, and it is executed", (unsigned long long)word,
                     from ? 0 : words[0], sentence);
        if (!sentence && status != 0 && !depends(vkit.exec.error))
            fail_msg("0x%016llx behind 0x%08x: not found: %s", (unsigned long long)word,
                     from ? 0 : words[0], vkit.exec.error);
        found += sentence != NULL;
        fine += status == 0;
    }
    assert_true(found > often(ROUNDS) / 20 && fine > often(ROUNDS) / 20);
    vkit_free();
}

/* All control registers, read and written. */
static void control_registers(void **state)
{
    (void)state;
    for (uint32_t csr = 0; csr < 4096; csr++)
        for (uint32_t f3 = 1; f3 < 8; f3++)
            for (uint32_t rs1 = 0; rs1 < 2; rs1++) {
                const struct ventus_prefix none = {.set = false};
                const uint32_t word = csr << 20 | rs1 << 15 | f3 << 12 | 5 << 7 | 0x73;
                if (f3 == 4)
                    continue;
                vkit_make(&word, 1);
                const char *sentence = ventus_op_illegal(vkit.ops, &none, VENTUS_VTYPE_ONE, 8);
                assert_int_equal(sentence != NULL, vkit_step() != 0);
            }
    vkit_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_executor_agrees),
        cmocka_unit_test(control_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
