/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies around a sheet, where stage one saw it: the grain of a table looks like text to those
 * who count the ink that no line has, and to those who read. */
#include "detect/obstacles/obstacles.h"

bool pl_around_holds(const struct pl_page_image *page, struct pl_rect box)
{
    const double x = 0.5 * (box.x0 + box.x1), y = 0.5 * (box.y0 + box.y1);
    return pl_sheet_is_around(&page->sheet, pl_affine_apply(&page->to_input, x, y));
}

void pl_around_take(const struct pl_page_image *page, struct pl_regions *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_unread; i++) {
        const struct pl_line *line = &r->unread[i];
        if (pl_around_holds(page, pl_line_page_box(r, line))) {
            const uint64_t ink = PL_MIN(line->ink_px, r->unread_px);
            r->unread_px -= ink;
            r->graphics_px += ink;
        } else {
            r->unread[n++] = *line;
        }
    }
    r->n_unread = n;
}
