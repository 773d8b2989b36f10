/* made_page: committed files that code writes, held against what it writes now. */
#ifndef TAKT_TESTS_MADE_PAGE_H
#define TAKT_TESTS_MADE_PAGE_H

#include <stdio.h>

/* Fails the test unless the file holds what `write` gives; with TAKT_REGENERATE set it is written
 * first. */
void made_page_compare(const char *path, void (*write)(FILE *out));

#endif
