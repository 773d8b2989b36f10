build2/analysis/sarif.o: analysis/sarif.c analysis/sarif.h \
 analysis/fixes.h timing/machine.h timing/bounds.h timing/graph.h \
 timing/machine_advice.h timing/machine_options.h config/config.h \
 timing/moves.h timing/machine_language.h functional/diag.h \
 functional/source.h functional/vocabulary.h timing/machine_timing.h \
 functional/directive.h timing/sink.h timing/reason.def \
 timing/machine_values.h timing/range.h timing/terms.h \
 analysis/utf8_json.h build2/version.h
analysis/sarif.h:
analysis/fixes.h:
timing/machine.h:
timing/bounds.h:
timing/graph.h:
timing/machine_advice.h:
timing/machine_options.h:
config/config.h:
timing/moves.h:
timing/machine_language.h:
functional/diag.h:
functional/source.h:
functional/vocabulary.h:
timing/machine_timing.h:
functional/directive.h:
timing/sink.h:
timing/reason.def:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
analysis/utf8_json.h:
build2/version.h:
