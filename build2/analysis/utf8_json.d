build2/analysis/utf8_json.o: analysis/utf8_json.c analysis/utf8_json.h \
 traces/json_text.h
analysis/utf8_json.h:
traces/json_text.h:
