/* SPDX-License-Identifier: BSD-2-Clause */
/* A device as the files of this folder see it. */
#ifndef PL_GPU_GPU_PARTS_H
#define PL_GPU_GPU_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "gpu/gpu.h"
#include "gpu/gpu_step.h"
#include "gpu/vulkan.h"

struct pl_gpu {
    struct pl_vk vk;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;      /* of queues */
    pthread_mutex_t lock; /* of the queue and of `why` */
    size_t max_bytes;     /* of a buffer that shaders see */
    uint32_t max_groups;  /* along an axis of a dispatch */
    VkPhysicalDeviceMemoryProperties memory;
    VkDescriptorSetLayout buffers;
    VkPipelineLayout layout;
    VkPipeline pipelines[PL_GPU_SHADERS];
    struct pl_gpu_network *networks;
    atomic_bool failed;
    char name[256], why[128];
};

/* ---- gpu_memory.c ---- */

/* Gives the device up; of several reasons the first is kept. Returns false. */
bool pl_gpu_give_up(struct pl_gpu *gpu, const char *doing, VkResult r);

/* Memory that the device reads and writes. */
struct pl_gpu_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    size_t bytes;
    void *mapped; /* where the processor sees it; NULL = it does not */
};

/* Makes it at least that large, when it is not; what it held is gone then. False: the device was
 * given up. */
PL_MUST_USE bool pl_gpu_buffer_grow(struct pl_gpu *gpu, struct pl_gpu_buffer *b, size_t bytes,
                                    bool mapped);
/* A buffer that is all zero is allowed. */
void pl_gpu_buffer_done(struct pl_gpu *gpu, struct pl_gpu_buffer *b);

/* ---- gpu_lane.c ---- */

/* What one thread uses to give the device work: a network's values, and what goes to and fro. */
struct pl_gpu_lane {
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkDescriptorPool sets;
    VkDescriptorSet set;
    struct pl_gpu_buffer block, up, down;
};

/* NULL: the device was given up, or memory is short. */
PL_MUST_USE struct pl_gpu_lane *pl_gpu_lane_new(struct pl_gpu *gpu);
void pl_gpu_lane_free(struct pl_gpu *gpu, struct pl_gpu_lane *l);

/* Bytes of a buffer that go to another one. */
struct pl_gpu_copy {
    size_t from, to, bytes;
};

/* One submission: bytes from `up` to the block, the steps one after the other, then bytes from the
 * block to `down`. The buffers are large enough; offsets and bytes are multiples of 4. */
struct pl_gpu_work {
    const struct pl_gpu_buffer *constants;
    size_t pictures; /* where in `up` the table of pictures begins, a multiple of 256 */
    const struct pl_gpu_step *steps;
    const struct pl_gpu_copy *results;
    size_t n_steps, n_results;
    struct pl_gpu_copy input;
};

/* Runs it and waits. False: the device was given up. */
PL_MUST_USE bool pl_gpu_lane_run(struct pl_gpu *gpu, struct pl_gpu_lane *l,
                                 const struct pl_gpu_work *w);
/* Copies `bytes` bytes of l->up to a buffer, and waits. False: the device was given up. */
PL_MUST_USE bool pl_gpu_lane_fill(struct pl_gpu *gpu, struct pl_gpu_lane *l,
                                  const struct pl_gpu_buffer *to, size_t bytes);

/* ---- gpu_network.c ---- */

/* Frees the networks that the device has taken. */
void pl_gpu_networks_free(struct pl_gpu *gpu);

#endif
