/* SPDX-License-Identifier: BSD-2-Clause */
/* TIFF: the bytes as one picture, and as the first pages of several. */
#include "decode_check.h"
#include "codec/tiff/tiff_dirs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 4 || (memcmp(data, "II", 2) && memcmp(data, "MM", 2)))
        return 0;
    check_pages(data, n);
    require(pl_tiff_end(data, n) <= n);
    return 0;
}
