/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/mem.h"
#include "gpu/gpu_parts.h"

/* ---- making one ---- */

static VkResult make_commands(struct pl_gpu *gpu, struct pl_gpu_lane *l)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = gpu->family};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkResult r = gpu->vk.CreateCommandPool(gpu->device, &pool, NULL, &l->pool);
    if (r)
        return r;
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = l->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    r = gpu->vk.AllocateCommandBuffers(gpu->device, &commands, &l->commands);
    return r ? r : gpu->vk.CreateFence(gpu->device, &fence, NULL, &l->fence);
}

static VkResult make_set(struct pl_gpu *gpu, struct pl_gpu_lane *l)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, PL_GPU_BINDINGS};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    const VkResult r = gpu->vk.CreateDescriptorPool(gpu->device, &pool, NULL, &l->sets);
    if (r)
        return r;
    const VkDescriptorSetAllocateInfo set = {.sType =
                                                 VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = l->sets,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &gpu->buffers};
    return gpu->vk.AllocateDescriptorSets(gpu->device, &set, &l->set);
}

struct pl_gpu_lane *pl_gpu_lane_new(struct pl_gpu *gpu)
{
    struct pl_gpu_lane *l = pl_alloc_zero(1, sizeof(*l));
    if (!l)
        return NULL;
    VkResult r = make_commands(gpu, l);
    r = r ? r : make_set(gpu, l);
    if (!r)
        return l;
    pl_gpu_give_up(gpu, "a queue of commands", r);
    pl_gpu_lane_free(gpu, l);
    return NULL;
}

void pl_gpu_lane_free(struct pl_gpu *gpu, struct pl_gpu_lane *l)
{
    if (!l)
        return;
    pl_gpu_buffer_done(gpu, &l->block);
    pl_gpu_buffer_done(gpu, &l->up);
    pl_gpu_buffer_done(gpu, &l->down);
    gpu->vk.DestroyDescriptorPool(gpu->device, l->sets, NULL);
    gpu->vk.DestroyFence(gpu->device, l->fence, NULL);
    gpu->vk.DestroyCommandPool(gpu->device, l->pool, NULL);
    pl_free(l);
}

/* ---- commands ---- */

static VkResult begin_commands(struct pl_gpu *gpu, struct pl_gpu_lane *l)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    const VkResult r = gpu->vk.ResetCommandPool(gpu->device, l->pool, 0);
    return r ? r : gpu->vk.BeginCommandBuffer(l->commands, &info);
}

static VkResult submit(struct pl_gpu *gpu, struct pl_gpu_lane *l)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &l->commands};
    VkResult r = gpu->vk.EndCommandBuffer(l->commands);
    r = r ? r : gpu->vk.ResetFences(gpu->device, 1, &l->fence);
    if (r)
        return r;
    pthread_mutex_lock(&gpu->lock);
    r = gpu->vk.QueueSubmit(gpu->queue, 1, &info, l->fence);
    pthread_mutex_unlock(&gpu->lock);
    return r ? r : gpu->vk.WaitForFences(gpu->device, 1, &l->fence, VK_TRUE, UINT64_MAX);
}

/* What comes behind sees all that was written before. */
static void finish_writes(struct pl_gpu *gpu, struct pl_gpu_lane *l, VkPipelineStageFlags before,
                          VkPipelineStageFlags behind)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                 .dstAccessMask =
                                     VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    gpu->vk.CmdPipelineBarrier(l->commands, before, behind, 0, 1, &all, 0, NULL, 0, NULL);
}

static void copy(struct pl_gpu *gpu, struct pl_gpu_lane *l, const struct pl_gpu_buffer *from,
                 const struct pl_gpu_buffer *to, const struct pl_gpu_copy *c)
{
    const VkBufferCopy region = {c->from, c->to, c->bytes};
    if (c->bytes)
        gpu->vk.CmdCopyBuffer(l->commands, from->buffer, to->buffer, 1, &region);
}

static void bind(struct pl_gpu *gpu, struct pl_gpu_lane *l, const struct pl_gpu_work *w)
{
    const VkDescriptorBufferInfo buffers[PL_GPU_BINDINGS] = {
        {w->constants->buffer, 0, VK_WHOLE_SIZE},
        {l->block.buffer, 0, VK_WHOLE_SIZE},
        {l->up.buffer, w->pictures, VK_WHOLE_SIZE}};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = l->set,
                                        .descriptorCount = PL_GPU_BINDINGS,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = buffers};
    gpu->vk.UpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
    gpu->vk.CmdBindDescriptorSets(l->commands, VK_PIPELINE_BIND_POINT_COMPUTE, gpu->layout, 0, 1,
                                  &l->set, 0, NULL);
}

static void dispatch(struct pl_gpu *gpu, struct pl_gpu_lane *l, const struct pl_gpu_step *s)
{
    const uint64_t groups = (s->invocations + PL_GPU_GROUP - 1) / PL_GPU_GROUP;
    const uint64_t across = PL_MIN(groups, gpu->max_groups);
    gpu->vk.CmdBindPipeline(l->commands, VK_PIPELINE_BIND_POINT_COMPUTE, gpu->pipelines[s->shader]);
    gpu->vk.CmdPushConstants(l->commands, gpu->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             sizeof(s->numbers), &s->numbers);
    gpu->vk.CmdDispatch(l->commands, (uint32_t)across, (uint32_t)((groups + across - 1) / across),
                        1);
}

static void record(struct pl_gpu *gpu, struct pl_gpu_lane *l, const struct pl_gpu_work *w)
{
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    copy(gpu, l, &l->up, &l->block, &w->input);
    finish_writes(gpu, l, transfer, compute);
    bind(gpu, l, w);
    for (size_t i = 0; i < w->n_steps; i++) {
        dispatch(gpu, l, &w->steps[i]);
        finish_writes(gpu, l, compute, compute | transfer);
    }
    for (size_t i = 0; i < w->n_results; i++)
        copy(gpu, l, &l->block, &l->down, &w->results[i]);
    finish_writes(gpu, l, transfer, VK_PIPELINE_STAGE_HOST_BIT);
}

bool pl_gpu_lane_run(struct pl_gpu *gpu, struct pl_gpu_lane *l, const struct pl_gpu_work *w)
{
    VkResult r = begin_commands(gpu, l);
    if (!r) {
        record(gpu, l, w);
        r = submit(gpu, l);
    }
    return !r || pl_gpu_give_up(gpu, "a run of a network", r);
}

bool pl_gpu_lane_fill(struct pl_gpu *gpu, struct pl_gpu_lane *l, const struct pl_gpu_buffer *to,
                      size_t bytes)
{
    const struct pl_gpu_copy all = {0, 0, bytes};
    VkResult r = begin_commands(gpu, l);
    if (!r) {
        copy(gpu, l, &l->up, to, &all);
        r = submit(gpu, l);
    }
    return !r || pl_gpu_give_up(gpu, "the weights of a network", r);
}
