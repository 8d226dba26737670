/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/recognizer.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "recognize/alike.h"
#include "recognize/grow.h"
#include "recognize/line_net.h"
#include "recognize/search.h"
#include "recognize/small_type.h"
#include "recognize/spaces.h"
#include "recognize/words.h"

/* The logit of what may not be read. */
#define FORBIDDEN -1e30f

struct strip_piece {
    size_t line; /* its number */
    struct pl_trace *trace;
};

/* A network, and the pieces whose strips wait in it. */
struct waiting_pieces {
    struct pl_line_net *net;
    struct strip_piece *v;
    size_t n, cap;
};

/* Everything but the network is scratch: it grows by powers of two and is kept. */
struct pl_recognizer {
    const struct pl_line_model *model;
    const struct pl_kernels *kernels;
    struct pl_line_calls *calls;
    struct pl_recognizer **others; /* for further models, as far as they were needed */
    size_t n_others;
    struct waiting_pieces quick; /* those for the quick network; that is NULL where there is none */
    struct waiting_pieces whole; /* those that the quick one does not read, or not surely */
    struct pl_search *search;
    float *logits; /* of one piece, without what may not be read */
    size_t logits_cap;
    uint32_t *best; /* of the steps of one piece, as `share` */
    float *share;
    uint32_t *first; /* of the steps of one piece, with `rivals` */
    struct pl_ctc_rival *rivals;
    size_t best_cap, share_cap, first_cap, rivals_cap;
    struct pl_ctc_run *runs; /* of one piece */
    uint32_t *points;        /* the code points of the best path of one line */
    size_t runs_cap, points_cap;
    struct pl_read_char *chars; /* of one line */
    size_t n_chars, chars_cap;
    struct pl_read_char *small; /* of one of its words in small type */
    size_t small_cap;
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

int pl_recognizer_columns(const struct pl_recognizer *r)
{
    return pl_line_net_columns(r->whole.net);
}

platen_status pl_recognizer_new(const struct pl_network *n, const struct pl_line_model *m,
                                const struct pl_kernels *k, struct pl_line_calls *calls,
                                size_t n_further, struct pl_recognizer **ret,
                                struct platen_error *err)
{
    pl_auto(recognizer) r = pl_alloc_zero(1, sizeof(*r));
    if (!r)
        return pl_fail_nomem(err, sizeof(*r), "a recognizer");
    r->model = m;
    r->kernels = k;
    r->calls = calls;
    r->others = pl_alloc_zero(n_further + 1, sizeof(struct pl_recognizer *));
    if (!r->others)
        return pl_fail_nomem(err, n_further * sizeof(*r->others), "a recognizer");
    r->n_others = n_further;
    platen_status s = pl_line_net_new(n, r->model, k, calls, &r->whole.net, err);
    if (!s && m->quick)
        s = pl_line_net_new(m->quick, r->model, k, calls, &r->quick.net, err);
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
    for (size_t i = 0; i < r->n_others; i++)
        pl_recognizer_free(r->others[i]);
    pl_free(r->others);
    pl_line_net_free(r->quick.net);
    pl_line_net_free(r->whole.net);
    pl_search_free(r->search);
    pl_free(r->quick.v);
    pl_free(r->whole.v);
    pl_free(r->logits);
    pl_free(r->best);
    pl_free(r->share);
    pl_free(r->first);
    pl_free(r->rivals);
    pl_free(r->runs);
    pl_free(r->points);
    pl_free(r->chars);
    pl_free(r->small);
    pl_str_done(&r->text);
    pl_line_ink_done(&r->ink);
    pl_free(r);
}

platen_status pl_recognizer_further(struct pl_recognizer *r, size_t i,
                                    const struct pl_reading_model *m, struct pl_recognizer **ret,
                                    struct platen_error *err)
{
    assert(i < r->n_others);
    platen_status s = PLATEN_OK;
    if (!r->others[i])
        s = pl_recognizer_new(m->network, m->decoder->model, r->kernels, r->calls, 0, &r->others[i],
                              err);
    *ret = r->others[i];
    return s;
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
    const struct pl_decoder *d = j->lines->decoder;
    size_t n = r->model->n_classes;
    if (!d->restricted)
        return PLATEN_OK;
    if (!PL_GROW(r->logits, r->logits_cap, steps * n))
        return pl_fail_nomem(&j->err, steps * n * sizeof(float), "logits");
    for (size_t i = 0; i < steps * n; i++)
        r->logits[i] = d->classes[i % n].forbidden ? FORBIDDEN : (*logits)[i];
    *logits = r->logits;
    return PLATEN_OK;
}

/* Fills the scratch of the steps of one piece by its logits. */
static platen_status find_classes(struct reading_job *j, const struct pl_line_scores *scores,
                                  const struct pl_kernels *k, struct pl_ctc_line *ret)
{
    struct pl_recognizer *r = j->r;
    const float *logits = scores->values;
    const size_t steps = scores->steps;
    if (!PL_GROW(r->best, r->best_cap, steps) || !PL_GROW(r->share, r->share_cap, steps) ||
        !PL_GROW(r->first, r->first_cap, steps + 1) ||
        !PL_GROW(r->rivals, r->rivals_cap, steps * PL_CTC_RIVALS))
        return pl_fail_nomem(&j->err, steps * sizeof(*r->rivals), "the steps of a line");
    platen_status s = restrict_logits(j, &logits, steps);
    if (s)
        return s;
    k->softmax_top(r->best, r->share, logits, steps, r->model->n_classes);
    *ret = (struct pl_ctc_line){steps, r->best, r->share, r->first, r->rivals};
    pl_ctc_find_rivals(logits, r->model->n_classes, ret, r->first, r->rivals);
    return PLATEN_OK;
}

/* Adds a piece behind those of a list that are left of it; what it says comes by keep_trace(). */
static platen_status begin_trace(struct reading_job *j, struct pl_traces *list,
                                 const struct pl_strip_cut *cut, struct pl_trace **ret)
{
    pthread_mutex_lock(&j->lines->lock);
    struct pl_trace *t = PL_NEW(j->lines->arena, struct pl_trace, 1);
    pthread_mutex_unlock(&j->lines->lock);
    if (!t)
        return pl_fail_nomem(&j->err, sizeof(*t), "a piece of a line");
    *t = (struct pl_trace){.cut = *cut};
    *(list->first ? &list->last->next : &list->first) = t;
    *ret = list->last = t;
    return PLATEN_OK;
}

/* Copies what was found of a piece to the arena. */
static platen_status keep_trace(struct reading_job *j, struct pl_trace *t,
                                const struct pl_ctc_line *found)
{
    struct pl_arena *arena = j->lines->arena;
    const size_t steps = found->steps, n = found->first[steps];
    pthread_mutex_lock(&j->lines->lock);
    uint32_t *best = PL_NEW(arena, uint32_t, 2 * steps + 1);
    float *share = PL_NEW(arena, float, steps);
    struct pl_ctc_rival *rivals = PL_NEW(arena, struct pl_ctc_rival, n);
    pthread_mutex_unlock(&j->lines->lock);
    if (!best || !share || !rivals)
        return pl_fail_nomem(&j->err, n * sizeof(*rivals), "the steps of a line");
    memcpy(best, found->best, steps * sizeof(*best));
    memcpy(best + steps, found->first, (steps + 1) * sizeof(*best));
    memcpy(share, found->share, steps * sizeof(*share));
    memcpy(rivals, found->rivals, n * sizeof(*rivals));
    t->ctc = (struct pl_ctc_line){steps, best, share, best + steps, rivals};
    return PLATEN_OK;
}

/* Reads the best path of a piece into r->runs[0..*n). */
static platen_status read_best(struct reading_job *j, const struct pl_ctc_line *line, size_t *n)
{
    struct pl_recognizer *r = j->r;
    if (!PL_GROW(r->runs, r->runs_cap, line->steps))
        return pl_fail_nomem(&j->err, line->steps * sizeof(*r->runs), "characters");
    *n = pl_ctc_greedy(line, r->runs);
    return PLATEN_OK;
}

/* Notes what the best path of a line says of its language, and how sure it is. */
static platen_status note_traits(struct reading_job *j, struct pl_page_line *at)
{
    struct pl_recognizer *r = j->r;
    const struct pl_decoder *d = j->lines->decoder;
    size_t n = 0, more = 0;
    double sum = 0;
    for (const struct pl_trace *t = at->whole.first; t; t = t->next) {
        platen_status s = read_best(j, &t->ctc, &more);
        if (s)
            return s;
        if (!PL_GROW(r->points, r->points_cap, n + more))
            return pl_fail_nomem(&j->err, more * sizeof(*r->points), "characters");
        for (size_t i = 0; i < more; i++, n++) {
            r->points[n] = d->classes[r->runs[i].class_id].code_point;
            sum += (double)r->runs[i].conf;
        }
    }
    pthread_mutex_lock(&j->lines->lock);
    struct pl_traits *traits = PL_NEW(j->lines->arena, struct pl_traits, 1);
    pthread_mutex_unlock(&j->lines->lock);
    if (!traits)
        return pl_fail_nomem(&j->err, sizeof(*traits), "the traits of a line");
    *traits = (struct pl_traits){.pieces = 0};
    pl_identifier_add(d->text.identifier, at->page->env.k, r->points, n, traits);
    at->traits = traits;
    at->sureness = n ? (float)(sum / (double)n) : 0;
    return PLATEN_OK;
}

/* The language of a line, or what text that nobody can tell is taken to be in; NULL = nobody knows.
 */
static const char *language_taken(const struct pl_decoder *d, const struct pl_page_line *at)
{
    const char *told = pl_line_language(at->page->regions, at->line);
    return told ? told : d->tag;
}

/* Appends the characters of a piece to r->chars, which has room for two more then. */
static platen_status spell_piece(struct reading_job *j, const struct pl_page_line *at,
                                 const struct pl_trace *t)
{
    struct pl_recognizer *r = j->r;
    const struct pl_decoder *d = j->lines->decoder;
    const struct pl_strip_cut *cut = &t->cut;
    size_t n;
    if (!t->ctc.steps) /* the network failed at it, and with it the page */
        return PLATEN_OK;
    platen_status s = read_best(j, &t->ctc, &n);
    if (!s && (at->language || d->lexicon))
        s = pl_search_run(r->search, d, at->language, at->page->env.k, &t->ctc, r->runs, &n,
                          &j->err);
    if (s)
        return s;
    pl_alike_settle(d, language_taken(d, at), &t->ctc, r->runs, n);
    if (!PL_GROW(r->chars, r->chars_cap, r->n_chars + n + 2))
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
                                 const struct pl_page_line *at)
{
    struct pl_lines *l = j->lines;
    struct pl_line *line = at->line;
    pthread_mutex_lock(&l->lock);
    platen_status s = pl_words_build(l->arena, &j->r->text, ink, j->r->chars, n, line, &j->err);
    if (!s && !line->initial)
        s = pl_words_doubt(l->arena, l->min_conf, line, &j->err);
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
    return build_words(j, &r->ink, n, at);
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

static void read_waiting(struct reading_job *j, struct waiting_pieces *w);

/* Room for the strip of one more piece; what waits is read first where there is none. NULL when
 * memory is short. */
static uint8_t *add_strip(struct reading_job *j, struct waiting_pieces *w,
                          const struct strip_piece *p, int width)
{
    if (!pl_line_net_fits(w->net, width))
        read_waiting(j, w);
    uint8_t *px = PL_GROW(w->v, w->cap, w->n + 1) ? pl_line_net_add(w->net, width) : NULL;
    if (px)
        w->v[w->n++] = *p;
    return px;
}

/* Whether what the quick network says of a piece stays. */
static platen_status is_sure(struct reading_job *j, const struct pl_ctc_line *found, bool *ret)
{
    size_t n = 0;
    platen_status s = read_best(j, found, &n);
    *ret = !s && pl_ctc_sureness(found, j->r->runs, n) >= j->r->model->sure;
    return s;
}

/* Has the network itself read piece i of those that the quick one has read. */
static platen_status pass_on(struct reading_job *j, size_t i, size_t steps)
{
    const struct waiting_pieces *quick = &j->r->quick;
    const int width = (int)steps * j->r->model->stride;
    const size_t bytes = (size_t)width * (size_t)j->r->model->height;
    uint8_t *px = add_strip(j, &j->r->whole, &quick->v[i], width);
    if (!px)
        return pl_fail_nomem(&j->err, bytes, "a line strip");
    memcpy(px, pl_line_net_strip(quick->net, i), bytes);
    return PLATEN_OK;
}

/* Takes in what the network says of piece i of those that were run. */
static platen_status take_piece(struct reading_job *j, const struct waiting_pieces *w, size_t i)
{
    const struct strip_piece *p = &w->v[i];
    const struct pl_line_scores scores = pl_line_net_scores(w->net, i);
    struct pl_ctc_line found;
    bool sure = true;
    platen_status s = find_classes(j, &scores, j->lines->v[p->line].page->env.k, &found);
    if (!s && w == &j->r->quick)
        s = is_sure(j, &found, &sure);
    if (s)
        return s;
    j->lines->v[p->line].n_sure += sure && w == &j->r->quick;
    return sure ? keep_trace(j, p->trace, &found) : pass_on(j, i, scores.steps);
}

/* Runs the network on the pieces that wait in it. */
static void read_waiting(struct reading_job *j, struct waiting_pieces *w)
{
    const platen_status all = pl_line_net_run(w->net, &j->err);
    for (size_t i = 0; i < w->n; i++) {
        const platen_status s = all ? all : take_piece(j, w, i);
        if (s)
            pl_lines_fail(j->lines, w->v[i].line, s, &j->err);
    }
    w->n = 0;
}

/* Whether the quick network has a look at a piece: a picture with fewer rows than the networks take
 * has to be enlarged, and of such it is seldom sure. */
static bool goes_to_quick(const struct pl_recognizer *r, const struct pl_page_line *at,
                          const struct pl_strip_cut *cut)
{
    return r->quick.net && at->asks_quick && cut->y1 - cut->y0 >= r->model->height;
}

/* Adds a piece of line i to `list`, one of the line's, and has `w` read it. */
static platen_status add_piece(struct reading_job *j, size_t i, struct pl_strip_cut *cut,
                               struct pl_traces *list, struct waiting_pieces *w)
{
    struct pl_recognizer *r = j->r;
    struct pl_page_line *at = &j->lines->v[i];
    struct strip_piece p = {.line = i};
    const int width = pl_strip_padded(r->model, cut->columns);
    const size_t bytes = (size_t)width * (size_t)r->model->height;
    cut->mirrored = at->mirrored;
    platen_status s = begin_trace(j, list, cut, &p.trace);
    if (s)
        return s;
    uint8_t *px = add_strip(j, w, &p, width);
    if (!px)
        return pl_fail_nomem(&j->err, bytes, "a line strip");
    s = pl_strip_make(&at->page->env, pl_reading_picture(at->page, at->line), r->model, cut, px,
                      &j->err);
    if (s)
        memset(px, r->model->input_zero, bytes); /* it is read with the others, for nothing */
    return s;
}

static platen_status add_line(struct reading_job *j, size_t i)
{
    struct pl_recognizer *r = j->r;
    struct pl_page_line *at = &j->lines->v[i];
    const struct pl_image *im = pl_reading_picture(at->page, at->line);
    struct pl_strip_cut cut;
    struct pl_line small;
    int from = at->line->box.x0;
    platen_status s = pl_env_check(&at->page->env, &j->err);
    for (; !s && pl_strip_next(at->line, im->width, im->height, r->model, from, &cut);
         from = cut.x1)
        s = add_piece(j, i, &cut, &at->whole, goes_to_quick(r, at, &cut) ? &r->quick : &r->whole);
    for (size_t box = 0; !s && pl_small_type_next(at->line, &box, &small);)
        if (pl_strip_next(&small, im->width, im->height, r->model, small.box.x0, &cut))
            s = add_piece(j, i, &cut, &at->small, &r->whole);
    return s;
}

void pl_recognizer_look(struct pl_recognizer *r, struct pl_lines *l, size_t from, size_t to,
                        bool probes)
{
    assert(from <= to && to <= l->n);
    struct reading_job j = {r, l, {.text = ""}};
    for (size_t i = from; i < to; i++) {
        const platen_status s = l->v[i].is_probe == probes ? add_line(&j, i) : PLATEN_OK;
        if (s)
            pl_lines_fail(l, i, s, &j.err);
    }
    if (r->quick.net)
        read_waiting(&j, &r->quick);
    read_waiting(&j, &r->whole);
    for (size_t i = from; i < to && l->decoder->text.identifier; i++) {
        const bool looked_at = l->v[i].is_probe == probes && l->v[i].whole.first;
        const platen_status s = looked_at ? note_traits(&j, &l->v[i]) : PLATEN_OK;
        if (s)
            pl_lines_fail(l, i, s, &j.err);
    }
}

/* Puts what a word in small type is by itself into the characters of its line. */
static platen_status spell_small(struct reading_job *j, const struct pl_page_line *at,
                                 const struct pl_trace *t)
{
    struct pl_recognizer *r = j->r;
    const size_t n = r->n_chars;
    platen_status s = spell_piece(j, at, t);
    if (s || r->n_chars == n)
        return s;
    const size_t n_small = r->n_chars - n;
    if (!PL_GROW(r->small, r->small_cap, n_small))
        return pl_fail_nomem(&j->err, n_small * sizeof(*r->small), "characters");
    memcpy(r->small, r->chars + n, n_small * sizeof(*r->small));
    r->n_chars = pl_small_type_take(at->line, r->chars, n, r->small, n_small, t->cut.x0, t->cut.x1);
    return s;
}

static platen_status spell_line(struct reading_job *j, const struct pl_page_line *at)
{
    platen_status s = pl_env_check(&at->page->env, &j->err);
    j->r->n_chars = 0;
    for (const struct pl_trace *t = at->whole.first; t && !s; t = t->next)
        s = spell_piece(j, at, t);
    for (const struct pl_trace *t = at->small.first; t && !s; t = t->next)
        s = spell_small(j, at, t);
    if (s)
        return s;
    return at->whole.first ? finish_line(j, at) : build_words(j, NULL, 0, at);
}

void pl_recognizer_spell(struct pl_recognizer *r, struct pl_lines *l, size_t from, size_t to)
{
    assert(from <= to && to <= l->n);
    struct reading_job j = {r, l, {.text = ""}};
    for (size_t i = from; i < to; i++) {
        const platen_status s = spell_line(&j, &l->v[i]);
        if (s)
            pl_lines_fail(l, i, s, &j.err);
    }
}
