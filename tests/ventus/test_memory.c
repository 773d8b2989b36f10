/*
 * Spaces of memory, prefixes of accesses, copies: addresses by the manual's formulas over a plain
 * array of bytes, tensors by loops over all coordinates; both edges of what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/often.h"
#include "tests/ventus/vkit.h"

enum { GLOBAL = 0x40000000, LOCAL = 0x70000000, PRIVATE = 0x50000000, SIZE = 0x10000 };

static uint8_t *global, *local, *private;

static int begin(void **state)
{
    (void)state;
    global = vkit_memory(GLOBAL, SIZE, SIZE);
    local = vkit_memory(LOCAL, SIZE, SIZE);
    private = vkit_memory(PRIVATE, SIZE, SIZE);
    for (uint32_t i = 0; i < SIZE; i++) {
        global[i] = (uint8_t)vkit_random();
        local[i] = (uint8_t)vkit_random();
        private[i] = (uint8_t)vkit_random();
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    vkit_free();
    return 0;
}

/* A launch of two workgroups' size: this one's local memory begins 0x1000 behind the first. */
static struct ventus_warp *make(const uint32_t *words, size_t count)
{
    vkit_make(words, count);
    vkit.launch.private = 256;
    vkit.launch.private_base = PRIVATE;
    vkit.launch.local = 0x1000;
    vkit.group.warps = vkit.warps;
    ventus_group_start(&vkit.exec, &vkit.group, 0, 1);
    return &vkit.warps[0];
}

static uint32_t load(uint32_t opcode, uint32_t f3, uint32_t rd, uint32_t rs1, uint32_t imm)
{
    return imm << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode;
}

static uint32_t store(uint32_t opcode, uint32_t f3, uint32_t rs2, uint32_t rs1, uint32_t imm)
{
    return (imm >> 5 & 127) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (imm & 31) << 7 | opcode;
}

/* space: 0 default, 1 global, 2 private, 3 local; width: words - 1. */
static uint32_t prefix(uint32_t pair, uint32_t space, uint32_t width)
{
    return pair << 19 | space << 17 | width << 15 | 3u << 12 | 9u << 7 | 0x2b;
}

