/* SPDX-License-Identifier: BSD-2-Clause */
/* What the two filters of system calls share: the words they are written in, and how a list of
 * calls becomes a filter. Only seccomp.c and seccomp_cell.c include this. */
#ifndef PL_BASE_SECCOMP_FILTER_H
#define PL_BASE_SECCOMP_FILTER_H

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define PL_SECCOMP_MAX_FIRST 64
#define PL_SECCOMP_MAX_CALLS 254 /* a jump of 8 bits goes over all of them */

#define FIELD(name) (uint32_t) offsetof(struct seccomp_data, name)
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define SKIP_UNLESS(v, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, v, 0, n)
#define SKIP_IF(v, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, v, n, 0)
#define SKIP_IF_ANY(bits, n) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, n, 0)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW RETURN(SECCOMP_RET_ALLOW)
/* An argument's lower half; both architectures are little-endian. */
#define ARGUMENT(i) FIELD(args[i])

/* Steps of a filter by which threads can be made and processes cannot. The number of the call must
 * be loaded before them; for all other calls it still is behind them. clone3() keeps its flags in
 * memory, where a filter cannot look: the C library takes clone() when it is not there. */
#define ALLOW_THREADS                                                                              \
    SKIP_UNLESS(SYS_clone, 4), LOAD(ARGUMENT(0)), SKIP_IF_ANY(CLONE_THREAD, 1), REFUSE, ALLOW,     \
        SKIP_UNLESS(435 /* clone3 */, 1), RETURN(SECCOMP_RET_ERRNO | ENOSYS)
#define ALLOW_THREADS_STEPS 7

/* Installs a filter: `first`, which ends with the number of the call loaded, then `listed` is what
 * becomes of the calls of the list, and `other` of those that are not in it. False and errno. */
bool pl_seccomp_install(const struct sock_filter *first, size_t n_first, const int *calls,
                        size_t n_calls, struct sock_filter listed, struct sock_filter other,
                        unsigned flags);

#endif
