/*
 * diag: what is wrong with the user's text, where, by which rule, and what would fix it.
 *
 *   k.vsm:3:12: error: $lr1v is not aligned to its access length [manual 3.6.1.10]
 *     lpassa $lr1v $ls0v
 *            ^~~~~
 *     fix: nearest aligned address 2
 *
 * A list keeps every finding of a file; diag_sort puts them in source order. Column 1 is the first
 * byte of the line. A list never holds more than DIAG_LIMIT findings (the rest are counted).
 */
#ifndef TAKT_FUNCTIONAL_DIAG_H
#define TAKT_FUNCTIONAL_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "functional/source.h"

enum { DIAG_LIMIT = 10000 };

enum diag_severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

struct diag {
    enum diag_severity severity;
    uint32_t file;          /* index into the run's sources */
    uint32_t line;          /* from 1 */
    uint32_t column;        /* from 1 */
    uint32_t length;        /* bytes underlined, at least 1 */
    uint32_t other_line;    /* the other statement of a hazard or conflict; 0 = none */
    uint32_t other_file;    /* index of its source, when there is one */
    int32_t missing_steps;  /* empty steps that would make it legal; -1 = not a hazard of steps */
    int32_t missing_cycles; /* the same in cycles; -1 = none */
    uint64_t spare_steps;   /* empty steps that could go; 0 = not a finding about them */
    uint64_t spare_cycles;  /* what that would save, where it is known */
    const char *rule;       /* manual section as text, "3.6.3.9"; "" when no section applies */
    const char *name;       /* name of a warning, to silence it; "" for errors */
    char *message;          /* one sentence without the final stop */
    char *fix;              /* what would fix it; NULL when nothing can be said */
};

struct diag_list {
    struct diag *items;
    size_t count, capacity;
    size_t errors, warnings, notes; /* also counts those beyond DIAG_LIMIT */
    const char *const *silenced;    /* names of warnings and notes not to record; "all":
                                    every warning, notes were asked for;
                                    NULL-terminated, or NULL */
};

void diag_list_init(struct diag_list *list);
void diag_list_free(struct diag_list *list);

/*
 * Add a finding. at carries everything but message and fix, which are formatted from format
 * (printf-like; a '\n' in the result splits sentence and fix). rule and name must outlive the list.
 */
void diag_add(struct diag_list *list, const struct diag *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Move all findings of from behind those of list, as if they had been added there; from is empty
 * then. */
void diag_append(struct diag_list *list, struct diag_list *from);
/* The same, but beyond DIAG_LIMIT, too. */
void diag_join(struct diag_list *list, struct diag_list *from);

/* Stable sort by file, line, column, severity (errors first). */
void diag_sort(struct diag_list *list);

/* Print all findings with source line and caret. */
void diag_print(const struct diag_list *list, const struct source *sources, size_t source_count,
                FILE *out, bool colour);

/* What a sentence puts behind a line number, as "%s%s": nothing in the file of the finding, " of "
 * and its name in another, " of an earlier " or " of a later " in the same that was given again. */
struct diag_file {
    const char *of, *name;
};
struct diag_file diag_file(const struct source *sources, uint32_t here, uint32_t there);

/* Further findings are only counted: what they would say need not be worked out. */
static inline bool diag_full(const struct diag_list *list)
{
    return list->count >= DIAG_LIMIT;
}

#endif
