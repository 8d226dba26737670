/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of text between two level rules of a table. Where only columns are ruled, each is a row of
 * the table, or goes on with the one above; where cells hold lines that were broken to fit, all of
 * them are one row. Whether the next word would have fitted into the line tells. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "detect/ink/sort.h"
#include "layout/blocks.h"
#include "layout/columns.h"
#include "layout/grid.h"
#include "layout/line_words.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* What a line has in one column. */
struct ruled_entry {
    int column;
    double y;    /* of its middle */
    double base; /* height of its baseline */
    struct pl_rect box;
    int first_px;    /* its width up to the end of the first word with letters */
    bool letters;    /* it has letters, or was not read */
    long number;     /* with which it begins, as "12." does; 0 = with none */
    double small_px; /* pl_line_small_px() of its line */
    int row;         /* of text, in its band */
    bool parted;     /* white in it is as wide as between columns */
};

/* The entries between two level rules, sorted by height. */
struct band {
    double glyph_px;
    const struct pl_edges *edges;
    struct ruled_entry **v;
    size_t n;
    int n_rows;
    int *filled; /* columns of each row of text that have something */
    int most;    /* of these */
};

static bool has_letters(const struct pl_word *w)
{
    for (const char *s = w->text; *s; s++)
        if ((*s >= 'A' && *s <= 'Z') || (*s >= 'a' && *s <= 'z') || *s & 0x80)
            return true;
    return false;
}

/* Appends what the line has in each column. Returns how many. */
static size_t read_line(const struct pl_edges *e, const struct pl_line *l, struct ruled_entry *ret)
{
    size_t n = 0;
    for (size_t i = 0; i < pl_line_count_words(l); i++) {
        const struct pl_rect box = pl_line_word_box(l, i);
        const double x = 0.5 * (box.x0 + box.x1);
        const int column = pl_grid_interval(e->x, e->n_columns, x);
        if (column < 0)
            continue;
        if (!n || ret[n - 1].column != column)
            ret[n++] = (struct ruled_entry){.column = column,
                                            .base = pl_line_y(l, x),
                                            .box = box,
                                            .first_px = pl_rect_width(box),
                                            .number = pl_line_field_number(l, i),
                                            .small_px = pl_line_small_px(l)};
        ret[n - 1].parted |= box.x0 - ret[n - 1].box.x1 >= COLUMN_GAP * l->glyph_px;
        ret[n - 1].box = pl_rect_union(ret[n - 1].box, box);
        ret[n - 1].y = 0.5 * (ret[n - 1].box.y0 + ret[n - 1].box.y1);
        ret[n - 1].letters |= !l->n_words || has_letters(&l->words[i]);
    }
    return n;
}

/* Returns whether entry b, which is not above a, stands in its row of text. */
static bool is_level(const struct ruled_entry *a, const struct ruled_entry *b)
{
    const int overlap = PL_MIN(a->box.y1, b->box.y1) - PL_MAX(a->box.y0, b->box.y0);
    return 2 * overlap > PL_MIN(pl_rect_height(a->box), pl_rect_height(b->box));
}

/* Tells the rows of text. */
static void find_rows(struct band *b)
{
    b->n_rows = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (!i || !is_level(b->v[i - 1], b->v[i]))
            b->n_rows++;
        b->v[i]->row = b->n_rows - 1;
    }
}

/* Adds to an entry what stands to its right in its row and column. */
static void join_entry(struct ruled_entry *e, const struct ruled_entry *right, double gap_px)
{
    if (!e->letters)
        e->first_px = right->box.x0 - e->box.x0 + right->first_px;
    e->letters |= right->letters;
    e->parted |= right->parted || right->box.x0 - e->box.x1 >= gap_px;
    e->box = pl_rect_union(e->box, right->box);
}

/* Makes one entry of those of a row and column, and leaves the others out. */
static void join_entries(struct band *b)
{
    const double gap_px = COLUMN_GAP * b->glyph_px;
    size_t kept = 0;
    for (size_t i = 0; i < b->n; i++) {
        struct ruled_entry *e = b->v[i], *same = NULL;
        for (size_t k = kept; k && b->v[k - 1]->row == e->row; k--)
            if (b->v[k - 1]->column == e->column)
                same = b->v[k - 1];
        if (!same) {
            b->v[kept++] = e;
        } else if (same->box.x0 <= e->box.x0) {
            join_entry(same, e, gap_px);
        } else {
            join_entry(e, same, gap_px);
            *same = *e;
        }
    }
    b->n = kept;
}

/* Returns the width of a column without the white at both sides of its text. */
static double inner_width(const struct band *b, int column)
{
    const double x0 = b->edges->x[column], x1 = b->edges->x[column + 1];
    double white = x1 - x0;
    for (size_t i = 0; i < b->n; i++)
        if (b->v[i]->column == column)
            white = PL_MIN(white, PL_MIN(b->v[i]->box.x0 - x0, x1 - b->v[i]->box.x1));
    return x1 - x0 - 2 * PL_MAX(white, 0);
}

/* Returns whether entry b, the next one of its column, was not put there because line a was full:
 * its first word would have fitted, or both are figures, or it is far below and other text lies
 * between. */
static bool begins_anew(const struct band *band, double inner, const struct ruled_entry *a,
                        const struct ruled_entry *b)
{
    const double blank = BLANK_WIDTH * band->glyph_px;
    return (!a->letters && !b->letters) || pl_rect_width(a->box) + blank + b->first_px <= inner;
}

/* Returns what the breaks of the column between rows of text tell: 1 where its lines are a list, -1
 * where some were broken because they were full; 0 where nearly all may have been, as in a column
 * that is as wide as its words. */
static int column_vote(const struct band *b, int column)
{
    const double inner = inner_width(b, column);
    const struct ruled_entry *last = NULL;
    int wraps = 0, breaks = 0;
    for (size_t i = 0; i < b->n; i++) {
        const struct ruled_entry *e = b->v[i];
        if (e->column != column)
            continue;
        if (last && last->row != e->row) {
            wraps += !begins_anew(b, inner, last, e);
            breaks++;
        }
        last = e;
    }
    if (!breaks || wraps >= TIGHT_WRAPS * breaks)
        return 0;
    return wraps <= LIST_WRAPS * breaks ? 1 : -1;
}

/* Returns whether the row of text has something in two columns at least, and in half as many as the
 * row that has the most. */
static bool is_full(const struct band *b, int row)
{
    return b->filled[row] >= 2 && 2 * b->filled[row] >= b->most;
}

static void count_filled(struct band *b)
{
    b->most = 0;
    memset(b->filled, 0, (size_t)b->n_rows * sizeof(*b->filled));
    for (size_t i = 0; i < b->n; i++) {
        b->filled[b->v[i]->row]++;
        b->most = PL_MAX(b->most, b->filled[b->v[i]->row]);
    }
}

/* Returns whether the columns are fields of a form, with a label and what was filled in below it
 * each: their first texts are numbered one after the other, from *ret_first to *ret_last. */
static bool are_numbered(const struct band *b, long *ret_first, long *ret_last)
{
    int n = 0;
    for (int c = 0; c < b->edges->n_columns; c++) {
        size_t i = 0;
        while (i < b->n && b->v[i]->column != c)
            i++;
        if (i == b->n)
            continue;
        const long number = b->v[i]->number;
        if (!number || (n && number != *ret_last + 1))
            return false;
        *ret_first = n++ ? *ret_first : number;
        *ret_last = number;
    }
    return n > 1;
}

/* Returns whether the column has something in the first row of text. */
static bool has_label(const struct band *b, int column)
{
    for (size_t i = 0; i < b->n && b->v[i]->row == 0; i++)
        if (b->v[i]->column == column)
            return true;
    return false;
}

/* Returns whether the columns are fields of a form by their type: the first row of text is labels,
 * and what was filled in below them is larger. More than one full row below would be a list. */
static bool are_labelled(const struct band *b)
{
    double label = 0, value = INFINITY;
    int full = 0;
    for (int r = 1; r < b->n_rows; r++)
        full += is_full(b, r);
    for (size_t i = 0; i < b->n; i++)
        if (b->v[i]->row == 0)
            label = PL_MAX(label, b->v[i]->small_px);
        else if (has_label(b, b->v[i]->column))
            value = PL_MIN(value, b->v[i]->small_px);
        else
            return false;
    return b->n && b->filled[0] > 1 && full < 2 && value < INFINITY && label <= LABEL_SMALL * value;
}

/* Returns how many entries a column has, and in *ret the last of them. */
static size_t entries_of(const struct band *b, int column, const struct ruled_entry **ret)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++)
        if (b->v[i]->column == column) {
            *ret = b->v[i];
            n++;
        }
    return n;
}

/* Returns whether what stands alone in a column stands between the rows of text of the others, in
 * the middle of all: cells of one row, of which each is set in the middle of its height. */
