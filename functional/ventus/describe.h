/*
 * describe: the YAML of an ELF file: what the launch is started with.
 *
 *     elf: saxpy.elf               # NAME.elf of NAME.yaml, when it is not said
 *     grid: [4, 1, 1]              # and the other rows of launch.def; one value, or a list
 *     workgroup: 64
 *     start: _start                # start and kernel: an address, or a symbol of the ELF file
 *     kernel: saxpy
 *     buffers:
 *       - {name: x, file: x.bin}             # its bytes
 *       - {name: y, value: [1, 2.5, 0x10]}   # words; 2.5 is a single
 *       - {name: z, value: 1.0, size: 4096}  # this word, up to the end
 *       - {name: out, size: 4096}            # zeros
 *       - {name: t, size: 64, address: 0xa0000000}
 *     arguments: [x, y, z, out, 1024, 0.5]   # addresses of buffers or symbols; numbers
 *
 * Files are found relative to the YAML.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_DESCRIBE_H
#define TAKT_FUNCTIONAL_VENTUS_DESCRIBE_H

#include "functional/diag.h"
#include "functional/source.h"
#include "functional/ventus/setup.h"

/* A word of the YAML that is understood when the ELF file is there. */
struct ventus_word {
    char *text;
    uint32_t line, column;
};

struct ventus_description {
    const struct source *source;
    const char
        *prefix; /* in front of sentences, when the file is not a source of the run; else NULL */
    struct diag_list *diags;
    struct ventus_setup *setup; /* its keys and buffers are read, its arguments are not */
    struct ventus_word elf;     /* NULL text when it is not given */
    struct ventus_word *names;  /* of the setup's buffers */
    size_t name_count, name_capacity;
    struct ventus_word *arguments;
    size_t argument_count, argument_capacity;
    struct ventus_word entry[2]; /* start, kernel; NULL texts when they are not given */
};

/* source, prefix, diags and setup are given, the rest is 0. Returns 0, 1 with findings, -1 when the
 * host has no memory. Free it in every case. */
int ventus_describe(struct ventus_description *description);
void ventus_description_free(struct ventus_description *description);
/* A finding at a word, or at none. */
void ventus_description_error(const struct ventus_description *description,
                              const struct ventus_word *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A number, decimal, 0x, or with a point or exponent a single's bits. */
bool ventus_description_word(const char *text, uint32_t *value);
#endif
