build2/config/joint.o: config/joint.c config/reader.h config/config.h
config/reader.h:
config/config.h:
