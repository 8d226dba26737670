/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that have no name yet, or a random one. */
#ifndef PL_BASE_TEMPORARY_H
#define PL_BASE_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PL_TEMPORARY_BYTES 32 /* of a name, with its end */

/* Opens a new file in the directory, for writing and locked. It has no name, and tmp is empty;
 * where the file system has no such files it is called tmp. -1 leaves errno. */
int pl_temporary_open(int dir_fd, mode_t mode, char tmp[PL_TEMPORARY_BYTES]);
/* Gives the file the name `leaf` in its directory, in place of what has it. False leaves errno. */
bool pl_temporary_name(int fd, int dir_fd, const char *leaf, char tmp[PL_TEMPORARY_BYTES]);
/* Takes the file away before it has its name; close it afterwards. */
void pl_temporary_remove(int dir_fd, const char tmp[PL_TEMPORARY_BYTES]);

#endif
