/* SPDX-License-Identifier: BSD-2-Clause */
/* What tests of pictures and of operations on them share: kernels, an environment, an error. */
#ifndef ENV_FIXTURE_H
#define ENV_FIXTURE_H

#include <check.h>

#include "base/bufpool.h"
#include "image/image.h"
#include "tests/unit/suite.h"

static struct pl_kernels kernels;
static struct pl_env env;
static struct platen_error err;

static inline void setup(void)
{
    pl_kernels_init(&kernels, pl_isa_best());
    env = (struct pl_env){.k = &kernels, .bufs = pl_bufpool_new()};
    ck_assert_ptr_nonnull(env.bufs);
}

static inline void teardown(void)
{
    pl_bufpool_free(env.bufs);
}

/* The shared main() of these suites. */
static inline int run_env_suite(const char *name, TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    Suite *s = suite_create(name);
    suite_add_tcase(s, tc);
    return run_suite(s);
}

#endif
