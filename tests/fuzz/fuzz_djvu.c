/* SPDX-License-Identifier: BSD-2-Clause */
/* DjVu: its pages and their sizes. */
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct pl_pages pages;
    struct pl_image_info info;
    if (n < 4 || memcmp(data, "AT&T", 4))
        return 0;
    check_load(data, n, 0);
    const bool read = !pl_image_pages(data, n, &pages, NULL);
    require(pages.n >= 1);
    for (int page = 1; read && page <= PL_MIN(pages.n, 8); page++) {
        const struct pl_load_options opt = {.page = page,
                                            .page_at = pages.at ? pages.at[page - 1] : 0};
        if (!pl_image_probe(data, n, &opt, &info, NULL))
            require(info.width > 0 && info.height > 0);
    }
    pl_pages_done(&pages);
    return 0;
}
