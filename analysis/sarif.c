#include "analysis/sarif.h"

#include <string.h>

#include "analysis/utf8_json.h"
#include "version.h"

void sarif_open(struct sarif *sarif)
{
    *sarif = (struct sarif){.rules = json_array(), .results = json_array()};
}

static void keep(struct sarif *sarif, json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) != 0)
        sarif->status = -1;
}

static void set(struct sarif *sarif, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        sarif->status = -1;
}

/* The index of a rule, which is added where it is new. */
static size_t rule_of(struct sarif *sarif, const char *name)
{
    size_t count = json_array_size(sarif->rules);
    for (size_t i = 0; i < count; i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(sarif->rules, i), "id")),
                   name) == 0)
            return i;
    keep(sarif, sarif->rules, json_pack("{s:s}", "id", name));
    return count;
}

/* --- places ----------------------------------------------------------------------------------- */

/* Percent-encoded: a URI reference relative to where takt ran. */
static json_t *uri_of(const char *file)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    char uri[4096];
    size_t used = 0;
    for (const unsigned char *at = (const unsigned char *)file; *at && used + 4 < sizeof uri; at++)
        used += strchr(plain, *at) ? (size_t)snprintf(uri + used, sizeof uri - used, "%c", *at)
                                   : (size_t)snprintf(uri + used, sizeof uri - used, "%%%02X", *at);
    uri[used] = '\0';
    return json_pack("{s:s}", "uri", uri);
}

/* Code points before a byte of a line, and 1. */
static json_int_t column_of(const char *line, size_t size, size_t byte)
{
    json_int_t column = 1;
    for (size_t i = 0; i < byte && i < size; i++)
        column += ((unsigned char)line[i] & 0xc0) != 0x80;
    return column;
}

static json_t *region(const struct sarif_result *result, uint32_t line, uint32_t column,
                      uint32_t length)
{
    if (!result->text || !column)
        return json_pack("{s:I}", "startLine", (json_int_t)line);
    return json_pack("{s:I,s:I,s:I}", "startLine", (json_int_t)line, "startColumn",
                     column_of(result->text, result->size, column - 1), "endColumn",
                     column_of(result->text, result->size, column - 1 + (size_t)length));
}

static json_t *location(const struct sarif_result *result, json_t *place)
{
    json_t *physical = json_pack("{s:o}", "artifactLocation", uri_of(result->file));
    if (place)
        json_object_set_new(physical, "region", place);
    return json_pack("{s:o}", "physicalLocation", physical);
}

static json_t *fix_of(const struct sarif_result *result)
{
    const struct fix *fix = result->fix;
    json_t *replacement = json_pack("{s:o,s:{s:s}}", "deletedRegion",
                                    region(result, fix->line, fix->column, fix->length),
                                    "insertedContent", "text", fix->text);
    return json_pack("[{s:{s:s},s:[{s:o,s:[o]}]}]", "description", "text", fix->title,
                     "artifactChanges", "artifactLocation", uri_of(result->file), "replacements",
                     replacement);
}

/* --- results ---------------------------------------------------------------------------------- */

void sarif_add(struct sarif *sarif, const struct sarif_result *result)
{
    json_t *place =
        result->line ? region(result, result->line, result->column, result->length) : NULL;
    json_t *row =
        json_pack("{s:s,s:I,s:s,s:{s:o},s:[o]}", "ruleId", result->rule, "ruleIndex",
                  (json_int_t)rule_of(sarif, result->rule), "level", result->level, "message",
                  "text", utf8_json(result->sentence), "locations", location(result, place));
    if (strcmp(result->level, "none") == 0)
        set(sarif, row, "kind", json_string("pass"));
    if (result->other_line)
        set(sarif, row, "relatedLocations",
            json_pack("[o]", location(result, json_pack("{s:I}", "startLine",
                                                        (json_int_t)result->other_line))));
    if (result->fix)
        set(sarif, row, "fixes", fix_of(result));
    keep(sarif, sarif->results, row);
}

/* The line of the last finding; findings are in source order. */
struct cursor {
    uint32_t file, line;
    const char *text;
    size_t size;
};

static void find_line(struct cursor *cursor, const struct source *sources, const struct diag *diag)
{
    const struct source *source = &sources[diag->file];
    const char *end = source->text + source->size;
    if (!cursor->text || cursor->file != diag->file || cursor->line > diag->line)
        *cursor = (struct cursor){.file = diag->file, .line = 1, .text = source->text};
    const char *at = cursor->text;
    for (; cursor->line < diag->line && at < end; cursor->line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : end;
    }
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    cursor->text = at;
    cursor->size = (size_t)((stop ? stop : end) - at);
}

/* "manual-3.6.3.9", or the name of a warning. */
static const char *rule_name(const struct diag *diag, char *name, size_t size)
{
    if (diag->name[0])
        snprintf(name, size, "%s", diag->name);
    else if (diag->rule[0])
        snprintf(name, size, "manual-%s", diag->rule);
    else
        snprintf(name, size, "language");
    for (char *at = name; *at; at++)
        *at = *at == ' ' || *at == ':' ? '-' : *at;
    return name;
}

void sarif_add_findings(struct sarif *sarif, const struct machine *machine,
                        const struct diag_list *diags, const struct source *sources, size_t count)
{
    struct cursor cursor = {0};
    static const char *const levels[] = {"note", "warning", "error"};
    for (size_t i = 0; i < diags->count; i++) {
        const struct diag *diag = &diags->items[i];
        if (diag->file >= count)
            continue;
        char rule[128], sentence[2048];
        const struct source *source = &sources[diag->file];
        snprintf(sentence, sizeof sentence, "%s%s%s", diag->message, diag->fix ? "; fix: " : "",
                 diag->fix ? diag->fix : "");
        struct sarif_result result = {.rule = rule_name(diag, rule, sizeof rule),
                                      .level = levels[diag->severity],
                                      .sentence = sentence,
                                      .file = source->name,
                                      .line = diag->line,
                                      .column = diag->column,
                                      .length = diag->length};
        struct fix fix;
        find_line(&cursor, sources, diag);
        result.text = cursor.text;
        result.size = cursor.size;
        result.other_line = diag->other_file == diag->file ? diag->other_line : 0;
        result.fix =
            fixes_of(machine, diag, source->text, cursor.text, cursor.size, &fix) ? &fix : NULL;
        sarif_add(sarif, &result);
    }
}

json_t *sarif_log(struct sarif *sarif, const char *command)
{
    char name[64];
    snprintf(name, sizeof name, "takt %s", command);
    json_t *log =
        json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:s,s:o}]}", "$schema",
                  "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                  "tool", "driver", "name", name, "version", TAKT_VERSION, "rules", sarif->rules,
                  "columnKind", "unicodeCodePoints", "results", sarif->results);
    if (log && sarif->status == 0)
        return log;
    json_decref(log);
    return NULL;
}
