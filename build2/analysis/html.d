build2/analysis/html.o: analysis/html.c analysis/html.h config/embed.h \
 traces/json_text.h traces/schema.h build2/version.h
analysis/html.h:
config/embed.h:
traces/json_text.h:
traces/schema.h:
build2/version.h:
