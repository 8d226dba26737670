/* SPDX-License-Identifier: BSD-2-Clause */
#include "onnx/onnx_network.h"

#include <string.h>

#include "base/mem.h"
#include "onnx/onnx.h"

platen_status pl_onnx_open_memory(const void *data, size_t n, struct pl_network **ret,
                                  struct platen_error *err)
{
    if (n >= sizeof(pl_container_magic) &&
        !memcmp(data, pl_container_magic, sizeof(pl_container_magic)))
        return pl_network_open_memory(data, n, ret, err);
    if ((uintptr_t)data % 16)
        return pl_fail(err, PLATEN_ERR_ARG, "model bytes are not aligned to 16");
    pl_auto(network) net = pl_alloc_zero(1, sizeof(*net));
    if (!net)
        return pl_fail_nomem(err, sizeof(*net), "a network");
    pl_ir_init(&net->g);
    net->is_onnx = true;
    platen_status s = pl_onnx_read(data, n, &net->g, err);
    s = s ? s : pl_onnx_meta(data, n, &net->g.arena, &net->meta, &net->n_meta, err);
    if (!s)
        *ret = pl_steal(net);
    return s;
}
