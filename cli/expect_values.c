#include "cli/expect_values.h"

#include <stdlib.h>

#include "functional/text.h"
#include "timing/run.h"

int expect_values_want(struct session *session, struct diff_input *input)
{
    if (session->run.timing_only)
        return cli_usage("expect", "--timing-only has no values to compare");
    machine_arriving(session->machine, session->run.settings, input->settings, DIFF_SETTINGS);
    session->run.settings = input->settings;
    input->has_values = true;
    input->dump = session->run.dump = tmpfile();
    return input->dump ? EXIT_FINE : cli_fail(EXIT_HOST, "expect", "no temporary file");
}

void expect_values_take(const struct session *session, struct diff_input *input)
{
    if (input->has_values)
        snprintf(input->state, sizeof input->state, "%016llx",
                 (unsigned long long)run_hash(session->running->run));
}

void expect_values_state(const struct store *store, struct diff_input *input)
{
    snprintf(input->state, sizeof input->state, "%s", store->state);
}

int expect_values_find(struct expect_values *values, const char *const paths[2],
                       char error[EXPECTATION_ERROR])
{
    static const struct diff_options options = {.both.command = "expect"};
    struct diff_input *const inputs = values->inputs;
    if (!values->found.what) {
        const int code =
            diff_input_values(&inputs[0], &inputs[1], &options, &values->found, values->texts);
        if (code != EXIT_FINE)
            return code;
    }
    if (values->found.verdict != DIFF_NOT_COMPARED)
        return EXIT_FINE;
    snprintf(error, EXPECTATION_ERROR,
             "the trace %s has no values; record it with takt run --hash, or name the program",
             paths[*inputs[0].state != 0]);
    return EXIT_USAGE;
}

void expect_values_print(const struct expect_values *values, FILE *out)
{
    const struct diff_values_found *found = &values->found;
    if (found->verdict == DIFF_EQUAL)
        text_print(out, "they are equal (%s)", found->what);
    else if (found->of == DIFF_OF_LINE)
        fprintf(out, "line %llu of what is printed is '%.60s', the baseline's '%.60s'",
                (unsigned long long)found->at, found->text[1], found->text[0]);
    else
        text_print(out, "the final state is %s, the baseline's %s", found->text[1], found->text[0]);
}

void expect_values_close(struct expect_values *values)
{
    for (unsigned i = 0; i < 2; i++) {
        if (values->inputs[i].dump)
            fclose(values->inputs[i].dump);
        free(values->texts[i]);
    }
}
