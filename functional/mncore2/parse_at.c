/* parse_at: shared by the files of the parser: the position of a finding, and the rate of a
 * transfer. */
#include "functional/mncore2/parse.h"

struct diag mncore2_parse_at(const struct parser *parser, enum diag_severity severity,
                             const char *from, size_t length, const char *rule, const char *name)
{
    return (struct diag){.severity = severity,
                         .file = parser->file,
                         .line = parser->line_number,
                         .column = parse_column(parser, from),
                         .length = (uint32_t)(length > 0 ? length : 1),
                         .rule = rule,
                         .name = name};
}

uint32_t mncore2_l1bm_rate(const struct expr *expr)
{
    switch (expr->insn) {
    case INSN_L1BMP:
        return 1;
    case INSN_L1BMM:
    case INSN_L1BMM_AT:
    case INSN_L1BMR:
        return 4;
    case INSN_L1BMM4:
    case INSN_L1BMM4_AT:
    case INSN_L1BMR4:
        return 16;
    default:
        return 64; /* l1bmd */
    }
}
