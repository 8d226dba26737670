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

/* The class of the highest of n logits; of equal ones the lower class. */
uint32_t pl_ctc_best(const float *logits, size_t n);
/* The share of a class in the sum of the exponentials of n logits. */
float pl_ctc_posterior(const float *logits, size_t n, uint32_t class_id);

/* Best path of `steps` x n_classes logits: equal neighbours are one run, blanks are dropped. Of
 * equal logits the lower class wins. ret has room for `steps` runs; gives their number. */
size_t pl_ctc_greedy(const float *logits, size_t steps, size_t n_classes, struct pl_ctc_run *ret);

#endif
