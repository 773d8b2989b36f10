/*
 * Launches: of a case printed and read again, of a text by hand, and what is wrong with one. The
 * metadata buffer is checked against the manual's list of its words.
 */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/ventus/program.h"
#include "functional/ventus/run.h"

static char root[] = "/tmp/takt-ventus-XXXXXX";
static unsigned cases;
static char said[600];

static int load(struct ventus_program *program, struct source *source)
{
    struct diag_list diags;
    diag_list_init(&diags);
    const int status = ventus_program_load(program, source, 1, &diags);
    said[0] = '\0';
    if (diags.count)
        snprintf(said, sizeof said, "%u:%u: %s", diags.items[0].line, diags.items[0].column,
                 diags.items[0].message);
    diag_list_free(&diags);
    return status;
}

static int load_text(struct ventus_program *program, struct source *source, const char *text)
{
    assert_int_equal(source_from_text(source, "t.ventus", text, strlen(text)), 0);
    return load(program, source);
}

/* --- a case there and back -------------------------------------------------------------------- */

static uint64_t room_of(const struct ventus_buffer *b)
{
    return b->room > b->size ? b->room : b->size;
}

static const struct ventus_buffer *buffer_at(const struct ventus_launch *l, uint32_t base)
{
    for (size_t i = 0; i < l->buffer_count; i++)
        if (l->buffers[i].base == base)
            return &l->buffers[i];
    return NULL;
}

static void same_launch(const struct ventus_launch *a, const struct ventus_launch *b)
{
    assert_memory_equal(a->grid, b->grid, sizeof a->grid);
    assert_int_equal(a->start, b->start);
    assert_int_equal(a->threads, b->threads);
    assert_int_equal(a->warps, b->warps);
    assert_int_equal(a->metadata, b->metadata);
    assert_int_equal(a->local, b->local);
    assert_int_equal(a->private, b->private);
    assert_int_equal(a->private_base, b->private_base);
    assert_int_equal(a->sgprs, b->sgprs);
    assert_int_equal(a->vgprs, b->vgprs);
    assert_int_equal(a->code, b->code);
    assert_int_equal(a->op_count, b->op_count);
    assert_int_equal(a->buffer_count, b->buffer_count);
    for (size_t i = 0; i < a->buffer_count; i++) {
        const struct ventus_buffer *x = &a->buffers[i], *y = buffer_at(b, x->base);
        assert_non_null(y);
        assert_true(room_of(x) == room_of(y));
        assert_true(x->size == y->size);
        if (x->size)
            assert_memory_equal(x->bytes, y->bytes, x->size);
    }
}

static int there_and_back(const char *path, const struct stat *info, int flag, struct FTW *walk)
{
    (void)info;
    (void)walk;
    const size_t length = strlen(path);
    if (flag != FTW_F || length < 9 || strcmp(path + length - 9, ".metadata") != 0)
        return 0;
    struct source source, again;
    struct ventus_program program, printed;
    char error[256], *text = NULL;
    size_t size;
    assert_int_equal(source_open(&source, path, error, sizeof error), 0);
    assert_int_equal(load(&program, &source), 0);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(ventus_program_print(&program, out), 0);
    fclose(out);
    if (load_text(&printed, &again, text) != 0)
        fail_msg("%s: %s", path, said);
    same_launch(ventus_program_launch(&program), ventus_program_launch(&printed));
    ventus_program_free(&printed);
    source_close(&again);
    ventus_program_free(&program);
    source_close(&source);
    free(text);
    cases++;
    return 0;
}

static void cases_as_text(void **state)
{
    (void)state;
    assert_int_equal(nftw(root, there_and_back, 16, FTW_PHYS), 0);
    assert_int_equal(cases, 47); /* two have no log */
}

/* --- a text ----------------------------------------------------------------------------------- */

static uint32_t word(const struct ventus_launch *l, uint32_t base, uint32_t number)
{
    uint32_t value;
    memcpy(&value, buffer_at(l, base)->bytes + 4 * number, 4);
    return value;
}

static void metadata(void **state)
{
    (void)state;
    static const char text[] = "    .launch grid 2, 3\n"
                               "    .launch workgroup 32, 4\n"
                               "    .launch threads 16\n"
                               "    .launch offset 5, 6, 7\n"
                               "    .launch private 8\n"
                               "    .launch print 100\n"
                               "    .launch kernel k\n"
                               "    .arg b, 2.5, -1, a\n"
                               "_start: endprg\n"
                               "k: endprg\n"
                               "    .buffer a, 5000\n"
                               "    .word 1, 2\n"
                               "    .buffer b, 4, 0x90002000\n";
    struct ventus_program program;
    struct source source;
    if (load_text(&program, &source, text) != 0)
        fail_msg("%s", said);
    const struct ventus_launch *l = ventus_program_launch(&program);
    assert_int_equal(l->start, 0x80000000);
    assert_int_equal(l->warps, 8); /* 128 threads in warps of 16 */
    assert_int_equal(l->local, 8192);
    /* a takes two pages, b stands where it says; arguments, print buffer, metadata and private
     * memory follow, each in the first page that is free. */
    assert_int_equal(word(l, 0x90000000, 1), 2);
    assert_int_equal(room_of(buffer_at(l, 0x90000000)), 5000);
    const uint32_t arguments = 0x90003000, print = 0x90004000;
    assert_int_equal(l->metadata, 0x90005000);
    assert_int_equal(l->private_base, 0x90006000);
    assert_int_equal(room_of(buffer_at(l, 0x90006000)), 6 * 128 * 8);
    const uint32_t want[14] = {0x80000004, arguments, 2, 64, 12, 1, 32, 4, 1, 5, 6, 7, print, 100};
    for (uint32_t i = 0; i < 14; i++)
        assert_int_equal(word(l, l->metadata, i), want[i]);
    const uint32_t given[] = {0x90002000, 0x40200000, UINT32_MAX, 0x90000000};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(word(l, arguments, i), given[i]);
    ventus_program_free(&program);
    source_close(&source);
}

static void wrong_texts(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"    .launch grid 0\n endprg\n", "1:18: grid 0 is not in 1 to 1048576"},
        {"    .launch grid 1, 1, 1, 1\n endprg\n", "1:25: nothing more was expected here"},
        {"    .launch gird 1\n endprg\n", "1:13: a launch has no 'gird'"},
        {"    .launch threads 33\n endprg\n", "1:21: threads 33 is not in 1 to 32"},
        {"    .launch workgroup 33\n endprg\n",
         "0:0: a workgroup of 33 threads is not 1 to 32 whole warps of 32"},
        {"    .launch workgroup 1024\n    .launch threads 16\n endprg\n",
         "0:0: a workgroup of 1024 threads is not 1 to 32 whole warps of 16"},
        {"    .buffer a, 4\n    .word 1, 2\n    .text\n endprg\n",
         "2:5: a holds 4 bytes, and this goes beyond them"},
        {"    .buffer a, 4096, 0x90000000\n    .buffer b, 4, 0x90000ffc\n    .text\n endprg\n",
         "1:13: a, 0x90000000 to 0x90000fff, overlaps b"},
        {"    .buffer a, 4, 0x80000000\n    .text\n endprg\n",
         "1:13: a, 0x80000000 to 0x80000003, overlaps the program's text"},
        {"    .buffer a, 8, 0xfffffffc\n    .text\n endprg\n",
         "1:13: a, 0xfffffffc to 0x100000003, goes beyond the last address"},
        {"    .buffer a, 4\n endprg\n", "2:2: an instruction in section a"},
        {"    .launch start 0x80000004\n endprg\n",
         "0:0: the start address 0x80000004 is not in the code"},
        {"    .arg nothing\n endprg\n", "1:10: nothing is not defined"},
        {"    .float x\n endprg\n", "1:12: a number was expected here"},
        {"    .float 1.000000000000000000000000000000000000000000000000000000000000000\n endprg\n",
         "1:12: a number was expected here"},
        {"    .arg 0x100000000\n endprg\n",
         "1:10: the argument 4294967296 is not in -2147483648 to 4294967295"},
        {"", "0:0: the start address 0x00000000 is not in the code"},
        {"# takt: get v256\n endprg\n",
         "1:13: get takes xN, vN or m:ADDRESS, then .b, .h or .w and a count"},
        {" endprg\n# takt: get v1\n", "2:13: at the end of the run there is memory alone"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ventus_program program;
        struct source source;
        assert_int_equal(load_text(&program, &source, rows[i][0]), 1);
        said[strlen(rows[i][1])] = '\0';
        assert_string_equal(said, rows[i][1]);
        ventus_program_free(&program);
        source_close(&source);
    }
}

/* --- get -------------------------------------------------------------------------------------- */

