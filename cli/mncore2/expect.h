/*
 * expect: what an output line of a test case must print, and whether it did.
 *
 *   # <key>=<list> / <Dtype> @[i,j],[k,l] atol=<x> rtol=<y>
 *
 * <list> is numbers separated by commas, in [] or not, or the characters of a String, in quotes or
 * not, in which \n \t \\ \" \0 and \xHH are the characters that they are in C; an integer that
 * the type does not hold is refused, hexadecimal digits are the type's bits. The lines that
 * d get printed are read as long words and decoded by <Dtype>, most significant element first.
 * @[..] names the elements' places for the messages. An element is wrong only if it misses both
 * tolerances; all encodings of zero are equal, all of an infinity too.
 */
#ifndef TAKT_CLI_MNCORE2_EXPECT_H
#define TAKT_CLI_MNCORE2_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expect_tolerance {
    double absolute, relative;
};

struct expect_value {
    double real;      /* of float types */
    uint64_t integer; /* of integer types, sign-extended */
};

struct expect_list {
    struct expect_value *at;
    size_t count, capacity;
};

struct expect {
    char *key;
    int type; /* index of the Dtype */
    struct expect_list values, got;
    char *places; /* text after @, or NULL */
    struct expect_tolerance tolerance;
    bool lost; /* something found no memory */
};

/* Parse the comment of an output line. 0; 1 with a sentence; -1 when the host has no memory. */
int mncore2_expect_parse(struct expect *expect, const char *text, size_t length, char *error,
                         size_t size);
/* Decode the lines that d get printed; returns the number of elements, which may be too low if the
 * expectation has lost something. */
size_t mncore2_expect_decode(struct expect *expect, const char *dump);
/* Whether element i is right; otherwise message says what was expected and what was there. */
bool mncore2_expect_equal(const struct expect *expect, size_t i, bool printed, char *message,
                          size_t size);
void mncore2_expect_free(struct expect *expect);

#endif
