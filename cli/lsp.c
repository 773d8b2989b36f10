/* lsp: the language server: its descriptors and its loop. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "cli/options.h"
#include "editor/editor.h"

static const char help[] =
    "usage: takt lsp [OPTION]...\n"
    "Language Server Protocol 3.17 on standard input and output, for editors:\n"
    "findings with quick fixes, the cycle of each line, what its words mean, where\n"
    "values come from, completion, symbols, canonical form. docs/editors.md has the\n"
    "editors' side.\n"
    "\n"
    "  --stdio           as without it: some clients give it\n"
    "@common\n"
    "\n"
    "@exit 0 shut down and ended by the client, 1 ended otherwise\n";

struct server {
    struct editor *editor;
    struct event_base *base;
    struct event *input, *work, *quiet;
    int code;
    bool polled; /* standard input is a file, which is always ready */
};

static void say(void *context, const char *bytes, size_t size)
{
    (void)context;
    fwrite(bytes, 1, size, stdout);
    fflush(stdout);
}

static void end(struct server *server, int code)
{
    server->code = code;
    event_base_loopbreak(server->base);
}

static void later(struct event *event)
{
    static const struct timeval at_once = {0, 0};
    event_add(event, &at_once);
}

static void on_input(evutil_socket_t fd, short what, void *context)
{
    static char bytes[1 << 16];
    struct server *server = context;
    int code;
    (void)fd, (void)what;
    const ssize_t size = read(STDIN_FILENO, bytes, sizeof bytes);
    if (size < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (size <= 0) {
        end(server, size == 0 ? EXIT_INPUT
                              : cli_fail(EXIT_HOST, "lsp", "standard input cannot be read: %s",
                                         strerror(errno)));
        return;
    }
    const int status = editor_take(server->editor, bytes, (size_t)size);
    if (editor_over(server->editor, &code))
        end(server, code ? EXIT_INPUT : EXIT_FINE);
    else if (status != 0)
        end(server, EXIT_INPUT);
    else if (ferror(stdout))
        end(server, EXIT_HOST);
    else
        later(server->work);
    static const struct timeval quiet = {0, 300000};
    event_add(server->quiet, &quiet);
    if (server->polled)
        later(server->input);
}

static void on_work(evutil_socket_t fd, short what, void *context)
{
    struct server *server = context;
    (void)fd, (void)what;
    if (editor_work(server->editor))
        later(server->work);
}

/* After a pause; then again until no thread works. */
static void on_quiet(evutil_socket_t fd, short what, void *context)
{
    static const struct timeval soon = {0, 20000};
    struct server *server = context;
    (void)fd, (void)what;
    if (editor_work(server->editor) || editor_idle(server->editor))
        event_add(server->quiet, &soon);
}

/* Input first: what has been edited again need not be worked on. */
static int serve(struct server *server)
{
    server->base = event_base_new();
    if (!server->base)
        return cli_fail(EXIT_HOST, "lsp", "the event loop could not be made");
    event_base_priority_init(server->base, 2);
    server->input = event_new(server->base, STDIN_FILENO, EV_READ | EV_PERSIST, on_input, server);
    server->work = event_new(server->base, -1, 0, on_work, server);
    server->quiet = event_new(server->base, -1, 0, on_quiet, server);
    if (server->input && event_add(server->input, NULL) != 0) {
        event_free(server->input);
        server->polled = true;
        server->input = event_new(server->base, -1, 0, on_input, server);
        if (server->input)
            later(server->input);
    }
    const bool made = server->input && server->work && server->quiet;
    if (made) {
        event_priority_set(server->work, 1);
        event_priority_set(server->quiet, 1);
        event_base_dispatch(server->base);
    }
    if (server->input)
        event_free(server->input);
    if (server->work)
        event_free(server->work);
    if (server->quiet)
        event_free(server->quiet);
    event_base_free(server->base);
    return made ? server->code : cli_fail(EXIT_HOST, "lsp", "the event loop could not be made");
}

int cmd_lsp(int argc, char **argv)
{
    const char *name = NULL;
    bool stdio = false;
    const struct cli_option table[] = {{"stdio", .flag = &stdio}, {"machine", .text = &name}};
    int code;
    if (!OPTIONS_TAKE("lsp", help, table, argc, argv, &code))
        return code;
    if (optind != argc)
        return cli_usage("lsp", "files are opened by the editor");
    const struct machine *machine = name ? cli_machine(name, NULL) : NULL;
    if (name && !machine)
        return cli_usage("lsp", "no machine is named '%s'", name);
    struct server server = {.code = EXIT_INPUT};
    server.editor = editor_open(&(const struct editor_setup){.machine = machine, .write = say});
    if (!server.editor)
        return cli_fail(EXIT_HOST, "lsp", "out of memory");
    code = serve(&server);
    editor_close(server.editor);
    return code;
}
