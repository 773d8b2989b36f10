build2/config/config.o: config/config.c config/reader.h config/config.h \
 host/hash.h host/suggest.h
config/reader.h:
config/config.h:
host/hash.h:
host/suggest.h:
