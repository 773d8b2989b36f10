/* chunk: what is packed comes out again; what is no chunk is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "timing/sink.h"
#include "traces/chunk.h"

static struct dice dice = {1};

/* Of 0 to 2^bits - 1, with the ends more often than by chance. */
static uint64_t extreme(unsigned bits)
{
    const uint64_t most = (UINT64_C(1) << bits) - 1;
    switch (dice_next(&dice) % 6) {
    case 0:
        return 0;
    case 1:
        return most;
    case 2:
        return dice_next(&dice) % 3;
    default:
        return dice_next(&dice) & most;
    }
}

static void comes_out_again(void **unused)
{
    (void)unused;
    static struct chunk_interval items[CHUNK_INTERVALS];
    struct chunk chunk = {0};
    for (unsigned round = 0; round < 200; round++) {
        const size_t count = round < 3 ? round : 1 + dice_next(&dice) % CHUNK_INTERVALS;
        const unsigned bits = 1 + (unsigned)(dice_next(&dice) % 40);
        uint64_t cycle = 0;
        for (size_t i = 0; i < count; i++) {
            items[i] = (struct chunk_interval){.start = cycle + extreme(bits),
                                               .duration = extreme(bits),
                                               .stmt = (uint32_t)extreme(32),
                                               .reason = (uint32_t)extreme(5)};
            cycle = items[i].start + items[i].duration;
            assert_int_equal(chunk_add(&chunk, &items[i]), 0);
        }
        assert_int_equal(chunk.count, count);
        assert_true(!count || (chunk.start == items[0].start && chunk.finish == cycle));
        struct chunk_reader reader = chunk_read(chunk.data, chunk.size);
        struct chunk_interval found;
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(chunk_next(&reader, &found), 1);
            assert_true(found.start == items[i].start && found.duration == items[i].duration &&
                        found.stmt == items[i].stmt && found.reason == items[i].reason);
        }
        assert_int_equal(chunk_next(&reader, &found), 0);
        chunk_clear(&chunk);
        assert_int_equal(chunk.size, 0);
    }
    chunk_free(&chunk);
}

/* The layout, by hand: 300 = 0b10'0101100; reason 3 after a gap of 2; statement 5, then none. */
static void layout(void **unused)
{
    (void)unused;
    static const uint8_t expected[] = {2 << 5 | 3, 0xac, 0x02, 10, 0, 1, 11};
    struct chunk chunk = {0};
    assert_int_equal(chunk_add(&chunk, &(struct chunk_interval){2, 300, 5, 3}), 0);
    assert_int_equal(chunk_add(&chunk, &(struct chunk_interval){302, 1, NONE_ID, 0}), 0);
    assert_int_equal(chunk.size, sizeof expected);
    assert_memory_equal(chunk.data, expected, sizeof expected);
    chunk_free(&chunk);
}

/* Every cut, and random bytes: intervals end by 2^62, and there are at most bytes / 3 of them. */
static void refuses(void **unused)
{
    (void)unused;
    struct chunk_interval found;
    static const uint8_t bad[][12] = {
        {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1}, /* no end */
        {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0},       /* 2^64 - 1 cycles */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct chunk_reader reader = chunk_read(bad[i], sizeof bad[i]);
        assert_int_equal(chunk_next(&reader, &found), -1);
    }
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t data[40];
        const size_t size = dice_next(&dice) % sizeof data;
        for (size_t i = 0; i < size; i++)
            data[i] = (uint8_t)(dice_next(&dice) % 3 ? dice_next(&dice) % 128 : dice_next(&dice));
        uint8_t *exact = malloc(size + 1); /* so that a sanitizer sees a byte too many */
        assert_non_null(exact);
        memcpy(exact, data, size);
        exact = realloc(exact, size ? size : 1);
        struct chunk_reader reader = chunk_read(exact, size);
        size_t count = 0;
        int status;
        while ((status = chunk_next(&reader, &found)) > 0) {
            assert_true(found.start + found.duration <= UINT64_C(1) << 62);
            assert_true(found.reason < REASON_MAX);
            count++;
        }
        assert_true(count <= size / 3);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(comes_out_again), cmocka_unit_test(layout),
                                       cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
