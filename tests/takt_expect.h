/* takt_expect: one run of the built program, held against what is expected of it. */
#ifndef TAKT_TESTS_TAKT_EXPECT_H
#define TAKT_TESTS_TAKT_EXPECT_H

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Fails the test unless the exit code is so and stdout and stderr hold these pieces (NULL: any). */
void takt_expect(const char *const *arguments, int exit_code, const char *out, const char *err);

#endif
