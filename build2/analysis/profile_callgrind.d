build2/analysis/profile_callgrind.o: analysis/profile_callgrind.c \
 analysis/profile.h functional/riscv/image.h functional/source.h \
 timing/sink.h timing/reason.def
analysis/profile.h:
functional/riscv/image.h:
functional/source.h:
timing/sink.h:
timing/reason.def:
