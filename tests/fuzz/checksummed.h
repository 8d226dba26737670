/* SPDX-License-Identifier: BSD-2-Clause */
/* Fuzzing of files with checksums. */
#ifndef TESTS_FUZZ_CHECKSUMMED_H
#define TESTS_FUZZ_CHECKSUMMED_H

#include <stdlib.h>

#include "../model_bytes.h"

/* Once as the bytes are, once with their checksums put right: else no mutation gets past them. */
static inline int try_checksummed(const uint8_t *data, size_t n,
                                  void (*try_bytes)(const uint8_t *data, size_t n))
{
    uint8_t *copy = aligned_alloc(64, (n + 64) & ~(size_t)63);
    if (!copy)
        return 0;
    memcpy(copy, data, n);
    try_bytes(copy, n);
    fix_checksums(copy, n);
    if (memcmp(copy, data, n))
        try_bytes(copy, n);
    free(copy);
    return 0;
}

#endif
