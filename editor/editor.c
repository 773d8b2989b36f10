#include "editor/editor.h"

#include <stdlib.h>
#include <string.h>

#include "editor/buffer.h"
#include "editor/range_job.h"
#include "editor/rpc.h"
#include "editor/words.h"
#include "host/grow.h"

/* Errors of JSON-RPC and of the protocol. */
enum {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    METHOD_NOT_FOUND = -32601,
    INVALID_PARAMS = -32602,
    INTERNAL_ERROR = -32603,
    NOT_INITIALIZED = -32002,
    REQUEST_CANCELLED = -32800,
    CONTENT_MODIFIED = -32801
};

/* Work of a run after which a request is answered without its times. It is counted, not timed, so
 * that the same messages have the same answers on each host. */
enum { PATIENCE = 100000 };

/* A request that waits for the run of its file; bytes of the place or range that it names. */
struct waiting {
    json_t *id;
    size_t request; /* row of `requests` */
    uint64_t edit;  /* state of the text that it is about */
    size_t at, end;
};

struct editor {
    struct editor_setup setup;
    struct rpc rpc;
    struct buffer **files; /* each stays where it is: its run holds pointers to its study */
    size_t count, capacity;
    bool initialized, shut, over, bytes; /* bytes: characters are UTF-8 */
    bool refreshes;                      /* the client takes workspace/inlayHint/refresh */
    json_int_t requests;
    uint64_t edits;
    struct range_job job;
    struct waiting *waiting; /* in the order in which they came */
    size_t waiting_count, waiting_capacity;
};

/* --- messages --------------------------------------------------------------------------------- */

static void send(struct editor *editor, json_t *message)
{
    size_t size;
    char *text = rpc_text(message, &size);
    if (text)
        editor->setup.write(editor->setup.context, text, size);
    free(text);
}

static void notify(struct editor *editor, const char *method, json_t *params)
{
    send(editor, json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

static void refuse(struct editor *editor, const json_t *id, int code, const char *text)
{
    send(editor,
         json_pack("{s:s,s:o,s:{s:i,s:s}}", "jsonrpc", "2.0", "id",
                   id ? json_deep_copy(id) : json_null(), "error", "code", code, "message", text));
}

static void reply(struct editor *editor, const json_t *id, json_t *result)
{
    if (!result) {
        refuse(editor, id, INTERNAL_ERROR, "out of memory");
        return;
    }
    send(editor,
         json_pack("{s:s,s:o,s:o}", "jsonrpc", "2.0", "id", json_deep_copy(id), "result", result));
}

/* --- files ------------------------------------------------------------------------------------ */

static struct buffer *find(struct editor *editor, const char *uri)
{
    for (size_t i = 0; uri && i < editor->count; i++)
        if (strcmp(editor->files[i]->uri, uri) == 0)
            return editor->files[i];
    return NULL;
}

static const char *text_at(const json_t *params, const char *object, const char *key)
{
    return json_string_value(json_object_get(json_object_get(params, object), key));
}

static struct buffer *buffer_of(struct editor *editor, const json_t *params)
{
    return find(editor, text_at(params, "textDocument", "uri"));
}

static void forget(struct editor *editor, struct buffer *file)
{
    size_t i = 0;
    while (editor->files[i] != file)
        i++;
    struct buffer **at = &editor->files[i];
    buffer_close(file);
    free(file);
    editor->count--;
    memmove(at, at + 1, (editor->count - i) * sizeof *at);
}

static struct buffer *add(struct editor *editor, const char *uri, const char *language)
{
    struct buffer **files =
        grow(editor->files, &editor->capacity, editor->count + 1, sizeof(struct buffer *));
    struct buffer *file = files ? malloc(sizeof *file) : NULL;
    editor->files = files ? files : editor->files;
    if (file && buffer_open(file, uri, language, editor->setup.machine) == 0)
        return files[editor->count++] = file;
    free(file);
    return NULL;
}

static void did_open(struct editor *editor, const json_t *params)
{
    const char *uri = text_at(params, "textDocument", "uri");
    const char *language = text_at(params, "textDocument", "languageId");
    const json_t *text = json_object_get(json_object_get(params, "textDocument"), "text");
    struct buffer *old = find(editor, uri);
    if (!uri || !json_is_string(text))
        return;
    if (old)
        forget(editor, old);
    struct buffer *file = add(editor, uri, language ? language : "");
    if (!file)
        return;
    file->document.bytes = editor->bytes;
    file->version =
        json_integer_value(json_object_get(json_object_get(params, "textDocument"), "version"));
    if (document_open(&file->document, json_string_value(text), json_string_length(text)) != 0) {
        forget(editor, file);
        return;
    }
    file->edit = ++editor->edits;
    buffer_edited(file);
}

static uint64_t number_of(const json_t *object, const char *key)
{
    const json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

static struct document_place place_of(const json_t *position)
{
    return (struct document_place){number_of(position, "line"), number_of(position, "character")};
}

static void change(struct buffer *file, const json_t *event)
{
    const json_t *text = json_object_get(event, "text"), *range = json_object_get(event, "range");
    if (!json_is_string(text))
        return;
    const char *bytes = json_string_value(text);
    const size_t size = json_string_length(text);
    const struct document_place places[2] = {place_of(json_object_get(range, "start")),
                                             place_of(json_object_get(range, "end"))};
    if (json_is_object(range))
        document_edit(&file->document, places, bytes, size);
    else
        document_replace(&file->document, bytes, size);
}

static void did_change(struct editor *editor, const json_t *params)
{
    struct buffer *file = buffer_of(editor, params);
    size_t i;
    json_t *event;
    if (!file)
        return;
    json_array_foreach(json_object_get(params, "contentChanges"), i, event) change(file, event);
    file->version =
        json_integer_value(json_object_get(json_object_get(params, "textDocument"), "version"));
    file->edit = ++editor->edits;
    buffer_edited(file);
}

static void did_close(struct editor *editor, const json_t *params)
{
    struct buffer *file = buffer_of(editor, params);
    if (!file)
        return;
    notify(editor, "textDocument/publishDiagnostics",
           json_pack("{s:s,s:[]}", "uri", file->uri, "diagnostics"));
    forget(editor, file);
}

/* --- requests about a file -------------------------------------------------------------------- */

/* Bytes of the place or range that a request names. */
struct asked {
    struct buffer *file;
    size_t at, end;
};

static json_t *answer_hover(const struct asked *asked)
{
    return hover_at(asked->file, asked->at);
}
static json_t *answer_completion(const struct asked *asked)
{
    return complete_at(asked->file, asked->at);
}
static json_t *answer_definition(const struct asked *asked)
{
    return places_definition(asked->file, asked->at);
}
static json_t *answer_references(const struct asked *asked)
{
    return places_references(asked->file, asked->at);
}
static json_t *answer_symbols(const struct asked *asked)
{
    return places_symbols(asked->file);
}
static json_t *answer_format(const struct asked *asked)
{
    return format_text(asked->file);
}
static json_t *answer_hints(const struct asked *asked)
{
    return hints_list(asked->file, asked->at, asked->end);
}
static json_t *answer_actions(const struct asked *asked)
{
    return findings_actions(asked->file, asked->at, asked->end);
}
static json_t *answer_status(const struct asked *asked)
{
    study_prove(&asked->file->study);
    return hints_status(asked->file);
}

static const struct {
    const char *method;
    json_t *(*answer)(const struct asked *asked);
    bool timed; /* the answer has times of the run */
} requests[] = {{"textDocument/hover", answer_hover, true},
                {"textDocument/completion", answer_completion, false},
                {"textDocument/definition", answer_definition, true},
                {"textDocument/references", answer_references, true},
                {"textDocument/documentSymbol", answer_symbols, false},
                {"textDocument/formatting", answer_format, false},
                {"textDocument/inlayHint", answer_hints, true},
                {"textDocument/codeAction", answer_actions, false},
                {"takt/status", answer_status, true}};

/* A client that cannot be told to get hints again gets them once, when the run has ended. */
static bool must_wait(const struct editor *editor, const struct buffer *file, size_t request)
{
    const bool once =
        requests[request].answer == answer_hints && !editor->refreshes && !editor->shut;
    return requests[request].timed && buffer_runs(file, once ? UINT64_MAX : PATIENCE);
}

static void answer(struct editor *editor, const char *method, const json_t *id,
                   const json_t *params)
{
    size_t i = 0;
    while (i < sizeof requests / sizeof *requests && strcmp(requests[i].method, method) != 0)
        i++;
    if (i == sizeof requests / sizeof *requests) {
        refuse(editor, id, METHOD_NOT_FOUND, "takt has no such method");
        return;
    }
    struct buffer *file = buffer_of(editor, params);
    if (!file) {
        refuse(editor, id, INVALID_PARAMS, "no such file is open");
        return;
    }
    const json_t *range = json_object_get(params, "range");
    const json_t *position = json_object_get(params, "position");
    const struct asked asked = {
        file,
        document_offset(&file->document,
                        place_of(range ? json_object_get(range, "start") : position)),
        document_offset(&file->document, place_of(json_object_get(range, "end")))};
    struct waiting *rows = editor->waiting;
    if (must_wait(editor, file, i))
        rows = grow(rows, &editor->waiting_capacity, editor->waiting_count + 1, sizeof *rows);
    if (!rows || !must_wait(editor, file, i)) {
        reply(editor, id, requests[i].answer(&asked));
        return;
    }
    editor->waiting = rows;
    rows[editor->waiting_count++] =
        (struct waiting){json_deep_copy(id), i, file->edit, asked.at, asked.end};
}

static struct buffer *file_of(struct editor *editor, uint64_t edit)
{
    for (size_t i = 0; i < editor->count; i++)
        if (editor->files[i]->edit == edit)
            return editor->files[i];
    return NULL;
}

/* Requests whose wait is over. */
static void answer_waiting(struct editor *editor)
{
    size_t kept = 0;
    for (size_t i = 0; i < editor->waiting_count; i++) {
        const struct waiting row = editor->waiting[i];
        struct buffer *file = file_of(editor, row.edit);
        if (file && must_wait(editor, file, row.request)) {
            editor->waiting[kept++] = row;
            continue;
        }
        if (file)
            reply(editor, row.id,
                  requests[row.request].answer(&(const struct asked){file, row.at, row.end}));
        else
            refuse(editor, row.id, CONTENT_MODIFIED, "the text has been edited");
        json_decref(row.id);
    }
    editor->waiting_count = kept;
}

static void cancel(struct editor *editor, const json_t *params)
{
    const json_t *id = json_object_get(params, "id");
    for (size_t i = 0; i < editor->waiting_count; i++) {
        struct waiting *row = &editor->waiting[i];
        if (!json_equal(row->id, id))
            continue;
        refuse(editor, row->id, REQUEST_CANCELLED, "the request has been cancelled");
        json_decref(row->id);
        editor->waiting_count--;
        memmove(row, row + 1, (editor->waiting_count - i) * sizeof *row);
        return;
    }
}

/* --- the session ------------------------------------------------------------------------------ */

static json_t *capabilities(const struct editor *editor)
{
    return json_pack(
        "{s:{s:s,s:{s:b,s:i},s:b,s:b,s:b,s:b,s:b,s:b,s:{s:[s,s]},s:{s:[s,s]}},s:{s:s,s:s}}",
        "capabilities", "positionEncoding", editor->bytes ? "utf-8" : "utf-16", "textDocumentSync",
        "openClose", 1, "change", 2, "hoverProvider", 1, "definitionProvider", 1,
        "referencesProvider", 1, "documentSymbolProvider", 1, "documentFormattingProvider", 1,
        "inlayHintProvider", 1, "completionProvider", "triggerCharacters", "$", ".",
        "codeActionProvider", "codeActionKinds", "quickfix", "source.fixAll", "serverInfo", "name",
        "takt", "version", takt_version());
}

static void initialize(struct editor *editor, const json_t *id, const json_t *params)
{
    const json_t *client = json_object_get(params, "capabilities");
    const json_t *encodings =
        json_object_get(json_object_get(client, "general"), "positionEncodings");
    const json_t *hints = json_object_get(json_object_get(client, "workspace"), "inlayHint");
    size_t i;
    json_t *name;
    if (editor->initialized) {
        refuse(editor, id, INVALID_REQUEST, "the session has begun already");
        return;
    }
    json_array_foreach(encodings, i, name) editor->bytes |=
        json_is_string(name) && strcmp(json_string_value(name), "utf-8") == 0;
    editor->refreshes = json_is_true(json_object_get(hints, "refreshSupport"));
    editor->initialized = true;
    reply(editor, id, capabilities(editor));
}

static void request(struct editor *editor, const char *method, const json_t *id,
                    const json_t *params)
{
    if (strcmp(method, "initialize") == 0) {
        initialize(editor, id, params);
    } else if (!editor->initialized) {
        refuse(editor, id, NOT_INITIALIZED, "initialize comes first");
    } else if (editor->shut) {
        refuse(editor, id, INVALID_REQUEST, "the session has been shut down");
    } else if (strcmp(method, "shutdown") == 0) {
        editor->shut = true;
        while (editor->waiting_count)
            editor_work(editor);
        reply(editor, id, json_null());
    } else {
        answer(editor, method, id, params);
    }
}

static void notification(struct editor *editor, const char *method, const json_t *params)
{
    if (strcmp(method, "exit") == 0)
        editor->over = true;
    else if (!editor->initialized || editor->shut)
        return;
    else if (strcmp(method, "textDocument/didOpen") == 0)
        did_open(editor, params);
    else if (strcmp(method, "textDocument/didChange") == 0)
        did_change(editor, params);
    else if (strcmp(method, "textDocument/didClose") == 0)
        did_close(editor, params);
    else if (strcmp(method, "$/cancelRequest") == 0)
        cancel(editor, params);
}

static void serve(struct editor *editor, const json_t *message)
{
    const json_t *id = json_object_get(message, "id");
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *params = json_object_get(message, "params");
    if (method && id)
        request(editor, method, id, params);
    else if (method)
        notification(editor, method, params);
    else if (!json_object_get(message, "result") && !json_object_get(message, "error"))
        refuse(editor, id, INVALID_REQUEST, "a message has a method or a result");
}

int editor_take(struct editor *editor, const char *bytes, size_t size)
{
    if (rpc_take(&editor->rpc, bytes, size) != 0)
        return -1;
    while (!editor->over) {
        json_t *message = NULL;
        char text[JSON_ERROR_TEXT_LENGTH];
        switch (rpc_next(&editor->rpc, &message, text)) {
        case RPC_NONE:
            return 0;
        case RPC_MESSAGE:
            serve(editor, message);
            json_decref(message);
            break;
        case RPC_NO_JSON:
            refuse(editor, NULL, PARSE_ERROR, text);
            break;
        case RPC_LONG:
            refuse(editor, NULL, INVALID_REQUEST, "the message is too long");
            break;
        case RPC_BROKEN:
            refuse(editor, NULL, PARSE_ERROR, "a header without Content-Length");
            return -1;
        case RPC_MEMORY:
            refuse(editor, NULL, INTERNAL_ERROR, "out of memory");
            break;
        }
    }
    return 0;
}

/* --- work ------------------------------------------------------------------------------------- */

static void publish(struct editor *editor, struct buffer *file)
{
    file->published = true;
    json_t *list = findings_list(file);
    notify(editor, "textDocument/publishDiagnostics",
           json_pack("{s:s,s:I,s:o}", "uri", file->uri, "version", file->version, "diagnostics",
                     list));
}

/* The client learns each stage once. */
static void say_status(struct editor *editor, struct buffer *file)
{
    const enum study_stage stage = file->study.stage;
    if (stage == file->said)
        return;
    const bool timed = file->said == STUDY_RUNNING && stage != STUDY_ERRORS;
    file->said = stage;
    notify(editor, "takt/status", hints_status(file));
    if (timed && editor->refreshes)
        send(editor, json_pack("{s:s,s:I,s:s}", "jsonrpc", "2.0", "id", ++editor->requests,
                               "method", "workspace/inlayHint/refresh"));
}

/* The range of a file that is done comes from a job; its status is then sent again. */
static void take_range(struct editor *editor)
{
    if (!range_job_over(&editor->job))
        return;
    for (size_t i = 0; i < editor->count; i++) {
        struct buffer *file = editor->files[i];
        if (file->edit != editor->job.edit || file->study.stage != STUDY_TIMED)
            continue;
        file->study.bound = editor->job.bound;
        file->study.ranged = editor->job.known;
        file->study.low = editor->job.low;
        file->study.high = editor->job.high;
        notify(editor, "takt/status", hints_status(file));
    }
}

bool editor_idle(struct editor *editor)
{
    for (size_t i = 0; i < editor->count && !editor->job.running; i++) {
        struct buffer *file = editor->files[i];
        const struct takt_text text = {file->path, file->document.text, file->document.size};
        if (!file->wants_range || file->study.stage != STUDY_TIMED)
            continue;
        file->wants_range = false;
        range_job_start(&editor->job, file->machine, &text, file->edit);
    }
    return editor->job.running;
}

bool editor_work(struct editor *editor)
{
    bool more = false;
    take_range(editor);
    for (size_t i = 0; i < editor->count; i++) {
        struct buffer *file = editor->files[i];
        more |= buffer_work(file);
        if (!file->published)
            publish(editor, file);
        if (!buffer_too_long(file))
            say_status(editor, file);
    }
    answer_waiting(editor);
    return more;
}

bool editor_over(const struct editor *editor, int *code)
{
    *code = editor->shut ? 0 : 1;
    return editor->over;
}

struct editor *editor_open(const struct editor_setup *setup)
{
    struct editor *editor = calloc(1, sizeof *editor);
    if (editor)
        editor->setup = *setup;
    return editor;
}

void editor_close(struct editor *editor)
{
    range_job_close(&editor->job);
    while (editor->count)
        forget(editor, editor->files[editor->count - 1]);
    for (size_t i = 0; i < editor->waiting_count; i++)
        json_decref(editor->waiting[i].id);
    free(editor->waiting);
    free(editor->files);
    rpc_close(&editor->rpc);
    words_free();
    free(editor);
}
