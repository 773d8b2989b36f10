build2/analysis/diff_stream.o: analysis/diff_stream.c \
 analysis/diff_stream.h timing/sink.h timing/reason.def host/grow.h
analysis/diff_stream.h:
timing/sink.h:
timing/reason.def:
host/grow.h:
