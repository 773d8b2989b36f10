/*
 * advise: what would make a program faster, each item seen to be true.
 *
 *   candidates, job --advise_find--> struct advice { items, text } --advise_print, _json, _free-->
 *
 * The machine proposes edits (struct moves_advice). Joint ones may save nothing until others are
 * done, too: all of them are tried at once, then halves, and what is legal and no slower is one
 * item if it saves anything. Each other proposal is timed; of each few hundred, those that
 * save cycles are tried from the largest saving on, and one that still saves after the earlier ones
 * and leaves all values equal is an item and is applied. Then the machine proposes for the program
 * as it is now, until nothing more is found. So the savings of the items add up to the difference
 * of the totals.
 *
 * Findings come last, for the program as it is then; they are not applied.
 */
#ifndef TAKT_ANALYSIS_ADVISE_H
#define TAKT_ANALYSIS_ADVISE_H

#include <stdio.h>

#include "analysis/candidate.h"

/* A line of the program as it is before this item; the lines of one item are numbered together. */
struct advice_edit {
    uint32_t line;
    char *text; /* NULL: the line goes */
};

struct advice_item {
    char *kind, *sentence;
    uint32_t line; /* that it is about: of the program as written; 0: of a line that came later */
    uint32_t current; /* the same, of the program before this item */
    uint64_t before, after;
    bool finding, dumps_only;
    struct advice_edit *edits;
    size_t edit_count;
};

struct advice {
    const char *program; /* its name; valid as long as the candidates, as is: */
    const char *equal;   /* the starts of memories with which the values were seen to be equal */
    struct advice_item *items;
    size_t count, capacity;
    uint64_t before, after; /* cycles as written, and with all items except findings */
    size_t tried;
    bool stopped;  /* before everything was tried */
    bool complete; /* false: there was more to try than the budget allows */
    char *text;    /* the program with all of them */
    size_t size;
};

enum { ADVISE_BUDGET = 4000000 }; /* lines that are loaded and run */

struct advise_job {
    const struct candidate_setup *setup; /* of the candidates */
    const char *text; /* what it begins with: the program as written or one that is equal */
    size_t size;
    uint64_t cycles; /* that this takes */
    uint64_t budget; /* lines that are loaded and run at most */
    bool findings;   /* they are wanted, too */
    bool waits;      /* as of struct candidate */
};

/* Returns 0, or -1 when the host failed. */
int advise_find(struct candidates *candidates, const struct advise_job *job, struct advice *advice);
void advise_free(struct advice *advice);

void advise_print(const struct advice *advice, FILE *out);
struct json_t;
struct json_t *advise_json(const struct advice *advice);

#endif
