/* print: the canonical form of a program. */
#include <jansson.h>
#include <stdlib.h>

#include "analysis/utf8_json.h"
#include "cli/session.h"
#include "host/text.h"

static const char help[] =
    "usage: takt print [OPTION]... PROGRAM\n"
    "The canonical form of a program: one spelling per meaning. Of many warnings a\n"
    "few are shown; takt check lists them all. - is standard input.\n"
    "\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the program\n";

static int no_text(const struct session *s, int status, const char *otherwise)
{
    return status > 0 ? cli_fail(EXIT_INPUT, "print",
                                 "%s: a segment lies beyond the memory that text can fill, so "
                                 "this file has no text",
                                 s->program->sources[0].name)
                      : cli_fail(EXIT_HOST, "print", "%s", otherwise);
}

static int print_json(const struct session *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_open(&text, &size);
    int status = out ? s->machine->language->print(s->program->program, s->run.settings, out) : -1;
    if (text_close(out, &text) != 0)
        status = -1;
    const int code =
        status == 0 ? cli_json("print", json_pack("{s:b,s:o}", "ok", 1, "program", utf8_json(text)),
                               JSON_INDENT(1) | JSON_ENSURE_ASCII)
                    : no_text(s, status, "out of memory");
    free(text);
    return code;
}

/* What can be read is printed: rules of time do not matter. */
static int print(struct session *s, char **path)
{
    int code = session_open(s, path, 1);
    if (code != EXIT_FINE)
        return code;
    struct takt_program *p = s->program;
    code = session_report(s, s->machine->language->load(&p->program, p->sources, 1, &p->diags), "");
    if (code != EXIT_FINE)
        return code;
    if (s->json)
        return print_json(s);
    const int status = s->machine->language->print(p->program, s->run.settings, stdout);
    return status == 0 ? EXIT_FINE : no_text(s, status, "could not write");
}

int cmd_print(int argc, char **argv)
{
    struct session s = {.command = "print", .warnings = true};
    const struct cli_option table[] = {{"silence", .list = &s.silenced},
                                       {"machine", .text = &s.machine_name},
                                       {"json", .flag = &s.json}};
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code))
        code = optind == argc       ? cli_usage("print", "which program?")
               : optind + 1 != argc ? cli_usage("print", "one program is printed at a time")
                                    : print(&s, argv + optind);
    session_close(&s);
    return cli_end_json(s.json, code);
}
