/* parse: lines of text to items. All findings of all sources are reported in one run. */
#include <stdlib.h>
#include <string.h>

#include "functional/amx/program.h"
#include "functional/line.h"
#include "host/grow.h"

static const char rule_language[] = ""; /* defined by takt: the source document does not cover it */

enum form { FORM_MATFP, FORM_X, FORM_Y, FORM_Z, FORM_NONE };
static const uint8_t insn_form[AMX_INSN_COUNT] = {
#define INSN(id, mnemonic, form, code, sentence) [AMX_##id] = FORM_##form,
#include "functional/amx/insn.def"
};

/* First words of a statement: the mnemonics, then these. */
enum {
    FIRST_D = AMX_INSN_COUNT,
    FIRST_OPERAND,
    FIRST_REPEAT,
    FIRST_END,
    FIRST_THREAD,
    FIRST_CLUSTER,
    FIRST_VERSION,
    FIRST_COUNT
};
static const char *const first_word[FIRST_COUNT] = {
#define INSN(id, mnemonic, form, code, sentence) [AMX_##id] = mnemonic,
#include "functional/amx/insn.def"
    [FIRST_D] = "d",
    [FIRST_OPERAND] = ".operand",
    [FIRST_REPEAT] = ".repeat",
    [FIRST_END] = ".end",
    [FIRST_THREAD] = ".thread",
    [FIRST_CLUSTER] = ".cluster",
    [FIRST_VERSION] = ".version",
};

struct parser {
    struct amx_program *program;
    struct diag_list *diags;
    uint32_t source;
    uint8_t first_thread, last_thread;
    bool new_section;
    bool version_used; /* a matfp was read, whose meaning depends on the version */
    bool memory_out;
    unsigned depth;            /* open blocks; those deeper than the limit are only counted */
    size_t open[AMX_DEPTH];    /* their items */
    uint64_t turns[AMX_DEPTH]; /* repetitions of open[i] and all blocks around it, multiplied */
    unsigned too_deep;
    size_t statements; /* number of items up to the last one that is not .repeat or .end */
};

static struct amx_item *add_item(struct parser *p, const struct line *line, uint8_t kind)
{
    struct amx_program *g = p->program;
    if (p->memory_out)
        return NULL;
    void *items = grow(g->items, &g->item_capacity, g->item_count + 1, sizeof *g->items);
    if (!items) {
        p->memory_out = true;
        return NULL;
    }
    g->items = items;
    if (p->new_section) {
        void *sections =
            grow(g->sections, &g->section_capacity, g->section_count + 1, sizeof *g->sections);
        if (!sections) {
            p->memory_out = true;
            return NULL;
        }
        g->sections = sections;
        g->sections[g->section_count++] =
            (struct amx_section){g->item_count, g->item_count, p->first_thread, p->last_thread};
        p->new_section = false;
    }
    struct amx_item *item = &g->items[g->item_count++];
    memset(item, 0, sizeof *item);
    const char *from = line->start;
    while (from < line->end && (*from == ' ' || *from == '\t'))
        from++;
    if (kind != AMX_ITEM_REPEAT && kind != AMX_ITEM_END)
        p->statements = g->item_count;
    item->kind = kind;
    item->source = line->source;
    item->line = line->number;
    item->column = (uint32_t)(from - line->start) + 1;
    item->length = (uint32_t)(line->end - from);
    item->offset = (size_t)(from - g->sources[line->source].text);
    g->sections[g->section_count - 1].end = g->item_count;
    for (unsigned t = p->first_thread; t <= p->last_thread; t++)
        g->threads |= UINT32_C(1) << t;
    return item;
}

static void expect_end(struct line *line)
{
    struct word word;
    if (line_word(line, &word))
        line_error(line, word, rule_language, "nothing more was expected here");
}

/* step=A,B,...: bytes added per iteration of the enclosing blocks, innermost first. */
static bool parse_steps(struct line *line, struct word word, unsigned depth,
                        struct amx_address *address)
{
    struct word rest = word;
    bool more = true;
    while (more) {
        word = rest;
        more = word_cut(&word, ',', &rest);
        const bool negative = word.length && word.text[0] == '-';
        struct word number = {word.text + negative, word.length - negative};
        uint64_t value;
        if (!line_range(line, number, "step", 0, AMX_MEMORY, &value))
            return false;
        if (address->steps == depth) {
            line_error(line, word, rule_language,
                       "a step for %u block%s, but the statement is inside %u", address->steps + 1U,
                       address->steps ? "s" : "", depth);
            return false;
        }
        address->step[address->steps++] = negative ? -(int64_t)value : (int64_t)value;
    }
    return true;
}

/* The lowest and highest address over all iterations must be in memory. */
static void check_address(struct line *line, struct word word, const struct parser *p,
                          const struct amx_address *address, uint64_t bytes)
{
    int64_t low = (int64_t)address->base, high = low;
    for (unsigned i = 0; i < address->steps; i++) {
        const size_t open = p->open[p->depth - 1 - i];
        const uint64_t turns = p->program->items[open].repeat.count - 1;
        const int64_t step = address->step[i];
        const uint64_t size = (uint64_t)(step < 0 ? -step : step);
        /* Any distance beyond the memory is an error; avoid overflow of the product. */
        const int64_t reach = size && turns > 2 * AMX_MEMORY / size ? 2 * (int64_t)AMX_MEMORY
                                                                    : (int64_t)(turns * size);
        if (step < 0)
            low -= reach;
        else
            high += reach;
    }
    if (low < 0)
        line_error(line, word, rule_language,
                   "the address falls below 0 in the turns of its blocks");
    else if ((uint64_t)high > AMX_MEMORY - bytes)
        line_error(line, word, rule_language,
                   "%llu bytes at address 0x%llx are beyond the memory of 0x%llx bytes",
                   (unsigned long long)bytes, (unsigned long long)high,
                   (unsigned long long)AMX_MEMORY);
}

/* ldx x=REG addr=BYTES [step=...] [pair], or one 64-bit operand. */
static void parse_transfer(struct parser *p, struct line *line, struct word mnemonic,
                           enum amx_insn insn)
{
    enum { KEY_REG, KEY_ADDR, KEY_STEP, KEY_PAIR, KEY_COUNT };
    const enum form form = (enum form)insn_form[insn];
    const char *const key_name[KEY_COUNT] = {form == FORM_X   ? "x"
                                             : form == FORM_Y ? "y"
                                                              : "z",
                                             "addr", "step", "pair"};
    const uint64_t last = form == FORM_Z ? AMX_Z_ROWS - 1 : AMX_XY_REGS - 1;
    struct amx_address address = {0};
    uint64_t reg = 0;
    bool pair = false;
    struct word seen[KEY_COUNT] = {{NULL, 0}}, word, value;

    while (line_word(line, &word)) {
        if (!seen[KEY_REG].text && !seen[KEY_ADDR].text && word.text[0] >= '0' &&
            word.text[0] <= '9') {
            uint64_t operand;
            if (!line_range(line, word, "operand", 0, UINT64_MAX, &operand))
                break;
            address.base = operand & ((UINT64_C(1) << 56) - 1);
            reg = operand >> 56 & last;
            pair = operand >> 62 & 1;
            seen[KEY_REG] = seen[KEY_ADDR] = word;
            expect_end(line);
            break;
        }
        const bool valued = word_cut(&word, '=', &value);
        const int key = line_choose(line, word, key_name, KEY_COUNT, "field");
        if (key < 0)
            continue;
        if (seen[key].text) {
            line_error(line, word, rule_language, "field '%s' is written twice", key_name[key]);
            continue;
        }
        seen[key] = word;
        if (valued == (key == KEY_PAIR)) {
            line_error(line, word, rule_language,
                       valued ? "'%s' takes no value"
                              : "'%s' needs a "
                                "value",
                       key_name[key]);
            continue;
        }
        if (key == KEY_REG)
            line_range(line, value, "register", 0, last, &reg);
        else if (key == KEY_ADDR &&
                 line_range(line, value, "address", 0, UINT64_MAX, &address.base))
            seen[KEY_ADDR] = value;
        else if (key == KEY_STEP)
            parse_steps(line, value, p->depth, &address);
        else if (key == KEY_PAIR)
            pair = true;
    }
    if (!line->wrong && !seen[KEY_REG].text)
        line_error(line, mnemonic, rule_language, "%s needs a register\nas in '%s %s=0 addr=0x40'",
                   amx_mnemonic[insn], amx_mnemonic[insn], key_name[KEY_REG]);
    if (!line->wrong && !seen[KEY_ADDR].text)
        line_error(line, mnemonic, rule_language, "%s needs an address\nas in '%s %s=0 addr=0x40'",
                   amx_mnemonic[insn], amx_mnemonic[insn], key_name[KEY_REG]);
    if (line->wrong)
        return;
    const uint64_t bytes = pair ? 2 * AMX_ROW : AMX_ROW;
    if (address.base > AMX_MEMORY - bytes)
        line_error(line, seen[KEY_ADDR], rule_language,
                   "%llu bytes at address 0x%llx are beyond the memory of 0x%llx bytes",
                   (unsigned long long)bytes, (unsigned long long)address.base,
                   (unsigned long long)AMX_MEMORY);
    else
        check_address(line, seen[KEY_ADDR], p, &address, bytes);
    if (line->wrong)
        return;
    struct amx_item *item = add_item(p, line, AMX_ITEM_INSN);
    if (!item)
        return;
    item->insn = (uint8_t)insn;
    item->reg = (uint8_t)reg;
    item->pair = pair;
    item->address = address;
}

static void add_matfp(struct parser *p, struct line *line, struct word mnemonic, bool directive)
{
    uint64_t operand = 0;
    p->version_used = true;
    if (directive)
        line->at = mnemonic.text; /* amx_line_operand accepts .operand */
    if (!amx_line_operand(line, p->program->version, &operand))
        return;
    struct amx_item *item = add_item(p, line, AMX_ITEM_INSN);
    if (!item)
        return;
    item->insn = AMX_MATFP;
    item->matfp.operand = operand;
    amx_matfp_decode(&item->matfp.decoded, operand, p->program->version);
    if (item->matfp.decoded.noop)
        line_warning(line, mnemonic, "matfp: ALU modes", "noop",
                     amx_matfp_field(operand, MATFP_FIELD_MUST_BE_0)
                         ? "matfp does nothing: bits 54 to 56 of its operand are not zero"
                         : "matfp does nothing: no ALU operation has this number");
}

static bool hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* d set $x3 8 <words>, d get $z5 8. */
static void parse_debug(struct parser *p, struct line *line)
{
    static const char *const verb[2] = {"set", "get"};
    const struct word end = {line->end - 1, 1};
    struct word word, place, count_word;
    if (!line_word(line, &word)) {
        line_error(line, end, rule_language, "d needs set or get");
        return;
    }
    const int choice = line_choose(line, word, verb, 2, "debug statement");
    if (choice < 0)
        return;
    if (!line_word(line, &place) || place.length < 3 || place.text[0] != '$' ||
        !memchr("xyzm", place.text[1], 4)) {
        line_error(line, place.length ? place : end, rule_language,
                   "d %s names a register or memory\n$x0..$x7, $y0..$y7, $z0..$z63, or $m and a "
                   "byte address",
                   verb[choice]);
        return;
    }
    struct amx_debug debug = {.file = place.text[1]};
    const struct word number = {place.text + 2, place.length - 2};
    const uint64_t last = debug.file == 'z'   ? AMX_Z_ROWS - 1
                          : debug.file == 'm' ? AMX_MEMORY - 8
                                              : AMX_XY_REGS - 1;
    if (!line_range(line, number, debug.file == 'm' ? "address" : "register", 0, last, &debug.at))
        return;
    const uint64_t room =
        debug.file == 'm' ? (AMX_MEMORY - debug.at) / 8 : (last + 1 - debug.at) * 8;
    if (!line_word(line, &count_word)) {
        line_error(line, end, rule_language,
                   "d %s needs a number of 64-bit words\na register has 8", verb[choice]);
        return;
    }
    if (!line_range(line, count_word, "words", 1, room, &debug.count))
        return;
    if (choice == 1) {
        expect_end(line);
    } else {
        uint64_t digits = 0;
        while (line_word(line, &word)) {
            for (size_t i = 0; i < word.length; i++)
                if (!hex(word.text[i])) {
                    line_error(line, (struct word){word.text + i, 1}, rule_language,
                               "a word of d set is 16 hexadecimal digits");
                    return;
                }
            if (!debug.payload_size)
                debug.payload = (size_t)(word.text - p->program->sources[line->source].text);
            debug.payload_size =
                (size_t)(word.text + word.length - p->program->sources[line->source].text) -
                debug.payload;
            digits += word.length;
        }
        if (digits != debug.count * 16) {
            const struct word where =
                digits ? (struct word){p->program->sources[line->source].text + debug.payload,
                                       debug.payload_size}
                       : count_word;
            line_error(line, where, rule_language,
                       "%llu words are %llu hexadecimal digits, %llu are written",
                       (unsigned long long)debug.count, (unsigned long long)debug.count * 16,
                       (unsigned long long)digits);
        }
    }
    if (line->wrong)
        return;
    struct amx_item *item = add_item(p, line, choice ? AMX_ITEM_GET : AMX_ITEM_SET);
    if (item)
        item->debug = debug;
}

