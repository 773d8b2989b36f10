/*
 * nops: the fewest nops between two statements that the rules of a machine accept, and what they
 * cost.
 *
 *   cc -o nops nops.c $(pkg-config --cflags --libs takt) && ./nops FIRST SECOND [MACHINE]
 *   ./nops 'imm f"1.0" $r0/0010' 'dvadd $lm0v $r0e $ln0v'
 *
 * One machine serves all programs; each program is text in memory and nothing is written anywhere.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <takt.h>

enum { MOST = 32, TEXT = 4096 };

/* Returns 0 for a legal program with its total, 1 for one at fault, 3 when takt says no at all. */
static int try_nops(struct takt_machine *machine, char *const *statements, int nops,
                    uint64_t *cycles)
{
    char text[TEXT];
    struct takt_error error;
    struct takt_program *program = NULL;
    struct takt_run *run = NULL;
    int length = snprintf(text, sizeof text, "%s\n", statements[0]);
    for (int i = 0; i < nops; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "nop\n");
    length += snprintf(text + length, sizeof text - (size_t)length, "%s\n", statements[1]);

    const struct takt_text source = {"try", text, (size_t)length};
    enum takt_status status = takt_program_open(&program, machine, &source, 1, &error);
    if (status == TAKT_FINE)
        status = takt_run_open(&run, program, NULL, &error);
    if (status == TAKT_FINE)
        status = takt_run_advance(run, 0, &error);
    if (status == TAKT_FINE)
        *cycles = takt_run_totals(run)->cycles;
    else
        printf("%2d nops: %s\n", nops, error.text);
    takt_run_close(run);
    takt_program_close(program);
    return status;
}

int main(int argc, char **argv)
{
    struct takt_error error;
    struct takt_machine *machine;
    if (argc < 3 || strlen(argv[1]) + strlen(argv[2]) > TEXT / 2) {
        fprintf(stderr, "usage: nops FIRST SECOND [MACHINE]\n");
        return 2;
    }
    if (takt_machine_open(&machine, argc > 3 ? argv[3] : "mncore2", &error) != TAKT_FINE) {
        fprintf(stderr, "%s\n", error.text);
        return error.status;
    }
    int status = TAKT_INPUT;
    for (int nops = 0; nops <= MOST && status == TAKT_INPUT; nops++) {
        uint64_t cycles = 0;
        status = try_nops(machine, argv + 1, nops, &cycles);
        if (status == TAKT_FINE)
            printf("%2d nops: %" PRIu64 " cycles\n", nops, cycles);
    }
    takt_machine_close(machine);
    return status;
}
