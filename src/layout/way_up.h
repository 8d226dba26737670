/* SPDX-License-Identifier: BSD-2-Clause */
/* Which way up a page is. Its letters are asked first, by the operation `orient`
 * (preprocess/geometry/orient.c). Where they do not tell, or tell that the page is to be turned, a
 * page whose lines are read anyway is kept as a doubt, and reading settles it: a page that is read
 * well stands upright; else some of its lines are read each way up, and the page is turned to where
 * clearly more was read. */
#ifndef PL_LAYOUT_WAY_UP_H
#define PL_LAYOUT_WAY_UP_H

#include "recognize/recognize.h"

/* A page as it was when its way up was left in doubt. A zeroed one is no doubt. */
struct pl_doubt {
    struct pl_page_image page;
    size_t steps; /* operations of stage one that the page had behind it */
};

/* Gives the pictures back and leaves no doubt. */
void pl_doubt_done(struct pl_doubt *doubt);

/* Called once the letters have left the way up of `page` in doubt, with `steps` operations behind
 * it. Keeps the page in *ret until it has been read; with `at_once`, for pages that may be divided
 * before that, lines are read right now and `page` is turned. */
PL_MUST_USE platen_status pl_doubt_note(const struct pl_reader *r, bool at_once, size_t steps,
                                        struct pl_page_image *page, struct pl_doubt *ret,
                                        struct platen_error *err);

/* Settles the doubt by what was read of the page, and by a vote where that does not tell.
 * *ret_turned is set where the doubted page had to be turned: it takes the place of *page, and all
 * that followed the doubt is to be done again. The doubt is gone afterwards but for its `steps`. */
PL_MUST_USE platen_status pl_doubt_settle(const struct pl_reader *r,
                                          const struct pl_regions *regions, struct pl_doubt *doubt,
                                          struct pl_page_image *page, bool *ret_turned,
                                          struct platen_error *err);

/* Returns what the reading of a page tells of its way up: PL_UPRIGHT_SURE when so much was read,
 * and so surely, that the page stands; PL_UPRIGHT_DOUBTFUL when it is one line that is too short
 * for a vote; PL_UPRIGHT_UNASKED when it takes a vote. `asked` is the picture that a vote would
 * read. */
PL_MUST_USE enum pl_upright pl_way_up_judge(const struct pl_regions *regions,
                                            const struct pl_image *asked);

/* Reads the longest lines of the page as they stand; where these are no text also upside down, and
 * then those of the page on its side. Turns the page to where clearly more was read, and says so in
 * page->upright. A picture of one line is read in no more than its two ways. */
PL_MUST_USE platen_status pl_way_up_vote(const struct pl_reader *r, struct pl_page_image *page,
                                         struct platen_error *err);

#endif
