/* SPDX-License-Identifier: BSD-2-Clause */
/* Convolutions of floats: a matrix product whose right matrix is the picture, row by row of the
 * output, read where it lies behind its padding; or, where the picture is narrow, blocks of pixels
 * whose neighbourhoods are gathered; and plane by plane where channels do not mix. All of them sum
 * in the same order. Most kernels of 3 x 3 take fewer products (op_conv_winograd.c). */
#include "nn/op/op_conv.h"

#include <string.h>

#define BLOCK_FLOATS ((size_t)1 << 16) /* of a gathered block: a quarter of a second cache */
#define MAX_BLOCK 960                  /* pixels */
#define BAND_FLOATS ((size_t)1 << 17)  /* of padded rows: some of a second cache */
#define TILE 48                        /* the widest tile of the kernels: blocks are whole tiles */

/* Planes are read where they lie if all of them, so many floats, leave room in a second cache. */
#define CACHED_FLOATS ((size_t)3 << 15)
/* The same place of planes that are a multiple of this apart is in few sets of a first cache. */
#define SET_FLOATS 256

/* Tells whether each output channel reads one plane of the input, as depthwise kernels do. */
static bool is_depthwise(const struct pl_conv *v)
{
    return v->in_channels == 1 && v->out_channels == 1;
}

/* The part of a row (depth, height) of the output that lies in a block. */
struct piece {
    int64_t d, h, first, last; /* columns first..last - 1 */
    size_t at;                 /* in the block */
};

/* Fills one row of the gathered block with the pixels that tap (kd, kh, kw) of channel x meets. */
static void gather_tap(const struct pl_window *w, float *dst, const float *x, int64_t kd,
                       int64_t kh, int64_t kw, const struct piece *p, size_t n_pieces)
{
    const int64_t stride = w->stride[2], shift = kw * w->dilation[2] - w->before[2];
    /* columns of the output that meet the picture */
    const int64_t lo = shift < 0 ? (-shift + stride - 1) / stride : 0;
    const int64_t hi = shift < w->in[2] ? (w->in[2] - 1 - shift) / stride + 1 : 0;
    for (size_t i = 0; i < n_pieces; i++, p++) {
        const int64_t id = p->d * w->stride[0] + kd * w->dilation[0] - w->before[0];
        const int64_t ih = p->h * w->stride[1] + kh * w->dilation[1] - w->before[1];
        const int64_t n = p->last - p->first;
        int64_t from = PL_CLAMP(lo - p->first, 0, n), to = PL_CLAMP(hi - p->first, from, n);
        float *d = dst + p->at;
        if (id < 0 || id >= w->in[0] || ih < 0 || ih >= w->in[1])
            from = to = n;
        memset(d, 0, (size_t)from * sizeof(*d));
        memset(d + to, 0, (size_t)(n - to) * sizeof(*d));
        const float *s = x + (id * w->in[1] + ih) * w->in[2] + p->first * stride + shift;
        if (stride == 1 && to > from)
            memcpy(d + from, s + from, (size_t)(to - from) * sizeof(*d));
        else
            for (int64_t k = from; k < to; k++)
                d[k] = s[k * stride];
    }
}

/* Cuts pixels first..first + n - 1 of the output at the ends of its rows. Returns the number of
 * pieces. */
static size_t cut_block(const struct pl_window *w, size_t first, size_t n, struct piece *p)
{
    const size_t width = (size_t)w->out[2];
    size_t count = 0;
    for (size_t at = 0; at < n;) {
        const size_t row = (first + at) / width, column = (first + at) % width;
        const size_t run = PL_MIN(width - column, n - at);
        p[count++] = (struct piece){.d = (int64_t)row / w->out[1],
                                    .h = (int64_t)row % w->out[1],
                                    .first = (int64_t)column,
                                    .last = (int64_t)(column + run),
                                    .at = at};
        at += run;
    }
    return count;
}

static void gather(const struct pl_conv_job *j, float *block, size_t step, const float *x,
                   size_t first, size_t n, struct piece *p)
{
    const struct pl_window *w = &j->v.w;
    const size_t pieces = cut_block(w, first, n, p), plane = pl_window_volume(w->in);
    for (size_t c = 0; c < j->v.in_channels; c++)
        for (int64_t kd = 0; kd < w->kernel[0]; kd++)
            for (int64_t kh = 0; kh < w->kernel[1]; kh++)
                for (int64_t kw = 0; kw < w->kernel[2]; kw++, block += step)
                    gather_tap(w, block, x + c * plane, kd, kh, kw, p, pieces);
}

bool pl_conv_is_pointwise(const struct pl_window *w)
{
    for (int i = 0; i < PL_MAX_SPACE; i++)
        if (w->kernel[i] != 1 || w->stride[i] != 1 || w->before[i] || w->after[i])
            return false;
    return true;
}

/* Tells whether the planes that a pixel of the output meets are read where they lie as fast as from
 * a copy: all of them stay in a second cache, and the same place of many is in many sets of a
 * first. */
static bool stays_cached(const struct pl_conv *v)
{
    const size_t plane = pl_window_volume(v->w.in);
    return v->in_channels * plane <= CACHED_FLOATS && plane % SET_FLOATS;
}

struct workspace {
    float *block;
    struct piece *pieces;
    size_t pixels; /* of a block */
};

/* Computes one group of one picture from gathered blocks. */
static void run_group(const struct pl_conv_job *j, const struct workspace *ws, const float *panels,
                      size_t n, size_t g)
{
    const struct pl_conv *v = &j->v;
    const size_t in = pl_window_volume(v->w.in), out = pl_window_volume(v->w.out),
                 channels = v->groups * v->out_channels;
    const float *x = j->x + (n * v->groups + g) * v->in_channels * in;
    const size_t y = (n * channels + g * v->out_channels) * out;
    const bool pointwise = pl_conv_is_pointwise(&v->w);
    const bool in_place = pointwise && (v->out_channels <= PL_SGEMM_ROWS || stays_cached(v));
    struct pl_sgemm m = {.m = v->out_channels,
                         .k = v->in_channels * pl_window_volume(v->w.kernel),
                         .a = panels,
                         .c_step = out,
                         .row_bias = j->bias ? j->bias + g * v->out_channels : NULL};
    for (size_t at = 0; at < out; at += m.n) {
        m.n = PL_MIN(out - at, ws->pixels);
        m.c = j->y + y + at;
        m.b = ws->block;
        m.b_step = ws->pixels;
        if (in_place) {
            m.b = x + at;
            m.b_step = in;
        } else if (pointwise) {
            for (size_t k = 0; k < m.k; k++)
                memcpy(ws->block + k * ws->pixels, x + k * in + at, m.n * sizeof(*x));
        } else {
            gather(j, ws->block, ws->pixels, x, at, m.n, ws->pieces);
        }
        j->c->kernels->sgemm(&m);
        for (size_t o = 0; o < m.m; o++)
            pl_conv_finish(j, y + o * out + at, m.n, m.c + o * out);
    }
}

