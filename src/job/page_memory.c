/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/page.h"

#include "codec/cell.h"

/* Bytes that all pictures of a page take at once for each of its pixels. tests/fault/peak_shapes.py
 * measures it: a grey page stays below 4. */
#define GRAY_PAGE_BYTES 4
#define COLOR_PAGE_BYTES 12
/* Bytes for each pixel more, for each format that is a picture. */
#define PICTURE_BYTES 1
/* Bytes for each byte that fills a row up to ROW_ALIGN: thin pictures have many. */
#define PAD_BYTES 18
/* The part of GRAY_PAGE_BYTES that is scratch, whose size depends on what the picture shows. */
#define SCRATCH_BYTES 1
#define ROW_ALIGN 64

static uint64_t px_bytes_of(const struct pl_plan *plan, bool gray)
{
    unsigned most = GRAY_PAGE_BYTES;
    for (size_t i = 0; i < plan->pipeline->n_preprocess; i++)
        most = PL_MAX(most, pl_preprocess_op_of(plan->pipeline->steps[i].info)->px_bytes);
    for (size_t i = 0; i < plan->n_formats; i++)
        most += plan->formats[i]->binary ? PICTURE_BYTES : 0;
    return most + (gray ? 0 : COLOR_PAGE_BYTES - GRAY_PAGE_BYTES);
}

static uint64_t padded(uint64_t n)
{
    return (n + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
}

platen_status pl_page_estimate(struct pl_page *page, uint64_t *ret)
{
    const struct pl_plan *plan = page->plan;
    const struct pl_map *map = &page->map;
    struct pl_image_info info = {0};
    const uint64_t read = map->kind == PL_MAP_ALLOCATED ? map->size : 0;
    *ret = 1 + read; /* a file whose header cannot be read is not decoded either */
    const struct pl_load_options opt = {.page = page->in.page,
                                        .page_at = page->in.page_at,
                                        .pdf_text = plan->load.pdf_text,
                                        .raster = page->in.raster};
    platen_status s = pl_image_probe(map->data, map->size, &opt, &info, &page->err);
    if (s)
        return s == PLATEN_ERR_LIMIT && pl_cells_take(true) ? s : PLATEN_OK;
    const bool gray = plan->load.gray || info.channels < 3;
    const uint64_t w = (uint64_t)info.width, h = (uint64_t)info.height, px = w * h;
    /* the page may be turned: then its columns become rows */
    const uint64_t pad = PL_MAX(padded(w) * h, padded(h) * w) - px;
    /* a mapped file may hold other pages: a decoder touches no more of it than what is decoded
     * comes to */
    const uint64_t touched =
        map->kind == PL_MAP_MAPPED ? PL_MIN(map->size, PL_MAX(4 * px, info.decode_bytes)) : 0;
    const uint64_t decode = pl_image_decode_bytes_per_px(map->data, map->size, info.channels),
                   px_bytes = PL_MAX(px_bytes_of(plan, gray), decode);
    page->pixels = px;
    page->scratch_bytes = px * SCRATCH_BYTES;
    page->decode_bytes = info.decode_bytes;
    const uint64_t cell =
        pl_image_cell_bytes(map->data, map->size, px, gray ? 1 : 3, info.decode_bytes);
    *ret += touched + PL_MAX(px * px_bytes, cell ? 0 : info.decode_bytes) + pad * PAD_BYTES + cell;
    return PLATEN_OK;
}

/* The claim of struct pl_room. The page holds what it claims to its end. */
static void claim_memory(void *ctx, uint64_t pixels, uint64_t scratch_bytes)
{
    const struct pl_page_worker *w = ctx;
    struct pl_page *page = w->page;
    uint64_t more = 0;
    if (pixels > page->pixels) {
        more += (pixels - page->pixels) * px_bytes_of(page->plan, true);
        page->pixels = pixels;
    }
    if (scratch_bytes > page->scratch_bytes) {
        more += scratch_bytes - page->scratch_bytes;
        page->scratch_bytes = scratch_bytes;
    }
    if (!more || !page->inside)
        return;
    pl_gate_grow(page->plan->gate, more, page->alone);
    page->bytes += more;
}

void pl_page_worker_bound(struct pl_page_worker *w, uint64_t max_pixels)
{
    w->room = (struct pl_room){max_pixels, claim_memory, w};
    w->env.room = &w->room;
}
