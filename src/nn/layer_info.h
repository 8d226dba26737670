/* SPDX-License-Identifier: BSD-2-Clause */
/* What `platen model info` tells of layers whose weights take less than floats. */
#ifndef PL_NN_LAYER_INFO_H
#define PL_NN_LAYER_INFO_H

#include "base/text.h"
#include "nn/ir.h"

/* Appends a line for each such layer: the bytes of its constants, how many times less that is than
 * floats would take, and its error at the import where that was measured; and one for all of them.
 * Nothing where there is none. */
void pl_layers_describe(const struct pl_ir *g, struct pl_str *out);

#endif
