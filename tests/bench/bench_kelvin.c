/* Vector instructions of Kelvin a second, by family, without the core around them. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "functional/kelvin/vector.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double millions(const char *name, const struct kelvin_operands *operands)
{
    static struct kelvin_vector_state state;
    static uint8_t bytes[4096];
    struct riscv_memory memory = {bytes, 0, sizeof bytes, NULL};
    struct kelvin_vop op;
    kelvin_vector_decode(kelvin_vector_encode(kelvin_form_find(name, strlen(name)), operands), &op);
    enum { TURNS = 2000000 };
    const double start = seconds();
    for (unsigned i = 0; i < TURNS; i++) {
        uint32_t x[32] = {[5] = 64, [6] = 7 << 7};
        if (kelvin_vector_execute(&state, x, &memory, &op))
            return 0;
    }
    return TURNS / (seconds() - start) * 1e-6;
}

int main(void)
{
    static const struct {
        const char *name;
        struct kelvin_operands operands;
    } rows[] = {
#define ROW(name, t)                                                                               \
    {                                                                                              \
        name,                                                                                      \
        {                                                                                          \
            .at = {                                                                                \
                [KELVIN_VD] = 48,                                                                  \
                [KELVIN_VS] = 0,                                                                   \
                [KELVIN_VT] = 16,                                                                  \
                [KELVIN_VR] = 32,                                                                  \
                [KELVIN_S] = 5,                                                                    \
                [KELVIN_T] = t                                                                     \
            }                                                                                      \
        }                                                                                          \
    }
        ROW("vadd.w.vv", 5),
        ROW("vadd.w.vv.m", 5),
        ROW("vadd.b.vx.m", 5),
        ROW("vsub.h.vv.m", 5),
        ROW("vlt.b.vv.m", 5),
        ROW("vabsd.w.vv.m", 5),
        ROW("vmax.h.vv.m", 5),
        ROW("vadds.b.vv.m", 5),
        ROW("vadds.w.u.vv.m", 5),
        ROW("vhadd.h.r.vv.m", 5),
        ROW("vaddw.h.vv.m", 5),
        ROW("vacc.w.vv.m", 5),
        ROW("vpadd.h.v.m", 5),
        ROW("vxor.vv.m", 5),
        ROW("vrev.w.vv.m", 5),
        ROW("vror.b.vv.m", 5),
        ROW("vclz.w.v.m", 5),
        ROW("vcpop.b.v.m", 5),
        ROW("vsll.b.vv.m", 5),
        ROW("vsra.w.vx.m", 5),
        ROW("vsha.b.r.vv.m", 5),
        ROW("vshl.w.r.vv.m", 5),
        ROW("vsrans.b.r.vx.m", 5),
        ROW("vsraqs.b.r.vx.m", 5),
        ROW("vsraqs.b.vx", 5),
        ROW("vmul.b.vv.m", 5),
        ROW("vmul.w.vv.m", 5),
        ROW("vmuls.h.vv.m", 5),
        ROW("vmulh.w.r.vv.m", 5),
        ROW("vdmulh.w.rn.vv.m", 5),
        ROW("vmulw.w.vv.m", 5),
        ROW("vmacc.h.vv.m", 5),
        ROW("vsel.b.vv.m", 5),
        ROW("vslidevn.b.1.vv.m", 5),
        ROW("vslidehn.b.1.vv.m", 5),
        ROW("vevnodd.b.vv.m", 5),
        ROW("vzip.b.vv.m", 5),
        ROW("vdup.b.x.m", 5),
        ROW("vld.b.x", 5),
        ROW("vld.b.p.xx.m", 5),
        ROW("vld.b.l.xx.m", 5),
        ROW("vst.w.s.xx.m", 5),
        ROW("vstq.b.s.xx.m", 5),
        ROW("aconv.vxv", 6),
        ROW("vdwconv.vxv", 0),
        ROW("vcget", 0),
        ROW("actr.v", 0),
#undef ROW
    };
    printf("%-20s %10s %10s\n", "M instructions/s", "plain", "fastest");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kelvin_vector_select("plain");
        const double plain = millions(rows[i].name, &rows[i].operands);
        kelvin_vector_select(NULL);
        printf("%-20s %10.1f %10.1f\n", rows[i].name, plain,
               millions(rows[i].name, &rows[i].operands));
    }
    return 0;
}
