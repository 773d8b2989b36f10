build2/config/reader.o: config/reader.c config/reader.h config/config.h
config/reader.h:
config/config.h:
