/* parse: what the files of the parser share. */
#ifndef TAKT_FUNCTIONAL_LOOPS_PARSE_H
#define TAKT_FUNCTIONAL_LOOPS_PARSE_H

#include "functional/line.h"
#include "functional/loops/program.h"

struct loops_parser {
    struct loops_program *program;
    struct diag_list *diags;
    struct loops_nest nest; /* the one that is open */
    bool open, has_body;
    bool bad; /* an error inside the nest: it is not kept */
    bool memory_out;
};

#define loops_error(line, word, ...) line_error(line, word, "", __VA_ARGS__)

/* words.c */
struct loops_place loops_place(const struct loops_parser *p, const struct line *line);
/* A name that may be given: letters, digits and _, no word of the language. False with an error. */
bool loops_take_name(struct line *line, struct word word, const char *what, char name[LOOPS_NAME]);
/* A number as this type: its bits (of i8 those of i32). False with an error. */
bool loops_take_value(struct line *line, struct word word, enum loops_type type, uint32_t *bits);

/* body.c: the body of the open nest, with all of its rules. */
void loops_parse_body(struct loops_parser *p, struct line *line);

#endif
