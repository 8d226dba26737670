/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables whose cells are parted by rules: rules that touch each other make a grid, and cells are
 * the places of it that no rule parts. Level rules that touch no others, and wide white where there
 * are none, part bands (bands.c), of which tables are made in the same way. */
#include <math.h>
#include <stdlib.h>

#include "detect/ink/sort.h"
#include "layout/columns.h"
#include "layout/grid.h"
#include "layout/line_words.h"
#include "layout/ruling.h"
#include "layout/steps.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* ---- edges ---- */

/* Fills `edges`, which has room for most + 1, with the places of the group's upright or level
 * rules, and with the ends of its box where rules reach beyond the last of these. Returns the
 * number of intervals between them; 0 when there are too many. */
static int find_edges(const struct pl_ruling *r, bool upright, double low, double high, int most,
                      double *edges)
{
    double *place = PL_NEW(r->arena, double, r->n_own + 2);
    size_t n = 0;
    int k = 0;
    if (!place)
        return -1;
    for (size_t i = 0; i < r->n_own; i++)
        if (r->own[i]->upright == upright)
            place[n++] = pl_rule_middle(r->own[i]);
    place[n++] = low;
    place[n++] = high;
    pl_sort_doubles(place, n);
    for (size_t i = 0; i < n; i++) {
        if (k && place[i] - edges[k - 1] <= r->slack_px)
            continue;
        if (k > most)
            return 0;
        edges[k++] = place[i];
    }
    return k - 1;
}

/* Returns whether rules at `place` cover more than half of from..to. */
static bool is_covered(const struct pl_ruling *r, bool upright, double place, double from,
                       double to)
{
    double covered = 0, done = from;
    for (size_t i = 0; i < r->n_own; i++) {
        const struct pl_rule *rule = r->own[i];
        if (rule->upright != upright || fabs(pl_rule_middle(rule) - place) > r->slack_px)
            continue;
        const double start = PL_MAX(pl_rule_start(rule), done), end = PL_MIN(pl_rule_end(rule), to);
        if (end > start) {
            covered += end - start;
            done = end;
        }
    }
    return covered > 0.5 * (to - from);
}

/* Opens places that a word or, between columns of text that are not close, a run of words reaches
 * across. */
static void open_crossed(const struct pl_ruling *r, const struct pl_edges *e,
                         const struct pl_line *l, const struct pl_table_grid *g)
{
    struct pl_rect runs[PL_MAX_RUNS];
    const size_t words = pl_line_count_words(l);
    const int row = pl_grid_interval(g->y, g->n_rows, 0.5 * (l->box.y0 + l->box.y1));
    const size_t n =
        pl_line_runs(l, 0, words, COLUMN_GAP * r->regions->glyph_px, COLUMN_GAP, runs, 0);
    for (int c = 0; row >= 0 && c + 1 < g->n_columns; c++) {
        const bool narrow = e->narrow_x[c + 1], by_words = e->drawn_x[c + 1] || narrow;
        const double x = g->x[c + 1], slack = narrow ? 0 : STRADDLE * r->regions->glyph_px;
        bool crossed = false;
        for (size_t i = 0; by_words && i < words; i++)
            crossed |=
                pl_line_word_box(l, i).x0 < x - slack && pl_line_word_box(l, i).x1 > x + slack;
        for (size_t i = 0; !by_words && i < n; i++)
            crossed |= runs[i].x0 < x - slack && runs[i].x1 > x + slack;
        g->opens_right[row * g->n_columns + c] |= crossed;
    }
}

/* Returns whether edge i of the rows parts all columns: it is one of rows of text, or a rule beside
 * such a row. A row of text ends where a rule begins that reaches over some columns alone, as that
 * of a box of sums does which stands below the list. */
static bool parts_rows(const struct pl_edges *e, int i)
{
    return !e->drawn_y[i] || !e->drawn_y[i - 1] || (i < e->n_rows && !e->drawn_y[i + 1]);
}

/* Tells which places of the grid nothing parts. Rows of text always part, and columns of text where
 * they hold; below the rules all columns do. */
static void open_places(const struct pl_ruling *r, const struct pl_edges *e,
                        const struct pl_table_grid *g)
{
    for (int i = 0; i < g->n_rows; i++)
        for (int c = 0; c < g->n_columns; c++) {
            const int at = i * g->n_columns + c, k = c + 1;
            g->opens_right[at] =
                i < e->n_rows - e->n_below &&
                (e->drawn_x[k] ? !is_covered(r, true, g->x[k], g->y[i], g->y[i + 1])
                               : i < e->from[k] || i >= e->to[k]);
            g->opens_below[at] =
                !parts_rows(e, i + 1) && !is_covered(r, false, g->y[i + 1], g->x[c], g->x[c + 1]);
        }
}

/* ---- blocks ---- */

static size_t count_all_words(const struct pl_regions *regions)
{
    size_t n = 0;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++)
            n += PL_MAX(pl_line_count_words(&regions->blocks[b].lines[i]), (size_t)1);
    return n;
}

/* The grid of a group of rules, parted into areas of cells. */
struct ruled_areas {
    struct pl_edges edges;
    struct pl_table_grid grid;
    uint32_t *area;
};

/* Returns the area at a point; PL_NO_AREA outside of the grid. */
static uint32_t area_at(const struct ruled_areas *a, double x, double y)
{
    const struct pl_table_grid *g = &a->grid;
    const int c = pl_grid_interval(g->x, g->n_columns, x), r = pl_grid_interval(g->y, g->n_rows, y);
    return c < 0 || r < 0 ? PL_NO_AREA : a->area[r * g->n_columns + c];
}

/* Fills `lines` with the upright lines that begin or end in the area, between two heights; returns
 * how many. */
static size_t lines_in(const struct pl_regions *regions, const struct ruled_areas *a, uint32_t area,
                       const struct pl_edges *e, const struct pl_line **lines)
{
    size_t n = 0;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++) {
            const struct pl_line *l = &regions->blocks[b].lines[i];
            const double y = 0.5 * (l->box.y0 + l->box.y1);
            if (!regions->blocks[b].table && !l->quarters && y >= e->y[0] && y < e->y[e->n_rows] &&
                (area_at(a, l->box.x0, y) == area || area_at(a, l->box.x1 - 1, y) == area))
                lines[n++] = l;
        }
    return n;
}

static void close_block(const struct pl_regions *regions, const struct pl_block *from,
                        struct pl_line *lines, size_t n, struct pl_block *blocks, size_t *n_blocks)
{
    if (!n)
        return;
    struct pl_block *b = &blocks[(*n_blocks)++];
    *b = (struct pl_block){.kind = from->kind, .lines = lines, .n_lines = n};
    b->box = pl_line_page_box(regions, lines);
    for (size_t i = 1; i < n; i++)
        b->box = pl_rect_union(b->box, pl_line_page_box(regions, &lines[i]));
}

/* The blocks of a page while one table is taken out of them. */
struct taking {
    struct pl_laying laying;
    struct pl_line *lines, *behind; /* room for lines outside of the table */
    struct pl_block *blocks;
    size_t n_blocks;
    size_t table;  /* the place of the table among the blocks */
    double bottom; /* of the table */
    int n_rows;    /* of the table that have text, counted for each block */
    int n_beside;  /* of these: in the same block there is text beside the table */
};

static double bottom_of(const struct pl_table_grid *g)
{
    int i = g->n_rows * g->n_columns;
    while (i && g->outside[i - 1])
        i--;
    return g->y[(i + g->n_columns - 1) / g->n_columns];
}

/* Counts the rows of the table in which the block has text, by marks: 1 = in the table, 2 = beside
 * it. */
static void count_rows(struct taking *t, const uint8_t *marks)
{
    for (int i = 0; i < t->laying.grid->n_rows; i++) {
        t->n_rows += marks[i] & 1;
        t->n_beside += marks[i] == 3;
    }
}

/* Returns whether a line outside of the table is read behind it: it is below it, or to its right.
 */
static bool is_behind(const struct taking *t, const struct pl_line *l)
{
    const struct pl_table_grid *g = t->laying.grid;
    return l->box.y0 >= t->bottom ||
           (l->box.x0 >= g->x[g->n_columns] && l->box.y0 + l->box.y1 >= 2 * g->y[0]);
}

/* Lays the lines of a block into the table. What lies outside remains a block; where the table
 * begins in it, lines that are read behind the table stand behind it, others before it. */
static bool take_block(const struct pl_ruling *r, struct taking *t, const struct pl_block *from)
{
    const bool begun = t->laying.n_lines;
    const struct pl_table_grid *g = t->laying.grid;
    uint8_t marks[PL_GRID_MAX_ROWS] = {0};
    struct pl_line *first = t->lines;
    size_t n = 0, n_behind = 0;
    for (size_t i = 0; i < from->n_lines; i++) {
        const size_t inside = t->laying.n_lines;
        const struct pl_rect box = from->lines[i].box;
        const int row = pl_grid_interval(g->y, g->n_rows, 0.5 * (box.y0 + box.y1));
        size_t outside = 0;
        if (!pl_laying_add(r->arena, &t->laying, &from->lines[i], -1, first + n, &outside))
            return false;
        const size_t end = n + outside;
        for (size_t k = n; k < end; k++)
            if (!begun && t->laying.n_lines && is_behind(t, &first[k]))
                t->behind[n_behind++] = first[k];
            else
                first[n++] = first[k];
        if (row >= 0)
            marks[row] |= (uint8_t)((t->laying.n_lines > inside) | (outside > 0) << 1);
    }
    count_rows(t, marks);
    close_block(r->regions, from, first, n, t->blocks, &t->n_blocks);
    t->lines += n;
    if (!begun && t->laying.n_lines)
        t->table = t->n_blocks++;
    close_block(r->regions, from, t->behind, n_behind, t->blocks, &t->n_blocks);
    t->behind += n_behind;
    return true;
}

/* Lays the lines of the page into the grid. */
static bool lay_page(const struct pl_ruling *r, const struct pl_table_grid *grid,
                     struct taking *ret)
{
    const struct pl_regions *regions = r->regions;
    const size_t words = count_all_words(regions);
    *ret = (struct taking){.lines = PL_NEW(r->arena, struct pl_line, words),
                           .behind = PL_NEW(r->arena, struct pl_line, words),
                           .bottom = bottom_of(grid),
                           .blocks = PL_NEW(r->arena, struct pl_block, 2 * regions->n_blocks + 1)};
    if (!ret->lines || !ret->behind || !ret->blocks ||
        !pl_laying_begin(r->arena, regions, grid, words, &ret->laying))
        return false;
    for (size_t b = 0; b < regions->n_blocks; b++)
        if (regions->blocks[b].table)
            ret->blocks[ret->n_blocks++] = regions->blocks[b];
        else if (!take_block(r, ret, &regions->blocks[b]))
            return false;
    return true;
}

/* Returns whether rules part most rows of a table from the next one, and some columns. */
static bool is_ruled_off(const struct pl_edges *e)
{
    int rows = 0, columns = 0;
    for (int i = 1; i < e->n_rows; i++)
        rows += e->drawn_y[i];
    for (int i = 1; i < e->n_columns; i++)
        columns += e->drawn_x[i];
    return columns && 2 * rows >= e->n_rows - 1;
}

/* Makes a table of the places of the grid that are not outside, if they are one; the blocks are new
 * then. Where its rows go on beside it, and are not ruled off there, the rules mark some columns of
 * a larger one. */
