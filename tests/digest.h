/*
 * digest: a sink of 64 bits over every event: run twice, compare. It leaves intervals out, so that
 * it does not depend on the trace's detail, and does not depend on the order of events.
 */
#ifndef TAKT_TESTS_DIGEST_H
#define TAKT_TESTS_DIGEST_H

#include "timing/sink.h"

struct digest_sink {
    uint64_t digest, events;
    size_t attribute_count;
};

void digest_init(struct digest_sink *digest);
struct sink sink_digest(struct digest_sink *digest);

#endif
