build2/analysis/page_tables.o: analysis/page_tables.c analysis/answer.h \
 host/number.h analysis/html.h analysis/page.h analysis/page_part.h \
 traces/store.h functional/diag.h functional/source.h timing/bounds.h \
 timing/graph.h timing/costs.h timing/sink.h timing/reason.def \
 traces/deps.h traces/strings.h traces/region_totals.h \
 analysis/questions.h analysis/units.h timing/terms.h traces/file_text.h \
 traces/rows.h traces/trace.h
analysis/answer.h:
host/number.h:
analysis/html.h:
analysis/page.h:
analysis/page_part.h:
traces/store.h:
functional/diag.h:
functional/source.h:
timing/bounds.h:
timing/graph.h:
timing/costs.h:
timing/sink.h:
timing/reason.def:
traces/deps.h:
traces/strings.h:
traces/region_totals.h:
analysis/questions.h:
analysis/units.h:
timing/terms.h:
traces/file_text.h:
traces/rows.h:
traces/trace.h:
