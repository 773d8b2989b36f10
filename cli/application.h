/*
 * application: an application of the command line, from its file to its answer.
 *
 *   application_open   the file, its machine, configuration and programs, which are legal
 *   application_find   its answer (analysis/app_answer.h)
 *   application_close  in every case
 *
 * They return EXIT_FINE, or an exit code after saying why. Options are those of a session.
 */
#ifndef TAKT_CLI_APPLICATION_H
#define TAKT_CLI_APPLICATION_H

#include "analysis/app_answer.h"
#include "cli/session.h"

struct application {
    struct session session; /* its options */
    struct source source;
    struct config config;
    struct diag_list diags;
    struct app app;
    struct app_answer answer;
    bool opened; /* the configuration */
};

/* Whether a file of the command line is an application. */
bool application_is(const char *path);
/* The options of a session, which is empty then but for its command. */
void application_take(struct application *application, struct session *session);
int application_open(struct application *application, const char *path);
int application_find(struct application *application);
void application_close(struct application *application);

#endif
