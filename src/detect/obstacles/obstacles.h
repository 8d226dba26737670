/* SPDX-License-Identifier: BSD-2-Clause */
/* What is in the way of text, and the ink that is in no line. A step that returns false when memory
 * is short leaves it to pl_survey_nomem() to report that. */
#ifndef PL_DETECT_OBSTACLES_OBSTACLES_H
#define PL_DETECT_OBSTACLES_OBSTACLES_H

#include "detect/ink/survey.h"

/* Adds to `to` the glyphs of rows that are missing, or in pieces, in `seen`. Both are pictures of
 * the page; the survey is of a third. Returns whether there were any. */
bool pl_faint_add(const struct pl_found *found, const struct pl_bits *seen,
                  const struct pl_bits *to);

/* `dark` is the page by one threshold, of which the survey is, `local` by a
 * local one. Blackens in `local` what is dark around the page and there shows nothing but grain;
 * ret_any tells whether there was any. */
bool pl_surround_blacken(struct pl_survey *survey, const struct pl_bits *dark,
                         const struct pl_bits *local, bool *ret_any);

/* Returns whether anything is long enough to be or to touch a rule. */
bool pl_rules_likely(const struct pl_survey *survey);
/* Erases the long thin strokes and heavy bars of `keep`, whose components are survey->comps, from
 * its copy `page`, leaving what crosses them, counts their ink in survey->erased_px and keeps them
 * in survey->walls and survey->floors. */
platen_status pl_rules_erase(struct pl_survey *survey, const struct pl_bits *keep,
                             struct pl_bits *page, struct platen_error *err);
/* Adds to survey->walls and survey->floors the rules of a grey picture that are too light for
 * `ink`, which is of the same picture. */
PL_MUST_USE platen_status pl_light_rules_find(struct pl_survey *survey, const struct pl_image *gray,
                                              const struct pl_bits *ink, struct platen_error *err);
/* The shortest and the thickest rule, px. */
int pl_rule_min_length(const struct pl_survey *survey);
int pl_rule_thickness(const struct pl_survey *survey);
/* Makes survey->walls and survey->floors without a rule where they are not made. */
PL_MUST_USE platen_status pl_rules_begin(struct pl_survey *survey, struct platen_error *err);
/* Lists the rules of survey->walls and survey->floors in ret->rules. PLATEN_ERR_NOMEM, _LIMIT. */
PL_MUST_USE platen_status pl_rules_list(const struct pl_survey *survey, struct pl_regions *ret,
                                        struct platen_error *err);
/* Returns whether an upright rule parts columns x0 and x1 in rows y0..y1, as between cells of a
 * table. */
bool pl_wall_between(const struct pl_survey *survey, double x0, double x1, double y0, double y1);
/* Returns whether the blob is a flat piece at the side of a rule that was taken out: what its rough
 * edge left. */
bool pl_is_rule_edge(const struct pl_survey *survey, const struct pl_blob *b);

/* Parts on `page` what joins the letters of a row to other ink: takes out the pixels
 * between them. The survey's components are those of `page`, and its blobs have their kinds. */
bool pl_touching_cut(struct pl_found *found, struct pl_bits *page);

/* Looks once more, with a threshold by Sauvola of that window and strength, for what is
 * ink in the big dark boxes of `page`, whose components the survey has; whether there are any. */
platen_status pl_tints_mend(const struct pl_survey *survey, const struct pl_image *gray,
                            int window_px, double k, struct pl_bits *page, bool *ret_any,
                            struct platen_error *err);

/* Makes rules of rows of dots, as between a title and its number. Returns false when memory is
 * short. */
bool pl_leaders_drop(struct pl_survey *survey);
/* Takes chains apart that are the bars of a barcode: their blobs become graphics. Returns false
 * when memory is short. */
bool pl_bars_drop(struct pl_found *found);

/* Returns whether a box of the page's picture lies around the sheet. */
bool pl_around_holds(const struct pl_page_image *page, struct pl_rect box);
/* Takes the lines in which nothing was read and that lie around the sheet of the page out of
 * r->unread: their ink becomes that of graphics. */
void pl_around_take(const struct pl_page_image *page, struct pl_regions *r);

/* Returns the ink of a blob of a line that lies too far above or below that line to be read. */
uint64_t pl_leftover_outside(const struct pl_found *found, const struct pl_blob *b);
/* Sums up the ink by what it was taken for, and names what lies in no line of *ret.
 * PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_leftover_account(struct pl_found *found, struct pl_regions *ret,
                                              struct platen_error *err);

#endif