static bool are_centred(const struct band *b)
{
    const struct ruled_entry *only = NULL;
    double top = INFINITY, bottom = -INFINITY;
    for (size_t i = 0; i < b->n; i++) {
        top = PL_MIN(top, b->v[i]->box.y0);
        bottom = PL_MAX(bottom, b->v[i]->box.y1);
    }
    for (int c = 0; c < b->edges->n_columns; c++)
        if (entries_of(b, c, &only) == 1 && b->filled[only->row] == 1 && only->row > 0 &&
            only->row < b->n_rows - 1 &&
            fabs(only->y - 0.5 * (top + bottom)) <= CELL_CENTRED * b->glyph_px)
            return true;
    return false;
}

/* Returns whether the columns are texts beside each other, as on a ticket with its stub: many rows
 * of text are not level in all of them. */
static bool are_beside(const struct band *b)
{
    int rows = 0, odd = 0;
    for (size_t i = 0, end; i < b->n; i = end) {
        double high = b->v[i]->base, low = b->v[i]->base;
        for (end = i + 1; end < b->n && b->v[end]->row == b->v[i]->row; end++) {
            high = PL_MIN(high, b->v[end]->base);
            low = PL_MAX(low, b->v[end]->base);
        }
        rows += end > i + 1;
        odd += low - high > LEVEL_BASES * b->glyph_px;
    }
    return b->edges->n_rows == 1 && rows >= TABLE_ROWS && odd >= ODD_ROWS * rows;
}

/* Returns whether the band is several rows of a table: two rows of text are full, and more columns
 * are lists than are not. */
static bool is_list(const struct band *b)
{
    long first, last;
    int vote = 0, full = 0;
    for (int r = 0; r < b->n_rows; r++)
        full += is_full(b, r);
    for (int c = 0; c < b->edges->n_columns; c++)
        vote += column_vote(b, c);
    return full >= 2 && vote > 0 && !are_centred(b) && !are_beside(b) &&
           !are_numbered(b, &first, &last) && !are_labelled(b);
}

/* Returns whether the entries v[0..n) of a row of text go on with the row of the table above, whose
 * entries are v[-n_above] and on: the row of text is not full, each column goes on under what it
 * has above, and the first one because its line was full. */
static bool goes_on(const struct band *b, struct ruled_entry *const *v, size_t n, size_t n_above,
                    int first_column)
{
    if (is_full(b, v[0]->row))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct ruled_entry *last = NULL;
        for (size_t k = n_above; k; k--)
            if ((v - k)[0]->column == v[i]->column)
                last = (v - k)[0];
        if (!last || !pl_stands_under(last->box, v[i]->box, CELLS_ALIGNED * b->glyph_px) ||
            (v[i]->column == first_column &&
             begins_anew(b, inner_width(b, first_column), last, v[i])))
            return false;
    }
    return true;
}

/* Appends to *ret the edges between the rows of the table in the band that ends at height `below`,
 * as long as there are fewer than `most`. */
static void part_band(const struct band *b, double below, int most, struct pl_edges *ret)
{
    int first_column = PL_GRID_MAX_COLUMNS;
    size_t begin = 0;
    double bottom = 0;
    for (size_t i = 0; i < b->n; i++)
        first_column = PL_MIN(first_column, b->v[i]->column);
    for (size_t i = 0, end; i < b->n; i = end) {
        double top = b->v[i]->box.y0, low = b->v[i]->box.y1;
        for (end = i + 1; end < b->n && b->v[end]->row == b->v[i]->row; end++) {
            top = PL_MIN(top, b->v[end]->box.y0);
            low = PL_MAX(low, b->v[end]->box.y1);
        }
        const double edge = 0.5 * (bottom + top);
        if (i && !goes_on(b, b->v + i, end - i, i - begin, first_column) &&
            edge > ret->y[ret->n_rows] && edge < below && ret->n_rows < most) {
            ret->y[++ret->n_rows] = edge;
            ret->drawn_y[ret->n_rows] = false;
            begin = i;
        }
        bottom = low;
    }
}

/* Sorts the entries of all lines by their heights. */
static bool sort_entries(struct pl_arena *arena, struct ruled_entry *entries, size_t n,
                         struct ruled_entry **ret)
{
    uint32_t *order = PL_NEW(arena, uint32_t, n);
    double *key = PL_NEW(arena, double, n);
    if (!order || !key)
        return false;
    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)i;
        key[i] = entries[i].y;
    }
    pl_sort_by_key(order, n, key);
    for (size_t i = 0; i < n; i++)
        ret[i] = &entries[order[i]];
    return true;
}

/* Takes the entries of v[0..n) that lie above `below` as a band; returns how many. */
static size_t take_band(struct band *b, struct ruled_entry **v, size_t n, double below)
{
    b->v = v;
    b->n = 0;
    while (b->n < n && v[b->n]->y < below)
        b->n++;
    const size_t taken = b->n;
    find_rows(b);
    join_entries(b);
    count_filled(b);
    return taken;
}

static size_t count_words(const struct pl_line *const *lines, size_t n)
{
    size_t words = 0;
    for (size_t i = 0; i < n; i++)
        words += pl_line_count_words(lines[i]);
    return words;
}

/* What lines have in the columns of a grid, sorted by height. */
struct entries {
    struct ruled_entry **v;
    size_t n;
    int *filled; /* scratch for bands */
};

static bool read_entries(struct pl_arena *arena, const struct pl_line *const *lines, size_t n,
                         const struct pl_edges *edges, struct entries *ret)
{
    const size_t words = count_words(lines, n);
    struct ruled_entry *entries = PL_NEW(arena, struct ruled_entry, words);
    *ret = (struct entries){.v = PL_NEW(arena, struct ruled_entry *, words),
                            .filled = PL_NEW(arena, int, words)};
    if (!entries || !ret->v || !ret->filled)
        return false;
    for (size_t i = 0; i < n; i++)
        ret->n += read_line(edges, lines[i], entries + ret->n);
    return sort_entries(arena, entries, ret->n, ret->v);
}

/* How the text of bands goes on from one row of it to the next. */
struct band_breaks {
    double
        inner[PL_GRID_MAX_COLUMNS]; /* from the left end of the text of a column to the right one */
    int n, full;                    /* breaks in columns, and those where a line was full */
    int cells, parted; /* rows of text of cells, and those with white as wide as between columns */
    int bands, several, named; /* with several rows of text, and those where one of these is full
                                  and the others are in the first column */
    int beside, same;          /* bands with text in several columns, and those where all of it has
                                  the same height */
    int level[3]; /* of those beside: tops, middles and ends of all columns are level */
    int filled[PL_GRID_MAX_COLUMNS], wrapped[PL_GRID_MAX_COLUMNS]; /* cells, and those of several
                                                                      rows of text */
};

/* Returns how far the text of a column reaches. */
static double text_width(const struct entries *e, int column)
{
    int x0 = INT_MAX, x1 = INT_MIN;
    for (size_t i = 0; i < e->n; i++)
        if (e->v[i]->column == column) {
            x0 = PL_MIN(x0, e->v[i]->box.x0);
            x1 = PL_MAX(x1, e->v[i]->box.x1);
        }
    return x1 > x0 ? x1 - x0 : 0;
}

/* Returns whether an entry is one word: below another one it is as likely an item of a list. */
static bool is_single(const struct ruled_entry *e)
{
    return e->first_px >= pl_rect_width(e->box);
}

/* Counts how the cells of a band stand beside each other. */
static void count_level(const struct band *b, struct band_breaks *ret)
{
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    int n = 0;
    for (int c = 0; c < b->edges->n_columns; c++) {
        const struct ruled_entry *first = NULL, *last = NULL;
        for (size_t i = 0; i < b->n; i++)
            if (b->v[i]->column == c) {
                first = first ? first : b->v[i];
                last = b->v[i];
            }
        if (!first)
            continue;
        const double at[3] = {first->base, 0.5 * (first->base + last->base), last->base};
        for (int i = 0; i < 3; i++) {
            least[i] = PL_MIN(least[i], at[i]);
            most[i] = PL_MAX(most[i], at[i]);
        }
        n++;
        ret->filled[c]++;
        ret->wrapped[c] += first != last;
    }
    if (n < 2)
        return;
    bool level[3];
    for (int i = 0; i < 3; i++) {
        level[i] = most[i] - least[i] <= LEVEL_BASES * b->glyph_px;
        ret->level[i] += level[i];
    }
    ret->beside++;
    ret->same += level[0] && level[2];
}

/* Returns whether bands of wrapped text are columns of prose in which white between paragraphs
 * happens to be level: all columns are as wide, and as high in each band but the last one, or the
 * cells of most bands begin, end and have their middles at heights of their own. Rows of a table
 * begin or end level, or are set in the middle, and are as high as what they have to say. */
static bool are_prose(const struct band_breaks *b, int n_columns)
{
    double least = INFINITY, most = 0;
    bool wrapped = true;
    for (int c = 0; c < n_columns; c++) {
        wrapped &= 2 * b->wrapped[c] > b->filled[c];
        least = PL_MIN(least, b->inner[c]);
        most = PL_MAX(most, b->inner[c]);
    }
    const int level = PL_MAX(b->level[0], PL_MAX(b->level[1], b->level[2]));
    const bool same = b->same >= b->beside - 1 && least >= COLUMNS_ALIKE * most;
    return wrapped && (same || level < TABLE_SHARE * b->beside);
}

