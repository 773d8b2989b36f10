#include "tests/mncore2/lang_tables.h"

#include <string.h>

#include "functional/mncore2/parse.h"

/* All spellings of a row, those of reductions and modifiers joined with commas. */
static void spellings(FILE *out, unsigned insn)
{
    size_t count;
    const struct opcode *all = mncore2_opcode_all(&count);
    const char *suffix = insn == INSN_L1BMM_AT     ? "@0..15"
                         : insn == INSN_L1BMM4_AT  ? "@0..3"
                         : insn == INSN_L1BMD      ? "[±0..15]"
                         : insn == INSN_L1BMD_JOIN ? "[±0..15]"
                         : insn == INSN_L2BM       ? "@<l1b>"
                         : insn == INSN_L2BMI      ? "@<l1bset>"
                         : insn == INSN_L2BMB || insn == INSN_L2BMB2 || insn == INSN_L2BMD
                             ? "[@<l1bset>]"
                             : "";
    const bool reduction =
        insn == INSN_L2BMR || insn == INSN_L2BMR2 || insn == INSN_L1BMR || insn == INSN_L1BMR4;
    if (reduction) {
        fprintf(out, "`%s<rrn>%s`", mncore2_insns[insn].mnemonic,
                insn == INSN_L2BMR    ? "[@<l1bset>]"
                : insn == INSN_L2BMR2 ? ""
                                      : "[r]");
        return;
    }
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (all[i].kind != OPCODE_PE || all[i].insn != insn)
            continue;
        const bool sized = (insn == INSN_BFN || insn == INSN_BFE) && all[i].prec == PREC_H;
        fprintf(out, "%s`%s%s`", any ? ", " : "", all[i].name, sized ? "/6..9" : suffix);
        any = true;
    }
    if (!any)
        fprintf(out, "`%s%s`", mncore2_insns[insn].mnemonic, suffix);
}

/* A bar would end the cell. */
static void cell(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

void lang_opcode_table(FILE *out)
{
    fprintf(out, "# All opcodes of MN-Core 2\n\n"
                 "Made from `insn.def` and `mv.def` by `TAKT_REGENERATE=1` and "
                 "`tests/mncore2/test_tables`; do not edit.\n\n"
                 "## PE instruction expressions\n\n"
                 "Group is the group of parallel issue (manual 3.6.4, table 3.6). Longs is the "
                 "number of long words that\nare computed a cycle and PE. `<rrn>` is a reduction "
                 "(below).\n\n"
                 "| group | spellings | inputs | longs | does | manual |\n"
                 "|---|---|---|---|---|---|\n");
    for (unsigned insn = 0; insn < INSN_COUNT; insn++) {
        fprintf(out, "| %s | ", mncore2_group_name[mncore2_insns[insn].group]);
        spellings(out, insn);
        fprintf(out, " | %u | %u | ", mncore2_insns[insn].inputs,
                mncore2_insns[insn].wide ? 2u : 1u);
        cell(out, mncore2_insns[insn].sentence);
        fprintf(out, " | %s |\n", mncore2_insns[insn].section);
    }
    fprintf(out, "\n## Reductions (`<rrn>`, manual 3.5.5)\n\n| precisions | operations |\n"
                 "|---|---|\n| d f h | ");
    for (unsigned rrn = RRN_FADD; rrn <= RRN_MIN; rrn++)
        fprintf(out, "%s%s", rrn == RRN_FADD ? "" : " ", mncore2_rrn_name[rrn]);
    fprintf(out, " |\n| l i s | ");
    for (unsigned rrn = RRN_IADD; rrn <= RRN_OR; rrn++)
        fprintf(out, "%s%s", rrn == RRN_IADD ? "" : " ", mncore2_rrn_name[rrn]);
    fprintf(out, " |\n\n## MV statements (manual 3.5.8)\n\n"
                 "Unit is the number of long words of one unit operation on either side, which is "
                 "the alignment too.\n\n"
                 "| statement | from | to | unit from | unit to | does | manual |\n"
                 "|---|---|---|---|---|---|---|\n| `mvnop` | | | | | does nothing | 3.5.8.1 |\n");
    for (unsigned mode = 0; mode < MV_COUNT; mode++) {
        const struct mv_row *row = &mncore2_mv_rows[mode];
        fprintf(out, "| `%s%s/n<size>` | %s | %s | %u | %u | %s | %s |\n", row->base,
                row->base[2] == 'r' ? "<rrn>" : "", mncore2_mem_name[row->from],
                mncore2_mem_name[row->to], row->unit_from, row->unit_to, row->sentence,
                row->section);
    }
}

void lang_dictionary(FILE *out)
{
    static const char *const words[] = {
        "mask",
        "maskr",
        "maskllrstmnk",
        "quit",
        "d get",
        "d set",
        "d getf",
        "d getbh",
        "$lm",
        "$ln",
        "$lr",
        "$ls",
        "$llm",
        "$lln",
        "$llr",
        "$lls",
        "$m",
        "$n",
        "$r",
        "$s",
        "$t",
        "$lt",
        "$llt",
        "$lmt",
        "$mauf",
        "$aluf",
        "$lbf",
        "$mreadf",
        "$nowrite",
        "$omr1",
        "$mb",
        "$lnb",
        "$l2bid",
        "$l1bid",
        "$mabid",
        "$peid",
        "$subpeid",
        "$msb1",
        "$lx",
        "$lly",
        "$lb",
        "$llb",
        "$lbi",
        "$llbi",
        "$lc",
        "@.0",
        "$dar",
        "$p",
        "$d",
        "$di",
        "@0",
        "@3.1",
        "/n64",
        "i01",
        "p3",
        "nd4",
        "/$imr1",
        "/$llimr15",
        "/1000",
        "/ll0111",
        "/ll0111t",
        "/1000p",
        "v",
        "v8",
        "j3",
        "[0,2,4,6]",
        "@[0,1,2,3]",
        "@0/4",
        "+15",
        "-1",
        "f\\\"1.5\\\"",
        "h\\\"-2\\\"",
        "i\\\"0x7f\\\"",
        "us\\\"1\\\"",
        "; ",
        "n0c0b0m0p0",
        "0x",
        "0b1",
        "0o7",
        "# ",
        "\\x0a",
        "h1_2_3_4",
        "s1_2",
        "l1",
        "r 0 000000000 001 ",
    };
    fprintf(out, "# Made from insn.def and mv.def: see tests/mncore2/lang_tables.h\n");
    size_t count;
    const struct opcode *all = mncore2_opcode_all(&count);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "\"%s\"\n", all[i].name);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        fprintf(out, "\"%s\"\n", words[i]);
}
