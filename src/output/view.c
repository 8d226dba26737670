/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/view.h"

#include <assert.h>
#include <string.h>

/* Returns the map from the pixels in which l is described (NULL: from the page picture) to the
 * input picture. */
static struct pl_affine to_input(const struct pl_page_result *page, const struct pl_line *l)
{
    if (!l || !l->quarters)
        return page->image->to_input;
    struct pl_affine to_page = pl_line_to_page(page->regions, l);
    return pl_affine_chain(&to_page, &page->image->to_input);
}

struct pl_quad pl_view_corners(const struct pl_page_result *page, const struct pl_line *l,
                               struct pl_rect r)
{
    struct pl_affine m = to_input(page, l);
    return pl_quad_of_rect(r, &m);
}

struct pl_rect pl_view_box(const struct pl_page_result *page, const struct pl_line *l,
                           struct pl_rect r)
{
    struct pl_quad q = pl_view_corners(page, l, r);
    return pl_quad_bounds(&q, page->width, page->height);
}

struct pl_quad pl_view_quad(const struct pl_page_result *page, const struct pl_line *l,
                            struct pl_rect r)
{
    struct pl_quad q = pl_view_corners(page, l, r);
    for (int i = 0; i < 4; i++) {
        q.p[i].x = PL_CLAMP(q.p[i].x, 0, page->width);
        q.p[i].y = PL_CLAMP(q.p[i].y, 0, page->height);
    }
    return q;
}

struct pl_point pl_view_baseline(const struct pl_page_result *page, const struct pl_line *l,
                                 double x)
{
    struct pl_affine m = to_input(page, l);
    return pl_affine_apply(&m, x, pl_line_y(l, x));
}

size_t pl_view_baseline_points(const struct pl_page_result *page, const struct pl_line *l,
                               struct pl_point ret[PL_BASELINE_POINTS])
{
    size_t n = l->curve ? PL_BASELINE_POINTS : 2;
    double width = pl_rect_width(l->box);
    for (size_t i = 0; i < n; i++)
        ret[i] = pl_view_baseline(page, l, l->box.x0 + width * (double)i / (double)(n - 1));
    return n;
}

const char *pl_view_kind(const struct pl_block *b)
{
    assert((unsigned)b->kind < PL_BLOCK_KINDS);
    static const char *const names[PL_BLOCK_KINDS] = {"text",    "heading", "header", "footer",
                                                      "caption", "table",   "code"};
    return names[b->kind];
}

void pl_view_cell_text(const struct pl_cell *c, const char *apart, struct pl_str *out)
{
    for (size_t i = 0; i < c->n_lines; i++) {
        if (i)
            pl_str_puts(out, pl_same_row(&c->lines[i - 1], &c->lines[i]) ? " " : apart);
        pl_str_puts(out, c->lines[i].text);
    }
}

void pl_view_attribute(struct pl_str *out, const char *key, const char *text)
{
    pl_str_printf(out, " %s=\"", key);
    pl_str_xml(out, text, strlen(text));
    pl_str_putc(out, '"');
}
