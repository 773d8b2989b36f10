/* batch_junit: answers of takt batch as JUnit XML. */
#ifndef TAKT_CLI_BATCH_JUNIT_H
#define TAKT_CLI_BATCH_JUNIT_H

#include "analysis/junit.h"

#include <stdbool.h>

/* One line of JSON that the command prints: a case of its id, passed if it is "ok". True if the id
 * names the file `path`, which must not be written then. */
bool batch_junit_add(struct junit *junit, const char *answer, const char *path);

#endif
