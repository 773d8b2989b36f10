/* diag_examples: one small program for each diagnostic of MN-Core 2, under headings, as
 * docs/diagnostics.md shows them. */
#ifndef TAKT_TESTS_MNCORE2_DIAG_EXAMPLES_H
#define TAKT_TESTS_MNCORE2_DIAG_EXAMPLES_H

struct diag_example {
    const char *heading; /* NULL: still under the last one */
    const char *text;
};

extern const struct diag_example diag_examples[]; /* ends with text NULL */

#endif
