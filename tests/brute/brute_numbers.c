/* brute_numbers: the parameters of the brute-force model, as README 1 to 4 use them. */
#include "tests/brute/brute_state.h"

#include <stdlib.h>
#include <string.h>

static size_t find(const struct config *config, const char *name)
{
    for (size_t i = 0; i < config->count; i++)
        if (strcmp(config->rows[i].name, name) == 0)
            return i;
    fprintf(stderr, "no parameter %s\n", name);
    abort();
}

uint64_t brute_number(const struct config *config, const char *name, bool documented)
{
    return config_integer(config, find(config, name), documented);
}

/* A port that turns in n empty steps takes the write 4 n - 2 cycles after its own. */
static uint64_t port_turns(const struct config *config, const char *name, bool documented)
{
    const uint64_t steps = brute_number(config, name, documented);
    return steps ? 4 * steps - 2 : 0;
}

/* 0 is no limit; what is set beyond the documented-only width holds there, too. */
static double width(const struct config *config, const char *name, bool documented)
{
    const double set = config_real(config, find(config, name), false);
    const double best = config_real(config, find(config, name), true);
    if (!documented || set == 0)
        return set;
    return best == 0 || best > set ? best : set;
}

void brute_numbers_read(const struct config *config, bool documented, struct numbers *n)
{
#define NUMBER(field, name) n->field = brute_number(config, name, documented)
    NUMBER(slot_steps[0], "mv_slot_steps_auto");
    NUMBER(slot_steps[1], "mv_slot_steps_flat");
    NUMBER(start_latency, "mv_start_latency");
    NUMBER(notice_latency, "mv_notice_latency");
    NUMBER(dar_latency, "dar_write_latency");
    NUMBER(registers_land, "pe_write_latency");
    n->lm_lands = port_turns(config, "hazard_lm", documented);
    n->l2bm_lands = port_turns(config, "hazard_l2bm_store_load", documented);
    n->load_lands = port_turns(config, "hazard_l1bm_load_store", documented);
    n->multicast_lands = port_turns(config, "hazard_multicast_store", documented);
    n->store_lands = port_turns(config, "hazard_pe_store_load", documented);
    NUMBER(channels, "dram_channels");
    NUMBER(banks, "dram_banks");
    NUMBER(row_bytes, "dram_row_bytes");
    NUMBER(tccd, "dram_tccd");
    NUMBER(trcd, "dram_trcd");
    NUMBER(trp, "dram_trp");
    NUMBER(tras, "dram_tras");
    NUMBER(tcl, "dram_tcl");
    NUMBER(turnaround, "dram_turnaround");
    NUMBER(trefi, "dram_trefi");
    NUMBER(trfc, "dram_trfc");
    NUMBER(read_ahead, "dram_read_ahead");
    NUMBER(window, "dram_window");
    NUMBER(age_limit, "dram_age_limit");
    NUMBER(write_buffer, "dram_write_buffer");
    NUMBER(write_high, "dram_write_high");
    NUMBER(write_low, "dram_write_low");
    NUMBER(defer, "dram_refresh_defer");
    NUMBER(controller, "dram_controller");
#undef NUMBER
    n->pdm_port = width(config, "pdm_port", documented);
    n->dram_port = width(config, "dram_port", documented);
    n->l2bm_port = width(config, "l2bm_port", documented);
    n->link_width = width(config, "link_width", documented);
    n->shared_rates =
        strcmp(config_text(config, find(config, "mode_cap_scope"), documented), "path") == 0;
    const double supply = config_real(config, find(config, "supply_bytes"), documented);
    n->supply = (uint64_t)(supply * 65536 + 0.5);
    n->unit = 65536 * brute_number(config, "unit_bytes", documented);
    n->buffer = 65536 * brute_number(config, "buffer_bytes", documented);
    const char *map = config_text(config, find(config, "dram_map"), documented);
    for (int i = 0; i < 4; i++) {
        n->map[i].name = map[0] == 'c' && map[1] == 'o' ? 'o' : map[0]; /* column */
        n->map[i].size = map[0] == 'b'   ? n->banks
                         : map[0] == 'r' ? UINT64_MAX
                         : map[1] == 'o' ? n->row_bytes / 128
                                         : n->channels;
        map += strcspn(map, ":");
        map += *map == ':';
    }
    /* The rest of 2^25 granules are rows. */
    for (int i = 0; i < 4; i++)
        if (n->map[i].name == 'r')
            n->map[i].size = (UINT64_C(1) << 25) / (n->channels * n->banks * (n->row_bytes / 128));
}
