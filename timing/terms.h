/*
 * terms: what the words of answers mean. Each word is one row, of every machine in timing/term.def
 * or of one in timing/<m>/term.def; takt explain, the tooltips of pages and docs/glossary.md print
 * the rows, and answers take their phrases from them.
 *
 * TERM(kind, word, phrase, text, example)
 *   kind     reason, cause, edge, unit, limit, bound, class, heading, warning, origin, term, rule
 *   word     as traces and JSON have it
 *   phrase   as sentences have it
 *   text     one paragraph
 *   example  one line that takt prints, or a program
 */
#ifndef TAKT_TIMING_TERMS_H
#define TAKT_TIMING_TERMS_H

#include <stddef.h>

struct term {
    const char *kind, *word, *phrase, *text, *example;
};

struct machine;
/* A word of a machine (NULL: of every machine) and kind (NULL: of any); after `last`, or the first
 * if that is NULL. Returns NULL where there is no more. */
const struct term *terms_next(const struct machine *machine, const char *kind, const char *word,
                              const struct term *last);
/* The phrase of a word of the machine of this name, else the word. */
const char *terms_phrase(const char *machine, const char *kind, const char *word);

extern const struct term terms_shared[]; /* up to a NULL word, as are those of a machine */

#endif
