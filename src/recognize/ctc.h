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

/* A class that may have won a step in the place of the winner. */
struct pl_ctc_rival {
    uint32_t class_id;
    float log_ratio; /* logarithm of its posterior over the winner's, PL_CTC_LEAST to 0 */
};

/* Classes beside the winner that a step is tried with, at most; those with less than this share of
 * the winner's posterior are not. */
#define PL_CTC_RIVALS 4
#define PL_CTC_LEAST (-4.6f)

/* What a network says of a line: of each step the winner, as kernel softmax_top gives it, and its
 * rivals. */
struct pl_ctc_line {
    size_t steps;
    const uint32_t *best;  /* the class of the highest logit, of equal ones the lower class */
    const float *share;    /* its posterior */
    const uint32_t *first; /* the rivals of step t: first[t] to first[t + 1] - 1 */
    const struct pl_ctc_rival *rivals;
};

/* Finds the rivals of all steps by their logits, `n_classes` for each: the likeliest, in no order.
 * first has room for steps + 1 numbers, rivals for PL_CTC_RIVALS a step. */
void pl_ctc_find_rivals(const float *logits, size_t n_classes, const struct pl_ctc_line *l,
                        uint32_t *first, struct pl_ctc_rival *rivals);

/* Logarithm of the posterior of a class at a step over that of the winner; far below PL_CTC_LEAST
 * where it is no rival. */
float pl_ctc_log_ratio(const struct pl_ctc_line *l, size_t step, uint32_t class_id);

/* Takes the best path: equal neighbours are one run, and blanks are dropped. ret has room for
 * `steps` runs. Returns their number. */
size_t pl_ctc_greedy(const struct pl_ctc_line *l, struct pl_ctc_run *ret);

/* How sure the text of the best path is at its least sure place, 0..1: the least of the confidences
 * of its n runs and, for each stretch of blanks beside or between them, of what is left beside the
 * likeliest other class (the classes of the two runs at its ends may begin early or end late). */
float pl_ctc_sureness(const struct pl_ctc_line *l, const struct pl_ctc_run *runs, size_t n);

#endif
