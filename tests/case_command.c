/* Commands of a case: lines of a shell in a folder of the test's own. */
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/case_run.h"
#include "tests/takt_process.h"

static char root[PATH_MAX], folder[PATH_MAX];

static void stop(const char *what)
{
    perror(what);
    exit(99);
}

/* A link of that name in the folder to a path below the root, or to any other. */
static void link_to(const char *path, const char *name)
{
    char to[2 * PATH_MAX];
    snprintf(to, sizeof to, "%s/%s", *path == '/' ? "" : root, path);
    if (symlink(to, name) != 0)
        stop(name);
}

void case_folder_enter(void)
{
    static const char *const shared[] = {"examples", "docs", "config", "tests"};
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    char path[2 * PATH_MAX];
    strcpy(folder, "/tmp/takt-case-XXXXXX");
    if (!getcwd(root, sizeof root) || !mkdtemp(folder) || chdir(folder) != 0)
        stop("a folder");
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        link_to(shared[i], shared[i]);
    if (mkdir(".bin", 0700) != 0)
        stop(".bin");
    link_to(takt, ".bin/takt");
    const char *others = getenv("PATH");
    snprintf(path, sizeof path, ".bin:%s", others);
    if (strncmp(others, ".bin:", 5) != 0 && setenv("PATH", path, 1) != 0)
        stop("PATH");
}

void case_folder_leave(void)
{
    char command[2 * PATH_MAX];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (chdir(root) != 0 || system(command) != 0)
        stop(folder);
}

void case_folder_file(const struct case_one *one)
{
    size_t size;
    const struct case_line text = {.text = {"", 0}, .block = one->what.block};
    char *bytes = case_text(&text, &size), name[PATH_MAX];
    snprintf(name, sizeof name, "%.*s", (int)one->what.text.length, one->what.text.at);
    FILE *out = fopen(name, "w");
    if (!out || fwrite(bytes, 1, size, out) != size || fclose(out) != 0)
        stop(name);
    free(bytes);
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* "diagnostics[0].line" of an answer, "." all of it; NULL: there is no such part. */
static const json_t *part_of(const json_t *value, struct case_slice path)
{
    const char *p = path.at, *end = path.at + path.length;
    if (case_is(path, "."))
        return value;
    while (value && p < end) {
        char key[100];
        size_t length = 0;
        if (*p == '[') {
            char *after;
            value = json_array_get(value, strtoul(p + 1, &after, 10));
            p = after + 1;
        } else {
            p += *p == '.';
            while (p + length < end && p[length] != '.' && p[length] != '[')
                length++;
            snprintf(key, sizeof key, "%.*s", (int)length, p);
            value = json_object_get(value, key);
            p += length;
        }
    }
    return value;
}

static size_t size_of(const json_t *value)
{
    return json_is_array(value) ? json_array_size(value) : json_object_size(value);
}

/* PATH, PATH size N, PATH has "WORDS", PATH VALUE */
static bool json_holds(const json_t *answer, struct case_slice rest, const char *words)
{
    const json_t *part = part_of(answer, case_word(&rest));
    struct case_slice value = rest;
    const struct case_slice verb = case_word(&rest);
    if (!part)
        return false;
    if (case_is(verb, "has"))
        return words && json_is_string(part) && strstr(json_string_value(part), words);
    if (case_is(verb, "size"))
        return size_of(part) == strtoul(rest.at, NULL, 10);
    if (!verb.length && !words)
        return true;
    if (words)
        return json_is_string(part) && strcmp(json_string_value(part), words) == 0;
    json_t *wanted = json_loadb(value.at, value.length, JSON_DECODE_ANY, NULL);
    const bool same = wanted && json_equal(part, wanted);
    json_decref(wanted);
    return same;
}

/* --- expectations ----------------------------------------------------------------------------- */

static bool stream_holds(const char *stream, struct case_slice rest, const char *words)
{
    if (case_is(case_word(&rest), "is"))
        return strcmp(stream, words) == 0;
    return strstr(stream, words) != NULL;
}

static bool part_holds(const struct takt_result *result, struct case_slice text, const char *words)
{
    const struct case_slice verb = case_word(&text);
    if (case_is(verb, "json")) {
        json_t *answer = json_loads(result->out, 0, NULL);
        const bool good = answer && (!text.length || json_holds(answer, text, words));
        json_decref(answer);
        return good;
    }
    if (!words || !(case_is(verb, "out") || case_is(verb, "err"))) {
        fprintf(stderr, "an expectation of no known kind\n");
        return false;
    }
    return stream_holds(case_is(verb, "out") ? result->out : result->err, text, words);
}

/* [EXIT] [[no] out|err|json ...] */
static bool holds(const struct takt_result *result, struct case_line expected)
{
    size_t size;
    char *words = case_words(&expected, &size), *end;
    struct case_slice rest = expected.text;
    bool good = true;
    const long code = strtol(rest.at, &end, 10);
    if (end != rest.at) {
        good = result->exit_code == code;
        case_word(&rest);
    }
    struct case_slice next = rest;
    const bool no = case_is(case_word(&next), "no");
    if (no)
        rest = next;
    next = rest;
    if (good && case_word(&next).length)
        good = part_holds(result, rest, words) != no;
    free(words);
    return good;
}

size_t case_run_command(const struct case_file *file, const struct case_one *one)
{
    size_t wrong = 0;
    char *command = strndup(one->what.text.at, one->what.text.length);
    struct takt_result r =
        takt_run_program((const char *const[]){"/bin/sh", "-c", command, NULL}, "");
    for (size_t i = one->first; i < one->first + one->count; i++) {
        if (holds(&r, file->expected[i]))
            continue;
        wrong++;
        case_wrong(file, &file->expected[i]);
        fprintf(stderr, "of the command\n  %s\nexit %d, out:\n%.4000s\nerr:\n%.4000s\n", command,
                r.exit_code, r.out, r.err);
    }
    takt_result_free(&r);
    free(command);
    return wrong;
}
