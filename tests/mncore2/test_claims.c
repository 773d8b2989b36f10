/*
 * What takt schedule says of small programs of MN-Core 2: no order takes less than the bound it
 * prints, and none less than an optimal one: neither what takt advise finds, nor what a second
 * schedule of its result finds, nor statements exchanged at random and made legal, as long as
 * values are equal. A second schedule of the result saves nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/dice.h"
#include "tests/improved.h"
#include "tests/often.h"
#include "timing/machines.h"
#include "timing/mncore2/legalize.h"

static const struct machine *machine = &machine_mncore2;
static struct dice dice;

enum { LINES = 24, LINE = 96 };

struct lines {
    char text[LINES][LINE];
    size_t count;
};

static unsigned roll(unsigned below)
{
    return (unsigned)dice_below(&dice, below);
}

/* --- programs --------------------------------------------------------------------------------- */

static const char *grf(void)
{
    static const char *const names[] = {"$lr0v", "$lr8v",  "$lr16v", "$ls0v",
                                        "$ls8v", "$ls16v", "$lr24v", "$ls24v"};
    return names[roll(8)];
}

static const char *lm(void)
{
    static const char *const names[] = {"$lm0v", "$lm8v", "$ln0v", "$ln8v"};
    return names[roll(4)];
}

static void put_pe(char *line)
{
    static const char *const masks[] = {"", "", "", "/1100", "/$imr1"};
    const char *mask = masks[roll(5)], *b = grf(), *d = grf(), *memory = lm();
    switch (roll(9)) {
    case 0:
        snprintf(line, LINE, "fvmul%s %s %s %s", mask, memory, b, d);
        break;
    case 1:
        snprintf(line, LINE, "ladd%s %s %s %s", mask, memory, b, d);
        break;
    case 2:
        snprintf(line, LINE, "lpassa%s %s %s", mask, b, memory);
        break;
    case 3:
        snprintf(line, LINE, "lpassa%s %s %s", mask, memory, d);
        break;
    case 4:
        snprintf(line, LINE, "linc%s %s %s", mask, b, d);
        break;
    case 5:
        snprintf(line, LINE, "ladd %s %s $nowrite\nfvadd $aluf %s %s", b, b, memory, d);
        break;
    case 6:
        snprintf(line, LINE, "fvmul %s %s %s\nladd $mauf %s %s", memory, memory, d, memory, grf());
        break;
    case 7:
        snprintf(line, LINE, "land %s %s $omr1", b, b);
        break;
    default:
        snprintf(line, LINE, "dvpassa %s %s", memory, d);
        break;
    }
}

static void put_l1(char *line)
{
    const unsigned b = 64 * roll(3);
    switch (roll(6)) {
    case 0:
        snprintf(line, LINE, "l1bmd $lb%u %s", b, grf());
        break;
    case 1:
        snprintf(line, LINE, "l1bmd %s $lb%u", grf(), b);
        break;
    case 2:
        snprintf(line, LINE, "l1bmp $lb%u %s", b, grf());
        break;
    case 3:
        snprintf(line, LINE, "l1bmm@%u %s $lb%u", roll(16), grf(), b);
        break;
    case 4:
        snprintf(line, LINE, "l1bmm $lb%u %s", b, lm());
        break;
    default:
        snprintf(line, LINE, "l1bmrliadd %s $lb%u", grf(), b);
        break;
    }
}

static void put_l2(char *line)
{
    const unsigned b = 64 * roll(3), c = 256 * roll(3);
    switch (roll(7)) {
    case 0:
    case 1:
        snprintf(line, LINE, "l2bmd $lc%u $lb%u", c, b);
        break;
    case 2:
        snprintf(line, LINE, "l2bmb $lc%u $lb%u", c, b);
        break;
    case 3:
        snprintf(line, LINE, "l2bmi@%u/0 $lb%u $lb%u", roll(8), b, 64 * roll(3));
        break;
    case 4:
        snprintf(line, LINE, "l2bmd $lb%u $lc%u", b, c);
        break;
    case 5:
        snprintf(line, LINE, "l2bmb2 $lc%u $lb%u", c, b);
        break;
    default:
        snprintf(line, LINE, "l2bm@%u $lb%u $lc%u", roll(8), b, c);
        break;
    }
}

static void put_matrix(char *line)
{
    const char *plane = roll(2) ? "$lx" : "$ly";
    switch (roll(3)) {
    case 0:
        snprintf(line, LINE, "hbfn/9 $llm0v %s", roll(2) ? "$llr0v" : "$llr16v");
        break;
    case 1:
        snprintf(line, LINE, "hmwrite %s %s0", roll(2) ? "$llr0v" : "$llr16v", plane);
        break;
    default:
        snprintf(line, LINE, "hmmul %s %s $lln32v", plane, grf());
        break;
    }
}

