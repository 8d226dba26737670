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
/* y may be x. */
void pl_activate(const struct pl_kernels *k, const struct pl_activation *a, float *y,
                 const float *x, size_t n);
/* The kernel's activation and parameters for an operator with its own; false when it has none. */
bool pl_activation_kernel(int id, float alpha, float beta, enum pl_act *ret, float p[2]);

#endif
