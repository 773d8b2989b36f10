/*
 * text: words and numbers of one line, and findings that point at them. Used by the parser alone.
 */
#ifndef TAKT_FUNCTIONAL_AMX_TEXT_H
#define TAKT_FUNCTIONAL_AMX_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "functional/amx/state.h"
#include "functional/diag.h"

struct word {
    const char *text;
    size_t length;
};

/* A line being read: the words that are left, and where it stands. */
struct line {
    const char *start, *at, *end; /* end: of the statement, comment and blanks cut off */
    uint32_t source, number;
    struct diag_list *diags; /* NULL: say nothing */
    bool wrong;              /* an error was found */
};

/* The next word, up to a blank. False when the line is done. */
bool amx_line_word(struct line *line, struct word *word);

bool amx_word_is(struct word word, const char *text);
/* Cut word at the first `at`: what follows it goes to rest. False when there is none. */
bool amx_word_cut(struct word *word, char at, struct word *rest);
/* Decimal, 0x or 0b; false when it is no number or larger than 64 bits. */
bool amx_word_number(struct word word, uint64_t *number);

/* A finding at word; "\n" in the text splits sentence and fix. */
void amx_line_error(struct line *line, struct word word, const char *rule, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void amx_line_warning(struct line *line, struct word word, const char *rule, const char *name,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Number of a word in names, or -1 with an error that suggests the nearest. what: "field". */
int amx_line_choose(struct line *line, struct word word, const char *const *names, size_t count,
                    const char *what);
/* A number from low to high, or false with an error. */
bool amx_line_range(struct line *line, struct word word, const char *what, uint64_t low,
                    uint64_t high, uint64_t *number);

/* The fields of a matfp statement, up to the end of the line. */
bool amx_line_operand(struct line *line, enum amx_version version, uint64_t *operand);

#endif
