/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/ctc.h"

#include <assert.h>
#include <math.h>

#include "base/fmath.h"

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

/* The highest posterior in steps from..to-1 of a class that is not the blank and none of `beside`.
 */
static float strongest_other(const struct pl_ctc_line *l, uint32_t from, uint32_t to,
                             const uint32_t beside[2])
{
    float most = 0;
    for (uint32_t t = from; t < to; t++)
        for (uint32_t i = l->first[t]; i < l->first[t + 1]; i++) {
            const struct pl_ctc_rival *r = &l->rivals[i];
            if (r->class_id && r->class_id != beside[0] && r->class_id != beside[1])
                most = fmaxf(most, l->share[t] * pl_expf(r->log_ratio));
        }
    return most;
}

float pl_ctc_sureness(const struct pl_ctc_line *l, const struct pl_ctc_run *runs, size_t n)
{
    float sure = 1;
    for (size_t i = 0; i <= n; i++) {
        const uint32_t from = i ? runs[i - 1].end : 0;
        const uint32_t to = i < n ? runs[i].first : (uint32_t)l->steps;
        const uint32_t beside[2] = {i ? runs[i - 1].class_id : 0, i < n ? runs[i].class_id : 0};
        sure = fminf(sure, 1 - strongest_other(l, from, to, beside));
        sure = fminf(sure, i < n ? runs[i].conf : 1);
    }
    return sure;
}
