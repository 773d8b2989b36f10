build2/analysis/dependences.o: analysis/dependences.c \
 analysis/dependences.h timing/graph.h traces/starts.h timing/sink.h \
 timing/reason.def traces/store.h functional/diag.h functional/source.h \
 timing/bounds.h timing/costs.h traces/deps.h traces/strings.h \
 traces/region_totals.h analysis/utf8_json.h functional/text.h
analysis/dependences.h:
timing/graph.h:
traces/starts.h:
timing/sink.h:
timing/reason.def:
traces/store.h:
functional/diag.h:
functional/source.h:
timing/bounds.h:
timing/costs.h:
traces/deps.h:
traces/strings.h:
traces/region_totals.h:
analysis/utf8_json.h:
functional/text.h:
