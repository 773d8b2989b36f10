/* The vendor's checks of single instructions: inputs in all lanes, lane 0 of the result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/kelvin/vector.h"
#include "tests/kelvin/table.h"

enum { VD = 8, VS = 16, VT = 24, XT = 5 };

struct check {
    char form[32], name[32];
    unsigned value[4];
    int count;
};

static void fill(union kelvin_register *v, unsigned registers, unsigned size, unsigned value)
{
    for (unsigned i = 0; i < registers; i++)
        for (unsigned byte = 0; byte < KELVIN_BYTES; byte++)
            v[i].b[byte] = (uint8_t)(value >> 8 * (byte % (1u << size)));
}

/* test_alu{,w,n,q}_{b,h,w}_{vv,vx,v,vv3}: the size is the one of lane 0 that is compared. */
static unsigned run(const struct check *check)
{
    static struct kelvin_vector_state state;
    uint32_t x[32] = {0};
    const char kind = check->form[8];
    const char *at = check->form + (kind == '_' ? 9 : 10);
    const unsigned size = *at == 'b' ? 0 : *at == 'h' ? 1 : 2;
    const unsigned source = kind == 'w'   ? size - 1
                            : kind == 'n' ? size + 1
                            : kind == 'q' ? 2
                                          : size;
    const struct kelvin_form *form = kelvin_form_find(check->name, strlen(check->name));
    assert_non_null(form);
    memset(&state, 0xa5, sizeof state);
    fill(&state.v[VS], kind == 'q' ? 4 : kind == 'n' ? 2 : 1, source, check->value[0]);
    if (strcmp(at + 2, "vx") == 0)
        x[XT] = check->value[1];
    else if (check->count > 2)
        fill(&state.v[VT], 1, source, check->value[1]);
    if (strcmp(at + 2, "vv3") == 0)
        fill(&state.v[VD], 1, size, check->value[2]);
    const struct kelvin_operands operands = {
        .at = {[KELVIN_VD] = VD, [KELVIN_VS] = VS, [KELVIN_VT] = VT, [KELVIN_T] = XT}};
    struct kelvin_vop op;
    assert_true(kelvin_vector_decode(kelvin_vector_encode(form, &operands), &op));
    assert_int_equal(kelvin_vector_execute(&state, x, NULL, &op), KELVIN_FAULT_NONE);
    return size == 0 ? state.v[VD].b[0] : size == 1 ? state.v[VD].h[0] : state.v[VD].w[0];
}

static void run_all(const char *bodies)
{
    unsigned checks = 0, wrong = 0;
    if (!kelvin_vector_select(bodies))
        skip();
    char *text = kelvin_table_vectors();
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), checks++) {
        struct check check;
        check.count = sscanf(line, "%*s %31s %31s %x %x %x %x", check.form, check.name,
                             &check.value[0], &check.value[1], &check.value[2], &check.value[3]) -
                      2;
        assert_in_range(check.count, 2, 4);
        if (run(&check) != check.value[check.count - 1] && ++wrong <= 20)
            print_error("%s: %08x\n", line, run(&check));
    }
    free(text);
    assert_int_equal(checks, 2323);
    assert_int_equal(wrong, 0);
    kelvin_vector_select(NULL);
}

static void test_plain(void **context)
{
    (void)context;
    run_all("plain");
}

static void test_avx2(void **context)
{
    (void)context;
    run_all("avx2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_avx2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
