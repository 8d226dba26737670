/* SPDX-License-Identifier: BSD-2-Clause */
#include "gpu/gpu_step.h"

#include "nn/op/quant/op_qproduct.h"

#define PIXELS 4 /* of an invocation of the product (shaders/product.comp) */

bool pl_gpu_has_step(const struct pl_ir_node *n)
{
    switch (n->op->id) {
    case PL_OP_QuantizeLast:
    case PL_OP_QConv:
    case PL_OP_QDepthwiseConv:
    case PL_OP_QGemm:
        return true;
    default:
        return n->op->traits & PL_COPIES;
    }
}

bool pl_gpu_is_still(const struct pl_session *s, const struct pl_ir_node *n)
{
    if (n->op->id == PL_OP_QuantizeLast) /* the bytes that came in */
        return n->in[0] == s->g->inputs[0] && s->byte_inputs[0].direct;
    return pl_session_copied_in_place(s, n);
}

uint32_t pl_gpu_word_of(const struct pl_session *s, uint32_t value)
{
    return (uint32_t)((s->values[s->values[value].root].offset + s->values[value].part) / 4);
}

/* Whether a value lies in the block. */
static bool is_placed(const struct pl_session *s, uint32_t value)
{
    return s->values[value].home == HOME_BLOCK || s->values[value].home == HOME_SHARED;
}

/* Finds where the values of a product lie. */
static bool find_words(const struct pl_session *s, const struct pl_ir_node *n,
                       const uint32_t *constants, struct pl_gpu_numbers *p)
{
    uint32_t *const words[] = {[PL_QPRODUCT_X] = &p->src,
                               [PL_QPRODUCT_WEIGHTS] = &p->weights,
                               [PL_QPRODUCT_BIAS] = &p->bias,
                               [PL_QPRODUCT_SCALE] = &p->scale,
                               [PL_QPRODUCT_RESIDUAL] = &p->residual,
                               [PL_QPRODUCT_TABLE] = &p->table};
    p->residual = p->table = PL_GPU_NONE;
    for (uint32_t k = 0; k < n->n_in; k++) {
        const uint32_t v = n->in[k];
        const bool placed = k == PL_QPRODUCT_X || k == PL_QPRODUCT_RESIDUAL;
        if (v == PL_IR_NONE)
            continue;
        if (placed ? !is_placed(s, v) : !s->g->values[v].t.data)
            return false;
        *words[k] = placed ? pl_gpu_word_of(s, v) : constants[v];
    }
    p->dst = pl_gpu_word_of(s, n->out[0]);
    return is_placed(s, n->out[0]);
}

static void set_window(struct pl_gpu_numbers *p, const struct pl_window *w)
{
    p->in_h = (uint32_t)w->in[1];
    p->in_w = (uint32_t)w->in[2];
    p->out_h = (uint32_t)w->out[1];
    p->out_w = (uint32_t)w->out[2];
    p->kernel_h = (uint32_t)w->kernel[1];
    p->kernel_w = (uint32_t)w->kernel[2];
    p->stride_h = (uint32_t)w->stride[1];
    p->stride_w = (uint32_t)w->stride[2];
    p->before_h = (uint32_t)w->before[1];
    p->before_w = (uint32_t)w->before[2];
    p->dilation_h = (uint32_t)w->dilation[1];
}

/* A matrix product is a convolution of one row, whose kernel is one pixel. */
static void set_rows(struct pl_gpu_numbers *p, const struct pl_tensor *x)
{
    p->in_h = p->out_h = p->kernel_h = p->kernel_w = p->stride_h = p->stride_w = p->dilation_h = 1;
    p->in_w = p->out_w = (uint32_t)pl_tensor_span(x, 0, x->rank - 1);
}

static bool set_shape(const struct pl_call *c, struct pl_gpu_numbers *p)
{
    const struct pl_tensor *x = pl_in(c, PL_QPRODUCT_X);
    struct pl_window w;
    if (pl_call_id(c) == PL_OP_QGemm) {
        set_rows(p, x);
        return true;
    }
    if (pl_q_window(c, x, &w))
        return false;
    set_window(p, &w);
    p->to_float *= 2;
    if (c->joints && p->kernel_w > 1)
        p->unit = (uint32_t)(c->joints->width * w.in[2] / c->joints->columns);
    return w.dilation[2] == 1 || w.kernel[2] == 1;
}

bool pl_gpu_step_of(struct pl_session *s, uint32_t at, const uint32_t *constants,
                    struct pl_gpu_step *ret)
{
    const struct pl_call c = pl_session_call(s, at, NULL);
    const struct pl_ir_node *n = c.node;
    struct pl_gpu_numbers *p = &ret->numbers;
    struct pl_qproduct q;
    *ret = (struct pl_gpu_step){.shader = n->op->id == PL_OP_QDepthwiseConv ? PL_GPU_DEPTHWISE
                                                                            : PL_GPU_PRODUCT};
    if (n->op->id == PL_OP_QuantizeLast || n->op->traits & PL_COPIES ||
        !find_words(s, n, constants, p) || pl_qproduct_read(&c, 1, &q))
        return false;
    p->to_float = q.to_float;
    if (!set_shape(&c, p))
        return false;
    p->channels = (uint32_t)q.channels;
    p->stored = (uint32_t)q.stored;
    p->outputs = (uint32_t)q.out;
    p->run_words = (p->kernel_w * p->channels + 3) / 4;
    if (!pl_q_is_flat(p->kernel_h, p->stride_w, p->residual != PL_GPU_NONE))
        p->tap_quads = (p->kernel_h + 3) / 4;
    p->x_zero = q.x_zero;
    p->zero = q.q.zero;
    p->residual_zero = q.q.residual_zero;
    p->residual_scale = q.q.residual_scale;
    const size_t pixels = pl_tensor_count(c.out[0]) / (q.to_float ? q.out : q.stored);
    p->pixels = (uint32_t)pixels;
    ret->invocations =
        (ret->shader == PL_GPU_PRODUCT ? (pixels + PIXELS - 1) / PIXELS : pixels) * (q.stored / 4);
    return true;
}
