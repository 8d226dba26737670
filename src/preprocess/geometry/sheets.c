/* SPDX-License-Identifier: BSD-2-Clause */
/* What a picture shows beside its page. Paper is lighter than the table on which it lies, in any
 * light, but the light may change by half from one corner to the other: so cells of the picture are
 * compared with a plane through the grey of the paper. What lies between paper, in its row or its
 * column, is of the page: print, pictures, the shadow in a fold. */
#include "preprocess/geometry/sheets.h"

#include <string.h>

#include "image/resample.h"
#include "preprocess/ops.h"
#include "preprocess/geometry/geometry_tuning.def"

/* A picture is looked at in little, its longer side so long; so many of these px are a cell's side.
 */
#define LITTLE_PX (PL_SHEET_CELLS * CELL_PX)
#define CELL_PX 8

struct sheet_grid {
    int nx, ny;
    uint8_t light[PL_SHEET_CELLS][PL_SHEET_CELLS]; /* of each cell, the grey of its paper */
    bool paper[PL_SHEET_CELLS][PL_SHEET_CELLS];
};

/* a + b x + c y, of the grey of paper */
struct plane {
    double a, b, c;
};

/* The grey of which one px in SHEET_LIGHT of a cell is lighter: that of paper, between lines of
 * print, but not the lightest fibres of a carpet. */
static uint8_t light_of(const struct pl_image *little, int x0, int y0)
{
    const int x1 = PL_MIN(x0 + CELL_PX, little->width), y1 = PL_MIN(y0 + CELL_PX, little->height);
    int hist[256] = {0}, rank = (x1 - x0) * (y1 - y0) / SHEET_LIGHT, v = 255;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            hist[pl_image_row(little, y)[x]]++;
    while (v > 0 && (rank -= hist[v]) >= 0)
        v--;
    return (uint8_t)v;
}

static void fill_grid(const struct pl_image *little, struct sheet_grid *g)
{
    g->nx = (little->width + CELL_PX - 1) / CELL_PX;
    g->ny = (little->height + CELL_PX - 1) / CELL_PX;
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++)
            g->light[y][x] = light_of(little, x * CELL_PX, y * CELL_PX);
}

static uint8_t darkest_of(const struct sheet_grid *g)
{
    uint8_t darkest = 255;
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++)
            darkest = PL_MIN(darkest, g->light[y][x]);
    return darkest;
}

/* The grey of which one cell in SHEET_LIGHTEST is lighter. */
static int light_paper(const struct sheet_grid *g)
{
    int hist[256] = {0}, rank = g->nx * g->ny / SHEET_LIGHTEST, v = 255;
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++)
            hist[g->light[y][x]]++;
    while (v > 0 && (rank -= hist[v]) >= 0)
        v--;
    return v;
}

/* The plane of least squares through the paper; a level one where that tells of none. */
static struct plane plane_of(const struct sheet_grid *g)
{
    double n = 0, sx = 0, sy = 0, sl = 0, xx = 0, xy = 0, yy = 0, xl = 0, yl = 0;
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++)
            if (g->paper[y][x]) {
                const double l = g->light[y][x];
                n++, sx += x, sy += y, sl += l;
                xx += x * x, xy += x * y, yy += y * y, xl += x * l, yl += y * l;
            }
    n = PL_MAX(n, 1);
    xx -= sx * sx / n, xy -= sx * sy / n, yy -= sy * sy / n, xl -= sx * sl / n, yl -= sy * sl / n;
    const double det = xx * yy - xy * xy;
    if (!(det > 1))
        return (struct plane){sl / n, 0, 0};
    const double b = (xl * yy - yl * xy) / det, c = (yl * xx - xl * xy) / det;
    return (struct plane){(sl - b * sx - c * sy) / n, b, c};
}

/* Takes for paper what is at least `share` of the plane's grey. Returns whether that changes any
 * cell. */
static bool take_paper(struct sheet_grid *g, struct plane p, double share)
{
    bool changed = false;
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++) {
            const bool paper = g->light[y][x] >= share * (p.a + p.b * x + p.c * y);
            changed |= paper != g->paper[y][x];
            g->paper[y][x] = paper;
        }
    return changed;
}

/* Gives the label to the paper cells that hang together with cell (x, y); returns how many. */
static int label_piece(const struct sheet_grid *g, int16_t label[][PL_SHEET_CELLS], int16_t number,
                       int x, int y)
{
    static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    uint8_t stack[PL_SHEET_CELLS * PL_SHEET_CELLS][2];
    int n = 0, size = 0;
    stack[n][0] = (uint8_t)x, stack[n++][1] = (uint8_t)y;
    label[y][x] = number;
    for (; n; size++) {
        n--;
        const int cx = stack[n][0], cy = stack[n][1];
        for (int i = 0; i < 4; i++) {
            const int u = cx + step[i][0], v = cy + step[i][1];
            if (u < 0 || v < 0 || u >= g->nx || v >= g->ny || !g->paper[v][u] || label[v][u])
                continue;
            label[v][u] = number;
            stack[n][0] = (uint8_t)u, stack[n++][1] = (uint8_t)v;
        }
    }
    return size;
}

/* Drops pieces of paper that are far smaller than the largest: what is light on a table. */
static void drop_small(struct sheet_grid *g)
{
    int16_t label[PL_SHEET_CELLS][PL_SHEET_CELLS] = {{0}}, number = 0;
    int size[PL_SHEET_CELLS * PL_SHEET_CELLS + 1] = {0}, largest = 0;
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++)
            if (g->paper[y][x] && !label[y][x]) {
                number++;
                size[number] = label_piece(g, label, number, x, y);
                largest = PL_MAX(largest, size[number]);
            }
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++)
            g->paper[y][x] &= size[label[y][x]] * SHEET_PIECE >= largest;
}

/* The cells from the first paper of a row or column to the last. */
struct cell_range {
    int from, to;
};

static void reach(struct cell_range *s, int at)
{
    s->from = PL_MIN(s->from, at);
    s->to = PL_MAX(s->to, at);
}

static bool is_in(struct cell_range s, int at)
{
    return at >= s.from && at <= s.to;
}

/* Notes the cells that lie between no paper. */
static void mark_around(const struct sheet_grid *g, struct pl_sheet *sheet)
{
    struct cell_range rows[PL_SHEET_CELLS], columns[PL_SHEET_CELLS];
    for (int i = 0; i < PL_SHEET_CELLS; i++)
        rows[i] = columns[i] = (struct cell_range){PL_SHEET_CELLS, -1};
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++)
            if (g->paper[y][x]) {
                reach(&rows[y], x);
                reach(&columns[x], y);
            }
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++)
            if (!is_in(rows[y], x) && !is_in(columns[x], y))
                sheet->around[y] |= UINT64_C(1) << x;
}

/* Returns whether the page leaves a whole side of the picture free: else what is dark at its rim
 * may as well be printed. */
static bool leaves_a_side(const struct sheet_grid *g, const struct pl_sheet *sheet)
{
    const uint64_t last = UINT64_C(1) << (g->nx - 1), row = last | (last - 1);
    uint64_t all = row;
    for (int y = 0; y < g->ny; y++)
        all &= sheet->around[y];
    return (all & (last | 1)) || sheet->around[0] == row || sheet->around[g->ny - 1] == row;
}

/* Finds the paper of a grey picture in little. */
static void find_paper(const struct pl_image *little, struct sheet_grid *g)
{
    fill_grid(little, g);
    memset(g->paper, 0, sizeof(g->paper));
    take_paper(g, (struct plane){light_paper(g), 0, 0}, SHEET_FIRST);
    for (int round = 0; round < SHEET_ROUNDS && take_paper(g, plane_of(g), SHEET_GREY); round++)
        continue;
    drop_small(g);
}

/* Rows become columns. */
static void turn_grid(struct sheet_grid *g)
{
    for (int y = 0; y < PL_SHEET_CELLS; y++)
        for (int x = 0; x < y; x++) {
            const bool paper = g->paper[y][x];
            g->paper[y][x] = g->paper[x][y];
            g->paper[x][y] = paper;
        }
    const int nx = g->nx;
    g->nx = g->ny;
    g->ny = nx;
}

/* Returns the cells in which a fold would be: from the first paper to the last across, and in rows
 * with paper on both sides of the middle. Empty where there are none. */
static struct pl_rect book_of(const struct sheet_grid *g)
{
    struct cell_range across = {PL_SHEET_CELLS, -1}, down = across;
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++)
            if (g->paper[y][x])
                reach(&across, x);
    const int n = across.to + 1 - across.from, middle = across.from + n / 2;
    for (int y = 0; y < g->ny; y++) {
        bool left = false, right = false;
        for (int x = middle - n / 4; x < middle + n / 4; x++) {
            left |= x < middle && g->paper[y][x];
            right |= x >= middle && g->paper[y][x];
        }
        if (left && right)
            reach(&down, y);
    }
    return (struct pl_rect){across.from, down.from, across.to + 1, down.to + 1};
}

/* Looks for the fold of a book that is wider than high in `little`, whose cells are g; `whole`
 * where nothing lies around it. The ends of the fold are px of `little`. */
