#include <string.h>

#include "config.h"
#include "image/decode.h"

/* A format by its first bytes: `magic` at `offset`, where '?' stands for any byte. */
struct format {
    const char *name;
    const char *magic;
    size_t magic_bytes, offset;
    pl_decode_fn *decode; /* NULL: known by name only */
    pl_probe_fn *probe;
    pl_pages_fn *pages;  /* NULL: a file is one picture */
    const char *instead; /* who makes pictures of it, where nobody here does */
};

#define MAGIC(s) (s), sizeof(s) - 1

#if PL_HAVE_TIFF
#define TIFF pl_tiff_decode, pl_tiff_probe, pl_tiff_pages
#else
#define TIFF NULL, NULL, NULL
#endif

#if PL_HAVE_WEBP
#define WEBP pl_webp_decode, pl_webp_probe, NULL
#else
#define WEBP NULL, NULL, NULL
#endif

#if PL_HAVE_JP2
#define JP2 pl_jp2_decode, pl_jp2_probe, NULL
#else
#define JP2 NULL, NULL, NULL
#endif

static const struct format formats[] = {
    {"PNG", MAGIC("\x89PNG\r\n\x1a\n"), 0, pl_png_decode, pl_png_probe, NULL, NULL},
    {"JPEG", MAGIC("\xff\xd8\xff"), 0, pl_jpeg_decode, pl_jpeg_probe, NULL, NULL},
    {"GIF", MAGIC("GIF87a"), 0, pl_gif_decode, pl_gif_probe, NULL, NULL},
    {"GIF", MAGIC("GIF89a"), 0, pl_gif_decode, pl_gif_probe, NULL, NULL},
    {"BMP", MAGIC("BM????????????????"), 0, pl_bmp_decode, pl_bmp_probe, NULL, NULL},
    {"PSD", MAGIC("8BPS"), 0, pl_psd_decode, pl_psd_probe, NULL, NULL},
    {"HDR", MAGIC("#?RADIANCE\n"), 0, pl_hdr_decode, pl_hdr_probe, NULL, NULL},
    {"HDR", MAGIC("#?RGBE\n"), 0, pl_hdr_decode, pl_hdr_probe, NULL, NULL},
    {"TIFF", MAGIC("II*\0"), 0, TIFF, NULL},
    {"TIFF", MAGIC("MM\0*"), 0, TIFF, NULL},
    {"BigTIFF", MAGIC("II+\0"), 0, TIFF, NULL},
    {"BigTIFF", MAGIC("MM\0+"), 0, TIFF, NULL},
    {"WebP", MAGIC("RIFF????WEBP"), 0, WEBP, NULL},
    {"JPEG 2000", MAGIC("\0\0\0\x0cjP  \r\n\x87\n"), 0, JP2, NULL},
    {"JPEG 2000", MAGIC("\xff\x4f\xff\x51"), 0, JP2, NULL},
    {"JPEG XL", MAGIC("\0\0\0\x0cJXL \r\n\x87\n"), 0, NULL, NULL, NULL, NULL},
    {"JPEG XL", MAGIC("\xff\x0a"), 0, NULL, NULL, NULL, NULL},
    {"JBIG2", MAGIC("\x97JB2\r\n\x1a\n"), 0, NULL, NULL, NULL, NULL},
    {"HEIF", MAGIC("ftyphe"), 4, NULL, NULL, NULL, NULL},
    {"HEIF", MAGIC("ftypmif1"), 4, NULL, NULL, NULL, NULL},
    {"AVIF", MAGIC("ftypavif"), 4, NULL, NULL, NULL, NULL},
    {"DjVu", MAGIC("AT&TFORM"), 0, NULL, NULL, NULL, "ddjvu"},
    {"PDF", MAGIC("%PDF-"), 0, NULL, NULL, NULL, "pdftoppm or pdfimages"},
    {"PAM", MAGIC("P7\n"), 0, NULL, NULL, NULL, NULL},
};

static const struct format pnm = {"PNM", NULL, 0, 0, pl_pnm_decode, pl_pnm_probe, NULL, NULL};
static const struct format tga = {"TGA", NULL, 0, 0, pl_tga_decode, pl_tga_probe, NULL, NULL};

static bool matches(const struct format *f, const uint8_t *data, size_t n)
{
    if (n < f->offset + f->magic_bytes)
        return false;
    for (size_t i = 0; i < f->magic_bytes; i++)
        if (f->magic[i] != '?' && data[f->offset + i] != (uint8_t)f->magic[i])
            return false;
    return true;
}

/* NULL when the content is like no format. */
static const struct format *find(const uint8_t *data, size_t n)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(formats); i++)
        if (matches(&formats[i], data, n))
            return &formats[i];
    if (n >= 3 && data[0] == 'P' && data[1] >= '1' && data[1] <= '6' &&
        memchr(" \t\n\v\f\r#", data[2], 7))
        return &pnm;
    return pl_tga_plausible(data, n) ? &tga : NULL;
}

static platen_status sniff(const uint8_t *data, size_t n, const struct format **ret,
                           struct platen_error *err)
{
    if (!n)
        return pl_fail(err, PLATEN_ERR_FORMAT, "empty file");
    const struct format *f = find(data, n);
    if (!f) {
        char hex[3 * 8 + 1] = "";
        for (size_t i = 0; i < PL_MIN(n, (size_t)8); i++) {
            const char digits[] = "0123456789abcdef";
            memcpy(hex + 3 * i, (char[4]){' ', digits[data[i] >> 4], digits[data[i] & 15], 0}, 4);
        }
        return pl_fail(err, PLATEN_ERR_FORMAT, "unknown format: first bytes%s", hex);
    }
    if (!f->decode)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "%s is not supported%s%s", f->name,
                       f->instead ? "; pictures of its pages are made by " : " yet",
                       f->instead ? f->instead : "");
    *ret = f;
    return PLATEN_OK;
}

bool pl_image_known(const uint8_t *data, size_t n)
{
    return n && find(data, n);
}

platen_status pl_image_load(const struct pl_env *env, const uint8_t *data, size_t n,
                            const struct pl_load_options *opt, struct pl_image *ret,
                            struct platen_error *err)
{
    struct pl_source src = {.env = env, .data = data, .n = n, .opt = opt};
    const struct format *f = NULL;
    platen_status s = sniff(data, n, &f, err);
    if (s)
        return s;
    if (opt->page > 1 && !f->pages)
        return pl_fail(err, PLATEN_ERR_FORMAT, "no page %d: the %s has 1", opt->page, f->name);
    struct pl_decoded d = {0};
    s = f->decode(&src, &d, err);
    if (!s)
        s = pl_image_turn(env, &d.image, d.turn, err);
    if (s)
        pl_image_done(&d.image);
    else
        *ret = d.image;
    return s;
}

platen_status pl_image_probe(const uint8_t *data, size_t n, struct pl_image_info *ret,
                             struct platen_error *err)
{
    const struct format *f = NULL;
    platen_status s = sniff(data, n, &f, err);
    return s ? s : f->probe(data, n, ret, err);
}

platen_status pl_image_pages(const uint8_t *data, size_t n, int *ret, struct platen_error *err)
{
    const struct format *f = NULL;
    platen_status s = sniff(data, n, &f, err);
    if (s || f->pages)
        return s ? s : f->pages(data, n, ret, err);
    *ret = 1;
    return PLATEN_OK;
}