static platen_status block_begin(const struct pl_conv_job *j, struct workspace *ws)
{
    const size_t depth = j->v.in_channels * pl_window_volume(j->v.w.kernel),
                 out = pl_window_volume(j->v.w.out);
    ws->pixels = BLOCK_FLOATS / PL_MAX(depth, 1) / TILE * TILE;
    ws->pixels = PL_MIN(PL_CLAMP(ws->pixels, TILE, MAX_BLOCK), (out + TILE - 1) / TILE * TILE);
    ws->block = pl_call_room(j->c, depth * ws->pixels, sizeof(float));
    ws->pieces = pl_call_room(j->c, ws->pixels, sizeof(*ws->pieces));
    return ws->block && ws->pieces ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

#define MAX_PHASES 4 /* strides along a row beyond this are rare */

/* Copies of planes with their padding. Columns of equal remainder by the stride lie together, so
 * that taps read runs, and rows likewise, so that what a tap reads for the next row of the output
 * lies `pitch` floats on: a product may run over several rows, and over the padding between. */
struct padded {
    float *data;
    size_t *tap;   /* of each product of an output: where it begins */
    size_t filled; /* rows of the picture and its padding */
    size_t rows;   /* of the copy: `run` for each remainder, of which the last may be empty */
    size_t run, pitch, phases;
    size_t plane; /* floats from one plane to the next */
    struct {
        size_t at, from, n; /* of a row of the copy: the first of the picture, and how many */
    } phase[MAX_PHASES];
};

/* Tells whether some tap reads the rows (axis 1) or columns (axis 2) whose number leaves this
 * remainder by the stride. */
static bool is_read(const struct pl_window *w, int axis, size_t remainder)
{
    return (int64_t)remainder <= (w->kernel[axis] - 1) * w->dilation[axis];
}

/* Returns where a row of the padded picture lies among the rows of the copy. */
static size_t row_place(const struct pl_window *w, const struct padded *p, size_t row)
{
    const size_t stride = (size_t)w->stride[1];
    return row % stride * p->run + row / stride;
}

/* Sets the layout for n rows of the output. Returns false where padding or dilation is so large
 * that most of the planes would be empty. */
static bool pad_shape(const struct pl_window *w, size_t n, struct padded *p)
{
    const int64_t rows = ((int64_t)n - 1) * w->stride[1] + (w->kernel[1] - 1) * w->dilation[1] + 1;
    const int64_t columns =
        (w->out[2] - 1) * w->stride[2] + (w->kernel[2] - 1) * w->dilation[2] + 1;
    if (rows > 1 << 20 || columns > 1 << 20 || w->stride[2] > MAX_PHASES || w->kernel[0] != 1 ||
        w->in[0] != 1 || w->out[0] != 1 ||
        rows * columns > 4 * (w->in[1] * w->in[2] + w->out[1] * w->out[2]) + (1 << 16))
        return false;
    p->filled = (size_t)rows;
    p->run = (size_t)((rows - 1) / w->stride[1] + 1);
    p->rows = p->run * (size_t)PL_MIN(w->stride[1], rows);
    p->phases = (size_t)w->stride[2];
    p->pitch = ((size_t)columns + p->phases - 1) / p->phases;
    /* an odd number of cache lines: the same place of many planes is in many sets of a cache */
    p->plane = (p->phases * p->rows * p->pitch + 15) / 16 * 16 | 16;
    return true;
}

/* Sets where the columns of each remainder begin, and how many some tap reads. */
static void part_phases(const struct pl_window *w, struct padded *p)
{
    const size_t before = (size_t)w->before[2], step = p->phases;
    const size_t columns = PL_MIN(before + (size_t)w->in[2], p->pitch * step);
    for (size_t f = 0; f < step; f++) {
        const size_t at = before > f ? (before - f + step - 1) / step : 0, column = at * step + f;
        const bool read = is_read(w, 2, f) && column < columns;
        p->phase[f].at = read ? at : 0;
        p->phase[f].from = read ? column - before : 0;
        p->phase[f].n = read ? (columns - column + step - 1) / step : 0;
    }
}

/* Takes memory for `channels` planes and notes where their taps begin. */
static platen_status pad_begin(struct pl_call *c, const struct pl_window *w, size_t channels,
                               struct padded *p)
{
    const size_t width = (size_t)w->kernel[2], taps = (size_t)w->kernel[1] * width;
    size_t t = 0;
    part_phases(w, p);
    p->data = pl_call_scratch(c, channels * p->plane, sizeof(float));
    p->tap = pl_call_scratch(c, channels * taps, sizeof(*p->tap));
    for (; p->tap && t < taps; t++) {
        const size_t row = row_place(w, p, t / width * (size_t)w->dilation[1]);
        const size_t column = t % width * (size_t)w->dilation[2];
        p->tap[t] = (column % p->phases * p->rows + row) * p->pitch + column / p->phases;
    }
    for (; p->tap && t < channels * taps; t++)
        p->tap[t] = p->tap[t - taps] + p->plane;
    return p->data && p->tap ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

/* Copies every step-th number; known steps become shuffles. */
static void copy_every(float *restrict d, const float *restrict x, size_t n, size_t step)
{
    if (step == 1)
        memcpy(d, x, n * sizeof(*d));
    else if (step == 2)
        for (size_t k = 0; k < n; k++)
            d[k] = x[2 * k];
    else
        for (size_t k = 0; k < n; k++)
            d[k] = x[k * step];
}

/* Writes a row x of the picture as a row of a plane, or zeros where x is NULL. The padding beside
 * it stays. */
static void fill_row(const struct padded *p, float *d, const float *x)
{
    for (size_t f = 0; f < p->phases; f++, d += p->rows * p->pitch)
        if (!x)
            memset(d, 0, p->pitch * sizeof(*d));
        else
            copy_every(d + p->phase[f].at, x + p->phase[f].from, p->phase[f].n, p->phases);
}

/* Copies the rows of the input that the rows of the output from `first` on read. */
static void fill_plane(const struct pl_window *w, const struct padded *p, float *d, const float *x,
                       size_t first)
{
    const size_t stride = (size_t)w->stride[1];
    const int64_t top = (int64_t)first * w->stride[1] - w->before[1];
    for (size_t r = 0; r < stride && is_read(w, 1, r); r++)
        for (size_t row = r, at = r * p->run; row < p->filled; row += stride, at++) {
            const int64_t from = top + (int64_t)row;
            fill_row(p, d + at * p->pitch,
                     from < 0 || from >= w->in[1] ? NULL : x + from * w->in[2]);
        }
}

static platen_status run_planes(const struct pl_conv_job *j, struct padded *p)
{
    const struct pl_window *w = &j->v.w;
    const size_t taps = (size_t)(w->kernel[1] * w->kernel[2]), in = pl_window_volume(w->in);
    const size_t out = pl_window_volume(w->out);
    const bool slides = w->stride[1] == 1 && w->dilation[1] == 1;
    platen_status s = pad_begin(j->c, w, 1, p);
    for (size_t i = 0; i < j->v.batch * j->v.groups && !s; i++) {
        const size_t c = i % j->v.groups;
        const struct pl_sdw d = {.src = p->data,
                                 .weights = j->weights + c * taps,
                                 .tap = p->tap,
                                 .n_taps = taps,
                                 .across = slides ? (size_t)w->kernel[2] : 0,
                                 .row_step = p->pitch,
                                 .width = (size_t)w->out[2],
                                 .height = (size_t)w->out[1],
                                 .bias = j->bias ? j->bias[c] : 0};
        fill_plane(w, p, p->data, j->x + i * in, 0);
        j->c->kernels->sdw(j->y + i * out, &d);
        pl_conv_finish(j, i * out, out, j->y + i * out);
    }
    return s;
}

/* A band: rows of the output that are computed from one padded copy of the input. */
struct conv_band {
    struct padded p;
    size_t rows;
    bool flat;   /* one product runs over all rows, with the padding between them */
    size_t step; /* from one row of its product to the next, where that is copied to the output */
    float *sums; /* the product before it is copied */
};

/* Tells whether one product over all rows gains: not where the kernel is as good at short ones, nor
 * where rows of their own leave less of its tiles empty than the padding between rows takes of a
 * product over all; an eighth more pays for the copy. */
static bool gains_flat(const struct pl_conv *v, size_t pitch)
{
    const size_t width = (size_t)v->w.out[2];
    if (pitch > width && width <= PL_SGEMM_SHORT &&
        v->out_channels % PL_SGEMM_SIDE * 4 <= v->out_channels)
        return false;
    return 8 * ((width + TILE - 1) / TILE * TILE) > 9 * pitch;
}

/* Sets the layout of bands of n rows; returns the floats that one takes, SIZE_MAX where there can
 * be none. */
static size_t band_shape(const struct pl_conv *v, size_t n, struct conv_band *b)
{
    b->rows = n;
    if (!pad_shape(&v->w, n, &b->p))
        return SIZE_MAX;
    b->flat = gains_flat(v, b->p.pitch);
    /* an odd number of cache lines, as for planes; without padding no copy is needed */
    b->step =
        b->flat && b->p.pitch > (size_t)v->w.out[2] ? (n * b->p.pitch + 15) / 16 * 16 | 16 : 0;
    return v->in_channels * b->p.plane + v->out_channels * b->step;
}

/* Returns whether a convolution is computed in bands: as many rows at a time as fit BAND_FLOATS.
 * Where the padding would be a third of each row or more, gathered blocks are better. */
static bool plan_bands(const struct pl_conv *v, struct conv_band *b)
{
    size_t n = (size_t)v->w.out[1];
    if (pl_conv_is_pointwise(&v->w))
        return false;
    while (band_shape(v, n, b) > BAND_FLOATS && b->rows > 1)
        n = (n + 1) / 2;
    return band_shape(v, n, b) <= 4 * BAND_FLOATS && 2 * b->p.pitch <= 3 * (size_t)v->w.out[2];
}

static platen_status bands_begin(const struct pl_conv_job *j, struct conv_band *b)
{
    b->sums = pl_call_room(j->c, j->v.out_channels * b->step, sizeof(float));
    return b->sums ? pad_begin(j->c, &j->v.w, j->v.in_channels, &b->p) : PLATEN_ERR_NOMEM;
}

/* Computes `count` rows of all planes of the output, of which the first begins at element `at`. */
static void multiply_band(const struct pl_conv_job *j, const struct conv_band *b,
                          struct pl_sgemm *m, size_t at, size_t count)
{
    const size_t width = (size_t)j->v.w.out[2], out = pl_window_volume(j->v.w.out);
    m->n = b->flat ? (count - 1) * b->p.pitch + width : width;
    m->runs = b->flat ? 1 : count;
    m->b_run = b->p.pitch;
    m->c_run = width;
    m->c = b->step ? b->sums : j->y + at;
    m->c_step = b->step ? b->step : out;
    j->c->kernels->sgemm(m);
    for (size_t o = 0; o < m->m; o++, at += out) {
        for (size_t i = 0; i < count && b->step; i++)
            pl_conv_finish(j, at + i * width, width, b->sums + o * b->step + i * b->p.pitch);
        if (!b->step)
            pl_conv_finish(j, at, count * width, j->y + at);
    }
}

/* Computes one group of one picture from the padded input itself, in which the rows of the right
 * matrix overlap. */
static void run_bands(const struct pl_conv_job *j, const struct conv_band *b, const float *panels,
                      size_t n, size_t g)
{
    const struct pl_conv *v = &j->v;
    const size_t in = pl_window_volume(v->w.in), out = pl_window_volume(v->w.out),
                 width = (size_t)v->w.out[2];
    const float *x = j->x + (n * v->groups + g) * v->in_channels * in;
    const size_t y = (n * v->groups + g) * v->out_channels * out;
    struct pl_sgemm m = {.m = v->out_channels,
                         .k = v->in_channels * pl_window_volume(v->w.kernel),
                         .a = panels,
                         .b = b->p.data,
                         .b_at = b->p.tap,
                         .row_bias = j->bias ? j->bias + g * v->out_channels : NULL};
    for (size_t first = 0; first < (size_t)v->w.out[1]; first += b->rows) {
        const size_t count = PL_MIN((size_t)v->w.out[1] - first, b->rows);
        for (size_t c = 0; c < v->in_channels; c++)
            fill_plane(&v->w, &b->p, b->p.data + c * b->p.plane, x + c * in, first);
        multiply_band(j, b, &m, y + first * width, count);
    }
}

static platen_status run_groups(struct pl_conv_job *j)
{
    const struct pl_conv *v = &j->v;
    const size_t depth = v->in_channels * pl_window_volume(v->w.kernel);
    struct workspace ws = {0};
    struct pl_winograd tiles;
    struct conv_band b;
    const bool winograd = pl_conv_is_winograd(v), bands = !winograd && plan_bands(v, &b);
    const size_t count = pl_conv_panels(v->out_channels) * depth; /* packed, of a group */
    j->panels = pl_call_room(j->c, v->packed ? 1 : count, sizeof(float));
    platen_status s = !j->panels ? PLATEN_ERR_NOMEM
                      : winograd ? pl_winograd_begin(j, &tiles)
                      : bands    ? bands_begin(j, &b)
                                 : block_begin(j, &ws);
    for (size_t g = 0; g < v->groups && !s; g++) {
        const float *packed = winograd ? NULL : pl_conv_group(j, g);
        if (winograd)
            pl_winograd_group(j, &tiles, g);
        for (size_t n = 0; n < v->batch && !winograd; n++)
            if (bands)
                run_bands(j, &b, packed, n, g);
            else
                run_group(j, &ws, packed, n, g);
    }
    return s;
}

platen_status pl_conv_f32(struct pl_call *c, const struct pl_tensor *y, const float *z,
                          const struct pl_activation *act)
{
    const struct pl_tensor *x = pl_in(c, 0), *weights = pl_in(c, 1), *bias = pl_in(c, 2);
    struct pl_conv_job j = {.c = c,
                            .act = act,
                            .x = x->data,
                            .weights = weights->data,
                            .z = z,
                            .y = y->data,
                            .bias = bias ? bias->data : NULL};
    struct padded p;
    platen_status s = pl_conv_read(c, x, weights, bias, &j.v);
    if (!s && (x->type != PL_F32 || weights->type != PL_F32 || (bias && bias->type != PL_F32)))
        s = pl_call_unsupported_type(c, x->type);
    if (s)
        return s;
    return !j.v.packed && is_depthwise(&j.v) && pad_shape(&j.v.w, (size_t)j.v.w.out[1], &p)
               ? run_planes(&j, &p)
               : run_groups(&j);
}

static platen_status conv_f32(struct pl_call *c)
{
    const struct pl_activation none = {.id = -1};
    return pl_conv_f32(c, pl_out(c, 0), NULL, &none);
}

platen_status pl_run_conv(struct pl_call *c)
{
    return pl_call_as_f32(c, conv_f32);
}
