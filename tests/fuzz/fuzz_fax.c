/* SPDX-License-Identifier: BSD-2-Clause */
/* Fax as it stands in a PDF: three bytes for the kind and the size, then the data. */
#include "codec/decode.h"
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 4)
        return 0;
    const struct pl_load_options opt = {.max_pixels = MAX_PIXELS};
    const int k = data[0] % 3 - 1, width = data[1] + 1, height = data[2] + 1;
    const bool aligned = data[0] / 3 % 2;
    struct pl_decoded d = {0};
    const struct pl_image *im = &d.image;
    struct platen_error err = {0};
    struct pl_kernels kernels;
    pl_kernels_init(&kernels, PL_ISA_SCALAR);
    struct pl_env env = {.k = &kernels, .bufs = pl_bufpool_new()};
    require(env.bufs != NULL);
    const struct pl_source src = {.env = &env, .data = data + 3, .n = n - 3, .opt = &opt};
    if (pl_fax_decode(&src, k, aligned, width, height, &d, &err)) {
        require(err.text[0] && !im->store && !im->px);
    } else {
        require(im->width == width && im->height == height && pl_rows_bilevel(im));
        check_picture(&env, im);
    }
    pl_image_done(&d.image);
    pl_bufpool_free(env.bufs);
    return 0;
}
