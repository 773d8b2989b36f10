/*
 * work_file: how a trace comes to its name without ever spoiling a good one.
 *
 *   NAME.partial, locked --run--> complete: renamed over NAME
 *                                 stopped:  renamed to NAME, unless a finished trace stands there
 *                                 killed:   stays; NAME holds the announcement
 *
 * A kill between the last commit and the renaming leaves a whole NAME.partial with complete = 1. The next
 * run of the same name renames it before its own begins, unless NAME is a finished trace.
 *
 * While a run writes, its data is in NAME.partial (NAME.partial-2 ... when other runs with the same
 * name are alive, told by a lock that dies with its process, or when a file that is no trace stands there).
 * Connections of SQLite find it locked, from its first moment to its last. If nothing stands at NAME, an
 * announcement is put there: a small readable trace with complete = 0 that names the partial file.
 * Looking at NAME and renaming over it happen under a lock on its folder, so two runs cannot mix.
 */
#ifndef TAKT_TRACES_WORK_FILE_H
#define TAKT_TRACES_WORK_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct work_file {
    char *target; /* NAME */
    char *path;   /* NAME.partial */
    char *journal; /* of path */
    char *start;   /* what path is called until it is whole */
    atomic_bool named;     /* all three are this run's */
    atomic_bool abandoned; /* what is still named is to go */
    int lock;     /* descriptor that holds the lock */
    struct stat announced; /* what was put at the target; st_ino is 0 if nothing was */
};

enum { WORK_ERROR = 512 };

/* The work file begins with these bytes. work is zeros but for lock = -1. Returns 0; 1 when something stands at target that is no
 * trace; -1 when the host refuses. */
int work_file_open(struct work_file *work, const char *target, const unsigned char *bytes,
                   size_t size, char error[WORK_ERROR]);

/* Put a trace of these bytes at the target, if nothing stands there. */
int work_file_announce(struct work_file *work, const unsigned char *bytes, size_t size,
                       char error[WORK_ERROR]);

/* Give the work file its name; complete says whether the run came to its end. Returns 0; 1 when the
 * partial name was kept, with the sentence in error; -1. Closes in every case. */
int work_file_publish(struct work_file *work, bool complete, char error[WORK_ERROR]);

/* Does a work file of an earlier run, or of one that lives, stand there? */
bool work_file_left(const char *target);

/* Remove the work file and close. */
void work_file_drop(struct work_file *work);

/* Remove its names, for a process that is about to end: by a signal handler, while another thread may be in
 * work_file_open. */
void work_file_abandon(struct work_file *work);

/* Close and leave it where it is. */
void work_file_leave(struct work_file *work);

enum trace_kind { TRACE_ABSENT, TRACE_FOREIGN, TRACE_UNFINISHED, TRACE_FINISHED };

/* What stands at path. */
enum trace_kind work_file_kind(const char *path);

#endif
