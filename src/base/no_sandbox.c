/* SPDX-License-Identifier: BSD-2-Clause */
/* Where there is neither Landlock nor seccomp: nothing is available, so that nobody asks for more.
 */
#include <errno.h>

#include "base/landlock.h"
#include "base/seccomp.h"

static bool refuse(void)
{
    errno = ENOSYS;
    return false;
}

int pl_landlock_abi(void)
{
    return 0;
}

int pl_landlock_new(int abi)
{
    (void)abi;
    return refuse() ? 0 : -1;
}

bool pl_landlock_add(int rules, int abi, const char *path, enum pl_landlock_grant grant)
{
    (void)rules;
    (void)abi;
    (void)path;
    (void)grant;
    return refuse();
}

bool pl_landlock_enter(int rules)
{
    (void)rules;
    return refuse();
}

bool pl_seccomp_available(void)
{
    return false;
}

bool pl_seccomp_deny(void)
{
    return refuse();
}

bool pl_seccomp_compute_only(bool threads)
{
    (void)threads;
    return refuse();
}
