build2/analysis/profile.o: analysis/profile.c analysis/profile.h \
 functional/riscv/image.h functional/source.h timing/sink.h \
 timing/reason.def host/grow.h
analysis/profile.h:
functional/riscv/image.h:
functional/source.h:
timing/sink.h:
timing/reason.def:
host/grow.h:
