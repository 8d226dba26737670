/* SPDX-License-Identifier: BSD-2-Clause */
/* The matrix product on bytes. */
#include "nn/op/quant/op_qproduct.h"

#include <string.h>

static platen_status read_gemm(const struct pl_call *c, struct pl_qproduct *p)
{
    const struct pl_qproduct *kept = pl_call_kept(c);
    if (kept && pl_qproduct_fits(c, kept)) {
        *p = *kept;
        return PLATEN_OK;
    }
    platen_status s = pl_qproduct_read(c, 1, p);
    s = s ? s : pl_qproduct_weights(c, p, 1, 1, 1);
    if (!s && p->channels % 4)
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "rows of %zu bytes", p->channels);
    return s;
}

platen_status pl_infer_qgemm(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, PL_QPRODUCT_X);
    struct pl_qproduct p;
    int64_t dims[PL_MAX_RANK];
    platen_status s = read_gemm(c, &p);
    s = s ? s : pl_qproduct_numbers(c, &p, 1, 1);
    if (s)
        return s;
    memcpy(dims, x->dims, sizeof(dims));
    dims[x->rank - 1] = (int64_t)(p.to_float ? p.out : p.stored);
    s = pl_call_shape(c, 0, p.to_float ? PL_F32 : PL_U8, x->rank, dims);
    s = s ? s : pl_qproduct_residual(c);
    return s ? s : pl_call_keep(c, &p, sizeof(p));
}

platen_status pl_run_qgemm(struct pl_call *c)
{
    struct pl_qproduct p;
    platen_status s = read_gemm(c, &p);
    if (!s)
        pl_qproduct_run_rows(c, &p, pl_tensor_count(pl_in(c, PL_QPRODUCT_X)) / p.channels);
    return s;
}
