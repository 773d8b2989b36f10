#include "tests/event_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void event_list_add(struct event_list *list, const struct event_row *row)
{
    if (list->count == list->room) {
        list->room = 2 * list->room + 256;
        list->rows = realloc(list->rows, list->room * sizeof *list->rows);
        assert_non_null(list->rows);
    }
    list->rows[list->count++] = *row;
}

void event_list_read(struct event_list *list, char *text)
{
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        struct event_row row = {0};
        unsigned long long cycle;
        char phase[8];
        const bool access = strstr(line, " access ") != NULL;
        const bool read =
            sscanf(line, "%llu %7s %23s %7s %u %*[^(](line %u) <- %95[^\n]", &cycle, phase,
                   row.unit, row.operation, &row.amount, &row.line, row.cause) == 7;
        if (access && !read)
            fail_msg("no event: %s", line);
        if (!access && !(read && strcmp(phase, "notice") == 0))
            continue;
        row.cycle = cycle;
        event_list_add(list, &row);
    }
}

static int in_order(const void *a, const void *b)
{
    const struct event_row *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    const int unit = strcmp(x->unit, y->unit), operation = strcmp(x->operation, y->operation);
    if (unit || operation)
        return unit ? unit : operation;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->amount > y->amount) - (x->amount < y->amount);
}

static void show(const char *name, const struct event_list *list, size_t i)
{
    const struct event_row *row = i < list->count ? &list->rows[i] : NULL;
    if (row)
        fprintf(stderr, "%s: %llu %s %s %u (line %u)\n", name, (unsigned long long)row->cycle,
                row->unit, row->operation, row->amount, row->line);
    else
        fprintf(stderr, "%s: no more\n", name);
}

static bool fits(const struct event_row *model, const struct event_row *oracle)
{
    return model->cycle == oracle->cycle && strcmp(model->unit, oracle->unit) == 0 &&
           strcmp(model->operation, oracle->operation) == 0 &&
           (!oracle->line || model->line == oracle->line) &&
           (!oracle->amount || model->amount == oracle->amount);
}

bool event_list_same(struct event_list *model, struct event_list *oracle)
{
    if (model->count)
        qsort(model->rows, model->count, sizeof *model->rows, in_order);
    if (oracle->count)
        qsort(oracle->rows, oracle->count, sizeof *oracle->rows, in_order);
    for (size_t i = 0; i < model->count || i < oracle->count; i++) {
        if (i < model->count && i < oracle->count && fits(&model->rows[i], &oracle->rows[i]))
            continue;
        show("model", model, i);
        show("oracle", oracle, i);
        return false;
    }
    return true;
}

void event_list_free(struct event_list *list)
{
    free(list->rows);
    *list = (struct event_list){0};
}
