build2/analysis/fit_surrogate.o: analysis/fit_surrogate.c \
 analysis/fit_surrogate.h analysis/fit_space.h config/config.h
analysis/fit_surrogate.h:
analysis/fit_space.h:
config/config.h:
