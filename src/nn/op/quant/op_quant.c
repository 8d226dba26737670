/* SPDX-License-Identifier: BSD-2-Clause */
/* What the operators on bytes want of their attributes, inputs and windows. */
#include "nn/op/quant/op_quant.h"

#define MAX_BIAS (1 << 30)
#define MAX_PAD 4096

platen_status pl_q_int(const struct pl_call *c, const char *name, int64_t lo, int64_t hi,
                       int64_t *ret)
{
    *ret = pl_ir_int(c->node, name, lo - 1);
    if (*ret < lo || *ret > hi)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "attribute '%s' is missing or out of range",
                            name);
    return PLATEN_OK;
}

platen_status pl_q_zero(const struct pl_call *c, const char *name, int32_t *ret)
{
    int64_t v;
    platen_status s = pl_q_int(c, name, 0, 255, &v);
    *ret = s ? 0 : (int32_t)v;
    return s;
}

platen_status pl_q_bytes(const struct pl_call *c, uint32_t i, int lo, int hi)
{
    const struct pl_tensor *t = pl_in(c, i);
    if (!t || t->type != PL_U8 || t->rank < lo || t->rank > hi || t->dims[t->rank - 1] < 1)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "input %u holds no bytes of that rank", i);
    return PLATEN_OK;
}

platen_status pl_q_array(const struct pl_call *c, uint32_t i, enum pl_dtype type, size_t n)
{
    const struct pl_tensor *t = pl_in(c, i);
    if (!t || t->type != type || pl_tensor_count(t) != n)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "input %u does not fit", i);
    return PLATEN_OK;
}

platen_status pl_q_narrow(struct pl_call *c, uint32_t i, size_t n_oc, size_t runs, size_t run_bytes)
{
    if (pl_call_kept(c))
        return PLATEN_OK;
    platen_status s = pl_call_known(c, i);
    if (!s && !pl_qgemm_is_narrow(pl_in(c, i)->data, n_oc, runs, run_bytes))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "the weights are not narrow");
    return s;
}

platen_status pl_q_bias(struct pl_call *c, uint32_t i)
{
    if (pl_call_kept(c))
        return PLATEN_OK;
    platen_status s = pl_call_known(c, i);
    const int32_t *b = s ? NULL : pl_in(c, i)->data;
    for (size_t k = 0; b && k < pl_tensor_count(pl_in(c, i)); k++)
        if (b[k] < -MAX_BIAS || b[k] > MAX_BIAS)
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "a bias of %d is beyond the limits", b[k]);
    return s;
}

platen_status pl_q_window(const struct pl_call *c, const struct pl_tensor *x, struct pl_window *ret)
{
    struct pl_tensor first = *x; /* with its channels first */
    for (int i = 2; i < x->rank; i++)
        first.dims[i] = x->dims[i - 1];
    first.dims[1] = x->dims[x->rank - 1];
    platen_status s = pl_window_read(c, &first, NULL, ret);
    for (int i = 0; i < PL_MAX_SPACE && !s; i++)
        if (ret->before[i] > MAX_PAD || ret->after[i] > MAX_PAD || ret->kernel[i] > MAX_PAD)
            s = pl_call_fail(c, PLATEN_ERR_LIMIT, "padding or kernel of more than %d", MAX_PAD);
    return s ? s : pl_window_slide(c, ret);
}
