/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/requests/variants.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

void pl_variants_init(struct pl_variants *v, const struct pl_decoding *decoding)
{
    *v = (struct pl_variants){.decoding = decoding};
    pthread_mutex_init(&v->lock, NULL);
}

void pl_variants_done(struct pl_variants *v)
{
    assert(!v->first);
    pthread_mutex_destroy(&v->lock);
}

static const struct pl_recognize_args *args_of(const struct platen_pipeline *p)
{
    return pl_spec_step(p, PLATEN_STAGE_RECOGNIZE)->args;
}

/* The job's further model i, with a decoder of the variant. */
static platen_status give_further(void *ctx, size_t i, struct pl_reading_model *ret,
                                  struct platen_error *err)
{
    struct pl_variant *one = ctx;
    platen_status s = one->models->open(one->models->ctx, i, ret, err);
    if (s)
        return s;
    pthread_mutex_lock(&one->lock);
    if (!one->decoders[i])
        s = pl_decoder_like(ret->decoder, args_of(one->pipeline)->lang, one->decoder->weight,
                            &one->decoders[i], err);
    ret->decoder = one->decoders[i];
    pthread_mutex_unlock(&one->lock);
    return s;
}

static platen_status copy_text(const char *text, char **ret, struct platen_error *err)
{
    const size_t n = text ? strlen(text) + 1 : 0;
    if (!text)
        return PLATEN_OK;
    *ret = pl_alloc(n, 1);
    if (!*ret)
        return pl_fail_nomem(err, n, "a request");
    memcpy(*ret, text, n);
    return PLATEN_OK;
}

static void free_variant(struct pl_variant *one)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(one->decoders); i++)
        pl_decoder_free(one->decoders[i]);
    pl_decoder_free(one->decoder);
    pl_spec_free(one->pipeline);
    pl_free(one->lang);
    pl_free(one->lm);
    pthread_mutex_destroy(&one->lock);
    pl_free(one);
}

/* Makes the pipeline and the decoder of a variant that has nothing yet. */
static platen_status fill_variant(struct pl_variant *one, const struct pl_decoding *job,
                                  const struct pl_variant_wish *wish, struct platen_error *err)
{
    platen_status s = copy_text(wish->lang, &one->lang, err);
    s = s ? s : copy_text(wish->lm, &one->lm, err);
    s = s ? s : pl_spec_copy(wish->pipeline, &one->pipeline, err);
    if (!s && wish->lang)
        s = platen_pipeline_set(one->pipeline, "lang", wish->lang, err);
    if (!s && wish->lm)
        s = platen_pipeline_set(one->pipeline, "lm", wish->lm, err);
    s = s ? s
          : pl_recognize_decoder_like(job->decoder, args_of(wish->pipeline), args_of(one->pipeline),
                                      &one->decoder, err);
    one->of = wish->pipeline;
    one->models = job->further;
    one->further =
        (struct pl_further_models){job->further->n, job->further->uses, one, give_further};
    one->decoding = (struct pl_decoding){one->decoder, &one->further};
    return s;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool is_wanted(const struct pl_variant *one, const struct pl_variant_wish *wish)
{
    return one->of == wish->pipeline && same_text(one->lang, wish->lang) &&
           same_text(one->lm, wish->lm);
}

/* Adds a variant that no request has yet. Called with the lock held. */
static platen_status add_variant(struct pl_variants *v, const struct pl_variant_wish *wish,
                                 struct platen_error *err)
{
    struct pl_variant *one = pl_alloc_zero(1, sizeof(*one));
    if (!one)
        return pl_fail_nomem(err, sizeof(*one), "a request");
    pthread_mutex_init(&one->lock, NULL);
    platen_status s = fill_variant(one, v->decoding, wish, err);
    if (s) {
        free_variant(one);
        return s;
    }
    one->next = v->first;
    v->first = one;
    return PLATEN_OK;
}

platen_status pl_variants_take(struct pl_variants *v, const struct pl_variant_wish *wish,
                               struct pl_variant **ret, struct platen_error *err)
{
    pthread_mutex_lock(&v->lock);
    struct pl_variant *one = v->first;
    while (one && !is_wanted(one, wish))
        one = one->next;
    platen_status s = one ? PLATEN_OK : add_variant(v, wish, err);
    if (!s) {
        *ret = one ? one : v->first;
        (*ret)->users++;
    }
    pthread_mutex_unlock(&v->lock);
    return s;
}

void pl_variants_give(struct pl_variants *v, struct pl_variant *one)
{
    if (!one)
        return;
    pthread_mutex_lock(&v->lock);
    assert(one->users);
    if (!--one->users) {
        struct pl_variant **at = &v->first;
        while (*at != one)
            at = &(*at)->next;
        *at = one->next;
        free_variant(one);
    }
    pthread_mutex_unlock(&v->lock);
}
