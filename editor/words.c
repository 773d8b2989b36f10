#include "editor/words.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/machines.h"

enum { MOST_MACHINES = 64 };
static struct words lists[MOST_MACHINES];

static void add(void *context, const struct vocabulary_word *word)
{
    struct words *words = context;
    struct vocabulary_word *rows =
        grow(words->rows, &words->capacity, words->count + 1, sizeof *rows);
    words->lost |= !rows;
    if (!rows)
        return;
    words->rows = rows;
    rows[words->count++] = *word;
}

static int by_name(const void *first, const void *second)
{
    const struct vocabulary_word *a = first, *b = second;
    const int order = strcmp(a->name, b->name);
    return order ? order : (int)a->kind - (int)b->kind;
}

const struct words *words_of(const struct machine *machine)
{
    size_t i = 0;
    while (i + 1 < MOST_MACHINES && lists[i].machine && lists[i].machine != machine)
        i++;
    struct words *words = &lists[i];
    if (words->machine)
        return words;
    words->machine = machine;
    const struct vocabulary *vocabulary = machine->language->vocabulary;
    if (vocabulary && vocabulary->words)
        vocabulary->words(add, words);
    if (words->count)
        qsort(words->rows, words->count, sizeof *words->rows, by_name);
    return words;
}

const struct vocabulary_word *words_find(const struct words *words, const char *name, size_t length)
{
    const struct vocabulary_word *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < words->count; i++) {
        const struct vocabulary_word *row = &words->rows[i];
        const size_t size = strlen(row->name);
        if (size > length || memcmp(row->name, name, size) != 0)
            continue;
        if (size == length)
            return row;
        if (row->kind == VOCABULARY_OPERAND && name[0] == '$' && size > most) {
            best = row;
            most = size;
        }
    }
    return best;
}

void words_free(void)
{
    for (size_t i = 0; i < MOST_MACHINES; i++) {
        free(lists[i].rows);
        lists[i] = (struct words){0};
    }
}
