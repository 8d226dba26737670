/* SPDX-License-Identifier: BSD-2-Clause */
/* A build without Vulkan: there are no devices, and what takes one is never called. */
#include <assert.h>

#include "gpu/gpu.h"

static platen_status not_built(struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "this build has no Vulkan (-Dgpu)");
}

platen_status pl_gpu_list(void (*each)(void *ctx, const struct pl_gpu_info *info), void *ctx,
                          struct platen_error *err)
{
    (void)each, (void)ctx;
    return not_built(err);
}

platen_status pl_gpu_open(int which, struct pl_gpu **ret, struct platen_error *err)
{
    (void)which, (void)ret;
    return not_built(err);
}

void pl_gpu_free(struct pl_gpu *gpu)
{
    assert(!gpu);
    (void)gpu;
}

const char *pl_gpu_name(const struct pl_gpu *gpu)
{
    assert(gpu);
    (void)gpu;
    return "";
}

platen_status pl_gpu_take(struct pl_gpu *gpu, struct pl_ir *g, struct platen_error *err)
{
    assert(gpu);
    (void)gpu, (void)g;
    return not_built(err);
}

bool pl_gpu_failed(struct pl_gpu *gpu, const char **why)
{
    assert(gpu);
    (void)gpu, (void)why;
    return false;
}
