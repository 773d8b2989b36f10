/*
 * machine: what every machine offers to the commands. A machine is one row in config/machines.def
 * and the folders functional/<m>, timing/<m>, config/<m>; each timing/<m>/machine.c defines one
 * `const struct machine machine_<m>`.
 *
 *   sources --load--> program --open--> run --advance*--> summary at the sink --close-->
 *
 * Status of calls that can fail: 0 fine, 1 the program or input is at fault (diags or error say
 * why), -1 the host failed (error says why).
 */
#ifndef TAKT_TIMING_MACHINE_H
#define TAKT_TIMING_MACHINE_H

#include <stdio.h>

#include "config/config.h"
#include "functional/diag.h"
#include "functional/directive.h"
#include "functional/source.h"
#include "timing/bounds.h"
#include "timing/moves.h"
#include "timing/range.h"
#include "timing/sink.h"

enum { MACHINE_ERROR = 512 }; /* bytes of an error sentence */
enum { MACHINE_HEAD = 64 };   /* bytes that a file is recognised by */
enum { MACHINE_SPEC = 128 };  /* of a place in memory, as --load and --save name it */

struct place_owner;     /* functional/place.h */
struct machine_program; /* each machine's own type behind it */
struct machine_run;     /* timing/run.h */
struct machine_model;

/* An option of commands that programs of this machine have and others may not: one row for each
 * command and option. Machines that have an option of the same name agree on whether it takes an
 * argument. */
struct machine_option {
    const char *commands;     /* blank-separated: "run check" */
    const char *name;         /* without the dashes */
    const char *argument;     /* as its help writes it, "MODE"; NULL: a flag */
    const char *const *words; /* all that the argument may be, NULL-terminated; NULL: any text */
    const char *with;         /* an option of the machine without which it is refused, or NULL */
    bool changes;             /* of takt whatif: it is of the changed run alone */
    enum { MACHINE_NO_FILE, MACHINE_READS, MACHINE_WRITES } file; /* the argument names one */
    const char *help; /* lines of at most 59 columns, divided by '\n' */
};

/* A parameter that makes units of a name faster: one row for each of takt whatif --speed. */
struct machine_speed {
    const char *unit, *param;
    bool rate; /* it is multiplied; else it is a time, which is divided */
};

/* A level of the tree in which a machine's processing elements stand: units in each of the level
 * above, the words of 64 bits that fit into the memory of one (0: it has none), and how many of
 * these words a cycle reach one from the level above when each gets its own (0: nobody says). */
struct machine_level {
    const char *name;
    uint32_t count;
    uint64_t words, fill;
};

/* An option of the machine's own as it was given. */
struct machine_setting {
    const char *name, *value; /* value of a flag: "" */
};

struct run_options {
    FILE *dump;                             /* what the program prints; NULL drops it */
    const struct machine_setting *settings; /* the machine's own, until a NULL name; or NULL */
    bool documented;                        /* by documented numbers alone */
    bool timing_only, functional_only;
    bool total_only;  /* nobody wants the other totals: neither documented-only nor range */
    bool no_range;    /* nobody wants the range */
    const char *init; /* "zero", "pattern", "random:SEED" or NULL */
    unsigned threads;
    bool reference;           /* plain C kernels */
    bool no_run_ahead;        /* one event a statement or unit operation; the answer is the same */
    FILE *events;             /* list of the kernel's events, then as no_run_ahead; or NULL */
    const char *const *loads; /* "SPEC=FILE", NULL-terminated, or NULL */
    const char *const *saves;
    bool word_order_big;
    const char *const *silenced; /* names of warnings to drop ("all"); as in diag_list */
    const char *command;         /* command line for the trace */
};

/* A run to be opened. Program, configuration and sink stand until the run is closed; the options
 * need not, what they point to does. */
struct run_setup {
    const struct machine_program *program;
    const struct config *config;
    const struct run_options *options;
    const struct sink *sink;
};

/* One execution of a statement issues so many cycles later than it would, and all that follows in
 * its stream with it. */
struct machine_delay {
    uint32_t stmt;
    uint64_t turn; /* executions of the statement before it */
    uint64_t cycles;
};

/* A rule that asks for steps between two statements. */
struct machine_need {
    uint32_t first, second;
    const char *rule;
    uint64_t steps; /* of those in question */
};

/* What needs statements that do nothing but pass steps. */
struct machine_needs {
    uint32_t first, last;      /* the statements in a row */
    uint64_t written;          /* their steps ... */
    uint64_t spare;            /* ... and how many of these no rule asks for */
    struct machine_need *rows; /* who needs most first; the caller's to free */
    size_t count, capacity;
};

enum run_status {
    RUN_MORE,  /* call again */
    RUN_DONE,  /* the program is complete; finish has been called on the sink */
    RUN_FAULT, /* the program is at fault */
    RUN_FAILED /* the host failed */
};

/* Save the place SPEC of a run to the file path, or load it from there. Status as above. */
typedef int machine_mover(struct machine_run *run, bool save, const char *spec, const char *path,
                          char error[MACHINE_ERROR]);

struct run_progress {
    uint64_t cycles, items_done, items_total;
    /* Cycles of all that has been started, to its end; of a run that is done, its total. */
    uint64_t total;
};

/* Lists of a header, which stand until the run is closed. describe sets the sources, peaks of the
 * counters, and where it makes them stmts and files; machine_header makes the others. */
struct machine_lists {
    const struct source *sources;
    size_t source_count;
    struct counter_info *counters;
    struct stmt_info *stmts;
    struct file_info *files;
    struct param_info *params;
    struct directives directives;
};

struct machine {
    const char *name;               /* as in config/machines.def */
    const char *title;              /* "Maker's Machine 2" */
    const char *extensions;         /* of program files, blank-separated: ".s .asm" */
    const struct param_row *params; /* of its configuration */
    size_t param_count;
    const char *const *warnings; /* names that silence them, NULL-terminated */
    const char *traps; /* of them, the name of those about what is at fault whenever it is executed:
                        * errors for takt check; or NULL */
    const char *const *about_values;      /* of them, those that equal values settle; or NULL */
    const char *config_text, *config_end; /* the default chip file, built in */
    const char *config_name;              /* "config/<machine>/<chip>.yaml" */
    const struct machine_option *options; /* of its own, until a NULL name; or NULL: none */
    const struct machine_speed *speeds;   /* by unit, until a NULL unit; or NULL: none */
    const struct machine_level *levels;   /* from the top, until a NULL name; or NULL */
    uint32_t step_words, step_cycles;     /* with levels: words that an element takes in a step */
    bool regions; /* programs without directives may have regions all the same */
    /* What SPEC of --load and --save may be, for their help, in lines; NULL: the machine takes
     * neither. */
    const char *places;

    /* Whether a file whose extension is no machine's is a program of this one, by its first
     * MACHINE_HEAD bytes (zeros behind its end): 0, or the more the surer; NULL: never. */
    unsigned (*recognise)(const char *path, const unsigned char *head);
    int (*load)(struct machine_program **program, const struct source *sources, size_t count,
                struct diag_list *diags);
    void (*unload)(struct machine_program *program);
    /* What a configuration must hold beyond the range of each number; NULL: nothing. Returns 0 or
     * 1. */
    int (*valid)(const struct config *config, char error[MACHINE_ERROR]);
    /* Options of its own that can be judged before anything is opened; NULL: any. Returns 0, or 1
     * when one is wrong. */
    int (*accept)(const struct run_options *options, char error[MACHINE_ERROR]);
    /* Every rule of legality beyond load's; settings as in run_options. */
    int (*check)(const struct machine_program *program, const struct config *config,
                 const struct machine_setting *settings, struct diag_list *diags);
    /* Every line that takt whatif with these settings takes out of the program; NULL: none. */
    void (*drops)(const struct machine_program *program, const struct machine_setting *settings,
                  void (*line)(void *context, uint32_t file, uint32_t line), void *context);
    /* Canonical text. */
    int (*print)(const struct machine_program *program, const struct machine_setting *settings,
                 FILE *out);

    /* What depends on what in a program that has passed check, in a run with this setup, whose sink
     * is not used; graph->limit is set, the rest is 0, and it is to be freed in every case. Returns
     * 0; 1 with a sentence when it would have more nodes, or when the program is at fault while it
     * runs; -1 when the host has no memory. */
    int (*graph)(const struct run_setup *setup, struct graph *graph, char error[MACHINE_ERROR]);

    /* What may be moved, with the time by this configuration. Returns 0; 1 and a sentence in error
     * when this program cannot be put into another order; -1. Free the moves in every case. */
    int (*moves)(const struct machine_program *program, const struct config *config,
                 const struct machine_setting *settings, struct moves *moves,
                 char error[MACHINE_ERROR]);
    /* Changes of a legal program of one source that are worth a try. Returns 0, -1 when the host
     * has no memory, or what found returned. */
    int (*advise)(const struct machine_program *program, const struct config *config,
                  const struct machine_setting *settings, moves_advised *found, void *self);

    /* --- a run (timing/run.h): what it lists, what it executes, and when -------------------- */
    const struct reason_info *reasons; /* those of reason.def first */
    size_t reason_count;
    const struct counter_info *counters;
    size_t counter_count;
    bool executes;  /* its model executes the statements that it times */
    bool by_values; /* time depends on them: a run without values is one with them */
    /* Make run->own, its values too unless the run is timing_only. */
    int (*open)(struct machine_run *run, char error[MACHINE_ERROR]);
    void (*close)(struct machine_run *run); /* run->own may be NULL */
    /* Execute about so many statements. */
    enum run_status (*execute)(struct machine_run *run, uint64_t budget, char error[MACHINE_ERROR]);
    uint64_t (*hash)(const struct machine_run *run);
    /* SPEC of --load and --save: whose places it names, and without a run what they may be. Or, of
     * a machine that has others, whether it is one (0, or 1 with a sentence); words into such a
     * place, between open and the first advance; and exactly `count` words from there. All NULL: as
     * places. Status as above. */
    struct place_owner (*owner)(const struct machine_run *run);
    int (*spec)(const char *text, bool save, char *error, size_t size);
    machine_mover *move;
    int (*put)(struct machine_run *run, const char *spec, const uint64_t *words, size_t count,
               char error[MACHINE_ERROR]);
    int (*get)(const struct machine_run *run, const char *spec, uint64_t *words, size_t count,
               char error[MACHINE_ERROR]);
    /* Statements, units, and what else is not in the tables here, into the header. Returns 0, or
     * -1 when the host has no memory. */
    int (*describe)(const struct machine_run *run, struct sink_header *header,
                    struct machine_lists *lists);
    /* A model of model_size bytes, zero but for what struct machine_model has, is made, with its
     * first events in the kernel; it is to be freed in every case. Returns 0, 1 when its numbers
     * make no chip, or -1. */
    size_t model_size;
    int (*model_init)(struct machine_model *model);
    void (*model_free)(struct machine_model *model);
    /* Its numbers come from measurements of time: the low end of a range counts with a faster
     * clock, too, in cycles of clock_hz as configured. */
    bool in_time;
    /* Cycles from 0 to the end of everything; NULL: model->finish. */
    uint64_t (*total)(const struct machine_model *model);
    /* The model is at its end, or stopped: charge what is left to the units; totals of statements
     * and counters go into the summary where they are not those of run_charge and model->counters.
     * Returns 0 or -1. */
    int (*settle)(struct machine_model *model, struct sink_summary *summary);
    const char *(*ending)(const struct machine_run *run); /* as in the summary; or NULL */
    /* The run has ended so: files of the machine's own are closed, which a failed run does not
     * keep. Returns 0, or -1 with a sentence. NULL: there are none. */
    int (*ended)(struct machine_run *run, enum run_status status, char error[MACHINE_ERROR]);
    /* What run.c does not know. */
    void (*progress)(const struct machine_run *run, struct run_progress *progress);
    uint32_t quantum; /* of delays (run_delayed), cycles; 0: there can be none */
    /* Of a statement that does nothing but pass steps. NULL: the machine has none. Returns 0; 1
     * when the statement does something; -1 when the host has no memory. */
    int (*needs)(const struct machine_run *run, uint32_t stmt, struct machine_needs *needs);
    /* Cycles by which accesses come before the end of a transfer that they meet, summed over such
     * pairs, of a timed run that is done. NULL: there can be none. */
    uint64_t (*early)(const struct machine_run *run);
    /* As run_delayed; *cycles is UINT64_MAX where the delay makes such accesses earlier. NULL: the
     * machine has none. */
    int (*delayed)(const struct machine_run *run, const struct machine_delay *delay,
                   uint64_t *cycles);
};

