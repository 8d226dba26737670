/* SPDX-License-Identifier: BSD-2-Clause */
/* The two ways through PNG files, side by side: for each file, whether the fast way took it,
 * whether both give the same picture, and the median time of each over paired rounds.
 *
 *     png [-r ROUNDS] [-g] FILE...      -g: to grey, as a pipeline that needs no colour asks for it
 *
 * Built on demand: meson compile -C BUILD bench/png. Exit status 1 when a picture differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "bench/figures.h"
#include "codec/png/png.h"

#define MAX_ROUNDS 99

static double median(double *v, int n)
{
    sort_figures(v, n);
    return v[n / 2];
}

static bool same(const struct pl_decoded *a, const struct pl_decoded *b)
{
    const struct pl_image *x = &a->image, *y = &b->image;
    bool equal = a->turn == b->turn && x->width == y->width && x->height == y->height &&
                 x->format == y->format && x->bilevel == y->bilevel;
    for (int i = 0; equal && i < x->height; i++)
        equal =
            !memcmp(pl_image_row(x, i), pl_image_row(y, i), (size_t)x->width * (size_t)x->format);
    return equal;
}

/* One round of both; the first says whether they agree. False: the fast way left the file. */
static bool run(const struct pl_source *src, double *fast, double *slow, bool *ret_same)
{
    struct pl_decoded a = {0}, b = {0};
    struct platen_error err;
    bool done;
    double start = cpu_seconds();
    platen_status s = pl_png_decode_plain(src, PL_PNG_SPARE_BYTES, &a, &done, &err);
    *fast = cpu_seconds() - start;
    if (s || !done)
        return false;
    start = cpu_seconds();
    s = pl_png_decode_any(src, &b, &err);
    *slow = cpu_seconds() - start;
    *ret_same = !s && same(&a, &b);
    pl_image_done(&a.image);
    pl_image_done(&b.image);
    return true;
}

/* False when the two differ. */
static bool bench(const struct pl_env *env, const char *path, int rounds, bool gray)
{
    struct pl_map map;
    struct pl_image_info info;
    struct platen_error err;
    struct pl_load_options opt = {.gray = gray, .max_pixels = 250000000};
    double fast[MAX_ROUNDS], slow[MAX_ROUNDS];
    bool equal = true, taken = true;
    if (pl_map_open(path, (size_t)1 << 30, &map, &err))
        return true;
    struct pl_source src = {.env = env, .data = map.data, .n = map.size, .opt = &opt};
    if (!pl_png_probe(&src, &info, &err)) {
        for (int i = 0; i < rounds && taken && equal; i++)
            taken = run(&src, &fast[i], &slow[i], &equal);
        double pixels = (double)info.width * info.height;
        if (!taken)
            printf("left to libpng  %s\n", path);
        else if (!equal)
            printf("DIFFERS  %s\n", path);
        else {
            double f = median(fast, rounds) / pixels * 1e9, s = median(slow, rounds) / pixels * 1e9;
            printf("%8.3f %8.3f ns/px %6.2fx  %5dx%-5d %d  %s\n", f, s, s / f, info.width,
                   info.height, info.channels, path);
        }
    }
    pl_map_close(&map);
    fflush(stdout);
    return equal;
}

int main(int argc, char **argv)
{
    int rounds = 5, c;
    bool gray = false, equal = true;
    while ((c = getopt(argc, argv, "r:g")) != -1)
        if (c == 'r')
            rounds = atoi(optarg);
        else if (c == 'g')
            gray = true;
        else
            return 2;
    if (rounds < 1 || rounds > MAX_ROUNDS)
        return 2;
    struct pl_kernels k;
    pl_kernels_init(&k, pl_isa_best());
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    printf("    fast   libpng          ratio  size\n");
    for (int i = optind; env.bufs && i < argc; i++)
        equal = bench(&env, argv[i], rounds, gray) && equal;
    pl_bufpool_free(env.bufs);
    return equal ? 0 : 1;
}
