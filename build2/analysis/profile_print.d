build2/analysis/profile_print.o: analysis/profile_print.c \
 analysis/profile.h functional/riscv/image.h functional/source.h \
 timing/sink.h timing/reason.def analysis/utf8_json.h host/number.h
analysis/profile.h:
functional/riscv/image.h:
functional/source.h:
timing/sink.h:
timing/reason.def:
analysis/utf8_json.h:
host/number.h:
