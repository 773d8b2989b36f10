#include "host/failure.h"

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

static void *noted(void *memory, size_t size)
{
    if (!memory && size)
        failure_note("out of memory");
    return memory;
}

void *failure_malloc(size_t size)
{
    return noted(malloc(size), size);
}

void *failure_realloc(void *memory, size_t size)
{
    return noted(realloc(memory, size), size);
}