static void parse_repeat(struct parser *p, struct line *line, struct word directive)
{
    struct word word;
    uint64_t count = 1;
    if (!line_word(line, &word))
        line_error(line, directive, rule_language, ".repeat needs a number\nas in .repeat 100");
    else if (line_range(line, word, "repetitions", 1, AMX_REPEAT_MAX, &count))
        expect_end(line);
    if (p->depth == AMX_DEPTH || p->too_deep) {
        line_error(line, directive, rule_language, "at most %d blocks may be nested", AMX_DEPTH);
        p->too_deep++;
        return;
    }
    if (line->wrong)
        count = 1;
    const uint64_t around = p->depth ? p->turns[p->depth - 1] : 1;
    if (count > AMX_REPEAT_MAX / around) {
        line_error(line, word, rule_language,
                   "with the blocks around it this is more than %llu repetitions",
                   (unsigned long long)AMX_REPEAT_MAX);
        count = 1;
    }
    struct amx_item *item = add_item(p, line, AMX_ITEM_REPEAT);
    if (!item)
        return;
    item->repeat.count = count;
    item->repeat.other = SIZE_MAX;
    p->turns[p->depth] = around * count;
    p->open[p->depth++] = p->program->item_count - 1;
}

static void parse_end(struct parser *p, struct line *line, struct word directive)
{
    expect_end(line);
    if (p->too_deep) {
        p->too_deep--;
        return;
    }
    if (p->depth == 0) {
        line_error(line, directive, rule_language, ".end without .repeat");
        return;
    }
    struct amx_item *item = add_item(p, line, AMX_ITEM_END);
    if (!item)
        return;
    const size_t open = p->open[--p->depth];
    item->repeat.count = p->program->items[open].repeat.count;
    item->repeat.other = open;
    p->program->items[open].repeat.other = p->program->item_count - 1;
    p->program->items[open].repeat.empty = p->statements <= open;
}

static void parse_thread(struct parser *p, struct line *line, struct word directive)
{
    struct word word, last;
    uint64_t first = 0, end = 0;
    if (p->depth || p->too_deep) {
        line_error(line, directive, rule_language, ".thread inside a block\nclose it with .end");
        return;
    }
    if (!line_word(line, &word)) {
        line_error(line, directive, rule_language,
                   ".thread needs a number\nas in .thread 1, or .thread 0..3");
        return;
    }
    const char *dots = word.length > 1 ? memchr(word.text, '.', word.length - 1) : NULL;
    const bool range = dots && dots[1] == '.';
    last = word;
    if (range) {
        last.text = dots + 2;
        last.length = word.length - (size_t)(dots + 2 - word.text);
        word.length = (size_t)(dots - word.text);
    }
    if (!line_range(line, word, "thread", 0, AMX_THREADS - 1, &first) ||
        !line_range(line, last, "thread", 0, AMX_THREADS - 1, &end))
        return;
    if (end < first) {
        line_error(line, last, rule_language, "the range of threads is empty");
        return;
    }
    expect_end(line);
    p->first_thread = (uint8_t)first;
    p->last_thread = (uint8_t)end;
    p->new_section = true;
}

