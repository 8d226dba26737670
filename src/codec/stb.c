/* SPDX-License-Identifier: BSD-2-Clause */
/* BMP, GIF, PSD, TGA and HDR through stb_image.
 *
 * stb_image reads on behind the end of its data as if there were zeros: what it asks for is watched
 * here, so that a truncated file becomes an error. */
#include <stdio.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "codec/decode.h"

/* what the switches below leave declared but not defined; said at the end of the file, so no pop */
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_NO_PNG
#define STBI_NO_JPEG
#define STBI_NO_PIC
#define STBI_NO_PNM
#define STBI_FAILURE_USERMSG
#define STBI_ASSERT(x) ((void)(x))
#define STBI_MAX_DIMENSIONS PL_IMAGE_MAX_SIDE
#define STBI_MALLOC(n) pl_realloc_codec(NULL, (n))
#define STBI_REALLOC(p, n) pl_realloc_codec((p), (n))
#define STBI_FREE(p) pl_free(p)
#ifdef __clang__
/* stb_image takes white out of the colours of a PSD with alpha: where there was none the result is
 * below 0, and some byte or other */
#pragma clang attribute push(__attribute__((no_sanitize("float-cast-overflow"))),                  \
                             apply_to = function)
#endif
#include <stb_image.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

struct stream {
    const uint8_t *data;
    size_t n, pos;
    const char *buffer; /* stb's own: it may be filled short of its size, other reads may not */
    bool past_end;
    uint32_t noise;
};

/* What stb gets behind the end, and nobody sees. Noise: there is no constant on which none of its
 * loops waits for ever for another byte. */
static void make_noise(struct stream *st, char *to, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        st->noise = st->noise * 1103515245u + 12345u;
        to[i] = (char)(st->noise >> 16);
    }
}

static int on_read(void *ctx, char *to, int size)
{
    struct stream *st = ctx;
    size_t n = PL_MIN((size_t)size, st->n - st->pos);
    if (!st->buffer)
        st->buffer = to; /* stb fills its buffer before anything else */
    memcpy(to, st->data + st->pos, n);
    st->pos += n;
    if (n == (size_t)size || (n && to == st->buffer))
        return (int)n;
    st->past_end = true;
    make_noise(st, to + n, (size_t)size - n);
    return size;
}

static void on_skip(void *ctx, int n)
{
    struct stream *st = ctx;
    if (n < 0) {
        st->pos -= PL_MIN((size_t) - (int64_t)n, st->pos);
    } else {
        st->past_end |= (size_t)n > st->n - st->pos;
        st->pos += PL_MIN((size_t)n, st->n - st->pos);
    }
}

static int on_eof(void *ctx)
{
    const struct stream *st = ctx;
    return st->pos >= st->n;
}

static const stbi_io_callbacks callbacks = {on_read, on_skip, on_eof};

static platen_status fail_stb(const struct stream *st, const char *format, struct platen_error *err)
{
    const char *why = stbi_failure_reason();
    if (why && strcmp(why, "Out of memory") == 0)
        return pl_fail_nomem(err, st->n, "decoding a picture");
    if (st->past_end)
        return pl_fail(err, PLATEN_ERR_FORMAT, "truncated at byte %zu of the %s", st->n, format);
    return pl_fail(err, PLATEN_ERR_FORMAT, "damaged or unsupported %s: %s", format,
                   why ? why : "no reason given");
}

static platen_status probe(const uint8_t *data, size_t n, const char *format,
                           struct pl_image_info *ret, struct platen_error *err)
{
    struct stream st = {.data = data, .n = n};
    int w, h, channels;
    if (!stbi_info_from_callbacks(&callbacks, &st, &w, &h, &channels) || st.past_end)
        return fail_stb(&st, format, err);
    if (h < 0 && h != INT32_MIN)
        h = -h; /* a bmp from top to bottom */
    if (w <= 0 || h <= 0)
        return pl_fail(err, PLATEN_ERR_FORMAT, "wrong size %d x %d in the %s", w, h, format);
    *ret = (struct pl_image_info){format, w, h, channels, 0};
    return PLATEN_OK;
}

/* Rows `first` to `end` - 1 of a picture: those of which there are bytes. */
struct rows {
    int first, end;
};

/* Puts these rows of stb's picture into ours. bits is 8 or 16 a sample. */
static void put_rows(const struct pl_source *src, struct pl_image *im, void *px, int channels,
                     int bits, struct rows rows)
{
    size_t samples = (size_t)im->width * (size_t)channels;
    for (int y = rows.first; y < rows.end; y++) {
        uint8_t *row = (uint8_t *)px + (size_t)y * samples * (size_t)bits / 8;
        const uint16_t *wide = (const uint16_t *)px + (size_t)y * samples;
        if (bits == 16) {
            row = px; /* the rows before are used up: theirs is the room for this one */
            for (size_t i = 0; i < samples; i++)
                row[i] = pl_from_16(wide[i]);
        }
        pl_rows_put(src->env, im, y, row, channels);
    }
}

/* stb gives colour for every palette: a picture without any becomes grey. */
static platen_status drop_color(const struct pl_env *env, struct pl_image *im,
                                struct platen_error *err)
{
    if (im->format != PL_RGB8)
        return PLATEN_OK;
    for (int y = 0; y < im->height; y++) {
        const uint8_t *p = pl_image_row(im, y);
        for (int x = 0; x < im->width; x++, p += 3)
            if (p[0] != p[1] || p[1] != p[2])
                return PLATEN_OK;
    }
    struct pl_image gray;
    platen_status s = pl_image_to_gray(env, im, &gray, err);
    if (s)
        return s;
    pl_image_done(im);
    *im = gray;
    return PLATEN_OK;
}

static platen_status convert(const struct pl_source *src, void *px,
                             const struct pl_image_info *info, int bits, struct rows rows,
                             struct pl_decoded *ret, struct platen_error *err)
{
    pl_auto_image im = {0};
    platen_status s = pl_rows_init(src, info->width, info->height, info->channels, &im, err);
    if (s)
        return s;
    pl_rows_whiten(&im, 0, rows.first);
    put_rows(src, &im, px, info->channels, bits, rows);
    pl_rows_whiten(&im, rows.end, im.height);
    s = drop_color(src->env, &im, err);
    if (s)
        return s;
    im.bilevel = pl_rows_bilevel(&im);
    *ret = (struct pl_decoded){.image = pl_image_ref(&im), .turn = 1};
    return PLATEN_OK;
}

struct stb_kind {
    unsigned per_byte; /* the most pixels that one byte of the format can stand for */
    int bits;          /* a sample, as stb is to give it: 8 or 16 */
    bool opaque;       /* the last of 2 or 4 samples is no alpha */
    /* Which rows came of a picture that is cut off; NULL = nothing tells, and it is refused. */
    struct rows (*rows_come)(const struct pl_source *src, const struct pl_image_info *info);
};

/* Converts a picture of which stb read behind the end: as far as it came, where that is told. */
static platen_status convert_part(const struct pl_source *src, void *px,
                                  const struct pl_image_info *info, const struct stream *st,
                                  struct stb_kind kind, struct pl_decoded *ret,
                                  struct platen_error *err)
{
    struct platen_error why;
    struct pl_damage damage;
    platen_status s = fail_stb(st, info->format, &why);
    const struct rows rows = px && kind.rows_come ? kind.rows_come(src, info) : (struct rows){0};
    s = pl_damage_settle(s, &why, (uint64_t)(rows.end - rows.first), (uint64_t)info->height,
                         &damage, err);
    s = s ? s : convert(src, px, info, kind.bits, rows, ret, err);
    if (!s)
        ret->damage = damage;
    return s;
}

static platen_status decode_by_stb(const struct pl_source *src, pl_probe_fn *probe_size,
                                   struct stb_kind kind, struct pl_decoded *ret,
                                   struct platen_error *err)
{
    struct pl_image_info info;
    platen_status s = probe_size(src, &info, err);
    if (!s)
        s = pl_limits_check(src->opt, (uint64_t)info.width, (uint64_t)info.height, err);
    if (!s)
        s = pl_bytes_check(src->n, (uint64_t)info.width, (uint64_t)info.height, kind.per_byte, err);
    if (s)
        return s;
    struct stream st = {.data = src->data, .n = src->n};
    int w, h, c, want = kind.opaque && info.channels % 2 == 0 ? info.channels - 1 : 0;
    void *px = kind.bits == 16
                   ? (void *)stbi_load_16_from_callbacks(&callbacks, &st, &w, &h, &c, want)
                   : (void *)stbi_load_from_callbacks(&callbacks, &st, &w, &h, &c, want);
    if (px)
        info = (struct pl_image_info){info.format, w, h, want ? want : c, 0};
    s = px && !st.past_end ? convert(src, px, &info, kind.bits, (struct rows){0, h}, ret, err)
                           : convert_part(src, px, &info, &st, kind, ret, err);
    stbi_image_free(px);
    return s;
}

