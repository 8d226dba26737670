/* SPDX-License-Identifier: BSD-2-Clause */
/* Marks above and below letters. What stands above a capital is higher than all else in its row,
 * and a network that sees lines may see it outside. */
#include "detect/ink/ink_steps.h"
#include "detect/ink/ink_tuning.def"

/* Returns the distance of a mark from the letter below or above it, in heights of the letter; more
 * than DIACRITIC_GAP where it is no mark of that letter. */
static double gap_to(const struct pl_blob *mark, const struct pl_blob *letter)
{
    const struct pl_rect m = mark->box, l = letter->box;
    const double size = pl_rect_height(l), w = pl_rect_width(m), h = pl_rect_height(m);
    const int gap = PL_MAX(l.y0 - m.y1, m.y0 - l.y1);
    const bool none = m.x0 >= l.x1 || m.x1 <= l.x0 || gap < 0 ||
                      PL_MIN(w, h) < PL_MAX(DIACRITIC_MIN_PX, DIACRITIC_MIN_SIDE * size - 0.5) ||
                      w > DIACRITIC_MAX_WIDTH * size || h > DIACRITIC_MAX_HEIGHT * size;
    return none ? 2 * DIACRITIC_GAP : gap / size;
}

/* Returns whether a blob is left of a level rule: there is one in its columns, no farther than
 * DIACRITIC_RULE_PX from it. */
static bool is_of_rule(const struct pl_survey *survey, struct pl_rect box)
{
    const int y1 = PL_MIN(box.y1 + DIACRITIC_RULE_PX, survey->floors.height);
    for (int y = PL_MAX(box.y0 - DIACRITIC_RULE_PX, 0); y < y1; y++)
        if (pl_bits_any_between(pl_bits_row(&survey->floors, y), box.x0, box.x1))
            return true;
    return false;
}

const struct pl_blob *pl_diacritic_letter(const struct pl_found *found, const struct pl_group *g,
                                          uint32_t i)
{
    const struct pl_blob *mark = pl_group_blob(found, g, i), *ret = NULL;
    double best = DIACRITIC_GAP;
    for (uint32_t k = i > DIACRITIC_NEIGHBOURS ? i - DIACRITIC_NEIGHBOURS : 0;
         k < g->n && k <= i + DIACRITIC_NEIGHBOURS; k++) {
        const struct pl_blob *letter = pl_group_blob(found, g, k);
        const double gap = gap_to(mark, letter);
        if (gap <= best) {
            best = gap;
            ret = letter;
        }
    }
    return ret && !is_of_rule(&found->survey, mark->box) ? ret : NULL;
}
