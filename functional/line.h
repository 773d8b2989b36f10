/*
 * line: words and numbers of one line of a program, and findings that point at them; for parsers.
 *
 *   text --line_next--> struct line --line_word--> struct word --word_number--> number
 *                                                   --line_error--> finding at the word's position
 */
#ifndef TAKT_FUNCTIONAL_LINE_H
#define TAKT_FUNCTIONAL_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "functional/diag.h"

struct word {
    const char *text;
    size_t length;
};

/* A line being parsed: its position, and the words not yet consumed. */
struct line {
    const char *start, *at, *end; /* end: of the statement, without comment and trailing blanks */
    uint32_t source, number;
    struct diag_list *diags; /* NULL: report nothing */
    bool wrong;              /* an error was found */
};

/* Go to the next line of a source; the first time with start NULL. False after the last line. */
bool line_next(struct line *line, const struct source *source);

/* Consume the next word, up to a blank. False at the end of the line. */
bool line_word(struct line *line, struct word *word);

bool word_is(struct word word, const char *text);
/* Split word at the first `at`; the text after it goes to rest. False if `at` does not occur. */
bool word_cut(struct word *word, char at, struct word *rest);
/* Decimal, 0x or 0b; false if it is not a number or exceeds 64 bits. */
bool word_number(struct word word, uint64_t *number);

/* Report an error at word; "\n" in the text separates message and fix. */
void line_error(struct line *line, struct word word, const char *rule, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void line_warning(struct line *line, struct word word, const char *rule, const char *name,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The index of a word in names, or -1 with an error that suggests the nearest. what: the kind of
 * name, such as "field". */
int line_choose(struct line *line, struct word word, const char *const *names, size_t count,
                const char *what);
/* A number from low to high, or false with an error. */
bool line_range(struct line *line, struct word word, const char *what, uint64_t low, uint64_t high,
                uint64_t *number);

#endif
