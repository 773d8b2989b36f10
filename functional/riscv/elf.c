#include "functional/riscv/elf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/hash.h"
#include "host/search.h"
#include "host/text.h"

enum { RISCV_MACHINE = 243, FLAG_COMPRESSED = 1, FLAG_EMBEDDED = 8 };

enum { FILES_MOST = 10000, FILE_SLOTS = 1 << 15, NAME_MOST = 4096 };

enum { PACKED = 16 }; /* most bytes of a compressed section of lines to a byte of the file */

enum { CHUNK = 1 << 20, CHUNKS = 1 << 12 }; /* bytes of address space */

struct loader {
    struct riscv_image *image;
    const struct source *source;
    const struct riscv_elf_rules *rules;
    struct diag_list *diags;
    uint32_t file;
    char *copy; /* a writable copy for libelf */
    Elf *elf;
    uint8_t *code[CHUNKS]; /* one bit per word, set for code; allocated per chunk of addresses */
    size_t file_capacity;
    uint16_t file_slots[FILE_SLOTS]; /* by the hash of the name: file, or 0 */
    uint8_t *tables;                 /* one bit per offset of a line table, set when it was read */
    uint64_t rows_left;              /* of line tables */
    int status;
};

bool riscv_is_elf(const struct source *source)
{
    return source->size >= 4 && memcmp(source->text, "\177ELF", 4) == 0;
}

bool riscv_is_elf32(const unsigned char *header)
{
    return memcmp(header, "\177ELF", 4) == 0 && header[EI_CLASS] == ELFCLASS32 &&
           header[EI_DATA] == ELFDATA2LSB && (header[18] | header[19] << 8) == RISCV_MACHINE;
}

static void refuse(struct loader *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void refuse(struct loader *l, const char *format, ...)
{
    char sentence[400];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    const struct diag at = {.severity = DIAG_ERROR, .file = l->file, .length = 1};
    diag_add(l->diags, &at, "%s", sentence);
    l->status = l->status ? l->status : 1;
}

static uint32_t word_at(const struct source *source, size_t offset, unsigned bytes)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < bytes && offset + i < source->size; i++)
        word |= (uint32_t)(uint8_t)source->text[offset + i] << 8 * i;
    return word;
}

size_t riscv_elf_offset(const struct source *source, uint32_t address)
{
    const size_t table = word_at(source, offsetof(Elf32_Ehdr, e_phoff), 4),
                 size = word_at(source, offsetof(Elf32_Ehdr, e_phentsize), 2);
    size_t found = SIZE_MAX;
    for (size_t n = word_at(source, offsetof(Elf32_Ehdr, e_phnum), 2); n-- > 0;) {
        const size_t at = table + n * size;
        const uint32_t from = word_at(source, at + offsetof(Elf32_Phdr, p_vaddr), 4);
        const size_t offset =
            (size_t)word_at(source, at + offsetof(Elf32_Phdr, p_offset), 4) + address - from;
        if (found == SIZE_MAX && word_at(source, at + offsetof(Elf32_Phdr, p_type), 4) == PT_LOAD &&
            address >= from &&
            address - from < word_at(source, at + offsetof(Elf32_Phdr, p_filesz), 4) &&
            offset + 4 <= source->size)
            found = offset;
    }
    return found; /* the last segment counts */
}

/* --- segments --------------------------------------------------------------------------------- */

/* The first extension beyond I in the flags of the RISC-V ELF header, or NULL. */
static const char *flagged(uint32_t flags)
{
    static const char *const floats[] = {NULL, "extension F", "extension D", "extension Q"};
    return flags & FLAG_COMPRESSED ? "extension C (compressed instructions)"
           : flags & FLAG_EMBEDDED ? "RV32E"
                                   : floats[flags >> 1 & 3];
}

static void read_header(struct loader *l)
{
    GElf_Ehdr header;
    if (elf_kind(l->elf) != ELF_K_ELF || !gelf_getehdr(l->elf, &header))
        refuse(l, "this is not a complete ELF file: its header cannot be read");
    else if (gelf_getclass(l->elf) != ELFCLASS32 || header.e_machine != RISCV_MACHINE ||
             header.e_ident[EI_DATA] != ELFDATA2LSB)
        refuse(l,
               "this ELF file is not for 32-bit RISC-V\n"
               "compile it with -march=%s -mabi=ilp32",
               l->rules->march);
    else if (header.e_type != ET_EXEC)
        refuse(l, "this ELF file is not linked to its addresses\nlink it with -static -no-pie");
    else if (flagged(header.e_flags & ~l->rules->flags))
        refuse(l,
               "this ELF file is compiled for %s, which the machine does not have\n"
               "compile it with -march=%s -mabi=ilp32",
               flagged(header.e_flags & ~l->rules->flags), l->rules->march);
    else
        l->image->entry = (uint32_t)header.e_entry;
}

static void add_segment(struct loader *l, const GElf_Phdr *header, uint64_t *sum)
{
    const struct riscv_elf_rules *rules = l->rules;
    *sum += header->p_memsz;
    if (header->p_filesz > header->p_memsz || header->p_offset > l->source->size ||
        header->p_filesz > l->source->size - header->p_offset) {
        refuse(l, "the segment at 0x%" PRIx64 " is not whole: the file ends before it",
               header->p_vaddr);
        return;
    }
    if (header->p_memsz > rules->most || header->p_vaddr < rules->base ||
        header->p_vaddr - rules->base > rules->most - header->p_memsz || *sum > rules->most) {
        refuse(l,
               "the segment at 0x%" PRIx64 " of %" PRIu64 " bytes does not fit into memory, "
               "0x%" PRIx64 " to 0x%" PRIx64,
               header->p_vaddr, header->p_memsz, rules->base, rules->base + rules->most - 1);
        return;
    }
    struct riscv_segment *segment = riscv_image_add_segment(l->image);
    if (!segment) {
        l->status = -1;
        return;
    }
    *segment = (struct riscv_segment){.address = (uint32_t)header->p_vaddr,
                                      .size = (uint32_t)header->p_memsz,
                                      .filled = (uint32_t)header->p_filesz,
                                      .code = header->p_flags & PF_X,
                                      .bytes = malloc((size_t)header->p_filesz + 1)};
    if (!segment->bytes)
        l->status = -1;
    else
        memcpy(segment->bytes, l->source->text + header->p_offset, (size_t)header->p_filesz);
}

static void read_segments(struct loader *l)
{
    size_t count = 0;
    uint64_t sum = 0;
    if (elf_getphdrnum(l->elf, &count) != 0)
        count = 0;
    for (size_t i = 0; i < count && l->status == 0; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(l->elf, (int)i, &header))
            refuse(l, "the table of segments cannot be read");
        else if (header.p_type == PT_LOAD && header.p_memsz)
            add_segment(l, &header, &sum);
    }
    if (l->status == 0 && !l->image->segment_count)
        refuse(l, "this ELF file has no segment to load");
}

/* --- code ------------------------------------------------------------------------------------- */

/* Mark the words of [from, from + size) that are in memory. */
static void mark(struct loader *l, uint64_t from, uint64_t size)
{
    const uint64_t base = l->rules->base, end = base + l->rules->most;
    uint64_t to = size < end ? from + size : end;
    to = to < end ? to : end;
    for (from = from < base ? base : (from + 3) / 4 * 4; from + 4 <= to && l->status == 0;
         from += 4) {
        uint8_t **chunk = &l->code[from / CHUNK];
        if (!*chunk)
            *chunk = calloc(CHUNK / 32, 1);
        if (!*chunk)
            l->status = -1;
        else
            (*chunk)[from % CHUNK / 32] |= (uint8_t)(1U << from / 4 % 8);
    }
}

static void mark_filled(struct loader *l, uint64_t from, uint64_t size)
{
    for (size_t i = 0; i < l->image->segment_count; i++) {
        const struct riscv_segment *s = &l->image->segments[i];
        const uint64_t first = from > s->address ? from : s->address,
                       end = (uint64_t)s->address + s->filled,
                       last = size < end && from + size < end ? from + size : end;
        if (first < last)
            mark(l, first, last - first);
    }
}

static void mark_code(struct loader *l)
{
    Elf_Scn *section = NULL;
    bool any = false;
    for (size_t n = 0; n < 65536 && (section = elf_nextscn(l->elf, section)); n++) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
            !(header.sh_flags & SHF_ALLOC))
            continue;
        /* The entry point is code, even if its section is not executable. */
        const bool entry =
            l->image->entry >= header.sh_addr && l->image->entry - header.sh_addr < header.sh_size;
        if (!entry && !(header.sh_flags & SHF_EXECINSTR))
            continue;
        mark_filled(l, header.sh_addr, header.sh_size);
        any = true;
    }
    for (size_t i = 0; i < l->image->segment_count && !any; i++)
        if (l->image->segments[i].code)
            mark(l, l->image->segments[i].address, l->image->segments[i].filled);
}

static void add_stmts(struct loader *l, const struct riscv_segment *segment)
{
    uint32_t at = (0U - segment->address) % 4;
    for (; at + 4 <= segment->filled && l->status == 0; at += 4) {
        const uint32_t place = segment->address + at;
        uint8_t *chunk = l->code[place / CHUNK], *bits = chunk ? &chunk[place % CHUNK / 32] : NULL;
        const uint8_t *bytes = segment->bytes + at, bit = (uint8_t)(1U << place / 4 % 8);
        if (!bits || !(*bits & bit))
            continue;
        *bits = (uint8_t)(*bits & ~bit); /* count it once if segments overlap */
        struct riscv_stmt *stmt = riscv_image_add_stmt(l->image);
        if (!stmt) {
            l->status = -1;
            return;
        }
        stmt->address = segment->address + at;
        stmt->word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                     (uint32_t)bytes[3] << 24;
    }
}

static void read_code(struct loader *l)
{
    mark_code(l);
    /* Overlapping segments: the last one wins. */
    for (size_t i = l->image->segment_count; i-- > 0;)
        add_stmts(l, &l->image->segments[i]);
    if (l->status == 0 && !l->image->stmt_count)
        refuse(l, "this ELF file has no code");
}

/* --- symbols ---------------------------------------------------------------------------------- */

static void add_symbol(struct loader *l, const GElf_Sym *from, const char *name)
{
    const unsigned type = GELF_ST_TYPE(from->st_info);
    if (!name || !*name || *name == '$' || strlen(name) > 4000 || from->st_shndx == SHN_UNDEF ||
        (type != STT_FUNC && type != STT_NOTYPE && type != STT_OBJECT))
        return;
    struct riscv_symbol *to = riscv_image_add_symbol(l->image, name, strlen(name));
    if (!to) {
        l->status = -1;
        return;
    }
    to->value = (uint32_t)from->st_value;
    to->label = from->st_shndx != SHN_ABS;
    to->function = to->label && type == STT_FUNC;
    to->visible = strncmp(name, ".L", 2) != 0;
}

static void read_symbols(struct loader *l)
{
    Elf_Scn *section = NULL;
    for (size_t n = 0; n < 65536 && (section = elf_nextscn(l->elf, section)); n++) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        const size_t count = data && header.sh_entsize ? data->d_size / header.sh_entsize : 0;
        for (size_t i = 1; i < count && l->status == 0; i++) {
            GElf_Sym symbol;
            if (gelf_getsym(data, (int)i, &symbol))
                add_symbol(l, &symbol, elf_strptr(l->elf, header.sh_link, symbol.st_name));
        }
        return;
    }
}

/* --- lines ------------------------------------------------------------------------------------ */

/* File 1 is the listing; the files of the line table follow. */
static uint32_t file_of(struct loader *l, const char *name)
{
    struct riscv_image *image = l->image;
    const size_t length = strnlen(name, NAME_MOST);
    size_t slot = hash_bytes(HASH_START, name, length) % FILE_SLOTS;
    for (; l->file_slots[slot]; slot = (slot + 1) % FILE_SLOTS)
        if (strcmp(image->own_files[l->file_slots[slot]].name, name) == 0)
            return l->file_slots[slot];
    if (image->file_count == FILES_MOST || length == NAME_MOST)
        return 0;
    struct source *files =
        grow(image->own_files, &l->file_capacity, image->file_count + 1, sizeof *files);
    if (files)
        image->files = image->own_files = files;
    if (!files || source_from_text(&files[image->file_count], name, "", 0) != 0) {
        l->status = -1;
        return 0;
    }
    l->file_slots[slot] = (uint16_t)image->file_count;
    return (uint32_t)image->file_count++;
}

/* Assign this line to the statements of [from, to). */
static void place(struct loader *l, uint64_t from, uint64_t to, const char *name, int line)
{
    struct riscv_image *image = l->image;
    size_t low = search_u32(image->stmts, image->stmt_count, sizeof *image->stmts,
                            offsetof(struct riscv_stmt, address), from);
    if (low == image->stmt_count || image->stmts[low].address >= to || !name || line <= 0)
        return;
    const uint32_t file = file_of(l, name);
    for (; file && low < image->stmt_count && image->stmts[low].address < to; low++) {
        image->stmts[low].file = file;
        image->stmts[low].line = (uint32_t)line;
    }
}

/* Linkers that drop a function leave its rows in the line table at address 0. If code exists at low
 * addresses, rows for them are trusted only in assembler units, in the unit that owns the function
 * at address 0, and elsewhere in the unit's own address ranges that begin above 0. */
enum { LOW = 65536, RANGES_MOST = 4096 };

