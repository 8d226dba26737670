/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes products by constant weights of bytes: convolutions, transposed ones and matrices. */
#include "compile/quant/quant_layers.h"

static bool is_depthwise(const struct pl_tensor *w, int64_t groups)
{
    return groups > 1 && w->dims[1] == 1 && w->dims[0] == groups;
}

static bool has_sum(const struct pl_ir_node *n)
{
    return n->n_in > 3 && n->in[3] != PL_IR_NONE;
}

/* Tells whether a depthwise convolution is flat (pl_q_is_flat()). */
static bool is_flat(const struct pl_ir_node *n, const struct pl_tensor *w)
{
    return pl_q_is_flat(w->rank == 3 ? 1 : w->dims[2],
                        pl_q_list_at(n, "strides", w->rank == 3 ? 0 : 1, 1), has_sum(n));
}

/* Returns whether the kernels cover the convolution: it has one or two axes and its sums are not
 * too long. Groups that are not depthwise become zeros in the weights of all channels, which pays
 * for few groups only. */
bool pl_q_fits_conv(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_tensor *w = pl_q_const(q, n, 1), *b = pl_q_const(q, n, 2);
    const struct pl_range *x = pl_q_range(q, n, 0), *z = pl_q_range(q, n, 3);
    const int64_t groups = pl_ir_int(n, "group", 1);
    if (!pl_q_known(q, n->in[0]) || (z && !pl_q_known(q, n->in[3])))
        return false;
    if (!pl_q_is_floats(w) || pl_ir_attr(n, "channels") || (w->rank != 3 && w->rank != 4) ||
        x->rank != w->rank || groups < 1 || x->dims[1] != w->dims[1] * groups ||
        w->dims[0] % groups || pl_q_area(x) < 2)
        return false;
    if (n->n_in > 2 && n->in[2] != PL_IR_NONE &&
        (!pl_q_is_floats(b) || pl_tensor_count(b) != (size_t)w->dims[0]))
        return false;
    if (z && !pl_q_same_dims(z, &q->ranges[n->out[0]]))
        return false;
    const bool flat = w->rank == 3;
    const int64_t kernel_h = flat ? 1 : w->dims[2], kernel_w = w->dims[w->rank - 1];
    const int64_t dilation_h = flat ? 1 : pl_q_list_at(n, "dilations", 0, 1);
    const int64_t dilation_w = pl_q_list_at(n, "dilations", flat ? 0 : 1, 1);
    if (is_depthwise(w, groups))
        return kernel_h <= PL_QPLANE_MAX_KERNEL &&
               kernel_w <= (is_flat(n, w) ? PL_QDW_MAX_TAPS : PL_QPLANE_MAX_KERNEL) &&
               dilation_h == 1 && dilation_w == 1;
    const int64_t stored = (int64_t)pl_q_stored((size_t)x->dims[1]);
    return groups <= 4 && (dilation_w == 1 || kernel_w == 1) && stored <= PL_QGEMM_MAX_K &&
           kernel_w <= PL_QGEMM_MAX_K &&
           kernel_h * ((kernel_w * stored + 3) / 4 * 4) <= PL_QGEMM_MAX_K;
}

/* Returns how many rows (axis 0) or columns of the kernel of a transposed convolution one phase of
 * its output reads. */
static int64_t window_of(const struct pl_ir_node *n, const struct pl_tensor *w, uint32_t axis)
{
    return (w->dims[2 + axis] - 1) / pl_q_list_at(n, "strides", axis, 1) + 1;
}

bool pl_q_fits_transposed(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_tensor *w = pl_q_const(q, n, 1), *b = pl_q_const(q, n, 2);
    const struct pl_range *x = pl_q_range(q, n, 0);
    if (!pl_q_known(q, n->in[0]) || !pl_q_is_floats(w) || w->rank != 4 || x->rank != 4 ||
        x->dims[1] != w->dims[0] || pl_ir_int(n, "group", 1) != 1 ||
        pl_ir_attr(n, "output_shape") || strcmp(pl_ir_string(n, "auto_pad", "NOTSET"), "NOTSET") ||
        pl_q_stored((size_t)x->dims[1]) > PL_QGEMM_MAX_K)
        return false;
    if (n->n_in > 2 && n->in[2] != PL_IR_NONE &&
        (!pl_q_is_floats(b) || pl_tensor_count(b) != (size_t)w->dims[1]))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        const int64_t stride = pl_q_list_at(n, "strides", i, 1);
        const int64_t most =
            PL_MAX(pl_q_list_at(n, "pads", i, 0), pl_q_list_at(n, "pads", 2 + i, 0));
        if (w->dims[2 + i] < 1 || w->dims[2 + i] > 64 || stride < 1 || stride > 64 || most > 64 ||
            pl_q_list_at(n, "dilations", i, 1) != 1 ||
            pl_q_list_at(n, "output_padding", i, 0) >= stride)
            return false;
    }
    return window_of(n, w, 0) * window_of(n, w, 1) * (int64_t)pl_q_stored((size_t)x->dims[1]) <=
           PL_QGEMM_MAX_K;
}

bool pl_q_fits_matmul(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_tensor *w = pl_q_const(q, n, 1), *b = pl_q_const(q, n, 2);
    const struct pl_range *x = pl_q_range(q, n, 0);
    return pl_q_known(q, n->in[0]) && pl_q_is_floats(w) && w->rank == 2 && x->rank >= 2 &&
           x->dims[x->rank - 1] == w->dims[0] &&
           pl_q_stored((size_t)w->dims[0]) <= PL_QGEMM_MAX_K &&
           (n->n_in < 3 || n->in[2] == PL_IR_NONE ||
            (pl_q_is_floats(b) && pl_tensor_count(b) == (size_t)w->dims[1]));
}

/* A product while it is made. */
struct quant_product {
    int op;
    const struct pl_tensor *w;
    struct pl_q_value x, z, y;
    bool tight, has_sum, to_float; /* With has_sum z is added to the product. */
    struct pl_q_chain chain;
    struct pl_q_weights weights;
    struct pl_q_packed packed;
    int n_kernel; /* Attribute "kernel_shape" has this many sizes. */
};

static platen_status nomem(struct pl_q_graph *q)
{
    return pl_fail_nomem(q->err, 0, "packed weights");
}

platen_status pl_q_add_packed(struct pl_q_graph *q, struct pl_q_node *m,
                              const struct pl_q_packed *p)
{
    uint32_t w, b, s;
    platen_status st = pl_q_new_const(q, m->n.name, "weights", PL_I8, p->n_weights, p->weights, &w);
    st = st ? st : pl_q_new_const(q, m->n.name, "bias", PL_I32, p->n_out, p->bias, &b);
    st = st ? st : pl_q_new_const(q, m->n.name, "scale", PL_F32, p->n_out, p->scale, &s);
    if (st)
        return st;
    pl_q_in(m, w);
    pl_q_in(m, b);
    pl_q_in(m, s);
    return PLATEN_OK;
}

/* Adds the layer after its last inputs and attributes; its result is bytes, by the table of the
 * chain, or floats. */
static platen_status finish_layer(struct pl_q_graph *q, struct pl_q_node *m,
                                  const struct quant_product *p)
{
    const struct pl_q_chain *c = &p->chain;
    const struct pl_q_scale s = c->has_table ? c->s : p->y.s;
    uint32_t out = c->to, table;
    platen_status st = PLATEN_OK;
    pl_q_set_int(m, "channels", (int64_t)p->y.channels);
    pl_q_set_int(m, "x_zero", p->x.s.zero);
    if (p->packed.narrow)
        pl_q_set_int(m, "narrow", 1);
    if (p->has_sum) {
        pl_q_in(m, p->z.value);
        pl_q_set_int(m, "residual_zero", p->z.s.zero);
        pl_q_set_float(m, "residual_ratio", p->z.s.scale / s.scale);
    } else if (c->has_table) {
        pl_q_in(m, PL_IR_NONE);
    }
    if (c->has_table) {
        st = pl_q_new_const(q, m->n.name, "table", PL_U8, 256, c->table, &table);
        pl_q_in(m, st ? PL_IR_NONE : table);
    }
    if (p->to_float) {
        pl_q_set_int(m, "to_float", 1);
        pl_q_set_int(m, "y_zero", 0);
        q->has_floats[out] = true;
        return st ? st : pl_q_add(q, m, out);
    }
    if (c->has_table)
        pl_q_set_int(m, "t_zero", s.zero);
    pl_q_set_result(m, p->y.s);
    st = st ? st : pl_q_new_bytes(q, c->to, p->y, &out);
    return st ? st : pl_q_add(q, m, out);
}

/* Takes the kernel of a phase, w[channel][output][row][column], as [output][channel][row][column]:
 * what an output reads of the inputs around it, the last ones by the first taps. */
static void take_phase(float *dst, const struct pl_q_weights *q, const struct pl_tensor *w,
                       const size_t stride[2], size_t phase)
{
    const size_t in = (size_t)w->dims[0], out = (size_t)w->dims[1];
    const size_t rows = (size_t)w->dims[2], columns = (size_t)w->dims[3];
    for (size_t o = 0; o < out; o++)
        for (size_t c = 0; c < in; c++)
            for (size_t i = q->kernel_h; i-- > 0;)
                for (size_t j = q->kernel_w; j-- > 0;) {
                    const size_t row = phase / stride[1] + i * stride[0];
                    const size_t column = phase % stride[1] + j * stride[1];
                    *dst++ = row < rows && column < columns
                                 ? ((const float *)
                                        w->data)[((c * out + o) * rows + row) * columns + column]
                                 : 0;
                }
}

/* Packs the kernels of all phases behind each other, with their biases and multipliers. */
static platen_status pack_phases(struct pl_q_graph *q, const struct pl_ir_node *n,
                                 struct pl_q_weights *w, const struct pl_tensor *t,
                                 struct pl_q_packed *all)
{
    const size_t stride[2] = {(size_t)pl_q_list_at(n, "strides", 0, 1),
                              (size_t)pl_q_list_at(n, "strides", 1, 1)};
    const size_t phases = stride[0] * stride[1];
    float *kernel = PL_NEW(&q->scratch, float, w->out * w->in * w->kernel_h * w->kernel_w);
    struct pl_q_packed p;
    for (size_t k = 0; k < phases && kernel; k++) {
        take_phase(kernel, w, t, stride, k);
        w->w = kernel;
        w->steps = NULL;
        pl_q_take_steps(q, n, w);
        if (!pl_q_pack(w, &q->scratch, &p))
            return nomem(q);
        if (!k && !pl_q_packed_new(&p, phases, &q->scratch, all))
            return nomem(q);
        pl_q_packed_put(all, &p, k);
    }
    return kernel ? PLATEN_OK : nomem(q);
}

/* Returns the matrix [in][out] as [out][in], in scratch. */
static const float *turned(struct pl_q_graph *q, const struct pl_tensor *w)
{
    const size_t in = (size_t)w->dims[0], out = (size_t)w->dims[1];
    float *t = PL_NEW(&q->scratch, float, in *out);
    for (size_t i = 0; t && i < in * out; i++)
        t[i % out * in + i / out] = ((const float *)w->data)[i];
    return t;
}

/* Fills in the points in which the kinds of products differ. */
static void describe(struct pl_q_graph *q, const struct pl_ir_node *n, enum pl_q_kind kind,
                     struct quant_product *p)
{
    const struct pl_tensor *w = p->w, *b = pl_q_const(q, n, 2);
    const int64_t groups = kind == PL_Q_CONV ? pl_ir_int(n, "group", 1) : 1;
    const bool planes = kind == PL_Q_CONV && is_depthwise(w, groups);
    const bool conv = kind == PL_Q_CONV, flat = conv && w->rank == 3;
    p->op = kind == PL_Q_MATMUL       ? PL_OP_QGemm
            : kind == PL_Q_TRANSPOSED ? PL_OP_QConvTranspose
            : planes                  ? PL_OP_QDepthwiseConv
                                      : PL_OP_QConv;
    p->tight = conv && !planes;
    p->has_sum = conv && has_sum(n);
    p->n_kernel = kind == PL_Q_MATMUL ? 0 : flat ? 1 : 2;
    p->y = (struct pl_q_value){.channels_first = kind != PL_Q_MATMUL,
                               .channels = (size_t)w->dims[conv ? 0 : 1]};
    p->y.stored = pl_q_stored(p->y.channels);
    p->weights = (struct pl_q_weights){.w = w->data,
                                       .bias = b ? b->data : NULL,
                                       .out = p->y.channels,
                                       .in = (size_t)w->dims[conv ? 1 : 0],
                                       .groups = planes ? p->y.channels : (size_t)groups,
                                       .kernel_h = conv && !flat ? (size_t)w->dims[2] : 1,
                                       .kernel_w = conv ? (size_t)w->dims[w->rank - 1] : 1,
                                       .depthwise = planes,
                                       .flat = planes && is_flat(n, w),
                                       .per_tensor = q->o->per_tensor,
                                       .narrow = q->o->narrow && !q->o->per_tensor && !planes};
    if (kind == PL_Q_TRANSPOSED) {
        p->weights.kernel_h = (size_t)window_of(n, w, 0);
        p->weights.kernel_w = (size_t)window_of(n, w, 1);
    }
}

