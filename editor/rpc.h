/*
 * rpc: messages of JSON-RPC with a header, as the Language Server Protocol has them.
 *
 *   bytes --rpc_take--> buffer --rpc_next*--> JSON        JSON --rpc_text--> bytes
 *
 * A header is lines that end with \r\n, the last one empty. Only Content-Length counts. A message
 * longer than RPC_MOST is passed over, and one that is not JSON is reported. Half a character of
 * UTF-16 (a lone \ud83d) is read as U+FFFD.
 */
#ifndef TAKT_EDITOR_RPC_H
#define TAKT_EDITOR_RPC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define RPC_MOST ((size_t)1 << 30)

struct rpc {
    char *bytes;
    size_t size, capacity;
    size_t skip; /* bytes of a message that is too long, still to come */
};

enum rpc_status {
    RPC_NONE,    /* the next message is not whole yet */
    RPC_MESSAGE, /* *message is the caller's */
    RPC_NO_JSON, /* a message that cannot be read, its error in text */
    RPC_LONG,    /* a message that is too long */
    RPC_BROKEN,  /* a header without a length: nothing after it can be read */
    RPC_MEMORY
};

/* Returns 0, or -1 when memory is out. */
int rpc_take(struct rpc *rpc, const char *bytes, size_t size);
enum rpc_status rpc_next(struct rpc *rpc, json_t **message, char text[JSON_ERROR_TEXT_LENGTH]);
void rpc_close(struct rpc *rpc);

/* Header and message, the caller's to free; NULL when memory is out. Takes the message. */
char *rpc_text(json_t *message, size_t *size);

#endif
