/* SPDX-License-Identifier: BSD-2-Clause */
/* Vulkan's functions, found when a device is wanted: nothing is linked with its loader, and where
 * that is not installed there is no device. */
#ifndef PL_GPU_VULKAN_H
#define PL_GPU_VULKAN_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "base/status.h"

/* Each stands for the function vkNAME(). */
#define PL_VK_FUNCTIONS(F)                                                                         \
    F(AllocateCommandBuffers)                                                                      \
    F(AllocateDescriptorSets)                                                                      \
    F(AllocateMemory)                                                                              \
    F(BeginCommandBuffer)                                                                          \
    F(BindBufferMemory)                                                                            \
    F(CmdBindDescriptorSets)                                                                       \
    F(CmdBindPipeline)                                                                             \
    F(CmdCopyBuffer)                                                                               \
    F(CmdDispatch)                                                                                 \
    F(CmdPipelineBarrier)                                                                          \
    F(CmdPushConstants)                                                                            \
    F(CreateBuffer)                                                                                \
    F(CreateCommandPool)                                                                           \
    F(CreateComputePipelines)                                                                      \
    F(CreateDescriptorPool)                                                                        \
    F(CreateDescriptorSetLayout)                                                                   \
    F(CreateDevice)                                                                                \
    F(CreateFence)                                                                                 \
    F(CreatePipelineLayout)                                                                        \
    F(CreateShaderModule)                                                                          \
    F(DestroyBuffer)                                                                               \
    F(DestroyCommandPool)                                                                          \
    F(DestroyDescriptorPool)                                                                       \
    F(DestroyDescriptorSetLayout)                                                                  \
    F(DestroyDevice)                                                                               \
    F(DestroyFence)                                                                                \
    F(DestroyInstance)                                                                             \
    F(DestroyPipeline)                                                                             \
    F(DestroyPipelineLayout)                                                                       \
    F(DestroyShaderModule)                                                                         \
    F(EndCommandBuffer)                                                                            \
    F(EnumeratePhysicalDevices)                                                                    \
    F(FreeMemory)                                                                                  \
    F(GetBufferMemoryRequirements)                                                                 \
    F(GetDeviceQueue)                                                                              \
    F(GetPhysicalDeviceMemoryProperties)                                                           \
    F(GetPhysicalDeviceProperties2)                                                                \
    F(GetPhysicalDeviceQueueFamilyProperties)                                                      \
    F(MapMemory)                                                                                   \
    F(QueueSubmit)                                                                                 \
    F(ResetCommandPool)                                                                            \
    F(ResetFences)                                                                                 \
    F(UpdateDescriptorSets)                                                                        \
    F(WaitForFences)

/* An instance of Vulkan 1.1 and its functions. */
struct pl_vk {
    VkInstance instance;
#define PL_VK_MEMBER(name) PFN_vk##name name;
    PL_VK_FUNCTIONS(PL_VK_MEMBER)
#undef PL_VK_MEMBER
};

/* Opens the loader, which stays for good, and makes an instance. PLATEN_ERR_UNSUPPORTED where there
 * is none. */
PL_MUST_USE platen_status pl_vk_open(struct pl_vk *ret, struct platen_error *err);
/* An instance that is all zero is allowed. */
void pl_vk_close(struct pl_vk *vk);

/* "out of device memory". */
const char *pl_vk_text(VkResult r);

#endif
