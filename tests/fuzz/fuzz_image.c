/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes: the recognition of formats, and all decoders. */
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    check_load(data, n, 0);
    return 0;
}
