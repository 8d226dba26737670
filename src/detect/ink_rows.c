#include "detect/ink_rows.h"

#include <math.h>

#include "image/range.h"

#define RULE_SHARE 0.8
#define POST_SHARE 0.9
#define MAX_POSTS_SHARE 0.1 /* more of them are the text itself */
#define MIN_ROW_SHARE 0.004
#define EDGE_REACH 0.4  /* share of a run's rows that a neighbour may take */
#define PART_SHARE 0.15 /* of the fullest row: an emptier row may part two lines */
#define JOIN_GAP 0.25

struct run {
    int top, bottom;
};

struct profile {
    int *count; /* ink per row */
    int height;
    struct run *runs;
    int n_runs;
};

/* Ink in every column, and whether it is lighter than the paper; twice_middle is the sum of the
 * grey of ink and of paper. */
static bool count_columns(const struct pl_image *im, int twice_middle, int *columns)
{
    int64_t dark = 0;
    for (int y = 0; y < im->height; y++) {
        const uint8_t *px = pl_image_row(im, y);
        for (int x = 0; x < im->width; x++)
            columns[x] += 2 * px[x] < twice_middle;
    }
    for (int x = 0; x < im->width; x++)
        dark += columns[x];
    bool light = 2 * dark > (int64_t)im->width * im->height;
    for (int x = 0; light && x < im->width; x++)
        columns[x] = im->height - columns[x];
    return light;
}

/* Ink in every row, without the columns that are sides of a box; rules and specks count nothing. */
static void count_rows(const struct pl_image *im, int twice_middle, bool light, int *columns,
                       int *rows)
{
    int posts = 0;
    for (int x = 0; x < im->width; x++)
        posts += columns[x] = columns[x] > POST_SHARE * im->height;
    bool drop = posts < MAX_POSTS_SHARE * im->width;
    for (int y = 0; y < im->height; y++) {
        const uint8_t *px = pl_image_row(im, y);
        int n = 0;
        for (int x = 0; x < im->width; x++)
            n += ((2 * px[x] < twice_middle) != light) && !(drop && columns[x]);
        bool counts = n <= RULE_SHARE * im->width && n >= fmax(1, MIN_ROW_SHARE * im->width);
        rows[y] = counts ? n : 0;
    }
}

static int fullest(const struct profile *p, int top, int bottom)
{
    int best = 0;
    for (int y = top; y < bottom; y++)
        best = PL_MAX(best, p->count[y]);
    return best;
}

/* The row nearest to the edge among those with least ink in [top, bottom). */
static int emptiest(const struct profile *p, int top, int bottom, bool from_below)
{
    int best = from_below ? bottom - 1 : top;
    for (int i = 0; i < bottom - top; i++) {
        int y = from_below ? bottom - 1 - i : top + i;
        best = p->count[y] < p->count[best] ? y : best;
    }
    return best;
}

/* Adds the run [top, bottom), without what an edge of the picture has cut off from a neighbour. */
static void add_run(struct profile *p, int top, int bottom)
{
    double part = PART_SHARE * fullest(p, top, bottom);
    int reach = (int)(EDGE_REACH * (bottom - top));
    struct run *r = &p->runs[p->n_runs];
    *r = (struct run){top, bottom};
    if (top == 0 && reach) {
        int row = emptiest(p, 0, reach, false);
        if (row && p->count[row] < part && part < fullest(p, 0, row)) {
            *r++ = (struct run){0, row};
            *r = (struct run){row, bottom};
        }
    }
    if (bottom == p->height && reach) {
        int row = emptiest(p, bottom - reach, bottom, true);
        if (row < bottom - 1 && p->count[row] < part && part < fullest(p, row, bottom)) {
            r->bottom = row + 1;
            *++r = (struct run){row + 1, bottom};
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

/* The heaviest run with its close neighbours. */
static struct run join_runs(const struct profile *p)
{
    int k = heaviest(p);
    struct run r = p->runs[k];
    double gap = fmax(1, JOIN_GAP * (r.bottom - r.top));
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
                          const struct pl_image *gray, int *ret_top, int *ret_bottom,
                          struct platen_error *err)
{
    size_t width = (size_t)gray->width, height = (size_t)gray->height;
    int *columns = PL_NEW(arena, int, width);
    struct profile p = {.count = PL_NEW(arena, int, height),
                        .height = gray->height,
                        .runs = PL_NEW(arena, struct run, height / 2 + 3)};
    if (!columns || !p.count || !p.runs)
        return pl_fail_nomem(err, (width + 2 * height) * sizeof(int), "ink rows");
    uint32_t hist[256] = {0};
    double lo, hi;
    for (int y = 0; y < gray->height; y++)
        env->k->hist_u8(hist, pl_image_row(gray, y), width);
    pl_gray_range(hist, width * height, &lo, &hi);
    int twice_middle = (int)(lo + hi);
    bool light = count_columns(gray, twice_middle, columns);
    count_rows(gray, twice_middle, light, columns, p.count);
    find_runs(&p);
    struct run r = p.n_runs ? join_runs(&p) : (struct run){0, 0};
    *ret_top = r.top;
    *ret_bottom = r.bottom;
    return PLATEN_OK;
}
