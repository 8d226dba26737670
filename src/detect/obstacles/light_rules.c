/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules in a grey that is too light for ink, as programs print those of tables. They are thin and
 * long, and darker than what lies around, paper or a tint. Nothing is taken out of the ink for
 * them. */
#include "detect/obstacles/obstacles.h"

#include "image/morph.h"
#include "detect/obstacles/obstacle_tuning.def"

/* Finds what is thinner than a rule may be and darker than its surroundings: where a closing, which
 * fills it, is lighter than the picture. */
static platen_status find_thin(const struct pl_survey *survey, const struct pl_image *gray,
                               struct pl_bits *ret, struct platen_error *err)
{
    pl_auto_image closed = {0};
    const int side = pl_rule_thickness(survey) + 1;
    platen_status s = pl_morph_image(survey->env, gray, PL_CLOSE, side, side, &closed, err);
    for (int y = 0; !s && y < gray->height; y++) {
        const uint8_t *from = pl_image_row(gray, y);
        uint8_t *row = pl_image_row(&closed, y);
        for (int x = 0; x < gray->width; x++)
            row[x] = (uint8_t)(255 - row[x] + from[x]);
    }
    return s ? s : pl_bits_from_image(survey->env, &closed, 255 - LIGHT_RULE_CONTRAST, ret, err);
}

/* Adds to `rules` the stretches of `thin` that are as long as a rule. */
static platen_status add_long(const struct pl_survey *survey, const struct pl_bits *thin,
                              bool upright, const struct pl_bits *rules, struct platen_error *err)
{
    pl_auto_bits stretches = {0};
    const int length = pl_rule_min_length(survey);
    platen_status s = pl_morph_bits(survey->env, thin, PL_OPEN, upright ? 1 : length,
                                    upright ? length : 1, &stretches, err);
    if (!s)
        pl_bits_add(rules, &stretches);
    return s;
}

/* Joins level rules where nothing but text that touches them parts them: the pixels between are
 * `dark`, which is ink and what is thin. */
static platen_status join_level(const struct pl_survey *survey, const struct pl_bits *dark,
                                struct platen_error *err)
{
    pl_auto_bits joined = {0};
    platen_status s = pl_morph_bits(survey->env, &survey->floors, PL_CLOSE,
                                    LIGHT_RULE_GAP * pl_rule_min_length(survey), 1, &joined, err);
    if (s)
        return s;
    pl_bits_keep(&joined, dark);
    pl_bits_add(&survey->floors, &joined);
    return PLATEN_OK;
}

platen_status pl_light_rules_find(struct pl_survey *survey, const struct pl_image *gray,
                                  const struct pl_bits *ink, struct platen_error *err)
{
    pl_auto_bits thin = {0}, rim = {0};
    const int side = 2 * LIGHT_RULE_RIM_PX + 1;
    if (!(survey->size > 0)) /* there is no text, which tells how long a rule is */
        return PLATEN_OK;
    platen_status s = find_thin(survey, gray, &thin, err);
    s = s ? s : pl_morph_bits(survey->env, ink, PL_DILATE, side, side, &rim, err);
    s = s ? s : pl_rules_begin(survey, err);
    if (s)
        return s;
    pl_bits_drop(&thin, &rim);
    s = add_long(survey, &thin, true, &survey->walls, err);
    s = s ? s : add_long(survey, &thin, false, &survey->floors, err);
    if (s)
        return s;
    pl_bits_add(&rim, &thin);
    return join_level(survey, &rim, err);
}
