/* screen_part: what the parts of the first screen share (analysis/screen.h). */
#ifndef TAKT_ANALYSIS_SCREEN_PART_H
#define TAKT_ANALYSIS_SCREEN_PART_H

#include "analysis/screen.h"

enum { SCREEN_LABEL = 8 }; /* columns of the headings */

struct screen {
    const struct store *store;
    const struct screen_options *options;
    FILE *out;
    int width;
    const char *bold, *dim, *plain;
    bool *short_of_memory; /* something is missing */
};

/* screen_text.c */

/* A text in at most `most` columns (3 or more). The cut is between two words if possible: half a
 * figure reads as another figure. */
void screen_cut(char *text, int most);
/* A name in at most `most` columns: the middle is left out, so that the ending stays. */
void screen_shorten(char *name, int most);
/* Statement text with its runs of blanks squeezed. */
void screen_squeeze(char *to, size_t size, const struct stmt_info *stmt);
/* One line, cut to the width in columns, so that no terminal wraps it. */
void screen_put(const struct screen *s, const char *style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Phrases with `gap` between, as many on a line as fit; the others on the next, indented. One that
 * is wider than a line is divided between words. */
struct screen_phrases {
    const char *style, *gap;
    int indent;
    const char *phrases[8];
    size_t count;
};
void screen_put_phrases(const struct screen *s, const struct screen_phrases *list);
/* A sentence after its heading and place: the words that do not fit are on a second line, what does
 * not fit there is cut. */
void screen_put_sentence(const struct screen *s, const char *head, const char *place,
                         const char *sentence);

/* screen_units.c: UNITS. Returns the reason for which issuing units wait longest, or NONE_ID. */
uint32_t screen_units(const struct screen *s);

/* screen_waits.c: WAITS. Returns the line of the first statement that waits, or 0. */
uint32_t screen_waits(const struct screen *s);

#endif
