/* SPDX-License-Identifier: BSD-2-Clause */
/* Activations at the end of another operator. */
#ifndef PL_NN_OP_OP_ACTIVATION_H
#define PL_NN_OP_OP_ACTIVATION_H

#include "nn/operators.h"

struct pl_activation {
    int id;     /* PL_OP_..., or -1 for none */
    float p[2]; /* Clip: bounds; HardSigmoid: alpha, beta; LeakyRelu, Swish: alpha */
    bool scaled;
    float factor, offset; /* scaled: x * factor + offset follows, each rounded */
};

/* Reads the attributes "activation", "activation_params", "factor" and "offset". */
PL_MUST_USE platen_status pl_activation_read(const struct pl_call *c, struct pl_activation *ret);
/* y = a(x), or a(x + z) where z is not NULL; y may be x or z. */
void pl_activate(const struct pl_kernels *k, const struct pl_activation *a, float *y,
                 const float *x, const float *z, size_t n);
/* What the kernel has to do for an operator with its parameters; false when it has no activation
 * for it. */
bool pl_activation_kernel(int id, float alpha, float beta, struct pl_act_use *ret);

#endif
