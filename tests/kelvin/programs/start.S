# Start-up code as the vendor's: its section ._init, names of its linker script. mpause when main
# gives 0, else ebreak.
    .section ._init, "ax"
    .balign 4
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la gp, _global_pointer
    .option pop
    la sp, __stack_end__
    la t0, __bss_start__
    la t1, __bss_end__
    bgeu t0, t1, .Lcleared
.Lclear:
    sw zero, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, .Lclear
.Lcleared:
    la s0, __init_array_start__
    la s1, __init_array_end__
1:  bgeu s0, s1, 2f
    lw t0, 0(s0)
    jalr ra, t0, 0
    addi s0, s0, 4
    j 1b
2:  li a0, 0
    li a1, 0
    call main
    la t0, _ret
    sw a0, 0(t0)
    bnez a0, 3f
    .word 0x08000073
3:  ebreak
    .size _start, . - _start
