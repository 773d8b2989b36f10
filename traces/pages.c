#include "traces/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The page of the locks is never used (1.4 of the format). */
enum { BUFFERED = 64, SENT = 64, LOCK_BYTE = 0x40000000, LOCK_PAGE = LOCK_BYTE / PAGE_SIZE + 1 };
enum { TABLE_LEAF = 0x0d, TABLE_INNER = 0x05, INDEX_LEAF = 0x0a, INDEX_INNER = 0x02 };
enum { LEAF_HEAD = 8, INNER_HEAD = 12, VARINT = 9 };

static void put2(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put4(uint8_t *at, uint32_t value)
{
    put2(at, value >> 16);
    put2(at + 2, value & 0xffff);
}

static uint32_t get4(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Big-endian groups of seven bits; the ninth byte holds eight. */
static unsigned put_varint(uint8_t *out, uint64_t value)
{
    if (value < 0x80) {
        *out = (uint8_t)value;
        return 1;
    }
    if (value >> 56) {
        out[8] = (uint8_t)value;
        value >>= 8;
        for (int i = 7; i >= 0; i--, value >>= 7) {
            out[i] = (uint8_t)(value | 0x80);
        }
        return 9;
    }
    unsigned size = 1;
    while (value >> 7 * size) {
        size++;
    }
    for (unsigned i = 0; i < size; i++) {
        out[i] = (uint8_t)((value >> 7 * (size - 1 - i) & 0x7f) | (i + 1 < size ? 0x80 : 0));
    }
    return size;
}

/* --- the file ----------------------------------------------------------------------------------
 */

static bool fail(struct pages *pages, int error)
{
    if (!pages->error) {
        pages->error = error ? error : EIO;
    }
    return false;
}

static bool write_at(struct pages *pages, int fd, const void *data, size_t size, off_t at)
{
    const char *bytes = data;
    while (size) {
        const ssize_t n = pwrite(fd, bytes, size, at);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return fail(pages, n < 0 ? errno : ENOSPC);
        }
        bytes += n;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static off_t place(uint32_t page)
{
    return (off_t)(page - 1) * PAGE_SIZE;
}

/* On their way to the disk while the next pages are filled: the sync at the end finds little left. */
static void send(struct pages *pages, uint32_t next)
{
    sync_file_range(pages->fd, place(pages->sent), place(next) - place(pages->sent),
                    SYNC_FILE_RANGE_WRITE);
    pages->sent = next;
}

/* New pages are written in the order of their numbers. */
static void write_pages(struct pages *pages, const uint8_t *data, uint32_t first, size_t count)
{
    const uint32_t next = first + (uint32_t)count;
    if (count && !pages->error) {
        write_at(pages, pages->fd, data, count * PAGE_SIZE, place(first));
        if (next - pages->sent >= SENT) {
            send(pages, next);
        }
    }
}

static void flush(struct pages *pages)
{
    write_pages(pages, pages->buffer, pages->count - (uint32_t)pages->filled + 1, pages->filled);
    pages->filled = 0;
}

void pages_flush(struct pages *pages)
{
    flush(pages);
    send(pages, pages->count + 1);
}

/* A new page to be filled at once, and its number. */
static uint8_t *new_page(struct pages *pages, uint32_t *number)
{
    if (pages->filled == BUFFERED) {
        flush(pages);
    }
    if (pages->count == UINT32_MAX - 2) {
        fail(pages, EFBIG);
    } else {
        pages->count++;
    }
    uint8_t *page = pages->buffer + pages->filled++ * PAGE_SIZE;
    if (pages->count == LOCK_PAGE) {
        memset(page, 0, PAGE_SIZE);
        return new_page(pages, number);
    }
    *number = pages->count;
    return page;
}

static void set_root(struct pages *pages, uint32_t root, const uint8_t *page)
{
    if (pages->root_count == PAGES_ROOTS) {
        fail(pages, EINVAL);
        return;
    }
    pages->roots[pages->root_count].number = root;
    memcpy(pages->roots[pages->root_count++].page, page, PAGE_SIZE);
}

int pages_open(struct pages *pages, int fd, const char *path)
{
    *pages = (struct pages){.fd = fd, .path = path};
    pages->buffer = malloc((size_t)BUFFERED * PAGE_SIZE);
    pages->roots = malloc(PAGES_ROOTS * sizeof *pages->roots);
    if (!pages->buffer || !pages->roots) {
        fail(pages, ENOMEM);
    } else if (pread(fd, pages->head, PAGE_SIZE, 0) != PAGE_SIZE ||
               pages->head[16] != PAGE_SIZE >> 8 || pages->head[20] || get4(pages->head + 52)) {
        fail(pages, EINVAL); /* another page size, reserved bytes or auto-vacuum */
    } else {
        pages->before = pages->count = get4(pages->head + 28);
        pages->sent = pages->before + 1;
    }
    return pages->error ? -1 : 0;
}

/* Section 3 of the format: a header of one sector, then each page as it was. */
static bool write_journal(struct pages *pages, int fd)
{
    enum { SECTOR = 512, RECORD = PAGE_SIZE + 8, STEP = 200 };
    static const uint8_t magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    const size_t count = pages->root_count + 1;
    uint8_t *journal = malloc(SECTOR + count * RECORD);
    if (!journal) {
        return fail(pages, ENOMEM);
    }
    memset(journal, 0, SECTOR);
    memcpy(journal, magic, sizeof magic);
    put4(journal + 8, (uint32_t)count);
    put4(journal + 16, pages->before);
    put4(journal + 20, SECTOR);
    put4(journal + 24, PAGE_SIZE);
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++) {
        const uint32_t number = i ? pages->roots[i - 1].number : 1;
        uint8_t *record = journal + SECTOR + i * RECORD;
        if (i == 0) {
            memcpy(record + 4, pages->head, PAGE_SIZE);
        } else if (pread(pages->fd, record + 4, PAGE_SIZE, place(number)) != PAGE_SIZE) {
            fine = fail(pages, EIO);
        }
        uint32_t sum = 0; /* the nonce is 0 */
        for (int k = PAGE_SIZE - STEP; k > 0; k -= STEP) {
            sum += record[4 + k];
        }
        put4(record, number);
        put4(record + 4 + PAGE_SIZE, sum);
    }
    /* The head last: now it counts. */
    fine = fine && write_at(pages, fd, journal + SECTOR, count * RECORD, SECTOR) &&
           write_at(pages, fd, journal, SECTOR, 0);
    free(journal);
    return fine;
}

static bool change(struct pages *pages)
{
    const uint32_t version = get4(pages->head + 24) + 1;
    uint8_t head[PAGE_SIZE];
    memcpy(head, pages->head, PAGE_SIZE);
    put4(head + 24, version);
    put4(head + 28, pages->count);
    put4(head + 92, version);
    bool fine = write_at(pages, pages->fd, head, PAGE_SIZE, 0);
    for (size_t i = 0; fine && i < pages->root_count; i++) {
        fine = write_at(pages, pages->fd, pages->roots[i].page, PAGE_SIZE,
                        place(pages->roots[i].number));
    }
    return fine;
}

static bool commit_pages(struct pages *pages)
{
    char *name = NULL;
    if (asprintf(&name, "%s-journal", pages->path) < 0) {
        return fail(pages, ENOMEM);
    }
    const int journal = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    bool fine = journal >= 0 ? write_journal(pages, journal) : fail(pages, errno);
    if (fine) {
        fine = change(pages);
        /* What has been begun and cannot be ended stays for the journal to undo. */
        if (fine && ftruncate(journal, 0)) {
            fine = fail(pages, errno);
        }
    } else if (journal >= 0) {
        unlink(name);
    }
    if (journal >= 0) {
        close(journal);
    }
    free(name);
    return fine;
}

int pages_close(struct pages *pages, bool commit)
{
    bool fine = !pages->error;
    if (fine && commit) {
        flush(pages);
        fine = !pages->error && commit_pages(pages);
    }
    if ((!fine || !commit) && pages->before) {
        /* The new pages hang on nothing; the file gives their room back. */
        if (ftruncate(pages->fd, place(pages->before + 1))) {
            fine = fail(pages, errno);
        }
    }
    return fine ? 0 : -1;
}

void pages_free(struct pages *pages)
{
    free(pages->buffer);
    free(pages->roots);
    pages->buffer = NULL;
    pages->roots = NULL;
}

/* --- records -----------------------------------------------------------------------------------
 */

/* Serial types 0 to 6, 8 and 9: how a whole number is stored. Eight bytes of out are written,
 * whatever counts of them. */
static unsigned store(uint8_t *out, int64_t value, uint8_t *type)
{
    /* By the bits of a number without its sign. */
    static const uint8_t types[64] = {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2,
                                      3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4,
                                      5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
                                      6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6};
    static const uint8_t bytes[] = {0, 1, 2, 3, 4, 6, 8};
    if (value == PAGES_NULL) {
        *type = 0;
        return 0;
    }
    if (value == 0 || value == 1) {
        *type = value ? 9 : 8;
        return 0;
    }
    const uint64_t size = (uint64_t)(value < 0 ? ~value : value);
    const unsigned t = types[64 - __builtin_clzll(size | 1)], count = bytes[t];
    const uint64_t first = (uint64_t)value << 8 * (8 - count);
    put4(out, (uint32_t)(first >> 32));
    put4(out + 4, (uint32_t)first);
    *type = (uint8_t)t;
    return count;
}

enum { RECORD_MOST = 1 + PAGES_COLUMNS + VARINT + 8 * PAGES_COLUMNS + 8 };

/* The head of a record and its numbers; the text follows. With a key the first column is NULL, whatever
 * stands there. */
static unsigned make_record(uint8_t out[RECORD_MOST], const int64_t *values, unsigned count, bool key,
                            const char *text, size_t size)
{
    unsigned head = 1 + count;
    if (text) {
        head += put_varint(out + head, 13 + 2 * (uint64_t)size);
    }
    unsigned filled = head;
    out[0] = (uint8_t)head;
    out[1] = 0;
    for (unsigned i = key; i < count; i++) {
        filled += store(out + filled, values[i], &out[1 + i]);
    }
    return filled;
}

/* As memcpy, for sizes of cells. */
static void copy(uint8_t *to, const uint8_t *from, size_t size)
{
    enum { WORD = 8, TWO = 2 * WORD, FOUR = 4 * WORD };
    if (size < WORD || size > FOUR) {
        memcpy(to, from, size);
    } else if (size <= TWO) {
        uint64_t first, last;
        memcpy(&first, from, WORD);
        memcpy(&last, from + size - WORD, WORD);
        memcpy(to, &first, WORD);
        memcpy(to + size - WORD, &last, WORD);
    } else {
        struct {
            uint64_t words[2];
        } first, last;
        memcpy(&first, from, TWO);
        memcpy(&last, from + size - TWO, TWO);
        memcpy(to, &first, TWO);
        memcpy(to + size - TWO, &last, TWO);
    }
}

/* --- tables ------------------------------------------------------------------------------------
 */

static void start_leaf(struct tree *tree)
{
    tree->cells = 0;
    tree->content = PAGE_SIZE;
}

void tree_begin(struct tree *tree, struct leaf_pool *pool)
{
    tree->pages = NULL;
    tree->root = 0;
    leaves_begin(&tree->leaves, pool);
    tree->error = 0;
    tree->last = 0;
    tree->children = NULL;
    tree->child_count = tree->child_capacity = 0;
    start_leaf(tree);
}

void tree_free(struct tree *tree)
{
    leaves_free(&tree->leaves);
    free(tree->children);
    tree->children = NULL;
    tree->child_count = 0;
}

void tree_attach(struct tree *tree, struct pages *pages, uint32_t root)
{
    if (tree->error) {
        fail(pages, tree->error);
    }
    tree->pages = pages;
    tree->root = root;
    for (size_t i = 0, count; i < tree->child_count && !pages->error; i += count) {
        const uint8_t *run = leaves_run(&tree->leaves, i, &count);
        const bool past = pages->count >= LOCK_PAGE, room = pages->count < UINT32_MAX - LEAVES_BLOCK - 2;
        const bool whole = room && (past || pages->count + count < LOCK_PAGE);
        if (whole) {
            flush(pages);
            write_pages(pages, run, pages->count + 1, count);
        }
        for (size_t k = 0; k < count; k++) {
            uint32_t *number = &tree->children[i + k].page;
            if (whole) {
                *number = ++pages->count;
            } else {
                memcpy(new_page(pages, number), run + k * PAGE_SIZE, PAGE_SIZE);
            }
        }
    }
    leaves_free(&tree->leaves);
}

/* Head of a page whose cells and pointers stand; the gap between becomes 0. */
static void finish_page(uint8_t *page, uint8_t kind, unsigned cells, unsigned content,
                        uint32_t right)
{
    const unsigned head = kind == TABLE_LEAF || kind == INDEX_LEAF ? LEAF_HEAD : INNER_HEAD;
    page[0] = kind;
    put2(page + 1, 0);
    put2(page + 3, cells);
    put2(page + 5, content);
    page[7] = 0;
    if (head == INNER_HEAD) {
        put4(page + 8, right);
    }
    memset(page + head + 2 * cells, 0, content - head - 2 * cells);
}

static void tree_fail(struct tree *tree, int error)
{
    if (tree->pages) {
        fail(tree->pages, error);
    } else {
        tree->error = tree->error ? tree->error : error;
    }
}

/* Where the next leaf goes, and its number: of the file, or among those that are kept. */
static uint8_t *new_leaf(struct tree *tree, uint32_t *number)
{
    if (tree->pages) {
        return new_page(tree->pages, number);
    }
    *number = (uint32_t)tree->child_count;
    return leaves_add(&tree->leaves);
}

/* The page that has been filled. */
static void keep_leaf(struct tree *tree)
{
    if (tree->child_count == tree->child_capacity) {
        const size_t capacity = tree->child_capacity ? 2 * tree->child_capacity : 64;
        struct tree_child *children = realloc(tree->children, capacity * sizeof *children);
        if (!children) {
            tree_fail(tree, ENOMEM);
            return;
        }
        tree->children = children;
        tree->child_capacity = capacity;
    }
    uint32_t number;
    uint8_t *leaf = new_leaf(tree, &number);
    if (!leaf) {
        tree_fail(tree, ENOMEM);
        return;
    }
    memcpy(leaf, tree->page, PAGE_SIZE);
    tree->children[tree->child_count++] = (struct tree_child){number, tree->last};
}

static void end_leaf(struct tree *tree)
{
    finish_page(tree->page, TABLE_LEAF, tree->cells, tree->content, 0);
    keep_leaf(tree);
    start_leaf(tree);
}

/* A payload that is too long keeps `local` bytes in the leaf (1.7); the rest goes to pages in a
 * row. */
static uint32_t overflow(struct pages *pages, const char *text, size_t size)
{
    enum { ROOM = PAGE_SIZE - 4 };
    uint32_t first = 0;
    uint8_t *before = NULL;
    while (size) {
        uint32_t number;
        /* The page before is full but for its pointer, and stands in the buffer or has been
         * written: its successor is the next number but for the page of the locks. */
        if (before) {
            put4(before, pages->count + 1 == LOCK_PAGE ? pages->count + 2 : pages->count + 1);
        }
        uint8_t *page = new_page(pages, &number);
        const size_t part = size < ROOM ? size : ROOM;
        put4(page, 0);
        memcpy(page + 4, text, part);
        memset(page + 4 + part, 0, ROOM - part);
        text += part;
        size -= part;
        before = page;
        first = first ? first : number;
    }
    return first;
}

/* Where a cell of so many bytes goes. */
static uint8_t *new_cell(struct tree *tree, unsigned cell)
{
    if (LEAF_HEAD + 2 * (tree->cells + 1) + cell > tree->content) {
        end_leaf(tree);
    }
    if (tree->pages ? tree->pages->error : tree->error) {
        start_leaf(tree);
    }
    tree->content -= cell;
    put2(tree->page + LEAF_HEAD + 2 * tree->cells++, tree->content);
    return tree->page + tree->content;
}

void tree_row(struct tree *tree, int64_t id, const int64_t *values, unsigned count, bool key)
{
    /* The payload's size, one byte, and the id stand before it. */
    uint8_t made[1 + VARINT + RECORD_MOST], *const record = made + 1 + VARINT;
    const unsigned payload = make_record(record, values, count, key, NULL, 0);
    unsigned number_size;
    if ((uint64_t)id >> 56) {
        number_size = put_varint(record - VARINT, (uint64_t)id);
    } else {
        uint64_t rest = (uint64_t)id;
        number_size = 0;
        do {
            record[-1 - (int)number_size] = (uint8_t)((rest & 0x7f) | (number_size ? 0x80 : 0));
            number_size++;
        } while (rest >>= 7);
    }
    uint8_t *start = record - number_size - 1;
    if (payload < 0x80) {
        start[0] = (uint8_t)payload;
        const unsigned cell = 1 + number_size + payload;
        copy(new_cell(tree, cell), start, cell);
    } else {
        uint8_t size[VARINT];
        const unsigned size_size = put_varint(size, payload);
        uint8_t *at = new_cell(tree, size_size + number_size + payload);
        memcpy(at, size, size_size);
        memcpy(at + size_size, start + 1, number_size + payload);
    }
    tree->last = id;
}

void tree_text(struct tree *tree, int64_t id, const int64_t *values, unsigned count, bool key,
               const char *text, size_t size)
{
    enum { LOCAL_MOST = PAGE_SIZE - 35, LOCAL_LEAST = (PAGE_SIZE - 12) * 32 / 255 - 23 };
    uint8_t record[RECORD_MOST], head[2 * VARINT];
    const unsigned fixed = make_record(record, values, count, key, text, size);
    const size_t payload = fixed + size;
    size_t local = payload;
    if (payload > LOCAL_MOST) {
        local = LOCAL_LEAST + (payload - LOCAL_LEAST) % (PAGE_SIZE - 4);
        local = local <= LOCAL_MOST ? local : LOCAL_LEAST;
        if (!tree->pages) {
            tree_fail(tree, EINVAL);
            return;
        }
    }
    unsigned head_size = put_varint(head, payload);
    head_size += put_varint(head + head_size, (uint64_t)id);
    uint8_t *at = new_cell(tree, head_size + (unsigned)local + (local < payload ? 4 : 0));
    memcpy(at, head, head_size);
    memcpy(at + head_size, record, fixed);
    memcpy(at + head_size + fixed, text, local - fixed);
    if (local < payload) {
        put4(at + head_size + local,
             overflow(tree->pages, text + (local - fixed), payload - local));
    }
    tree->last = id;
}

void tree_leaf(struct tree *tree, const uint8_t *leaf, int64_t last)
{
    if (tree->cells) {
        end_leaf(tree);
    }
    memcpy(tree->page, leaf, PAGE_SIZE);
    tree->last = last;
    keep_leaf(tree);
}

/* How many of `count` children the next of `groups` pages takes, as even as can be. */
static size_t share(size_t count, size_t groups)
{
    return (count + groups - 1) / groups;
}

/* What parts a child from the next, as a cell of the page above, but for the child's number; returns its size. */
typedef unsigned parting(const void *self, int64_t last, uint8_t cell[1 + RECORD_MOST]);

/* The pages above the leaves, of at most so many children, until one is left: the root. */
static void make_top(struct tree *tree, uint8_t kind, size_t most, parting *part, const void *self)
{
    struct pages *pages = tree->pages;
    struct tree_child *children = tree->children;
    size_t count = tree->child_count;
    bool top = false;
    while (!top && !pages->error) {
        top = count <= most;
        size_t groups = share(count, most), above = 0, from = 0;
        for (; groups; groups--) {
            const size_t many = share(count - from, groups);
            uint8_t page[PAGE_SIZE];
            unsigned content = PAGE_SIZE;
            for (size_t i = 0; i + 1 < many; i++) {
                uint8_t cell[1 + RECORD_MOST];
                const unsigned size = part(self, children[from + i].last, cell);
                content -= 4 + size;
                put4(page + content, children[from + i].page);
                memcpy(page + content + 4, cell, size);
                put2(page + INNER_HEAD + 2 * i, content);
            }
            finish_page(page, kind, (unsigned)many - 1, content, children[from + many - 1].page);
            if (top) {
                set_root(pages, tree->root, page);
            } else {
                uint32_t number;
                memcpy(new_page(pages, &number), page, PAGE_SIZE);
                children[above++] = (struct tree_child){number, children[from + many - 1].last};
            }
            from += many;
        }
        count = above;
    }
}

static unsigned part_rows(const void *unused, int64_t last, uint8_t cell[1 + RECORD_MOST])
{
    (void)unused;
    return put_varint(cell, (uint64_t)last);
}

void tree_end(struct tree *tree)
{
    struct pages *pages = tree->pages;
    if (!pages->error && !tree->child_count) {
        finish_page(tree->page, TABLE_LEAF, tree->cells, tree->content, 0);
        set_root(pages, tree->root, tree->page);
    } else if (!pages->error) {
        enum { MOST = (PAGE_SIZE - INNER_HEAD) / (2 + 4 + VARINT) + 1 };
        end_leaf(tree);
        make_top(tree, TABLE_INNER, MOST, part_rows, NULL);
    }
    tree_free(tree);
}

/* --- indexes -----------------------------------------------------------------------------------
 */

/* The cell of an entry: its record behind the record's size. */
static unsigned make_cell(uint8_t cell[1 + RECORD_MOST], const int64_t *values, unsigned columns)
{
    const unsigned size = make_record(cell + 1, values, columns, false, NULL, 0);
    cell[0] = (uint8_t)size; /* below 128: INDEX_COLUMNS numbers */
    return 1 + size;
}

void index_begin(struct index *index, struct leaf_pool *pool, unsigned columns)
{
    index->columns = columns;
    index->most = index->size = 0;
    index->between = NULL;
    index->between_count = index->between_capacity = 0;
    tree_begin(&index->tree, pool);
}

void index_free(struct index *index)
{
    tree_free(&index->tree);
    free(index->between);
    index->between = NULL;
}

void index_attach(struct index *index, struct pages *pages, uint32_t root)
{
    tree_attach(&index->tree, pages, root);
}

/* The last entry of a full leaf goes up: it parts the leaf from the next. */
static void end_index_leaf(struct index *index)
{
    struct tree *tree = &index->tree;
    if (index->between_count == index->between_capacity) {
        const size_t capacity = index->between_capacity ? 2 * index->between_capacity : 64;
        int64_t *between =
            realloc(index->between, capacity * index->columns * sizeof *between);
        if (!between) {
            tree_fail(tree, ENOMEM);
            start_leaf(tree);
            return;
        }
        index->between = between;
        index->between_capacity = capacity;
    }
    memcpy(index->between + index->between_count * index->columns, index->last,
           index->columns * sizeof *index->last);
    tree->last = (int64_t)index->between_count++;
    tree->cells--;
    tree->content += index->size;
    finish_page(tree->page, INDEX_LEAF, tree->cells, tree->content, 0);
    keep_leaf(tree);
    start_leaf(tree);
}

void index_row(struct index *index, const int64_t *values)
{
    struct tree *tree = &index->tree;
    uint8_t cell[1 + RECORD_MOST];
    const unsigned size = make_cell(cell, values, index->columns);
    if (LEAF_HEAD + 2 * (tree->cells + 1) + size > tree->content) {
        end_index_leaf(index);
    }
    copy(new_cell(tree, size), cell, size);
    memcpy(index->last, values, index->columns * sizeof *values);
    index->size = size;
    index->most = size > index->most ? size : index->most;
}

static unsigned part_entries(const void *self, int64_t number, uint8_t cell[1 + RECORD_MOST])
{
    const struct index *index = self;
    return make_cell(cell, index->between + (size_t)number * index->columns, index->columns);
}

void index_end(struct index *index)
{
    struct tree *tree = &index->tree;
    struct pages *pages = tree->pages;
    finish_page(tree->page, INDEX_LEAF, tree->cells, tree->content, 0);
    if (!pages->error && !tree->child_count) {
        set_root(pages, tree->root, tree->page);
    } else if (!pages->error) {
        keep_leaf(tree);
        make_top(tree, INDEX_INNER, (PAGE_SIZE - INNER_HEAD) / (2 + 4 + index->most) + 1, part_entries, index);
    }
    index_free(index);
}
