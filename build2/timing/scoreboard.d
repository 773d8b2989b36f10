build2/timing/scoreboard.o: timing/scoreboard.c timing/scoreboard.h \
 timing/producer.h
timing/scoreboard.h:
timing/producer.h:
