/* SPDX-License-Identifier: BSD-2-Clause */
/* What the samples of an image in a PDF mean: its colour space and /Decode (ISO 32000-1, 8.6 and
 * 8.9.5.2). */
#ifndef PL_CODEC_PDF_PDF_COLOR_H
#define PL_CODEC_PDF_PDF_COLOR_H

#include "codec/pdf/pdf.h"

#define MAX_FILTERS 8

enum samples { SAMPLES_GRAY, SAMPLES_RGB, SAMPLES_CMYK, SAMPLES_INDEXED, SAMPLES_TINT };

struct pdf_image {
    qpdf_data pdf;
    qpdf_oh stream, dict;
    struct pl_pdf_image_info info;
    const char *filters[MAX_FILTERS];
    int n_filters;
    qpdf_oh parms; /* of the last filter */
    int bits;      /* of a sample */
    enum samples samples;
    int n_samples; /* of a pixel */
    /* What /Decode and the tint of a separation make of each sample, from 0 to 255; not of indices,
     * for which `palette` has it. */
    uint8_t curves[4][256];
    bool curved;       /* one of them is no straight line from 0 to 255 */
    uint8_t tint[256]; /* the grey of each tint */
    uint8_t palette[256 * 4];
    int n_palette;
};

/* ---- pdf_image.c ---- */

/* Reads the dictionary of an image XObject. PLATEN_ERR_FORMAT, _UNSUPPORTED, _LIMIT. */
PL_MUST_USE platen_status pl_pdf_image_open(qpdf_data pdf, qpdf_oh stream, struct pdf_image *ret,
                                            struct platen_error *err);
/* `name` is that of the standard in full. */
bool pl_pdf_last_filter_is(const struct pdf_image *m, const char *name);
/* Gives the bytes that the last filter is to decode: those of the file where it is the only one. */
PL_MUST_USE platen_status pl_pdf_image_bytes(struct pdf_image *m, uint8_t **ret, size_t *ret_n,
                                             struct platen_error *err);
/* Gives the segments that a JBIG2 picture has in common with others; nothing where it has none. */
PL_MUST_USE platen_status pl_pdf_image_shared(const struct pdf_image *m, uint8_t **ret,
                                              size_t *ret_n, struct platen_error *err);

/* ---- pdf_color.c ---- */

/* Says what the samples are, n of them a pixel. */
void pl_pdf_set_samples(struct pdf_image *m, enum samples samples, int n);
/* Sets samples, tints and palette; `base`: of an indexed space. PLATEN_ERR_UNSUPPORTED, _FORMAT. */
PL_MUST_USE platen_status pl_pdf_read_color_space(struct pdf_image *m, qpdf_oh cs, bool base,
                                                  struct platen_error *err);
/* Sets the curves, or moves the palette. The colour space and `bits` are known. */
void pl_pdf_read_decode(struct pdf_image *m);

/* Changes n_px pixels of so many channels. */
void pl_pdf_apply_curves(const struct pdf_image *m, uint8_t *row, size_t n_px, size_t channels);
/* Gives a picture whose samples were decoded, as grey or RGB, the colours that the PDF tells.
 * PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_pdf_set_colors(struct pdf_image *m, const struct pl_source *src,
                                            struct pl_image *im, struct platen_error *err);
/* Does that for a picture of bits, of which 0 is black and 255 is white. */
PL_MUST_USE platen_status pl_pdf_set_bits_colors(struct pdf_image *m, const struct pl_source *src,
                                                 struct pl_image *im, struct platen_error *err);

#endif
