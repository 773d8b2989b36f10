/*
 * insn: one instruction word and what it means.
 *
 *   word --ventus_decode--> struct ventus_op --ventus_exec_step (exec.h)--> registers and memory
 *
 * Register numbers are those of the word: a REGEXT before it puts three bits in front of each. An
 * operand that a form does not have is 0.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_INSN_H
#define TAKT_FUNCTIONAL_VENTUS_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functional/riscv/insn.h"

enum ventus_insn_id {
    VENTUS_FIRST = RISCV_INSN_COUNT - 1, /* those below are of functional/riscv */
#define INSN(id, name, match, mask, form, body) VENTUS_##id,
#include "functional/ventus/insn.def"
    VENTUS_INSNS
};

/* Operands, as they are written. d, 1, 2, 3: registers of the fields rd, rs1, rs2, rs3. */
enum ventus_form {
    FORM_RISCV,             /* those of functional/riscv */
    FORM_R,                 /* xd, x1, x2 */
    FORM_R1,                /* xd, x1 */
    FORM_AMO,               /* xd, x2, (x1) */
    FORM_LR,                /* xd, (x1) */
    FORM_AMO64,             /* the same with a pair as the address */
    FORM_LR64,              /* */
    FORM_RW,                /* pairs */
    FORM_IW,                /* */
    FORM_SHIFTW,            /* */
    FORM_LOAD64,            /* xd, imm(x1 pair) */
    FORM_STORE64,           /* x2, imm(x1 pair) */
    FORM_FR,                /* xd, x1, x2, rounding */
    FORM_FR1,               /* xd, x1, rounding */
    FORM_FR4,               /* xd, x1, x2, x3, rounding */
    FORM_FMVWX,             /* fd, x1 */
    FORM_FMVXW,             /* xd, f1 */
    FORM_SCALARS,           /* those above are scalar */
    FORM_VV = FORM_SCALARS, /* vd, v2, v1 */
    FORM_VX,                /* vd, v2, x1 */
    FORM_VI,                /* vd, v2, imm */
    FORM_VU,                /* vd, v2, unsigned imm */
    FORM_V,                 /* vd, v2 */
    FORM_VID,               /* vd */
    FORM_MM,                /* vd, v2, v1 */
    FORM_MVV,               /* vd, v1 */
    FORM_MVX,               /* vd, x1 */
    FORM_MVI,               /* vd, imm */
    FORM_MVXS,              /* xd, v2 */
    FORM_VVM,               /* vd, v2, v1, v0 */
    FORM_VXM,               /* vd, v2, x1, v0 */
    FORM_VIM,               /* vd, v2, imm, v0 */
    FORM_VADD12,            /* vd, v1, imm */
    FORM_MMA,               /* vd, v1, v2 */
    FORM_MMA64,             /* vd, v1, v2, v3, options */
    FORM_VV64,              /* vd, v2, v1, options */
    FORM_VX64,              /* vd, v2, x1, options */
    FORM_VI64,              /* vd, v2, imm, options */
    FORM_VBRANCH,           /* v2, v1, target */
    FORM_JOIN,
    FORM_SETRPC,  /* xd, x1, imm */
    FORM_REGEXT,  /* imm */
    FORM_PREFIX,  /* imm, options */
    FORM_PREFIXM, /* imm, hint, options */
    FORM_ENDPRG,
    FORM_BARRIER, /* imm */
    FORM_DMA_BARRIER,
    FORM_VLOAD,  /* vd, imm(v1) */
    FORM_VSTORE, /* v2, imm(v1) */
    FORM_PLOAD,  /* the same in private memory */
    FORM_PSTORE,
    FORM_GLOAD, /* in global memory */
    FORM_GSTORE,
    FORM_LLOAD, /* in local memory */
    FORM_LSTORE,
    FORM_DLOAD, /* with addresses of 64 bits in pairs */
    FORM_DSTORE,
    FORM_DMA,        /* v1, v2, vd: destinations, sources, bytes that are given */
    FORM_DMA_BULK,   /* x1, x2, xd: destination, source, bytes */
    FORM_DMA_TENSOR, /* v1, v2, xd: tensor, box, destination */
    FORM_VLE,        /* vd, (x1) */
    FORM_VSE,        /* vd, (x1) */
    FORM_VLSE,       /* vd, (x1), x2 */
    FORM_VSSE,
    FORM_VLX, /* vd, (x1), v2 */
    FORM_VSX,
    FORM_VSETVLI,  /* xd, x1, type */
    FORM_VSETIVLI, /* xd, imm, type */
    FORM_VSETVL,   /* xd, x1, x2 */
    VENTUS_FORMS
};

