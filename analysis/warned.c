#include "analysis/warned.h"

#include <stdlib.h>
#include <string.h>

static int by_place(const void *a, const void *b)
{
    const struct warned *x = a, *y = b;
    int order =
        !x->file || !y->file ? (x->file != NULL) - (y->file != NULL) : strcmp(x->file, y->file);
    order = order ? order : (x->line > y->line) - (x->line < y->line);
    order = order ? order : strcmp(x->name, y->name);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

struct warned *warned_list(const struct store *store)
{
    struct warned *list = calloc(store->warning_count + 1, sizeof *list);
    for (size_t i = 0; list && i < store->warning_count; i++) {
        const struct store_warning *row = &store->warnings[i];
        const char *name = store_text(store, row->name),
                   *sentence = store_text(store, row->sentence);
        list[i] = (struct warned){
            .name = name ? name : "", .sentence = sentence ? sentence : "", .row = row};
        list[i].file = store_place(store, row, &list[i].line);
    }
    if (list)
        qsort(list, store->warning_count, sizeof *list, by_place);
    return list;
}
