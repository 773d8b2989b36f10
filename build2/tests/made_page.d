build2/tests/made_page.o: tests/made_page.c tests/made_page.h \
 functional/source.h
tests/made_page.h:
functional/source.h:
