/* The filter of a process that does nothing but compute. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/seccomp.h"

#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

#define FIELD(name) (uint32_t) offsetof(struct seccomp_data, name)
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define SKIP_IF(v, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, v, n, 0)
#define SKIP_UNLESS(v, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, v, 0, n)
#define SKIP_IF_ANY(bits, n) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, n, 0)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Memory, its own descriptors, and the end. What a C library asks for beside that it can do
 * without: the call fails. */
static const int allowed[] = {
    SYS_read,   SYS_write,         SYS_brk,         SYS_munmap,     SYS_mremap,         SYS_madvise,
    SYS_futex,  SYS_clock_gettime, SYS_sched_yield, SYS_getrandom,  SYS_rt_sigprocmask, SYS_getpid,
    SYS_gettid, SYS_rt_sigreturn,  SYS_exit,        SYS_exit_group,
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
};

bool pl_seccomp_compute_only(void)
{
    struct sock_filter code[PL_ARRAY_LEN(head) + PL_ARRAY_LEN(allowed) + 2];
    size_t n = 0;
    for (; n < PL_ARRAY_LEN(head); n++)
        code[n] = head[n];
    for (size_t i = 0; i < PL_ARRAY_LEN(allowed); i++)
        code[n++] =
            (struct sock_filter)SKIP_IF((uint32_t)allowed[i], (uint8_t)(PL_ARRAY_LEN(allowed) - i));
    code[n++] = (struct sock_filter)REFUSE;
    code[n++] = (struct sock_filter)ALLOW;
    struct sock_fprog program = {(unsigned short)n, code};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}

#else

bool pl_seccomp_compute_only(void)
{
    errno = ENOSYS;
    return false;
}

#endif
