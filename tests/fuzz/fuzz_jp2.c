/* SPDX-License-Identifier: BSD-2-Clause */
/* JPEG 2000, and nothing else. */
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 12 || (memcmp(data, "\xff\x4f\xff\x51", 4) && memcmp(data, "\0\0\0\x0cjP  ", 8)))
        return 0;
    check_load(data, n, 0);
    return 0;
}
