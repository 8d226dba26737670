/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of a device, and that a device is given up. */
#include <stdio.h>

#include "gpu/gpu_parts.h"

#define LEAST_BUFFER ((size_t)1 << 16)

bool pl_gpu_give_up(struct pl_gpu *gpu, const char *doing, VkResult r)
{
    pthread_mutex_lock(&gpu->lock);
    if (!gpu->failed)
        snprintf(gpu->why, sizeof(gpu->why), "%s: %s", doing, pl_vk_text(r));
    atomic_store(&gpu->failed, true);
    pthread_mutex_unlock(&gpu->lock);
    return false;
}

/* Returns the best type of memory for a buffer, among those in `types`; UINT32_MAX = there is none.
 */
static uint32_t find_memory(const struct pl_gpu *gpu, uint32_t types, bool mapped)
{
    const VkMemoryPropertyFlags seen =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryPropertyFlags must = mapped ? seen : 0;
    const VkMemoryPropertyFlags best =
        mapped ? seen | VK_MEMORY_PROPERTY_HOST_CACHED_BIT : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    uint32_t found = UINT32_MAX;
    for (uint32_t i = gpu->memory.memoryTypeCount; i-- > 0;) {
        const VkMemoryPropertyFlags has = gpu->memory.memoryTypes[i].propertyFlags;
        const bool fits = types >> i & 1 && (has & must) == must;
        const bool better = found == UINT32_MAX || (has & best) == best ||
                            (gpu->memory.memoryTypes[found].propertyFlags & best) != best;
        found = fits && better ? i : found;
    }
    return found;
}

static VkResult make_buffer(struct pl_gpu *gpu, struct pl_gpu_buffer *b, size_t bytes, bool mapped)
{
    const struct pl_vk *vk = &gpu->vk;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = bytes,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements need;
    VkResult r = vk->CreateBuffer(gpu->device, &info, NULL, &b->buffer);
    if (r)
        return r;
    vk->GetBufferMemoryRequirements(gpu->device, b->buffer, &need);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = need.size,
                                         .memoryTypeIndex =
                                             find_memory(gpu, need.memoryTypeBits, mapped)};
    if (memory.memoryTypeIndex == UINT32_MAX)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    r = vk->AllocateMemory(gpu->device, &memory, NULL, &b->memory);
    r = r ? r : vk->BindBufferMemory(gpu->device, b->buffer, b->memory, 0);
    r = r || !mapped ? r : vk->MapMemory(gpu->device, b->memory, 0, VK_WHOLE_SIZE, 0, &b->mapped);
    b->bytes = r ? 0 : bytes;
    return r;
}

bool pl_gpu_buffer_grow(struct pl_gpu *gpu, struct pl_gpu_buffer *b, size_t bytes, bool mapped)
{
    size_t room = LEAST_BUFFER;
    if (bytes <= b->bytes)
        return true;
    while (room < bytes)
        room *= 2;
    pl_gpu_buffer_done(gpu, b);
    const VkResult r = make_buffer(gpu, b, room, mapped);
    return !r || pl_gpu_give_up(gpu, "memory of the device", r);
}

void pl_gpu_buffer_done(struct pl_gpu *gpu, struct pl_gpu_buffer *b)
{
    gpu->vk.DestroyBuffer(gpu->device, b->buffer, NULL);
    gpu->vk.FreeMemory(gpu->device, b->memory, NULL); /* unmaps it */
    *b = (struct pl_gpu_buffer){0};
}
