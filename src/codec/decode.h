/* SPDX-License-Identifier: BSD-2-Clause */
/* Between load.c and the decoders of single formats; nothing outside src/codec includes this. */
#ifndef PL_CODEC_DECODE_H
#define PL_CODEC_DECODE_H

#include "codec/codec.h"
#include "image/bits.h"

/* A side longer than this is refused: three times it still fits an int. */
#define PL_IMAGE_MAX_SIDE (1 << 24)

/* What the four samples of a pixel in a JPEG are. */
enum pl_inks {
    PL_INKS_TOLD, /* the mark of Adobe says that they are what is left without ink */
    PL_INKS_PLAIN,
    PL_INKS_INVERTED,
};

/* Whether a component of JPEG 2000 behind those of the colours is alpha. */
enum pl_alpha {
    PL_ALPHA_TOLD, /* where the file says so */
    PL_ALPHA_NONE,
    PL_ALPHA_NEXT, /* the first one is */
};

struct pl_source {
    const struct pl_env *env;
    const uint8_t *data;
    size_t n;
    const struct pl_load_options *opt;
    bool packs; /* a decoder that has bits may leave them packed */
    enum pl_inks inks;
    enum pl_alpha alpha;
    bool four_inks;   /* the first four components of JPEG 2000 are those of print */
    bool fax_runs_on; /* rows of a TIFF in one-dimensional fax do not end at whole bytes */
};

/* The flaw of a file that is read all the same. */
#define PL_FLAW_NO_END "the mark of its end is missing, but no pixel"
#define PL_FLAW_HAS_TEXT "the page has text already, and gets no other"
#define PL_FLAW_SKIPPED "the page has text already, and is not read"
#define PL_FLAW_TWICE "the page stands in the document twice, and has the text that is added once"
#define PL_FLAW_OVERDRAWN                                                                          \
    "what is drawn over the scan is not read, and what it covers is: to read the page as it is "   \
    "seen takes pdftoppm or mutool, and --pdf-renderer not off"
#define PL_FLAW_COVERED                                                                            \
    "what is drawn over the scan is not read, and may hide what it covers: the page of the PDF "   \
    "gets no text; to read it as it is seen takes pdftoppm or mutool, and --pdf-renderer not off"
#define PL_FLAW_MORE                                                                               \
    "the file has another picture behind the first, which is not read (on standard input all are)"
#define PL_FLAW_MOVES "the file is an animation, of which the first picture alone is read"

/* What came of a damaged picture: `rows` of its `height` rows; the others are white. */
struct pl_damage {
    uint64_t rows, height; /* of all pictures of a page that has several */
    /* "truncated at byte 812"; "" = nothing is damaged */
    char why[sizeof(((struct platen_error *)0)->text)];
};

/* What a decoder found out; `turn` is the EXIF orientation 1..8, not yet applied. On failure the
 * image is empty. */
struct pl_decoded {
    struct pl_image image;
    struct pl_bits bits; /* in place of the image, with src->packs and `turn` 1 alone */
    int turn;
    int sample_bits;  /* of JPEG 2000, as its file has them, of the first component */
    const char *flaw; /* of a file from which no pixel is missing; one of the texts above */
    struct pl_damage damage;
    bool drawn;               /* with a failure: a program must render the page */
    struct pl_page_told told; /* without `drawn` */
    bool over;        /* with `drawn`: the scan on it can be read without what is drawn over that */
    double drawn_dpi; /* that its picture will have; 0 = not known */
};

typedef platen_status pl_decode_fn(const struct pl_source *src, struct pl_decoded *ret,
                                   struct platen_error *err);
/* src->env may be NULL, and of src->opt the page alone counts. */
typedef platen_status pl_probe_fn(const struct pl_source *src, struct pl_image_info *ret,
                                  struct platen_error *err);
typedef platen_status pl_pages_fn(const uint8_t *data, size_t n, struct pl_pages *ret,
                                  struct platen_error *err);
/* Returns how many of the n bytes belong to the picture with which they begin, as far as its format
 * tells without decoding it; n where that is not clear. */
typedef size_t pl_end_fn(const uint8_t *data, size_t n);
/* Of a format of which only what comes behind it tells where it ends: the next place behind `from`,
 * 0 or what was returned before, at which it may end; n where there is none. */
typedef size_t pl_ends_fn(const uint8_t *data, size_t n, size_t from);
/* Whether the file shows several pictures one after the other, as far as data[0..n) tell. */
typedef bool pl_moves_fn(const uint8_t *data, size_t n);

pl_decode_fn pl_png_decode, pl_jpeg_decode, pl_pnm_decode, pl_bmp_decode, pl_gif_decode,
    pl_psd_decode, pl_tga_decode, pl_hdr_decode, pl_tiff_decode, pl_webp_decode, pl_jp2_decode,
    pl_pdf_decode, pl_heif_decode, pl_djvu_decode, pl_raster_decode;