static uint32_t word_at(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The manual's formula, with all threads of the workgroup (docs/deviations.md 154). */
static uint32_t private_at(uint32_t offset, uint32_t warp, uint32_t lane)
{
    return (offset >> 2 << 2) * 16 + (offset & 3) + ((warp * 8 + lane) << 2);
}

static uint32_t loaded(const uint8_t *p, uint32_t f3)
{
    switch (f3) {
    case 0:
        return (uint32_t)(int32_t)(int8_t)p[0];
    case 1:
        return (uint32_t)(int32_t)(int16_t)(p[0] | p[1] << 8);
    case 2:
        return word_at(p);
    case 4:
        return p[0];
    default:
        return (uint32_t)(p[0] | p[1] << 8);
    }
}

/* Every load and store of the four families, at random addresses and offsets of both signs. */
static void spaces(void **state)
{
    (void)state;
    static const struct {
        uint32_t opcode, base;
        bool pair, wide_offset;
    } families[] = {{0x6b, GLOBAL, false, false},
                    {0x77, 0, false, false},
                    {0x1f, GLOBAL, true, true},
                    {0x2b, 0, false, false}};
    static const uint32_t loads[] = {0, 1, 2, 4, 5};
    for (size_t n = 0; n < often(400); n++) {
        const size_t f = n % 4;
        const uint32_t f3 = loads[n / 4 % 5], bytes = f3 % 4 == 0 ? 1 : f3 == 2 ? 4 : 2;
        const int32_t offset = ((int32_t)(vkit_random() % 255) - 127) * 4;
        const uint32_t mask = families[f].wide_offset ? 0xfff : 0x7ff;
        uint32_t word = load(families[f].opcode, f3, 6, 4, (uint32_t)offset & mask);
        uint8_t *const memory = f == 1 ? local + 0x1000 : f == 3 ? private : global;
        struct ventus_warp *w = make(&word, 1);
        w->active = (uint32_t)vkit_random() & 0xff;
        uint32_t at[8];
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t place = 512 + (uint32_t)(vkit_random() % 64) * 4;
            w->v[4][i] = families[f].base + place - (uint32_t)offset;
            w->v[5][i] = 0;
            w->v[6][i] = 77;
            at[i] = f == 3 ? private_at(place, 0, i) : place;
        }
        if (vkit_step() != 0)
            fail_msg("%08x: %s", word, vkit.exec.error);
        for (uint32_t i = 0; i < 8; i++)
            assert_int_equal(w->v[6][i], w->active >> i & 1 ? loaded(memory + at[i], f3) : 77);
        /* And the store of that width: 12 bits of offset by 0x7b's functions, 11 by bit 31. */
        static const uint32_t wide[] = {7, 3, 6};
        const uint32_t size = bytes == 1 ? 0 : bytes == 2 ? 1 : 2;
        word = families[f].wide_offset
                   ? store(0x1f, wide[size], 6, 4, (uint32_t)offset & 0xfff)
                   : store(families[f].opcode, size, 6, 4, (uint32_t)offset & 0x7ff) | 1u << 31;
        uint32_t addresses[8];
        memcpy(addresses, w->v[4], sizeof addresses);
        w = make(&word, 1);
        memcpy(w->v[4], addresses, sizeof addresses);
        static uint8_t before[SIZE];
        memcpy(before, memory, SIZE - 0x1000);
        for (uint32_t i = 0; i < 8; i++) {
            w->v[6][i] = vkit_draw();
            for (uint32_t k = 0; k < bytes; k++)
                before[at[i] + k] = (uint8_t)(w->v[6][i] >> 8 * k);
        }
        if (vkit_step() != 0)
            fail_msg("%08x: %s", word, vkit.exec.error);
        assert_memory_equal(before, memory, SIZE - 0x1000);
    }
    /* An address above 32 bits has no buffer. */
    const uint32_t word = load(0x1f, 2, 6, 4, 0);
    struct ventus_warp *w = make(&word, 1);
    w->active = 1;
    w->v[4][0] = GLOBAL;
    w->v[5][0] = 1;
    assert_int_equal(vkit_step(), 1);
    assert_string_equal(vkit.exec.error,
                        "lane 0: load of 4 bytes at 0x140000000, where no buffer is");
    const uint32_t odd = load(0x1f, 2, 6, 5, 0);
    make(&odd, 1);
    assert_int_equal(vkit_step(), 1);
}

/* prefix_memory in front of vlw12 and vsw12: space, width, pairs. */
static void prefixed(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 32; n++) {
        const uint32_t pair = n & 1, space = n >> 1 & 3, words = 1 + (n >> 3);
        const uint32_t code[] = {prefix(pair, space, words - 1), load(0x7b, 2, 8, 4, 8)};
        const uint32_t base = space < 2 ? GLOBAL : 0;
        const uint8_t *memory = space < 2 ? global : space == 2 ? private : local + 0x1000;
        struct ventus_warp *w = make(code, 2);
        for (uint32_t i = 0; i < 8; i++)
            w->v[4][i] = base + 16 * i;
        assert_int_equal(vkit_step(), 0);
        if (vkit_step() != 0)
            fail_msg("%u: %s", n, vkit.exec.error);
        for (uint32_t i = 0; i < 8; i++)
            for (uint32_t k = 0; k < words; k++) {
                const uint32_t at = 16 * i + 8 + 4 * k;
                assert_int_equal(w->v[8 + k][i],
                                 word_at(memory + (space == 2 ? private_at(at, 0, i) : at)));
            }
        assert_int_equal(w->v[8 + words][0], 0);
        /* The same words back, four behind. */
        const uint32_t back[] = {prefix(pair, space, words - 1), store(0x7b, 6, 8, 4, 256)};
        uint32_t data[4][8];
        for (uint32_t k = 0; k < words; k++)
            memcpy(data[k], w->v[8 + k], sizeof data[k]);
        w = make(back, 2);
        for (uint32_t i = 0; i < 8; i++)
            w->v[4][i] = base + 16 * i;
        for (uint32_t k = 0; k < words; k++)
            memcpy(w->v[8 + k], data[k], sizeof data[k]);
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(vkit_step(), 0);
        for (uint32_t k = 0; k < words; k++) {
            const uint32_t at = 16 * 7 + 256 + 4 * k;
            assert_int_equal(word_at(memory + (space == 2 ? private_at(at, 0, 7) : at)),
                             data[k][7]);
        }
    }
}

