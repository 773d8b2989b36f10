build2/analysis/page.o: analysis/page.c analysis/page.h analysis/html.h \
 analysis/page_data.h analysis/page_part.h traces/store.h \
 functional/diag.h functional/source.h timing/bounds.h timing/graph.h \
 timing/costs.h timing/sink.h timing/reason.def traces/deps.h \
 traces/strings.h traces/region_totals.h host/text.h traces/rows.h \
 traces/store_read.h traces/trace.h
analysis/page.h:
analysis/html.h:
analysis/page_data.h:
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
host/text.h:
traces/rows.h:
traces/store_read.h:
traces/trace.h:
