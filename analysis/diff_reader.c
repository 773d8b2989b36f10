#include "analysis/diff_reader.h"

#include <string.h>

#include "host/grow.h"

bool diff_reader_room(struct diff_reader *r, void *list, size_t count, size_t *capacity,
                      size_t size)
{
    void *items, *more;
    memcpy(&items, list, sizeof items);
    more = grow(items, capacity, count + 1, size);
    if (more)
        memcpy(list, &more, sizeof more);
    else
        r->status = -1;
    return r->status == 0;
}
