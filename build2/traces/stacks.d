build2/traces/stacks.o: traces/stacks.c traces/stacks.h \
 traces/json_text.h traces/rows.h traces/schema.h build2/version.h
traces/stacks.h:
traces/json_text.h:
traces/rows.h:
traces/schema.h:
build2/version.h:
