/* SPDX-License-Identifier: BSD-2-Clause */
/* The page picture as stage one left it. */
#include "config.h"
#include "codec/codec.h"
#include "output/emitters.h"

static platen_status emit_png(const struct pl_env *env PL_UNUSED, const struct pl_page_result *page,
                              struct pl_str *out, struct platen_error *err)
{
    return pl_png_encode(&page->image->image, out, err);
}

static platen_status emit_pnm(const struct pl_env *env PL_UNUSED, const struct pl_page_result *page,
                              struct pl_str *out, struct platen_error *err)
{
    return pl_pnm_encode(&page->image->image, out, err);
}

const struct pl_emitter pl_emit_png = {
    .name = "png",
    .extension = "png",
    .media_type = "image/png",
    .help = "the page picture after stage one",
    .needs = PLATEN_STAGE_PREPROCESS,
    .binary = true,
    .single = true,
    .emit = emit_png,
};

#if PL_HAVE_TIFF
static platen_status emit_tiff(const struct pl_env *env PL_UNUSED,
                               const struct pl_page_result *page, struct pl_str *out,
                               struct platen_error *err)
{
    return pl_tiff_encode(&page->image->image, out, err);
}

const struct pl_emitter pl_emit_tiff = {
    .name = "tiff",
    .extension = "tif",
    .media_type = "image/tiff",
    .help = "the page picture after stage one, black and white as fax group 4",
    .needs = PLATEN_STAGE_PREPROCESS,
    .binary = true,
    .single = true,
    .emit = emit_tiff,
};
#endif

const struct pl_emitter pl_emit_pnm = {
    .name = "pnm",
    .extension = "pnm",
    .media_type = "image/x-portable-anymap",
    .help = "the page picture after stage one, uncompressed (PBM, PGM or PPM)",
    .needs = PLATEN_STAGE_PREPROCESS,
    .binary = true,
    .single = true,
    .emit = emit_pnm,
};
