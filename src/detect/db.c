/* SPDX-License-Identifier: BSD-2-Clause */
/* Operation `db`: text lines where an imported network sees text. Its boxes say which ink makes a
 * line; where a line lies exactly, its baseline and its words come from that ink, as in `lines`. A
 * box without ink of its own (light letters on a dark band) is a line as it stands. */
#include <math.h>
#include <string.h>

#include "detect/net/db_boxes.h"
#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/strays/strays.h"
#include "detect/lines.h"
#include "detect/detect_tuning.def"
#include "detect/ink/ink_tuning.def"

/* The boxes of a page, and what was found in its ink. */
struct db {
    struct pl_found found;
    struct pl_text_box *boxes;
    size_t n_boxes;
    double *nearness; /* of each blob to the middle row of its box: 0 to 1 */
    bool *has_ink;    /* each box */
};

/* Reads one number for all channels ("0.5"), or one for each ("0.485/0.456/0.406"), of `least` to
 * 255. Returns false where the text is neither. */
static bool read_channels(const char *text, double least, float ret[PL_DB_CHANNELS])
{
    int n = 0;
    for (const char *p = text;; p++) {
        size_t k = strcspn(p, "/");
        double v;
        if (n == PL_DB_CHANNELS || !pl_parse_double(p, k, &v) || !(v >= least && v <= 255))
            return false;
        ret[n++] = (float)v;
        p += k;
        if (!*p)
            break;
    }
    for (int i = 1; n == 1 && i < PL_DB_CHANNELS; i++)
        ret[i] = ret[0];
    return n == 1 || n == PL_DB_CHANNELS;
}

static platen_status open_net(const struct pl_network *n, const struct pl_kernels *k,
                              const void *args, struct pl_db_net **ret, struct platen_error *err)
{
    const struct pl_db_args *a = args;
    struct pl_db_options o = {.side = a->side_px};
    if (!read_channels(a->mean, -255, o.mean))
        return pl_fail(err, PLATEN_ERR_ARG, "db: mean '%.80s' is not a number or three, as 0/0.5/1",
                       a->mean);
    if (!read_channels(a->std, 1e-6, o.std))
        return pl_fail(err, PLATEN_ERR_ARG, "db: std '%.80s' is not a number or three, as 1/0.5/1",
                       a->std);
    return pl_db_net_new(n, k, &o, ret, err);
}

/* Returns whether the text of the box runs up or down; such lines are found by pl_turned_find(). */
static bool is_tall(const struct pl_text_box *b)
{
    return b->height > BOX_TALL * b->length;
}

/* Gives a blob to box i where it lies in it, and nearer to its middle row than to that of the box
 * that has it so far. */
static void offer(struct db *d, uint32_t blob, size_t i)
{
    struct pl_blob *b = &d->found.survey.blobs[blob];
    const struct pl_text_box *box = &d->boxes[i];
    if (b->kind == PL_BLOB_RULE || pl_rect_height(b->box) > BOX_GLYPH * box->height + 2)
        return;
    struct pl_point at =
        pl_text_box_at(box, 0.5 * (b->box.x0 + b->box.x1), 0.5 * (b->box.y0 + b->box.y1));
    if (fabs(at.x) > 1 || fabs(at.y) > 1 || (b->group >= 0 && fabs(at.y) >= d->nearness[blob]))
        return;
    b->group = (int32_t)i;
    d->nearness[blob] = fabs(at.y);
}

/* Makes a group of the blobs of each box, in the place of the groups that were chained. Returns
 * false when memory is short. */
static bool assign(struct db *d)
{
    struct pl_survey *survey = &d->found.survey;
    double *y = PL_SURVEY_NEW(survey, double, survey->n_blobs);
    struct pl_rows rows;
    d->nearness = PL_SURVEY_NEW(survey, double, survey->n_blobs);
    d->has_ink = PL_SURVEY_NEW(survey, bool, d->n_boxes);
    if (!y || !d->nearness || !d->has_ink)
        return false;
    for (uint32_t i = 0; i < survey->n_blobs; i++) {
        survey->blobs[i].group = -1;
        y[i] = 0.5 * (survey->blobs[i].box.y0 + survey->blobs[i].box.y1);
    }
    if (!pl_rows_build(survey, y, survey->n_blobs, PL_MAX(survey->size, MIN_CELL_PX), &rows))
        return false;
    for (size_t i = 0; i < d->n_boxes; i++) {
        struct pl_rect r = pl_text_box_bounds(&d->boxes[i], survey->width, survey->height);
        uint32_t end = rows.first[pl_rows_of(&rows, r.y1) + 1];
        for (uint32_t k = rows.first[pl_rows_of(&rows, r.y0)]; !is_tall(&d->boxes[i]) && k < end;
             k++)
            offer(d, rows.item[k], i);
    }
    for (uint32_t i = 0; i < survey->n_blobs; i++)
        if (survey->blobs[i].group >= 0)
            d->has_ink[survey->blobs[i].group] = true;
    return pl_groups_rebuild(&d->found, (uint32_t)d->n_boxes) && pl_fit_groups(&d->found);
}

/* Makes a line of a box without ink, its baseline by the usual shares of its height. Returns false
 * when memory is short. */
