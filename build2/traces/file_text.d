build2/traces/file_text.o: traces/file_text.c traces/file_text.h \
 traces/rows.h traces/trace.h timing/sink.h timing/reason.def
traces/file_text.h:
traces/rows.h:
traces/trace.h:
timing/sink.h:
timing/reason.def:
