build2/tests/brute/brute_random.o: tests/brute/brute_random.c \
 tests/brute/brute_random.h tests/dice.h tests/mncore2/timing_kit.h \
 timing/machine.h timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/diag.h functional/source.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h timing/mncore2/model.h functional/mncore2/program.h \
 functional/mncore2/insn.def functional/mncore2/mv.def timing/memory.h \
 timing/account.h timing/kernel.h timing/queue.h timing/mncore2/stream.h \
 timing/resource.h timing/mncore2/param.def config/host.def \
 timing/mncore2/unit.def timing/mncore2/reason.def \
 timing/mncore2/counter.def
tests/brute/brute_random.h:
tests/dice.h:
tests/mncore2/timing_kit.h:
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
timing/mncore2/model.h:
functional/mncore2/program.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
timing/memory.h:
timing/account.h:
timing/kernel.h:
timing/queue.h:
timing/mncore2/stream.h:
timing/resource.h:
timing/mncore2/param.def:
config/host.def:
timing/mncore2/unit.def:
timing/mncore2/reason.def:
timing/mncore2/counter.def:
