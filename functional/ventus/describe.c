#include "functional/ventus/describe.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "host/grow.h"
#include "host/path.h"

enum { BUFFERS = 4096, WORDS = 1 << 24, LEVELS = 16 }; /* most of them */

struct reader {
    struct ventus_description *d;
    yaml_parser_t parser;
    yaml_event_t event;
    unsigned depth;
    int status;
};

/* --- findings --------------------------------------------------------------------------------- */

void ventus_description_error(const struct ventus_description *d, const struct ventus_word *at,
                              const char *format, ...)
{
    char sentence[400], place[600] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const size_t length = at && at->text ? strlen(at->text) : 1;
    const struct diag where = {.severity = DIAG_ERROR,
                               .line = d->prefix || !at ? 0 : at->line,
                               .column = d->prefix || !at ? 0 : at->column,
                               .length = length ? (uint32_t)length : 1};
    if (d->prefix && at)
        snprintf(place, sizeof place, "%.500s:%u:%u: ", d->prefix, at->line, at->column);
    else if (d->prefix)
        snprintf(place, sizeof place, "%.500s: ", d->prefix);
    diag_add(d->diags, &where, "%s%s", place, sentence);
}

static bool is_scalar(const struct reader *r)
{
    return r->event.type == YAML_SCALAR_EVENT;
}

static struct ventus_word here(const struct reader *r)
{
    return (struct ventus_word){.text = is_scalar(r) ? (char *)r->event.data.scalar.value : NULL,
                                .line = (uint32_t)r->event.start_mark.line + 1,
                                .column = (uint32_t)r->event.start_mark.column + 1};
}

