/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens files before they are needed, and asks the system for their bytes, so that on slow storage
 * nobody waits for one file after the other. What comes out does not depend on it, and the bytes
 * are in the system's cache, not in the memory of this process. */
#ifndef PL_FILES_AHEAD_H
#define PL_FILES_AHEAD_H

#include <pthread.h>

#include <stdatomic.h>

#include "files/inputs.h"
#include "files/journal.h"

#define PL_AHEAD_FILES 64 /* the most that are open at once */
#define PL_AHEAD_THREADS 4

/* The file of input number - 1; number 0 = of none. */
struct pl_ahead_file {
    size_t number;
    bool tried; /* opened, or not to be had: then `map` is empty */
    uint64_t bytes;
    struct pl_map map;
};

struct pl_ahead {
    const struct pl_input *in; /* the inputs, n of them */
    size_t n;
    const atomic_size_t *given; /* so many were taken, or will be: no need to open them; or NULL */
    size_t most_files, file_bytes; /* file_bytes: what is asked for of each */
    uint64_t most_bytes;
    pthread_t threads[PL_AHEAD_THREADS]; /* which wait for storage and do nothing else */
    size_t n_threads;
    pthread_mutex_t lock; /* of what is below */
    pthread_cond_t moved; /* signalled when a file was tried or taken, and when `quit` is set */
    bool quit;
    size_t next, n_files; /* the first input that was not looked at; files held */
    uint64_t bytes;       /* asked for and not taken */
    struct pl_ahead_file files[PL_AHEAD_FILES]; /* of input i in files[i % PL_AHEAD_FILES] */
};

/* Begins to go through a->in[0..a->n), up to most_files and most_bytes ahead of what is taken, and
 * one file at least. What stands in the members before `threads` is the caller's; the inputs are
 * borrowed, and each is read until it was taken. Where no thread can be had nothing is opened. */
void pl_ahead_begin(struct pl_ahead *a);
/* To be called once for each input whose file is needed. Gives the map of that file to the caller;
 * *ret is empty where there is none, or where the file is another one than what `now` tells. */
void pl_ahead_take(struct pl_ahead *a, size_t index, const struct pl_input_state *now,
                   struct pl_map *ret);
void pl_ahead_end(struct pl_ahead *a);

#endif
