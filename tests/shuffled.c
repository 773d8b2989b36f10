#include "tests/shuffled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "functional/riscv/image.h"
#include "timing/moves.h"
#include "timing/run.h"

/* --- programs --------------------------------------------------------------------------------- */

struct loaded {
    struct source source;
    struct diag_list diags;
    struct machine_program *program;
};

static void load(struct loaded *l, const struct shuffled *from)
{
    *l = (struct loaded){.program = NULL};
    diag_list_init(&l->diags);
    assert_int_equal(source_from_text(&l->source, from->name, from->text, from->size), 0);
    const int status = from->machine->language->load(&l->program, &l->source, 1, &l->diags);
    if (status != 0) {
        diag_print(&l->diags, &l->source, 1, stderr, false);
        fail_msg("%.*s", (int)from->size, from->text);
    }
}

static void unload(struct loaded *l, const struct shuffled *from)
{
    from->machine->language->unload(l->program);
    source_close(&l->source);
    diag_list_free(&l->diags);
}

struct values {
    uint64_t hash;
    char *dump;
    size_t size;
};

static struct values values_of(const struct shuffled *from, const struct config *config)
{
    struct values values = {.hash = 0};
    struct loaded l;
    struct machine_run *run = NULL;
    char error[MACHINE_ERROR] = "";
    struct run_options options = {.functional_only = true, .init = "random:7", .threads = 1};
    static const struct sink_ops none = {.name = "none"};
    const struct sink sink = {&none, NULL};
    options.dump = open_memstream(&values.dump, &values.size);
    load(&l, from);
    const struct run_setup setup = {l.program, config, &options, &sink};
    int status = run_open(&run, from->machine, &setup, &l.diags, error);
    if (status == 0)
        status = run_whole(run, &l.diags, error);
    if (status != 0)
        fail_msg("%s\n%.*s", error, (int)from->size, from->text);
    values.hash = run_hash(run);
    run_close(run);
    fclose(options.dump);
    unload(&l, from);
    return values;
}

/* --- orders ----------------------------------------------------------------------------------- */

/* Returns how many nodes are not where they were. */
static size_t shuffle(const struct moves_block *block, struct moves_place *places,
                      struct dice *dice)
{
    size_t *pending = calloc(block->node_count + 1, sizeof *pending), moved = 0;
    for (size_t a = 0; a < block->arc_count; a++)
        pending[block->arcs[a].to]++;
    for (uint32_t at = 0; at < block->node_count; at++) {
        uint32_t n = (uint32_t)dice_below(dice, block->node_count);
        while (pending[n] != 0)
            n = (n + 1) % (uint32_t)block->node_count;
        pending[n] = SIZE_MAX; /* placed */
        places[at] = (struct moves_place){.node = n, .slot = at};
        moved += n != at;
        for (size_t a = 0; a < block->arc_count; a++)
            if (block->arcs[a].from == n)
                pending[block->arcs[a].to]--;
    }
    free(pending);
    return moved;
}

static size_t check_once(const struct shuffled *from, const struct moves *moves,
                         const struct config *config, const struct values *as_written,
                         struct dice *dice)
{
    struct moves_place **places = calloc(moves->block_count + 1, sizeof *places);
    char *text = NULL;
    size_t size = 0, moved = 0;
    for (size_t b = 0; b < moves->block_count; b++) {
        places[b] = calloc(moves->blocks[b].node_count + 1, sizeof **places);
        moved += shuffle(&moves->blocks[b], places[b], dice);
    }
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(moves->write(moves->context, (const struct moves_place *const *)places, out),
                     0);
    fclose(out);
    struct shuffled to = *from;
    to.text = text;
    to.size = size;
    struct values values = values_of(&to, config);
    if (values.hash != as_written->hash || values.size != as_written->size ||
        memcmp(values.dump, as_written->dump, values.size) != 0)
        fail_msg("the order changes values\n%.*s\n--- is\n%.*s", (int)from->size, from->text,
                 (int)size, text);
    for (size_t b = 0; b < moves->block_count; b++)
        free(places[b]);
    free(places);
    free(values.dump);
    free(text);
    return moved;
}

/* A program whose moves are known. */
struct movable {
    struct loaded l;
    struct config config;
    struct moves moves;
    int status;
};

static void find_moves(struct movable *m, const struct shuffled *from, char error[MACHINE_ERROR])
{
    const struct run_options options = {.threads = 1};
    assert_int_equal(machine_config(from->machine, &m->config, error, MACHINE_ERROR), 0);
    load(&m->l, from);
    m->moves = (struct moves){.blocks = NULL};
    const struct run_setup setup = {m->l.program, &m->config, &options, NULL};
    m->status = from->machine->advice->moves(&setup, &m->moves, error);
    assert_true(m->status >= 0);
}

static void free_movable(struct movable *m, const struct shuffled *from)
{
    moves_free(&m->moves);
    unload(&m->l, from);
    config_free(&m->config);
}

size_t shuffled_check(const struct shuffled *from, unsigned times, struct dice *dice,
                      char error[MACHINE_ERROR])
{
    struct movable m;
    size_t moved = 0;
    find_moves(&m, from, error);
    if (m.status == 0) {
        struct values as_written = values_of(from, &m.config);
        for (unsigned i = 0; i < times; i++)
            moved += check_once(from, &m.moves, &m.config, &as_written, dice);
        free(as_written.dump);
    }
    free_movable(&m, from);
    return m.status == 0 ? moved : SIZE_MAX;
}

bool shuffled_may_swap(const struct shuffled *from)
{
    struct movable m;
    char error[MACHINE_ERROR];
    bool ordered = false;
    find_moves(&m, from, error);
    assert_true(m.status == 0 && m.moves.block_count > 0);
    const struct moves_block *block = &m.moves.blocks[m.moves.block_count - 1];
    const uint32_t last = (uint32_t)block->node_count - 1;
    for (size_t a = 0; a < block->arc_count; a++)
        ordered |= block->arcs[a].from == last - 1 && block->arcs[a].to == last;
    free_movable(&m, from);
    return !ordered;
}

/* --- ELF files -------------------------------------------------------------------------------- */

char *shuffled_elf(const struct machine *machine, const char *text, size_t *size)
{
    const struct shuffled from = {machine, "k", text, strlen(text)};
    struct loaded l;
    load(&l, &from);
    const struct riscv_image *image = machine->language->image(l.program);
    const Elf32_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = 243, /* RISC-V */
        .e_version = EV_CURRENT,
        .e_entry = image->entry,
        .e_phoff = sizeof header,
        .e_ehsize = sizeof header,
        .e_phentsize = sizeof(Elf32_Phdr),
        .e_phnum = (Elf32_Half)image->segment_count};
    uint32_t offset = (uint32_t)(sizeof header + image->segment_count * sizeof(Elf32_Phdr));
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, size);
    fwrite(&header, 1, sizeof header, out);
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct riscv_segment *s = &image->segments[i];
        const Elf32_Phdr segment = {.p_type = PT_LOAD,
                                    .p_offset = offset,
                                    .p_vaddr = s->address,
                                    .p_filesz = s->filled,
                                    .p_memsz = s->size,
                                    .p_flags = s->code ? PF_R | PF_X : PF_R | PF_W};
        fwrite(&segment, 1, sizeof segment, out);
        offset += s->filled;
    }
    for (size_t i = 0; i < image->segment_count; i++)
        fwrite(image->segments[i].bytes, 1, image->segments[i].filled, out);
    fclose(out);
    unload(&l, &from);
    return bytes;
}
