/* SPDX-License-Identifier: BSD-2-Clause */
/* The bands of a page: what the detector calls core, widened to the lines that are around it. */
#include "detect/net/text_band.h"

#include <math.h>
#include <string.h>

#include "detect/ink/sort.h"
#include "image/components.h"
#include "image/resample.h"
#include "detect/net/net_tuning.def"

/* The range of heights, in 1/256 octaves. */
#define N_HEIGHTS 2049

/* What the detector says of a part of the page. */
struct look {
    struct pl_text_maps maps;
    struct pl_components cores;
    double x0, y0;                    /* of the part, px of the page */
    double place_width, place_height; /* of a place of the maps, px of the page */
    double unit;                      /* the network's x-height, px of the page */
};

static void look_done(struct look *k)
{
    pl_text_maps_done(&k->maps);
    pl_components_done(&k->cores);
}

#define auto_look __attribute__((cleanup(look_done))) struct look

/* The places of a column of a core that lie above each other without a break. */
struct upright {
    int x, y0, y1;
};

/* Fills ret[] with the uprights of a core, as many as it has places at most; last[] has room for
 * the columns of its box. Returns how many there are. */
static size_t list_uprights(const struct pl_components *c, const struct pl_component *core,
                            struct upright *ret, size_t *last)
{
    size_t n = 0;
    for (int x = 0; x < pl_rect_width(core->box); x++)
        last[x] = SIZE_MAX;
    for (uint32_t r = 0; r < core->n_runs; r++) {
        struct pl_run u = c->runs[core->first_run + r];
        for (int x = u.x0; x < u.x1; x++) {
            size_t *k = &last[x - core->box.x0];
            if (*k == SIZE_MAX || ret[*k].y1 + 1 < u.y) /* one row of white is the ragged edge */
                ret[ *k = n++] = (struct upright){x, u.y, u.y};
            ret[*k].y1 = u.y + 1;
        }
    }
    return n;
}

/* Returns the height above which an upright of a core holds two lines together, as an initial does
 * or a brace; 0 where the core is of one line: white then parts few of its columns. */
static int link_height(const struct pl_component *core, const struct upright *v, size_t n,
                       double *scratch)
{
    if ((double)n <= (1 + LINES_SHARE) * pl_rect_width(core->box))
        return 0;
    for (size_t i = 0; i < n; i++)
        scratch[i] = v[i].y1 - v[i].y0;
    return (int)(LINK_HEIGHT * pl_median(scratch, n));
}

/* Takes the links out of a core of more than one line, and sets *any then. Returns false when
 * memory is short. */
static bool part_core(struct look *k, const struct pl_component *core, struct pl_arena *arena,
                      bool *any)
{
    struct upright *v = PL_NEW(arena, struct upright, core->ink_px);
    size_t *last = PL_NEW(arena, size_t, (size_t)pl_rect_width(core->box));
    double *scratch = PL_NEW(arena, double, core->ink_px);
    if (!v || !last || !scratch)
        return false;
    size_t n = list_uprights(&k->cores, core, v, last);
    int most = link_height(core, v, n, scratch);
    *any |= most > 0;
    for (size_t i = 0; most && i < n; i++)
        for (int y = v[i].y0; v[i].y1 - v[i].y0 > most && y < v[i].y1; y++)
            pl_image_row(&k->maps.core, y)[v[i].x] = PL_WEAK;
    return true;
}

/* Parts the cores that are of more than one line. */
static platen_status part_cores(struct look *k, const struct pl_env *env, struct pl_arena *arena,
                                struct platen_error *err)
{
    struct pl_arena_mark start = pl_arena_mark(arena);
    bool any = false;
    for (size_t i = 0; i < k->cores.n; i++) {
        const struct pl_component *core = &k->cores.comps[i];
        if (!part_core(k, core, arena, &any))
            return pl_fail_nomem(err, core->ink_px * sizeof(struct upright), "bands of text");
        pl_arena_rewind(arena, start);
    }
    if (!any)
        return PLATEN_OK;
    pl_components_done(&k->cores);
    return pl_components_find(env, &k->maps.core, &k->cores, err);
}

/* The detector sees `gray` made smaller by `scale`, of 1 at most. There is no other limit of its
 * size: the network takes it tile by tile, and white ones cost nothing. */
static platen_status take_look(struct pl_detector *d, const struct pl_env *env,
                               const struct pl_image *gray, double scale, float threshold,
                               struct look *ret, struct platen_error *err)
{
    pl_auto_image small = {0};
    int w = (int)PL_MAX(rint(gray->width * scale), 1.0);
    int h = (int)PL_MAX(rint(gray->height * scale), 1.0);
    platen_status s = pl_resample(env, gray, w, h, &small, err);
    s = s ? s : pl_detector_run(d, env, &small, threshold, &ret->maps, err);
    s = s ? s : pl_components_find(env, &ret->maps.core, &ret->cores, err);
    ret->place_width = pl_detector_part_width(d) * (double)gray->width / w;
    ret->place_height = pl_detector_part_height(d) * (double)gray->height / h;
    ret->unit = pl_detector_xheight(d) * (double)gray->width / w;
    return s;
}

/* Returns the height that the map tells for the step in which a place lies. */
static int height_at(const struct look *k, int column, int row)
{
    int x = column / (k->maps.core.width / k->maps.nx),
        y = row / (k->maps.core.height / k->maps.ny);
    return k->maps.height[(size_t)y * (size_t)k->maps.nx + (size_t)x];
}

/* Returns the median x-height of the places of a core, px of the page. */
static double core_xheight(const struct look *k, const struct pl_component *core)
{
    uint32_t hist[N_HEIGHTS] = {0};
    for (uint32_t r = 0; r < core->n_runs; r++) {
        struct pl_run u = k->cores.runs[core->first_run + r];
        for (int x = u.x0; x < u.x1; x++)
            hist[height_at(k, x, u.y) + N_HEIGHTS / 2]++;
    }
    uint64_t sum = 0;
    int i = 0;
    while (i < N_HEIGHTS - 1 && (sum += hist[i]) * 2 <= core->ink_px)
        i++;
    return k->unit * exp2((i - N_HEIGHTS / 2) / 256.0);
}

double pl_text_band_middle(const struct pl_text_band *b, double x)
{
    double at = PL_CLAMP((x - b->first) / b->step, 0.0, (double)(b->n - 1));
    int i = PL_MAX(PL_MIN((int)at, b->n - 2), 0);
    double rest = at - i;
    return rest > 0 ? (1 - rest) * b->middle[i] + rest * b->middle[i + 1] : b->middle[i];
}

void pl_text_band_span(const struct pl_text_band *b, double *ret_y0, double *ret_y1)
{
    double lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < b->n; i++) {
        lo = PL_MIN(lo, b->middle[i]);
        hi = PL_MAX(hi, b->middle[i]);
    }
    *ret_y0 = lo - b->half;
    *ret_y1 = hi + b->half;
}

/* Gives for each column of a core the mean row of its places, and their mean number. */
static void measure_columns(const struct look *k, const struct pl_component *core, float *row,
                            float *count, double *ret_places)
{
    for (uint32_t r = 0; r < core->n_runs; r++) {
        struct pl_run u = k->cores.runs[core->first_run + r];
        for (int x = u.x0 - core->box.x0; x < u.x1 - core->box.x0; x++) {
            row[x] += (float)u.y + 0.5F;
            count[x]++;
        }
    }
    for (int x = 0; x < pl_rect_width(core->box); x++)
        row[x] /= count[x];
    *ret_places = core->ink_px / (double)pl_rect_width(core->box);
}

/* Gives the mean of v over BAND_SMOOTH neighbours of place i on both sides, or as many as there are
 * on both: it takes away the steps of the places. */
static double smoothed(const float *v, int n, int i)
{
    int reach = PL_MIN(PL_MIN(i, n - 1 - i), BAND_SMOOTH);
    double sum = 0;
    for (int j = i - reach; j <= i + reach; j++)
        sum += (double)v[j];
    return sum / (2 * reach + 1);
}

/* Makes the band of a core. Returns false when memory is short. */
static bool make_band(const struct look *k, const struct pl_component *core, struct pl_arena *arena,
                      struct pl_text_band *ret)
{
    int n = pl_rect_width(core->box);
    float *row = PL_NEW(arena, float, (size_t)n), *middle = PL_NEW(arena, float, (size_t)n);
    double places, xheight = core_xheight(k, core);
    if (!row || !middle)
        return false;
    measure_columns(k, core, row, middle, &places);
    for (int i = 0; i < n; i++)
        middle[i] = (float)(k->y0 + k->place_height * smoothed(row, n, i));
    *ret = (struct pl_text_band){
        .x0 = k->x0 + k->place_width * core->box.x0 - BAND_BESIDE * xheight,
        .x1 = k->x0 + k->place_width * core->box.x1 + BAND_BESIDE * xheight,
        .first = k->x0 + k->place_width * (core->box.x0 + 0.5),
        .step = k->place_width,
        .n = n,
        .middle = middle,
        .half = PL_MAX(0.5 * places * k->place_height + BAND_AROUND * xheight, xheight)};
    return true;
}

bool pl_text_places_at(const struct pl_text_places *p, double x, double y)
{
    double column = floor((x - p->x0) / p->place_width), row = floor((y - p->y0) / p->place_height);
    return p->seen && column >= 0 && column < p->width && row >= 0 && row < p->height &&
           p->seen[(size_t)row * (size_t)p->width + (size_t)column];
}

/* Keeps where text is seen. Returns false when memory is short. */
static bool keep_places(const struct look *k, struct pl_arena *arena, struct pl_text_places *ret)
{
    const struct pl_image *map = &k->maps.core;
    uint8_t *seen = PL_NEW(arena, uint8_t, (size_t)map->width * (size_t)map->height);
    *ret = (struct pl_text_places){seen,  map->width,     map->height,    k->x0,
                                   k->y0, k->place_width, k->place_height};
    for (int y = 0; seen && y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            *seen++ = pl_image_row(map, y)[x] <= PL_WEAK;
    return ret->seen;
}

static platen_status make_bands(const struct look *k, struct pl_arena *arena,
                                struct pl_text_bands *ret, struct platen_error *err)
{
    *ret = (struct pl_text_bands){.v = PL_NEW(arena, struct pl_text_band, k->cores.n)};
    bool ok = ret->v && keep_places(k, arena, &ret->places);
    for (size_t i = 0; i < k->cores.n && ok; i++)
        if (k->cores.comps[i].ink_px >= MIN_PLACES)
            ok = make_band(k, &k->cores.comps[i], arena, &ret->v[ret->n++]);
    return ok ? PLATEN_OK : pl_fail_nomem(err, k->cores.n * sizeof(*ret->v), "bands of text");
}

platen_status pl_text_bands_find(struct pl_detector *d, const struct pl_env *env,
                                 struct pl_arena *arena, const struct pl_image *gray,
                                 struct pl_rect part, double glyph_px, float threshold,
                                 struct pl_text_bands *ret, struct platen_error *err)
{
    auto_look look = {.x0 = part.x0, .y0 = part.y0};
    pl_auto_image view = pl_image_view(gray, part);
    platen_status s =
        take_look(d, env, &view, PL_MIN(NET_GLYPH / glyph_px, 1.0), threshold, &look, err);
    s = s ? s : part_cores(&look, env, arena, err);
    return s ? s : make_bands(&look, arena, ret, err);
}
