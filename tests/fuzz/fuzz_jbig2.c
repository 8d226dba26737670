/* SPDX-License-Identifier: BSD-2-Clause */
/* JBIG2 streams as they stand in a PDF: the bytes as the segments of a page of 32 x 32 pixels. The
 * limit of pixels is that of such a page, so that no run takes more than a few milliseconds. */
#include "codec/pdf/jbig2.h"
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define SIDE_PX 32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const struct pl_load_options opt = {.max_pixels = (uint64_t)SIDE_PX * SIDE_PX};
    struct pl_decoded d = {0};
    struct platen_error err;
    struct pl_kernels k;
    pl_kernels_init(&k, PL_ISA_SCALAR);
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    require(env.bufs != NULL);
    const struct pl_source src = {.env = &env, .data = data, .n = n, .opt = &opt};
    if (!pl_jbig2_decode(&src, NULL, 0, SIDE_PX, SIDE_PX, &d, &err))
        require(d.image.bilevel && pl_rows_bilevel(&d.image));
    pl_image_done(&d.image);
    pl_bufpool_free(env.bufs);
    return 0;
}
