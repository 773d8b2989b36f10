/* main: the list of commands and machines, --help and --version. */
#include "cli/cli.h"

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "functional/text.h"
#include "host/failure.h"
#include "host/file.h"
#include "host/in_use.h"
#include "host/suggest.h"

const struct command commands[] = {
#define COMMAND(name, arguments, sentence) {#name, arguments, sentence, cmd_##name},
#include "all-commands.def"
};
const size_t command_count = sizeof commands / sizeof *commands;

static void help(FILE *out)
{
    fputs("takt: how many cycles an accelerator program takes, why, and how far that is\n"
          "from the best possible\n\nusage: takt COMMAND [OPTION]... [ARGUMENT]...\n\n",
          out);
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "  %-11s %-18s %s\n", commands[i].name, commands[i].arguments,
                commands[i].sentence);
    fputs("\nmachines:\n", out);
    for (size_t i = 0; i < machine_count; i++)
        fprintf(out, "  %-11s %-18s %s\n", machines[i]->name, machines[i]->language->extensions,
                machines[i]->title);
    fputs("\nexit: 0 fine, 1 errors in the program or input, 2 usage, 3 the host failed,\n"
          "130 interrupted\n"
          "takt COMMAND --help lists a command's options, takt --version the version.\n"
          "An option may be shortened while one alone begins so; after -- nothing is an\n"
          "option. docs/ has the rest, in the source tree or in share/doc/takt, where make\n"
          "install puts it.\n",
          out);
}

/* The output is in a buffer: if it cannot be written, the command fails. */
static int finish(const char *who, int code)
{
    const bool lacking =
        code == EXIT_FINE ? failure_count() != 0 : code < EXIT_HOST && failure_count_host();
    if (lacking) {
        fprintf(stderr, "%s: %s: the answer is not whole\n", who, failure_sentence());
        return failure_count_host() ? EXIT_HOST : EXIT_INPUT;
    }
    const bool written = fflush(stdout) == 0 && !ferror(stdout);
    const bool told = fflush(stderr) == 0 && !ferror(stderr); /* findings and warnings */
    if (code == EXIT_HOST && !cli_said())
        fprintf(stderr, "%s: %s\n", who,
                written ? failure_sentence() : "could not write the answer");
    if (written && code == EXIT_FINE && !told)
        return EXIT_HOST;
    if (written || code > EXIT_USAGE)
        return code;
    fprintf(stderr, "%s: could not write the answer\n", who);
    return EXIT_HOST;
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

static int unknown(const char *name)
{
    if (name[0] == '-' && name[1]) {
        text_print(stderr, "takt: '%s' is in the place of the command; options follow it\n", name);
    } else {
        const char *names[sizeof commands / sizeof *commands];
        for (size_t i = 0; i < command_count; i++)
            names[i] = commands[i].name;
        const char *hint = suggest_name(name, strlen(name), names, command_count);
        text_print(stderr, "takt: no command is named '%s'%s%s%s\n", name,
                   hint ? ", did you mean '" : "", hint ? hint : "", hint ? "'?" : "");
    }
    fputs("takt --help lists the commands.\n", stderr);
    return EXIT_USAGE;
}

/* SQLite's and Jansson's memory: failed allocations are noted. */
static struct sqlite3_mem_methods sqlite_memory;

static void *sqlite_malloc(int size)
{
    return failure_memory(sqlite_memory.xMalloc(size));
}

static void *sqlite_realloc(void *memory, int size)
{
    return failure_memory(sqlite_memory.xRealloc(memory, size));
}

/* libevent ends the process for want of descriptors. */
static void no_loop(int code)
{
    (void)code;
    fputs("takt: the event loop could not be made\n", stderr);
    fflush(stderr);
    replace_abandon();
    _exit(EXIT_HOST);
}

static void say_nothing(int severity, const char *message)
{
    (void)severity, (void)message;
}

static void note_failures(void)
{
    event_set_log_callback(say_nothing);
    event_set_fatal_callback(no_loop);
    json_set_alloc_funcs(failure_malloc, free);
    event_set_mem_functions(failure_malloc, failure_realloc, free);
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_memory) != SQLITE_OK)
        return;
    struct sqlite3_mem_methods noting = sqlite_memory;
    noting.xMalloc = sqlite_malloc;
    noting.xRealloc = sqlite_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &noting);
}

static int run(const struct command *command, int argc, char **argv)
{
    /* getopt's own messages begin with argv[0]. */
    char title[32];
    snprintf(title, sizeof title, "takt %s", command->name);
    argv[0] = title;
    loop_guard(command->name);
    bool json = false;
    for (int i = 1; i < argc; i++) /* before getopt moves them */
        json = json || strcmp(argv[i], "--json") == 0;
    unsetenv("POSIXLY_CORRECT"); /* getopt would end the options at the first program */
    in_use_begin();
    const int code = command->run(argc, argv);
    return finish(title, code == EXIT_USAGE ? cli_end_json(json, code) : code);
}

/* What is opened must not take the place of a standard descriptor that is closed; reading and
 * writing there fail as they did. */
static void keep_places(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    keep_places();
    note_failures();
    /* A limit on the size of files is a full disk, not the end of the process. */
    signal(SIGXFSZ, SIG_IGN);
    /* Diagnostics come in many small pieces; common.c flushes after each message. */
    static char buffer[1 << 16];
    setvbuf(stderr, buffer, _IOFBF, sizeof buffer);
    if (argc < 2) {
        help(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        if (argc > 2) { /* takt help run */
            const struct command *command = find(argv[2]);
            static char option[] = "--help";
            char *arguments[] = {argv[2], option, NULL};
            return command ? run(command, 2, arguments) : unknown(argv[2]);
        }
        help(stdout);
        return finish("takt", EXIT_FINE);
    }
    if (strcmp(name, "--version") == 0) {
        puts("takt " TAKT_VERSION);
        return finish("takt", EXIT_FINE);
    }
    const struct command *command = find(name);
    return command ? run(command, argc - 1, argv + 1) : unknown(name);
}
