/* Stage one, against plain reference code and synthetic pages. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "preprocess/binarize.h"
#include "preprocess/ink.h"
#include "preprocess/ops.h"
#include "tests/unit/suite.h"

static struct pl_kernels kernels;
static struct pl_env env;
static struct platen_error err;

static void setup(void)
{
    pl_kernels_init(&kernels, pl_isa_best());
    env = (struct pl_env){.k = &kernels, .bufs = pl_bufpool_new()};
}

static void teardown(void)
{
    pl_bufpool_free(env.bufs);
}

static struct pl_page_image blank_page(int w, int h, uint8_t paper)
{
    struct pl_page_image p = {.to_input = PL_AFFINE_IDENTITY};
    ck_assert_int_eq(pl_image_init(&env, w, h, PL_GRAY8, &p.image, &err), PLATEN_OK);
    for (int y = 0; y < h; y++)
        memset(pl_image_row(&p.image, y), paper, (size_t)w);
    return p;
}

static void fill(const struct pl_image *im, int x0, int y0, int x1, int y1, uint8_t v)
{
    for (int y = y0; y < y1; y++)
        memset(pl_image_row(im, y) + x0, v, (size_t)(x1 - x0));
}

/* Runs one operation with defaults, but for one parameter by name (NULL: none). */
static platen_status run_op(struct pl_page_image *p, const char *name, const char *param, double v)
{
    const struct pl_preprocess_op *op = pl_preprocess_find(name, strlen(name));
    ck_assert_ptr_nonnull(op);
    struct pl_arg args[8] = {0};
    bool found = !param;
    for (size_t i = 0; i < op->info.n_params; i++) {
        args[i].number = op->info.params[i].def;
        if (param && !strcmp(op->info.params[i].name, param)) {
            args[i].number = v;
            found = true;
        }
    }
    ck_assert(found);
    return op->run(&env, p, args, &err);
}

/* Lines of block letters, turned counter-clockwise by deg about the page's middle. */
static struct pl_page_image text_page(int w, int h, double deg)
{
    struct pl_page_image p = blank_page(w, h, 240);
    double c = cos(deg * M_PI / 180), s = sin(deg * M_PI / 180);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double dx = x + .5 - w / 2.0, dy = y + .5 - h / 2.0;
            double u = c * dx - s * dy + w / 2.0, v = s * dx + c * dy + h / 2.0;
            int line = (int)floor(v / 40), column = (int)floor(u / 18);
            double iu = u - column * 18, iv = v - line * 40;
            bool inside = u > 80 && u < w - 80 && v > 80 && v < h - 80;
            bool word_gap = (column * 7 + line * 3) % 11 < 2;
            bool tall = (column * 5 + line) % 4 == 0;
            if (inside && !word_gap && iu < 12 && iv > (tall ? 8 : 16) && iv < 30)
                pl_image_row(&p.image, y)[x] = 20;
        }
    return p;
}

START_TEST(otsu_equals_the_definition)
{
    struct pl_page_image p = blank_page(97, 61, 0);
    uint32_t seed = 7;
    for (int y = 0; y < 61; y++)
        for (int x = 0; x < 97; x++) {
            seed = seed * 1664525 + 1013904223;
            pl_image_row(&p.image, y)[x] =
                (uint8_t)((seed >> 24) / 4 + ((x / 9 + y / 7) % 3 ? 150 : 40));
        }
    /* greatest variance between the classes, from the pixels themselves */
    double best = -1;
    int level = 0;
    for (int t = 0; t < 255; t++) {
        double n[2] = {0}, sum[2] = {0};
        for (int y = 0; y < 61; y++)
            for (int x = 0; x < 97; x++) {
                int v = pl_image_row(&p.image, y)[x];
                n[v > t]++;
                sum[v > t] += v;
            }
        if (n[0] > 0 && n[1] > 0) {
            double d = sum[0] / n[0] - sum[1] / n[1], v = n[0] * n[1] * d * d;
            if (v > best * (1 + 1e-12)) {
                best = v;
                level = t;
            }
        }
    }
    struct pl_image gray = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "otsu", NULL, 0), PLATEN_OK);
    ck_assert(p.image.bilevel);
    for (int y = 0; y < 61; y++)
        for (int x = 0; x < 97; x++)
            ck_assert_int_eq(pl_image_row(&p.image, y)[x],
                             pl_image_row(&gray, y)[x] > level ? 255 : 0);
    pl_image_done(&gray);
    pl_page_image_done(&p);
}
END_TEST

/* Mean and standard deviation of the box of radius r about (x, y) that lies inside the picture. */
static void box_at(const struct pl_image *im, int x, int y, int r, double *ret_m, double *ret_s,
                   double *ret_n)
{
    double n = 0, s = 0, q = 0;
    for (int v = PL_MAX(y - r, 0); v <= PL_MIN(y + r, im->height - 1); v++)
        for (int u = PL_MAX(x - r, 0); u <= PL_MIN(x + r, im->width - 1); u++) {
            double g = pl_image_row(im, v)[u];
            n++;
            s += g;
            q += g * g;
        }
    *ret_n = n;
    *ret_m = s / n;
    *ret_s = sqrt(fmax(q / n - s / n * (s / n), 0));
}

START_TEST(local_thresholds_equal_their_definitions)
{
    enum { W = 53, H = 41, R = 7 };
    static const double strengths[] = {0.3, 0.4, 0.12, 25};
    enum pl_local_method method = (enum pl_local_method)_i;
    const double k = strengths[_i];
    struct pl_page_image p = blank_page(W, H, 0);
    uint32_t seed = 3;
    double most = 0, m, dev, n;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            seed = seed * 1664525 + 1013904223;
            pl_image_row(&p.image, y)[x] = (uint8_t)(10 + (seed >> 24) * (x + 20) / 80);
        }
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            box_at(&p.image, x, y, R, &m, &dev, &n);
            most = fmax(most, dev);
        }
    struct pl_local_threshold threshold = {method, 2 * R + 1, k};
    pl_auto_image out = {0};
    ck_assert_int_eq(pl_binarize_local(&env, &p.image, &threshold, &out, &err), PLATEN_OK);
    int close_calls = 0, ink = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            box_at(&p.image, x, y, R, &m, &dev, &n);
            double t = method == PL_LOCAL_SAUVOLA ? m * (1 + k * (dev / 128 - 1))
                       : method == PL_LOCAL_WOLF  ? m + k * (dev / most - 1) * (m - 10)
                       : method == PL_LOCAL_NICK  ? m - k * sqrt(dev * dev + m * m * (1 - 1 / n))
                                                  : m - k;
            int g = pl_image_row(&p.image, y)[x];
            if (method != PL_LOCAL_MEAN && fabs(g - t) < 2e-3) {
                close_calls++;
                continue; /* the sums are exact, the rest works in single precision */
            }
            ck_assert_int_eq(pl_image_row(&out, y)[x], g > t ? 255 : 0);
            ink += g <= t;
        }
    ck_assert_int_lt(close_calls, 5);
    ck_assert(ink > 200 && ink < W * H - 200);
    pl_auto_bits bits = {0};
    if (method == PL_LOCAL_SAUVOLA)
        ck_assert(!pl_bits_sauvola(&env, &p.image, 2 * R + 1, k, &bits, &err));
    for (int y = 0; y < bits.height; y++)
        for (int x = 0; x < bits.width; x++)
            ck_assert_int_eq(pl_bits_ink(&bits, x, y), !pl_image_row(&out, y)[x]);
    pl_page_image_done(&p);
}
END_TEST

/* Soft print under falling light, faint in places: ink is what was drawn. */
START_TEST(binarize_finds_the_strokes)
{
    struct pl_page_image p = text_page(800, 700, 0), truth = text_page(800, 700, 0);
    for (int y = 1; y < 699; y++)
        for (int x = 1; x < 799; x++) {
            double sum = 0, light = 1 - 0.0004 * x - 0.0005 * y, faint = x < 400 ? 1 : 0.45;
            for (int v = y - 1; v <= y + 1; v++)
                for (int u = x - 1; u <= x + 1; u++)
                    sum += pl_image_row(&truth.image, v)[u];
            pl_image_row(&p.image, y)[x] = (uint8_t)((240 - faint * (240 - sum / 9)) * light);
        }
    ck_assert_int_eq(run_op(&p, "binarize", NULL, 0), PLATEN_OK);
    ck_assert(p.image.bilevel && p.gray.store);
    int both = 0, only_here = 0, only_there = 0;
    for (int y = 0; y < 700; y++)
        for (int x = 0; x < 800; x++) {
            bool here = !pl_image_row(&p.image, y)[x];
            bool there = pl_image_row(&truth.image, y)[x] < 128;
            both += here && there;
            only_here += here && !there;
            only_there += there && !here;
        }
    ck_assert_msg(2.0 * both / (2 * both + only_here + only_there) > 0.97, "%d %d %d", both,
                  only_here, only_there);
    pl_page_image_done(&p);
    pl_page_image_done(&truth);
}
END_TEST

START_TEST(binarize_of_two_levels_is_exact)
{
    struct pl_page_image p = text_page(400, 300, 0), truth = text_page(400, 300, 0);
    ck_assert_int_eq(run_op(&p, "binarize", NULL, 0), PLATEN_OK);
    for (int y = 0; y < 300; y++)
        for (int x = 0; x < 400; x++)
            ck_assert_int_eq(pl_image_row(&p.image, y)[x],
                             pl_image_row(&truth.image, y)[x] < 128 ? 0 : 255);
    struct pl_image before = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "binarize", NULL, 0), PLATEN_OK);
    ck_assert_ptr_eq(p.image.px, before.px); /* what is black and white already stays */
    pl_image_done(&before);
    pl_page_image_done(&p);
    pl_page_image_done(&truth);
    p = blank_page(90, 70, 200);
    ck_assert_int_eq(run_op(&p, "binarize", NULL, 0), PLATEN_OK);
    for (int y = 0; y < 70; y++)
        for (int x = 0; x < 90; x++)
            ck_assert_int_eq(pl_image_row(&p.image, y)[x], 255);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(rescale_brings_print_to_its_height)
{
    static const struct {
        double scale;
        int width; /* of the page afterwards; the small letters of text_page() are 14 px high */
    } cases[] = {{1, 1200}, {0.5, 1886}, {6, 1886}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct pl_page_image p = text_page(1200, 600, 0);
        ck_assert_int_eq(run_op(&p, "resize", "scale", cases[i].scale), PLATEN_OK);
        ck_assert_int_eq(run_op(&p, "rescale", NULL, 0), PLATEN_OK);
        ck_assert_msg(abs(p.image.width - cases[i].width) <= cases[i].width / 14, "%g: %d",
                      cases[i].scale, p.image.width);
        struct pl_point at = pl_affine_apply(&p.to_input, p.image.width, p.image.height);
        ck_assert_double_eq_tol(at.x, 1200, 1);
        ck_assert_double_eq_tol(at.y, 600, 1);
        pl_page_image_done(&p);
    }
    struct pl_page_image p = blank_page(300, 200, 255); /* a few marks are no text */
    for (int i = 0; i < 10; i++)
        fill(&p.image, 20 + 20 * i, 50, 25 + 20 * i, 58, 0);
    ck_assert_int_eq(run_op(&p, "rescale", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(p.image.width, 300);
    pl_page_image_done(&p);
}
END_TEST

static bool same_pixels(const struct pl_image *a, const struct pl_image *b)
{
    bool same = a->width == b->width && a->height == b->height;
    for (int y = 0; same && y < a->height; y++)
        same = !memcmp(pl_image_row(a, y), pl_image_row(b, y), (size_t)a->width);
    return same;
}

/* Quarter turns come back exactly, also of a page that is skewed. */
START_TEST(orient_sets_pages_upright)
{
    static const double skews[] = {0, 3.3, -14};
    for (size_t i = 0; i < PL_ARRAY_LEN(skews); i++)
        for (int quarters = 0; quarters < 4; quarters++) {
            struct pl_page_image p = text_page(900, 700, skews[i]);
            struct pl_image before = pl_image_ref(&p.image);
            ck_assert_int_eq(run_op(&p, "rotate", "angle", 90 * quarters), PLATEN_OK);
            ck_assert_int_eq(run_op(&p, "orient", NULL, 0), PLATEN_OK);
            ck_assert_msg(same_pixels(&p.image, &before), "%d quarters at %g", quarters, skews[i]);
            ck_assert_int_eq(p.upright, PL_UPRIGHT_SURE);
            ck_assert_int_eq(p.quarters, (4 - quarters) % 4);
            pl_image_done(&before);
            pl_page_image_done(&p);
        }
}
END_TEST

/* Letters of one height do not tell up from down, and a blank page nothing at all. */
START_TEST(orient_refuses_to_guess)
{
    struct pl_page_image p = blank_page(700, 500, 240);
    for (int y = 40; y < 440; y += 40)
        for (int x = 40; x < 640; x += 18)
            if (x / 18 % 6)
                fill(&p.image, x, y, x + 12, y + 20, 20);
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 180), PLATEN_OK);
    struct pl_image before = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "orient", NULL, 0), PLATEN_OK);
    ck_assert_ptr_eq(p.image.px, before.px);
    ck_assert_int_eq(p.upright, PL_UPRIGHT_DOUBTFUL);
    pl_image_done(&before);
    pl_page_image_done(&p);
    p = blank_page(100, 300, 240);
    ck_assert_int_eq(run_op(&p, "orient", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(p.image.width, 100);
    ck_assert_int_eq(run_op(&p, "orient", "turn", 2), PLATEN_OK); /* the choice "90" */
    ck_assert_int_eq(p.image.width, 300);
    ck_assert_int_eq(p.upright, PL_UPRIGHT_SURE);
    ck_assert_int_eq(p.quarters, 1);
    pl_page_image_done(&p);
}
END_TEST

/* Rules between lines, under letters, through letters and upright: the page without them is known.
 */
START_TEST(unrule_leaves_the_letters)
{
    struct pl_page_image p = text_page(900, 700, 0), truth = text_page(900, 700, 0);
    fill(&p.image, 50, 115, 850, 118, 10); /* between two lines */
    fill(&p.image, 60, 150, 840, 152, 10); /* along the feet of the letters of one */
    fill(&p.image, 60, 222, 840, 224, 10); /* through the letters of another */
    fill(&p.image, 40, 60, 43, 660, 10);   /* upright, in the margin */
    fill(&p.image, 60, 380, 840, 420, 10); /* a bar, which is no rule */
    fill(&truth.image, 60, 380, 840, 420, 10);
    ck_assert_int_eq(run_op(&p, "unrule", NULL, 0), PLATEN_OK);
    int lost = 0, left = 0;
    for (int y = 0; y < 700; y++)
        for (int x = 0; x < 900; x++) {
            bool ink = pl_image_row(&p.image, y)[x] < 128;
            bool letter = pl_image_row(&truth.image, y)[x] < 128;
            lost += letter && !ink;
            left += ink && !letter;
        }
    ck_assert_int_eq(lost, 0);
    ck_assert_int_eq(left, 0);
    pl_page_image_done(&p);
    pl_page_image_done(&truth);
}
END_TEST

START_TEST(contrast_spreads_the_greys)
{
    struct pl_page_image p = blank_page(200, 100, 180);
    fill(&p.image, 20, 20, 60, 80, 60); /* 12 % */
    fill(&p.image, 80, 20, 120, 80, 120);
    ck_assert_int_eq(run_op(&p, "contrast", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 50)[30], 0);
    ck_assert_int_eq(pl_image_row(&p.image, 50)[100], 127); /* (120 - 60) * 255 / 120 */
    ck_assert_int_eq(pl_image_row(&p.image, 50)[180], 255);
    pl_page_image_done(&p);
    p = blank_page(200, 100, 180); /* a flat page stays */
    ck_assert_int_eq(run_op(&p, "contrast", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 50)[30], 180);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(whiten_keeps_ink_and_its_edges)
{
    struct pl_page_image p = text_page(400, 300, 0); /* paper of 240 */
    fill(&p.image, 10, 10, 50, 60, 200);             /* a shade */
    int x = 60;
    while (pl_image_row(&p.image, 105)[x] != 20)
        x++;
    ck_assert_int_eq(run_op(&p, "whiten", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 20)[20], 255);
    ck_assert_int_eq(pl_image_row(&p.image, 105)[x], 20);
    ck_assert_int_eq(pl_image_row(&p.image, 105)[x - 2], 240);
    ck_assert_int_eq(pl_image_row(&p.image, 105)[x - 3], 255);
    pl_page_image_done(&p);
}
END_TEST

/* A stamp in pale ink below dark print, on grainy paper. */
static struct pl_page_image faint_page(void)
{
    struct pl_page_image p = text_page(600, 500, 0);
    uint32_t seed = 5;
    for (int y = 0; y < 500; y++)
        for (int x = 0; x < 600; x++) {
            uint8_t *px = &pl_image_row(&p.image, y)[x];
            seed = seed * 1664525 + 1013904223;
            int ink = y < 240 ? 20 : y < 280 ? 240 : 190; /* a line between them stays empty */
            *px = (uint8_t)((*px == 20 ? ink : 240) + (int)(seed >> 24) % 9 - 4);
        }
    return p;
}

START_TEST(faint_print_stays)
{
    struct pl_page_image p = faint_page(), letters = text_page(600, 500, 0);
    int x = 80, lost = 0, left = 0;
    while (pl_image_row(&letters.image, 305)[x] != 20)
        x++;
    fill(&p.image, x + 4, 305, x + 6, 306, 140); /* in a pale letter */
    fill(&p.image, 20, 305, 22, 306, 140);       /* in the margin */
    ck_assert_int_eq(run_op(&p, "despeckle", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 305)[x + 4], 140);
    ck_assert_int_gt(pl_image_row(&p.image, 305)[20], 200);
    ck_assert_int_eq(run_op(&p, "whiten", NULL, 0), PLATEN_OK);
    for (int y = 0; y < 500; y++)
        for (x = 0; x < 600; x++) {
            bool far = x < 70 || x > 530 || y < 70 || y > 430;
            bool line =
                y < 240 || (y >= 280 && y < 400); /* the last one is cut in its upper half */
            bool print = line && pl_image_row(&letters.image, y)[x] == 20;
            lost += print && pl_image_row(&p.image, y)[x] > 220;
            left += far && pl_image_row(&p.image, y)[x] != 255;
        }
    ck_assert_int_eq(lost, 0);
    ck_assert_int_eq(left, 0);
    pl_page_image_done(&p);
    pl_page_image_done(&letters);
}
END_TEST

/* On a page in grey and on one in black and white, which goes by packed bits. */
START_TEST(morph_is_about_ink)
{
    static const struct {
        int mode, left, gap; /* whether the dot and the gap are ink afterwards */
    } want[] = {{0, 1, 1}, {1, 0, 0}, {2, 1, 1}, {3, 0, 0}};
    for (size_t i = 0; i < 8; i++) {
        struct pl_page_image p = blank_page(60, 30, 255);
        fill(&p.image, 10, 10, 30, 20, 0);
        fill(&p.image, 31, 10, 50, 20, 0); /* a gap of one pixel at 30 */
        fill(&p.image, 5, 5, 6, 6, 0);     /* a dot of one */
        p.image.bilevel = i % 2;
        p.image.dpi_x = 300;
        ck_assert_int_eq(run_op(&p, "morph", "mode", want[i / 2].mode), PLATEN_OK);
        ck_assert_int_eq(pl_image_row(&p.image, 5)[5] == 0, want[i / 2].left);
        ck_assert_int_eq(pl_image_row(&p.image, 15)[30] == 0, want[i / 2].gap);
        ck_assert_int_eq(pl_image_row(&p.image, 15)[20], 0);
        ck_assert(p.image.bilevel == (bool)(i % 2) && p.image.dpi_x == 300);
        pl_page_image_done(&p);
    }
}
END_TEST

START_TEST(median_and_gauss_take_noise)
{
    struct pl_page_image p = blank_page(60, 30, 200);
    fill(&p.image, 10, 10, 30, 20, 50);
    fill(&p.image, 40, 12, 41, 13, 0);
    struct pl_page_image q = {.image = pl_image_ref(&p.image), .to_input = PL_AFFINE_IDENTITY};
    ck_assert_int_eq(run_op(&p, "median", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 12)[40], 200);
    ck_assert_int_eq(pl_image_row(&p.image, 15)[10], 50);
    ck_assert_int_eq(run_op(&q, "gauss", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&q.image, 12)[40], 200 - 200 * 36 / 256);
    ck_assert_int_eq(pl_image_row(&q.image, 15)[20], 50);
    pl_page_image_done(&p);
    pl_page_image_done(&q);
}
END_TEST

/* CLAHE keeps the order of greys at a place, raises the contrast of faint print, and at limit 1
 * moves no grey by more than the rounding. */
START_TEST(clahe_is_limited)
{
    struct pl_page_image p = blank_page(256, 256, 0);
    for (int y = 0; y < 256; y++)
        for (int x = 0; x < 256; x++)
            pl_image_row(&p.image, y)[x] = (uint8_t)(100 + (x / 4 + y / 4) % 2 * 20);
    struct pl_image before = pl_image_ref(&p.image);
    struct pl_arg args[4] = {{.number = 1}, {.number = 0.5}, {.number = 5}, {.number = 1}};
    const struct pl_preprocess_op *op = pl_preprocess_find("contrast", 8);
    ck_assert_int_eq(op->run(&env, &p, args, &err), PLATEN_OK);
    for (int y = 0; y < 256; y++)
        for (int x = 0; x < 256; x++)
            ck_assert_int_le(abs(pl_image_row(&p.image, y)[x] - pl_image_row(&before, y)[x]), 2);
    args[3].number = 8;
    ck_assert_int_eq(op->run(&env, &p, args, &err), PLATEN_OK);
    ck_assert_int_gt(pl_image_row(&p.image, 128)[132] - pl_image_row(&p.image, 128)[128] < 0
                         ? pl_image_row(&p.image, 128)[128] - pl_image_row(&p.image, 128)[132]
                         : pl_image_row(&p.image, 128)[132] - pl_image_row(&p.image, 128)[128],
                     24);
    pl_image_done(&before);
    pl_page_image_done(&p);
}
END_TEST

static const double angles[] = {0, 0.3, -0.3, 0.62, 2, -2.13, 4.4, -7, 10.5, 14.5, -14.5};

START_TEST(deskew_finds_the_angle)
{
    double deg = angles[_i];
    struct pl_page_image p = text_page(1100, 1400, deg);
    ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
    ck_assert_msg(fabs(p.angle_deg - deg) < 0.05, "%g found as %g", deg, p.angle_deg);
    /* and the page is straight now */
    double again = p.angle_deg;
    ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
    ck_assert_double_lt(fabs(p.angle_deg - again), 0.08);
    pl_page_image_done(&p);
}
END_TEST

/* Lines of letters, each turned by an angle of its own: `deg` in the middle of the page, `fan` more
 * at the top and less at the bottom. */
static struct pl_page_image fan_page(double deg, double fan)
{
    struct pl_page_image p = blank_page(1200, 1000, 240);
    for (int line = 0; line < 20; line++) {
        double slope = tan((deg + fan * (10 - line) / 10.0) * M_PI / 180);
        for (int i = 0; i < 55; i++) {
            int x = 100 + 18 * i, foot = (int)lround(120 + 40 * line - slope * (x + 6 - 600));
            int h = (i * 5 + line) % 4 == 0 ? 22 : 14;
            if ((i * 7 + line * 3) % 11 >= 2)
                fill(&p.image, x, foot - h, x + 12, foot, 20);
        }
    }
    return p;
}

START_TEST(deskew_takes_the_middle_of_a_fan)
{
    static const double cases[][2] = {{0, 0.8}, {2, 0.6}, {-3, 1}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct pl_page_image p = fan_page(cases[i][0], cases[i][1]);
        ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
        ck_assert_msg(fabs(p.angle_deg - cases[i][0]) < 0.12, "%g instead of %g", p.angle_deg,
                      cases[i][0]);
        pl_page_image_done(&p);
    }
}
END_TEST

/* Nine lines, seven and four, each part turned by its own angle: the largest is set straight. */
START_TEST(deskew_follows_the_largest_part)
{
    struct pl_page_image p = blank_page(1200, 1000, 240);
    for (int line = 0; line < 20; line++) {
        int slope = line < 9 ? 12 : line < 16 ? -2 : -14; /* thousandths */
        for (int i = 0; i < 55; i++) {
            int x = 100 + 18 * i,
                foot = 120 + 40 * line - (int)lround(slope * (x + 6 - 600) / 1000.0);
            int h = (i * 5 + line) % 4 == 0 ? 22 : 14;
            fill(&p.image, x, foot - h, x + 12, foot, 20);
        }
    }
    ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
    ck_assert_msg(fabs(p.angle_deg - 0.688) < 0.08, "%g", p.angle_deg);
    pl_page_image_done(&p);
}
END_TEST

/* A ladder of bars, as of a barcode, is turned by another angle than the text, and heavier. */
START_TEST(deskew_follows_the_text_beside_bars)
{
    struct pl_page_image p = fan_page(1, 0);
    fill(&p.image, 0, 400, 1200, 1000, 240);
    for (int y = 440; y < 980; y++)
        for (int x = 300; x < 900; x++)
            if ((int)floor((y + tan(4 * M_PI / 180) * x) / 6) % 2)
                pl_image_row(&p.image, y)[x] = 20;
    ck_assert_int_eq(run_op(&p, "deskew", "confidence", 100), PLATEN_OK);
    ck_assert_msg(fabs(p.angle_deg - 1) < 0.1, "%g", p.angle_deg);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(deskew_refuses_what_has_no_lines)
{
    struct pl_page_image p = blank_page(600, 500, 255);
    uint32_t seed = 11;
    for (int i = 0; i < 4000; i++) {
        seed = seed * 1664525 + 1013904223;
        int x = (int)(seed >> 8) % 590, y = (int)(seed >> 18) % 490;
        fill(&p.image, x, y, x + 3, y + 3, 0);
    }
    ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
    ck_assert_double_eq(p.angle_deg, 0);
    ck_assert_int_eq(p.image.width, 600);
    pl_page_image_done(&p);
}
END_TEST

/* After a chain of moves a mark is found where to_input says that it came from. */
START_TEST(moves_map_back_to_the_input)
{
    static const struct {
        const char *op, *param;
        double v;
    } moves[] = {{"rotate", "angle", 90},   {"rotate", "angle", -17.3}, {"resize", "scale", 1.7},
                 {"resize", "scale", 0.6},  {"crop", "x", 21},          {"border", "size", 33},
                 {"rotate", "angle", 180},  {"rotate", "angle", 270},   {"rotate", "expand", 1},
                 {"resize", "height", 170}, {"resize", "width", 310}};
    for (size_t i = 0; i < PL_ARRAY_LEN(moves); i++) {
        struct pl_page_image p = blank_page(300, 200, 255);
        fill(&p.image, 150, 60, 162, 72, 0);                      /* middle at (156, 66) */
        ck_assert_int_eq(run_op(&p, "otsu", NULL, 0), PLATEN_OK); /* so that two pictures move */
        for (size_t j = 0; j <= i; j++)
            ck_assert_int_eq(run_op(&p, moves[j].op, moves[j].param, moves[j].v), PLATEN_OK);
        double sx = 0, sy = 0, n = 0;
        for (int y = 0; y < p.image.height; y++)
            for (int x = 0; x < p.image.width; x++)
                if (!pl_image_row(&p.image, y)[x]) {
                    sx += x + .5;
                    sy += y + .5;
                    n++;
                }
        ck_assert_double_gt(n, 10);
        struct pl_point at = pl_affine_apply(&p.to_input, sx / n, sy / n);
        ck_assert_double_eq_tol(at.x, 156, 0.4);
        ck_assert_double_eq_tol(at.y, 66, 0.4);
        ck_assert_int_eq(p.gray.width, p.image.width);
        ck_assert_int_eq(p.gray.height, p.image.height);
        pl_page_image_done(&p);
    }
}
END_TEST

START_TEST(quarter_turns_are_exact)
{
    struct pl_page_image p = blank_page(3, 2, 0);
    memcpy(pl_image_row(&p.image, 0), "abc", 3);
    memcpy(pl_image_row(&p.image, 1), "def", 3);
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 90), PLATEN_OK);
    ck_assert_int_eq(p.image.width, 2);
    ck_assert_int_eq(memcmp(pl_image_row(&p.image, 0), "da", 2), 0);
    ck_assert_int_eq(memcmp(pl_image_row(&p.image, 2), "fc", 2), 0);
    ck_assert_int_eq(run_op(&p, "rotate", "angle", -90), PLATEN_OK);
    ck_assert_int_eq(memcmp(pl_image_row(&p.image, 0), "abc", 3), 0);
    ck_assert_int_eq(memcmp(pl_image_row(&p.image, 1), "def", 3), 0);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(paper_lies_around_a_turned_page)
{
    struct pl_page_image p = text_page(400, 300, 0); /* on paper of 240 */
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 10), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 0)[0], 240);
    ck_assert_int_eq(run_op(&p, "otsu", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(run_op(&p, "invert", "mode", 1), PLATEN_OK);
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 10), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 0)[0], 255); /* in black and white it is white */
    pl_page_image_done(&p);
}
END_TEST

