/* The cache against one that keeps each set as a list in order of use and looks at every cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/often.h"
#include "timing/cache.h"

static struct dice dice = {1};

static uint64_t pick(uint64_t limit)
{
    return dice_below(&dice, limit);
}

/* --- the next level --------------------------------------------------------------------------- */

enum { ACCESSES = 500, REQUESTS = 4 };

struct level {
    struct cache_access requests[REQUESTS];
    unsigned count;
    uint64_t spread;
};

static uint64_t answer_of(uint64_t spread, uint64_t address, uint64_t cycle)
{
    return cycle + (address / 16 * 31 + cycle * 7) % spread;
}

static uint64_t serve(void *context, const struct cache_access *access)
{
    struct level *level = context;
    assert_true(level->count < REQUESTS);
    level->requests[level->count++] = *access;
    return answer_of(level->spread, access->address, access->cycle);
}

/* --- the oracle ------------------------------------------------------------------------------- */

enum { SETS = 4, WAYS = 4 };

struct kept {
    uint64_t address, filled_at, by;
    bool dirty;
};

struct fetch {
    uint64_t ends, by;
};

/* The sets, each with the line used last in front. */
static struct kept lists[SETS][WAYS];
static unsigned lengths[SETS];
static struct fetch fetches[ACCESSES]; /* all that there ever were */
static unsigned fetch_count;

/* Whether a line can be fetched in this cycle. */
static bool can_fetch(const struct cache_config *config, unsigned set, uint64_t cycle)
{
    unsigned outstanding = 0, waiting = 0;
    for (unsigned i = 0; i < fetch_count; i++)
        outstanding += fetches[i].ends > cycle;
    for (unsigned i = 0; i < lengths[set]; i++)
        waiting += lists[set][i].filled_at > cycle;
    return outstanding < config->mshrs && waiting < config->ways;
}

/* Of the fetches that end in this cycle, of the set alone when all of that is waited for. */
static uint64_t who_ends(const struct cache_config *config, unsigned set, uint64_t cycle)
{
    unsigned waiting = 0;
    uint64_t by = UINT64_MAX;
    for (unsigned i = 0; i < lengths[set]; i++)
        waiting += lists[set][i].filled_at >= cycle;
    if (waiting == config->ways) {
        for (unsigned i = 0; i < lengths[set]; i++)
            if (lists[set][i].filled_at == cycle && lists[set][i].by < by)
                by = lists[set][i].by;
        return by;
    }
    for (unsigned i = 0; i < fetch_count; i++)
        if (fetches[i].ends == cycle && fetches[i].by < by)
            by = fetches[i].by;
    return by;
}

static void remove_at(unsigned set, unsigned i)
{
    memmove(&lists[set][i], &lists[set][i + 1], (--lengths[set] - i) * sizeof lists[set][0]);
}

static void put_in_front(unsigned set, struct kept line)
{
    memmove(&lists[set][1], &lists[set][0], lengths[set]++ * sizeof lists[set][0]);
    lists[set][0] = line;
}

static void expect_request(struct level *level, const struct cache_access *access,
                           const struct cache_config *config, uint64_t address, bool write)
{
    level->requests[level->count++] =
        (struct cache_access){address, write, access->cycle + config->hit_latency, access->by};
}

/* What happens in access->cycle. */
static struct cache_answer expect(const struct cache_config *config, struct level *level,
                                  const struct cache_access *access)
{
    const uint64_t address = access->address - access->address % config->line;
    const unsigned set = (unsigned)(address / config->line % config->sets);
    const uint64_t hit = access->cycle + config->hit_latency;
    struct cache_answer answer = {
        .kind = CACHE_MISS, .ready = hit, .cause = {.number = UINT64_MAX}};
    level->count = 0;
    for (unsigned i = 0; i < lengths[set]; i++) {
        if (lists[set][i].address != address)
            continue;
        struct kept line = lists[set][i];
        answer.kind = CACHE_HIT;
        if (line.filled_at > access->cycle) {
            answer.kind = CACHE_MERGED;
            answer.cause.number = line.by;
            while (answer.ready < line.filled_at)
                answer.ready++;
        }
        if (access->write && config->write_back)
            line.dirty = true;
        else if (access->write)
            expect_request(level, access, config, address, true);
        remove_at(set, i);
        put_in_front(set, line);
        return answer;
    }
    if (access->write && !config->write_allocate) {
        expect_request(level, access, config, address, true);
        return answer;
    }
    if (!can_fetch(config, set, access->cycle)) {
        answer.kind = CACHE_BLOCKED;
        answer.ready = access->cycle;
        while (!can_fetch(config, set, answer.ready))
            answer.ready++;
        answer.cause.number = who_ends(config, set, answer.ready);
        return answer;
    }
    expect_request(level, access, config, address, false);
    answer.ready = answer_of(level->spread, address, hit);
    if (lengths[set] == config->ways) {
        unsigned last = lengths[set] - 1;
        while (lists[set][last].filled_at > access->cycle)
            last--;
        if (lists[set][last].dirty) {
            answer.writeback = true;
            answer.victim = lists[set][last].address;
            expect_request(level, access, config, answer.victim, true);
        }
        remove_at(set, last);
    }
    if (access->write && !config->write_back)
        expect_request(level, access, config, address, true);
    put_in_front(set, (struct kept){address, answer.ready, access->by.number,
                                    access->write && config->write_back});
    fetches[fetch_count++] = (struct fetch){answer.ready, access->by.number};
    return answer;
}

/* --- streams ---------------------------------------------------------------------------------- */

static void compare(const struct cache_answer *got, const struct cache_answer *expected)
{
    assert_int_equal(got->kind, expected->kind);
    assert_int_equal(got->ready, expected->ready);
    assert_int_equal(got->cause.number, expected->cause.number);
    assert_int_equal(got->writeback, expected->writeback);
    if (expected->writeback)
        assert_int_equal(got->victim, expected->victim);
}

static void random_stream(unsigned kinds[4])
{
    struct level below = {.spread = 1 + pick(60)}, expected_below = {.spread = below.spread};
    const struct cache_config config = {.sets = 1 + pick(SETS),
                                        .ways = 1 + pick(WAYS),
                                        .line = 16 * (1 + pick(3)),
                                        .mshrs = 1 + pick(6),
                                        .hit_latency = pick(5),
                                        .write_back = pick(2),
                                        .write_allocate = pick(2),
                                        .next = serve,
                                        .context = &below};
    const uint64_t reach = config.line * (1 + pick(40)), pace = 1 + pick(8);
    struct cache cache;
    uint64_t now = pick(10);
    assert_int_equal(cache_init(&cache, &config), 0);
    memset(lengths, 0, sizeof lengths);
    fetch_count = 0;
    for (unsigned i = 0; i < ACCESSES; i++) {
        now += pick(pace);
        if (!pick(30))
            now += pick(200);
        const struct cache_access access = {
            .address = pick(reach), .write = !pick(3), .cycle = now, .by = {.number = i}};
        const struct cache_answer expected = expect(&config, &expected_below, &access);
        below.count = 0;
        const struct cache_answer got = cache_serve(&cache, &access);
        compare(&got, &expected);
        assert_int_equal(below.count, expected_below.count);
        for (unsigned r = 0; r < below.count; r++) {
            assert_int_equal(below.requests[r].address, expected_below.requests[r].address);
            assert_int_equal(below.requests[r].write, expected_below.requests[r].write);
            assert_int_equal(below.requests[r].cycle, expected_below.requests[r].cycle);
            assert_int_equal(below.requests[r].by.number, i);
        }
        kinds[got.kind]++;
        if (got.kind == CACHE_BLOCKED && pick(4))
            now = got.ready;
    }
    cache_free(&cache);
}

static void random_streams(void **unused)
{
    (void)unused;
    unsigned kinds[4] = {0};
    for (size_t round = 0; round < often_rare(2000); round++)
        random_stream(kinds);
    for (unsigned k = 0; k < 4; k++)
        assert_true(kinds[k] > 10000);
}

/* --- both edges of each rule ------------------------------------------------------------------ */

