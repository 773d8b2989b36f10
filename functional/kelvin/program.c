#include "functional/kelvin/program.h"

#include <stdlib.h>
#include <string.h>

#include "functional/riscv/asm.h"
#include "functional/riscv/elf.h"
#include "functional/riscv/print.h"
#include "host/grow.h"
#include "host/suggest.h"

static const struct riscv_csr csrs[] = {
#define CSR(name, number, kind, sentence) {#name, number},
#include "functional/kelvin/csr.def"
    {"mtval", 0x343},
    {.name = NULL},
};

const char *kelvin_csr_name(uint32_t number)
{
    for (const struct riscv_csr *row = csrs; row->name; row++)
        if (row->number == number)
            return row->name;
    return NULL;
}

static bool counts_cycles(uint32_t number)
{
    enum { PLAIN, ZERO, ISA, CYCLES, RETIRED, CYCLES_HIGH, RETIRED_HIGH };
    static const struct {
        uint32_t number;
        unsigned kind;
    } rows[] = {
#define CSR(name, number, kind, sentence) {number, kind},
#include "functional/kelvin/csr.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].number == number)
            return rows[i].kind == CYCLES || rows[i].kind == CYCLES_HIGH;
    return false;
}

/* --- words ------------------------------------------------------------------------------------ */

void kelvin_insn_decode(uint32_t word, struct kelvin_insn *insn)
{
    *insn = (struct kelvin_insn){.kind = KELVIN_UNDEFINED};
    if (riscv_decode(word, KELVIN_EXTENSIONS, &insn->scalar))
        insn->kind = KELVIN_SCALAR;
    else if (kelvin_vector_decode(word, &insn->vector))
        insn->kind = insn->vector.form->family > KELVIN_getvl ? KELVIN_CORE : KELVIN_VECTOR;
    if (insn->kind == KELVIN_SCALAR && riscv_is_csr(insn->scalar.insn))
        insn->cycles = counts_cycles((uint32_t)insn->scalar.imm);
}

static void print_vector(const struct kelvin_vop *op, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", op->form->name);
    for (unsigned i = 0; i < op->form->count && used < size; i++) {
        const unsigned kind = op->form->operands[i], number = op->operands.at[kind];
        const char *gap = i ? ", " : " ";
        if (kind >= KELVIN_VD)
            used += (size_t)snprintf(text + used, size - used, "%sv%u", gap, number);
        else
            used += (size_t)snprintf(text + used, size - used, "%s%s", gap,
                                     riscv_register_names[number & 31]);
    }
}

/* Canonical text; target: text for a branch target, or NULL. */
static void print_insn(uint32_t word, const char *target, char *text, size_t size)
{
    struct kelvin_insn insn;
    char scalar[RISCV_TEXT];
    kelvin_insn_decode(word, &insn);
    if (insn.kind == KELVIN_SCALAR) {
        const char *csr =
            riscv_is_csr(insn.scalar.insn) ? kelvin_csr_name((uint32_t)insn.scalar.imm) : NULL;
        riscv_print(&insn.scalar, target, csr, scalar);
        snprintf(text, size, "%s", scalar);
    } else if (insn.kind != KELVIN_UNDEFINED) {
        print_vector(&insn.vector, text, size);
    } else {
        snprintf(text, size, ".word 0x%08x", word);
    }
    if (insn.kind == KELVIN_SCALAR && riscv_encode(&insn.scalar) != word)
        snprintf(text, size, ".word 0x%08x", word); /* bits that the text cannot express */
    else if (insn.kind > KELVIN_SCALAR &&
             kelvin_vector_encode(insn.vector.form, &insn.vector.operands) != word)
        snprintf(text, size, ".word 0x%08x", word);
}

/* --- extension of the assembler --------------------------------------------------------------- */

static bool vector_register(struct riscv_asm *as, uint8_t *number)
{
    const struct riscv_word word = riscv_asm_word(as);
    const bool group = word.length > 2 && word.text[1] == 'm'; /* vm1 is v4 to v7 */
    const size_t digits = group ? 2 : 1;
    unsigned value = 0;
    bool fine = word.length > digits && word.length <= digits + 2 && word.text[0] == 'v' &&
                (word.length == digits + 1 || word.text[digits] != '0');
    for (size_t i = digits; i < word.length && fine; i++) {
        fine = word.text[i] >= '0' && word.text[i] <= '9';
        value = 10 * value + (unsigned)(word.text[i] - '0');
    }
    value *= group ? KELVIN_STRIPS : 1;
    if (fine && value < KELVIN_REGISTERS) {
        *number = (uint8_t)value;
        return true;
    }
    riscv_asm_error(as, word, "a vector register was expected here: v0 to v%d",
                    KELVIN_REGISTERS - 1);
    return false;
}

static bool read_operands(struct riscv_asm *as, const struct kelvin_form *form,
                          struct kelvin_operands *operands)
{
    for (unsigned i = 0; i < form->count; i++) {
        const unsigned kind = form->operands[i];
        if (i && !riscv_asm_comma(as))
            return false;
        if (kind >= KELVIN_VD ? !vector_register(as, &operands->at[kind])
                              : !riscv_asm_reg(as, &operands->at[kind]))
            return false;
    }
    return riscv_asm_end(as);
}

/* vneg.v, vabs.v, vwiden.v are aliases: "vneg.b.v.m v0, v4" is vrsub.b.vx.m v0, v4, zero. */
static const struct kelvin_form *alias(struct riscv_word mnemonic)
{
    static const char *const rows[][2] = {
        {"vneg.", "vrsub."}, {"vabs.", "vabsd."}, {"vwiden.", "vaddw."}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t length = strlen(rows[i][0]);
        if (mnemonic.length < length + 3 || mnemonic.length > 20 ||
            memcmp(mnemonic.text, rows[i][0], length) != 0)
            continue;
        const char *rest = mnemonic.text + length, *end = mnemonic.text + mnemonic.length;
        const bool strip = end - rest == 5 && memcmp(rest + 1, ".v.m", 4) == 0;
        if (!strip && !(end - rest == 3 && memcmp(rest + 1, ".v", 2) == 0))
            continue;
        char name[32];
        const int size =
            snprintf(name, sizeof name, "%s%c.vx%s", rows[i][1], *rest, strip ? ".m" : "");
        return kelvin_form_find(name, (size_t)size);
    }
    return NULL;
}

static bool assemble(struct riscv_asm *as, struct riscv_word mnemonic)
{
    struct kelvin_operands operands = {{0}};
    const struct kelvin_form *form = kelvin_form_find(mnemonic.text, mnemonic.length);
    if (form) {
        if (read_operands(as, form, &operands))
            riscv_asm_emit(as, kelvin_vector_encode(form, &operands));
        return true;
    }
    form = alias(mnemonic);
    if (!form)
        return false;
    if (vector_register(as, &operands.at[KELVIN_VD]) && riscv_asm_comma(as) &&
        vector_register(as, &operands.at[KELVIN_VS]) && riscv_asm_end(as))
        riscv_asm_emit(as, kelvin_vector_encode(form, &operands));
    return true;
}

static const char *suggest(const char *word, size_t length)
{
    const struct kelvin_form *forms;
    const size_t count = kelvin_forms(&forms);
    const char *near = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *const names[] = {forms[i].name, near};
        const char *best = suggest_name(word, length, names, near ? 2 : 1);
        near = best ? best : near;
    }
    return near;
}

static const struct riscv_dialect dialect = {.extensions = KELVIN_EXTENSIONS,
                                             .most = KELVIN_MEMORY,
                                             .layout = true,
                                             .csrs = csrs,
                                             .other = assemble,
                                             .suggest = suggest};

const struct riscv_get_rules kelvin_get_rules = {.scalar = riscv_register,
                                                 .scalars = 32,
                                                 .vectors = KELVIN_REGISTERS,
                                                 .vector_bytes = KELVIN_BYTES,
                                                 .vector_words = 1,
                                                 .memory = KELVIN_MEMORY};

/* --- loading ---------------------------------------------------------------------------------- */

static void list(const void *context, const struct riscv_image *image, uint32_t address,
                 uint32_t word, char *text, size_t size)
{
    struct kelvin_insn insn;
    char target[100];
    (void)context;
    kelvin_insn_decode(word, &insn);
    const bool branches = insn.kind == KELVIN_SCALAR &&
                          (riscv_is_branch(insn.scalar.insn) || insn.scalar.insn == RISCV_JAL);
    const struct riscv_symbol *symbol =
        branches ? riscv_image_at(image, address + (uint32_t)insn.scalar.imm) : NULL;
    if (symbol)
        snprintf(target, sizeof target, "%.90s", symbol->name);
    else if (branches)
        snprintf(target, sizeof target, "0x%x", address + (uint32_t)insn.scalar.imm);
    print_insn(word, branches ? target : NULL, text, size);
}

static int load_elf(struct kelvin_program *program, const struct source *sources, size_t count,
                    struct diag_list *diags)
{
    const struct riscv_elf_rules rules = {.most = UINT64_C(1) << 32, .march = "rv32im"};
    program->elf = true;
    if (count > 1) {
        const struct diag at = {.severity = DIAG_ERROR, .file = 1};
        diag_add(diags, &at,
                 "an ELF file is a whole program: it cannot be combined with other files");
        return 1;
    }
    const int status = riscv_elf_load(&program->image, sources, 0, &rules, diags);
    return status ? status : riscv_image_list(&program->image, list, NULL);
}

/* Each function is a region; other code is in "rest". */
static int find_regions(struct kelvin_program *program)
{
    struct riscv_image *image = &program->image;
    size_t functions = 0;
    for (size_t i = 0; i < image->symbol_count; i++)
        functions += image->symbols[i].function;
    if (!functions)
        return 0;
    program->regions = calloc(functions + 1, sizeof *program->regions);
    program->region_of = calloc(image->stmt_count + 1, sizeof *program->region_of);
    if (!program->regions || !program->region_of)
        return -1;
    program->regions[0] = "rest";
    size_t symbol = 0;
    uint32_t region = 0;
    for (size_t i = 0; i < image->stmt_count; i++) {
        for (; symbol < image->symbol_count &&
               image->symbols[symbol].value <= image->stmts[i].address;
             symbol++) {
            const struct riscv_symbol *s = &image->symbols[symbol];
            if (!s->function || (symbol && s[-1].value == s->value))
                continue; /* of one address, functions come first */
            program->regions[++program->region_count] = s->name;
            region = (uint32_t)program->region_count;
        }
        program->region_of[i] = region;
    }
    return 0;
}

bool kelvin_program_has(const struct kelvin_program *program, uint64_t address)
{
    for (size_t i = 0; i < program->range_count; i++)
        if (address - program->ranges[i].base < program->ranges[i].size)
            return true;
    return false;
}

uint32_t kelvin_program_slot(const struct kelvin_program *program, uint32_t address)
{
    for (size_t i = 0; i < program->code_count; i++) {
        const struct kelvin_code *code = &program->code[i];
        if (address - code->base < 4 * code->words && address % 4 == 0)
            return code->first + (address - code->base) / 4;
    }
    return UINT32_MAX;
}

static int find_code(struct kelvin_program *program)
{
    enum { GAP = 65536 };
    const struct riscv_image *image = &program->image;
    size_t capacity = 0;
    for (size_t i = 0; i < image->stmt_count; i++) {
        const uint32_t address = image->stmts[i].address;
        struct kelvin_code *last =
            program->code_count ? &program->code[program->code_count - 1] : NULL;
        if (!last || address - last->base - 4 * last->words >= GAP) {
            struct kelvin_code *all =
                grow(program->code, &capacity, program->code_count + 1, sizeof *all);
            if (!all)
                return -1;
            program->code = all;
            last = &all[program->code_count++];
            *last = (struct kelvin_code){.base = address, .first = program->code_words};
        }
        last->words = (address - last->base) / 4 + 1;
        program->code_words = last->first + last->words;
    }
    return 0;
}

/* Set the bits of the blocks that contain [from, to]. */
static void touch(uint64_t blocks[], uint64_t from, uint64_t to)
{
    for (uint64_t block = from / KELVIN_MEMORY; block <= to / KELVIN_MEMORY; block++)
        blocks[block / 64] |= UINT64_C(1) << block % 64;
}

