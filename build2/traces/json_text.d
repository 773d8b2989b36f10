build2/traces/json_text.o: traces/json_text.c traces/json_text.h
traces/json_text.h:
