/* The vendor's checks of single instructions: inputs in all lanes, lane 0 of the result. 24 of them
 * are C expressions over pairs of values, evaluated here over our own values. The bodies and the
 * oracle of test_vector are checked against them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/kelvin/vector.h"
#include "tests/kelvin/oracle.h"
#include "tests/kelvin/table.h"

enum { VD = 8, VS = 16, VT = 24, XT = 5 };

struct check {
    char form[32], name[32];
    long long value[4];
    int count;
};

static bool by_oracle;

static void fill(union kelvin_register *v, unsigned registers, unsigned size, long long value)
{
    for (unsigned i = 0; i < registers; i++)
        for (unsigned byte = 0; byte < KELVIN_BYTES; byte++)
            v[i].b[byte] = (uint8_t)((unsigned long long)value >> 8 * (byte % (1u << size)));
}

/* test_alu{,w,n,q}_{b,h,w}_{vv,vx,v,vv3}: the size is that of the compared lane 0. */
static unsigned run(const struct check *check)
{
    static struct kelvin_oracle oracle;
    struct kelvin_vector_state *state = &oracle.state;
    uint32_t *x = oracle.x;
    const char kind = check->form[8];
    const char *at = check->form + (kind == '_' ? 9 : 10);
    const unsigned size = *at == 'b' ? 0 : *at == 'h' ? 1 : 2;
    const unsigned source = kind == 'w'   ? size - 1
                            : kind == 'n' ? size + 1
                            : kind == 'q' ? 2
                                          : size;
    const struct kelvin_form *form = kelvin_form_find(check->name, strlen(check->name));
    assert_non_null(form);
    memset(state, 0xa5, sizeof *state);
    memset(x, 0, sizeof oracle.x);
    fill(&state->v[VS], kind == 'q' ? 4 : kind == 'n' ? 2 : 1, source, check->value[0]);
    if (strcmp(at + 2, "vx") == 0)
        x[XT] = (uint32_t)check->value[1];
    else if (check->count > 2)
        fill(&state->v[VT], 1, source, check->value[1]);
    if (strcmp(at + 2, "vv3") == 0)
        fill(&state->v[VD], 1, size, check->value[2]);
    const struct kelvin_operands operands = {
        .at = {[KELVIN_VD] = VD, [KELVIN_VS] = VS, [KELVIN_VT] = VT, [KELVIN_T] = XT}};
    struct kelvin_vop op;
    assert_true(kelvin_vector_decode(kelvin_vector_encode(form, &operands), &op));
    assert_int_equal(by_oracle ? kelvin_oracle_run(&oracle, &op)
                               : kelvin_vector_execute(state, x, NULL, &op),
                     KELVIN_FAULT_NONE);
    return size == 0 ? state->v[VD].b[0] : size == 1 ? state->v[VD].h[0] : state->v[VD].w[0];
}

static bool numbers(struct check *check, const char *line)
{
    check->count = sscanf(line, "%*s %31s %31s %lli %lli %lli %lli", check->form, check->name,
                          &check->value[0], &check->value[1], &check->value[2], &check->value[3]) -
                   2;
    return check->count >= 2;
}

/* The value of an expression such as `static_cast<int8_t>(v[i]) < static_cast<int8_t>(v[j])`. */
static int64_t expression(const char *line, int64_t i, int64_t j)
{
    return strstr(line, "std::max")   ? (i > j ? i : j)
           : strstr(line, "std::min") ? (i < j ? i : j)
           : strstr(line, " == ")     ? i == j
           : strstr(line, " != ")     ? i != j
           : strstr(line, " <= ")     ? i <= j
           : strstr(line, " < ")      ? i < j
           : strstr(line, " >= ")     ? i >= j
                                      : i > j;
}

static unsigned run_pairs(struct check *check, const char *line)
{
    static const uint32_t values[] = {0,          1,          2,          0x7e,      0x7f,
                                      0x80,       0x81,       0xfe,       0xff,      0x7fff,
                                      0x8000,     0x8001,     0xffff,     0x1234,    0x7fffffff,
                                      0x80000000, 0x80000001, 0xffffffff, 0xfedcba98};
    enum { VALUES = sizeof values / sizeof *values };
    unsigned wrong = 0;
    const unsigned bits = check->form[9] == 'b' ? 8 : check->form[9] == 'h' ? 16 : 32;
    const bool is_signed = strstr(line, "static_cast<int") != NULL;
    const uint32_t mask = UINT32_MAX >> (32 - bits);
    check->count = 3;
    for (unsigned n = 0; n < VALUES * VALUES; n++) {
        int64_t pair[2];
        for (unsigned k = 0; k < 2; k++) {
            check->value[k] = values[k ? n % VALUES : n / VALUES] & mask;
            pair[k] = (uint32_t)check->value[k];
            if (is_signed && pair[k] >> (bits - 1))
                pair[k] -= INT64_C(1) << bits;
        }
        wrong += run(check) != ((uint64_t)expression(line, pair[0], pair[1]) & mask);
    }
    return wrong;
}

static void run_all(const char *bodies)
{
    unsigned checks = 0, wrong = 0;
    if (!kelvin_vector_select(bodies))
        skip();
    char *text = kelvin_table_vectors();
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), checks++) {
        struct check check;
        const unsigned bad = numbers(&check, line)
                                 ? run(&check) != (unsigned)check.value[check.count - 1]
                                 : run_pairs(&check, line);
        if (bad && ++wrong <= 20)
            print_error("%s\n", line);
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

static void test_oracle(void **context)
{
    (void)context;
    by_oracle = true;
    run_all(NULL);
    by_oracle = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_avx2),
                                       cmocka_unit_test(test_oracle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
