/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of a WebAssembly module is never given back: advice about it is not taken. */
#ifndef PL_WEB_MMAN_H
#define PL_WEB_MMAN_H

#include <stddef.h>

#define MADV_DONTNEED 4
#define MADV_FREE 8
#define MADV_HUGEPAGE 14

static inline int madvise(void *at, size_t n, int advice)
{
    (void)at;
    (void)n;
    (void)advice;
    return 0;
}

#endif
