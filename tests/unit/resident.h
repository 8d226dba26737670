/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_UNIT_RESIDENT_H
#define TESTS_UNIT_RESIDENT_H

#include <check.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* How many of the n bytes at p are in memory: of whole pages, and at most 32 MB. */
static inline size_t resident(const void *p, size_t n)
{
    static unsigned char in[8192];
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE),
                    from = ((uintptr_t)p + page - 1) & ~(page - 1);
    const size_t pages = ((uintptr_t)p + n - from) / page;
    size_t count = 0;
    ck_assert_uint_le(pages, sizeof(in));
    ck_assert_int_eq(mincore((void *)from, pages * page, in), 0);
    for (size_t i = 0; i < pages; i++)
        count += in[i] & 1;
    return count * page;
}

#endif
