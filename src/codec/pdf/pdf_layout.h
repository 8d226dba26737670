/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the pictures of a page of a PDF stand, and what is drawn beside them. */
#ifndef PL_CODEC_PDF_PDF_LAYOUT_H
#define PL_CODEC_PDF_PDF_LAYOUT_H

#include <math.h>

#include "codec/pdf/pdf.h"

static inline double pdf_box_area(struct pdf_box b)
{
    return fmax(b.x1 - b.x0, 0) * fmax(b.y1 - b.y0, 0);
}

static inline struct pdf_box pdf_box_intersect(struct pdf_box a, struct pdf_box b)
{
    return (struct pdf_box){fmax(a.x0, b.x0), fmax(a.y0, b.y0), fmin(a.x1, b.x1), fmin(a.y1, b.y1)};
}

/* Returns the box around the unit square under the map. */
static inline struct pdf_box pdf_box_of(const struct pl_affine *m)
{
    struct pdf_box b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        struct pl_point p = pl_affine_apply(m, i & 1, i >> 1);
        b = (struct pdf_box){fmin(b.x0, p.x), fmin(b.y0, p.y), fmax(b.x1, p.x), fmax(b.y1, p.y)};
    }
    return b;
}

/* Returns the box around a box under the map. */
static inline struct pdf_box pdf_box_map(struct pdf_box b, const struct pl_affine *m)
{
    struct pl_affine unit = {b.x1 - b.x0, 0, b.x0, 0, b.y1 - b.y0, b.y0};
    unit = pl_affine_chain(&unit, m);
    return pdf_box_of(&unit);
}

static inline struct pdf_box pdf_box_unite(struct pdf_box a, struct pdf_box b)
{
    return (struct pdf_box){fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1)};
}

#define PL_PDF_MIN_SHARE 0.05 /* of the page, that a picture takes which counts */
#define PL_PDF_MIN_SHOWN 0.98 /* of a picture or a box, that is shown where it is taken for all */

/* What tells how much of an image is to be seen, at each place of it: /SMask, or /Mask. */
struct pdf_mask {
    bool any;
    bool stencil; /* /Mask: it shows where it is 0, and not where it is 255 */
    qpdf_oh image;
    struct pl_pdf_image_info info;
};

struct pdf_placed {
    const struct pl_pdf_paint *paint;
    bool opaque;
    struct pdf_mask mask;
    struct pl_pdf_image_info info;
    struct pl_affine to_seen; /* from the unit square to the page as it is seen */
    struct pdf_box box, seen; /* there: all of it, and what the page shows */
    int turn;                 /* EXIF orientation of its rows */
    double dpi_x, dpi_y;      /* on the page as it is seen */
};

struct pdf_page_layout {
    struct pl_pdf_paints paints;
    struct pdf_placed *v; /* the paints that lie on the page */
    size_t n;
    struct pdf_box box; /* of the page as it is seen: /Rotate is applied */
    double units_per_inch;
    double cover;     /* share of the page that the box around all pictures takes */
    size_t covered;   /* images up to the last one that hides all that was drawn before it */
    bool text, marks; /* what is to be seen beside pictures: text; text, lines or areas */
    bool covers;      /* of these something that is no text of the content */
    bool whited;      /* white areas cover pictures, or parts of them */
    bool hidden_text; /* there is text that is not to be seen */
    bool drawn;       /* a program must render the page */
    bool over;        /* only since something is drawn over its pictures, which could be read */
};

/* Returns the value of `key` in a page or in what it inherits from the tree of pages; null without
 * one. */
qpdf_oh pl_pdf_inherited(qpdf_data pdf, qpdf_oh page, const char *key);

/* Returns the map from the page as it is stored to the page as it is seen. */
struct pl_affine pl_pdf_rotation(qpdf_data pdf, qpdf_oh page);

/* Returns what is shown of the page, as it is stored: US Letter where nothing tells. */
struct pdf_box pl_pdf_page_box(qpdf_data pdf, qpdf_oh page);
/* Returns how many units of the page an inch has. */
double pl_pdf_units_per_inch(qpdf_data pdf, qpdf_oh page);

/* What counts of what is drawn over a scan. */
enum pl_pdf_reading {
    PL_PDF_AS_SEEN,
    PL_PDF_BESIDE_TEXT, /* what may cover something: text of the content stays beside what is read
                         */
    PL_PDF_SCAN_ALONE   /* nothing */
};

/* Reads the layout of a page; pl_pdf_layout_done() is due whatever comes of it. Fails with
 * PLATEN_ERR_UNSUPPORTED, and with ret->drawn, where a program must render the page: its content is
 * drawn, or its pictures are of a kind that is not read; or something that counts is drawn over
 * them (ret->over). */
PL_MUST_USE platen_status pl_pdf_layout_read(qpdf_data pdf, qpdf_oh page, enum pl_pdf_reading how,
                                             struct pdf_page_layout *ret, struct platen_error *err);
void pl_pdf_layout_done(struct pdf_page_layout *l);

/* Returns whether one picture alone is the page: nothing else stands there, the page cuts nothing
 * off, what it paints is dark, and what shows it has no more pixels than it has. */
bool pl_pdf_is_alone(const struct pdf_page_layout *l);

#endif
