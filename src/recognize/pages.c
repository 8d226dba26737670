/* SPDX-License-Identifier: BSD-2-Clause */
/* The operation that reads lines. The lines of several pages are read together. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "recognize/batches.h"
#include "recognize/line_net.h"
#include "recognize/language/codes.h"
#include "recognize/language/page_language.h"
#include "recognize/recognizer.h"
#include "recognize/recognize_tuning.def"
#include "recognize/reread.h"

/* Steps of the line with which a network is tried. */
#define TRIAL_STEPS 16
#define TRIAL_STEP 40503 /* 2^16 over the golden ratio: bytes that spread evenly */
/* Quarter turns, clockwise and the other way, as EXIF numbers them. */
#define TURN_RIGHT 6
#define TURN_LEFT 8

/* A line that runs up or down, and the same line described as it is read the other way round. */
struct turned_over {
    struct pl_line *first;
    struct pl_line line;
};

/* The lines of all pages. */
struct work {
    struct pl_batches batches; /* of each page the lines that it has, then those of `over` */
    struct turned_over *over;
    size_t n_over;
};

struct pl_reading_size pl_reading_size(const struct pl_recognizer *r,
                                       const struct pl_regions *regions)
{
    struct pl_reading_size size = {0};
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++) {
            size.lines++;
            size.columns += pl_strip_columns(&regions->blocks[b].lines[i], pl_recognizer_height(r));
        }
    return size;
}

/* Makes the page's picture turned by `quarters`. */
static platen_status turn_picture(struct pl_reading *page, int quarters, struct platen_error *err)
{
    assert(quarters >= 0 && quarters < 4 && page->turned[0].px);
    struct pl_image *im = &page->turned[quarters];
    platen_status s = PLATEN_OK;
    if (im->px)
        return s;
    *im = pl_image_ref(&page->turned[0]);
    if (quarters == 3)
        return pl_image_turn(&page->env, im, TURN_LEFT, err);
    for (int i = 0; !s && i < quarters; i++)
        s = pl_image_turn(&page->env, im, TURN_RIGHT, err);
    return s;
}

/* Figures and capitals look the same from both sides: a line that runs up or down is read both
 * ways, and turned_over_settle() keeps what is read more surely. */
static platen_status add_turned_over(struct work *w, struct pl_reading *page, struct pl_line *first,
                                     struct platen_error *err)
{
    struct turned_over *over = &w->over[w->n_over++];
    *over = (struct turned_over){first, *first};
    platen_status s = turn_picture(page, first->quarters, err);
    if (s)
        return s;
    const struct pl_image *im = pl_reading_picture(page, first);
    if (!pl_line_turn_over(w->batches.lines.arena, &over->line, im->width, im->height))
        return pl_fail_nomem(err, first->n_gaps * sizeof(*first->gaps), "a line");
    return turn_picture(page, over->line.quarters, err);
}

static void turned_over_settle(struct work *w)
{
    for (size_t i = 0; i < w->n_over; i++)
        if (w->over[i].line.conf > w->over[i].first->conf)
            *w->over[i].first = w->over[i].line;
}

/* Collects all that is to be read of a page. */
static void collect_page(struct work *w, struct pl_reading *page)
{
    struct pl_regions *r = page->regions;
    const size_t n = w->batches.lines.n, n_over = w->n_over;
    platen_status s = PLATEN_OK;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines && !s; i++) {
            pl_batches_add(&w->batches, page, &r->blocks[b].lines[i]);
            if (r->blocks[b].lines[i].quarters)
                s = add_turned_over(w, page, &r->blocks[b].lines[i], &page->err);
        }
    for (size_t i = n_over; i < w->n_over; i++)
        pl_batches_add(&w->batches, page, &w->over[i].line);
    page->status = s;
    if (s) { /* none of it is read */
        w->batches.lines.n = n;
        w->n_over = n_over;
    }
}

