/*
 * check_text: programs given as text, for tests of legality and time.
 *
 *   struct check_text c;
 *   check_text_open(&c, "lpassa $lm0v $ln0v\nlpassa $ln0v $lr0v\n");
 *   check_text_run(&c, NULL);     findings in c.diags, c.status
 *   check_text_close(&c);
 */
#ifndef TAKT_TESTS_MNCORE2_CHECK_TEXT_H
#define TAKT_TESTS_MNCORE2_CHECK_TEXT_H

#include "config/config.h"
#include "functional/diag.h"
#include "functional/mncore2/program.h"

struct check_text {
    struct source source;
    struct program program;
    struct config config;
    struct diag_list diags; /* of parsing, then of checking too */
    int parsed, status;     /* what mncore2_program_parse and mncore2_check returned */
    size_t parse_findings;
};

/* The default chip. Fails the test when it cannot be read. */
void check_text_config(struct config *config);
void check_text_open(struct check_text *text, const char *program);
void check_text_run(struct check_text *text, const char *packing);
void check_text_close(struct check_text *text);
/* Findings that checking added with this rule or warning name; NULL counts errors. */
size_t check_text_count(const struct check_text *text, const char *name);
const struct diag *check_text_find(const struct check_text *text, const char *name);
/* Print everything that was found, before a test fails. */
void check_text_show(const struct check_text *text);

#endif
