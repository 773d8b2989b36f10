/* findings: diagnostics of a file, and edits that mend them. */
#include "editor/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/fixes.h"
#include "analysis/utf8_json.h"
#include "library/mend.h"

/* An editor shows no more at once, and each edit sends all of them. */
enum { MOST_SHOWN = 1000 };

/* Severities of the protocol; a note is a hint. */
static const int severities[] = {[DIAG_NOTE] = 4, [DIAG_WARNING] = 2, [DIAG_ERROR] = 1};

static json_t *message_of(const struct diag *diag)
{
    char text[2048];
    snprintf(text, sizeof text, "%s%s%s%s%s%s", diag->message ? diag->message : "",
             diag->rule[0] ? " [manual " : "", diag->rule, diag->rule[0] ? "]" : "",
             diag->fix ? "\nfix: " : "", diag->fix ? diag->fix : "");
    return utf8_json(text);
}

/* The other statement of a hazard or conflict. */
static json_t *related(struct buffer *file, const struct diag *diag)
{
    size_t size;
    document_line(&file->document, diag->other_line, &size);
    return json_pack("[{s:{s:s,s:o},s:s}]", "location", "uri", file->uri, "range",
                     buffer_range(file, diag->other_line, 1, size), "message",
                     "the other statement");
}

static json_t *finding(struct buffer *file, const struct diag *diag)
{
    json_t *row = json_pack(
        "{s:o,s:i,s:s,s:o}", "range", buffer_range(file, diag->line, diag->column, diag->length),
        "severity", severities[diag->severity], "source", "takt", "message", message_of(diag));
    const char *code = diag->name[0] ? diag->name : diag->rule;
    if (row && code[0])
        json_object_set_new(row, "code", json_string(code));
    if (row && diag->other_line && diag->other_file == diag->file)
        json_object_set_new(row, "relatedInformation", related(file, diag));
    return row;
}

/* One finding at the start of the file. */
static json_t *remark(struct buffer *file, int severity, const char *text)
{
    return json_pack("[{s:o,s:i,s:s,s:s}]", "range", buffer_range(file, 1, 1, 1), "severity",
                     severity, "source", "takt", "message", text);
}

json_t *findings_list(struct buffer *file)
{
    buffer_study(file);
    if (buffer_too_long(file))
        return remark(file, 3,
                      "this text is too long to be checked at every edit; takt check "
                      "checks it");
    if (file->study.stage == STUDY_FAILED)
        return remark(file, 3, "the host has no memory to check this text");
    json_t *list = json_array();
    const struct diag_list *diags = &file->study.program->diags;
    size_t shown = diags->count;
    if (shown > MOST_SHOWN) {
        char text[128];
        snprintf(text, sizeof text, "%zu more findings are below; takt check --all lists them",
                 shown - MOST_SHOWN);
        shown = MOST_SHOWN;
        json_t *more = remark(file, 3, text);
        json_array_extend(list, more);
        json_decref(more);
    }
    for (size_t i = 0; i < shown; i++)
        json_array_append_new(list, finding(file, &diags->items[i]));
    return list;
}

/* --- edits ------------------------------------------------------------------------------------ */

static json_t *action(struct buffer *file, const char *title, const char *kind, json_t *edits)
{
    return json_pack("{s:s,s:s,s:{s:{s:o}}}", "title", title, "kind", kind, "edit", "changes",
                     file->uri, edits);
}

static json_t *quick_fix(struct buffer *file, const struct diag *diag)
{
    struct fix fix;
    size_t size;
    const char *line = document_line(&file->document, diag->line, &size);
    if (!fixes_of(file->machine, diag, file->document.text, line, size, &fix))
        return NULL;
    json_t *row = action(file, fix.title, "quickfix",
                         json_pack("[{s:o,s:s}]", "range",
                                   buffer_range(file, fix.line, fix.column, fix.length), "newText",
                                   fix.text));
    if (row)
        json_object_set_new(row, "diagnostics", json_pack("[o]", finding(file, diag)));
    return row;
}

/* All that is missing everywhere, as takt check --fix inserts it. */
static void append_mending(struct buffer *file, json_t *list)
{
    struct mended mended;
    const struct document *d = &file->document;
    if (library_mend(file->study.program, NULL, &mended) == 0 && mended.edits) {
        char title[64];
        snprintf(title, sizeof title, "insert all missing steps (%zu line%s)", mended.edits,
                 mended.edits == 1 ? "" : "s");
        json_t *text = json_stringn(mended.text, mended.size);
        json_array_append_new(
            list, action(file, title, "source.fixAll",
                         json_pack("[{s:o,s:o}]", "range", buffer_range_of(file, 0, d->size),
                                   "newText", text)));
    }
    library_mended_free(&mended);
}

json_t *findings_actions(struct buffer *file, size_t from, size_t to)
{
    json_t *list = json_array();
    buffer_study(file);
    const uint32_t first = document_line_at(&file->document, from);
    const uint32_t last = document_line_at(&file->document, to);
    const struct takt_program *program = file->study.program;
    bool pads = false;
    for (size_t i = 0; program && i < program->diags.count; i++) {
        const struct diag *diag = &program->diags.items[i];
        if (diag->line < first || diag->line > last)
            continue;
        json_t *row = quick_fix(file, diag);
        pads |= fixes_pads(file->machine, diag);
        if (row)
            json_array_append_new(list, row);
    }
    if (pads)
        append_mending(file, list);
    return list;
}
