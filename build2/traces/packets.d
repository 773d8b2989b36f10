build2/traces/packets.o: traces/packets.c traces/packets.h \
 traces/perfetto.h
traces/packets.h:
traces/perfetto.h:
