/* The language: what is refused, where, and with which sentence; what is printed reads the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/loops/program.h"

#define HEAD                                                                                       \
    "tensor a f32 4x6\ntensor b f32 4x6\ntensor i i32 4x6\ntensor h i8 6\n" /* lines 1 to 4 */
#define NEST HEAD "nest\nfor y 4\nfor x 6 over math\n"                      /* the body is line 8 */

struct refusal {
    const char *text;
    uint32_t line, column;
    const char *says;
};

static const struct refusal refusals[] = {
    {"unit 4\n", 1, 1, "did you mean 'units'"},
    {"units\n", 1, 1, "number of units is missing"},
    {"units 0\n", 1, 7, "units: 0 is not in 1 to 65536"},
    {"units 65537\n", 1, 7, "not in 1 to"},
    {"units 4\nunits 4\n", 2, 1, "twice"},
    {"units tiles=17\n", 1, 13, "not in 1 to 16"},
    {"units tiles=2 tiles=2\n", 1, 15, "twice"},
    {"units tile=2\n", 1, 7, "did you mean 'tiles'"},
    {"units tiles=16 processors=1024 math=8\n", 1, 1, "more than 65536 units"},
    {"units tiles=2 8\n", 1, 15, "was expected"},
    {"units 8 tiles=2\n", 1, 9, "nothing more"},
    {"tensor\n", 1, 1, "its name is missing"},
    {"tensor 4 f32 4\n", 1, 8, "no name"},
    {"tensor max f32 4\n", 1, 8, "word of the language"},
    {"tensor aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa f32 4\n", 1, 8, "at most 31"},
    {"tensor a f64 4\n", 1, 10, "type"},
    {"tensor a f32\n", 1, 10, "its shape is missing"},
    {"tensor a f32 4x\n", 1, 16, "dimension"},
    {"tensor a f32 4x0\n", 1, 16, "not in 1 to 2147483648"},
    {"tensor a f32 1x1x1x1x1x1x1x1x1\n", 1, 30, "more than 8 dimensions"},
    {"tensor a f32 4 strides=1,2\n", 1, 24, "a stride for each of the 1 dimensions"},
    {"tensor a f32 4x4 strides=1\n", 1, 26, "a stride for each of the 2 dimensions"},
    {"tensor a f32 4 base=2\n", 1, 8, "no multiple of the 4 bytes"},
    {"tensor a f32 4 base=1073741820\n", 1, 8, "beyond the memory"},
    {"tensor a f32 4 base=0 strides=-1\n", 1, 8, "beyond the memory"},
    {"tensor a f32 2147483648\n", 1, 8, "reach over more than the memory"},
    {"tensor a i8 2147483648x2147483648x2147483648 strides=1073741824,-1073741824,1\n", 1, 8,
     "reach over more"},
    {"tensor a f32 4 base=0 base=0\n", 1, 23, "twice"},
    {"tensor a f32 4 base\n", 1, 16, "needs a value"},
    {"tensor a f32 4\ntensor a f32 4\n", 2, 8, "already"},
    {"d get a 0 1\n", 1, 7, "no tensor 'a'"},
    {HEAD "d put a 0 1\n", 5, 3, "unknown word 'put'"},
    {HEAD "d get a 24 1\n", 5, 9, "not in 0 to 23"},
    {HEAD "d get a 20 5\n", 5, 12, "not in 1 to 4"},
    {HEAD "d set a 0 2\n", 5, 12, "a value is missing"},
    {HEAD "d set a 0 2 1 2 3\n", 5, 17, "more values than the 2 elements"},
    {HEAD "d set a 0 2 1x\n", 5, 13, "no number of type f32"},
    {HEAD "d set a 0 2 1e99\n", 5, 13, "no number of type f32"},
    {HEAD "d set h 0 2 128\n", 5, 13, "-128 to 127"},
    {HEAD "d set i 0 2 2147483648\n", 5, 13, "no number of type i32"},
    {"for x 4\n", 1, 1, "inside a nest"},
    {"end\n", 1, 1, "no nest is open"},
    {"nest\n", 1, 1, "not closed"},
    {"nest\nend\n", 2, 1, "no body"},
    {"nest alternative\nend\n", 1, 6, "did you mean 'alternate'"},
    {"nest peeled uniform\nend\n", 1, 13, "second strategy"},
    {"nest outer=inner\nend\n", 1, 12, "value"},
    {"nest outer=beside outer=beside\nend\n", 1, 19, "twice"},
    {"nest\nnest\nend\n", 2, 1, "a nest is open"},
    {HEAD "nest\na[0,0] = 1\nend\n", 6, 1, "no loop"},
    {HEAD "nest\nfor x 0\n", 6, 7, "not in 1 to"},
    {HEAD "nest\nfor x 2147483649\n", 6, 7, "not in 1 to 2147483648"},
    {HEAD "nest\nfor a 2147483648\nfor b 2147483648\nfor c 2\n", 8, 7, "more than 2^62"},
    {HEAD "nest\nfor x 4\nfor x 4\n", 7, 5, "already"},
    {HEAD "nest\nfor x 4 units\n", 6, 9, "nothing more"},
    {HEAD "nest\nfor x 4 over\n", 6, 7, "what it goes over"},
    {HEAD "nest\nfor x 4 over lanes\n", 6, 14, "kind of unit"},
    {HEAD "nest\nfor x 4 over math\nfor y 4 over math\n", 7, 14, "serve loop x already"},
    {HEAD "nest\nfor x 4 over math\nfor y 4 over units\n", 7, 14, "serve loop x already"},
    {HEAD "nest\nfor x 4 over units\nfor y 4 over tiles\n", 7, 14, "serve loop x already"},
    {"a[0] = 1\n", 1, 1, "inside a nest"},
    {NEST "z[y,x] = 1\nend\n", 8, 1, "no tensor 'z'"},
    {NEST "a[y] = 1\nend\n", 8, 4, "',' was expected"},
    {NEST "a[y,x,0] = 1\nend\n", 8, 6, "']' was expected"},
    {NEST "a[y,z] = 1\nend\n", 8, 5, "no loop 'z'"},
    {NEST "a[y,x+1] = 1\nend\n", 8, 5, "reaches 6, and the dimension has 0 to 5"},
    {NEST "a[y,x-1] = 1\nend\n", 8, 5, "reaches -1"},
    {NEST "a[y,2*x] = 1\nend\n", 8, 5, "reaches 10"},
    {NEST "a[y,x] / b[y,x]\nend\n", 8, 8, "=, += or max="},
    {NEST "a[y,x] = b[y,x] / 2\nend\n", 8, 17, "no operator"},
    {NEST "a[y,x] = b[y,x] + 2 + 3\nend\n", 8, 21, "nothing more"},
    {NEST "a[y,x] =\nend\n", 8, 9, "an element or a number"},
    {NEST "a[y,x] = -b[y,x]\nend\n", 8, 10, "an element or a number"},
    {NEST "i[y,x] = 1.5\nend\n", 8, 10, "no number of type i32"},
    {NEST "a[y,x] = i[y,x]\nend\n", 8, 10, "elements of type i32 do not go into f32"},
    {NEST "i[y,x] = a[y,x]\nend\n", 8, 10, "elements of type f32 do not go into i32"},
    {NEST "h[x] += h[0]\nend\n", 8, 1, "do not stay in i8"},
    {NEST "a[y,0] = 1\nend\n", 8, 1, "all iterations of loop x write the same element"},
    {NEST "a[0,x] = b[y,x]\nend\n", 8, 1, "all iterations of loop y write the same element"},
    {NEST "a[0,x] += a[y,x]\nend\n", 8, 11, "where the nest accumulates"},
    {NEST "a[y,x] = a[3-y,x] + 1\nend\n", 8, 10, "other iterations may write"},
    {NEST "a[y,x] = 1\na[y,x] = 1\nend\n", 9, 1, "one body"},
    {NEST "a[y,x] = 1\nfor z 2\nend\n", 9, 1, "above the body"},
    {"tensor a f32 4x4 strides=3,1\nnest\nfor y 4\nfor x 4\na[y,x] = 1\nend\n", 5, 1,
     "may write elements that others write"},
    {"tensor a f32 16\nnest\nfor y 4\nfor x 4\na[3*y+x] = 1\nend\n", 5, 1,
     "iterations of loop y may write"},
    {"units tiles=2 math=4\ntensor a f32 1\nnest\nfor x 4 over units\na[0] += 1\nend\n", 5, 1,
     "no common memory"},
    {"units tiles=2 math=4\ntensor a f32 1\nnest\nfor x 4 over tiles\na[0] += 1\nend\n", 5, 1,
     "no common memory"},
    {"tensor a f32 8\ntensor b f32 8 base=4\nnest\nfor x 8\nb[x] = a[x]\nend\n", 5, 8,
     "other iterations may write"},
};

static void is_refused(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const struct refusal *r = &refusals[i];
        struct source source;
        struct diag_list diags;
        struct loops_program program;
        diag_list_init(&diags);
        assert_int_equal(source_from_text(&source, "t", r->text, strlen(r->text)), 0);
        const int status = loops_program_parse(&program, &source, 1, &diags);
        bool found = false;
        for (size_t k = 0; status == 1 && k < diags.count; k++) {
            const struct diag *d = &diags.items[k];
            char all[600];
            snprintf(all, sizeof all, "%s\n%s", d->message, d->fix ? d->fix : "");
            found = found || (d->line == r->line && d->column == r->column && strstr(all, r->says));
        }
        if (!found) {
            wrong++;
            print_error("%s%u:%u: %s is not said, but\n", r->text, r->line, r->column, r->says);
            diag_print(&diags, &source, 1, stderr, false);
        }
        loops_program_free(&program);
        diag_list_free(&diags);
        source_close(&source);
    }
    assert_int_equal(wrong, 0);
}

/* The other side of each rule. */
static const char *const fine[] = {
    "",
    "units 65536\n",
    "units tiles=16 processors=16 math=256\n",
    "tensor a f32 1x1x1x1x1x1x1x1\n",
    "tensor a i8 1073741824\n",
    "tensor a f32 2147483648x2147483648 strides=0,0\n",
    "tensor a f32 4 base=12 strides=-1\n",
    "tensor a f32 1 base=1073741820\n",
    HEAD "d get a 23 1\nd set h 0 2 -128 127\nd set i 0 1 -2147483648\nd set a 0 3 inf -inf nan\n",
    NEST "a[y,x] = b[3-y,5-x] max -1.5e-3\nend\n",
    NEST "a[y,x] = a[y,x] + 1\nend\n",
    NEST "h[x] max= i[y,x] - 1\nend\n",
    NEST "i[y,x] += h[x] * h[5]\nend\n",
    NEST "a [ y , x ] += b [ y , 2 ]  *  b[ 0,x*1 ]\nend\n",
    HEAD "nest\nfor x 1\nfor y 4\na[y,x+5] = 1\nend\n",
    HEAD "nest\nfor x 4\nfor z 1\na[x,z+z+z] = 1\nend\n",
    "tensor a f32 4x4 strides=4,1\nnest\nfor y 4\nfor x 4\na[y,x] = 1\nend\n",
    "tensor a f32 16\nnest\nfor y 4\nfor x 4\na[4*y+x] = 1\nend\n",
    "tensor a f32 8\ntensor b f32 8 base=32\nnest\nfor x 8\nb[x] = a[x]\nend\n",
    "units tiles=2 math=4\ntensor a f32 1\nnest\nfor x 4 over math\na[0] += 1\nend\n",
    "tensor a f32 1\nnest\nfor x 2147483648\nfor y 1073741824\na[0] += 1\nend\n",
};