/* One set of two ways; a line is filled 3 + 10 cycles after the miss. */
static const struct cache_config plain = {.sets = 1,
                                          .ways = 2,
                                          .line = 64,
                                          .mshrs = 2,
                                          .hit_latency = 3,
                                          .write_back = true,
                                          .write_allocate = true,
                                          .next_latency = 10};

static uint64_t serve_one(struct cache *cache, uint64_t address, bool write, uint64_t cycle,
                          enum cache_kind kind)
{
    const struct cache_access access = {address, write, cycle, {.number = address / 64}};
    const struct cache_answer answer = cache_serve(cache, &access);
    assert_int_equal(answer.kind, kind);
    return answer.ready;
}

/* Fetched in cycle 5, filled in cycle 18. */
static void hits_and_merged(void **unused)
{
    (void)unused;
    struct cache cache;
    assert_int_equal(cache_init(&cache, &plain), 0);
    assert_int_equal(serve_one(&cache, 0, false, 5, CACHE_MISS), 18);
    assert_int_equal(serve_one(&cache, 63, false, 6, CACHE_MERGED), 18);
    assert_int_equal(serve_one(&cache, 8, false, 15, CACHE_MERGED), 18);
    assert_int_equal(serve_one(&cache, 8, false, 16, CACHE_MERGED), 19);
    assert_int_equal(serve_one(&cache, 8, false, 17, CACHE_MERGED), 20);
    assert_int_equal(serve_one(&cache, 8, false, 18, CACHE_HIT), 21);
    assert_int_equal(serve_one(&cache, 64, false, 18, CACHE_MISS), 31);
    cache_free(&cache);
}

/* Both lines of the set are on their way until 18 and 20, or one MSHR is taken until 18. */
static void blocked_until_one_is_filled(void **unused)
{
    (void)unused;
    struct cache cache;
    assert_int_equal(cache_init(&cache, &plain), 0);
    serve_one(&cache, 0, false, 5, CACHE_MISS);
    serve_one(&cache, 64, false, 7, CACHE_MISS);
    assert_int_equal(serve_one(&cache, 128, false, 7, CACHE_BLOCKED), 18);
    assert_int_equal(serve_one(&cache, 128, false, 17, CACHE_BLOCKED), 18);
    assert_int_equal(serve_one(&cache, 64, false, 17, CACHE_MERGED), 20);
    assert_int_equal(serve_one(&cache, 128, false, 18, CACHE_MISS), 31);
    assert_int_equal(serve_one(&cache, 0, false, 19, CACHE_BLOCKED), 20); /* it was replaced */
    cache_free(&cache);
    struct cache_config one = plain;
    one.mshrs = 1;
    assert_int_equal(cache_init(&cache, &one), 0);
    serve_one(&cache, 0, false, 5, CACHE_MISS);
    assert_int_equal(serve_one(&cache, 64, false, 17, CACHE_BLOCKED), 18);
    assert_int_equal(serve_one(&cache, 64, false, 18, CACHE_MISS), 31);
    cache_free(&cache);
}

/* Two accesses for a line on its way until 18, its miss included; any number once it is there, and
 * two again for the next fetch of it. */
static void accesses_of_a_line(void **unused)
{
    (void)unused;
    struct cache cache;
    struct cache_config two = plain;
    two.targets = 2;
    assert_int_equal(cache_init(&cache, &two), 0);
    assert_int_equal(serve_one(&cache, 0, false, 5, CACHE_MISS), 18);
    assert_int_equal(serve_one(&cache, 8, false, 6, CACHE_MERGED), 18);
    assert_int_equal(serve_one(&cache, 16, false, 7, CACHE_BLOCKED), 18);
    assert_int_equal(serve_one(&cache, 16, true, 17, CACHE_BLOCKED), 18);
    assert_int_equal(serve_one(&cache, 64, false, 17, CACHE_MISS), 30);
    assert_int_equal(serve_one(&cache, 16, false, 18, CACHE_HIT), 21);
    assert_int_equal(serve_one(&cache, 16, false, 18, CACHE_HIT), 21);
    cache_free(&cache);
    two.targets = 1;
    assert_int_equal(cache_init(&cache, &two), 0);
    assert_int_equal(serve_one(&cache, 0, false, 5, CACHE_MISS), 18);
    assert_int_equal(serve_one(&cache, 0, false, 6, CACHE_BLOCKED), 18);
    cache_free(&cache);
}

/* Writes that go through reach the next level 3 cycles later and are served 10 after that: two of
 * cycles 5 and 7 until 18 and 20. Reads do not wait for them. */
static void writes_on_their_way(void **unused)
{
    (void)unused;
    struct cache cache;
    struct cache_config through = plain;
    through.write_back = through.write_allocate = false;
    through.writes = 2;
    assert_int_equal(cache_init(&cache, &through), 0);
    assert_int_equal(serve_one(&cache, 0, true, 5, CACHE_MISS), 8);
    assert_int_equal(serve_one(&cache, 64, true, 7, CACHE_MISS), 10);
    assert_int_equal(serve_one(&cache, 128, true, 7, CACHE_BLOCKED), 18);
    assert_int_equal(serve_one(&cache, 128, false, 8, CACHE_MISS), 21);
    assert_int_equal(serve_one(&cache, 128, true, 17, CACHE_BLOCKED), 18);
    assert_int_equal(serve_one(&cache, 128, true, 18, CACHE_MERGED), 21);
    assert_int_equal(serve_one(&cache, 0, true, 19, CACHE_BLOCKED), 20);
    assert_int_equal(serve_one(&cache, 0, true, 20, CACHE_MISS), 23);
    cache_free(&cache);
}

/* The line used longest ago goes, be it by one access; dirty ones go to the next level. */
static void the_oldest_is_replaced(void **unused)
{
    (void)unused;
    for (unsigned first = 0; first < 2; first++) {
        struct cache cache;
        assert_int_equal(cache_init(&cache, &plain), 0);
        serve_one(&cache, 0, true, 0, CACHE_MISS);
        serve_one(&cache, 64, false, 0, CACHE_MISS);
        if (first)
            serve_one(&cache, 0, false, 50, CACHE_HIT);
        const struct cache_access access = {.address = 130, .cycle = 50};
        const struct cache_answer answer = cache_serve(&cache, &access);
        assert_int_equal(answer.kind, CACHE_MISS);
        assert_int_equal(answer.writeback, !first);
        assert_int_equal(answer.victim, first ? 64 : 0);
        assert_int_equal(serve_one(&cache, first ? 0 : 64, false, 50, CACHE_HIT), 53);
        cache_free(&cache);
    }
}

/* Dirty lines leave in the cycle of the flush, and are served 10 later. */
static void flushed_lines_go(void **unused)
{
    (void)unused;
    struct cache cache;
    assert_int_equal(cache_init(&cache, &plain), 0);
    serve_one(&cache, 0, true, 0, CACHE_MISS);
    serve_one(&cache, 64, false, 0, CACHE_MISS);
    struct cache_access access = {.address = 70, .cycle = 50};
    assert_int_equal(cache_flush(&cache, &access, true, true), 50); /* clean */
    assert_int_equal(serve_one(&cache, 0, false, 50, CACHE_HIT), 53);
    assert_int_equal(serve_one(&cache, 64, false, 50, CACHE_MISS), 63);
    access.cycle = 70;
    assert_int_equal(cache_flush(&cache, &access, false, false), 80);
    assert_int_equal(cache_flush(&cache, &access, false, false), 70); /* it is clean now */
    assert_int_equal(serve_one(&cache, 0, true, 71, CACHE_HIT), 74);
    access.cycle = 90;
    assert_int_equal(cache_flush(&cache, &access, false, true), 100);
    assert_int_equal(serve_one(&cache, 0, false, 90, CACHE_MISS), 103);
    assert_int_equal(serve_one(&cache, 64, false, 90, CACHE_MISS), 103);
    cache_free(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flushed_lines_go),       cmocka_unit_test(random_streams),
        cmocka_unit_test(hits_and_merged),        cmocka_unit_test(blocked_until_one_is_filled),
        cmocka_unit_test(accesses_of_a_line),     cmocka_unit_test(writes_on_their_way),
        cmocka_unit_test(the_oldest_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