static void count_breaks(const struct band *b, struct band_breaks *ret)
{
    bool named = true;
    int full = 0;
    for (int c = 0; c < b->edges->n_columns; c++) {
        const struct ruled_entry *last = NULL;
        for (size_t i = 0; i < b->n; i++) {
            if (b->v[i]->column != c)
                continue;
            ret->n += last != NULL;
            ret->full += last && !(is_single(last) && is_single(b->v[i])) &&
                         !begins_anew(b, ret->inner[c], last, b->v[i]);
            last = b->v[i];
        }
    }
    for (size_t i = 0; i < b->n; i++) {
        ret->cells++;
        ret->parted += b->v[i]->parted;
        named &= b->v[i]->column == 0 || is_full(b, b->v[i]->row);
    }
    for (int r = 0; r < b->n_rows; r++)
        full += is_full(b, r);
    ret->bands++;
    ret->several += b->n_rows > 1;
    ret->named += b->n_rows > 1 && named && full == 1;
}

bool pl_ruled_rows_judge(struct pl_arena *arena, double glyph_px,
                         const struct pl_line *const *lines, size_t n, const struct pl_edges *edges,
                         struct pl_band_rows *ret)
{
    struct entries entries;
    struct band_breaks breaks = {.n = 0};
    if (!read_entries(arena, lines, n, edges, &entries))
        return false;
    struct band band = {.glyph_px = glyph_px,
                        .edges = edges,
                        .v = entries.v,
                        .n = entries.n,
                        .filled = entries.filled};
    for (int c = 0; c < edges->n_columns; c++)
        breaks.inner[c] = text_width(&entries, c);
    const bool items =
        edges->n_columns == 2 && breaks.inner[0] <= ENUMERATOR * BLANK_WIDTH * glyph_px;
    size_t at = 0;
    for (int r = 0; r < edges->n_rows; r++) {
        at += take_band(&band, entries.v + at, entries.n - at, edges->y[r + 1]);
        count_breaks(&band, &breaks);
        count_level(&band, &breaks);
    }
    ret->prose = are_prose(&breaks, edges->n_columns);
    ret->whole = breaks.parted <= COLUMN_CROSSED * breaks.cells;
    ret->run_on = !items && breaks.several >= TABLE_ROWS &&
                  (breaks.full >= (1 - LIST_WRAPS) * breaks.n ||
                   (breaks.named == breaks.several && breaks.named >= TABLE_SHARE * breaks.bands));
    return true;
}

bool pl_ruled_rows_fields(struct pl_arena *arena, const struct pl_line *const *lines, size_t n,
                          const struct pl_edges *edges, struct pl_field_row *ret)
{
    struct entries entries;
    struct band band = {.edges = edges};
    *ret = (struct pl_field_row){.first = 0};
    if (!read_entries(arena, lines, n, edges, &entries))
        return false;
    band.filled = entries.filled;
    take_band(&band, entries.v, entries.n, edges->y[1]);
    ret->labelled = are_labelled(&band);
    if (!are_numbered(&band, &ret->first, &ret->last))
        ret->first = ret->last = 0;
    return true;
}

bool pl_ruled_rows_part(struct pl_arena *arena, double glyph_px, const struct pl_line *const *lines,
                        size_t n, struct pl_edges *edges)
{
    struct entries entries;
    struct pl_edges *old = PL_NEW(arena, struct pl_edges, 1);
    size_t at = 0;
    bool parted = false;
    if (!old || !read_entries(arena, lines, n, edges, &entries))
        return false;
    *old = *edges;
    edges->n_rows = 0;
    for (int r = 0; r < old->n_rows; r++) {
        struct band band = {.glyph_px = glyph_px, .edges = old, .filled = entries.filled};
        const int before = edges->n_rows;
        at += take_band(&band, entries.v + at, entries.n - at, old->y[r + 1]);
        if (is_list(&band))
            part_band(&band, old->y[r + 1], PL_GRID_MAX_ROWS - (old->n_rows - r), edges);
        if (!parted && edges->n_rows > before + 1 && r <= HEAD_ROWS)
            edges->n_head = before;
        parted |= edges->n_rows > before + 1;
        edges->y[++edges->n_rows] = old->y[r + 1];
        edges->drawn_y[edges->n_rows] = old->drawn_y[r + 1];
    }
    return true;
}
