/* What a trace holds of the program alone. Packed text: what is put together again is the program, byte for byte, in C and by the view. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/trace_sample.h"
#include "traces/ahead.h"
#include "traces/dictionary.h"
#include "traces/ordinals.h"
#include "traces/packed.h"
#include "traces/recorder.h"
#include "traces/trace.h"

enum { FILES = 3, LINE = 96 };

/* A program: statements in lines, and what is between. */
struct made {
    char *text[FILES];
    struct file_info files[FILES];
    struct stmt_line *lines;
    struct stmt_info *stmts;
    size_t count;
};

struct shape {
    size_t lines;      /* statements */
    uint32_t distinct; /* how many different ones there are */
    unsigned blanks;   /* one line of so many is followed by an empty one; 0: none */
    unsigned comments; /* the same with comments that are all different */
    const char *end;   /* of a line */
};

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* The first file has no statement, the last no line's end. */
static void make(struct made *m, const struct shape *shape)
{
    uint64_t state = 88172645463325252u;
    *m = (struct made){0};
    m->lines = calloc(shape->lines + 1, sizeof *m->lines);
    m->stmts = calloc(shape->lines + 1, sizeof *m->stmts);
    assert_true(m->lines && m->stmts);
    for (uint32_t f = 0; f < FILES; f++) {
        const size_t lines = f == 0 ? 0 : f == 1 ? shape->lines / 3 : shape->lines - shape->lines / 3;
        char *at = m->text[f] = malloc(lines * LINE + LINE);
        assert_non_null(at);
        at += sprintf(at, "# file %u%s\n", f, shape->end);
        for (size_t i = 0; i < lines; i++) {
            const uint32_t kind = (uint32_t)(draw(&state) % shape->distinct);
            m->lines[m->count] =
                (struct stmt_line){(uint64_t)(at - m->text[f]), f, kind, 1};
            at += sprintf(at, "%*s", (int)(kind % 3), "");
            char *const text = at;
            at += sprintf(at, "nop/%u", kind + 1);
            m->stmts[m->count++] = (struct stmt_info){
                .file = f, .line = 1, .text = text, .text_length = (size_t)(at - text)};
            if (f == FILES - 1 && i + 1 == lines) {
                break;
            }
            if (shape->comments && draw(&state) % shape->comments == 0) {
                at += sprintf(at, " # %zu", i);
            }
            at += sprintf(at, "%s\n", shape->end);
            if (shape->blanks && draw(&state) % shape->blanks == 0) {
                at += sprintf(at, "\n");
            }
        }
        m->files[f] = (struct file_info){"k.vsm", m->text[f], (size_t)(at - m->text[f])};
    }
}

static void drop(struct made *m)
{
    for (unsigned f = 0; f < FILES; f++) {
        free(m->text[f]);
    }
    free(m->lines);
    free(m->stmts);
}

static void tell_lines(const void *asked, size_t first, size_t count, struct stmt_line *lines)
{
    const struct made *m = asked;
    assert_true(first + count <= m->count);
    memcpy(lines, m->lines + first, count * sizeof *lines);
}

static void tell_stmt(const void *asked, uint32_t id, struct stmt_info *info)
{
    const struct made *m = asked;
    *info = m->stmts[id];
}

static struct told told(const struct made *m, const struct shape *shape)
{
    return (struct told){.asked = m,
                         .stmt = tell_stmt,
                         .lines = tell_lines,
                         .stmt_count = m->count,
                         .kind_count = shape->distinct,
                         .files = m->files,
                         .file_count = FILES};
}

/* Code points, read by the rules of UTF-8 and nothing of packed.c. */
static uint32_t next_character(const char **at)
{
    const unsigned char *p = (const unsigned char *)*at;
    const unsigned more = p[0] < 0x80 ? 0 : p[0] < 0xe0 ? 1 : p[0] < 0xf0 ? 2 : 3;
    uint32_t c = more == 0 ? p[0] : p[0] & (0x3fu >> more);
    for (unsigned i = 1; i <= more; i++) {
        assert_int_equal(p[i] & 0xc0, 0x80);
        c = c << 6 | (p[i] & 0x3f);
    }
    assert_true((c < 0xd800 || c > 0xdfff) && c != 0xfffe && c != 0xffff);
    *at += more + 1;
    return c;
}

