#include "tests/mncore2/exec_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "functional/mncore2/state.h"

struct board board_new(enum init_kind init, uint64_t seed, unsigned threads)
{
    struct board board = {0};
    board.stream = tmpfile();
    assert_non_null(board.stream);
    const struct exec_options options = {
        .dump = board.stream, .init = {init, seed}, .threads = threads};
    char error[200];
    board.exec = mncore2_exec_new(&options, error, sizeof error);
    if (board.exec == NULL)
        fail_msg("%s", error);
    board.dump = strdup("");
    return board;
}

void board_free(struct board *board)
{
    mncore2_exec_free(board->exec);
    fclose(board->stream);
    free(board->dump);
}

void board_clear(struct board *board)
{
    rewind(board->stream);
    assert_int_equal(ftruncate(fileno(board->stream), 0), 0);
    free(board->dump);
    board->dump = strdup("");
    board->dump_size = 0;
}

static void collect_dump(struct board *board)
{
    fflush(board->stream);
    const long size = ftell(board->stream);
    assert_true(size >= 0);
    free(board->dump);
    board->dump = calloc(1, (size_t)size + 1);
    assert_non_null(board->dump);
    rewind(board->stream);
    board->dump_size = fread(board->dump, 1, (size_t)size, board->stream);
    fseek(board->stream, 0, SEEK_END);
}

/* 0, or 1 when there was an error. */
static int run_source(struct board *board, const char *text, struct diag_list *diags)
{
    struct source source;
    struct program program;
    assert_int_equal(source_from_text(&source, "test.vsm", text, strlen(text)), 0);
    int status = mncore2_program_parse(&program, &source, 1, diags);
    assert_true(status >= 0);
    for (size_t i = 0; status == 0 && i < program.item_count; i++)
        status = mncore2_exec_item(board->exec, &program, i, diags);
    assert_true(status >= 0);
    mncore2_program_free(&program);
    source_close(&source);
    collect_dump(board);
    return status;
}

void board_run(struct board *board, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = NULL;
    assert_true(vasprintf(&text, format, args) >= 0);
    va_end(args);
    struct diag_list diags;
    diag_list_init(&diags);
    if (run_source(board, text, &diags) != 0)
        fail_msg("%s\n%s", diags.count > 0 ? diags.items[0].message : "fault", text);
    diag_list_free(&diags);
    free(text);
}

bool board_fault(struct board *board, const char *program, char *text, size_t size)
{
    struct diag_list diags;
    diag_list_init(&diags);
    const int status = run_source(board, program, &diags);
    if (text != NULL)
        snprintf(text, size, "%s", diags.count > 0 ? diags.items[0].message : "");
    assert_true(status == 0 || diags.errors > 0);
    diag_list_free(&diags);
    return status != 0;
}

void board_split(struct board *board)
{
    uint32_t key[MABS];
    for (unsigned mab = 0; mab < MABS; mab++)
        key[mab] = mab;
    assert_int_equal(mncore2_state_split(board->exec, key), 0);
}

size_t board_classes(const struct board *board)
{
    return board->exec->classes;
}

uint64_t board_pe(const struct board *board, enum mem mem, unsigned l1b, unsigned mab, unsigned pe,
                  unsigned index)
{
    const struct exec *e = board->exec;
    const size_t k = e->class_of[l1b * MAB_PER_L1B + mab];
    return mncore2_state_long(e, state_base(mem) + index, k * PE_PER_MAB + pe);
}

uint64_t board_l1bm(const struct board *board, unsigned l1b, unsigned addr)
{
    return board->exec->l1bm[l1b][addr % L1BM_LONGS];
}

uint64_t board_l2bm(const struct board *board, unsigned l2b, unsigned addr)
{
    return board->exec->l2bm[l2b][addr % L2BM_LONGS];
}

uint64_t board_random(uint64_t n)
{
    n = (n + 1) * 0x9e3779b97f4a7c15u;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
    n = (n ^ n >> 27) * 0x94d049bb133111ebu;
    return n ^ n >> 31;
}
