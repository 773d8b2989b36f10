/*
 * sinks: the small ones, beside the SQLite recorder.
 *
 *   null    takes everything, keeps nothing: what a model costs by itself
 *   text    one readable line an event: golden files beside programs
 *   digest  64 bits over every event: run twice, compare
 *   tee     two sinks from one model; the first that fails ends the run
 *
 * The digest leaves intervals (slice) out, so that it does not depend on the trace detail.
 */
#ifndef TAKT_TRACES_SINKS_H
#define TAKT_TRACES_SINKS_H

#include <stdio.h>

#include "timing/sink.h"

struct sink sink_null(void);

struct text_sink {
    FILE *out;
    bool slices;               /* also one line an interval */
    struct sink_header header; /* of the last begin; its tables must still stand */
};

struct sink sink_text(struct text_sink *text);

struct digest_sink {
    uint64_t digest, events;
};

void digest_init(struct digest_sink *digest);
struct sink sink_digest(struct digest_sink *digest);

struct tee_sink {
    struct sink first, second;
    struct sink_ops ops; /* slice is offered only when one of them takes it */
};

struct sink sink_tee(struct tee_sink *tee, struct sink first, struct sink second);

const char *sink_reason_name(enum reason reason);
const char *sink_edge_name(enum edge_kind kind);

#endif
