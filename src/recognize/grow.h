/* SPDX-License-Identifier: BSD-2-Clause */
/* Scratch that grows by powers of two and is kept. */
#ifndef PL_RECOGNIZE_GROW_H
#define PL_RECOGNIZE_GROW_H

#include "base/mem.h"

/* Makes room for `need` objects, at least one, of `size` bytes in p. Returns NULL when memory is
 * short; p is then as it was. */
static inline void *pl_grown(void *p, size_t *cap, size_t need, size_t size)
{
    if (p && need <= *cap)
        return p;
    size_t n = PL_MAX(*cap, (size_t)64);
    while (n < need)
        n *= 2;
    p = pl_realloc(p, n, size);
    if (p)
        *cap = n;
    return p;
}

/* PL_GROW(field, cap, need) is false when memory is short. */
#define PL_GROW(field, cap, need)                                                                  \
    (__extension__({                                                                               \
        void *grown_ = pl_grown((field), &(cap), (need), sizeof(*(field)));                        \
        if (grown_)                                                                                \
            (field) = grown_;                                                                      \
        grown_ != NULL;                                                                            \
    }))

#endif
