/* SPDX-License-Identifier: BSD-2-Clause */
/* The light components of a dark area are sorted into rows of letters. A row counts when no paper
 * reaches into it: between dark letters the page shows through, between light ones it does not. It
 * stands for its box, with all that is light inside: smaller letters, and rows near the rim. The
 * box ends where its ground does: a table's head is no part of the grey row below it. */
#include "preprocess/clean/reverse_rows.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "image/components.h"
#include "image/range.h"
#include "preprocess/binarize/binarize.h"
#include "preprocess/clean/clean_tuning.def"
#include "preprocess/clean/polarity.h"

#define MAX_ROWS 128
#define NEAR 3   /* heights of the higher one between letters that stand beside each other */
#define LIKE 2.5 /* times as high as another is a letter of its row at most */

/* A dark part of the page, from pixel (x, y) on. */
struct area {
    const struct pl_env *env;
    const struct pl_image *gray;
    uint8_t level; /* of its paper and letters is lighter */
    int min_letter_px;
    struct pl_image inverted;   /* ink 255 */
    struct pl_image filled;     /* the same with the letters filled in */
    struct pl_components light; /* its components of paper and letters */
};

struct letter_row {
    struct pl_rect box;
    uint32_t components, letters; /* components may be several letters that touch */
    uint64_t white_px, boxes_px;  /* of the letters, and of their boxes */
    uint64_t bottoms_px;          /* sum of the components' lower ends */
};

struct letter_rows {
    struct letter_row row[MAX_ROWS];
    size_t n;
};

static void area_done(struct area *a)
{
    pl_components_done(&a->light);
    pl_image_done(&a->inverted);
    pl_image_done(&a->filled);
}

static bool touches_edge(const struct pl_component *c, const struct area *a)
{
    return c->box.x0 == 0 || c->box.y0 == 0 || c->box.x1 == a->inverted.width ||
           c->box.y1 == a->inverted.height;
}

/* Whether a component is wide and nearly full, as a white field is, and a dash. */
static bool is_field(const struct pl_component *c)
{
    int w = pl_rect_width(c->box), h = pl_rect_height(c->box);
    return w > h && c->ink_px > REVERSE_MAX_FILL * w * h;
}

static bool is_letter(const struct pl_component *c, const struct area *a)
{
    int w = pl_rect_width(c->box), h = pl_rect_height(c->box);
    return h >= a->min_letter_px && w <= REVERSE_WIDTH * h && !touches_edge(c, a) &&
           c->ink_px >= REVERSE_MIN_FILL * w * h && !is_field(c);
}

/* Returns whether a component of light ink is a letter beside those of the row: level with them, of
 * like height, and near. Lines of text are not known yet: pl_same_row() comes later. */
static bool is_next_letter(struct pl_rect row, struct pl_rect letter)
{
    int a = pl_rect_height(row), b = pl_rect_height(letter);
    int common = PL_MIN(row.y1, letter.y1) - PL_MAX(row.y0, letter.y0);
    int apart = PL_MAX(letter.x0 - row.x1, row.x0 - letter.x1);
    return 2 * common >= PL_MIN(a, b) && LIKE * PL_MIN(a, b) >= PL_MAX(a, b) &&
           apart <= NEAR * PL_MAX(a, b);
}

static int by_left_edge(const void *a, const void *b)
{
    const struct pl_component *p = a, *q = b;
    int d = p->box.x0 - q->box.x0;
    return d ? d : (p->first_run > q->first_run) - (p->first_run < q->first_run);
}

/* Light components inside box that are no letters: pictures are full of them. */
static uint32_t specks_in(const struct area *a, struct pl_rect box)
{
    uint32_t n = 0;
    for (size_t i = 0; i < a->light.n; i++)
        n += !is_letter(&a->light.comps[i], a) &&
             !pl_rect_empty(pl_rect_intersect(a->light.comps[i].box, box));
    return n;
}

/* Pixels of box that belong to paper: light components that leave the dark area. */
static uint64_t paper_px(const struct area *a, struct pl_rect box)
{
    uint64_t n = 0;
    for (size_t i = 0; i < a->light.n; i++) {
        const struct pl_component *c = &a->light.comps[i];
        if (!touches_edge(c, a) || pl_rect_empty(pl_rect_intersect(c->box, box)))
            continue;
        for (uint32_t k = 0; k < c->n_runs; k++) {
            const struct pl_run *r = &a->light.runs[c->first_run + k];
            int x0 = PL_MAX(r->x0, box.x0), x1 = PL_MIN(r->x1, box.x1);
            n += r->y >= box.y0 && r->y < box.y1 && x1 > x0 ? (uint64_t)(x1 - x0) : 0;
        }
    }
    return n;
}

/* Part of box that is ink in `inverted`, whose ink is 255. */
static double ink_share(const struct area *a, const struct pl_image *inverted, struct pl_rect box)
{
    uint64_t sum = 0;
    for (int y = box.y0; y < box.y1; y++)
        sum += a->env->k->sum_u8(pl_image_row(inverted, y) + box.x0, (size_t)pl_rect_width(box));
    return (double)(sum / 255) / ((double)pl_rect_width(box) * pl_rect_height(box));
}

/* Whether dark bands, `margin` pixels high, run above the letters and below row `bottom` of the
 * area, where they end or where those without descenders do, and no paper reaches between the
 * letters; the row's box then takes the bands in. */
static bool has_bands(const struct area *a, struct letter_row *row, int bottom, int margin)
{
    struct pl_rect in = row->box;
    struct pl_rect b = {in.x0 - margin, in.y0 - margin, in.x1 + margin,
                        PL_MAX(in.y1, bottom + margin)};
    if (b.x0 < 0 || b.y0 < 0 || b.x1 > a->inverted.width || b.y1 > a->inverted.height)
        return false;
    struct pl_rect above = {b.x0, b.y0, b.x1, in.y0}, below = {b.x0, bottom, b.x1, b.y1};
    double px = (double)pl_rect_width(b) * pl_rect_height(b);
    if ((double)row->white_px < REVERSE_WHITE * px ||
        ink_share(a, &a->inverted, above) < REVERSE_SOLID ||
        ink_share(a, &a->inverted, below) < REVERSE_SOLID ||
        (double)paper_px(a, b) > REVERSE_PAPER * px ||
        specks_in(a, b) > row->letters + REVERSE_SPECKS)
        return false;
    row->box = b;
    return true;
}

/* Whether a row is letters in a dark box; its box then takes the dark bands around them in. */
static bool is_reverse_row(const struct area *a, struct letter_row *row)
{
    int margin = (int)(REVERSE_MARGIN * pl_rect_height(row->box)) + 1;
    if (row->components < REVERSE_COMPONENTS || row->letters < REVERSE_LETTERS ||
        (double)row->white_px > REVERSE_MAX_FILL * (double)row->boxes_px)
        return false;
    return has_bands(a, row, row->box.y1, margin) ||
           has_bands(a, row, (int)(row->bottoms_px / row->components), margin);
}

/* Adds a letter to the row that it stands beside, or as a new row while there are fewer than
 * MAX_ROWS. */
static void add_letter(struct letter_rows *rows, const struct pl_component *c)
{
    size_t r = 0;
    while (r < rows->n && !is_next_letter(rows->row[r].box, c->box))
        r++;
    if (r == MAX_ROWS)
        return;
    if (r == rows->n)
        rows->row[rows->n++] = (struct letter_row){.box = c->box};
    struct letter_row *row = &rows->row[r];
    row->box = pl_rect_union(row->box, c->box);
    row->letters += (uint32_t)PL_MAX(1, pl_rect_width(c->box) / pl_rect_height(c->box));
    row->components++;
    row->white_px += c->ink_px;
    row->bottoms_px += (uint64_t)c->box.y1;
    row->boxes_px += (uint64_t)pl_rect_width(c->box) * (uint64_t)pl_rect_height(c->box);
}

/* Takes those rows out of `open` to which no letter from column x on can belong, and adds the
 * reverse ones among them to `found`, while there are fewer than MAX_ROWS. */
static void close_rows(const struct area *a, int x, struct letter_rows *open,
                       struct letter_rows *found)
{
    size_t kept = 0;
    for (size_t i = 0; i < open->n; i++) {
        struct letter_row *row = &open->row[i];
        if (x - row->box.x1 <= NEAR * LIKE * pl_rect_height(row->box))
            open->row[kept++] = *row;
        else if (is_reverse_row(a, row) && found->n < MAX_ROWS)
            found->row[found->n++] = *row;
    }
    open->n = kept;
}

/* The reverse rows of an area, whose light components go from left to right. */
static void find_rows(const struct area *a, struct letter_rows *found)
{
    struct letter_rows open = {.n = 0};
    found->n = 0;
    for (size_t i = 0; i < a->light.n; i++)
        if (is_letter(&a->light.comps[i], a)) {
            close_rows(a, a->light.comps[i].box.x0, &open, found);
            add_letter(&open, &a->light.comps[i]);
        }
    close_rows(a, INT_MAX, &open, found);
}

/* The grey of the ground in a rectangle: a quarter of what is dark is darker, the rims of light
 * letters are lighter. 0 where nothing is dark. */
static int ground_of(const struct area *a, struct pl_rect r)
{
    uint32_t hist[256] = {0};
    uint64_t dark = 0;
    a->env->k->hist_u8(hist, pl_image_row(a->gray, r.y0) + r.x0, a->gray->stride_bytes,
                       (size_t)pl_rect_width(r), (size_t)pl_rect_height(r));
    for (int v = 0; v <= a->level; v++)
        dark += hist[v];
    return dark ? pl_gray_rank(hist, dark / 4) : 0;
}

enum box_side { ABOVE, BELOW, LEFT, RIGHT };

/* The line of pixels that lies i pixels beyond that side of the box. */
static struct pl_rect line_beyond(struct pl_rect b, enum box_side side, int i)
{
    switch (side) {
    case ABOVE:
        return (struct pl_rect){b.x0, b.y0 - i - 1, b.x1, b.y0 - i};
    case BELOW:
        return (struct pl_rect){b.x0, b.y1 + i, b.x1, b.y1 + i + 1};
    case LEFT:
        return (struct pl_rect){b.x0 - i - 1, b.y0, b.x0 - i, b.y1};
    default:
        return (struct pl_rect){b.x1 + i, b.y0, b.x1 + i + 1, b.y1};
    }
}

/* By how many pixels, at most `most`, the dark box goes on beyond that side of b: as far as the
 * share `least` of each line is ink in `inverted`, and no darker or lighter ground begins there.
 * Rules of another grey, and dots of a screen, are at most `thin` pixels high. */
static int reach(const struct area *a, const struct pl_image *inverted, struct pl_rect b,
                 enum box_side side, int most, int thin)
{
    const double least = side < LEFT ? REVERSE_SOLID : REVERSE_SIDES;
    int ground = ground_of(a, b), n = 0;
    for (int i = 0; i < most && i <= n + thin; i++) {
        const struct pl_rect line = line_beyond(b, side, i);
        if (ink_share(a, inverted, line) < least)
            break;
        const int grey = ground_of(a, line);
        if (abs(grey - ground) > REVERSE_STEP)
            continue;
        n = i + 1;
        ground += (grey > ground) - (grey < ground); /* it may change little by little */
    }
    return n;
}

/* Extends the row's box as far as the dark box goes, at most so many pixels up and down, and to
 * each side. */
static struct pl_rect grow_row(const struct area *a, const struct pl_image *inverted,
                               struct pl_rect b, int up, int aside)
{
    const int thin = (int)(REVERSE_MARGIN * pl_rect_height(b));
    const int left = reach(a, inverted, b, LEFT, PL_MIN(aside, b.x0), thin);
    const int right = reach(a, inverted, b, RIGHT, PL_MIN(aside, inverted->width - b.x1), thin);
    b.x0 -= left;
    b.x1 += right;
    const int above = reach(a, inverted, b, ABOVE, PL_MIN(up, b.y0), thin);
    const int below = reach(a, inverted, b, BELOW, PL_MIN(up, inverted->height - b.y1), thin);
    return (struct pl_rect){b.x0, b.y0 - above, b.x1, b.y1 + below};
}

/* Whether a light component is no part of letters that are `height` pixels high, but paper: around
 * the dark area, or a white field in it. */
static bool is_paper(const struct pl_component *c, const struct area *a, int height)
{
    int h = pl_rect_height(c->box);
    return touches_edge(c, a) || h > REVERSE_HIGH * height || (2 * h >= height && is_field(c));
}

/* Makes a->filled, with letters of rows up to `height` pixels. */
static platen_status fill_letters(const struct pl_env *env, struct area *a, int height,
                                  struct platen_error *err)
{
    const struct pl_image *from = &a->inverted;
    platen_status s = pl_image_init(env, from->width, from->height, PL_GRAY8, &a->filled, err);
    if (s)
        return s;
    for (int y = 0; y < from->height; y++)
        memcpy(pl_image_row(&a->filled, y), pl_image_row(from, y), (size_t)from->width);
    for (size_t i = 0; i < a->light.n; i++) {
        const struct pl_component *c = &a->light.comps[i];
        if (is_paper(c, a, height))
            continue;
        for (uint32_t k = c->first_run; k < c->first_run + c->n_runs; k++) {
            struct pl_run r = a->light.runs[k];
            memset(pl_image_row(&a->filled, r.y) + r.x0, 255, (size_t)(r.x1 - r.x0));
        }
    }
    return PLATEN_OK;
}

/* Whether what is light in the dark box b around a row of that height is letters and their dots,
 * and not a picture or a field. */
