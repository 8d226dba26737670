/* SPDX-License-Identifier: BSD-2-Clause */
/* Einsum: sums of products over named axes. */
#include "nn/operators.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"

#define MAX_LABELS 16
#define MAX_TERMS 8
#define MAX_WORK 4096 /* products for each number read or written */
#define DOTS 256      /* labels of the axes of "...", counted from the last one */

/* Labels of the axes of a term. */
struct term {
    int n, label[PL_MAX_RANK];
};

/* All axes: those of the result, in its order, then those that are summed. */
struct sum {
    int n_out, n, label[MAX_LABELS];
    int64_t dims[MAX_LABELS];
    ptrdiff_t step[MAX_TERMS][MAX_LABELS]; /* of the inputs, in elements */
};

static platen_status misfit(const struct pl_call *c)
{
    return pl_call_fail(c, PLATEN_ERR_FORMAT, "the equation does not fit");
}

/* Reads a term up to a comma, an arrow or the end; "..." stands for n_dots axes, or, of an input of
 * `rank` axes, for those that are left. */
static platen_status read_term(const struct pl_call *c, const char **text, int rank, int n_dots,
                               struct term *t)
{
    const size_t length = strcspn(*text, ",-");
    int letters = 0;
    t->n = 0;
    for (size_t i = 0; i < length; i++)
        letters += isalpha((unsigned char)(*text)[i]) != 0;
    n_dots = rank < 0 ? n_dots : rank - letters;
    for (size_t i = 0; i < length; i++) {
        const char *p = *text + i;
        const bool dots = length - i >= 3 && !strncmp(p, "...", 3);
        const int axes = dots ? n_dots : isalpha((unsigned char)*p) ? 1 : 0;
        if (*p == ' ')
            continue;
        if ((!dots && !axes) || axes < 0 || t->n + axes > PL_MAX_RANK)
            return misfit(c);
        for (int k = 0; k < axes; k++)
            t->label[t->n++] = dots ? DOTS + axes - 1 - k : *p;
        i += dots ? 2 : 0;
    }
    *text += length;
    return rank < 0 || t->n == rank ? PLATEN_OK : misfit(c);
}

static int place_of(const struct sum *s, int label)
{
    int i = 0;
    while (i < s->n && s->label[i] != label)
        i++;
    return i;
}

/* The axes of an input. Sizes agree, or are 1. */
static platen_status add_axes(const struct pl_call *c, const struct term *t,
                              const struct pl_tensor *x, struct sum *s)
{
    for (int i = 0; i < t->n; i++) {
        const int k = place_of(s, t->label[i]);
        if (k == MAX_LABELS)
            return pl_call_fail(c, PLATEN_ERR_LIMIT, "more than %d axes", MAX_LABELS);
        if (k == s->n) {
            s->label[s->n++] = t->label[i];
            s->dims[k] = x->dims[i];
        } else if (s->dims[k] == 1) {
            s->dims[k] = x->dims[i];
        } else if (x->dims[i] != 1 && x->dims[i] != s->dims[k]) {
            return misfit(c);
        }
    }
    return PLATEN_OK;
}

/* Without an arrow: the axes of "...", then the letters that occur once, in their order. */
static void implied(const struct sum *s, const struct term *in, uint32_t n_in, struct term *out)
{
    out->n = 0;
    for (int label = DOTS + PL_MAX_RANK - 1; label >= DOTS; label--)
        if (place_of(s, label) < s->n && out->n < PL_MAX_RANK)
            out->label[out->n++] = label;
    for (int label = 0; label < DOTS; label++) {
        int count = 0;
        for (uint32_t k = 0; k < n_in; k++)
            for (int i = 0; i < in[k].n; i++)
                count += in[k].label[i] == label;
        if (count == 1 && out->n < PL_MAX_RANK)
            out->label[out->n++] = label;
    }
}

/* Brings the axes of the result to the front. */
static platen_status order(const struct pl_call *c, const struct term *out, struct sum *s)
{
    for (int i = 0; i < out->n; i++) {
        const int k = place_of(s, out->label[i]);
        if (k == s->n || k < i)
            return misfit(c);
        const int label = s->label[i];
        const int64_t dim = s->dims[i];
        s->label[i] = s->label[k];
        s->dims[i] = s->dims[k];
        s->label[k] = label;
        s->dims[k] = dim;
    }
    s->n_out = out->n;
    return PLATEN_OK;
}

static void set_steps(const struct term *t, const struct pl_tensor *x, const struct sum *s,
                      ptrdiff_t *step)
{
    ptrdiff_t dense[PL_MAX_RANK];
    pl_dense_steps(x, dense);
    for (int i = 0; i < t->n; i++)
        if (x->dims[i] != 1)
            step[place_of(s, t->label[i])] += dense[i]; /* an axis that comes twice: a diagonal */
}

/* Products of far more numbers than there are would take a run without end. */
static platen_status check_work(const struct pl_call *c, const struct sum *s)
{
    size_t work = 1, numbers = 1;
    bool ok = true;
    for (int i = 0; i < s->n; i++) {
        numbers *= i < s->n_out ? (size_t)s->dims[i] : 1; /* checked with the shape */
        ok = ok && pl_mul(work, (size_t)s->dims[i], &work);
    }
    for (uint32_t k = 0; k < c->n_in; k++)
        numbers += pl_tensor_count(pl_in(c, k));
    if (!ok || work / MAX_WORK > numbers)
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "sums of too many products");
    return PLATEN_OK;
}

static platen_status read_sum(const struct pl_call *c, struct sum *s)
{
    const char *text = pl_ir_string(c->node, "equation", "");
    struct term in[MAX_TERMS], out;
    platen_status st = PLATEN_OK;
    int n_dots = 0;
    *s = (struct sum){0};
    for (uint32_t k = 0; k < c->n_in && !st; k++) {
        if (!pl_in(c, k) || (k && *text++ != ','))
            return misfit(c);
        st = read_term(c, &text, pl_in(c, k)->rank, 0, &in[k]);
        st = st ? st : add_axes(c, &in[k], pl_in(c, k), s);
    }
    for (int i = 0; i < s->n; i++)
        n_dots = s->label[i] >= DOTS ? PL_MAX(n_dots, s->label[i] - DOTS + 1) : n_dots;
    if (st)
        return st;
    if (!*text) {
        implied(s, in, c->n_in, &out);
    } else if (!strncmp(text, "->", 2)) {
        text += 2;
        st = read_term(c, &text, -1, n_dots, &out);
    } else {
        return misfit(c);
    }
    st = st || !*text ? st : misfit(c);
    st = st ? st : order(c, &out, s);
    for (uint32_t k = 0; k < c->n_in && !st; k++)
        set_steps(&in[k], pl_in(c, k), s, s->step[k]);
    return st;
}

platen_status pl_infer_einsum(struct pl_call *c)
{
    struct sum s;
    platen_status st = read_sum(c, &s);
    st = st ? st : pl_call_shape(c, 0, pl_in(c, 0)->type, s.n_out, s.dims);
    return st ? st : check_work(c, &s);
}

/* The sum of products of one element of the result, which begins at these elements of the inputs.
 */
static double sum_of(const struct pl_call *c, const struct sum *s, const ptrdiff_t *base)
{
    int64_t at[MAX_LABELS] = {0};
    const int n = s->n - s->n_out;
    double sum = 0;
    for (int i = s->n_out; i < s->n; i++)
        if (!s->dims[i])
            return 0;
    do {
        double product = 1;
        for (uint32_t k = 0; k < c->n_in; k++) {
            ptrdiff_t p = base[k];
            for (int i = 0; i < n; i++)
                p += (ptrdiff_t)at[i] * s->step[k][s->n_out + i];
            product *= (double)((const float *)pl_in(c, k)->data)[p];
        }
        sum += product;
    } while (pl_odometer(n, s->dims + s->n_out, at));
    return sum;
}

static platen_status einsum_f32(struct pl_call *c)
{
    struct sum s;
    int64_t at[MAX_LABELS] = {0};
    float *y = pl_out(c, 0)->data;
    platen_status st = read_sum(c, &s);
    for (uint32_t k = 0; k < c->n_in && !st; k++)
        if (pl_in(c, k)->type != PL_F32)
            st = pl_call_unsupported_type(c, pl_in(c, k)->type);
    if (st || !pl_tensor_count(pl_out(c, 0)))
        return st;
    do {
        ptrdiff_t base[MAX_TERMS] = {0};
        for (uint32_t k = 0; k < c->n_in; k++)
            for (int i = 0; i < s.n_out; i++)
                base[k] += (ptrdiff_t)at[i] * s.step[k][i];
        *y++ = (float)sum_of(c, &s, base);
    } while (pl_odometer(s.n_out, s.dims, at));
    return PLATEN_OK;
}

platen_status pl_run_einsum(struct pl_call *c)
{
    return pl_call_as_f32(c, einsum_f32);
}
