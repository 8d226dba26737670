/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/ctc.h"

#include <assert.h>
#include <math.h>

/* A winner of this posterior leaves no other class so much: 1 / (1 + e^-4.6), rounded up. */
#define ALONE 0.9902f
/* Of a class that is no rival (logarithm). */
#define HARDLY -12.f

static void add_rival(struct pl_ctc_rival *v, size_t *n, struct pl_ctc_rival x)
{
    size_t least = 0;
    if (*n < PL_CTC_RIVALS) {
        v[(*n)++] = x;
        return;
    }
    for (size_t i = 1; i < PL_CTC_RIVALS; i++)
        if (v[i].log_ratio < v[least].log_ratio)
            least = i;
    if (v[least].log_ratio < x.log_ratio)
        v[least] = x;
}

void pl_ctc_find_rivals(const float *logits, size_t n_classes, const struct pl_ctc_line *l,
                        uint32_t *first, struct pl_ctc_rival *rivals)
{
    first[0] = 0;
    for (size_t t = 0; t < l->steps; t++) {
        const float *v = logits + t * n_classes, top = v[l->best[t]];
        size_t n = 0;
        for (uint32_t x = 0; x < n_classes && l->share[t] <= ALONE; x++)
            if (v[x] - top >= PL_CTC_LEAST && x != l->best[t])
                add_rival(rivals + first[t], &n, (struct pl_ctc_rival){x, v[x] - top});
        first[t + 1] = first[t] + (uint32_t)n;
    }
}

float pl_ctc_log_ratio(const struct pl_ctc_line *l, size_t step, uint32_t class_id)
{
    assert(step < l->steps);
    if (class_id == l->best[step])
        return 0;
    for (uint32_t i = l->first[step]; i < l->first[step + 1]; i++)
        if (l->rivals[i].class_id == class_id)
            return l->rivals[i].log_ratio;
    return HARDLY;
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
