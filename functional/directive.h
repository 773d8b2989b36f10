/*
 * directive: lines of a source that are for takt and not for the machine.
 *
 *     # takt: begin load              the statements below belong to the region `load`
 *     # takt: end                     until here
 *     # takt: expect cycles <= 1400   takt expect holds the run against it
 *     # takt: get v8.w 8              of languages without such a statement: what --dump gets
 *
 * A directive is a comment alone on its line; # begins a comment in the language of every machine.
 * Regions do not nest, so that what they cost adds up; a name may come again, also in another
 * source, and all its parts are one region. Region 0 is what lies in none.
 */
#ifndef TAKT_FUNCTIONAL_DIRECTIVE_H
#define TAKT_FUNCTIONAL_DIRECTIVE_H

#include "functional/diag.h"
#include "functional/source.h"

/* Lines of a source between begin and end. */
struct directive_part {
    uint32_t file, first, last; /* last: of the end, or of the source */
    uint32_t region;            /* from 1 */
};

struct directive_expect {
    uint32_t file, line, column; /* of the expression */
    const char *text;            /* length bytes of the source's text */
    size_t length;
};

struct directives {
    char **names; /* names[0 .. region_count]; that of region 0 is "rest" */
    size_t region_count;
    struct directive_part *parts; /* in the order of the text */
    size_t part_count;
    struct directive_expect *expects;
    size_t expect_count;
    struct directive_expect *gets; /* what stands behind get */
    size_t get_count;
};

/* Findings go to diags, which may be NULL. Returns 0, 1 when a directive is malformed, -1 when the
 * host has no memory. Free it in every case. */
int directives_read(struct directives *directives, const struct source *sources, size_t count,
                    struct diag_list *diags);
void directives_free(struct directives *directives);
/* Only whether they are well formed, and none is a get; returns as above. */
int directives_check(const struct source *sources, size_t count, struct diag_list *diags);

/* Whether they are well formed and mark regions: 1, 0; -1: the host has no memory. */
int directives_regions(const struct source *sources, size_t count);

/* The region of a statement in this line; 0: none. */
uint32_t directives_region(const struct directives *directives, uint32_t file, uint32_t line);
/* How many of them begin or end above a line: equal in lines between which nothing does. */
uint32_t directives_part(const struct directives *directives, uint32_t file, uint32_t line);
/* Whether a line of a well-formed source is a directive; part: one that begins or ends a region. */
bool directive_is(const char *line, size_t length, bool part);

#endif
