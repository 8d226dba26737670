/* SPDX-License-Identifier: BSD-2-Clause */
#include "gpu/vulkan.h"

#include <dlfcn.h>
#include <string.h>

#define LOADER "libvulkan.so.1"

/* Sets a pointer to a function of any type. */
static bool take_function(PFN_vkVoidFunction f, void *ret)
{
    memcpy(ret, &f, sizeof(f));
    return f != NULL;
}

static PFN_vkGetInstanceProcAddr open_loader(void)
{
    void *library = dlopen(LOADER, RTLD_NOW | RTLD_LOCAL);
    void *f = library ? dlsym(library, "vkGetInstanceProcAddr") : NULL;
    PFN_vkGetInstanceProcAddr ret = NULL;
    memcpy(&ret, &f, sizeof(ret));
    return ret;
}

static VkResult make_instance(PFN_vkGetInstanceProcAddr get, VkInstance *ret)
{
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .pApplicationName = "platen",
                                   .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &app};
    PFN_vkCreateInstance create = NULL;
    return take_function(get(NULL, "vkCreateInstance"), &create) ? create(&info, NULL, ret)
                                                                 : VK_ERROR_INITIALIZATION_FAILED;
}

platen_status pl_vk_open(struct pl_vk *ret, struct platen_error *err)
{
    *ret = (struct pl_vk){0};
    const PFN_vkGetInstanceProcAddr get = open_loader();
    if (!get)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "the Vulkan loader (%s) is not installed",
                       LOADER);
    const VkResult r = make_instance(get, &ret->instance);
    if (r)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "Vulkan does not start: %s", pl_vk_text(r));
    bool all = true;
#define TAKE(name) all = take_function(get(ret->instance, "vk" #name), &ret->name) && all;
    PL_VK_FUNCTIONS(TAKE)
#undef TAKE
    if (all)
        return PLATEN_OK;
    pl_vk_close(ret);
    return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "the Vulkan loader is older than 1.1");
}

void pl_vk_close(struct pl_vk *vk)
{
    if (vk->instance && vk->DestroyInstance)
        vk->DestroyInstance(vk->instance, NULL);
    *vk = (struct pl_vk){0};
}

const char *pl_vk_text(VkResult r)
{
    switch (r) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "out of memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "out of device memory";
    case VK_ERROR_DEVICE_LOST:
        return "the device was lost";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "no driver is installed";
    case VK_ERROR_MEMORY_MAP_FAILED:
        return "its memory cannot be mapped";
    default:
        return "it failed";
    }
}
