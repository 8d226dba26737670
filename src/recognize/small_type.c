/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/small_type.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "recognize/decoder.h"
#include "recognize/recognize_tuning.def"

/* Whether the ink from `up` above the baseline to `down` below it, in ascents, is small type. */
static bool is_small(double up, double down)
{
    return up <= SMALL_TOP && down >= SMALL_FOOT && up + down <= SMALL_MOST &&
           up + down >= SMALL_LEAST;
}

bool pl_small_type_next(const struct pl_line *line, size_t *at, struct pl_line *ret)
{
    while (line->n_gaps > 1 && line->ascent_px > 0 && *at < line->n_gaps) {
        const struct pl_rect *box = &line->gaps[(*at)++];
        const double base = pl_line_y(line, 0.5 * (box->x0 + box->x1));
        if (!is_small((base - box->y0) / line->ascent_px, (box->y1 - base) / line->ascent_px))
            continue;
        *ret = (struct pl_line){.quarters = line->quarters,
                                .box = *box,
                                .base_y = box->y1,
                                .ascent_px = pl_rect_height(*box),
                                .gaps = box,
                                .n_gaps = 1};
        return true;
    }
    return false;
}

static bool is_blank(const struct pl_read_char *c)
{
    return !strcmp(c->symbol, " ");
}

/* Returns the geometric mean of the confidences of what is no blank; 0 where there is nothing. */
static double confidence(const struct pl_read_char *chars, size_t n)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (!is_blank(&chars[i])) {
            sum += log(fmax((double)chars[i].conf, 1e-9));
            count++;
        }
    return count ? exp(sum / (double)count) : 0;
}

static bool has_text(const struct pl_read_char *chars, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t c;
        if (!pl_utf8_get(chars[i].symbol, strlen(chars[i].symbol), &c))
            continue;
        const enum pl_char_kind kind = pl_char_kind_of(c);
        if (kind == PL_CHAR_LETTER || kind == PL_CHAR_DIGIT)
            return true;
    }
    return false;
}

/* Returns how many characters have their middle left of x. */
static size_t left_of(const struct pl_read_char *chars, size_t n, double x)
{
    size_t i = 0;
    while (i < n && 0.5 * (chars[i].x0 + chars[i].x1) < x)
        i++;
    return i;
}

/* Whether both are the same text but for blanks. */
static bool same_text(const struct pl_read_char *a, size_t n_a, const struct pl_read_char *b,
                      size_t n_b)
{
    size_t i = 0, k = 0;
    for (;;) {
        while (i < n_a && is_blank(&a[i]))
            i++;
        while (k < n_b && is_blank(&b[k]))
            k++;
        if (i == n_a || k == n_b)
            return i == n_a && k == n_b;
        if (strcmp(a[i++].symbol, b[k++].symbol))
            return false;
    }
}

/* The columns that are nearer to the ink box between x0 and x1 than to its neighbours. */
static void find_room(const struct pl_line *line, double x0, double x1, double *from, double *to)
{
    *from = -INFINITY;
    *to = INFINITY;
    for (size_t i = 0; i < line->n_gaps; i++) {
        const struct pl_rect *box = &line->gaps[i];
        if (2 * box->x1 <= x0 + x1)
            *from = 0.5 * (box->x1 + x0);
        else if (2 * box->x0 >= x0 + x1)
            *to = fmin(*to, 0.5 * (box->x0 + x1));
    }
}

size_t pl_small_type_take(const struct pl_line *line, struct pl_read_char *chars, size_t n,
                          const struct pl_read_char *small, size_t n_small, double x0, double x1)
{
    double from, to;
    assert(x0 <= x1);
    find_room(line, x0, x1, &from, &to);
    const size_t first = left_of(chars, n, from), end = left_of(chars, n, to);
    const double sure = confidence(small, n_small);
    if (!has_text(small, n_small) || same_text(chars + first, end - first, small, n_small) ||
        sure < SMALL_SURE || sure <= confidence(chars + first, end - first))
        return n;
    const struct pl_read_char before = {.symbol = " ", .x0 = x0, .x1 = x0, .conf = 1};
    const struct pl_read_char behind = {.symbol = " ", .x0 = x1, .x1 = x1, .conf = 1};
    const bool parted = first > 0 && !is_blank(&chars[first - 1]);
    const bool parts = end < n && !is_blank(&chars[end]);
    const size_t next = first + parted + n_small + parts;
    memmove(chars + next, chars + end, (n - end) * sizeof(*chars));
    if (parted)
        chars[first] = before;
    memcpy(chars + first + parted, small, n_small * sizeof(*chars));
    if (parts)
        chars[next - 1] = behind;
    return next + n - end;
}
