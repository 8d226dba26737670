/* SPDX-License-Identifier: BSD-2-Clause */
/*   peers [PICTURE [CASE...]]
 * Times the kernels and the functions on whole pictures of platen beside OpenCV, Leptonica and
 * libvips, as many of them as the build found, for the same work in one run: one thread each,
 * taking turns within every round, processor time, medians. A Markdown table on standard output.
 *
 * The picture (a page of samples/ if none is given) is repeated to fill 2550 x 3300 pixels; "L2" is
 * its first 64 rows. GB/s counts each byte read or written once; "of memcpy" is that rate beside a
 * memcpy of as many bytes in the same rounds; "unequal" is the share of bytes that differ from what
 * platen wrote, or the difference in number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/map.h"
#include "bench/figures.h"
#include "codec/codec.h"
#include "peers.h"
#include "peers_config.h"

#define WIDTH 2550
#define HEIGHT 3300
#define L2_ROWS 64
#define SLICE_NS                                                                                   \
    3e6 /* what one entrant runs in one round, if a single run does not take longer                \
         */
#define ROUNDS 11
#define SLOW_ROUNDS 5
#define SLOW_NS 100e6

static const struct peer *const peers[] = {
    &peer_platen,    &peer_scalar,
#if PEER_OPENCV
    &peer_opencv,
#endif
#if PEER_LEPTONICA
    &peer_leptonica,
#endif
#if PEER_VIPS
    &peer_vips,
#endif
};

enum { N_PEERS = sizeof(peers) / sizeof(peers[0]), MEMCPY = N_PEERS, N_ENTRANTS };

static const struct {
    const char *name;
    double read, written;
    bool in_cache;
} cases[CASE_COUNT] = {
#define PEER_CASE(name, read, written, cache) {#name, read, written, cache},
#include "cases.def"
#undef PEER_CASE
};

void peer_fail(const char *what)
{
    fprintf(stderr, "peers: %s\n", what);
    exit(1);
}

static void *must_alloc(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 4095) & ~(size_t)4095);
    if (!p)
        peer_fail("out of memory");
    memset(p, 1, bytes);
    return p;
}

/* All threads of the process, so that a library that starts one is not let off. */
static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

struct entrant {
    bool runs;
    long repeats;
    double ns[ROUNDS]; /* of one run, in each round */
    const char *unequal;
    char text[32];
};

struct contest {
    enum peer_case c;
    const struct peer_data *d;
    uint8_t *from, *to; /* of the memcpy */
    size_t copy_bytes;
    struct entrant e[N_ENTRANTS];
};

static bool run_once(const struct contest *t, int who, struct peer_result *ret)
{
    if (who != MEMCPY)
        return peers[who]->run(t->c, t->d, ret);
    memcpy(t->to, t->from, t->copy_bytes);
    __asm__ volatile("" ::: "memory");
    return true;
}

/* What takes less than a slice is run once before, so that nobody pays for what another left in the
 * caches. */
static double slice(const struct contest *t, int who)
{
    if (t->e[who].repeats > 1)
        run_once(t, who, NULL);
    double start = now_ns();
    for (long i = 0; i < t->e[who].repeats; i++)
        run_once(t, who, NULL);
    return (now_ns() - start) / (double)t->e[who].repeats;
}

static double median(const double *v, int n)
{
    double sorted[ROUNDS];
    memcpy(sorted, v, (size_t)n * sizeof(*v));
    sort_figures(sorted, n);
    return sorted[n / 2];
}

static double median_ratio(const double *v, const double *to, int n)
{
    double ratio[ROUNDS];
    for (int i = 0; i < n; i++)
        ratio[i] = v[i] / to[i];
    return median(ratio, n);
}

/* What each left, against what platen left. */
static void compare(struct contest *t, uint8_t *kept)
{
    struct peer_result want = {0};
    for (int i = 0; i < N_PEERS; i++) {
        struct entrant *e = &t->e[i];
        struct peer_result got = {0};
        e->runs = run_once(t, i, &got);
        if (i == 0) {
            want = got;
            memcpy(kept, t->d->out, got.n);
        } else if (e->runs && got.n && got.n == want.n) {
            size_t differ = 0;
            for (size_t j = 0; j < got.n; j++)
                differ += kept[j] != t->d->out[j];
            snprintf(e->text, sizeof(e->text), "%.3g %%", 100 * (double)differ / (double)got.n);
        } else if (e->runs && got.number) {
            snprintf(e->text, sizeof(e->text), "%+ld of %ld", got.number - want.number,
                     want.number);
        }
    }
}

