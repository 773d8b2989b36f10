# Start-up code as toolchains link it: stack, zeros of .bss, constructors, main; mpause when main
# gives 0, else ebreak.
    .section .init, "ax"
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_end
    la a0, __bss_start
    la a1, __bss_end
1:  bgeu a0, a1, 2f
    sw zero, 0(a0)
    addi a0, a0, 4
    j 1b
2:  la s0, __init_array_start
    la s1, __init_array_end
3:  bgeu s0, s1, 4f
    lw t0, 0(s0)
    jalr t0
    addi s0, s0, 4
    j 3b
4:  li a0, 0
    li a1, 0
    call main
    bnez a0, 5f
    .word 0x08000073
5:  ebreak
    j 5b
    .size _start, . - _start
