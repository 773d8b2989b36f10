build2/timing/mncore2/check.o: timing/mncore2/check.c \
 timing/mncore2/check.h config/config.h functional/diag.h \
 functional/source.h functional/mncore2/program.h \
 functional/mncore2/insn.def functional/mncore2/mv.def \
 timing/mncore2/hazard.h functional/mncore2/effect.h \
 timing/mncore2/hazard.def host/big_memory.h timing/mncore2/check_race.h \
 timing/mncore2/meets.h timing/mncore2/check_use.h \
 timing/mncore2/finding.h timing/mncore2/model.h timing/memory.h \
 timing/account.h timing/sink.h timing/reason.def timing/kernel.h \
 timing/queue.h timing/mncore2/stream.h timing/resource.h \
 timing/mncore2/param.def config/host.def timing/mncore2/unit.def \
 timing/mncore2/reason.def timing/mncore2/counter.def
timing/mncore2/check.h:
config/config.h:
functional/diag.h:
functional/source.h:
functional/mncore2/program.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
timing/mncore2/hazard.h:
functional/mncore2/effect.h:
timing/mncore2/hazard.def:
host/big_memory.h:
timing/mncore2/check_race.h:
timing/mncore2/meets.h:
timing/mncore2/check_use.h:
timing/mncore2/finding.h:
timing/mncore2/model.h:
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
