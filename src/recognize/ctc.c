/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/ctc.h"

#include <assert.h>
#include <math.h>

#include "base/fmath.h"

float pl_ctc_posterior(const struct pl_ctc_line *l, size_t step, uint32_t class_id)
{
    assert(step < l->steps && class_id < l->n_classes);
    const float *v = l->logits + step * l->n_classes;
    return l->share[step] * pl_expf(v[class_id] - v[l->best[step]]);
}

size_t pl_ctc_greedy(const struct pl_ctc_line *l, struct pl_ctc_run *ret)
{
    size_t n = 0;
    uint32_t previous = 0;
    for (uint32_t t = 0; t < l->steps; t++) {
        uint32_t c = l->best[t];
        if (c) {
            if (c != previous)
                ret[n++] = (struct pl_ctc_run){.class_id = c, .first = t};
            ret[n - 1].end = t + 1;
            ret[n - 1].conf = fmaxf(ret[n - 1].conf, l->share[t]);
        }
        previous = c;
    }
    return n;
}
