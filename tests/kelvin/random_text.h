/* random_text: random terminating programs of scalar and vector instructions. */
#ifndef TAKT_TESTS_KELVIN_RANDOM_TEXT_H
#define TAKT_TESTS_KELVIN_RANDOM_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
    char bytes[32768];
    size_t used;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A loop of up to 60 instructions that ends by mpause. */
void random_text(struct text *text, uint64_t seed);

#endif
