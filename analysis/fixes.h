/*
 * fixes: what would mend a finding, as an edit of the text, read from what its fix says.
 *
 *   finding, its line --fixes_of--> edit       program --fixes_apply--> the program, padded
 *
 * A padding edit inserts a line that only passes time, as the machine's vocabulary writes it. Other
 * edits replace words by those that the finding names: an editor offers them, takt check --fix
 * leaves them to people.
 */
#ifndef TAKT_ANALYSIS_FIXES_H
#define TAKT_ANALYSIS_FIXES_H

#include "timing/machine.h"

enum { FIXES_TEXT = 128 };

struct fix {
    bool pads;
    uint32_t line;           /* from 1 */
    uint32_t column, length; /* bytes that go, from column 1 on */
    char text[FIXES_TEXT];   /* what comes in their place, ends as the line does when it pads */
    char title[FIXES_TEXT];  /* one phrase for people */
};

/* The edit of a finding in a line of `size` bytes of a text. False: its fix is not an edit. */
bool fixes_of(const struct machine *machine, const struct diag *diag, const char *text,
              const char *line, size_t size, struct fix *fix);
/* Whether a line that passes time mends the finding. */
bool fixes_pads(const struct machine *machine, const struct diag *diag);

/* The text with padding for the findings, sorted, of one file: of those that overlap only the
 * first, so that nothing is padded twice. *edits: how many lines were inserted. NULL when memory is
 * out. */
char *fixes_pad(const struct machine *machine, const struct diag_list *diags, uint32_t file,
                const struct source *source, size_t *size, size_t *edits);

#endif
