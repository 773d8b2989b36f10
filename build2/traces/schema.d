build2/traces/schema.o: traces/schema.c traces/schema.h build2/version.h \
 config/embed.h traces/edges.h timing/sink.h timing/reason.def \
 traces/rows.h
traces/schema.h:
build2/version.h:
config/embed.h:
traces/edges.h:
timing/sink.h:
timing/reason.def:
traces/rows.h:
