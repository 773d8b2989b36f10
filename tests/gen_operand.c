/* Operands of PE expressions: 3.6.1, 3.6.2, and the sharing rules of 3.6.4. */
#include "tests/gen_model.h"

#include <stdio.h>
#include <string.h>

void gen_append(char *expr, const char *format, ...)
{
    const size_t length = strlen(expr), room = sizeof((struct plan *)0)->expr[0];
    va_list list;
    va_start(list, format);
    vsnprintf(expr + length, room - length, format, list);
    va_end(list);
}

static const char letter[PE_MEMS] = {'m', 'n', 'r', 's', 't'};

static const char *length_text(unsigned words)
{
    return words == 4 ? "ll" : words == 2 ? "l" : "";
}

/* A random place of a memory with an access length. */
static void new_place(struct gen *gen, struct place *place, unsigned mem, unsigned words)
{
    char number[24], *text = place->text;
    const size_t room = sizeof place->text;
    memset(place, 0, sizeof *place);
    place->mem = (uint8_t)mem;
    if (mem == PE_T) {
        static const char *const names[3] = {"$t", "$lt", "$llt"};
        place->words = 4;
        snprintf(text, room, "%s", names[gen_has(gen, GEN_STYLE) ? gen_below(gen, 3) : 0]);
        return;
    }
    const bool lm = mem == PE_M || mem == PE_N;
    const uint32_t size = lm ? LM_WORDS : GRF_WORDS;
    place->words = (uint8_t)words;
    place->indirect = mem == PE_M && gen_has(gen, GEN_INDIRECT) && gen_chance(gen, 12);
    size_t used = (size_t)snprintf(text, room, "$%s%c%s", length_text(words), letter[mem],
                                   place->indirect ? "t" : "");
    /* Few addresses, so that statements meet; sometimes the end, where strides wrap around. */
    uint32_t base = gen_below(gen, 24) * words;
    if (gen_chance(gen, 12))
        base = size - words * (1 + gen_below(gen, 6));
    if (gen_has(gen, GEN_FLAT) && gen_chance(gen, 5)) {
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            place->at[cycle] = gen_chance(gen, 2) ? base : gen_below(gen, 32) * words;
        used += (size_t)snprintf(text + used, room - used, "[%u,%u,%u,%u]", place->at[0],
                                 place->at[1], place->at[2], place->at[3]);
    } else if (place->indirect && gen_chance(gen, 3)) {
        /* $lmt: the offset may be left out */
    } else {
        uint32_t stride = 0;
        const bool strided = !gen_chance(gen, 5);
        if (strided) /* a hexadecimal number would swallow the suffix e */
            gen_number(gen, number, sizeof number, base);
        else
            snprintf(number, sizeof number, "%u", base);
        used += (size_t)snprintf(text + used, room - used, "%s", number);
        if (strided) {
            stride = words;
            used += (size_t)snprintf(text + used, room - used, "v");
            if (gen_chance(gen, 4)) {
                stride = words * gen_below(gen, 9);
                used += (size_t)snprintf(text + used, room - used, "%u", stride);
            }
        }
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            place->at[cycle] = (base + cycle * stride) % size;
    }
    if (lm && !place->indirect && gen_has(gen, GEN_INDIRECT) && gen_chance(gen, 16))
        snprintf(text + used, room - used, "j%u", gen_below(gen, 4));
}

/* May the plan read this memory with this length? Finds or makes the place. */
static bool read_place(struct gen *gen, struct plan *plan, unsigned mem, unsigned words)
{
    if ((mem == PE_M && plan->imm) || (mem <= PE_N && plan->bar[mem]))
        return false;
    if (plan->reads[mem])
        return plan->read[mem].words == words || mem == PE_T;
    if ((mem == PE_M || mem == PE_N) && plan->writes[mem]) {
        if (plan->write[mem].words != words)
            return false; /* 3.6.4: LM read and write touch the same region */
        plan->read[mem] = plan->write[mem];
    } else {
        new_place(gen, &plan->read[mem], mem, words);
    }
    plan->reads[mem] = true;
    if (plan->read[mem].indirect && !plan->reads[PE_T]) {
        plan->reads[PE_T] = true; /* T is read for the address */
        new_place(gen, &plan->read[PE_T], PE_T, 4);
    }
    return true;
}

static bool write_place(struct gen *gen, struct plan *plan, unsigned mem, unsigned words)
{
    if (plan->writes[mem] || (mem == PE_M && plan->imm) || (mem <= PE_N && plan->bar[mem]))
        return false;
    if ((mem == PE_M || mem == PE_N) && plan->reads[mem]) {
        if (plan->read[mem].words != words)
            return false;
        plan->write[mem] = plan->read[mem];
    } else {
        new_place(gen, &plan->write[mem], mem, words);
        if (plan->write[mem].indirect && !plan->reads[PE_T]) {
            plan->reads[PE_T] = true;
            new_place(gen, &plan->read[PE_T], PE_T, 4);
        }
    }
    plan->writes[mem] = true;
    plan->cycles[mem] = 15;
    return true;
}

bool gen_plan_input(struct gen *gen, struct plan *plan, char *expr, unsigned words, unsigned how,
                    const char *suffix)
{
    const char *sign = (how & INPUT_NEGATE) && gen_chance(gen, 4) ? "-" : "";
    if ((how & INPUT_FIRST) && gen_chance(gen, 6)) { /* table 3.5, 3.6.1.18 */
        static const char *const fixed[] = {"$l2bid", "$l1bid",   "$mabid",
                                            "$peid",  "$subpeid", "$msb1"};
        if (gen->forward[3] && gen_chance(gen, 2))
            gen_append(expr, " $mreadf");
        else
            gen_append(expr, " %s", fixed[gen_below(gen, 6)]);
        return true;
    }
    if ((how & INPUT_FORWARD) && gen_chance(gen, 3)) {
        static const char *const names[3] = {"$mauf", "$aluf", "$lbf"};
        const unsigned which = gen_below(gen, 3);
        if (gen->forward[which]) {
            gen_append(expr, " %s%s", sign, names[which]);
            return true;
        }
    }
    if (!*suffix && !(how & INPUT_PLAIN) && gen_has(gen, GEN_ODD) && gen_chance(gen, 24))
        words = 1U << gen_below(gen, 3);
    for (unsigned tries = 0; tries < 8; tries++) {
        const unsigned mem = gen_below(gen, *suffix ? PE_T : PE_MEMS);
        if (read_place(gen, plan, mem, words)) {
            gen_append(expr, " %s%s%s", sign, plan->read[mem].text, suffix);
            return true;
        }
    }
    if (*suffix || !read_place(gen, plan, PE_T, 4))
        return false;
    gen_append(expr, " %s%s", sign, plan->read[PE_T].text);
    return true;
}

/* The step's mask: one entry and one length (3.6.2.1). */
static void choose_mask(struct gen *gen, struct plan *plan)
{
    if (*plan->mask)
        return;
    plan->mask_wide = gen_chance(gen, 3);
    const char *wide = plan->mask_wide ? "ll" : "";
    if (gen_chance(gen, 2)) {
        const unsigned bits = gen_below(gen, 16);
        snprintf(plan->mask, sizeof plan->mask, "%s%u%u%u%u", wide, bits >> 3 & 1, bits >> 2 & 1,
                 bits >> 1 & 1, bits & 1);
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            plan->mask_cycles |= (uint8_t)((bits >> (3 - cycle) & 1) << cycle);
    } else {
        snprintf(plan->mask, sizeof plan->mask, "$%simr%u", wide, 1 + gen_below(gen, 15));
        plan->mask_cycles = 15; /* known at run time only */
    }
}

static void mask_output(struct gen *gen, struct plan *plan, char *expr, unsigned words, bool t)
{
    choose_mask(gen, plan);
    plan->masked = true;
    const char *suffix = "";
    if (words == 4 && !plan->mask_wide)
        suffix = t && gen_chance(gen, 2) ? "" : "p"; /* T may go without (open points) */
    else if (words != 4 && plan->mask_wide)
        suffix = "t";
    gen_append(expr, "/%s%s", plan->mask, suffix);
}

