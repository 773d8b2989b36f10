/*
 * buffer: an open file of the editor: its text, and what takt knows of it.
 *
 *   buffer_open --buffer_edited--> text --buffer_study--> findings --buffer_work*--> times
 *
 * The answers of the protocol about one file are in findings.c, format.c, hints.c, hover.c,
 * places.c and complete.c: each takes the file and gives JSON, NULL when memory is out.
 */
#ifndef TAKT_EDITOR_BUFFER_H
#define TAKT_EDITOR_BUFFER_H

#include <jansson.h>

#include "editor/document.h"
#include "editor/study.h"

/* A longer text is not studied while it is edited. */
enum { BUFFER_MOST = 16 << 20 };

struct buffer {
    char *uri, *path;
    const struct machine *machine;
    json_int_t version;
    struct document document;
    struct study study;
    uint64_t edit; /* number of this state of the text among those of all files */
    bool wants_range;
    bool studied;          /* study is of the text as it is now */
    bool published;        /* and the client has its findings */
    enum study_stage said; /* stage of which the client has been given the status */
};

/* machine NULL: by the name of the language, or of the file. Returns 0; 1: no machine has such
 * programs; -1. */
int buffer_open(struct buffer *file, const char *uri, const char *language,
                const struct machine *machine);
void buffer_close(struct buffer *file);
void buffer_edited(struct buffer *file);
bool buffer_too_long(const struct buffer *file);
/* The findings of the text as it is now. */
void buffer_study(struct buffer *file);
/* Whether there is more to do. */
bool buffer_work(struct buffer *file);
/* Whether its times are still to come, from a run with less than this work so far. */
bool buffer_runs(const struct buffer *file, uint64_t most);

/* A range of the protocol: `length` bytes from a place of the program. */
json_t *buffer_range(struct buffer *file, uint32_t line, uint32_t column, size_t length);
json_t *buffer_range_of(struct buffer *file, size_t from, size_t to);
json_t *buffer_location(struct buffer *file, size_t from, size_t to);

/* The word at a byte: what blanks, commas and semicolons separate. */
struct buffer_word {
    uint32_t line;
    const char *start; /* of the line */
    size_t size;
    size_t at, length; /* of the word in its line; length 0: none is there */
};
struct buffer_word buffer_word(struct buffer *file, size_t offset);

/* Each mark of each line. */
typedef void buffer_mark(void *context, const char *start, uint32_t line,
                         const struct vocabulary_mark *mark);
void buffer_each_mark(struct buffer *file, buffer_mark *found, void *context);

/* --- answers ---------------------------------------------------------------------------------- */

json_t *findings_list(struct buffer *file);
/* Quick fixes of the findings from one byte to another. */
json_t *findings_actions(struct buffer *file, size_t from, size_t to);
/* What hover says of the arcs of the graph that end in statements of a line, or begin there: one
 * call for each, with the statement at the other end. */
typedef void buffer_arc(void *context, const struct graph_arc *arc, uint32_t other_line);
void buffer_arcs(struct buffer *file, uint32_t line, bool from, buffer_arc *each, void *context);

json_t *hints_list(struct buffer *file, size_t from, size_t to);
/* The parameters of the notification takt/status. */
json_t *hints_status(struct buffer *file);
json_t *hover_at(struct buffer *file, size_t offset);
json_t *complete_at(struct buffer *file, size_t offset);
json_t *places_definition(struct buffer *file, size_t offset);
json_t *places_references(struct buffer *file, size_t offset);
json_t *places_symbols(struct buffer *file);
/* Edits that give its statements one spelling; JSON null where it has errors of its language, or
 * lines that do not correspond to those of canonical text. */
json_t *format_text(struct buffer *file);

#endif
