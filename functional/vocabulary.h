/*
 * vocabulary: the words of a machine's language, for editors: completion, hover, navigation.
 *
 *   opcode, operand, directive --words--> name, section of the manual, sentence
 *   line --marks--> labels and tags in it
 *   place as written --space--> its memory or register file, as the machine's graph names it
 *                    --place--> one place, as takt value takes it
 *
 * Any member may be NULL. Names and sentences are never freed.
 */
#ifndef TAKT_FUNCTIONAL_VOCABULARY_H
#define TAKT_FUNCTIONAL_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functional/diag.h"

enum vocabulary_kind { VOCABULARY_OPCODE, VOCABULARY_OPERAND, VOCABULARY_DIRECTIVE };

struct vocabulary_word {
    const char *name;
    enum vocabulary_kind kind;
    const char *section;  /* of the manual, or "" */
    const char *sentence; /* what it does, or "" */
};

typedef void vocabulary_found(void *context, const struct vocabulary_word *word);

/* A name in a line that other lines mean, too. */
struct vocabulary_mark {
    size_t at, length; /* bytes from the start of the line */
    bool defines;      /* this line gives it its meaning */
    /* A number that is a label several times: the definition above or below is meant, or it is one
     * itself. */
    enum { VOCABULARY_NAME, VOCABULARY_ABOVE, VOCABULARY_BELOW, VOCABULARY_HERE } numbered;
};

#define VOCABULARY_ANY UINT64_MAX

struct vocabulary {
    void (*words)(vocabulary_found *found, void *context);
    /* At most `most` marks of a line; how many there are is returned. Marks that no line defines
     * are not names. */
    size_t (*marks)(const char *line, size_t size, struct vocabulary_mark *marks, size_t most);
    /* *address: its first address there, VOCABULARY_ANY where the word alone does not say. */
    const char *(*space)(const char *word, size_t length, uint64_t *address);
    /* The place that a word names, of the first of units that are alike, for takt value. False: it
     * names none. */
    bool (*place)(const char *word, size_t length, char *place, size_t size);
    /* The statement that passes the time that a finding lacks, to be put before its line. False:
     * the finding lacks none. */
    bool (*pad)(const struct diag *diag, char *text, size_t size);
};

/* The decimal number at the start of a text; VOCABULARY_ANY without one. */
uint64_t vocabulary_number(const char *text, size_t length);

/* The end of the statement in a line: where its comment starts. */
size_t vocabulary_statement(const char *line, size_t size);

#endif
