/* elf: a launch of an ELF file and its YAML. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "functional/riscv/elf.h"
#include "functional/ventus/describe.h"
#include "functional/ventus/program.h"
#include "host/path.h"

/* Path with another extension. */
static char *renamed(const char *path, const char *extension)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const size_t stem =
        dot && dot > (slash ? slash + 1 : path) ? (size_t)(dot - path) : strlen(path);
    char *name = malloc(stem + strlen(extension) + 1);
    if (name) {
        memcpy(name, path, stem);
        strcpy(name + stem, extension);
    }
    return name;
}

bool ventus_elf_described(const char *path)
{
    char *name = renamed(path, ".yaml");
    const bool there = name && access(name, R_OK) == 0;
    free(name);
    return there;
}

/* A number, or the address of a symbol. */
static bool value_of(const struct riscv_image *image, const char *text, uint32_t *value)
{
    const struct riscv_symbol *symbol = riscv_image_symbol(image, text, strlen(text));
    if (symbol)
        *value = symbol->value;
    return symbol || ventus_description_word(text, value);
}

static int add_symbols(struct ventus_program *program, const struct ventus_description *d)
{
    for (size_t i = 0; i < d->name_count; i++) {
        struct riscv_symbol *symbol =
            riscv_image_add_symbol(&program->image, d->names[i].text, strlen(d->names[i].text));
        if (!symbol)
            return -1;
        symbol->value = program->setup.buffers[i].base;
        symbol->label = symbol->visible = true;
    }
    return riscv_image_sort(&program->image);
}

/* Names of the YAML are those of its buffers, then of the ELF file. */
static int resolve(struct ventus_program *program, const struct ventus_description *d)
{
    static const enum ventus_key keys[2] = {VENTUS_LAUNCH_start, VENTUS_LAUNCH_kernel};
    struct ventus_setup *setup = &program->setup;
    int status = 0;
    for (size_t i = 0; i < 2; i++) {
        if (!d->entry[i].text)
            continue;
        setup->given[keys[i]] = true;
        if (value_of(&program->image, d->entry[i].text, &setup->value[keys[i]][0]))
            continue;
        ventus_description_error(d, &d->entry[i], "the ELF file has no symbol of this name");
        status = 1;
    }
    for (size_t i = 0; i < d->argument_count && status >= 0; i++) {
        uint32_t value = 0;
        if (!value_of(&program->image, d->arguments[i].text, &value)) {
            ventus_description_error(d, &d->arguments[i],
                                     "an argument is a buffer, a symbol, or a number of 32 bits");
            status = 1;
        } else if (!ventus_setup_argument(setup, value)) {
            status = -1;
        }
    }
    return status;
}

/* Findings about the ELF file name it, when it is not a source of the run. */
static int load_image(struct ventus_program *program, const struct source *elf, bool own,
                      struct diag_list *diags)
{
    const struct riscv_elf_rules rules = {.base = VENTUS_CODE,
                                          .most = VENTUS_MOST,
                                          .flags = ~UINT32_C(1),
                                          .march = "rv32ima_zfinx_zve32f"};
    struct diag_list found;
    diag_list_init(&found);
    const int status = riscv_elf_load(&program->image, elf, 0, &rules, &found);
    for (size_t i = 0; i < found.count; i++)
        diag_add(diags, &found.items[i], "%s%s%s%s%s", own ? "" : elf->name, own ? "" : ": ",
                 found.items[i].message, found.items[i].fix ? "\n" : "",
                 found.items[i].fix ? found.items[i].fix : "");
    diag_list_free(&found);
    return status;
}

static int load_both(struct ventus_program *program, const struct source *elf,
                     const struct source *yaml, struct diag_list *diags)
{
    const bool own = elf == program->sources;
    struct ventus_description d = {.source = yaml,
                                   .prefix = own ? yaml->name : NULL,
                                   .diags = diags,
                                   .setup = &program->setup};
    struct source opened = {.text = NULL};
    char error[400];
    int status = ventus_describe(&d);
    if (status == 0 && !own) {
        char *path =
            d.elf.text ? path_relative(yaml->name, d.elf.text) : renamed(yaml->name, ".elf");
        status = path ? source_open(&opened, path, error, sizeof error) : -1;
        free(path);
        if (status > 0)
            ventus_description_error(&d, &d.elf, "%s\nelf: says which file it is", error);
        elf = &opened;
    }
    if (status == 0)
        status = load_image(program, elf, own, diags);
    if (status == 0)
        status = add_symbols(program, &d);
    if (status == 0)
        status = resolve(program, &d);
    if (opened.text)
        source_close(&opened);
    ventus_description_free(&d);
    return status;
}

int ventus_elf_load(struct ventus_program *program, const struct source *source,
                    struct diag_list *diags)
{
    if (!riscv_is_elf(source))
        return load_both(program, NULL, source, diags);
    struct source yaml;
    char error[400];
    char *path = renamed(source->name, ".yaml");
    int status = path ? source_open(&yaml, path, error, sizeof error) : -1;
    free(path);
    if (status > 0) {
        const struct diag at = {.severity = DIAG_ERROR};
        diag_add(diags, &at, "%s\nthe launch of an ELF file is in NAME.yaml in the same folder",
                 error);
    }
    if (status != 0)
        return status;
    status = load_both(program, source, &yaml, diags);
    source_close(&yaml);
    return status;
}
