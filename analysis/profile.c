#include "analysis/profile.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

/* --- functions -------------------------------------------------------------------------------- */

enum { JAL = 0x6f, JALR = 0x67, RA = 1, T0 = 5 };

static bool is_link(uint32_t reg)
{
    return reg == RA || reg == T0;
}

static bool is_call(uint32_t word)
{
    const uint32_t opcode = word & 0x7f;
    return (opcode == JAL || opcode == JALR) && is_link(word >> 7 & 31);
}

/* A return, or a jump to an address in a register. */
static bool is_return(uint32_t word)
{
    return (word & 0x7f) == JALR && (word >> 7 & 31) == 0;
}

/* endprg: the next instruction of this warp is of another workgroup. */
static bool is_end(uint32_t word)
{
    return word == 0x0000400b;
}

/* The address that a jal at `address` jumps to. */
static uint32_t jal_target(uint32_t address, uint32_t word)
{
    const uint32_t high = word >> 31 ? 0xfff00000 : 0;
    return address + (high | (word & 0xff000) | (word >> 9 & 0x800) | (word >> 20 & 0x7fe));
}

static void mark_starts(const struct riscv_image *image, bool *starts)
{
    for (size_t i = 0; i < image->symbol_count; i++) {
        const uint32_t stmt = image->symbols[i].label && image->symbols[i].function
                                  ? riscv_image_stmt(image, image->symbols[i].value)
                                  : RISCV_NO_STMT;
        if (stmt != RISCV_NO_STMT)
            starts[stmt] = true;
    }
    for (size_t s = 0; s < image->stmt_count; s++) {
        const struct riscv_stmt *stmt = &image->stmts[s];
        const uint32_t target = (stmt->word & 0x7f) == JAL && is_call(stmt->word)
                                    ? riscv_image_stmt(image, jal_target(stmt->address, stmt->word))
                                    : RISCV_NO_STMT;
        if (target != RISCV_NO_STMT)
            starts[target] = true;
    }
    const uint32_t entry = riscv_image_stmt(image, image->entry);
    if (entry != RISCV_NO_STMT)
        starts[entry] = true;
    if (image->stmt_count)
        starts[0] = true;
}

/* The demangled name of the symbol at an address, or the address. */
static char *name_at(const struct riscv_image *image, uint32_t address)
{
    const struct riscv_symbol *symbol = riscv_image_at(image, address);
    char text[16];
    if (!symbol) {
        snprintf(text, sizeof text, address == image->entry ? "entry" : "0x%08x", address);
        return strdup(text);
    }
    char *plain = cplus_demangle(symbol->name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
    return plain ? plain : strdup(symbol->name);
}

static int add_functions(struct profile *p, const bool *starts)
{
    const struct riscv_image *image = p->image;
    size_t count = 0;
    for (size_t s = 0; s < image->stmt_count; s++)
        count += starts[s];
    p->functions = calloc(count + 1, sizeof *p->functions);
    if (!p->functions)
        return -1;
    for (size_t s = 0; s < image->stmt_count; s++) {
        if (starts[s]) {
            struct profile_function *f = &p->functions[p->function_count];
            f->stmt = (uint32_t)s;
            f->name = name_at(image, image->stmts[s].address);
            if (!f->name)
                return -1;
            p->function_count++;
        }
        p->function_of[s] = (uint32_t)p->function_count - 1;
    }
    return 0;
}

int profile_open(struct profile *p, const struct riscv_image *image, bool wide)
{
    const size_t count = image->stmt_count + 1;
    *p = (struct profile){.image = image, .wide = wide, .root = NONE_ID};
    bool *starts = calloc(count, sizeof *starts);
    p->function_of = calloc(count, sizeof *p->function_of);
    p->costs = calloc(count, sizeof *p->costs);
    int status = -1;
    if (starts && p->function_of && p->costs) {
        mark_starts(image, starts);
        status = add_functions(p, starts);
    }
    free(starts);
    return status;
}

/* --- stacks ----------------------------------------------------------------------------------- */

struct frame {
    uint32_t node, back; /* back: statement to which the function returns */
};

/* An execution whose intervals are still to come. */
struct begun {
    uint64_t start;
    uint32_t stmt, node;
};

/* Intervals of a stream with several executions a cycle come before or after these. */
struct profile_stream {
    bool issues, waits; /* waits: the last interval was a wait of `stmt`, which has been entered */
    uint32_t stmt;      /* executed last, or NONE_ID */
    struct frame *frames;
    size_t depth, frame_capacity;
    struct begun *begun; /* in order, from `head` on */
    size_t head, begun_count, begun_capacity;
    struct sink_interval *pending;
    size_t tail, pending_count, pending_capacity;
};

static bool same_line(const struct profile *p, uint32_t site, uint32_t other)
{
    if (site == NONE_ID || other == NONE_ID)
        return site == other;
    const struct riscv_stmt *a = &p->image->stmts[site], *b = &p->image->stmts[other];
    return a->file == b->file && a->line == b->line;
}

static struct profile_node *node_for(struct profile *p, uint32_t parent, uint32_t function,
                                     uint32_t site)
{
    for (uint32_t up = parent; up != NONE_ID; up = p->nodes[up].parent)
        if (p->nodes[up].function == function)
            return &p->nodes[up];
    const uint32_t *first = parent == NONE_ID ? &p->root : &p->nodes[parent].child;
    for (uint32_t i = *first; i != NONE_ID; i = p->nodes[i].next)
        if (p->nodes[i].function == function && same_line(p, p->nodes[i].site, site))
            return &p->nodes[i];
    if (!grow_list(&p->nodes, &p->node_capacity, p->node_count + 1, sizeof *p->nodes))
        return NULL;
    uint32_t *list = parent == NONE_ID ? &p->root : &p->nodes[parent].child;
    p->nodes[p->node_count] = (struct profile_node){
        .function = function, .parent = parent, .site = site, .child = NONE_ID, .next = *list};
    *list = (uint32_t)p->node_count;
    return &p->nodes[p->node_count++];
}

static int push(struct profile *p, struct profile_stream *s, uint32_t function, uint32_t site)
{
    const uint32_t parent = s->depth ? s->frames[s->depth - 1].node : NONE_ID;
    struct profile_node *node = node_for(p, parent, function, site);
    if (!node || !grow_list(&s->frames, &s->frame_capacity, s->depth + 1, sizeof *s->frames))
        return -1;
    node->calls++;
    p->functions[function].calls++;
    s->frames[s->depth++] =
        (struct frame){(uint32_t)(node - p->nodes), site == NONE_ID ? NONE_ID : site + 1};
    return 0;
}

/* The frames above the one that returns to stmt go, and that one, too; if there is one. */
static void pop_to(struct profile_stream *s, uint32_t stmt)
{
    for (size_t i = s->depth; i-- > 1;)
        if (s->frames[i].back == stmt) {
            s->depth = i;
            return;
        }
}

/* Another function without a call: it returns where this one would have. */
static int replace_top(struct profile *p, struct profile_stream *s, uint32_t function)
{
    const struct frame top = s->frames[--s->depth];
    const uint32_t site = p->nodes[top.node].site;
    if (push(p, s, function, site) != 0)
        return -1;
    s->frames[s->depth - 1].back = top.back;
    return 0;
}

/* The stream executes a statement. Returns the node it belongs to, or NONE_ID without memory. */
static uint32_t enter(struct profile *p, struct profile_stream *s, uint32_t stmt)
{
    const uint32_t function = p->function_of[stmt];
    const uint32_t last = s->stmt == NONE_ID ? 0 : p->image->stmts[s->stmt].word;
    int status = 0;
    if (s->stmt == NONE_ID || is_end(last)) {
        s->depth = 0;
        status = push(p, s, function, NONE_ID);
    } else if (is_return(last)) {
        pop_to(s, stmt);
    } else if (is_call(last)) {
        status = push(p, s, function, s->stmt);
    }
    if (status == 0 && p->nodes[s->frames[s->depth - 1].node].function != function)
        status = replace_top(p, s, function);
    s->stmt = stmt;
    if (status != 0)
        return NONE_ID;
    const uint32_t node = s->frames[s->depth - 1].node;
    p->costs[stmt].executions++;
    p->nodes[node].exclusive.executions++;
    return node;
}

/* --- intervals -------------------------------------------------------------------------------- */

static void add(struct profile_cost *to, const struct profile_cost *cost)
{
    to->cycles += cost->cycles;
    to->waiting += cost->waiting;
    to->executions += cost->executions;
}

static void charge(struct profile *p, const struct sink_interval *interval, uint32_t node)
{
    const bool waits = interval->reason != REASON_BUSY;
    const struct profile_cost cost = {interval->duration, waits ? interval->duration : 0, 0};
    add(&p->nodes[node].exclusive, &cost);
    add(&p->costs[interval->stmt], &cost);
}

/* Charge the pending intervals whose execution is known; all of them at the end. */
static void settle(struct profile *p, struct profile_stream *s, bool all)
{
    for (; s->tail < s->pending_count; s->tail++) {
        const struct sink_interval *interval = &s->pending[s->tail];
        while (s->head + 1 < s->begun_count && s->begun[s->head].start < interval->start)
            s->head++;
        const uint64_t end = interval->start + interval->duration;
        size_t i = s->head;
        while (i < s->begun_count && s->begun[i].start <= end && s->begun[i].stmt != interval->stmt)
            i++;
        if (i == s->begun_count && !all)
            break; /* its execution may follow */
        if (i == s->begun_count || s->begun[i].stmt != interval->stmt)
            i = s->head; /* it was not executed: with what was executed next */
        if (i < s->begun_count)
            charge(p, interval, s->begun[i].node);
    }
    if (s->tail == s->pending_count)
        s->tail = s->pending_count = 0;
    if (s->head > 4096) { /* those before it are done with */
        memmove(s->begun, s->begun + s->head, (s->begun_count - s->head) * sizeof *s->begun);
        s->begun_count -= s->head;
        s->head = 0;
    }
}

static int on_begin(void *context, const struct sink_header *header)
{
    struct profile *p = context;
    p->unit_count = header->unit_count;
    p->stream = calloc(p->unit_count + 1, sizeof *p->stream);
    p->stream_of = calloc(p->unit_count + 1, sizeof *p->stream_of);
    if (!p->stream || !p->stream_of || header->stmt_count > p->image->stmt_count)
        return -1;
    for (uint32_t u = 0; u < p->unit_count; u++) {
        p->stream[u].stmt = NONE_ID;
        p->stream[u].issues = strcmp(header->units[u].kind, "issue") == 0;
        if (p->stream[u].issues)
            p->stream_of[p->streams++] = u;
    }
    return 0;
}

static int on_interval(void *context, const struct sink_interval *interval)
{
    struct profile *p = context;
    struct profile_stream *s = &p->stream[interval->unit];
    if (!s->issues || interval->stmt >= p->image->stmt_count)
        return 0;
    if (p->wide) {
        if (!grow_list(&s->pending, &s->pending_capacity, s->pending_count + 1, sizeof *s->pending))
            return -1;
        s->pending[s->pending_count++] = *interval;
        settle(p, s, false);
        return 0;
    }
    uint32_t node = s->depth ? s->frames[s->depth - 1].node : NONE_ID;
    if (!s->waits || s->stmt != interval->stmt)
        node = enter(p, s, interval->stmt);
    s->waits = interval->reason != REASON_BUSY;
    if (node != NONE_ID)
        charge(p, interval, node);
    return node != NONE_ID ? 0 : -1;
}

static int on_execution(void *context, const struct sink_execution *execution)
{
    struct profile *p = context;
    if (!p->wide || execution->stream >= p->streams || execution->stmt >= p->image->stmt_count)
        return 0;
    struct profile_stream *s = &p->stream[p->stream_of[execution->stream]];
    const uint32_t node = enter(p, s, execution->stmt);
    if (!grow_list(&s->begun, &s->begun_capacity, s->begun_count + 1, sizeof *s->begun) ||
        node == NONE_ID)
        return -1;
    s->begun[s->begun_count++] = (struct begun){execution->start, execution->stmt, node};
    settle(p, s, false);
    return 0;
}

static int on_finish(void *context, const struct sink_summary *summary)
{
    struct profile *p = context;
    p->total = summary->cycles;
    for (size_t u = 0; u < p->unit_count; u++)
        settle(p, &p->stream[u], true);
    return 0;
}

struct sink profile_sink(struct profile *profile)
{
    static const struct sink_ops ops = {.name = "profile",
                                        .begin = on_begin,
                                        .interval = on_interval,
                                        .execution = on_execution,
                                        .finish = on_finish};
    return (struct sink){&ops, profile};
}

/* --- sums ------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct profile_line *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static int add_lines(struct profile *p)
{
    p->lines = calloc(p->image->stmt_count + 1, sizeof *p->lines);
    if (!p->lines)
        return -1;
    size_t count = 0;
    for (uint32_t s = 0; s < p->image->stmt_count; s++)
        if (p->costs[s].cycles || p->costs[s].executions)
            p->lines[count++] = (struct profile_line){.function = p->function_of[s],
                                                      .file = p->image->stmts[s].file,
                                                      .line = p->image->stmts[s].line,
                                                      .cost = p->costs[s]};
    qsort(p->lines, count, sizeof *p->lines, by_place);
    for (size_t i = 0; i < count; i++) {
        struct profile_line *last = p->line_count ? &p->lines[p->line_count - 1] : NULL;
        if (last && by_place(last, &p->lines[i]) == 0)
            add(&last->cost, &p->lines[i].cost);
        else
            p->lines[p->line_count++] = p->lines[i];
    }
    return 0;
}

int profile_sum(struct profile *p)
{
    for (size_t i = p->node_count; i-- > 0;) { /* a parent is before its children */
        struct profile_node *node = &p->nodes[i];
        add(&node->inclusive, &node->exclusive);
        if (node->parent != NONE_ID)
            add(&p->nodes[node->parent].inclusive, &node->inclusive);
        add(&p->functions[node->function].inclusive, &node->inclusive);
        add(&p->charged, &node->exclusive);
    }
    for (size_t s = 0; s < p->image->stmt_count; s++)
        add(&p->functions[p->function_of[s]].exclusive, &p->costs[s]);
    return add_lines(p);
}

void profile_free(struct profile *p)
{
    for (size_t i = 0; i < p->function_count; i++)
        free(p->functions[i].name);
    for (size_t u = 0; p->stream && u < p->unit_count; u++) {
        free(p->stream[u].frames);
        free(p->stream[u].begun);
        free(p->stream[u].pending);
    }
    free(p->functions);
    free(p->function_of);
    free(p->nodes);
    free(p->lines);
    free(p->costs);
    free(p->stream);
    free(p->stream_of);
    *p = (struct profile){.image = NULL};
}
