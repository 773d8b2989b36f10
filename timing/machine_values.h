/*
 * machine_values: the execution of a machine's programs: state, values, places in memory. Status of
 * calls: 0, 1 or -1, as in timing/machine.h.
 */
#ifndef TAKT_TIMING_MACHINE_VALUES_H
#define TAKT_TIMING_MACHINE_VALUES_H

#include "timing/machine_options.h"

struct history;     /* timing/history.h */
struct place_owner; /* functional/place.h */

enum run_status {
    RUN_MORE,  /* call again */
    RUN_DONE,  /* the program is complete; finish has been called on the sink */
    RUN_FAULT, /* an error of the program */
    RUN_FAILED /* an error of the host */
};

struct run_progress {
    uint64_t cycles, items_done, items_total;
    /* Cycles of everything that has started, to its end; after the last call, the total. */
    uint64_t total;
};

/* Save the place SPEC of a run to the file path, or load it from there. */
typedef int machine_mover(struct machine_run *run, bool save, const char *spec, const char *path,
                          char error[MACHINE_ERROR]);

/* A level of the tree of processing elements: units in each unit of the level above, 64-bit words
 * in the memory of one (0: no memory), and words a cycle that one receives from the level above
 * when each gets its own (0: unknown). */
struct machine_level {
    const char *name;
    uint32_t count;
    uint64_t words, fill;
};

struct machine_values {
    bool executes;  /* the timing model executes the statements that it times */
    bool by_values; /* time depends on values: a run without values executes them, too */
    /* Make run->own, with its values unless the run is timing_only. */
    int (*open)(struct machine_run *run, char error[MACHINE_ERROR]);
    void (*close)(struct machine_run *run); /* run->own may be NULL */
    /* Execute about `budget` statements. */
    enum run_status (*execute)(struct machine_run *run, uint64_t budget, char error[MACHINE_ERROR]);
    void (*progress)(const struct machine_run *run, struct run_progress *progress);
    /* Of what the program computed: its code counts only where it is not as it was loaded, so
     * programs that differ in the order of their code alone can have equal hashes. */
    uint64_t (*hash)(const struct machine_run *run);

    /* SPEC of --load and --save: the owner of the places, which without a run says what they can
     * be. A machine with other places supplies instead: whether a text is one (0, or 1 with a
     * sentence); put: words into a place, between open and the first advance; get: exactly `count`
     * words from a place. All NULL: as places. */
    struct place_owner (*owner)(const struct machine_run *run);
    int (*spec)(const char *text, bool save, char *error, size_t size);
    machine_mover *move;
    int (*put)(struct machine_run *run, const char *spec, const uint64_t *words, size_t count,
               char error[MACHINE_ERROR]);
    int (*get)(const struct machine_run *run, const char *spec, uint64_t *words, size_t count,
               char error[MACHINE_ERROR]);
    /* The forms of SPEC for the help of --load and --save, in lines; NULL: the machine has neither
     * option. */
    const char *places;

    /* What a place held during a complete run, by a second execution. history: to be freed in every
     * case. Status as above; 1 with a sentence where text names no place that can be followed.
     * NULL: no place can. history_places: their forms, for help, in lines. */
    int (*history)(struct machine_run *run, const char *text, struct history *history,
                   char error[MACHINE_ERROR]);
    const char *history_places;

    const char *(*ending)(const struct machine_run *run); /* as in the summary; or NULL */
    /* After the end of the run: close files of the machine's options, which a failed run does not
     * keep. Returns 0, or -1 with a sentence. NULL: the machine has no such files. */
    int (*ended)(struct machine_run *run, enum run_status status, char error[MACHINE_ERROR]);

    const struct machine_level *levels; /* from the top, up to a NULL name; or NULL */
    uint32_t step_words, step_cycles;   /* with levels: words an element uses in a step */
};

#endif
