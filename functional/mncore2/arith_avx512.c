#include "functional/mncore2/arith_kernels.h"

#ifdef __x86_64__
extern const struct arith_kernels arith_avx512;
const struct arith_kernels arith_avx512 = {.name = "avx512"};
#endif
