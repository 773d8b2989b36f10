/*
 * told: what a sink was told of the program, for as long as the program stands (timing/sink.h).
 *
 *   struct sink_header --told_of--> struct told
 */
#ifndef TAKT_TRACES_TOLD_H
#define TAKT_TRACES_TOLD_H

#include "timing/sink.h"

struct told {
    const void *asked;
    uint64_t (*program_hash)(const void *asked, const uint64_t *files);
    const struct stmt_info *stmts; /* or NULL: ask */
    void (*stmt)(const void *asked, uint32_t id, struct stmt_info *info);
    void (*place)(const void *asked, uint32_t id, uint32_t *file, uint32_t *line);
    void (*lines)(const void *asked, size_t first, size_t count, struct stmt_line *lines);
    bool (*moves)(const void *asked, uint32_t id);
    size_t stmt_count, kind_count;
    const struct file_info *files;
    size_t file_count;
};

static inline struct told told_of(const struct sink_header *h)
{
    return (struct told){.asked = h->asked,
                         .program_hash = h->program_hash,
                         .stmts = h->stmts,
                         .stmt = h->stmt,
                         .place = h->place,
                         .lines = h->lines,
                         .moves = h->moves,
                         .stmt_count = h->stmt_count,
                         .kind_count = h->kind_count,
                         .files = h->files,
                         .file_count = h->file_count};
}

static inline struct stmt_info told_stmt(const struct told *told, size_t id)
{
    struct stmt_info info;
    if (told->stmts) {
        return told->stmts[id];
    }
    told->stmt(told->asked, (uint32_t)id, &info);
    return info;
}

static inline void told_place(const struct told *told, size_t id, uint32_t *file, uint32_t *line)
{
    if (!told->stmts && told->place) {
        told->place(told->asked, (uint32_t)id, file, line);
        return;
    }
    const struct stmt_info info = told_stmt(told, id);
    *file = info.file;
    *line = info.line;
}

#endif
