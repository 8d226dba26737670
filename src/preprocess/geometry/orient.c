/* SPDX-License-Identifier: BSD-2-Clause */
/* Quarter turns from the boxes of the letters. Letters of a word stand closer together than lines:
 * that tells rows from columns. Along a line the baseline is kept more often than the other edge,
 * since a third of all letters rises above the small ones and few go below the line (Bloomberg et
 * al., Extraction of text-related features, SPIE 2422, 1995, count the same ascenders). */
#include <math.h>
#include <stdlib.h>

#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"
#include "preprocess/geometry/geometry_tuning.def"
#include "preprocess/binarize/binarize_tuning.def"

#define MAX_LETTERS 30000

struct orient_args {
    enum { AUTO, TURN_0, TURN_90, TURN_180, TURN_270 } turn;
    double confidence;
};

static const struct pl_param params[] = {
    {.name = "turn",
     PL_PARAM(struct orient_args, turn),
     .choices = (const char *const[]){[AUTO] = "auto",
                                      [TURN_0] = "0",
                                      [TURN_90] = "90",
                                      [TURN_180] = "180",
                                      [TURN_270] = "270",
                                      NULL},
     .unit = "degrees",
     .help = "clockwise; auto asks the letters"},
    {.name = "confidence",
     PL_PARAM(struct orient_args, confidence),
     .min = 0,
     .max = 100,
     .def = 5,
     .help = "standard deviations between up and down; below that the page stays"},
};

/* What the pairs of neighbours along one direction say. */
struct votes {
    uint32_t pairs;
    uint32_t low, high; /* only the edges at larger or at smaller coordinates agree */
    double slope;       /* of the line from middle to middle, by the median */
};

/* Boxes of letters in coordinates in which lines run along x. */
struct letter_boxes {
    const struct pl_ink *ink;
    int height;
    struct pl_rect *box; /* MAX_LETTERS at most */
    double *slope;       /* as many */
    size_t n;
};

static int by_left_edge(const void *a, const void *b)
{
    const struct pl_rect *p = a, *q = b;
    if (p->x0 != q->x0)
        return p->x0 < q->x0 ? -1 : 1;
    return (p->y0 > q->y0) - (p->y0 < q->y0);
}