static bool take_table(const struct pl_ruling *r, const struct pl_edges *e,
                       const struct pl_table_grid *grid)
{
    struct taking t;
    bool made = false;
    if (!lay_page(r, grid, &t))
        return false;
    if (pl_laying_trim(&t.laying) && !lay_page(r, grid, &t))
        return false;
    const bool is_part = !is_ruled_off(e) && t.n_rows > 2 && t.n_beside >= BESIDE_ROWS * t.n_rows;
    if (!t.laying.n_lines || is_part)
        return true;
    if (!pl_laying_end(r->arena, &t.laying, &t.blocks[t.table], &made))
        return false;
    if (made) {
        r->regions->blocks = t.blocks;
        r->regions->n_blocks = t.n_blocks;
    }
    return true;
}

/* Marks what is not in the area as outside. What is below the last of n_rows is where the place
 * above it is. */
static void keep_area(const struct ruled_areas *a, uint32_t area, int n_rows,
                      const struct pl_table_grid *fine)
{
    for (int i = 0; i < fine->n_rows * fine->n_columns; i++) {
        const int row = PL_MIN(i / fine->n_columns, n_rows - 1), column = i % fine->n_columns;
        fine->outside[i] = area_at(a, 0.5 * (fine->x[column] + fine->x[column + 1]),
                                   0.5 * (fine->y[row] + fine->y[row + 1])) != area;
    }
}

/* Fills *ret with the edges of rows first to end - 1 of an area, without those that part nothing.
 */
static void crop_edges(const struct pl_edges *from, const struct pl_table_grid *g, int first,
                       int end, struct pl_edges *ret)
{
    *ret = (struct pl_edges){.n_rows = end - first};
    for (int i = first; i <= end; i++) {
        ret->y[i - first] = from->y[i];
        ret->drawn_y[i - first] = true;
    }
    for (int c = 0; c <= from->n_columns; c++) {
        if (c && c < from->n_columns && !pl_grid_edge_used(g, first, end, c - 1))
            continue;
        ret->x[ret->n_columns] = from->x[c];
        ret->drawn_x[ret->n_columns++] = true;
    }
    ret->n_columns--;
}

/* Makes a table of the rows of an area between the edges, and of the rows and columns of text
 * within its cells. */
static bool take_rows(const struct pl_ruling *r, const struct ruled_areas *a, uint32_t area,
                      struct pl_edges *e)
{
    struct pl_table_grid drawn, fine;
    const struct pl_line **lines =
        PL_NEW(r->arena, const struct pl_line *, count_all_words(r->regions));
    if (!lines)
        return false;
    size_t n = lines_in(r->regions, a, area, e, lines);
    if (!n)
        return true;
    if (!pl_ruled_rows_part(r->arena, r->regions->glyph_px, lines, n, e) ||
        !pl_grid_init(r->arena, e->n_rows, e->n_columns, &drawn))
        return false;
    drawn.x = e->x;
    drawn.y = e->y;
    open_places(r, e, &drawn);
    if (!pl_ruled_columns_part(r->arena, r->regions->glyph_px, lines, n, &drawn, e))
        return false;
    pl_ruled_sums_add(r->regions, lines, &n, e);
    if (!pl_grid_init(r->arena, e->n_rows, e->n_columns, &fine))
        return false;
    fine.x = e->x;
    fine.y = e->y;
    fine.n_head = e->n_head;
    open_places(r, e, &fine);
    for (size_t i = 0; i < n; i++)
        open_crossed(r, e, lines[i], &fine);
    keep_area(a, area, e->n_rows - e->n_below, &fine);
    return take_table(r, e, &fine);
}

/* Tells of each row of an area whether it is fields of a form: by its type, or since numbers go on
 * from it to the next row, or from the one before it. */
static bool find_fields(const struct pl_ruling *r, const struct ruled_areas *a, uint32_t area,
                        const struct pl_table_grid *own, struct pl_edges *scratch, bool *ret)
{
    const struct pl_line **lines =
        PL_NEW(r->arena, const struct pl_line *, count_all_words(r->regions));
    long last = 0;
    if (!lines)
        return false;
    for (int row = 0; row < own->n_rows; row++) {
        struct pl_field_row fields;
        crop_edges(&a->edges, own, row, row + 1, scratch);
        if (!pl_ruled_rows_fields(r->arena, lines, lines_in(r->regions, a, area, scratch, lines),
                                  scratch, &fields))
            return false;
        ret[row] = fields.labelled;
        if (last && fields.first == last + 1)
            ret[row - 1] = ret[row] = true;
        last = fields.last;
    }
    return true;
}

