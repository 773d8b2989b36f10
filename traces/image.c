#include "traces/image.h"

#include <string.h>

#include "config/embed.h"

EMBED(traces_image_file, BUILD_FOLDER "/traces/file.db");
EMBED(traces_image_totals, BUILD_FOLDER "/traces/totals.db");
EMBED(traces_image_lean, BUILD_FOLDER "/traces/lean.db");

const void *image_bytes(enum image image, size_t *size)
{
    switch (image) {
    case IMAGE_LEAN:
        *size = EMBED_SIZE(traces_image_lean);
        return traces_image_lean;
    case IMAGE_TOTALS:
        *size = EMBED_SIZE(traces_image_totals);
        return traces_image_totals;
    case IMAGE_FILE:
        break;
    }
    *size = EMBED_SIZE(traces_image_file);
    return traces_image_file;
}

int image_load(sqlite3 *db, enum image image)
{
    size_t size;
    const void *bytes = image_bytes(image, &size);
    unsigned char *copy = sqlite3_malloc64(size);
    if (!copy) {
        return SQLITE_NOMEM;
    }
    memcpy(copy, bytes, size);
    return sqlite3_deserialize(db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
                               SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
}
