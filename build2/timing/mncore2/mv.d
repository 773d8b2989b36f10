build2/timing/mncore2/mv.o: timing/mncore2/mv.c timing/mncore2/mv.h \
 timing/unit_event.h timing/kernel.h timing/queue.h timing/sink.h \
 timing/reason.def timing/memory.h timing/account.h \
 timing/mncore2/model.h config/config.h functional/mncore2/program.h \
 functional/diag.h functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def timing/mncore2/stream.h timing/resource.h \
 timing/mncore2/param.def config/host.def timing/mncore2/unit.def \
 timing/mncore2/reason.def timing/mncore2/counter.def timing/path.h \
 timing/mncore2/mv_dram.h timing/producer.h
timing/mncore2/mv.h:
timing/unit_event.h:
timing/kernel.h:
timing/queue.h:
timing/sink.h:
timing/reason.def:
timing/memory.h:
timing/account.h:
timing/mncore2/model.h:
config/config.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
timing/mncore2/stream.h:
timing/resource.h:
timing/mncore2/param.def:
config/host.def:
timing/mncore2/unit.def:
timing/mncore2/reason.def:
timing/mncore2/counter.def:
timing/path.h:
timing/mncore2/mv_dram.h:
timing/producer.h:
