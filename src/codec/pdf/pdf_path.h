/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths that become clips, as far as it is known what these cut off. */
#ifndef PL_CODEC_PDF_PDF_PATH_H
#define PL_CODEC_PDF_PDF_PATH_H

#include "codec/pdf/pdf_layout.h"

/* A path that is being made, in units of the page. */
struct pdf_path {
    struct pdf_box box;        /* around all its points */
    struct pl_point corner[4]; /* the first points of its last part */
    struct pl_point at;        /* its last one */
    int n_points;              /* of that part */
    double area;               /* of that part, below 0 where it runs clockwise */
    int n_parts;               /* before that, without those that have no area */
};
extern const struct pdf_path pl_pdf_no_path;

/* Begin a part, and lead on from its last point by a line, or by a curve over two points, which
 * becomes some lines. Points are x and y, which `to_page` leads to the page. */
void pl_pdf_path_begin(struct pdf_path *p, const struct pl_affine *to_page, const double v[2]);
void pl_pdf_path_line(struct pdf_path *p, const struct pl_affine *to_page, const double v[2]);
void pl_pdf_path_curve(struct pdf_path *p, const struct pl_affine *to_page, const double v[4],
                       const double end[2]);
/* Adds a part that is a box before `to_page` leads it to the page. */
void pl_pdf_path_rectangle(struct pdf_path *p, const struct pl_affine *to_page, struct pdf_box b);

/* What clips leave of a page. */
struct pdf_clip {
    struct pdf_box box; /* around it */
    bool shaped;        /* it may be less than that box and `corner` allow */
    bool has_corners;   /* it lies within four corners, too, which run counterclockwise */
    struct pl_point corner[4];
};

/* Leaves what lies in the path, unless that has no points. */
void pl_pdf_clip_to_path(struct pdf_clip *c, const struct pdf_path *p);

/* Returns whether the clip leaves all of the unit square on the page that lies in its box. */
bool pl_pdf_clip_leaves(const struct pdf_clip *c, const struct pl_affine *to_page);

#endif
