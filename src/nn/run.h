/* Running a line recognizer or a detector over a ragged batch: lines (tiles of a detector) of
 * different width, never padded to each other; the result of a line does not depend on its
 * neighbours, the ISA or the batch. */
#ifndef PL_NN_RUN_H
#define PL_NN_RUN_H

#include "nn/model.h"
#include "simd/kernels.h"

struct pl_runner; /* one per worker: holds the activations */

/* A line, quantised as pl_line_model says, padding included, or a tile as pl_detector_model says:
 * `width` is a multiple of the stride. */
struct pl_strip {
    const uint8_t *px; /* height rows of width bytes */
    size_t stride_bytes;
    int width;
};

/* Logits of a batch: line i owns steps [first_step[i], first_step[i + 1]), a step is n_classes
 * floats at values + step * n_classes. Of a detector a line has n_rows rows of so many steps, one
 * below the other, and begins at values + first_step[i] * n_rows * n_classes. Valid until the next
 * run of this runner. */
struct pl_logits {
    const float *values;
    const size_t *first_step;
    size_t n_lines, n_classes, n_rows;
};

/* The model is borrowed and must outlive the runner. */
PL_MUST_USE platen_status pl_runner_new(const struct pl_model *m, const struct pl_kernels *k,
                                        struct pl_runner **ret, struct platen_error *err);
void pl_runner_free(struct pl_runner *r);
/* Allocates nothing once the widest batch was seen. The sum of the widths is at most 2^20.
 * PLATEN_ERR_NOMEM, PLATEN_ERR_LIMIT. */
PL_MUST_USE platen_status pl_runner_run(struct pl_runner *r, const struct pl_strip *lines,
                                        size_t n_lines, struct pl_logits *ret,
                                        struct platen_error *err);

PL_DEFINE_AUTO(runner)

#endif
