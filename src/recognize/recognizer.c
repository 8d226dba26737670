/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/recognizer.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "recognize/ctc.h"
#include "recognize/grow.h"
#include "recognize/line_net.h"
#include "recognize/search.h"
#include "recognize/spaces.h"
#include "recognize/strip.h"
#include "recognize/words.h"

/* The logit of what may not be read. */
#define FORBIDDEN -1e30f

struct strip_piece {
    size_t line; /* its number */
    struct pl_strip_cut cut;
    bool first, last; /* of its line */
};

/* Everything but the network is scratch: it grows by powers of two and is kept. */
struct pl_recognizer {
    const struct pl_line_model *model;
    const struct pl_decoder *decoder;
    const struct pl_kernels *kernels;
    struct pl_line_calls *calls;
    const struct pl_further_models *further; /* or NULL */
    struct pl_recognizer **others;           /* with those, as far as they were needed */
    struct pl_line_net *net;
    struct pl_search *search;
    struct strip_piece *pieces; /* whose strips wait in the network */
    size_t n_pieces, pieces_cap;
    float *logits; /* of one piece, without what may not be read */
    size_t logits_cap;
    uint32_t *best; /* of the steps of one piece, as `share` */
    float *share;
    struct pl_ctc_run *runs; /* of one piece */
    size_t best_cap, share_cap, runs_cap;
    struct pl_read_char *chars; /* of one line */
    size_t n_chars, chars_cap;
    struct pl_str text;
    struct pl_line_ink ink;
};

/* The lines that a worker reads in one call. */
struct reading_job {
    struct pl_recognizer *r;
    struct pl_lines *lines;
    struct platen_error err; /* of the last step */
};

int pl_recognizer_height(const struct pl_recognizer *r)
{
    return r->model->height;
}

const struct pl_language *pl_recognizer_language(const struct pl_recognizer *r)
{
    return r->decoder->language;
}

platen_status pl_recognizer_new(const struct pl_network *n, const struct pl_decoder *d,
                                const struct pl_kernels *k, struct pl_line_calls *calls,
                                const struct pl_further_models *further, struct pl_recognizer **ret,
                                struct platen_error *err)
{
    pl_auto(recognizer) r = pl_alloc_zero(1, sizeof(*r));
    if (!r)
        return pl_fail_nomem(err, sizeof(*r), "a recognizer");
    r->model = d->model;
    r->decoder = d;
    r->kernels = k;
    r->calls = calls;
    r->further = further;
    const size_t n_others = further ? further->n : 0;
    r->others = pl_alloc_zero(n_others + 1, sizeof(struct pl_recognizer *));
    if (!r->others)
        return pl_fail_nomem(err, n_others * sizeof(*r->others), "a recognizer");
    platen_status s = pl_line_net_new(n, r->model, k, calls, &r->net, err);
    if (!s)
        s = pl_search_new(&r->search, err);
    if (!s)
        *ret = pl_steal(r);
    return s;
}

void pl_recognizer_free(struct pl_recognizer *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < pl_recognizer_further_count(r) && r->others; i++)
        pl_recognizer_free(r->others[i]);
    pl_free(r->others);
    pl_line_net_free(r->net);
    pl_search_free(r->search);
    pl_free(r->pieces);
    pl_free(r->logits);
    pl_free(r->best);
    pl_free(r->share);
    pl_free(r->runs);
    pl_free(r->chars);
    pl_str_done(&r->text);
    pl_line_ink_done(&r->ink);
    pl_free(r);
}

size_t pl_recognizer_further_count(const struct pl_recognizer *r)
{
    return r->further ? r->further->n : 0;
}

platen_status pl_recognizer_further(struct pl_recognizer *r, size_t i, struct pl_recognizer **ret,
                                    struct platen_error *err)
{
    assert(i < pl_recognizer_further_count(r));
    struct pl_reading_model m;
    platen_status s = PLATEN_OK;
    if (!r->others[i]) {
        s = r->further->open(r->further->ctx, i, &m, err);
        s = s ? s
              : pl_recognizer_new(m.network, m.decoder, r->kernels, r->calls, NULL, &r->others[i],
                                  err);
    }
    *ret = r->others[i];
    return s;
}

unsigned pl_recognizer_new_scripts(const struct pl_recognizer *r, size_t i)
{
    assert(i < pl_recognizer_further_count(r));
    struct pl_reading_model m;
    struct platen_error err;
    if (r->further->open(r->further->ctx, i, &m, &err))
        return 0;
    return m.decoder->scripts & ~r->decoder->scripts;
}

/* Returns the column of the page where a step begins. */
static double column_of(const struct pl_line_model *m, const struct pl_strip_cut *c, uint32_t step)
{
    double x = (double)step * m->stride - m->pad_left;
    x = PL_CLAMP(x, 0, c->columns);
    return c->x0 + x * (c->x1 - c->x0) / c->columns;
}

/* Copies the logits and takes the forbidden classes out of the copy, where there are any. */
static platen_status restrict_logits(struct reading_job *j, const float **logits, size_t steps)
{
    struct pl_recognizer *r = j->r;
    size_t n = r->model->n_classes;
    if (!r->decoder->restricted)
        return PLATEN_OK;
    if (!PL_GROW(r->logits, r->logits_cap, steps * n))
        return pl_fail_nomem(&j->err, steps * n * sizeof(float), "logits");
    for (size_t i = 0; i < steps * n; i++)
        r->logits[i] = r->decoder->classes[i % n].forbidden ? FORBIDDEN : (*logits)[i];
    *logits = r->logits;
    return PLATEN_OK;
}

/* Decodes the logits of a piece: its characters go to r->runs[0..*n). */
static platen_status read_piece(struct reading_job *j, const struct pl_kernels *k,
                                const float *logits, size_t steps, size_t *n)
{
    struct pl_recognizer *r = j->r;
    if (!PL_GROW(r->runs, r->runs_cap, steps) || !PL_GROW(r->best, r->best_cap, steps) ||
        !PL_GROW(r->share, r->share_cap, steps))
        return pl_fail_nomem(&j->err, steps * sizeof(*r->runs), "characters");
    platen_status s = restrict_logits(j, &logits, steps);
    if (s)
        return s;
    k->softmax_top(r->best, r->share, logits, steps, r->model->n_classes);
    struct pl_ctc_line line = {logits, steps, r->model->n_classes, r->best, r->share};
    *n = pl_ctc_greedy(&line, r->runs);
    if (r->decoder->language || r->decoder->lexicon)
        s = pl_search_run(r->search, r->decoder, k, &line, r->runs, n, &j->err);
    return s;
}

/* Appends the characters of a piece to those of its line. */
static platen_status decode_piece(struct reading_job *j, const struct strip_piece *p,
                                  const struct pl_line_scores *scores)
{
    struct pl_recognizer *r = j->r;
    const struct pl_strip_cut *cut = &p->cut;
    size_t n;
    platen_status s =
        read_piece(j, j->lines->v[p->line].page->env.k, scores->values, scores->steps, &n);
    if (s)
        return s;
    if (!PL_GROW(r->chars, r->chars_cap, r->n_chars + n + 1))
        return pl_fail_nomem(&j->err, n * sizeof(*r->chars), "characters");
    for (size_t i = 0; i < n; i++)
        r->n_chars = pl_read_char_push(
            r->chars, r->n_chars,
            (struct pl_read_char){r->model->alphabet[r->runs[i].class_id],
                                  column_of(r->model, cut, r->runs[i].first),
                                  column_of(r->model, cut, r->runs[i].end), r->runs[i].conf});
    if (cut->in_gap)
        r->chars[r->n_chars++] =
            (struct pl_read_char){.symbol = " ", .x0 = cut->x1, .x1 = cut->x1, .conf = 1};
    return PLATEN_OK;
}

static platen_status build_words(struct reading_job *j, const struct pl_line_ink *ink, size_t n,
                                 struct pl_line *line)
{
    struct pl_lines *l = j->lines;
    pthread_mutex_lock(&l->lock);
    platen_status s = pl_words_build(l->arena, &j->r->text, ink, j->r->chars, n, line, &j->err);
    if (!s && !line->initial)
        s = pl_words_doubt(l->arena, &j->r->text, l->min_conf, line, &j->err);
    pthread_mutex_unlock(&l->lock);
    return s;
}

