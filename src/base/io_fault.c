/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/io_fault.h"

#include <errno.h>
#include <stdatomic.h>

static _Atomic uint64_t fail_countdown;
static atomic_int fail_errno;

void pl_io_fail_at(uint64_t n, int os_errno)
{
    atomic_store(&fail_errno, os_errno);
    atomic_store(&fail_countdown, n);
}

bool pl_io_fails(void)
{
    uint64_t n = atomic_load(&fail_countdown);
    if (!n || atomic_fetch_sub(&fail_countdown, 1) != 1)
        return false;
    errno = atomic_load(&fail_errno);
    return true;
}