/* A finding at the event; the status is then 1. */
static void __attribute__((format(printf, 2, 3))) wrong(struct reader *r, const char *format, ...)
{
    char sentence[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const struct ventus_word at = here(r);
    r->status = r->status ? r->status : 1;
    ventus_description_error(r->d, &at, "%s", sentence);
}

/* The next event; false with a status at the end of what can be read. */
static bool next(struct reader *r)
{
    if (r->status < 0)
        return false;
    yaml_event_delete(&r->event);
    if (!yaml_parser_parse(&r->parser, &r->event)) {
        const struct ventus_word at = {.line = (uint32_t)r->parser.problem_mark.line + 1,
                                       .column = (uint32_t)r->parser.problem_mark.column + 1};
        r->status = r->parser.error == YAML_MEMORY_ERROR || !r->parser.problem ? -1 : 1;
        if (r->status > 0)
            ventus_description_error(r->d, &at, "%s", r->parser.problem);
        memset(&r->event, 0, sizeof r->event);
        r->status = r->status > 0 ? -2 : -1; /* nothing more can be read */
        return false;
    }
    if (r->event.type == YAML_ALIAS_EVENT) {
        wrong(r, "aliases are not taken here");
        r->status = -2;
        return false;
    }
    const yaml_event_type_t type = r->event.type;
    r->depth += type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
    r->depth -= type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
    if (r->depth > LEVELS) { /* which takes time by the square */
        wrong(r, "nested too deep for a launch");
        r->status = -2;
        return false;
    }
    return true;
}

/* Past the node that the event begins. */
static void skip(struct reader *r)
{
    const bool more =
        r->event.type == YAML_MAPPING_START_EVENT || r->event.type == YAML_SEQUENCE_START_EVENT;
    const unsigned outside = r->depth - more;
    while (r->depth > outside && next(r))
        ;
}

/* --- scalars ---------------------------------------------------------------------------------- */

bool ventus_description_word(const char *text, uint32_t *value)
{
    char *end;
    const bool minus = *text == '-', hex = text[minus] == '0' && (text[minus + 1] | 32) == 'x';
    if (text[minus] < '0' || text[minus] > '9')
        return false;
    if (!hex && strpbrk(text, ".eE")) {
        const float single = strtof(text, &end);
        memcpy(value, &single, sizeof *value);
        return !*end;
    }
    errno = 0;
    const long long number = strtoll(text, &end, hex ? 16 : 10);
    *value = (uint32_t)number;
    return !*end && !errno && number >= INT32_MIN && number <= UINT32_MAX;
}

static char *copy_of(struct reader *r)
{
    char *text = strdup((const char *)r->event.data.scalar.value);
    r->status = text ? r->status : -1;
    return text;
}

/* A copy of the scalar for later; false when the node is not a scalar. */
static bool keep(struct reader *r, struct ventus_word *word)
{
    if (!is_scalar(r)) {
        wrong(r, "one value was expected here");
        skip(r);
        return false;
    }
    free(word->text);
    *word = here(r);
    word->text = copy_of(r);
    return word->text;
}

static bool read_number(struct reader *r, const char *what, uint32_t low, uint32_t high,
                        uint32_t *value)
{
    if (!is_scalar(r)) {
        wrong(r, "%s: a number was expected here", what);
        skip(r);
        return false;
    }
    const char *text = (const char *)r->event.data.scalar.value;
    const bool whole = !strpbrk(text, ".") && *text != '-';
    if (whole && ventus_description_word(text, value) && *value >= low && *value <= high)
        return true;
    wrong(r, "%s is a number from %u to %u", what, low, high);
    return false;
}

/* --- buffers ---------------------------------------------------------------------------------- */

/* What a buffer's mapping says. */
struct buffer_text {
    struct ventus_word name, file;
    struct ventus_word at; /* of the mapping, or of its value */
    uint32_t *words;
    size_t word_count, word_capacity;
    bool repeated; /* one value, not in a list */
    uint32_t size, address;
    bool sized, addressed;
};

static void add_word(struct reader *r, struct buffer_text *b)
{
    uint32_t *words = grow(b->words, &b->word_capacity, b->word_count + 1, sizeof *words);
    if (!words) {
        r->status = -1;
        return;
    }
    b->words = words;
    if (!is_scalar(r) ||
        !ventus_description_word((const char *)r->event.data.scalar.value, &words[b->word_count])) {
        wrong(r, "a word was expected here: a number of 32 bits, or a single as 2.5");
        skip(r);
        return;
    }
    if (b->word_count == WORDS)
        wrong(r, "more than %d words: put them into a file", WORDS);
    else
        b->word_count++;
}

static void read_words(struct reader *r, struct buffer_text *b)
{
    b->repeated = r->event.type != YAML_SEQUENCE_START_EVENT;
    if (b->repeated) {
        add_word(r, b);
        return;
    }
    while (r->status >= 0 && next(r) && r->event.type != YAML_SEQUENCE_END_EVENT)
        add_word(r, b);
}

static void read_buffer_key(struct reader *r, struct buffer_text *b)
{
    char key[16] = "";
    if (is_scalar(r) && r->event.data.scalar.length < sizeof key)
        strcpy(key, (const char *)r->event.data.scalar.value);
    const struct ventus_word at = here(r);
    if (strcmp(key, "name") && strcmp(key, "file") && strcmp(key, "value") && strcmp(key, "size") &&
        strcmp(key, "address")) {
        wrong(r, "a buffer has name, file, value, size and address");
        skip(r);
        if (next(r))
            skip(r);
        return;
    }
    b->at = at;
    b->at.text = NULL;
    if (!next(r))
        return;
    if (*key == 'n')
        keep(r, &b->name);
    else if (*key == 'f')
        keep(r, &b->file);
    else if (*key == 'v')
        read_words(r, b);
    else if (*key == 's')
        b->sized = read_number(r, "size", 1, UINT32_MAX, &b->size);
    else
        b->addressed = read_number(r, "address", 0, UINT32_MAX, &b->address);
}

/* The bytes of the words, or of the file. */
static void fill_buffer(struct reader *r, const struct buffer_text *b, struct ventus_buffer *to)
{
    struct source file = {.text = NULL};
    char error[400];
    to->size = 4 * (uint64_t)b->word_count;
    if (b->repeated && b->sized)
        to->size = b->size;
    if (b->file.text) {
        char *path = path_relative(r->d->source->name, b->file.text);
        const int status = path ? source_open(&file, path, error, sizeof error) : -1;
        free(path);
        if (status != 0) {
            r->status = status < 0 ? -1 : 1;
            if (status > 0)
                ventus_description_error(r->d, &b->file, "%s", error);
            return;
        }
        to->size = file.size;
    }
    to->room = b->sized ? b->size : to->size;
    if (to->size > to->room || !to->room) {
        r->status = 1;
        ventus_description_error(r->d, b->file.text ? &b->file : &b->at,
                                 to->room ? "it has more bytes than its size says"
                                          : "how large it is was expected: file, value or size");
    } else if (to->size && !(to->bytes = malloc((size_t)to->size + 4))) {
        r->status = -1;
    } else if (file.text) {
        memcpy(to->bytes, file.text, file.size);
    } else {
        for (uint64_t i = 0; i < to->size; i++)
            to->bytes[i] = (uint8_t)(b->words[b->repeated ? 0 : i / 4] >> 8 * (i % 4));
    }
    if (file.text)
        source_close(&file);
}

static void add_buffer(struct reader *r, struct buffer_text *b)
{
    struct ventus_description *d = r->d;
    struct ventus_setup *setup = d->setup;
    struct ventus_word *names = grow(d->names, &d->name_capacity, d->name_count + 1, sizeof *names);
    d->names = names ? names : d->names;
    struct ventus_buffer *buffers =
        grow(setup->buffers, &setup->buffer_capacity, setup->buffer_count + 1, sizeof *buffers);
    setup->buffers = buffers ? buffers : setup->buffers;
    if (!names || !buffers) {
        r->status = -1;
        return;
    }
    struct ventus_buffer *to = &buffers[setup->buffer_count++];
    *to = (struct ventus_buffer){.base = b->addressed ? b->address : 0};
    names[d->name_count++] = b->name;
    fill_buffer(r, b, to);
    b->name.text = NULL;
    for (size_t i = 0; i + 1 < d->name_count; i++)
        if (strcmp(names[i].text, names[d->name_count - 1].text) == 0) {
            r->status = r->status ? r->status : 1;
            ventus_description_error(d, &names[d->name_count - 1],
                                     "a second buffer of this name, first in line %u",
                                     names[i].line);
            return;
        }
}

static void read_buffer(struct reader *r)
{
    struct buffer_text b = {.at = here(r)};
    const struct ventus_word at = b.at;
    if (r->event.type != YAML_MAPPING_START_EVENT) {
        wrong(r, "a buffer was expected here, as {name: x, size: 4096}");
        skip(r);
        return;
    }
    while (r->status >= 0 && next(r) && r->event.type != YAML_MAPPING_END_EVENT)
        read_buffer_key(r, &b);
    if (r->status >= 0 && (!b.name.text || (b.file.text && b.word_count))) {
        r->status = 1;
        ventus_description_error(
            r->d, &at, b.name.text ? "it has a file or values, not both" : "a buffer has a name");
    } else if (r->status >= 0 && r->d->name_count == BUFFERS) {
        r->status = 1;
        ventus_description_error(r->d, &at, "more than %d buffers", BUFFERS);
    } else if (r->status == 0) {
        add_buffer(r, &b);
    }
    free(b.name.text);
    free(b.file.text);
    free(b.words);
}

/* --- the document ----------------------------------------------------------------------------- */

static void read_argument(struct reader *r)
{
    struct ventus_description *d = r->d;
    struct ventus_word *arguments =
        grow(d->arguments, &d->argument_capacity, d->argument_count + 1, sizeof *arguments);
    if (!arguments) {
        r->status = -1;
        return;
    }
    d->arguments = arguments;
    arguments[d->argument_count] = (struct ventus_word){.text = NULL};
    if (keep(r, &arguments[d->argument_count]))
        d->argument_count++;
}

static void read_list(struct reader *r, const char *what, void (*read)(struct reader *r))
{
    if (r->event.type != YAML_SEQUENCE_START_EVENT) {
        wrong(r, "%s: a list was expected here", what);
        skip(r);
        return;
    }
    while (r->status >= 0 && next(r) && r->event.type != YAML_SEQUENCE_END_EVENT)
        read(r);
}

static void read_key(struct reader *r, enum ventus_key key)
{
    const struct ventus_key_row *row = &ventus_keys[key];
    struct ventus_setup *setup = r->d->setup;
    uint32_t count = 0;
    if (key == VENTUS_LAUNCH_start || key == VENTUS_LAUNCH_kernel) {
        keep(r, &r->d->entry[key == VENTUS_LAUNCH_kernel]);
        return;
    }
    setup->given[key] = true;
    if (r->event.type != YAML_SEQUENCE_START_EVENT) {
        read_number(r, row->name, row->low, row->high, setup->value[key]);
        return;
    }
    while (r->status >= 0 && next(r) && r->event.type != YAML_SEQUENCE_END_EVENT)
        if (count == row->values) {
            wrong(r, "%s has at most %u values", row->name, row->values);
            skip(r);
        } else {
            read_number(r, row->name, row->low, row->high, &setup->value[key][count++]);
        }
}

static void read_pair(struct reader *r)
{
    if (!is_scalar(r)) {
        wrong(r, "a word was expected here, as grid");
        skip(r);
        if (next(r))
            skip(r);
        return;
    }
    const char *word = (const char *)r->event.data.scalar.value;
    const enum ventus_key key = ventus_key_find(word, strlen(word));
    const bool elf = !strcmp(word, "elf"), buffers = !strcmp(word, "buffers");
    const bool arguments = !strcmp(word, "arguments");
    if (key == VENTUS_KEYS && !elf && !buffers && !arguments) {
        const char *near = ventus_key_near(word, strlen(word));
        wrong(r, "a launch has no '%.40s'\n%s%s", word,
              near ? "did you mean " : "elf, buffers, arguments, grid, workgroup ...",
              near ? near : "");
    } else if (key != VENTUS_KEYS && r->d->setup->given[key]) {
        wrong(r, "%s is given twice", word);
    }
    if (!next(r))
        return;
    if (key != VENTUS_KEYS)
        read_key(r, key);
    else if (buffers)
        read_list(r, "buffers", read_buffer);
    else if (arguments)
        read_list(r, "arguments", read_argument);
    else if (elf)
        keep(r, &r->d->elf);
    else
        skip(r);
}

static void read_document(struct reader *r)
{
    while (next(r) && r->event.type != YAML_MAPPING_START_EVENT) {
        if (r->event.type == YAML_STREAM_START_EVENT || r->event.type == YAML_DOCUMENT_START_EVENT)
            continue;
        wrong(r, "a launch was expected here, as grid: 4");
        return;
    }
    while (r->status >= 0 && next(r) && r->event.type != YAML_MAPPING_END_EVENT)
        read_pair(r);
    while (r->status >= 0 && next(r) && r->event.type != YAML_STREAM_END_EVENT)
        if (r->event.type == YAML_DOCUMENT_START_EVENT) {
            wrong(r, "a second document: a document describes one launch");
            return;
        }
}

/* Buffers without an address after those with one. */
static int place_buffers(struct ventus_description *d)
{
    struct ventus_setup *setup = d->setup;
    struct ventus_buffer *placed = calloc(setup->buffer_count + 1, sizeof *placed);
    size_t count = 0;
    int status = placed ? 0 : -1;
    for (size_t i = 0; status >= 0 && i < setup->buffer_count; i++)
        if (setup->buffers[i].base)
            placed[count++] = setup->buffers[i];
    for (size_t i = 0; status >= 0 && i < setup->buffer_count; i++) {
        struct ventus_buffer *b = &setup->buffers[i];
        if (b->base)
            continue;
        b->base = ventus_setup_place(placed, count, b->room);
        placed[count++] = *b;
        if (!b->base) {
            ventus_description_error(d, &d->names[i], "there is no room for it in 32 bits");
            status = 1;
        }
    }
    free(placed);
    return status;
}

/* An application (docs/applications.md) has the extension of a launch, and a line "steps:". */
static bool is_application(struct ventus_description *d)
{
    static char word[] = "steps:";
    struct ventus_word at = {.text = word, .line = 1, .column = 1};
    const char *text = d->source->text, *end = text + d->source->size;
    for (; text && text < end; at.line++) {
        if ((size_t)(end - text) >= sizeof word - 1 && !memcmp(text, word, sizeof word - 1)) {
            ventus_description_error(d, &at,
                                     "this is an application: takt app times it; bound, "
                                     "sensitivity, whatif and expect take it, too");
            return true;
        }
        text = memchr(text, '\n', (size_t)(end - text));
        text += text != NULL;
    }
    return false;
}

int ventus_describe(struct ventus_description *d)
{
    struct reader r = {.d = d};
    if (is_application(d))
        return 1;
    if (!yaml_parser_initialize(&r.parser))
        return -1;
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)d->source->text,
                                 d->source->size);
    read_document(&r);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    if (r.status == 0)
        r.status = place_buffers(d);
    return r.status == -2 ? 1 : r.status;
}

void ventus_description_free(struct ventus_description *d)
{
    for (size_t i = 0; i < d->name_count; i++)
        free(d->names[i].text);
    for (size_t i = 0; i < d->argument_count; i++)
        free(d->arguments[i].text);
    for (size_t i = 0; i < 2; i++)
        free(d->entry[i].text);
    free(d->names);
    free(d->arguments);
    free(d->elf.text);
}
