#include "timing/mncore2/finding.h"

struct diag mncore2_finding_place(const struct program *program, size_t item,
                                  const struct operand *operand, const struct diag_list *list)
{
    struct diag at = {.file = mncore2_program_source(program, item),
                      .line = program->items[item].line,
                      .column = 1,
                      .length = 1};
    if (list->count >= DIAG_LIMIT)
        return at;
    if (operand) {
        const struct text_place place = mncore2_program_place(program, item, operand);
        at.column = place.column;
        at.length = place.length;
        return at;
    }
    size_t length;
    const char *line = mncore2_program_line(program, item, &length);
    size_t first = 0;
    while (first < length && (line[first] == ' ' || line[first] == '\t'))
        first++;
    at.column = (uint32_t)first + 1;
    at.length = first < length ? (uint32_t)(length - first) : 1;
    return at;
}

struct diag_file mncore2_finding_other(const struct program *program, struct diag *at, size_t item)
{
    at->other_line = program->items[item].line;
    at->other_file = mncore2_program_source(program, item);
    return diag_file(program->sources, at->file, at->other_file);
}

struct diag mncore2_finding_warning(const struct program *program, const struct diag_list *diags,
                                    size_t item, const struct operand *operand, const char *name)
{
    struct diag at = mncore2_finding_place(program, item, operand, diags);
    at.severity = DIAG_WARNING;
    at.name = name;
    return at;
}

void mncore2_finding_never_written(struct diag_list *diags, const struct diag *at, const char *what)
{
    diag_add(diags, at, "reads %s where nothing before has written\nwrite it or d set it first",
             what);
}