static platen_status pack_product(struct pl_q_graph *q, const struct pl_ir_node *n,
                                  enum pl_q_kind kind, struct quant_product *p)
{
    struct pl_q_weights *w = &p->weights;
    w->stored = p->x.stored;
    w->x = p->x.s;
    w->y_scale = p->to_float ? 1 : p->chain.has_table ? p->chain.s.scale : p->y.s.scale;
    if (kind == PL_Q_TRANSPOSED)
        return pack_phases(q, n, w, p->w, &p->packed);
    if (kind == PL_Q_MATMUL)
        w->w = turned(q, p->w);
    if (w->w)
        pl_q_take_steps(q, n, w);
    return w->w && pl_q_pack(w, &q->scratch, &p->packed) ? PLATEN_OK : nomem(q);
}

static platen_status set_sizes(struct pl_q_graph *q, struct pl_q_node *m, const char *name,
                               const int64_t *sizes, uint32_t n)
{
    int64_t *list = PL_NEW(&q->g->arena, int64_t, n);
    if (!list)
        return nomem(q);
    memcpy(list, sizes, n * sizeof(*list));
    struct pl_attr *attr = &m->attrs[m->n.n_attrs++];
    *attr = (struct pl_attr){.name = name, .kind = PL_ATTR_INTS, .n = n};
    attr->v.ints = list;
    return PLATEN_OK;
}

/* Sets how a transposed convolution steps, and what is cut off. */
static platen_status set_phases(struct pl_q_graph *q, struct pl_q_node *m,
                                const struct pl_ir_node *n)
{
    const int64_t strides[] = {pl_q_list_at(n, "strides", 0, 1), pl_q_list_at(n, "strides", 1, 1)};
    pl_q_copy(m, n, "output_padding");
    pl_q_copy(m, n, "pads");
    return set_sizes(q, m, "strides", strides, PL_ARRAY_LEN(strides));
}

platen_status pl_q_make_product(struct pl_q_graph *q, const struct pl_ir_node *n,
                                enum pl_q_kind kind, bool *ret_made)
{
    static const char *const names[] = {"auto_pad", "dilations", "pads", "strides"};
    struct quant_product p = {.w = pl_q_const(q, n, 1)};
    struct pl_q_node m;
    describe(q, n, kind, &p);
    platen_status s = pl_q_follow(q, n->out[0], &p.chain);
    const bool known = pl_q_known(q, p.chain.to);
    const bool may_be_float = p.op != PL_OP_QDepthwiseConv && !p.has_sum;
    *ret_made = known || may_be_float;
    if (s || !*ret_made)
        return s;
    p.to_float = may_be_float && (!known || !pl_q_wanted(q, p.chain.to));
    p.y.s = pl_q_scale_for(q, p.chain.to);
    s = pl_q_bytes_of(q, n->in[0], p.y.channels_first, p.tight, &p.x);
    if (!s && p.has_sum)
        s = pl_q_bytes_of(q, n->in[3], true, false, &p.z);
    s = s ? s : pack_product(q, n, kind, &p);
    if (s)
        return s;
    pl_q_begin(&m, n->name, p.op);
    pl_q_in(&m, p.x.value);
    s = pl_q_add_packed(q, &m, &p.packed);
    pl_arena_reset(&q->scratch);
    for (size_t i = 0; kind == PL_Q_CONV && i < PL_ARRAY_LEN(names); i++)
        pl_q_copy(&m, n, names[i]);
    if (!s && p.n_kernel)
        s = set_sizes(q, &m, "kernel_shape", p.w->dims + 2, (uint32_t)p.n_kernel);
    if (!s && kind == PL_Q_TRANSPOSED)
        s = set_phases(q, &m, n);
    return s ? s : finish_layer(q, &m, &p);
}
