build2/analysis/app_html.o: analysis/app_html.c analysis/app_answer.h \
 analysis/app_time.h analysis/app_turn.h analysis/app.h functional/diag.h \
 functional/source.h timing/machine.h timing/bounds.h timing/graph.h \
 timing/machine_advice.h timing/machine_options.h config/config.h \
 timing/moves.h timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/sink.h \
 timing/reason.def timing/machine_values.h timing/range.h timing/terms.h \
 timing/memory_state.h timing/memory.h timing/account.h timing/kernel.h \
 timing/queue.h analysis/html.h host/number.h
analysis/app_answer.h:
analysis/app_time.h:
analysis/app_turn.h:
analysis/app.h:
functional/diag.h:
functional/source.h:
timing/machine.h:
timing/bounds.h:
timing/graph.h:
timing/machine_advice.h:
timing/machine_options.h:
config/config.h:
timing/moves.h:
timing/machine_language.h:
functional/vocabulary.h:
timing/machine_timing.h:
functional/directive.h:
timing/sink.h:
timing/reason.def:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
timing/memory_state.h:
timing/memory.h:
timing/account.h:
timing/kernel.h:
timing/queue.h:
analysis/html.h:
host/number.h:
