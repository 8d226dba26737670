/* SPDX-License-Identifier: BSD-2-Clause */
/* The picture of a page as stage one works on it. */
#ifndef PL_PAGE_PAGE_IMAGE_H
#define PL_PAGE_PAGE_IMAGE_H

#include "image/components.h"
#include "page/sheet.h"

/* The ink of a picture, and the components that it is made of. */
struct pl_ink {
    struct pl_bits bits;
    struct pl_components cs;
};

/* Gives the memory back; zeroed ink has none. */
void pl_ink_done(struct pl_ink *ink);

#define pl_auto_ink __attribute__((cleanup(pl_ink_done))) struct pl_ink

/* What is known of the way up of a page. */
enum pl_upright {
    PL_UPRIGHT_UNASKED,
    PL_UPRIGHT_DOUBTFUL, /* the letters do not tell: the page stays as it was given */
    PL_UPRIGHT_SURE,     /* turned as far as it needed, or as it was asked for */
};

/* A page that stage one changes, operation by operation. */
struct pl_page_image {
    struct pl_image image; /* the present picture */
    struct pl_ink ink;     /* of `image`, as far as an operation asked for it (ink.h) */
    struct pl_image gray;  /* once `image` is bilevel: the grey one that it was made from */
    struct pl_sheet sheet;
    struct pl_affine to_input; /* from pixels of `image` to pixels of the input (EXIF applied) */
    double angle_deg; /* skew that was taken out so far, positive = text rose to the right */
    enum pl_upright upright;
    int quarters;           /* clockwise, by which the page was turned upright */
    bool turned_by_letters; /* they told of another way up, which their reading may not bear out */
};

/* Gives the pictures back. */
void pl_page_image_done(struct pl_page_image *p);
/* Gives the ink back, because nobody will ask for it, or `image` is going to change. */
void pl_page_image_forget_ink(struct pl_page_image *p);
/* Replaces the picture by one in grey or colour of the same geometry (shares it). */
void pl_page_image_replace(struct pl_page_image *p, const struct pl_image *im);
/* Replaces the picture by its bilevel version, and keeps the grey one that it was made from. */
void pl_page_image_set_bilevel(struct pl_page_image *p, const struct pl_image *gray,
                               const struct pl_image *bilevel);
/* Gives the grey picture of the page: p->gray if there is one, else `image` made grey. */
PL_MUST_USE platen_status pl_page_image_gray(const struct pl_env *env,
                                             const struct pl_page_image *p, struct pl_image *ret,
                                             struct platen_error *err);

#endif
