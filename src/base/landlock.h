/* SPDX-License-Identifier: BSD-2-Clause */
/* Landlock: which files this thread, and those that it makes from now on, may open. */
#ifndef PL_BASE_LANDLOCK_H
#define PL_BASE_LANDLOCK_H

#include <stdbool.h>

/* What a rule lets be done with a file, or with all that lies below a directory. */
enum pl_landlock_grant {
    PL_LANDLOCK_READ,   /* read files, list directories */
    PL_LANDLOCK_WRITE,  /* that, and make, write, replace and remove files; make directories */
    PL_LANDLOCK_REMOVE, /* remove files */
    PL_LANDLOCK_RUN,    /* read, and run programs */
};

/* The level that the kernel has, from 1; 0 = none. */
int pl_landlock_abi(void);
/* A set of rules of that level: what no rule grants is denied, and so are TCP (level 4), and
 * signals and abstract sockets to processes outside (level 6). -1 and errno. */
int pl_landlock_new(int abi);
/* Adds a rule. A name that is not there is no failure: false and errno for others. */
bool pl_landlock_add(int rules, int abi, const char *path, enum pl_landlock_grant grant);
/* Puts the rules in force, for good. false and errno. */
bool pl_landlock_enter(int rules);

#endif
