build2/analysis/sensitivity.o: analysis/sensitivity.c \
 analysis/sensitivity.h config/config.h timing/range.h \
 analysis/utf8_json.h functional/text.h host/number.h
analysis/sensitivity.h:
config/config.h:
timing/range.h:
analysis/utf8_json.h:
functional/text.h:
host/number.h:
