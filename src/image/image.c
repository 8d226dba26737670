/* SPDX-License-Identifier: BSD-2-Clause */
#include "image/image.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "base/mem.h"

#define ALIGN 64

/* Lives in the first 64 bytes of its buffer; the rows follow. */
struct pl_pixels {
    struct pl_bufpool *pool; /* NULL = the memory is somebody else's */
    size_t bytes;            /* as asked from the pool */
    atomic_int refs;
};

_Static_assert(sizeof(struct pl_pixels) <= ALIGN, "the header must leave the rows aligned");

static struct pl_pixels *take_place(const struct pl_env *env, size_t bytes)
{
    if (!env->place || !env->place->at || env->place->bytes < bytes)
        return NULL;
    struct pl_pixels *store = (void *)env->place->at;
    env->place->at = NULL;
    pl_mem_populate(store, bytes);
    store->pool = NULL;
    return store;
}

static struct pl_pixels *take_buffer(const struct pl_env *env, size_t bytes)
{
    struct pl_pixels *store = pl_bufpool_get(env->bufs, bytes);
    if (store)
        store->pool = env->bufs;
    return store;
}

static platen_status init(const struct pl_env *env, int width, int height, enum pl_format format,
                          size_t stride, size_t lead, struct pl_image *ret,
                          struct platen_error *err)
{
    size_t bytes;
    assert(width > 0 && height > 0 && (format == PL_GRAY8 || format == PL_RGB8));
    if (!pl_mul(stride, (size_t)height, &bytes) || !pl_add(bytes, ALIGN, &bytes))
        return pl_fail(err, PLATEN_ERR_LIMIT, "%d x %d pixels are too many", width, height);
    struct pl_pixels *store = take_place(env, bytes);
    store = store ? store : take_buffer(env, bytes);
    if (!store)
        return pl_fail_nomem(err, bytes, "an image");
    store->bytes = bytes;
    atomic_init(&store->refs, 1);
    *ret = (struct pl_image){.px = (uint8_t *)store + ALIGN + lead,
                             .stride_bytes = stride,
                             .width = width,
                             .height = height,
                             .format = format,
                             .store = store};
    return PLATEN_OK;
}

platen_status pl_env_check(const struct pl_env *env, struct platen_error *err)
{
    if (env->cancel && atomic_load_explicit(env->cancel, memory_order_relaxed))
        return pl_fail(err, PLATEN_ERR_CANCELED, "canceled");
    return PLATEN_OK;
}

bool pl_env_allows(const struct pl_env *env, double width, double height)
{
    return !env->room || width * height <= (double)env->room->max_pixels;
}

platen_status pl_env_claim_picture(const struct pl_env *env, double width, double height,
                                   struct platen_error *err)
{
    if (!pl_env_allows(env, width, height))
        return pl_fail(err, PLATEN_ERR_LIMIT,
                       "%.0f x %.0f pixels would come of it, and exceed the limit of %llu", width,
                       height, (unsigned long long)env->room->max_pixels);
    if (env->room)
        env->room->claim(env->room->ctx, (uint64_t)(width * height), 0);
    return PLATEN_OK;
}

void pl_env_claim_scratch(const struct pl_env *env, uint64_t bytes)
{
    if (env->room)
        env->room->claim(env->room->ctx, 0, bytes);
}

platen_status pl_image_init(const struct pl_env *env, int width, int height, enum pl_format format,
                            struct pl_image *ret, struct platen_error *err)
{
    size_t stride = ((size_t)width * (size_t)format + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    return init(env, width, height, format, stride, 0, ret, err);
}

platen_status pl_image_init_packed(const struct pl_env *env, int width, int height,
                                   enum pl_format format, struct pl_image *ret,
                                   struct platen_error *err)
{
    return init(env, width, height, format, (size_t)width * (size_t)format + 1, 1, ret, err);
}

size_t pl_image_most_bytes(int width, int height, enum pl_format format)
{
    size_t bytes;
    assert(width > 0 && height > 0);
    return pl_mul((size_t)width * (size_t)format + ALIGN, (size_t)height, &bytes) &&
                   pl_add(bytes, 2 * ALIGN, &bytes)
               ? bytes
               : 0;
}

struct pl_image pl_image_ref(const struct pl_image *im)
{
    assert(!im->store || atomic_load(&im->store->refs) > 0);
    if (im->store)
        atomic_fetch_add(&im->store->refs, 1);
    return *im;
}

struct pl_image pl_image_view(const struct pl_image *im, struct pl_rect r)
{
    assert(r.x0 >= 0 && r.y0 >= 0 && r.x1 <= im->width && r.y1 <= im->height && !pl_rect_empty(r));
    struct pl_image v = pl_image_ref(im);
    v.px = pl_image_row(im, r.y0) + (size_t)r.x0 * (size_t)im->format;
    v.width = pl_rect_width(r);
    v.height = pl_rect_height(r);
    return v;
}

bool pl_image_is_shared(const struct pl_image *im)
{
    assert(im->store);
    return atomic_load(&im->store->refs) > 1;
}

void pl_image_done(struct pl_image *im)
{
    assert(!im->store || atomic_load(&im->store->refs) > 0); /* each share is given back once */
    if (im->store && atomic_fetch_sub(&im->store->refs, 1) == 1 && im->store->pool)
        pl_bufpool_put(im->store->pool, im->store, im->store->bytes);
    *im = (struct pl_image){0};
}

platen_status pl_image_to_gray(const struct pl_env *env, const struct pl_image *im,
                               struct pl_image *ret, struct platen_error *err)
{
    if (im->format == PL_GRAY8) {
        *ret = pl_image_ref(im);
        return PLATEN_OK;
    }
    platen_status s = pl_image_init(env, im->width, im->height, PL_GRAY8, ret, err);
    if (s)
        return s;
    ret->dpi_x = im->dpi_x;
    ret->dpi_y = im->dpi_y;
    for (int y = 0; y < im->height; y++)
        env->k->gray_rgb(pl_image_row(ret, y), pl_image_row(im, y), (size_t)im->width);
    return PLATEN_OK;
}
