/* embed: compiles a file of the source tree into the program (chip files, schema, queries), so that
 * the binary works from any folder. EMBED(name, "path/from/the/root") defines name[] and name_size;
 * a NUL follows the bytes and is not counted. */
#ifndef TAKT_CONFIG_EMBED_H
#define TAKT_CONFIG_EMBED_H

#include <stddef.h>

#define EMBED(name, path)                                                                          \
    __asm__(".section .rodata\n"                                                                   \
            ".global " #name "\n"                                                                  \
            ".global " #name "_end\n"                                                              \
            ".balign 16\n" #name ":\n"                                                             \
            ".incbin \"" path "\"\n" #name "_end:\n"                                               \
            ".byte 0\n"                                                                            \
            ".previous\n");                                                                        \
    extern const char name[];                                                                      \
    extern const char name##_end[]

#define EMBED_SIZE(name) ((size_t)(name##_end - name))

#endif
