/* diff_values: the first place in which two runs did not compute the same. */
#include "analysis/diff_print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void differ(struct diff_values_found *found, enum diff_of of, uint64_t at, uint64_t column)
{
    found->verdict = DIFF_UNEQUAL;
    found->of = of;
    found->at = at;
    found->column = column;
}

int diff_values_dumps(struct diff_values_found *found, FILE *const dumps[2], char *texts[2])
{
    size_t rooms[2] = {0, 0};
    rewind(dumps[0]);
    rewind(dumps[1]);
    for (uint64_t line = 1;; line++) {
        ssize_t sizes[2];
        for (unsigned s = 0; s < 2; s++) {
            errno = 0;
            sizes[s] = getline(&texts[s], &rooms[s], dumps[s]);
            if (sizes[s] < 0 && (ferror(dumps[s]) || errno == ENOMEM))
                return 1;
        }
        if (sizes[0] < 0 && sizes[1] < 0)
            return 0;
        for (unsigned s = 0; s < 2; s++)
            if (sizes[s] <= 0)
                sizes[s] = 0;
        const size_t least = (size_t)(sizes[0] < sizes[1] ? sizes[0] : sizes[1]);
        size_t column = 0;
        while (column < least && texts[0][column] == texts[1][column])
            column++;
        if (sizes[0] == sizes[1] && column == least)
            continue;
        for (unsigned s = 0; s < 2; s++) {
            if (!texts[s] && !(texts[s] = calloc(1, 1)))
                return -1;
            texts[s][sizes[s]] = '\0';
            texts[s][strcspn(texts[s], "\n")] = '\0';
            found->text[s] = *texts[s] ? texts[s] : "(nothing)";
        }
        differ(found, DIFF_OF_LINE, line, column + 1);
        return 0;
    }
}

int diff_values_ranges(struct diff_values_found *found, FILE *const files[2], char *texts[2])
{
    enum { WORDS = 4096 };
    unsigned char *words = malloc(2 * WORDS * 8);
    bool whole = words && files[0] && files[1];
    for (uint64_t at = 0; whole && found->verdict == DIFF_EQUAL; at += WORDS) {
        const size_t counts[2] = {fread(words, 8, WORDS, files[0]),
                                  fread(words + WORDS * 8, 8, WORDS, files[1])};
        size_t i = 0;
        while (i < counts[0] && i < counts[1] &&
               memcmp(words + i * 8, words + (WORDS + i) * 8, 8) == 0)
            i++;
        for (unsigned s = 0; s < 2 && i < counts[0] && i < counts[1]; s++) {
            uint64_t word = 0;
            for (unsigned b = 8; b-- > 0;)
                word = word << 8 | words[(s * WORDS + i) * 8 + b];
            free(texts[s]);
            if (asprintf(&texts[s], "0x%016llx", (unsigned long long)word) < 0)
                texts[s] = NULL;
            found->text[s] = texts[s] ? texts[s] : "";
            differ(found, DIFF_OF_WORD, at + i, 0);
        }
        whole = !ferror(files[0]) && !ferror(files[1]) && counts[0] == counts[1];
        if (counts[0] < WORDS)
            break;
    }
    free(words);
    return whole ? 0 : 1;
}

void diff_values_states(struct diff_values_found *found, const char *const states[2])
{
    found->what = "state";
    found->text[0] = states[0];
    found->text[1] = states[1];
    if (strcmp(states[0], states[1]) != 0)
        differ(found, DIFF_OF_STATE, 0, 0);
}
