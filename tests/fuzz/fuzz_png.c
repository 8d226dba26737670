/* SPDX-License-Identifier: BSD-2-Clause */
/* PNG: as the bytes are, and with signature and checksums put right: else no mutation gets past
 * them. */
#include "decode_check.h"
#include "png_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    uint8_t *copy = n >= 8 ? malloc(n) : NULL;
    check_load(data, n, 0);
    if (!copy)
        return 0;
    memcpy(copy, data, n);
    fix_png(copy, n);
    check_load(copy, n, 0);
    free(copy);
    return 0;
}
