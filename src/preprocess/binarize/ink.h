/* SPDX-License-Identifier: BSD-2-Clause */
/* The ink of a page as components: what is a letter, a speck, a dark scan edge. */
#ifndef PL_PREPROCESS_BINARIZE_INK_H
#define PL_PREPROCESS_BINARIZE_INK_H

#include "op/op.h"

/* The ink of page->image where it is not bilevel already: by Sauvola's method, which keeps faint
 * print. It stays with the page, for the operations that follow, until the picture changes;
 * *ret is valid as long. */
PL_MUST_USE platen_status pl_ink_of(const struct pl_env *env, struct pl_page_image *page,
                                    const struct pl_ink **ret, struct platen_error *err);

/* Makes the page black and white by the bits of its ink, which stays; there is one, and the page
 * was not bilevel. */
PL_MUST_USE platen_status pl_ink_becomes_page(const struct pl_env *env, struct pl_page_image *page,
                                              struct platen_error *err);

/* Height of the letters: the median of what is shaped like one, by area, so that neither thousands
 * of specks nor a few frames and rules decide. 0 where nothing is. */
int pl_ink_letter_height(const struct pl_ink *ink);

/* Height of the small letters (of all letters where there are only capitals): the commonest height
 * of what is shaped like a letter, and how many components that was taken from. 0 where none is. */
double pl_ink_x_height(const struct pl_ink *ink, size_t *ret_letters);

/* Where letters are, for the question whether a dot belongs to one. */
struct pl_ink_map {
    int letter_px, cell_px;
    size_t width, height; /* cells */
    uint8_t *near;        /* of each cell: lies within three quarters of a letter's height of one */
    struct pl_bufpool *bufs;
};

/* Makes the map of a page's ink in *ret, for which pl_ink_map_done() is due; letters are what is
 * shaped like one, and neither far lower nor far higher than most. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_ink_map_init(const struct pl_env *env, const struct pl_ink *ink,
                                          struct pl_ink_map *ret, struct platen_error *err);
/* Gives the map back; a zeroed one is none. */
void pl_ink_map_done(struct pl_ink_map *m);

#define pl_auto_ink_map __attribute__((cleanup(pl_ink_map_done))) struct pl_ink_map

/* Far too small for print: a twelfth of a letter's height, or a fifth (and one pixel in any case)
 * where no letter is near; full stops, hyphens and the dots of i stay. */
bool pl_ink_is_speck(const struct pl_ink_map *m, const struct pl_component *c);

/* Shaped like a letter and at most twice as high as the others, or a piece of one near to letters.
 */
bool pl_ink_is_print(const struct pl_ink_map *m, const struct pl_component *c);

/* Print of a grey picture, faint print too: ink (0) a twelfth darker than the paper around it, as
 * far as pl_ink_is_print(). PLATEN_ERR_NOMEM, PLATEN_ERR_LIMIT. */
PL_MUST_USE platen_status pl_ink_faint(const struct pl_env *env, const struct pl_image *gray,
                                       struct pl_image *ret, struct platen_error *err);

/* Touches an edge of the page and runs along a fifth of it, yet is not most of the page. */
bool pl_ink_is_edge_shadow(const struct pl_ink *ink, const struct pl_component *c);

#endif
