/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/stored.h"

#include <string.h>

#include "base/mem.h"
#include "codec/jp2_boxes.h"
#include "codec/png/png_chunks.h"
#include "codec/tiff/tiff_jpeg.h"
#include "codec/types.h"
#include "config.h"

bool pl_image_stored(const struct pl_env *env, const uint8_t *data, size_t n,
                     const struct pl_load_options *opt, struct pl_stored *ret)
{
    const struct pl_source src = {.env = env, .data = data, .n = n, .opt = opt};
    const struct pl_file_type *t = n ? pl_file_type_of(data, n) : NULL;
    *ret = (struct pl_stored){.turn = 1};
    return t && t->stored && t->stored(&src, ret);
}

void pl_stored_done(struct pl_stored *p)
{
    pl_free(p->own);
    p->own = NULL;
}

static void put_reversed(const struct pl_stored *p, struct pl_str *out)
{
    char *to = pl_str_room(out, p->n);
    for (size_t i = 0; to && i < p->n; i++) {
        unsigned v = p->data[i];
        v = (v & 0xf0) >> 4 | (v & 0x0f) << 4;
        v = (v & 0xcc) >> 2 | (v & 0x33) << 2;
        to[i] = (char)((v & 0xaa) >> 1 | (v & 0x55) << 1);
    }
    out->len += to ? p->n : 0;
}

void pl_stored_put(const struct pl_stored *p, struct pl_str *out)
{
    if (p->form == PL_STORED_PNG) {
        pl_png_put_data(p, out);
#if PL_HAVE_TIFF
    } else if (p->form == PL_STORED_TIFF_JPEG) {
        pl_tiff_put_jpeg(p, out);
#endif
    } else if (p->low_bit_first) {
        put_reversed(p, out);
    } else {
        if (p->form == PL_STORED_JPEG2000 && !p->boxed)
            pl_jp2_put_boxes(p, out);
        pl_str_add(out, (const char *)p->data, p->n);
    }
}
