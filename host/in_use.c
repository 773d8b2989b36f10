#include "host/in_use.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/file_identity.h"
#include "host/grow.h"

/* OUTPUT: standard output at the start of the command. KEPT: a name; KEPT_FOLDER: all names in
 * it. */
enum how { READ, WRITTEN, OUTPUT, KEPT, KEPT_FOLDER };
struct use {
    struct file_identity file;
    enum how how;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct use *uses;
static size_t count, capacity;
static bool active, input_read;

static bool same(const struct file_identity *a, const struct file_identity *b)
{
    return a->device == b->device && a->inode == b->inode && strcmp(a->name, b->name) == 0;
}

static bool note(const struct file_identity *file, enum how how)
{
    for (size_t i = 0; i < count; i++)
        if (uses[i].how == how && same(&uses[i].file, file))
            return true;
    struct use *larger = grow(uses, &capacity, count + 1, sizeof *larger);
    if (!larger)
        return false;
    uses = larger;
    uses[count++] = (struct use){*file, how};
    return true;
}

void in_use_begin(void)
{
    pthread_mutex_lock(&lock);
    active = true;
    input_read = false;
    count = 0;
    struct stat status;
    if (fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode))
        note(&(struct file_identity){.device = status.st_dev, .inode = status.st_ino}, OUTPUT);
    pthread_mutex_unlock(&lock);
}

/* True if it is the same pipe or socket as standard input, whose data can be read only once. */
static bool is_input(const struct stat *status)
{
    struct stat input;
    return (S_ISFIFO(status->st_mode) || S_ISSOCK(status->st_mode)) &&
           fstat(STDIN_FILENO, &input) == 0 && input.st_dev == status->st_dev &&
           input.st_ino == status->st_ino;
}

int in_use_read(int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return 0;
    const bool input = fd == STDIN_FILENO || is_input(&status);
    pthread_mutex_lock(&lock);
    const int again = active && input && input_read;
    input_read |= input;
    if (active && S_ISREG(status.st_mode)) /* running out of memory is recorded (failure.h) */
        note(&(struct file_identity){.device = status.st_dev, .inode = status.st_ino}, READ);
    pthread_mutex_unlock(&lock);
    return again;
}

static void keep(const struct file_identity *file, enum how how)
{
    pthread_mutex_lock(&lock);
    if (active) /* running out of memory is recorded (failure.h) */
        note(file, how);
    pthread_mutex_unlock(&lock);
}

void in_use_keep(const char *path)
{
    struct file_identity name;
    if (file_identify_name(path, &name) == 0)
        keep(&name, KEPT);
}

void in_use_keep_folder(const char *path)
{
    struct file_identity folder;
    if (file_identify(path, &folder) == 0)
        keep(&folder, KEPT_FOLDER);
}

static bool is_used(const struct use *use, const char *path, const struct file_identity *file,
                    const struct file_identity *name)
{
    switch (use->how) {
    case KEPT_FOLDER:
        return file_is_inside(path, &use->file);
    case KEPT:
    case WRITTEN:
        return same(&use->file, name);
    default:
        return same(&use->file, file);
    }
}

int in_use_write(const char *path, char *error, size_t error_size)
{
    struct file_identity file, name;
    /* Errors are reported when the file is opened; pipes and terminals cannot be overwritten. */
    if (file_identify(path, &file) != 0 || file.none || file_identify_name(path, &name) != 0)
        return 0;
    int status = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; active && status == 0 && i < count; i++)
        if (is_used(&uses[i], path, &file, &name)) {
            static const char *const said[] = {"read", "written already", "written already", "used",
                                               "used"};
            snprintf(error, error_size, "%.300s is %s by this command: it is left alone", path,
                     said[uses[i].how]);
            status = 1;
        }
    if (active && status == 0 && !note(&name, WRITTEN)) {
        snprintf(error, error_size, "out of memory");
        status = -1;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void in_use_rewrite(const char *path)
{
    struct file_identity name;
    if (file_identify_name(path, &name) != 0)
        return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++)
        if (uses[i].how == WRITTEN && same(&uses[i].file, &name))
            uses[i--] = uses[--count];
    pthread_mutex_unlock(&lock);
}