/* Memory covers the blocks of segments and, for an ELF, of symbols for the stack. */
static int find_ranges(struct kelvin_program *program, struct diag_list *diags)
{
    enum { ALL = (UINT64_C(1) << 32) / KELVIN_MEMORY };
    const struct riscv_image *image = &program->image;
    uint64_t blocks[ALL / 64] = {1};
    unsigned count = 0;
    for (size_t i = 0; i < image->segment_count; i++)
        touch(blocks, image->segments[i].address,
              image->segments[i].address + (uint64_t)image->segments[i].size - 1);
    for (size_t i = 0; program->elf && i < image->symbol_count; i++)
        if (strstr(image->symbols[i].name, "stack") && image->symbols[i].value)
            touch(blocks, image->symbols[i].value - 1, image->symbols[i].value - 1);
    program->range_count = 0;
    for (uint32_t block = 0; block < ALL; block++) {
        if (!(blocks[block / 64] >> block % 64 & 1))
            continue;
        struct kelvin_range *last =
            program->range_count ? &program->ranges[program->range_count - 1] : NULL;
        if (last && last->base + last->size == block * KELVIN_MEMORY)
            last->size += KELVIN_MEMORY;
        else if (program->range_count < KELVIN_RANGES)
            program->ranges[program->range_count++] =
                (struct kelvin_range){block * KELVIN_MEMORY, KELVIN_MEMORY};
        else
            count = KELVIN_BLOCKS;
        count++;
    }
    if (count <= KELVIN_BLOCKS)
        return 0;
    const struct diag at = {.severity = DIAG_ERROR, .length = 1};
    diag_add(diags, &at,
             "the program is in more than %d blocks of 4 MiB, or in more than %d places\n"
             "link it closer together",
             KELVIN_BLOCKS, KELVIN_RANGES);
    return 1;
}

static int finish(struct kelvin_program *program, struct diag_list *diags)
{
    const struct riscv_image *image = &program->image;
    const int ranges = find_ranges(program, diags);
    if (ranges || find_code(program) != 0)
        return ranges ? ranges : -1;
    if (program->elf)
        return find_regions(program);
    struct directives directives;
    int status = directives_read(&directives, program->sources, program->source_count, diags);
    if (status >= 0) {
        const int gets =
            riscv_gets_read(&program->gets, &kelvin_get_rules, image, &directives, diags);
        status = gets < 0 ? -1 : status | gets;
    }
    if (status >= 0 && !directives.region_count && find_regions(program) != 0)
        status = -1;
    directives_free(&directives);
    return status;
}

int kelvin_program_load(struct kelvin_program *program, const struct source *sources, size_t count,
                        struct diag_list *diags)
{
    *program = (struct kelvin_program){.sources = sources, .source_count = count};
    bool elf = false;
    for (size_t i = 0; i < count; i++)
        elf = elf || riscv_is_elf(&sources[i]);
    const int loaded = elf ? load_elf(program, sources, count, diags)
                           : riscv_assemble(&program->image, sources, count, &dialect, diags);
    if (loaded < 0 || (elf && loaded))
        return loaded;
    const int finished = finish(program, diags);
    if (!loaded && !finished && !program->image.stmt_count) {
        const struct diag at = {.severity = DIAG_ERROR, .line = 1, .column = 1, .length = 1};
        diag_add(diags, &at, "the program has no instruction");
        return 1;
    }
    return finished < 0 ? -1 : loaded | finished;
}

static bool target_of(const void *context, uint32_t stmt, uint32_t *address)
{
    const struct riscv_stmt *at = &((const struct kelvin_program *)context)->image.stmts[stmt];
    struct kelvin_insn insn;
    kelvin_insn_decode(at->word, &insn);
    *address = at->address + (uint32_t)insn.scalar.imm;
    return insn.kind == KELVIN_SCALAR &&
           (riscv_is_branch(insn.scalar.insn) || insn.scalar.insn == RISCV_JAL);
}

static uint32_t text_of(const void *context, uint32_t stmt, const char *target, char *text,
                        size_t size)
{
    const struct kelvin_program *program = context;
    print_insn(program->image.stmts[stmt].word, target, text, size);
    return 1;
}

int kelvin_program_print(const struct kelvin_program *program, FILE *out)
{
    const struct riscv_print_rules rules = {
        .context = program, .gets = &program->gets, .target = target_of, .text = text_of};
    for (size_t i = 0; i < program->image.segment_count; i++) {
        const struct riscv_segment *segment = &program->image.segments[i];
        if ((uint64_t)segment->address + segment->size > KELVIN_MEMORY)
            return 1;
    }
    return riscv_image_print(&program->image, &rules, out);
}

void kelvin_program_free(struct kelvin_program *program)
{
    riscv_image_free(&program->image);
    riscv_gets_free(&program->gets);
    free(program->code);
    free(program->regions);
    free(program->region_of);
    *program = (struct kelvin_program){.regions = NULL};
}

bool kelvin_program_address(const struct kelvin_program *program, const char *name, size_t length,
                            uint32_t *address)
{
    const struct riscv_symbol *symbol = riscv_image_symbol(&program->image, name, length);
    if (!symbol || !symbol->label)
        return false;
    *address = symbol->value;
    return true;
}
