/* SPDX-License-Identifier: BSD-2-Clause */
/* Images: 8-bit grey or RGB rows in a shared, reference-counted buffer, and views into them.
 *
 * struct pl_image is a small value; copying it with `=` borrows, pl_image_ref() shares. An image is
 * immutable once another image or stage shares it: operations make new ones. */
#ifndef PL_IMAGE_IMAGE_H
#define PL_IMAGE_IMAGE_H

#include <assert.h>
#include <stdatomic.h>

#include "base/bufpool.h"
#include "base/geom.h"
#include "base/pool.h"
#include "base/status.h"
#include "simd/kernels.h"

/* What a page may take beside the picture that its file promises. */
struct pl_room {
    uint64_t max_pixels; /* of a picture that an operation makes */
    /* Waits until there is memory for a picture of so many pixels, and for so many bytes of scratch
     * beside it. */
    void (*claim)(void *ctx, uint64_t pixels, uint64_t scratch_bytes);
    void *ctx;
};

/* A mapping of somebody else, where the next image that fits is made; none is left then. */
struct pl_image_place {
    uint8_t *at; /* NULL = it is taken */
    size_t bytes;
};

/* What every operation works with; nothing in it is owned by the callee. */
struct pl_env {
    const struct pl_kernels *k;
    struct pl_bufpool *bufs;
    struct pl_pool *pool;         /* for rows inside one page; NULL = inline */
    const atomic_bool *cancel;    /* of the page: nobody wants it any more; NULL = never */
    const struct pl_room *room;   /* NULL = any */
    struct pl_image_place *place; /* NULL = none */
    bool on_black; /* what a picture that is decoded lets be seen through is black, not white */
};

/* PLATEN_ERR_CANCELED when the page is; what is asked between the parts of longer work. */
PL_MUST_USE platen_status pl_env_check(const struct pl_env *env, struct platen_error *err);

/* Whether an operation may make a picture of that size. */
bool pl_env_allows(const struct pl_env *env, double width, double height);
/* Before an operation makes one that may be larger than those before it: PLATEN_ERR_LIMIT when it
 * may not, else there is memory for it when this returns. */
PL_MUST_USE platen_status pl_env_claim_picture(const struct pl_env *env, double width,
                                               double height, struct platen_error *err);
/* Before scratch is taken that depends on what is in the picture, and not on its size alone. */
void pl_env_claim_scratch(const struct pl_env *env, uint64_t bytes);

enum pl_format { PL_GRAY8 = 1, PL_RGB8 = 3 }; /* the value is the bytes per pixel */

struct pl_pixels; /* the shared buffer */

struct pl_image {
    uint8_t *px;         /* row 0; rows of an image made by pl_image_init() start 64-byte aligned */
    size_t stride_bytes; /* between rows; a view's rows need not be aligned */
    int width, height;   /* pixels, both at least 1 (0 in an empty image) */
    enum pl_format format;
    bool bilevel;       /* grey, and every byte is 0 (ink) or 255 (paper) */
    float dpi_x, dpi_y; /* 0 = unknown */
    struct pl_pixels *store;
};

/* Frees its image when it leaves scope: pl_auto_image im = {0}; */
#define pl_auto_image __attribute__((cleanup(pl_image_done))) struct pl_image

/* An image of undefined pixels from the pool. width and height are at least 1. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_image_init(const struct pl_env *env, int width, int height,
                                        enum pl_format format, struct pl_image *ret,
                                        struct platen_error *err);
/* The same with rows of width * format bytes, each behind one byte that is not the image's, without
 * gaps: as a PNG unpacks. The first of those bytes is px[-1]. */
PL_MUST_USE platen_status pl_image_init_packed(const struct pl_env *env, int width, int height,
                                               enum pl_format format, struct pl_image *ret,
                                               struct platen_error *err);
/* What either takes at most; 0 when that cannot be told. */
size_t pl_image_most_bytes(int width, int height, enum pl_format format);
/* The part `r` of im (not empty, inside it) without copying; shares the pixels. */
PL_MUST_USE struct pl_image pl_image_view(const struct pl_image *im, struct pl_rect r);
/* The same image, shared. */
PL_MUST_USE struct pl_image pl_image_ref(const struct pl_image *im);
/* Whether others may read the pixels, too; im is not empty. */
bool pl_image_is_shared(const struct pl_image *im);
/* Gives the share back and empties *im; an empty image is fine. */
void pl_image_done(struct pl_image *im);

/* The pixels of row y, 0 to height - 1. */
static inline uint8_t *pl_image_row(const struct pl_image *im, int y)
{
    assert(y >= 0 && y < im->height);
    return im->px + (size_t)y * im->stride_bytes;
}

/* A grey version: im itself, shared, when it is grey. */
PL_MUST_USE platen_status pl_image_to_gray(const struct pl_env *env, const struct pl_image *im,
                                           struct pl_image *ret, struct platen_error *err);

/* Applies an EXIF orientation 1..8: replaces *im by the picture as it is to be seen. */
PL_MUST_USE platen_status pl_image_turn(const struct pl_env *env, struct pl_image *im, int turn,
                                        struct platen_error *err);

#endif
