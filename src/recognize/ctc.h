/* SPDX-License-Identifier: BSD-2-Clause */
/* Greedy decoding of connectionist temporal classification (Graves et al., ICML 2006). */
#ifndef PL_RECOGNIZE_CTC_H
#define PL_RECOGNIZE_CTC_H

#include <stddef.h>
#include <stdint.h>

/* A character: the run of steps in which its class wins. */
struct pl_ctc_run {
    uint32_t class_id;   /* never 0, the blank */
    uint32_t first, end; /* steps first..end-1 */
    float conf;          /* highest posterior of the class within the run, 0..1 */
};

/* The logits of a line, and the winner of each step as kernel softmax_top gives it. */
struct pl_ctc_line {
    const float *logits; /* steps x n_classes */
    size_t steps, n_classes;
    const uint32_t *best; /* the class of the highest logit, of equal ones the lower class */
    const float *share;   /* its posterior */
};

/* Returns the posterior of a class at a step. */
float pl_ctc_posterior(const struct pl_ctc_line *l, size_t step, uint32_t class_id);

/* Takes the best path: equal neighbours are one run, and blanks are dropped. ret has room for
 * `steps` runs. Returns their number. */
size_t pl_ctc_greedy(const struct pl_ctc_line *l, struct pl_ctc_run *ret);

#endif
