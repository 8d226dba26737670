/* SPDX-License-Identifier: BSD-2-Clause */
/* JBIG2 streams as they stand in a PDF: the bytes as the segments of a page of 64 x 64 pixels. */
#include "codec/pdf/jbig2.h"
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const struct pl_load_options opt = {.max_pixels = MAX_PIXELS};
    struct pl_image im = {0};
    struct platen_error err;
    struct pl_kernels k;
    pl_kernels_init(&k, PL_ISA_SCALAR);
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    require(env.bufs != NULL);
    const struct pl_source src = {.env = &env, .data = data, .n = n, .opt = &opt};
    if (!pl_jbig2_decode(&src, NULL, 0, 64, 64, &im, &err))
        require(im.bilevel && pl_rows_bilevel(&im));
    pl_image_done(&im);
    pl_bufpool_free(env.bufs);
    return 0;
}