static void expect_text(const struct made *m, const struct packed *p)
{
    size_t stmt = 0;
    uint64_t from[FILES] = {0}; /* the first byte that no row of the file has shown yet */
    for (size_t r = 0; r < p->row_count; r++) {
        const struct packed_row *row = &p->rows[r];
        const char *at = p->text + row->text, *text = m->text[row->file];
        assert_true(row->lines >= 1 && row->lines <= PACKED_LINES);
        assert_true(from[row->file] == 0 || from[row->file] == row->start);
        from[row->file] = row->start;
        for (uint32_t i = 0; i < row->lines; i++, stmt++) {
            const uint32_t c = next_character(&at), id = c - 47 - (c > 0xdfff ? 2048 : 0) - (c > 0xffff ? 2 : 0);
            assert_true(id >= 1 && id <= p->count);
            assert_int_equal(id, p->of_stmt[stmt]);
            const struct packed_entry *e = &p->entries[id - 1];
            assert_memory_equal(e->text, text + from[row->file], e->size);
            assert_int_equal(e->length, m->stmts[stmt].text_length);
            assert_memory_equal(e->text + e->at, m->stmts[stmt].text, e->length);
            from[row->file] += e->size;
        }
        assert_ptr_equal(at, p->text + row->text + row->size);
    }
    assert_int_equal(stmt, m->count);
    assert_int_equal(from[0], 0);
    assert_int_equal(from[1], m->files[1].size);
    assert_int_equal(from[2], m->files[2].size);
}

/* The plain way: how many of the statements before have the same text. */
static void expect_ordinals(const struct made *m, const struct shape *shape, const struct told *t,
                            const struct packed *p)
{
    uint32_t *ordinals = malloc((m->count + 1) * sizeof *ordinals);
    uint32_t *seen = calloc(shape->distinct, sizeof *seen);
    struct kind_text *kinds = calloc(shape->distinct, sizeof *kinds);
    assert_true(ordinals && seen && kinds);
    assert_int_equal(ordinals_make(ordinals, t, p, kinds), 0);
    for (size_t i = 0; i < m->count; i++) {
        assert_int_equal(ordinals[i], ++seen[m->lines[i].kind]);
        const struct kind_text *kind = &kinds[m->lines[i].kind];
        if (t->lines && !p->count) {
            const char *line = m->text[m->lines[i].file] + m->lines[i].offset;
            assert_ptr_equal(line + kind->at, m->stmts[i].text);
            assert_int_equal(kind->length, m->stmts[i].text_length);
            assert_true(kind->alike.hash == dictionary_hash(DICTIONARY_SEED, m->stmts[i].text,
                                                      m->stmts[i].text_length));
        } else {
            assert_int_equal(kind->length, 0);
        }
    }
    free(kinds);
    free(seen);
    free(ordinals);
}

/* Hashes of files that come from their lines are those of their texts. */
static uint64_t program_hash(const void *asked, const uint64_t *files)
{
    const struct made *m = asked;
    uint64_t hash = 0;
    for (unsigned f = 0; f < FILES; f++) {
        const uint64_t whole = source_hash(
            &(const struct source){.text = m->files[f].text, .size = m->files[f].size});
        if (files && files[f] != whole) {
            fail_msg("file %u of %zu bytes", f, m->files[f].size);
        }
        hash = hash * 31 + whole;
    }
    return hash;
}

