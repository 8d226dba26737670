/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of embeddings: bytes with a scale and an offset for each row (Guan et al., "Post-training
 * 4-bit quantization on embedding tables", 2019, with eight bits). Rows are looked up, weighted and
 * added as floats. */
#include <math.h>

#include "compile/quant/quant_layers.h"

#define MAX_NUMBER 1e30f /* differences are floats, too */

bool pl_q_fits_embedding(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_tensor *t = pl_q_const(q, n, 0);
    if (!pl_q_is_floats(t))
        return false;
    for (size_t i = 0; i < pl_tensor_count(t); i++)
        if (!(fabsf(((const float *)t->data)[i]) <= MAX_NUMBER))
            return false;
    return pl_tensor_count(t) > 0;
}

/* Packs a row into bytes: the lowest number becomes 0, the highest 255. */
static void pack_row(uint8_t *dst, const float *src, size_t n, float *scale, float *offset)
{
    float lo = src[0], hi = src[0];
    for (size_t i = 1; i < n; i++) {
        lo = fminf(lo, src[i]);
        hi = fmaxf(hi, src[i]);
    }
    *scale = (hi - lo) / 255;
    *offset = lo;
    for (size_t i = 0; i < n; i++)
        dst[i] = *scale > 0 ? (uint8_t)PL_CLAMP(rintf((src[i] - lo) / *scale), 0.0f, 255.0f) : 0;
}

platen_status pl_q_make_embedding(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    const struct pl_tensor *t = pl_q_const(q, n, 0);
    const size_t rows = (size_t)t->dims[0], width = (size_t)t->dims[1];
    const char *name = q->g->values[n->in[0]].name;
    const float *w = t->data;
    uint8_t *bytes = PL_NEW(&q->scratch, uint8_t, rows * width);
    float *scale = PL_NEW(&q->scratch, float, rows), *offset = PL_NEW(&q->scratch, float, rows);
    struct pl_q_node m;
    uint32_t v;
    if (!bytes || !scale || !offset)
        return pl_fail_nomem(q->err, rows * width, "a table");
    for (size_t i = 0; i < rows; i++)
        pack_row(bytes + i * width, w + i * width, width, &scale[i], &offset[i]);
    *ret_made = true;
    pl_q_begin(&m, n->name, PL_OP_QEmbedding);
    platen_status s = pl_q_new_const(q, name, "bytes", PL_U8, rows * width, bytes, &v);
    pl_q_in(&m, v);
    pl_q_in(&m, n->in[1]);
    pl_q_in(&m, n->n_in > 2 ? n->in[2] : PL_IR_NONE);
    s = s ? s : pl_q_floats(q, n->in[1]);
    s = s ? s : pl_q_floats(q, n->n_in > 2 ? n->in[2] : PL_IR_NONE);
    s = s ? s : pl_q_new_const(q, name, "scale", PL_F32, rows, scale, &v);
    pl_q_in(&m, v);
    s = s ? s : pl_q_new_const(q, name, "offset", PL_F32, rows, offset, &v);
    pl_q_in(&m, v);
    pl_arena_reset(&q->scratch);
    pl_q_copy(&m, n, "axis");
    pl_q_copy(&m, n, "keepdims");
    q->has_floats[n->out[0]] = true;
    return s ? s : pl_q_add(q, &m, n->out[0]);
}
