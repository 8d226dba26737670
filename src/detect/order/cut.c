/* SPDX-License-Identifier: BSD-2-Clause */
#include "detect/order/cut.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "detect/ink/sort.h"
#include "detect/order/order_tuning.def"

/* One side of a corridor, row by row. */
struct corridor_side {
    uint32_t rows;
    uint32_t last; /* the line that starts the last row */
};

/* A run down the lines beside a corridor. */
struct stretch {
    struct corridor_side side[2]; /* left, right */
    uint32_t first, end;          /* from the first line to behind the last that lies on one side */
    uint32_t across;              /* lines set in or to be parted */
    const uint32_t *above, *below; /* lines across the corridor that end it; NULL = the text ends */
};

/* Returns the white between a line and one below it. */
static double white_between(const struct pl_cut_lines *p, uint32_t upper, uint32_t lower)
{
    return p->y[lower] - p->lines[lower].glyph_px - p->y[upper];
}

bool pl_cut_same_row(const struct pl_cut_lines *p, uint32_t first, uint32_t next)
{
    double size = PL_MIN(p->lines[first].glyph_px, p->lines[next].glyph_px);
    return p->y[next] - p->y[first] < SAME_ROW * size;
}

/* Adds a line, which is not above those before it. Returns whether it starts a row. */
static bool side_add(struct corridor_side *s, const struct pl_cut_lines *p, uint32_t line)
{
    bool starts = !s->rows || !pl_cut_same_row(p, s->last, line);
    if (starts) {
        s->rows++;
        s->last = line;
    }
    return starts;
}

/* Returns -1 for a box left of the corridor, 1 for one right of it, 0 for neither. The box may
 * reach `beyond` its edge. */
static int side_of(const struct pl_cut *c, struct pl_rect box, double beyond)
{
    double reach = beyond - c->half;
    return box.x1 <= c->x + reach ? -1 : box.x0 >= c->x - reach ? 1 : 0;
}

int pl_cut_side(const struct pl_cut *c, struct pl_rect box)
{
    return side_of(c, box, CORRIDOR_SIDE * c->half);
}

size_t pl_cut_gap(const struct pl_cut *c, const struct pl_line *line, double size)
{
    size_t at = 1;
    while (at < line->n_gaps && line->gaps[at].x0 < c->x + c->half)
        at++;
    if (line->words || at >= line->n_gaps || line->gaps[at - 1].x1 > c->x - c->half)
        return 0;
    double gap = line->gaps[at].x0 - line->gaps[at - 1].x1;
    return gap >= FUSED_GAP * size ? at : 0;
}

/* Gives in *ret what the line has on one side of the corridor. Returns false when that is nothing.
 */
static bool part_beside(const struct pl_cut *c, const struct pl_line *line, double size, int side,
                        struct pl_rect *ret)
{
    int own = pl_cut_side(c, line->box);
    size_t at = own ? 0 : pl_cut_gap(c, line, size);
    *ret = line->box;
    if (at && side < 0)
        ret->x1 = line->gaps[at - 1].x1;
    if (at && side > 0)
        ret->x0 = line->gaps[at].x0;
    return at || own == side;
}

static size_t words_beside(const struct pl_cut *c, const struct pl_line *line, double size,
                           int side)
{
    size_t at = pl_cut_side(c, line->box) ? 0 : pl_cut_gap(c, line, size);
    return !at ? line->n_gaps : side < 0 ? at : line->n_gaps - at;
}

/* Returns the width of a column: the least one that all but TITLES of its text stay within, by
 * length. Sorts w[0..n), the widths of its lines. */
static double column_width(double *w, uint32_t n, double total)
{
    double beyond = 0;
    pl_sort_doubles(w, n);
    while (n > 1 && beyond + w[n - 1] <= TITLES * total)
        beyond += w[--n];
    return w[n - 1];
}

/* The text on one side of a corridor. */
struct side_text {
    uint32_t lines, bullets;
    uint32_t close; /* rows that follow close on another */
    double phrases; /* share of lines of several words among those longer than a bullet */
    double width;   /* of the column */
    double mean;    /* length of its lines, by length: bullets and line ends count little */
};

/* Fills p->parts with what the lines have on one side, rows from the top, each from the left;
 * returns how many there are. Counts the rows that follow close on another. */
static uint32_t take_parts(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                           const struct pl_cut *c, int side, uint32_t *ret_close)
{
    struct corridor_side rows = {0};
    uint32_t n_parts = 0, first = 0; /* the first one of the row */
    for (uint32_t i = 0; i < n; i++) {
        struct pl_cut_part part = {.words = words_beside(c, &p->lines[v[i]], p->size, side)};
        if (!part_beside(c, &p->lines[v[i]], p->size, side, &part.box))
            continue;
        const bool follows = rows.rows && p->y[v[i]] - p->y[rows.last] <= RUNNING_PITCH * p->size;
        const bool begins = side_add(&rows, p, v[i]);
        *ret_close += begins && follows;
        first = begins ? n_parts : first;
        uint32_t at = n_parts++;
        for (; at > first && p->parts[at - 1].box.x0 > part.box.x0; at--)
            p->parts[at] = p->parts[at - 1];
        p->parts[at] = part;
        if (at == first && n_parts > first + 1)
            p->parts[first + 1].begins = false;
        p->parts[first].begins = true;
    }
    return n_parts;
}

static uint32_t row_end(const struct pl_cut_part *parts, uint32_t n, uint32_t i)
{
    do
        i++;
    while (i < n && !parts[i].begins);
    return i;
}

/* Returns the part behind those from part i on, of the row that ends at `row`, that fill a column
 * together: they begin and end where lines of other rows do, FULL_LINES at least. Returns i + 1
 * where none do. */
static uint32_t stretched_end(struct pl_cut_part *parts, uint32_t n, uint32_t i, uint32_t row,
                              int slack_px)
{
    uint32_t end = row;
    for (uint32_t last = i + 1; last < row; last++)
        parts[last].full = 0;
    for (uint32_t k = 0; k < n && row > i + 1; k++) {
        if (abs(parts[k].box.x0 - parts[i].box.x0) > slack_px)
            continue;
        for (uint32_t last = i + 1; last < row; last++)
            parts[last].full += abs(parts[k].box.x1 - parts[last].box.x1) <= slack_px;
    }
    while (end > i + 1 && parts[end - 1].full < FULL_LINES)
        end--;
    return end;
}

/* Counts the lines and leaves their lengths in p->scratch; returns their sum. A justified row of a
 * few words, with white as wide as between cells, may be several: they are one line as long as the
 * others of its column. */
static double count_lines(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                          const struct pl_cut *c, int side, struct side_text *t)
{
    const uint32_t n_parts = take_parts(p, v, n, c, side, &t->close);
    double total = 0;
    for (uint32_t i = 0, end, row = 0, first = 0; i < n_parts; i = end) {
        size_t words = p->parts[i].words;
        if (i == row) {
            first = i;
            row = row_end(p->parts, n_parts, i);
        }
        end = i + 1;
        if (row - first <= STRETCHED_PARTS)
            end = stretched_end(p->parts, n_parts, i, row, (int)(EDGE_LEVEL * p->size));
        for (uint32_t k = i + 1; k < end; k++)
            words += p->parts[k].words;
        const double length = p->parts[end - 1].box.x1 - p->parts[i].box.x0;
        t->phrases += words >= PHRASE_WORDS;
        t->bullets += length < BULLET_LENGTH * p->size;
        total += p->scratch[t->lines++] = length;
    }
    return total;
}

static struct side_text text_beside(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                                    const struct pl_cut *c, int side)
{
    struct side_text t = {0};
    double sum = 0, total = count_lines(p, v, n, c, side, &t);
    t.phrases /= PL_MAX(t.lines - t.bullets, 1);
    t.width = t.lines ? column_width(p->scratch, t.lines, total) : 1;
    for (uint32_t i = 0; i < t.lines; i++)
        sum += p->scratch[i] * PL_MIN(p->scratch[i], t.width);
    t.mean = sum / PL_MAX(total, 1.0);
    return t;
}

static bool fills(const struct side_text *t, double size, double part)
{
    return t->mean >= PROSE_LENGTH * size && t->mean >= part * t->width;
}

static bool is_prose(const struct side_text *t, double size)
{
    return fills(t, size, PROSE_FILL);
}

static bool is_written(const struct side_text *t)
{
    return t->phrases > PHRASES;
}

static bool is_running(const struct side_text *t, double size)
{
    double phrases = is_prose(t, size) ? PHRASES : RAGGED_PHRASES;
    return t->close >= RUNNING_ROWS && t->phrases > phrases && fills(t, size, PHRASES_FILL);
}

static bool is_beside_running(const struct side_text *t, double size, double level)
{
    return (is_written(t) && fills(t, size, PHRASES_FILL)) ||
           (level < LOOSE_LEVEL && t->mean >= LOOSE_LENGTH * size);
}

/* Returns whether the text of one side is read after that of the other; `level` is level_share.
 * Short prose that is level with phrases labels them. */
static bool are_columns(const struct side_text side[2], double size, double level)
{
    const bool left = is_written(&side[0]), right = is_written(&side[1]);
    if (is_prose(&side[0], size) && is_prose(&side[1], size) &&
        ((left && right) || ((left || right) && level < LOOSE_LEVEL)))
        return true;
    return (is_running(&side[0], size) && is_beside_running(&side[1], size, level)) ||
           (is_running(&side[1], size) && is_beside_running(&side[0], size, level));
}

/* Returns which share of the rows on the side that has fewer stand level with one of the other
 * side.
 */
static double level_share(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n, double x)
{
    struct corridor_side side[2] = {{0}, {0}};
    double level = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_line *line = &p->lines[v[i]];
        int s = 0.5 * (line->box.x0 + line->box.x1) > x;
        bool starts = side_add(&side[s], p, v[i]);
        level += starts && side[!s].rows &&
                 p->y[v[i]] - p->y[side[!s].last] < LEVEL_ROWS * line->glyph_px;
    }
    return level / PL_MAX(PL_MIN(side[0].rows, side[1].rows), 1);
}

/* Returns whether lines at one end of a stretch are a head or foot. They take `span` px, have
 * `white` px to the others, are all on one side of the corridor (`one`), or stand where the page
 * begins or ends or nearer to the line across that ends the columns (`end`). Where no side is
 * running text, all that follows the end of the shorter side may be one: the address in a letter
 * follows what stands beside the sender's. */
static bool is_apart(const struct pl_cut_lines *p, double white, double span, bool one, bool end,
                     bool running)
{
    if (one && (!running || span <= HEAD_SPAN * p->size))
        return white > HEAD_GAP * p->size;
    return end && span <= WIDE_HEAD_SPAN * p->size && white > WIDE_HEAD_GAP * p->size;
}

/* Leaves the head and the foot of the stretch, whose lines are v[0..n), to the parts above and
 * below the columns. */
static void trim(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                 const struct stretch *s, bool running, struct pl_cut *c)
{
    double reach = WIDE_HEAD_SPAN * p->size, first = p->y[v[0]], last = p->y[v[n - 1]];
    double over = s->above ? white_between(p, *s->above, v[0]) : INFINITY;
    double under = s->below ? white_between(p, v[n - 1], *s->below) : INFINITY;
    int head = pl_cut_side(c, p->lines[v[0]].box), foot = pl_cut_side(c, p->lines[v[n - 1]].box);
    bool one = true;
    for (uint32_t i = 1; i < n && (!running || p->y[v[i - 1]] - first <= reach); i++) {
        double white = white_between(p, v[i - 1], v[i]);
        bool end = first - p->first_y <= reach || over < white;
        one &= pl_cut_side(c, p->lines[v[i - 1]].box) == head;
        if (is_apart(p, white, p->y[v[i - 1]] - first, one, end, running))
            c->top = p->y[v[i]];
    }
    one = true;
    for (uint32_t i = n - 1; i > 0 && (!running || last - p->y[v[i]] <= reach); i--) {
        double white = white_between(p, v[i - 1], v[i]);
        bool end = p->last_y - last <= reach || under < white;
        one &= pl_cut_side(c, p->lines[v[i]].box) == foot;
        if (is_apart(p, white, last - p->y[v[i]], one, end, running))
            c->bottom = p->y[v[i - 1]];
    }
}

/* Keeps the stretch beside corridor c if it is the best one so far. */
static void consider(const struct pl_cut_lines *p, const uint32_t *v, const struct stretch *s,
                     const struct pl_cut *c, struct pl_cut *best)
{
    uint32_t rows[2] = {s->side[0].rows, s->side[1].rows}, n = s->end - s->first;
    if (PL_MIN(rows[0], rows[1]) < COLUMN_ROWS || s->across > MAX_INSET * PL_MIN(rows[0], rows[1]))
        return;
    v += s->first;
    double score = p->y[v[n - 1]] - p->y[v[0]] - ACROSS_COST * p->size * s->across;
    if (score <= best->score)
        return;
    struct side_text text[2] = {text_beside(p, v, n, c, -1), text_beside(p, v, n, c, 1)};
    if (are_columns(text, p->size, level_share(p, v, n, c->x))) {
        *best = (struct pl_cut){score, c->x, c->half, p->y[v[0]], p->y[v[n - 1]]};
        trim(p, v, n, s, is_running(&text[0], p->size) || is_running(&text[1], p->size), best);
    }
}

