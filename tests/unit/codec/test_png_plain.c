/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast way through a PNG against libpng's, which is the reference: whatever the fast one takes
 * must come out the same. */
#include <dirent.h>
#include <png.h>

#include "base/map.h"
#include "codec/png/png.h"
#include "tests/unit/image_fixture.h"

/* What to write, beside the pixels: noise on a ramp. */
struct shot {
    int type, depth, width, height, filters, level, buffer, interlace;
    int n_palette, n_alpha, most_index;
};

static void on_write(png_structp png, uint8_t *data, size_t n)
{
    pl_str_add(png_get_io_ptr(png), (const char *)data, n);
}

static struct pl_str encode(const struct shot *s)
{
    struct pl_str out = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_color colors[256];
    uint8_t alpha[256];
    for (int i = 0; i < 256; i++) {
        colors[i] = (png_color){rand(), rand(), rand()};
        alpha[i] = rand();
    }
    png_set_write_fn(png, &out, on_write, NULL);
    png_set_IHDR(png, info, s->width, s->height, s->depth, s->type, s->interlace, 0, 0);
    if (s->type == 3)
        png_set_PLTE(png, info, colors, s->n_palette);
    if (s->type == 3 && s->n_alpha)
        png_set_tRNS(png, info, alpha, s->n_alpha, NULL);
    png_set_pHYs(png, info, 11811, 5906, PNG_RESOLUTION_METER);
    png_set_filter(png, 0, s->filters);
    png_set_compression_level(png, s->level);
    if (s->buffer)
        png_set_compression_buffer_size(png, s->buffer);
    png_write_info(png, info);
    size_t bytes = png_get_rowbytes(png, info);
    uint8_t *row = malloc(bytes);
    int passes = png_set_interlace_handling(png);
    for (int p = 0; p < passes; p++)
        for (int y = 0; y < s->height; y++) {
            for (size_t i = 0; i < bytes; i++)
                row[i] = s->type == 3 ? rand() % s->most_index : y * 3 + (int)i / 2 + rand() % 9;
            png_write_row(png, row);
        }
    free(row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

static bool same(const struct pl_decoded *a, const struct pl_decoded *b)
{
    const struct pl_image *x = &a->image, *y = &b->image;
    bool equal = a->turn == b->turn && x->width == y->width && x->height == y->height &&
                 x->format == y->format && x->bilevel == y->bilevel && x->dpi_x == y->dpi_x &&
                 x->dpi_y == y->dpi_y;
    for (int i = 0; equal && i < x->height; i++)
        equal = !memcmp(pl_image_row(x, i), pl_image_row(y, i), x->width * (int)x->format);
    return equal;
}

/* Returns whether the fast way took the file; then libpng must take it too, and both be equal. For
 * a file that was made from `forged` with false checksums there is one exception: a stream that
 * zlib refuses and the library of that way lets pass, for codes that are incomplete (ISA-L) or code
 * lengths that repeat beyond the last code (libdeflate), and whose content fits its own checksum
 * nevertheless; it must be the picture of `forged`. */
static bool compare_way(const uint8_t *data, size_t n, size_t spare_bytes,
                        const struct pl_str *forged, bool gray, const char *name)
{
    struct pl_load_options opt = {.gray = gray, .max_pixels = LIMIT};
    struct pl_source src = {.env = &env, .data = data, .n = n, .opt = &opt};
    struct pl_decoded fast = {0}, slow = {0};
    const char *passed =
        spare_bytes ? "IDAT: invalid bit length repeat" : "IDAT: invalid distances set";
    bool done;
    ck_assert(!pl_png_decode_plain(&src, spare_bytes, &fast, &done, &err));
    if (!done) {
        ck_assert_ptr_null(fast.image.store);
        return false;
    }
    platen_status s = pl_png_decode_any(&src, &slow, &err);
    if (!s && slow.damage.why[0]) {
        pl_image_done(&slow.image);
        s = pl_fail(&err, PLATEN_ERR_FORMAT, "%s", slow.damage.why);
    }
    if (s) {
        ck_assert_msg(forged && strstr(err.text, passed), "%s: %s", name, err.text);
        src.data = (const uint8_t *)forged->s;
        src.n = forged->len;
        ck_assert(!pl_png_decode_any(&src, &slow, &err));
    }
    ck_assert_msg(same(&fast, &slow), "%s differs", name);
    pl_image_done(&fast.image);
    pl_image_done(&slow.image);
    return true;
}

/* Both ways of unpacking. */
static bool compare_damaged(const uint8_t *data, size_t n, const struct pl_str *forged, bool gray,
                            const char *name)
{
    bool by_strips = compare_way(data, n, 0, forged, gray, name);
    bool whole = compare_way(data, n, SIZE_MAX, forged, gray, name);
    ck_assert_msg(whole == by_strips || forged, "%s is left by one way", name);
    return whole;
}

static bool compare(const uint8_t *data, size_t n, bool gray, const char *name)
{
    return compare_damaged(data, n, NULL, gray, name);
}

static void on_every_level(void (*check)(void))
{
    for (unsigned isa = 0; isa < PL_ISA_COUNT; isa++)
        if (pl_isa_available((enum pl_isa)isa)) {
            pl_kernels_init(&kernels, (enum pl_isa)isa);
            check();
        }
}

static const int filters[] = {PNG_FILTER_NONE, PNG_FILTER_SUB,   PNG_FILTER_UP,
                              PNG_FILTER_AVG,  PNG_FILTER_PAETH, PNG_ALL_FILTERS};
static const int kinds[][2] = {{0, 8}, {2, 8}, {3, 8}, {4, 8}, {6, 8}, {0, 1}};

static void check_plain_kinds(void)
{
    for (size_t k = 0; k < PL_ARRAY_LEN(kinds); k++)
        for (size_t f = 0; f < PL_ARRAY_LEN(filters); f++)
            for (int i = 0; i < 6; i++) {
                struct shot s = {.type = kinds[k][0],
                                 .depth = kinds[k][1],
                                 .width = 1 + rand() % 70,
                                 .height = 1 + rand() % 50,
                                 .filters = filters[f],
                                 .level = i % 4 * 3,
                                 .buffer = i % 3 == 1 ? 7 + rand() % 90 : 0,
                                 .n_palette = 90,
                                 .n_alpha = i % 2 * 60,
                                 .most_index = 90};
                struct pl_str file = encode(&s);
                ck_assert(compare((uint8_t *)file.s, file.len, i & 1, "a plain picture"));
                pl_str_done(&file);
            }
}

START_TEST(plain_kinds_are_taken_and_equal)
{
    on_every_level(check_plain_kinds);
}
END_TEST

/* More rows than a strip has. */
START_TEST(long_pictures_are_equal)
{
    for (size_t k = 0; k < PL_ARRAY_LEN(kinds); k++)
        for (int gray = 0; gray < 2; gray++) {
            struct shot s = {kinds[k][0], kinds[k][1], 701, 0, PNG_ALL_FILTERS, 1, 0,
                             0,           90,          60,  90};
            s.height = 900000 / (s.width * (s.depth == 1 ? 1 : s.type == 6 ? 4 : 1));
            struct pl_str file = encode(&s);
            ck_assert(compare((uint8_t *)file.s, file.len, gray, "a long picture"));
            pl_str_done(&file);
        }
}
END_TEST

START_TEST(other_kinds_are_left)
{
    static const struct shot others[] = {{.type = 0, .depth = 16},
                                         {.type = 0, .depth = 4},
                                         {.type = 2, .depth = 16},
                                         {.type = 0, .depth = 8, .interlace = 1}};
    for (size_t i = 0; i < PL_ARRAY_LEN(others); i++) {
        struct shot s = others[i];
        s.width = s.height = 20;
        s.filters = PNG_ALL_FILTERS;
        struct pl_str file = encode(&s);
        ck_assert(!compare((uint8_t *)file.s, file.len, false, "another"));
        pl_str_done(&file);
    }
    /* an index behind the palette */
    struct shot s = {3, 8, 20, 20, PNG_FILTER_NONE, 6, 0, 0, 5, 0, 6};
    struct pl_str file = encode(&s);
    ck_assert(!compare((uint8_t *)file.s, file.len, false, "index"));
    pl_str_done(&file);
}
END_TEST

static void fix_checksums(uint8_t *p, size_t n)
{
    for (size_t at = 8; n - at >= 12;) {
        size_t len = (size_t)p[at] << 24 | p[at + 1] << 16 | p[at + 2] << 8 | p[at + 3];
        if (len > n - at - 12)
            return;
        uint32_t c = 0xffffffff;
        for (size_t i = 0; i < len + 4; i++) {
            c ^= p[at + 4 + i];
            for (int b = 0; b < 8; b++)
                c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
        }
        for (int i = 0; i < 4; i++)
            p[at + 8 + len + i] = ~c >> (24 - 8 * i);
        at += len + 12;
    }
}

/* Every bit wrong, with right checksums around it or not; cut at every byte. */
START_TEST(damage_is_judged_alike)
{
    for (size_t k = 0; k < PL_ARRAY_LEN(kinds); k++) {
        struct shot s = {kinds[k][0], kinds[k][1], 21, 18, PNG_ALL_FILTERS, 6, 70, 0, 40, 20, 40};
        struct pl_str file = encode(&s);
        uint8_t *copy = malloc(file.len);
        int taken = 0;
        for (size_t bit = 0; bit < 8 * file.len; bit++) {
            memcpy(copy, file.s, file.len);
            copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
            taken += compare(copy, file.len, bit & 8, "a damaged picture");
            fix_checksums(copy, file.len);
            taken += compare_damaged(copy, file.len, &file, bit & 8, "a forged picture");
        }
        ck_assert_int_gt(taken, 3); /* the density may be any */
        for (size_t n = 0; n < file.len; n++)
            ck_assert(!compare((uint8_t *)file.s, n, false, "a cut picture"));
        free(copy);
        pl_str_done(&file);
    }
}
END_TEST

/* Neither library would mind a distance beyond the window that the stream declares. */
START_TEST(small_windows_are_left_to_libpng)
{
    struct shot s = {0, 8, 1200, 4, PNG_FILTER_NONE, 9, 0, 0, 0, 0, 0};
    struct pl_str file = encode(&s);
    uint8_t *p = (uint8_t *)file.s;
    size_t at = 0;
    while (memcmp(p + at, "IDAT", 4))
        at++;
    p[at + 4] = 0x18; /* 512 bytes */
    p[at + 5] = 31 - 0x1800 % 31;
    fix_checksums(p, file.len);
    ck_assert(!compare(p, file.len, false, "a small window"));
    pl_str_done(&file);
}
END_TEST

static void compare_tree(const char *path, int *files, int *taken)
{
    DIR *d = opendir(path);
    ck_assert_msg(d, "%s", path);
    for (struct dirent *e; (e = readdir(d));) {
        char name[512];
        struct pl_map map;
        snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
        if (!strstr(e->d_name, ".png") || pl_map_open(name, 1 << 30, &map, &err))
            continue;
        for (int gray = 0; gray < 2; gray++) {
            *files += 1;
            *taken += compare(map.data, map.size, gray, name);
        }
        pl_map_close(&map);
    }
    closedir(d);
}

START_TEST(pictures_of_the_tree)
{
    int files = 0, taken = 0;
    compare_tree(PL_TEST_ROOT "/samples/pages", &files, &taken);
    compare_tree(PL_TEST_ROOT "/tests/data/lines", &files, &taken);
    ck_assert_int_eq(taken, files);
    compare_tree(PL_TEST_ROOT "/tests/fuzz/corpus/png", &files, &taken);
    ck_assert_int_gt(files, 30);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("png_plain");
    tcase_add_test(tc, plain_kinds_are_taken_and_equal);
    tcase_add_test(tc, long_pictures_are_equal);
    tcase_add_test(tc, other_kinds_are_left);
    tcase_add_test(tc, damage_is_judged_alike);
    tcase_add_test(tc, small_windows_are_left_to_libpng);
    tcase_add_test(tc, pictures_of_the_tree);
    return run_env_suite("png_plain", tc);
}
