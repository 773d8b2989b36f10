/*
 * diag: findings in the user's text: position, rule and fix.
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
    uint32_t column;        /* from 1; 0 without a line */
    uint32_t length;        /* bytes underlined, at least 1 */
    uint32_t other_line;    /* line of the other statement of a hazard or conflict; 0 = none */
    uint32_t other_file;    /* source index of other_line, if that is set */
    int32_t missing_steps;  /* empty steps that would make it legal; 0 = not a hazard in steps */
    int32_t missing_cycles; /* the same in cycles; 0 = none */
    uint64_t spare_steps;   /* empty steps that could be removed; 0 = not such a finding */
    uint64_t spare_cycles;  /* cycles saved by removing them */
    bool spare_timed;       /* and that is known */
    const char *rule;       /* manual section as text, "3.6.3.9"; "" when no section applies */
    const char *name;       /* name of a warning, to silence it; "" for errors */
    char *message;          /* the message, without the final stop */
    char *fix;              /* the suggested fix, or NULL */
};

struct diag_list {
    struct diag *items;
    size_t count, capacity;
    size_t errors, warnings, notes; /* including those beyond DIAG_LIMIT */
    const char *const *silenced;    /* names of warnings and notes to drop; "all": every warning,
                                     * and notes are kept; NULL-terminated, or NULL */
};

void diag_list_init(struct diag_list *list);
void diag_list_free(struct diag_list *list);

/* Add a finding. at supplies all members but message and fix, which are formatted from format
 * (printf-like; a '\n' in the result separates message and fix). rule and name must outlive the
 * list. */
void diag_add(struct diag_list *list, const struct diag *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Append all findings of from that list does not silence; from is empty afterwards. */
void diag_append(struct diag_list *list, struct diag_list *from);
/* The same, without DIAG_LIMIT. */
void diag_join(struct diag_list *list, struct diag_list *from);

/* Stable sort by file, line, column, severity (errors first). */
void diag_sort(struct diag_list *list);

/* Print all findings with source line and caret. */
void diag_print(const struct diag_list *list, const struct source *sources, size_t source_count,
                FILE *out, bool colour);

/* The line of a source and a caret below its column, in characters from 1; nothing if it has not
 * that line. */
void diag_excerpt(const struct source *source, uint32_t line, uint32_t column, FILE *out);

/* The text after a line number of a second place, as "%s%s": empty in the file of the finding; " of
 * " and the name of another file; " of an earlier " or " of a later " if the same file was given
 * twice. */
struct diag_file {
    const char *of, *name;
};
struct diag_file diag_file(const struct source *sources, uint32_t here, uint32_t there);

/* True if further findings are only counted, so that their text need not be computed. */
static inline bool diag_full(const struct diag_list *list)
{
    return list->count >= DIAG_LIMIT;
}

#endif
