/* Packed intervals: what goes in comes out, repetitions cost next to nothing, and no bytes make the
 * reader crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "timing/sink.h"
#include "traces/chunk.h"

static struct slice_item items[CHUNK_ITEMS], back[CHUNK_ITEMS];
static uint8_t data[CHUNK_BYTES];
static uint64_t seed = 1;

static uint64_t random64(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static size_t round_trip(size_t count)
{
    const size_t size = chunk_encode(items, count, data);
    assert_true(size <= CHUNK_BYTES);
    size_t n = 0;
    assert_int_equal(chunk_decode(data, size, back, &n), 0);
    assert_int_equal(n, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(items[i].start == back[i].start && items[i].duration == back[i].duration &&
                    items[i].stmt == back[i].stmt && items[i].reason == back[i].reason);
    }
    return size;
}

/* Steps with patterns of any number, close to each other, and holds between. */
static void steps_and_holds(void **state)
{
    (void)state;
    for (int turn = 0; turn < 1000; turn++) {
        const size_t count = 1 + random64() % (turn % 10 ? 300 : CHUNK_ITEMS);
        const uint64_t patterns = 1 + random64() % (turn % 3 ? 3 : 1 << 20);
        uint64_t at = random64() % 1000;
        for (size_t i = 0; i < count; i++) {
            const bool hold = random64() % 5 == 0;
            items[i] = (struct slice_item){.start = at,
                                           .duration = hold ? 1 + random64() % 500
                                                            : random64() % patterns,
                                           .stmt = (uint32_t)(i + random64() % 2),
                                           .reason = hold ? REASON_TAG : REASON_BUSY};
            at += hold ? items[i].duration : random64() % 3 * 4;
        }
        const size_t size = chunk_encode_stream(items, count, data);
        assert_true(size <= CHUNK_BYTES);
        size_t n = 0;
        assert_int_equal(chunk_decode_stream(data, size, back, &n), 0);
        assert_int_equal(n, count);
        for (size_t i = 0; i < count; i++) {
            assert_true(items[i].start == back[i].start && items[i].duration == back[i].duration &&
                        items[i].stmt == back[i].stmt && items[i].reason == back[i].reason);
        }
    }
}

static void empty_and_single(void **state)
{
    (void)state;
    assert_int_equal(round_trip(0), 0);
    items[0] = (struct slice_item){
        .start = UINT64_C(1) << 50, .duration = 1, .stmt = NONE_ID, .reason = REASON_DRAINED};
    round_trip(1);
}

/* Loops, straight-line rhythms and noise, and mixtures of them. */
static void random_runs(void **state)
{
    (void)state;
    for (int turn = 0; turn < 3000; turn++) {
        const size_t count = 1 + random64() % (turn % 10 ? 300 : CHUNK_ITEMS);
        const size_t period = 1 + random64() % 40;
        uint64_t at = random64() % 1000000;
        for (size_t i = 0; i < count; i++) {
            const bool noise = random64() % 16 == 0;
            const struct slice_item *model = i >= period && !noise ? &items[i - period] : NULL;
            const uint64_t gap =
                model ? i > period ? model->start - model[-1].start - model[-1].duration : 0
                : random64() % 3 ? 0
                                 : random64() % 100;
            items[i].start = at + gap;
            items[i].duration = model ? model->duration : 1 + (random64() >> random64() % 60);
            items[i].duration &= (UINT64_C(1) << 40) - 1;
            items[i].duration += items[i].duration == 0;
            items[i].stmt =
                model ? model->stmt + (uint32_t)(turn % 2 ? period : 0) : (uint32_t)random64();
            items[i].reason = model ? model->reason : (uint32_t)(random64() % REASON_COUNT);
            at = items[i].start + items[i].duration;
        }
        round_trip(count);
    }
}

/* Exact repetitions: a loop of any small period, 4096 intervals, below 200 bytes. */
static void repetitions_are_small(void **state)
{
    (void)state;
    for (size_t period = 1; period <= 24; period++) {
        uint64_t at = 77;
        for (size_t i = 0; i < CHUNK_ITEMS; i++) {
            const size_t k = i % period;
            items[i] = (struct slice_item){.start = at + k % 3,
                                           .duration = 4 + k,
                                           .stmt = (uint32_t)(1000 + i),
                                           .reason = (uint32_t)(k % 5)};
            at = items[i].start + items[i].duration;
        }
        assert_true(round_trip(CHUNK_ITEMS) < 200);
    }
}

/* Without any repetition the design's five bytes an interval hold. */
static void noise_is_five_bytes(void **state)
{
    (void)state;
    uint64_t at = 0;
    for (size_t i = 0; i < CHUNK_ITEMS; i++) {
        items[i] = (struct slice_item){.start = at + random64() % 4,
                                       .duration = 1 + random64() % 100,
                                       .stmt = (uint32_t)(500 + random64() % 40),
                                       .reason = (uint32_t)(random64() % 5)};
        at = items[i].start + items[i].duration;
    }
    assert_true(round_trip(CHUNK_ITEMS) <= 5 * CHUNK_ITEMS);
}

static void hostile_bytes(void **state)
{
    (void)state;
    size_t n;
    for (int turn = 0; turn < 20000; turn++) {
        /* In memory of its own size, so that a sanitizer sees one byte too many. */
        const size_t size = random64() % 64;
        uint8_t *bytes = malloc(size + !size);
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)(random64() % 3 ? random64() % 8 : random64());
        }
        if (chunk_decode(bytes, size, back, &n) == 0) {
            assert_true(n <= CHUNK_ITEMS);
        }
        free(bytes);
    }
    /* A repetition of nothing, of the far past, and of far too many. */
    assert_int_equal(chunk_decode((const uint8_t[]){3, 5}, 2, back, &n), -1);
    assert_int_equal(chunk_decode((const uint8_t[]){0, 1, 0, 5, 9}, 5, back, &n), -1);
    assert_int_equal(chunk_decode((const uint8_t[]){0, 1, 0, 1, 9}, 5, back, &n), -1);
    assert_int_equal(chunk_decode((const uint8_t[]){0, 1, 0, 3, 0xff, 0x7f}, 6, back, &n), -1);
    assert_int_equal(chunk_decode((const uint8_t[]){0, 1, 0, 3, 0xff, 0x1f}, 6, back, &n), 0);
    assert_int_equal(n, CHUNK_ITEMS);
    assert_int_equal(chunk_decode((const uint8_t[]){0x80, 0x80}, 2, back, &n), -1);
    assert_int_equal(chunk_decode((const uint8_t[]){REASON_COUNT << 1, 1, 0}, 3, back, &n), -1);
    /* An end at cycle 2^62 is the last; one more, in one interval or two, is refused. */
    const uint8_t last[] = {0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 0, 3, 1};
    assert_int_equal(chunk_decode(last, 11, back, &n), 0);
    assert_true(back[0].duration == UINT64_C(1) << 62);
    assert_int_equal(chunk_decode(last, sizeof last, back, &n), -1);
    assert_int_equal(chunk_decode((const uint8_t[]){0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                    0xff, 0x40, 0},
                                  11, back, &n),
                     -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_and_single),      cmocka_unit_test(random_runs),
        cmocka_unit_test(repetitions_are_small), cmocka_unit_test(noise_is_five_bytes),
        cmocka_unit_test(hostile_bytes),         cmocka_unit_test(steps_and_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
