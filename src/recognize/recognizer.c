#include "recognize/recognize.h"

#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "image/decode.h"
#include "recognize/ctc.h"
#include "recognize/grow.h"
#include "recognize/initials.h"
#include "recognize/line_net.h"
#include "recognize/search.h"
#include "recognize/spaces.h"
#include "recognize/strip.h"
#include "recognize/words.h"

/* Of the line with which a network is tried. */
#define TRIAL_STEPS 16
/* Columns of one batch: few enough to share a page among threads. */
#define BATCH_COLUMNS 2048
/* A quarter turn clockwise, as EXIF numbers it. */
#define TURN_RIGHT 6
/* The logit of what may not be read. */
#define FORBIDDEN -1e30f
/* Weight of the language model where the pipeline says auto. */
#define LANGUAGE_WEIGHT 0.45

/* Parameters of the operation, in the order of their list. */
enum { MIN_CONF, LANGUAGE, CHARS, WORDS };

struct piece {
    struct pl_line *line;
    struct pl_strip_cut cut;
    bool last; /* of its line */
};

/* Everything but the network is scratch: it grows by powers of two and is kept. */
struct pl_recognizer {
    const struct pl_line_model *model;
    const struct pl_decoder *decoder;
    struct pl_line_net *net;
    struct pl_search *search;
    struct piece *pieces; /* whose strips wait in the network */
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

/* A line that runs up or down, described as it is read the other way round. */
struct turned_over {
    struct pl_line *first;
    struct pl_line line;
};

/* A page, and what its batches share. */
struct page {
    struct pl_recognizer *const *team; /* one for each worker */
    struct pl_env env;                 /* inside a batch: without the pool */
    struct pl_arena *arena;
    const struct pl_image *gray;
    struct pl_image turned[4]; /* clockwise by so many quarter turns, where lines run that way */
    float min_conf;
    struct turned_over *over;
    size_t n_over;
    struct pl_line **lines; /* those of the page, then those of `over` */
    size_t *first;          /* batch i: lines[first[i]..first[i + 1]) */
    size_t n_batches;
    pthread_mutex_t lock; /* of the arena and what is below */
    size_t failed;        /* the first batch that failed; n_batches = none */
    platen_status status;
    struct platen_error err;
};

/* What one worker works on: a batch. */
struct job {
    struct pl_recognizer *r;
    const struct pl_env *env;
    struct page *page;
    struct platen_error *err;
};

/* The picture in whose pixels the line is described. */
static const struct pl_image *picture_of(const struct page *page, const struct pl_line *line)
{
    return line->quarters ? &page->turned[line->quarters] : page->gray;
}

platen_status pl_recognizer_new(const struct pl_network *n, const struct pl_decoder *d,
                                const struct pl_kernels *k, struct pl_recognizer **ret,
                                struct platen_error *err)
{
    pl_auto(recognizer) r = pl_alloc_zero(1, sizeof(*r));
    if (!r)
        return pl_fail_nomem(err, sizeof(*r), "a recognizer");
    r->model = d->model;
    r->decoder = d;
    platen_status s = pl_line_net_new(n, r->model, k, &r->net, err);
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

/* Page column of a step's left edge. */
static double column_of(const struct pl_line_model *m, const struct pl_strip_cut *c, uint32_t step)
{
    double x = (double)step * m->stride - m->pad_left;
    x = PL_CLAMP(x, 0, c->columns);
    return c->x0 + x * (c->x1 - c->x0) / c->columns;
}

/* The logits without the forbidden classes. */
static platen_status restrict_logits(struct job *j, const float **logits, size_t steps)
{
    struct pl_recognizer *r = j->r;
    size_t n = r->model->n_classes;
    if (!r->decoder->restricted)
        return PLATEN_OK;
    if (!PL_GROW(r->logits, r->logits_cap, steps * n))
        return pl_fail_nomem(j->err, steps * n * sizeof(float), "logits");
    for (size_t i = 0; i < steps * n; i++)
        r->logits[i] = r->decoder->classes[i % n].forbidden ? FORBIDDEN : (*logits)[i];
    *logits = r->logits;
    return PLATEN_OK;
}

/* Reads a piece: its characters go to r->runs[0..*n). */
static platen_status read_piece(struct job *j, const float *logits, size_t steps, size_t *n)
{
    struct pl_recognizer *r = j->r;
    if (!PL_GROW(r->runs, r->runs_cap, steps) || !PL_GROW(r->best, r->best_cap, steps) ||
        !PL_GROW(r->share, r->share_cap, steps))
        return pl_fail_nomem(j->err, steps * sizeof(*r->runs), "characters");
    platen_status s = restrict_logits(j, &logits, steps);
    if (s)
        return s;
    j->env->k->softmax_top(r->best, r->share, logits, steps, r->model->n_classes);
    struct pl_ctc_line line = {logits, steps, r->model->n_classes, r->best, r->share};
    *n = pl_ctc_greedy(&line, r->runs);
    if (r->decoder->language || r->decoder->lexicon)
        s = pl_search_run(r->search, r->decoder, j->env->k, &line, r->runs, n, j->err);
    return s;
}

/* Appends the characters of a piece to those of its line. */
static platen_status decode(struct job *j, const struct pl_strip_cut *cut,
                            const struct pl_line_scores *scores)
{
    struct pl_recognizer *r = j->r;
    size_t n;
    platen_status s = read_piece(j, scores->values, scores->steps, &n);
    if (s)
        return s;
    if (!PL_GROW(r->chars, r->chars_cap, r->n_chars + n + 1))
        return pl_fail_nomem(j->err, n * sizeof(*r->chars), "characters");
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

static platen_status build_words(struct job *j, const struct pl_line_ink *ink, size_t n,
                                 struct pl_line *line)
{
    struct page *page = j->page;
    pthread_mutex_lock(&page->lock);
    platen_status s = pl_words_build(page->arena, &j->r->text, ink, j->r->chars, n, line, j->err);
    if (!s && !line->initial)
        s = pl_words_doubt(page->arena, &j->r->text, page->min_conf, line, j->err);
    pthread_mutex_unlock(&page->lock);
    return s;
}

static platen_status finish_line(struct job *j, struct pl_line *line)
{
    struct pl_recognizer *r = j->r;
    size_t n = r->n_chars;
    r->n_chars = 0;
    platen_status s = pl_line_ink_measure(&r->ink, j->env, picture_of(j->page, line), line, j->err);
    if (!s && !PL_GROW(r->chars, r->chars_cap, 2 * n)) /* each may get a blank */
        s = pl_fail_nomem(j->err, n * sizeof(*r->chars), "characters");
    if (s)
        return s;
    n = pl_spaces_settle(&r->ink, r->chars, n);
    return build_words(j, &r->ink, n, line);
}

/* Runs the pieces that were collected and takes in what they say. */
static platen_status flush(struct job *j)
{
    struct pl_recognizer *r = j->r;
    platen_status s = pl_line_net_run(r->net, j->err);
    for (size_t i = 0; i < r->n_pieces && !s; i++) {
        const struct piece *p = &r->pieces[i];
        const struct pl_line_scores scores = pl_line_net_scores(r->net, i);
        s = decode(j, &p->cut, &scores);
        if (!s && p->last)
            s = finish_line(j, p->line);
    }
    r->n_pieces = 0;
    return s;
}

static platen_status add_piece(struct job *j, struct pl_line *line, const struct pl_strip_cut *cut,
                               bool last)
{
    struct pl_recognizer *r = j->r;
    const int width = pl_strip_padded(r->model, cut->columns);
    platen_status s = pl_line_net_fits(r->net, width) ? PLATEN_OK : flush(j);
    if (s)
        return s;
    uint8_t *px =
        PL_GROW(r->pieces, r->pieces_cap, r->n_pieces + 1) ? pl_line_net_add(r->net, width) : NULL;
    if (!px)
        return pl_fail_nomem(j->err, (size_t)width * (size_t)r->model->height, "a line strip");
    r->pieces[r->n_pieces++] = (struct piece){line, *cut, last};
    return pl_strip_make(j->env, picture_of(j->page, line), r->model, cut, px, j->err);
}

static platen_status add_line(struct job *j, struct pl_line *line)
{
    const struct pl_line_model *m = j->r->model;
    const struct pl_image *im = picture_of(j->page, line);
    int w = im->width, h = im->height;
    struct pl_strip_cut cut, next = {0};
    if (!pl_strip_next(line, w, h, m, line->box.x0, &cut))
        return build_words(j, NULL, 0, line);
    platen_status s = PLATEN_OK;
    for (bool more = true; more && !s; cut = next) {
        more = pl_strip_next(line, w, h, m, cut.x1, &next);
        s = add_piece(j, line, &cut, !more);
    }
    return s;
}

static platen_status run_batch(struct job *j, size_t batch)
{
    const struct page *page = j->page;
    struct pl_recognizer *r = j->r;
    platen_status s = PLATEN_OK;
    r->n_pieces = r->n_chars = 0;
    pl_line_net_reset(r->net); /* a batch that failed may have left some */
    for (size_t i = page->first[batch]; i < page->first[batch + 1] && !s; i++)
        s = add_line(j, page->lines[i]);
    return s ? s : flush(j);
}

static void run_one(void *ctx, int worker, size_t batch)
{
    struct page *page = ctx;
    struct platen_error err;
    struct job j = {page->team[worker], &page->env, page, &err};
    platen_status s = pl_env_check(&page->env, &err);
    if (!s)
        s = run_batch(&j, batch);
    if (!s)
        return;
    pthread_mutex_lock(&page->lock);
    if (batch < page->failed) {
        page->failed = batch;
        page->status = s;
        page->err = err;
    }
    pthread_mutex_unlock(&page->lock);
}

/* About the columns of a line's strip. */
static size_t strip_columns(const struct pl_line *line, int height)
{
    int w = PL_MAX(pl_rect_width(line->box), 1), h = PL_MAX(pl_rect_height(line->box), 1);
    return (size_t)w * (size_t)height / (size_t)h + 1;
}

/* The page's picture turned by `quarters`. */
static platen_status turn_picture(struct page *page, int quarters, struct platen_error *err)
{
    struct pl_image *im = &page->turned[quarters];
    platen_status s = PLATEN_OK;
    if (im->px)
        return s;
    *im = pl_image_ref(page->gray);
    for (int i = 0; !s && i < quarters; i++)
        s = pl_image_turn(&page->env, im, TURN_RIGHT, err);
    return s;
}

/* Figures and capitals look the same from both sides: a line that runs up or down is read both
 * ways, and turned_over_settle() keeps what is read more surely. */
static platen_status add_turned_over(struct page *page, struct pl_line *first,
                                     struct platen_error *err)
{
    struct turned_over *over = &page->over[page->n_over++];
    *over = (struct turned_over){first, *first};
    platen_status s = turn_picture(page, first->quarters, err);
    if (s)
        return s;
    const struct pl_image *im = picture_of(page, first);
    if (!pl_line_turn_over(page->arena, &over->line, im->width, im->height))
        return pl_fail_nomem(err, first->n_gaps * sizeof(*first->gaps), "a line");
    return turn_picture(page, over->line.quarters, err);
}

static void turned_over_settle(struct page *page)
{
    for (size_t i = 0; i < page->n_over; i++)
        if (page->over[i].line.conf > page->over[i].first->conf)
            *page->over[i].first = page->over[i].line;
}

/* All that is to be read. */
static platen_status collect_lines(struct page *page, const struct pl_regions *regions,
                                   size_t *ret_n, struct platen_error *err)
{
    size_t n = 0, k = 0, turned = 0;
    platen_status s = PLATEN_OK;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++, n++)
            turned += regions->blocks[b].lines[i].quarters != 0;
    page->over = PL_NEW(page->arena, struct turned_over, turned);
    page->lines = PL_NEW(page->arena, struct pl_line *, n + turned + 1);
    page->first = PL_NEW(page->arena, size_t, n + turned + 1);
    if (!page->over || !page->lines || !page->first)
        return pl_fail_nomem(err, n * sizeof(*page->lines), "the lines of a page");
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines && !s; i++) {
            page->lines[k++] = &regions->blocks[b].lines[i];
            if (regions->blocks[b].lines[i].quarters)
                s = add_turned_over(page, &regions->blocks[b].lines[i], err);
        }
    for (size_t i = 0; i < page->n_over; i++)
        page->lines[k++] = &page->over[i].line;
    *ret_n = k;
    return s;
}

/* Parts the lines, in their order, into batches. */
static void plan_batches(struct page *page, size_t n)
{
    size_t columns = 0;
    for (size_t k = 0; k < n; k++) {
        size_t more = strip_columns(page->lines[k], page->team[0]->model->height);
        if (!k || columns + more > BATCH_COLUMNS) {
            page->first[page->n_batches++] = k;
            columns = 0;
        }
        columns += more;
    }
    page->first[page->n_batches] = n;
    page->failed = page->n_batches;
}

static void run_batches(struct page *page, struct pl_pool *pool)
{
    pthread_mutex_init(&page->lock, NULL);
    pl_pool_for(pool, page->n_batches, run_one, page);
    pthread_mutex_destroy(&page->lock);
    if (!page->status)
        turned_over_settle(page);
}

static platen_status recognize(struct pl_recognizer *const *team, const struct pl_env *env,
                               struct pl_arena *arena, const struct pl_image *gray,
                               struct pl_regions *regions, const struct pl_arg *args,
                               struct platen_error *err)
{
    struct page page = {.team = team,
                        .env = {.k = env->k, .bufs = env->bufs, .cancel = env->cancel},
                        .arena = arena,
                        .gray = gray,
                        .min_conf = (float)args[MIN_CONF].number};
    size_t n = 0;
    platen_status s = collect_lines(&page, regions, &n, err);
    if (!s) {
        plan_batches(&page, n);
        run_batches(&page, env->pool);
        s = page.status;
        if (s)
            *err = page.err;
        else if (!pl_initials_join(arena, env->k, team[0]->decoder->language, regions))
            s = pl_fail_nomem(err, n * sizeof(struct pl_line), "initials");
    }
    for (size_t i = 0; i < PL_ARRAY_LEN(page.turned); i++)
        pl_image_done(&page.turned[i]);
    return s;
}

/* On the development pages most drawings and stamps that are taken for lines are read below 0.7,
 * and 4 of 453 real lines are. F1 hardly changes from 0.6 to 0.8. */
static const struct pl_param params[] = {
    {.name = "min-conf",
     .kind = PL_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .def = 0.7,
     .unit = "",
     .help = "of a line read with less confidence only sure words stay; 0 keeps all"},
    {.name = "lm",
     .kind = PL_PARAM_NUMBER,
     .min = 0,
     .max = 4,
     .def = -1,
     .def_text = "auto",
     .unit = "",
     .help = "weight of the language model; 0 is off, auto the best where there is one"},
    {.name = "chars",
     .kind = PL_PARAM_TEXT,
     .unit = "",
     .help = "the only characters to read, as 0-9., (blanks are always read)"},
    {.name = "words",
     .kind = PL_PARAM_TEXT,
     .unit = "",
     .help = "a file of words to prefer, one a line"},
};

platen_status pl_recognize_decoder(const struct pl_line_model *m,
                                   const struct pl_language *language, const struct pl_arg *args,
                                   struct pl_decoder **ret, struct platen_error *err)
{
    double weight = args[LANGUAGE].number < 0 ? LANGUAGE_WEIGHT : args[LANGUAGE].number;
    struct pl_decode_options o = {args[CHARS].text, args[WORDS].text, (float)weight};
    return pl_decoder_new(m, language, &o, ret, err);
}

enum pl_language_wish pl_recognize_language_wish(const struct pl_arg *args)
{
    double weight = args[LANGUAGE].number;
    return weight < 0 ? PL_LANGUAGE_AUTO : weight > 0 ? PL_LANGUAGE_ON : PL_LANGUAGE_OFF;
}

platen_status pl_recognize_try(const struct pl_network *n, const struct pl_line_model *m,
                               const struct pl_kernels *k, struct platen_error *err)
{
    pl_auto(line_net) net = NULL;
    platen_status s = pl_line_net_new(n, m, k, &net, err);
    const int width = TRIAL_STEPS * m->stride;
    uint8_t *px = s ? NULL : pl_line_net_add(net, width);
    if (s || !px)
        return s ? s : pl_fail_nomem(err, (size_t)width, "a line strip");
    memset(px, m->input_zero, (size_t)width * (size_t)m->height);
    return pl_line_net_run(net, err);
}

static const struct pl_recognize_op ctc = {
    .info = {.name = "ctc",
             .help = "read every line with the model's network",
             .params = params,
             .n_params = PL_ARRAY_LEN(params)},
    .run = recognize,
};

const struct pl_recognize_op *const pl_recognize_ops[] = {&ctc, NULL};

const struct pl_recognize_op *pl_recognize_find(const char *name, size_t n)
{
    for (const struct pl_recognize_op *const *op = pl_recognize_ops; *op; op++)
        if (strlen((*op)->info.name) == n && !memcmp((*op)->info.name, name, n))
            return *op;
    return NULL;
}