static bool owns_zero(const struct loader *l, Dwarf_Die *unit)
{
    const struct riscv_symbol *first = riscv_image_at(l->image, 0);
    Dwarf_Die die;
    if (!first || !first->function || dwarf_srclang(unit) == DW_LANG_Mips_Assembler)
        return true;
    if (dwarf_child(unit, &die) != 0)
        return false;
    do {
        Dwarf_Addr low;
        Dwarf_Attribute linkage;
        if (dwarf_tag(&die) != DW_TAG_subprogram || dwarf_lowpc(&die, &low) != 0 || low != 0)
            continue;
        const char *name = dwarf_attr_integrate(&die, DW_AT_linkage_name, &linkage)
                               ? dwarf_formstring(&linkage)
                               : dwarf_diename(&die);
        if (name && strcmp(name, first->name) == 0)
            return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

static bool in_ranges(Dwarf_Die *unit, Dwarf_Addr address)
{
    Dwarf_Addr base, from, to;
    ptrdiff_t offset = 0;
    unsigned count = 0;
    while (count < RANGES_MOST && (offset = dwarf_ranges(unit, offset, &base, &from, &to)) > 0) {
        count++;
        if (from && from <= address && address < to)
            return true;
    }
    return !count; /* true if there are no ranges */
}

/* Whether the unit has a line table that no unit before it has. */
static bool is_new_table(struct loader *l, Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    Dwarf_Word at;
    if (!dwarf_attr(unit, DW_AT_stmt_list, &attribute) || dwarf_formudata(&attribute, &at) != 0 ||
        at / PACKED >= l->source->size)
        return false;
    const uint8_t bit = (uint8_t)(1U << at % 8);
    const bool known = l->tables[at / 8] & bit;
    l->tables[at / 8] |= bit;
    return !known;
}

static void read_unit_lines(struct loader *l, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t count = 0;
    if (!is_new_table(l, unit) || dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    l->rows_left -= count < l->rows_left ? count : l->rows_left;
    const bool zero = owns_zero(l, unit);
    for (size_t i = 0; i + 1 < count && l->status == 0; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i), *next = dwarf_onesrcline(lines, i + 1);
        Dwarf_Addr from, to;
        int number;
        bool ends;
        if (dwarf_lineaddr(line, &from) == 0 && dwarf_lineaddr(next, &to) == 0 &&
            dwarf_lineno(line, &number) == 0 && dwarf_lineendsequence(line, &ends) == 0 && !ends &&
            (zero || from >= LOW || in_ranges(unit, from)))
            place(l, from, to, dwarf_linesrc(line, NULL, NULL), number);
    }
}

/* A row takes a byte at least. Tables that overlap have more rows, and are read up to this limit.
 * The table of a unit of types is that of a compiled one. */
static void read_lines(struct loader *l)
{
    Dwarf *dwarf = dwarf_begin_elf(l->elf, DWARF_C_READ, NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    uint8_t type;
    l->tables = calloc(l->source->size / 8 + 1, PACKED);
    l->rows_left = (uint64_t)l->source->size * PACKED;
    if (!l->tables)
        l->status = -1;
    while (dwarf && l->status == 0 && l->rows_left &&
           dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, NULL) == 0)
        if (type != DW_UT_type && type != DW_UT_split_type)
            read_unit_lines(l, &die);
    free(l->tables);
    dwarf_end(dwarf);
}

/* --- loading ---------------------------------------------------------------------------------- */

static void read_elf(struct loader *l)
{
    read_header(l);
    if (l->status == 0)
        read_segments(l);
    if (l->status == 0)
        read_code(l);
    if (l->status == 0)
        read_symbols(l);
    if (riscv_image_sort(l->image) != 0)
        l->status = -1;
    if (l->status == 0)
        read_lines(l);
    if (l->status == 0 && riscv_image_stmt(l->image, l->image->entry) == RISCV_NO_STMT)
        refuse(l, "the entry point 0x%x is not in the code", l->image->entry);
}

int riscv_elf_load(struct riscv_image *image, const struct source *source, uint32_t file,
                   const struct riscv_elf_rules *rules, struct diag_list *diags)
{
    struct loader l = {
        .image = image, .source = source, .rules = rules, .diags = diags, .file = file};
    *image = (struct riscv_image){.files = NULL};
    elf_version(EV_CURRENT);
    image->own_files = grow(NULL, &l.file_capacity, 1, sizeof *image->own_files);
    l.copy = malloc(source->size + 1);
    if (!image->own_files || !l.copy ||
        source_from_text(&image->own_files[0], source->name, "", 0) != 0) {
        free(l.copy);
        free(image->own_files);
        image->own_files = NULL;
        return -1;
    }
    image->files = image->own_files;
    image->file_count = 1;
    memcpy(l.copy, source->text, source->size);
    l.elf = elf_memory(l.copy, source->size);
    if (l.elf)
        read_elf(&l);
    else
        refuse(&l, "this is not a complete ELF file: %s", elf_errmsg(-1));
    elf_end(l.elf);
    free(l.copy);
    for (size_t i = 0; i < CHUNKS; i++)
        free(l.code[i]);
    return l.status;
}

int riscv_image_list(struct riscv_image *image, riscv_listing *print, const void *context)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_open(&text, &size);
    if (!out)
        return -1;
    for (size_t i = 0; i < image->stmt_count; i++) {
        struct riscv_stmt *stmt = &image->stmts[i];
        char line[256];
        print(context, image, stmt->address, stmt->word, line, sizeof line);
        fprintf(out, "%s\n", line);
        stmt->length = (uint32_t)strlen(line);
        stmt->column = 1;
        if (!stmt->file)
            stmt->line = (uint32_t)i + 1;
    }
    struct source *listing = &image->own_files[0];
    char *name = text_close(out, &text) == 0 ? strdup(listing->name) : NULL;
    int status = -1;
    if (name) {
        source_close(listing);
        status = source_from_text(listing, name, text, size);
        for (size_t i = 0, at = 0; status == 0 && i < image->stmt_count; i++) {
            image->stmts[i].text = listing->text + at;
            at += image->stmts[i].length + 1;
        }
    }
    free(name);
    free(text);
    return status;
}