static char *print(const char *text)
{
    struct source source;
    struct diag_list diags;
    struct loops_program program;
    char *printed = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&printed, &size);
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "t", text, strlen(text)), 0);
    if (loops_program_parse(&program, &source, 1, &diags) != 0) {
        diag_print(&diags, &source, 1, stderr, false);
        fail_msg("refused:\n%s", text);
    }
    assert_int_equal(loops_program_print(&program, out), 0);
    assert_int_equal(fclose(out), 0);
    loops_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
    return printed;
}

static void prints_what_it_reads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        char *once = print(fine[i]), *again = print(once);
        assert_string_equal(once, again);
        free(once);
        free(again);
    }
}

static void generated_code_is_printed(void **state)
{
    (void)state;
    char *text = print("tensor a f32 2x5 base=0\nunits 2\nnest\nfor y 2\nfor x 5 over units\n"
                       "a[y,x] = 1\nend\n");
    static const char code[] =
        "# 6 steps, 10 iterations, utilisation 0.8333, 10 state elements a tensor\n"
        "# for y = 0; y < 2\n"
        "#   for x.outer = 0; x.outer < 3\n"
        "#     for x.inner = 0; x.inner < 2; over units; 1 once x.outer = 2\n"
        "#       x = 2 * x.outer + x.inner\n"
        "#       a[y,x] = 1\n"
        "# a at 0x0 + 20 y + 8 x.outer + 4 x.inner\n";
    assert_non_null(strstr(text, code));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_refused),
                                       cmocka_unit_test(prints_what_it_reads),
                                       cmocka_unit_test(generated_code_is_printed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
