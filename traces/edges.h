/*
 * edges: the kinds of binding edges with their names.
 */
#ifndef TAKT_TRACES_EDGES_H
#define TAKT_TRACES_EDGES_H

#include "timing/sink.h"

struct edge_row {
    const char *name, *sentence;
    int reason; /* of a unit that such an edge holds back; -1: it holds none back */
};

extern const struct edge_row edge_rows[EDGE_KINDS];

#endif
