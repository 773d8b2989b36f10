/*
 * file_identity: the file that a name refers to, following links.
 *
 *   two paths --file_same--> true if they refer to one file
 */
#ifndef TAKT_HOST_FILE_IDENTITY_H
#define TAKT_HOST_FILE_IDENTITY_H

#include <stdbool.h>

/* Device and inode; for a file that does not exist yet, those of the folder, and the name. */
struct file_identity {
    unsigned long long device, inode;
    char name[256];
    bool none; /* not a regular file: a pipe, a terminal */
};
/* 0, or -1 if not even the folder exists. */
int file_identify(const char *path, struct file_identity *identity);
/* Identify by folder and name, even if the file exists: replacing a file changes its inode, but not
 * these. */
int file_identify_name(const char *path, struct file_identity *identity);
/* True if two names refer to one regular file. */
bool file_same(const char *path, const char *other);
/* True if the file is in this folder or in one inside it. */
bool file_is_inside(const char *path, const struct file_identity *folder);
/* The name after following all links; the file need not exist. To be freed. NULL with errno. */
char *file_target(const char *path);

#endif
