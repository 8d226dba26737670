/* SPDX-License-Identifier: BSD-2-Clause */
/* Bitmaps of JBIG2 and the two codes that all regions are made of (ITU-T T.88, 6.2 and 6.3). */
#ifndef PL_CODEC_PDF_JBIG2_BITMAP_H
#define PL_CODEC_PDF_JBIG2_BITMAP_H

#include "codec/pdf/jbig2_arith.h"
#include "codec/decode.h"

/* A byte a pixel, 1 is black. Rows have MARGIN white bytes on both sides, and there are two white
 * rows above: what the templates look at near the edge. */
#define PL_JB_MARGIN 8

struct pl_jb_bitmap {
    uint8_t *block, *px; /* px is pixel (0, 0); NULL when there are none */
    int width, height, stride;
};

/* The bytes of a segment that are not read yet; a read behind the end gives 0 and sets `over`. */
struct pl_jb_bytes {
    const uint8_t *at, *end;
    bool over;
};
/* Takes a number of 1 to 4 bytes, the highest first. */
uint32_t pl_jb_take(struct pl_jb_bytes *b, int bytes);

/* What may still be decoded and drawn, in pixels: a small file must not keep us for hours. */
struct pl_jb_budget {
    uint64_t px;
    const struct pl_source *src; /* of the picture, for pl_fax_decode() */
    struct platen_error *err;
};

/* Returns PLATEN_ERR_FORMAT, with a text that says what is wrong with the data. */
platen_status pl_jb_damaged(struct pl_jb_budget *budget, const char *what);

/* What a symbol, or a place of one, costs beside its pixels, of which there may be none. */
#define PL_JB_THING_PX 16
/* Charges the budget with so many of them. PLATEN_ERR_LIMIT where it has not as much. */
platen_status pl_jb_spend(struct pl_jb_budget *budget, uint64_t things);

/* Makes a white bitmap. Its sizes may be zero; it is charged with its margins, which it has even
 * then. PLATEN_ERR_FORMAT for sizes that are negative or beyond any, _LIMIT, _NOMEM. */
platen_status pl_jb_bitmap_init(struct pl_jb_budget *budget, int64_t width, int64_t height,
                                struct pl_jb_bitmap *ret);
void pl_jb_bitmap_done(struct pl_jb_bitmap *b);

enum pl_jb_operator { PL_JB_OR, PL_JB_AND, PL_JB_XOR, PL_JB_XNOR, PL_JB_REPLACE };
/* Draws `from` with its corner at (x, y), as far as it lies on `to`. */
platen_status pl_jb_draw(struct pl_jb_budget *budget, const struct pl_jb_bitmap *from, int64_t x,
                         int64_t y, enum pl_jb_operator op, struct pl_jb_bitmap *to);

/* Returns a pixel; outside of the bitmap all are white. */
static inline int pl_jb_get(const struct pl_jb_bitmap *b, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < b->width && y < b->height ? b->px[y * b->stride + x] : 0;
}

/* Makes all of a bitmap black. */
void pl_jb_blacken(struct pl_jb_bitmap *b);

/* Decodes all of `to` from MMR (ITU-T T.6) in the bytes of *from, which it takes: up to the mark
 * that ends a picture, or all of them where there is none. */
platen_status pl_jb_read_mmr(struct pl_jb_budget *budget, struct pl_jb_bytes *from,
                             struct pl_jb_bitmap *to);

#define PL_JB_GENERIC_CONTEXTS (1 << 16)
#define PL_JB_REFINE_CONTEXTS (1 << 13)

#define PL_JB_EXTENDED 4 /* template 0 with twelve adaptive pixels (EXTTEMPLATE) */
#define PL_JB_ADAPTIVE_BYTES 24

struct pl_jb_generic {
    int template;                    /* 0..3, or PL_JB_EXTENDED */
    bool typical;                    /* TPGDON */
    int8_t at[PL_JB_ADAPTIVE_BYTES]; /* of the adaptive pixels: x, y */
    const struct pl_jb_bitmap *skip; /* of that size, black where a pixel is white and not coded */
};

/* Decodes all of `to`. g->skip = NULL codes all pixels. Returns how many rows need no byte behind
 * the data: of data that are cut off, those that came. */
int pl_jb_generic(struct pl_mq *mq, const struct pl_jb_generic *g, uint8_t *contexts,
                  struct pl_jb_bitmap *to);

struct pl_jb_refine {
    int template; /* 0 or 1 */
    bool typical; /* TPGRON */
    int8_t at[4]; /* of the adaptive pixels of template 0: x, y on `to`, then on `from` */
    const struct pl_jb_bitmap *from; /* what is refined */
    int64_t dx, dy;                  /* where `from` lies on `to` */
};

/* Decodes all of `to`, each pixel by those decoded before it and by those of r->from around it. */
void pl_jb_refine(struct pl_mq *mq, const struct pl_jb_refine *r, uint8_t *contexts,
                  struct pl_jb_bitmap *to);

#endif
