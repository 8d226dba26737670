/* SPDX-License-Identifier: BSD-2-Clause */
/* JPEG: the start is put right, so that every mutation reaches the decoder. */
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    uint8_t *copy = n >= 3 ? malloc(n) : NULL;
    if (!copy)
        return 0;
    memcpy(copy, data, n);
    memcpy(copy, "\xff\xd8\xff", 3);
    check_load(copy, n, 0);
    free(copy);
    return 0;
}
