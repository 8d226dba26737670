/* SPDX-License-Identifier: BSD-2-Clause */
/* Packs the weights of convolutions as the matrix kernel reads them (simd/float.h). It is the last
 * pass over them: others cannot read packed weights. */
#include "nn/op/op_conv.h"
#include "compile/pass.h"

/* Returns whether packing pays: the convolution mixes channels, its weights are constant floats,
 * and at least half of the panels would be full. */
static bool takes_panels(const struct pl_rewrite *r, const struct pl_ir_node *n)
{
    const struct pl_tensor *w = pl_rw_in(r, n, 1);
    const int64_t groups = pl_ir_int(n, "group", 1);
    return (n->op->id == PL_OP_Conv || n->op->id == PL_OP_FusedConv) &&
           !pl_ir_attr(n, "channels") && w && w->type == PL_F32 && w->rank >= 3 &&
           pl_tensor_count(w) && groups >= 1 && groups <= w->dims[0] && w->dims[0] % groups == 0 &&
           w->dims[0] / groups * w->dims[1] > 1 &&
           2 * (size_t)(w->dims[0] / groups) >= pl_conv_panels((size_t)(w->dims[0] / groups));
}

static platen_status pack(struct pl_rewrite *r, struct pl_ir_node *n)
{
    const struct pl_tensor *w = pl_rw_in(r, n, 1);
    const size_t groups = (size_t)pl_ir_int(n, "group", 1);
    const size_t channels = (size_t)w->dims[0] / groups;
    const size_t depth = pl_tensor_span(w, 1, w->rank), panels = pl_conv_panels(channels);
    struct pl_attr attr = {.name = "channels", .kind = PL_ATTR_INT};
    struct pl_tensor shape = {0}, *ret;
    int64_t dims[PL_MAX_RANK];
    uint32_t value;
    attr.v.i = w->dims[0];
    for (int i = 0; i < w->rank; i++)
        dims[i] = i ? w->dims[i] : (int64_t)(groups * panels);
    if (!pl_tensor_shape(&shape, PL_F32, w->rank, dims))
        return PLATEN_OK; /* packed weights would be beyond the limits: they stay as they are */
    platen_status s = pl_rw_new_const(r, r->g->values[n->in[1]].name, &shape, &value, &ret);
    if (s)
        return s;
    w = pl_rw_in(r, n, 1);
    for (size_t g = 0; g < groups; g++)
        pl_conv_pack((float *)ret->data + g * panels * depth,
                     (const float *)w->data + g * channels * depth, channels, depth);
    n->op = pl_op_by_id(PL_OP_FusedConv);
    r->changes++;
    s = pl_rw_set_input(r, n, 1, value);
    return s ? s : pl_rw_set_attr(r, n, attr);
}

platen_status pl_pass_pack(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (n && takes_panels(r, n))
            s = pack(r, n);
    }
    return s;
}
