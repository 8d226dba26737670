/* The steps of recurrent layers whose product with the input a node before has made (pass `rnn`):
 * the state times its matrix, and the kernel of the cell. */
#include "nn/op.h"

#include <string.h>

enum { IN_GATES, IN_R, IN_BIAS, IN_H, IN_C };

struct layer {
    bool gru, backward; /* backward: the first direction is */
    size_t steps, batch, hidden, rows, directions;
};

static bool has_shape(const struct pl_tensor *t, int rank, const size_t *dims)
{
    bool ok = !t || (t->type == PL_F32 && t->rank == rank);
    for (int i = 0; t && ok && i < rank; i++)
        ok = t->dims[i] == (int64_t)dims[i];
    return ok;
}

static platen_status read_layer(const struct pl_call *c, struct layer *l)
{
    const struct pl_tensor *x = pl_in(c, IN_GATES), *r = pl_in(c, IN_R);
    const char *direction = pl_ir_string(c->node, "direction", "forward");
    *l = (struct layer){.gru = pl_call_id(c) == PL_OP_FusedGRU,
                        .backward = !strcmp(direction, "reverse"),
                        .directions = strcmp(direction, "bidirectional") ? 1 : 2};
    if (x->type != PL_F32 || x->rank != 3 || r->rank != 3)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "inputs of the wrong type or rank");
    l->steps = (size_t)x->dims[0];
    l->batch = (size_t)x->dims[1];
    l->hidden = (size_t)r->dims[1];
    l->rows = (l->gru ? 3 : 4) * l->hidden;
    const size_t d = l->directions;
    if (x->dims[2] != (int64_t)(d * l->rows) ||
        !has_shape(r, 3, (size_t[]){d, l->hidden, l->rows}) ||
        !has_shape(pl_in(c, IN_BIAS), 2, (size_t[]){d, l->rows}) ||
        !has_shape(pl_in(c, IN_H), 3, (size_t[]){d, l->batch, l->hidden}) ||
        !has_shape(pl_in(c, IN_C), 3, (size_t[]){d, l->batch, l->hidden}))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the shapes of the inputs do not fit");
    return PLATEN_OK;
}

platen_status pl_infer_fused_rnn(struct pl_call *c)
{
    struct layer l;
    platen_status s = read_layer(c, &l);
    if (s)
        return s;
    const int64_t d = (int64_t)l.directions, b = (int64_t)l.batch, h = (int64_t)l.hidden;
    s = pl_call_shape(c, 0, PL_F32, 4, (int64_t[]){(int64_t)l.steps, d, b, h});
    for (uint32_t i = 1; i < 3 && !s; i++)
        s = pl_call_shape(c, i, PL_F32, 3, (int64_t[]){d, b, h});
    return s;
}

/* State of a direction: h and c of all lines, and h in panels for the product. */
struct state {
    float *h, *c, *packed, *product;
};

static platen_status make_state(struct pl_call *c, const struct layer *l, struct state *st)
{
    const size_t panels = (l->batch + PL_SGEMM_ROWS - 1) / PL_SGEMM_ROWS * PL_SGEMM_ROWS;
    st->h = pl_call_scratch(c, l->batch * l->hidden, sizeof(float));
    st->c = pl_call_scratch(c, l->batch * l->hidden, sizeof(float));
    st->packed = pl_call_scratch(c, panels * l->hidden, sizeof(float));
    st->product = pl_call_scratch(c, l->batch * l->rows, sizeof(float));
    return st->h && st->c && st->packed && st->product ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

/* The state that input i gives, or zeros. */
static void start(const struct pl_call *c, uint32_t i, float *state, size_t direction, size_t n)
{
    memset(state, 0, n * sizeof(*state));
    if (pl_in(c, i))
        memcpy(state, (const float *)pl_in(c, i)->data + direction * n, n * sizeof(*state));
}

static void pack_state(const struct layer *l, const struct state *st)
{
    for (size_t i = 0; i < l->batch; i++)
        for (size_t k = 0; k < l->hidden; k++)
            st->packed[(i / PL_SGEMM_ROWS * l->hidden + k) * PL_SGEMM_ROWS + i % PL_SGEMM_ROWS] =
                st->h[i * l->hidden + k];
}

/* All lines of one step; x: what the input gives to the first of them. */
static void step(const struct pl_call *c, const struct layer *l, const struct state *st,
                 const float *x)
{
    const size_t n = l->hidden;
    for (size_t i = 0; i < l->batch; i++, x += l->directions * l->rows) {
        const float *r = st->product + i * l->rows;
        if (l->gru)
            c->kernels->gru_cell(st->h + i * n, x, r, n);
        else
            c->kernels->lstm_cell(st->h + i * n, st->c + i * n, x, r, n);
    }
}

static void run_direction(const struct pl_call *c, const struct layer *l, size_t d,
                          const struct state *st)
{
    const struct pl_tensor *y = pl_out(c, 0), *bias = pl_in(c, IN_BIAS);
    const size_t n = l->batch * l->hidden;
    const struct pl_sgemm m = {.m = l->batch,
                               .n = l->rows,
                               .k = l->hidden,
                               .a = st->packed,
                               .b = (const float *)pl_in(c, IN_R)->data + d * l->hidden * l->rows,
                               .b_step = l->rows,
                               .c = st->product,
                               .c_step = l->rows,
                               .col_bias = bias ? (const float *)bias->data + d * l->rows : NULL};
    start(c, IN_H, st->h, d, n);
    start(c, IN_C, st->c, d, n);
    for (size_t i = 0; i < l->steps; i++) {
        const size_t t = l->backward || d ? l->steps - 1 - i : i;
        pack_state(l, st);
        c->kernels->sgemm(&m);
        step(c, l, st,
             (const float *)pl_in(c, IN_GATES)->data +
                 (t * l->batch * l->directions + d) * l->rows);
        if (y)
            memcpy((float *)y->data + (t * l->directions + d) * n, st->h, n * sizeof(float));
    }
    for (uint32_t k = 1; k < 3; k++)
        if (pl_out(c, k))
            memcpy((float *)pl_out(c, k)->data + d * n, k == 1 ? st->h : st->c, n * sizeof(float));
}

platen_status pl_run_fused_rnn(struct pl_call *c)
{
    struct layer l;
    struct state st;
    platen_status s = read_layer(c, &l);
    s = s ? s : make_state(c, &l, &st);
    for (size_t d = 0; d < l.directions && !s; d++)
        run_direction(c, &l, d, &st);
    return s;
}
