/*
 * exec_board: a board for tests of the executor: run statements given as text, look at what they
 * printed, read and write every memory. Faults fail the test.
 */
#ifndef TAKT_TESTS_EXEC_BOARD_H
#define TAKT_TESTS_EXEC_BOARD_H

#include "functional/mncore2/exec.h"

struct board {
    struct exec *exec;
    FILE *stream;
    char *dump; /* what d get printed since the last board_clear */
    size_t dump_size;
};

struct board board_new(enum init_kind init, uint64_t seed, unsigned threads);
void board_free(struct board *board);
void board_clear(struct board *board);

/* Run a program that must be right. */
void board_run(struct board *board, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Run a program; true when parsing or running found a fault. Its messages go to text when given. */
bool board_fault(struct board *board, const char *program, char *text, size_t size);

/* Every MAB a class of its own, whatever its contents. */
void board_split(struct board *board);
size_t board_classes(const struct board *board);

/* Long word of GRF0, GRF1, LM0, LM1 or T (cycle * 2 + half) in one PE; l1b 0..63. */
uint64_t board_pe(const struct board *board, enum mem mem, unsigned l1b, unsigned mab, unsigned pe,
                  unsigned index);
/* l1b 0..63, l2b 0..7. */
uint64_t board_l1bm(const struct board *board, unsigned l1b, unsigned addr);
uint64_t board_l2bm(const struct board *board, unsigned l2b, unsigned addr);

/* A number that looks random and depends on nothing but n. */
uint64_t board_random(uint64_t n);

#endif