static void prefix_of_scalars(void **state)
{
    (void)state;
    const uint32_t code[] = {prefix(0, 3, 3), load(0x03, 2, 10, 6, 4),
                             prefix(1, 1, 0), load(0x03, 2, 9, 6, 4),
                             prefix(0, 2, 0), load(0x03, 2, 9, 6, 4)};
    struct ventus_warp *w = make(code, 6);
    w->x[6] = 32;
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit_step(), 0);
    for (uint32_t k = 0; k < 4; k++)
        assert_int_equal(w->x[10 + k], word_at(local + 0x1000 + 36 + 4 * k));
    w->x[6] = GLOBAL;
    w->x[7] = 0;
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(w->x[9], word_at(global + 4));
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit_step(), 1);
    assert_string_equal(vkit.exec.error, "private memory is that of a lane: a scalar has none");
}

/* It is of an access, or of nothing, register numbers included; widths are of words. */
static void prefix_without_access(void **state)
{
    (void)state;
    const uint32_t code[] = {prefix(0, 3, 3) | 0xfffu << 20, vkit_opv(0, 4, 1, 5, 6, 7)};
    struct ventus_warp *w = make(code, 2);
    w->v[5][0] = 40;
    w->x[6] = 2;
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(w->v[7][0], 42);
    const uint32_t half[] = {prefix(0, 1, 1), load(0x7b, 1, 8, 4, 0)};
    make(half, 2)->v[4][0] = GLOBAL;
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit_step(), 1);
    assert_string_equal(vkit.exec.error, "a width of 64 bits for an access that is not of words");
    /* v252 to v255 are there, v253 to v256 are not: rd = 28 or 29 and seven in front of it. */
    for (uint32_t rd = 28; rd < 30; rd++) {
        const uint32_t last[] = {prefix(0, 1, 3) | 7u << 20, load(0x7b, 2, rd, 4, 0)};
        w = make(last, 2);
        for (uint32_t i = 0; i < 8; i++)
            w->v[4][i] = GLOBAL;
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(vkit_step(), rd == 29);
    }
    const uint32_t two[] = {prefix(0, 1, 0), prefix(0, 1, 0)};
    make(two, 2);
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit_step(), 0); /* a prefix is no access: the first one is void */
}

/* --- copies ----------------------------------------------------------------------------------- */

static uint32_t copy(uint32_t kind, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return kind << 25 | rs2 << 20 | rs1 << 15 | 6u << 12 | rd << 7 | 0x2b;
}

