#include "timing/run.h"
#include "timing/slack.h"

uint64_t slack_work(const struct machine_run *run)
{
    struct run_progress run_done;
    run_progress(run, &run_done);
    /* A machine that does not know its statements beforehand works in each cycle. */
    const uint64_t items = run_done.items_total ? run_done.items_total : run_done.total;
    return items + run_done.total / 8 + 1;
}

int slack_find(const struct machine *machine, struct machine_run *run, uint32_t stmt, uint64_t safe,
               uint64_t *work, struct slack *slack)
{
    struct run_progress run_done;
    *slack = (struct slack){safe, false};
    if (!machine->timing->quantum)
        return 0;
    run_progress(run, &run_done);
    const uint64_t total = run_done.total, each = slack_work(run);
    struct machine_delay delay = {.stmt = stmt};
    *slack = (struct slack){total + machine->timing->quantum,
                            true}; /* a longer delay always lengthens */
    for (int status = 0; status == 0; delay.turn++) {
        for (delay.cycles = safe + machine->timing->quantum; delay.cycles <= slack->cycles;
             delay.cycles += machine->timing->quantum) {
            uint64_t later;
            if (*work < each) {
                *slack = (struct slack){safe, false};
                return 0;
            }
            *work -= each;
            status = run_delayed(run, &delay, &later);
            if (status != 0 && delay.turn == 0) { /* it is never executed */
                *slack = (struct slack){safe, false};
                return status < 0 ? -1 : 0;
            }
            if (status != 0 || later > total)
                break;
        }
        if (status == 0 && delay.cycles <= slack->cycles)
            slack->cycles = delay.cycles - machine->timing->quantum;
        if (status < 0)
            return -1;
        if (slack->cycles == safe)
            break;
    }
    return 0;
}
