build2/timing/range.o: timing/range.c timing/range.h config/config.h
timing/range.h:
config/config.h:
