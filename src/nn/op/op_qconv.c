/* SPDX-License-Identifier: BSD-2-Clause */
/* Products on bytes: convolutions, matrix products, transposed convolutions without overlap. The
 * weights lie as the kernels read them (simd/qgemm.h, simd/qmap.h). */
#include "nn/op/op_quant.h"

#include <string.h>

#define BAND_BYTES ((size_t)1 << 17) /* of copied input rows: some of a second-level cache */
#define CHUNK_BYTES ((size_t)1 << 15)
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
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "a bias of %d", b[k]);
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

/* The properties that all products have. */
struct qconv_product {
    size_t channels, stored, out; /* bytes of a pixel read; channels written, and as stored */
    size_t run, k;                /* bytes of a kernel row, of all of them */
    int32_t x_zero;
    struct pl_requant q;
    bool to_float, narrow;
};

enum { IN_X, IN_WEIGHTS, IN_BIAS, IN_SCALE, IN_RESIDUAL, IN_TABLE };

/* Biases and multipliers come in `sets`. */
static platen_status read_product(const struct pl_call *c, size_t sets, struct qconv_product *p)
{
    int64_t out = 0;
    *p = (struct qconv_product){.to_float = pl_ir_int(c->node, "to_float", 0) != 0,
                                .narrow = pl_ir_int(c->node, "narrow", 0) != 0};
    platen_status s = pl_q_bytes(c, IN_X, 2, PL_MAX_RANK);
    s = s ? s : pl_q_int(c, "channels", 1, 1 << 20, &out);
    s = s ? s : pl_q_zero(c, "x_zero", &p->x_zero);
    s = s ? s : pl_q_zero(c, "y_zero", &p->q.zero);
    if (s)
        return s;
    p->channels = (size_t)pl_in(c, IN_X)->dims[pl_in(c, IN_X)->rank - 1];
    p->out = (size_t)out;
    p->stored = pl_q_stored(p->out);
    if (pl_in(c, IN_RESIDUAL)) {
        p->q.residual_scale = pl_ir_float(c->node, "residual_ratio", 0);
        s = pl_q_zero(c, "residual_zero", &p->q.residual_zero);
    }
    if (!s && pl_in(c, IN_TABLE)) {
        s = pl_q_array(c, IN_TABLE, PL_U8, 256);
        s = s ? s : pl_q_zero(c, "t_zero", &p->q.zero);
    }
    if (!s && p->to_float && (pl_in(c, IN_RESIDUAL) || pl_in(c, IN_TABLE)))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "floats with what belongs to bytes");
    s = s ? s : pl_q_array(c, IN_BIAS, PL_I32, sets * p->stored);
    return s ? s : pl_q_array(c, IN_SCALE, PL_F32, sets * p->stored);
}

/* The last step of a product of bytes: its table, if it has one. */
static void look_up(const struct pl_call *c, uint8_t *y, size_t n)
{
    const struct pl_tensor *table = pl_in(c, IN_TABLE);
    if (table)
        c->kernels->lut_u8(y, y, n, table->data);
}

/* Sets k, and wants `sets` packed matrices. */
static platen_status check_weights(const struct pl_call *c, struct qconv_product *p,
                                   size_t kernel_h, size_t kernel_w, size_t sets)
{
    if (p->channels > PL_QGEMM_MAX_K || kernel_h > PL_QGEMM_MAX_K || kernel_w > PL_QGEMM_MAX_K ||
        sets > PL_QGEMM_MAX_K)
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "sums of too many products");
    p->run = (kernel_w * p->channels + 3) / 4 * 4;
    p->k = kernel_h * p->run;
    if (p->k > PL_QGEMM_MAX_K)
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "sums of %zu products", p->k);
    return pl_q_array(c, IN_WEIGHTS, PL_I8, sets * p->stored * p->k);
}

/* Checks what the kernels rely on. */
static platen_status check_numbers(struct pl_call *c, const struct qconv_product *p, size_t runs,
                                   size_t sets)
{
    platen_status s = pl_q_bias(c, IN_BIAS);
    if (!s && p->narrow)
        s = pl_q_narrow(c, IN_WEIGHTS, sets * p->stored, runs, p->k / runs);
    return s;
}

/* Shape of a product's result: bytes with their channels last, or floats with theirs first. */
static platen_status give_shape(const struct pl_call *c, const struct qconv_product *p,
                                const int64_t *space, int n)
{
    int64_t dims[PL_MAX_RANK];
    dims[0] = pl_in(c, IN_X)->dims[0];
    for (int i = 0; i < n; i++)
        dims[i + (p->to_float ? 2 : 1)] = space[i];
    dims[p->to_float ? 1 : n + 1] = (int64_t)(p->to_float ? p->out : p->stored);
    return pl_call_shape(c, 0, p->to_float ? PL_F32 : PL_U8, n + 2, dims);
}

/* The residual has the result's shape. */
static platen_status check_residual(const struct pl_call *c)
{
    const struct pl_tensor *r = pl_in(c, IN_RESIDUAL), *y = pl_out(c, 0);
    if (!r || !y || (r->type == PL_U8 && pl_tensor_same_shape(r, y)))
        return PLATEN_OK;
    return pl_call_fail(c, PLATEN_ERR_FORMAT, "the residual does not fit");
}

static struct pl_qgemm gemm_of(const struct pl_call *c, const struct qconv_product *p)
{
    return (struct pl_qgemm){.runs = 1,
                             .run_bytes = p->k,
                             .n_oc = p->to_float ? p->out : p->stored,
                             .weights = pl_in(c, IN_WEIGHTS)->data,
                             .narrow = p->narrow,
                             .bias = pl_in(c, IN_BIAS)->data,
                             .scale = pl_in(c, IN_SCALE)->data,
                             .dst_step = p->to_float ? p->out : p->stored};
}

/* Pixel after pixel: rows of x times the matrix. */
static void run_rows(const struct pl_call *c, const struct qconv_product *p, size_t n)
{
    const struct pl_tensor *res = pl_in(c, IN_RESIDUAL);
    const size_t chunk = PL_MAX(CHUNK_BYTES / p->stored / 24 * 24, (size_t)24);
    uint8_t *y = pl_out(c, 0)->data;
    struct pl_qgemm g = gemm_of(c, p);
    struct pl_requant q = p->q;
    g.src_step = p->channels;
    q.residual_step = p->stored;
    for (size_t at = 0; at < n; at += chunk) {
        g.n_px = PL_MIN(n - at, chunk);
        g.src = (const uint8_t *)pl_in(c, IN_X)->data + at * p->channels;
        if (p->to_float) {
            c->kernels->qgemm_f32((float *)pl_out(c, 0)->data + at * p->out, &g);
            continue;
        }
        q.residual = res ? (const uint8_t *)res->data + at * p->stored : NULL;
        c->kernels->qgemm_u8(y + at * p->stored, &g, &q);
        look_up(c, y + at * p->stored, g.n_px * p->stored);
    }
}

/* The pictures or rows that a kept product is for. */
static bool fits_kept(const struct pl_call *c, const struct qconv_product *p)
{
    const struct pl_tensor *x = pl_in(c, IN_X);
    return x->type == PL_U8 && x->rank >= 2 && x->dims[x->rank - 1] == (int64_t)p->channels;
}

static platen_status read_gemm(const struct pl_call *c, struct qconv_product *p)
{
    const struct qconv_product *kept = pl_call_kept(c);
    if (kept && fits_kept(c, kept)) {
        *p = *kept;
        return PLATEN_OK;
    }
    platen_status s = read_product(c, 1, p);
    s = s ? s : check_weights(c, p, 1, 1, 1);
    if (!s && p->channels % 4)
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "rows of %zu bytes", p->channels);
    return s;
}

platen_status pl_infer_qgemm(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, IN_X);
    struct qconv_product p;
    int64_t dims[PL_MAX_RANK];
    platen_status s = read_gemm(c, &p);
    s = s ? s : check_numbers(c, &p, 1, 1);
    if (s)
        return s;
    memcpy(dims, x->dims, sizeof(dims));
    dims[x->rank - 1] = (int64_t)(p.to_float ? p.out : p.stored);
    s = pl_call_shape(c, 0, p.to_float ? PL_F32 : PL_U8, x->rank, dims);
    s = s ? s : check_residual(c);
    return s ? s : pl_call_keep(c, &p, sizeof(p));
}

platen_status pl_run_qgemm(struct pl_call *c)
{
    struct qconv_product p;
    platen_status s = read_gemm(c, &p);
    if (!s)
        run_rows(c, &p, pl_tensor_count(pl_in(c, IN_X)) / p.channels);
    return s;
}

/* A convolution at work: rows of the picture with their padding, a band of them at a time. */
struct qconv_band {
    struct qconv_product p;
    struct pl_window w;
    bool planes;         /* depthwise */
    size_t taps;         /* of pl_q_is_flat(): what the kernel reads of a row; 0 of others */
    bool in_place;       /* the picture needs no padding: no copy */
    size_t columns, row; /* pixels of a padded row, and its bytes */
    size_t rows;         /* of the output, at a time */
    size_t spare;        /* rows below the kernel that the depthwise kernel reads */
    uint8_t *copy;
    float *floats; /* a row of the output before it is turned */
};

/* The window over a picture that may have another size than the one before. */
static platen_status slide_again(const struct pl_call *c, struct pl_window *w)
{
    bool same = true;
    for (int i = 0; i < w->n; i++) {
        int64_t *in = &w->in[PL_MAX_SPACE - w->n + i];
        same = same && *in == pl_in(c, IN_X)->dims[1 + i];
        *in = pl_in(c, IN_X)->dims[1 + i];
    }
    return same ? PLATEN_OK : pl_window_slide(c, w);
}

static platen_status read_conv(const struct pl_call *c, struct qconv_band *b)
{
    const struct pl_tensor *x = pl_in(c, IN_X);
    const struct qconv_band *kept = pl_call_kept(c);
    struct pl_window *w = &b->w;
    if (kept && fits_kept(c, &kept->p) && x->rank == kept->w.n + 2) {
        *b = *kept;
        return slide_again(c, w);
    }
    *b = (struct qconv_band){.planes = pl_call_id(c) == PL_OP_QDepthwiseConv};
    platen_status s = pl_q_bytes(c, IN_X, 3, 4);
    s = s ? s : read_product(c, 1, &b->p);
    s = s ? s : pl_q_window(c, x, w);
    if (s)
        return s;
    const bool simple = w->dilation[2] == 1 && (!b->planes || w->dilation[1] == 1);
    if (!simple && w->kernel[2] > 1)
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "a dilated kernel");
    if (!b->planes)
        return check_weights(c, &b->p, (size_t)w->kernel[1], (size_t)w->kernel[2], 1);
    const bool flat = pl_q_is_flat(w->kernel[1], w->stride[2], pl_in(c, IN_RESIDUAL) != NULL);
    if (w->kernel[1] > PL_QPLANE_MAX_KERNEL ||
        w->kernel[2] > (flat ? PL_QDW_MAX_TAPS : PL_QPLANE_MAX_KERNEL) || !simple ||
        b->p.channels % 16 || b->p.channels != b->p.stored || b->p.to_float)
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "that depthwise kernel");
    b->spare = flat ? 0 : (size_t)(-w->kernel[1] & 3);
    b->taps = flat ? (size_t)(w->kernel[2] + 3) / 4 * 4 : 0;
    if (flat)
        return pl_q_array(c, IN_WEIGHTS, PL_I8, b->p.stored * b->taps);
    return pl_q_array(c, IN_WEIGHTS, PL_I8,
                      b->p.stored * (size_t)w->kernel[2] * ((size_t)w->kernel[1] + b->spare));
}

/* Columns of the input of the network for each of this one's. */
static int64_t joint_scale(const struct pl_call *c, const struct pl_window *w)
{
    return c->joints->columns / w->in[2];
}

/* Pictures beside each other stay so, and between them lies as much as a window looks beyond one;
 * kernels of one row take them one by one. */
static platen_status check_joints(const struct pl_call *c, const struct qconv_band *b)
{
    const struct pl_window *w = &b->w;
    const int64_t scale = joint_scale(c, w), width = c->joints->width / PL_MAX(scale, 1);
    const bool whole = scale && scale * w->in[2] == c->joints->columns &&
                       c->joints->width % (scale * w->stride[2]) == 0 &&
                       w->out[2] * w->stride[2] == w->in[2] && w->dilation[2] == 1;
    const bool flat = b->taps && w->out[1] == w->in[1] && w->stride[1] == 1 && !w->before[1];
    if (whole && (flat || (!b->taps && w->before[2] <= width &&
                           w->kernel[2] - w->before[2] - w->stride[2] <= width)))
        return PLATEN_OK;
    return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "over pictures beside each other");
}

platen_status pl_infer_qconv(struct pl_call *c)
{
    struct qconv_band b;
    platen_status s = read_conv(c, &b);
    s = s ? s : check_numbers(c, &b.p, (size_t)b.w.kernel[1], 1);
    s = s ? s : give_shape(c, &b.p, &b.w.out[PL_MAX_SPACE - b.w.n], b.w.n);
    s = s ? s : check_residual(c);
    s = s || !c->joints ? s : check_joints(c, &b);
    return s ? s : pl_call_keep(c, &b, sizeof(b));
}

static bool is_pointwise(const struct pl_window *w)
{
    return w->kernel[1] == 1 && w->kernel[2] == 1 && w->stride[1] == 1 && w->stride[2] == 1 &&
           w->out[1] == w->in[1] && w->out[2] == w->in[2];
}

/* Rows of the input that n rows of the output read. */
static size_t reach(const struct qconv_band *b, size_t n)
{
    const struct pl_window *w = &b->w;
    return (n - 1) * (size_t)w->stride[1] + (size_t)((w->kernel[1] - 1) * w->dilation[1] + 1) +
           b->spare;
}

static platen_status plan_band(struct pl_call *c, struct qconv_band *b)
{
    const struct pl_window *w = &b->w;
    const int64_t columns =
        (w->out[2] - 1) * w->stride[2] + (b->taps ? (int64_t)b->taps : w->kernel[2]);
    size_t bytes;
    b->in_place = !w->before[1] && !w->before[2] && !w->after[1] && !w->after[2] &&
                  b->p.channels * (size_t)w->kernel[2] % 4 == 0 && !b->spare &&
                  (!b->taps || b->taps == (size_t)w->kernel[2]);
    b->columns = (size_t)columns;
    b->row = b->in_place ? (size_t)w->in[2] * b->p.channels
                         : (b->columns * b->p.channels + 3 + 15) / 16 * 16;
    b->rows = 1;
    while (b->rows < (size_t)w->out[1] && reach(b, b->rows + 1) * b->row < BAND_BYTES)
        b->rows++;
    bytes = b->in_place ? 1 : reach(b, b->rows) * b->row;
    b->copy = pl_call_room(c, bytes, 1);
    b->floats = pl_call_room(c, b->p.to_float ? (size_t)w->out[2] * b->p.out : 1, sizeof(float));
    return b->copy && b->floats ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

/* Fills what lies between pictures in a padded row, which becomes their border. */
static void blank_joints(const struct pl_call *c, const struct qconv_band *b, uint8_t *row)
{
    const size_t channels = b->p.channels, scale = (size_t)joint_scale(c, &b->w);
    for (size_t i = 0; i < c->joints->n; i++)
        memset(row + ((size_t)b->w.before[2] + (size_t)c->joints->at[i] / scale) * channels,
               b->p.x_zero, (size_t)c->joints->width / scale * channels);
}

/* Copies the rows that output rows first.. read, with their padding. */
static void fill_band(const struct pl_call *c, const struct qconv_band *b, const uint8_t *x,
                      size_t first, size_t n)
{
    const struct pl_window *w = &b->w;
    const size_t channels = b->p.channels, left = PL_MIN((size_t)w->before[2], b->columns);
    const size_t inside = PL_MIN((size_t)w->in[2], b->columns - left);
    const int64_t top = (int64_t)first * w->stride[1] - w->before[1];
    for (size_t i = 0; i < reach(b, n); i++) {
        const int64_t row = top + (int64_t)i;
        uint8_t *d = b->copy + i * b->row;
        if (row < 0 || row >= w->in[1]) {
            memset(d, b->p.x_zero, b->row);
            continue;
        }
        memset(d, b->p.x_zero, left * channels);
        memcpy(d + left * channels, x + (size_t)row * (size_t)w->in[2] * channels,
               inside * channels);
        memset(d + (left + inside) * channels, b->p.x_zero, b->row - (left + inside) * channels);
        if (c->joints && w->kernel[2] > 1)
            blank_joints(c, b, d);
    }
}

/* Floats of one row, [x][channel], to their planes. */
static void turn_row(float *y, const float *row, size_t width, size_t channels, size_t plane)
{
    for (size_t c = 0; c < channels; c++)
        for (size_t x = 0; x < width; x++)
            y[c * plane + x] = row[x * channels + c];
}

/* One output row, from the padded input row where it begins. */
static void conv_row(const struct pl_call *c, const struct qconv_band *b, const uint8_t *src,
                     size_t n, size_t row)
{
    const struct pl_window *w = &b->w;
    const size_t width = (size_t)w->out[2], height = (size_t)w->out[1];
    const struct pl_tensor *res = pl_in(c, IN_RESIDUAL);
    const size_t at = (n * height + row) * width * b->p.stored;
    struct pl_requant q = b->p.q;
    struct pl_qgemm g = gemm_of(c, &b->p);
    g.src = src;
    g.src_step = (size_t)w->stride[2] * b->p.channels;
    g.runs = (size_t)w->kernel[1];
    g.run_bytes = b->p.run;
    g.run_stride = (size_t)w->dilation[1] * b->row;
    g.n_px = width;
    q.residual = res ? (const uint8_t *)res->data + at : NULL;
    q.residual_step = b->p.stored;
    if (b->p.to_float) {
        c->kernels->qgemm_f32(b->floats, &g);
        turn_row((float *)pl_out(c, 0)->data + (n * b->p.out * height + row) * width, b->floats,
                 width, b->p.out, width * height);
        return;
    }
    uint8_t *y = (uint8_t *)pl_out(c, 0)->data + at;
    const struct pl_qplane plane = {.src = src,
                                    .row_stride = b->row,
                                    .stride = (size_t)w->stride[2],
                                    .channels = b->p.channels,
                                    .n_px = width,
                                    .kernel_h = (size_t)w->kernel[1],
                                    .kernel_w = (size_t)w->kernel[2],
                                    .weights = g.weights,
                                    .bias = g.bias,
                                    .scale = g.scale};
    const struct pl_qdw taps = {src, width, b->p.channels, b->taps, g.weights, g.bias, g.scale};
    if (b->taps)
        c->kernels->qdw_u8(y, &taps, &q);
    else if (b->planes)
        c->kernels->qplane_u8(y, &plane, &q);
    else
        c->kernels->qgemm_u8(y, &g, &q);
    look_up(c, y, width * b->p.stored);
}

/* Runs a kernel along one row of pictures beside each other, each of which gets borders of its own.
 */
static void run_joined_row(const struct pl_call *c, const struct qconv_band *b, const uint8_t *x,
                           uint8_t *y)
{
    const struct pl_joints *j = c->joints;
    const struct pl_qgemm g = gemm_of(c, &b->p);
    const size_t channels = b->p.channels, scale = (size_t)joint_scale(c, &b->w);
    const size_t left = (size_t)b->w.before[2], right = b->taps - 1 - left;
    size_t from = 0;
    for (size_t i = 0; i <= j->n; i++) {
        const size_t to = (size_t)(i < j->n ? j->at[i] : j->columns) / scale, n = to - from;
        const struct pl_qdw d = {b->copy, n, channels, b->taps, g.weights, g.bias, g.scale};
        memset(b->copy, b->p.x_zero, left * channels);
        memcpy(b->copy + left * channels, x + from * channels, n * channels);
        memset(b->copy + (left + n) * channels, b->p.x_zero, right * channels);
        c->kernels->qdw_u8(y + from * b->p.stored, &d, &b->p.q);
        look_up(c, y + from * b->p.stored, n * b->p.stored);
        from = to + (size_t)j->width / scale;
    }
}

platen_status pl_run_qconv(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, IN_X);
    struct qconv_band b;
    platen_status s = read_conv(c, &b);
    if (s)
        return s;
    if (!b.planes && !b.p.to_float && is_pointwise(&b.w) && b.p.channels % 4 == 0) {
        run_rows(c, &b.p, pl_tensor_count(x) / b.p.channels);
        return PLATEN_OK;
    }
    const size_t picture = (size_t)(b.w.in[1] * b.w.in[2]) * b.p.channels;
    const size_t height = (size_t)b.w.out[1];
    s = plan_band(c, &b);
    for (size_t n = 0; n < (size_t)x->dims[0] && !s; n++) {
        const uint8_t *px = (const uint8_t *)x->data + n * picture;
        for (size_t y = 0; y < height; y += b.rows) {
            const size_t rows = PL_MIN(b.rows, height - y), step = (size_t)b.w.stride[1] * b.row;
            if (c->joints && b.taps) {
                for (size_t i = y; i < y + rows; i++)
                    run_joined_row(c, &b, px + i * (size_t)b.w.in[2] * b.p.channels,
                                   (uint8_t *)pl_out(c, 0)->data +
                                       (n * height + i) * (size_t)b.w.out[2] * b.p.stored);
                continue;
            }
            if (!b.in_place)
                fill_band(c, &b, px, y, rows);
            for (size_t i = 0; i < rows; i++)
                conv_row(c, &b, b.in_place ? px + (y + i) * step : b.copy + i * step, n, y + i);
        }
    }
    return s;
}

/* A transposed convolution whose kernel is as large as its stride: one product for each tap. */
static platen_status read_transposed(const struct pl_call *c, struct qconv_product *p,
                                     size_t taps[2])
{
    const struct pl_tensor *x = pl_in(c, IN_X);
    int64_t list[2];
    platen_status s = pl_q_bytes(c, IN_X, 4, 4);
    s = s ? s : pl_call_list(c, "kernel_shape", 2, 1, list);
    if (!s && (list[0] < 1 || list[0] > 64 || list[1] < 1 || list[1] > 64 || x->dims[3] % 4 ||
               pl_in(c, IN_RESIDUAL)))
        s = pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "that kernel");
    taps[0] = s ? 0 : (size_t)list[0];
    taps[1] = s ? 0 : (size_t)list[1];
    s = s ? s : read_product(c, taps[0] * taps[1], p);
    return s ? s : check_weights(c, p, 1, 1, taps[0] * taps[1]);
}

platen_status pl_infer_qconv_transpose(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, IN_X);
    struct qconv_product p;
    size_t taps[2];
    platen_status s = read_transposed(c, &p, taps);
    s = s ? s : check_numbers(c, &p, 1, taps[0] * taps[1]);
    s = s ? s
          : give_shape(c, &p,
                       (int64_t[]){x->dims[1] * (int64_t)taps[0], x->dims[2] * (int64_t)taps[1]},
                       2);
    return s ? s : pl_call_keep(c, &p, sizeof(p));
}