static int calibrate(struct contest *t)
{
    double slowest = 0;
    t->e[MEMCPY].runs = true;
    for (int i = 0; i < N_ENTRANTS; i++) {
        if (!t->e[i].runs)
            continue;
        t->e[i].repeats = 1;
        double once = slice(t, i);
        t->e[i].repeats = once < SLICE_NS ? (long)(SLICE_NS / (once + 100)) + 1 : 1;
        slowest = once > slowest ? once : slowest;
    }
    return slowest > SLOW_NS ? SLOW_ROUNDS : ROUNDS;
}

static void print(const struct contest *t, const char *size, int rounds)
{
    double px = (double)t->d->width * t->d->height, bytes = cases[t->c].read + cases[t->c].written;
    for (int i = 0; i < N_PEERS; i++) {
        if (!t->e[i].runs)
            continue;
        double ns = median(t->e[i].ns, rounds) / px;
        printf("| %s | %s | %s | %.4f | %.2f | %.2f | %.2f | %s |\n", cases[t->c].name, size,
               peers[i]->name, ns, bytes / ns,
               1 / median_ratio(t->e[i].ns, t->e[MEMCPY].ns, rounds),
               median_ratio(t->e[i].ns, t->e[0].ns, rounds), t->e[i].text);
    }
    fflush(stdout);
}

static void contest(enum peer_case c, const struct peer_data *d, const char *size, uint8_t *spare)
{
    double px = (double)d->width * d->height;
    struct contest t = {
        .c = c, .d = d, .from = spare, .to = spare + 2 * (size_t)WIDTH * HEIGHT * 2};
    t.copy_bytes = (size_t)(px * (cases[c].read + cases[c].written) / 2);
    compare(&t, spare);
    if (!t.e[0].runs)
        return;
    int rounds = calibrate(&t);
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < N_ENTRANTS; i++)
            if (t.e[i].runs)
                t.e[i].ns[r] = slice(&t, i);
    print(&t, size, rounds);
}

/* Repeats the picture over the page; colours part from grey a little, as paper does. */
static void fill(const struct pl_image *im, struct peer_data *d)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            size_t i = (size_t)y * WIDTH + (size_t)x;
            uint8_t v = pl_image_row(im, y % im->height)[x % im->width];
            const uint8_t px[4] = {v, (uint8_t)(v - v / 32), (uint8_t)(v - v / 16), 255};
            d->gray[i] = v;
            memcpy(d->rgb + 3 * i, px, 3);
            memcpy(d->rgba + 4 * i, px, 4);
            d->bilevel[i] = v > 127 ? 255 : 0;
            d->inverse[i] = v > 127 ? 0 : 255;
            if (v <= 127)
                d->bits[(size_t)y * ((WIDTH + 7) / 8) + (size_t)x / 8] |= (uint8_t)(0x80 >> x % 8);
        }
}

static void load(const char *path, struct peer_data *d)
{
    struct pl_kernels k;
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    struct pl_load_options opt = {.gray = true, .max_pixels = 200000000};
    struct platen_error err;
    struct pl_map f;
    struct pl_image im;
    pl_kernels_init(&k, pl_isa_best());
    if (pl_map_open(path, SIZE_MAX, &f, &err) ||
        pl_image_load(&env, f.data, f.size, &opt, &im, &err)) {
        fprintf(stderr, "peers: '%s': %s\n", path, err.text);
        exit(1);
    }
    fill(&im, d);
    pl_image_done(&im);
    pl_map_close(&f);
    pl_bufpool_free(env.bufs);
}

static bool wanted(const char *name, char **names)
{
    if (!*names)
        return true;
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    size_t n = (size_t)WIDTH * HEIGHT;
    struct peer_data d = {
        WIDTH,         HEIGHT,        must_alloc(n), must_alloc(3 * n), must_alloc(4 * n),
        must_alloc(n), must_alloc(n), must_alloc(n), must_alloc(4 * n)};
    uint8_t *spare = must_alloc(8 * n);
    memset(d.bits, 0, n);
    load(argc > 1 ? argv[1] : PEER_SAMPLE, &d);
    fputs(PEER_SKIPPED, stdout);
    printf("| case | size | by | ns/px | GB/s | of memcpy | times platen's | unequal |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (int cache = 1; cache >= 0; cache--) {
        d.height = cache ? L2_ROWS : HEIGHT;
        for (int i = 0; i < N_PEERS; i++)
            if (peers[i]->prepare)
                peers[i]->prepare(&d);
        for (int c = 0; c < CASE_COUNT; c++)
            if ((!cache || cases[c].in_cache) && wanted(cases[c].name, argv + (argc > 1 ? 2 : 1)))
                contest((enum peer_case)c, &d, cache ? "L2" : "page", spare);
    }
    return 0;
}