/* A page that came in black and white: its picture stays so, and reading gets the soft edges. */
START_TEST(sizes_are_kept_or_reached)
{
    struct pl_page_image p = blank_page(300, 200, 255);
    p.image.dpi_x = p.image.dpi_y = 200;
    ck_assert_int_eq(run_op(&p, "rotate", "expand", 1), PLATEN_OK); /* a quarter turn */
    ck_assert(p.image.width == 300 && p.image.height == 200);
    ck_assert_int_eq(run_op(&p, "resize", "height", 100), PLATEN_OK);
    ck_assert(p.image.width == 150 && p.image.height == 100);
    ck_assert_double_eq_tol((double)p.image.dpi_x, 100, 1e-3);
    ck_assert_int_eq(run_op(&p, "resize", "dpi", 300), PLATEN_OK);
    ck_assert(p.image.width == 450 && p.image.height == 300);
    ck_assert_int_eq(run_op(&p, "resize", "width", 90), PLATEN_OK);
    ck_assert(p.image.width == 90 && p.image.height == 60);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(turned_bilevel_has_a_grey_twin)
{
    static const char *const ops[][2] = {{"rotate", "angle"}, {"resize", "scale"}};
    for (size_t i = 0; i < 2; i++) {
        struct pl_page_image p = blank_page(300, 200, 255);
        fill(&p.image, 100, 80, 140, 110, 0);
        p.image.bilevel = true;
        ck_assert_int_eq(run_op(&p, ops[i][0], ops[i][1], 1.37), PLATEN_OK);
        ck_assert(p.image.bilevel && p.gray.store && !p.gray.bilevel);
        int soft = 0;
        for (int y = 0; y < p.image.height; y++)
            for (int x = 0; x < p.image.width; x++) {
                int v = pl_image_row(&p.gray, y)[x];
                ck_assert_int_eq(pl_image_row(&p.image, y)[x], v > 127 ? 255 : 0);
                soft += v > 0 && v < 255;
            }
        ck_assert_int_gt(soft, 40);
        pl_page_image_done(&p);
    }
}
END_TEST

START_TEST(polarity_is_seen)
{
    struct pl_page_image p = text_page(700, 600, 0);
    fill(&p.image, 0, 0, 60, 600, 10);     /* a dark scan edge */
    fill(&p.image, 300, 80, 680, 420, 30); /* and a large dark picture */
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 0)[100], 240);
    ck_assert_int_eq(run_op(&p, "invert", "mode", 1), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 0)[100], 15);
    pl_page_image_done(&p);
    p = text_page(700, 600, 0);
    ck_assert_int_eq(run_op(&p, "invert", "mode", 1), PLATEN_OK); /* now light on dark */
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 0)[100], 240);
    pl_page_image_done(&p);
}
END_TEST

/* A small picture of one bold word: parts of it that lie inside its strokes do not count. */
START_TEST(polarity_of_a_small_crop)
{
    for (int dark = 0; dark < 2; dark++) {
        struct pl_page_image p = blank_page(90, 21, dark ? 20 : 235);
        for (int x = 4; x < 84; x += 13) {
            fill(&p.image, x, 6, x + 4, 16, dark ? 235 : 20);
            fill(&p.image, x + 6, 6, x + 10, 16, dark ? 235 : 20);
            fill(&p.image, x, 9, x + 10, 13, dark ? 235 : 20);
        }
        ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
        ck_assert_int_eq(pl_image_row(&p.image, 0)[0], 235);
        ck_assert_int_eq(pl_image_row(&p.image, 10)[5], 20);
        pl_page_image_done(&p);
    }
}
END_TEST

/* Letters H, 14 x 20 pixels each 22, strokes of 4 pixels. */
static void write_h(const struct pl_image *im, int x, int y, int n, uint8_t ink)
{
    for (int i = 0; i < n; i++, x += 22) {
        fill(im, x, y, x + 4, y + 20, ink);
        fill(im, x + 10, y, x + 14, y + 20, ink);
        fill(im, x + 4, y + 8, x + 10, y + 12, ink);
    }
}

/* A page of dark lines, with a dark box of light letters at (100, 200) to (500, 240). */
static struct pl_page_image page_with_box(void)
{
    struct pl_page_image p = blank_page(700, 600, 240);
    for (int y = 40; y < 560; y += 40)
        write_h(&p.image, 60, y, y == 200 ? 0 : 25, 20);
    fill(&p.image, 100, 200, 500, 240, 20);
    write_h(&p.image, 180, 210, 10, 240);
    return p;
}

START_TEST(light_letters_in_a_dark_box_are_turned)
{
    struct pl_page_image p = page_with_box(), want = page_with_box();
    for (int y = 200; y < 240; y++)
        for (int x = 100; x < 500; x++)
            pl_image_row(&want.image, y)[x] ^= 255;
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    for (int y = 0; y < 600; y++)
        ck_assert_mem_eq(pl_image_row(&p.image, y), pl_image_row(&want.image, y), 700);
    pl_page_image_done(&p);
    pl_page_image_done(&want);
}
END_TEST

