/* program: traversal, flow rules and canonical text of parsed programs. */
#include "functional/amx/program.h"

#include <stdlib.h>
#include <string.h>

static bool runs(const struct amx_section *section, uint32_t thread)
{
    return section->first_thread <= thread && thread <= section->last_thread;
}

/* Enter the first section with an index of at least `number` that the thread runs. */
static void enter(struct amx_cursor *c, const struct amx_program *program, size_t number)
{
    while (number < program->section_count && !runs(&program->sections[number], c->thread))
        number++;
    c->section = number;
    c->item = number < program->section_count ? program->sections[number].first : 0;
    c->depth = 0;
}

void amx_cursor_start(struct amx_cursor *cursor, const struct amx_program *program, uint32_t thread)
{
    memset(cursor, 0, sizeof *cursor);
    cursor->thread = thread;
    enter(cursor, program, 0);
}

void amx_cursor_section(struct amx_cursor *cursor, const struct amx_program *program,
                        size_t section, uint32_t thread)
{
    memset(cursor, 0, sizeof *cursor);
    cursor->thread = thread;
    enter(cursor, program, section);
}

const struct amx_item *amx_cursor_next(struct amx_cursor *c, const struct amx_program *program)
{
    while (c->section < program->section_count) {
        if (c->item == program->sections[c->section].end) {
            enter(c, program, c->section + 1);
            continue;
        }
        const struct amx_item *item = &program->items[c->item];
        if (item->kind == AMX_ITEM_REPEAT) {
            if (item->repeat.empty) { /* an empty block ends at once, whatever its count */
                c->item = item->repeat.other + 1;
                continue;
            }
            c->block[c->depth].turn = 0;
            c->block[c->depth++].turns = item->repeat.count;
            c->item++;
            continue;
        }
        if (item->kind == AMX_ITEM_END) {
            if (++c->block[c->depth - 1].turn < c->block[c->depth - 1].turns) {
                c->item = item->repeat.other + 1;
            } else {
                c->depth--;
                c->item++;
            }
            continue;
        }
        c->item++;
        return item;
    }
    return NULL;
}

uint64_t amx_address_at(const struct amx_address *address, const struct amx_cursor *cursor)
{
    uint64_t at = address->base;
    for (unsigned i = 0; i < address->steps; i++)
        at += (uint64_t)address->step[i] * cursor->block[cursor->depth - 1 - i].turn;
    return at;
}

static uint64_t add_capped(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t amx_program_length(const struct amx_program *program, uint32_t thread)
{
    uint64_t total = 0, turns[AMX_DEPTH + 1] = {1};
    unsigned depth = 0;
    for (size_t s = 0; s < program->section_count; s++) {
        const struct amx_section *section = &program->sections[s];
        if (!runs(section, thread))
            continue;
        for (size_t i = section->first; i < section->end; i++) {
            const struct amx_item *item = &program->items[i];
            if (item->kind == AMX_ITEM_REPEAT && depth < AMX_DEPTH) {
                turns[depth + 1] = turns[depth] * item->repeat.count;
                depth++;
            } else if (item->kind == AMX_ITEM_END && depth) {
                depth--;
            } else if (item->kind == AMX_ITEM_INSN) {
                total = add_capped(total, turns[depth]);
            }
        }
    }
    return total;
}

/* --- set and clr: AMX is initially on with zero registers; after clr only set is allowed --- */

enum power { POWER_START, POWER_ON, POWER_OFF, POWER_REPORTED };

struct flow {
    const struct amx_program *program;
    struct diag_list *diags;
    /* one bit per item: several threads and iterations pass the same statement */
    uint8_t *reported;
    enum power power;
    uint32_t line; /* line of the last set or clr */
    bool used;     /* registers have been used since the start */
};

static void report(struct flow *flow, size_t number, enum diag_severity severity, const char *name,
                   const char *sentence)
{
    if (flow->reported[number / 8] >> number % 8 & 1)
        return;
    flow->reported[number / 8] |= (uint8_t)(1 << number % 8);
    const struct amx_item *item = &flow->program->items[number];
    const struct diag at = {.severity = severity,
                            .file = item->source,
                            .line = item->line,
                            .column = item->column,
                            .length = item->length,
                            .other_line = flow->line,
                            .other_file = item->source, /* the flow restarts with each source */
                            .name = name};
    diag_add(flow->diags, &at, "%s", sentence);
}

static void flow_item(struct flow *flow, size_t number)
{
    const struct amx_item *item = &flow->program->items[number];
    if (item->kind == AMX_ITEM_SET && item->debug.file != 'm')
        flow->used = true;
    if (item->kind != AMX_ITEM_INSN)
        return;
    if (item->insn == AMX_SET) {
        if (flow->power == POWER_ON)
            report(flow, number, DIAG_ERROR, "", "set while AMX is on already\nput clr before it");
        else if (flow->power == POWER_START && flow->used)
            report(flow, number, DIAG_WARNING, "set-clears",
                   "set makes all registers zero: what was put there is lost\nmove it to the top");
        flow->power = POWER_ON;
        flow->line = item->line;
        return;
    }
    if (flow->power == POWER_OFF) {
        report(flow, number, DIAG_ERROR, "",
               "AMX is off here: clr turned it off\nput set before it");
        flow->power = POWER_REPORTED; /* once: from here on either is possible */
    }
    if (item->insn == AMX_CLR) {
        flow->power = POWER_OFF;
        flow->line = item->line;
    }
    flow->used = true;
}

static void flow_thread(struct flow *flow, uint32_t thread)
{
    const struct amx_program *program = flow->program;
    enum power before[AMX_DEPTH];
    bool again[AMX_DEPTH];
    unsigned depth = 0;
    uint32_t source = 0;
    for (size_t s = 0; s < program->section_count; s++) {
        if (!runs(&program->sections[s], thread))
            continue;
        const uint32_t of = program->items[program->sections[s].first].source;
        if (of != source) { /* a new source starts like the first one */
            source = of;
            flow->power = POWER_START;
            flow->line = 0;
            flow->used = false;
        }
        for (size_t i = program->sections[s].first; i < program->sections[s].end; i++) {
            const struct amx_item *item = &program->items[i];
            if (item->kind == AMX_ITEM_REPEAT && depth < AMX_DEPTH) {
                before[depth] = flow->power;
                again[depth++] = item->repeat.count > 1;
            } else if (item->kind == AMX_ITEM_END && depth) {
                /* A second iteration can only find more if it starts in a different state. */
                const bool turn = again[depth - 1] && before[depth - 1] != flow->power;
                again[depth - 1] = false;
                if (turn)
                    i = item->repeat.other;
                else
                    depth--;
            } else {
                flow_item(flow, i);
            }
        }
    }
}

int amx_program_flow(const struct amx_program *program, struct diag_list *diags)
{
    bool needed = false;
    for (size_t i = 0; i < program->item_count && !needed; i++)
        needed = program->items[i].kind == AMX_ITEM_INSN &&
                 (program->items[i].insn == AMX_SET || program->items[i].insn == AMX_CLR);
    if (!needed)
        return 0;
    uint8_t *reported = calloc(program->item_count / 8 + 1, 1);
    if (!reported)
        return -1;
    for (uint32_t t = 0; program->threads >> t; t++) {
        struct flow flow = {.program = program, .diags = diags, .reported = reported};
        if (program->threads >> t & 1)
            flow_thread(&flow, t);
    }
    free(reported);
    return 0;
}

/* --- canonical text --- */

const char *const amx_mnemonic[AMX_INSN_COUNT] = {
#define INSN(id, mnemonic, form, code, sentence) [AMX_##id] = mnemonic,
#include "functional/amx/insn.def"
};

static int print_address(const struct amx_item *item, char letter, char *text, size_t size)
{
    char steps[AMX_DEPTH * 24] = "";
    size_t used = 0;
    for (unsigned i = 0; i < item->address.steps; i++)
        used += (size_t)snprintf(steps + used, sizeof steps - used, "%s%lld",
                                 i ? "," : " step=", (long long)item->address.step[i]);
    return snprintf(text, size, "%s %c=%u addr=0x%llx%s%s", amx_mnemonic[item->insn], letter,
                    item->reg, (unsigned long long)item->address.base, steps,
                    item->pair ? " pair" : "");
}

static int print_insn(const struct amx_program *program, const struct amx_item *item, char *text,
                      size_t size)
{
    char operand[200];
    switch ((enum amx_insn)item->insn) {
    case AMX_LDX:
    case AMX_STX:
        return print_address(item, 'x', text, size);
    case AMX_LDY:
    case AMX_STY:
        return print_address(item, 'y', text, size);
    case AMX_LDZ:
    case AMX_STZ:
        return print_address(item, 'z', text, size);
    case AMX_MATFP:
        amx_operand_print(item->matfp.operand, program->version, operand, sizeof operand);
        return snprintf(text, size, "matfp %s", operand);
    default:
        return snprintf(text, size, "%s", amx_mnemonic[item->insn]);
    }
}

static int print_debug(const struct amx_program *program, const struct amx_item *item, char *text,
                       size_t size)
{
    const struct amx_debug *d = &item->debug;
    const bool set = item->kind == AMX_ITEM_SET;
    const int head = snprintf(
        text, size, d->file == 'm' ? "d %s $%c0x%llx %llu" : "d %s $%c%llu %llu",
        set ? "set" : "get", d->file, (unsigned long long)d->at, (unsigned long long)d->count);
    if (!set || head < 0)
        return head;
    size_t used = (size_t)head;
    const char *payload = program->sources[item->source].text + d->payload;
    for (size_t i = 0; i <= d->payload_size; i++) {
        const char c = i == 0 ? ' ' : payload[i - 1];
        if (i && (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'))
            continue;
        if (used + 1 < size)
            text[used] = (char)(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
        used++;
    }
    if (size)
        text[used < size ? used : size - 1] = '\0';
    return (int)used;
}

/* NUL-terminated; returns the length needed. */
static int item_text(const struct amx_program *program, const struct amx_item *item, char *text,
                     size_t size)
{
    switch ((enum amx_item_kind)item->kind) {
    case AMX_ITEM_INSN:
        return print_insn(program, item, text, size);
    case AMX_ITEM_SET:
    case AMX_ITEM_GET:
        return print_debug(program, item, text, size);
    case AMX_ITEM_REPEAT:
        return snprintf(text, size, ".repeat %llu", (unsigned long long)item->repeat.count);
    case AMX_ITEM_END:
        break;
    }
    return snprintf(text, size, ".end");
}

static int print_item(const struct amx_program *program, const struct amx_item *item,
                      unsigned indent, FILE *out)
{
    char short_text[512], *text = short_text;
    const int length = item_text(program, item, short_text, sizeof short_text);
    if (length < 0)
        return -1;
    if ((size_t)length >= sizeof short_text) {
        text = malloc((size_t)length + 1);
        if (!text)
            return -1;
        item_text(program, item, text, (size_t)length + 1);
    }
    const int status = fprintf(out, "%*s%s\n", (int)indent, "", text);
    if (text != short_text)
        free(text);
    return status < 0 ? -1 : 0;
}

int amx_program_print(const struct amx_program *program, FILE *out)
{
    fprintf(out, ".version %s\n", program->version == AMX_M2 ? "M2" : "M1");
    for (uint32_t t = 0; t < AMX_THREADS; t++)
        if (program->cluster[t] >= 0)
            fprintf(out, ".thread %u\n.cluster %d\n", (unsigned)t, program->cluster[t]);
    for (size_t s = 0; s < program->section_count; s++) {
        const struct amx_section *section = &program->sections[s];
        if (section->first_thread == section->last_thread)
            fprintf(out, ".thread %u\n", section->first_thread);
        else
            fprintf(out, ".thread %u..%u\n", section->first_thread, section->last_thread);
        unsigned indent = 0;
        for (size_t i = section->first; i < section->end; i++) {
            const struct amx_item *item = &program->items[i];
            if (item->kind == AMX_ITEM_END && indent)
                indent -= 4;
            if (print_item(program, item, indent, out) != 0)
                return -1;
            if (item->kind == AMX_ITEM_REPEAT)
                indent += 4;
        }
    }
    return ferror(out) ? -1 : 0;
}
