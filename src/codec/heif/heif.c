/* SPDX-License-Identifier: BSD-2-Clause */
/* HEIF (ISO/IEC 23008-12) through libheif: HEIC, as telephones write it, and AVIF. The pictures of
 * a file that stand for themselves are its pages. Turns and clips that the file asks for are done
 * by the library; the orientation in its EXIF is that before them, and does not count. */
#include <string.h>

#include "base/mem.h"
#include "codec/boxes.h"
#include "codec/decode.h"
#include "codec/heif/heif_library.h"

struct heif_file {
    struct heif_context *context;
    struct heif_image_handle *handle; /* of the page */
    int width, height;
    size_t n; /* bytes of the file */
    struct platen_error *err;
};

static platen_status fail_heif(const struct heif_file *f, struct heif_error e)
{
    if (e.subcode == heif_suberror_Security_limit_exceeded)
        return pl_fail(f->err, PLATEN_ERR_LIMIT, "a limit of libheif: %s", e.message);
    if (e.subcode == heif_suberror_End_of_data)
        return pl_fail(f->err, PLATEN_ERR_FORMAT, "truncated at byte %zu of the heif", f->n);
    switch (e.code) {
    case heif_error_Memory_allocation_error:
        return pl_fail_nomem(f->err, f->n, "decoding a heif");
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature:
    case heif_error_Plugin_loading_error:
        return pl_fail(f->err, PLATEN_ERR_UNSUPPORTED,
                       "heif that libheif, or the decoders installed with it, cannot read: %s",
                       e.message);
    default:
        return pl_fail(f->err, PLATEN_ERR_FORMAT, "damaged heif: %s", e.message);
    }
}

static platen_status open_file(struct heif_file *f, const uint8_t *data, int *ret_pages)
{
    platen_status s = pl_heif_load(f->err);
    if (s)
        return s;
    f->context = pl_heif.context_alloc();
    if (!f->context)
        return pl_fail_nomem(f->err, f->n, "a heif");
    pl_heif.context_set_max_decoding_threads(f->context, 0); /* pages have threads, parts do not */
    const struct heif_error e =
        pl_heif.context_read_from_memory_without_copy(f->context, data, f->n, NULL);
    if (e.code)
        return fail_heif(f, e);
    *ret_pages = pl_heif.context_get_number_of_top_level_images(f->context);
    return *ret_pages > 0 ? PLATEN_OK
                          : pl_fail(f->err, PLATEN_ERR_FORMAT, "the heif has no picture");
}

static platen_status take_handle(struct heif_file *f, int page, int n)
{
    heif_item_id *ids = pl_alloc((size_t)n, sizeof(*ids));
    if (!ids)
        return pl_fail_nomem(f->err, (size_t)n * sizeof(*ids), "the pages of a heif");
    const int got = pl_heif.context_get_list_of_top_level_image_IDs(f->context, ids, n);
    const struct heif_error e =
        page <= got ? pl_heif.context_get_image_handle(f->context, ids[page - 1], &f->handle)
                    : (struct heif_error){heif_error_Invalid_input, heif_suberror_Unspecified,
                                          "its list of pictures ends early"};
    pl_free(ids);
    return e.code ? fail_heif(f, e) : PLATEN_OK;
}

/* Opens the page that src->opt names, or the first one where that is NULL. */
static platen_status open_page(struct heif_file *f, const struct pl_source *src)
{
    const int page = PL_MAX(src->opt ? src->opt->page : 0, 1);
    int n = 0;
    platen_status s = open_file(f, src->data, &n);
    if (s)
        return s;
    if (src->opt && !src->opt->page && n > 1)
        return pl_fail(f->err, PLATEN_ERR_UNSUPPORTED, "the heif has %d pages", n);
    if (page > n)
        return pl_fail(f->err, PLATEN_ERR_FORMAT, "no page %d: the heif has %d", page, n);
    s = take_handle(f, page, n);
    if (s)
        return s;
    f->width = pl_heif.image_handle_get_width(f->handle);
    f->height = pl_heif.image_handle_get_height(f->handle);
    return f->width > 0 && f->height > 0
               ? PLATEN_OK
               : pl_fail(f->err, PLATEN_ERR_FORMAT,
                         "the heif does not tell the size of its picture");
}

static void close_file(struct heif_file *f)
{
    if (f->handle)
        pl_heif.image_handle_release(f->handle);
    if (f->context)
        pl_heif.context_free(f->context);
}

static platen_status decode_pixels(const struct heif_file *f, bool alpha, struct heif_image **ret)
{
    struct heif_decoding_options *o = pl_heif.decoding_options_alloc();
    if (!o)
        return pl_fail_nomem(f->err, f->n, "decoding a heif");
    o->convert_hdr_to_8bit = 1;
    const struct heif_error e =
        pl_heif.decode_image(f->handle, ret, heif_colorspace_RGB,
                             alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, o);
    pl_heif.decoding_options_free(o);
    return e.code ? fail_heif(f, e) : PLATEN_OK;
}

/* Makes colours that were multiplied with their alpha what they were before. */
static void divide_by_alpha(uint8_t *row, int width)
{
    for (int x = 0; x < width; x++, row += 4)
        for (int i = 0; i < 3 && row[3]; i++)
            row[i] = (uint8_t)PL_MIN((row[i] * 255 + row[3] / 2) / row[3], 255);
}

static platen_status put_rows(const struct heif_file *f, const struct pl_source *src,
                              const struct heif_image *from, bool alpha, struct pl_image *im)
{
    int stride = 0;
    const int channels = alpha ? 4 : 3;
    const size_t bytes = (size_t)im->width * (size_t)channels;
    const uint8_t *px = pl_heif.image_get_plane_readonly(from, heif_channel_interleaved, &stride);
    if (!px || pl_heif.image_get_width(from, heif_channel_interleaved) != im->width ||
        pl_heif.image_get_height(from, heif_channel_interleaved) != im->height)
        return pl_fail(f->err, PLATEN_ERR_FORMAT, "damaged heif: its picture has another size");
    uint8_t *row = pl_bufpool_get(src->env->bufs, bytes);
    if (!row)
        return pl_fail_nomem(f->err, bytes, "a row of a heif");
    const bool multiplied = alpha && pl_heif.image_handle_is_premultiplied_alpha(f->handle);
    for (int y = 0; y < im->height; y++) {
        memcpy(row, px + (size_t)y * (size_t)stride, bytes);
        if (multiplied)
            divide_by_alpha(row, im->width);
        pl_rows_put(src->env, im, y, row, channels);
    }
    pl_bufpool_put(src->env->bufs, row, bytes);
    return PLATEN_OK;
}

static platen_status decode_page(struct heif_file *f, const struct pl_source *src,
                                 struct pl_image *ret)
{
    struct heif_image *picture = NULL;
    platen_status s = open_page(f, src);
    if (s)
        return s;
    const bool alpha = pl_heif.image_handle_has_alpha_channel(f->handle);
    s = pl_limits_check(src->opt, (uint64_t)f->width, (uint64_t)f->height, f->err);
    s = s ? s : decode_pixels(f, alpha, &picture);
    s = s ? s : pl_rows_init(src, f->width, f->height, alpha ? 4 : 3, ret, f->err);
    s = s ? s : put_rows(f, src, picture, alpha, ret);
    if (picture)
        pl_heif.image_release(picture);
    return s;
}

platen_status pl_heif_decode(const struct pl_source *src, struct pl_decoded *ret,
                             struct platen_error *err)
{
    struct heif_file f = {.n = src->n, .err = err};
    struct pl_image im = {0};
    platen_status s = decode_page(&f, src, &im);
    close_file(&f);
    if (s) {
        pl_image_done(&im);
        return s;
    }
    im.bilevel = pl_rows_bilevel(&im);
    *ret = (struct pl_decoded){.image = im, .turn = 1};
    return PLATEN_OK;
}

platen_status pl_heif_probe(const struct pl_source *src, struct pl_image_info *ret,
                            struct platen_error *err)
{
    struct heif_file f = {.n = src->n, .err = err};
    platen_status s = open_page(&f, src);
    if (!s)
        *ret = (struct pl_image_info){"heif", f.width, f.height,
                                      pl_heif.image_handle_has_alpha_channel(f.handle) ? 4 : 3, 0};
    close_file(&f);
    return s;
}

platen_status pl_heif_pages(const uint8_t *data, size_t n, struct pl_pages *ret,
                            struct platen_error *err)
{
    struct heif_file f = {.n = n, .err = err};
    *ret = (struct pl_pages){.n = 1};
    platen_status s = open_file(&f, data, &ret->n);
    close_file(&f);
    return s;
}

/* Whether it is four letters, figures or blanks: other bytes begin something else. */
static bool is_box_type(const uint8_t *type)
{
    for (int i = 0; i < 4; i++)
        if (type[i] < ' ' || type[i] > '~')
            return false;
    return true;
}

/* A file is boxes, the first of which is `ftyp`, and no other. */
size_t pl_heif_end(const uint8_t *data, size_t n)
{
    struct pl_box b;
    size_t end = 0;
    for (size_t at = 0; pl_box_next(data, n, &at, &b); end = at)
        if (!is_box_type(b.type) || (end && pl_box_is(&b, "ftyp")))
            break;
    return end ? end : n;
}

/* A sequence of pictures has a box `moov` beside that of its still ones. */
bool pl_heif_moves(const uint8_t *data, size_t n)
{
    struct pl_box b;
    for (size_t at = 0; pl_box_next(data, n, &at, &b);)
        if (pl_box_is(&b, "moov"))
            return true;
    return false;
}
