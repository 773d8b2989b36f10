#include "analysis/proven.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "analysis/json_build.h"
#include "analysis/utf8_json.h"
#include "host/number.h"

/* --- JSON ------------------------------------------------------------------------------------- */

static const struct stmt_info *stmt_of(const struct store *store, const json_t *stmt)
{
    return json_is_integer(stmt) && json_integer_value(stmt) >= 0
               ? store_stmt(store, (uint32_t)json_integer_value(stmt))
               : NULL;
}

/* File and line of a statement into an object, under these names. */
static void put_place(const struct store *store, json_t **object, const json_t *stmt,
                      const char *line)
{
    const struct stmt_info *info = stmt_of(store, stmt);
    const char *file = info ? store_file(store, info->file) : NULL;
    if (!info)
        return;
    build_field(object, "file", utf8_json(file ? file : ""));
    build_field(object, line, json_integer(info->line));
}

/* Pairs of statement numbers as objects with lines. */
static json_t *resolve(const struct store *store, const json_t *pairs, bool path)
{
    json_t *list = json_array();
    size_t i;
    json_t *pair;
    json_array_foreach(pairs, i, pair)
    {
        json_t *object = json_object();
        put_place(store, &object, json_array_get(pair, 0), "line");
        if (path)
            build_field(&object, "lag", json_incref(json_array_get(pair, 1)));
        else
            put_place(store, &object, json_array_get(pair, 1), "last_line");
        build_row(&list, object);
    }
    return list;
}

/* Statement numbers of raises as places. */
static json_t *resolve_raises(const struct store *store, const json_t *raises)
{
    json_t *list = json_array();
    size_t i;
    json_t *raise;
    json_array_foreach(raises, i, raise)
    {
        json_t *row = json_incref(raise);
        put_place(store, &row, json_object_get(raise, "stmt"), "line");
        json_object_del(raise, "stmt");
        build_field(&row, "statements",
                    resolve(store, json_object_get(raise, "statements"), false));
        build_row(&list, row);
    }
    return list;
}

static json_t *certificate(const struct store *store, const char *text)
{
    static const char *const lists[] = {"statements", "path"};
    json_t *raw = json_loads(text, 0, NULL);
    for (unsigned path = 0; path < 2; path++) {
        const json_t *pairs = json_object_get(raw, lists[path]);
        if (pairs)
            build_field(&raw, lists[path], resolve(store, pairs, path == 1));
    }
    const json_t *raises = json_object_get(raw, "raises");
    if (raises)
        build_field(&raw, "raises", resolve_raises(store, raises));
    return raw;
}

json_t *proven_json(const struct store *store)
{
    json_t *list = json_array();
    for (size_t i = 0; i < store->bound_count; i++) {
        const struct store_bound *bound = &store->bounds[i];
        build_row(&list, json_pack("{s:s, s:s, s:s?, s:I, s:o}", "class", bound->class, "kind",
                                   bound->kind, "unit", bound->resource, "cycles",
                                   (json_int_t)bound->cycles, "certificate",
                                   certificate(store, bound->certificate)));
    }
    return list;
}

const struct store_bound *proven_best(const struct store *store, const char *class)
{
    const struct store_bound *best = NULL;
    for (size_t i = 0; store->complete && i < store->bound_count; i++)
        if (strcmp(store->bounds[i].class, class) == 0 &&
            (!best || store->bounds[i].cycles > best->cycles))
            best = &store->bounds[i];
    return best;
}

json_t *proven_gap_json(const struct store *store)
{
    const struct store_bound *any = proven_best(store, "any-order");
    return any ? json_pack("{s:s, s:I}", "class", any->class, "cycles",
                           (json_int_t)(store->summary.cycles - any->cycles))
               : json_null();
}

/* --- phrases ---------------------------------------------------------------------------------- */

enum { LINES_SHOWN = 4 };

/* " 4 > 9 > 12": the lines of a path, if they are few. */
static int path_lines(const struct store *store, const char *text, char *lines, size_t size)
{
    json_t *raw = json_loads(text, 0, NULL);
    size_t i, count = 0, used = 0;
    uint32_t before = 0;
    json_t *pair;
    lines[0] = '\0';
    json_array_foreach(json_object_get(raw, "path"), i, pair)
    {
        const struct stmt_info *stmt = stmt_of(store, json_array_get(pair, 0));
        if (!stmt || stmt->line == before)
            continue;
        before = stmt->line;
        if (count++ == LINES_SHOWN) {
            lines[0] = '\0';
            break;
        }
        const int n =
            snprintf(lines + used, size - used, "%s%u", used ? " > " : " ", (unsigned)before);
        used += n > 0 && (size_t)n < size - used ? (size_t)n : 0;
    }
    json_decref(raw);
    return raw ? 0 : -1;
}

/* The longest part of a certificate: "head", "work" or "tail". */
static const char *longest_part(const json_t *raw)
{
    static const char *const parts[] = {"work", "head", "tail"};
    const char *best = parts[0];
    for (int i = 1; i < 3; i++)
        if (json_integer_value(json_object_get(raw, parts[i])) >
            json_integer_value(json_object_get(raw, best)))
            best = parts[i];
    return best;
}

static bool has_stmt(const json_t *raw, json_int_t stmt)
{
    size_t i;
    json_t *pair;
    json_array_foreach(json_object_get(raw, "statements"), i,
                       pair) if (json_integer_value(json_array_get(pair, 0)) <= stmt &&
                                 stmt <= json_integer_value(json_array_get(pair, 1))) return true;
    return false;
}

/* The unit that does most of a bound: that of its work, or the one that raised its head or tail
 * most, if that part is longer. */
static int main_unit(const struct store_bound *bound, char *name, size_t size)
{
    json_t *raw = json_loads(bound->certificate, 0, NULL);
    const char *part = longest_part(raw), *unit = bound->resource;
    json_int_t most = 0;
    size_t i;
    json_t *raise;
    json_array_foreach(json_object_get(raw, "raises"), i, raise)
    {
        const char *event = json_string_value(json_object_get(raise, "event"));
        const json_int_t cycles = json_integer_value(json_object_get(raise, "cycles"));
        if (event && strcmp(event, part) == 0 && cycles > most &&
            has_stmt(raw, json_integer_value(json_object_get(raise, "stmt")))) {
            most = cycles;
            unit = json_string_value(json_object_get(raise, "unit"));
        }
    }
    snprintf(name, size, "%.60s", unit ? unit : bound->resource);
    json_decref(raw);
    return raw ? 0 : -1;
}

/* "alu", or "the chain of lines 4 > 9": what gives the bound. */
static int why(const struct store *store, const struct store_bound *bound, char text[PROVEN_PHRASE])
{
    char lines[PROVEN_PHRASE - 19];
    if (strcmp(bound->kind, "search") == 0) {
        snprintf(text, PROVEN_PHRASE, "every order was searched");
        return 0;
    }
    if (bound->resource && *bound->resource)
        return main_unit(bound, text, PROVEN_PHRASE);
    const int status = path_lines(store, bound->certificate, lines, sizeof lines);
    snprintf(text, PROVEN_PHRASE, "%s%s", *lines ? "the chain of lines" : "the longest chain",
             lines);
    return status;
}

/* "any order 1,204 (mau)" */
static int say(const struct store *store, const char *class, const char *words,
               char phrase[PROVEN_PHRASE])
{
    char cycles[NUMBER_TEXT], reason[PROVEN_PHRASE];
    const struct store_bound *bound = proven_best(store, class);
    if (!bound)
        return 0;
    const int status = why(store, bound, reason);
    snprintf(phrase, PROVEN_PHRASE, "%s %s (%.100s)", words,
             number_group(cycles, (int64_t)bound->cycles), reason);
    return status;
}

int proven_find(const struct store *store, struct proven *proven)
{
    char number[NUMBER_TEXT], reason[PROVEN_PHRASE];
    const struct store_bound *order = proven_best(store, "this-order"),
                             *any = proven_best(store, "any-order");
    *proven = (struct proven){.computed = any};
    if (order)
        snprintf(proven->this_order, PROVEN_PHRASE, "this order %s",
                 number_group(number, (int64_t)order->cycles));
    int status = 0;
    if (any) {
        const int64_t total = (int64_t)store->summary.cycles, gap = total - (int64_t)any->cycles;
        const double share = total > 0 ? 100.0 * ((double)gap / (double)total) : 0.0;
        status = why(store, any, reason);
        snprintf(proven->floor, PROVEN_PHRASE, "%s in any order of these statements",
                 number_group(number, (int64_t)any->cycles));
        if (gap)
            snprintf(proven->gap, PROVEN_PHRASE, "%s cycle%s (%.1f %%) to gain",
                     number_group(number, gap), gap == 1 ? "" : "s", share);
        else
            snprintf(proven->gap, PROVEN_PHRASE, "nothing to gain");
        snprintf(proven->limit, PROVEN_PHRASE, "limited by %.100s", reason);
    }
    if (say(store, "free-places", "free registers and addresses", proven->free_places) != 0 ||
        say(store, "any-order", "any order", proven->any_order) != 0)
        status = -1;
    return status;
}
