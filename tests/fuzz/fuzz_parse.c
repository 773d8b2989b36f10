/*
 * fuzz_parse: any bytes through the parser and the printer. What is legal must print as text that
 * is legal again and prints as itself; nothing may crash, hang, leak or read beyond the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct run {
    struct source source;
    struct diag_list diags;
    struct program program;
    int result;
};

static void start(struct run *run, const char *text, size_t size)
{
    diag_list_init(&run->diags);
    if (source_from_text(&run->source, "fuzz.vsm", text, size) != 0)
        abort();
    run->result = mncore2_program_parse(&run->program, &run->source, 1, &run->diags);
    if ((run->result == 0) != (run->diags.errors == 0))
        abort();
}

static void finish(struct run *run)
{
    mncore2_program_free(&run->program);
    diag_list_free(&run->diags);
    source_close(&run->source);
}

static char *print(const struct run *run, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    for (size_t i = 0; i < run->program.item_count; i++) {
        const struct stmt *stmt = &run->program.stmts[run->program.items[i].stmt];
        const int length = mncore2_stmt_print(&run->program, stmt, NULL, 0);
        char *line = malloc((size_t)length + 1);
        if (line == NULL ||
            mncore2_stmt_print(&run->program, stmt, line, (size_t)length + 1) != length)
            abort();
        fprintf(out, "%s\n", line);
        free(line);
    }
    fclose(out);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run first, second;
    start(&first, (const char *)data, size);
    static FILE *sink;
    if (sink == NULL)
        sink = fopen("/dev/null", "w");
    if (sink != NULL)
        diag_print(&first.diags, &first.source, 1, sink, false);
    size_t printed_size, again_size;
    char *printed = print(&first, &printed_size);
    start(&second, printed, printed_size);
    if (second.result != 0) {
        diag_print(&second.diags, &second.source, 1, stderr, false);
        abort();
    }
    char *again = print(&second, &again_size);
    if (again_size != printed_size || memcmp(again, printed, printed_size) != 0) {
        fprintf(stderr, "%s---\n%s", printed, again);
        abort();
    }
    free(printed);
    free(again);
    finish(&first);
    finish(&second);
    return 0;
}
