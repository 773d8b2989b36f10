/*
 * machine: what every machine offers to the commands. A machine is one row in config/machines.def
 * and the folders functional/<m>, timing/<m>, config/<m>; each timing/<m>/machine.c defines one
 * `const struct machine machine_<m>` with four tables: language (load, check, print), values
 * (execution, places in memory), timing (parameters and model), advice (dependences and changes).
 *
 *   sources --load--> program --open--> run --advance*--> summary at the sink --close-->
 *
 * Status of calls that can fail: 0 success, 1 an error of the program or input (diags or error say
 * which), -1 an error of the host (error says which).
 */
#ifndef TAKT_TIMING_MACHINE_H
#define TAKT_TIMING_MACHINE_H

#include "timing/bounds.h"
#include "timing/machine_advice.h"
#include "timing/machine_language.h"
#include "timing/machine_options.h"
#include "timing/machine_timing.h"
#include "timing/machine_values.h"
#include "timing/range.h"
#include "timing/terms.h"

struct machine {
    const char *name;  /* as in config/machines.def */
    const char *title; /* "Maker's Machine 2" */
    const struct machine_language *language;
    const struct machine_values *values;
    const struct machine_timing *timing;
    const struct machine_advice *advice;
    const struct term *terms; /* up to a NULL word; or NULL */
};

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
 * reasons, counters and attributes are set. What follows from the configuration, with the values of
 * --documented or without, and from the sources is filled in, the regions of statements too. Files
 * that are already set stay (the listing of a binary program), and so do regions, with those
 * of the statements, unless directives make some. Returns 0, or -1 when the host has no memory. */
int machine_header(struct sink_header *header, struct machine_lists *lists,
                   const struct config *config, bool documented);
void machine_lists_free(struct machine_lists *lists);

/* Options that can be judged before anything is opened. Returns 0, or 1 when one is wrong. */
int machine_accept(const struct machine *machine, const struct run_options *options,
                   char error[MACHINE_ERROR]);

/* Do that for each "SPEC=FILE" of a list, which may be NULL, until one fails. */
int machine_move(const char *const *list, bool save, machine_mover *move, struct machine_run *run,
                 char error[MACHINE_ERROR]);

#endif
