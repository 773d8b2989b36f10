/* certify: whether a file that takt bound --proof wrote proves what it says of a program. */
#include <stdlib.h>

#include <jansson.h>

#include "analysis/proof_text.h"
#include "cli/session.h"
#include "functional/text.h"
#include "host/file.h"
#include "host/number.h"

static const char help[] =
    "usage: takt certify [OPTION]... PROGRAM FILE\n"
    "Check a proof that takt bound --proof wrote (docs/proofs.md): that its premises\n"
    "are facts of PROGRAM and the machine, and that its claims follow from them. The\n"
    "checker shares no code with the search for bounds. Give the options that the\n"
    "bound was found with.\n"
    "\n"
    "@common\n"
    "\n"
    "@exit 0 it is proven, 1 it is not, or the program has errors\n";

static int answer(const struct session *s, const char *path, const struct proof *proof)
{
    if (s->json) {
        json_t *bounds = json_object();
        for (unsigned class = 0; bounds && class < BOUND_CLASSES; class ++)
            if (proof->cycles[class])
                json_object_set_new(bounds, bound_class_names[class],
                                    json_integer((json_int_t)proof->cycles[class]));
        return cli_json("certify", json_pack("{s:o}", "proven", bounds), JSON_INDENT(1));
    }
    text_print(stdout, "%s   proven by %s\n", s->program->sources[0].name, path);
    for (unsigned class = 0; class < BOUND_CLASSES; class ++) {
        char number[NUMBER_TEXT];
        if (proof->cycles[class])
            printf("  %-11s  %s cycles at least\n", bound_class_names[class],
                   number_group(number, (int64_t)proof->cycles[class]));
    }
    return EXIT_FINE;
}

static int check(const struct session *s, const char *path)
{
    char error[MACHINE_ERROR];
    struct proof proof;
    struct file_bytes bytes;
    const int read = file_read(path, SIZE_MAX, &bytes, error, sizeof error);
    if (read != 0)
        return cli_status("certify", read, error);
    const struct run_setup setup = library_setup(s->running);
    const struct proof_subject subject = {&s->running->proof.graph, s->machine, &setup};
    const int status = proof_check(&subject, bytes.at, bytes.size, &proof);
    file_free(&bytes);
    if (status < 0)
        return cli_fail(EXIT_HOST, "certify", "out of memory");
    if (status > 0)
        return cli_fail(EXIT_INPUT, "certify", "%s %s", path, proof.error);
    return answer(s, path, &proof);
}

int cmd_certify(int argc, char **argv)
{
    struct session s = {.command = "certify", .light = true};
    uint64_t most = 1000000;
    const struct cli_option table[] = {
        {"most", .number = &most, .low = 1, .high = UINT32_MAX - 1, .what = "pieces of work"},
        SESSION_OPTIONS(s),
        SESSION_VALUES(s),
    };
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        code = argc - optind < 2 ? cli_usage("certify", "a program and a proof, in this order")
                                 : session_open(&s, argv + optind, (size_t)(argc - optind - 1));
        if (code == EXIT_FINE)
            code = session_keep_proven(&s, most, false);
        if (code == EXIT_FINE)
            code = session_run(&s, NULL);
        if (code == EXIT_FINE)
            code = check(&s, argv[argc - 1]);
    }
    session_close(&s);
    return cli_end_json(s.json, code);
}
