/* SPDX-License-Identifier: BSD-2-Clause */
/* Which kernels a machine is given: what it must never be given cannot be seen on one that has all.
 */
#include <check.h>
#include <string.h>

#include "simd/cpu.h"
#include "tests/unit/suite.h"

/* Level by level, in the order of enum pl_isa: "1" where the level contains the one of the column.
 */
static const char *const contained[PL_ISA_COUNT] = {
    [PL_ISA_SCALAR] = "1000000000",  [PL_ISA_SSE42] = "1100000000",
    [PL_ISA_AVX2] = "1110000000",    [PL_ISA_AVXVNNI] = "1111000000",
    [PL_ISA_AVX512] = "1110100000",  [PL_ISA_AVX512VNNI] = "1110110000",
    [PL_ISA_AMX] = "1110111000",     [PL_ISA_NEON] = "1000000100",
    [PL_ISA_NEONDOT] = "1000000110", [PL_ISA_SIMD128] = "1000000001",
};

START_TEST(levels_contain_what_every_machine_of_them_has)
{
    for (unsigned isa = 0; isa < PL_ISA_COUNT; isa++)
        for (unsigned part = 0; part < PL_ISA_COUNT; part++)
            ck_assert_msg(pl_isa_contains((enum pl_isa)isa, (enum pl_isa)part) ==
                              (contained[isa][part] == '1'),
                          "%s in %s", pl_isa_name((enum pl_isa)part),
                          pl_isa_name((enum pl_isa)isa));
}
END_TEST

/* No level gets a body that belongs to a higher one, and each has some of its own. */
START_TEST(tables_are_filled_up_to_their_level)
{
    for (unsigned isa = 0; isa < PL_ISA_COUNT; isa++) {
        struct pl_kernels k;
        size_t own = 0;
        if (!pl_isa_available((enum pl_isa)isa))
            continue;
        pl_kernels_init(&k, (enum pl_isa)isa);
        ck_assert_int_eq(k.isa, isa);
        for (unsigned id = 0; id < PL_KERNEL_COUNT; id++) {
            const enum pl_isa body = pl_kernel_body(&k, (enum pl_kernel_id)id);
            ck_assert(pl_isa_contains((enum pl_isa)isa, body));
            own += body == (enum pl_isa)isa;
        }
        ck_assert_msg(own, "%s has no kernel of its own", pl_isa_name((enum pl_isa)isa));
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("dispatch");
    tcase_add_test(tc, levels_contain_what_every_machine_of_them_has);
    tcase_add_test(tc, tables_are_filled_up_to_their_level);
    Suite *s = suite_create("dispatch");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
