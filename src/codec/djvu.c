/* SPDX-License-Identifier: BSD-2-Clause */
/* DjVu (Lizardtech DjVu Reference, version 3): how many pages a document has, and their sizes. A
 * program makes pictures of them (render/renderer.h). */
#include <string.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "codec/boxes.h"
#include "codec/decode.h"

#define MAGIC_BYTES 4 /* "AT&T", before the outermost chunk */
#define CHUNK_HEAD 8  /* four letters and a length */
#define INFO_BYTES 10 /* width, height, version, resolution, gamma, flags */
#define LEAST_DPI 25  /* that the format allows; what a page tells beyond these is not believed */
#define MOST_DPI 6000

struct djvu_info {
    int width, height, dpi; /* as the picture of the page is; dpi 0 = not told */
};

/* Whether at `at` a form of that kind begins, whose chunks follow at at + 12. */
static bool is_form(const uint8_t *data, size_t n, size_t at, const char *kind)
{
    return at <= n && n - at >= CHUNK_HEAD + 4 && !memcmp(data + at, "FORM", 4) &&
           !memcmp(data + at + CHUNK_HEAD, kind, 4);
}

/* The list of the parts of a document that has several: pages, what pages share, thumbnails. */
struct djvu_parts {
    const uint8_t *places; /* four bytes each, from the beginning of the file */
    size_t n;
};

static platen_status find_parts(const uint8_t *data, size_t n, struct djvu_parts *ret,
                                struct platen_error *err)
{
    const size_t at = MAGIC_BYTES + CHUNK_HEAD + 4 + CHUNK_HEAD; /* of the list's data */
    if (n < at + 3 || memcmp(data + at - CHUNK_HEAD, "DIRM", 4))
        return pl_fail(err, PLATEN_ERR_FORMAT, "damaged djvu: it has no list of its pages");
    if (!(data[at] & 0x80))
        return pl_fail(
            err, PLATEN_ERR_UNSUPPORTED,
            "a djvu whose pages are files of their own; djvmcvt -b makes one file of them");
    *ret = (struct djvu_parts){data + at + 3, pl_be16(data + at + 1)};
    return (n - at - 3) / 4 >= ret->n
               ? PLATEN_OK
               : pl_fail(err, PLATEN_ERR_FORMAT, "truncated at byte %zu of the djvu", n);
}

/* Puts where the pages begin into ret, which has room for parts->n, and returns how many there are.
 */
static int list_pages(const uint8_t *data, size_t n, const struct djvu_parts *parts, uint64_t *ret)
{
    int count = 0;
    for (size_t i = 0; i < parts->n; i++) {
        const size_t at = pl_be32(parts->places + 4 * i);
        /* a part that the file lacks may have been a page */
        if (at > n || n - at < CHUNK_HEAD + 4 || is_form(data, n, at, "DJVU"))
            ret[count++] = at;
    }
    return count;
}

platen_status pl_djvu_pages(const uint8_t *data, size_t n, struct pl_pages *ret,
                            struct platen_error *err)
{
    struct djvu_parts parts = {.n = 0};
    *ret = (struct pl_pages){.n = 1};
    if (!is_form(data, n, MAGIC_BYTES, "DJVM"))
        return PLATEN_OK;
    platen_status s = find_parts(data, n, &parts, err);
    if (s)
        return s;
    uint64_t *places = pl_alloc(PL_MAX(parts.n, (size_t)1), sizeof(*places));
    if (!places)
        return pl_fail_nomem(err, parts.n * sizeof(*places), "the pages of a djvu");
    ret->n = list_pages(data, n, &parts, places);
    ret->at = places;
    return ret->n ? PLATEN_OK : pl_fail(err, PLATEN_ERR_FORMAT, "the djvu has no pages");
}

/* Where the page begins that src->opt names. */
static platen_status find_page(const struct pl_source *src, size_t *ret, struct platen_error *err)
{
    const int wanted = PL_MAX(src->opt ? src->opt->page : 0, 1);
    struct pl_pages pages;
    *ret = src->opt && src->opt->page_at ? (size_t)src->opt->page_at : MAGIC_BYTES;
    if (src->opt && src->opt->page_at)
        return PLATEN_OK;
    platen_status s = pl_djvu_pages(src->data, src->n, &pages, err);
    if (!s && src->opt && !src->opt->page && pages.n > 1)
        s = pl_fail(err, PLATEN_ERR_UNSUPPORTED, "the djvu has %d pages", pages.n);
    if (!s && wanted > pages.n)
        s = pl_fail(err, PLATEN_ERR_FORMAT, "no page %d: the djvu has %d", wanted, pages.n);
    if (!s && pages.at)
        *ret = (size_t)pages.at[wanted - 1];
    pl_free(pages.at);
    return s;
}

static platen_status read_info(const struct pl_source *src, struct djvu_info *ret,
                               struct platen_error *err)
{
    size_t at = 0;
    platen_status s = find_page(src, &at, err);
    if (s)
        return s;
    if (at >= src->n || src->n - at < CHUNK_HEAD + 4 + CHUNK_HEAD + INFO_BYTES)
        return pl_fail(err, PLATEN_ERR_FORMAT, "truncated at byte %zu of the djvu", src->n);
    const uint8_t *info = src->data + at + CHUNK_HEAD + 4;
    if (!is_form(src->data, src->n, at, "DJVU") || memcmp(info, "INFO", 4))
        return pl_fail(err, PLATEN_ERR_FORMAT, "damaged djvu: a page does not tell its size");
    info += CHUNK_HEAD;
    const int w = (int)pl_be16(info), h = (int)pl_be16(info + 2), dpi = info[6] | info[7] << 8,
              turn = info[9] & 7;
    const bool aside = turn == 5 || turn == 6; /* 1 and 2 are upright and upside down */
    *ret = (struct djvu_info){aside ? h : w, aside ? w : h,
                              dpi >= LEAST_DPI && dpi <= MOST_DPI ? dpi : 0};
    return w && h ? PLATEN_OK
                  : pl_fail(err, PLATEN_ERR_FORMAT, "damaged djvu: a page of %d x %d pixels", w, h);
}

platen_status pl_djvu_probe(const struct pl_source *src, struct pl_image_info *ret,
                            struct platen_error *err)
{
    struct djvu_info i = {.dpi = 0};
    platen_status s = read_info(src, &i, err);
    if (!s)
        *ret = (struct pl_image_info){"djvu", i.width, i.height, 3, 0};
    return s;
}

/* Tells that a program must render the page, and its resolution. */
platen_status pl_djvu_decode(const struct pl_source *src, struct pl_decoded *ret,
                             struct platen_error *err)
{
    struct djvu_info i = {.dpi = 0};
    platen_status s = read_info(src, &i, err);
    s = s ? s : pl_limits_check(src->opt, (uint64_t)i.width, (uint64_t)i.height, err);
    if (s)
        return s;
    ret->drawn = true;
    ret->drawn_dpi = i.dpi;
    return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                   "a djvu is read where ddjvu is installed, and --pdf-renderer is not off");
}
