#include "functional/ventus/program.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "functional/ventus/listing.h"
#include "host/grow.h"

static struct ventus_launch *add_launch(struct ventus_program *program)
{
    struct ventus_launch *launches = grow(program->launches, &program->launch_capacity,
                                          program->launch_count + 1, sizeof *launches);
    if (!launches)
        return NULL;
    program->launches = launches;
    launches[program->launch_count] = (struct ventus_launch){.buffers = NULL};
    return &launches[program->launch_count++];
}

/* --- launches before it ----------------------------------------------------------------------- */

/* Launches of a folder are named KERNEL_N: in order of N, and of equal N by name. */
struct named {
    char *path;
    const char *name;
    unsigned long number;
};

static bool case_number(const char *name, size_t length, unsigned long *number)
{
    const char *under = NULL;
    for (size_t i = 0; i < length; i++)
        under = name[i] == '_' ? name + i : under;
    char *end;
    if (!under || length < 9 || memcmp(name + length - 9, ".metadata", 9) != 0)
        return false;
    *number = strtoul(under + 1, &end, 10);
    return end > under + 1 && end == name + length - 9;
}

static int by_number(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : strcmp(x->name, y->name);
}

/* Words of the kernel's arguments that point at global memory which the launch does not have. */
static bool lacks_buffers(const struct ventus_launch *launch)
{
    const struct ventus_buffer *arguments = NULL;
    uint32_t base = 0;
    for (size_t i = 0; i < launch->buffer_count; i++)
        if (launch->buffers[i].base == launch->metadata && launch->buffers[i].size >= 8)
            memcpy(&base, launch->buffers[i].bytes + 4, 4);
    for (size_t i = 0; i < launch->buffer_count; i++)
        if (launch->buffers[i].base == base)
            arguments = &launch->buffers[i];
    for (uint64_t at = 0; arguments && at + 4 <= arguments->size; at += 4) {
        uint32_t value;
        memcpy(&value, arguments->bytes + at, 4);
        if (value >= UINT32_C(0x90000000) && value < launch->metadata && value % 4 == 0 &&
            !ventus_launch_has(launch, value))
            return true;
    }
    return false;
}

static int list_before(const char *path, struct named **list, size_t *count)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    const char *name = path + folder;
    struct named own = {.name = name};
    size_t capacity = 0;
    if (!case_number(name, strlen(name), &own.number))
        return 0;
    char *place = folder ? strndup(path, folder) : strdup(".");
    DIR *directory = place ? opendir(place) : NULL;
    free(place);
    int status = place ? 0 : -1;
    for (struct dirent *e; status == 0 && directory && (e = readdir(directory));) {
        struct named found = {.name = e->d_name};
        if (!case_number(e->d_name, strlen(e->d_name), &found.number) ||
            by_number(&found, &own) >= 0)
            continue;
        struct named *grown = grow(*list, &capacity, *count + 1, sizeof **list);
        *list = grown ? grown : *list;
        found.path = malloc(folder + strlen(e->d_name) + 1);
        if (!grown || !found.path) {
            free(found.path);
            status = -1;
            break;
        }
        memcpy(found.path, path, folder);
        strcpy(found.path + folder, e->d_name);
        found.name = found.path + folder;
        grown[(*count)++] = found;
    }
    if (directory)
        closedir(directory);
    if (*count)
        qsort(*list, *count, sizeof **list, by_number);
    return status;
}

/* A launch that reads what earlier ones of its folder made runs behind them. */
static int load_before(struct ventus_program *program, const char *path)
{
    struct named *list = NULL;
    size_t count = 0;
    int status = list_before(path, &list, &count);
    for (size_t i = 0; i < count; i++) {
        struct source source;
        char error[512];
        struct diag_list unsaid;
        diag_list_init(&unsaid);
        if (status == 0 && source_open(&source, list[i].path, error, sizeof error) == 0) {
            struct ventus_launch *launch = add_launch(program);
            const int read = launch ? ventus_case_read(launch, &source, 0, &unsaid) : -1;
            if (read < 0)
                status = -1;
            else if (read > 0)
                ventus_launch_free(&program->launches[--program->launch_count]);
            source_close(&source);
        }
        diag_list_free(&unsaid);
        free(list[i].path);
    }
    free(list);
    return status;
}

/* --- the text --------------------------------------------------------------------------------- */

static int write_text(struct ventus_program *program)
{
    const struct ventus_launch *launch = ventus_program_launch(program);
    char *text = NULL;
    size_t size = 0;
    program->lines = calloc(launch->op_count + 1, sizeof *program->lines);
    FILE *out = open_memstream(&text, &size);
    if (!out || !program->lines) {
        if (out)
            fclose(out);
        free(text);
        return -1;
    }
    for (size_t i = 0; i < launch->op_count; i++) {
        char line[VENTUS_TEXT];
        program->lines[i] = (size_t)ftell(out);
        ventus_list(&launch->ops[i], line);
        fprintf(out, "0x%08x  %s\n", launch->code + 4 * (uint32_t)i, line);
    }
    program->lines[launch->op_count] = (size_t)ftell(out);
    int status = fclose(out) == 0 ? 0 : -1;
    if (status == 0)
        status = source_from_text(&program->text, "listing", text, size);
    free(text);
    return status;
}

int ventus_program_load(struct ventus_program *program, const struct source *sources, size_t count,
                        struct diag_list *diags)
{
    *program = (struct ventus_program){.sources = sources, .source_count = count};
    struct ventus_launch launch = {.buffers = NULL};
    int status = ventus_case_read(&launch, sources, 0, diags);
    if (status == 0 && lacks_buffers(&launch))
        status = load_before(program, sources[0].name);
    struct ventus_launch *last = status >= 0 ? add_launch(program) : NULL;
    if (!last) {
        ventus_launch_free(&launch);
        return -1;
    }
    *last = launch;
    return status == 0 ? write_text(program) : status;
}

void ventus_program_free(struct ventus_program *program)
{
    for (size_t i = 0; i < program->launch_count; i++)
        ventus_launch_free(&program->launches[i]);
    free(program->launches);
    free(program->lines);
    if (program->text.text)
        source_close(&program->text);
}

bool ventus_program_where(const struct ventus_program *program, uint32_t pc, struct diag *at,
                          char insn[VENTUS_TEXT])
{
    const struct ventus_launch *launch = ventus_program_launch(program);
    const uint32_t index = (pc - launch->code) / 4;
    (void)at;
    insn[0] = '\0';
    if (index < launch->op_count && launch->ops[index].insn != VENTUS_NO_INSN)
        ventus_list(&launch->ops[index], insn);
    return false;
}

int ventus_program_print(const struct ventus_program *program, FILE *out)
{
    return fwrite(program->text.text, 1, program->text.size, out) == program->text.size ? 0 : -1;
}