static void text_comes_back(void **state)
{
    (void)state;
    static const struct {
        struct shape shape;
        bool packed;
    } cases[] = {
        {{4000, 1, 0, 0, ""}, true},
        {{4000, 1000, 0, 0, ""}, true},
        {{4000, 1001, 0, 0, ""}, false},
        {{9000, 20, 7, 0, ""}, true},
        {{9000, 20, 7, 0, "\r"}, true},
        {{9000, 20, 7, 30, ""}, true},
        {{9000, 20, 0, 2, ""}, false}, /* a comment of its own in every second line */
        /* Its last line, which ends with the file, is another one. */
        {{7, 1, 0, 0, ""}, false},
        {{8, 1, 0, 0, ""}, true},
        {{513, 1, 0, 0, ""}, true},
        {{300000, 57000, 0, 0, ""}, true}, /* beyond the surrogates */
        {{300000, 70000, 0, 0, ""}, true}, /* beyond U+FFFF */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        struct packed p;
        make(&m, &cases[i].shape);
        const struct told t = told(&m, &cases[i].shape);
        assert_int_equal(packed_make(&p, &t), 0);
        assert_int_equal(p.count > 0, cases[i].packed);
        if (p.count) {
            uint64_t hashes[FILES];
            expect_text(&m, &p);
            packed_hashes(&p, &t, hashes);
            program_hash(&m, hashes);
        }
        expect_ordinals(&m, &cases[i].shape, &t, &p);
        packed_free(&p);
        const struct packed none = {0};
        expect_ordinals(&m, &cases[i].shape, &t, &none);
        struct told unknown = t;
        unknown.lines = NULL;
        expect_ordinals(&m, &cases[i].shape, &unknown, &none);
        drop(&m);
    }
}

static void expect_file_text(sqlite3 *db, const struct made *m)
{
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT text FROM v_file ORDER BY id", -1, &s, NULL),
                     SQLITE_OK);
    for (unsigned f = 0; f < FILES; f++) {
        assert_int_equal(sqlite3_step(s), SQLITE_ROW);
        assert_int_equal(sqlite3_column_bytes(s, 0), m->files[f].size);
        assert_memory_equal(sqlite3_column_text(s, 0), m->text[f], m->files[f].size);
    }
    sqlite3_finalize(s);
}

static struct sink_header header_of(const struct made *m, const struct shape *shape)
{
    return (struct sink_header){.machine = "mncore2",
                                .asked = m,
                                .program_hash = program_hash,
                                .stmt = tell_stmt,
                                .lines = tell_lines,
                                .stmt_count = m->count,
                                .kind_count = shape->distinct,
                                .files = m->files,
                                .file_count = FILES};
}

static bool tell_moves(const void *asked, uint32_t id)
{
    const struct made *m = asked;
    return m->lines[id].kind % 9 == 0;
}

/* A trace of more than 100,000 statements, once packed and once not, tells the same of the program; a transfer every
 * so many statements. */
