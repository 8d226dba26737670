/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells whether a wide gap in a row is a space between words, or a part of the white corridor
 * between two columns. */
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/ink/ink_tuning.def"

#define NONE UINT32_MAX

struct corridor {
    double x0, x1;      /* white from row to row */
    double left, right; /* where the text on both sides ends and starts */
    double size;
    uint32_t own[2];     /* the groups beside the gap itself */
    int n_left, n_right; /* other rows of text seen on both sides */
};

/* Returns a group at (x, y) whose left end (edge = 0) or right end (edge = 1) lies in [lo, hi];
 * NONE when there is none. */
static uint32_t find_edge(const struct pl_found *found, const struct pl_grid *grid, double x,
                          double y, int edge, double lo, double hi)
{
    const uint32_t *item;
    uint32_t n = pl_grid_at(grid, x, y, &item);
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_rect *b = &found->groups[item[i]].box;
        double e = edge ? b->x1 : b->x0;
        if (e >= lo && e <= hi)
            return item[i];
    }
    return NONE;
}

/* Returns whether anything but the two groups of the gap lies in the corridor at y. */
static bool is_blocked(const struct pl_found *found, const struct pl_grid *grid,
                       const struct corridor *c, double y)
{
    for (double x = c->x0;; x = PL_MIN(x + grid->cell, c->x1)) {
        const uint32_t *item;
        uint32_t n = pl_grid_at(grid, x, y, &item);
        for (uint32_t i = 0; i < n; i++) {
            const struct pl_rect *b = &found->groups[item[i]].box;
            if (item[i] != c->own[0] && item[i] != c->own[1] && b->x0 < c->x1 && b->x1 > c->x0)
                return true;
        }
        if (x >= c->x1)
            return false;
    }
}

/* Returns a group that ends left of the corridor at height y; NONE when there is none. Columns may
 * be ragged, so that it may end early. */
static uint32_t left_text(const struct pl_found *found, const struct pl_grid *grid,
                          const struct corridor *c, double y)
{
    for (double d = 0.5; d < RAGGED_LEFT; d += 1) {
        uint32_t g = find_edge(found, grid, c->left - d * c->size, y, 1,
                               c->left - RAGGED_LEFT * c->size, c->x0 + CORRIDOR_SLACK * c->size);
        if (g != NONE)
            return g;
    }
    return NONE;
}

/* Returns a group that begins right of the corridor at height y; NONE when there is none. */
static uint32_t right_text(const struct pl_found *found, const struct pl_grid *grid,
                           const struct corridor *c, double y)
{
    for (double d = 0.5; d < RAGGED_RIGHT; d += 1) {
        uint32_t g = find_edge(found, grid, c->right + d * c->size, y, 0,
                               c->x1 - CORRIDOR_SLACK * c->size, c->right + RAGGED_RIGHT * c->size);
        if (g != NONE)
            return g;
    }
    return NONE;
}

/* Follows the corridor from height y, `step` px at a time, until it is blocked, and counts the rows
 * of text on both sides. */
static void walk(const struct pl_found *found, const struct pl_grid *grid, struct corridor *c,
                 double y, double step)
{
    uint32_t last_left = c->own[0], last_right = c->own[1];
    for (int i = 0; i < CORRIDOR_REACH; i++) {
        y += step;
        if (y < 0 || y >= found->survey.height || is_blocked(found, grid, c, y))
            return;
        uint32_t a = left_text(found, grid, c, y), b = right_text(found, grid, c, y);
        if (a != NONE && a != last_left) {
            c->n_left++;
            last_left = a;
        }
        if (b != NONE && b != last_right) {
            c->n_right++;
            last_right = b;
        }
    }
}

bool pl_gap_is_gutter(const struct pl_found *found, const struct pl_grid *grid, uint32_t left,
                      uint32_t right)
{
    const struct pl_group *a = &found->groups[left], *b = &found->groups[right];
    double size = PL_MAX(a->fit.size, b->fit.size), gap = b->box.x0 - a->box.x1;
    if (gap <= SPACE_GAP * size)
        return false;
    double width = PL_MAX(CORRIDOR_WIDTH * size, CORRIDOR_SHARE * gap);
    double y = pl_fit_y(&a->fit, a->box.x1) - 0.5 * a->fit.size;
    int need = gap >= WIDE_GAP * size ? CORRIDOR_FEW : CORRIDOR_MANY;
    for (int side = 0; side < 2; side++) {
        struct corridor c = {.left = a->box.x1, .right = b->box.x0, .size = size};
        c.own[0] = left;
        c.own[1] = right;
        c.x0 = side ? c.left + CORRIDOR_SLACK * size : c.right - CORRIDOR_SLACK * size - width;
        c.x1 = c.x0 + width;
        walk(found, grid, &c, y, grid->cell);
        walk(found, grid, &c, y, -grid->cell);
        if (PL_MIN(c.n_left, c.n_right) >= need)
            return true;
    }
    return false;
}
