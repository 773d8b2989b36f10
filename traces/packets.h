/*
 * packets: a trace as Perfetto's protocol buffers: the same events as the JSON of
 * traces/perfetto.h, in a form that opens faster.
 *
 *   trace --perfetto_write--> JSON, an event a line --packets_write--> TracePackets
 *
 * Field numbers are those of perfetto/trace/trace_packet.proto and track_event.proto.
 */
#ifndef TAKT_TRACES_PACKETS_H
#define TAKT_TRACES_PACKETS_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

/* As perfetto_write. */
int packets_write(sqlite3 *db, uint64_t from, uint64_t to, FILE *out);

#endif
