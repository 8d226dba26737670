/* SPDX-License-Identifier: BSD-2-Clause */
#include "page/page_image.h"

#include <assert.h>

void pl_ink_done(struct pl_ink *ink)
{
    pl_bits_done(&ink->bits);
    pl_components_done(&ink->cs);
    *ink = (struct pl_ink){0};
}

void pl_page_image_done(struct pl_page_image *p)
{
    pl_image_done(&p->image);
    pl_image_done(&p->gray);
    pl_page_image_forget_ink(p);
}

void pl_page_image_forget_ink(struct pl_page_image *p)
{
    pl_ink_done(&p->ink);
}

void pl_page_image_replace(struct pl_page_image *p, const struct pl_image *im)
{
    assert(im->store && im != &p->image);
    pl_page_image_done(p);
    p->image = pl_image_ref(im);
}

void pl_page_image_set_bilevel(struct pl_page_image *p, const struct pl_image *gray,
                               const struct pl_image *bilevel)
{
    assert(bilevel->bilevel && bilevel != &p->image && gray->format == PL_GRAY8);
    assert(gray->width == bilevel->width && gray->height == bilevel->height);
    struct pl_image kept = gray->bilevel ? (struct pl_image){0} : pl_image_ref(gray);
    pl_page_image_done(p);
    p->gray = kept;
    p->image = pl_image_ref(bilevel);
}

platen_status pl_page_image_gray(const struct pl_env *env, const struct pl_page_image *p,
                                 struct pl_image *ret, struct platen_error *err)
{
    return pl_image_to_gray(env, p->gray.store ? &p->gray : &p->image, ret, err);
}
