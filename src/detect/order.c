/* Reading order: the page is cut where a white corridor parts two columns of prose; the part above
 * the columns, the left one, the right one, what is set into both, and the part below are cut again
 * in the same way. What has no such corridor (a column, a form, a table) is read row by row. */
#include <math.h>
#include <string.h>

#include "detect/order.h"
#include "detect/sort.h"

/* A corridor is at least this wide, and has at least this many rows on both sides. */
#define CORRIDOR 0.6
#define MIN_ROWS 5
/* Lines of prose are this long on average, and this part of the longest. */
#define PROSE_LENGTH 10.0
#define PROSE_FILL 0.75
/* Shorter lines are columns too where few lines stand level with one of the other side. */
#define LOOSE_LENGTH 5.0
#define LOOSE_LEVEL 0.4
/* A line across the corridor with text level on both sides (within so many sizes) is set into the
 * columns: a caption or a quotation. Of such lines there are at most this part of the rows beside
 * them; otherwise they are a column. */
#define INSET_LEVEL 1.6
#define MAX_INSET 0.34
#define MAX_DEPTH 24

struct orderer {
    const struct pl_line *lines;
    double size;     /* usual height of a glyph */
    const double *y; /* of each line: its baseline, with the page's slope taken out */
    double *key;     /* scratch for sorting, by line */
    uint32_t *out;   /* lines in reading order */
    uint32_t *block; /* block number of out[i] */
    uint32_t n_out, n_blocks;
};

/* One side of a corridor, summed line by line. */
struct side {
    uint32_t rows;
    double last_y;        /* of the last row */
    double width, square; /* sums of the widths of the lines and of their squares */
    double widest;
};

struct cut {
    double score, x, half; /* the corridor is x - half .. x + half */
    double top, bottom;    /* lines with top <= y <= bottom lie beside it, or are set into it */
};

/* Adds a line at y; true when it starts a row. */
static bool side_add(struct side *s, const struct pl_line *line, double y)
{
    double w = pl_rect_width(line->box);
    bool starts = !s->rows || y - s->last_y > 0.5 * line->glyph_px;
    if (starts) {
        s->rows++;
        s->last_y = y;
    }
    s->width += w;
    s->square += w * w;
    s->widest = PL_MAX(s->widest, w);
    return starts;
}

static bool is_prose(const struct side *s, double size, double level)
{
    double mean = s->square / s->width; /* by length: bullets and line ends count little */
    if (level < LOOSE_LEVEL && mean >= LOOSE_LENGTH * size)
        return true;
    return mean >= PROSE_LENGTH * size && mean >= PROSE_FILL * s->widest;
}

/* Share of the rows on the side with fewer of them that stand level with one of the other side. */
static double level_share(const struct orderer *o, const uint32_t *v, uint32_t n, double x)
{
    struct side side[2] = {{0}, {0}};
    double level = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_line *line = &o->lines[v[i]];
        int s = 0.5 * (line->box.x0 + line->box.x1) > x;
        bool starts = side_add(&side[s], line, o->y[v[i]]);
        level += starts && side[!s].rows && o->y[v[i]] - side[!s].last_y < 0.35 * line->glyph_px;
    }
    return level / PL_MAX(PL_MIN(side[0].rows, side[1].rows), 1);
}

/* Keeps the stretch v[0..n) of lines beside corridor x if it is the best one so far. */
static void consider(const struct orderer *o, const uint32_t *v, uint32_t n, double x,
                     const struct side *left, const struct side *right, uint32_t insets,
                     struct cut *best)
{
    double score = (double)left->rows + right->rows - 2.0 * insets;
    if (left->rows < MIN_ROWS || right->rows < MIN_ROWS || score <= best->score ||
        insets > MAX_INSET * PL_MIN(left->rows, right->rows))
        return;
    double level = level_share(o, v, n, x), size = o->size;
    if (is_prose(left, size, level) && is_prose(right, size, level))
        *best = (struct cut){score, x, 0.5 * CORRIDOR * size, o->y[v[0]], o->y[v[n - 1]]};
}

static int side_of(struct pl_rect box, double x, double half)
{
    return box.x1 <= x - half ? -1 : box.x0 >= x + half ? 1 : 0;
}

/* Whether line v[i], which crosses the corridor, stands between lines level with it. */
static bool is_inset(const struct orderer *o, const uint32_t *v, uint32_t n, uint32_t i)
{
    double reach = INSET_LEVEL * o->size, y = o->y[v[i]];
    struct pl_rect inset = o->lines[v[i]].box;
    uint32_t j = i;
    bool left = false, right = false;
    while (j > 0 && y - o->y[v[j - 1]] <= reach)
        j--;
    for (; j < n && o->y[v[j]] - y <= reach; j++) {
        left |= o->lines[v[j]].box.x1 <= inset.x0;
        right |= o->lines[v[j]].box.x0 >= inset.x1;
    }
    return left && right;
}

/* Runs down the lines v[0..n), sorted by y, and splits them at those that cross the corridor and
 * are not set into the columns. */
static void try_corridor(const struct orderer *o, const uint32_t *v, uint32_t n, double x,
                         struct cut *best)
{
    struct side left = {0}, right = {0};
    double half = 0.5 * CORRIDOR * o->size;
    uint32_t first = 0, insets = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_line *line = &o->lines[v[i]];
        int side = side_of(line->box, x, half);
        if (side) {
            side_add(side < 0 ? &left : &right, line, o->y[v[i]]);
        } else if (is_inset(o, v, n, i)) {
            insets++;
        } else {
            consider(o, v + first, i - first, x, &left, &right, insets, best);
            left = right = (struct side){0};
            first = i + 1;
            insets = 0;
        }
    }
    consider(o, v + first, n - first, x, &left, &right, insets, best);
}

static struct cut best_cut(const struct orderer *o, const uint32_t *v, uint32_t n)
{
    struct cut best = {0};
    struct pl_rect all = o->lines[v[0]].box;
    for (uint32_t i = 1; i < n; i++)
        all = pl_rect_union(all, o->lines[v[i]].box);
    double step = PL_MAX(0.3 * o->size, pl_rect_width(all) / 1000.0);
    for (double x = all.x0 + step; n >= 2 * MIN_ROWS && x < all.x1; x += step)
        try_corridor(o, v, n, x, &best);
    return best;
}

static void put(struct orderer *o, uint32_t line)
{
    o->block[o->n_out] = o->n_blocks - 1;
    o->out[o->n_out++] = line;
}

/* Ends of the rows of v[0..n), which is sorted by y: a row's lines are level with its first. */
static uint32_t row_end(const struct orderer *o, const uint32_t *v, uint32_t n)
{
    uint32_t i = 1;
    double s = o->lines[v[0]].glyph_px;
    while (i < n && o->y[v[i]] - o->y[v[0]] < 0.5 * PL_MIN(s, o->lines[v[i]].glyph_px))
        i++;
    return i;
}

/* Usual distance of the rows of v[0..n). */
static double row_pitch(const struct orderer *o, const uint32_t *v, uint32_t n)
{
    uint32_t m = 0;
    double last = o->y[v[0]];
    for (uint32_t i = row_end(o, v, n); i < n; i += row_end(o, v + i, n - i)) {
        o->key[m++] = o->y[v[i]] - last;
        last = o->y[v[i]];
    }
    return pl_median(o->key, m);
}

/* Row by row; a wider step down than usual starts a block. */
static void read_rows(struct orderer *o, uint32_t *v, uint32_t n)
{
    double pitch = row_pitch(o, v, n), last = 0;
    for (uint32_t i = 0, end; i < n; i = end) {
        end = i + row_end(o, v + i, n - i);
        double y = o->y[v[i]];
        if (i == 0 || y - last > 1.5 * pitch)
            o->n_blocks++;
        last = y;
        for (uint32_t j = i; j < end; j++)
            o->key[v[j]] = o->lines[v[j]].box.x0;
        pl_sort_by_key(v + i, end - i, o->key);
        for (uint32_t j = i; j < end; j++)
            put(o, v[j]);
    }
}

enum part { ABOVE, LEFT, RIGHT, INSET, BELOW, N_PARTS };

static enum part part_of(const struct cut *c, struct pl_rect box, double y)
{
    if (y < c->top || y > c->bottom)
        return y < c->top ? ABOVE : BELOW;
    int side = side_of(box, c->x, c->half);
    return side < 0 ? LEFT : side > 0 ? RIGHT : INSET;
}

/* Moves the members of v[0..n) that lie in that part of the cut to the front, their order kept;
 * returns how many. The others keep theirs by way of `scratch`. */
static uint32_t take_part(const struct orderer *o, uint32_t *v, uint32_t n, const struct cut *c,
                          enum part part, uint32_t *scratch)
{
    uint32_t taken = 0, left = 0;
    for (uint32_t i = 0; i < n; i++) {
        enum part p = part_of(c, o->lines[v[i]].box, o->y[v[i]]);
        if (p == part)
            v[taken++] = v[i];
        else
            scratch[left++] = v[i];
    }
    memcpy(v + taken, scratch, left * sizeof(*v));
    return taken;
}

