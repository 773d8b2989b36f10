#include "tests/mncore2/check_text.h"

#include <stdlib.h>
#include <string.h>

#include "config/embed.h"
#include "timing/mncore2/check.h"

EMBED(check_text_chip, "config/mncore2/mncore2.yaml");

static const struct param_row rows[] = {
#define PARAM(id, kind, meaning) {.name = #id, .type = PARAM_##kind, .sentence = meaning},
#include "timing/mncore2/param.def"
};

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    abort();
}

void check_text_config(struct config *config)
{
    char error[512];
    const struct config_file file = {"mncore2.yaml", check_text_chip, EMBED_SIZE(check_text_chip)};
    if (config_read(config, rows, sizeof rows / sizeof rows[0], &file, error, sizeof error) != 0)
        stop("chip file", error);
}

void check_text_open(struct check_text *text, const char *program)
{
    memset(text, 0, sizeof *text);
    diag_list_init(&text->diags);
    check_text_config(&text->config);
    if (source_from_text(&text->source, "test.vsm", program, strlen(program)) != 0)
        stop("source", "not a memory");
    text->parsed = mncore2_program_parse(&text->program, &text->source, 1, &text->diags);
    text->parse_findings = text->diags.count;
}

void check_text_run(struct check_text *text, const char *packing)
{
    /* Findings of parsing would be sorted in between. */
    diag_list_free(&text->diags);
    text->status = mncore2_check(&text->program, &text->config, packing, &text->diags);
}

void check_text_close(struct check_text *text)
{
    mncore2_program_free(&text->program);
    source_close(&text->source);
    config_free(&text->config);
    diag_list_free(&text->diags);
}

const struct diag *check_text_find(const struct check_text *text, const char *name)
{
    for (size_t i = 0; i < text->diags.count; i++) {
        const struct diag *diag = &text->diags.items[i];
        if (name ? strcmp(diag->name, name) == 0 : diag->severity == DIAG_ERROR)
            return diag;
    }
    return NULL;
}

size_t check_text_count(const struct check_text *text, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < text->diags.count; i++) {
        const struct diag *diag = &text->diags.items[i];
        count += name ? strcmp(diag->name, name) == 0 : diag->severity == DIAG_ERROR;
    }
    return count;
}

void check_text_show(const struct check_text *text)
{
    fprintf(stderr, "--- program\n%.*s--- findings\n", (int)text->source.size, text->source.text);
    diag_print(&text->diags, &text->source, 1, stderr, false);
}
