/* memio: reads and writes memories above the PE by place or by name, and loads and saves files
 * (exec.h). */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/state.h"
#include "host/file.h"

enum { FAULT = 1, FAILED = -1, CHUNK = 8192 };

struct place {
    struct exec_place at;
    uint64_t size, count;
    bool counted;
};

/* The memory of a place above the PE, and its size in long words. */
static uint64_t *memory_of(const struct exec *e, const struct exec_place *place, uint64_t *size)
{
    const unsigned group = place->group % GROUPS;
    const unsigned block = group * L2B_PER_GROUP + place->l2b % L2B_PER_GROUP;
    switch (place->mem) {
    case MEM_PDM:
        *size = PDM_LONGS;
        return e->pdm[group].words;
    case MEM_L2BM:
        *size = L2BM_LONGS;
        return e->l2bm[block];
    case MEM_L1BM:
        *size = L1BM_LONGS;
        return e->l1bm[block * L1B_PER_L2B + place->l1b % L1B_PER_L2B];
    default:
        *size = DRAM_LONGS;
        return e->dram[group].words;
    }
}

static bool is_paged(enum mem mem)
{
    return mem == MEM_PDM || mem == MEM_DRAM;
}

void mncore2_exec_read(const struct exec *e, struct exec_place from, size_t count, uint64_t *out)
{
    if (is_paged(from.mem)) {
        mncore2_state_read_pages(e, state_paged(e, from.mem, from.group % GROUPS), from.addr, count,
                                 out);
        return;
    }
    uint64_t size;
    const uint64_t *memory = memory_of(e, &from, &size);
    mncore2_state_copy_out(out, memory, size, from.addr, count);
}

void mncore2_exec_write(struct exec *e, struct exec_place to, size_t count, const uint64_t *in)
{
    uint64_t size;
    uint64_t *memory = memory_of(e, &to, &size);
    if (is_paged(to.mem))
        mncore2_state_touch_pages(e, state_paged(e, to.mem, to.group % GROUPS), to.addr % size,
                                  count);
    mncore2_state_copy_in(memory, size, to.addr, in, count);
}

/* A natural number as the language writes it (3.2.1). */
static bool number(const char **text, uint64_t limit, uint64_t *value)
{
    unsigned base = 10;
    const char *p = *text;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'o' || p[1] == 'b')) {
        base = p[1] == 'x' ? 16 : p[1] == 'o' ? 8 : 2;
        p += 2;
    }
    const char *digits = p;
    uint64_t n = 0;
    for (;; p++) {
        const int c = tolower((unsigned char)*p);
        const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                               : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                      : 99;
        if (digit >= base)
            break;
        n = n * base + digit;
        if (n > limit)
            return false;
    }
    if (p == digits)
        return false;
    *text = p;
    *value = n;
    return true;
}

static bool selector(const char **p, char before, unsigned limit, unsigned *value)
{
    uint64_t n;
    if (**p != before)
        return false;
    (*p)++;
    if (!number(p, limit - 1, &n))
        return false;
    *value = (unsigned)n;
    return true;
}

static int parse_place(struct place *place, const char *spec, char *error, size_t error_size)
{
    static const struct {
        char letter;
        enum mem mem;
        uint64_t size;
        unsigned levels;
    } kinds[] = {
        {'p', MEM_PDM, PDM_LONGS, 1},
        {'d', MEM_DRAM, DRAM_LONGS, 1},
        {'c', MEM_L2BM, L2BM_LONGS, 2},
        {'b', MEM_L1BM, L1BM_LONGS, 3},
    };
    *place = (struct place){.at.mem = MEM_NONE};
    unsigned levels = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (spec[0] == kinds[i].letter) {
            place->at.mem = kinds[i].mem;
            place->size = kinds[i].size;
            levels = kinds[i].levels;
        }
    const char *p = spec + 1;
    if (place->at.mem == MEM_NONE || !selector(&p, '@', GROUPS, &place->at.group) ||
        (levels >= 2 && !selector(&p, '.', L2B_PER_GROUP, &place->at.l2b)) ||
        (levels >= 3 && !selector(&p, '.', L1B_PER_L2B, &place->at.l1b)) || *p != ':') {
        snprintf(error, error_size,
                 "%s: no such place; write p@<group>:<addr>, d@<group>:<addr>, "
                 "c@<group>.<l2b>:<addr> or b@<group>.<l2b>.<l1b>:<addr>",
                 spec);
        return FAULT;
    }
    p++;
    if (!number(&p, place->size - 1, &place->at.addr)) {
        snprintf(error, error_size, "%s: the address must be a number below %llu", spec,
                 (unsigned long long)place->size);
        return FAULT;
    }
    if (*p == '+') {
        p++;
        place->counted = true;
        if (!number(&p, place->size - place->at.addr, &place->count) || place->count == 0) {
            snprintf(error, error_size, "%s: the long words must be 1 to %llu at this address",
                     spec, (unsigned long long)(place->size - place->at.addr));
            return FAULT;
        }
    }
    if (*p != '\0') {
        snprintf(error, error_size, "%s: '%s' is left over", spec, p);
        return FAULT;
    }
    return 0;
}

static void to_words(const unsigned char *bytes, uint64_t *words, size_t count, bool big)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t word = 0;
        for (unsigned b = 0; b < 8; b++)
            word = word << 8 | bytes[8 * i + (big ? b : 7 - b)];
        words[i] = word;
    }
}

static void to_bytes(const uint64_t *words, unsigned char *bytes, size_t count, bool big)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned b = 0; b < 8; b++)
            bytes[8 * i + (big ? 7 - b : b)] = (unsigned char)(words[i] >> 8 * b);
}

/* What a failure message names. */
struct about {
    const char *spec, *path;
    char *error;
    size_t error_size;
};

static int load_words(struct exec *exec, const struct place *place, FILE *file, bool big,
                      const struct about *about)
{
    const char *spec = about->spec, *path = about->path;
    char *error = about->error;
    const size_t error_size = about->error_size;
    static const char *const too_long = "%s: %s holds more than the %llu long words that fit here";
    unsigned char bytes[8 * CHUNK];
    uint64_t words[CHUNK];
    const uint64_t room = place->counted ? place->count : place->size - place->at.addr;
    uint64_t done = 0;
    for (;;) {
        uint64_t want = room - done < CHUNK ? room - done : CHUNK;
        if (want == 0)
            break;
        const size_t got = fread(bytes, 1, (size_t)want * 8, file);
        if (ferror(file)) {
            const int why = errno;
            snprintf(error, error_size, "%s: cannot read %s: %s", spec, path, strerror(why));
            return file_blame(why);
        }
        if (got % 8 != 0) {
            snprintf(error, error_size, "%s: the size of %s is not a multiple of 8 bytes", spec,
                     path);
            return FAULT;
        }
        to_words(bytes, words, got / 8, big);
        struct exec_place to = place->at;
        to.addr += done;
        mncore2_exec_write(exec, to, got / 8, words);
        done += got / 8;
        if (got < want * 8)
            break;
    }
    if (place->counted && done < place->count) {
        snprintf(error, error_size, "%s: %s holds only %llu long words", spec, path,
                 (unsigned long long)done);
        return FAULT;
    }
    if (!place->counted && done == room && fgetc(file) != EOF) {
        snprintf(error, error_size, too_long, spec, path, (unsigned long long)room);
        return FAULT;
    }
    return 0;
}

static int parse_save(struct place *place, const char *spec, char *error, size_t error_size)
{
    const int bad = parse_place(place, spec, error, error_size);
    if (bad != 0)
        return bad;
    if (!place->counted) {
        snprintf(error, error_size, "%s: how many long words? write %s+<count>", spec, spec);
        return FAULT;
    }
    return 0;
}

int mncore2_exec_spec(const char *spec, bool save, char *error, size_t error_size)
{
    struct place place;
    return save ? parse_save(&place, spec, error, error_size)
                : parse_place(&place, spec, error, error_size);
}

int mncore2_exec_place(const char *spec, struct exec_place *at, char *error, size_t error_size)
{
    struct place place;
    const int bad = parse_place(&place, spec, error, error_size);
    *at = place.at;
    if (bad != 0 || !place.counted || place.count == 1)
        return bad;
    snprintf(error, error_size, "%s: one long word, without +<count>", spec);
    return FAULT;
}

int mncore2_exec_load(struct exec *exec, const char *spec, const char *path, bool big, char *error,
                      size_t error_size)
{
    struct place place;
    const int bad = parse_place(&place, spec, error, error_size);
    if (bad != 0)
        return bad;
    FILE *file = file_open(path);
    if (file == NULL) {
        const int why = errno;
        snprintf(error, error_size, "%s: cannot open %s: %s", spec, path, strerror(why));
        return file_blame(why);
    }
    const int status =
        load_words(exec, &place, file, big, &(struct about){spec, path, error, error_size});
    fclose(file);
    return status;
}

int mncore2_exec_save(const struct exec *exec, const char *spec, const char *path, bool big,
                      char *error, size_t error_size)
{
    struct place place;
    const int bad = parse_save(&place, spec, error, error_size);
    if (bad != 0)
        return bad;
    struct replace file;
    const int opened = replace_open(&file, path, error, error_size);
    if (opened != 0)
        return opened > 0 ? FAULT : FAILED;
    unsigned char bytes[8 * CHUNK];
    uint64_t words[CHUNK];
    bool good = true;
    for (uint64_t done = 0; good && done < place.count;) {
        const size_t count = place.count - done < CHUNK ? (size_t)(place.count - done) : CHUNK;
        struct exec_place from = place.at;
        from.addr += done;
        mncore2_exec_read(exec, from, count, words);
        to_bytes(words, bytes, count, big);
        good = fwrite(bytes, 8, count, file.file) == count;
        done += count;
    }
    return replace_close(&file, true, error, error_size) == 0 ? 0 : FAILED;
}

/* Parse a place that holds exactly (if counted) or at least `count` words. */
static int parse_words(struct place *place, const char *spec, size_t count, char *error,
                       size_t error_size)
{
    const int bad = parse_place(place, spec, error, error_size);
    const uint64_t room = place->counted ? place->count : place->size - place->at.addr;
    if (bad != 0 || (place->counted ? count == room : count <= room))
        return bad;
    snprintf(error, error_size, "%s: %zu long words are given, not %s%llu", spec, count,
             place->counted ? "" : "at most ", (unsigned long long)room);
    return FAULT;
}

int mncore2_exec_put(struct exec *exec, const char *spec, const uint64_t *words, size_t count,
                     char *error, size_t error_size)
{
    struct place place;
    const int bad = parse_words(&place, spec, count, error, error_size);
    if (bad == 0)
        mncore2_exec_write(exec, place.at, count, words);
    return bad;
}

int mncore2_exec_get(const struct exec *exec, const char *spec, uint64_t *words, size_t count,
                     char *error, size_t error_size)
{
    struct place place;
    const int bad = parse_words(&place, spec, count, error, error_size);
    if (bad == 0)
        mncore2_exec_read(exec, place.at, count, words);
    return bad;
}
