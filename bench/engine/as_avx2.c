/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs as on a processor that ends at AVX2, on an Intel one that goes further, under Linux:
 *
 *     LD_PRELOAD=$PWD/build/release/bench/as_avx2.so bench/engine/run.py ...
 *
 * From the start of main() on CPUID faults in all threads, and the answer given in its place knows
 * nothing of AVX-512, AVX-VNNI and AMX. What was asked before, as the C library does, stays as it
 * is; so do times: the faster processor runs what is meant for the slower one. */
#include <asm/prctl.h>
#include <cpuid.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define EXTENDED 7 /* the leaf of what came after AVX */
/* Of its part 0: AVX-512 in its kinds, and AMX. */
#define EBX_HIDDEN                                                                                 \
    (1u << 16 | 1u << 17 | 1u << 21 | 1u << 26 | 1u << 27 | 1u << 28 | 1u << 30 | 1u << 31)
#define ECX_HIDDEN (1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14)
#define EDX_HIDDEN (1u << 2 | 1u << 3 | 1u << 8 | 1u << 22 | 1u << 23 | 1u << 24 | 1u << 25)

typedef int sigaction_fn(int, const struct sigaction *, struct sigaction *);

static struct sigaction theirs; /* what the program wants of SIGSEGV */

/* The program's own action stands behind the one here. */
int sigaction(int signal, const struct sigaction *wanted, struct sigaction *ret)
{
    sigaction_fn *const next = (sigaction_fn *)dlsym(RTLD_NEXT, "sigaction");
    if (signal != SIGSEGV)
        return next(signal, wanted, ret);
    if (ret)
        *ret = theirs;
    if (wanted)
        theirs = *wanted;
    return 0;
}

static void set_faulting(int faulting)
{
    if (syscall(SYS_arch_prctl, ARCH_SET_CPUID, !faulting)) {
        perror("as_avx2: CPUID cannot fault here");
        _exit(1);
    }
}

/* Answers CPUID; any other fault ends the program. */
static void answer(int signal, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned char *at = (const unsigned char *)r[REG_RIP];
    unsigned a, b, c, d;
    (void)signal;
    if (info->si_code != SI_KERNEL || at[0] != 0x0f || at[1] != 0xa2)
        abort();
    const unsigned leaf = (unsigned)r[REG_RAX], part = (unsigned)r[REG_RCX];
    set_faulting(0);
    __cpuid_count(leaf, part, a, b, c, d);
    set_faulting(1);
    if (leaf == EXTENDED) {
        a = part ? 0 : a; /* part 1: AVX-VNNI, AVX-512 of halves, AMX of halves */
        b &= part ? 0 : ~EBX_HIDDEN;
        c &= part ? 0 : ~ECX_HIDDEN;
        d &= part ? 0 : ~EDX_HIDDEN;
    }
    r[REG_RAX] = a;
    r[REG_RBX] = b;
    r[REG_RCX] = c;
    r[REG_RDX] = d;
    r[REG_RIP] += 2;
}

__attribute__((constructor)) static void begin(void)
{
    const struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
    ((sigaction_fn *)dlsym(RTLD_NEXT, "sigaction"))(SIGSEGV, &action, &theirs);
    set_faulting(1);
}
