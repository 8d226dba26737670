/* Raw PNM writing (the netpbm formats P4, P5 and P6). */
#include "image/codec.h"

static void add_packed(struct pl_str *out, const uint8_t *src, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        unsigned byte = 0;
        for (size_t j = 0; j < 8; j++)
            byte = byte << 1 | (i + j < n && src[i + j] == 0); /* 1 is ink */
        pl_str_putc(out, (char)byte);
    }
}

platen_status pl_pnm_encode(const struct pl_image *im, struct pl_str *out, struct platen_error *err)
{
    bool color = im->format == PL_RGB8;
    pl_str_printf(out, "P%c\n%d %d\n%s",
                  im->bilevel ? '4'
                  : color     ? '6'
                              : '5',
                  im->width, im->height, im->bilevel ? "" : "255\n");
    for (int y = 0; y < im->height; y++) {
        const uint8_t *row = pl_image_row(im, y);
        if (im->bilevel)
            add_packed(out, row, (size_t)im->width);
        else
            pl_str_add(out, (const char *)row, (size_t)im->width * (size_t)im->format);
    }
    if (out->failed)
        return pl_fail(err, PLATEN_ERR_NOMEM, "out of memory for a picture of %d x %d pixels",
                       im->width, im->height);
    return PLATEN_OK;
}