START_TEST(a_frame_inside_the_box_is_no_letter)
{
    struct pl_page_image p = page_with_box();
    fill(&p.image, 102, 202, 498, 203, 240);
    fill(&p.image, 102, 237, 498, 238, 240);
    fill(&p.image, 102, 202, 103, 238, 240);
    fill(&p.image, 497, 202, 498, 238, 240);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 220)[182], 255 - 240);
    ck_assert_int_eq(pl_image_row(&p.image, 212)[187], 255 - 20);
    pl_page_image_done(&p);
}
END_TEST

/* Frames and rules around dark print, bold letters that touch, and dark boxes without letters stay.
 */
START_TEST(dark_print_in_frames_is_left_alone)
{
    struct pl_page_image p = blank_page(700, 600, 240), want;
    for (int i = 0; i < 3; i++) { /* three frames, 3, 6 and 12 pixels thick */
        int t = 3 << i, y = 40 + 120 * i;
        fill(&p.image, 60, y, 620, y + 90, 20);
        fill(&p.image, 60 + t, y + t, 620 - t, y + 90 - t, 240);
        write_h(&p.image, 100, y + 35, 20, 20);
    }
    fill(&p.image, 60, 420, 620, 450, 20);
    for (int x = 100; x < 300; x += 20) { /* 0 after 0, without a gap */
        fill(&p.image, x, 480, x + 20, 510, 20);
        fill(&p.image, x + 6, 486, x + 14, 504, 240);
    }
    want = p;
    want.image = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    for (int y = 0; y < 600; y++)
        ck_assert_mem_eq(pl_image_row(&p.image, y), pl_image_row(&want.image, y), 700);
    pl_page_image_done(&p);
    pl_page_image_done(&want);
}
END_TEST