static void copies_of_lanes(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 3; kind++) {
        const uint32_t word = copy(kind, 6, 4, 5), size = 4u << kind;
        struct ventus_warp *w = make(&word, 1);
        w->active = 0xb7;
        uint8_t want[SIZE];
        memcpy(want, local, SIZE);
        for (uint32_t i = 0; i < 8; i++) {
            w->v[4][i] = LOCAL + 0x1000 + 32 * i + i; /* any alignment */
            w->v[5][i] = GLOBAL + 100 * i;
            w->v[6][i] = i % (size + 1); /* what is behind is 0 */
            for (uint32_t k = 0; k < size && (w->active >> i & 1); k++)
                want[0x1000 + 33 * i + k] = k < w->v[6][i] ? global[100 * i + k] : 0;
        }
        w->v[5][0] = 0; /* nothing is taken from there: no fault */
        assert_int_equal(vkit_step(), 0);
        assert_memory_equal(local, want, SIZE);
        assert_true(w->copies);
        for (uint32_t given = size; given < size + 2; given++) {
            w = make(&word, 1);
            w->active = 1;
            w->v[4][0] = LOCAL + 0x1000;
            w->v[5][0] = GLOBAL;
            w->v[6][0] = given;
            assert_int_equal(vkit_step(), given > size);
        }
        /* The last bytes of the workgroup's local memory, and one further. */
        for (uint32_t over = 0; over < 2; over++) {
            w = make(&word, 1);
            w->active = 1;
            w->v[4][0] = LOCAL + 0x2000 - size + over;
            w->v[5][0] = GLOBAL + SIZE - size;
            w->v[6][0] = size;
            assert_int_equal(vkit_step(), (int)over);
        }
        w = make(&word, 1);
        w->active = 1;
        w->v[4][0] = LOCAL + 0x1000;
        w->v[5][0] = GLOBAL + SIZE - size + 1;
        w->v[6][0] = size;
        assert_int_equal(vkit_step(), 1);
    }
}

static void bulk(void **state)
{
    (void)state;
    const uint32_t word = copy(3, 12, 10, 11);
    static const struct {
        uint32_t to, from, bytes;
        const char *says; /* NULL: it is fine */
    } rows[] = {{0x10, 0x20, 4096 - 16, NULL},
                {0x0, 0x10, 16, NULL},
                {0x8, 0x10, 16, "multiples of 16"},
                {0x0, 0x18, 16, "multiples of 16"},
                {0x0, 0x10, 24, "multiples of 16"},
                {0x0, 0x10, 0, "no bytes"},
                {0x0, 0x10, 4096 + 16, "beyond the local memory"},
                {0x0, SIZE - 16, 32, "where no buffer is"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ventus_warp *w = make(&word, 1);
        w->x[10] = LOCAL + 0x1000 + rows[i].to;
        w->x[11] = GLOBAL + rows[i].from;
        w->x[12] = rows[i].bytes;
        assert_int_equal(vkit_step(), rows[i].says != NULL);
        if (rows[i].says)
            assert_non_null(strstr(vkit.exec.error, rows[i].says));
        else
            assert_memory_equal(local + 0x1000 + rows[i].to, global + rows[i].from, rows[i].bytes);
    }
}

struct tensor {
    uint32_t type, rank, size, dims[5], strides[5], box[5], steps[5], start[5], swizzle, nan;
};

static void put_tensor(const struct tensor *t, struct ventus_warp *w)
{
    uint32_t from = GLOBAL + 64;
    w->v[4][0] = t->type;
    w->v[4][1] = t->rank;
    w->v[4][2] = from;
    for (uint32_t d = 0; d < 5; d++) {
        w->v[4][3 + d] = t->dims[d];
        w->v[4][8 + d] = t->strides[d];
        w->v[5][1 + d] = t->box[d];
        w->v[5][6 + d] = t->steps[d];
        if (d < t->rank)
            from += t->start[d] * (d ? t->strides[d] : t->size);
    }
    w->v[5][0] = from;
    w->v[5][11] = 0;
    w->v[5][12] = t->swizzle;
    w->v[5][13] = 2;
    w->v[5][14] = t->nan;
    w->x[12] = LOCAL + 0x1000;
}

static struct tensor draw_tensor(void)
{
    static const uint32_t sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
    const uint64_t r = vkit_random();
    struct tensor t = {.type = (uint32_t)(r % 10), .rank = 1 + (uint32_t)(r >> 8) % 5};
    t.size = sizes[t.type];
    t.swizzle = r >> 16 & 3;
    t.nan = t.type >= 6 && (r >> 18 & 1);
    uint32_t row = 0;
    for (uint32_t d = 0; d < t.rank; d++) {
        const uint64_t q = vkit_random();
        t.dims[d] = 1 + (uint32_t)(q % (d ? 4 : 20));
        t.box[d] = 1 + (uint32_t)(q >> 8) % (d ? 4 : 16);
        t.steps[d] = 1 + (uint32_t)(q >> 16) % 3;
        t.start[d] = (uint32_t)(q >> 24) % t.dims[d];
        t.strides[d] = d ? row : 0; /* of dimension 1 nobody asks */
        row = d == 0 ? (t.dims[0] * t.size + 15) / 16 * 16 + 16 * (uint32_t)(q >> 32 & 1)
                     : row * t.dims[d];
    }
    return t;
}

static const uint64_t nans[] = {0, 0, 0, 0, 0, 0, 0x7e00, 0x7fc00000, 0x7ff8000000000000, 0x7fc0};

/* What local memory holds then. Chunks of 16 bytes change places within a row of 128 bytes, by the
 * number of the row: 2, 4 or 8 chunks. */
static void want_tensor(const struct tensor *t, uint8_t *to)
{
    uint32_t counts[5] = {1, 1, 1, 1, 1}, i[5], place = 0;
    for (uint32_t d = 0; d < t->rank; d++)
        for (counts[d] = 0; counts[d] * t->steps[d] < t->box[d];)
            counts[d]++;
    for (i[4] = 0; i[4] < counts[4]; i[4]++)
        for (i[3] = 0; i[3] < counts[3]; i[3]++)
            for (i[2] = 0; i[2] < counts[2]; i[2]++)
                for (i[1] = 0; i[1] < counts[1]; i[1]++)
                    for (i[0] = 0; i[0] < counts[0]; i[0]++, place += t->size) {
                        bool inside = true;
                        uint32_t from = 64;
                        for (uint32_t d = 0; d < t->rank; d++) {
                            const uint32_t at = t->start[d] + i[d] * t->steps[d];
                            inside = inside && at < t->dims[d];
                            from += at * (d ? t->strides[d] : t->size);
                        }
                        const uint32_t row = place / 128, chunk = place / 16 % 8;
                        const uint32_t moved = chunk ^ (row % (1u << t->swizzle));
                        for (uint32_t k = 0; k < t->size; k++)
                            to[row * 128 + moved * 16 + place % 16 + k] =
                                (uint8_t)(inside   ? global[from + k]
                                          : t->nan ? nans[t->type] >> 8 * k
                                                   : 0);
                    }
}

static struct ventus_warp *make_tensor(const struct tensor *t)
{
    static const uint32_t word = 4u << 25 | 5u << 20 | 4u << 15 | 6u << 12 | 12u << 7 | 0x2b;
    make(&word, 1);
    vkit.launch.threads = 16;
    vkit.launch.local = 0x8000;
    ventus_group_start(&vkit.exec, &vkit.group, 0, 0);
    vkit.group.local = LOCAL + 0x1000;
    put_tensor(t, &vkit.warps[0]);
    return &vkit.warps[0];
}

static void tensors(void **state)
{
    (void)state;
    static uint8_t want[SIZE];
    for (size_t n = 0; n < often(300); n++) {
        const struct tensor t = draw_tensor();
        memcpy(want, local, SIZE);
        want_tensor(&t, want + 0x1000);
        make_tensor(&t);
        if (vkit_step() != 0)
            fail_msg("%zu: %s", n, vkit.exec.error);
        assert_memory_equal(local, want, SIZE);
    }
}

/* Each parameter at its limits and beyond. */
static void tensors_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t reg, lane, fine, wrong;
        const char *says;
    } rows[] = {
        {4, 0, 9, 10, "10 is not a type"},
        {4, 1, 5, 6, "6 dimensions"},
        {4, 1, 1, 0, "0 dimensions"},
        {4, 3, 1, 0, "dimension 1 has no elements"},
        {4, 9, 32, 24, "not a multiple of 16"},
        {4, 9, 16, 0, "not a multiple of 16"},
        {5, 1, 256, 257, "has 257 elements"},
        {5, 1, 1, 0, "has 0 elements"},
        {5, 6, 8, 9, "in steps of 9"},
        {5, 6, 1, 0, "in steps of 0"},
        {5, 11, 0, 1, "interleave 1"},
        {5, 12, 3, 4, "swizzle and L2promotion"},
        {5, 13, 3, 4, "swizzle and L2promotion"},
        {5, 14, 0, 2, "oobfill 0"},
        {5, 14, 0, 1, "have no NaN"},
        {5, 0, GLOBAL + 64, GLOBAL + 63, "begins before the tensor"},
        {5, 0, GLOBAL + 65, GLOBAL + 65 + 16 * 4, NULL},
    };
    const struct tensor plain = {.type = 0,
                                 .rank = 5,
                                 .size = 1,
                                 .dims = {16, 2, 2, 2, 2},
                                 .strides = {0, 16, 32, 64, 128},
                                 .box = {4, 1, 1, 1, 1},
                                 .steps = {1, 1, 1, 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_tensor(&plain)->v[rows[i].reg][rows[i].lane] = rows[i].fine;
        if (vkit_step() != 0)
            fail_msg("row %zu: %s", i, vkit.exec.error);
        make_tensor(&plain)->v[rows[i].reg][rows[i].lane] = rows[i].wrong;
        assert_int_equal(vkit_step(), rows[i].says != NULL);
        if (rows[i].says && !strstr(vkit.exec.error, rows[i].says))
            fail_msg("row %zu: %s", i, vkit.exec.error);
    }
    struct tensor words = plain; /* words: a box inside one is refused */
    words.type = 2;
    words.size = 4;
    words.dims[0] = 4;
    make_tensor(&words)->v[5][0] += 2;
    assert_int_equal(vkit_step(), 1);
    assert_string_equal(vkit.exec.error, "cp_dma_tensor: the box begins inside an element");
    for (uint32_t swizzle = 0; swizzle < 2; swizzle++) {
        struct ventus_warp *w = make_tensor(&plain);
        w->v[5][12] = swizzle;
        w->x[12] += 16;
        assert_int_equal(vkit_step(), (int)swizzle);
    }
    make_tensor(&plain);
    vkit.launch.threads = 14;
    assert_int_equal(vkit_step(), 1);
}

/* Four warps wait for one another, not for the next four; one that has ended is not waited for. */
static void copy_barriers(void **state)
{
    (void)state;
    const uint32_t code[] = {copy(5, 0, 0, 0), 0x0000400b, 0x0400400b, 0x0000400b};
    make(code, 4);
    vkit.launch.warps = 6;
    ventus_group_start(&vkit.exec, &vkit.group, 0, 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(vkit_step_warp(i), 0);
        assert_int_equal(vkit.warps[i].state, VENTUS_WAITS_COPIES);
    }
    assert_int_equal(vkit_step_warp(4), 0);
    assert_int_equal(vkit.warps[4].state, VENTUS_WAITS_COPIES);
    assert_int_equal(vkit_step_warp(3), 0);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(vkit.warps[i].state, VENTUS_RUNS);
    assert_int_equal(vkit.warps[4].state, VENTUS_WAITS_COPIES);
    vkit.warps[5].pc += 4; /* endprg */
    assert_int_equal(vkit_step_warp(5), 0);
    assert_int_equal(vkit.warps[4].state, VENTUS_RUNS);
    /* Both kinds of barrier at a time: nobody can go on. */
    make(code, 4);
    assert_int_equal(vkit_step_warp(0), 0);
    vkit.warps[1].pc += 8;
    assert_int_equal(vkit_step_warp(1), 1);
    assert_non_null(strstr(vkit.exec.error, "no warp of the workgroup can continue"));
    /* In a branch. */
    make(code, 4)->depth = 1;
    assert_int_equal(vkit_step(), 1);
    assert_string_equal(vkit.exec.error,
                        "cp_dma_mbarrier in a branch that not all threads of the warp take");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spaces),
        cmocka_unit_test(prefixed),
        cmocka_unit_test(prefix_of_scalars),
        cmocka_unit_test(prefix_without_access),
        cmocka_unit_test(copies_of_lanes),
        cmocka_unit_test(bulk),
        cmocka_unit_test(tensors),
        cmocka_unit_test(tensors_refused),
        cmocka_unit_test(copy_barriers),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
