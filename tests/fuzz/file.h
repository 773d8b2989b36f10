/* file: bytes as a file with a name, for what reads files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder of the process's own, made at the first call. */
static inline const char *fuzz_path(const char *name)
{
    static char folder[] = "/tmp/takt-fuzz-XXXXXX", paths[4][64];
    static unsigned next;
    if (strchr(folder, 'X') && strcmp(strrchr(folder, '-'), "-XXXXXX") == 0 && !mkdtemp(folder))
        abort();
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%.30s", folder, name);
    return path;
}

static inline const char *fuzz_file(const char *name, const void *bytes, size_t size)
{
    const char *path = fuzz_path(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
    return path;
}

/* The two parts of an input around its first line "====". */
static inline void fuzz_split(const uint8_t *data, size_t size, size_t *first, size_t *second)
{
    static const char mark[] = "\n====\n";
    const uint8_t *at = memmem(data, size, mark, sizeof mark - 1);
    *first = at ? (size_t)(at - data) + 1 : size;
    *second = at ? *first + sizeof mark - 2 : size;
}
