#include "tests/brute/brute_random.h"

#include <stdio.h>
#include <string.h>

static unsigned below(struct dice *dice, unsigned limit)
{
    return (unsigned)dice_below(dice, limit);
}

static void set(struct brute_sets *sets, const char *name, unsigned value)
{
    if (sets->count < KIT_SETS - 1)
        snprintf(sets->text[sets->count++], sizeof sets->text[0], "%s=%u", name, value);
}

void brute_random_sets(struct dice *dice, struct brute_sets *sets, bool interlock)
{
    static const char *const maps[] = {"row:bank:column:channel", "row:column:bank:channel",
                                       "channel:row:bank:column", "bank:row:channel:column"};
    static const struct {
        const char *name;
        unsigned low, high;
    } numbers[] = {
        {"mv_start_latency", 0, 40},  {"mv_notice_latency", 0, 40}, {"pe_write_latency", 4, 6},
        {"pdm_port", 0, 40},          {"dram_port", 0, 40},         {"l2bm_port", 0, 70},
        {"link_width", 0, 20},        {"rate_mvp_group", 3, 40},    {"rate_mvp_across", 3, 40},
        {"rate_mvd", 2, 40},          {"rate_mvb_dram", 3, 80},     {"dram_tccd", 0, 9},
        {"dram_trcd", 0, 20},         {"dram_trp", 0, 20},          {"dram_tras", 0, 40},
        {"dram_tcl", 0, 20},          {"dram_turnaround", 0, 12},   {"dram_trefi", 60, 700},
        {"dram_trfc", 0, 50},         {"dram_read_ahead", 1, 60},   {"dram_controller", 0, 20},
        {"mv_slot_steps_auto", 0, 2}, {"mv_slot_steps_flat", 0, 2}, {"dram_window", 1, 40},
        {"dram_age_limit", 1, 60},    {"dar_write_latency", 0, 60}, {"dram_refresh_defer", 0, 9},
    };
    static const char *const widths[] = {"pdm_port", "dram_port", "l2bm_port", "link_width"};
    sets->count = 0;
    if (below(dice, 3) == 0)
        return; /* the default chip */
    const unsigned how_many = 1 + below(dice, 8);
    for (unsigned i = 0; i < how_many; i++) {
        const unsigned n = below(dice, sizeof numbers / sizeof numbers[0]);
        if (!interlock || strcmp(numbers[n].name, "pe_write_latency") != 0)
            set(sets, numbers[n].name,
                numbers[n].low + below(dice, numbers[n].high - numbers[n].low + 1));
    }
    if (below(dice, 3) == 0) /* parts of a long word, in thousandths */
        snprintf(sets->text[sets->count++], sizeof sets->text[0], "%s=%u.%03u",
                 widths[below(dice, 4)], 1 + below(dice, 40), below(dice, 1000));
    if (below(dice, 4) == 0)
        snprintf(sets->text[sets->count++], sizeof sets->text[0], "mode_cap_scope=transfer");
    if (below(dice, 4) == 0)
        set(sets, "dram_channels", 1u << below(dice, 4));
    if (below(dice, 4) == 0)
        set(sets, "dram_banks", 1u << below(dice, 5));
    if (below(dice, 4) == 0)
        set(sets, "supply_bytes", 5 + below(dice, 20));
    if (below(dice, 4) == 0)
        snprintf(sets->text[sets->count++], sizeof sets->text[0], "dram_map=%s",
                 maps[below(dice, 4)]);
    if (below(dice, 2) == 0) {
        const unsigned buffer = 1 + below(dice, 40), high = 1 + below(dice, buffer);
        set(sets, "dram_write_buffer", buffer);
        set(sets, "dram_write_high", high);
        set(sets, "dram_write_low", below(dice, high));
    }
}

