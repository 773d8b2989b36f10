#include "tests/kelvin/table.h"

#include <stdlib.h>
#include <string.h>

#include "config/embed.h"

EMBED(kelvin_match, "tests/kelvin/match.tsv");
EMBED(kelvin_vectors, "tests/kelvin/vectors.tsv");

static char *copy(const unsigned char *bytes, size_t size)
{
    char *text = malloc(size + 1);
    if (text) {
        memcpy(text, bytes, size);
        text[size] = '\0';
    }
    return text;
}

char *kelvin_table_match(void)
{
    return copy((const unsigned char *)kelvin_match, EMBED_SIZE(kelvin_match));
}

char *kelvin_table_vectors(void)
{
    return copy((const unsigned char *)kelvin_vectors, EMBED_SIZE(kelvin_vectors));
}