pl_probe_fn pl_png_probe, pl_jpeg_probe, pl_pnm_probe, pl_bmp_probe, pl_gif_probe, pl_psd_probe,
    pl_tga_probe, pl_hdr_probe, pl_tiff_probe, pl_webp_probe, pl_jp2_probe, pl_pdf_probe,
    pl_heif_probe, pl_djvu_probe, pl_raster_probe;
pl_pages_fn pl_tiff_pages, pl_pdf_pages, pl_heif_pages, pl_djvu_pages;
pl_end_fn pl_png_end, pl_jpeg_end, pl_pnm_end, pl_bmp_end, pl_gif_end, pl_tiff_end, pl_webp_end,
    pl_heif_end, pl_djvu_end;
pl_ends_fn pl_jp2_ends, pl_pdf_ends;
/* Whether another document begins right behind one of the places at which data[0..n) may end. */
bool pl_pdf_has_another(const uint8_t *data, size_t n);
pl_moves_fn pl_png_moves, pl_gif_moves, pl_webp_moves, pl_heif_moves;

/* Does what pl_image_load() does, here or in a cell, but runs no program and tells what it found
 * out. The picture is turned, and may be damaged; ret is filled in every case. */
PL_MUST_USE platen_status pl_image_decode(const struct pl_source *src, struct pl_decoded *ret,
                                          struct platen_error *err);

/* Does what pl_image_probe() does, and of opt->scan_alone no more than it says. */
PL_MUST_USE platen_status pl_image_probe_settled(const uint8_t *data, size_t n,
                                                 const struct pl_load_options *opt,
                                                 struct pl_image_info *ret,
                                                 struct platen_error *err);

/* TGA has no magic: true when all of its header is plausible and the file long enough for it. */
bool pl_tga_plausible(const uint8_t *data, size_t n);

/* PLATEN_ERR_LIMIT for a picture beyond opt->max_pixels or PL_IMAGE_MAX_SIDE, PLATEN_ERR_FORMAT for
 * an empty one. */
PL_MUST_USE platen_status pl_limits_check(const struct pl_load_options *opt, uint64_t width,
                                          uint64_t height, struct platen_error *err);
/* PLATEN_ERR_FORMAT when n bytes cannot hold enough of so many pixels (at most `per_byte` in each
 * byte), as pl_damage_settle() asks for: what keeps a tiny file from asking for a huge picture. */
PL_MUST_USE platen_status pl_bytes_check(size_t n, uint64_t width, uint64_t height,
                                         uint64_t per_byte, struct platen_error *err);

/* An image for rows of so many channels (1 grey, 2 grey + alpha, 3 RGB, 4 RGB + alpha). */
PL_MUST_USE platen_status pl_rows_init(const struct pl_source *src, int width, int height,
                                       int channels, struct pl_image *ret,
                                       struct platen_error *err);
/* Row y of im from `row`, which is used up: alpha goes over white, c' = (c a + 255 (255 - a)) / 255
 * rounded to the nearest (over black with env->on_black), then colour becomes grey where im is
 * grey. */
void pl_rows_put(const struct pl_env *env, struct pl_image *im, int y, uint8_t *row, int channels);
/* Converts n pixels of the four inks of print in place. `inverted`: they are what is left without
 * ink. */
void pl_inks_to_rgb(uint8_t *row, size_t n, bool inverted);
/* Decides what becomes of a picture of which a decoder could read `rows` of `height` rows alone,
 * because of *why, with status s: PLATEN_OK, and *ret tells it, where that is enough; else s, and
 * *err is *why. Damage (PLATEN_ERR_FORMAT) is the only reason for which a part is enough. */
PL_MUST_USE platen_status pl_damage_settle(platen_status s, const struct platen_error *why,
                                           uint64_t rows, uint64_t height, struct pl_damage *ret,
                                           struct platen_error *err);
/* Makes rows y0 to y1 - 1 white. */
void pl_rows_whiten(struct pl_image *im, int y0, int y1);
/* A 16-bit sample as 8 bits, rounded to the nearest. */
static inline uint8_t pl_from_16(unsigned v)
{
    return (uint8_t)((v * 255u + 32767u) / 65535u);
}
/* 8 pixels (0 or 255) a byte, the first in the highest bit, 255 as 1, every bit of a pixel xor
 * flip's (0x00 or 0xff); what is left of the last byte is 0. */
void pl_bits_pack(uint8_t *dst, const uint8_t *src, size_t n, uint8_t flip);
/* True when every byte is 0 or 255. */
bool pl_rows_bilevel(const struct pl_image *im);

/* A picture of fax data: with k < 0 group 4 (MMR), with k = 0 group 3 in one dimension, with k > 0
 * in two, as PDF has it; 0 is black. `aligned`: with k = 0, rows begin at whole bytes. */
PL_MUST_USE platen_status pl_fax_decode(const struct pl_source *src, int k, bool aligned, int width,
                                        int height, struct pl_decoded *ret,
                                        struct platen_error *err);

/* A codec library's message as an error of the house, with the place in the file. */
PL_MUST_USE platen_status pl_fail_codec(struct platen_error *err, platen_status code,
                                        const char *message, size_t at_byte);

#endif
