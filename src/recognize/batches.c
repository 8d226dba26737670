/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/batches.h"

#include "recognize/language/page_language.h"

/* Columns of one batch: few enough to share a page among threads. It has more where one call takes
 * more. */
#define BATCH_COLUMNS 2048
/* Lines of a page that tell whether the quick network reads its others: it does where it was sure
 * of half of these. Of a page with fewer lines it reads none: there is nothing to be gained. */
#define PROBES 4

size_t pl_strip_columns(const struct pl_line *line, int height)
{
    int w = PL_MAX(pl_rect_width(line->box), 1), h = PL_MAX(pl_rect_height(line->box), 1);
    return (size_t)w * (size_t)height / (size_t)h + 1;
}

bool pl_batches_room(struct pl_batches *b, size_t lines)
{
    b->lines.v = PL_NEW(b->lines.arena, struct pl_page_line, lines + 1);
    b->first = PL_NEW(b->lines.arena, size_t, lines + 1);
    return b->lines.v && b->first;
}

void pl_batches_add(struct pl_batches *b, struct pl_reading *page, struct pl_line *line)
{
    b->lines.v[b->lines.n++] =
        (struct pl_page_line){.line = line, .page = page, .mirrored = b->mirrored};
}

/* Parts the lines, in their order, into batches. */
static void plan(struct pl_batches *b)
{
    const int height = pl_recognizer_height(b->team[0]);
    const size_t call = (size_t)pl_recognizer_columns(b->team[0]);
    const size_t most = PL_MAX(call, (size_t)BATCH_COLUMNS);
    size_t columns = 0;
    for (size_t k = 0; k < b->lines.n; k++) {
        size_t more = pl_strip_columns(b->lines.v[k].line, height);
        if (!k || columns + more > most) {
            b->first[b->n++] = k;
            columns = 0;
        }
        columns += more;
    }
    b->first[b->n] = b->lines.n;
}

/* Gives the recognizer of a worker that reads with the model of the batches. */
static platen_status recognizer_of(const struct pl_batches *b, int worker,
                                   struct pl_recognizer **ret, struct platen_error *err)
{
    *ret = b->team[worker];
    return b->model ? pl_recognizer_further(*ret, b->model - 1, &b->further, ret, err) : PLATEN_OK;
}

static void look_at_batch(struct pl_batches *b, int worker, size_t batch, bool probes)
{
    const size_t from = b->first[batch], to = b->first[batch + 1];
    struct pl_recognizer *r;
    struct platen_error err;
    const platen_status s = recognizer_of(b, worker, &r, &err);
    for (size_t i = from; i < to && s; i++)
        pl_lines_fail(&b->lines, i, s, &err);
    if (!s)
        pl_recognizer_look(r, &b->lines, from, to, probes);
}

static void look_at_probes(void *ctx, int worker, size_t batch)
{
    look_at_batch(ctx, worker, batch, true);
}

static void look_at_others(void *ctx, int worker, size_t batch)
{
    look_at_batch(ctx, worker, batch, false);
}

/* Returns the end of the lines of the page that line i is of. */
static size_t page_end(const struct pl_lines *l, size_t i)
{
    size_t end = i;
    while (end < l->n && l->v[end].page == l->v[i].page)
        end++;
    return end;
}

/* Marks the probes of each page, evenly spread. */
static void choose_probes(struct pl_lines *l)
{
    for (size_t i = 0, end; i < l->n; i = end) {
        end = page_end(l, i);
        for (size_t k = 0; k < PROBES && end - i >= PROBES; k++) {
            struct pl_page_line *probe = &l->v[i + (2 * k + 1) * (end - i) / (2 * PROBES)];
            probe->is_probe = probe->asks_quick = true;
        }
    }
}

/* Settles for each page whether the quick network reads its other lines. */
static void heed_probes(struct pl_lines *l)
{
    for (size_t i = 0, end; i < l->n; i = end) {
        size_t probes = 0, sure = 0;
        end = page_end(l, i);
        for (size_t k = i; k < end; k++) {
            probes += l->v[k].is_probe;
            sure += l->v[k].n_sure > 0;
        }
        for (size_t k = i; k < end; k++)
            l->v[k].asks_quick = probes && 2 * sure >= probes;
    }
}

/* What failed at looking has failed for good. */
static void spell_batch(void *ctx, int worker, size_t batch)
{
    struct pl_batches *b = ctx;
    struct pl_recognizer *r;
    struct platen_error err;
    if (!recognizer_of(b, worker, &r, &err))
        pl_recognizer_spell(r, &b->lines, b->first[batch], b->first[batch + 1]);
}

/* Settles the language of every page, whose lines follow each other. A page whose language model
 * cannot be opened has failed. */
static void settle_languages(struct pl_batches *b, const struct pl_kernels *k)
{
    struct pl_lines *l = &b->lines;
    const struct pl_decoder *d = l->decoder;
    struct platen_error err;
    for (size_t i = 0, end; i < l->n; i = end) {
        end = page_end(l, i);
        struct pl_page_line *lines = l->v + i;
        const platen_status s =
            b->model ? pl_language_settle_further(b->decoding->decoder, d, k, lines, end - i, &err)
                     : pl_language_settle(d, k, lines, end - i, lines->page->regions, &err);
        if (s)
            pl_lines_fail(l, i, s, &err);
    }
}

/* Chooses the decoder, and opens the further model. */
static platen_status choose_model(struct pl_batches *b, struct platen_error *err)
{
    const struct pl_decoding *d = b->decoding;
    platen_status s = PLATEN_OK;
    b->lines.decoder = d->decoder;
    if (b->model) {
        s = d->further->open(d->further->ctx, b->model - 1, &b->further, err);
        b->lines.decoder = s ? NULL : b->further.decoder;
    }
    if (!s)
        b->lines.min_conf = pl_line_model_min_conf(b->lines.decoder->model, b->lines.min_conf);
    return s;
}

void pl_batches_run(struct pl_batches *b, const struct pl_env *env)
{
    struct platen_error err;
    const platen_status s = choose_model(b, &err);
    pthread_mutex_init(&b->lines.lock, NULL);
    for (size_t i = 0; i < b->lines.n && s; i++)
        pl_lines_fail(&b->lines, i, s, &err);
    if (!s) {
        plan(b);
        if (b->lines.decoder->model->quick) {
            choose_probes(&b->lines);
            pl_pool_for(env->pool, b->n, look_at_probes, b);
            heed_probes(&b->lines);
        }
        pl_pool_for(env->pool, b->n, look_at_others, b);
        settle_languages(b, env->k);
        pl_pool_for(env->pool, b->n, spell_batch, b);
    }
    pthread_mutex_destroy(&b->lines.lock);
}
