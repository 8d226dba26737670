/* SPDX-License-Identifier: BSD-2-Clause */
/* Devices: the list of them, the choice of one, and its shaders. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "gpu/gpu_parts.h"
#include "gpu/shaders/blobs.h"

#define MAX_DEVICES 64
#define MAX_FAMILIES 64

const char *pl_gpu_name(const struct pl_gpu *gpu)
{
    return gpu->name;
}

/* ---- the list ---- */

static const char *kind_name(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "cpu";
    default:
        return "other";
    }
}

static VkPhysicalDeviceType describe(const struct pl_vk *vk, VkPhysicalDevice d,
                                     struct pl_gpu_info *ret)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                     .pNext = &driver};
    VkPhysicalDeviceMemoryProperties m;
    vk->GetPhysicalDeviceProperties2(d, &p);
    vk->GetPhysicalDeviceMemoryProperties(d, &m);
    *ret = (struct pl_gpu_info){.kind = kind_name(p.properties.deviceType)};
    snprintf(ret->name, sizeof(ret->name), "%s", p.properties.deviceName);
    snprintf(ret->driver, sizeof(ret->driver), "%s%s%s", driver.driverName,
             driver.driverInfo[0] ? ", " : "", driver.driverInfo);
    for (uint32_t i = 0; i < m.memoryHeapCount; i++)
        if (m.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            ret->bytes = PL_MAX(ret->bytes, m.memoryHeaps[i].size);
    return p.properties.deviceType;
}

static platen_status list(const struct pl_vk *vk, VkPhysicalDevice *ret, uint32_t *ret_n,
                          struct platen_error *err)
{
    *ret_n = MAX_DEVICES;
    const VkResult r = vk->EnumeratePhysicalDevices(vk->instance, ret_n, ret);
    if (r < 0)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "Vulkan lists no devices: %s", pl_vk_text(r));
    return *ret_n ? PLATEN_OK
                  : pl_fail(err, PLATEN_ERR_UNSUPPORTED, "no driver of Vulkan has a device");
}

platen_status pl_gpu_list(void (*each)(void *ctx, const struct pl_gpu_info *info), void *ctx,
                          struct platen_error *err)
{
    VkPhysicalDevice v[MAX_DEVICES];
    uint32_t n;
    struct pl_vk vk;
    platen_status s = pl_vk_open(&vk, err);
    if (s)
        return s;
    s = list(&vk, v, &n, err);
    for (uint32_t i = 0; i < n && !s; i++) {
        struct pl_gpu_info info;
        describe(&vk, v[i], &info);
        each(ctx, &info);
    }
    pl_vk_close(&vk);
    return s;
}

/* ---- the choice ---- */

/* Returns the place of the device in v[0..n), or n. */
static uint32_t choose(const struct pl_vk *vk, const VkPhysicalDevice *v, uint32_t n, int which)
{
    struct pl_gpu_info info;
    uint32_t other = n;
    if (which >= 0)
        return PL_MIN((uint32_t)which, n);
    for (uint32_t i = n; i-- > 0;) {
        const VkPhysicalDeviceType type = describe(vk, v[i], &info);
        if (type == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU)
            return i;
        if (type != VK_PHYSICAL_DEVICE_TYPE_CPU && which == PL_GPU_FIRST)
            other = i;
    }
    return other;
}

static platen_status no_device(int which, uint32_t n, struct platen_error *err)
{
    if (which >= 0)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "of %u devices none has the number %d", n,
                       which);
    return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "of %u devices none is a graphics processor", n);
}

static platen_status choose_device(struct pl_gpu *gpu, int which, struct platen_error *err)
{
    VkPhysicalDevice v[MAX_DEVICES];
    VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    uint32_t n;
    platen_status s = list(&gpu->vk, v, &n, err);
    if (s)
        return s;
    const uint32_t at = choose(&gpu->vk, v, n, which);
    if (at == n)
        return no_device(which, n, err);
    gpu->physical = v[at];
    gpu->vk.GetPhysicalDeviceProperties2(gpu->physical, &p);
    gpu->vk.GetPhysicalDeviceMemoryProperties(gpu->physical, &gpu->memory);
    snprintf(gpu->name, sizeof(gpu->name), "%s", p.properties.deviceName);
    gpu->max_bytes = p.properties.limits.maxStorageBufferRange / 2; /* they grow by doubling */
    gpu->max_groups = p.properties.limits.maxComputeWorkGroupCount[0];
    return PLATEN_OK;
}

/* ---- making it ready ---- */