static int by_value(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* The nearest box to the right of box i that overlaps half of the lower one's height; NULL when
 * there is none within half a letter. */
static const struct pl_rect *right_neighbour(const struct letter_boxes *l, size_t i)
{
    const struct pl_rect *a = &l->box[i];
    for (size_t j = i + 1; j < l->n && l->box[j].x0 <= a->x1 + l->height / ORIENT_GAP; j++) {
        const struct pl_rect *b = &l->box[j];
        if (b->y0 >= a->y1 || b->y1 <= a->y0)
            continue; /* most are of other lines */
        int overlap = PL_MIN(a->y1, b->y1) - PL_MAX(a->y0, b->y0);
        int least = PL_MIN(pl_rect_height(*a), pl_rect_height(*b));
        if (b->x0 * 2 >= a->x0 + a->x1 && overlap * 2 >= least)
            return b; /* sorted: none of the others is nearer */
    }
    return NULL;
}

/* The box of a component where (x, y) becomes (x, y - slope x), or with `sideways` (y, x - slope
 * y). */
static struct pl_rect sheared(const struct pl_ink *ink, const struct pl_component *c, bool sideways,
                              double slope)
{
    double low = INFINITY, high = -INFINITY;
    if (slope == 0)
        return sideways ? (struct pl_rect){c->box.y0, c->box.x0, c->box.y1, c->box.x1} : c->box;
    for (uint32_t i = 0; i < c->n_runs; i++) {
        const struct pl_run *r = &ink->cs.runs[c->first_run + i];
        double a = sideways ? r->x0 - slope * r->y : r->y - slope * r->x0;
        double b = sideways ? r->x1 - slope * r->y : r->y + 1 - slope * r->x1;
        double d = sideways ? 0 : slope * (r->x1 - r->x0);
        low = PL_MIN(low, PL_MIN(a, a - d));
        high = PL_MAX(high, PL_MAX(b, b + d));
    }
    return (struct pl_rect){sideways ? c->box.y0 : c->box.x0, (int)lround(low),
                            sideways ? c->box.y1 : c->box.x1, (int)lround(high)};
}

static void collect_boxes(struct letter_boxes *l, bool sideways, double slope)
{
    l->n = 0;
    for (size_t i = 0; i < l->ink->cs.n && l->n < MAX_LETTERS; i++) {
        const struct pl_component *c = &l->ink->cs.comps[i];
        int w = pl_rect_width(c->box), h = pl_rect_height(c->box), side = PL_MAX(w, h);
        if (100 * side >= LETTER_LOW_PERCENT * l->height &&
            100 * side <= LETTER_HIGH_PERCENT * l->height && w <= LETTER_ASPECT * h &&
            h <= LETTER_ASPECT * w)
            l->box[l->n++] = sheared(l->ink, c, sideways, slope);
    }
    qsort(l->box, l->n, sizeof(*l->box), by_left_edge);
}

static struct votes count_votes(struct letter_boxes *l, bool sideways, double slope)
{
    struct votes v = {.slope = slope};
    int slack = PL_MAX(l->height / ORIENT_LEVEL, 1);
    size_t n = 0;
    collect_boxes(l, sideways, slope);
    for (size_t i = 0; i < l->n; i++) {
        const struct pl_rect *a = &l->box[i], *b = right_neighbour(l, i);
        if (!b)
            continue;
        bool top = abs(a->y0 - b->y0) <= slack, bottom = abs(a->y1 - b->y1) <= slack;
        v.pairs += top || bottom;
        v.low += bottom && !top;
        v.high += top && !bottom;
        l->slope[n++] = (double)(b->y0 + b->y1 - a->y0 - a->y1) / (b->x0 + b->x1 - a->x0 - a->x1);
    }
    qsort(l->slope, n, sizeof(*l->slope), by_value);
    if (n)
        v.slope += l->slope[n / 2];
    return v;
}

/* Counts again along the slope that the first count finds. */
static struct votes count_level(struct letter_boxes *l, bool sideways)
{
    return count_votes(l, sideways, count_votes(l, sideways, 0).slope);
}

/* Quarter turns clockwise that set the page upright; -1 where the letters do not tell. */
static int quarters_of(struct letter_boxes *l, double confidence)
{
    struct votes rows = count_level(l, false), columns = count_level(l, true);
    bool level = rows.pairs >= ORIENT_LEAD * columns.pairs;
    if (!level && columns.pairs < ORIENT_LEAD * rows.pairs)
        return -1;
    struct votes v = level ? rows : columns;
    double lead = (double)v.low - v.high, told = (double)v.low + v.high;
    if (told * ORIENT_TOLD < v.pairs || fabs(lead) <= confidence * sqrt(told))
        return -1;
    if (level)
        return lead > 0 ? 0 : 2;
    return lead > 0 ? 1 : 3; /* the baselines lie to the right: the top is at the left */
}

static platen_status ask_letters(const struct pl_env *env, struct pl_page_image *page,
                                 double confidence, int *ret_quarters, struct platen_error *err)
{
    const struct pl_ink *ink;
    platen_status s = pl_ink_of(env, page, &ink, err);
    if (s)
        return s;
    size_t n = PL_MIN(ink->cs.n, (size_t)MAX_LETTERS) + 1;
    size_t bytes = n * (sizeof(struct pl_rect) + sizeof(double));
    struct letter_boxes l = {ink, pl_ink_letter_height(ink), NULL, pl_bufpool_get(env->bufs, bytes),
                             0};
    if (!l.slope)
        return pl_fail_nomem(err, bytes, "the letters' boxes");
    l.box = (struct pl_rect *)(l.slope + n);
    *ret_quarters = quarters_of(&l, confidence);
    pl_bufpool_put(env->bufs, l.slope, bytes);
    return PLATEN_OK;
}

platen_status pl_page_set_upright(const struct pl_env *env, struct pl_page_image *page,
                                  int quarters, struct platen_error *err)
{
    page->upright = PL_UPRIGHT_SURE;
    page->quarters = (page->quarters + quarters) % 4;
    if (!quarters)
        return PLATEN_OK;
    pl_page_image_forget_ink(page);
    return pl_page_turn(env, page, 90.0 * quarters, true, err);
}

static platen_status orient_run(const struct pl_env *env, struct pl_page_image *page,
                                const void *args, struct platen_error *err)
{
    const struct orient_args *a = args;
    int quarters = (int)a->turn - TURN_0;
    platen_status s = PLATEN_OK;
    if (quarters < 0)
        s = ask_letters(env, page, a->confidence, &quarters, err);
    if (s)
        return s;
    page->upright = PL_UPRIGHT_DOUBTFUL;
    page->turned_by_letters = (int)a->turn < TURN_0 && quarters > 0;
    return quarters < 0 ? PLATEN_OK : pl_page_set_upright(env, page, quarters, err);
}

const struct pl_preprocess_op pl_op_orient = {
    .info =
        {"orient",
         "turns a page that lies on its side or upside down (made grey), where its letters tell",
         PL_TAKES(params, struct orient_args)},
    .run = orient_run,
};