static bool bare_line(struct pl_survey *survey, const struct pl_text_box *b, struct pl_line *ret)
{
    struct pl_rect r = pl_text_box_bounds(b, survey->width, survey->height);
    struct pl_rect *gap = PL_SURVEY_NEW(survey, struct pl_rect, 1);
    if (!gap)
        return false;
    *gap = r;
    double slope = b->uy / b->ux, middle = b->middle.y + slope * (r.x0 - b->middle.x);
    *ret = (struct pl_line){.box = r,
                            .base_y = middle + (0.5 - BOX_DESCENT) * b->height,
                            .slope = slope,
                            .ascent_px = BOX_ASCENT * b->height,
                            .descent_px = BOX_DESCENT * b->height,
                            .xheight_px = BOX_XHEIGHT * b->height,
                            .glyph_px = BOX_ASCENT * b->height,
                            .gaps = gap,
                            .n_gaps = 1};
    return true;
}

/* Adds the boxes without ink to found->others. Returns false when memory is short. */
static bool add_bare_lines(struct db *d)
{
    struct pl_found *found = &d->found;
    struct pl_survey *survey = &found->survey;
    if (!pl_others_reserve(found, d->n_boxes))
        return false;
    for (size_t i = 0; i < d->n_boxes; i++) {
        const struct pl_text_box *b = &d->boxes[i];
        if (d->has_ink[i] || is_tall(b) || b->height < survey->min_height ||
            pl_rect_empty(pl_text_box_bounds(b, survey->width, survey->height)))
            continue;
        if (!bare_line(survey, b, &found->others[found->n_others++]))
            return false;
    }
    return true;
}

static platen_status find_boxes(struct db *d, struct pl_db_net *net, const struct pl_image *gray,
                                const struct pl_db_args *a, struct platen_error *err)
{
    struct pl_db_rules rules = {a->threshold, a->score, a->unclip};
    struct pl_db_map map;
    platen_status s = pl_db_net_run(net, d->found.survey.env, gray, &map, err);
    return s ? s
             : pl_db_boxes_find(d->found.survey.env, d->found.survey.arena, &map, &rules, &d->boxes,
                                &d->n_boxes, err);
}

static platen_status db_find(struct db *d, struct pl_db_net *net, const struct pl_page_image *page,
                             const struct pl_db_args *a, struct pl_regions *ret,
                             struct platen_error *err)
{
    pl_auto_image gray = {0};
    bool columns = a->columns == PL_COLUMNS_AUTO;
    platen_status s = pl_page_image_gray(d->found.survey.env, page, &gray, err);
    s = s ? s : find_boxes(d, net, &gray, a, err);
    s = s ? s : pl_lines_find(&d->found, &page->image, columns, err);
    if (!s && !(assign(d) && pl_turned_find(&d->found) && add_bare_lines(d) &&
                pl_lines_emit(&d->found, columns, ret)))
        s = pl_survey_nomem(&d->found.survey, err);
    s = s ? s : pl_leftover_account(&d->found, ret, err);
    return s ? s : pl_rules_list(&d->found.survey, ret, err);
}

static platen_status db_run(const struct pl_detect_net *net, const struct pl_env *env,
                            struct pl_arena *arena, const struct pl_page_image *page,
                            const void *args, struct pl_regions *ret, struct platen_error *err)
{
    const struct pl_db_args *a = args;
    struct pl_regions regions = {0};
    struct db d = {.found.survey = {.env = env,
                                    .arena = arena,
                                    .min_height = a->min_height_px,
                                    .max_height = pl_letters_max_height(page->image.height)}};
    platen_status s = db_find(&d, net->imported, page, a, &regions, err);
    pl_survey_done(&d.found.survey);
    if (!s)
        *ret = regions;
    return s;
}

/* The defaults are those of PP-OCR's published detectors. */
static const struct pl_param params[] = {
    PL_LINES_MIN_HEIGHT(struct pl_db_args),
    PL_LINES_COLUMNS(struct pl_db_args),
    {.name = "model",
     PL_PARAM(struct pl_db_args, model),
     .names = PL_NAMES_MODEL,
     .unit = "",
     .help = "the network's file; must be given"},
    {.name = "threshold",
     PL_PARAM(struct pl_db_args, threshold),
     .min = 0,
     .max = 1,
     .def = 0.3,
     .unit = "",
     .help = "probability of text from which a place counts"},
    {.name = "score",
     PL_PARAM(struct pl_db_args, score),
     .min = 0,
     .max = 1,
     .def = 0.6,
     .unit = "",
     .help = "least mean probability inside a box"},
    {.name = "unclip",
     PL_PARAM(struct pl_db_args, unclip),
     .min = 0,
     .max = 10,
     .def = 1.5,
     .unit = "",
     .help = "how far boxes grow, in area / perimeter"},
    {.name = "side",
     PL_PARAM(struct pl_db_args, side_px),
     .min = 32,
     .max = 8192,
     .def = 960,
     .unit = "px",
     .help = "longest side of the picture that the network sees"},
    {.name = "mean",
     PL_PARAM(struct pl_db_args, mean),
     .def_text = "0.485/0.456/0.406",
     .unit = "",
     .help = "taken from its greys (0 to 1), in all channels or in each"},
    {.name = "std",
     PL_PARAM(struct pl_db_args, std),
     .def_text = "0.229/0.224/0.225",
     .unit = "",
     .help = "by which they are divided then"},
};

const struct pl_detect_op pl_detect_db = {
    .info = {.name = "db",
             .help = "find text lines where an imported network (of the DB family) sees text",
             PL_TAKES(params, struct pl_db_args)},
    .open = open_net,
    .run = db_run,
};
