#include "traces/packed.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "host/big_memory.h"
#include "traces/dictionary.h"

enum {
    BLOCK = 256,      /* lines that are asked for at a time */
    TRIED = 4096,     /* lines that are not plain, before it is asked whether they repeat */
    WORTH = 4,        /* lines for each entry */
    FIRST_SURROGATE = 0xd800,
    SURROGATES = 0x800,
    FIRST_NONE = 0xfffe, /* of two that SQLite does not read as they are */
    NONES = 2,
    LAST_CHARACTER = 0x10ffff
};

/* Lines of a kind begin alike. What is behind its statement is mostly nothing but the line's end. */
struct plain {
    uint64_t at, length; /* of the statement in the line; length 0: none of the kind came yet */
    uint32_t entry;      /* 0: no line of the kind was like that yet */
};

struct making {
    const struct told *program;
    struct packed *packed;
    struct plain *plain; /* by kind */
    struct dictionary other; /* lines that are not plain; entry_of_other by id - 1 */
    uint32_t *entry_of_other;
    size_t other_capacity;
};

static uint32_t add_entry(struct packed *p, const struct packed_entry *entry)
{
    if (p->count == p->capacity) {
        const size_t capacity = p->capacity ? 2 * p->capacity : 256;
        struct packed_entry *entries = realloc(p->entries, capacity * sizeof *entries);
        if (!entries) {
            return 0;
        }
        p->entries = entries;
        p->capacity = capacity;
    }
    p->entries[p->count] = *entry;
    p->entries[p->count].hash =
        dictionary_hash(DICTIONARY_SEED, entry->text + entry->at, entry->length);
    p->entries[p->count].whole = text_hash_of(entry->text, entry->size);
    return (uint32_t)++p->count;
}

static uint32_t other_entry(struct making *m, const struct packed_entry *entry)
{
    bool added;
    const uint32_t id = dictionary_add(&m->other, entry->text, entry->size, &added);
    if (!id || !added) {
        return id ? m->entry_of_other[id - 1] : 0;
    }
    if (id > m->other_capacity) {
        const size_t capacity = m->other_capacity ? 2 * m->other_capacity : 64;
        uint32_t *grown = realloc(m->entry_of_other, capacity * sizeof *grown);
        if (!grown) {
            return 0;
        }
        m->entry_of_other = grown;
        m->other_capacity = capacity;
    }
    return m->entry_of_other[id - 1] = add_entry(m->packed, entry);
}

/* The entry of a statement whose line is followed by the next one's at `end`; 0 when memory is out. */
static uint32_t entry_of(struct making *m, size_t id, const struct stmt_line *line, size_t end)
{
    const struct file_info *file = &m->program->files[line->file];
    struct plain *plain = &m->plain[line->kind];
    struct packed_entry entry = {.text = file->text + line->offset,
                                 .size = end - (size_t)line->offset,
                                 .file = line->file};
    if (!plain->length) {
        const struct stmt_info info = told_stmt(m->program, id);
        plain->at = (uint64_t)(info.text - entry.text);
        plain->length = info.text_length;
    }
    entry.at = (size_t)plain->at;
    entry.length = (size_t)plain->length;
    /* One byte behind the statement and before the next line can only end the line. */
    const bool ends = end < file->size || entry.text[entry.size - 1] == '\n';
    if (!ends || entry.size != entry.at + entry.length + 1) {
        return other_entry(m, &entry);
    }
    if (!plain->entry) {
        plain->entry = add_entry(m->packed, &entry);
    }
    return plain->entry;
}

/* Neither too many for characters nor too many to pay. */
static bool pays(const struct making *m, size_t lines)
{
    return m->packed->count < LAST_CHARACTER - SURROGATES - NONES - PACKED_FIRST &&
           (m->other.count < TRIED || m->other.count * WORTH < lines);
}

static int find_entries(struct making *m, bool *worth)
{
    const struct told *program = m->program;
    struct stmt_line lines[BLOCK + 1];
    for (size_t first = 0; first < program->stmt_count && *worth; first += BLOCK) {
        const size_t left = program->stmt_count - first, count = left < BLOCK ? left : BLOCK;
        program->lines(program->asked, first, left < BLOCK + 1 ? left : BLOCK + 1, lines);
        for (size_t i = 0; i < count; i++) {
            const bool last = i + 1 == left || lines[i + 1].file != lines[i].file;
            const size_t end = last ? program->files[lines[i].file].size : lines[i + 1].offset;
            const uint32_t entry = entry_of(m, first + i, &lines[i], end);
            if (!entry) {
                return -1;
            }
            m->packed->of_stmt[first + i] = entry;
        }
        *worth = pays(m, first + count);
    }
    return 0;
}

/* UTF-8 of the character that stands for an entry; how many bytes. */
static size_t put_character(unsigned char *at, uint32_t entry)
{
    uint32_t c = entry + PACKED_FIRST;
    c += c >= FIRST_SURROGATE ? SURROGATES : 0;
    c += c >= FIRST_NONE ? NONES : 0;
    if (c < 0x80) {
        at[0] = (unsigned char)c;
        return 1;
    }
    const size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = size - 1, rest = c; i > 0; i--, rest >>= 6) {
        at[i] = (unsigned char)(0x80 | (rest & 0x3f));
    }
    at[0] = (unsigned char)(heads[size] | c >> 6 * (size - 1));
    return size;
}

enum { CHARACTER = 4 };

/* The bytes of a character, and behind them how many; by entry - 1. */
struct character {
    unsigned char bytes[CHARACTER];
    uint32_t size;
};

static struct character *make_characters(const struct packed *p)
{
    struct character *characters = malloc((p->count + 1) * sizeof *characters);
    for (size_t i = 0; characters && i < p->count; i++) {
        characters[i] = (struct character){.size = 0};
        characters[i].size = (uint32_t)put_character(characters[i].bytes, (uint32_t)i + 1);
    }
    return characters;
}

/* A row ends with its file, too. */
static int make_rows(struct packed *p, const struct told *program, const struct character *characters)
{
    p->rows = malloc((program->stmt_count / PACKED_LINES + program->file_count + 1) *
                     sizeof *p->rows);
    if (!p->rows) {
        return -1;
    }
    size_t used = 0;
    for (size_t first = 0; first < program->stmt_count;) {
        if (p->text_bytes - used < PACKED_LINES * CHARACTER) {
            const size_t larger = 2 * p->text_bytes + PACKED_LINES * CHARACTER;
            char *grown = big_memory_grow(p->text, p->text_bytes, larger);
            if (!grown) {
                return -1;
            }
            p->text = grown;
            p->text_bytes = larger;
        }
        const size_t left = program->stmt_count - first;
        struct stmt_line line, last;
        size_t count = left < PACKED_LINES ? left : PACKED_LINES;
        program->lines(program->asked, first, 1, &line);
        for (program->lines(program->asked, first + count - 1, 1, &last); last.file != line.file;) {
            program->lines(program->asked, first + --count - 1, 1, &last);
        }
        struct packed_row *row = &p->rows[p->row_count++];
        *row = (struct packed_row){
            .start = line.offset, .text = used, .file = line.file, .lines = (uint32_t)count};
        for (size_t i = 0; i < count; i++) {
            /* There is room for CHARACTER bytes, whatever counts of them. */
            const struct character *c = &characters[p->of_stmt[first + i] - 1];
            memcpy(p->text + used, c->bytes, CHARACTER);
            used += c->size;
        }
        row->size = used - row->text;
        first += count;
    }
    return 0;
}

int packed_make(struct packed *packed, const struct told *program)
{
    *packed = (struct packed){0};
    if (program->kind_count * WORTH > program->stmt_count) {
        return 0;
    }
    struct making making = {.program = program, .packed = packed};
    const size_t plain_bytes = (program->kind_count + 1) * sizeof *making.plain;
    making.plain = big_memory_touched(plain_bytes);
    packed->of_stmt_bytes = (program->stmt_count + 1) * sizeof *packed->of_stmt;
    packed->of_stmt = big_memory_new(packed->of_stmt_bytes);
    bool worth = true;
    int status = making.plain && packed->of_stmt ? find_entries(&making, &worth) : -1;
    big_memory_free(making.plain, plain_bytes);
    free(making.entry_of_other);
    dictionary_free(&making.other);
    worth = worth && packed->count * WORTH <= program->stmt_count;
    if (status == 0 && worth) {
        struct character *characters = make_characters(packed);
        status = characters ? make_rows(packed, program, characters) : -1;
        free(characters);
    }
    if (status || !worth) {
        packed_free(packed);
    }
    return status;
}

/* --- hashes of the files ------------------------------------------------------------------------ */

/* Neighbouring lines. */
struct stretch {
    const uint32_t *of; /* entries */
    size_t lines, bytes;
    uint64_t value;
};

static void add_line(const struct packed *p, struct stretch *s, size_t line)
{
    const struct text_hash *whole = &p->entries[s->of[line] - 1].whole;
    s->value = text_hash_reduce((text_hash_product)s->value * whole->shift + whole->value);
}

/* The lines of `count` rows from `first` on, the first of them line `line` of all, to byte `end` of their file. */
static struct text_hash hash_rows(const struct packed *p, size_t first, size_t count, size_t line,
                                  size_t end)
{
    enum { STRETCHES = 4 };
    /* Some stretches at a time: each line of one waits for the line before. */
    struct stretch stretches[STRETCHES] = {{0}};
    size_t common = SIZE_MAX, at = first;
    for (size_t k = 0; k < STRETCHES; k++) {
        struct stretch *s = &stretches[k];
        const size_t start = at < first + count ? (size_t)p->rows[at].start : end;
        s->of = p->of_stmt + line;
        for (; at < first + count * (k + 1) / STRETCHES; at++) {
            s->lines += p->rows[at].lines;
        }
        line += s->lines;
        s->bytes = (at < first + count ? (size_t)p->rows[at].start : end) - start;
        common = s->lines < common ? s->lines : common;
    }
    for (size_t i = 0; i < common; i++) {
        for (size_t k = 0; k < STRETCHES; k++) {
            add_line(p, &stretches[k], i);
        }
    }
    struct text_hash hash = {0, 1};
    for (size_t k = 0; k < STRETCHES; k++) {
        struct stretch *s = &stretches[k];
        for (size_t i = common; i < s->lines; i++) {
            add_line(p, s, i);
        }
        hash = text_hash_join(hash, (struct text_hash){s->value, text_hash_shift(s->bytes)});
    }
    return hash;
}

void packed_hashes(const struct packed *p, const struct told *told, uint64_t *files)
{
    for (size_t f = 0, row = 0, line = 0; f < told->file_count; f++) {
        const struct file_info *file = &told->files[f];
        const size_t first = row, before = line;
        for (; row < p->row_count && p->rows[row].file == f; row++) {
            line += p->rows[row].lines;
        }
        const size_t head = row > first ? (size_t)p->rows[first].start : file->size;
        struct text_hash hash = text_hash_of(file->text, head);
        if (row > first) {
            hash = text_hash_join(hash, hash_rows(p, first, row - first, before, file->size));
        }
        files[f] = text_hash_end(hash, file->size);
    }
}

void packed_free(struct packed *packed)
{
    free(packed->entries);
    free(packed->rows);
    big_memory_free(packed->text, packed->text_bytes);
    big_memory_free(packed->of_stmt, packed->of_stmt_bytes);
    *packed = (struct packed){0};
}
