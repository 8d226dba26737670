/* SPDX-License-Identifier: BSD-2-Clause */
/* Fax data without a file around it (ITU-T T.4 and T.6): it becomes the only strip of a TIFF, for
 * libtiff. */
#include <string.h>

#include "base/mem.h"
#include "codec/decode.h"
#include "config.h"

#if PL_HAVE_TIFF
static void put_le(uint8_t *to, uint32_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

#define FIELDS 10
#define HEAD_BYTES (8 + 2 + 12 * FIELDS + 4)

/* Returns whether the data begins with the code of the end of a line, which filling may precede. No
 * other code begins with so many zeros. */
static bool begins_with_end(const uint8_t *data, size_t n)
{
    return n > 1 && !data[0] && data[1] < 32;
}

/* The head of a TIFF of one strip of fax, whose bytes follow it (TIFF 6.0, section 11). */
static void put_head(int k, int compression, int width, int height, size_t n,
                     uint8_t head[HEAD_BYTES])
{
    const uint32_t fields[FIELDS][3] = {
        {256, 4, (uint32_t)width},       /* ImageWidth */
        {257, 4, (uint32_t)height},      /* ImageLength */
        {258, 3, 1},                     /* BitsPerSample */
        {259, 3, (uint32_t)compression}, /* Compression */
        {262, 3, 0},                     /* PhotometricInterpretation: 0 is white */
        {273, 4, HEAD_BYTES},            /* StripOffsets */
        {277, 3, 1},                     /* SamplesPerPixel */
        {278, 4, (uint32_t)height},      /* RowsPerStrip */
        {279, 4, (uint32_t)n},           /* StripByteCounts */
        {k < 0 ? 293u : 292u, 4, k > 0}, /* T6Options, T4Options */
    };
    memset(head, 0, HEAD_BYTES);
    memcpy(head, "II*\0\x08\0\0\0", 8);
    put_le(head + 8, FIELDS, 2);
    for (int i = 0; i < FIELDS; i++) {
        uint8_t *f = head + 10 + 12 * i;
        put_le(f, fields[i][0], 2);
        put_le(f + 2, fields[i][1], 2);
        put_le(f + 4, 1, 4);
        put_le(f + 8, fields[i][2], 4);
    }
}

platen_status pl_fax_decode(const struct pl_source *src, int k, bool aligned, int width, int height,
                            struct pl_decoded *ret, struct platen_error *err)
{
    uint8_t *tiff = src->n <= UINT32_MAX - HEAD_BYTES ? pl_alloc(HEAD_BYTES + src->n, 1) : NULL;
    if (!tiff)
        return pl_fail_nomem(err, src->n, "a fax image");
    /* of one dimension, the variant without ends of lines has a number of its own in TIFF */
    const bool bare = !k && !begins_with_end(src->data, src->n);
    put_head(k, k < 0 ? 4 : bare ? 2 : 3, width, height, src->n, tiff);
    memcpy(tiff + HEAD_BYTES, src->data, src->n);
    struct pl_load_options opt = {.gray = true, .max_pixels = src->opt->max_pixels};
    const struct pl_source file = {.env = src->env,
                                   .data = tiff,
                                   .n = HEAD_BYTES + src->n,
                                   .opt = &opt,
                                   .fax_runs_on = bare && !aligned};
    platen_status s = pl_tiff_decode(&file, ret, err);
    pl_free(tiff);
    return s;
}
#else
platen_status pl_fax_decode(const struct pl_source *src PL_UNUSED, int k PL_UNUSED,
                            bool aligned PL_UNUSED, int width PL_UNUSED, int height PL_UNUSED,
                            struct pl_decoded *ret PL_UNUSED, struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                   "an image of the page is a fax, and this build has no library for it");
}
#endif
