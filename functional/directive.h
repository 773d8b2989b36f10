/*
 * directive: comments in a source that address takt.
 *
 *     # takt: begin load              the statements below belong to the region `load`
 *     # takt: end                     until here
 *     # takt: expect cycles <= 1400   checked by takt expect
 *     # takt: get v8.w 8              output of --dump, for languages without a get statement
 *
 * A directive is a comment alone on its line; # begins a comment in the language of every machine.
 * Regions do not nest, so that their costs add up. A name may be used several times, also in other
 * sources; all its parts form one region. Region 0 is everything outside regions.
 */
#ifndef TAKT_FUNCTIONAL_DIRECTIVE_H
#define TAKT_FUNCTIONAL_DIRECTIVE_H

#include "functional/diag.h"
#include "functional/source.h"

/* Lines of a source between begin and end. */
struct directive_part {
    uint32_t file, first, last; /* last: line of the end directive, or of the end of the source */
    uint32_t region;            /* from 1 */
};

struct directive_expect {
    uint32_t file, line, column; /* position of the expression */
    const char *text;            /* length bytes of the source's text */
    size_t length;
};

struct directives {
    char **names; /* names[0 .. region_count]; that of region 0 is "rest" */
    size_t region_count;
    struct directive_part *parts; /* in source order */
    size_t part_count;
    struct directive_expect *expects;
    size_t expect_count;
    struct directive_expect *gets; /* texts after get */
    size_t get_count;
};

/* Findings go to diags, which may be NULL. Returns 0, 1 when a directive is malformed, -1 when
 * memory is out. Free it in every case. */
int directives_read(struct directives *directives, const struct source *sources, size_t count,
                    struct diag_list *diags);
void directives_free(struct directives *directives);
/* Only check that they are well formed and that there is no get; returns as above. */
int directives_check(const struct source *sources, size_t count, struct diag_list *diags);

/* 1 if they are well formed and mark regions, else 0; -1 when memory is out. */
int directives_regions(const struct source *sources, size_t count);

/* The region of a statement in this line; 0: outside all regions. */
uint32_t directives_region(const struct directives *directives, uint32_t file, uint32_t line);
/* The number of parts that begin or end above a line; equal for two lines with no boundary between
 * them. */
uint32_t directives_part(const struct directives *directives, uint32_t file, uint32_t line);
/* True if a line of a well-formed source is a directive; part: a directive that begins or ends a
 * region. */
bool directive_is(const char *line, size_t length, bool part);

#endif
