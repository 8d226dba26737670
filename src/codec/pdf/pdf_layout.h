/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the pictures of a page of a PDF stand, and what is drawn beside them. */
#ifndef PL_CODEC_PDF_PDF_LAYOUT_H
#define PL_CODEC_PDF_PDF_LAYOUT_H

#include <math.h>

#include "codec/pdf/pdf.h"

struct pdf_box {
    double x0, y0, x1, y1; /* points, y upward */
};

static inline double pdf_box_area(struct pdf_box b)
{
    return fmax(b.x1 - b.x0, 0) * fmax(b.y1 - b.y0, 0);
}

static inline struct pdf_box pdf_box_intersect(struct pdf_box a, struct pdf_box b)
{
    return (struct pdf_box){fmax(a.x0, b.x0), fmax(a.y0, b.y0), fmin(a.x1, b.x1), fmin(a.y1, b.y1)};
}

static inline struct pdf_box pdf_box_unite(struct pdf_box a, struct pdf_box b)
{
    return (struct pdf_box){fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1)};
}

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
    struct pdf_box box;  /* on the page as it is seen */
    int turn;            /* EXIF orientation of its rows */
    double dpi_x, dpi_y; /* on the page as it is seen */
};

struct pdf_page_layout {
    struct pl_pdf_paints paints;
    struct pdf_placed *v; /* those on the page */
    size_t n;
    struct pdf_box box; /* of the page as it is seen: /Rotate is applied */
    double units_per_inch;
    double cover;     /* share of the page that the box around all pictures takes */
    size_t covered;   /* images up to the last one that hides all that was drawn before it */
    bool text, marks; /* what is to be seen beside pictures: text; text, lines or areas */
    bool whited;      /* white areas cover pictures, or parts of them */
    bool hidden_text; /* there is text that is not to be seen */
    bool drawn;       /* a program must render the page */
};

/* Returns the value of `key` in a page or in what it inherits from the tree of pages; null without
 * one. */
qpdf_oh pl_pdf_inherited(qpdf_data pdf, qpdf_oh page, const char *key);

/* Returns the map from the page as it is stored to the page as it is seen. */
struct pl_affine pl_pdf_rotation(qpdf_data pdf, qpdf_oh page);

/* Reads the layout of a page; pl_pdf_layout_done() is due whatever comes of it. Fails with
 * PLATEN_ERR_UNSUPPORTED, and with ret->drawn, where a program must render the page: its content is
 * drawn, or it is to be read as it is seen (`force`) and something is drawn there; or its pictures
 * are of a kind that is not read. */
PL_MUST_USE platen_status pl_pdf_layout_read(qpdf_data pdf, qpdf_oh page, bool force,
                                             struct pdf_page_layout *ret, struct platen_error *err);
void pl_pdf_layout_done(struct pdf_page_layout *l);

#endif