static void values(void **state)
{
    (void)state;
    static const char text[] = "    .launch threads 4\n"
                               "    .launch workgroup 8\n"
                               "    vid.v v1\n"
                               "    csrr x40, wid\n"
                               "# takt: get v1 3\n"
                               "# takt: get x40\n"
                               "    endprg\n"
                               "# takt: get m:b.h 3\n"
                               "# takt: get m:0 1\n"
                               "    .buffer b, 8\n"
                               "    .half 1, 2, 3\n";
    struct ventus_program program;
    struct ventus_run run;
    struct source source;
    char error[VENTUS_ERROR], *dump = NULL;
    size_t size;
    if (load_text(&program, &source, text) != 0)
        fail_msg("%s", said);
    FILE *out = open_memstream(&dump, &size);
    assert_int_equal(ventus_run_new(&run, &program, error), 0);
    ventus_run_gets(&run, out);
    assert_int_equal(ventus_run_advance(&run, 1000, error), 0);
    ventus_run_end_gets(&run, out);
    fclose(out);
    assert_string_equal(
        dump,
        "DEBUG-V(1,0):(0x00000000, 0x00000001, 0x00000002) #get v1 3 workgroup (0, 0, 0) warp 0\n"
        "DEBUG-X(40,0):(0x00000000) #get x40 workgroup (0, 0, 0) warp 0\n"
        "DEBUG-V(1,0):(0x00000000, 0x00000001, 0x00000002) #get v1 3 workgroup (0, 0, 0) warp 1\n"
        "DEBUG-X(40,0):(0x00000001) #get x40 workgroup (0, 0, 0) warp 1\n"
        "DEBUG-M(2415919104,0):(0x0001, 0x0002, 0x0003) #get m:b.h 3\n"
        "DEBUG-M(0,0):(no memory) #get m:0 1\n");
    ventus_run_free(&run);
    ventus_program_free(&program);
    source_close(&source);
    free(dump);
}

/* Words of memory by address and by label, at both edges of a buffer. */
static void places(void **state)
{
    (void)state;
    static const char text[] = "    endprg\n"
                               "    .buffer a, 16\n"
                               "    .dword 1, 2\n"
                               "b:\n"
                               "    .buffer c, 8192\n"
                               "    .zero 4\n"
                               "odd:\n";
    static const struct {
        const char *spec;
        int status;
        size_t count;
        uint64_t last;
    } rows[] = {
        {"m:0x12000000", 0, 2, 2},
        {"m:a", 0, 2, 2},
        {"m:a+2", 0, 2, 2},
        {"m:a+1", 1, 2, 0},
        {"m:0x12000001", 0, 1, 2},
        {"m:c+1024", 0, 1024, 0},
        {"m:c+1025", 1, 1025, 0},
        {"m:0x13000000", 1, 1, 0},
        {"m:0x11ffffff", 1, 1, 0},
        {"m:odd", 1, 1, 0},
        {"m:nothing", 1, 1, 0},
        {"m:", 1, 1, 0},
        {"x@1", 1, 1, 0},
        {"m@1:0", 1, 1, 0},
        {"m:0xffffffffffffffff", 1, 1, 0},
        {"m:99999999999999999999", 1, 1, 0},
    };
    struct ventus_program program;
    struct ventus_run run;
    struct source source;
    char error[VENTUS_ERROR];
    static uint64_t words[2048];
    if (load_text(&program, &source, text) != 0)
        fail_msg("%s", said);
    assert_int_equal(ventus_run_new(&run, &program, error), 0);
    const struct place_owner owner = ventus_run_places(&run);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int status =
            place_get(&owner, rows[i].spec, words, rows[i].count, error, sizeof error);
        if (status != rows[i].status)
            fail_msg("%s: %d", rows[i].spec, status);
        if (status == 0)
            assert_true(words[rows[i].count - 1] == rows[i].last);
    }
    words[0] = 7;
    assert_int_equal(place_put(&owner, "m:b", words, 1, error, sizeof error), 0);
    assert_int_equal(*ventus_memory_at(&run.memory, 0x90000010, 1), 7);
    ventus_run_free(&run);
    ventus_program_free(&program);
    source_close(&source);
}

static int unpack(void **state)
{
    (void)state;
    char command[256];
    if (!mkdtemp(root))
        return -1;
    snprintf(command, sizeof command, "tar -xzf tests/ventus/cases.tar.gz -C %s", root);
    return system(command);
}

static int clear(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_as_text), cmocka_unit_test(metadata), cmocka_unit_test(wrong_texts),
        cmocka_unit_test(values),        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, unpack, clear);
}
