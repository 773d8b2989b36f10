/*
 * file_identity: which file a name means, through links.
 *
 *   two paths --file_same--> whether they mean one file
 */
#ifndef TAKT_HOST_FILE_IDENTITY_H
#define TAKT_HOST_FILE_IDENTITY_H

#include <stdbool.h>

/* Device and inode, or those of the folder and the name of a file that does not exist yet. */
struct file_identity {
    unsigned long long device, inode;
    char name[256];
    bool none; /* no regular file: a pipe, a terminal */
};
/* 0, or -1 where even the folder is not there. */
int file_identify(const char *path, struct file_identity *identity);
/* By folder and name, whether it exists or not: of a file that is replaced that is what stays. */
int file_identify_name(const char *path, struct file_identity *identity);
/* Whether two names mean one regular file. */
bool file_same(const char *path, const char *other);
/* The name behind all links, whether it exists or not; to be freed. NULL with errno. */
char *file_target(const char *path);

#endif
