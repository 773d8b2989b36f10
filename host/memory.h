/*
 * memory: records calls that find no memory as failures of the host (host/failure.h). The Makefile
 * includes this header before each source file, so a caller that ignores a NULL, or takes it for an
 * error of its input, cannot report success or blame the input: the end of a command, of a handle
 * of libtakt and of a file that is written look at the record.
 */
#ifndef TAKT_HOST_MEMORY_H
#define TAKT_HOST_MEMORY_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/failure.h"

/* Each names the function of the C library in its own expansion, which expands no further. */
#define malloc(size)                  failure_memory(malloc(size))
#define calloc(count, size)           failure_memory(calloc(count, size))
#define realloc(memory, size)         failure_memory(realloc(memory, size))
#define strdup(text)                  failure_memory(strdup(text))
#define strndup(text, size)           failure_memory(strndup(text, size))
#define asprintf(...)                 failure_printed(asprintf(__VA_ARGS__))
#define vasprintf(text, format, list) failure_printed(vasprintf(text, format, list))
/* These fail for other reasons, too. */
#define fopen(path, mode)                   failure_opened(fopen(path, mode))
#define fdopen(descriptor, mode)            failure_opened(fdopen(descriptor, mode))
#define opendir(path)                       failure_opened(opendir(path))
#define realpath(path, room)                failure_opened(realpath(path, room))
#define getline(line, room, file)           failure_read(getline(line, room, file))
#define scandir(path, names, filter, order) ((int)failure_read(scandir(path, names, filter, order)))

#endif
