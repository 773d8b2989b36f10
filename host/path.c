#include "host/path.h"

#include <stdlib.h>
#include <string.h>

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

char *path_relative(const char *file, const char *name)
{
    const char *slash = *name == '/' ? NULL : strrchr(file, '/');
    const size_t folder = slash ? (size_t)(slash - file) + 1 : 0, size = strlen(name) + 1;
    char *path = malloc(folder + size);
    if (path) {
        memcpy(path, file, folder);
        memcpy(path + folder, name, size);
    }
    return path;
}
