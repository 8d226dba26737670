/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/boxes.h"

#include <string.h>

uint32_t pl_box_number(const uint8_t *p, int bytes)
{
    uint32_t v = 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | p[i];
    return v;
}

bool pl_box_next(const uint8_t *d, size_t n, size_t *at, struct pl_box *ret)
{
    const size_t left = n - *at;
    if (left < 8)
        return false;
    const uint8_t *p = d + *at;
    const bool wide = pl_box_number(p, 4) == 1 && left >= 16;
    const size_t head = wide ? 16 : 8;
    uint64_t bytes = wide ? (uint64_t)pl_box_number(p + 8, 4) << 32 | pl_box_number(p + 12, 4)
                          : pl_box_number(p, 4);
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
