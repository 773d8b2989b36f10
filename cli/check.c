/* check: every rule of legality of a program, all findings in source order. */
#include "cli/session.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: takt check [OPTION]... PROGRAM...\n"
    "Every rule of the language and of time, without execution. Several programs are\n"
    "checked one after the other, as takt run runs them. - is standard input.\n"
    "A statement that always fails when executed is an error here; takt run only\nwarns of it.\n"
    "\n"
    "  --werror          warnings are errors for the exit code\n"
    "@common\n"
    "\n"
    "exit: 0 legal, 1 not, 2 usage, 3 the host failed\n";

/* All findings, in source order. */
static int report(struct session *s, bool werror)
{
    struct takt_program *p = s->program;
    const int status = library_judge(p, s->run.settings);
    library_raise_traps(p);
    int code = EXIT_FINE;
    if (status < 0)
        code = cli_fail(EXIT_HOST, "check", "out of memory");
    else if (s->json)
        code = cli_diags_json("check", &p->diags, p->sources, p->source_count);
    else
        cli_diags(&p->diags, p->sources, p->source_count);
    return code == EXIT_FINE && (p->diags.errors || (werror && p->diags.warnings)) ? EXIT_INPUT
                                                                                   : code;
}

int cmd_check(int argc, char **argv)
{
    struct session s = {.command = "check"};
    bool werror = false;
    const struct cli_option table[] = {{"werror", .flag = &werror}, SESSION_OPTIONS(s)};
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        code = session_open(&s, argv + optind, (size_t)(argc - optind));
        if (code == EXIT_FINE)
            code = report(&s, werror);
    }
    session_close(&s);
    return code;
}
