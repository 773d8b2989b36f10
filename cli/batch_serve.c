#include "cli/batch_serve.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "host/failure.h"
#include "host/file.h"
#include "host/in_use.h"

static bool read_all(int fd, void *to, size_t size)
{
    for (char *at = to; size > 0;) {
        const ssize_t got = read(fd, at, size);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool write_all(int fd, const void *from, size_t size)
{
    for (const char *at = from; size > 0;) {
        const ssize_t put = write(fd, at, size);
        if (put < 0 && errno != EINTR)
            return false;
        at += put > 0 ? put : 0;
        size -= put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* --- jobs that take too long ------------------------------------------------------------------ */

enum { EXIT_LATE = 124 };

/* Only what a handler may call, whatever the job does: its memory is not freed. */
static void on_late(int signal_number)
{
    (void)signal_number;
    replace_abandon();
    _exit(EXIT_LATE);
}

static void expect_late(void)
{
    sigset_t set;
    signal(SIGALRM, on_late);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

enum takt_status batch_gone(const struct batch *batch, int status, char why[BATCH_WHY])
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_LATE) {
        snprintf(why, BATCH_WHY, "the job was given up after %u s: --job-seconds gives it more",
                 batch->seconds);
        return TAKT_INPUT;
    }
    if (WIFSIGNALED(status))
        snprintf(why, BATCH_WHY, "the process was ended by signal %d", WTERMSIG(status));
    else
        snprintf(why, BATCH_WHY, "the process ended with %d", WEXITSTATUS(status));
    return TAKT_HOST;
}

/* --- jobs ------------------------------------------------------------------------------------- */

int batch_serve(struct batch *batch, int fd)
{
    struct batch_header header;
    expect_late();
    while (read_all(fd, &header, sizeof header)) {
        char *text = malloc(header.size + 1);
        if (!text || !read_all(fd, text, header.size))
            return EXIT_HOST;
        const struct batch_job job = {(enum batch_kind)header.code, text, header.size,
                                      header.number};
        enum takt_status status;
        const unsigned long before = failure_count_host();
        in_use_begin();
        alarm(batch->seconds);
        char *answer = batch_answer(batch, &job, &status);
        alarm(0);
        if (failure_count_host() != before && status != TAKT_HOST) { /* it may lack something */
            free(answer);
            answer = batch_lost(&job, failure_sentence());
            status = TAKT_HOST;
        }
        free(text);
        if (!answer)
            return EXIT_HOST;
        header.code = status;
        header.size = (uint32_t)strlen(answer);
        const bool written =
            write_all(fd, &header, sizeof header) && write_all(fd, answer, header.size);
        free(answer);
        if (!written)
            return EXIT_HOST;
    }
    takt_machine_close(batch->open);
    free(batch->open_key);
    return EXIT_FINE;
}
