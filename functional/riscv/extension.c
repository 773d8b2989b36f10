#include "functional/riscv/extension.h"

#include <stdbool.h>
#include <string.h>

/* OP and OP-IMM of Zba, Zbb, Zbs: funct7 (or the upper seven bits of the immediate), funct3. */
static const char *of_bits(bool immediate, unsigned funct7, unsigned funct3, unsigned rs2)
{
    switch (funct7) {
    case 0x10:
        return !immediate && (funct3 == 2 || funct3 == 4 || funct3 == 6) ? "Zba" : NULL;
    case 0x20: /* andn orn xnor */
        return !immediate && (funct3 == 4 || funct3 == 6 || funct3 == 7) ? "Zbb" : NULL;
    case 0x04: /* zext.h */
        return !immediate && funct3 == 4 && rs2 == 0 ? "Zbb" : NULL;
    case 0x05: /* min minu max maxu */
        return !immediate && funct3 >= 4 ? "Zbb" : NULL;
    case 0x30: /* clz ctz cpop sext.b sext.h; rol; ror, rori */
        return funct3 == 1 || funct3 == 5 ? "Zbb" : NULL;
    case 0x14: /* bset; orc.b */
        return funct3 == 1 ? "Zbs" : immediate && funct3 == 5 && rs2 == 7 ? "Zbb" : NULL;
    case 0x34: /* binv; rev8 */
        return funct3 == 1 ? "Zbs" : immediate && funct3 == 5 && rs2 == 24 ? "Zbb" : NULL;
    case 0x24: /* bclr bext */
        return funct3 == 1 || funct3 == 5 ? "Zbs" : NULL;
    default:
        return NULL;
    }
}

const char *riscv_extension_of(uint32_t word)
{
    const unsigned funct3 = word >> 12 & 7, format = word >> 25 & 3;
    switch (word & 0x7f) {
    case 0x07: /* loads, stores */
    case 0x27:
        return funct3 == 2 ? "F" : funct3 == 3 ? "D" : funct3 == 0 || funct3 >= 5 ? "V" : NULL;
    case 0x43: /* fmadd to fnmadd; arithmetic */
    case 0x47:
    case 0x4b:
    case 0x4f:
    case 0x53:
        return format == 0 ? "F" : format == 1 ? "D" : NULL;
    case 0x57:
        return "V";
    case 0x2f:
        return funct3 == 2 ? "A" : NULL;
    case 0x13:
    case 0x33:
        return of_bits((word & 0x7f) == 0x13, word >> 25, funct3, word >> 20 & 31);
    default:
        return NULL;
    }
}

/* A name that ends with * is a prefix. */
static const struct {
    const char *extension, *names;
} rows[] = {
    {"C", "c.*"},
    {"A", "lr.w* sc.w* amo*"},
    {"Zba", "sh1add sh2add sh3add"},
    {"Zbb", "andn orn xnor clz ctz cpop max maxu min minu sext.b sext.h zext.h rol ror rori orc.b "
            "rev8"},
    {"Zbs", "bclr bclri bext bexti binv binvi bset bseti"},
    {"D",
     "fld fsd fadd.d fsub.d fmul.d fdiv.d fsqrt.d fcvt.d.* fmadd.d fmsub.d fnmadd.d "
     "fnmsub.d fsgnj.d fsgnjn.d fsgnjx.d fmin.d fmax.d feq.d flt.d fle.d fclass.d fneg.d fabs.d "
     "fmv.d fcvt.s.d fcvt.w.d fcvt.wu.d"},
    {"F",
     "flw fsw fadd.s fsub.s fmul.s fdiv.s fsqrt.s fsgnj* fmin.s fmax.s fcvt.* fmv.* feq.s flt.s "
     "fle.s fclass.s fmadd.s fmsub.s fnmadd.s fnmsub.s fneg.s fabs.s frcsr fscsr frrm fsrm "
     "frflags fsflags"},
    {"V", "vset* vle8.v vle16.v vle32.v vle64.v vse8.v vse16.v vse32.v vse64.v vlse* vsse* vl1r* "
          "vs1r.v vluxei* vloxei* vfadd* vfmul* vfmacc* vmv.v.x vmv.v.i vmv.x.s vmv.s.x vredsum* "
          "vadd.vv vadd.vx vadd.vi vsub.vv vsub.vx vmul.vv vmul.vx vmacc.vv vmacc.vx vsll.vv "
          "vsll.vi vsrl.vv vsrl.vi vsra.vv vsra.vi vwmul* vwmacc* vwadd* vnsr* vand.vi vor.vi "
          "vxor.vi vmseq* vmsne* vmslt* vrgather* vslideup* vslidedown* vid.v"},
};

static bool is_in(const char *names, const char *mnemonic, size_t length)
{
    while (*names) {
        const size_t size = strcspn(names, " ");
        const bool begins = names[size - 1] == '*';
        const size_t bytes = size - begins;
        if ((begins ? length >= bytes : length == bytes) && memcmp(names, mnemonic, bytes) == 0)
            return true;
        names += size + (names[size] == ' ');
    }
    return false;
}

const char *riscv_extension_named(const char *mnemonic, size_t length)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_in(rows[i].names, mnemonic, length))
            return rows[i].extension;
    return NULL;
}
