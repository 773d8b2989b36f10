/* check: every rule of legality of a program, all findings in source order; --fix: what is missing,
 * inserted. */
#include "cli/session.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/sarif.h"
#include "cli/files.h"
#include "cli/improve.h"
#include "cli/reports.h"
#include "host/file.h"
#include "library/mend.h"

static const char help[] =
    "usage: takt check [OPTION]... PROGRAM...\n"
    "Every rule of the language and of time, without execution. Several programs are\n"
    "checked one after the other, as takt run runs them. - is standard input.\n"
    "A statement that always fails when executed is an error here; takt run only\n"
    "warns of it. Of warnings and notes of one kind the first three are shown, and\n"
    "the others counted.\n"
    "\n"
    "  --all             every warning and note (--json and --sarif have them all)\n"
    "  --fix             insert the empty steps and waits that findings say are\n"
    "                    missing, again until none is; the program goes to --out,\n"
    "                    and what remains is said. Nothing else changes\n"
    "  --out FILE        with --fix: where the program goes (- is standard output,\n"
    "                    the default)\n"
    "  --sarif FILE      the findings as SARIF 2.1.0, too (- is standard output)\n"
    "  --werror          warnings are errors for the exit code\n"
    "@common\n"
    "\n"
    "@exit 0 legal, 1 not\n";

struct wanted {
    bool werror, all, fix;
    const char *out, *sarif;
};

/* --- what is shown ---------------------------------------------------------------------------- */

enum { SHOWN = 3 };

/* Warnings and notes of one name. */
struct kind {
    const char *name;
    size_t count;
};

static bool add_to_kind(struct kind *kinds, size_t *count, const struct diag *diag)
{
    size_t i = 0;
    while (i < *count && strcmp(kinds[i].name, diag->name) != 0)
        i++;
    if (i == *count)
        kinds[(*count)++] = (struct kind){diag->name, 0};
    return kinds[i].count++ < SHOWN;
}

/* Errors, and of each kind of warnings and notes the first ones. */
static int show_few(const struct diag_list *diags, const struct source *sources, size_t count)
{
    struct diag_list few = *diags;
    struct kind *kinds = calloc(diags->count + 1, sizeof *kinds);
    size_t kind_count = 0;
    few.items = calloc(diags->count + 1, sizeof *few.items);
    few.count = 0;
    for (size_t i = 0; kinds && few.items && i < diags->count; i++)
        if (diags->items[i].severity == DIAG_ERROR ||
            add_to_kind(kinds, &kind_count, &diags->items[i]))
            few.items[few.count++] = diags->items[i];
    const bool made = kinds && few.items;
    if (made)
        cli_diags_shown(&few, diags, sources, count);
    for (size_t i = 0; made && i < kind_count; i++)
        if (kinds[i].count > SHOWN)
            fprintf(stderr, "%zu more [%s]; --all lists them\n", kinds[i].count - SHOWN,
                    kinds[i].name);
    fflush(stderr);
    free(kinds);
    free(few.items);
    return made ? EXIT_FINE : cli_fail(EXIT_HOST, "check", "out of memory");
}

static int show(const struct takt_program *p, const struct wanted *wanted, bool json)
{
    if (json)
        return cli_diags_json("check", &p->diags, p->sources, p->source_count);
    if (!wanted->all)
        return show_few(&p->diags, p->sources, p->source_count);
    cli_diags(&p->diags, p->sources, p->source_count);
    return EXIT_FINE;
}

static int write_sarif(const struct takt_program *p, const char *path)
{
    struct sarif sarif;
    sarif_open(&sarif);
    sarif_add_findings(&sarif, p->machine->machine, &p->diags, p->sources, p->source_count);
    return reports_json("check", path, sarif_log(&sarif, "check"));
}

static int answer(const struct session *s, const struct takt_program *p,
                  const struct wanted *wanted)
{
    int code = show(p, wanted, s->json);
    if (code == EXIT_FINE && wanted->sarif)
        code = write_sarif(p, wanted->sarif);
    const bool bad = p->diags.errors || (wanted->werror && p->diags.warnings);
    return code == EXIT_FINE && bad ? EXIT_INPUT : code;
}

/* --- mending ---------------------------------------------------------------------------------- */

static int mend(struct session *s, const struct wanted *wanted)
{
    struct mended mended;
    const int status = library_mend(s->program, s->run.settings, &mended);
    int code = status == 0 ? improve_write("check", wanted->out ? wanted->out : "-", mended.text,
                                           mended.size)
                           : cli_fail(EXIT_HOST, "check", "out of memory");
    if (code == EXIT_FINE)
        code = answer(s, mended.program ? mended.program : s->program, wanted);
    if (status == 0 && !s->json)
        fprintf(stderr, "%zu line%s inserted\n", mended.edits, mended.edits == 1 ? "" : "s");
    library_mended_free(&mended);
    return code;
}

static int report(struct session *s, const struct wanted *wanted)
{
    if (library_judge(s->program, s->run.settings) < 0)
        return cli_fail(EXIT_HOST, "check", "out of memory");
    library_raise_traps(s->program);
    return wanted->fix ? mend(s, wanted) : answer(s, s->program, wanted);
}

static int check_files(const struct wanted *wanted, char *const *programs)
{
    struct cli_files files = {.out_of_memory = false};
    for (; *programs; programs++)
        files_read(&files, *programs);
    files_written(&files, "--out", wanted->out);
    files_written(&files, "--sarif", wanted->sarif);
    return files_check(&files, "check");
}

static int contradiction(const struct session *s, const struct wanted *wanted, int programs)
{
    const bool sarif = wanted->sarif && replace_is_output(wanted->sarif);
    if (wanted->out && !wanted->fix)
        return cli_usage("check", "--out goes with --fix");
    if (wanted->fix && programs > 1)
        return cli_usage("check", "--fix is for one program");
    if (wanted->fix && !wanted->out && (sarif || s->json))
        return cli_usage("check", "--fix without --out and %s both want standard output",
                         s->json ? "--json" : "--sarif -");
    return EXIT_FINE;
}

int cmd_check(int argc, char **argv)
{
    struct session s = {.command = "check"};
    struct wanted wanted = {.werror = false};
    const struct cli_option table[] = {{"werror", .flag = &wanted.werror},
                                       {"all", .flag = &wanted.all},
                                       {"fix", .flag = &wanted.fix},
                                       {"out", .text = &wanted.out, .writes = true},
                                       {"sarif", .text = &wanted.sarif, .writes = true},
                                       SESSION_OPTIONS(s)};
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        code = contradiction(&s, &wanted, argc - optind);
        if (code == EXIT_FINE)
            code = check_files(&wanted, argv + optind);
        if (code == EXIT_FINE)
            code = session_open(&s, argv + optind, (size_t)(argc - optind));
        if (code == EXIT_FINE)
            code = report(&s, &wanted);
    }
    session_close(&s);
    return code;
}
