/*
 * mend: a program with what its findings say is missing, where that is time alone: empty steps, or
 * a wait for a transfer. Nothing else changes.
 *
 *   program of one text that has been judged --library_mend--> text, what remains
 *
 * It repeats check and padding until no finding can be mended so. Of findings that overlap only the
 * first is mended at a time: a step too many is never inserted.
 */
#ifndef TAKT_LIBRARY_MEND_H
#define TAKT_LIBRARY_MEND_H

#include "library/library.h"

struct mended {
    char *text; /* size bytes */
    size_t size;
    size_t edits;                 /* lines inserted */
    struct takt_program *program; /* the same as a program that has been judged; or NULL */
};

/* Returns 0, or -1 when memory is out; to be freed in every case. */
int library_mend(const struct takt_program *program, const struct machine_setting *settings,
                 struct mended *mended);
void library_mended_free(struct mended *mended);

#endif
