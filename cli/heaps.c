/* SPDX-License-Identifier: BSD-2-Clause */
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include "cli/cli.h"

void keep_pictures_out_of_heaps(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}