static void tell_the_program(size_t every, bool moves)
{
    static const struct shape shape = {310000, 70000, 1000, 2000, ""};
    char folder[] = "/tmp/takt-packed-XXXXXX", path[80], error[600];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/k.db", folder);
    struct made m;
    make(&m, &shape);
    char found[2][4][64];
    for (int packed = 0; packed < 2; packed++) {
        struct recorder *r = NULL;
        assert_int_equal(recorder_open(&r, path, NULL, error, sizeof error), 0);
        const struct sink sink = recorder_sink(r);
        struct sink_header header = header_of(&m, &shape);
        header.lines = packed ? tell_lines : NULL;
        header.moves = moves ? tell_moves : NULL;
        assert_int_equal(sink.ops->begin(sink.self, &header), 0);
        for (uint32_t i = 0; i < m.count; i += (uint32_t)every) {
            assert_int_equal(sink.ops->transfer(sink.self, &(struct sink_transfer){.stmt = i,
                                                                          .mode = "mvp"}), 0);
        }
        const struct sink_summary summary = {.complete = true, .cycles = 0};
        assert_int_equal(sink.ops->finish(sink.self, &summary), 0);
        assert_int_equal(recorder_close(r, error, sizeof error), 0);
        sqlite3 *db = NULL;
        assert_int_equal(trace_open(&db, path, error, sizeof error), 0);
        expect_file_text(db, &m);
        assert_int_equal(trace_value(db, "SELECT count(*) FROM v_check", 0, 0, -1), 0);
        assert_int_equal(trace_value(db, "SELECT count(*) FROM source WHERE lines > 0", 0, 0, 0) > 0,
                         packed);
        assert_int_equal(
            trace_value(db, "SELECT integrity_check = 'ok' FROM pragma_integrity_check", 0, 0, 0), 1);
        /* Of a packed text the first of each line, those that move, and those that something refers to; else all. */
        assert_int_equal(trace_value(db, "SELECT count(*) FROM stmt", 0, 0, 0) == (int64_t)m.count,
                         !packed);
        sqlite3_stmt *s = NULL;
        assert_int_equal(
            sqlite3_prepare_v2(db,
                               "SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY source ORDER "
                               "BY id) AS nth FROM stmt) WHERE nth > 1 ORDER BY id",
                               -1, &s, NULL),
            SQLITE_OK);
        size_t others = 0;
        while (packed && sqlite3_step(s) == SQLITE_ROW) {
            const uint32_t id = (uint32_t)sqlite3_column_int64(s, 0);
            assert_true(id % every == 0 || (moves && tell_moves(&m, id)));
            others++;
        }
        sqlite3_finalize(s);
        size_t moving = 0;
        for (uint32_t i = 0; i < m.count; i++) {
            moving += moves && tell_moves(&m, i);
        }
        assert_true(!packed || others + 70000 >= moving);
        assert_int_equal(trace_value(db, "SELECT count(DISTINCT source) FROM stmt", 0, 0, -1) ==
                             trace_value(db, "SELECT count(*) FROM source WHERE start IS NULL", 0, 0, -2),
                         packed);
        static const char *const questions[] = {
            "SELECT count(*) FROM transfer JOIN stmt ON stmt.id = transfer.stmt",
            "SELECT sum(uid % 1000003) FROM stmt WHERE id IN (SELECT stmt FROM transfer)",
            "SELECT sum(length(text) * stmt) FROM v_stmt WHERE stmt IN (SELECT stmt FROM transfer)",
            "SELECT sum(CAST(substr(text, 5) AS INTEGER) % 1000003) FROM v_stmt JOIN transfer USING (stmt)"};
        for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
            snprintf(found[packed][q], sizeof found[packed][q], "%lld",
                     (long long)trace_value(db, questions[q], 0, 0, -1));
        }
        sqlite3_close(db);
        unlink(path);
    }
    assert_memory_not_equal(found[0][0], "0", 2);
    for (size_t q = 0; q < sizeof found[0] / sizeof *found[0]; q++) {
        assert_string_equal(found[0][q], found[1][q]);
    }
    drop(&m);
    rmdir(folder);
}

static void trace_tells_the_program(void **state)
{
    (void)state;
    tell_the_program(1009, false);
    tell_the_program(1009, true);
    tell_the_program(40009, true); /* most leaves of the table stay as they were made */
    tell_the_program(400000, true);
}