/* Returns whether line v[i], which crosses the corridor, stands between lines level with it. */
static bool is_inset(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n, uint32_t i)
{
    double reach = INSET_LEVEL * p->size, y = p->y[v[i]];
    struct pl_rect inset = p->lines[v[i]].box;
    uint32_t j = i;
    bool left = false, right = false;
    while (j > 0 && y - p->y[v[j - 1]] <= reach)
        j--;
    for (; j < n && p->y[v[j]] - y <= reach; j++) {
        left |= p->lines[v[j]].box.x1 <= inset.x0;
        right |= p->lines[v[j]].box.x0 >= inset.x1;
    }
    return left && right;
}

/* Returns whether line v[i] lies across the corridor without ending the columns. */
static bool stays(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n, uint32_t i,
                  const struct stretch *s, const struct pl_cut *c)
{
    if (s->side[0].rows && s->side[1].rows && pl_cut_gap(c, &p->lines[v[i]], p->size))
        return true;
    return is_inset(p, v, n, i);
}

static bool are_one_title(const struct pl_line *a, const struct pl_line *b, double x)
{
    double lo = PL_MIN(a->glyph_px, b->glyph_px), hi = PL_MAX(a->glyph_px, b->glyph_px);
    int x0 = PL_MIN(a->box.x1, b->box.x1), x1 = PL_MAX(a->box.x0, b->box.x0);
    return hi <= TITLE_RATIO * lo && x1 - x0 <= TITLE_GAP * lo && x >= x0 - lo && x <= x1 + lo;
}

/* Returns whether line v[i] is one end of a title that goes on, level with it, beyond the corridor.
 */
static bool is_title_end(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n, uint32_t i,
                         const struct pl_cut *c)
{
    const struct pl_line *line = &p->lines[v[i]];
    double reach = TITLE_LEVEL * line->glyph_px, y = p->y[v[i]];
    bool found = false;
    if (line->glyph_px < TITLE_SIZE * p->size)
        return false;
    for (uint32_t j = i; j-- > 0 && y - p->y[v[j]] <= reach;)
        found |= are_one_title(line, &p->lines[v[j]], c->x);
    for (uint32_t j = i + 1; j < n && p->y[v[j]] - y <= reach; j++)
        found |= are_one_title(line, &p->lines[v[j]], c->x);
    return found;
}

/* Runs down the lines v[0..n), sorted by y, and splits them at those that cross the corridor and do
 * not stay. */
static void try_corridor(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                         const struct pl_cut *c, struct pl_cut *best)
{
    struct stretch s = {0};
    for (uint32_t i = 0; i < n; i++) {
        int side = pl_cut_side(c, p->reach[v[i]]);
        bool title = side && is_title_end(p, v, n, i, c);
        if (side && !title) {
            side_add(&s.side[side > 0], p, v[i]);
            s.end = i + 1;
            s.across += !side_of(c, p->reach[v[i]], 0);
        } else if (!title && stays(p, v, n, i, &s, c)) {
            s.across++;
        } else {
            s.below = &v[i];
            consider(p, v, &s, c, best);
            s = (struct stretch){.first = i + 1, .above = &v[i]};
        }
    }
    consider(p, v, &s, c, best);
}

struct pl_cut pl_cut_best(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n)
{
    assert(n > 0);
    struct pl_cut best = {0}, c = {.half = 0.5 * COLUMN_WHITE * p->size};
    struct pl_rect all = p->lines[v[0]].box;
    for (uint32_t i = 1; i < n; i++)
        all = pl_rect_union(all, p->lines[v[i]].box);
    double step = PL_MAX(CORRIDOR_STEP * p->size, pl_rect_width(all) / 1000.0);
    for (c.x = all.x0 + step; n >= 2 * COLUMN_ROWS && c.x < all.x1; c.x += step)
        try_corridor(p, v, n, &c, &best);
    return best;
}
