build2/tests/naive.o: tests/naive.c tests/naive.h timing/machine.h \
 timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/diag.h functional/source.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h timing/run.h functional/init.h timing/account.h \
 timing/charges.h timing/costs.h timing/kernel.h timing/queue.h \
 timing/path.h
tests/naive.h:
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
timing/run.h:
functional/init.h:
timing/account.h:
timing/charges.h:
timing/costs.h:
timing/kernel.h:
timing/queue.h:
timing/path.h:
