/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "config.h"
#include "simd/kernel_bench.h"
#include "tests/unit/suite.h"

struct seen {
    int rows, bad;
    unsigned levels[2]; /* bits of the levels seen, by size */
};

static void see(void *ctx, const struct pl_bench_row *row)
{
    struct seen *s = ctx;
    bool page = !strcmp(row->size, "page");
    s->rows++;
    s->levels[page] |= 1u << row->isa;
    bool scalar_is_one = row->isa != PL_ISA_SCALAR || row->speedup == 1;
    const bool by_hand = PL_PLAIN_KERNELS && row->isa != PL_ISA_SCALAR;
    s->bad += by_hand != (row->by_hand > 0) || row->kernel != PL_KERNEL_invert_u8 || row->ns <= 0 ||
              row->ns > 1000 || row->speedup <= 0 || !scalar_is_one ||
              (!page && strcmp(row->size, "L2"));
}

START_TEST(every_body_of_a_kernel_has_its_rows)
{
    struct seen s = {0};
    struct platen_error err;
    const char *name = "invert_u8";
    ck_assert_int_eq(pl_bench_kernels(&name, 1, see, &s, &err), PLATEN_OK);
    unsigned want = 0;
    for (int isa = 0; isa < PL_ISA_COUNT; isa++) {
        struct pl_kernels k;
        if (!pl_isa_available((enum pl_isa)isa))
            continue;
        pl_kernels_init(&k, (enum pl_isa)isa);
        want |= 1u << pl_kernel_body(&k, PL_KERNEL_invert_u8);
    }
    ck_assert_uint_eq(s.levels[0], want);
    ck_assert_uint_eq(s.levels[1], want);
    ck_assert_int_eq(s.rows, 2 * __builtin_popcount(want));
    ck_assert_int_eq(s.bad, 0);
}
END_TEST

START_TEST(an_unknown_name_and_short_memory_run_nothing)
{
    struct seen s = {0};
    struct platen_error err;
    const char *names[] = {"invert_u8", "invert_u9"};
    ck_assert_int_eq(pl_bench_kernels(names, 2, see, &s, &err), PLATEN_ERR_ARG);
    ck_assert_ptr_nonnull(strstr(err.text, "'invert_u9'"));
    for (uint64_t n = 1; n <= 4; n++) {
        pl_mem_fail_at(n, false);
        ck_assert_int_eq(pl_bench_kernels(names, 1, see, &s, &err), PLATEN_ERR_NOMEM);
    }
    pl_mem_fail_at(0, false);
    ck_assert_int_eq(s.rows, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bench");
    TCase *tc = tcase_create("kernels");
    tcase_add_test(tc, every_body_of_a_kernel_has_its_rows);
    tcase_add_test(tc, an_unknown_name_and_short_memory_run_nothing);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
