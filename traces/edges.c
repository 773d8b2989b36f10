#include "traces/edges.h"

const struct edge_row edge_rows[EDGE_KINDS] = {
    [EDGE_ORDER] = {"order", "statements issue in program order", -1},
    [EDGE_TAG] = {"tag", "a wait held until the tag of a transfer was complete", REASON_TAG},
    [EDGE_PORT] = {"port", "both need the same port", REASON_PORT},
    [EDGE_DATA] = {"data", "dst reads what src writes", REASON_DATA},
    [EDGE_LINK] = {"link", "both need the same link", REASON_LINK},
    [EDGE_MEMORY] = {"memory", "the memory served src first", REASON_MEMORY},
    [EDGE_SUPPLY] = {"supply", "the instruction had not arrived", REASON_EMPTY},
    [EDGE_QUEUE] = {"queue", "a queue was full or empty until src went on", REASON_QUEUE},
};
