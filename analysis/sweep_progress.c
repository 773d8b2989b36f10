#include "analysis/sweep_progress.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/sweep_part.h"
#include "host/number.h"

int sweep_progress_begin(struct sweep_progress *progress, const struct sweep_folder *folder)
{
    *progress = (struct sweep_progress){
        .folder = folder, .chunks = calloc(folder->chunk_count + 1, sizeof *progress->chunks)};
    return progress->chunks ? sweep_progress_update(progress) : -1;
}

void sweep_progress_free(struct sweep_progress *progress)
{
    free(progress->chunks);
}

static bool has_points(const struct sweep_chunk_state *chunk)
{
    return chunk->state == SWEEP_DONE || chunk->state == SWEEP_AT_WORK;
}

/* Over the chunks that ended last, since the first of them began. */
static void find_rate(struct sweep_progress *progress)
{
    enum { WINDOW = 60 };
    const size_t count = progress->folder->chunk_count;
    double ended = 0, started = 0, points = 0;
    for (size_t i = 0; i < count; i++)
        if (has_points(&progress->chunks[i]) && progress->chunks[i].ended > ended)
            ended = progress->chunks[i].ended;
    for (size_t i = 0; i < count; i++) {
        const struct sweep_chunk_state *chunk = &progress->chunks[i];
        if (!has_points(chunk) || chunk->ended < ended - WINDOW)
            continue;
        points += (double)chunk->points;
        if (started <= 0 || chunk->started < started)
            started = chunk->started;
    }
    progress->rate = points > 0 && ended > started ? points / (ended - started) : -1;
    progress->remaining = progress->rate > 0
                              ? (double)(progress->folder->points - progress->done) / progress->rate
                              : -1;
}

static void add_up(struct sweep_progress *progress)
{
    progress->done = progress->failed = progress->at_work = 0;
    progress->chunks_done = 0;
    for (size_t i = 0; i < progress->folder->chunk_count; i++) {
        const struct sweep_chunk_state *chunk = &progress->chunks[i];
        if (!has_points(chunk))
            continue;
        progress->done += chunk->points;
        progress->failed += chunk->failed;
        progress->chunks_done += chunk->state == SWEEP_DONE;
        progress->at_work += chunk->state == SWEEP_AT_WORK ? chunk->points : 0;
    }
}

/* A chunk without a result: what its process says of it. */
static void read_part(const struct sweep_progress *progress, size_t number, const char *chunks,
                      struct sweep_chunk_state *chunk)
{
    struct sweep_part part;
    if (sweep_part_read(chunks, number, sweep_part_now(), &part) &&
        part.points <= progress->folder->chunks[number].points)
        *chunk = (struct sweep_chunk_state){SWEEP_AT_WORK, part.points, part.failed, part.started,
                                            part.updated};
}

static int update_chunk(struct sweep_progress *progress, size_t number, const char *chunks)
{
    const struct sweep_folder *folder = progress->folder;
    struct sweep_chunk_state *chunk = &progress->chunks[number];
    struct sweep_chunk_file file = {.db = NULL};
    char error[SWEEP_ERROR], *path = sweep_folder_chunk_path(folder, number);
    int status = path ? sweep_folder_read_chunk(folder, path, &file, error) : -1;
    if (status == 0 && !sweep_folder_is_chunk(folder, number, &file)) {
        snprintf(error, sizeof error, "%s is another chunk", path);
        status = 1;
    }
    *chunk = (struct sweep_chunk_state){.state = status == 1 ? SWEEP_DAMAGED : SWEEP_MISSING};
    if (status == 0)
        *chunk = (struct sweep_chunk_state){SWEEP_DONE, file.points, file.failed, file.started,
                                            file.ended};
    else if (status > 0)
        read_part(progress, number, chunks, chunk);
    if (status == 1)
        memcpy(progress->damage, error, sizeof error);
    if (status != 2)
        sweep_folder_close_chunk(&file);
    free(path);
    return status < 0 ? -1 : 0;
}

int sweep_progress_update(struct sweep_progress *progress)
{
    char *chunks = sweep_folder_path(progress->folder, "chunks");
    int status = chunks ? 0 : -1;
    for (size_t i = 0; status == 0 && i < progress->folder->chunk_count; i++)
        if (progress->chunks[i].state != SWEEP_DONE)
            status = update_chunk(progress, i, chunks);
    free(chunks);
    add_up(progress);
    find_rate(progress);
    return status;
}

void sweep_progress_print(const struct sweep_progress *progress, FILE *out)
{
    const struct sweep_folder *folder = progress->folder;
    char number[NUMBER_TEXT], all[NUMBER_TEXT];
    fprintf(out, "%s of %s points done, %llu failed, %zu of %zu chunks",
            number_group(number, (int64_t)progress->done),
            number_group(all, (int64_t)folder->points), (unsigned long long)progress->failed,
            progress->chunks_done, folder->chunk_count);
    if (progress->done == folder->points)
        return;
    if (progress->rate > 0)
        fprintf(out, ", %.3g points/s, %.0f s left", progress->rate, progress->remaining);
}

json_t *sweep_progress_json(const struct sweep_progress *progress)
{
    const struct sweep_folder *folder = progress->folder;
    json_t *missing = json_array();
    for (size_t i = 0; i < folder->chunk_count; i++)
        if (progress->chunks[i].state != SWEEP_DONE)
            json_array_append_new(missing, json_integer((json_int_t)i));
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "points",
                     (json_int_t)folder->points, "done", (json_int_t)progress->done, "at_work",
                     (json_int_t)progress->at_work, "failed", (json_int_t)progress->failed,
                     "chunks", (json_int_t)folder->chunk_count, "chunks_done",
                     (json_int_t)progress->chunks_done, "missing", missing, "rate",
                     progress->rate > 0 ? json_real(progress->rate) : json_null(), "remaining",
                     progress->remaining >= 0 ? json_real(progress->remaining) : json_null());
}

void sweep_progress_missing(const struct sweep_progress *progress, char *text, size_t size)
{
    const size_t count = progress->folder->chunk_count;
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < count; i++) {
        if (progress->chunks[i].state == SWEEP_DONE)
            continue;
        size_t last = i;
        while (last + 1 < count && progress->chunks[last + 1].state != SWEEP_DONE)
            last++;
        if (used + 50 > size) {
            snprintf(text + used, size - used, ", ..");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%zu", used ? ", " : "", i);
        if (last > i)
            used += (size_t)snprintf(text + used, size - used, "-%zu", last);
        i = last;
    }
}
