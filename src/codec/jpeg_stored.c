/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/jpeg_marks.h"
#include "codec/types.h"

/* Readers of PDF know the Huffman code alone, and want a JPEG whole. */
bool pl_jpeg_stored(const struct pl_source *src, struct pl_stored *ret)
{
    const struct pl_jpeg_marks m = pl_jpeg_all_marks(src->data, src->n);
    ret->form = PL_STORED_JPEG;
    ret->width = m.width;
    ret->height = m.height;
    ret->turn = pl_jpeg_turn(src->data, src->n);
    ret->channels = m.components == 1 ? 1 : 3;
    ret->bits = 8;
    ret->data = src->data;
    ret->n = ret->bytes = src->n;
    return m.end && !m.arithmetic && ret->turn;
}
