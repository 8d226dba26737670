/* The page picture as stage one left it. */
#include "image/codec.h"
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
    .help = "the page picture after stage one",
    .needs = 1,
    .binary = true,
    .single = true,
    .emit = emit_png,
};

const struct pl_emitter pl_emit_pnm = {
    .name = "pnm",
    .extension = "pnm",
    .help = "the page picture after stage one, uncompressed (PBM, PGM or PPM)",
    .needs = 1,
    .binary = true,
    .single = true,
    .emit = emit_pnm,
};