static bool make_room(struct work *w, struct pl_reading *const *pages, size_t n)
{
    size_t lines = 0, turned = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t b = 0; b < pages[k]->regions->n_blocks; b++) {
            const struct pl_block *block = &pages[k]->regions->blocks[b];
            lines += block->n_lines;
            for (size_t i = 0; i < block->n_lines; i++)
                turned += block->lines[i].quarters != 0;
        }
    w->over = PL_NEW(w->batches.lines.arena, struct turned_over, turned);
    return w->over && pl_batches_room(&w->batches, lines + turned);
}

static void ctc_run(const struct pl_reader *r, struct pl_reading *const *pages, size_t n)
{
    const struct pl_env *env = r->env;
    const float min_conf = (float)r->args->min_conf;
    struct work w = {.batches = {.team = r->team,
                                 .decoding = r->decoding,
                                 .lines = {.arena = r->arena, .min_conf = min_conf}}};
    const bool room = make_room(&w, pages, n);
    for (size_t i = 0; i < n && !room; i++)
        pages[i]->status =
            pl_fail_nomem(&pages[i]->err, n * sizeof(struct pl_page_line), "the lines of a page");
    if (!room)
        return;
    for (size_t i = 0; i < n; i++) {
        pages[i]->env = (struct pl_env){.k = env->k, .bufs = env->bufs, .cancel = pages[i]->cancel};
        pages[i]->failed = SIZE_MAX;
        collect_page(&w, pages[i]);
    }
    pl_batches_run(&w.batches, env);
    turned_over_settle(&w);
    pl_reread(r, pages, n);
    for (size_t i = 0; i < n; i++)
        if (!pages[i]->status)
            pages[i]->status =
                pl_language_conclude(r->decoding->decoder, env->k, w.batches.lines.min_conf,
                                     r->arena, pages[i]->regions, &pages[i]->err);
    for (size_t i = 0; i < n; i++)
        for (size_t q = 1; q < PL_ARRAY_LEN(pages[i]->turned); q++)
            pl_image_done(&pages[i]->turned[q]);
}

platen_status pl_recognize_page(const struct pl_reader *r, const struct pl_image *gray,
                                struct pl_regions *regions, struct platen_error *err)
{
    struct pl_reading page = {
        .turned = {pl_image_ref(gray)}, .regions = regions, .cancel = r->env->cancel};
    r->op->run(r, &(struct pl_reading *){&page}, 1);
    if (page.status)
        *err = page.err;
    pl_reading_done(&page);
    return page.status;
}

static bool reads_wide(const struct pl_decoder *d)
{
    for (size_t i = 0; i < d->model->n_classes; i++)
        if (pl_is_wide(d->classes[i].code_point))
            return true;
    return false;
}

platen_status pl_decoding_reads_wide(const struct pl_decoding *d, bool *ret,
                                     struct platen_error *err)
{
    const struct pl_further_models *further = d->further;
    platen_status s = PLATEN_OK;
    *ret = reads_wide(d->decoder);
    for (size_t i = 0; further && i < further->n && !s && !*ret; i++) {
        struct pl_reading_model m;
        if (!(further->uses[i] & PL_FURTHER_TRIAL))
            continue;
        s = further->open(further->ctx, i, &m, err);
        *ret = !s && reads_wide(m.decoder);
    }
    return s;
}

static const struct pl_param params[] = {
    {.name = "min-conf",
     PL_PARAM(struct pl_recognize_args, min_conf),
     .min = 0,
     .max = 1,
     .def = -1,
     .def_text = "auto",
     .unit = "",
     .help =
         "of a line read with less confidence only sure words stay; 0 keeps all, auto is 0.7 or "
         "what the model brings"},
    {.name = "lm",
     PL_PARAM(struct pl_recognize_args, lm),
     .min = 0,
     .max = 4,
     .def = -1,
     .def_text = "auto",
     .unit = "",
     .help = "weight of language models; 0 is off, auto the best where there is one"},
    {.name = "lang",
     PL_PARAM(struct pl_recognize_args, lang),
     .unit = "",
     .help = "languages that are expected, as de or deu+eng; others are found all the same"},
    {.name = "chars",
     PL_PARAM(struct pl_recognize_args, chars),
     .unit = "",
     .help = "the only characters to read, as 0-9., or, as ^0-9, those not to read (blanks are "
             "always read)"},
    {.name = "words",
     PL_PARAM(struct pl_recognize_args, words),
     .names = PL_NAMES_FILE,
     .unit = "",
     .help = "a file of words to prefer, one a line"},
};

