build2/analysis/fit_space.o: analysis/fit_space.c analysis/fit_space.h \
 config/config.h
analysis/fit_space.h:
config/config.h:
