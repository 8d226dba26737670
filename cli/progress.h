/* SPDX-License-Identifier: BSD-2-Clause */
/* When a run is told of on its way, and how. */
#ifndef PL_CLI_PROGRESS_H
#define PL_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "platen.h"

#define PROGRESS_TEXT 160

/* Times are seconds of one clock. */
struct progress {
    bool line;      /* one line on a terminal, written over and over, else messages */
    bool line_open; /* it stands there */
    double every_s; /* least time between two; 0 = none are told */
    double start_s, last_s;
};

/* What a run is started with. */
struct progress_wish {
    const char *when; /* auto, always, never, or seconds; NULL = auto */
    bool quiet, verbose;
    bool terminal; /* a line would be seen, and would stand in the way of nothing */
};

/* False when `when` is none of these. */
bool progress_start(struct progress *p, const struct progress_wish *wish, double now_s);

/* Whether something is to be told now: the text, such as
 * "12 of 400 pages, 1 failed, 3.1 a second, 2:03 left". */
bool progress_due(struct progress *p, const struct platen_progress *pages, double now_s,
                  char ret[PROGRESS_TEXT]);

#endif
