/* SPDX-License-Identifier: BSD-2-Clause */
/* SIGINT, SIGTERM and SIGHUP, unless they are ignored. The first one ends a run: before
 * cancel_on_signals() at once, for nothing is written yet, later by canceling the job. A second one
 * ends the process, but not within a second: timeout(1) and terminals send each twice. SIGHUP never
 * counts as the second. */
#ifndef PL_CLI_SIGNALS_H
#define PL_CLI_SIGNALS_H

#include <stdbool.h>

#include "platen.h"

/* Messages too are waited for as may_write() does then. false: there are no descriptors left. */
bool catch_signals(void);
void cancel_on_signals(struct platen_job *job);
/* The job has ended, and its threads have. */
void forget_job(void);
/* Waits until PIPE_BUF bytes can be written at once, or an error can be told; after a signal for a
 * second at most. Returns false when nobody took anything for so long, then and ever after. For
 * standard output and standard error. */
bool may_write(int fd);

#endif