/* tag: 0, or that of the transfer. */
static void put_mv(char *line, unsigned tag)
{
    static const char *const modes[] = {"mvp/n%u%s%s $d%u $lc%u@.0", "mvp/n%u%s%s $d%u $lc%u@.1",
                                        "mvp/n%u%s%s $p%u $lc%u@.0", "mvb2/n%u%s%s $d%u $lc%u"};
    static const char *const priorities[] = {"", "", "p1", "p3"};
    char tagged[16] = "";
    const unsigned mode = roll(6), words = 64u << roll(3), c = 256 * roll(3), d = 512 * roll(4);
    const char *priority = priorities[roll(4)];
    if (tag)
        snprintf(tagged, sizeof tagged, "i%02x", tag);
    if (mode == 4)
        snprintf(line, LINE, "mvp/n%u%s%s $lc%u@.0 $d%u", words, tagged, priority, c, d);
    else if (mode == 5)
        snprintf(line, LINE, "mvr4liadd/n%u%s%s $lc%u $d%u", words, tagged, priority, c, d);
    else
        snprintf(line, LINE, modes[mode], words, tagged, priority, d, c);
}

static void make(struct lines *l)
{
    const unsigned want = 3 + roll(9), kinds = 1 + roll(15);
    unsigned tag = 0;
    l->count = 0;
    while (l->count < want) {
        char *line = l->text[l->count++];
        const unsigned kind = roll(5);
        if (kind == 0 && kinds & 1)
            put_mv(line, roll(4) ? ++tag : 0);
        else if (kind == 1 && kinds & 2)
            put_l2(line);
        else if (kind == 2 && kinds & 4)
            put_l1(line);
        else if (kind == 3 && kinds & 8)
            put_matrix(line);
        else
            put_pe(line);
    }
    for (unsigned t = 1; t <= tag; t++)
        snprintf(l->text[l->count++], LINE, "nop; wait i%02x", t);
}

/* As text that is legal; NULL: the language does not take it. */
static char *legal(const struct lines *l, const struct config *config)
{
    struct source source;
    struct diag_list diags;
    struct machine_program *program = NULL;
    struct legalized counts;
    char error[MACHINE_ERROR] = "", *text = NULL, *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < l->count; i++)
        fprintf(out, "%s\n", l->text[i]);
    fclose(out);
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "k", text, size), 0);
    int status = machine->language->load(&program, &source, 1, &diags);
    if (status == 0) {
        out = open_memstream(&result, &size);
        status = mncore2_legalize(program, config, out, &counts, error);
        fclose(out);
    }
    machine->language->unload(program);
    program = NULL;
    source_close(&source);
    if (status == 0) {
        assert_int_equal(source_from_text(&source, "k", result, size), 0);
        status = machine->language->load(&program, &source, 1, &diags);
        status = machine_legal(machine, status, program, config, NULL, &diags);
        machine->language->unload(program);
        source_close(&source);
    }
    diag_list_free(&diags);
    free(text);
    if (status != 0) {
        free(result);
        return NULL;
    }
    return result;
}

/* --- other orders ----------------------------------------------------------------------------- */

/* What a statement touches: a PE register by name, the shared memories and mask registers each as
 * one place. The last operand of an expression is written. */
struct place {
    char name[8];
    bool write;
};

enum { PLACES = 32 };

static size_t places_of(const char *line, struct place places[PLACES])
{
    size_t count = 0;
    for (const char *at = line; (at = strchr(at, '$')) && count < PLACES; at++) {
        struct place *p = &places[count];
        const char *behind = at + strcspn(at, " @;\n");
        const bool shared = strncmp(at, "$lb", 3) == 0 || strncmp(at, "$lc", 3) == 0,
                   mask = at[2] == 'm' && at[3] == 'r';
        snprintf(p->name, sizeof p->name, "%.*s",
                 (int)(mask                           ? 2
                       : shared                       ? 3
                       : at[1] == 'd' || at[1] == 'p' ? 2
                                                      : behind - at),
                 mask ? "mr" : at);
        while (*behind == '@' || (*behind && *behind != ' ' && *behind != ';' && *behind != '\n'))
            behind++;
        p->write = *behind != ' ';
        if (strcmp(p->name, "$nowrit") != 0 && strcmp(p->name, "$aluf") != 0 &&
            strcmp(p->name, "$mauf") != 0)
            count++;
    }
    return count;
}

static bool keep_order(const char *a, const char *b)
{
    struct place first[PLACES], second[PLACES];
    const size_t m = places_of(a, first), n = places_of(b, second);
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < n; k++)
            if ((first[i].write || second[k].write) && strcmp(first[i].name, second[k].name) == 0)
                return true;
    return false;
}

/* Its lines without nops and comments; what reads a forwarding register stays behind the line
 * before. */
