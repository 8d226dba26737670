/* SPDX-License-Identifier: BSD-2-Clause */
/* What holds for all operations of stage one, one by one and in chains. */
#include <check.h>
#include <string.h>

#include "base/mem.h"
#include "preprocess/binarize/ink.h"
#include "tests/unit/preprocess/preprocess_fixture.h"

static uint64_t hash_page(const struct pl_page_image *p)
{
    uint64_t h = 1469598103934665603u;
    for (int y = 0; y < p->image.height; y++)
        for (int x = 0; x < p->image.width; x++)
            h = (h ^ pl_image_row(&p->image, y)[x]) * 1099511628211u;
    return h;
}

static const char *const chain[] = {"invert",  "background", "contrast",  "orient", "deskew",
                                    "rescale", "binarize",   "despeckle", "unrule", "border"};

START_TEST(same_bytes_on_every_isa_and_thread_count)
{
    uint64_t want = 0;
    for (int isa = 0; isa < PL_ISA_COUNT; isa++)
        for (int threads = 1; threads <= 3; threads++) {
            if (!pl_isa_available((enum pl_isa)isa))
                continue;
            pl_kernels_init(&kernels, (enum pl_isa)isa);
            ck_assert_int_eq(pl_pool_new(threads, &env.pool, &err), PLATEN_OK);
            struct pl_page_image p = text_page(613, 1147, 3.3); /* several strips */
            for (size_t i = 0; i < PL_ARRAY_LEN(chain); i++)
                ck_assert_int_eq(run_op(&p, chain[i], NULL, 0), PLATEN_OK);
            uint64_t h = hash_page(&p);
            want = want ? want : h;
            ck_assert_uint_eq(h, want);
            pl_page_image_done(&p);
            pl_pool_free(env.pool);
            env.pool = NULL;
        }
}
END_TEST

static bool same_page(const struct pl_page_image *a, const struct pl_page_image *b)
{
    if (a->image.width != b->image.width || a->image.height != b->image.height)
        return false;
    for (int y = 0; y < a->image.height; y++)
        if (memcmp(pl_image_row(&a->image, y), pl_image_row(&b->image, y), (size_t)a->image.width))
            return false;
    return true;
}

/* Whatever two operations: the second sees the ink of the picture that the first left. */
START_TEST(ink_is_of_the_present_picture)
{
    int kept = 0;
    for (size_t i = 0; pl_preprocess_ops[i]; i++)
        for (size_t j = 0; pl_preprocess_ops[j]; j++) {
            struct pl_page_image p[2];
            for (int fresh = 0; fresh < 2; fresh++) {
                p[fresh] = text_page(400, 300, 2);
                fill(&p[fresh].image, 60, 130, 350, 132, 30); /* a rule and specks */
                fill(&p[fresh].image, 20, 20, 21, 21, 30);
                fill(&p[fresh].image, 0, 0, 6, 290, 0);
                const struct pl_ink *ink;
                ck_assert_int_eq(pl_ink_of(&env, &p[fresh], &ink, &err), PLATEN_OK);
                ck_assert_int_eq(run_op(&p[fresh], pl_preprocess_ops[i]->name, NULL, 0), 0);
                kept += p[fresh].ink.bits.bytes.store != NULL;
                if (fresh)
                    pl_page_image_forget_ink(&p[fresh]);
                ck_assert_int_eq(run_op(&p[fresh], pl_preprocess_ops[j]->name, NULL, 0), 0);
            }
            ck_assert_msg(same_page(&p[0], &p[1]), "%s after %s", pl_preprocess_ops[j]->name,
                          pl_preprocess_ops[i]->name);
            pl_page_image_done(&p[0]);
            pl_page_image_done(&p[1]);
        }
    ck_assert_int_gt(kept, 0);
}
END_TEST

/* Sauvola's method is what finds ink: with its parameters the ink becomes the page, and stays. */
START_TEST(sauvola_takes_the_ink_that_is_there)
{
    static const struct {
        const char *param;
        double v;
        bool stays;
    } cases[] = {{NULL, 0, true},
                 {"window", PL_LOCAL_WINDOW_PX + 1, true},
                 {"window", 31, false},
                 {"k", 0.4, false}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct pl_page_image p[2];
        for (int fresh = 0; fresh < 2; fresh++) {
            const struct pl_ink *ink;
            p[fresh] = text_page(400, 300, 2);
            p[fresh].image.dpi_x = 300;
            if (!fresh)
                ck_assert_int_eq(pl_ink_of(&env, &p[fresh], &ink, &err), PLATEN_OK);
            ck_assert_int_eq(run_op(&p[fresh], "sauvola", cases[i].param, cases[i].v), PLATEN_OK);
            ck_assert(p[fresh].image.bilevel);
            ck_assert_ptr_nonnull(p[fresh].gray.store);
            ck_assert_float_eq(p[fresh].image.dpi_x, 300);
        }
        ck_assert(same_page(&p[0], &p[1]));
        ck_assert_int_eq(p[0].ink.bits.bytes.store != NULL, cases[i].stays);
        pl_page_image_done(&p[0]);
        pl_page_image_done(&p[1]);
    }
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    for (size_t i = 0; pl_preprocess_ops[i]; i++) {
        const char *name = pl_preprocess_ops[i]->name;
        bool inverts = !strcmp(name, "invert");
        for (uint64_t n = 1;; n++) {
            struct pl_page_image p = inverts ? page_with_box() : text_page(310, 270, 2);
            /* a fresh pool: buffers that it keeps would hide the failure */
            struct pl_bufpool *kept = env.bufs;
            env.bufs = pl_bufpool_new();
            pl_mem_fail_at(n, false);
            platen_status s = run_op(&p, name, NULL, 0);
            pl_mem_fail_at(0, false);
            pl_page_image_done(&p);
            pl_bufpool_free(env.bufs);
            env.bufs = kept;
            if (!s)
                break;
            ck_assert_int_eq(s, PLATEN_ERR_NOMEM);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("preprocess");
    tcase_add_test(tc, same_bytes_on_every_isa_and_thread_count);
    tcase_add_test(tc, ink_is_of_the_present_picture);
    tcase_add_test(tc, sauvola_takes_the_ink_that_is_there);
    tcase_add_test(tc, every_allocation_may_fail);
    return run_env_suite("preprocess", tc);
}
