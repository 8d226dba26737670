/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared libraries that are loaded when the first file needs them. */
#ifndef PL_CODEC_LIBRARY_H
#define PL_CODEC_LIBRARY_H

#include <pthread.h>

#include "base/status.h"

/* One function, and where its address goes in the table of its library. */
struct pl_library_function {
    const char *name;
    size_t at;
};

struct pl_library {
    const char *soname;
    const char *format; /* that needs it, for messages */
    const struct pl_library_function *functions;
    size_t n_functions;
    void *table;         /* of pointers to functions, as `functions` has them */
    void (*begin)(void); /* what comes before its first other call; NULL = nothing */
    /* What became of loading. It is tried once: what failed leaves no second way. */
    pthread_mutex_t lock; /* PTHREAD_MUTEX_INITIALIZER */
    bool tried, loaded;
    char reason[200];
};

/* Loads the library if that was not done; from any thread. Its table is empty until that succeeded,
 * and the same for good from then on. PLATEN_ERR_UNSUPPORTED where it is not there, or where a
 * sandbox that is in force keeps it from being loaded. */
PL_MUST_USE platen_status pl_library_load(struct pl_library *l, struct platen_error *err);

#endif
