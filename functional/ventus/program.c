#include "functional/ventus/program.h"

#include <stdlib.h>
#include <string.h>

#include "functional/directive.h"
#include "functional/riscv/elf.h"
#include "functional/riscv/print.h"
#include "functional/ventus/asm.h"
#include "functional/ventus/state.h"
#include "functional/ventus/work.h"

const struct riscv_stmt *ventus_program_stmt(const struct ventus_program *program, size_t op)
{
    const uint32_t stmt =
        riscv_image_stmt(&program->image, ventus_program_launch(program)->code + 4 * (uint32_t)op);
    return stmt == RISCV_NO_STMT ? NULL : &program->image.stmts[stmt];
}

/* --- text of words ---------------------------------------------------------------------------- */

static bool word_above(const struct riscv_image *image, uint32_t stmt)
{
    return stmt && image->stmts[stmt - 1].address + 4 == image->stmts[stmt].address;
}

static void decode_at(const struct riscv_image *image, uint32_t stmt, struct ventus_op *op)
{
    const bool more = stmt + 1 < image->stmt_count && word_above(image, stmt + 1);
    ventus_decode(image->stmts[stmt].word, more ? &image->stmts[stmt + 1].word : NULL, op);
}

static bool target_of(const void *context, uint32_t stmt, uint32_t *address)
{
    const struct riscv_image *image = context;
    struct ventus_op op;
    decode_at(image, stmt, &op);
    *address = image->stmts[stmt].address + (uint32_t)op.imm;
    return op.insn != VENTUS_NO_INSN && ventus_is_jump(&op) && op.insn != RISCV_JALR;
}

static uint32_t text_of(const void *context, uint32_t stmt, const char *target, char *text,
                        size_t size)
{
    const struct riscv_image *image = context;
    struct ventus_prefix prefix = {.set = false};
    struct ventus_op op;
    char line[VENTUS_TEXT];
    if (word_above(image, stmt)) {
        decode_at(image, stmt - 1, &op);
        prefix = ventus_prefix_of(&op);
    }
    decode_at(image, stmt, &op);
    ventus_insn_print(&op, &prefix, target, line);
    snprintf(text, size, "%s", line);
    return *line != '.' && ventus_size(op.word) == 8 ? 2 : 1;
}

static void list(const void *context, const struct riscv_image *image, uint32_t address,
                 uint32_t word, char *text, size_t size)
{
    const uint32_t stmt = riscv_image_stmt(image, address);
    uint32_t to;
    char target[100];
    const bool jumps = target_of(image, stmt, &to);
    const struct riscv_symbol *symbol = jumps ? riscv_image_at(image, to) : NULL;
    (void)context;
    (void)word;
    if (symbol)
        snprintf(target, sizeof target, "%.90s", symbol->name);
    else
        snprintf(target, sizeof target, "0x%x", to);
    text_of(image, stmt, jumps ? target : NULL, text, size);
}

/* --- loading ---------------------------------------------------------------------------------- */

/* The words of a case's code, listed. */
static int list_case(struct ventus_program *program)
{
    const struct ventus_launch *launch = ventus_program_launch(program);
    struct riscv_image *image = &program->image;
    image->own_files = calloc(1, sizeof *image->own_files);
    if (!image->own_files || source_from_text(&image->own_files[0], "listing", "", 0) != 0)
        return -1;
    image->files = image->own_files;
    image->file_count = 1;
    image->entry = launch->start;
    for (size_t i = 0; i < launch->op_count; i++) {
        struct riscv_stmt *stmt = riscv_image_add_stmt(image);
        if (!stmt)
            return -1;
        stmt->address = launch->code + 4 * (uint32_t)i;
        stmt->word = launch->ops[i].word;
    }
    return riscv_image_list(image, list, NULL);
}

static int read_gets(struct ventus_program *program, struct diag_list *diags)
{
    struct directives directives;
    int status = directives_read(&directives, program->sources, program->source_count, diags);
    if (status >= 0) {
        const int gets = riscv_gets_read(&program->gets, &program->get_rules, &program->image,
                                         &directives, diags);
        status = gets < 0 ? -1 : status | gets;
    }
    directives_free(&directives);
    return status;
}

static int find_launch(struct ventus_program *program, struct diag_list *diags)
{
    char error[400];
    struct ventus_launch *launch = ventus_program_add(program);
    const int status =
        launch ? ventus_setup_launch(&program->setup, &program->image, launch, error, sizeof error)
               : -1;
    const struct diag at = {.severity = DIAG_ERROR};
    if (status > 0)
        diag_add(diags, &at, "%s", error);
    return status;
}

static int load_text(struct ventus_program *program, struct diag_list *diags)
{
    program->kind = VENTUS_TEXT_FILE;
    const int status = ventus_assemble(&program->image, &program->setup, program->sources,
                                       program->source_count, diags);
    const int gets = status < 0 ? -1 : read_gets(program, diags);
    return gets < 0 ? -1 : status | gets;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), size = strlen(end);
    return length >= size && strcmp(name + length - size, end) == 0;
}

static int load(struct ventus_program *program, struct diag_list *diags)
{
    const struct source *sources = program->sources;
    const bool is_case = ends_with(sources[0].name, ".metadata");
    const bool is_elf = riscv_is_elf(&sources[0]) || ends_with(sources[0].name, ".yaml");
    if (!is_case && !is_elf)
        return load_text(program, diags);
    program->kind = is_case ? VENTUS_CASE : VENTUS_ELF;
    if (program->source_count > 1) {
        const struct diag at = {.severity = DIAG_ERROR, .file = 1};
        diag_add(diags, &at, "%s is a whole program: it cannot be combined with other files",
                 sources[0].name);
        return 1;
    }
    if (is_case) {
        const int status = ventus_case_load(program, &sources[0], diags);
        return status ? status : list_case(program);
    }
    const int status = ventus_elf_load(program, &sources[0], diags);
    return status ? status : riscv_image_list(&program->image, list, NULL);
}

int ventus_program_load(struct ventus_program *program, const struct source *sources, size_t count,
                        struct diag_list *diags)
{
    *program = (struct ventus_program){.sources = sources,
                                       .source_count = count,
                                       .get_rules = {.scalar = ventus_register,
                                                     .scalars = VENTUS_XREGS,
                                                     .vectors = VENTUS_VREGS,
                                                     .vector_bytes = 4 * VENTUS_LANES,
                                                     .vector_words = VENTUS_LANES,
                                                     .memory = UINT64_C(1) << 32,
                                                     .ends_with_memory = true}};
    ventus_setup_init(&program->setup);
    const int status = load(program, diags);
    return status || program->kind == VENTUS_CASE ? status : find_launch(program, diags);
}

void ventus_program_free(struct ventus_program *program)
{
    for (size_t i = 0; i < program->launch_count; i++)
        ventus_launch_free(&program->launches[i]);
    free(program->launches);
    riscv_image_free(&program->image);
    riscv_gets_free(&program->gets);
    ventus_setup_free(&program->setup);
}

/* --- printing --------------------------------------------------------------------------------- */

static void print_keys(const struct ventus_setup *setup, FILE *out)
{
    for (unsigned key = 0; key < VENTUS_KEYS; key++) {
        if (!setup->given[key])
            continue;
        fprintf(out, "    .launch %s", ventus_keys[key].name);
        for (uint32_t i = 0; i < ventus_keys[key].values; i++)
            fprintf(out, setup->value[key][i] < 1u << 16 ? "%s %u" : "%s 0x%x", i ? "," : "",
                    setup->value[key][i]);
        fputc('\n', out);
    }
    for (size_t i = 0; i < setup->argument_count; i++)
        fprintf(out, "    .arg 0x%08x\n", setup->arguments[i]);
}

/* What a case says, as a setup. */
static struct ventus_setup setup_of(const struct ventus_launch *l)
{
    const uint32_t value[VENTUS_KEYS][3] = {
        [VENTUS_LAUNCH_grid] = {l->grid[0], l->grid[1], l->grid[2]},
        [VENTUS_LAUNCH_workgroup] = {l->threads * l->warps, 1, 1},
        [VENTUS_LAUNCH_threads] = {l->threads},
        [VENTUS_LAUNCH_local] = {l->local},
        [VENTUS_LAUNCH_private] = {l->private},
        [VENTUS_LAUNCH_sgprs] = {l->sgprs},
        [VENTUS_LAUNCH_vgprs] = {l->vgprs},
        [VENTUS_LAUNCH_start] = {l->start},
        [VENTUS_LAUNCH_metadata] = {l->metadata},
        [VENTUS_LAUNCH_private_base] = {l->private_base},
    };
    struct ventus_setup setup;
    ventus_setup_init(&setup);
    memcpy(setup.value, value, sizeof value);
    for (unsigned key = 0; key < VENTUS_KEYS; key++)
        setup.given[key] = value[key][0] || key == VENTUS_LAUNCH_local ||
                           key == VENTUS_LAUNCH_private || key == VENTUS_LAUNCH_private_base ||
                           key == VENTUS_LAUNCH_metadata;
    return setup;
}

static struct riscv_segment segment_of(const struct ventus_buffer *b, bool apart)
{
    const uint64_t room = b->room > b->size ? b->room : b->size;
    return (struct riscv_segment){.address = b->base,
                                  .size = (uint32_t)(apart ? room : b->size),
                                  .filled = (uint32_t)b->size,
                                  .bytes = b->bytes,
                                  .code = !apart,
                                  .apart = apart};
}

bool ventus_program_where(const struct ventus_program *program, uint32_t pc, struct diag *at,
                          char insn[VENTUS_TEXT])
{
    const uint32_t number = riscv_image_stmt(&program->image, pc);
    char place[100];
    insn[0] = '\0';
    if (number == RISCV_NO_STMT)
        return false;
    const struct riscv_stmt *stmt = &program->image.stmts[number];
    if (program->kind == VENTUS_TEXT_FILE) {
        at->file = stmt->file;
        at->line = stmt->line;
        at->column = stmt->column;
        at->length = stmt->length ? stmt->length : 1;
        return true;
    }
    riscv_image_place(&program->image, pc, place, sizeof place);
    snprintf(insn, VENTUS_TEXT, "%.*s%s%s", stmt->length < 90 ? (int)stmt->length : 90, stmt->text,
             program->kind == VENTUS_ELF ? ", " : "", program->kind == VENTUS_ELF ? place : "");
    return false;
}

/* Of a case whose code is not where a text's is. */
static int print_listing(const struct ventus_program *program, FILE *out)
{
    fprintf(out, "# a listing: no text has its code at 0x%08x\n",
            ventus_program_launch(program)->code);
    for (size_t i = 0; i < program->image.stmt_count; i++) {
        const struct riscv_stmt *stmt = &program->image.stmts[i];
        fprintf(out, "# 0x%08x %.*s\n", stmt->address, (int)stmt->length, stmt->text);
    }
    return ferror(out) ? -1 : 0;
}

int ventus_program_print(const struct ventus_program *program, FILE *out)
{
    const struct ventus_launch *launch = ventus_program_launch(program);
    if (program->kind == VENTUS_CASE && launch->code != VENTUS_CODE)
        return print_listing(program, out);
    const bool is_case = program->kind == VENTUS_CASE;
    const struct ventus_buffer *buffers = is_case ? launch->buffers : program->setup.buffers;
    const size_t count = is_case ? launch->buffer_count : program->setup.buffer_count;
    struct riscv_image image = program->image;
    struct ventus_setup setup = is_case ? setup_of(launch) : program->setup;
    image.segments = calloc(image.segment_count + count + 1, sizeof *image.segments);
    if (!image.segments)
        return -1;
    if (program->image.segment_count)
        memcpy(image.segments, program->image.segments,
               image.segment_count * sizeof *image.segments);
    for (size_t i = 0; i < count; i++) {
        const bool code = is_case && buffers[i].base == launch->code;
        if (code && buffers[i].room > buffers[i].size) {
            setup.given[VENTUS_LAUNCH_room] = true;
            setup.value[VENTUS_LAUNCH_room][0] = (uint32_t)buffers[i].room;
        }
        if (buffers[i].room || buffers[i].size)
            image.segments[image.segment_count++] = segment_of(&buffers[i], !code);
    }
    if (program->launch_count > 1)
        fprintf(out, "# the last of %zu launches: what the others leave in memory is not here\n",
                program->launch_count);
    print_keys(&setup, out);
    const struct riscv_print_rules rules = {.context = &image,
                                            .base = VENTUS_CODE,
                                            .gets = &program->gets,
                                            .target = target_of,
                                            .text = text_of};
    const int status = riscv_image_print(&image, &rules, out);
    free(image.segments);
    return status;
}
