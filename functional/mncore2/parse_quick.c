/* parse_quick: expressions of a form that was read before: the same opcode, and operands that
 * differ in their addresses only. What other files of the parser check of those depends on nothing
 * else, but for the alignment of an L1BM address. */
#include "functional/mncore2/recall.h"

static uint64_t head_of(const struct operand *operand)
{
    uint64_t word;
    memcpy(&word, operand, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return word & ((UINT64_C(1) << 8 * offsetof(struct operand, addr)) - 1);
#else
    return word >> 8 * (sizeof word - offsetof(struct operand, addr));
#endif
}

/* Of the name, not of the address: which forms share a slot is the same in every run. */
static inline uint64_t start(const struct opcode *opcode)
{
    uint64_t name[2];
    _Static_assert(sizeof name == sizeof opcode->name, "a name is two words");
    memcpy(name, opcode->name, sizeof name);
    return (name[0] ^ name[1] * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);
}

static inline uint64_t add(uint64_t hash, uint64_t head)
{
    hash = (hash ^ head) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static inline struct form *form_at(struct recall *recall, uint64_t hash)
{
    return &recall->forms[hash % RECALL_FORMS];
}

bool mncore2_quick_expr(struct reading *reading)
{
    struct recall *recall = reading->parser->recall;
    struct expr *expr = reading->expr;
    const char *text = reading->cursor, *end = reading->end, *limit = reading->parser->limit;
    uint64_t head[FORM_OPERANDS], hash = start(reading->opcode);
    unsigned count = 0;
    uint16_t flags = 0;
    for (;; count++) {
        while (text < end && lex_is(*text, LEX_BLANK))
            text++;
        if (text == end)
            break;
        if (count == FORM_OPERANDS)
            return false;
        const struct recall_token token = recall_token(text, end, limit);
        const struct recalled_operand *known =
            token.length != 0 ? recall_operand(recall, token) : NULL;
        if (known == NULL || known->bits != 0)
            return false;
        expr->in[count] = known->operand;
        flags |= known->operand.flags;
        head[count] = head_of(&known->operand);
        hash = add(hash, head[count]);
        reading->place[count] =
            (struct text_place){parse_column(reading->parser, text), (uint32_t)token.length};
        text += token.length;
    }
    const struct form *form = form_at(recall, hash);
    if (form->hash != hash || form->opcode != reading->opcode || form->count != count ||
        memcmp(form->head, head, count * sizeof head[0]) != 0)
        return false;
    if (form->rate != 0) {
        struct operand *operand = &expr->in[form->block];
        const uint32_t base = operand->addr[0], rate = form->rate;
        if ((base & (rate - 1)) != 0)
            return false;
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            operand->addr[cycle] = (base + cycle * rate) % L1BM_LONGS;
    }
    memcpy(expr, form->expr, sizeof form->expr);
    reading->scratch->flags |= flags;
    return true;
}

void mncore2_quick_keep(const struct reading *reading)
{
    static const uint64_t plain = MEMS_PE | MEMS_FORWARD | MEMS_FIXED | MEMS_BAR |
                                  MEM_BIT(MEM_MREADF) | MEM_BIT(MEM_OMR) | MEM_BIT(MEM_NOWRITE) |
                                  MEM_BIT(MEM_LBI);
    const uint16_t masks = OPERAND_MASKED | OPERAND_MASK_OWN | OPERAND_MASK_P | OPERAND_MASK_T;
    const struct expr *expr = reading->expr;
    struct form form = {.opcode = reading->opcode, .hash = start(reading->opcode)};
    const unsigned count = (unsigned)expr->in_count + expr->out_count;
    if (count == 0 || count > FORM_OPERANDS || expr->flush || expr->insn == INSN_IMM)
        return;
    for (unsigned i = 0; i < count; i++) {
        const struct operand *operand = &expr->in[i];
        if (operand->mem == MEM_L1BM && form.rate == 0 && expr->group == GROUP_L1BM &&
            !(expr->insn == INSN_L1BMP && operand->words == 4)) {
            form.block = (uint8_t)i;
            form.rate = (uint16_t)((operand->addr[1] - operand->addr[0]) & (L1BM_LONGS - 1));
        } else if ((MEM_BIT(operand->mem) & plain) == 0) {
            return;
        }
        if ((operand->flags & masks) != 0 || (form.rate & (form.rate - 1)) != 0)
            return;
        form.head[i] = head_of(operand);
        form.hash = add(form.hash, form.head[i]);
    }
    form.count = (uint8_t)count;
    memcpy(form.expr, expr, sizeof form.expr);
    *form_at(reading->parser->recall, form.hash) = form;
}
