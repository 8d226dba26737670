/* SPDX-License-Identifier: BSD-2-Clause */
/* A graphics processor that runs networks, through Vulkan. Any thread may use it. */
#ifndef PL_GPU_GPU_H
#define PL_GPU_GPU_H

#include "base/status.h"
#include "base/text.h"
#include "nn/ir.h"

struct pl_gpu;

#define PL_GPU_DISCRETE (-1) /* the first card with memory of its own */
#define PL_GPU_FIRST (-2)    /* that, or else the first device that is no processor */

/* A device, as it is listed. */
struct pl_gpu_info {
    char name[256], driver[520];
    const char *kind; /* "discrete", "integrated", "virtual", "cpu", "other" */
    uint64_t bytes;   /* of its largest memory of its own */
};

/* Calls `each` for every device, in the order of their numbers. PLATEN_ERR_UNSUPPORTED: why there
 * is none. */
PL_MUST_USE platen_status pl_gpu_list(void (*each)(void *ctx, const struct pl_gpu_info *info),
                                      void *ctx, struct platen_error *err);

/* Opens device number `which`, from 0 on, or one of the above. PLATEN_ERR_UNSUPPORTED, with the
 * reason, where there is no such device or it does not start; PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_gpu_open(int which, struct pl_gpu **ret, struct platen_error *err);
/* All sessions of its networks are gone before. */
void pl_gpu_free(struct pl_gpu *gpu);
/* "NVIDIA T4", as its driver has it. */
const char *pl_gpu_name(const struct pl_gpu *gpu);

/* Copies the weights of a graph to the device, and becomes the executor of the sessions that are
 * made of the graph from then on. PLATEN_ERR_UNSUPPORTED, with the reason, where the graph has
 * nodes that the device does not run: it stays as it is. */
PL_MUST_USE platen_status pl_gpu_take(struct pl_gpu *gpu, struct pl_ir *g,
                                      struct platen_error *err);

/* Whether the device was given up because it failed; *why is the reason, as long as the device. */
bool pl_gpu_failed(struct pl_gpu *gpu, const char **why);

PL_DEFINE_AUTO(gpu)

#endif
