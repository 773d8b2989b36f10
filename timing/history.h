/*
 * history: what a place of the machine's state held during a run: its value at the start, and each
 * write to it.
 *
 *   complete run, place --machine_values.history--> struct history --history_at--> one cycle
 *
 * A write is readable from the cycle on in which the model lets it land. A statement that writes
 * the place in several of its cycles is one write: from `first` on it may be read in part, from
 * `readable` on it is as a whole.
 */
#ifndef TAKT_TIMING_HISTORY_H
#define TAKT_TIMING_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HISTORY_WORDS = 8 };

struct history_write {
    uint32_t stmt; /* of the run's header; NONE_ID (timing/sink.h): the host, in line `line` */
    uint32_t file, line;
    uint64_t issued, first, readable;
    uint64_t words[HISTORY_WORDS]; /* the place afterwards */
};

/* What bits of a word mean. */
struct history_format {
    const char *name; /* "single" */
    unsigned bits;
    double (*value)(uint64_t bits);
    bool whole; /* numbers without a fraction */
};

/* Values of IEEE and integer formats. */
double history_double(uint64_t bits);
double history_single(uint64_t bits);
double history_int32(uint64_t bits);
double history_int16(uint64_t bits);
double history_int8(uint64_t bits);

struct history {
    unsigned bits;                        /* of each word: 64, or 32 */
    const struct history_format *formats; /* up to a NULL name */
    bool low_first;                       /* the first element of a word is in its lowest bits */
    size_t words;                         /* of the place */
    uint64_t start[HISTORY_WORDS];        /* before the first write */
    struct history_write *writes;         /* in the order of the program */
    size_t count, capacity;
};

/* NULL when memory is out. What it points to is 0. */
struct history_write *history_add(struct history *history);
void history_free(struct history *history);

/* A cycle of a history. Writes are NULL where there is none. */
struct history_at {
    const uint64_t *words;               /* what is read; NULL while a write lands in parts */
    const struct history_write *last;    /* the last one that is readable as a whole */
    const struct history_write *landing; /* issued, and not readable as a whole: the next one */
    const struct history_write *next;    /* not issued: the next one to be readable */
};
struct history_at history_at(const struct history *history, uint64_t cycle);

#endif
