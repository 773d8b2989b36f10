#include "host/failure.h"

#include <errno.h>
#include <stdlib.h>

static _Thread_local struct {
    unsigned long count;
    const char *first;
} host, input;

void failure_note(const char *sentence)
{
    if (host.count++ == 0)
        host.first = sentence;
}

void failure_note_input(const char *sentence)
{
    if (input.count++ == 0)
        input.first = sentence;
}

unsigned long failure_count(void)
{
    return host.count + input.count;
}

unsigned long failure_count_host(void)
{
    return host.count;
}

const char *failure_sentence(void)
{
    return host.count ? host.first : input.count ? input.first : "the host failed";
}

static void lacks_memory(void)
{
    failure_note("out of memory");
}

void *failure_memory(void *memory)
{
    if (!memory)
        lacks_memory();
    return memory;
}

void *failure_opened(void *opened)
{
    if (!opened && errno == ENOMEM)
        lacks_memory();
    return opened;
}

int failure_printed(int count)
{
    if (count < 0)
        lacks_memory();
    return count;
}

ptrdiff_t failure_read(ptrdiff_t count)
{
    if (count < 0 && errno == ENOMEM)
        lacks_memory();
    return count;
}

void *failure_malloc(size_t size)
{
    return malloc(size);
}

void *failure_realloc(void *memory, size_t size)
{
    return realloc(memory, size);
}
