/* print: canonical text, and the generated code. */
#include <inttypes.h>

#include "functional/loops/arith.h"
#include "functional/loops/generate.h"

static void print_value(enum loops_type type, uint32_t bits, FILE *out)
{
    if (type == LOOPS_F32)
        fprintf(out, "%.9g", (double)loops_float(bits));
    else
        fprintf(out, "%" PRId32, (int32_t)bits);
}

static void print_tensor(const struct loops_tensor *tensor, FILE *out)
{
    fprintf(out, "tensor %s %s ", tensor->name, loops_type_name[tensor->type]);
    for (unsigned d = 0; d < tensor->rank; d++)
        fprintf(out, "%s%" PRIu64, d ? "x" : "", tensor->shape[d]);
    if (tensor->base_written)
        fprintf(out, " base=0x%" PRIx64, tensor->base);
    for (unsigned d = 0; d < tensor->rank && tensor->strides_written; d++)
        fprintf(out, "%s%" PRId64, d ? "," : " strides=", tensor->stride[d]);
    putc('\n', out);
}

static void print_index(const struct loops_nest *nest, const struct loops_index *index, FILE *out)
{
    bool any = false;
    for (unsigned i = 0; i < nest->rank; i++) {
        const int64_t times = index->times[i];
        if (!times)
            continue;
        fputs(times < 0 ? "-" : any ? "+" : "", out);
        if (times != 1 && times != -1)
            fprintf(out, "%" PRId64 "*", times < 0 ? -times : times);
        fputs(nest->loops[i].name, out);
        any = true;
    }
    if (index->constant || !any)
        fprintf(out, "%s%" PRId64, any && index->constant > 0 ? "+" : "", index->constant);
}

static void print_operand(const struct loops_program *program, const struct loops_nest *nest,
                          unsigned o, FILE *out)
{
    const struct loops_operand *operand = &nest->operand[o];
    if (operand->kind == LOOPS_NUMBER) {
        print_value(nest->type, operand->bits, out);
        return;
    }
    const struct loops_tensor *tensor = &program->tensors[operand->tensor];
    fputs(tensor->name, out);
    for (unsigned d = 0; d < tensor->rank; d++) {
        putc(d ? ',' : '[', out);
        print_index(nest, &operand->index[d], out);
    }
    putc(']', out);
}

static void print_body(const struct loops_program *program, const struct loops_nest *nest,
                       FILE *out)
{
    print_operand(program, nest, LOOPS_TO, out);
    fprintf(out, " %s ", loops_assign_text[nest->assign]);
    print_operand(program, nest, LOOPS_A, out);
    if (nest->op != LOOPS_OP_NONE) {
        fprintf(out, " %s ", loops_op_text[nest->op]);
        print_operand(program, nest, LOOPS_B, out);
    }
    putc('\n', out);
}

/* --- the generated code ----------------------------------------------------------------------- */

static const char *const kind_name[] = {
    [LOOPS_WHOLE] = "", [LOOPS_OUTER] = ".outer", [LOOPS_INNER] = ".inner"};

struct printing {
    const struct loops_program *program;
    const struct loops_nest *nest;
    const struct loops_part *part;
    const char *prefix;
    FILE *out;
};

static void print_level(const struct printing *p, const struct loops_level *level, unsigned depth)
{
    const struct loops_loop *loop = &p->nest->loops[level->loop];
    const char *name = loop->name, *kind = kind_name[level->kind];
    fprintf(p->out, "%s%*sfor %s%s = 0; %s%s < %" PRIu64, p->prefix, 2 * (int)depth, "", name, kind,
            name, kind, level->limit);
    if (level->kind == LOOPS_INNER)
        fprintf(p->out, "; over %s", loops_over_name[loop->over]);
    if (level->masked)
        fprintf(p->out, "; only where %s < %" PRIu64, name, loop->limit);
    else if (level->alternate)
        fprintf(p->out, "; %" PRIu64 " once %s.outer = %" PRIu64, level->alternate, name,
                p->part->levels[level->other].limit - 1);
    putc('\n', p->out);
}

static void print_split(const struct printing *p, const struct loops_level *inner, unsigned depth)
{
    const char *name = p->nest->loops[inner->loop].name;
    fprintf(p->out, "%s%*s%s = ", p->prefix, 2 * (int)depth, "", name);
    if (inner->other < p->part->count)
        fprintf(p->out, "%" PRIu64 " * %s.outer + ", p->part->levels[inner->other].factor, name);
    fprintf(p->out, "%s.inner", name);
    if (inner->start)
        fprintf(p->out, " + %" PRIu64, inner->start);
    putc('\n', p->out);
}

/* base + multiplier index + ..., as in the traversal unit. */
static void print_address(const struct printing *p, unsigned o)
{
    const struct loops_operand *operand = &p->nest->operand[o];
    if (operand->kind != LOOPS_TENSOR)
        return;
    int64_t base = operand->map.base;
    for (unsigned k = 0; k < p->part->count; k++)
        base += operand->map.times[p->part->levels[k].loop] * (int64_t)p->part->levels[k].start;
    fprintf(p->out, "%s%s at 0x%" PRIx64, p->prefix, p->program->tensors[operand->tensor].name,
            (uint64_t)base);
    for (unsigned k = 0; k < p->part->count; k++) {
        const struct loops_level *level = &p->part->levels[k];
        const int64_t times = operand->map.times[level->loop] * (int64_t)level->factor;
        if (times)
            fprintf(p->out, " %c %" PRId64 " %s%s", times < 0 ? '-' : '+',
                    times < 0 ? -times : times, p->nest->loops[level->loop].name,
                    kind_name[level->kind]);
    }
    putc('\n', p->out);
}

static void print_part(const struct printing *p)
{
    const struct loops_part *part = p->part;
    const uint64_t iterations = loops_part_iterations(part);
    unsigned depth = 0;
    fprintf(p->out,
            "%s%" PRIu64 " steps, %" PRIu64 " iterations, utilisation %.4f, %" PRIu64
            " state elements a tensor\n",
            p->prefix, part->steps, iterations,
            (double)iterations / (double)part->steps / loops_units(p->program),
            loops_part_state(part));
    for (unsigned k = 0; k < part->sequential && p->nest->outermost; k++)
        if (part->levels[k].kind == LOOPS_OUTER)
            print_level(p, &part->levels[k], depth++);
    for (unsigned i = 0; i < p->nest->rank; i++)
        for (unsigned k = 0; k < part->count; k++)
            if (part->levels[k].loop == i &&
                !(p->nest->outermost && part->levels[k].kind == LOOPS_OUTER))
                print_level(p, &part->levels[k], depth++);
    for (unsigned k = part->sequential; k < part->count; k++)
        print_split(p, &part->levels[k], depth);
    fprintf(p->out, "%s%*s", p->prefix, 2 * (int)depth, "");
    print_body(p->program, p->nest, p->out);
    for (unsigned o = 0; o < LOOPS_OPERANDS; o++)
        print_address(p, o);
}

/* Print the code as indented text, each line after prefix. */
static int print_code(const struct loops_program *program, const struct loops_nest *nest,
                      const char *prefix, FILE *out)
{
    struct loops_code code;
    loops_generate(program, nest, &code);
    for (unsigned i = 0; i < code.part_count; i++)
        print_part(&(struct printing){program, nest, &code.parts[i], prefix, out});
    return ferror(out) ? -1 : 0;
}

/* --- the program ------------------------------------------------------------------------------ */

static void print_nest(const struct loops_program *program, const struct loops_nest *nest,
                       FILE *out)
{
    fprintf(out, "nest %s%s%s\n", loops_strategy_name[nest->strategy],
            nest->outermost ? " outer=outermost" : "", nest->tree ? " sum=tree" : "");
    for (unsigned i = 0; i < nest->rank; i++) {
        const struct loops_loop *loop = &nest->loops[i];
        fprintf(out, "    for %s %" PRIu64 "%s%s\n", loop->name, loop->limit,
                loop->over ? " over " : "", loops_over_name[loop->over]);
    }
    fputs("    ", out);
    print_body(program, nest, out);
    fputs("end\n", out);
    print_code(program, nest, "# ", out);
}

static void print_debug(const struct loops_program *program, const struct loops_item *item,
                        FILE *out)
{
    const struct loops_debug *debug = &item->debug;
    const struct loops_tensor *tensor = &program->tensors[debug->tensor];
    const enum loops_type type = tensor->type == LOOPS_F32 ? LOOPS_F32 : LOOPS_I32;
    fprintf(out, "d %s %s %" PRIu64 " %" PRIu64, item->kind == LOOPS_ITEM_SET ? "set" : "get",
            tensor->name, debug->first, debug->count);
    for (size_t i = 0; i < debug->value_count; i++) {
        putc(' ', out);
        print_value(type, program->values[debug->value + i], out);
    }
    putc('\n', out);
}

int loops_program_print(const struct loops_program *program, FILE *out)
{
    if (program->units_written && program->tiles == 1 && program->processors == 1)
        fprintf(out, "units %u\n", program->math);
    else if (program->units_written)
        fprintf(out, "units tiles=%u processors=%u math=%u\n", program->tiles, program->processors,
                program->math);
    for (size_t i = 0; i < program->tensor_count; i++)
        print_tensor(&program->tensors[i], out);
    for (size_t i = 0; i < program->item_count; i++)
        if (program->items[i].kind == LOOPS_ITEM_NEST)
            print_nest(program, &program->nests[program->items[i].nest], out);
        else
            print_debug(program, &program->items[i], out);
    return ferror(out) ? -1 : 0;
}
