build2/tests/kelvin/table.o: tests/kelvin/table.c tests/kelvin/table.h \
 config/embed.h
tests/kelvin/table.h:
config/embed.h:
