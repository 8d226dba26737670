/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the steps of recurrent layers of bytes: the matrix of the state goes to bytes, state and
 * gates stay floats. */
#include "compile/quant/quant_layers.h"

/* Sizes of one direction, the matrix [hidden][rows] of which goes to bytes. */
struct matrix_sizes {
    size_t directions, hidden, rows;
};

static struct matrix_sizes sizes_of(const struct pl_tensor *r)
{
    return (struct matrix_sizes){(size_t)r->dims[0], (size_t)r->dims[1], (size_t)r->dims[2]};
}

bool pl_q_fits_recurrent(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_tensor *r = pl_q_const(q, n, 1), *b = pl_q_const(q, n, 2);
    const bool biased = n->n_in > 2 && n->in[2] != PL_IR_NONE;
    if (!pl_q_is_floats(r) || r->rank != 3 || !pl_tensor_count(r) ||
        r->dims[1] > PL_QGEMM_MAX_K - 4)
        return false;
    return !biased || (pl_q_is_floats(b) && b->rank == 2 && b->dims[0] == r->dims[0] &&
                       b->dims[1] == r->dims[2]);
}

/* Copies direction d of the matrix as [rows][hidden]. */
static void transpose_weights(float *dst, const struct pl_tensor *r, const struct matrix_sizes *z,
                              size_t d)
{
    const float *src = (const float *)r->data + d * z->hidden * z->rows;
    for (size_t k = 0; k < z->hidden; k++)
        for (size_t i = 0; i < z->rows; i++)
            dst[i * z->hidden + k] = src[k * z->rows + i];
}

/* Packs the matrices, biases and multipliers of the directions behind each other. */
static platen_status pack_directions(struct pl_q_graph *q, const struct pl_tensor *r,
                                     const float *bias, struct pl_q_packed *all)
{
    const struct matrix_sizes z = sizes_of(r);
    float *matrix = PL_NEW(&q->scratch, float, z.rows *z.hidden);
    bool ok = matrix != NULL;
    for (size_t d = 0; d < z.directions && ok; d++) {
        const struct pl_q_weights w = {.w = matrix,
                                       .bias = bias ? bias + d * z.rows : NULL,
                                       .out = z.rows,
                                       .in = z.hidden,
                                       .groups = 1,
                                       .kernel_h = 1,
                                       .kernel_w = 1,
                                       .stored = pl_q_state_bytes(z.hidden),
                                       .per_tensor = q->o->per_tensor,
                                       .narrow = q->o->narrow && !q->o->per_tensor,
                                       .x = {PL_Q_STATE_SCALE, PL_Q_STATE_ZERO},
                                       .y_scale = 1};
        struct pl_q_packed p;
        transpose_weights(matrix, r, &z, d);
        ok = pl_q_pack(&w, &q->scratch, &p) &&
             (d || pl_q_packed_new(&p, z.directions, &q->scratch, all));
        if (ok)
            pl_q_packed_put(all, &p, d);
    }
    return ok ? PLATEN_OK : pl_fail_nomem(q->err, 0, "packed weights");
}

platen_status pl_q_make_recurrent(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    const struct pl_tensor *b = pl_q_const(q, n, 2);
    struct pl_q_packed packed;
    struct pl_q_node m;
    *ret_made = true;
    platen_status s = pack_directions(q, pl_q_const(q, n, 1), b ? b->data : NULL, &packed);
    for (uint32_t k = 0; k < n->n_in && !s; k++)
        s = pl_q_floats(q, n->in[k]);
    if (s)
        return s;
    pl_q_begin(&m, n->name, n->op->id == PL_OP_FusedGRU ? PL_OP_QGRU : PL_OP_QLSTM);
    pl_q_in(&m, n->in[0]);
    s = pl_q_add_packed(q, &m, &packed);
    pl_arena_reset(&q->scratch);
    for (uint32_t k = 3; k < n->n_in; k++)
        pl_q_in(&m, n->in[k]);
    pl_q_copy(&m, n, "direction");
    s = s ? s : pl_q_add(q, &m, n->out[0]);
    if (s)
        return s;
    struct pl_ir_node *made = &q->made[q->n_made - 1];
    made->out = n->out;
    made->n_out = n->n_out;
    for (uint32_t k = 0; k < n->n_out; k++)
        if (n->out[k] != PL_IR_NONE)
            q->has_floats[n->out[k]] = true;
    return PLATEN_OK;
}