/* A run that fails as it begins: nobody waits for the thread but the end of the recorder. */
static void closed_before_its_end(void **state)
{
    (void)state;
    static const struct shape shape = {210000, 50000, 0, 0, ""};
    char folder[] = "/tmp/takt-packed-XXXXXX", path[80], error[600];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/k.db", folder);
    struct made m;
    make(&m, &shape);
    struct recorder *r = NULL;
    assert_int_equal(recorder_open(&r, path, NULL, error, sizeof error), 0);
    const struct sink sink = recorder_sink(r);
    const struct sink_header header = header_of(&m, &shape);
    assert_int_equal(sink.ops->begin(sink.self, &header), 0);
    assert_int_equal(recorder_close(r, error, sizeof error), 0);
    sqlite3 *db = NULL;
    assert_int_equal(trace_open(&db, path, error, sizeof error), 0);
    assert_int_equal(trace_value(db, "SELECT value FROM meta WHERE key = 'complete'", 0, 0, -1), 0);
    sqlite3_close(db);
    unlink(path);
    drop(&m);
    assert_int_equal(rmdir(folder), 0);
}

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/* Begun with the run or before it, with intervals or without: the same bytes. */
static void early_or_late(void **state)
{
    (void)state;
    /* Packed; lines too different for that; and so few that there is no thread. */
    static const struct shape shapes[] = {{150000, 300, 1000, 2000, ""},
                                          {120000, 100000, 0, 0, ""},
                                          {100000, 50000, 0, 0, ""}};
    char folder[] = "/tmp/takt-packed-XXXXXX", path[80], error[600];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/k.db", folder);
    for (size_t i = 0; i < 2 * sizeof shapes / sizeof *shapes; i++) {
        const struct shape *shape = &shapes[i / 2];
        struct made m;
        make(&m, shape);
        char *bytes[2];
        size_t sizes[2];
        for (int early = 0; early < 2; early++) {
            struct sink_header before = header_of(&m, shape); /* the run tells its own */
            const struct recorder_options options = {
                .header = early ? &before : NULL, .detail = i % 2 ? DETAIL_CHUNKS : DETAIL_TOTALS};
            struct recorder *r = NULL;
            assert_int_equal(recorder_open(&r, path, &options, error, sizeof error), 0);
            if (early) {
                assert_int_equal(recorder_ready(r, error, sizeof error), 0);
            }
            memset(&before, 0, sizeof before);
            const struct sink sink = recorder_sink(r);
            const struct sink_header header = header_of(&m, shape);
            assert_int_equal(sink.ops->begin(sink.self, &header), 0);
            for (uint32_t t = 0; t < m.count; t += 13) {
                const struct sink_transfer transfer = {.stmt = t, .mode = "mvp"};
                const struct sink_edge edge = {.src = t, .dst = t / 2, .rule = "3.5.8"};
                assert_int_equal(sink.ops->transfer(sink.self, &transfer), 0);
                assert_int_equal(sink.ops->edge(sink.self, &edge), 0);
            }
            const struct sink_summary summary = {.complete = true, .cycles = 0};
            assert_int_equal(sink.ops->finish(sink.self, &summary), 0);
            assert_int_equal(recorder_close(r, error, sizeof error), 0);
            sqlite3 *db = NULL;
            assert_int_equal(trace_open(&db, path, error, sizeof error), 0);
            assert_int_equal(trace_value(db, "SELECT count(*) FROM v_check", 0, 0, -1), 0);
            assert_int_equal(
                trace_value(db, "SELECT integrity_check = 'ok' FROM pragma_integrity_check", 0, 0, 0),
                1);
            expect_file_text(db, &m);
            sqlite3_close(db);
            bytes[early] = read_all(path, &sizes[early]);
            unlink(path);
        }
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizes[0]);
        free(bytes[0]);
        free(bytes[1]);
        drop(&m);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void count_work(void *counter)
{
    ++*(atomic_int *)counter;
}

/* In memory, too: the same tables, and the work of the header once, before the run begins. Without a run nothing is
 * left of it. */
static void early_in_memory(void **state)
{
    (void)state;
    static const struct shape shapes[] = {{150000, 300, 1000, 2000, ""}, {1000, 10, 0, 0, ""}};
    char error[600];
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const bool is_long = shapes[i].lines > AHEAD_STMTS;
        struct made m;
        make(&m, &shapes[i]);
        int64_t sums[2][3];
        for (int early = 0; early < 3; early++) {
            atomic_int worked = 0;
            struct sink_header before = header_of(&m, &shapes[i]);
            before.work = count_work;
            before.work_asked = &worked;
            const struct recorder_options options = {.header = early ? &before : NULL};
            struct recorder *r = NULL;
            assert_int_equal(recorder_open(&r, NULL, &options, error, sizeof error), 0);
            if (early == 2) { /* the program is not legal */
                assert_int_equal(recorder_close(r, error, sizeof error), 0);
                assert_true(worked <= 1);
                continue;
            }
            if (early) {
                assert_int_equal(recorder_ready(r, error, sizeof error), 0);
                assert_int_equal(worked, is_long);
            }
            memset(&before, 0, sizeof before);
            const struct sink sink = recorder_sink(r);
            const struct sink_header header = header_of(&m, &shapes[i]);
            assert_int_equal(sink.ops->begin(sink.self, &header), 0);
            const struct sink_transfer transfer = {.stmt = 7, .mode = "mvp"};
            assert_int_equal(sink.ops->transfer(sink.self, &transfer), 0);
            const struct sink_summary summary = {.complete = true, .cycles = 0};
            assert_int_equal(sink.ops->finish(sink.self, &summary), 0);
            sqlite3 *db = recorder_db(r);
            sums[early][0] = trace_value(db, "SELECT count(*) FROM meta", 0, 0, -1);
            sums[early][1] = trace_value(db, "SELECT sum(size) + count(*) FROM file", 0, 0, -1);
            sums[early][2] = trace_value(db, "SELECT count(*) FROM v_check", 0, 0, -1);
            assert_int_equal(trace_value(db, "SELECT count(*) FROM v_transfer WHERE mode = 'mvp'", 0, 0, -1),
                             1);
            assert_int_equal(recorder_close(r, error, sizeof error), 0);
        }
        assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
        assert_int_equal(sums[0][2], 0);
        drop(&m);
    }
}

