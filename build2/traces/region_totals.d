build2/traces/region_totals.o: traces/region_totals.c \
 traces/region_totals.h timing/sink.h timing/reason.def host/grow.h
traces/region_totals.h:
timing/sink.h:
timing/reason.def:
host/grow.h:
