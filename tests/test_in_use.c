/*
 * No command writes over a file that it reads or writes, by whatever names and whoever opened it;
 * standard input and output are each of one use; ends of commands have their codes.
 *
 * A row is two lines of shell in a folder of its own: what is there, and the command; a file whose
 * bytes must stay; the exit code and a sentence.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/takt_expect.h"
#include "tests/takt_process.h"

struct row {
    const char *before, *command, *kept;
    int exit_code;
    const char *err, *out; /* pieces; NULL: any */
};

/* $T is takt, $R the tree with the examples. Returns what system() does. */
static int shell(const char *folder, const char *line, const char *end)
{
    char command[2000];
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    snprintf(command, sizeof command,
             "T=$(realpath %s) R=$(pwd); cd %s && X=$R/examples/mncore2 && { %s\n} %s", takt,
             folder, line, end);
    return system(command);
}

static void check(const struct row *row)
{
    char folder[300], kept[400], out[400], err[400];
    snprintf(folder, sizeof folder, "%s", takt_temp_path("row"));
    snprintf(kept, sizeof kept, "%s/%s", folder, row->kept ? row->kept : "");
    snprintf(out, sizeof out, "%s/.out", folder);
    snprintf(err, sizeof err, "%s/.err", folder);
    size_t size = 0, now = 0;
    char line[700];
    snprintf(line, sizeof line, "rm -rf %s; mkdir %s", folder, folder);
    assert_int_equal(system(line), 0);
    assert_int_equal(shell(folder, row->before, ">/dev/null 2>&1"), 0);
    char *was = row->kept ? takt_read_file(kept, &size) : NULL;
    const int status = shell(folder, row->command, ">.out 2>.err");
    char *said = takt_read_file(err, NULL), *answer = takt_read_file(out, NULL);
    char *is = row->kept ? takt_read_file(kept, &now) : NULL;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != row->exit_code)
        fail_msg("%s: exit %d: %s", row->command, status >> 8, said);
    if (row->err && !strstr(said, row->err))
        fail_msg("%s says %s", row->command, said);
    if (row->out && !strstr(answer, row->out))
        fail_msg("%s answers %s", row->command, answer);
    if (row->kept && (!was || !is || size != now || memcmp(was, is, size) != 0))
        fail_msg("%s: %s has changed", row->command, row->kept);
    free(said), free(answer), free(was), free(is);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    assert_int_equal(system(line), 0);
}

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(&rows[i]);
}
#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))

#define TRACE "$T run --quiet --trace t.db $X/reduce.vsm"
#define WORDS "head -c 128 /dev/zero | tr '\\0' x > in.bin"

static void inputs_stay(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"mkdir d; $T run --quiet --trace d/units.csv $X/reduce.vsm",
         "$T export --format csv --output d d/units.csv", "d/units.csv", 2, "d/units.csv is read",
         NULL},
        {WORDS, "$T diff --load d@0:0=in.bin --html in.bin $X/reduce.vsm $X/fma.vsm", "in.bin", 2,
         "in.bin is read", NULL},
        {"echo nop > p.vsm", "$T schedule --machine mncore2 --out p.vsm - <p.vsm", "p.vsm", 2,
         "p.vsm is read", NULL},
        {"cp $X/fma.vsm p.vsm", "$T run --machine mncore2 --dump p.vsm - <p.vsm", "p.vsm", 2,
         "p.vsm is read", NULL},
        /* Files that a program names, not the command line. */
        {"tar -xzf $R/tests/ventus/cases.tar.gz && mv $(find . -name vecadd_0.data | head -n 1) . "
         "&& mv $(find . -name vecadd_0.metadata | head -n 1) .",
         "$T run --quiet --dump vecadd_0.data vecadd_0.metadata", "vecadd_0.data", 2,
         "vecadd_0.data is read", NULL},
        {TRACE "; echo '{}' > a.json",
         "$T export --format html --advice a.json --output a.json t.db", "a.json", 2, "a.json",
         NULL},
    };
    CHECK(rows);
}

static void what_stands_beside_a_trace(void **state)
{
    (void)state;
#define LINKED "ln -s real.db link.db; $T run --quiet --trace link.db $X/reduce.vsm"
#define MATTER "{ printf 'precious '; head -c 600 /dev/zero | tr '\\0' x; }"
    static const struct row rows[] = {
        {LINKED, "$T run --quiet --trace link.db --save d@0:0+16=real.db.partial $X/reduce.vsm",
         "real.db", 2, "would both write", NULL},
        {"true", "$T run --quiet --trace t.db --save d@0:0+16=t.db-journal $X/reduce.vsm", NULL, 2,
         "would both write", NULL},
        {"true", "$T run --quiet --trace t.db --save d@0:0+16=t.db.partial-journal $X/reduce.vsm",
         NULL, 2, "would both write", NULL},
        {"head -c 128 /dev/zero > t.db-journal",
         "$T run --quiet --trace t.db --load d@0:0=t.db-journal $X/reduce.vsm", "t.db-journal", 2,
         "would write over", NULL},
        {"printf '\\0my data' > t.db-journal", TRACE, "t.db-journal", 1, "move it away", NULL},
        {"{ head -c 1024 /dev/zero; echo data; } > t.db-journal", TRACE, "t.db-journal", 1,
         "move it away", NULL},
        {LINKED "; " MATTER " > real.db-journal", "$T trace materialize --window : link.db",
         "real.db-journal", 1, "move it away", NULL},
        {LINKED "; " MATTER " > real.db-journal", "$T report link.db", "real.db-journal", 1,
         "move it away", NULL},
        /* What SQLite would take for a part of a trace that is read. */
        {TRACE, "$T export t.db --format json --question stalls --output t.db-journal", NULL, 2,
         "t.db-journal is used", NULL},
        {TRACE, "$T export t.db --format json --question stalls --output t.db-wal", NULL, 2,
         "t.db-wal is used", NULL},
        {TRACE, "$T export t.db --format json --question stalls --output t.db-shm", NULL, 2,
         "t.db-shm is used", NULL},
        {TRACE "; ln -s t.db-journal page.html", "$T diff t.db $X/fma.vsm --html page.html", NULL,
         2, "page.html is used", NULL},
        {TRACE, "$T expect t.db 'cycles<9999' --junit t.db-journal; $T report t.db", "t.db", 0,
         "t.db-journal is used", NULL},
    };
    CHECK(rows);
}

static void batches(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"cp $R/examples/ventus/saxpy.ventus b.ventus",
         "echo '{\"file\":\"b.ventus\",\"options\":{\"log\":\"b.ventus\"}}' | $T batch", "b.ventus",
         1, NULL, "option log writes a file"},
        {"cp $X/fma.vsm p.vsm",
         "echo '{\"file\":\"p.vsm\",\"options\":{\"trace\":\"p.vsm\"}}' | $T batch", "p.vsm", 1,
         NULL, "p.vsm"},
        {"true", "$T batch --packing \"$(printf 'fl\\377at')\" $X/reduce.vsm", NULL, 2,
         "is not UTF-8", NULL},
        {"true", "$T batch --hash --init \"$(printf 'pattern\\377')\" $X/reduce.vsm", NULL, 2,
         "is not UTF-8", NULL},
        {"true", "$T batch --silence \"$(printf '\\377')\" $X/reduce.vsm", NULL, 2, "is not UTF-8",
         NULL},
        {"true", "echo $X/fma.vsm | $T batch --list - --config -", NULL, 2,
         "standard input can be read once", NULL},
        /* Standard input holds the jobs. */
        {"true",
         "printf '{\"file\":\"/dev/stdin\"}\\n{\"text\":\"nop\\\\n\",\"id\":\"second\"}\\n' | "
         "$T batch --jobs 1",
         NULL, 1, NULL, "{\"id\":\"second\",\"ok\":true"},
        {"true", "$T batch --machine mncore2 /dev/stdin <$X/fma.vsm", NULL, 1, NULL,
         "standard input is not read"},
        {"true", "printf \"$X/fma.vsm\\0junk\\n\" | $T batch --list -", NULL, 1, NULL,
         "the name has a NUL byte"},
        {"true", "$T batch --list .", NULL, 1, "is a folder", NULL},
        {"true",
         "$T run --quiet --machine amx - /dev/stdin < $R/examples/amx/block.amx | cat; "
         "printf 'set\\n' | $T run --quiet --machine amx - /dev/stdin",
         NULL, 1, "standard input can be read once", NULL},
        /* What is empty may be read again. */
        {"true", "$T run --quiet --config /dev/null --config /dev/null $X/reduce.vsm </dev/null",
         NULL, 0, NULL, NULL},
    };
    CHECK(rows);
}

static void standard_output_by_other_names(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"true", "$T run --json --dump /dev/stdout $X/reduce.vsm", NULL, 2,
         "both want standard output", NULL},
        {"true", "$T run --json --events /dev/fd/1 $X/reduce.vsm", NULL, 2,
         "both want standard output", NULL},
        {"true", "$T run --dump - --events /proc/self/fd/1 $X/reduce.vsm", NULL, 2,
         "both want standard output", NULL},
        {"true", "$T run --save d@0:0+16=/dev/stdout $X/reduce.vsm", NULL, 2,
         "--save writes a file", NULL},
        {"true", "$T schedule --json --out /dev/stdout $X/reduce.vsm", NULL, 2,
         "both want standard output", NULL},
        {"true", "$T advise --json --apply /dev/stdout $X/reduce.vsm", NULL, 2,
         "both want standard output", NULL},
        {"true", "$T run --trace /dev/stdout $X/reduce.vsm", NULL, 2, "--trace writes a file",
         NULL},
        {"true", "$T judge --trace /dev/fd/1 $X/judge-testcase.vsm $X/judge-answer.vsm", NULL, 2,
         "--trace writes a file", NULL},
        {"true", "$T run --dump so $X/reduce.vsm >so", NULL, 2, "so is written already", NULL},
        {TRACE, "$T report t.db check --region a", NULL, 2, "about the whole run", NULL},
        {"true", "$T diff --html /dev/stdout $X/reduce.vsm $X/fma.vsm", NULL, 2,
         "--html writes a file", NULL},
        {"true",
         "$T schedule --out /dev/stdout $X/reduce.vsm 2>/dev/null > p.vsm && "
         "$T check --silence all p.vsm",
         NULL, 0, NULL, NULL},
    };
    CHECK(rows);
}

/* A reader that has gone leaves no file that is not whole. */
static void pipes_that_close(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"true", "$T run --json --dump d.txt $X/reduce.vsm | true; sleep 0.2; ls", NULL, 0, NULL,
         NULL},
        {"mkdir tmp",
         "TMPDIR=tmp $T diff --all --json $(printf -- '--compare d@0:%d+16 ' $(seq 40)) $X/reduce.vsm $X/fma.vsm | true; "
         "sleep 0.2; ls tmp; test -z \"$(ls tmp)\"",
         NULL, 0, NULL, NULL},
        {"true",
         "$T run --json --dump d.txt $X/reduce.vsm | true; sleep 0.2; "
         "! ls d.txt.* 2>/dev/null",
         NULL, 0, NULL, NULL},
    };
    CHECK(rows);
}

/* A judge that is interrupted says so. */
static void judges_that_end(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"{ cat $X/judge-answer.vsm; yes 'lpassa $lm0v $lr0v' | head -n 1000000; } > a.vsm",
         "$T judge --trace j.db $X/judge-testcase.vsm a.vsm & "
         "while [ ! -e j.db.partial ]; do sleep 0.01; done; sleep 0.05; kill -TERM $!; wait $!",
         NULL, 130, "takt judge: interrupted\n", NULL},
    };
    CHECK(rows);
}

static void answers_in_json(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"cp $X/reduce.vsm \"$(printf 'n\\351.vsm')\"", "$T advise --json *.vsm", NULL, 0, NULL,
         "\"n?.vsm\""},
        {"cp $X/reduce.vsm \"$(printf 'n\\351.vsm')\"", "$T schedule --json --out o *.vsm", NULL, 0,
         NULL, "\"n?.vsm\""},
        {"cp $X/reduce.vsm \"$(printf 'n\\351.vsm')\"", "$T sensitivity --json *.vsm", NULL, 0,
         NULL, "\"n?.vsm\""},
        {"true", "$T report --json none.db", NULL, 1, NULL, "\"error\": \"cannot open none.db"},
        {"true", "$T timeline --json none.db", NULL, 1, NULL, "\"error\": \"cannot open none.db"},
        {"true", "$T query --json none.db 'SELECT 1'", NULL, 1, NULL,
         "\"error\": \"cannot open none.db"},
        {"true", "$T config --json --set a=b amx", NULL, 1, NULL, "\"error\": "},
        {"true", "$T loops 100x30 --print masked --json", NULL, 2, "changes nothing", NULL},
        {TRACE, "$T report --list t.db units", NULL, 2, "--list", NULL},
        {"true", "$T run --json -xy p.vsm", NULL, 2, "there is no option '-x'", NULL},
        {"true", "$T run --quiet --load d@0:0=/tmp $X/reduce.vsm", NULL, 1, "Is a directory", NULL},
        {"true", "$T run $(printf 'd/%.0s' $(seq 150))x.vsm", NULL, 1, "No such file", NULL},
    };
    CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_stay),      cmocka_unit_test(what_stands_beside_a_trace),
        cmocka_unit_test(batches),          cmocka_unit_test(standard_output_by_other_names),
        cmocka_unit_test(pipes_that_close), cmocka_unit_test(judges_that_end),
        cmocka_unit_test(answers_in_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
