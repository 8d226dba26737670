/* SPDX-License-Identifier: BSD-2-Clause */
/* Operation `db`: text lines where an imported network sees text. */
#include <stdio.h>
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

#define PREFIX "db." /* of the metadata keys */
#define AUTO "auto"
#define MAX_KEY 32

static const struct pl_param *param_of(const char *name)
{
    const struct pl_op_info *info = &pl_detect_db.info;
    size_t i = 0;
    while (strcmp(info->params[i].name, name))
        i++;
    return &info->params[i];
}

/* The number of a parameter: as it is given, else as the network has it, else `otherwise`. */
static platen_status settle_number(const struct pl_network *n, const struct pl_db_args *args,
                                   const char *name, double otherwise, double *ret,
                                   struct platen_error *err)
{
    const struct pl_param *p = param_of(name);
    char key[MAX_KEY];
    snprintf(key, sizeof(key), PREFIX "%s", name);
    *ret = pl_arg_number(p, args);
    if (*ret >= 0)
        return PLATEN_OK;
    *ret = otherwise;
    return pl_network_meta(n, key) ? pl_network_number(n, key, p->min, p->max, ret, err)
                                   : PLATEN_OK;
}

/* The same of a parameter with a number for each channel, of at least `least`. */
static platen_status settle_channels(const struct pl_network *n, const struct pl_db_args *args,
                                     const char *name, const char *otherwise, double least,
                                     float ret[PL_DB_CHANNELS], struct platen_error *err)
{
    const char *given = pl_arg_text(param_of(name), args), *own;
    char key[MAX_KEY];
    snprintf(key, sizeof(key), PREFIX "%s", name);
    own = strcmp(given, AUTO) ? NULL : pl_network_meta(n, key);
    if (!strcmp(given, AUTO))
        given = own ? own : otherwise;
    if (read_channels(given, least, ret))
        return PLATEN_OK;
    if (own)
        return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key '%s' is not a number or three", key);
    return pl_fail(err, PLATEN_ERR_ARG, "db: %s '%.80s' is not a number or three, as 0.5/0.5/1",
                   name, given);
}

/* The defaults are those of PP-OCR's published detectors. */
platen_status pl_db_settle(const struct pl_network *n, const struct pl_db_args *args,
                           struct pl_db_options *ret, struct platen_error *err)
{
    struct pl_db_options o;
    double side;
    platen_status s = settle_number(n, args, "threshold", 0.3, &o.rules.threshold, err);
    s = s ? s : settle_number(n, args, "score", 0.6, &o.rules.score, err);
    s = s ? s : settle_number(n, args, "unclip", 1.5, &o.rules.unclip, err);
    s = s ? s : settle_number(n, args, "side", 960, &side, err);
    s = s ? s : settle_channels(n, args, "mean", "0.485/0.456/0.406", -255, o.mean, err);
    s = s ? s : settle_channels(n, args, "std", "0.229/0.224/0.225", 1e-6, o.std, err);
    if (s)
        return s;
    o.side = (int)side;
    *ret = o;
    return PLATEN_OK;
}

static platen_status open_net(const struct pl_network *n, const struct pl_kernels *k,
                              const void *args, struct pl_db_net **ret, struct platen_error *err)
{
    struct pl_db_options o;
    platen_status s = pl_db_settle(n, args, &o, err);
    return s ? s : pl_db_net_new(n, k, &o, ret, err);
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
                                const struct pl_image *gray, struct pl_text_bands *ret,
                                struct platen_error *err)
{
    struct pl_db_map map;
    struct pl_text_box *boxes;
    size_t n;
    platen_status s = pl_db_net_run(net, survey->env, gray, &map, err);
    s = s ? s
          : pl_db_boxes_find(survey->env, survey->arena, &map, pl_db_net_rules(net), &boxes, &n,
                             err);
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
    s = s ? s : find_bands(&found->survey, net, &gray, &bands, err);
    return s ? s : pl_banded_lines(found, &bands, columns, ret, err);
}

static platen_status db_run(const struct pl_detect_net *net, const struct pl_env *env,
                            struct pl_arena *arena, const struct pl_page_image *page,
                            const void *args, struct pl_regions *ret, struct platen_error *err)
{
    const struct pl_db_args *a = args;
    struct pl_regions regions = {0};
    struct pl_found found = pl_found_begin(env, arena, page, a->min_height_px);
    platen_status s = db_find(&found, net->imported, page, a, &regions, err);
    return pl_found_end(&found, s, &regions, ret);
}

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
     .def = -1,
     .def_text = AUTO,
     .unit = "",
     .help = "probability of text from which a place counts; auto is the network's own, or 0.3"},
    {.name = "score",
     PL_PARAM(struct pl_db_args, score),
     .min = 0,
     .max = 1,
     .def = -1,
     .def_text = AUTO,
     .unit = "",
     .help = "least mean probability inside a box; auto the same, or 0.6"},
    {.name = "unclip",
     PL_PARAM(struct pl_db_args, unclip),
     .min = 0,
     .max = 10,
     .def = -1,
     .def_text = AUTO,
     .unit = "",
     .help = "how far boxes grow, in area / perimeter; auto the same, or 1.5"},
    {.name = "side",
     PL_PARAM(struct pl_db_args, side_px),
     .min = 32,
     .max = 8192,
     .def = -1,
     .def_text = AUTO,
     .unit = "px",
     .help = "longest side of the picture that the network sees; auto the same, or 960"},
    {.name = "mean",
     PL_PARAM(struct pl_db_args, mean),
     .def_text = AUTO,
     .unit = "",
     .help = "taken from its greys (0 to 1), in all channels or in each; auto the same, or "
             "0.485/0.456/0.406"},
    {.name = "std",
     PL_PARAM(struct pl_db_args, std),
     .def_text = AUTO,
     .unit = "",
     .help = "by which they are divided then; auto the same, or 0.229/0.224/0.225"},
};

const struct pl_detect_op pl_detect_db = {
    .info = {.name = "db",
             .help = "find text lines where an imported network (of the DB family) sees text",
             PL_TAKES(params, struct pl_db_args)},
    .open = open_net,
    .run = db_run,
};
