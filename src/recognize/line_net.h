/* A network that reads lines, at work: one per worker. */
#ifndef PL_RECOGNIZE_LINE_NET_H
#define PL_RECOGNIZE_LINE_NET_H

#include "recognize/line_model.h"
#include "simd/kernels.h"

struct pl_line_net;

/* Of each step of a line n_classes numbers, the logarithms of probabilities but for a constant;
 * valid until the next run. */
struct pl_line_scores {
    const float *values;
    size_t steps;
};

/* Network, model and kernels are borrowed and must outlive it. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_line_net_new(const struct pl_network *n, const struct pl_line_model *m,
                                          const struct pl_kernels *k, struct pl_line_net **ret,
                                          struct platen_error *err);
void pl_line_net_free(struct pl_line_net *l);

/* Room for a strip of model->height rows of `width` bytes, a multiple of the stride and at most
 * 2^20; NULL when memory is short. Its rows are to be filled before the run. */
PL_MUST_USE uint8_t *pl_line_net_strip(struct pl_line_net *l, int width);
/* Reads that strip. Allocates nothing once the widest one was seen. PLATEN_ERR_ARG when what comes
 * out is not a row of scores for each step; PLATEN_ERR_NOMEM, _LIMIT, and what the network's nodes
 * refuse. */
PL_MUST_USE platen_status pl_line_net_run(struct pl_line_net *l, struct pl_line_scores *ret,
                                          struct platen_error *err);

PL_DEFINE_AUTO(line_net)

#endif
