#include "timing/terms.h"

#include <stdbool.h>
#include <string.h>

#include "timing/machines.h"

const struct term terms_shared[] = {
#define TERM(kind, word, phrase, text, example) {kind, word, phrase, text, example},
#include "timing/term.def"
    {.word = NULL},
};

static bool fits(const struct term *row, const char *kind, const char *word)
{
    return (!kind || strcmp(row->kind, kind) == 0) && (!word || strcmp(row->word, word) == 0);
}

const struct term *terms_next(const struct machine *machine, const char *kind, const char *word,
                              const struct term *last)
{
    const struct term *row = last                        ? last + 1
                             : machine && machine->terms ? machine->terms
                                                         : terms_shared;
    if (machine && !machine->terms)
        return NULL;
    while (row->word && !fits(row, kind, word))
        row++;
    return row->word ? row : NULL;
}

const char *terms_phrase(const char *machine, const char *kind, const char *word)
{
    const struct machine *m = machine_named(machine);
    const struct term *row = m ? terms_next(m, kind, word, NULL) : NULL;
    row = row ? row : terms_next(NULL, kind, word, NULL);
    return row ? row->phrase : word;
}