enum ventus_body {
    /* Scalars. */
    BODY_RISCV,
    BODY_LOAD_B,
    BODY_LOAD_H,
    BODY_LOAD_W,
    BODY_LOAD_BU,
    BODY_LOAD_HU,
    BODY_STORE_B,
    BODY_STORE_H,
    BODY_STORE_W,
    BODY_ADD,
    BODY_XOR,
    BODY_OR,
    BODY_AND,
    BODY_LR,
    BODY_SC,
    BODY_SWAP,
    BODY_MIN,
    BODY_MAX,
    BODY_MINU,
    BODY_MAXU,
    BODY_ADD64,
    BODY_SUB64,
    BODY_SLL64,
    BODY_SRL64,
    BODY_SRA64,
    BODY_FADD,
    BODY_FSUB,
    BODY_FMUL,
    BODY_FDIV,
    BODY_FSQRT,
    BODY_FSGNJ,
    BODY_FSGNJN,
    BODY_FSGNJX,
    BODY_FMIN,
    BODY_FMAX,
    BODY_FLE,
    BODY_FLT,
    BODY_FEQ,
    BODY_FCVT_W,
    BODY_FCVT_WU,
    BODY_FCVT_SW,
    BODY_FCVT_SWU,
    BODY_FCLASS,
    BODY_FMADD,
    BODY_FMSUB,
    BODY_FNMSUB,
    BODY_FNMADD,
    BODY_FMV,
    /* Threads and tasks. */
    BODY_VBEQ,
    BODY_VBNE,
    BODY_VBLT,
    BODY_VBGE,
    BODY_VBLTU,
    BODY_VBGEU,
    BODY_JOIN,
    BODY_SETRPC,
    BODY_REGEXT,
    BODY_REGEXTI,
    BODY_PREFIX,
    BODY_PREFIXI,
    BODY_PREFIXM,
    BODY_ENDPRG,
    BODY_BARRIER,
    BODY_BARRIERSUB,
    BODY_DMA,
    BODY_DMA_BULK,
    BODY_DMA_TENSOR,
    BODY_DMA_BARRIER,
    BODY_VSETVLI,
    BODY_VSETIVLI,
    BODY_VSETVL,
    /* Lanes. */
    BODY_VADD,
    BODY_VSUB,
    BODY_VRSUB,
    BODY_VMINU,
    BODY_VMIN,
    BODY_VMAXU,
    BODY_VMAX,
    BODY_VAND,
    BODY_VOR,
    BODY_VXOR,
    BODY_VSLL,
    BODY_VSRL,
    BODY_VSRA,
    BODY_VMSEQ,
    BODY_VMSNE,
    BODY_VMSLTU,
    BODY_VMSLT,
    BODY_VMSLEU,
    BODY_VMSLE,
    BODY_VMSGTU,
    BODY_VMSGT,
    BODY_VSADDU,
    BODY_VSADD,
    BODY_VSSUBU,
    BODY_VSSUB,
    BODY_VSMUL,
    BODY_VSSRL,
    BODY_VSSRA,
    BODY_VAADDU,
    BODY_VAADD,
    BODY_VASUBU,
    BODY_VASUB,
    BODY_VDIVU,
    BODY_VDIV,
    BODY_VREMU,
    BODY_VREM,
    BODY_VMULHU,
    BODY_VMUL,
    BODY_VMULHSU,
    BODY_VMULH,
    BODY_VMADD,
    BODY_VNMSUB,
    BODY_VMACC,
    BODY_VNMSAC,
    BODY_VMV,
    BODY_VMERGE,
    BODY_VADC,
    BODY_VMADC,
    BODY_VSBC,
    BODY_VMSBC,
    BODY_VZEXT4,
    BODY_VSEXT4,
    BODY_VZEXT2,
    BODY_VSEXT2,
    BODY_VID,
    BODY_VMV_XS,
    BODY_VMANDN,
    BODY_VMAND,
    BODY_VMOR,
    BODY_VMXOR,
    BODY_VMORN,
    BODY_VMNAND,
    BODY_VMNOR,
    BODY_VMXNOR,
    BODY_VWADDU,
    BODY_VWADD,
    BODY_VWSUBU,
    BODY_VWSUB,
    BODY_VWADDU_W,
    BODY_VWADD_W,
    BODY_VWSUBU_W,
    BODY_VWSUB_W,
    BODY_VWMULU,
    BODY_VWMULSU,
    BODY_VWMUL,
    BODY_VWMACCU,
    BODY_VWMACC,
    BODY_VWMACCUS,
    BODY_VWMACCSU,
    BODY_VFADD,
    BODY_VFSUB,
    BODY_VFMIN,
    BODY_VFMAX,
    BODY_VFSGNJ,
    BODY_VFSGNJN,
    BODY_VFSGNJX,
    BODY_VMFEQ,
    BODY_VMFLE,
    BODY_VMFLT,
    BODY_VMFNE,
    BODY_VMFGT,
    BODY_VMFGE,
    BODY_VFDIV,
    BODY_VFRDIV,
    BODY_VFMUL,
    BODY_VFRSUB,
    BODY_VFMADD,
    BODY_VFNMADD,
    BODY_VFMSUB,
    BODY_VFNMSUB,
    BODY_VFMACC,
    BODY_VFNMACC,
    BODY_VFMSAC,
    BODY_VFNMSAC,
    BODY_VFCVT_XU,
    BODY_VFCVT_X,
    BODY_VFCVT_FXU,
    BODY_VFCVT_FX,
    BODY_VFCVT_RTZ_XU,
    BODY_VFCVT_RTZ_X,
    BODY_VFSQRT,
    BODY_VFRSQRT7,
    BODY_VFREC7,
    BODY_VFCLASS,
    BODY_VFEXP,
    BODY_VFTTA,
    BODY_MMA,
    VENTUS_BODIES
};

