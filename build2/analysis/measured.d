build2/analysis/measured.o: analysis/measured.c analysis/measured.h \
 timing/sink.h timing/reason.def functional/source.h host/grow.h
analysis/measured.h:
timing/sink.h:
timing/reason.def:
functional/source.h:
host/grow.h:
