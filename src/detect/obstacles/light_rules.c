/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules in a grey that is too light for ink, as programs print those of tables. They are thin and
 * long, and darker than what lies around, paper or a tint. Nothing is taken out of the ink for
 * them. */
#include "detect/obstacles/obstacles.h"

#include "image/morph.h"
#include "detect/obstacles/obstacle_tuning.def"

/* Rows whose greys are closed at a time, which keeps the memory small. */
#define BAND_ROWS 128

/* Makes of each closed grey 255 less what the closing added to the picture's. */
static void invert_added(uint8_t *restrict closed, const uint8_t *restrict gray, int n)
{
    for (int i = 0; i < n; i++)
        closed[i] = (uint8_t)(255 - closed[i] + gray[i]);
}

/* Fills rows y0 to y1 - 1 of `ret`. */
static platen_status find_thin_rows(const struct pl_survey *survey, const struct pl_image *gray,
                                    int side, int y0, int y1, const struct pl_bits *ret,
                                    struct platen_error *err)
{
    pl_auto_image near = {0}, closed = {0};
    const int top = PL_MAX(y0 - side, 0), bottom = PL_MIN(y1 + side, gray->height);
    near = pl_image_view(gray, (struct pl_rect){0, top, gray->width, bottom});
    platen_status s = pl_morph_image(survey->env, &near, PL_CLOSE, side, side, &closed, err);
    for (int y = y0; !s && y < y1; y++) {
        uint8_t *row = pl_image_row(&closed, y - top);
        invert_added(row, pl_image_row(gray, y), gray->width);
        survey->env->k->threshold_bits(pl_bits_row(ret, y), row, (size_t)gray->width,
                                       255 - LIGHT_RULE_CONTRAST);
    }
    return s;
}

/* Finds what is thinner than a rule may be and darker than its surroundings: where a closing, which
 * fills it, is lighter than the picture. */
static platen_status find_thin(const struct pl_survey *survey, const struct pl_image *gray,
                               struct pl_bits *ret, struct platen_error *err)
{
    const int side = pl_rule_thickness(survey) + 1;
    platen_status s = pl_bits_init(survey->env, gray->width, gray->height, ret, err);
    for (int y = 0; !s && y < gray->height; y += BAND_ROWS)
        s = find_thin_rows(survey, gray, side, y, PL_MIN(y + BAND_ROWS, gray->height), ret, err);
    return s;
}

/* Finds the stretches of `thin` that are as long as a rule. */
static platen_status find_long(const struct pl_survey *survey, const struct pl_bits *thin,
                               bool upright, struct pl_bits *ret, struct platen_error *err)
{
    const int length = pl_rule_min_length(survey);
    return pl_morph_bits(survey->env, thin, PL_OPEN, upright ? 1 : length, upright ? length : 1,
                         ret, err);
}

/* Joins level rules where nothing but text that touches them parts them: the pixels between are
 * `dark`, which is ink and what is thin. */
static platen_status join_level(const struct pl_survey *survey, const struct pl_bits *dark,
                                const struct pl_bits *level, struct platen_error *err)
{
    pl_auto_bits joined = {0};
    platen_status s = pl_morph_bits(survey->env, level, PL_CLOSE,
                                    LIGHT_RULE_GAP * pl_rule_min_length(survey), 1, &joined, err);
    if (s)
        return s;
    pl_bits_keep(&joined, dark);
    pl_bits_add(level, &joined);
    return PLATEN_OK;
}

platen_status pl_light_rules_find(struct pl_survey *survey, const struct pl_image *gray,
                                  const struct pl_bits *ink, struct platen_error *err)
{
    pl_auto_bits thin = {0}, dark = {0}, level = {0}, upright = {0};
    const int side = 2 * LIGHT_RULE_RIM_PX + 1;
    if (!(survey->size > 0) || PL_MIN(gray->width, gray->height) < pl_rule_min_length(survey))
        return PLATEN_OK; /* there is no text, which tells how long a rule is; or no table fits */
    platen_status s = find_thin(survey, gray, &thin, err);
    s = s ? s : pl_morph_bits(survey->env, ink, PL_DILATE, side, side, &dark, err);
    if (s)
        return s;
    pl_bits_drop(&thin, &dark);
    s = find_long(survey, &thin, false, &level, err);
    s = s ? s : find_long(survey, &thin, true, &upright, err);
    if (s || !(pl_bits_any(&level) || pl_bits_any(&upright)))
        return s;
    pl_bits_add(&dark, &thin);
    s = join_level(survey, &dark, &level, err);
    s = s ? s : pl_rules_begin(survey, err);
    if (s)
        return s;
    pl_bits_add(&survey->floors, &level);
    pl_bits_add(&survey->walls, &upright);
    return PLATEN_OK;
}
