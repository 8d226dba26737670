/* SPDX-License-Identifier: BSD-2-Clause */
/* Convolutions on bytes. The weights lie as the kernels read them (simd/qgemm.h, simd/qmap.h). */
#include "nn/op/quant/op_qwinograd.h"

#include <string.h>

#define BAND_BYTES ((size_t)1 << 17) /* of copied input rows: some of a second-level cache */

/* A convolution that reads rows of the picture with their padding, a band of them at a time. */
struct qconv_band {
    struct pl_qproduct p;
    struct pl_window w;
    bool planes;         /* depthwise */
    size_t inputs;       /* pl_qwinograd_inputs() */
    size_t taps;         /* of pl_q_is_flat(): what the kernel reads of a row; 0 of others */
    bool in_place;       /* the picture needs no padding: no copy */
    size_t columns, row; /* pixels of a padded row, and its bytes */
    size_t rows;         /* of the output, at a time */
    size_t spare;        /* rows below the kernel that the depthwise kernel reads */
    uint8_t *copy;
    float *floats; /* a row of the output before it is turned */
};

/* Fits the window to a picture that may have another size than the one before. */
static platen_status slide_again(const struct pl_call *c, struct pl_window *w)
{
    bool same = true;
    for (int i = 0; i < w->n; i++) {
        int64_t *in = &w->in[PL_MAX_SPACE - w->n + i];
        same = same && *in == pl_in(c, PL_QPRODUCT_X)->dims[1 + i];
        *in = pl_in(c, PL_QPRODUCT_X)->dims[1 + i];
    }
    return same ? PLATEN_OK : pl_window_slide(c, w);
}

static platen_status read_conv(const struct pl_call *c, struct qconv_band *b)
{
    const struct pl_tensor *x = pl_in(c, PL_QPRODUCT_X);
    const struct qconv_band *kept = pl_call_kept(c);
    struct pl_window *w = &b->w;
    if (kept && pl_qproduct_fits(c, &kept->p) && x->rank == kept->w.n + 2) {
        *b = *kept;
        return slide_again(c, w);
    }
    *b = (struct qconv_band){.planes = pl_call_id(c) == PL_OP_QDepthwiseConv};
    platen_status s = pl_q_bytes(c, PL_QPRODUCT_X, 3, 4);
    s = s ? s : pl_qproduct_read(c, 1, &b->p);
    s = s ? s : pl_q_window(c, x, w);
    if (s)
        return s;
    const bool simple = w->dilation[2] == 1 && (!b->planes || w->dilation[1] == 1);
    if (!simple && w->kernel[2] > 1)
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "a dilated kernel");
    if (!b->planes) {
        s = pl_qproduct_weights(c, &b->p, (size_t)w->kernel[1], (size_t)w->kernel[2], 1);
        b->inputs = s ? 0 : pl_qwinograd_inputs(c, &b->p, w);
        return s;
    }
    const bool flat =
        pl_q_is_flat(w->kernel[1], w->stride[2], pl_in(c, PL_QPRODUCT_RESIDUAL) != NULL);
    if (w->kernel[1] > PL_QPLANE_MAX_KERNEL ||
        w->kernel[2] > (flat ? PL_QDW_MAX_TAPS : PL_QPLANE_MAX_KERNEL) || !simple ||
        b->p.channels % 16 || b->p.channels != b->p.stored || b->p.to_float)
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED,
                            "a depthwise kernel of that size, or of channels by less than 16");
    b->spare = flat ? 0 : (size_t)(-w->kernel[1] & 3);
    b->taps = flat ? (size_t)(w->kernel[2] + 3) / 4 * 4 : 0;
    if (flat)
        return pl_q_array(c, PL_QPRODUCT_WEIGHTS, PL_I8, b->p.stored * b->taps);
    return pl_q_array(c, PL_QPRODUCT_WEIGHTS, PL_I8,
                      b->p.stored * (size_t)w->kernel[2] * ((size_t)w->kernel[1] + b->spare));
}

/* Returns how many columns of the network's input each column of this input stands for. */
static int64_t joint_scale(const struct pl_call *c, const struct pl_window *w)
{
    return c->joints->columns / w->in[2];
}

/* Checks that pictures beside each other do not mix: between two of them lies as much as a
 * window reads beyond one, or the kernel has one row and takes them one by one. */
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
    s = s ? s : pl_qproduct_numbers(c, &b.p, (size_t)b.w.kernel[1], 1);
    s = s ? s : pl_qproduct_shape(c, &b.p, &b.w.out[PL_MAX_SPACE - b.w.n], b.w.n);
    s = s ? s : pl_qproduct_residual(c);
    s = s || !c->joints ? s : check_joints(c, &b);
    return s ? s : pl_call_keep(c, &b, sizeof(b));
}

static bool is_pointwise(const struct pl_window *w)
{
    return w->kernel[1] == 1 && w->kernel[2] == 1 && w->stride[1] == 1 && w->stride[2] == 1 &&
           w->out[1] == w->in[1] && w->out[2] == w->in[2];
}

/* Returns how many rows of the input n rows of the output read. */
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

/* Fills what lies between the pictures of a padded row, so that it is their border. */
static void blank_joints(const struct pl_call *c, const struct qconv_band *b, uint8_t *row)
{
    const size_t channels = b->p.channels, scale = (size_t)joint_scale(c, &b->w);
    for (size_t i = 0; i < c->joints->n; i++)
        memset(row + ((size_t)b->w.before[2] + (size_t)c->joints->at[i] / scale) * channels,
               b->p.x_zero, (size_t)c->joints->width / scale * channels);
}

/* Copies the rows that the n rows of the output from `first` on read, with their padding. */
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

/* Computes `rows` rows of the output from `row` on, of which only the depthwise kernel takes more
 * than one. `src` is the padded row of the input where the windows of the first begin. */
static void conv_rows(const struct pl_call *c, const struct qconv_band *b, const uint8_t *src,
                      size_t n, size_t row, size_t rows)
{
    const struct pl_window *w = &b->w;
    const size_t width = (size_t)w->out[2], height = (size_t)w->out[1];
    const struct pl_tensor *res = pl_in(c, PL_QPRODUCT_RESIDUAL);
    const size_t at = (n * height + row) * width * b->p.stored;
    struct pl_requant q = b->p.q;
    struct pl_qgemm g = pl_qproduct_gemm(c, &b->p);
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
        pl_qproduct_turn_row((float *)pl_out(c, 0)->data + (n * b->p.out * height + row) * width,
                             b->floats, width, b->p.out, width * height);
        return;
    }
    uint8_t *y = (uint8_t *)pl_out(c, 0)->data + at;
    const struct pl_qplane plane = {.src = src,
                                    .row_stride = b->row,
                                    .stride = (size_t)w->stride[2],
                                    .down = (size_t)w->stride[1],
                                    .channels = b->p.channels,
                                    .n_px = width,
                                    .n_rows = rows,
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
    pl_qproduct_look_up(c, y, rows * width * b->p.stored);
}

/* Runs a kernel along one row of pictures beside each other, each of which gets borders of its own.
 */
static void run_joined_row(const struct pl_call *c, const struct qconv_band *b, const uint8_t *x,
                           uint8_t *y)
{
    const struct pl_joints *j = c->joints;
    const struct pl_qgemm g = pl_qproduct_gemm(c, &b->p);
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
        pl_qproduct_look_up(c, y + from * b->p.stored, n * b->p.stored);
        from = to + (size_t)j->width / scale;
    }
}

/* Computes all pictures in tiles, from transformed weights. */
static platen_status run_tiles(struct pl_call *c, struct qconv_band *b, const int16_t *weights)
{
    const struct pl_window *w = &b->w;
    const size_t height = (size_t)w->out[1], line = (size_t)w->out[2] * b->p.stored;
    const size_t picture = (size_t)(w->in[1] * w->in[2]) * b->p.channels;
    const struct pl_tensor *x = pl_in(c, PL_QPRODUCT_X);
    struct pl_qwinograd t;
    platen_status s = pl_qwinograd_begin(c, &b->p, w, b->inputs, weights, &t);
    if (s)
        return s;
    const size_t rows = t.rows * PL_QWINOGRAD_OUT;
    b->columns = t.width * PL_QWINOGRAD_OUT + 2;
    b->row = b->columns * b->p.channels;
    b->copy = pl_call_room(c, reach(b, rows) * b->row, 1);
    for (size_t n = 0; b->copy && n < (size_t)x->dims[0]; n++)
        for (size_t y = 0; y < height; y += rows) {
            fill_band(c, b, (const uint8_t *)x->data + n * picture, y, rows);
            pl_qwinograd_rows(c, &b->p, w, &t, b->copy, b->row, (n * height + y) * line,
                              PL_MIN(rows, height - y));
        }
    return b->copy ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

platen_status pl_run_qconv(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, PL_QPRODUCT_X);
    struct qconv_band b;
    platen_status s = read_conv(c, &b);
    if (s)
        return s;
    if (!b.planes && !b.p.to_float && is_pointwise(&b.w) && b.p.channels % 4 == 0) {
        pl_qproduct_run_rows(c, &b.p, pl_tensor_count(x) / b.p.channels);
        return PLATEN_OK;
    }
    const int16_t *weights = b.inputs ? pl_qwinograd_weights(c, &b.p, &b.w, b.inputs) : NULL;
    if (weights)
        return run_tiles(c, &b, weights);
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
            const size_t at_once = b.planes && !b.taps ? rows : 1;
            for (size_t i = 0; i < rows; i += at_once)
                conv_rows(c, &b, b.in_place ? px + (y + i) * step : b.copy + i * step, n, y + i,
                          at_once);
        }
    }
    return s;
}
