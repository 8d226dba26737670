/* SPDX-License-Identifier: BSD-2-Clause */
/* Stage four: what is decided about a page once its lines have been read. */
#ifndef PL_LAYOUT_SETTLE_H
#define PL_LAYOUT_SETTLE_H

#include "layout/way_up.h"

/* Brings the regions of a page to their final form: joins initials to their rows, lets the better
 * read of a turned and an upright line keep its text, takes lines without text out of the blocks,
 * puts the others in order again, finds tables, names the blocks, and tells how lines go on. Where
 * r->op is NULL nobody has read the lines, and the blocks are named by their shapes alone.
 * Everything new lies in r->arena.
 *
 * A doubt about the way up of the page is settled, too. *ret_turned is set where the page had to be
 * turned: *page is then the picture as it was at the doubt, turned upright, and all that followed
 * doubt->steps operations is to be done again. */
PL_MUST_USE platen_status pl_layout_settle(const struct pl_reader *r, struct pl_page_image *page,
                                           struct pl_regions *regions, struct pl_doubt *doubt,
                                           bool *ret_turned, struct platen_error *err);

#endif
