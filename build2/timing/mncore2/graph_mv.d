build2/timing/mncore2/graph_mv.o: timing/mncore2/graph_mv.c \
 timing/mncore2/graph_mv.h timing/graph.h timing/mncore2/model.h \
 config/config.h functional/mncore2/program.h functional/diag.h \
 functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def timing/memory.h timing/account.h timing/sink.h \
 timing/reason.def timing/kernel.h timing/queue.h timing/mncore2/stream.h \
 timing/resource.h timing/mncore2/param.def config/host.def \
 timing/mncore2/unit.def timing/mncore2/reason.def \
 timing/mncore2/counter.def
timing/mncore2/graph_mv.h:
timing/graph.h:
timing/mncore2/model.h:
config/config.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
timing/memory.h:
timing/account.h:
timing/sink.h:
timing/reason.def:
timing/kernel.h:
timing/queue.h:
timing/mncore2/stream.h:
timing/resource.h:
timing/mncore2/param.def:
config/host.def:
timing/mncore2/unit.def:
timing/mncore2/reason.def:
timing/mncore2/counter.def:
