/* profile: cycles of functions, calls and source lines. */
#include <jansson.h>

#include "analysis/profile.h"
#include "cli/session.h"
#include "host/file.h"

static const char help[] =
    "usage: takt profile [OPTION]... PROGRAM\n"
    "The cycles of each function of a RISC-V program: inclusive (with the functions\n"
    "that it calls) and exclusive, the share of waits, the calls; the call tree; the\n"
    "source lines with the most cycles. The program is run here. Lines are those of\n"
    "the line table (compile with -g), or of the listing. Cycles are those of all\n"
    "streams that issue: a core, or each warp.\n"
    "\n"
    "  --all              every function, call and line\n"
    "  --callgrind FILE   also write FILE for callgrind_annotate or KCachegrind\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the program\n";

static int print_callgrind(const void *profile, FILE *out)
{
    profile_callgrind(profile, out);
    return ferror(out);
}

static int answer(const struct session *s, const struct profile *p, const char *callgrind, bool all)
{
    enum { MOST = 12 };
    const int code = callgrind ? cli_write("profile", callgrind, print_callgrind, p) : EXIT_FINE;
    if (code == EXIT_FINE && s->json)
        return cli_json("profile", profile_json(p), JSON_INDENT(1));
    if (code == EXIT_FINE)
        profile_print(p, all ? 0 : MOST,
                      callgrind && replace_is_output(callgrind) ? stderr : stdout);
    return code;
}

static int run(struct session *s, struct profile *p)
{
    const struct machine_language *language = s->machine->language;
    if (profile_open(p, language->image(s->program->program), language->wide) != 0)
        return cli_fail(EXIT_HOST, "profile", "out of memory");
    p->program = s->program->sources[0].name;
    p->machine = s->machine->name;
    const struct sink sink = profile_sink(p);
    const int code = session_run(s, &sink);
    if (code == EXIT_FINE && profile_sum(p) != 0)
        return cli_fail(EXIT_HOST, "profile", "out of memory");
    return code;
}

int cmd_profile(int argc, char **argv)
{
    struct session s = {.command = "profile", .light = true};
    struct profile profile = {.image = NULL};
    const char *callgrind = NULL;
    bool all = false;
    const struct cli_option table[] = {
        {"all", .flag = &all},
        {"callgrind", .text = &callgrind, .writes = true},
        SESSION_OPTIONS(s),
        SESSION_VALUES(s),
    };
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        code = session_open(&s, argv + optind, (size_t)(argc - optind));
        if (code == EXIT_FINE && !s.machine->language->image)
            code = cli_usage("profile", "programs of %s have no functions", s.machine->title);
        if (code == EXIT_FINE)
            code = session_load(&s);
        if (code == EXIT_FINE)
            code = run(&s, &profile);
        if (code == EXIT_FINE)
            code = answer(&s, &profile, callgrind, all);
    }
    session_close(&s);
    profile_free(&profile);
    return cli_end_json(s.json, code);
}
