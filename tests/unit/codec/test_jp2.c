/* SPDX-License-Identifier: BSD-2-Clause */
#include <openjpeg.h>

#include "tests/unit/image_fixture.h"

#define W 37
#define H 26

/* Samples of up to four components, without loss. */
struct shot {
    int components, bits, color_space, halved; /* halved: chroma at half the width and height */
    bool alpha, bare, sgnd;
    int px[4][H][W];
};

struct memory {
    uint8_t data[1 << 16];
    size_t n, pos;
};

static OPJ_SIZE_T mem_write(void *from, OPJ_SIZE_T n, void *ctx)
{
    struct memory *m = ctx;
    ck_assert_uint_lt(m->pos + n, sizeof(m->data));
    memcpy(m->data + m->pos, from, n);
    m->pos += n;
    m->n = PL_MAX(m->n, m->pos);
    return n;
}

static OPJ_OFF_T mem_skip(OPJ_OFF_T n, void *ctx)
{
    ((struct memory *)ctx)->pos += n;
    return n;
}

static OPJ_BOOL mem_seek(OPJ_OFF_T to, void *ctx)
{
    ((struct memory *)ctx)->pos = to;
    return OPJ_TRUE;
}

static struct shot noise(int components, int bits, int color_space)
{
    struct shot s = {.components = components, .bits = bits, .color_space = color_space};
    for (int i = 0; i < components * H * W; i++)
        s.px[i / W / H][i / W % H][i % W] = rand() & ((1 << bits) - 1);
    return s;
}

static opj_image_t *make_image(const struct shot *s)
{
    opj_image_cmptparm_t parts[4] = {0};
    for (int i = 0; i < s->components; i++) {
        int step = s->halved && i ? 2 : 1;
        parts[i] = (opj_image_cmptparm_t){.dx = step,
                                          .dy = step,
                                          .w = (W + step - 1) / step,
                                          .h = (H + step - 1) / step,
                                          .prec = s->bits,
                                          .bpp = s->bits,
                                          .sgnd = s->sgnd};
    }
    opj_image_t *im = opj_image_create(s->components, parts, s->color_space);
    im->x1 = W;
    im->y1 = H;
    for (int i = 0; i < s->components; i++)
        for (unsigned k = 0; k < im->comps[i].w * im->comps[i].h; k++)
            im->comps[i].data[k] = s->px[i][k / im->comps[i].w][k % im->comps[i].w] -
                                   (s->sgnd ? 1 << (s->bits - 1) : 0);
    if (s->alpha)
        im->comps[s->components - 1].alpha = 1;
    return im;
}

static void encode(const struct shot *s, struct memory *m)
{
    opj_cparameters_t p;
    opj_image_t *im = make_image(s);
    opj_codec_t *codec = opj_create_compress(s->bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
    opj_stream_t *stream = opj_stream_create(1 << 12, OPJ_FALSE);
    m->n = m->pos = 0;
    opj_stream_set_user_data(stream, m, NULL);
    opj_stream_set_write_function(stream, mem_write);
    opj_stream_set_skip_function(stream, mem_skip);
    opj_stream_set_seek_function(stream, mem_seek);
    opj_set_default_encoder_parameters(&p);
    p.tcp_numlayers = 1;
    p.cp_disto_alloc = 1;
    p.numresolution = 3;
    p.tcp_mct = s->components >= 3 && !s->halved;
    ck_assert(opj_setup_encoder(codec, &p, im));
    ck_assert(opj_start_compress(codec, im, stream));
    ck_assert(opj_encode(codec, stream));
    ck_assert(opj_end_compress(codec, stream));
    opj_stream_destroy(stream);
    opj_destroy_codec(codec);
    opj_image_destroy(im);
}

static void check(const struct shot *s, bool gray)
{
    static struct memory file;
    double max = (1 << s->bits) - 1;
    int colors = s->components >= 3 ? 3 : 1;
    encode(s, &file);
    struct pl_image im = must_load(file.data, file.n, gray);
    ck_assert(im.width == W && im.height == H);
    ck_assert_int_eq(im.format, gray || colors == 1 ? PL_GRAY8 : PL_RGB8);
    ck_assert_int_eq(im.bilevel, s->bits == 1);
    for (int i = 0; i < W * H; i++) {
        int c[3];
        const uint8_t *p = pixel(&im, i % W, i / W);
        for (int k = 0; k < 3; k++) {
            c[k] = to_255(s->px[colors == 3 ? k : 0][i / W][i % W], max);
            if (s->alpha)
                c[k] = over_white(c[k], to_255(s->px[colors][i / W][i % W], max));
        }
        if (im.format == PL_GRAY8)
            ck_assert_int_eq(p[0], luma(c[0], c[1], c[2]));
        for (int k = 0; im.format == PL_RGB8 && k < 3; k++)
            ck_assert_int_eq(p[k], c[k]);
    }
    pl_image_done(&im);
}

START_TEST(every_depth_and_layout)
{
    static const int bits[] = {1, 4, 8, 12, 16};
    for (size_t b = 0; b < PL_ARRAY_LEN(bits); b++)
        for (int i = 0; i < 8; i++) {
            int components = 1 + (i & 2) + (i & 1 && bits[b] > 1);
            struct shot s =
                noise(components, bits[b], components < 3 ? OPJ_CLRSPC_GRAY : OPJ_CLRSPC_SRGB);
            s.alpha = components % 2 == 0;
            s.sgnd = i & 4 && b % 2;
            if (components >= 3 && bits[b] == 1)
                continue; /* colours of one bit each: not bilevel, and nobody's file */
            check(&s, i & 4);
            s.bare = !s.alpha; /* a bare stream has no say about alpha */
            check(&s, false);
        }
}
END_TEST

START_TEST(chroma_is_stretched_and_turned_to_rgb)
{
    static struct memory file;
    struct shot s = noise(3, 8, OPJ_CLRSPC_SYCC);
    s.halved = true;
    for (int i = 0; i < W * H; i++) { /* one colour: (200, 80, 120) */
        s.px[0][i / W][i % W] = 120;
        s.px[1][i / W][i % W] = 128;
        s.px[2][i / W][i % W] = 185;
    }
    encode(&s, &file);
    struct pl_image im = must_load(file.data, file.n, false);
    for (int i = 0; i < W * H; i++) {
        const uint8_t *p = pixel(&im, i % W, i / W);
        ck_assert_int_eq(p[0], lround(120 + 1.402 * 57));
        ck_assert_int_eq(p[1], lround(120 - 0.714136 * 57));
        ck_assert_int_eq(p[2], 120);
    }
    pl_image_done(&im);
}
END_TEST

START_TEST(truncated_at_every_byte)
{
    static struct memory file;
    for (int bare = 0; bare < 2; bare++) {
        struct shot s = noise(1, 8, OPJ_CLRSPC_GRAY);
        s.bare = bare;
        encode(&s, &file);
        for (size_t n = 0; n + 2 < file.n; n++) { /* the last two only say that it ends */
            struct pl_image im = {0};
            ck_assert_msg(load(file.data, n, n % 2, &im) == PLATEN_ERR_FORMAT, "%zu", n);
            ck_assert(err.text[0] && !im.store);
        }
        every_allocation_may_fail(file.data, file.n);
    }
}
END_TEST

START_TEST(limits_and_probe)
{
    static struct memory file;
    struct shot s = noise(3, 8, OPJ_CLRSPC_SRGB);
    struct pl_load_options opt = {.max_pixels = W * H - 1};
    struct pl_image im;
    struct pl_image_info info;
    encode(&s, &file);
    ck_assert_int_eq(pl_image_load(&env, file.data, file.n, &opt, &im, &err), PLATEN_ERR_LIMIT);
    ck_assert_str_eq(err.text, "37 x 26 pixels exceed the limit of 961");
    ck_assert_uint_eq(pl_bufpool_stats(env.bufs).gets, 0);
    ck_assert(!pl_image_probe(file.data, file.n, NULL, &info, &err));
    ck_assert_str_eq(info.format, "jp2");
    ck_assert(info.width == W && info.height == H && info.channels == 3);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("jp2");
    tcase_add_test(tc, every_depth_and_layout);
    tcase_add_test(tc, chroma_is_stretched_and_turned_to_rgb);
    tcase_add_test(tc, truncated_at_every_byte);
    tcase_add_test(tc, limits_and_probe);
    return run_env_suite("jp2", tc);
}
