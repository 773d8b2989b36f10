/*
 * extension: words and mnemonics of other RISC-V cores have the extension that they are of.
 *
 * The words are those of GNU as 2.39 for -march=rv32imafdv_zba_zbb_zbs, registers a0 to a3, fa0 to
 * fa3 and v0 to v2; which extension has an instruction says the RISC-V manual.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "functional/riscv/extension.h"

static const struct {
    uint32_t word;
    const char *mnemonic, *extension; /* NULL: of RV32IM */
} rows[] = {
    {0x20c5a533, "sh1add", "Zba"}, {0x20c5c533, "sh2add", "Zba"}, {0x20c5e533, "sh3add", "Zba"},
    {0x40c5f533, "andn", "Zbb"},   {0x40c5e533, "orn", "Zbb"},    {0x40c5c533, "xnor", "Zbb"},
    {0x0805c533, "zext.h", "Zbb"}, {0x0ac5c533, "min", "Zbb"},    {0x0ac5f533, "maxu", "Zbb"},
    {0x60059513, "clz", "Zbb"},    {0x60459513, "sext.b", "Zbb"}, {0x60c59533, "rol", "Zbb"},
    {0x60c5d533, "ror", "Zbb"},    {0x6035d513, "rori", "Zbb"},   {0x2875d513, "orc.b", "Zbb"},
    {0x6985d513, "rev8", "Zbb"},   {0x28c59533, "bset", "Zbs"},   {0x28359513, "bseti", "Zbs"},
    {0x68c59533, "binv", "Zbs"},   {0x68359513, "binvi", "Zbs"},  {0x48c59533, "bclr", "Zbs"},
    {0x48359513, "bclri", "Zbs"},  {0x48c5d533, "bext", "Zbs"},   {0x4835d513, "bexti", "Zbs"},
    {0x0005a507, "flw", "F"},      {0x00a5a027, "fsw", "F"},      {0x0005b507, "fld", "D"},
    {0x00a5b027, "fsd", "D"},      {0x68c5f543, "fmadd.s", "F"},  {0x6ac5f54b, "fnmsub.d", "D"},
    {0x00c5f553, "fadd.s", "F"},   {0x02c5f553, "fadd.d", "D"},   {0x02058007, "vle8.v", "V"},
    {0x0205d007, "vle16.v", "V"},  {0x0205e027, "vse32.v", "V"},  {0x02110057, "vadd.vv", "V"},
    {0x0105f557, "vsetvli", "V"},  {0x1005a52f, "lr.w", "A"},     {0x00b6252f, "amoadd.w", "A"},
    {0x00c58533, "add", NULL},     {0x00359513, "slli", NULL},    {0x4035d513, "srai", NULL},
    {0x40c58533, "sub", NULL},     {0x02c58533, "mul", NULL},
};

static void words_and_mnemonics(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const found[] = {
            riscv_extension_of(rows[i].word),
            riscv_extension_named(rows[i].mnemonic, strlen(rows[i].mnemonic))};
        for (size_t k = 0; k < 2; k++)
            if (!rows[i].extension != !found[k] ||
                (found[k] && strcmp(found[k], rows[i].extension) != 0))
                fail_msg("%s %s: %s", k ? "mnemonic" : "word", rows[i].mnemonic,
                         found[k] ? found[k] : "none");
    }
}

/* The same but for the source register or field that makes it another instruction, or none. */
static void words_beside_them(void **state)
{
    (void)state;
    static const uint32_t none[] = {0x0815c533, /* zext.h has rs2 0 */
                                    0x2865d513, /* orc.b has 7 there */
                                    0x6995d513, /* rev8 24 */
                                    0x20c5b533, /* sh1add with funct3 3 */
                                    0x0ac5b533, /* min and max have funct3 4 to 7 */
                                    0x60c5a533, /* rol and ror 1 and 5 */
                                    0x48c5a533, /* bclr and bext 1 and 5 */
                                    0x20c5a513, /* sh1add is of registers */
                                    0x40c5f513, /* andn, too */
                                    0x0005c507, /* a load of width 4 */
                                    0x06c5f553, /* neither single nor double */
                                    0x00b6352f, /* amoadd.d is of RV64 */
                                    0x0000007f};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (riscv_extension_of(none[i]))
            fail_msg("0x%08x: %s", none[i], riscv_extension_of(none[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_mnemonics),
        cmocka_unit_test(words_beside_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