/* Output row `row` of picture n, from the input row above it. */
static void transposed_row(const struct pl_call *c, const struct qconv_product *p,
                           const size_t taps[2], size_t n, size_t row, float *floats)
{
    const struct pl_tensor *x = pl_in(c, IN_X);
    const size_t in = (size_t)x->dims[2], width = in * taps[1],
                 height = (size_t)x->dims[1] * taps[0];
    const struct pl_qgemm all = gemm_of(c, p);
    struct pl_qgemm g = all;
    uint8_t *y = pl_out(c, 0)->data;
    y += p->to_float ? 0 : (n * height + row) * width * p->stored;
    g.src = (const uint8_t *)x->data + (n * (size_t)x->dims[1] + row / taps[0]) * in * p->channels;
    g.src_step = p->channels;
    g.n_px = in;
    for (size_t k = 0; k < taps[1]; k++) {
        const size_t tap = row % taps[0] * taps[1] + k;
        g.weights = all.weights + tap * p->stored * p->k;
        g.bias = all.bias + tap * p->stored;
        g.scale = all.scale + tap * p->stored;
        g.dst_step = taps[1] * (p->to_float ? p->out : p->stored);
        if (p->to_float)
            c->kernels->qgemm_f32(floats + k * p->out, &g);
        else
            c->kernels->qgemm_u8(y + k * p->stored, &g, &p->q);
    }
    if (p->to_float)
        turn_row((float *)pl_out(c, 0)->data + (n * p->out * height + row) * width, floats, width,
                 p->out, width * height);
    else
        look_up(c, y, width * p->stored);
}

platen_status pl_run_qconv_transpose(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, IN_X);
    struct qconv_product p;
    size_t taps[2];
    platen_status s = read_transposed(c, &p, taps);
    if (s)
        return s;
    const size_t rows = (size_t)x->dims[1] * taps[0];
    float *floats = pl_call_scratch(c, (size_t)x->dims[2] * taps[1] * p.out, sizeof(*floats));
    for (size_t i = 0; floats && i < (size_t)x->dims[0] * rows; i++)
        transposed_row(c, &p, taps, i / rows, i % rows, floats);
    return floats ? PLATEN_OK : PLATEN_ERR_NOMEM;
}
