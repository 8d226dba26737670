/* SPDX-License-Identifier: BSD-2-Clause */
#include "detect/ink/ink_rows.h"

#include <math.h>

#include "image/range.h"
#include "detect/ink/ink_tuning.def"

struct row_run {
    int top, bottom;
};

struct profile {
    int *count; /* ink per row */
    int height;
    struct row_run *runs;
    int n_runs;
};

/* Which pixels are ink: those on one side of the middle of the grey range. */
struct mask {
    const struct pl_image *im;
    int twice_middle; /* grey of ink plus grey of paper */
    bool light;       /* whether the ink is lighter than the paper */
    int *columns;     /* ink per column, then 1 = side of a box */
    bool drop;        /* whether sides of a box are no ink */
};

static bool is_ink(const struct mask *m, const uint8_t *row, int x)
{
    return ((2 * row[x] < m->twice_middle) != m->light) && !(m->drop && m->columns[x]);
}

/* Fills m->columns with the ink of every column, and sets m->light. */
static void count_columns(struct mask *m)
{
    const struct pl_image *im = m->im;
    int64_t dark = 0;
    for (int y = 0; y < im->height; y++) {
        const uint8_t *px = pl_image_row(im, y);
        for (int x = 0; x < im->width; x++)
            m->columns[x] += 2 * px[x] < m->twice_middle;
    }
    for (int x = 0; x < im->width; x++)
        dark += m->columns[x];
    m->light = 2 * dark > (int64_t)im->width * im->height;
    for (int x = 0; m->light && x < im->width; x++)
        m->columns[x] = im->height - m->columns[x];
}

/* Makes of the counts in m->columns whether a column is the side of a box, and sets m->drop: where
 * very many are, they are the text itself. */
static void find_posts(struct mask *m)
{
    int posts = 0;
    for (int x = 0; x < m->im->width; x++)
        posts += m->columns[x] = m->columns[x] > POST_SHARE * m->im->height;
    m->drop = posts < MAX_POSTS_SHARE * m->im->width;
}

/* Fills rows[] with the ink of every pixel row; rules and specks count as none. */
static void count_rows(const struct mask *m, int *rows)
{
    int width = m->im->width;
    for (int y = 0; y < m->im->height; y++) {
        const uint8_t *px = pl_image_row(m->im, y);
        int n = 0;
        for (int x = 0; x < width; x++)
            n += is_ink(m, px, x);
        bool counts = n <= ROW_RULE_SHARE * width && n >= fmax(1, MIN_ROW_SHARE * width);
        rows[y] = counts ? n : 0;
    }
}

/* Returns the box of the ink in the rows of r. */
static struct pl_rect box_of_rows(const struct mask *m, struct row_run r)
{
    struct pl_rect box = {m->im->width, r.top, 0, r.bottom};
    for (int y = r.top; y < r.bottom; y++) {
        const uint8_t *px = pl_image_row(m->im, y);
        for (int x = 0; x < box.x0; x++)
            if (is_ink(m, px, x))
                box.x0 = x;
        for (int x = m->im->width; x > box.x1; x--)
            if (is_ink(m, px, x - 1))
                box.x1 = x;
    }
    return box;
}

/* Returns the ink of the fullest of rows [top, bottom). */
static int fullest(const struct profile *p, int top, int bottom)
{
    int best = 0;
    for (int y = top; y < bottom; y++)
        best = PL_MAX(best, p->count[y]);
    return best;
}

/* Returns the row with the least ink of [top, bottom); of several the first, or with from_below the
 * last. */
static int emptiest(const struct profile *p, int top, int bottom, bool from_below)
{
    int best = from_below ? bottom - 1 : top;
    for (int i = 0; i < bottom - top; i++) {
        int y = from_below ? bottom - 1 - i : top + i;
        best = p->count[y] < p->count[best] ? y : best;
    }
    return best;
}

/* Adds the run [top, bottom). Where it reaches an edge of the picture, what the edge has left of a
 * neighbouring line becomes a run of its own. */
static void add_run(struct profile *p, int top, int bottom)
{
    double part = PART_SHARE * fullest(p, top, bottom);
    int reach = (int)(EDGE_REACH * (bottom - top));
    struct row_run *r = &p->runs[p->n_runs];
    *r = (struct row_run){top, bottom};
    if (top == 0 && reach) {
        int row = emptiest(p, 0, reach, false);
        if (row && p->count[row] < part && part < fullest(p, 0, row)) {
            *r++ = (struct row_run){0, row};
            *r = (struct row_run){row, bottom};
        }
    }
    if (bottom == p->height && reach) {
        int row = emptiest(p, bottom - reach, bottom, true);
        if (row < bottom - 1 && p->count[row] < part && part < fullest(p, row, bottom)) {
            r->bottom = row + 1;
            *++r = (struct row_run){row + 1, bottom};
        }
    }
    p->n_runs = (int)(r - p->runs) + 1;
}

static void find_runs(struct profile *p)
{
    for (int y = 0; y < p->height; y++) {
        int top = y;
        while (y < p->height && p->count[y])
            y++;
        if (y > top)
            add_run(p, top, y);
    }
}

/* Returns the number of the run with the most ink. */
static int heaviest(const struct profile *p)
{
    int best = 0;
    int64_t most = -1;
    for (int i = 0; i < p->n_runs; i++) {
        int64_t sum = 0;
        for (int y = p->runs[i].top; y < p->runs[i].bottom; y++)
            sum += p->count[y];
        if (sum > most) {
            most = sum;
            best = i;
        }
    }
    return best;
}

/* Returns the heaviest run, and with it the runs that are close and not cut by an edge. */
static struct row_run join_runs(const struct profile *p)
{
    int k = heaviest(p);
    struct row_run r = p->runs[k];
    double gap = fmax(1, JOIN_ROWS_GAP * (r.bottom - r.top));
    for (int i = k - 1; i >= 0 && r.top - p->runs[i].bottom <= gap && p->runs[i].top > 0; i--)
        r.top = p->runs[i].top;
    for (int i = k + 1; i < p->n_runs; i++) {
        if (p->runs[i].top - r.bottom > gap || p->runs[i].bottom == p->height)
            break;
        r.bottom = p->runs[i].bottom;
    }
    return r;
}

platen_status pl_ink_rows(const struct pl_env *env, struct pl_arena *arena,
                          const struct pl_image *gray, struct pl_rect *ret,
                          struct platen_error *err)
{
    size_t width = (size_t)gray->width, height = (size_t)gray->height;
    struct mask m = {.im = gray, .columns = PL_NEW(arena, int, width)};
    struct profile p = {.count = PL_NEW(arena, int, height),
                        .height = gray->height,
                        .runs = PL_NEW(arena, struct row_run, height / 2 + 3)};
    if (!m.columns || !p.count || !p.runs)
        return pl_fail_nomem(err, (width + 2 * height) * sizeof(int), "ink rows");
    uint32_t hist[256] = {0};
    double lo, hi;
    for (int y = 0; y < gray->height; y++)
        env->k->hist_u8(hist, pl_image_row(gray, y), width);
    pl_gray_range(hist, width * height, &lo, &hi);
    m.twice_middle = (int)(lo + hi);
    count_columns(&m);
    find_posts(&m);
    count_rows(&m, p.count);
    find_runs(&p);
    *ret = p.n_runs ? box_of_rows(&m, join_runs(&p)) : (struct pl_rect){0};
    return PLATEN_OK;
}