static float weight_of(const struct pl_recognize_args *args)
{
    return (float)(args->lm < 0 ? LANGUAGE_WEIGHT : args->lm);
}

platen_status pl_recognize_decoder(const struct pl_line_model *m, const struct pl_text_models *text,
                                   const struct pl_recognize_args *args, struct pl_decoder **ret,
                                   struct platen_error *err)
{
    const struct pl_decode_options o = {args->chars, args->words, args->lang, weight_of(args)};
    return pl_decoder_new(m, text, &o, ret, err);
}

/* Fails for a language of `lang` that is none of `known`. */
static platen_status check_languages(const char *lang, const char *known, struct platen_error *err)
{
    size_t n, k;
    for (const char *p = lang; *p; p += n + (p[n] == '+')) {
        n = strcspn(p, "+");
        const char *tag = pl_language_of_code(p, n), *at = known;
        bool found = !tag; /* the decoder says that nobody knows it */
        for (; *at && !found; at += k + (at[k] == '+')) {
            k = strcspn(at, "+");
            found = pl_language_of_code(at, k) == tag;
        }
        if (!found)
            return pl_fail(err, PLATEN_ERR_ARG,
                           "'%.*s' is none of the languages that are expected here: %s",
                           (int)PL_MIN(n, (size_t)20), p, known);
    }
    return PLATEN_OK;
}

platen_status pl_recognize_decoder_like(const struct pl_decoder *of,
                                        const struct pl_recognize_args *has,
                                        const struct pl_recognize_args *wants,
                                        struct pl_decoder **ret, struct platen_error *err)
{
    const enum pl_language_wish wish = pl_recognize_language_wish(wants);
    const bool some = of->text.language || of->text.others;
    if (wish == PL_LANGUAGE_ON && !some)
        return pl_fail(err, PLATEN_ERR_ARG, "there is no language model here");
    platen_status s = PLATEN_OK;
    if (wants->lang && has->lang)
        s = check_languages(wants->lang, has->lang, err);
    return s ? s : pl_decoder_like(of, wants->lang, weight_of(wants), ret, err);
}

enum pl_language_wish pl_recognize_language_wish(const struct pl_recognize_args *args)
{
    double weight = args->lm;
    return weight < 0 ? PL_LANGUAGE_AUTO : weight > 0 ? PL_LANGUAGE_ON : PL_LANGUAGE_OFF;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

bool pl_recognize_decodes_alike(const struct pl_recognize_args *a,
                                const struct pl_recognize_args *b)
{
    const bool same_weight = !(a->lm < b->lm) && !(a->lm > b->lm);
    return same_weight && same_text(a->lang, b->lang) && same_text(a->chars, b->chars) &&
           same_text(a->words, b->words);
}

platen_status pl_recognize_try(const struct pl_network *n, const struct pl_line_model *m,
                               const struct pl_kernels *k, struct platen_error *err)
{
    pl_auto(line_net) net = NULL;
    platen_status s = pl_line_net_new(n, m, k, NULL, &net, err);
    const int width = TRIAL_STEPS * m->stride;
    uint8_t *px = s ? NULL : pl_line_net_add(net, width);
    if (s || !px)
        return s ? s : pl_fail_nomem(err, (size_t)width, "a line strip");
    for (size_t i = 0; i < (size_t)width * (size_t)m->height; i++)
        px[i] = (uint8_t)(i * TRIAL_STEP >> 8); /* so that every layer has something to do */
    return pl_line_net_run(net, err);
}

static const struct pl_recognize_op ctc = {
    .info = {.name = "ctc",
             .help = "read every line with the model's network",
             PL_TAKES(params, struct pl_recognize_args)},
    .run = ctc_run,
};

const struct pl_op_info *const pl_recognize_ops[] = {&ctc.info, NULL};
