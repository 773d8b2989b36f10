/* parse: internal header of the parser. */
#ifndef TAKT_FUNCTIONAL_LOOPS_PARSE_H
#define TAKT_FUNCTIONAL_LOOPS_PARSE_H

#include "functional/line.h"
#include "functional/loops/program.h"

struct loops_parser {
    struct loops_program *program;
    struct diag_list *diags;
    struct loops_nest nest; /* the open nest */
    bool open, has_body;
    bool bad; /* an error inside the nest: it is dropped */
    bool memory_out;
};

#define loops_error(line, word, ...) line_error(line, word, "", __VA_ARGS__)

/* words.c */
struct loops_place loops_place(const struct loops_parser *p, const struct line *line);
/* A new name: letters, digits and _, not a keyword. False after an error. */
bool loops_take_name(struct line *line, struct word word, const char *what, char name[LOOPS_NAME]);
/* A number as the bits of this type (i8: those of i32). False after an error. */
bool loops_take_value(struct line *line, struct word word, enum loops_type type, uint32_t *bits);

/* body.c: the body of the open nest, with all its rules. */
void loops_parse_body(struct loops_parser *p, struct line *line);

#endif
