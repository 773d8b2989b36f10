/*
 * sinks: the small ones, beside the SQLite recorder.
 *
 *   null    takes everything, keeps nothing: what a model costs by itself
 *   digest  64 bits over every event: run twice, compare
 *   tee     two sinks from one model; the first that fails ends the run
 *
 * The digest leaves intervals out, so that it does not depend on the trace's detail, and does not
 * depend on the order of events.
 */
#ifndef TAKT_TRACES_SINKS_H
#define TAKT_TRACES_SINKS_H

#include "timing/sink.h"

struct sink sink_null(void);

struct digest_sink {
    uint64_t digest, events;
    size_t attribute_count;
};

void digest_init(struct digest_sink *digest);
struct sink sink_digest(struct digest_sink *digest);

struct tee_sink {
    struct sink sinks[2];
    struct sink_ops ops; /* interval is offered only when one of them takes it */
};

struct sink sink_tee(struct tee_sink *tee, struct sink first, struct sink second);

#endif
