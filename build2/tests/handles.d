build2/tests/handles.o: tests/handles.c tests/handles.h include/takt.h \
 tests/takt_process.h
tests/handles.h:
include/takt.h:
tests/takt_process.h:
