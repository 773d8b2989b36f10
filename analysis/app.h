/*
 * app: an application: programs repeated, data from the host, several boards of one chip.
 *
 *   source --app_read--> struct app --app_load--> its programs, which are legal
 *                           \--app_answer_find (analysis/app_answer.h)--> the answer
 *
 *   machine: NAME
 *   boards: 2                                # 1 without it
 *   steps:
 *   - load: {bytes: 16777216, board: all}    # from the host; to one board: its number from 0
 *   - repeat: 64
 *     steps:
 *     - load: {bytes: 65536}
 *       with: next                           # begins together with the next step
 *     - run: gemm_tile.vsm                   # a file, from the folder of this one
 *       times: 64
 *   - store: {bytes: 65536, board: 0}
 *
 * docs/applications.md says what each means.
 */
#ifndef TAKT_ANALYSIS_APP_H
#define TAKT_ANALYSIS_APP_H

#include "functional/diag.h"
#include "timing/machine.h"

enum app_kind { APP_LOAD, APP_STORE, APP_RUN, APP_REPEAT };

enum { APP_BOARDS = 1024 }; /* at most */
#define APP_TIMES UINT64_C(1000000000000000)
#define APP_ALL   UINT32_MAX /* boards */

/* Steps in the order of the file; those of a repeat follow it. */
struct app_step {
    enum app_kind kind;
    uint32_t line, column, length; /* of its word */
    uint64_t times;
    uint64_t bytes;   /* of load and store, for each board */
    uint32_t board;   /* or APP_ALL */
    uint32_t program; /* of run */
    uint32_t depth;   /* repeats around it */
    bool with_next;
    size_t end; /* the first step after it, and after what it repeats */
};

struct app_program {
    char *path; /* the file's name as the application has it, from the folder of its file */
    uint32_t line, column, length; /* where it is first named */
    struct source source;
    struct machine_program *program; /* NULL: not loaded */
    struct diag_list diags;
};

struct app {
    const struct source *source;
    const struct machine *machine;
    uint32_t boards;
    struct app_step *steps;
    size_t count, capacity;
    struct app_program *programs;
    size_t program_count, program_capacity;
};

/* Whether a text is meant as an application: it has a line that begins with "steps:". */
bool app_recognise(const char *text, size_t size);

/* The source must stay valid until app_free, which is to be called in every case. Returns 0; 1 for
 * errors, which are in diags; -1 when the host has no memory. */
int app_read(struct app *app, const struct source *source, struct diag_list *diags);
/* Read and check all programs; findings are in their lists. Status as app_read; error: of a file
 * that cannot be read, and then diags has its place. */
int app_load(struct app *app, const struct config *config, const struct machine_setting *settings,
             struct diag_list *diags);
void app_free(struct app *app);

const char *app_kind_name(enum app_kind kind);
/* What follows the word of a step: "16,777,216 bytes", "tile.vsm". Returns text. */
enum { APP_TEXT = 160 };
const char *app_step_text(const struct app *app, const struct app_step *step, char text[APP_TEXT]);

#endif
