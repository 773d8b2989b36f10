/*
 * document: the text of an open file, edited by ranges as the Language Server Protocol has them.
 *
 *   document_open --document_edit*--> text --document_offset, document_place--> positions
 *
 * A place is a line and a character of it, both from 0. Lines end with \n, \r\n or \r. Characters
 * are counted in UTF-16 code units, or in bytes. The text is UTF-8.
 * Places outside it mean the nearest one inside.
 */
#ifndef TAKT_EDITOR_DOCUMENT_H
#define TAKT_EDITOR_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct document {
    char *text; /* size bytes; never NULL once it is open */
    size_t size, capacity;
    bool bytes;    /* characters are bytes */
    size_t *lines; /* where each line starts; NULL: not known at present */
    size_t line_count, line_capacity;
    bool returns; /* a line ends with \r alone: lines of a program are fewer */
};

struct document_place {
    uint64_t line, character;
};

/* A copy of the text. Return 0, or -1 when memory is out; what was there stays then. */
int document_open(struct document *document, const char *text, size_t size);
int document_replace(struct document *document, const char *text, size_t size);
void document_close(struct document *document);

/* The text between two places becomes another; the places may come in either order. As above. */
int document_edit(struct document *document, const struct document_place range[2], const char *text,
                  size_t size);

/* Both find where lines start. Return 0 or the first place when memory is out. */
size_t document_offset(struct document *document, struct document_place place);
struct document_place document_place(struct document *document, size_t offset);

/* The bytes of a line of the program, from 1: without its end. size 0 beyond the last. */
const char *document_line(struct document *document, uint32_t line, size_t *size);
/* The line of the program, from 1, that has this byte. */
uint32_t document_line_at(struct document *document, size_t offset);

#endif
