/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelines of a job as requests want them. */
#include <check.h>
#include <string.h>

#include "base/mem.h"
#include "job/requests/variants.h"
#include "tests/unit/suite.h"

#define TINY PL_TEST_ROOT "/tests/data/model/tiny.platen"
#define WEIGHT 0.25f

static struct platen_error err;

/* What a job has: a decoder, and a further model that uses another one. */
struct job {
    struct pl_network *network;
    struct pl_line_model model;
    struct pl_decoder *decoder, *other;
    struct pl_further_models further;
    struct pl_decoding decoding;
    struct platen_pipeline *pipeline;
    struct pl_variants variants;
};

static platen_status open_further(void *ctx, size_t i, struct pl_reading_model *ret,
                                  struct platen_error *e)
{
    const struct job *j = ctx;
    (void)i, (void)e;
    *ret = (struct pl_reading_model){j->network, j->other};
    return PLATEN_OK;
}

static void setup_job(struct job *j, const char *pipeline)
{
    static const struct pl_decode_options o = {.language_weight = WEIGHT};
    static const struct pl_text_models none;
    memset(j, 0, sizeof(*j));
    ck_assert_msg(!pl_network_open(TINY, &j->network, &err), "%s", err.text);
    ck_assert_msg(!pl_line_model_read(j->network, &j->model, &err), "%s", err.text);
    ck_assert_int_eq(pl_decoder_new(&j->model, &none, &o, &j->decoder, &err), PLATEN_OK);
    ck_assert_int_eq(pl_decoder_new(&j->model, &none, &o, &j->other, &err), PLATEN_OK);
    ck_assert_int_eq(pl_spec_parse(pipeline, strlen(pipeline), &j->pipeline, NULL, &err), 0);
    j->further = (struct pl_further_models){.n = 1, .ctx = j, .open = open_further};
    j->decoding = (struct pl_decoding){j->decoder, &j->further};
    pl_variants_init(&j->variants, &j->decoding);
}

static void teardown_job(struct job *j)
{
    pl_variants_done(&j->variants);
    pl_spec_free(j->pipeline);
    pl_decoder_free(j->other);
    pl_decoder_free(j->decoder);
    pl_line_model_done(&j->model);
    pl_network_free(j->network);
}

static struct pl_variant *take(struct job *j, const char *lang, const char *lm)
{
    const struct pl_variant_wish wish = {j->pipeline, lang, lm};
    struct pl_variant *v = NULL;
    ck_assert_msg(!pl_variants_take(&j->variants, &wish, &v, &err), "%s", err.text);
    return v;
}

static void check_refused(struct job *j, const char *lang, const char *lm, platen_status want)
{
    const struct pl_variant_wish wish = {j->pipeline, lang, lm};
    struct pl_variant *v = NULL;
    ck_assert_int_eq(pl_variants_take(&j->variants, &wish, &v, &err), want);
    ck_assert_ptr_null(v);
    ck_assert_ptr_null(j->variants.first);
}

/* Those who want the same have one, for as long as any of them has it. */
START_TEST(the_same_wish_is_one_variant)
{
    struct job j;
    setup_job(&j, "gray | lines | ctc");
    struct pl_variant *a = take(&j, "de", NULL), *b = take(&j, "de", NULL);
    struct pl_variant *c = take(&j, "de", "0");
    ck_assert_ptr_eq(a, b);
    ck_assert_ptr_ne(a, c);
    pl_variants_give(&j.variants, a);
    ck_assert_ptr_eq(take(&j, "de", NULL), b);
    pl_variants_give(&j.variants, b);
    pl_variants_give(&j.variants, b);
    ck_assert_ptr_eq(j.variants.first, c);
    pl_variants_give(&j.variants, c);
    ck_assert_ptr_null(j.variants.first);
    teardown_job(&j);
}
END_TEST

/* All decoders of a variant have its languages and weight; those of the job stay as they are. */
START_TEST(a_variant_has_decoders_of_its_own)
{
    struct job j;
    struct pl_reading_model m;
    setup_job(&j, "gray | lines | ctc:min-conf=0.5");
    struct pl_variant *v = take(&j, "fra+de", "0");
    const struct pl_decoding *d = &v->decoding;
    ck_assert_int_eq(d->further->open(d->further->ctx, 0, &m, &err), PLATEN_OK);
    ck_assert_ptr_eq(m.network, j.network);
    const struct pl_decoder *const decoders[] = {d->decoder, m.decoder};
    const struct pl_decoder *const of[] = {j.decoder, j.other};
    for (size_t i = 0; i < PL_ARRAY_LEN(decoders); i++) {
        ck_assert_str_eq(decoders[i]->tag, "fr");
        ck_assert_float_eq(decoders[i]->weight, 0);
        ck_assert_ptr_eq(decoders[i]->classes, of[i]->classes);
        ck_assert_ptr_null(of[i]->tag);
        ck_assert_float_eq(of[i]->weight, WEIGHT);
    }
    const struct pl_recognize_args *args = pl_spec_step(v->pipeline, PLATEN_STAGE_RECOGNIZE)->args;
    ck_assert_double_eq(args->min_conf, 0.5);
    pl_variants_give(&j.variants, v);
    teardown_job(&j);
}
END_TEST

START_TEST(what_the_job_does_not_allow_is_refused)
{
    struct job j;
    setup_job(&j, "gray | lines | ctc:lang=de+fra");
    check_refused(&j, "eng", NULL, PLATEN_ERR_ARG);
    check_refused(&j, "deu+xx", NULL, PLATEN_ERR_ARG);
    check_refused(&j, NULL, "1", PLATEN_ERR_ARG); /* there is no language model */
    check_refused(&j, NULL, "5", PLATEN_ERR_ARG);
    pl_variants_give(&j.variants, take(&j, "fr", "auto"));
    teardown_job(&j);
    setup_job(&j, "gray | lines");
    check_refused(&j, "de", NULL, PLATEN_ERR_UNSUPPORTED);
    teardown_job(&j);
}
END_TEST

START_TEST(no_memory_leaves_nothing)
{
    struct job j;
    setup_job(&j, "gray | lines | ctc");
    const struct pl_variant_wish wish = {j.pipeline, "de", "0"};
    struct pl_variant *v = NULL;
    for (uint64_t n = 1; !v; n++) {
        pl_mem_fail_at(n, false);
        const platen_status s = pl_variants_take(&j.variants, &wish, &v, &err);
        pl_mem_fail_at(0, false);
        ck_assert_int_eq(s, v ? PLATEN_OK : PLATEN_ERR_NOMEM);
        ck_assert(v || !j.variants.first);
        ck_assert_uint_lt(n, 100);
    }
    pl_variants_give(&j.variants, v);
    teardown_job(&j);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, the_same_wish_is_one_variant);
    tcase_add_test(tc, a_variant_has_decoders_of_its_own);
    tcase_add_test(tc, what_the_job_does_not_allow_is_refused);
    tcase_add_test(tc, no_memory_leaves_nothing);
    Suite *s = suite_create("variants");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
