/* SPDX-License-Identifier: BSD-2-Clause */
/* HEIF: the bytes as one picture, and as the first pages of several. */
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
const char *__lsan_default_suppressions(void);

/* libdav1d 1.0.0 loses what it had begun of a damaged picture; in a cell that ends with the cell.
 */
const char *__lsan_default_suppressions(void)
{
    return "leak:libdav1d";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct pl_pages pages;
    if (n < 8 || memcmp(data + 4, "ftyp", 4))
        return 0;
    check_load(data, n, 0);
    if (!pl_image_pages(data, n, &pages, NULL))
        require(pages.n >= 1);
    for (int page = 1; page <= PL_MIN(pages.n, 3); page++)
        check_load(data, n, page);
    pl_pages_done(&pages);
    return 0;
}
