/* case: a launch from NAME.metadata and NAME.data, files of hexadecimal words of 32 bits. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "functional/ventus/program.h"
#include "functional/ventus/state.h"
#include "host/grow.h"

struct reader {
    const struct source *source;
    struct diag_list *diags;
    uint32_t file, line;
    const char *at, *end, *line_start;
    bool wrong;
};

static void wrong(struct reader *r, const char *sentence)
{
    if (r->wrong)
        return;
    const char *stop = r->at;
    while (stop < r->end && *stop != '\n' && *stop != ' ')
        stop++;
    const struct diag at = {.severity = DIAG_ERROR,
                            .file = r->file,
                            .line = r->line,
                            .column = (uint32_t)(r->at - r->line_start) + 1,
                            .length = stop > r->at ? (uint32_t)(stop - r->at) : 1};
    r->wrong = true;
    diag_add(r->diags, &at, "%s", sentence);
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The next word. */
static uint32_t word(struct reader *r)
{
    uint32_t value = 0;
    int digits = 0;
    while (r->at < r->end && strchr(" \t\r\n", *r->at)) {
        if (*r->at++ == '\n') {
            r->line++;
            r->line_start = r->at;
        }
    }
    const char *start = r->at;
    while (r->at < r->end && digit(*r->at) >= 0 && digits < 9) {
        value = value << 4 | (uint32_t)digit(*r->at++);
        digits++;
    }
    const bool ends = r->at == r->end || strchr(" \t\r\n", *r->at);
    if (digits == 0 || digits > 8 || !ends) {
        r->at = start;
        wrong(r, start == r->end ? "the file ends before its last word"
                                 : "this is not a word of 32 bits in hexadecimal digits");
        return 0;
    }
    return value;
}

/* Low word, then high word. */
static uint64_t number(struct reader *r, uint64_t most, const char *sentence)
{
    const uint64_t low = word(r), value = low | (uint64_t)word(r) << 32;
    if (value > most)
        wrong(r, sentence);
    return value > most ? 0 : value;
}

static uint32_t number32(struct reader *r)
{
    return (uint32_t)number(r, UINT32_MAX, "this does not fit into 32 bits");
}

static uint32_t count(struct reader *r, uint32_t most, const char *sentence)
{
    const uint32_t value = number32(r);
    if (!r->wrong && (!value || value > most))
        wrong(r, sentence);
    return value ? value : 1;
}

static int read_metadata(struct ventus_launch *launch, struct reader *r)
{
    launch->start = number32(r);
    number(r, UINT64_MAX, ""); /* kernel id */
    for (int i = 0; i < 3; i++)
        launch->grid[i] = count(r, 1u << 20, "a grid has 1 to 1,048,576 workgroups each way");
    launch->threads = count(r, VENTUS_LANES, "a warp has 1 to 32 threads");
    launch->warps = count(r, VENTUS_WARPS, "a workgroup has 1 to 32 warps");
    launch->metadata = number32(r);
    launch->local = number32(r);
    launch->private = number32(r);
    launch->sgprs = number32(r);
    launch->vgprs = number32(r);
    launch->private_base = number32(r);
    const uint32_t buffers = number32(r);
    if (buffers > 4096)
        wrong(r, "more than 4,096 buffers");
    if (r->wrong)
        return 1;
    launch->buffers = grow(NULL, &launch->buffer_capacity, buffers + 1u, sizeof *launch->buffers);
    if (!launch->buffers)
        return -1;
    memset(launch->buffers, 0, (buffers + 1u) * sizeof *launch->buffers);
    launch->buffer_count = buffers;
    for (uint32_t i = 0; i < buffers; i++)
        launch->buffers[i].base = number32(r);
    for (uint32_t i = 0; i < buffers; i++)
        launch->buffers[i].size = number(r, UINT32_MAX, "a buffer of 4 GiB or more");
    for (uint32_t i = 0; i < buffers; i++)
        launch->buffers[i].room = number(r, UINT32_MAX, "a buffer of 4 GiB or more");
    return r->wrong;
}

