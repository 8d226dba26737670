/* SPDX-License-Identifier: BSD-2-Clause */
/* One worker that reads lines, and the lines of one call of an operation, of one page or several.
 */
#ifndef PL_RECOGNIZE_RECOGNIZER_H
#define PL_RECOGNIZE_RECOGNIZER_H

#include <pthread.h>

#include "recognize/recognize.h"

/* A line that is to be read, and the page that it is of. */
struct pl_page_line {
    struct pl_line *line;
    struct pl_reading *page;
};

struct pl_lines {
    struct pl_arena *arena;
    float min_conf;
    struct pl_page_line *v; /* those of a page follow each other */
    size_t n;
    pthread_mutex_t lock; /* of the arena and the failures */
};

/* Notes that line i failed: of a page the first one counts. */
void pl_lines_fail(struct pl_lines *l, size_t i, platen_status s, const struct platen_error *err);

/* Reads lines from..to-1, as many in a call of the network as it takes. What fails is noted, and
 * the others are read. */
void pl_recognizer_read(struct pl_recognizer *r, struct pl_lines *l, size_t from, size_t to);

/* Returns the rows of the strips. */
int pl_recognizer_height(const struct pl_recognizer *r);

#endif
