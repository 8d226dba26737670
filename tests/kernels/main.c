/* SPDX-License-Identifier: BSD-2-Clause */
/*   kernels [--seed N] [--isa NAME] [KERNEL...]
 * Runs the tester of every kernel for every level that this machine has; TAP on standard output.
 *   kernels --bench [KERNEL...]
 * Prints what simd/kernel_bench.h measures. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "simd/kernel_bench.h"
#include "tests/kernels/tester.h"

static uint8_t *slots[KT_SLOTS];
static sigjmp_buf leave;
static char reason[256];

static void map_slots(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < KT_SLOTS; i++) {
        uint8_t *p = mmap(NULL, KT_SLOT_BYTES + 2 * page, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED || mprotect(p, page, PROT_NONE) ||
            mprotect(p + page + KT_SLOT_BYTES, page, PROT_NONE)) {
            perror("mmap");
            exit(2);
        }
        slots[i] = p + page;
    }
}

void *kt_buf(int slot, size_t n, enum kt_side side)
{
    if (n > KT_SLOT_BYTES) {
        fprintf(stderr, "a tester asks for %zu bytes\n", n);
        exit(2);
    }
    return side == KT_HEAD ? slots[slot] : slots[slot] + KT_SLOT_BYTES - n;
}

uint32_t kt_random(struct kt *t)
{
    t->rng = t->rng * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(t->rng >> 32);
}

void kt_fill(struct kt *t, void *p, size_t n, enum kt_pattern pattern)
{
    uint8_t *b = p;
    if (pattern != KT_RANDOM)
        memset(p, pattern == KT_ONES ? 0xff : 0, n);
    else
        for (size_t i = 0; i < n; i++)
            b[i] = (uint8_t)kt_random(t);
}

void kt_fail(struct kt *t, const char *fmt, ...)
{
    (void)t;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(reason, sizeof(reason), fmt, ap);
    va_end(ap);
    siglongjmp(leave, 1);
}

void kt_equal(struct kt *t, const void *want, const void *got, size_t n, const char *what, size_t a,
              size_t b)
{
    const uint8_t *w = want, *g = got;
    t->checks++;
    for (size_t i = 0; i < n; i++)
        if (w[i] != g[i])
            kt_fail(t, "%s %zu %zu: byte %zu of %zu is %u, not %u", what, a, b, i, n, g[i], w[i]);
}

size_t kt_size(size_t i)
{
    static const size_t more[] = {127, 128, 129, 1023};
    if (i <= 67)
        return i;
    return i - 68 < sizeof(more) / sizeof(more[0]) ? more[i - 68] : SIZE_MAX;
}

static void on_signal(int sig)
{
    snprintf(reason, sizeof(reason),
             "%s: a byte outside its range, or an instruction of another level", strsignal(sig));
    siglongjmp(leave, 1);
}

static void catch_signals(void)
{
    static uint8_t stack[1 << 16];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof(stack)}, NULL);
    struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaction(SIGSEGV, &sa, NULL);
    sigaction(SIGBUS, &sa, NULL);
    sigaction(SIGILL, &sa, NULL);
}

static bool wanted(const char *name, char **names)
{
    if (!*names)
        return true;
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

/* Runs one tester; false when it failed. */
static bool run(struct kt *t, void (*test)(struct kt *), const char *name, int number)
{
    volatile bool ok = false;
    t->checks = 0;
    if (!sigsetjmp(leave, 1)) {
        test(t);
        ok = true;
    }
    if (ok && !t->checks) {
        snprintf(reason, sizeof(reason), "the tester checked nothing");
        ok = false;
    }
    printf("%sok %d - %s %s%s%s\n", ok ? "" : "not ", number, name, pl_isa_name(t->k->isa),
           ok ? "" : ": ", ok ? "" : reason);
    fflush(stdout);
    return ok;
}

static void print_row(void *ctx, const struct pl_bench_row *row)
{
    (void)ctx;
    printf("%-14s %-11s %-5s %9.4f ns %7.2fx\n", pl_kernel_name(row->kernel), pl_isa_name(row->isa),
           row->size, row->ns, row->speedup);
    fflush(stdout);
}

static int bench(char **names, size_t n)
{
    struct platen_error err;
    if (!pl_bench_kernels((const char *const *)names, n, print_row, NULL, &err))
        return 0;
    fprintf(stderr, "kernels: %s\n", err.text);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--bench"))
        return bench(argv + 2, (size_t)argc - 2);
    uint64_t seed = (uint64_t)time(NULL);
    enum pl_isa only = PL_ISA_COUNT;
    int a = 1;
    for (; a + 1 < argc && argv[a][0] == '-'; a += 2) {
        if (!strcmp(argv[a], "--seed"))
            seed = strtoull(argv[a + 1], NULL, 10);
        else if (strcmp(argv[a], "--isa") || !pl_isa_parse(argv[a + 1], &only))
            return 2;
    }
    printf("# seed %llu\n", (unsigned long long)seed);
    map_slots();
    catch_signals();
    struct pl_kernels ref, k;
    pl_kernels_init(&ref, PL_ISA_SCALAR);
    int number = 0, failed = 0;
    for (int isa = 0; isa < PL_ISA_COUNT; isa++) {
        if (!pl_isa_available((enum pl_isa)isa) || (only != PL_ISA_COUNT && (int)only != isa))
            continue;
        pl_kernels_init(&k, (enum pl_isa)isa);
        struct kt t = {.ref = &ref, .k = &k, .rng = seed};
/* a body that a lower level already installed was tested there */
#define PL_KERNEL(name, ret, args)                                                                 \
    if (wanted(#name, argv + a) && pl_kernel_body(&k, PL_KERNEL_##name) == (enum pl_isa)isa)       \
        failed += !run(&t, pl_test_##name, #name, ++number);
#include "simd/kernels.def"
#undef PL_KERNEL
    }
    printf("1..%d\n", number);
    return failed || !number;
}
