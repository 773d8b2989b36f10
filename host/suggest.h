/* suggest: the name most similar to a misspelt word. */
#ifndef TAKT_HOST_SUGGEST_H
#define TAKT_HOST_SUGGEST_H

#include <stddef.h>

/* The name among names[0 .. count) nearest to word by edit distance, or NULL if none is close. */
const char *suggest_name(const char *word, size_t length, const char *const *names, size_t count);

#endif