static void read_lines(struct lines *l, const char *text)
{
    l->count = 0;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t length = strcspn(at, "#\n");
        while (length && at[length - 1] == ' ')
            length--;
        if ((strncmp(at, "nop", 3) == 0 && at[3] != 'a' && !memchr(at, ';', length)) || !length)
            continue;
        char line[LINE];
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        char *last = l->count ? l->text[l->count - 1] : NULL;
        const bool behind = strstr(line, "uf ") || strstr(line, "noforward");
        if ((behind && (!last || strlen(last) + length + 2 > LINE)) || length >= LINE ||
            (!behind && l->count == LINES)) {
            l->count = 0;
            return;
        }
        if (behind)
            snprintf(last + strlen(last), LINE - strlen(last), "\n%s", line);
        else
            memcpy(l->text[l->count++], line, LINE);
    }
}

static bool may_join(const char *a, const char *b)
{
    return strncmp(a, "mv", 2) != 0 && strncmp(b, "mv", 2) != 0 && !strstr(a, "nop") &&
           !strstr(b, "nop") && !strchr(a, '\n') && !strchr(b, '\n') &&
           strlen(a) + strlen(b) + 3 < LINE;
}

/* Some lines at other places, or two in one step. */
static void disturb(struct lines *l)
{
    for (unsigned times = 1 + roll(5); times > 0 && l->count > 1; times--) {
        const size_t i = roll((unsigned)l->count - 1);
        char first[LINE];
        if (keep_order(l->text[i], l->text[i + 1]))
            continue;
        memcpy(first, l->text[i], LINE);
        if (roll(2) || !may_join(first, l->text[i + 1])) {
            memcpy(l->text[i], l->text[i + 1], LINE);
            memcpy(l->text[i + 1], first, LINE);
            continue;
        }
        memmove(l->text + i, l->text + i + 1, (l->count - i - 1) * sizeof *l->text);
        l->count--;
        snprintf(l->text[i] + strlen(l->text[i]), LINE - strlen(l->text[i]), "; %s", first);
    }
}

struct counts {
    size_t programs, optimal, hands, again;
};

/* Orders at random; the values of those that are legal and shorter are compared. */
static void hands(const char *text, struct original *original, const struct schedule *s,
                  const struct config *config, struct counts *counts)
{
    enum { TIMES = 40 };
    for (unsigned i = 0; i < TIMES; i++) {
        struct lines l;
        read_lines(&l, i % 2 || s->kept ? text : s->text);
        disturb(&l);
        char *other = legal(&l, config);
        const uint64_t cycles = other ? improved_below(original, other, s->after) : UINT64_MAX;
        counts->hands += other != NULL;
        if (s->optimal && !s->same_waits && cycles < s->after)
            fail_msg("%llu cycles, optimal are %llu of\n%s\nby\n%s", (unsigned long long)cycles,
                     (unsigned long long)s->after, text, other);
        if (cycles < s->bound)
            fail_msg("%llu cycles, bound %llu of\n%s\nby\n%s", (unsigned long long)cycles,
                     (unsigned long long)s->bound, text, other);
        free(other);
    }
}

/* A second schedule of what was found. */
static void schedule_again(const struct schedule *s, const char *text, struct counts *counts)
{
    struct original *original = improved_open(machine, s->text, NULL);
    struct schedule again;
    improved_find(original, &(const struct schedule_job){.tags = false}, &again);
    if (again.after < s->bound || again.bound > s->after)
        fail_msg("%llu cycles, bound %llu; again %llu, bound %llu\n%s\n%s",
                 (unsigned long long)s->after, (unsigned long long)s->bound,
                 (unsigned long long)again.after, (unsigned long long)again.bound, text, s->text);
    counts->again += again.after < s->after;
    schedule_free(&again);
    improved_close(original);
}

static void claims_hold(void **state)
{
    (void)state;
    enum { ROUNDS = 160, AGAIN = 50 }; /* one of this many programs may be shortened again */
    struct config config;
    char error[MACHINE_ERROR];
    struct counts counts = {0};
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    for (uint64_t round = 0; round < often(ROUNDS); round++) {
        struct lines l;
        struct schedule s;
        dice.state = round;
        make(&l);
        char *text = legal(&l, &config);
        if (!text)
            continue;
        struct original *original = improved_open(machine, text, NULL);
        improved_find(original, &(const struct schedule_job){.tags = false}, &s);
        counts.programs++;
        counts.optimal += s.optimal;
        hands(text, original, &s, &config, &counts);
        const uint64_t advised = improved_advised(original);
        if (advised < s.bound || s.after > advised)
            fail_msg("advised %llu, scheduled %llu, bound %llu\n%s", (unsigned long long)advised,
                     (unsigned long long)s.after, (unsigned long long)s.bound, text);
        improved_close(original);
        if (!s.kept && !s.optimal)
            schedule_again(&s, text, &counts);
        schedule_free(&s);
        free(text);
    }
    config_free(&config);
    print_message("%zu programs, %zu optimal; %zu other legal orders; %zu shorter again\n",
                  counts.programs, counts.optimal, counts.hands, counts.again);
    assert_true(counts.programs * 2 > often(ROUNDS) && counts.optimal * 2 > counts.programs);
    assert_true(counts.again * AGAIN <= counts.programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(claims_hold)};
    return cmocka_run_group_tests_name("mncore2, claims", tests, NULL, NULL);
}
