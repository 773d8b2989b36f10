/*
 * setup: a program and what it is to be started with, from a text's directives or an ELF file's
 * YAML, to a launch.
 *
 *   struct riscv_image, struct ventus_setup --ventus_setup_launch--> struct ventus_launch
 *
 * Memory from 0x90000000 on, each in separate pages: the buffers, the kernel arguments, the print
 * buffer, private memory, and the metadata buffer of 14 words:
 *
 *    0 kernel  1 arguments  2 dimensions  3..5 global size  6..8 local size  9..11 offset
 *   12 print buffer  13 its bytes
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_SETUP_H
#define TAKT_FUNCTIONAL_VENTUS_SETUP_H

#include "functional/riscv/image.h"
#include "functional/ventus/launch.h"

#define VENTUS_CODE   UINT32_C(0x80000000)
#define VENTUS_GLOBAL UINT32_C(0x90000000)
enum { VENTUS_MOST = 64 << 20 }; /* bytes of a program's text and data */

enum ventus_key {
#define KEY(name, values, low, high, sentence) VENTUS_LAUNCH_##name,
#include "functional/ventus/launch.def"
    VENTUS_KEYS
};

struct ventus_key_row {
    const char *name;
    uint32_t values, low, high;
};
extern const struct ventus_key_row ventus_keys[VENTUS_KEYS];
enum ventus_key ventus_key_find(const char *name, size_t length); /* VENTUS_KEYS: none */
const char *ventus_key_near(const char *name, size_t length);     /* or NULL */

struct ventus_setup {
    uint32_t value[VENTUS_KEYS][3];
    bool given[VENTUS_KEYS];
    uint32_t *arguments;
    size_t argument_count, argument_capacity;
    struct ventus_buffer *buffers; /* of the YAML; those of a text are segments of the image */
    size_t buffer_count, buffer_capacity;
};

void ventus_setup_init(struct ventus_setup *setup);
void ventus_setup_free(struct ventus_setup *setup);
/* False when the host has no memory. */
bool ventus_setup_argument(struct ventus_setup *setup, uint32_t value);
/* Address of free pages of global memory for `bytes` bytes; 0: no room. */
uint32_t ventus_setup_place(const struct ventus_buffer *buffers, size_t count, uint64_t room);

/* Returns 0; 1 with a sentence, "\n" in it splits sentence and fix; -1 when the host has no memory.
 * Free the launch in every case. */
int ventus_setup_launch(const struct ventus_setup *setup, const struct riscv_image *image,
                        struct ventus_launch *launch, char *error, size_t error_size);

#endif
