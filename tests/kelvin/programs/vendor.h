/* Vendor mnemonics in C, one macro a shape, as the vendor's intrinsics have them. Expected values
 * in the programs are the formulas of the instruction reference, written lane by lane. */
#ifndef VENDOR_H
#define VENDOR_H

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;

#define V0(name)            __asm__ volatile(name ::: "memory")
#define V_S(name, x)        __asm__ volatile(name ", %0" ::"r"(x) : "memory")
#define V_P(name, p)        __asm__ volatile(name ", %0" : "+r"(p)::"memory")
#define V_SS(name, x, y)    __asm__ volatile(name ", %0, %1" ::"r"(x), "r"(y) : "memory")
#define V_PS(name, p, y)    __asm__ volatile(name ", %0, %1" : "+r"(p) : "r"(y) : "memory")
#define V_SV(name, x, v)    __asm__ volatile(name ", %0, " v ::"r"(x) : "memory")
#define X_SS(name, d, x, y) __asm__ volatile(name " %0, %1, %2" : "=r"(d) : "r"(x), "r"(y))

/* 128 bytes, whatever the lanes. */
#define LOAD(v, p)  V_S("vld.b.x.m " v, p)
#define STORE(v, p) V_S("vst.b.x.m " v, p)

#ifndef WRONG
#define WRONG 0 /* so many bytes are expected to differ from what is right */
#endif

extern int failed;
void fill(void *bytes, int count, uint32_t seed);
void expect(const void *got, const void *expected, int bytes, int number);

#endif
