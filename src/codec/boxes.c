/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/boxes.h"

#include <string.h>

#include "base/byte_order.h"

bool pl_box_next(const uint8_t *d, size_t n, size_t *at, struct pl_box *ret)
{
    const size_t left = n - *at;
    if (left < 8)
        return false;
    const uint8_t *p = d + *at;
    const bool wide = pl_be32(p) == 1 && left >= 16;
    const size_t head = wide ? 16 : 8;
    uint64_t bytes = wide ? (uint64_t)pl_be32(p + 8) << 32 | pl_be32(p + 12) : pl_be32(p);
    bytes = bytes ? bytes : left; /* the last one may leave its length out */
    if (bytes < head || bytes > left)
        return false;
    *ret = (struct pl_box){p + 4, p + head, (size_t)bytes - head};
    *at += (size_t)bytes;
    return true;
}

bool pl_box_is(const struct pl_box *b, const char *type)
{
    return !memcmp(b->type, type, 4);
}