static int read_data(struct ventus_launch *launch, struct reader *r)
{
    for (size_t i = 0; i < launch->buffer_count; i++) {
        struct ventus_buffer *buffer = &launch->buffers[i];
        if (!buffer->size)
            continue;
        if (buffer->size > r->source->size) { /* a word is more than one character */
            r->at = r->end;
            wrong(r, "the file ends before its last word");
            return 1;
        }
        buffer->bytes = malloc((size_t)(buffer->size + 3));
        if (!buffer->bytes)
            return -1;
        for (uint64_t at = 0; at < buffer->size && !r->wrong; at += 4) {
            const uint32_t value = word(r);
            for (unsigned k = 0; k < 4; k++)
                buffer->bytes[at + k] = (uint8_t)(value >> 8 * k);
        }
    }
    return r->wrong;
}

/* --- the launch ------------------------------------------------------------------------------- */

static int decode(struct ventus_launch *launch)
{
    for (size_t i = 0; i < launch->buffer_count; i++) {
        const struct ventus_buffer *b = &launch->buffers[i];
        if (launch->start < b->base || launch->start - b->base >= b->size)
            continue;
        launch->code = b->base;
        launch->op_count = (size_t)(b->size / 4);
        launch->ops = calloc(launch->op_count + 1, sizeof *launch->ops);
        if (!launch->ops)
            return -1;
        ventus_decode_all(b->bytes, launch->op_count, launch->ops);
        return 0;
    }
    return 1;
}

/* NAME.data in the folder of NAME.metadata. */
static int open_data(const struct source *metadata, struct source *data, char *error, size_t size)
{
    const size_t length = strlen(metadata->name);
    const size_t stem =
        length >= 9 && !strcmp(metadata->name + length - 9, ".metadata") ? length - 9 : length;
    char *name = malloc(stem + 6);
    if (!name)
        return -1;
    memcpy(name, metadata->name, stem);
    memcpy(name + stem, ".data", 6);
    const int status = source_open(data, name, error, size);
    free(name);
    return status;
}

static int read_case(struct ventus_launch *launch, const struct source *source,
                     struct diag_list *diags)
{
    struct reader r = {.source = source,
                       .diags = diags,
                       .line = 1,
                       .at = source->text,
                       .end = source->text + source->size,
                       .line_start = source->text};
    struct source data;
    char error[512];
    int status = read_metadata(launch, &r);
    if (status != 0)
        return status;
    status = open_data(source, &data, error, sizeof error);
    if (status != 0) {
        if (status > 0)
            wrong(&r, error);
        return status;
    }
    /* Errors in the data are reported at the end of the metadata: the data is not a source. */
    struct reader d = {.source = &data,
                       .diags = diags,
                       .line = 1,
                       .at = data.text,
                       .end = data.text + data.size,
                       .line_start = data.text,
                       .wrong = true};
    d.wrong = false;
    struct diag_list found;
    diag_list_init(&found);
    d.diags = &found;
    status = read_data(launch, &d);
    if (status > 0) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "%.160s:%u: %.64s", data.name, d.line,
                 found.count ? found.items[0].message : "it cannot be read");
        wrong(&r, sentence);
    }
    diag_list_free(&found);
    source_close(&data);
    if (status == 0 && (status = decode(launch)) > 0)
        wrong(&r, "no buffer holds code at the start address");
    return status;
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

/* A launch that reads what earlier ones of its folder made runs after them. */
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
            struct ventus_launch *launch = ventus_program_add(program);
            const int read = launch ? read_case(launch, &source, &unsaid) : -1;
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

/* --- all of it -------------------------------------------------------------------------------- */

int ventus_case_load(struct ventus_program *program, const struct source *source,
                     struct diag_list *diags)
{
    struct ventus_launch launch = {.buffers = NULL};
    int status = read_case(&launch, source, diags);
    if (status == 0 && lacks_buffers(&launch))
        status = load_before(program, source->name);
    struct ventus_launch *last = status >= 0 ? ventus_program_add(program) : NULL;
    if (!last) {
        ventus_launch_free(&launch);
        return -1;
    }
    *last = launch;
    return status;
}