static void parse_cluster(struct parser *p, struct line *line, struct word directive)
{
    struct word word;
    uint64_t cluster;
    if (!line_word(line, &word)) {
        line_error(line, directive, rule_language, ".cluster needs a number\nas in .cluster 1");
        return;
    }
    if (!line_range(line, word, "cluster", 0, AMX_CLUSTERS - 1, &cluster))
        return;
    expect_end(line);
    for (unsigned t = p->first_thread; t <= p->last_thread; t++) {
        int8_t *of = &p->program->cluster[t];
        if (*of >= 0 && (uint64_t)*of != cluster) {
            const struct diag_file other =
                diag_file(p->program->sources, line->source, p->program->cluster_source[t]);
            line_error(line, word, rule_language,
                       "thread %u is on cluster %d already (line %u%s%s)", t, *of,
                       p->program->cluster_line[t], other.of, other.name);
            return;
        }
        *of = (int8_t)cluster;
        p->program->cluster_line[t] = line->number;
        p->program->cluster_source[t] = line->source;
    }
}

static void parse_version(struct parser *p, struct line *line, struct word directive)
{
    static const char *const names[2] = {"M1", "M2"};
    struct amx_program *g = p->program;
    struct word word;
    if (!line_word(line, &word)) {
        line_error(line, directive, rule_language, ".version needs M1 or M2");
        return;
    }
    const int choice = line_choose(line, word, names, 2, "version");
    if (choice < 0)
        return;
    expect_end(line);
    const enum amx_version version = choice ? AMX_M2 : AMX_M1;
    if (version != g->version && (g->version_written || p->version_used))
        line_error(line, word, rule_language,
                   g->version_written ? "the program is for the %s already"
                                      : "matfp above was read for the %s\nput .version at "
                                        "the top",
                   names[g->version == AMX_M2]);
    else
        g->version = version;
    g->version_written = true;
}

static void parse_line(struct parser *p, struct line *line)
{
    struct word first;
    if (!line_word(line, &first))
        return;
    const int choice = line_choose(line, first, first_word, FIRST_COUNT, "statement");
    if (choice < 0)
        return;
    switch (choice) {
    case FIRST_D:
        parse_debug(p, line);
        return;
    case FIRST_OPERAND:
        add_matfp(p, line, first, true);
        return;
    case FIRST_REPEAT:
        parse_repeat(p, line, first);
        return;
    case FIRST_END:
        parse_end(p, line, first);
        return;
    case FIRST_THREAD:
        parse_thread(p, line, first);
        return;
    case FIRST_CLUSTER:
        parse_cluster(p, line, first);
        return;
    case FIRST_VERSION:
        parse_version(p, line, first);
        return;
    case AMX_MATFP:
        add_matfp(p, line, first, false);
        return;
    default:
        break;
    }
    if (insn_form[choice] != FORM_NONE) {
        parse_transfer(p, line, first, (enum amx_insn)choice);
        return;
    }
    expect_end(line);
    struct amx_item *item = line->wrong ? NULL : add_item(p, line, AMX_ITEM_INSN);
    if (item)
        item->insn = (uint8_t)choice;
}

static void parse_source(struct parser *p, uint32_t number)
{
    const struct source *source = &p->program->sources[number];
    p->source = number;
    p->first_thread = p->last_thread = 0;
    p->new_section = true;
    p->depth = p->too_deep = 0;
    struct line line = {.source = number, .diags = p->diags};
    while (!p->memory_out && line_next(&line, source))
        parse_line(p, &line);
    while (p->depth) { /* blocks without .end */
        struct amx_item *item = &p->program->items[p->open[--p->depth]];
        line.start = source->text + item->offset - (item->column - 1);
        line.number = item->line;
        line_error(&line, (struct word){source->text + item->offset, item->length}, rule_language,
                   ".repeat without .end");
    }
}

int amx_program_parse(struct amx_program *program, const struct source *sources, size_t count,
                      struct diag_list *diags)
{
    *program = (struct amx_program){.sources = sources, .source_count = count, .version = AMX_M1};
    memset(program->cluster, -1, sizeof program->cluster);
    struct parser p = {.program = program, .diags = diags};
    const size_t errors = diags->errors;
    for (size_t i = 0; i < count && !p.memory_out; i++)
        parse_source(&p, (uint32_t)i);
    if (p.memory_out)
        return -1;
    if (diags->errors == errors && amx_program_flow(program, diags) != 0)
        return -1;
    diag_sort(diags);
    return diags->errors > errors;
}

void amx_program_free(struct amx_program *program)
{
    free(program->items);
    free(program->sections);
    *program = (struct amx_program){0};
}
