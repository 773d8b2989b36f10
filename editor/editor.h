/*
 * editor: a server of the Language Server Protocol 3.17, without its loop and its descriptors.
 *
 *   editor_open --editor_take*, editor_work*--> messages to `write` --editor_over--> exit code
 *
 * Bytes of the client go in as they come. Work on files is done in slices by editor_work, so that
 * new edits and cancelled requests are seen in between. A request that needs times of a run waits
 * for them: editor_work answers it, without times where the run is long. Other answers come out in
 * the call that takes the request. No message makes it fail: what cannot be answered gets an error
 * of the protocol.
 */
#ifndef TAKT_EDITOR_EDITOR_H
#define TAKT_EDITOR_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

struct machine;
struct editor;

struct editor_setup {
    const struct machine *machine; /* of all files; NULL: by language or name of each */
    void (*write)(void *context, const char *bytes, size_t size);
    void *context;
};

/* NULL when memory is out. */
struct editor *editor_open(const struct editor_setup *setup);
/* Returns 0; -1 when memory is out or the stream cannot be read any further. */
int editor_take(struct editor *editor, const char *bytes, size_t size);
/* A slice of work. Whether there is more. */
bool editor_work(struct editor *editor);
/* The client has been quiet for a while: what takes longer begins in a thread. Whether one works:
 * editor_work and this are to be called again soon. */
bool editor_idle(struct editor *editor);
/* Whether the client has ended the session; *code: the exit code then. */
bool editor_over(const struct editor *editor, int *code);
void editor_close(struct editor *editor);

#endif