static platen_status fail(struct platen_error *err, const char *what, VkResult r)
{
    return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "%s cannot be made: %s", what, pl_vk_text(r));
}

static platen_status find_family(struct pl_gpu *gpu, struct platen_error *err)
{
    VkQueueFamilyProperties v[MAX_FAMILIES];
    uint32_t n = MAX_FAMILIES;
    gpu->vk.GetPhysicalDeviceQueueFamilyProperties(gpu->physical, &n, v);
    for (gpu->family = 0; gpu->family < n; gpu->family++)
        if (v[gpu->family].queueFlags & VK_QUEUE_COMPUTE_BIT)
            return PLATEN_OK;
    return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "the device '%s' does not compute", gpu->name);
}

static platen_status make_device(struct pl_gpu *gpu, struct platen_error *err)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = gpu->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    const VkResult r = gpu->vk.CreateDevice(gpu->physical, &info, NULL, &gpu->device);
    if (r)
        return fail(err, "the device", r);
    gpu->vk.GetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
    return PLATEN_OK;
}

/* Says that every shader sees three buffers, and the numbers of its step. */
static platen_status make_layouts(struct pl_gpu *gpu, struct platen_error *err)
{
    VkDescriptorSetLayoutBinding b[PL_GPU_BINDINGS];
    for (uint32_t i = 0; i < PL_GPU_BINDINGS; i++)
        b[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                              .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                              .descriptorCount = 1,
                                              .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = PL_GPU_BINDINGS,
        .pBindings = b};
    const VkPushConstantRange numbers = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                         sizeof(struct pl_gpu_numbers)};
    VkResult r = gpu->vk.CreateDescriptorSetLayout(gpu->device, &set, NULL, &gpu->buffers);
    if (r)
        return fail(err, "a layout of buffers", r);
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &gpu->buffers,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &numbers};
    r = gpu->vk.CreatePipelineLayout(gpu->device, &layout, NULL, &gpu->layout);
    return r ? fail(err, "a layout of shaders", r) : PLATEN_OK;
}

static platen_status make_shader(struct pl_gpu *gpu, const uint32_t *code, size_t bytes,
                                 VkPipeline *ret, struct platen_error *err)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = code};
    VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = gpu->layout};
    VkResult r = gpu->vk.CreateShaderModule(gpu->device, &info, NULL, &pipeline.stage.module);
    if (r)
        return fail(err, "a shader", r);
    r = gpu->vk.CreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &pipeline, NULL, ret);
    gpu->vk.DestroyShaderModule(gpu->device, pipeline.stage.module, NULL);
    return r ? fail(err, "a shader", r) : PLATEN_OK;
}

static platen_status start(struct pl_gpu *gpu, int which, struct platen_error *err)
{
    platen_status s = pl_vk_open(&gpu->vk, err);
    s = s ? s : choose_device(gpu, which, err);
    s = s ? s : find_family(gpu, err);
    s = s ? s : make_device(gpu, err);
    s = s ? s : make_layouts(gpu, err);
    s = s ? s
          : make_shader(gpu, product_code, sizeof(product_code), &gpu->pipelines[PL_GPU_PRODUCT],
                        err);
    return s ? s
             : make_shader(gpu, depthwise_code, sizeof(depthwise_code),
                           &gpu->pipelines[PL_GPU_DEPTHWISE], err);
}

platen_status pl_gpu_open(int which, struct pl_gpu **ret, struct platen_error *err)
{
    pl_auto(gpu) gpu = pl_alloc_zero(1, sizeof(*gpu));
    if (!gpu)
        return pl_fail_nomem(err, sizeof(*gpu), "a device");
    pthread_mutex_init(&gpu->lock, NULL);
    platen_status s = start(gpu, which, err);
    if (!s)
        *ret = pl_steal(gpu);
    return s;
}

void pl_gpu_free(struct pl_gpu *gpu)
{
    if (!gpu)
        return;
    const struct pl_vk *vk = &gpu->vk;
    if (gpu->device) {
        pl_gpu_networks_free(gpu);
        for (int i = 0; i < PL_GPU_SHADERS; i++)
            vk->DestroyPipeline(gpu->device, gpu->pipelines[i], NULL);
        vk->DestroyPipelineLayout(gpu->device, gpu->layout, NULL);
        vk->DestroyDescriptorSetLayout(gpu->device, gpu->buffers, NULL);
        vk->DestroyDevice(gpu->device, NULL);
    }
    pl_vk_close(&gpu->vk);
    pthread_mutex_destroy(&gpu->lock);
    pl_free(gpu);
}
