/* The formats that stb_image reads beside PNG and JPEG. */
#include "base/mem.h"
#include "image/decoders.h"

/* The last of these are found at the end of the file only, so there is no pop. */
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#define STBI_MALLOC(n) pl_alloc((n), 1)
#define STBI_REALLOC(p, n) pl_realloc((p), (n), 1)
#define STBI_FREE(p) pl_free(p)
#define STBI_MAX_DIMENSIONS (INT32_MAX / 8)
#define STBI_NO_PNG
#define STBI_NO_JPEG
#define STBI_NO_PIC
#define STBI_NO_STDIO
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

#include <limits.h>
#include <string.h>

static const char *format_name(const uint8_t *d, size_t n)
{
    if (n >= 2 && !memcmp(d, "BM", 2))
        return "bmp";
    if (n >= 4 && !memcmp(d, "GIF8", 4))
        return "gif";
    if (n >= 4 && !memcmp(d, "8BPS", 4))
        return "psd";
    if (n >= 2 && d[0] == 'P' && (d[1] == '5' || d[1] == '6'))
        return "pnm";
    if (n >= 2 && !memcmp(d, "#?", 2))
        return "hdr";
    return "tga";
}

platen_status pl_stb_probe(const uint8_t *data, size_t n, struct pl_image_info *ret,
                           struct platen_error *err)
{
    int w, h, channels;
    if (n > INT_MAX)
        return pl_fail(err, PLATEN_ERR_LIMIT, "longer than %d bytes", INT_MAX);
    if (!stbi_info_from_memory(data, (int)n, &w, &h, &channels))
        return pl_fail(err, PLATEN_ERR_FORMAT, "unknown format: first bytes %02x %02x %02x %02x",
                       data[0], n > 1 ? data[1] : 0, n > 2 ? data[2] : 0, n > 3 ? data[3] : 0);
    *ret = (struct pl_image_info){format_name(data, n), w, h, channels};
    return PLATEN_OK;
}

platen_status pl_stb_decode(const struct pl_env *env, const uint8_t *data, size_t n,
                            const struct pl_load_options *opt, struct pl_image *ret,
                            struct platen_error *err)
{
    struct pl_image_info info;
    platen_status s = pl_stb_probe(data, n, &info, err);
    if (s)
        return s;
    s = pl_check_size((uint64_t)info.width, (uint64_t)info.height, opt->max_pixels, err);
    if (s)
        return s;
    int w, h, channels;
    uint8_t *px = stbi_load_from_memory(data, (int)n, &w, &h, &channels, 0);
    if (!px)
        return pl_fail(err, PLATEN_ERR_FORMAT, "damaged %s: %s", info.format,
                       stbi_failure_reason());
    pl_auto_image out = {0};
    s = pl_image_init(env, w, h, opt->gray || channels < 3 ? PL_GRAY8 : PL_RGB8, &out, err);
    for (int y = 0; !s && y < h; y++)
        pl_convert_row(env->k, pl_image_row(&out, y), out.format,
                       px + (size_t)y * (size_t)w * (size_t)channels, channels, (size_t)w);
    pl_free(px);
    if (!s) {
        *ret = out;
        out = (struct pl_image){0};
    }
    return s;
}
