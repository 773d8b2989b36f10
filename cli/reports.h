/* reports: answers for other tools, into a file or on standard output ("-"). */
#ifndef TAKT_CLI_REPORTS_H
#define TAKT_CLI_REPORTS_H

#include <jansson.h>

#include "analysis/junit.h"
#include "cli/cli.h"

/* EXIT_FINE, or an exit code after saying why. The value is given up; NULL: no memory. */
int reports_json(const char *command, const char *path, json_t *value);
/* A suite of JUnit, which is ended. */
int reports_junit(const char *command, const char *path, struct junit *junit);
/* The same of a command that ends early, even where the host failed. */
int reports_early(const char *command, const char *path, struct junit *junit);
/* A suite of one case. */
int reports_case(const char *command, const char *path, const struct junit_case *row);

#endif
