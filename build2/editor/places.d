build2/editor/places.o: editor/places.c editor/buffer.h editor/document.h \
 editor/study.h library/library.h analysis/dependences.h timing/graph.h \
 traces/starts.h timing/sink.h timing/reason.def traces/store.h \
 functional/diag.h functional/source.h timing/bounds.h timing/costs.h \
 traces/deps.h traces/strings.h traces/region_totals.h \
 analysis/diff_stream.h analysis/exact_bound.h timing/machine.h \
 timing/machine_advice.h timing/machine_options.h config/config.h \
 timing/moves.h timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/machine_values.h \
 timing/range.h timing/terms.h analysis/verdict.h include/takt.h \
 traces/recorder.h traces/sinks.h host/text.h
editor/buffer.h:
editor/document.h:
editor/study.h:
library/library.h:
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
analysis/diff_stream.h:
analysis/exact_bound.h:
timing/machine.h:
timing/machine_advice.h:
timing/machine_options.h:
config/config.h:
timing/moves.h:
timing/machine_language.h:
functional/vocabulary.h:
timing/machine_timing.h:
functional/directive.h:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
analysis/verdict.h:
include/takt.h:
traces/recorder.h:
traces/sinks.h:
host/text.h:
