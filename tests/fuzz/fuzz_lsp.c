/* fuzz_lsp: lines as messages of a client of the language server; a first line "raw": the rest as
 * it is. Whatever comes, each request has one answer. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "editor/editor.h"
#include "editor/rpc.h"
#include "tests/fuzz/caller.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct client {
    struct rpc rpc;
    size_t answers; /* with the id of a request */
};

static void receive(void *context, const char *bytes, size_t size)
{
    struct client *client = context;
    char text[JSON_ERROR_TEXT_LENGTH];
    json_t *message;
    caller_must(rpc_take(&client->rpc, bytes, size) == 0, "memory", NULL);
    caller_must(rpc_next(&client->rpc, &message, text) == RPC_MESSAGE, "an answer is JSON", NULL);
    caller_must(json_object_get(message, "jsonrpc"), "an answer is of JSON-RPC", NULL);
    const json_t *id = json_object_get(message, "id");
    client->answers += id && !json_is_null(id) && !json_object_get(message, "method");
    json_decref(message);
}

/* Or what is neither a notification nor an answer of the client. */
static bool is_request(const char *line, size_t length)
{
    json_t *message = json_loadb(line, length, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
    const json_t *id = json_object_get(message, "id");
    const bool is = id && !json_is_null(id) &&
                    (json_is_string(json_object_get(message, "method")) ||
                     (!json_object_get(message, "result") && !json_object_get(message, "error")));
    json_decref(message);
    return is;
}

static int send(struct editor *editor, const char *line, size_t length)
{
    char head[60];
    const int size = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", length);
    const int status = editor_take(editor, head, (size_t)size);
    return status == 0 ? editor_take(editor, line, length) : status;
}

static void work(struct editor *editor)
{
    for (unsigned i = 0; i < 1000 && (editor_work(editor) || editor_idle(editor)); i++)
        ;
}

/* How many requests there were until the session was over. */
static size_t talk(struct editor *editor, const char *text, size_t size)
{
    size_t requests = 0;
    int code = 0, status = 0;
    for (const char *end = text + size; text < end && status == 0 && !editor_over(editor, &code);) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const size_t length = (size_t)((stop ? stop : end) - text);
        requests += is_request(text, length);
        status = send(editor, text, length);
        text += length + 1;
    }
    return requests;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char raw[] = "raw\n";
    const char *text = (const char *)data;
    struct client client = {.answers = 0};
    struct editor *editor =
        editor_open(&(const struct editor_setup){.write = receive, .context = &client});
    size_t requests = 0;
    const bool as_is = size >= strlen(raw) && memcmp(text, raw, strlen(raw)) == 0;
    if (!editor)
        abort();
    if (as_is)
        editor_take(editor, text + strlen(raw), size - strlen(raw));
    else
        requests = talk(editor, text, size);
    work(editor);
    caller_must(as_is || client.answers == requests, "each request has one answer", NULL);
    editor_close(editor);
    rpc_close(&client.rpc);
    return 0;
}
