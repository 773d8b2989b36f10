build2/analysis/why_chain.o: analysis/why_chain.c analysis/why_chain.h \
 functional/text.h traces/rows.h analysis/utf8_json.h timing/terms.h \
 traces/trace.h timing/sink.h timing/reason.def
analysis/why_chain.h:
functional/text.h:
traces/rows.h:
analysis/utf8_json.h:
timing/terms.h:
traces/trace.h:
timing/sink.h:
timing/reason.def:
