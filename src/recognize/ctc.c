#include "recognize/ctc.h"

#include <math.h>

#include "base/fmath.h"

uint32_t pl_ctc_best(const float *v, size_t n)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++)
        if (v[i] > v[best])
            best = i;
    return best;
}

/* Softmax. Summed in class order, so the bytes are the same everywhere. */
float pl_ctc_posterior(const float *v, size_t n, uint32_t class_id)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pl_expf(v[i] - v[class_id]);
    return 1 / sum;
}

size_t pl_ctc_greedy(const float *logits, size_t steps, size_t n_classes, struct pl_ctc_run *ret)
{
    size_t n = 0;
    uint32_t previous = 0;
    for (uint32_t t = 0; t < steps; t++, logits += n_classes) {
        uint32_t c = pl_ctc_best(logits, n_classes);
        if (c) {
            if (c != previous)
                ret[n++] = (struct pl_ctc_run){.class_id = c, .first = t};
            float p = pl_ctc_posterior(logits, n_classes, c);
            ret[n - 1].end = t + 1;
            ret[n - 1].conf = fmaxf(ret[n - 1].conf, p);
        }
        previous = c;
    }
    return n;
}
