/*
 * trace_sample: a run of five statements and 52 cycles, given to a sink by hand.
 *
 *   line 1  mvp/n64 $d0 $p0 i01   issued 0, runs 4..40 on dram0 (busy 6..36)
 *   line 2  nop/2                 stream 0..8
 *   line 3  wait i01              stream 8..40, eight steps of nops
 *   line 4  fvfma $lr0v ...       stream 40..44, lm0 40..42, mau 44..48
 *   line 5  fvfma $lr0v ...       stream 44..48, lm0 46..52 after being held four cycles,
 * mau 48..52
 *
 *   stream  nop 8, tag 32, busy 8, drained 4      mau    idle 44, busy 8
 *   dram0   busy 30, idle 22                      lm0    idle 40, port 4, busy 8
 *
 * Nothing here comes from a model: every number above is what the tests expect to read back.
 */
#ifndef TAKT_TESTS_TRACE_SAMPLE_H
#define TAKT_TESTS_TRACE_SAMPLE_H

#include "timing/bounds.h"
#include "timing/sink.h"

enum sample_unit { SAMPLE_STREAM, SAMPLE_MAU, SAMPLE_LM0, SAMPLE_DRAM0, SAMPLE_UNITS };
enum { SAMPLE_STMTS = 5, SAMPLE_CYCLES = 52 };
enum { SAMPLE_REASON_NOP = REASON_MACHINE }; /* the reason that the machine adds */

/* What is proven of it: 48 cycles in this order, the transfer and then what waits for it; 16 in
 * any, four steps of the stream. For the options of a recorder. */
extern const struct graph sample_graph;
extern const struct bounds sample_bounds;

/* Returns the first status that is not 0. */
int sample_begin(const struct sink *sink);
int sample_events(const struct sink *sink);
/* The same in another order that sink.h allows. */
int sample_events_turned(const struct sink *sink);
int sample_finish(const struct sink *sink, bool complete);
int sample_run(const struct sink *sink);

/* A long run for kills, sizes and speed: `stmts` statements of `step` cycles each that repeat with
 * the given period; stop_at < stmts leaves after that many without finish. */
int sample_long(const struct sink *sink, uint32_t stmts, uint32_t period, uint32_t stop_at);

#endif
