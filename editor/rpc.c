#include "editor/rpc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/grow.h"

/* A header has a few lines. */
enum { MOST_HEADER = 8192 };

int rpc_take(struct rpc *rpc, const char *bytes, size_t size)
{
    const size_t passed = size < rpc->skip ? size : rpc->skip;
    rpc->skip -= passed;
    if (size == passed)
        return 0;
    char *longer = grow(rpc->bytes, &rpc->capacity, rpc->size + size - passed + 1, 1);
    if (!longer)
        return -1;
    rpc->bytes = longer;
    memcpy(longer + rpc->size, bytes + passed, size - passed);
    rpc->size += size - passed;
    return 0;
}

void rpc_close(struct rpc *rpc)
{
    free(rpc->bytes);
    *rpc = (struct rpc){0};
}

static void drop(struct rpc *rpc, size_t size)
{
    memmove(rpc->bytes, rpc->bytes + size, rpc->size - size);
    rpc->size -= size;
}

/* The number after "Content-Length:", SIZE_MAX without one. */
static size_t length_of(const char *text, const char *end)
{
    static const char name[] = "Content-Length:";
    const size_t size = sizeof name - 1;
    if ((size_t)(end - text) <= size || strncasecmp(text, name, size) != 0)
        return SIZE_MAX;
    text += size;
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    size_t length = 0;
    if (text == end)
        return SIZE_MAX;
    for (; text < end && *text >= '0' && *text <= '9'; text++)
        length = length > RPC_MOST ? length : length * 10 + (size_t)(*text - '0');
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    return text == end ? length : SIZE_MAX;
}

/* Bytes of the header, 0: not whole yet. *length: of the message, SIZE_MAX: it says none. */
static size_t read_header(const struct rpc *rpc, size_t *length)
{
    const char *at = rpc->bytes, *end = rpc->bytes + rpc->size;
    *length = SIZE_MAX;
    for (;;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            return 0;
        const char *last = stop > at && stop[-1] == '\r' ? stop - 1 : stop;
        if (last == at)
            return (size_t)(stop + 1 - rpc->bytes);
        const size_t found = length_of(at, last);
        *length = found != SIZE_MAX ? found : *length;
        at = stop + 1;
    }
}

/* The number of an escape, \u and four digits, at the start of a text; UINT32_MAX without one. */
static uint32_t escape(const char *text, const char *end)
{
    uint32_t value = 0;
    if (end - text < 6 || text[0] != '\\' || text[1] != 'u')
        return UINT32_MAX;
    for (int i = 2; i < 6; i++) {
        const char c = text[i] | 32;
        const bool digit = text[i] >= '0' && text[i] <= '9', letter = c >= 'a' && c <= 'f';
        if (!digit && !letter)
            return UINT32_MAX;
        value = value * 16 + (uint32_t)(digit ? text[i] - '0' : c - 'a' + 10);
    }
    return value;
}

/* Halves of a character, which clients that count in UTF-16 may send alone, become U+FFFD. Whether
 * there are some. */
static bool replace_halves(char *text, char *end)
{
    bool found = false;
    for (char *at = text; at < end;) {
        const uint32_t value = escape(at, end);
        const bool first = value >= 0xd800 && value < 0xdc00;
        const uint32_t next = first ? escape(at + 6, end) : 0;
        if (first && next >= 0xdc00 && next < 0xe000) {
            at += 12;
        } else if (value >= 0xd800 && value < 0xe000) {
            memcpy(at + 2, "fffd", 4);
            found = true;
            at += 6;
        } else {
            at += *at == '\\' ? 2 : 1;
        }
    }
    return found;
}

enum rpc_status rpc_next(struct rpc *rpc, json_t **message, char text[JSON_ERROR_TEXT_LENGTH])
{
    size_t length;
    if (rpc->size == 0)
        return RPC_NONE;
    const size_t header = read_header(rpc, &length);
    if (header == 0)
        return rpc->size > MOST_HEADER ? RPC_BROKEN : RPC_NONE;
    if (length == SIZE_MAX)
        return RPC_BROKEN;
    if (length > RPC_MOST) {
        const size_t here = rpc->size - header < length ? rpc->size - header : length;
        rpc->skip = length - here;
        drop(rpc, header + here);
        return RPC_LONG;
    }
    if (rpc->size - header < length)
        return RPC_NONE;
    json_error_t error;
    char *body = rpc->bytes + header;
    const size_t flags = JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES;
    *message = json_loadb(body, length, flags, &error);
    if (!*message && replace_halves(body, body + length))
        *message = json_loadb(body, length, flags, &error);
    drop(rpc, header + length);
    if (*message)
        return RPC_MESSAGE;
    memcpy(text, error.text, JSON_ERROR_TEXT_LENGTH);
    return json_error_code(&error) == json_error_out_of_memory ? RPC_MEMORY : RPC_NO_JSON;
}

char *rpc_text(json_t *message, size_t *size)
{
    char *body = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    const size_t length = body ? strlen(body) : 0;
    char *text = body ? malloc(length + 48) : NULL;
    if (text) {
        const int header = snprintf(text, 48, "Content-Length: %zu\r\n\r\n", length);
        memcpy(text + header, body, length);
        *size = (size_t)header + length;
    }
    free(body);
    return text;
}
