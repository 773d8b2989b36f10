#include "analysis/proof_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/order_rules.h"
#include "host/grow.h"
#include "host/hash.h"
#include "host/text.h"

static const char *const events[] = {"head", "tail", "behind"};
enum { EVENTS = sizeof events / sizeof *events };

/* Damage is found out by it; no claim rests on it. */
static uint64_t sum_of(const char *text, size_t size)
{
    return hash_bytes(HASH_START, text, size);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void put_node(const struct graph *graph, uint32_t n, FILE *out)
{
    const struct graph_node *node = &graph->nodes[n];
    fprintf(out, "node %" PRIu32, n);
    if (node->stmt != GRAPH_NONE)
        fprintf(out, " stmt %" PRIu32, node->stmt);
    fprintf(out,
            " stream %" PRIu32 " issue %" PRIu32 " length %" PRIu64 " settle %" PRIu64
            " release %" PRIu64 "%s%s\n",
            node->stream, node->issue, node->length, node->settle, node->release,
            node->joined ? " joined" : "", node->transfer ? " transfer" : "");
    for (size_t u = node->use; u < node->use + node->use_count; u++) {
        const struct graph_use *use = &graph->uses[u];
        fprintf(out, "use %s offset %" PRIu64 " cycles %" PRIu64, graph->units[use->unit].name,
                use->offset, use->cycles);
        if (use->spread)
            fprintf(out, " spread after %" PRIu64, use->after);
        fprintf(out, "%s", use->placed ? " placed" : "");
        if (use->instances > 1)
            fprintf(out, " instances %" PRIu32, use->instances);
        fputc('\n', out);
    }
}

static void put_arc(const struct graph_arc *arc, FILE *out)
{
    fprintf(out, "arc %" PRIu32 " %" PRIu32 " %s lag %" PRIu64 " least %" PRIu64, arc->from,
            arc->to, graph_arc_names[arc->kind], arc->lag, arc->least);
    if (arc->completes)
        fprintf(out, " completes after %" PRIu64, arc->after);
    fprintf(out, "%s%s%s%s\n", arc->certain ? " certain" : "", arc->always ? " always" : "",
            arc->rule && arc->rule[0] ? " rule " : "", arc->rule ? arc->rule : "");
}

/* What is taken for granted. */
static void put_premises(const struct graph *graph, FILE *out)
{
    fprintf(out, "takt proof 1\nquantum %" PRIu64 " end %" PRIu64 " whole %" PRIu64 "\n",
            graph->quantum, graph->end, graph->whole);
    for (uint32_t u = 0; u < graph->unit_count; u++) {
        const struct graph_unit *unit = &graph->units[u];
        fprintf(out, "unit %s width %" PRIu32 " frame %" PRIu64 " uses %" PRIu64 "\n", unit->name,
                unit->width, unit->frame, unit->frame_uses);
    }
    for (uint32_t n = 0; n < graph->node_count; n++)
        put_node(graph, n, out);
    for (size_t a = 0; a < graph->arc_count; a++)
        put_arc(&graph->arcs[a], out);
}

static void put_raise(const struct graph *graph, const struct bound_raises *raises, size_t i,
                      FILE *out)
{
    const struct bound_raise *raise = &raises->list[i];
    fprintf(out, "raise %s %" PRIu32 " to %" PRIu64 " unit %s head %" PRIu64 " tail %" PRId64 " of",
            events[raise->event], raise->node, raise->cycles, graph->units[raise->unit].name,
            raise->head, raise->tail);
    for (size_t k = 0; k < raise->count; k++)
        fprintf(out, " %" PRIu32, raises->members[raise->first + k]);
    fputc('\n', out);
}

static void put_bound(const struct graph *graph, const struct bound *bound, FILE *out)
{
    const struct bound_raises *raises = bound->raises;
    if (bound->kind == BOUND_SEARCH) {
        fprintf(out, "class %s search cycles %" PRIu64 "\n", bound_class_names[bound->class],
                bound->cycles);
        return;
    }
    fprintf(out,
            "class %s %s cycles %" PRIu64 " unit %s head %" PRIu64 " tail %" PRId64
            "%s raises %zu\n",
            bound_class_names[bound->class], bound_kind_names[bound->kind], bound->cycles,
            bound->unit == GRAPH_NONE ? "-" : graph->units[bound->unit].name, bound->head,
            bound->tail, bound->stream ? " stream" : "", raises ? raises->count : 0);
    for (size_t i = 0; raises && i < raises->count; i++)
        put_raise(graph, raises, i, out);
    fputs("of", out);
    for (size_t k = 0; k < bound->node_count; k++) {
        fprintf(out, " %" PRIu32, bound->nodes[k]);
        if (bound->kind == BOUND_PATH && k + 1 < bound->node_count)
            fprintf(out, " +%" PRIu64, bound->lags[k]);
    }
    fputc('\n', out);
}

/* The largest with a certificate. */
static const struct bound *best_certified(const struct bounds *bounds, enum bound_class class)
{
    const struct bound *best = NULL;
    for (size_t i = 0; i < bounds->count; i++) {
        const struct bound *row = &bounds->rows[i];
        if (row->class == class && row->kind != BOUND_SEARCH &&
            (!best || row->cycles > best->cycles))
            best = row;
    }
    return best;
}

/* What a search of every order proves, and its premises, where a class has no larger certificate.
 * *cycles 0: nothing. Returns 0, or -1 when the host failed. */
static int search_again(const struct proof_subject *subject, const struct bounds *bounds,
                        struct order_rules **rules, uint64_t *cycles)
{
    *rules = NULL;
    *cycles = 0;
    for (size_t i = 0; i < bounds->count; i++)
        if (bounds->rows[i].kind == BOUND_SEARCH)
            *cycles = bounds->rows[i].cycles;
    if (!*cycles || !subject->setup)
        return 0;
    int status = order_rules_find(rules, subject->machine, subject->setup);
    if (status == 0)
        status = order_least(*rules, cycles);
    if (status != 0)
        *cycles = 0;
    return status < 0 ? -1 : 0;
}

static void put_claims(const struct graph *graph, const struct bounds *bounds,
                       const struct order_rules *rules, uint64_t searched, FILE *out)
{
    const struct bound *best[BOUND_CLASSES];
    struct bound search[BOUND_CLASSES];
    bool premises = false;
    for (unsigned class = 0; class < BOUND_CLASSES; class ++) {
        best[class] = best_certified(bounds, (enum bound_class) class);
        search[class] = (struct bound){
            .class = (enum bound_class) class, .kind = BOUND_SEARCH, .cycles = searched};
        if (rules && class != BOUND_FREE_PLACES &&
            (!best[class] || best[class]->cycles < searched)) {
            best[class] = &search[class];
            premises = true;
        }
    }
    if (premises)
        order_rules_put(rules, out);
    for (unsigned class = 0; class < BOUND_CLASSES; class ++)
        if (best[class])
            put_bound(graph, best[class], out);
}

int proof_write(const struct proof_subject *subject, const struct bounds *bounds, FILE *to)
{
    char *text = NULL;
    size_t size = 0;
    struct order_rules *rules;
    uint64_t searched;
    int status = search_again(subject, bounds, &rules, &searched);
    FILE *out = status == 0 ? text_open(&text, &size) : NULL;
    if (out) {
        put_premises(subject->graph, out);
        put_claims(subject->graph, bounds, searched ? rules : NULL, searched, out);
    }
    order_rules_free(rules);
    if (!out || text_close(out, &text) != 0)
        return -1;
    fwrite(text, 1, size, to);
    fprintf(to, "end %016" PRIx64 "\n", sum_of(text, size));
    free(text);
    return ferror(to) ? -1 : 0;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct reader {
    const struct graph *graph;
    struct order_rules *rules; /* that are among the premises, or NULL */
    const char *text, *at, *end;
    bool failed; /* something is not as it must be written */
    bool lost;   /* the host has no memory */
};

/* One claim. */
struct claim {
    struct bound bound;
    struct bound_raises raises;
    size_t node_capacity, lag_capacity;
};

static bool take(struct reader *r, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

static void need(struct reader *r, const char *word)
{
    r->failed |= !take(r, word);
}

static uint64_t number(struct reader *r)
{
    uint64_t value = 0;
    unsigned digits = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9' && digits < 19; r->at++, digits++)
        value = value * 10 + (uint64_t)(*r->at - '0');
    r->failed |= !digits;
    return value;
}

static int64_t signed_number(struct reader *r)
{
    const bool minus = take(r, "-");
    const int64_t value = (int64_t)number(r);
    return minus ? -value : value;
}

/* A node that there is. */
static uint32_t node(struct reader *r)
{
    const uint64_t n = number(r);
    r->failed |= n >= r->graph->node_count;
    return r->failed ? 0 : (uint32_t)n;
}

static unsigned one_of(struct reader *r, const char *const *names, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const size_t length = strlen(names[i]);
        if ((size_t)(r->end - r->at) > length && r->at[length] == ' ' && take(r, names[i]))
            return i;
    }
    r->failed = true;
    return 0;
}

static uint32_t unit(struct reader *r)
{
    for (uint32_t u = 0; u < r->graph->unit_count; u++) {
        const size_t length = strlen(r->graph->units[u].name);
        if ((size_t)(r->end - r->at) > length && r->at[length] == ' ' &&
            take(r, r->graph->units[u].name))
            return u;
    }
    need(r, "-");
    return GRAPH_NONE;
}

static void read_raise(struct reader *r, struct bound_raises *raises)
{
    struct bound_raise raise = {.event = (enum raise_event)one_of(r, events, EVENTS)};
    need(r, " ");
    raise.node = node(r);
    need(r, " to ");
    raise.cycles = number(r);
    need(r, " unit ");
    raise.unit = unit(r);
    r->failed |= raise.unit == GRAPH_NONE;
    need(r, " head ");
    raise.head = number(r);
    need(r, " tail ");
    raise.tail = signed_number(r);
    need(r, " of");
    raise.first = raises->member_count;
    while (!r->failed && take(r, " ")) {
        r->lost = !grow_list(&raises->members, &raises->member_capacity, raises->member_count + 1,
                             sizeof *raises->members);
        r->failed |= r->lost;
        if (r->lost)
            return;
        raises->members[raises->member_count++] = node(r);
    }
    raise.count = raises->member_count - raise.first;
    need(r, "\n");
    r->lost = !grow_list(&raises->list, &raises->capacity, raises->count + 1, sizeof *raises->list);
    r->failed |= r->lost;
    if (r->lost)
        return;
    raises->list[raises->count++] = raise;
}

static void read_nodes(struct reader *r, struct claim *claim)
{
    struct bound *bound = &claim->bound;
    need(r, "of");
    while (!r->failed && take(r, " ")) {
        r->lost = !grow_list(&bound->nodes, &claim->node_capacity, bound->node_count + 1,
                             sizeof *bound->nodes) ||
                  !grow_list(&bound->lags, &claim->lag_capacity, bound->node_count + 1,
                             sizeof *bound->lags);
        r->failed |= r->lost;
        if (r->lost)
            return;
        bound->lags[bound->node_count] = 0;
        bound->nodes[bound->node_count++] = node(r);
        if (bound->kind == BOUND_PATH && take(r, " +"))
            bound->lags[bound->node_count - 1] = number(r);
    }
    need(r, "\n");
}

static void read_claim(struct reader *r, struct claim *claim)
{
    struct bound *bound = &claim->bound;
    bound->class = (enum bound_class)one_of(r, bound_class_names, BOUND_CLASSES);
    need(r, " ");
    bound->kind =
        (enum bound_kind)one_of(r, bound_kind_names, r->rules ? BOUND_KINDS : BOUND_SEARCH);
    need(r, " cycles ");
    bound->cycles = number(r);
    if (bound->kind == BOUND_SEARCH) {
        need(r, "\n");
        return;
    }
    need(r, " unit ");
    bound->unit = unit(r);
    need(r, " head ");
    bound->head = number(r);
    need(r, " tail ");
    bound->tail = signed_number(r);
    bound->stream = take(r, " stream");
    need(r, " raises ");
    const uint64_t raises = number(r);
    need(r, "\n");
    while (!r->failed && take(r, "raise "))
        read_raise(r, &claim->raises);
    claim->raises.exact = true;
    bound->raises = bound->kind == BOUND_COMBINED ? &claim->raises : NULL;
    r->failed |=
        claim->raises.count != raises || (bound->kind != BOUND_COMBINED && claim->raises.count) ||
        (bound->kind == BOUND_PATH && bound->unit != GRAPH_NONE) ||
        (bound->kind != BOUND_PATH && bound->kind != BOUND_COMBINED && bound->unit == GRAPH_NONE);
    read_nodes(r, claim);
}

static void free_claim(struct claim *claim)
{
    free(claim->bound.nodes);
    free(claim->bound.lags);
    free(claim->raises.list);
    free(claim->raises.members);
}

/* --- checking --------------------------------------------------------------------------------- */

/* It proves what it says, and of that nothing more: neither cycles, nor a later head, nor a longer
 * tail. So a number that was changed is found out, whichever way. */
static bool holds(const struct claim *claim, struct reader *r)
{
    const struct graph *graph = r->graph;
    struct bound more = claim->bound;
    if (more.kind == BOUND_SEARCH) {
        const int status =
            more.class == BOUND_FREE_PLACES ? 1 : order_least(r->rules, &more.cycles);
        r->lost |= status < 0;
        return status == 0 && more.cycles == claim->bound.cycles;
    }
    if (!bound_certified(&more, graph))
        return false;
    const uint64_t whole = more.stream && graph->whole ? graph->whole : 1;
    more.cycles += 1;
    if (bound_certified(&more, graph) || (more.cycles - 1) % whole)
        return false;
    more = claim->bound;
    more.head++;
    if (bound_certified(&more, graph))
        return false;
    more.head--;
    more.tail++;
    return !bound_certified(&more, graph);
}

static int refuse(struct proof *proof, const char *why)
{
    snprintf(proof->error, sizeof proof->error, "%s", why);
    return 1;
}

static int check_claims(struct reader *r, struct proof *proof)
{
    int last = -1;
    bool searched = !r->rules;
    while (take(r, "class ")) {
        const char *const begin = r->at;
        struct claim claim = {.bound = {.unit = GRAPH_NONE}};
        char *again = NULL;
        size_t size = 0;
        read_claim(r, &claim);
        FILE *out = r->failed ? NULL : text_open(&again, &size);
        if (out)
            put_bound(r->graph, &claim.bound, out);
        const bool written = out && text_close(out, &again) == 0;
        const size_t length = strlen("class ");
        const bool same = written && size == (size_t)(r->at - begin) + length &&
                          memcmp(again + length, begin, size - length) == 0;
        free(again);
        const bool good = same && (int)claim.bound.class == last + 1 && holds(&claim, r);
        last = (int)claim.bound.class;
        searched |= claim.bound.kind == BOUND_SEARCH;
        if (good)
            proof->cycles[last] = claim.bound.cycles;
        free_claim(&claim);
        if (r->lost || (!r->failed && !written))
            return -1;
        if (!same)
            return refuse(proof, "a claim is not written as docs/proofs.md says");
        if (!good)
            return refuse(proof, "does not hold: a claim does not follow from the premises");
    }
    char end[32];
    snprintf(end, sizeof end, "end %016" PRIx64 "\n", sum_of(r->text, (size_t)(r->at - r->text)));
    need(r, end);
    return r->failed || r->at != r->end || last + 1 < BOUND_CLASSES || !searched
               ? refuse(proof, "does not end as docs/proofs.md says: it is damaged, or a proof of "
                               "another program or of other options")
               : 0;
}

/* Whether these premises come next in the text: 1, 0, or -1 when the host has no memory. */
static int same_premises(struct reader *r)
{
    char *premises = NULL;
    size_t length = 0;
    FILE *out = text_open(&premises, &length);
    if (!out)
        return -1;
    if (r->rules)
        order_rules_put(r->rules, out);
    else
        put_premises(r->graph, out);
    if (text_close(out, &premises) != 0)
        return -1;
    const bool same = (size_t)(r->end - r->at) >= length && memcmp(r->at, premises, length) == 0;
    r->at += same ? length : 0;
    free(premises);
    return same;
}

/* The premises of a search, where the text has them. */
static int search_premises(struct reader *r, const struct proof_subject *subject)
{
    static const char begin[] = "order ";
    const size_t length = sizeof begin - 1;
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, begin, length) != 0)
        return 1;
    const int status =
        subject->setup ? order_rules_find(&r->rules, subject->machine, subject->setup) : 1;
    return status == 0 ? same_premises(r) : status < 0 ? -1 : 0;
}

int proof_check(const struct proof_subject *subject, const char *text, size_t size,
                struct proof *proof)
{
    struct reader r = {.graph = subject->graph, .text = text, .at = text, .end = text + size};
    *proof = (struct proof){.error = ""};
    static const char begin[] = "takt proof ";
    if (size < sizeof begin - 1 || memcmp(text, begin, sizeof begin - 1) != 0)
        return refuse(proof, "is not a proof of takt bound");
    int status = same_premises(&r);
    if (status > 0)
        status = search_premises(&r, subject);
    status = status > 0 ? check_claims(&r, proof)
             : status == 0
                 ? refuse(proof, "is a proof of another program, or was made with other options")
                 : -1;
    if (status != 0)
        memset(proof->cycles, 0, sizeof proof->cycles);
    order_rules_free(r.rules);
    return status;
}