/* match and mask: the low half is the first word, the high half the second one. */
struct ventus_insn {
    const char *name;
    uint64_t match, mask;
    uint8_t form, body;
};

/* From VENTUS_FIRST + 1 on. */
extern const struct ventus_insn ventus_insns[VENTUS_INSNS - RISCV_INSN_COUNT];

#define VENTUS_NO_INSN UINT16_MAX

struct ventus_op {
    uint32_t word, high; /* high: the second word of an instruction of 64 bits */
    int32_t imm;         /* of functional/riscv's as there */
    uint16_t insn;       /* enum riscv_insn, enum ventus_insn_id, or VENTUS_NO_INSN */
    uint8_t form, body;
    uint8_t rd, rs1, rs2, rs3;
    uint8_t rounding; /* of scalar floats: as in the word, 7 = that of the register */
    bool masked;      /* by v0 */
};

/* next: the word behind it, or NULL. False: no instruction; op->insn is VENTUS_NO_INSN. */
bool ventus_decode(uint32_t word, const uint32_t *next, struct ventus_op *op);
/* count words of little-endian code. The second word of an instruction is VENTUS_NO_INSN. */
void ventus_decode_all(const uint8_t *code, size_t count, struct ventus_op *ops);

/* Bytes of an instruction, by its first word. */
static inline uint32_t ventus_size(uint32_t word)
{
    return (word & 0x7f) == 0x3f ? 8 : 4;
}

/* Words behind the operands that set bits of an instruction: option.def. */
struct ventus_option {
    uint8_t form;
    const char *word;
    uint64_t mask, value;
};
extern const struct ventus_option ventus_options[];
extern const size_t ventus_option_count;

static inline bool ventus_is_vector(const struct ventus_op *op)
{
    return op->form >= FORM_SCALARS;
}

/* Of functional/riscv: all but calls of a supervisor. */
#define VENTUS_EXTENSIONS (RISCV_EXT_I | RISCV_EXT_M | RISCV_EXT_ZICSR)

/* The name of a control register, or NULL. */
const char *ventus_csr_name(uint32_t csr);

#endif
