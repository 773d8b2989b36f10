/* takt_process: run the built program (TAKT, or build/takt) as a user would, without a shell. */
#ifndef TAKT_TESTS_TAKT_PROCESS_H
#define TAKT_TESTS_TAKT_PROCESS_H

#include <stddef.h>

struct takt_result {
    int exit_code; /* 128 + signal when it was killed */
    char *out, *err;
    size_t out_size, err_size;
};

/* Arguments end with NULL; argv[0] is the first argument after "takt". */
struct takt_result takt_run(const char *const *arguments);
/* The same with text on standard input. */
struct takt_result takt_run_input(const char *const *arguments, const char *input);
/* Any other program, argv[0] first. */
struct takt_result takt_run_program(const char *const *argv, const char *input);
void takt_result_free(struct takt_result *result);

/* A file in a folder of its own below the temporary folder; the path stays valid until the next
 * 16 calls. */
const char *takt_temp_file(const char *name, const char *text);
/* A path there, nothing written. */
const char *takt_temp_path(const char *name);

/* Whole file as NUL-terminated text, NULL when it cannot be read. */
char *takt_read_file(const char *path, size_t *size);

#endif
