#include "image/bits.h"

platen_status pl_bits_init(const struct pl_env *env, int width, int height, struct pl_bits *ret,
                           struct platen_error *err)
{
    struct pl_bits bits = {.width = width, .height = height};
    platen_status s =
        pl_image_init(env, (int)(((unsigned)width + 7) / 8), height, PL_GRAY8, &bits.bytes, err);
    if (!s)
        *ret = bits;
    return s;
}

platen_status pl_bits_from_image(const struct pl_env *env, const struct pl_image *im, uint8_t t,
                                 struct pl_bits *ret, struct platen_error *err)
{
    platen_status s = pl_bits_init(env, im->width, im->height, ret, err);
    for (int y = 0; !s && y < im->height; y++)
        env->k->threshold_bits(pl_bits_row(ret, y), pl_image_row(im, y), (size_t)im->width, t);
    return s;
}

platen_status pl_bits_to_image(const struct pl_env *env, const struct pl_bits *bits,
                               struct pl_image *ret, struct platen_error *err)
{
    platen_status s = pl_image_init(env, bits->width, bits->height, PL_GRAY8, ret, err);
    if (s)
        return s;
    ret->bilevel = true;
    for (int y = 0; y < bits->height; y++)
        env->k->unpack_bits(pl_image_row(ret, y), pl_bits_row(bits, y), (size_t)bits->width, 255,
                            0);
    return PLATEN_OK;
}

void pl_bits_done(struct pl_bits *bits)
{
    pl_image_done(&bits->bytes);
    *bits = (struct pl_bits){0};
}
