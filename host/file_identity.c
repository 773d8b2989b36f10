#include "host/file_identity.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder of path, "." if it has none; path is cut there. */
static const char *cut_name(char *path, const char **name)
{
    char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    if (!slash)
        return ".";
    if (slash == path)
        return "/";
    *slash = '\0';
    return path;
}

/* The target of a link, relative to the link's folder. NULL with errno. */
static char *follow(const char *path)
{
    char to[PATH_MAX], *joined = NULL;
    const ssize_t size = readlink(path, to, sizeof to - 1);
    if (size < 0)
        return NULL;
    to[size] = '\0';
    const char *slash = to[0] == '/' ? NULL : strrchr(path, '/');
    if (asprintf(&joined, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, to) >= 0)
        return joined;
    errno = ENOMEM;
    return NULL;
}

char *file_target(const char *path)
{
    enum { LINKS = 40 };
    struct stat status;
    /* /dev/stdout may lead to a file without a name: only regular files are followed. */
    const bool other = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    char *target = strdup(path);
    if (other)
        return target;
    for (int i = 0; target && lstat(target, &status) == 0 && S_ISLNK(status.st_mode); i++) {
        char *next = i < LINKS ? follow(target) : NULL;
        if (i == LINKS)
            errno = ELOOP;
        free(target);
        target = next;
    }
    return target;
}

int file_identify(const char *path, struct file_identity *identity)
{
    struct stat status;
    *identity = (struct file_identity){0};
    if (stat(path, &status) == 0) {
        identity->device = status.st_dev;
        identity->inode = status.st_ino;
        identity->none = !S_ISREG(status.st_mode);
        return 0;
    }
    return file_identify_name(path, identity);
}

int file_identify_name(const char *path, struct file_identity *identity)
{
    struct stat status;
    char *target = file_target(path);
    *identity = (struct file_identity){0};
    if (!target)
        return -1;
    const char *name;
    const char *folder = cut_name(target, &name);
    const bool known = strlen(name) < sizeof identity->name && stat(folder, &status) == 0;
    if (known) {
        identity->device = status.st_dev;
        identity->inode = status.st_ino;
        snprintf(identity->name, sizeof identity->name, "%s", name);
    }
    free(target);
    return known ? 0 : -1;
}

bool file_same(const char *path, const char *other)
{
    struct file_identity a, b;
    if (file_identify(path, &a) != 0 || file_identify(other, &b) != 0)
        return strcmp(path, other) == 0;
    return !a.none && !b.none && a.device == b.device && a.inode == b.inode &&
           strcmp(a.name, b.name) == 0;
}

bool file_is_inside(const char *path, const struct file_identity *folder)
{
    struct stat at, above;
    const char *name;
    char *target = file_target(path), up[PATH_MAX];
    size_t size = PATH_MAX;
    if (target)
        size = (size_t)snprintf(up, sizeof up, "%s", cut_name(target, &name));
    free(target);
    bool inside = false;
    while (!inside && size + sizeof "/.." <= sizeof up && stat(up, &at) == 0) {
        inside = at.st_dev == folder->device && at.st_ino == folder->inode;
        memcpy(up + size, "/..", sizeof "/..");
        size += 3;
        if (stat(up, &above) != 0 || (above.st_dev == at.st_dev && above.st_ino == at.st_ino))
            break;
    }
    return inside;
}
