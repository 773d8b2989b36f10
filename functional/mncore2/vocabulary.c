/* vocabulary: the words of the language for editors: opcodes from insn.def and mv.def, operands,
 * statements of the host, and tags of MV statements. */
#include "functional/vocabulary.h"

#include <stdio.h>
#include <string.h>

#include "functional/mncore2/effect.h"
#include "functional/mncore2/parse.h"
#include "functional/mncore2/vocabulary.h"

/* Operands by their first letters: the first row that a place begins with is its row. */
static const struct {
    const char *name, *section, *sentence;
    enum space space; /* SPACE_COUNT: none */
} operands[] = {
    {"$mauf", "3.6.1.15", "forwarding register of the MAU: its last result", SPACE_FWD},
    {"$aluf", "3.6.1.16", "forwarding register of the ALU: its last result", SPACE_FWD},
    {"$mreadf", "3.6.1.18", "forwarding register of a read of a matrix register", SPACE_FWD},
    {"$lbf", "3.6.1.17", "forwarding register of L1BM to PE transfers", SPACE_FWD},
    {"$nowrite", "3.6.1.19", "no output but the forwarding register", SPACE_COUNT},
    {"$lbi", "3.6.1.5", "the turnaround register", SPACE_LBI},
    {"$lmt", "3.6.1.6", "LM0 at the addresses in T", SPACE_LM0},
    {"$lm", "3.6.1.6", "LM0, a local memory of the PE, in long words", SPACE_LM0},
    {"$ln", "3.6.1.8", "LM1, a local memory of the PE, in long words", SPACE_LM1},
    {"$lr", "3.6.1.10", "GRF0, a register file of the PE, in long words", SPACE_GRF0},
    {"$ls", "3.6.1.11", "GRF1, a register file of the PE, in long words", SPACE_GRF1},
    {"$lb", "3.6.1.5", "L1BM, the memory of an L1B, in long words", SPACE_L1BM},
    {"$lc", "3.6.1.1", "L2BM, the memory of an L2B, in long words", SPACE_L2BM},
    {"$lx", "3.6.1.14", "matrix register x", SPACE_X},
    {"$ly", "3.6.1.14", "matrix register y", SPACE_Y},
    {"$omr", "3.6.1.13", "mask register, written", SPACE_MASK},
    {"$imr", "3.6.2.2", "mask register, read as a mask", SPACE_MASK},
    {"$mb", "3.6.1.7", "base address register of LM0", SPACE_BAR0},
    {"$nb", "3.6.1.9", "base address register of LM1", SPACE_BAR1},
    {"$m", "3.6.1.6", "LM0 in words", SPACE_LM0},
    {"$n", "3.6.1.8", "LM1 in words", SPACE_LM1},
    {"$r", "3.6.1.10", "GRF0 in words", SPACE_GRF0},
    {"$s", "3.6.1.11", "GRF1 in words", SPACE_GRF1},
    {"$t", "3.6.1.12", "register T of the PE", SPACE_T},
    {"$p", "3.5.8", "PDM, the memory of a group that the host reaches", SPACE_PDM},
    {"$d", "3.5.8", "DRAM of a group", SPACE_DRAM},
};

static const struct vocabulary_word statements[] = {
    {"d set", VOCABULARY_DIRECTIVE, "3.4.4", "puts values into a memory before the run"},
    {"d getf", VOCABULARY_DIRECTIVE, "3.4.3", "prints single values of a memory"},
    {"d get", VOCABULARY_DIRECTIVE, "3.4.3", "prints long words of a memory"},
    {"r", VOCABULARY_DIRECTIVE, "", "long words of DRAM before the run"},
    {"mask", VOCABULARY_DIRECTIVE, "3.6.2.1", "masks of the statements that follow"},
    {"quit", VOCABULARY_DIRECTIVE, "3.4.2", "ends the program"},
};

/* Of an MV opcode: the mode of its base, NULL where the operands choose among several. */
static const struct mv_row *mode_of(const struct opcode *opcode)
{
    const struct mv_row *mode = NULL;
    for (size_t i = 0; i < MV_COUNT; i++)
        if (strcmp(mncore2_mv_rows[i].base, mncore2_base_name[opcode->base]) == 0) {
            if (mode)
                return NULL;
            mode = &mncore2_mv_rows[i];
        }
    return mode;
}

static struct vocabulary_word word_of(const struct opcode *o)
{
    struct vocabulary_word word = {.name = o->name, .kind = VOCABULARY_OPCODE};
    if (o->kind == OPCODE_MV) {
        const struct mv_row *mode = mode_of(o);
        word.section = mode ? mode->section : "3.5.8";
        word.sentence = mode ? mode->sentence : "a transfer between memories of its operands";
    } else {
        word.section = mncore2_insn_section_of(o->insn, o->prec, false);
        word.sentence = mncore2_insns[o->insn].sentence;
    }
    return word;
}

static void words(vocabulary_found *found, void *context)
{
    size_t count;
    const struct opcode *opcodes = mncore2_opcode_all(&count);
    for (size_t i = 0; i < count; i++) {
        const struct vocabulary_word word = word_of(&opcodes[i]);
        found(context, &word);
    }
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
        found(context, &(const struct vocabulary_word){operands[i].name, VOCABULARY_OPERAND,
                                                       operands[i].section, operands[i].sentence});
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        found(context, &statements[i]);
}

static const char *space(const char *word, size_t length, uint64_t *address)
{
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
        const size_t size = strlen(operands[i].name);
        if (length < size || memcmp(word, operands[i].name, size) != 0)
            continue;
        *address = vocabulary_number(word + size, length - size);
        return operands[i].space < SPACE_COUNT ? mncore2_space_name[operands[i].space] : NULL;
    }
    return NULL;
}

/* The number at *at, which passes it; 0 without one. */
static unsigned number(const char *word, size_t length, size_t *at)
{
    unsigned value = 0;
    for (; *at < length && word[*at] >= '0' && word[*at] <= '9' && value < 100; ++*at)
        value = 10 * value + (unsigned)(word[*at] - '0');
    return value;
}

/* $lm8v is $lm8 of the first PE, $lb4 of the first L1B, $lc0@1.1 of the second L2B of group 1,
 * $d0@1 the DRAM of group 1. */
static bool place(const char *word, size_t length, char *place, size_t size)
{
    static const struct {
        const char *letters, *rest;
    } files[] = {{"mnrs", "b0m0p0"}, {"b", "b0"}, {"c", ""}};
    const size_t sign = length && word[0] == '-';
    size_t letters = 1, digits, at;
    unsigned group = 0, l2b = 0;
    word += sign;
    length -= sign;
    while (letters < length && word[letters] >= 'a' && word[letters] <= 'z')
        letters++;
    for (digits = letters; digits < length && word[digits] >= '0' && word[digits] <= '9';)
        digits++;
    if (length < 2 || word[0] != '$' || letters == 1 || digits == letters)
        return false;
    at = digits + 1;
    if (at < length && word[digits] == '@')
        group = number(word, length, &at);
    if (at < length && word[digits] == '@' && word[at++] == '.')
        l2b = number(word, length, &at);
    const char file = word[letters - 1];
    if (letters == 2 && (file == 'p' || file == 'd'))
        return snprintf(place, size, "%c@%u:%.*s", file, group, (int)(digits - letters),
                        word + letters) < (int)size;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strchr(files[i].letters, file) && strspn(word + 1, "l") + 2 == letters)
            return snprintf(place, size, "%.*sn%uc%u%s", (int)digits, word, group, l2b,
                            files[i].rest) < (int)size;
    return false;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* The tag in the parameters of an MV opcode, "n2048i01p3": the letter i and two digits. */
static size_t mark_parameter(const char *line, size_t size, struct vocabulary_mark *mark)
{
    size_t at = 2;
    while (at < size && line[at] != '/' && line[at] != ' ' && line[at] != '\t')
        at++;
    for (; at + 2 < size && line[at] != ' ' && line[at] != '\t'; at++)
        if (line[at] == 'i' && is_hex(line[at + 1]) && is_hex(line[at + 2])) {
            *mark = (struct vocabulary_mark){.at = at, .length = 3, .defines = true};
            return 1;
        }
    return 0;
}

/* MV statements define tags, waits mean them: "mvp/n64i01 ...", "wait i01". */
static size_t marks(const char *line, size_t size, struct vocabulary_mark *found, size_t most)
{
    size_t count = 0, at = 0;
    size = vocabulary_statement(line, size);
    while (at < size && (line[at] == ' ' || line[at] == '\t'))
        at++;
    if (most && size - at > 2 && line[at] == 'm' && line[at + 1] == 'v') {
        count = mark_parameter(line + at, size - at, found);
        found->at += count ? at : 0;
        return count;
    }
    for (; at + 8 <= size && count < most; at++)
        if (memcmp(line + at, "wait i", 6) == 0 && is_hex(line[at + 6]) && is_hex(line[at + 7]) &&
            (at == 0 || line[at - 1] == ' ' || line[at - 1] == ';'))
            found[count++] = (struct vocabulary_mark){.at = at + 5, .length = 3};
    return count;
}

/* Empty steps, or a step that waits for a tag. */
static bool pad(const struct diag *diag, char *text, size_t size)
{
    const char *tag = diag->fix && strncmp(diag->fix, "wait i", 6) == 0 ? diag->fix + 5 : NULL;
    if (diag->missing_steps > 0)
        snprintf(text, size, diag->missing_steps == 1 ? "nop" : "nop/%d", diag->missing_steps);
    else if (tag && is_hex(tag[1]) && is_hex(tag[2]) && strncmp(tag + 3, " in between", 11) == 0)
        snprintf(text, size, "nop; wait %.3s", tag);
    else
        return false;
    return true;
}

const struct vocabulary mncore2_vocabulary = {
    .words = words, .marks = marks, .space = space, .place = place, .pad = pad};