static platen_status find_fold(const struct pl_env *env, const struct pl_image *little,
                               const struct sheet_grid *g, bool whole, struct pl_sheet *sheet,
                               struct platen_error *err)
{
    struct pl_rect all = {0, 0, little->width, little->height}, book = all;
    if (!whole) {
        const struct pl_rect b = book_of(g);
        book = (struct pl_rect){b.x0 * CELL_PX, b.y0 * CELL_PX, b.x1 * CELL_PX, b.y1 * CELL_PX};
        book = pl_rect_intersect(book, all);
    }
    if (pl_rect_empty(book))
        return PLATEN_OK;
    const double aspect = (double)pl_rect_width(book) / pl_rect_height(book);
    if (aspect < SPLIT_MIN_ASPECT || aspect > SPLIT_MAX_ASPECT)
        return PLATEN_OK;
    return pl_fold_find(env, little, book, sheet->fold, &sheet->folded, err);
}

/* The same of a book that lies on its side. */
static platen_status find_level_fold(const struct pl_env *env, const struct pl_image *little,
                                     struct sheet_grid *g, bool whole, struct pl_sheet *sheet,
                                     struct platen_error *err)
{
    pl_auto_image turned = {0};
    platen_status s = pl_image_transpose(env, little, &turned, err);
    turn_grid(g);
    s = s ? s : find_fold(env, &turned, g, whole, sheet, err);
    for (int i = 0; i < 2; i++)
        sheet->fold[i] = (struct pl_point){sheet->fold[i].y, sheet->fold[i].x};
    return s;
}

/* Looks at a picture in little. The map of the sheet is from pixels of that to cells, and so is its
 * fold. */
static platen_status look(const struct pl_env *env, const struct pl_image *little,
                          struct pl_sheet *sheet, struct platen_error *err)
{
    struct sheet_grid g;
    find_paper(little, &g);
    mark_around(&g, sheet);
    sheet->darkest = darkest_of(&g);
    sheet->any_around = leaves_a_side(&g, sheet);
    sheet->to_cells = (struct pl_affine){1.0 / CELL_PX, 0, 0, 0, 1.0 / CELL_PX, 0};
    platen_status s = find_fold(env, little, &g, !sheet->any_around, sheet, err);
    if (!s && !sheet->folded)
        s = find_level_fold(env, little, &g, !sheet->any_around, sheet, err);
    return s;
}

platen_status pl_sheet_find(const struct pl_env *env, struct pl_page_image *page,
                            struct platen_error *err)
{
    pl_auto_image gray = {0}, little = {0};
    struct pl_sheet sheet = {.known = true};
    const double side = PL_MAX(page->image.width, page->image.height);
    if (page->sheet.known)
        return PLATEN_OK;
    platen_status s = PLATEN_OK;
    if (side >= SHEET_LEAST_PX) {
        const int w = PL_MAX((int)(page->image.width * LITTLE_PX / side), 1),
                  h = PL_MAX((int)(page->image.height * LITTLE_PX / side), 1);
        const struct pl_affine to_little = {w / (double)page->image.width,  0, 0, 0,
                                            h / (double)page->image.height, 0};
        const struct pl_affine back = pl_affine_inverse(&page->to_input);
        s = pl_page_image_gray(env, page, &gray, err);
        s = s ? s : pl_resample(env, &gray, w, h, &little, err);
        s = s ? s : look(env, &little, &sheet, err);
        const struct pl_affine to_image = pl_affine_inverse(&to_little),
                               to_input = pl_affine_chain(&to_image, &page->to_input);
        for (int i = 0; i < 2; i++)
            sheet.fold[i] = pl_affine_apply(&to_input, sheet.fold[i].x, sheet.fold[i].y);
        const struct pl_affine from_input = pl_affine_chain(&back, &to_little);
        sheet.to_cells = pl_affine_chain(&from_input, &sheet.to_cells);
    }
    if (!s)
        page->sheet = sheet;
    return s;
}

struct pl_rect pl_sheet_box(const struct pl_page_image *page)
{
    const double w = (double)page->image.width / PL_SHEET_CELLS,
                 h = (double)page->image.height / PL_SHEET_CELLS;
    struct cell_range across = {PL_SHEET_CELLS, -1}, down = across;
    for (int y = 0; y < PL_SHEET_CELLS; y++)
        for (int x = 0; x < PL_SHEET_CELLS; x++)
            if (!pl_sheet_is_around(
                    &page->sheet, pl_affine_apply(&page->to_input, (x + 0.5) * w, (y + 0.5) * h))) {
                reach(&across, x);
                reach(&down, y);
            }
    if (across.to < 0)
        return (struct pl_rect){0, 0, page->image.width, page->image.height};
    return (struct pl_rect){(int)(across.from * w), (int)(down.from * h),
                            (int)((across.to + 1) * w), (int)((down.to + 1) * h)};
}
