#include "host/suggest.h"

#include <string.h>

/* Edit distance with transpositions, with an upper limit. Words are short. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length,
                         unsigned limit)
{
    enum { LONGEST = 40 };
    unsigned rows[3][LONGEST + 1];
    if (a_length > LONGEST || b_length > LONGEST)
        return limit + 1;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                above2[j - 2] + 1 < best)
                best = above2[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[a_length % 3][b_length];
}

const char *suggest_name(const char *word, size_t length, const char *const *names, size_t count)
{
    /* Allow one edit in a short word, two in a longer one, three in a very long one. */
    unsigned limit = length <= 3 ? 1 : length <= 6 ? 2 : 3;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        const size_t name_length = strlen(names[i]);
        const size_t difference =
            name_length > length ? name_length - length : length - name_length;
        if (difference > limit)
            continue;
        const unsigned d = distance(word, length, names[i], name_length, limit);
        if (d <= limit && d < length) {
            if (d == 0)
                return names[i];
            nearest = names[i];
            limit = d - 1;
        }
    }
    return nearest;
}
