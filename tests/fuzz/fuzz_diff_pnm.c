/* SPDX-License-Identifier: BSD-2-Clause */
/* Our PNM beside stb_image's, where that reads it: raw grey and colour (P5, P6) whose largest
 * sample is 255, which it takes for granted. Allowed: it reads on behind the end of the file, and
 * takes any byte for the blank behind the header. */
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNM
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS (1 << 24)
#ifdef __clang__
/* stb_image does not mind how large a number is */
#pragma clang attribute push(__attribute__((no_sanitize("signed-integer-overflow"))),              \
                             apply_to = function)
#endif
#include <stb_image.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

#include "diff_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Whether the first number behind those of the size is 255, as both are to understand it. */
static bool is_bytes(const uint8_t *data, size_t n)
{
    stbi__context c;
    int width, height, channels;
    stbi__start_mem(&c, data, (int)n);
    if (stbi__pnm_info(&c, &width, &height, &channels) != 8 ||
        (uint64_t)width * (uint64_t)height > MAX_PIXELS)
        return false;
    const uint8_t *end = c.img_buffer; /* one byte behind the header */
    return end - data >= 4 && !memcmp(end - 4, "255", 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct other o = {.forgiving = true};
    int channels;
    if (n < 3 || data[0] != 'P' || (data[1] != '5' && data[1] != '6') || n > 1 << 20 ||
        !is_bytes(data, n))
        return 0;
    o.rgb = stbi_load_from_memory(data, (int)n, &o.width, &o.height, &channels, 3);
    snprintf(o.why, sizeof(o.why), "%s", o.rgb ? "" : stbi_failure_reason());
    compare_decoders(pl_pnm_decode, data, n, &o);
    return 0;
}