static platen_status finish_line(struct reading_job *j, const struct pl_page_line *at)
{
    struct pl_recognizer *r = j->r;
    size_t n = r->n_chars;
    platen_status s = pl_line_ink_measure(
        &r->ink, &at->page->env, pl_reading_picture(at->page, at->line), at->line, &j->err);
    if (!s && !PL_GROW(r->chars, r->chars_cap, 2 * n)) /* each may get a blank */
        s = pl_fail_nomem(&j->err, n * sizeof(*r->chars), "characters");
    if (s)
        return s;
    n = pl_spaces_settle(&r->ink, r->chars, n);
    return build_words(j, &r->ink, n, at->line);
}

void pl_lines_fail(struct pl_lines *l, size_t i, platen_status s, const struct platen_error *err)
{
    assert(i < l->n && s != PLATEN_OK);
    struct pl_reading *page = l->v[i].page;
    pthread_mutex_lock(&l->lock);
    if (i < page->failed) {
        page->failed = i;
        page->status = s;
        page->err = *err;
    }
    pthread_mutex_unlock(&l->lock);
}

/* Decodes piece i of those that the network was run on, and ends its line where it was the last
 * one. */
static platen_status take_piece(struct reading_job *j, size_t i)
{
    const struct strip_piece *p = &j->r->pieces[i];
    const struct pl_line_scores scores = pl_line_net_scores(j->r->net, i);
    if (p->first)
        j->r->n_chars = 0;
    platen_status s = decode_piece(j, p, &scores);
    return s || !p->last ? s : finish_line(j, &j->lines->v[p->line]);
}

/* Runs the network on the pieces that wait, and decodes each. */
static void flush(struct reading_job *j)
{
    struct pl_recognizer *r = j->r;
    const platen_status all = pl_line_net_run(r->net, &j->err);
    for (size_t i = 0; i < r->n_pieces; i++) {
        const platen_status s = all ? all : take_piece(j, i);
        if (s)
            pl_lines_fail(j->lines, r->pieces[i].line, s, &j->err);
    }
    r->n_pieces = 0;
}

static platen_status add_piece(struct reading_job *j, const struct strip_piece *p)
{
    struct pl_recognizer *r = j->r;
    const struct pl_page_line *at = &j->lines->v[p->line];
    const int width = pl_strip_padded(r->model, p->cut.columns);
    const size_t bytes = (size_t)width * (size_t)r->model->height;
    if (!pl_line_net_fits(r->net, width))
        flush(j);
    uint8_t *px =
        PL_GROW(r->pieces, r->pieces_cap, r->n_pieces + 1) ? pl_line_net_add(r->net, width) : NULL;
    if (!px)
        return pl_fail_nomem(&j->err, bytes, "a line strip");
    r->pieces[r->n_pieces++] = *p;
    platen_status s = pl_strip_make(&at->page->env, pl_reading_picture(at->page, at->line),
                                    r->model, &p->cut, px, &j->err);
    if (s)
        memset(px, r->model->input_zero, bytes); /* it is read with the others, for nothing */
    return s;
}

static platen_status add_line(struct reading_job *j, size_t i)
{
    const struct pl_line_model *m = j->r->model;
    const struct pl_page_line *at = &j->lines->v[i];
    const struct pl_image *im = pl_reading_picture(at->page, at->line);
    int w = im->width, h = im->height;
    struct strip_piece p = {.line = i, .first = true};
    struct pl_strip_cut next = {0};
    platen_status s = pl_env_check(&at->page->env, &j->err);
    if (s)
        return s;
    if (!pl_strip_next(at->line, w, h, m, at->line->box.x0, &p.cut))
        return build_words(j, NULL, 0, at->line);
    for (; !s && !p.last; p.cut = next, p.first = false) {
        p.last = !pl_strip_next(at->line, w, h, m, p.cut.x1, &next);
        s = add_piece(j, &p);
    }
    return s;
}

void pl_recognizer_read(struct pl_recognizer *r, struct pl_lines *l, size_t from, size_t to)
{
    assert(from <= to && to <= l->n);
    struct reading_job j = {r, l, {.text = ""}};
    for (size_t i = from; i < to; i++) {
        const platen_status s = add_line(&j, i);
        if (s)
            pl_lines_fail(l, i, s, &j.err);
    }
    flush(&j);
}
