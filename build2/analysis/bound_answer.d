build2/analysis/bound_answer.o: analysis/bound_answer.c \
 analysis/bound_answer.h traces/starts.h timing/graph.h timing/sink.h \
 timing/reason.def traces/store.h functional/diag.h functional/source.h \
 timing/bounds.h timing/costs.h traces/deps.h traces/strings.h \
 traces/region_totals.h analysis/proof_text.h analysis/proven.h \
 functional/text.h host/number.h
analysis/bound_answer.h:
traces/starts.h:
timing/graph.h:
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
analysis/proof_text.h:
analysis/proven.h:
functional/text.h:
host/number.h:
