/* Tables that grow: what they held stays, what is new is zero, on both sides of the mapped size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/big_memory.h"
#include "host/failure.h"
#include "host/grow.h"

/* The room of a text, which ends at some place. */
static size_t most_room = SIZE_MAX;

static void *grow_to_most(void *items, size_t *capacity, size_t needed, size_t size)
{
    return needed > most_room ? NULL : grow(items, capacity, needed, size);
}

#define grow       grow_to_most
#define text_open  tried_open
#define text_close tried_close
#include "host/text.c"
#undef grow

static const size_t sizes[] = {
    1, 64, 4096, (2u << 20) - 8, 2u << 20, 5u << 20, (5u << 20) + 24, 40u << 20};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static unsigned char mark(size_t at)
{
    return (unsigned char)(at * 37 / 7 + 1);
}

static void expect_zero(const unsigned char *memory, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (memory[i] != 0)
            fail_msg("byte %zu is %u", i, memory[i]);
}

static void grown_in_steps(void **unused)
{
    (void)unused;
    unsigned char *memory = NULL;
    size_t size = 0;
    for (unsigned s = 0; s < SIZES; s++) {
        memory = big_memory_grow(memory, size, sizes[s]);
        assert_non_null(memory);
        for (size_t i = 0; i < size; i++)
            if (memory[i] != mark(i))
                fail_msg("byte %zu is lost", i);
        expect_zero(memory, size, sizes[s]);
        size = sizes[s];
        for (size_t i = 0; i < size; i++)
            memory[i] = mark(i);
    }
    big_memory_free(memory, size);
}

static void grown_at_once(void **unused)
{
    (void)unused;
    for (unsigned a = 0; a < SIZES; a++) {
        unsigned char *memory = a % 2 ? big_memory_new(sizes[a]) : big_memory_touched(sizes[a]);
        assert_non_null(memory);
        expect_zero(memory, 0, sizes[a]);
        memory[0] = memory[sizes[a] - 1] = 1;
        memory = big_memory_grow(memory, sizes[a], sizes[SIZES - 1] + 1);
        assert_non_null(memory);
        assert_int_equal(memory[0], 1);
        assert_int_equal(memory[sizes[a] - 1], 1);
        expect_zero(memory, sizes[a], sizes[SIZES - 1] + 1);
        big_memory_free(memory, sizes[SIZES - 1] + 1);
    }
    big_memory_free(NULL, 0);
}

/* More than there is: what was there stays. */
static void too_much(void **unused)
{
    (void)unused;
    assert_null(big_memory_new(SIZE_MAX / 2));
    assert_null(big_memory_touched(SIZE_MAX / 2));
    for (unsigned s = 0; s < SIZES; s++) {
        unsigned char *memory = big_memory_new(sizes[s]);
        assert_non_null(memory);
        memory[sizes[s] - 1] = 7;
        assert_null(big_memory_grow(memory, sizes[s], SIZE_MAX / 2));
        assert_int_equal(memory[sizes[s] - 1], 7);
        big_memory_free(memory, sizes[s]);
    }
}

/* Items are added one by one, then a size that no memory has: what was there stays. */
static void arrays(void **unused)
{
    (void)unused;
    struct {
        uint32_t a, b, c;
    } *items = NULL, *big = NULL, *grown;
    size_t capacity = 0, big_capacity = 0, moves = 0;
    enum { ITEMS = 300000 };
    for (uint32_t i = 0; i < ITEMS; i++) {
        const size_t before = capacity;
        grown = grow(items, &capacity, i + 1, sizeof *items);
        assert_true(grown && capacity > i);
        items = grown;
        items[i].b = i;
        moves += capacity != before;
        const size_t big_before = big_capacity;
        grown = grow_big(big, &big_capacity, i + 1, sizeof *big);
        assert_true(grown && big_capacity > i);
        big = grown;
        expect_zero((unsigned char *)big, big_before * sizeof *big, big_capacity * sizeof *big);
        big[i].b = i;
    }
    assert_true(moves < 20); /* doubling: 16 * 2^15 is more */
    for (uint32_t i = 0; i < ITEMS; i++)
        assert_true(items[i].b == i && big[i].b == i);
    static const size_t too_many[] = {SIZE_MAX, SIZE_MAX / 12, SIZE_MAX / 24 + 1, SIZE_MAX / 25};
    for (size_t k = 0; k < sizeof too_many / sizeof *too_many; k++) {
        const size_t kept = capacity, big_kept = big_capacity;
        assert_null(grow(items, &capacity, too_many[k], sizeof *items));
        assert_null(grow_big(big, &big_capacity, too_many[k], sizeof *big));
        assert_true(capacity == kept && big_capacity == big_kept);
        assert_true(items[ITEMS - 1].b == ITEMS - 1 && big[ITEMS - 1].b == ITEMS - 1);
    }
    free(items);
    big_memory_free(big, big_capacity * sizeof *big);
    /* Needed at once: no less than that. */
    capacity = 0;
    items = grow(NULL, &capacity, 1000, sizeof *items);
    assert_true(items && capacity >= 1000);
    assert_ptr_equal(grow(items, &capacity, 1000, sizeof *items), items);
    free(items);
}

/* A text is all that was printed, or none. */
static void texts(void **unused)
{
    (void)unused;
    enum { LINES = 3000, BYTES = 6 };
    for (size_t room = 1; room < 4 * LINES * BYTES; room = 3 * room + 1) {
        char *text;
        size_t size;
        const unsigned long before = failure_count_host();
        most_room = room;
        FILE *out = text_open(&text, &size);
        assert_non_null(out);
        for (unsigned i = 0; i < LINES; i++)
            fprintf(out, "%5u\n", i);
        const bool fits = room > LINES * BYTES;
        assert_int_equal(text_close(out, &text), fits ? 0 : -1);
        assert_int_equal(failure_count_host() > before, !fits);
        assert_int_equal(text != NULL, fits);
        if (fits) {
            assert_true(size == LINES * BYTES && strlen(text) == size);
            assert_int_equal(strtol(text + size - BYTES, NULL, 10), LINES - 1);
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grown_in_steps), cmocka_unit_test(grown_at_once),
        cmocka_unit_test(too_much),       cmocka_unit_test(arrays),
        cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
