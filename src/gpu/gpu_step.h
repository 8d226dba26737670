/* SPDX-License-Identifier: BSD-2-Clause */
/* A node of a planned session as one dispatch of a shader. */
#ifndef PL_GPU_GPU_STEP_H
#define PL_GPU_GPU_STEP_H

#include "nn/session_parts.h"

enum pl_gpu_shader { PL_GPU_PRODUCT, PL_GPU_DEPTHWISE, PL_GPU_SHADERS };

#define PL_GPU_NONE UINT32_MAX
#define PL_GPU_GROUP 64   /* invocations of a group */
#define PL_GPU_BINDINGS 3 /* buffers that a shader sees: constants, block, pictures */

/* What a shader is told: the struct Step of shaders/step.glsl. */
struct pl_gpu_numbers {
    uint32_t src, dst, residual, weights, bias, scale, table;
    uint32_t in_h, in_w, channels, out_h, out_w, stored, outputs, pixels;
    uint32_t kernel_h, kernel_w, stride_h, stride_w, before_h, before_w, dilation_h;
    uint32_t unit, run_words, tap_quads;
    int32_t x_zero, zero, residual_zero;
    float residual_scale;
    uint32_t to_float;
};

struct pl_gpu_step {
    enum pl_gpu_shader shader;
    uint64_t invocations;
    struct pl_gpu_numbers numbers;
};

/* Whether nodes of this operator are steps, or need nothing at all on the device. */
bool pl_gpu_has_step(const struct pl_ir_node *n);
/* Whether a node does nothing: its output lies where its input does, or is the input itself. */
bool pl_gpu_is_still(const struct pl_session *s, const struct pl_ir_node *n);

/* Sets *ret to node `at` of a planned session. constants[v] is the word where constant v begins.
 * False where the node has something that shaders do not know. */
PL_MUST_USE bool pl_gpu_step_of(struct pl_session *s, uint32_t at, const uint32_t *constants,
                                struct pl_gpu_step *ret);

/* The word of the block where a value begins. */
uint32_t pl_gpu_word_of(const struct pl_session *s, uint32_t value);

#endif
