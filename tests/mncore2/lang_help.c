#include "tests/mncore2/lang_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/lex.h"

void lang_open_bytes(struct lang *lang, const char *text, size_t size)
{
    diag_list_init(&lang->diags);
    assert_int_equal(source_from_text(&lang->source, "test.vsm", text, size), 0);
    lang->result = mncore2_program_parse(&lang->program, &lang->source, 1, &lang->diags);
    assert_true(lang->result >= 0);
    assert_int_equal(lang->result != 0, lang->diags.errors != 0);
}

void lang_open(struct lang *lang, const char *text)
{
    lang_open_bytes(lang, text, strlen(text));
}

void lang_close(struct lang *lang)
{
    mncore2_program_free(&lang->program);
    diag_list_free(&lang->diags);
    source_close(&lang->source);
}

static void wrong(const struct lang *lang, const char *text, const char *expected)
{
    fprintf(stderr, "expected %s of:\n%s\n", expected, text);
    diag_print(&lang->diags, &lang->source, 1, stderr, false);
    fail();
}

void lang_expect_clean(const char *text)
{
    struct lang lang;
    lang_open(&lang, text);
    if (lang.result != 0 || lang.diags.warnings != 0)
        wrong(&lang, text, "no finding");
    lang_close(&lang);
}

void lang_expect_warning(const char *text, const char *name)
{
    struct lang lang;
    lang_open(&lang, text);
    bool found = false;
    for (size_t i = 0; i < lang.diags.count; i++)
        found |= strcmp(lang.diags.items[i].name, name) == 0 &&
                 lang.diags.items[i].severity == DIAG_WARNING;
    if (!found || lang.result != 0)
        wrong(&lang, text, name);
    lang_close(&lang);
}

void lang_expect_error(const char *text, const char *rule, const char *words)
{
    struct lang lang;
    lang_open(&lang, text);
    bool found = false;
    for (size_t i = 0; i < lang.diags.count; i++) {
        const struct diag *diag = &lang.diags.items[i];
        found |= diag->severity == DIAG_ERROR && strcmp(diag->rule, rule) == 0 &&
                 (strstr(diag->message, words) != NULL ||
                  (diag->fix != NULL && strstr(diag->fix, words) != NULL));
    }
    if (!found) {
        fprintf(stderr, "rule %s with \"%s\": ", rule, words);
        wrong(&lang, text, "an error");
    }
    lang_close(&lang);
}

static const struct stmt *first(struct lang *lang, const char *text, unsigned kinds)
{
    lang_open(lang, text);
    if (lang->result != 0)
        wrong(lang, text, "no error");
    for (size_t i = 0; i < lang->program.item_count; i++) {
        const struct stmt *stmt = &lang->program.stmts[lang->program.items[i].stmt];
        if ((kinds & 1u << stmt->kind) != 0)
            return stmt;
    }
    fail_msg("no such statement: %s", text);
    return NULL;
}

const struct step *lang_step(struct lang *lang, const char *text)
{
    return first(lang, text, 1u << STMT_STEP)->step;
}

const struct mv *lang_mv(struct lang *lang, const char *text)
{
    return first(lang, text, 1u << STMT_MV)->mv;
}

const struct debug *lang_debug(struct lang *lang, const char *text)
{
    return first(lang, text, 1u << STMT_GET | 1u << STMT_SET | 1u << STMT_PRESET)->debug;
}

/* --- equality --------------------------------------------------------------------------------- */

static bool same_operand(const struct operand *a, const struct operand *b)
{
    return a->mem == b->mem && a->words == b->words && a->flags == b->flags && a->j == b->j &&
           a->l2b == b->l2b && memcmp(a->addr, b->addr, sizeof a->addr) == 0;
}

