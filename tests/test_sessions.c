/* sessions: what the pages show of commands and answers is what they answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/takt_process.h"

static const char prompt[] = "    $ ";
enum { INDENT = 4, PATH = 512 };

/* The lines below a command, up to the next one or the end of the block, without their indent. */
static char *answer_below(const char **at)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    while (strncmp(*at, prompt, INDENT) == 0 && strncmp(*at, prompt, strlen(prompt)) != 0) {
        const size_t length = strcspn(*at, "\n");
        fprintf(out, "%.*s\n", (int)length - INDENT, *at + INDENT);
        *at += length + ((*at)[length] == '\n');
    }
    fclose(out);
    return text;
}

/* Blanks at the ends of lines do not count. */
static void trim(char *text)
{
    char *to = text;
    for (char *from = text; *from; *to++ = *from++)
        if (*from == '\n')
            while (to > text && to[-1] == ' ')
                to--;
    *to = '\0';
}

static char *run_in(const char *folder, const char *command)
{
    char line[4 * PATH], *text = NULL;
    size_t size;
    snprintf(line, sizeof line,
             "cd '%s' && PATH='%s':\"$PATH\" && unset MAKEFLAGS MAKELEVEL && %s 2>&1", folder,
             folder, command);
    FILE *in = popen(line, "r"), *out = open_memstream(&text, &size);
    assert_non_null(in);
    for (int c; (c = getc(in)) != EOF;)
        putc(c, out);
    fclose(out);
    pclose(in);
    return text;
}

/* The programs are those of some folders, and what the commands write. */
static void holds(const char *name, const char *programs, int least)
{
    size_t size;
    char *page = takt_read_file(name, &size);
    if (!page)
        skip(); /* not run from the root */
    char folder[PATH], takt[2 * PATH], path[8 * PATH], copy[2 * PATH];
    snprintf(folder, sizeof folder, "%s", takt_temp_file("early.vsm", ""));
    *strrchr(folder, '/') = '\0';
    const char *built = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    assert_non_null(realpath(built, path));
    snprintf(takt, sizeof takt, "%s/takt", folder);
    unlink(takt);
    assert_int_equal(symlink(path, takt), 0);
    snprintf(copy, sizeof copy, "for f in %s; do cp $f/*.* '%s' || exit; done", programs, folder);
    assert_int_equal(system(copy), 0);
    int commands = 0;
    for (const char *at = page; (at = strstr(at, "\n    $ "));) {
        char command[PATH];
        at += 1 + strlen(prompt);
        const size_t length = strcspn(at, "\n");
        snprintf(command, sizeof command, "%.*s", (int)length, at);
        at += length + 1;
        char *shown = answer_below(&at);
        at--;                                   /* the newline before the next command */
        if (strncmp(command, "cat ", 4) == 0) { /* the page is where the file is */
            snprintf(path, sizeof path, "%s/%s", folder, command + 4);
            FILE *file = fopen(path, "w");
            assert_non_null(file);
            fputs(shown, file);
            fclose(file);
        } else {
            char *answer = run_in(folder, command);
            trim(answer);
            trim(shown);
            if (strcmp(answer, shown) != 0)
                fail_msg("%s answers\n%s, and %s shows\n%s", command, answer, name, shown);
            free(answer);
            commands++;
        }
        free(shown);
    }
    assert_true(commands >= least);
    free(page);
}

/* Each page of tests/sessions.list. */
static void pages(void **state)
{
    (void)state;
    size_t size;
    char *list = takt_read_file("tests/sessions.list", &size), *rest = NULL;
    int held = 0;
    if (!list)
        skip(); /* not run from the root */
    for (char *line = strtok_r(list, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char page[PATH];
        int least, folders = 0;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%511s %d %n", page, &least, &folders), 2);
        holds(page, line + folders, least);
        held++;
    }
    assert_true(held > 4);
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
