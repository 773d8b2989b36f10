/* takt_expect: one run of the built program, held against what is expected of it. */
#ifndef TAKT_TESTS_TAKT_EXPECT_H
#define TAKT_TESTS_TAKT_EXPECT_H

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Fails the test unless the exit code is so and stdout and stderr hold these pieces (NULL: any). */
void takt_expect(const char *const *arguments, int exit_code, const char *out, const char *err);
/* Fails the test unless the exit code is 0 and stdout is one JSON value. */
void takt_expect_json(const char *const *arguments);

/* Run a program quietly with one more option and a trace. Returns the trace's name, in the folder
 * of takt_temp_path. */
const char *takt_record(const char *program, const char *option);

#endif
