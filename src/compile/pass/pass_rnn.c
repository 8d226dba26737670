/* SPDX-License-Identifier: BSD-2-Clause */
/* A recurrent layer is a product with all of its input at once, which goes to its own node (and to
 * bytes where the network does), and steps whose matrix is turned here once and for all. Layers
 * with functions, lengths, peepholes or limits of their own stay as they are. */
#include "compile/pass.h"

#include <string.h>
#include <strings.h>

/* Sizes of a layer: inputs, hidden, rows of its matrices in one direction. */
struct rnn_sizes {
    size_t directions, inputs, hidden, rows;
};

static bool usual_functions(const struct pl_ir_node *n, size_t directions)
{
    static const char *const usual[] = {"Sigmoid", "Tanh", "Tanh"};
    const struct pl_attr *a = pl_ir_attr(n, "activations");
    const uint32_t each = n->op->id == PL_OP_LSTM ? 3 : 2;
    bool same = !a || a->n == each * directions;
    for (uint32_t i = 0; a && same && i < a->n; i++)
        same = !strcasecmp(a->v.strings[i], usual[i % each]);
    return same;
}

static bool is_f32(const struct pl_tensor *t, int rank, const size_t *dims)
{
    bool ok = t && t->type == PL_F32 && t->rank == rank;
    for (int i = 0; ok && i < rank; i++)
        ok = t->dims[i] == (int64_t)dims[i];
    return ok;
}

static bool has_input(const struct pl_ir_node *n, uint32_t i)
{
    return i < n->n_in && n->in[i] != PL_IR_NONE;
}

static bool is_plain(const struct pl_rewrite *r, const struct pl_ir_node *n, struct rnn_sizes *z)
{
    const bool lstm = n->op->id == PL_OP_LSTM;
    const struct pl_tensor *w = pl_rw_in(r, n, 1), *m = pl_rw_in(r, n, 2);
    if ((!lstm && n->op->id != PL_OP_GRU) || !w || !m || w->rank != 3 || m->rank != 3)
        return false;
    *z = (struct rnn_sizes){
        .directions = strcmp(pl_ir_string(n, "direction", "forward"), "bidirectional") ? 1 : 2,
        .inputs = (size_t)w->dims[2],
        .hidden = (size_t)m->dims[2]};
    z->rows = (lstm ? 4 : 3) * z->hidden;
    return z->inputs && z->hidden && is_f32(w, 3, (size_t[]){z->directions, z->rows, z->inputs}) &&
           is_f32(m, 3, (size_t[]){z->directions, z->rows, z->hidden}) &&
           (!has_input(n, 3) ||
            is_f32(pl_rw_in(r, n, 3), 2, (size_t[]){z->directions, 2 * z->rows})) &&
           !has_input(n, 4) && !has_input(n, 7) && usual_functions(n, z->directions) &&
           !pl_ir_attr(n, "clip") && !pl_ir_int(n, "input_forget", 0) &&
           !pl_ir_int(n, "layout", 0) && (lstm || pl_ir_int(n, "linear_before_reset", 0));
}

/* Adds a constant that is named after input i of n. */
static platen_status new_const(struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t i,
                               int rank, const size_t *dims, uint32_t *ret, float **ret_data)
{
    struct pl_tensor shape = {0}, *t = NULL;
    int64_t d[3];
    for (int k = 0; k < rank; k++)
        d[k] = (int64_t)dims[k];
    if (!pl_tensor_shape(&shape, PL_F32, rank, d))
        return pl_ir_fail(n, r->err, PLATEN_ERR_LIMIT, "a shape beyond the limits");
    platen_status s = pl_rw_new_const(r, r->g->values[n->in[i]].name, &shape, ret, &t);
    *ret_data = s ? NULL : t->data;
    return s;
}

/* Copies [directions][rows][columns] as [columns][directions * rows] (together), or each direction
 * as [columns][rows]. */
static void transpose_weights(float *dst, const float *src, const struct rnn_sizes *z,
                              size_t columns, bool together)
{
    const size_t width = together ? z->directions * z->rows : z->rows;
    for (size_t d = 0; d < z->directions; d++)
        for (size_t i = 0; i < z->rows; i++)
            for (size_t k = 0; k < columns; k++)
                dst[(together ? d * z->rows : d * columns * z->rows) + k * width + i] =
                    src[(d * z->rows + i) * columns + k];
}

/* Parts the bias into that of the product with the input and that of the product with the state; of
 * an LSTM, which adds both, the first takes the sum. */
static platen_status part_bias(struct pl_rewrite *r, const struct pl_ir_node *n,
                               const struct rnn_sizes *z, uint32_t *input, uint32_t *state)
{
    const bool lstm = n->op->id == PL_OP_LSTM;
    float *w = NULL, *m = NULL;
    *input = *state = PL_IR_NONE;
    if (!has_input(n, 3))
        return PLATEN_OK;
    const float *b = pl_rw_in(r, n, 3)->data;
    platen_status s = new_const(r, n, 3, 1, (size_t[]){z->directions * z->rows}, input, &w);
    if (!s && !lstm)
        s = new_const(r, n, 3, 2, (size_t[]){z->directions, z->rows}, state, &m);
    for (size_t i = 0; i < z->directions * z->rows && !s; i++) {
        const float *from = b + i / z->rows * 2 * z->rows + i % z->rows;
        w[i] = lstm ? from[0] + from[z->rows] : from[0];
        if (m)
            m[i] = from[z->rows];
    }
    return s;
}

/* Gives a node other inputs: the list is copied, those left out at its end are left away. */
static platen_status set_inputs(struct pl_rewrite *r, struct pl_ir_node *n, const uint32_t *in,
                                uint32_t count)
{
    while (count && in[count - 1] == PL_IR_NONE)
        count--;
    uint32_t *list = PL_NEW(&r->g->arena, uint32_t, count);
    if (!list)
        return pl_fail_nomem(r->err, count * sizeof(*list), "a node");
    memcpy(list, in, count * sizeof(*list));
    for (uint32_t k = 0; k < n->n_in; k++)
        if (n->in[k] != PL_IR_NONE)
            r->n_reads[n->in[k]]--;
    for (uint32_t k = 0; k < count; k++)
        if (in[k] != PL_IR_NONE)
            r->n_reads[in[k]]++;
    n->in = list;
    n->n_in = count;
    return PLATEN_OK;
}

/* Adds the node of the product; *ret is its result. */
static platen_status add_product(struct pl_rewrite *r, const struct pl_ir_node *n,
                                 const uint32_t in[3], uint32_t *ret)
{
    struct pl_ir *g = r->g;
    struct pl_ir_node *m = &g->nodes[g->n_nodes];
    struct pl_ir_value *v = &g->values[g->n_values];
    uint32_t *out = PL_NEW(&g->arena, uint32_t, 1);
    *m = (struct pl_ir_node){.name = pl_ir_name(g, n->name, "input"),
                             .op = pl_op_by_id(PL_OP_FusedMatMul),
                             .n_out = 1,
                             .out = out};
    *v = (struct pl_ir_value){.name = m->name, .writer = (uint32_t)g->n_nodes};
    v->t.rank = PL_IR_UNWRITTEN;
    if (!out || !m->name)
        return pl_fail_nomem(r->err, sizeof(*m), "a node");
    r->n_reads[g->n_values] = 0;
    r->dead[g->n_nodes++] = false;
    *ret = out[0] = (uint32_t)g->n_values++;
    return set_inputs(r, m, in, 3);
}

static platen_status part(struct pl_rewrite *r, struct pl_ir_node *n, const struct rnn_sizes *z)
{
    const bool lstm = n->op->id == PL_OP_LSTM;
    uint32_t product[3] = {n->in[0]}, in[5] = {PL_IR_NONE};
    float *w = NULL, *m = NULL;
    platen_status s =
        new_const(r, n, 1, 2, (size_t[]){z->inputs, z->directions * z->rows}, &product[1], &w);
    s = s ? s : new_const(r, n, 2, 3, (size_t[]){z->directions, z->hidden, z->rows}, &in[1], &m);
    s = s ? s : part_bias(r, n, z, &product[2], &in[2]);
    if (s)
        return s;
    transpose_weights(w, pl_rw_in(r, n, 1)->data, z, z->inputs, true);
    transpose_weights(m, pl_rw_in(r, n, 2)->data, z, z->hidden, false);
    in[3] = has_input(n, 5) ? n->in[5] : PL_IR_NONE;
    in[4] = lstm && has_input(n, 6) ? n->in[6] : PL_IR_NONE;
    s = add_product(r, n, product, &in[0]);
    s = s ? s : set_inputs(r, n, in, 5);
    n->op = pl_op_by_id(lstm ? PL_OP_FusedLSTM : PL_OP_FusedGRU);
    struct pl_attr *attrs = PL_NEW(&r->g->arena, struct pl_attr, 1);
    const struct pl_attr *direction = pl_ir_attr(n, "direction");
    if (!attrs)
        return pl_fail_nomem(r->err, sizeof(*attrs), "a node");
    if (direction)
        attrs[0] = *direction;
    n->n_attrs = direction != NULL;
    n->attrs = attrs;
    r->changes++;
    return s;
}

platen_status pl_pass_rnn(struct pl_rewrite *r)
{
    const size_t n_nodes = r->g->n_nodes; /* The nodes behind these are new ones. */
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        struct rnn_sizes z;
        if (n && is_plain(r, n, &z))
            s = part(r, n, &z);
    }
    return s;
}
