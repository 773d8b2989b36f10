#include "cli/gzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { WINDOW_BITS = 15 + 16 /* with the head of a gzip file */, MEMORY = 8, PIECE = 1 << 16 };

struct deflater {
    z_stream stream;
    FILE *out;
    unsigned char piece[PIECE];
};

bool gzip_named(const char *path)
{
    const size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

/* Everything that the stream gives goes out. */
static int pass_on(struct deflater *p, int flush)
{
    do {
        p->stream.next_out = p->piece;
        p->stream.avail_out = PIECE;
        if (deflate(&p->stream, flush) == Z_STREAM_ERROR)
            return -1;
        const size_t size = PIECE - p->stream.avail_out;
        if (fwrite(p->piece, 1, size, p->out) != size)
            return -1;
    } while (p->stream.avail_out == 0);
    return 0;
}

static ssize_t write_packed(void *cookie, const char *data, size_t size)
{
    struct deflater *p = cookie;
    const size_t part = size < PIECE ? size : PIECE; /* stdio gives no more, and may write again */
    p->stream.next_in = (z_const Bytef *)(uintptr_t)data;
    p->stream.avail_in = (uInt)part;
    return pass_on(p, Z_NO_FLUSH) == 0 ? (ssize_t)part : 0;
}

static int close_packed(void *cookie)
{
    struct deflater *p = cookie;
    const int status = pass_on(p, Z_FINISH);
    deflateEnd(&p->stream);
    free(p);
    return status;
}

FILE *gzip_open(FILE *out)
{
    struct deflater *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->out = out;
    if (deflateInit2(&p->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        free(p);
        return NULL;
    }
    FILE *packed =
        fopencookie(p, "w", (cookie_io_functions_t){.write = write_packed, .close = close_packed});
    if (!packed) {
        deflateEnd(&p->stream);
        free(p);
    }
    return packed;
}

int gzip_close(FILE *packed)
{
    const int failed = ferror(packed);
    return fclose(packed) != 0 || failed ? -1 : 0;
}
