/* logged: programs and their logs, for the tests of both. */
#ifndef TAKT_TESTS_VENTUS_LOGGED_H
#define TAKT_TESTS_VENTUS_LOGGED_H

#include "functional/ventus/log.h"

/* The cases, each under this folder; made by logged_unpack, removed by logged_clear (cmocka's setup
 * and teardown). */
extern char logged_root[32];
int logged_unpack(void **state);
int logged_clear(void **state);

struct logged_file {
    char *path, *text;
    size_t size;
};
/* All files whose name ends with `end`. Returns how many; free with logged_free. */
size_t logged_files(const char *end, struct logged_file **files);
void logged_free(struct logged_file *files, size_t count);

/* The log of a program, by its file or by its text; fails the test where it has none. */
char *logged_of_file(const char *path, size_t *size);
char *logged_of_text(const char *text, size_t *size);

#endif