static bool same_expr(const struct expr *a, const struct expr *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    if (a->insn != b->insn || a->group != b->group || a->prec != b->prec || a->rrn != b->rrn ||
        a->uns != b->uns || a->reduce != b->reduce || a->lower != b->lower ||
        a->flush != b->flush || a->mantissa != b->mantissa || a->mab != b->mab ||
        a->mabdiff != b->mabdiff || a->immode != b->immode || a->l1bset != b->l1bset ||
        a->in_count != b->in_count || a->out_count != b->out_count || a->imm != b->imm)
        return false;
    for (unsigned i = 0; i < a->in_count; i++)
        if (!same_operand(&a->in[i], &b->in[i]))
            return false;
    for (unsigned i = 0; i < a->out_count; i++)
        if (!same_operand(expr_out(a, i), expr_out(b, i)))
            return false;
    return true;
}

static bool same_step(const struct step *a, const struct step *b)
{
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        if (!same_expr(step_expr(a, group), step_expr(b, group)))
            return false;
    return a->nops == b->nops && a->noforward == b->noforward && a->darw == b->darw &&
           a->wait == b->wait && a->mask_entry == b->mask_entry && a->mask_wide == b->mask_wide &&
           a->needs_flat == b->needs_flat;
}

static bool same_mv_operand(const struct mv_operand *a, const struct mv_operand *b)
{
    return a->mem == b->mem && a->group == b->group && a->l2b == b->l2b &&
           a->indirect == b->indirect && a->addr == b->addr;
}

static bool same_mv(const struct mv *a, const struct mv *b)
{
    return a->mode == b->mode && a->prec == b->prec && a->rrn == b->rrn && a->tag == b->tag &&
           a->priority == b->priority && a->nd == b->nd && a->size == b->size &&
           same_mv_operand(&a->from, &b->from) && same_mv_operand(&a->to, &b->to);
}

/* The next long word of a payload, whatever its notation (table 3.4). */
static uint64_t payload_word(const char **p, const char *end)
{
    const char *text = *p;
    const unsigned parts = *text == 's' ? 2 : *text == 'h' ? 4 : 1;
    const bool fixed = *text != 's' && *text != 'h' && *text != 'l';
    uint64_t word = 0;
    if (!fixed)
        text++;
    for (unsigned part = 0; part < parts; part++) {
        uint64_t number = 0;
        if (part > 0)
            text++;
        for (unsigned digits = 0; digits < 16 && text < end && lex_is(*text, LEX_HEX); digits++)
            number = number << 4 | lex_digit(*text++);
        word = parts == 1 ? number : word << 64 / parts | number;
    }
    *p = text;
    return word;
}

static bool same_debug(const struct program *a, const struct debug *x, const struct program *b,
                       const struct debug *y)
{
    if (x->mem != y->mem || x->words != y->words || strcmp(x->dtype, y->dtype) != 0 ||
        x->group != y->group || x->l2b != y->l2b || x->l1b != y->l1b || x->mab != y->mab ||
        x->pe != y->pe || x->addr != y->addr || x->count != y->count ||
        (x->payload_size == 0) != (y->payload_size == 0))
        return false;
    if (x->payload_size == 0)
        return true;
    const char *p = a->sources[0].text + x->payload, *q = b->sources[0].text + y->payload;
    const char *p_end = p + x->payload_size, *q_end = q + y->payload_size;
    for (uint64_t i = 0; i < x->count * (x->words == 4 ? 2 : 1); i++)
        if (payload_word(&p, p_end) != payload_word(&q, q_end))
            return false;
    return true;
}

bool lang_same(const struct program *a, const struct stmt *x, const struct program *b,
               const struct stmt *y)
{
    if (x->kind != y->kind)
        return false;
    switch ((enum stmt_kind)x->kind) {
    case STMT_STEP:
        return same_step(x->step, y->step);
    case STMT_MV:
        return same_mv(x->mv, y->mv);
    case STMT_MVNOP:
        return true;
    case STMT_GET:
    case STMT_SET:
    case STMT_PRESET:
        return same_debug(a, x->debug, b, y->debug);
    }
    return false;
}
