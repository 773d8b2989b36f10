/*
 * sinks: small sinks; the recorder writes SQLite.
 *
 *   null    takes everything, keeps nothing: what a model costs by itself
 *   header  the same, but the run makes its lists of statements and units
 *   tee     two sinks from one model; the first that fails ends the run
 */
#ifndef TAKT_TRACES_SINKS_H
#define TAKT_TRACES_SINKS_H

#include "timing/sink.h"

struct sink sink_null(void);
/* The same, of a run that has its header. */
struct sink sink_header(void);

struct tee_sink {
    struct sink sinks[2];
    struct sink_ops ops; /* interval is offered only when one of them takes it */
};

struct sink sink_tee(struct tee_sink *tee, struct sink first, struct sink second);

#endif
