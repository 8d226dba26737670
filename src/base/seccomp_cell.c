/* SPDX-License-Identifier: BSD-2-Clause */
/* The filter of a process that does nothing but compute. */
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/attr.h"
#include "base/seccomp.h"
#include "base/seccomp_filter.h"

#ifdef ARCHITECTURE

/* Memory, its own descriptors, what a new thread begins with, and the end. What a C library asks
 * for beside that it can do without: the call fails. */
static const int allowed[] = {
    SYS_read,       SYS_write,          SYS_brk,
    SYS_munmap,     SYS_mremap,         SYS_madvise,
    SYS_futex,      SYS_clock_gettime,  SYS_sched_yield,
    SYS_getrandom,  SYS_rt_sigprocmask, SYS_getpid,
    SYS_gettid,     SYS_rt_sigreturn,   SYS_exit,
    SYS_exit_group, SYS_rseq,           SYS_set_robust_list,
};

static const struct sock_filter head[] = {
    LOAD(FIELD(arch)),
    SKIP_IF(ARCHITECTURE, 1),
    REFUSE,
    LOAD(FIELD(nr)),
    SKIP_IF(SYS_mmap, 1),
    SKIP_UNLESS(SYS_mprotect, 4),
    LOAD(FIELD(args[2])),
    SKIP_IF_ANY(PROT_EXEC, 1),
    ALLOW,
    REFUSE,
    /* its own memory limit, which it can lower only */
    SKIP_UNLESS(SYS_prlimit64, 6),
    LOAD(FIELD(args[0])),
    SKIP_UNLESS(0, 3),
    LOAD(FIELD(args[1])),
    SKIP_UNLESS(RLIMIT_AS, 1),
    ALLOW,
    REFUSE,
    /* left out where it may have no threads */
    ALLOW_THREADS,
};

bool pl_seccomp_compute_only(bool threads)
{
    const size_t n = PL_ARRAY_LEN(head) - (threads ? 0 : ALLOW_THREADS_STEPS);
    return pl_seccomp_install(head, n, allowed, PL_ARRAY_LEN(allowed), (struct sock_filter)ALLOW,
                              (struct sock_filter)REFUSE, 0);
}

#else

bool pl_seccomp_compute_only(bool threads)
{
    (void)threads;
    errno = ENOSYS;
    return false;
}

#endif
