#include "functional/mncore2/arith_kernels.h"

#ifdef __x86_64__
extern const struct arith_kernels arith_avx2;
const struct arith_kernels arith_avx2 = {.name = "avx2"};
#endif
