/* SPDX-License-Identifier: BSD-2-Clause */
/* Faint print: what a page's main threshold takes for paper, and still has the shape and the place
 * of letters. */
#include <string.h>

#include "preprocess/binarize/binarize.h"
#include "preprocess/binarize/ink.h"
#include "preprocess/binarize/binarize_tuning.def"

static void paint(const struct pl_image *im, const struct pl_components *cs,
                  const struct pl_component *c)
{
    for (uint32_t i = 0; i < c->n_runs; i++) {
        struct pl_run r = cs->runs[c->first_run + i];
        memset(pl_image_row(im, r.y) + r.x0, 0, (size_t)(r.x1 - r.x0));
    }
}

platen_status pl_ink_faint(const struct pl_env *env, const struct pl_image *gray,
                           struct pl_image *ret, struct platen_error *err)
{
    pl_auto_ink ink = {0};
    pl_auto_ink_map map = {0};
    platen_status s = pl_bits_sauvola(env, gray, PL_LOCAL_WINDOW_PX, FAINT_K, &ink.bits, err);
    if (!s)
        s = pl_components_of_bits(env, &ink.bits, &ink.cs, err);
    if (!s)
        s = pl_ink_map_init(env, &ink, &map, err);
    if (!s)
        s = pl_bilevel_init(env, gray, ret, err);
    for (int y = 0; !s && y < ret->height; y++)
        memset(pl_image_row(ret, y), 255, (size_t)ret->width);
    for (size_t i = 0; !s && i < ink.cs.n; i++) {
        const struct pl_component *c = &ink.cs.comps[i];
        if (pl_ink_is_print(&map, c))
            paint(ret, &ink.cs, c);
    }
    return s;
}