size_t brute_random_mv(struct dice *dice, char *out, size_t size, bool *tags)
{
    char head[64], tag[8] = "";
    const unsigned units = 1 + below(dice, below(dice, 6) == 0 ? 60 : 8);
    if (below(dice, 2)) {
        const unsigned t = 1 + below(dice, 6);
        tags[t] = true;
        snprintf(tag, sizeof tag, "i%02x", t);
    }
    snprintf(head, sizeof head, "n%u%s", units * 64, tag);
    if (below(dice, 3) == 0)
        snprintf(head + strlen(head), sizeof head - strlen(head), "p%u", below(dice, 4));
    const unsigned g = below(dice, 4), h = below(dice, 4), b = below(dice, 2);
    const unsigned p = below(dice, 1000) * 64, d = below(dice, 100000) * 64;
    const unsigned c = below(dice, 400) * 64;
    switch (below(dice, 24)) {
    case 0:
        return (size_t)snprintf(out, size, "mvp/%s $p%u@%u $d%u@%u\n", head, p, g, d, h);
    case 1:
        return (size_t)snprintf(out, size, "mvp/%s $d%u@%u $p%u@%u\n", head, d, g, p, h);
    case 2:
        return (size_t)snprintf(out, size, "mvp/%s $p%u@%u $lc%u@%u.%u\n", head, p, g, c, h, b);
    case 3:
        return (size_t)snprintf(out, size, "mvp/%s $lc%u@%u.%u $p%u@%u\n", head, c, g, b, p, h);
    case 4:
        return (size_t)snprintf(out, size, "mvp/%s $d%u@%u $lc%u@%u.%u\n", head, d, g, c, h, b);
    case 5:
        return (size_t)snprintf(out, size, "mvp/%s $lc%u@%u.%u $d%u@%u\n", head, c, g, b, d, h);
    case 6:
        return (size_t)snprintf(out, size, "mvp/%s $p%u@%u $p%u@%u\n", head, p, g, p,
                                (g + 1 + h % 3) % 4);
    case 7:
        return (size_t)snprintf(out, size, "mvp/%s $p%u $lc%u@.%u\n", head, p, c, b);
    case 8:
        return (size_t)snprintf(out, size, "mvp/%s $lc%u@.%u $p%u\n", head, c, b, p);
    case 9:
        return (size_t)snprintf(out, size, "mvp/%s $d%u $lc%u@.%u\n", head, d, c, b);
    case 10:
        return (size_t)snprintf(out, size, "mvp/%s $lc%u@.%u $d%u\n", head, c, b, d);
    case 11:
        return (size_t)snprintf(out, size, "mvb2/%s $d%u $lc%u\n", head, d, c);
    case 12:
        return (size_t)snprintf(out, size, "mvr2dfadd/%s $lc%u $d%u\n", head, c, d);
    case 13:
        return (size_t)snprintf(out, size, "mvr2dfadd/%s $lc%u@%u $p%u@%u\n", head, c, g, p, g);
    case 14:
        return (size_t)snprintf(out, size, "mvb4/%s $d%u $lc%u\n", head, d, c);
    case 15:
        return (size_t)snprintf(out, size, "mvr4dfadd/%s $lc%u $d%u\n", head, c, d);
    case 16:
        return (size_t)snprintf(out, size, "mvb/%s $p%u@%u $lc%u\n", head, p, g, c);
    case 17:
        return (size_t)snprintf(out, size, "mvrdfadd/%s $lc%u $p%u@%u\n", head, c, p, g);
    case 18:
        return (size_t)snprintf(out, size, "mvb/%s $d%u $lc%u\n", head, d, c);
    case 19:
        return (size_t)snprintf(out, size, "mvrdfadd/%s $lc%u $d%u\n", head, c, d);
    case 20:
        return (size_t)snprintf(out, size, "mvd/%s $p%u@%u $lc%u\n", head, p / 512 * 512, g, c);
    case 21:
        return (size_t)snprintf(out, size, "mvd/%s $lc%u $p%u@%u\n", head, c, p / 512 * 512, g);
    case 22:
        return (size_t)snprintf(out, size, "mvd/%s $p%u@%u $d%u\n", head, p, g, d);
    default:
        return (size_t)snprintf(out, size, "mvd/%s $d%u $p%u@%u\n", head, d, p, g);
    }
}

void brute_drop_nops(char *text, unsigned chance, struct dice *dice)
{
    for (char *line = text; *line;) {
        char *end = strchr(line, '\n');
        if (!end)
            break;
        if (strncmp(line, "nop", 3) == 0 && !memchr(line, ';', (size_t)(end - line)) &&
            below(dice, 100) < chance)
            memset(line, ' ', (size_t)(end - line));
        line = end + 1;
    }
}