/* Returns the row behind those from row r on, up to the end of a stack, that may be one table: each
 * row of fields is by itself. */
static int fields_end(const bool *fields, int r, int end)
{
    if (fields[r])
        return r + 1;
    while (++r < end && !fields[r])
        continue;
    return r;
}

/* Makes tables of one area: of its rows below each other that have columns in common. */
static bool take_area(const struct pl_ruling *r, const struct ruled_areas *a, uint32_t area)
{
    struct pl_table_grid own = a->grid;
    const int n = own.n_rows * own.n_columns;
    struct pl_edges *e = PL_NEW(r->arena, struct pl_edges, 1);
    bool *fields = PL_NEW(r->arena, bool, (size_t)own.n_rows);
    own.outside = PL_NEW(r->arena, bool, (size_t)n);
    if (!e || !fields || !own.outside)
        return false;
    for (int i = 0; i < n; i++)
        own.outside[i] = a->area[i] != area;
    if (!find_fields(r, a, area, &own, e, fields))
        return false;
    for (int row = 0, end; row < own.n_rows; row = end) {
        end = fields_end(fields, row, pl_grid_stack_end(&own, row));
        crop_edges(&a->edges, &own, row, end, e);
        if (!take_rows(r, a, area, e))
            return false;
    }
    return true;
}

/* Finds the grid that the rules in r->own make, and its areas. *ret_any is false where it has no
 * two columns. */
static bool find_areas(const struct pl_ruling *r, struct pl_rect box, struct ruled_areas *ret,
                       bool *ret_any)
{
    struct pl_edges *e = &ret->edges;
    e->n_columns = find_edges(r, true, box.x0, box.x1, PL_GRID_MAX_COLUMNS, e->x);
    e->n_rows = find_edges(r, false, box.y0, box.y1, PL_GRID_MAX_ROWS, e->y);
    *ret_any = e->n_columns > 1 && e->n_rows > 0;
    if (!*ret_any)
        return e->n_columns >= 0 && e->n_rows >= 0;
    for (int i = 0; i <= e->n_rows; i++)
        e->drawn_y[i] = true;
    for (int i = 0; i <= e->n_columns; i++)
        e->drawn_x[i] = true;
    if (!pl_grid_init(r->arena, e->n_rows, e->n_columns, &ret->grid))
        return false;
    ret->grid.x = e->x;
    ret->grid.y = e->y;
    open_places(r, e, &ret->grid);
    return pl_grid_areas(r->arena, &ret->grid, &ret->area);
}

/* Makes tables of the rules in r->own, if they are the grid of any. */
static bool make_tables(const struct pl_ruling *r, struct pl_rect box)
{
    struct ruled_areas *a = PL_NEW(r->arena, struct ruled_areas, 1);
    bool any;
    if (!a || !find_areas(r, box, a, &any))
        return false;
    for (uint32_t i = 0; any && i < (uint32_t)(a->grid.n_rows * a->grid.n_columns); i++)
        if (a->area[i] == i && !take_area(r, a, i)) /* an area is named by its first place */
            return false;
    return true;
}

/* Makes a table of bands, which the rules in r->own may part. What was made to find them, since the
 * mark, is forgotten: a page may have many that are no table. */
static bool take_bands(const struct pl_ruling *r, struct pl_arena_mark mark, struct pl_edges *e)
{
    pl_arena_rewind(r->arena, mark);
    double x[] = {e->x[0], e->x[e->n_columns]}, y[] = {e->y[0], e->y[e->n_rows]};
    uint32_t area = 0;
    bool outside = false;
    const struct ruled_areas whole = {
        .grid = {.n_rows = 1, .n_columns = 1, .x = x, .y = y, .outside = &outside}, .area = &area};
    return !e->n_columns || take_rows(r, &whole, area, e);
}