/* Told all at once or one by one: the same rows in the same order, whatever comes before and after. */
static void warnings_at_once(void **state)
{
    (void)state;
    static const struct shape shape = {150000, 300, 1000, 2000, ""};
    static const char *const sentences[] = {"nop x1", "nop x2", "a sentence of more than a few letters"};
    enum { SENTENCES = sizeof sentences / sizeof *sentences, MANY = 40000 };
    char folder[] = "/tmp/takt-packed-XXXXXX", path[80], error[600];
    assert_non_null(mkdtemp(folder));
    struct made m;
    make(&m, &shape);
    struct sink_warned *warned = calloc(MANY, sizeof *warned);
    assert_non_null(warned);
    for (uint32_t i = 0; i < MANY; i++) {
        warned[i] = (struct sink_warned){3 * i + 1, i % SENTENCES};
    }
    for (int once = 0; once < 2; once++) {
        snprintf(path, sizeof path, "%s/%d.db", folder, once);
        struct recorder *r = NULL;
        assert_int_equal(recorder_open(&r, path, NULL, error, sizeof error), 0);
        const struct sink sink = recorder_sink(r);
        const struct sink_header header = header_of(&m, &shape);
        assert_int_equal(sink.ops->begin(sink.self, &header), 0);
        for (int turn = 0; turn < 2; turn++) {
            assert_int_equal(sink.ops->warning(sink.self, "one", 7, "before"), 0);
            for (size_t i = 0; i < MANY && !once; i++) {
                const char *sentence = sentences[warned[i].sentence];
                assert_int_equal(
                    sink.ops->warning(sink.self, "removable", warned[i].stmt, sentence), 0);
            }
            const struct sink_warnings warnings = {sentences, SENTENCES, warned, MANY};
            if (once) {
                assert_int_equal(sink.ops->warnings(sink.self, "removable", &warnings), 0);
            }
        }
        const struct sink_summary summary = {.complete = true, .cycles = 0};
        assert_int_equal(sink.ops->finish(sink.self, &summary), 0);
        assert_int_equal(recorder_close(r, error, sizeof error), 0);
        sqlite3 *db = NULL;
        assert_int_equal(trace_open(&db, path, error, sizeof error), 0);
        assert_int_equal(trace_value(db, "SELECT count(*) FROM v_check", 0, 0, -1), 0);
        assert_int_equal(trace_value(db, "SELECT count(*) FROM warning", 0, 0, 0), 2 * MANY + 2);
        assert_int_equal(trace_value(db, "SELECT count(*) FROM warning w JOIN string s "
                                         "ON s.id = w.sentence WHERE s.text = 'nop x2' "
                                         "AND w.line > 0", 0, 0, 0),
                         2 * ((MANY + 1) / SENTENCES));
        for (int i = 0; i < 2 && once; i++) {
            char sql[300];
            snprintf(sql, sizeof sql, "ATTACH '%s/0.db' AS other", folder);
            assert_int_equal(i || sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, 1);
            snprintf(sql, sizeof sql,
                     "SELECT count(*) FROM (SELECT 'w', rowid, * FROM %s.warning EXCEPT "
                     "SELECT 'w', rowid, * FROM %s.warning)",
                     i ? "other" : "main", i ? "main" : "other");
            assert_int_equal(trace_value(db, sql, 0, 0, -1), 0);
            snprintf(sql, sizeof sql,
                     "SELECT count(*) FROM (SELECT * FROM %s.string EXCEPT SELECT * FROM %s.string)",
                     i ? "other" : "main", i ? "main" : "other");
            assert_int_equal(trace_value(db, sql, 0, 0, -1), 0);
        }
        sqlite3_close(db);
    }
    for (int once = 0; once < 2; once++) {
        snprintf(path, sizeof path, "%s/%d.db", folder, once);
        unlink(path);
    }
    free(warned);
    drop(&m);
    assert_int_equal(rmdir(folder), 0);
}

/* Is there anything in the folder? */
static bool is_empty(const char *folder)
{
    DIR *list = opendir(folder);
    assert_non_null(list);
    size_t count = 0;
    while (readdir(list)) {
        count++;
    }
    closedir(list);
    return count == 2; /* . and .. */
}

/* The program turns out to be illegal, or no run begins: of long programs and of short ones nothing is left. */
static void early_for_nothing(void **state)
{
    (void)state;
    static const struct shape shapes[] = {{150000, 100000, 0, 0, ""}, {1000, 1000, 0, 0, ""}};
    char folder[] = "/tmp/takt-packed-XXXXXX", path[80], error[600];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/k.db", folder);
    for (unsigned i = 0; i < 8; i++) {
        const struct shape *shape = &shapes[i / 4];
        struct made m;
        make(&m, shape);
        const struct sink_header header = header_of(&m, shape);
        const struct recorder_options options = {
            .header = &header, .detail = i / 2 % 2 ? DETAIL_CHUNKS : DETAIL_TOTALS};
        struct recorder *r = NULL;
        assert_int_equal(recorder_open(&r, path, &options, error, sizeof error), 0);
        if (i % 2) {
            assert_int_equal(recorder_ready(r, error, sizeof error), 0);
            assert_false(is_empty(folder));
        }
        assert_int_equal(recorder_close(r, error, sizeof error), 0);
        assert_true(is_empty(folder));
        drop(&m);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* What is wrong with the place of the trace is said when the run begins, as without a header. */
static void early_at_a_bad_place(void **state)
{
    (void)state;
    static const struct shape shapes[] = {{150000, 100000, 0, 0, ""}, {1000, 1000, 0, 0, ""}};
    char folder[] = "/tmp/takt-packed-XXXXXX", path[80], errors[2][600];
    assert_non_null(mkdtemp(folder));
    for (unsigned i = 0; i < 4; i++) {
        const bool foreign = i % 2;
        struct made m;
        make(&m, &shapes[i / 2]);
        snprintf(path, sizeof path, foreign ? "%s/k.db" : "%s/nowhere/k.db", folder);
        if (foreign) {
            FILE *file = fopen(path, "w");
            assert_non_null(file);
            assert_true(fputs("no trace\n", file) >= 0);
            assert_int_equal(fclose(file), 0);
        }
        const struct sink_header header = header_of(&m, &shapes[i / 2]);
        const struct recorder_options options = {.header = &header};
        struct recorder *r = NULL;
        const int late = recorder_open(&r, path, NULL, errors[0], sizeof errors[0]);
        assert_int_equal(recorder_open(&r, path, &options, errors[1], sizeof errors[1]), 0);
        const int early = recorder_ready(r, errors[1], sizeof errors[1]);
        assert_int_equal(late, foreign ? 1 : -1);
        assert_int_equal(early, late);
        assert_string_equal(errors[1], errors[0]);
        /* The same when nobody asks. */
        assert_int_equal(recorder_open(&r, path, &options, errors[1], sizeof errors[1]), 0);
        assert_int_equal(recorder_close(r, errors[1], sizeof errors[1]), 0);
        drop(&m);
        if (foreign) {
            assert_int_equal(unlink(path), 0);
        }
        assert_true(is_empty(folder));
    }
    assert_int_equal(rmdir(folder), 0);
}

/* What an earlier run left stays until another one begins. */
static void early_beside_what_is_left(void **state)
{
    (void)state;
    static const struct shape shape = {150000, 100000, 0, 0, ""};
    char folder[] = "/tmp/takt-packed-XXXXXX", path[80], left[100], error[600];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/k.db", folder);
    snprintf(left, sizeof left, "%s.partial", path);
    struct made m;
    make(&m, &shape);
    for (int ready = 0; ready < 2; ready++) {
        FILE *file = fopen(left, "w");
        assert_non_null(file);
        assert_int_equal(fclose(file), 0);
        const struct sink_header header = header_of(&m, &shape);
        const struct recorder_options options = {.header = &header};
        struct recorder *r = NULL;
        assert_int_equal(recorder_open(&r, path, &options, error, sizeof error), 0);
        if (ready) { /* an empty file is as good as none */
            assert_int_equal(recorder_ready(r, error, sizeof error), 0);
        }
        assert_int_equal(recorder_close(r, error, sizeof error), 0);
        assert_int_equal(access(left, F_OK) == 0, !ready);
        assert_int_equal(is_empty(folder), ready);
    }
    drop(&m);
    assert_int_equal(rmdir(folder), 0);
}

/* A process that is ended between takes away what it has put there. */
static void early_and_abandoned(void **state)
{
    (void)state;
    static const struct shape shape = {150000, 100000, 0, 0, ""};
    char folder[] = "/tmp/takt-packed-XXXXXX", path[80], error[600];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/k.db", folder);
    struct made m;
    make(&m, &shape);
    for (int opened = 0; opened < 2; opened++) {
        const pid_t child = fork();
        if (child == 0) {
            const struct sink_header header = header_of(&m, &shape);
            const struct recorder_options options = {.header = &header};
            struct recorder *r = NULL;
            if (recorder_open(&r, path, &options, error, sizeof error) ||
                (opened && recorder_ready(r, error, sizeof error))) {
                _exit(1);
            }
            recorder_abandon(r);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        if (opened) {
            assert_true(is_empty(folder));
        }
        /* Else the other thread may have been about to name it. */
        static const char *const names[] = {".partial", ".partial-start", ".partial-journal"};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            snprintf(error, sizeof error, "%s%s", path, names[i]);
            unlink(error);
        }
    }
    drop(&m);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_comes_back),
        cmocka_unit_test(trace_tells_the_program),
        cmocka_unit_test(closed_before_its_end),
        cmocka_unit_test(early_or_late),
        cmocka_unit_test(warnings_at_once),
        cmocka_unit_test(early_in_memory),
        cmocka_unit_test(early_for_nothing),
        cmocka_unit_test(early_at_a_bad_place),
        cmocka_unit_test(early_and_abandoned),
        cmocka_unit_test(early_beside_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
