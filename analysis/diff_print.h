/*
 * diff_print: the answer of a comparison as text, JSON or one offline HTML page.
 *
 *   struct diff_answer --diff_print_text, diff_print_json, diff_print_html--> FILE
 */
#ifndef TAKT_ANALYSIS_DIFF_PRINT_H
#define TAKT_ANALYSIS_DIFF_PRINT_H

#include <stdio.h>

#include "analysis/diff.h"

enum diff_verdict { DIFF_NOT_COMPARED, DIFF_EQUAL, DIFF_UNEQUAL };

/* What was compared, and the first place where it is not equal. */
enum diff_of { DIFF_OF_STATE, DIFF_OF_LINE, DIFF_OF_WORD };

struct diff_values_found {
    enum diff_verdict verdict;
    const char *what;    /* "get", "state" or a range of a memory */
    enum diff_of of;     /* what differs, where the values do */
    uint64_t at;         /* line of the dump, from 1, or word of the range, from 0 */
    uint64_t column;     /* bytes from 1, of the dump alone */
    const char *text[2]; /* that line or word, or the hash of the state, of each side */
};

/* Compare dumps line by line, ranges word by word (little-endian, as --save writes them), hashes of
 * states. texts: for lines or words that differ, to be freed. Return 0; 1 where a file cannot be
 * read; -1 without memory. */
int diff_values_dumps(struct diff_values_found *found, FILE *const dumps[2], char *texts[2]);
int diff_values_ranges(struct diff_values_found *found, FILE *const files[2], char *texts[2]);
void diff_values_states(struct diff_values_found *found, const char *const states[2]);

struct diff_answer {
    const struct diff *diff;
    const char *names[2];
    struct diff_values_found values;
    const char *data[2]; /* of the page: what page_data_print wrote of each run */
    bool all;            /* every term and edit in the text form */
    int width;
};

/* Return 0, or -1 when the host failed. */
int diff_print_text(const struct diff_answer *answer, FILE *out);
int diff_print_json(const struct diff_answer *answer, FILE *out);
int diff_print_html(const struct diff_answer *answer, FILE *out);

/* The place of a statement for people: its line, of several files with the file's last part. */
enum { DIFF_PLACE = 96 };
const char *diff_place(const struct diff *diff, unsigned side, uint32_t stmt,
                       char text[DIFF_PLACE]);
/* The text of a term's statement: that of b, or else of a; "" without one. */
const char *diff_term_text(const struct diff *diff, const struct diff_term *term);

#endif