static bool is_text_box(const struct area *a, struct pl_rect b, int height)
{
    uint64_t white = 0;
    uint32_t letters = 0, dots = 0;
    for (size_t i = 0; i < a->light.n; i++) {
        const struct pl_component *c = &a->light.comps[i];
        if (pl_rect_empty(pl_rect_intersect(c->box, b)) || touches_edge(c, a))
            continue;
        if (is_paper(c, a, height))
            return false;
        bool dot = pl_rect_height(c->box) < REVERSE_DOT * height;
        letters += !dot;
        dots += dot;
        white += c->ink_px;
    }
    return dots <= letters &&
           (double)white <= REVERSE_LIGHT * pl_rect_width(b) * (double)pl_rect_height(b);
}

/* Whether most print in a box is darker than what is around it: the row lies in a darker box then,
 * which the level does not part from this one. */
static bool has_dark_print(const struct area *a, struct pl_rect box)
{
    pl_auto_image part = pl_image_view(a->gray, box);
    return pl_polarity(a->env, &part).vote < 0;
}

/* The dark box around a row, or where that is no box of light text the row's part of it. */
static struct pl_rect box_of(const struct area *a, struct pl_rect row)
{
    const int h = pl_rect_height(row);
    struct pl_rect b = grow_row(a, &a->filled, row, a->filled.height, a->filled.width);
    return is_text_box(a, b, h) && !has_dark_print(a, b)
               ? b
               : grow_row(a, &a->inverted, row, REVERSE_UP * h, REVERSE_ASIDE * h);
}

static bool overlaps_any(const struct pl_rect *boxes, size_t n, struct pl_rect b)
{
    for (size_t i = 0; i < n; i++)
        if (!pl_rect_empty(pl_rect_intersect(boxes[i], b)))
            return true;
    return false;
}

/* The box, grown so that it cuts through no row; or as it is, where it would then meet another. */
static struct pl_rect with_whole_rows(struct pl_rect b, const struct letter_rows *rows,
                                      const struct pl_reverse *others)
{
    struct pl_rect whole = b;
    for (int sides = 0; sides != pl_rect_width(whole) + pl_rect_height(whole);) {
        sides = pl_rect_width(whole) + pl_rect_height(whole);
        for (size_t i = 0; i < rows->n; i++) /* what is new in it may cut through an earlier row */
            if (!pl_rect_empty(pl_rect_intersect(whole, rows->row[i].box)))
                whole = pl_rect_union(whole, rows->row[i].box);
    }
    return overlaps_any(others->box, others->n, whole) ? b : whole;
}

/* Adds the boxes of the rows of one dark area, and changes its pictures. */
static void take_boxes(const struct area *a, const struct letter_rows *rows, struct pl_reverse *ret)
{
    for (size_t i = 0; i < rows->n && ret->n < PL_REVERSE_MAX; i++) {
        if (overlaps_any(ret->box, ret->n, rows->row[i].box))
            continue;
        struct pl_rect b = with_whole_rows(box_of(a, rows->row[i].box), rows, ret);
        for (int y = b.y0; y < b.y1; y++) { /* the next one must not grow into this one */
            memset(pl_image_row(&a->inverted, y) + b.x0, 0, (size_t)pl_rect_width(b));
            memset(pl_image_row(&a->filled, y) + b.x0, 0, (size_t)pl_rect_width(b));
        }
        ret->box[ret->n++] = b;
    }
}

static platen_status take_rows(const struct pl_env *env, struct area *a, struct pl_reverse *ret,
                               struct platen_error *err)
{
    struct letter_rows rows;
    int height = 0;
    find_rows(a, &rows);
    for (size_t i = 0; i < rows.n; i++)
        height = PL_MAX(height, pl_rect_height(rows.row[i].box));
    platen_status s = rows.n ? fill_letters(env, a, height, err) : PLATEN_OK;
    if (!s && rows.n)
        take_boxes(a, &rows, ret);
    return s;
}

platen_status pl_reverse_rows(const struct pl_env *env, const struct pl_image *gray, uint8_t level,
                              int min_letter_px, struct pl_reverse *ret, struct platen_error *err)
{
    __attribute__((cleanup(area_done))) struct area a = {
        .env = env, .gray = gray, .level = level, .min_letter_px = min_letter_px};
    platen_status s = pl_binarize_level(env, gray, level, &a.inverted, err);
    if (s)
        return s;
    for (int y = 0; y < gray->height; y++)
        env->k->invert_u8(pl_image_row(&a.inverted, y), pl_image_row(&a.inverted, y),
                          (size_t)gray->width);
    s = pl_components_find(env, &a.inverted, &a.light, err);
    if (s)
        return s;
    if (a.light.n)
        qsort(a.light.comps, a.light.n, sizeof(*a.light.comps), by_left_edge);
    return take_rows(env, &a, ret, err);
}