/* Makes tables of what stands between the level rules in r->own, if they part any. */
static bool take_ruled_bands(const struct pl_ruling *r)
{
    struct pl_edges *e = PL_NEW(r->arena, struct pl_edges, 1);
    size_t used;
    if (!e)
        return false;
    for (size_t i = 0; i + 1 < r->n_own; i += used) {
        const struct pl_arena_mark mark = pl_arena_mark(r->arena);
        if (!pl_bands_ruled(r->arena, r->regions, r->own + i, r->n_own - i, e, &used) ||
            !take_bands(r, mark, e))
            return false;
    }
    return true;
}

typedef bool bands_finder(struct pl_arena *arena, const struct pl_regions *regions, int *y,
                          struct pl_edges *ret);

/* Makes tables of the bands that `find` finds, which white alone parts. */
static bool take_spaced_bands(struct pl_ruling *r, bands_finder *find)
{
    struct pl_edges *e = PL_NEW(r->arena, struct pl_edges, 1);
    int y = 0;
    if (!e)
        return false;
    r->n_own = 0;
    while (y < r->regions->height) {
        const struct pl_arena_mark mark = pl_arena_mark(r->arena);
        if (!find(r->arena, r->regions, &y, e) || !take_bands(r, mark, e))
            return false;
    }
    return true;
}

static int by_height(const void *a, const void *b)
{
    const struct pl_rule *x = *(const struct pl_rule *const *)a,
                         *y = *(const struct pl_rule *const *)b;
    const int order =
        (pl_rule_middle(x) > pl_rule_middle(y)) - (pl_rule_middle(x) < pl_rule_middle(y));
    return order ? order : (x > y) - (x < y);
}

/* Makes tables of level rules that touch no others, level[0..n): of each set of them that begin and
 * end at the same places. */
static bool take_levels(struct pl_ruling *r, const struct pl_rule **level, size_t n)
{
    qsort(level, n, sizeof(*level), by_height);
    while (n) {
        const struct pl_rect first = level[0]->box;
        size_t kept = 0;
        r->n_own = 0;
        for (size_t i = 0; i < n; i++)
            if (abs(level[i]->box.x0 - first.x0) <= r->slack_px &&
                abs(level[i]->box.x1 - first.x1) <= r->slack_px)
                r->own[r->n_own++] = level[i];
            else
                level[kept++] = level[i];
        n = kept;
        if (!take_ruled_bands(r))
            return false;
    }
    return true;
}

bool pl_tables_ruled(struct pl_arena *arena, struct pl_regions *regions)
{
    const size_t n = regions->n_rules;
    struct pl_ruling r = {.arena = arena,
                          .regions = regions,
                          .slack_px = RULES_MISS * regions->glyph_px,
                          .group = PL_NEW(arena, uint32_t, n),
                          .box = PL_NEW(arena, struct pl_rect, n),
                          .own = PL_NEW(arena, const struct pl_rule *, n)};
    const struct pl_rule **level = PL_NEW(arena, const struct pl_rule *, n);
    size_t n_groups, n_level = 0;
    if (!r.group || !r.box || !r.own || !level)
        return false;
    pl_ruling_group(&r);
    const uint32_t *groups = pl_ruling_sort(&r, &n_groups);
    if (!groups)
        return false;
    for (size_t i = 0; i < n_groups; i++) {
        pl_ruling_take(&r, groups[i]);
        if (r.n_own == 1 && !r.own[0]->upright)
            level[n_level++] = r.own[0];
        if (r.n_own >= LEAST_RULES && !make_tables(&r, r.box[groups[i]]))
            return false;
    }
    return take_levels(&r, level, n_level) && take_spaced_bands(&r, pl_bands_centred) &&
           take_spaced_bands(&r, pl_bands_spaced);
}
