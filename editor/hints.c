/* hints: the time of each line at its end, and the totals of the file. */
#include "editor/buffer.h"

#include <string.h>

#include "analysis/utf8_json.h"
#include "host/number.h"

/* "cycle 1,204 x8, waits 12 (tag), slack at least 4" */
static void describe(const struct study_line *line, char *text, size_t size)
{
    char number[32];
    size_t used =
        (size_t)snprintf(text, size, "cycle %s", number_group(number, (int64_t)line->issue));
    if (line->times > 1)
        used += (size_t)snprintf(text + used, size - used, " x%s",
                                 number_group(number, (int64_t)line->times));
    if (line->lost)
        used += (size_t)snprintf(text + used, size - used, ", waits %s (%s)",
                                 number_group(number, (int64_t)line->lost), line->reason);
    if (line->slack != STUDY_NEVER && line->slack)
        snprintf(text + used, size - used, ", slack %s%s", line->exact ? "" : "at least ",
                 number_group(number, (int64_t)line->slack));
}

json_t *hints_list(struct buffer *file, size_t from, size_t to)
{
    json_t *list = json_array();
    const uint32_t last = document_line_at(&file->document, to);
    for (uint32_t line = document_line_at(&file->document, from); line <= last; line++) {
        const struct study_line *row = study_line(&file->study, line);
        if (!row)
            continue;
        char text[160];
        size_t size;
        const char *start = document_line(&file->document, line, &size);
        const struct document_place end =
            document_place(&file->document, (size_t)(start - file->document.text) + size);
        describe(row, text, sizeof text);
        json_array_append_new(list, json_pack("{s:{s:I,s:I},s:s,s:b}", "position", "line",
                                              (json_int_t)end.line, "character",
                                              (json_int_t)end.character, "label", text,
                                              "paddingLeft", 1));
    }
    return list;
}

static const char *state_of(const struct buffer *file)
{
    static const char *const names[] = {[STUDY_ERRORS] = "errors",
                                        [STUDY_RUNNING] = "running",
                                        [STUDY_TIMED] = "timed",
                                        [STUDY_STOPPED] = "stopped",
                                        [STUDY_FAILED] = "failed"};
    return buffer_too_long(file) ? "too-long" : names[file->study.stage];
}

static void set_totals(const struct study *study, json_t *status)
{
    char limit[VERDICT_TEXT];
    verdict_print(&study->limit, limit);
    json_object_set_new(status, "cycles", json_integer((json_int_t)study->cycles));
    json_object_set_new(status, "limit", utf8_json(limit));
    if (study->ranged)
        json_object_set_new(
            status, "range",
            json_pack("{s:I,s:I}", "low", (json_int_t)study->low, "high", (json_int_t)study->high));
    if (!study->bound)
        return;
    json_object_set_new(status, "bound", json_integer((json_int_t)study->bound));
    json_object_set_new(status, "gap", json_integer((json_int_t)(study->cycles - study->bound)));
}

/* What a status line shows: "1,256 cycles (776 to 6,280), transfer-bound (...), gap 34". */
static json_t *text_of(const struct study *study)
{
    char text[VERDICT_TEXT + 200], limit[VERDICT_TEXT], a[32], b[32];
    verdict_print(&study->limit, limit);
    int used = snprintf(text, sizeof text, "%s cycles", number_group(a, (int64_t)study->cycles));
    if (study->ranged)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, " (%s to %s)",
                     number_group(a, (int64_t)study->low), number_group(b, (int64_t)study->high));
    used += snprintf(text + used, sizeof text - (size_t)used, ", %s", limit);
    if (study->bound)
        snprintf(text + used, sizeof text - (size_t)used, ", gap %s",
                 number_group(a, (int64_t)(study->cycles - study->bound)));
    return utf8_json(text);
}

json_t *hints_status(struct buffer *file)
{
    const struct study *study = &file->study;
    json_t *status = json_pack("{s:s,s:I,s:s,s:s}", "uri", file->uri, "version", file->version,
                               "machine", file->machine->name, "state", state_of(file));
    if (!status)
        return NULL;
    if (study->program) {
        json_object_set_new(status, "errors",
                            json_integer((json_int_t)study->program->diags.errors));
        json_object_set_new(status, "warnings",
                            json_integer((json_int_t)study->program->diags.warnings));
    }
    if (study->stage == STUDY_STOPPED)
        json_object_set_new(status, "why", utf8_json(study->why));
    if (study->stage == STUDY_TIMED) {
        set_totals(study, status);
        json_object_set_new(status, "text", text_of(study));
    }
    return status;
}
