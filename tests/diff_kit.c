#include "tests/diff_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/takt_process.h"

const json_t *diff_get(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        fail_msg("no field %s", key);
    return value;
}

json_int_t diff_number(const json_t *object, const char *key)
{
    return json_integer_value(diff_get(object, key));
}

const char *diff_text(const json_t *object, const char *key)
{
    return json_string_value(diff_get(object, key));
}

/* Terms, and their sums by reason and by unit, add up to the difference of the cycles. */
static void adds_up(const json_t *answer)
{
    static const char *const lists[] = {"terms", "by_reason", "by_unit", "by_region"};
    const json_t *cycles = diff_get(answer, "cycles");
    const json_int_t difference = diff_number(answer, "difference");
    assert_int_equal(difference, json_integer_value(json_array_get(cycles, 1)) -
                                     json_integer_value(json_array_get(cycles, 0)));
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        json_int_t sum = 0;
        size_t i;
        const json_t *row;
        json_array_foreach(diff_get(answer, lists[l]), i, row)
        {
            assert_int_not_equal(diff_number(row, "cycles"), 0);
            sum += diff_number(row, "cycles");
        }
        assert_int_equal(sum, difference);
    }
}

/* NULL: a program is at fault. */
json_t *diff_run(const char *const *arguments)
{
    struct takt_result r = takt_run(arguments);
    json_t *answer = json_loads(r.out, 0, NULL);
    if (!answer || (r.exit_code != 0 && r.exit_code != 1))
        fail_msg("exit %d: %.300s %.300s", r.exit_code, r.out, r.err);
    if (r.exit_code == 0) {
        adds_up(answer);
    } else {
        json_decref(answer);
        answer = NULL;
    }
    takt_result_free(&r);
    return answer;
}

size_t diff_edits(const json_t *answer, const char *kind)
{
    return json_array_size(diff_get(diff_get(answer, "statements"), kind));
}

size_t diff_all_edits(const json_t *answer)
{
    return diff_edits(answer, "moved") + diff_edits(answer, "changed") +
           diff_edits(answer, "added") + diff_edits(answer, "removed");
}
