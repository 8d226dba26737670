#include <string.h>

#include "detect/layout.h"

/* Shortest stroke that may be a rule, and its greatest thickness, in heights of text. */
#define MIN_LENGTH 3.0
#define MAX_THICKNESS 0.35
/* One in so many of its pixels at least is thin; under a word that touches it few are. */
#define THIN_SHARE 5
/* Places of a stretch that are looked at to tell whether it is thin. */
#define SAMPLES 32

/* Working state: `keep` is the page as it was (0 = ink), `page` is erased from. */
struct eraser {
    const struct pl_image *keep;
    struct pl_image *page;
    int length, thick;
    uint64_t erased;
};

static bool ink(const struct pl_image *im, int x, int y)
{
    return x >= 0 && y >= 0 && x < im->width && y < im->height && !pl_image_row(im, y)[x];
}

/* Ink through (x, y) along (dx, dy), counted to at most thick + 1. */
static int extent(const struct eraser *e, int x, int y, int dx, int dy)
{
    int n = 1;
    for (int i = 1; n <= e->thick && ink(e->keep, x + i * dx, y + i * dy); i++)
        n++;
    for (int i = 1; n <= e->thick && ink(e->keep, x - i * dx, y - i * dy); i++)
        n++;
    return n;
}

static void erase_px(struct eraser *e, int x, int y)
{
    uint8_t *p = pl_image_row(e->page, y) + x;
    e->erased += *p == 0;
    *p = 255;
}

/* A straight stretch of n pixels from (x, y) along (dx, dy): where enough of it is thin it is a
 * rule, and its thin pixels go; the thick ones belong to what crosses or touches it. */
static void erase_stretch(struct eraser *e, int x, int y, int dx, int dy, int n)
{
    int thin = 0, seen = 0, step = PL_MAX(n / SAMPLES, 1);
    for (int i = step / 2; i < n; i += step, seen++)
        thin += extent(e, x + i * dx, y + i * dy, dy, dx) <= e->thick;
    if (THIN_SHARE * thin < seen)
        return;
    for (int i = 0; i < n; i++)
        if (extent(e, x + i * dx, y + i * dy, dy, dx) <= e->thick)
            erase_px(e, x + i * dx, y + i * dy);
}

static void erase_horizontal(struct eraser *e, const struct pl_components *c)
{
    for (size_t i = 0; i < c->n_runs; i++) {
        struct pl_run r = c->runs[i];
        if (r.x1 - r.x0 >= e->length)
            erase_stretch(e, r.x0, r.y, 1, 0, r.x1 - r.x0);
    }
}

/* Vertical stretches end where the next row has paper below a long enough count of ink. */
static void erase_vertical(struct eraser *e, uint32_t *count)
{
    const struct pl_image *im = e->keep;
    int w = im->width;
    memset(count, 0, sizeof(*count) * (size_t)w);
    for (int y = 0; y <= im->height; y++) {
        const uint8_t *row = y < im->height ? pl_image_row(im, y) : NULL;
        for (int x = 0; x < w; x++) {
            if (row && !row[x]) {
                count[x]++;
                continue;
            }
            if (count[x] >= (uint32_t)e->length)
                erase_stretch(e, x, y - (int)count[x], 0, 1, (int)count[x]);
            count[x] = 0;
        }
    }
}

platen_status pl_rules_erase(struct pl_layout *l, const struct pl_image *keep,
                             struct pl_image *page, struct platen_error *err)
{
    uint32_t *count = PL_LAYOUT_NEW(l, uint32_t, (size_t)l->width);
    if (!count)
        return pl_fail_nomem(err, (size_t)l->width * sizeof(*count), "rules");
    struct eraser e = {.keep = keep,
                       .page = page,
                       .length = PL_MAX((int)(MIN_LENGTH * l->size), 8),
                       .thick = PL_MAX((int)(MAX_THICKNESS * l->size), 2)};
    erase_horizontal(&e, &l->comps);
    erase_vertical(&e, count);
    l->erased_px = e.erased;
    return PLATEN_OK;
}
