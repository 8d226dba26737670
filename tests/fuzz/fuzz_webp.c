/* SPDX-License-Identifier: BSD-2-Clause */
/* WebP, and nothing else. */
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 12 || memcmp(data, "RIFF", 4) || memcmp(data + 8, "WEBP", 4))
        return 0;
    check_load(data, n, 0);
    return 0;
}
