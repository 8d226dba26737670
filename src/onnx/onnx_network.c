/* SPDX-License-Identifier: BSD-2-Clause */
#include "onnx/onnx_network.h"

#include <string.h>

#include "base/mem.h"
#include "nn/prepared.h"
#include "onnx/onnx.h"

/* Reads the network; `path` is NULL where it is no file. */
static platen_status read_network(const void *data, size_t n, const char *path,
                                  struct pl_network **ret, struct platen_error *err)
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
    struct pl_beside beside = {.model = path};
    platen_status s = pl_prepared_new(&net->g.prepared, err);
    s = s ? s : pl_onnx_read(data, n, path ? &beside : NULL, &net->g, err);
    net->beside = beside.maps;
    net->n_beside = beside.n;
    s = s ? s : pl_onnx_meta(data, n, &net->g.arena, &net->meta, &net->n_meta, err);
    if (!s)
        *ret = pl_steal(net);
    return s;
}

platen_status pl_onnx_open_memory(const void *data, size_t n, struct pl_network **ret,
                                  struct platen_error *err)
{
    return read_network(data, n, NULL, ret, err);
}

platen_status pl_onnx_open(const char *path, struct pl_network **ret, struct platen_error *err)
{
    const bool is_file = strcmp(path, "-") != 0;
    struct pl_map map = {0};
    struct pl_network *n = NULL;
    platen_status s = pl_map_read(path, PL_IR_MAX_FILE_BYTES, &map, err);
    s = s ? s : read_network(map.data, map.size, is_file ? path : NULL, &n, err);
    if (s) {
        pl_map_close(&map);
        return s;
    }
    n->map = map;
    *ret = n;
    return PLATEN_OK;
}