/* Bytes of a BMP up to the end of a header of Windows, as nearly all have. */
#define BMP_HEADER 54

platen_status pl_bmp_probe(const struct pl_source *src, struct pl_image_info *ret,
                           struct platen_error *err)
{
    static const char *const packings[] = {NULL, "run lengths", "run lengths", NULL, "JPEG", "PNG"};
    const uint8_t *data = src->data;
    const size_t n = src->n;
    uint32_t header = n >= 26 ? pl_le32(data + 14) : 0;
    uint32_t packing = n >= 34 && header >= 40 ? pl_le32(data + 30) : 0;
    /* stb_image takes the palette behind a header of 12 bytes for four colours shorter than it is,
     * and knows no header of 16 or 64 */
    if ((header == 12 && data[24] < 24) || header == 16 || header == 64)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "a BMP of OS/2: not supported; save it as one of Windows, or as PNG");
    if (packing < PL_ARRAY_LEN(packings) && packings[packing])
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "a BMP packed as %s: not supported; save it without compression",
                       packings[packing]);
    return probe(data, n, "bmp", ret, err);
}

/* Returns which rows came, all of `row_bytes`, the first of them at byte `from`. */
static struct rows rows_behind(const struct pl_source *src, uint64_t from, uint64_t row_bytes,
                               int height, bool downward)
{
    const uint64_t come = row_bytes && src->n > from ? (src->n - from) / row_bytes : 0;
    const int n = (int)PL_MIN(come, (uint64_t)height);
    return downward ? (struct rows){0, n} : (struct rows){height - n, height};
}

/* Rows of a BMP are as long as each other, and the lowest comes first unless the height is told as
 * a negative one. */
static struct rows bmp_rows_come(const struct pl_source *src, const struct pl_image_info *info)
{
    const uint8_t *d = src->data;
    const bool old = d[14] == 12; /* whose sizes have 16 bits */
    const uint64_t bits = old ? d[24] : d[28], row = ((uint64_t)info->width * bits + 31) / 32 * 4;
    return rows_behind(src, pl_le32(d + 10), row, info->height, !old && (d[25] & 0x80));
}

platen_status pl_bmp_decode(const struct pl_source *src, struct pl_decoded *ret,
                            struct platen_error *err)
{
    /* a header without masks (up to 40 bytes): the fourth byte of a pixel is reserved */
    struct stb_kind kind = {.per_byte = 8, .bits = 8, .opaque = src->n > 14 && src->data[14] <= 40};
    /* alpha of zeros alone means none, which is known of all rows only */
    if (src->n >= BMP_HEADER && (kind.opaque || src->data[28] < 32))
        kind.rows_come = bmp_rows_come;
    platen_status s = decode_by_stb(src, pl_bmp_probe, kind, ret, err);
    if (!s && src->n >= BMP_HEADER && src->data[14] >= 40) { /* pixels per metre */
        ret->image.dpi_x = (float)(pl_le32(src->data + 38) * 0.0254);
        ret->image.dpi_y = (float)(pl_le32(src->data + 42) * 0.0254);
    }
    return s;
}

/* By hand: stb's own takes 30 kB for it. */
platen_status pl_gif_probe(const struct pl_source *src, struct pl_image_info *ret,
                           struct platen_error *err)
{
    const uint8_t *data = src->data;
    const size_t n = src->n;
    if (n < 13)
        return pl_fail(err, PLATEN_ERR_FORMAT, "truncated at byte %zu of the gif", n);
    int w = data[6] | data[7] << 8, h = data[8] | data[9] << 8;
    if (!w || !h)
        return pl_fail(err, PLATEN_ERR_FORMAT, "wrong size %d x %d in the gif", w, h);
    *ret = (struct pl_image_info){"gif", w, h, 4, 0};
    return PLATEN_OK;
}

platen_status pl_gif_decode(const struct pl_source *src, struct pl_decoded *ret,
                            struct platen_error *err)
{
    return decode_by_stb(src, pl_gif_probe, (struct stb_kind){.per_byte = 4096, .bits = 8}, ret,
                         err);
}

/* Adobe Photoshop File Formats Specification, the header: sound files of which stb only says that
 * they are not of any known type. */
