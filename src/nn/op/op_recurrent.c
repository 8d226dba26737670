/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of recurrent layers. A node before them has multiplied the input by its matrix (pass
 * `rnn`); each step multiplies the states of all lines, those of several calls too, by its own, in
 * floats or bytes, and runs the kernel of the cell. */
#include "nn/op/op_gemm.h"
#include "nn/op/quant/op_quant.h"

#include <string.h>

enum { IN_GATES, IN_R, IN_BIAS, IN_SCALE }; /* scales of bytes alone; then h and c */

/* Columns of a block of a matrix of floats: a whole number of tiles on every level, and with 64
 * cells half of a first cache (bench/runs/2026-11-27-avx2-fp32-3.md). */
#define BLOCK_COLUMNS 64

struct recurrent_layer {
    bool gru, bytes, backward; /* backward: the first direction is */
    bool paired;               /* pl_qgemm_is_paired(), where the shape rule has looked */
    uint32_t in_h, in_c;
    size_t steps, batch, hidden, rows, directions;
    size_t stored, state; /* rows as the multipliers of bytes have them; bytes of a state */
};

static bool has_shape(const struct pl_tensor *t, int rank, const size_t *dims)
{
    bool ok = !t || (t->type == PL_F32 && t->rank == rank);
    for (int i = 0; t && ok && i < rank; i++)
        ok = t->dims[i] == (int64_t)dims[i];
    return ok;
}

/* Checks the matrix of the state, and its biases and scales. */
static platen_status check_matrix(const struct pl_call *c, const struct recurrent_layer *l)
{
    const size_t d = l->directions;
    if (!l->bytes)
        return has_shape(pl_in(c, IN_R), 3, (size_t[]){d, l->hidden, l->rows}) &&
                       has_shape(pl_in(c, IN_BIAS), 2, (size_t[]){d, l->rows})
                   ? PLATEN_OK
                   : pl_call_fail(c, PLATEN_ERR_FORMAT, "the shapes of the inputs do not fit");
    if (l->state > PL_QGEMM_MAX_K)
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "sums of %zu products", l->state);
    platen_status s = pl_q_array(c, IN_R, PL_I8, d * l->stored * l->state);
    s = s ? s : pl_q_array(c, IN_BIAS, PL_I32, d * l->stored);
    return s ? s : pl_q_array(c, IN_SCALE, PL_F32, d * l->stored);
}

static platen_status read_layer(const struct pl_call *c, struct recurrent_layer *l)
{
    const struct pl_tensor *x = pl_in(c, IN_GATES);
    const char *direction = pl_ir_string(c->node, "direction", "forward");
    const int id = pl_call_id(c);
    const bool bytes = id == PL_OP_QGRU || id == PL_OP_QLSTM;
    *l = (struct recurrent_layer){.gru = id == PL_OP_FusedGRU || id == PL_OP_QGRU,
                                  .bytes = bytes,
                                  .backward = !strcmp(direction, "reverse"),
                                  .in_h = bytes ? IN_SCALE + 1 : IN_BIAS + 1,
                                  .directions = strcmp(direction, "bidirectional") ? 1 : 2};
    l->in_c = l->in_h + 1;
    if (x->type != PL_F32 || x->rank != 3)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "gates of the wrong type or rank");
    const size_t d = l->directions, gates = l->gru ? 3 : 4;
    l->steps = (size_t)x->dims[0];
    l->batch = (size_t)x->dims[1];
    l->hidden = (size_t)x->dims[2] / d / gates;
    l->rows = gates * l->hidden;
    l->stored = pl_q_stored(l->rows);
    l->state = pl_q_state_bytes(l->hidden);
    if (!l->hidden || x->dims[2] != (int64_t)(d * l->rows) ||
        !has_shape(pl_in(c, l->in_h), 3, (size_t[]){d, l->batch, l->hidden}) ||
        !has_shape(pl_in(c, l->in_c), 3, (size_t[]){d, l->batch, l->hidden}))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the shapes of the inputs do not fit");
    return check_matrix(c, l);
}

platen_status pl_infer_fused_rnn(struct pl_call *c)
{
    struct recurrent_layer l;
    platen_status s = read_layer(c, &l);
    s = s || !l.bytes ? s : pl_q_bias(c, IN_BIAS);
    if (!s && l.bytes && pl_ir_int(c->node, "narrow", 0))
        s = pl_q_narrow(c, IN_R, l.directions * l.stored, 1, l.state);
    if (s)
        return s;
    l.paired =
        l.bytes && pl_qgemm_is_paired(pl_in(c, IN_R)->data, l.directions * l.stored, l.state);
    const int64_t d = (int64_t)l.directions, b = (int64_t)l.batch, h = (int64_t)l.hidden;
    s = pl_call_shape(c, 0, PL_F32, 4, (int64_t[]){(int64_t)l.steps, d, b, h});
    for (uint32_t i = 1; i < 3 && !s; i++)
        s = pl_call_shape(c, i, PL_F32, 3, (int64_t[]){d, b, h});
    return s ? s : pl_call_keep(c, &l, sizeof(l)); /* the numbers are looked at once */
}

/* The lines of one call among those of all: from line `first` on, `batch` of so many steps. */
struct recurrent_part {
    const struct pl_call *call;
    size_t first, batch, steps;
};

/* The state of a direction: h and c of all lines, and h as the product reads it, in panels or in
 * bytes. The parts with the most steps are in front, so that those that still run are the first. */
struct recurrent_state {
    float *h, *c, *packed, *product;
    const float *kept; /* the matrices of all directions in blocks; NULL where they cannot stay */
    float *matrix;     /* room for one of them then */
    uint8_t *bytes;
    struct recurrent_part *parts;
    size_t n_parts;
};

/* Adds a call behind those that have as many steps or more. */
static platen_status add_part(struct recurrent_state *st, const struct pl_call *call)
{
    struct recurrent_layer l;
    platen_status s = read_layer(call, &l);
    if (s)
        return s;
    size_t i = st->n_parts++;
    for (; i && st->parts[i - 1].steps < l.steps; i--)
        st->parts[i] = st->parts[i - 1];
    st->parts[i] = (struct recurrent_part){.call = call, .batch = l.batch, .steps = l.steps};
    return PLATEN_OK;
}

/* Lays the matrix of direction d out in blocks. */
static void lay_matrix(float *dst, const struct pl_call *c, const struct recurrent_layer *l,
                       size_t d)
{
    pl_gemm_lay_blocks(dst, (const float *)pl_in(c, IN_R)->data + d * l->hidden * l->rows,
                       l->hidden, l->rows, BLOCK_COLUMNS);
}

struct matrices {
    const struct pl_call *c;
    const struct recurrent_layer *l;
};

static void lay_matrices(void *block, const void *ctx)
{
    const struct matrices *m = ctx;
    for (size_t d = 0; d < m->l->directions; d++)
        lay_matrix((float *)block + d * m->l->hidden * m->l->rows, m->c, m->l, d);
}

static platen_status make_state(struct pl_call *c, const struct recurrent_layer *l,
                                struct recurrent_state *st)
{
    size_t lines = 0;
    *st = (struct recurrent_state){
        .parts = pl_call_scratch(c, c->n_others + 1, sizeof(struct recurrent_part))};
    platen_status s = st->parts ? add_part(st, c) : PLATEN_ERR_NOMEM;
    for (size_t i = 0; i < c->n_others && !s; i++)
        s = add_part(st, &c->others[i]);
    if (s)
        return s;
    for (size_t i = 0; i < st->n_parts; i++) {
        st->parts[i].first = lines;
        lines += st->parts[i].batch;
    }
    const size_t panels = (lines + PL_SGEMM_ROWS - 1) / PL_SGEMM_ROWS * PL_SGEMM_ROWS;
    st->h = pl_call_scratch(c, lines * l->hidden, sizeof(float));
    st->c = pl_call_scratch(c, lines * l->hidden, sizeof(float));
    st->packed = pl_call_scratch(c, l->bytes ? 1 : panels * l->hidden, sizeof(float));
    st->bytes = pl_call_scratch(c, l->bytes ? lines * l->state : 1, 1);
    st->product = pl_call_scratch(c, lines * l->rows, sizeof(float));
    const size_t numbers = l->hidden * l->rows;
    if (!l->bytes)
        st->kept = pl_call_prepared(c, l->directions * numbers * sizeof(float), lay_matrices,
                                    &(struct matrices){c, l});
    st->matrix = pl_call_room(c, l->bytes || st->kept ? 1 : numbers, sizeof(float));
    return st->h && st->c && st->packed && st->bytes && st->product && st->matrix
               ? PLATEN_OK
               : PLATEN_ERR_NOMEM;
}

/* Sets the first state of a part: that of input i, or zeros. */
static void set_first_state(const struct recurrent_part *p, uint32_t i, float *state,
                            size_t direction, size_t hidden)
{
    const size_t n = p->batch * hidden;
    state += p->first * hidden;
    memset(state, 0, n * sizeof(*state));
    if (pl_in(p->call, i))
        memcpy(state, (const float *)pl_in(p->call, i)->data + direction * n, n * sizeof(*state));
}

/* The product of the states with the matrix of one direction, as its kernel takes it; of how many
 * lines, each step says. */
struct state_product {
    struct pl_sgemm f32;
    struct pl_qgemm bytes;
};

static struct state_product product_of(const struct pl_call *c, const struct recurrent_layer *l,
                                       size_t d, const struct recurrent_state *st)
{
    const struct pl_tensor *r = pl_in(c, IN_R), *bias = pl_in(c, IN_BIAS);
    if (l->bytes)
        return (struct state_product){
            .bytes = {.src = st->bytes,
                      .src_step = l->state,
                      .runs = 1,
                      .run_bytes = l->state,
                      .n_oc = l->rows,
                      .weights = (const int8_t *)r->data + d * l->stored * l->state,
                      .narrow = pl_ir_int(c->node, "narrow", 0) != 0,
                      .paired = l->paired,
                      .bias = (const int32_t *)bias->data + d * l->stored,
                      .scale = (const float *)pl_in(c, IN_SCALE)->data + d * l->stored,
                      .dst_step = l->rows}};
    return (struct state_product){
        .f32 = {.k = l->hidden,
                .a = st->packed,
                .c = st->product,
                .c_step = l->rows,
                .col_bias = bias ? (const float *)bias->data + d * l->rows : NULL}};
}

/* Every other step begins with the last block, which the step before left in the cache. */
static void multiply_blocks(const struct pl_call *c, const struct recurrent_layer *l,
                            const struct pl_sgemm *whole, bool last_first)
{
    const size_t blocks = (l->rows + BLOCK_COLUMNS - 1) / BLOCK_COLUMNS;
    for (size_t i = 0; i < blocks; i++) {
        const size_t at = (last_first ? blocks - 1 - i : i) * BLOCK_COLUMNS;
        struct pl_sgemm g = *whole;
        g.n = g.b_step = PL_MIN(l->rows - at, BLOCK_COLUMNS);
        g.b += at * l->hidden;
        g.c += at;
        if (g.col_bias)
            g.col_bias += at;
        c->kernels->sgemm(&g);
    }
}

/* Sets st->product to the states of so many lines times the matrix, in this step. */
static void multiply(const struct pl_call *c, const struct recurrent_layer *l,
                     const struct recurrent_state *st, struct state_product *p, size_t lines,
                     size_t step)
{
    const size_t n = l->hidden, rows = PL_SGEMM_ROWS;
    for (size_t i = 0; i < lines; i++) {
        if (l->bytes)
            c->kernels->quantize_u8(st->bytes + i * l->state, st->h + i * n, n,
                                    1 / PL_Q_STATE_SCALE, PL_Q_STATE_ZERO);
        for (size_t k = 0; k < n && !l->bytes; k++)
            st->packed[(i / rows * n + k) * rows + i % rows] = st->h[i * n + k];
    }
    p->bytes.n_px = p->f32.m = lines;
    if (l->bytes)
        c->kernels->qgemm_f32(st->product, &p->bytes);
    else
        multiply_blocks(c, l, &p->f32, step % 2);
}

/* Runs step i of a part: its gates are read, and its states written, at time i or, backward, as
 * long before the end. */
static void step(const struct recurrent_layer *l, const struct recurrent_state *st,
                 const struct recurrent_part *p, size_t d, size_t i)
{
    const struct pl_kernels *kernels = p->call->kernels;
    const struct pl_tensor *y = pl_out(p->call, 0);
    const size_t n = l->hidden, t = l->backward || d ? p->steps - 1 - i : i;
    const float *x = (const float *)pl_in(p->call, IN_GATES)->data +
                     (t * p->batch * l->directions + d) * l->rows;
    for (size_t k = p->first; k < p->first + p->batch; k++, x += l->directions * l->rows) {
        const float *r = st->product + k * l->rows;
        if (l->gru)
            kernels->gru_cell(st->h + k * n, x, r, n);
        else
            kernels->lstm_cell(st->h + k * n, st->c + k * n, x, r, n);
    }
    if (y)
        memcpy((float *)y->data + (t * l->directions + d) * p->batch * n, st->h + p->first * n,
               p->batch * n * sizeof(float));
}

static void give_last_state(const struct recurrent_part *p, const struct recurrent_state *st,
                            size_t direction, size_t hidden)
{
    const size_t n = p->batch * hidden;
    for (uint32_t k = 1; k < 3; k++)
        if (pl_out(p->call, k))
            memcpy((float *)pl_out(p->call, k)->data + direction * n,
                   (k == 1 ? st->h : st->c) + p->first * hidden, n * sizeof(float));
}

static void run_direction(const struct pl_call *c, const struct recurrent_layer *l, size_t d,
                          const struct recurrent_state *st)
{
    struct state_product product = product_of(c, l, d, st);
    if (!l->bytes && !st->kept)
        lay_matrix(st->matrix, c, l, d);
    product.f32.b = st->kept ? st->kept + d * l->hidden * l->rows : st->matrix;
    for (size_t i = 0; i < st->n_parts; i++) {
        set_first_state(&st->parts[i], l->in_h, st->h, d, l->hidden);
        set_first_state(&st->parts[i], l->in_c, st->c, d, l->hidden);
    }
    for (size_t i = 0, n = st->n_parts; i < st->parts[0].steps; i++) {
        while (st->parts[n - 1].steps <= i)
            n--;
        multiply(c, l, st, &product, st->parts[n - 1].first + st->parts[n - 1].batch, i);
        for (size_t k = 0; k < n; k++)
            step(l, st, &st->parts[k], d, i);
    }
    for (size_t i = 0; i < st->n_parts; i++)
        give_last_state(&st->parts[i], st, d, l->hidden);
}

platen_status pl_run_fused_rnn(struct pl_call *c)
{
    struct recurrent_layer l;
    struct recurrent_state st;
    const struct recurrent_layer *kept = pl_call_kept(c);
    platen_status s = read_layer(c, &l);
    l.paired = kept && kept->paired;
    s = s ? s : make_state(c, &l, &st);
    for (size_t d = 0; d < l.directions && !s; d++)
        run_direction(c, &l, d, &st);
    return s;
}