START_TEST(background_makes_paper_white_and_keeps_ink)
{
    struct pl_page_image p = text_page(800, 700, 0);
    for (int y = 0; y < 700; y++)
        for (int x = 0; x < 800; x++) { /* light falls off to the right and down */
            uint8_t *v = &pl_image_row(&p.image, y)[x];
            *v = (uint8_t)(*v * (1 - 0.0004 * x - 0.0005 * y));
        }
    struct pl_image before = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "background", NULL, 0), PLATEN_OK);
    int paper = 0, ink = 0;
    for (int y = 90; y < 600; y++)
        for (int x = 90; x < 700; x++) {
            int light = (int)(240 * (1 - 0.0004 * x - 0.0005 * y));
            bool is_ink = pl_image_row(&before, y)[x] < light / 2;
            int v = pl_image_row(&p.image, y)[x];
            paper += !is_ink && v < 235;
            ink += is_ink && v > 60;
        }
    ck_assert_int_eq(paper, 0);
    ck_assert_int_eq(ink, 0);
    pl_image_done(&before);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(despeckle_keeps_dots)
{
    struct pl_page_image p = text_page(600, 500, 0);
    fill(&p.image, 100, 100, 104, 104, 20); /* a full stop: a fifth of the letters */
    fill(&p.image, 20, 20, 21, 21, 20);     /* specks */
    fill(&p.image, 560, 470, 561, 472, 20);
    ck_assert_int_eq(run_op(&p, "otsu", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(run_op(&p, "despeckle", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 102)[102], 0);
    ck_assert_int_eq(pl_image_row(&p.image, 20)[20], 255);
    ck_assert_int_eq(pl_image_row(&p.gray, 20)[20], 240); /* the paper there */
    ck_assert_int_eq(run_op(&p, "despeckle", "size", 30), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 102)[102], 255);
    pl_page_image_done(&p);
}
END_TEST

/* Frames, rules and thousands of specks must not be taken for the size of print. */
START_TEST(despeckle_knows_the_letters)
{
    struct pl_page_image p = text_page(900, 800, 0);
    fill(&p.image, 60, 60, 840, 66, 0);
    fill(&p.image, 60, 734, 840, 740, 0);
    fill(&p.image, 60, 60, 66, 740, 0);
    fill(&p.image, 834, 60, 840, 740, 0);
    fill(&p.image, 70, 300, 400, 500, 0);
    for (int i = 0; i < 5000; i++) /* dots of two pixels, far from the letters */
        fill(&p.image, 2 + i % 200 * 4, 745 + i / 200 * 2 % 50, 4 + i % 200 * 4,
             746 + i / 200 * 2 % 50, 0);
    fill(&p.image, 100, 132, 110, 135, 20); /* a hyphen between lines */
    struct pl_image before = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "despeckle", NULL, 0), PLATEN_OK);
    for (int y = 62; y < 738; y++)
        ck_assert_int_eq(memcmp(pl_image_row(&before, y), pl_image_row(&p.image, y), 900), 0);
    int dots = 0;
    for (int y = 750; y < 800; y++)
        for (int x = 0; x < 900; x++)
            dots += pl_image_row(&p.image, y)[x] < 128;
    ck_assert_int_eq(dots, 0);
    pl_image_done(&before);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(crop_passes_over_specks_and_edges)
{
    struct pl_page_image p = text_page(800, 600, 0);
    fill(&p.image, 0, 0, 9, 600, 5);   /* a dark scan edge */
    fill(&p.image, 780, 5, 781, 6, 5); /* and a speck */
    ck_assert_int_eq(run_op(&p, "crop", NULL, 0), PLATEN_OK);
    struct pl_point at = pl_affine_apply(&p.to_input, 0, 0);
    ck_assert(at.x >= 80 && at.x < 100 && at.y >= 80 && at.y < 100);
    ck_assert(at.x + p.image.width <= 720 && at.y + p.image.height <= 520);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(border_clear_leaves_a_dark_page)
{
    struct pl_page_image p = blank_page(300, 200, 30);
    fill(&p.image, 100, 80, 200, 120, 230);
    ck_assert_int_eq(run_op(&p, "border", "mode", 1), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 10)[10], 30);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(crop_and_border)
{
    struct pl_page_image p = blank_page(200, 150, 255);
    fill(&p.image, 50, 40, 120, 90, 0);
    ck_assert_int_eq(run_op(&p, "crop", NULL, 0), PLATEN_OK); /* the ink's box */
    ck_assert_int_eq(p.image.width, 70);
    ck_assert_int_eq(p.image.height, 50);
    ck_assert_int_eq(run_op(&p, "crop", "x", 70), PLATEN_ERR_ARG);
    ck_assert_str_eq(err.text, "crop lies outside the page of 70 x 50 pixels");
    ck_assert_int_eq(run_op(&p, "border", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(p.image.width, 90);
    ck_assert_int_eq(pl_image_row(&p.image, 9)[45], 255);
    ck_assert_int_eq(pl_image_row(&p.image, 10)[45], 0);
    pl_page_image_done(&p);
    p = blank_page(200, 150, 255);
    fill(&p.image, 0, 0, 12, 150, 0); /* a scan edge */
    fill(&p.image, 90, 70, 100, 80, 0);
    ck_assert_int_eq(run_op(&p, "border", "mode", 1), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 75)[5], 255);
    ck_assert_int_eq(pl_image_row(&p.image, 75)[95], 0);
    pl_page_image_done(&p);
}
END_TEST

/* A shadow fades out: what is left of it would look like a line. Ink in the fading part stays. */
START_TEST(border_clears_the_soft_side_of_a_shadow)
{
    struct pl_page_image p = blank_page(900, 700, 255);
    fill(&p.image, 0, 0, 12, 700, 0);
    fill(&p.image, 12, 0, 16, 700, 190);
    fill(&p.image, 13, 300, 25, 310, 20);
    fill(&p.image, 400, 300, 440, 340, 20);
    ck_assert_int_eq(run_op(&p, "border", "mode", 1), PLATEN_OK);
    for (int x = 0; x < 30; x++)
        ck_assert_int_eq(pl_image_row(&p.image, 100)[x], 255);
    ck_assert_int_eq(pl_image_row(&p.image, 305)[14], 20);
    ck_assert_int_eq(pl_image_row(&p.image, 320)[420], 20);
    pl_page_image_done(&p);
}
END_TEST

/* Two text pages side by side. */
static struct pl_page_image double_page(int w, int h)
{
    struct pl_page_image p = blank_page(w, h, 240), half = text_page(w / 2, h, 0);
    for (int y = 0; y < h; y++) {
        memcpy(pl_image_row(&p.image, y), pl_image_row(&half.image, y), (size_t)(w / 2));
        memcpy(pl_image_row(&p.image, y) + w / 2, pl_image_row(&half.image, y), (size_t)(w / 2));
    }
    pl_page_image_done(&half);
    return p;
}

/* Where split cuts the page; 0: it stays whole. */
static int cut_of(struct pl_page_image *p)
{
    const struct pl_preprocess_op *op = pl_preprocess_find("split", 5);
    struct pl_page_image second = {0};
    int width = p->image.width, height = p->image.height, cut = 0;
    ck_assert_int_eq(op->divide(&env, p, NULL, &second, &err), PLATEN_OK);
    if (second.image.store) {
        struct pl_point at = pl_affine_apply(&second.to_input, 0, 0);
        cut = p->image.width;
        ck_assert_double_eq_tol(at.x, cut, 1e-9);
        ck_assert_int_eq(cut + second.image.width, width);
        ck_assert_int_eq(second.image.height, height);
    }
    pl_page_image_done(&second);
    pl_page_image_done(p);
    return cut;
}

START_TEST(split_parts_facing_pages)
{
    struct pl_page_image p = double_page(1400, 900); /* an empty gutter */
    ck_assert_int_le(abs(cut_of(&p) - 700), 20);
    p = double_page(1400, 900);
    ck_assert_int_eq(run_op(&p, "otsu", NULL, 0), PLATEN_OK);
    ck_assert_int_le(abs(cut_of(&p) - 700), 20);
    for (int lean = 0; lean <= 30; lean += 30) { /* a fold, upright and askew */
        p = double_page(1400, 900);
        for (int y = 0; y < 900; y++)
            for (int x = -25; x <= 25; x++)
                pl_image_row(&p.image, y)[660 + x + lean * y / 900] = (uint8_t)(90 + 6 * abs(x));
        ck_assert_int_le(abs(cut_of(&p) - 660 - lean / 2), 20);
    }
}
END_TEST

/* The edges of two sheets that were scanned as one, dirt on them, a picture that reaches over. */
START_TEST(split_finds_a_gutter_that_is_not_empty)
{
    struct pl_page_image p = double_page(1400, 900);
    fill(&p.image, 0, 0, 6, 900, 10);
    fill(&p.image, 698, 0, 701, 900, 10);
    fill(&p.image, 1394, 0, 1400, 900, 10);
    for (int i = 0; i < 12; i++)
        fill(&p.image, 640 + 9 * i, 40 + 5 * i * i, 645 + 9 * i, 44 + 5 * i * i, 60);
    ck_assert_int_le(abs(cut_of(&p) - 700), 20);
    p = double_page(1400, 900);
    fill(&p.image, 500, 300, 660, 500, 60);
    int cut = cut_of(&p);
    ck_assert(cut > 670 && cut < 770);
    p = double_page(1400, 900);
    fill(&p.image, 300, 300, 1100, 600, 60); /* across: this is one page */
    ck_assert_int_eq(cut_of(&p), 0);
}
END_TEST

START_TEST(split_leaves_single_pages_whole)
{
    static const int sides[][2] = {{900, 1200}, {1200, 1150}, {1400, 900}, {2600, 900}};
    for (size_t i = 0; i < PL_ARRAY_LEN(sides); i++) {
        struct pl_page_image p = text_page(sides[i][0], sides[i][1], 0);
        ck_assert_int_eq(cut_of(&p), 0);
    }
    struct pl_page_image p = text_page(1400, 900, 0); /* two columns, margins as wide as the gap */
    fill(&p.image, 665, 0, 735, 900, 240);
    ck_assert_int_eq(cut_of(&p), 0);
    p = text_page(1400, 900, 0); /* three columns */
    fill(&p.image, 350, 0, 450, 900, 240);
    fill(&p.image, 650, 0, 760, 900, 240);
    ck_assert_int_eq(cut_of(&p), 0);
    p = double_page(1400, 900); /* a title across, and a rule between columns */
    fill(&p.image, 100, 20, 1300, 60, 20);
    fill(&p.image, 698, 0, 701, 900, 20);
    ck_assert_int_eq(cut_of(&p), 0);
    p = blank_page(1400, 900, 240); /* no print */
    fill(&p.image, 680, 0, 720, 900, 60);
    ck_assert_int_eq(cut_of(&p), 0);
}
END_TEST

static uint64_t hash_page(const struct pl_page_image *p)
{
    uint64_t h = 1469598103934665603u;
    for (int y = 0; y < p->image.height; y++)
        for (int x = 0; x < p->image.width; x++)
            h = (h ^ pl_image_row(&p->image, y)[x]) * 1099511628211u;
    return h;
}

static const char *const chain[] = {"invert",  "background", "contrast",  "orient", "deskew",
                                    "rescale", "binarize",   "despeckle", "unrule", "border"};

START_TEST(same_bytes_on_every_isa_and_thread_count)
{
    uint64_t want = 0;
    for (int isa = 0; isa < PL_ISA_COUNT; isa++)
        for (int threads = 1; threads <= 3; threads++) {
            if (!pl_isa_available((enum pl_isa)isa))
                continue;
            pl_kernels_init(&kernels, (enum pl_isa)isa);
            ck_assert_int_eq(pl_pool_new(threads, &env.pool, &err), PLATEN_OK);
            struct pl_page_image p = text_page(613, 1147, 3.3); /* several strips */
            for (size_t i = 0; i < PL_ARRAY_LEN(chain); i++)
                ck_assert_int_eq(run_op(&p, chain[i], NULL, 0), PLATEN_OK);
            uint64_t h = hash_page(&p);
            want = want ? want : h;
            ck_assert_uint_eq(h, want);
            pl_page_image_done(&p);
            pl_pool_free(env.pool);
            env.pool = NULL;
        }
}
END_TEST

static bool same_page(const struct pl_page_image *a, const struct pl_page_image *b)
{
    if (a->image.width != b->image.width || a->image.height != b->image.height)
        return false;
    for (int y = 0; y < a->image.height; y++)
        if (memcmp(pl_image_row(&a->image, y), pl_image_row(&b->image, y), (size_t)a->image.width))
            return false;
    return true;
}

/* Whatever two operations: the second sees the ink of the picture that the first left. */
START_TEST(ink_is_of_the_present_picture)
{
    int kept = 0;
    for (size_t i = 0; pl_preprocess_ops[i]; i++)
        for (size_t j = 0; pl_preprocess_ops[j]; j++) {
            struct pl_page_image p[2];
            for (int fresh = 0; fresh < 2; fresh++) {
                p[fresh] = text_page(400, 300, 2);
                fill(&p[fresh].image, 60, 130, 350, 132, 30); /* a rule and specks */
                fill(&p[fresh].image, 20, 20, 21, 21, 30);
                fill(&p[fresh].image, 0, 0, 6, 290, 0);
                const struct pl_ink *ink;
                ck_assert_int_eq(pl_ink_of(&env, &p[fresh], &ink, &err), PLATEN_OK);
                ck_assert_int_eq(run_op(&p[fresh], pl_preprocess_ops[i]->info.name, NULL, 0), 0);
                kept += p[fresh].ink.bits.bytes.store != NULL;
                if (fresh)
                    pl_page_image_forget_ink(&p[fresh]);
                ck_assert_int_eq(run_op(&p[fresh], pl_preprocess_ops[j]->info.name, NULL, 0), 0);
            }
            ck_assert_msg(same_page(&p[0], &p[1]), "%s after %s", pl_preprocess_ops[j]->info.name,
                          pl_preprocess_ops[i]->info.name);
            pl_page_image_done(&p[0]);
            pl_page_image_done(&p[1]);
        }
    ck_assert_int_gt(kept, 0);
}
END_TEST

/* Sauvola's method is what finds ink: with its parameters the ink becomes the page, and stays. */
START_TEST(sauvola_takes_the_ink_that_is_there)
{
    static const struct {
        const char *param;
        double v;
        bool stays;
    } cases[] = {{NULL, 0, true},
                 {"window", PL_LOCAL_WINDOW_PX + 1, true},
                 {"window", 31, false},
                 {"k", 0.4, false}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct pl_page_image p[2];
        for (int fresh = 0; fresh < 2; fresh++) {
            const struct pl_ink *ink;
            p[fresh] = text_page(400, 300, 2);
            p[fresh].image.dpi_x = 300;
            if (!fresh)
                ck_assert_int_eq(pl_ink_of(&env, &p[fresh], &ink, &err), PLATEN_OK);
            ck_assert_int_eq(run_op(&p[fresh], "sauvola", cases[i].param, cases[i].v), PLATEN_OK);
            ck_assert(p[fresh].image.bilevel);
            ck_assert_ptr_nonnull(p[fresh].gray.store);
            ck_assert_float_eq(p[fresh].image.dpi_x, 300);
        }
        ck_assert(same_page(&p[0], &p[1]));
        ck_assert_int_eq(p[0].ink.bits.bytes.store != NULL, cases[i].stays);
        pl_page_image_done(&p[0]);
        pl_page_image_done(&p[1]);
    }
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    for (size_t i = 0; pl_preprocess_ops[i]; i++) {
        const char *name = pl_preprocess_ops[i]->info.name;
        bool inverts = !strcmp(name, "invert");
        for (uint64_t n = 1;; n++) {
            struct pl_page_image p = inverts ? page_with_box() : text_page(310, 270, 2);
            /* a fresh pool: buffers that it keeps would hide the failure */
            struct pl_bufpool *kept = env.bufs;
            env.bufs = pl_bufpool_new();
            pl_mem_fail_at(n, false);
            platen_status s = run_op(&p, name, NULL, 0);
            pl_mem_fail_at(0, false);
            pl_page_image_done(&p);
            pl_bufpool_free(env.bufs);
            env.bufs = kept;
            if (!s)
                break;
            ck_assert_int_eq(s, PLATEN_ERR_NOMEM);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("preprocess");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, otsu_equals_the_definition);
    tcase_add_loop_test(tc, local_thresholds_equal_their_definitions, 0, 4);
    tcase_add_test(tc, binarize_finds_the_strokes);
    tcase_add_test(tc, binarize_of_two_levels_is_exact);
    tcase_add_test(tc, rescale_brings_print_to_its_height);
    tcase_add_test(tc, orient_sets_pages_upright);
    tcase_add_test(tc, orient_refuses_to_guess);
    tcase_add_test(tc, unrule_leaves_the_letters);
    tcase_add_test(tc, contrast_spreads_the_greys);
    tcase_add_test(tc, whiten_keeps_ink_and_its_edges);
    tcase_add_test(tc, faint_print_stays);
    tcase_add_test(tc, morph_is_about_ink);
    tcase_add_test(tc, median_and_gauss_take_noise);
    tcase_add_test(tc, clahe_is_limited);
    tcase_add_loop_test(tc, deskew_finds_the_angle, 0, (int)PL_ARRAY_LEN(angles));
    tcase_add_test(tc, deskew_takes_the_middle_of_a_fan);
    tcase_add_test(tc, deskew_follows_the_largest_part);
    tcase_add_test(tc, deskew_follows_the_text_beside_bars);
    tcase_add_test(tc, deskew_refuses_what_has_no_lines);
    tcase_add_test(tc, moves_map_back_to_the_input);
    tcase_add_test(tc, quarter_turns_are_exact);
    tcase_add_test(tc, paper_lies_around_a_turned_page);
    tcase_add_test(tc, sizes_are_kept_or_reached);
    tcase_add_test(tc, turned_bilevel_has_a_grey_twin);
    tcase_add_test(tc, polarity_is_seen);
    tcase_add_test(tc, polarity_of_a_small_crop);
    tcase_add_test(tc, light_letters_in_a_dark_box_are_turned);
    tcase_add_test(tc, a_frame_inside_the_box_is_no_letter);
    tcase_add_test(tc, dark_print_in_frames_is_left_alone);
    tcase_add_test(tc, background_makes_paper_white_and_keeps_ink);
    tcase_add_test(tc, despeckle_keeps_dots);
    tcase_add_test(tc, despeckle_knows_the_letters);
    tcase_add_test(tc, crop_passes_over_specks_and_edges);
    tcase_add_test(tc, border_clear_leaves_a_dark_page);
    tcase_add_test(tc, crop_and_border);
    tcase_add_test(tc, split_parts_facing_pages);
    tcase_add_test(tc, split_finds_a_gutter_that_is_not_empty);
    tcase_add_test(tc, split_leaves_single_pages_whole);
    tcase_add_test(tc, border_clears_the_soft_side_of_a_shadow);
    tcase_add_test(tc, same_bytes_on_every_isa_and_thread_count);
    tcase_add_test(tc, ink_is_of_the_present_picture);
    tcase_add_test(tc, sauvola_takes_the_ink_that_is_there);
    tcase_add_test(tc, every_allocation_may_fail);
    Suite *s = suite_create("preprocess");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