platen_status pl_psd_probe(const struct pl_source *src, struct pl_image_info *ret,
                           struct platen_error *err)
{
    static const char *const modes[] = {
        "black and white", "grey",     "a palette", NULL, "CMYK", "unknown colours",
        "unknown colours", "channels", "duotone",   "Lab"};
    const uint8_t *data = src->data;
    const size_t n = src->n;
    unsigned bits = n >= 26 ? pl_be16(data + 22) : 8;
    unsigned mode = n >= 26 ? pl_be16(data + 24) : 3;
    if (n >= 26 && data[5] == 2)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "a PSB: not supported; save it as PNG");
    if (mode < PL_ARRAY_LEN(modes) && modes[mode])
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "a PSD in %s: not supported; save it in RGB",
                       modes[mode]);
    if (bits == 32)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "a PSD of 32 bits a sample: not supported; save it with 8 or 16");
    return probe(data, n, "psd", ret, err);
}

/* How the pixels are packed: 0 = not. They follow three sections that begin with their length. */
static unsigned psd_packing(const uint8_t *data, size_t n)
{
    size_t at = 26;
    for (int i = 0; i < 3 && at + 4 <= n; i++)
        at += 4 + (size_t)pl_be32(data + at);
    return at + 2 <= n ? pl_be16(data + at) : 0;
}

platen_status pl_psd_decode(const struct pl_source *src, struct pl_decoded *ret,
                            struct platen_error *err)
{
    struct stb_kind kind = {.per_byte = 64, .bits = src->n > 23 && src->data[23] == 16 ? 16 : 8};
    /* stb would take the halves of samples for samples */
    if (kind.bits == 16 && psd_packing(src->data, src->n))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "packed 16-bit psd is not supported");
    return decode_by_stb(src, pl_psd_probe, kind, ret, err);
}

platen_status pl_hdr_probe(const struct pl_source *src, struct pl_image_info *ret,
                           struct platen_error *err)
{
    return probe(src->data, src->n, "hdr", ret, err);
}

platen_status pl_hdr_decode(const struct pl_source *src, struct pl_decoded *ret,
                            struct platen_error *err)
{
    return decode_by_stb(src, pl_hdr_probe, (struct stb_kind){.per_byte = 64, .bits = 8}, ret, err);
}

platen_status pl_tga_probe(const struct pl_source *src, struct pl_image_info *ret,
                           struct platen_error *err)
{
    return probe(src->data, src->n, "tga", ret, err);
}

/* Rows that are not packed are as long as each other, behind the name and the palette, and the
 * lowest comes first unless the descriptor tells otherwise. */
static struct rows tga_rows_come(const struct pl_source *src, const struct pl_image_info *info)
{
    const uint8_t *d = src->data;
    const uint64_t palette = d[1] ? (uint64_t)(d[5] | d[6] << 8) * ((d[7] + 7u) / 8) : 0;
    const uint64_t from = 18 + d[0] + palette, row = (uint64_t)info->width * ((d[16] + 7u) / 8);
    return rows_behind(src, from, row, info->height, d[17] & 0x20);
}

platen_status pl_tga_decode(const struct pl_source *src, struct pl_decoded *ret,
                            struct platen_error *err)
{
    /* 32 bits without alpha in the descriptor: the fourth byte means nothing */
    struct stb_kind kind = {.per_byte = 128, .bits = 8, .opaque = (src->data[17] & 15) == 0};
    /* not in run lengths; before a palette that begins late stb_image skips bytes */
    if (src->data[2] < 8 && !src->data[3] && !src->data[4])
        kind.rows_come = tga_rows_come;
    return decode_by_stb(src, pl_tga_probe, kind, ret, err);
}

/* Truevision TGA 2.0, the fields of its header. */
bool pl_tga_plausible(const uint8_t *data, size_t n)
{
    if (n < 18)
        return false;
    unsigned map = data[1], kind = data[2] & 7u, map_bits = data[7];
    unsigned bits = data[16], descriptor = data[17];
    uint64_t map_len = data[5] | (unsigned)data[6] << 8;
    uint64_t w = data[12] | (unsigned)data[13] << 8, h = data[14] | (unsigned)data[15] << 8;
    bool colors = kind == 2 && (bits == 15 || bits == 16 || bits == 24 || bits == 32);
    bool grays = kind == 3 && (bits == 8 || bits == 16);
    bool indices = kind == 1 && bits == 8 && map == 1 && map_len > 0 &&
                   (map_bits == 15 || map_bits == 16 || map_bits == 24 || map_bits == 32);
    if (data[2] > 11 || !(indices || (map == 0 && (colors || grays))) || !w || !h)
        return false;
    if (descriptor >> 6 ||
        ((descriptor & 15) != 0 && (descriptor & 15) != 1 && (descriptor & 15) != 8))
        return false;
    uint64_t need = 18u + data[0] + (map ? map_len * ((map_bits + 7) / 8) : 0);
    return n >= need;
}