void gen_plan_flush(struct gen *gen, struct plan *plan, char *expr)
{
    if (!gen_has(gen, GEN_MASKS) || gen->mask_mode || plan->flushed || !gen_chance(gen, 10))
        return;
    choose_mask(gen, plan);
    plan->flushed = true;
    gen_append(expr, "/%s", plan->mask);
}

void gen_plan_outputs(struct gen *gen, struct plan *plan, char *expr, unsigned words, unsigned how)
{
    const bool masks = gen_has(gen, GEN_MASKS) && !(how & OUTPUT_UNMASKED);
    const unsigned wanted = gen_chance(gen, 4) ? 1 + gen_below(gen, 3) : 1;
    unsigned made = 0;
    if (!gen_chance(gen, 12))
        for (unsigned tries = 0; tries < 8 && made < wanted; tries++) {
            unsigned mem = gen_below(gen, PE_MEMS), length = words;
            if (!(how & OUTPUT_EXACT) && gen_has(gen, GEN_ODD) && gen_chance(gen, 16))
                length = 1U << gen_below(gen, 3);
            if (!write_place(gen, plan, mem, length))
                continue;
            gen_append(expr, " %s", plan->write[mem].text);
            if (masks && gen_chance(gen, 8)) {
                mask_output(gen, plan, expr, plan->write[mem].words, mem == PE_T);
                plan->cycles[mem] = plan->mask_cycles;
            }
            made++;
        }
    const bool bars = (how & OUTPUT_BAR) && gen_has(gen, GEN_INDIRECT);
    if (bars && gen_chance(gen, 24)) {
        const unsigned mem = gen_below(gen, 2);
        if (!plan->bar[mem] && !plan->reads[mem] && !plan->writes[mem] &&
            !(mem == PE_M && plan->imm)) {
            plan->bar[mem] = true;
            gen_append(expr, " $%s%cb", gen_chance(gen, 2) ? "l" : "", letter[mem]);
            if (masks && gen_chance(gen, 4))
                mask_output(gen, plan, expr, 2, false);
            made++;
        }
    }
    if ((how & OUTPUT_OMR) && gen_has(gen, GEN_MASKS) && !plan->omr && gen_chance(gen, 4)) {
        plan->omr = true;
        gen_append(expr, " $omr%u", 1 + gen_below(gen, 15));
        if (masks && !plan->mask_wide && gen_chance(gen, 4)) {
            choose_mask(gen, plan);
            if (!plan->mask_wide)
                gen_append(expr, "/%s", plan->mask);
        }
        made++;
    }
    if (!made)
        gen_append(expr, " $nowrite");
}

bool gen_plan_block_input(struct gen *gen, struct plan *plan, char *expr, uint8_t prec, bool negate)
{
    const char *sign = negate && gen_chance(gen, 4) ? "-" : "";
    if (gen->forward[1] && gen->aluf_block == prec && !gen_chance(gen, 4)) {
        gen_append(expr, " %s$aluf", sign);
        return true;
    }
    /* A GRF whose words in all four cycles hold valid blocks. */
    const unsigned words = prec == PREC_F ? 1 : 2;
    for (unsigned tries = 0; tries < 4; tries++) {
        struct place place;
        const unsigned mem = PE_R + gen_below(gen, 2);
        if (plan->reads[mem]) {
            place = plan->read[mem];
            if (place.words != words)
                continue;
        } else {
            new_place(gen, &place, mem, words);
        }
        bool valid = true;
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            for (unsigned word = 0; word < words; word++) {
                const uint32_t at = (place.at[cycle] + word) % GRF_WORDS;
                valid &= gen->untouched[mem - PE_R][at] || gen->block[mem - PE_R][at] == prec;
            }
        if (!valid)
            continue;
        plan->read[mem] = place;
        plan->reads[mem] = true;
        gen_append(expr, " %s%s", sign, place.text);
        return true;
    }
    return false;
}
