/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/seccomp.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/seccomp_filter.h"

#ifdef ARCHITECTURE

#define X32_CALLS 0x40000000u

/* A list of what is denied cannot break with the next C library, as a list of what is allowed
 * would. Numbers that the headers do not know are given: they are those of every architecture. */
static const int denied[] = {
    /* programs and processes; clone() stands apart */
    SYS_execve,
    SYS_execveat,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
    /* connections; what is accepted from a socket that listens already stays */
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    /* other processes */
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_migrate_pages,
    SYS_move_pages,
    438 /* pidfd_getfd */,
    440 /* process_madvise */,
    /* the tree of files */
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_fanotify_init,
    428 /* open_tree */,
    429 /* move_mount */,
    430 /* fsopen */,
    431 /* fsconfig */,
    432 /* fsmount */,
    433 /* fspick */,
    442 /* mount_setattr */,
    467 /* open_tree_attr */,
    /* parts of the kernel that were often broken */
    SYS_bpf,
    SYS_userfaultfd,
    SYS_perf_event_open,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    425 /* io_uring_setup */,
    426 /* io_uring_enter */,
    427 /* io_uring_register */,
    SYS_unshare,
    SYS_setns,
    SYS_personality,
    SYS_shmat,
#ifdef SYS_modify_ldt
    SYS_modify_ldt,
    SYS_iopl,
    SYS_ioperm,
    SYS_uselib,
#endif
    /* the machine */
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_syslog,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_vhangup,
};

/* In front of the list: what is decided by arguments as well, and what is no call of this
 * architecture. The call's number is loaded behind it. */
static const struct sock_filter head[] = {
    LOAD(FIELD(arch)),
    SKIP_IF(ARCHITECTURE, 1),
    REFUSE,
    LOAD(FIELD(nr)),
#ifdef __x86_64__
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
    REFUSE,
#endif
    ALLOW_THREADS,
    SKIP_IF(SYS_mmap, 2),
    SKIP_IF(SYS_mprotect, 1),
    SKIP_UNLESS(SYS_pkey_mprotect, 4),
    LOAD(ARGUMENT(2)),
    SKIP_IF_ANY(PROT_EXEC, 1),
    ALLOW,
    REFUSE,
    /* nothing is typed into the terminal that the program was started from */
    SKIP_UNLESS(SYS_ioctl, 5),
    LOAD(ARGUMENT(1)),
    SKIP_IF(TIOCSTI, 2),
    SKIP_IF(TIOCLINUX, 1),
    ALLOW,
    REFUSE,
};

_Static_assert(PL_ARRAY_LEN(denied) <= PL_SECCOMP_MAX_CALLS, "a jump goes over all of the list");
_Static_assert(PL_ARRAY_LEN(head) <= PL_SECCOMP_MAX_FIRST, "room for the head");

bool pl_seccomp_available(void)
{
    uint32_t action = SECCOMP_RET_ERRNO;
    return !syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
}

bool pl_seccomp_install(const struct sock_filter *first, size_t n_first, const int *calls,
                        size_t n_calls, struct sock_filter listed, struct sock_filter other,
                        unsigned flags)
{
    struct sock_filter code[PL_SECCOMP_MAX_FIRST + PL_SECCOMP_MAX_CALLS + 2];
    size_t n = 0;
    for (; n < n_first; n++)
        code[n] = first[n];
    for (size_t i = 0; i < n_calls; i++)
        code[n++] = (struct sock_filter)SKIP_IF((uint32_t)calls[i], (uint8_t)(n_calls - i));
    code[n++] = other;
    code[n++] = listed;
    struct sock_fprog program = {(unsigned short)n, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return false;
    /* Kernels before 5.16 would switch off speculation otherwise, which costs time. */
    flags |= SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    long r = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (r > 0)
        errno = EBUSY; /* a thread has a filter of its own */
    return !r;
}

bool pl_seccomp_deny(void)
{
    return pl_seccomp_install(head, PL_ARRAY_LEN(head), denied, PL_ARRAY_LEN(denied),
                              (struct sock_filter)REFUSE, (struct sock_filter)ALLOW,
                              SECCOMP_FILTER_FLAG_TSYNC);
}

#else

bool pl_seccomp_available(void)
{
    return false;
}

bool pl_seccomp_deny(void)
{
    errno = ENOSYS;
    return false;
}

#endif
