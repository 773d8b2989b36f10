build2/functional/loops/exec.o: functional/loops/exec.c \
 functional/loops/exec.h functional/init.h functional/loops/traverse.h \
 functional/loops/generate.h functional/loops/program.h functional/diag.h \
 functional/source.h functional/loops/op.def functional/place.h \
 functional/loops/arith.h host/hash.h
functional/loops/exec.h:
functional/init.h:
functional/loops/traverse.h:
functional/loops/generate.h:
functional/loops/program.h:
functional/diag.h:
functional/source.h:
functional/loops/op.def:
functional/place.h:
functional/loops/arith.h:
host/hash.h:
