/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs one Check suite and reports as TAP, as every unit test does. */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Check ends a test after this many seconds, in every suite: it is there for tests that hang, so
 * that a busy machine or a sanitizer fails none. Check reads it when a case is made, so it is set
 * before main(). */
__attribute__((constructor)) static void set_time_limit_of_a_test(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "300", 0);
}

/* The exit status of the test program. Frees the suite. */
static inline int run_suite(Suite *s)
{
    SRunner *sr = srunner_create(s);
    srunner_set_tap(sr, "-");
    srunner_run_all(sr, CK_SILENT);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
