#include "analysis/order_rules.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/exact_bound.h"
#include "host/grow.h"
#include "timing/moves.h"

static void take_pieces(struct order_rules *rules, const struct moves *moves)
{
    const struct moves_block *block = &moves->blocks[0];
    rules->slot = moves->slot_cycles;
    rules->unit_slots = moves->unit_slots;
    rules->unit_cycles = moves->unit_cycles;
    rules->count = (uint32_t)block->node_count;
    for (uint32_t n = 0; n < rules->count; n++) {
        const struct moves_node *node = &block->nodes[n];
        rules->pieces[n] = (struct order_piece){.step = node->kind == NODE_STEP,
                                                .transfer = node->transfer,
                                                .line = node->line,
                                                .landed = node->landed,
                                                .way = node->way,
                                                .least = node->least,
                                                .work = node->work};
    }
}

static int take_after(struct order_rules *rules, const struct moves_block *block)
{
    for (size_t a = 0; a < block->arc_count; a++) {
        const struct moves_arc *arc = &block->arcs[a];
        if (!grow_list(&rules->after, &rules->after_capacity, rules->after_count + 1,
                       sizeof *rules->after))
            return -1;
        rules->after[rules->after_count++] =
            (struct order_after){arc->from, arc->to, arc->timed ? 0 : arc->slots, arc->timed,
                                 arc->timed ? arc->kept : 0};
    }
    return 0;
}

static void take_pairs(struct order_rules *rules, const struct moves *moves)
{
    for (uint32_t a = 0; a < rules->count; a++)
        for (uint32_t b = 0; b < rules->count; b++) {
            if (a == b || !rules->pieces[a].step || !rules->pieces[b].step)
                continue;
            rules->apart[a][b] = moves->distance ? moves->distance(moves->context, a, b) : 0;
            if (!moves->together(moves->context, (const uint32_t[]){a, b}, 2))
                rules->alone[a] |= UINT64_C(1) << b;
        }
}

int order_rules_find(struct order_rules **rules, const struct machine *machine,
                     const struct run_setup *setup)
{
    char error[MACHINE_ERROR];
    struct moves moves = {.free_waits = true};
    *rules = NULL;
    if (!machine->advice->moves)
        return 1;
    int status = machine->advice->moves(setup, &moves, error);
    if (status == 0 && exact_bound_refusal(&moves))
        status = 1;
    if (status == 0 && !(*rules = calloc(1, sizeof **rules)))
        status = -1;
    if (status == 0) {
        take_pieces(*rules, &moves);
        take_pairs(*rules, &moves);
        status = take_after(*rules, &moves.blocks[0]);
    }
    moves_free(&moves);
    return status;
}

void order_rules_free(struct order_rules *rules)
{
    if (rules)
        free(rules->after);
    free(rules);
}

/* --- text ------------------------------------------------------------------------------------- */

static void put_piece(const struct order_piece *piece, uint32_t n, FILE *out)
{
    fprintf(out, "piece %" PRIu32 " line %" PRIu32, n, piece->line);
    if (piece->step)
        fprintf(out, " step landed %" PRIu32 "\n", piece->landed);
    else if (piece->transfer)
        fprintf(out, " transfer least %" PRIu64 " way %" PRIu32 " work %" PRIu64 "\n", piece->least,
                piece->way, piece->work);
    else
        fputs(" free\n", out);
}

void order_rules_put(const struct order_rules *rules, FILE *out)
{
    fprintf(out, "order slot %" PRIu32 " unit %" PRIu32 " cycles %" PRIu32 "\n", rules->slot,
            rules->unit_slots, rules->unit_cycles);
    for (uint32_t n = 0; n < rules->count; n++)
        put_piece(&rules->pieces[n], n, out);
    for (size_t a = 0; a < rules->after_count; a++) {
        const struct order_after *after = &rules->after[a];
        fprintf(out, "after %" PRIu32 " %" PRIu32, after->from, after->to);
        if (!after->done)
            fprintf(out, " slots %" PRIu32 "\n", after->slots);
        else if (after->kept)
            fprintf(out, " done kept %" PRIu32 "\n", after->kept);
        else
            fputs(" done\n", out);
    }
    for (uint32_t a = 0; a < rules->count; a++)
        for (uint32_t b = 0; b < rules->count; b++) {
            if (rules->apart[a][b] > 1)
                fprintf(out, "apart %" PRIu32 " %" PRIu32 " slots %" PRIu32 "\n", a, b,
                        rules->apart[a][b]);
            if (a < b && rules->alone[a] >> b & 1)
                fprintf(out, "alone %" PRIu32 " %" PRIu32 "\n", a, b);
        }
}
