/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of a fuzzer, one after the other; zeros when they are used up. */
#ifndef PL_TEST_BYTES_H
#define PL_TEST_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
    const uint8_t *p;
    size_t n;
};

static uint8_t next(struct bytes *b)
{
    if (b->n == 0)
        return 0;
    b->n--;
    return *b->p++;
}

#endif
