/* file: bytes as a file with a name, for what reads files. */
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int fuzz_unlink(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info, (void)kind, (void)at;
    return remove(path);
}

static char fuzz_folder[200];

static inline void fuzz_remove_folder(void)
{
    nftw(fuzz_folder, fuzz_unlink, 8, FTW_DEPTH | FTW_PHYS);
}

/* In a folder of the process, made at the first call, that goes at the end. */
static inline const char *fuzz_path(const char *name)
{
    static char paths[4][250];
    static unsigned next;
    if (!*fuzz_folder) {
        const char *place = getenv("TMPDIR");
        snprintf(fuzz_folder, sizeof fuzz_folder, "%.150s/takt-fuzz-XXXXXX",
                 place ? place : "/tmp");
        if (!mkdtemp(fuzz_folder) || atexit(fuzz_remove_folder) != 0)
            abort();
    }
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%.30s", fuzz_folder, name);
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
