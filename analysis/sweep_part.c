#include "analysis/sweep_part.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/file.h"

/* Of one width, so that one write replaces all of it. */
enum { WIDTH = 160 };
static const double often = 0.5, stale = 60; /* seconds */

double sweep_part_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static char *path_of(const char *chunks, uint64_t chunk)
{
    char *path = NULL;
    return asprintf(&path, "%s/%llu.part", chunks, (unsigned long long)chunk) < 0 ? NULL : path;
}

/* --- writing ---------------------------------------------------------------------------------- */

void sweep_part_open(struct sweep_part_file *file, const char *chunks, uint64_t chunk)
{
    *file = (struct sweep_part_file){
        .path = path_of(chunks, chunk), .fd = -1, .written = sweep_part_now()};
}

void sweep_part_note(struct sweep_part_file *file, struct sweep_part *part)
{
    char line[WIDTH];
    part->updated = sweep_part_now();
    if (!file->path || part->updated - file->written < often)
        return;
    file->written = part->updated;
    if (file->fd < 0)
        file->fd = open(file->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file->fd < 0)
        return;
    memset(line, ' ', WIDTH);
    const int size = snprintf(
        line, WIDTH, "{\"points\": %llu, \"failed\": %llu, \"started\": %.3f, \"updated\": %.3f}",
        (unsigned long long)part->points, (unsigned long long)part->failed, part->started,
        part->updated);
    if (size >= 0 && size < WIDTH)
        line[size] = ' ';
    line[WIDTH - 1] = '\n';
    if (pwrite(file->fd, line, WIDTH, 0) != WIDTH)
        file->written += stale; /* a full disk is not tried at every point */
}

void sweep_part_close(struct sweep_part_file *file)
{
    if (file->fd >= 0) {
        close(file->fd);
        unlink(file->path);
    }
    free(file->path);
    *file = (struct sweep_part_file){.fd = -1};
}

/* --- reading ---------------------------------------------------------------------------------- */

/* A point that takes long says nothing for as long. */
static bool is_too_old(const struct sweep_part *part, double now)
{
    const double each =
        part->points ? (part->updated - part->started) / (double)part->points : stale;
    return now - part->updated > (10 * each > stale ? 10 * each : stale);
}

bool sweep_part_read(const char *chunks, uint64_t chunk, double now, struct sweep_part *part)
{
    char text[WIDTH], *path = path_of(chunks, chunk);
    const int fd = path && file_is_regular(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const ssize_t size = fd >= 0 ? read(fd, text, sizeof text) : -1;
    json_t *root = size > 0 ? json_loadb(text, (size_t)size, 0, NULL) : NULL;
    json_int_t points = 0, failed = 0;
    *part = (struct sweep_part){.points = 0};
    const bool good =
        root && json_unpack(root, "{s:I, s:I, s:F, s:F}", "points", &points, "failed", &failed,
                            "started", &part->started, "updated", &part->updated) == 0;
    if (fd >= 0)
        close(fd);
    json_decref(root);
    free(path);
    if (!good || points <= 0 || failed < 0 || failed > points)
        return false;
    part->points = (uint64_t)points;
    part->failed = (uint64_t)failed;
    return !is_too_old(part, now);
}

void sweep_part_remove(const char *chunks, uint64_t chunk)
{
    char *path = path_of(chunks, chunk);
    if (path)
        unlink(path);
    free(path);
}
