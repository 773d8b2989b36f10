/* legalize: an order of statements, with the nops and waits that make it legal. */
#include "cli/options.h"

#include <jansson.h>
#include <stdlib.h>

#include "analysis/utf8_json.h"
#include "cli/improve.h"
#include "functional/text.h"
#include "host/file.h"
#include "host/number.h"
#include "host/text.h"
#include "timing/mncore2/legalize.h"

static const char help[] =
    "usage: takt legalize [OPTION]... ORDER\n"
    "Make an order of statements legal that only takt run --interlock can run: the\n"
    "nops of ORDER go, and the least that the rules require are put in; an access to\n"
    "what a transfer moves waits for it; a transfer without a tag gets one. Lines,\n"
    "comments and the statements of each step stay as they are. The result has been\n"
    "checked, run, timed and compared bit for bit before it is written. - is standard\n"
    "input.\n"
    "\n"
    "  --out FILE         where the program goes (- is standard output, the default)\n"
    "  --json             the answer as JSON on standard output (docs/json.md)\n"
    "  --load SPEC=FILE   read 64-bit words into a memory before each run; SPEC is of\n"
    "@places\n"
    "  --machine NAME     default: by the file's extension\n"
    "  --config FILE      parameters laid over the machine's chip file\n"
    "  --set KEY=VALUE    one parameter\n"
    "  --silence NAME     drop warnings of this name (may be given again); all drops\n"
    "                     every one\n"
    "  --help             this text\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the order\n";

struct job {
    struct improve improve;
    const char *out;
    const struct machine_setting *given; /* settings of the result */
    struct machine_setting *stalling;    /* and with the interlock, of the order */
    char *text;
    size_t size;
    struct legalized counts;
    uint64_t cycles;
};

static const char *name_of(const struct job *job)
{
    return job->improve.session.program->sources->name;
}

static int fail(const struct job *job, int status, const char *sentence)
{
    return cli_fail(status < 0 ? EXIT_HOST : EXIT_INPUT, "legalize", "%s: %s", name_of(job),
                    status < 0 ? "out of memory" : sentence);
}

/* The settings with the interlock. */
static int stall(struct job *job)
{
    size_t count = 0;
    static const struct machine_setting none[] = {{NULL, NULL}};
    job->given = job->improve.session.run.settings;
    if (!job->given)
        job->given = none;
    while (job->given[count].name)
        count++;
    job->stalling = calloc(count + 2, sizeof *job->stalling);
    if (!job->stalling)
        return cli_fail(EXIT_HOST, "legalize", "out of memory");
    for (size_t i = 0; i < count; i++)
        job->stalling[i] = job->given[i];
    job->stalling[count] = (struct machine_setting){"interlock", ""};
    job->improve.settings = job->stalling;
    return EXIT_FINE;
}

/* Make the text. */
static int legalize(struct job *job)
{
    char error[MACHINE_ERROR] = "";
    const struct improve *improve = &job->improve;
    FILE *out = text_open(&job->text, &job->size);
    int status = out ? mncore2_legalize(candidate_program(improve->candidates),
                                        improve->setup.config, out, &job->counts, error)
                     : -1;
    if (text_close(out, &job->text) != 0)
        status = -1;
    return status == 0 ? EXIT_FINE : fail(job, status, error);
}

/* It is legal, and computes the same. */
static int verify(struct job *job)
{
    const struct candidate candidate = {.text = job->text,
                                        .size = job->size,
                                        .settings = job->given,
                                        .waits = job->counts.waits != 0};
    bool equal = false;
    int status = candidate_time(job->improve.candidates, &candidate, &job->cycles);
    if (status == 0 && job->cycles == UINT64_MAX)
        return fail(job, 1, "nops and waits do not make this order legal");
    if (status == 0)
        status = candidate_compare(job->improve.candidates, &candidate, false, &equal);
    if (status != 0)
        return fail(job, status, "");
    return equal ? EXIT_FINE : fail(job, 1, "with nops and waits its values are others");
}

static int answer_json(const struct job *job)
{
    const struct legalized *c = &job->counts;
    return cli_json("legalize",
                    json_pack("{s:o, s:[I,I], s:I, s:I, s:I, s:s}", "program",
                              utf8_json(name_of(job)), "cycles",
                              (json_int_t)candidate_cycles(job->improve.candidates),
                              (json_int_t)job->cycles, "nops", (json_int_t)c->nops, "waits",
                              (json_int_t)c->waits, "tags", (json_int_t)c->tags, "equal",
                              candidate_tried(job->improve.candidates, c->waits != 0)),
                    JSON_INDENT(1));
}

static int answer(const struct job *job)
{
    char before[NUMBER_TEXT], after[NUMBER_TEXT];
    FILE *file = replace_is_output(job->out) ? stderr : stdout;
    const struct legalized *c = &job->counts;
    number_group(before, (int64_t)candidate_cycles(job->improve.candidates));
    number_group(after, (int64_t)job->cycles);
    text_print(file, "%s   %s cycles   with the interlock %s\n", name_of(job), after, before);
    text_print(file, "   put in: nops of %llu steps, %llu waits, %llu tags\n",
               (unsigned long long)c->nops, (unsigned long long)c->waits,
               (unsigned long long)c->tags);
    text_print(file, "   equal dumps and state, with memories that start as %s\n",
               candidate_tried(job->improve.candidates, c->waits != 0));
    return EXIT_FINE;
}

static bool served(const struct machine *machine)
{
    return machine_option(machine, "run", "interlock");
}

int cmd_legalize(int argc, char **argv)
{
    struct job job = {
        .improve = {.session.command = "legalize", .served = served, .given = "order without nops"},
        .out = "-"};
    struct session *s = &job.improve.session;
    const struct cli_option table[] = {{"out", .text = &job.out, .writes = true},
                                       {"load", .list = &s->loads},
                                       SESSION_OPTIONS(*s)};
    int code;
    if (SESSION_TAKE(s, help, table, argc, argv, &code)) {
        if (s->json && replace_is_output(job.out))
            code = cli_usage("legalize", "--out - and --json both want standard output");
        if (code == EXIT_FINE)
            code = stall(&job);
        if (code == EXIT_FINE)
            code = improve_open(&job.improve, argv + optind, argc - optind, "--out", job.out);
        if (code == EXIT_FINE)
            code = legalize(&job);
        if (code == EXIT_FINE)
            code = verify(&job);
        if (code == EXIT_FINE)
            code = improve_write("legalize", job.out, job.text, job.size);
        if (code == EXIT_FINE)
            code = s->json ? answer_json(&job) : answer(&job);
    }
    improve_close(&job.improve);
    free(job.text);
    free(job.stalling);
    return cli_end_json(s->json, code);
}