static void read_region(struct orderer *o, uint32_t *v, uint32_t n, uint32_t *scratch, int depth)
{
    if (!n)
        return;
    struct cut c = depth < MAX_DEPTH ? best_cut(o, v, n) : (struct cut){0};
    if (!(c.score > 0)) {
        read_rows(o, v, n);
        return;
    }
    for (enum part part = ABOVE; part < N_PARTS; part++) {
        uint32_t m = take_part(o, v, n, &c, part, scratch);
        read_region(o, v, m, scratch, depth + 1);
        v += m;
        n -= m;
    }
}

/* Which lines come first: those of the page, then those that run up or down, each a block, last
 * those without text, as one block. */
enum rank { UPRIGHT, TURNED, WITHOUT_TEXT, N_RANKS };

static enum rank rank_of(const struct pl_line *line, bool recognized)
{
    return recognized && !line->n_words ? WITHOUT_TEXT : line->quarters ? TURNED : UPRIGHT;
}

/* Reads v[0..count[UPRIGHT]), sorted by y, and then those of the other ranks. */
static void read_page(struct orderer *o, uint32_t *v, const uint32_t count[N_RANKS], bool columns,
                      uint32_t *scratch)
{
    if (columns)
        read_region(o, v, count[UPRIGHT], scratch, 0);
    else if (count[UPRIGHT])
        read_rows(o, v, count[UPRIGHT]);
    v += count[UPRIGHT];
    for (uint32_t i = 0; i < count[TURNED] + count[WITHOUT_TEXT]; i++) {
        o->n_blocks += i <= count[TURNED];
        put(o, v[i]);
    }
}

/* Lines in their new order, in blocks. */
static bool emit(const struct orderer *o, struct pl_arena *arena, struct pl_regions *ret)
{
    struct pl_block *blocks = PL_NEW(arena, struct pl_block, o->n_blocks);
    struct pl_line *lines = PL_NEW(arena, struct pl_line, o->n_out);
    if (!blocks || !lines)
        return false;
    memset(blocks, 0, o->n_blocks * sizeof(*blocks));
    for (uint32_t i = 0; i < o->n_out; i++) {
        struct pl_block *b = &blocks[o->block[i]];
        lines[i] = o->lines[o->out[i]];
        struct pl_rect box = pl_line_page_box(ret, &lines[i]);
        if (!b->n_lines)
            b->lines = &lines[i];
        b->box = b->n_lines ? pl_rect_union(b->box, box) : box;
        b->n_lines++;
    }
    ret->blocks = blocks;
    ret->n_blocks = o->n_blocks;
    return true;
}

/* Height of the line's middle, with the page's slope taken out. */
static double level(const struct pl_line *line, double slope)
{
    double half = 0.5 * pl_rect_width(line->box);
    return line->base_y + line->slope * half - slope * (line->box.x0 + half);
}

/* lines[0..n) into reading order. */
static bool order(struct pl_arena *arena, const struct pl_line *lines, uint32_t n, bool recognized,
                  struct pl_regions *regions)
{
    uint32_t *v = PL_NEW(arena, uint32_t, n), *scratch = PL_NEW(arena, uint32_t, n);
    uint32_t count[N_RANKS] = {0}, k = 0;
    double *y = PL_NEW(arena, double, n);
    struct orderer o = {.lines = lines, .size = regions->glyph_px, .y = y};
    o.key = PL_NEW(arena, double, n);
    o.out = PL_NEW(arena, uint32_t, n);
    o.block = PL_NEW(arena, uint32_t, n);
    if (!v || !scratch || !y || !o.key || !o.out || !o.block)
        return false;
    for (enum rank r = 0; r < N_RANKS; r++)
        for (uint32_t i = 0; i < n; i++)
            if (rank_of(&lines[i], recognized) == r) {
                y[i] = level(&lines[i], regions->slope);
                v[k++] = i;
                count[r]++;
            }
    pl_sort_by_key(v, count[UPRIGHT], y);
    read_page(&o, v, count, !regions->single_column, scratch);
    return emit(&o, arena, regions);
}

bool pl_order_lines(struct pl_arena *arena, const struct pl_line *lines, uint32_t n,
                    struct pl_regions *regions)
{
    return order(arena, lines, n, false, regions);
}

bool pl_order_again(struct pl_arena *arena, struct pl_regions *regions)
{
    uint32_t n = 0, n_read = 0, taken = 0;
    for (size_t b = 0; b < regions->n_blocks; b++)
        n += (uint32_t)regions->blocks[b].n_lines;
    struct pl_line *lines = PL_NEW(arena, struct pl_line, n);
    if (!lines)
        return false;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++) {
            lines[taken] = regions->blocks[b].lines[i];
            n_read += lines[taken++].n_words > 0;
        }
    return !n_read || n_read == n || order(arena, lines, n, true, regions);
}