#define MACHINE(name) extern const struct machine machine_##name;
#include "config/machines.def"

/* Whether a word is one of a blank-separated list. */
bool machine_word_in(const char *list, const char *word);

/* Whether the option is one of this command. */
bool machine_option_for(const struct machine_option *option, const char *command);
/* A machine's option of this command; NULL: it has none of the name. */
const struct machine_option *machine_option(const struct machine *machine, const char *command,
                                            const char *name);
/* Whether a name silences warnings of the machine; "all" does. */
bool machine_warns(const struct machine *machine, const char *name);

/* Settings with those of a run in which each value is there only when it has arrived (--poison),
 * where the machine has such runs. list has room for `most` and the end; what is beyond is left
 * out. */
void machine_arriving(const struct machine *machine, const struct machine_setting *settings,
                      struct machine_setting *list, size_t most);

/* The value of a setting; NULL when it is not in the list, which may be NULL. */
const char *machine_setting(const struct machine_setting *settings, const char *name);

/* What is proven of a program that has passed check, by a graph of at most `limit` nodes (0: of
 * any); both are to be freed in every case. Returns 0; 1 when there is no graph, and error says
 * why; or -1 when the host has no memory. */
struct machine_proof {
    struct graph graph;
    struct bounds bounds;
};
int machine_prove(struct machine_proof *proof, const struct machine *machine,
                  const struct run_setup *setup, size_t limit, char error[MACHINE_ERROR]);
void machine_proof_free(struct machine_proof *proof);

/* Check what load could decode, even where it has found errors; loaded: what it returned. Returns 0
 * for a legal program, 1, or -1 when the host has no memory. */
int machine_legal(const struct machine *machine, int loaded, const struct machine_program *program,
                  const struct config *config, const struct machine_setting *settings,
                  struct diag_list *diags);

/* The value of --max-instructions; without it 1,000,000,000. 0 with a sentence. */
uint64_t machine_limit(const struct machine_setting *settings, char error[MACHINE_ERROR]);

/* The default chip of a machine. As config_read (config/config.h). */
int machine_config(const struct machine *machine, struct config *config, char *error,
                   size_t error_size);

/* Complete a header in which machine, command (or NULL), clock, statements, units,
 * reasons, counters and attributes stand. What follows from the configuration, with the values of
 * --documented or without, and from the sources is filled in, the regions of statements too. Files
 * that stand there stay (of a program that is no text: its listing), and so do regions, with those
 * of the statements, unless directives make some. Returns 0, or -1 when the host has no memory. */
int machine_header(struct sink_header *header, struct machine_lists *lists,
                   const struct config *config, bool documented);
void machine_lists_free(struct machine_lists *lists);

/* "SPEC=FILE" of --save, or --load: SPEC into spec, the file's name is returned. NULL: malformed or
 * SPEC too long, and error says so. */
const char *machine_spec(const char *text, bool save, char spec[MACHINE_SPEC],
                         char error[MACHINE_ERROR]);

/* Options that can be judged before anything is opened. Returns 0, or 1 when one is wrong. */
int machine_accept(const struct machine *machine, const struct run_options *options,
                   char error[MACHINE_ERROR]);

/* Do that for each "SPEC=FILE" of a list, which may be NULL, until one fails. */
int machine_move(const char *const *list, bool save, machine_mover *move, struct machine_run *run,
                 char error[MACHINE_ERROR]);

#endif
