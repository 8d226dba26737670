/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the files of tests/data/heif, which no test can write: libheif may have no encoder. From
 * the root of the sources, where libheif has encoders of HEVC and AV1:
 *
 *     cc tests/data/make_heif.c -o make_heif -lheif && ./make_heif tests/data/heif
 */
#include <libheif/heif.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Each quarter of a picture has one colour, so that lossy compression leaves it alone. */
static const uint8_t colors[2][2][3] = {{{200, 40, 40}, {40, 160, 40}},
                                        {{40, 40, 200}, {240, 240, 240}}};

struct wish {
    const char *name;
    enum heif_compression_format format;
    enum heif_orientation orientation;
    int bits;           /* of a sample: 8, or 10 */
    bool gray;          /* one plane alone */
    bool alpha;         /* the left half cannot be seen, the right half is there by 3/4 */
    bool multiplied;    /* the colours have been multiplied with that */
    bool second, small; /* a second picture of half the size; a thumbnail */
};

static void must(struct heif_error e, const char *name)
{
    if (!e.code)
        return;
    fprintf(stderr, "%s: %s\n", name, e.message);
    exit(EXIT_FAILURE);
}

static void put(const struct wish *w, uint8_t *row, int x, const uint8_t *color, bool right)
{
    const int channels = w->gray ? 1 : w->alpha ? 4 : 3, alpha = right ? 192 : 0;
    for (int i = 0; i < channels; i++) {
        int v = i == 3 ? alpha : w->multiplied ? color[i] * alpha / 255 : color[i];
        if (w->bits == 8) {
            row[x * channels + i] = (uint8_t)v;
        } else {
            v = v * 1023 / 255;
            row[2 * (x * channels + i)] = (uint8_t)v;
            row[2 * (x * channels + i) + 1] = (uint8_t)(v >> 8);
        }
    }
}

static struct heif_image *draw(const struct wish *w, int width, int height)
{
    struct heif_image *im;
    const enum heif_channel channel = w->gray ? heif_channel_Y : heif_channel_interleaved;
    const enum heif_chroma chroma = w->gray       ? heif_chroma_monochrome
                                    : w->bits > 8 ? heif_chroma_interleaved_RRGGBB_LE
                                    : w->alpha    ? heif_chroma_interleaved_RGBA
                                                  : heif_chroma_interleaved_RGB;
    int stride;
    must(heif_image_create(width, height,
                           w->gray ? heif_colorspace_monochrome : heif_colorspace_RGB, chroma, &im),
         w->name);
    must(heif_image_add_plane(im, channel, width, height, w->bits), w->name);
    uint8_t *px = heif_image_get_plane(im, channel, &stride);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            put(w, px + y * stride, x, colors[2 * y >= height][2 * x >= width], 2 * x >= width);
    if (w->multiplied)
        heif_image_set_premultiplied_alpha(im, 1);
    return im;
}

static void encode(struct heif_context *c, const struct wish *w, int width, int height)
{
    struct heif_encoder *encoder;
    struct heif_image_handle *handle, *thumbnail = NULL;
    struct heif_image *im = draw(w, width, height);
    struct heif_encoding_options *o = heif_encoding_options_alloc();
    must(heif_context_get_encoder_for_format(c, w->format, &encoder), w->name);
    must(heif_encoder_set_lossy_quality(encoder, 90), w->name);
    if (w->bits > 8) /* libheif 1.15 makes no other sampling of 10 bits right */
        must(heif_encoder_set_parameter_string(encoder, "chroma", "422"), w->name);
    o->image_orientation = w->orientation;
    must(heif_context_encode_image(c, im, encoder, o, &handle), w->name);
    if (w->small)
        must(heif_context_encode_thumbnail(c, im, handle, encoder, o, 16, &thumbnail), w->name);
    if (thumbnail)
        heif_image_handle_release(thumbnail);
    heif_image_handle_release(handle);
    heif_encoding_options_free(o);
    heif_image_release(im);
    heif_encoder_release(encoder);
}

int main(int argc, char **argv)
{
    static const struct wish wishes[] = {
        {"quarters.heic", heif_compression_HEVC, heif_orientation_normal, 8, .small = true},
        {"quarters.avif", heif_compression_AV1, heif_orientation_normal, 8, .gray = false},
        {"turned.heic", heif_compression_HEVC, heif_orientation_rotate_90_cw, 8, .gray = false},
        {"gray.heic", heif_compression_HEVC, heif_orientation_normal, 8, .gray = true},
        {"deep.avif", heif_compression_AV1, heif_orientation_normal, 10, .gray = false},
        {"alpha.avif", heif_compression_AV1, heif_orientation_normal, 8, .alpha = true},
        {"multiplied.avif", heif_compression_AV1, heif_orientation_normal, 8, .alpha = true,
         .multiplied = true},
        {"two.heic", heif_compression_HEVC, heif_orientation_normal, 8, .second = true},
    };
    for (size_t i = 0; argc == 2 && i < sizeof(wishes) / sizeof(*wishes); i++) {
        char path[512];
        struct heif_context *c = heif_context_alloc();
        encode(c, &wishes[i], 64, 48);
        if (wishes[i].second)
            encode(c, &wishes[i], 32, 24);
        snprintf(path, sizeof(path), "%s/%s", argv[1], wishes[i].name);
        must(heif_context_write_to_file(c, path), path);
        heif_context_free(c);
    }
    return argc == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
