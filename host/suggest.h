/* suggest: the name that somebody may have meant. */
#ifndef TAKT_HOST_SUGGEST_H
#define TAKT_HOST_SUGGEST_H

#include <stddef.h>

/* The name among names[0 .. count) nearest to word by edit distance, or NULL when none is near. */
const char *suggest_name(const char *word, size_t length, const char *const *names, size_t count);

#endif
