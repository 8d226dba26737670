/* SPDX-License-Identifier: BSD-2-Clause */
/* Pools, means and resizing. */
#include "compile/quant/quant_layers.h"

bool pl_q_fits_pool(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_range *x = pl_q_range(q, n, 0);
    if ((x->rank != 3 && x->rank != 4) || n->n_out != 1)
        return false;
    for (uint32_t i = 0; i < 2; i++)
        if (pl_q_list_at(n, "dilations", i, 1) != 1 || pl_q_list_at(n, "kernel_shape", i, 1) > 256)
            return false;
    return true;
}

/* GlobalAveragePool, or the mean over all axes behind the channels that keeps them. */
bool pl_q_is_average(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_range *x = pl_q_range(q, n, 0);
    const struct pl_tensor *list = pl_q_const(q, n, 1);
    const struct pl_attr *attr = pl_ir_attr(n, "axes");
    uint32_t seen = 0;
    if (x->rank < 3 || (list && list->type != PL_I64))
        return false;
    if (n->op->id == PL_OP_GlobalAveragePool)
        return true;
    const size_t count = list ? pl_tensor_count(list) : attr ? attr->n : 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t axis = list ? ((const int64_t *)list->data)[i] : attr->v.ints[i];
        if (axis < -x->rank || axis >= x->rank)
            return false;
        seen |= 1u << (axis < 0 ? axis + x->rank : axis);
    }
    return pl_ir_int(n, "keepdims", 1) && seen == (1u << x->rank) - 4;
}

/* Nearest pixels, by constant scales or sizes of four axes, the last two of which change. */
bool pl_q_fits_resize(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_range *x = pl_q_range(q, n, 0), *y = &q->ranges[n->out[0]];
    const bool old = n->op->id == PL_OP_Upsample || q->g->opset < 11;
    const struct pl_tensor *list = pl_q_const(q, n, old ? 1 : 2);
    list = list && pl_tensor_count(list) ? list : pl_q_const(q, n, 3);
    return list && pl_tensor_count(list) == 4 && x->rank == 4 && x->dims[0] == y->dims[0] &&
           x->dims[1] == y->dims[1] && !pl_ir_attr(n, "axes") &&
           !strcmp(pl_ir_string(n, "mode", "nearest"), "nearest") &&
           strcmp(pl_ir_string(n, "coordinate_transformation_mode", ""), "tf_crop_and_resize") &&
           !strcmp(pl_ir_string(n, "keep_aspect_ratio_policy", "stretch"), "stretch") &&
           (list->type == PL_F32 || list->type == PL_I64);
}

platen_status pl_q_make_pool(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    static const char *const names[] = {"auto_pad", "ceil_mode", "kernel_shape", "pads", "strides"};
    const struct pl_q_value y = q->bytes[n->in[0]];
    const bool max = n->op->id == PL_OP_MaxPool;
    struct pl_q_node m;
    uint32_t out;
    *ret_made = y.value != PL_IR_NONE && y.channels_first && pl_q_wanted(q, n->out[0]);
    if (!*ret_made)
        return PLATEN_OK;
    platen_status s = pl_q_new_bytes(q, n->out[0], y, &out);
    if (s)
        return s;
    pl_q_begin(&m, n->name, max ? PL_OP_QMaxPool : PL_OP_QAveragePool);
    pl_q_in(&m, y.value);
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++)
        pl_q_copy(&m, n, names[i]);
    if (!max)
        pl_q_copy(&m, n, "count_include_pad");
    pl_q_set_result(&m, y.s);
    return pl_q_add(q, &m, out);
}

platen_status pl_q_make_average(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    const struct pl_q_value *x = &q->bytes[n->in[0]];
    struct pl_q_node m;
    *ret_made = x->value != PL_IR_NONE && x->channels_first;
    if (!*ret_made)
        return PLATEN_OK;
    pl_q_begin(&m, n->name, PL_OP_QGlobalAverage);
    pl_q_in(&m, x->value);
    pl_q_set_int(&m, "channels", (int64_t)x->channels);
    pl_q_set_float(&m, "x_scale", x->s.scale);
    pl_q_set_int(&m, "x_zero", x->s.zero);
    q->has_floats[n->out[0]] = true;
    return pl_q_add(q, &m, n->out[0]);
}

/* The operator itself, its scales or sizes for channels that come last. */
platen_status pl_q_make_resize(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    static const char *const names[] = {"coordinate_transformation_mode", "mode", "nearest_mode"};
    const struct pl_q_value y = q->bytes[n->in[0]];
    const bool old = n->op->id == PL_OP_Upsample || q->g->opset < 11;
    const struct pl_tensor *list = pl_q_const(q, n, old ? 1 : 2);
    struct pl_q_node m;
    int64_t sizes[4];
    float scales[4];
    uint32_t out, value;
    *ret_made = y.value != PL_IR_NONE && y.channels_first && y.stored % 16 == 0;
    if (!*ret_made)
        return PLATEN_OK;
    const bool by_scale = list && pl_tensor_count(list);
    list = by_scale ? list : pl_q_const(q, n, 3);
    static const int from[] = {0, 2, 3, 1};
    for (int i = 0; i < 4; i++) {
        scales[i] = (float)pl_tensor_f64(list, (size_t)from[i]);
        sizes[i] = pl_tensor_i64(list, (size_t)from[i]);
    }
    sizes[3] = (int64_t)y.stored;
    platen_status s = by_scale ? pl_q_new_const(q, n->name, "scales", PL_F32, 4, scales, &value)
                               : pl_q_new_const(q, n->name, "sizes", PL_I64, 4, sizes, &value);
    s = s ? s : pl_q_new_bytes(q, n->out[0], y, &out);
    if (s)
        return s;
    pl_q_begin(&m, n->name, n->op->id);
    pl_q_in(&m, y.value);
    for (int i = 1; !old && i < (by_scale ? 2 : 3); i++)
        pl_q_in(&m, PL_IR_NONE);
    pl_q_in(&m, value);
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++)
        pl_q_copy(&m, n, names[i]);
    return pl_q_add(q, &m, out);
}

/* Channels from behind the first axis to the end, or from there to behind it: `last`. */
static bool moves_channels(const struct pl_ir_node *n, int rank, bool last)
{
    bool moves = rank >= 3 && pl_ir_attr(n, "perm");
    for (int i = 1; i < rank && moves; i++) {
        const int64_t want = last ? i == rank - 1 ? 1 : i + 1 : i == 1 ? rank - 1 : i - 1;
        moves = pl_q_list_at(n, "perm", (uint32_t)i, -1) == want;
    }
    return moves;
}

/* The bytes have their channels last in any case. */
static platen_status turn_view(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    struct pl_q_value x = q->bytes[n->in[0]];
    *ret_made = x.value != PL_IR_NONE &&
                moves_channels(n, pl_q_range(q, n, 0)->rank, x.channels_first) &&
                pl_q_wanted(q, n->out[0]);
    x.channels_first = !x.channels_first;
    if (*ret_made)
        q->bytes[n->out[0]] = x;
    return PLATEN_OK;
}

/* [n, c, 1, w] without its rows; or its channels first that were last. */
bool pl_q_fits_view(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_range *x = pl_q_range(q, n, 0), *y = &q->ranges[n->out[0]];
    if (n->op->id == PL_OP_Transpose)
        return moves_channels(n, x->rank, true) || moves_channels(n, x->rank, false);
    return x->rank == 4 && y->rank == 3 && x->dims[2] == 1 && x->dims[1] == y->dims[1] &&
           x->dims[3] == y->dims[2] && x->dims[0] == y->dims[0];
}

platen_status pl_q_make_view(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    struct pl_q_value x = q->bytes[n->in[0]];
    struct pl_q_node m;
    uint32_t out;
    if (n->op->id == PL_OP_Transpose)
        return turn_view(q, n, ret_made);
    *ret_made = x.value != PL_IR_NONE && x.channels_first && pl_q_wanted(q, n->out[0]);
    if (!*ret_made)
        return PLATEN_OK;
    pl_q_begin(&m, n->name, PL_OP_Squeeze);
    pl_q_in(&m, x.value);
    int64_t *axis = PL_NEW(&q->g->arena, int64_t, 1);
    if (!axis)
        return pl_fail_nomem(q->err, sizeof(*axis), "a node");
    *axis = 1; /* the channels are last */
    struct pl_attr *a = &m.attrs[m.n.n_attrs++];
    *a = (struct pl_attr){.name = "axes", .kind = PL_ATTR_INTS, .n = 1};
    a->v.ints = axis;
    platen_status s = pl_q_new_bytes(q, n->out[0], x, &out);
    return s ? s : pl_q_add(q, &m, out);
}
