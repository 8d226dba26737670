/* SPDX-License-Identifier: BSD-2-Clause */
/* Operation `db`: text lines where an imported network sees text. */
#include <string.h>

#include "detect/net/db_boxes.h"
#include "detect/banded.h"
#include "detect/lines.h"
#include "detect/detect_tuning.def"

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

/* Makes a band of a box. Returns false when memory is short. */
static bool band_of(struct pl_arena *arena, const struct pl_text_box *b, struct pl_text_band *ret)
{
    float *middle = PL_NEW(arena, float, 2);
    double along = 0.5 * b->length;
    if (!middle)
        return false;
    middle[0] = (float)(b->middle.y - along * b->uy);
    middle[1] = (float)(b->middle.y + along * b->uy);
    *ret = (struct pl_text_band){.x0 = b->middle.x - along * b->ux,
                                 .x1 = b->middle.x + along * b->ux,
                                 .first = b->middle.x - along * b->ux,
                                 .step = 2 * along * b->ux,
                                 .n = 2,
                                 .middle = middle,
                                 .half = 0.5 * b->height};
    return true;
}

/* Gives the bands of the boxes that the network sees. */
static platen_status find_bands(const struct pl_survey *survey, struct pl_db_net *net,
                                const struct pl_image *gray, const struct pl_db_args *a,
                                struct pl_text_bands *ret, struct platen_error *err)
{
    struct pl_db_rules rules = {a->threshold, a->score, a->unclip};
    struct pl_db_map map;
    struct pl_text_box *boxes;
    size_t n;
    platen_status s = pl_db_net_run(net, survey->env, gray, &map, err);
    s = s ? s : pl_db_boxes_find(survey->env, survey->arena, &map, &rules, &boxes, &n, err);
    if (s)
        return s;
    *ret = (struct pl_text_bands){.v = PL_SURVEY_NEW(survey, struct pl_text_band, n)};
    bool ok = ret->v;
    for (size_t i = 0; i < n && ok; i++)
        if (!is_tall(&boxes[i]))
            ok = band_of(survey->arena, &boxes[i], &ret->v[ret->n++]);
    return ok ? PLATEN_OK : pl_survey_nomem(survey, err);
}

static platen_status db_find(struct pl_found *found, struct pl_db_net *net,
                             const struct pl_page_image *page, const struct pl_db_args *a,
                             struct pl_regions *ret, struct platen_error *err)
{
    pl_auto_image gray = {0};
    struct pl_text_bands bands = {0};
    bool columns = a->columns == PL_COLUMNS_AUTO;
    platen_status s = pl_page_image_gray(found->survey.env, page, &gray, err);
    s = s ? s : pl_lines_find(found, &page->image, columns, err);
    s = s ? s : find_bands(&found->survey, net, &gray, a, &bands, err);
    return s ? s : pl_banded_lines(found, &bands, columns, ret, err);
}

static platen_status db_run(const struct pl_detect_net *net, const struct pl_env *env,
                            struct pl_arena *arena, const struct pl_page_image *page,
                            const void *args, struct pl_regions *ret, struct platen_error *err)
{
    const struct pl_db_args *a = args;
    struct pl_regions regions = {0};
    struct pl_found found = {.survey = {.env = env,
                                        .arena = arena,
                                        .min_height = a->min_height_px,
                                        .max_height = pl_letters_max_height(page->image.height)}};
    platen_status s = db_find(&found, net->imported, page, a, &regions, err);
    pl_survey_done(&found.survey);
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
