#include "tests/case_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/takt_process.h"

static void stop(const char *path, unsigned line, const char *why)
{
    fprintf(stderr, "%s:%u: %s\n", path, line, why);
    exit(99);
}

static void *grown(void *list, size_t count, size_t size)
{
    if (count & (count - 1))
        return list;
    list = realloc(list, (count ? 2 * count : 1) * size);
    if (!list)
        stop("memory", 0, "is exhausted");
    return list;
}

bool case_is(struct case_slice slice, const char *word)
{
    return slice.length == strlen(word) && memcmp(slice.at, word, slice.length) == 0;
}

struct case_slice case_word(struct case_slice *rest)
{
    while (rest->length && *rest->at == ' ') {
        rest->at++;
        rest->length--;
    }
    struct case_slice word = {rest->at, 0};
    while (word.length < rest->length && word.at[word.length] != ' ')
        word.length++;
    rest->at += word.length;
    rest->length -= word.length;
    return word;
}

/* --- text ------------------------------------------------------------------------------------- */

/* The character that an escape means; *p is behind its backslash and moves to its last letter. */
static char escaped(const char **p)
{
    static const char letters[] = "ntrvf", means[] = "\n\t\r\v\f";
    const char *letter = strchr(letters, **p);
    if (letter && **p)
        return means[letter - letters];
    if (**p != 'x')
        return **p;
    const char digits[3] = {(*p)[1], (*p)[2], '\0'};
    *p += 2;
    return (char)strtoul(digits, NULL, 16);
}

static void write_block(struct case_slice block, FILE *out)
{
    const char *end = block.at + block.length;
    for (const char *at = block.at; at < end;) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next + 1 : end;
        if (next - at > 4)
            fwrite(at + 4, 1, (size_t)(next - at - 4), out);
        else
            fputc('\n', out);
        at = next;
    }
}

char *case_text(const struct case_line *line, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        stop("memory", 0, "is exhausted");
    if (line->block.length)
        write_block(line->block, out);
    else
        for (const char *p = line->text.at; p < line->text.at + line->text.length; p++)
            fputc(*p == '\\' ? (++p, escaped(&p)) : *p, out);
    fclose(out);
    return text;
}

/* --- lines ------------------------------------------------------------------------------------ */

struct reader {
    struct case_file *file;
    const char *name, *at;
    unsigned line;
    struct case_slice language;
    struct case_line within;
    struct case_line *open; /* takes the block below */
};

static struct case_slice next_line(struct reader *reader)
{
    const struct case_slice line = {reader->at, strcspn(reader->at, "\n")};
    reader->at += line.length + (reader->at[line.length] == '\n');
    reader->line++;
    return line;
}

static bool begins(struct case_slice line, const char *with)
{
    return line.length >= strlen(with) && strncmp(line.at, with, strlen(with)) == 0;
}

static struct case_slice behind(struct case_slice line, size_t length)
{
    return (struct case_slice){line.at + length, line.length - length};
}

/* The indented lines from here on; empty ones between two of them belong to the block. */
static struct case_slice block_from(struct reader *reader, struct case_slice first)
{
    struct case_slice block = {first.at, (size_t)(reader->at - first.at)};
    for (;;) {
        const char *p = reader->at;
        unsigned lines = 1;
        for (; *p == '\n'; p++)
            lines++;
        if (strncmp(p, "    ", 4) != 0)
            return block;
        reader->at = p + strcspn(p, "\n");
        reader->at += *reader->at == '\n';
        reader->line += lines;
        block.length = (size_t)(reader->at - first.at);
    }
}

static void add_expected(struct reader *reader, struct case_slice text)
{
    struct case_file *file = reader->file;
    struct case_one *last = file->case_count ? &file->cases[file->case_count - 1] : NULL;
    if (!last || last->kind == CASE_FILE)
        stop(file->path, reader->line, "nothing is expected of");
    file->expected = grown(file->expected, file->expected_count, sizeof *file->expected);
    file->expected[file->expected_count] =
        (struct case_line){.line = reader->line, .text = text, .block = {NULL, 0}};
    last->count++;
    struct case_line *line = &file->expected[file->expected_count++];
    struct case_slice rest = text, word, final = {text.at, 0};
    while ((word = case_word(&rest)).length)
        final = word;
    const bool block = case_is(final, "out") || case_is(final, "err") || case_is(final, "prints");
    reader->open = block ? line : NULL;
}

static struct case_one *add_case(struct reader *reader, enum case_kind kind, struct case_slice text)
{
    struct case_file *file = reader->file;
    if (file->test_count == 0)
        stop(file->path, reader->line, "a case before the first test");
    file->cases = grown(file->cases, file->case_count, sizeof *file->cases);
    struct case_one *one = &file->cases[file->case_count++];
    *one = (struct case_one){.kind = kind,
                             .what = {.line = reader->line, .text = text},
                             .language = reader->language,
                             .within = reader->within,
                             .first = file->expected_count};
    file->tests[file->test_count - 1].count++;
    reader->open = kind == CASE_FILE ? &one->what : NULL;
    return one;
}

static void add_test(struct reader *reader, struct case_slice title)
{
    struct case_file *file = reader->file;
    file->tests = grown(file->tests, file->test_count, sizeof *file->tests);
    struct case_test *test = &file->tests[file->test_count++];
    *test = (struct case_test){.name = NULL, .first = file->case_count};
    if (asprintf(&test->name, "%s: %.*s", reader->name, (int)title.length, title.at) < 0)
        stop("memory", 0, "is exhausted");
    reader->within = (struct case_line){.line = 0};
}

/* A program or a command, what is expected behind " => " or in the lines below. */
static void add_text(struct reader *reader, struct case_slice line)
{
    const char *arrow = memmem(line.at, line.length, " => ", 4);
    const struct case_slice text = {line.at, arrow ? (size_t)(arrow - line.at) : line.length};
    const bool command = begins(text, "$ ");
    add_case(reader, command ? CASE_COMMAND : CASE_PROGRAM, command ? behind(text, 2) : text);
    if (arrow)
        add_expected(reader, behind(line, text.length + 4));
}

static void read_line(struct reader *reader, struct case_slice line)
{
    struct case_line *open = reader->open;
    reader->open = NULL;
    if (begins(line, "    ")) {
        struct case_slice text = {line.at, 0};
        if (!open)
            open = &add_case(reader, CASE_PROGRAM, text)->what;
        open->block = block_from(reader, line);
    } else if (begins(line, "== ")) {
        add_test(reader, behind(line, 3));
    } else if (begins(line, "language ")) {
        reader->language = behind(line, 9);
    } else if (begins(line, "within")) {
        const size_t length = line.length > 6 ? 7 : 6;
        reader->within = (struct case_line){.line = reader->line, .text = behind(line, length)};
        reader->open = &reader->within;
    } else if (begins(line, "file ")) {
        add_case(reader, CASE_FILE, behind(line, 5));
    } else if (begins(line, "=> ")) {
        add_expected(reader, behind(line, 3));
    } else if (line.length && *line.at != '#') {
        add_text(reader, line);
    }
}

void case_file_read(struct case_file *file, const char *path, const char *name)
{
    *file = (struct case_file){.path = path, .text = takt_read_file(path, NULL)};
    if (!file->text)
        stop(path, 0, "cannot be read");
    struct reader reader = {.file = file, .name = name, .at = file->text};
    while (*reader.at) {
        const struct case_slice line = next_line(&reader);
        read_line(&reader, line);
    }
    for (size_t i = 0; i < file->case_count; i++)
        if (file->cases[i].kind != CASE_FILE && file->cases[i].count == 0)
            stop(path, file->cases[i].what.line, "nothing is expected");
}

void case_file_free(struct case_file *file)
{
    for (size_t i = 0; i < file->test_count; i++)
        free(file->tests[i].name);
    free(file->tests);
    free(file->cases);
    free(file->expected);
    free(file->text);
}
