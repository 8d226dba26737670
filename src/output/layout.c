/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain text that keeps the columns: words stand where they stand on the page, on a grid as wide as
 * the median character. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/emitters.h"
#include "output/view.h"

/* A row of the grid runs over the whole page, whatever block a line is in: lines are in one when
 * their middles are closer than this, in line heights. */
#define GRID_ROW 0.5
/* A gap between two words of a line is no column when it is narrower than this. */
#define WORD_GAP 1.0
/* Rows that are farther apart than this have an empty line between them. */
#define FAR_ROWS 2.2

struct grid_word {
    double y; /* middle of the line, in pixels of the page picture */
    const struct pl_line *line;
    const struct pl_word *word;
};

struct char_grid {
    struct grid_word *cells; /* a word each */
    size_t n;
    double char_px, line_px; /* medians: width of a character, height of a line */
    int left_px;
};

static double line_height(const struct pl_line *l)
{
    double h = l->ascent_px + l->descent_px;
    return h >= 1 ? h : pl_rect_height(l->box);
}

static double line_middle(const struct pl_line *l)
{
    double center = l->slope * (l->box.x1 - l->box.x0) / 2;
    return l->base_y + center - (l->ascent_px - l->descent_px) / 2;
}

/* Returns the number of words in upright lines, and in *ret_turned that of words in turned lines.
 */
static size_t count_words(const struct pl_regions *r, size_t *ret_turned)
{
    size_t n[2] = {0};
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            n[r->blocks[b].lines[i].quarters != 0] += r->blocks[b].lines[i].n_words;
    *ret_turned = n[1];
    return n[0];
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_height(const void *a, const void *b)
{
    const struct grid_word *x = a, *y = b;
    int c = compare_numbers(&x->y, &y->y);
    return c ? c : (x->word > y->word) - (x->word < y->word);
}

static int by_place(const void *a, const void *b)
{
    const struct grid_word *x = a, *y = b;
    int c = (x->word->box.x0 > y->word->box.x0) - (x->word->box.x0 < y->word->box.x0);
    return c ? c : by_height(a, b);
}

/* `numbers` has room for one number a word. */
static void measure(struct char_grid *g, const struct pl_regions *r, double *numbers)
{
    size_t n = 0;
    g->left_px = INT32_MAX;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *l = &r->blocks[b].lines[i];
            for (size_t w = 0; w < l->n_words && !l->quarters; w++) {
                const struct pl_word *word = &l->words[w];
                g->left_px = PL_MIN(g->left_px, word->box.x0);
                numbers[n] = pl_rect_width(word->box) / (double)PL_MAX(word->n_chars, (size_t)1);
                g->cells[n++] = (struct grid_word){line_middle(l), l, word};
            }
        }
    g->n = n;
    qsort(numbers, n, sizeof(*numbers), compare_numbers);
    g->char_px = fmax(numbers[n / 2], 1);
    for (size_t i = 0; i < n; i++)
        numbers[i] = line_height(g->cells[i].line);
    qsort(numbers, n, sizeof(*numbers), compare_numbers);
    g->line_px = fmax(numbers[n / 2], 1);
}

static void put_row(const struct char_grid *g, struct grid_word *row, size_t n, struct pl_str *out)
{
    long column = 0;
    qsort(row, n, sizeof(*row), by_place);
    for (size_t i = 0; i < n; i++) {
        const struct pl_word *w = row[i].word;
        long want = lround((w->box.x0 - g->left_px) / g->char_px);
        if (i && row[i].line != row[i - 1].line)
            want = PL_MAX(want, column + 2);
        else if (i && w->box.x0 - row[i - 1].word->box.x1 < WORD_GAP * g->line_px)
            want = column + 1;
        else if (i)
            want = PL_MAX(want, column + 1);
        for (; column < want; column++)
            pl_str_putc(out, ' ');
        pl_str_puts(out, w->text);
        column += (long)w->n_chars;
    }
    pl_str_putc(out, '\n');
}

static void put_rows(struct char_grid *g, struct pl_str *out)
{
    qsort(g->cells, g->n, sizeof(*g->cells), by_height);
    for (size_t i = 0, end; i < g->n; i = end) {
        for (end = i; end < g->n && g->cells[end].y - g->cells[i].y < GRID_ROW * g->line_px; end++)
            continue;
        if (i && g->cells[i].y - g->cells[i - 1].y > FAR_ROWS * g->line_px)
            pl_str_putc(out, '\n');
        put_row(g, g->cells + i, end - i, out);
    }
}

/* Appends the lines that run up or down, each as a line of text: they have no place among the rows.
 */
static void put_turned(const struct pl_regions *r, struct pl_str *out)
{
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *l = &r->blocks[b].lines[i];
            if (l->quarters && l->n_words)
                pl_str_printf(out, "\n%s\n", l->text);
        }
}

static platen_status put_upright(const struct pl_env *env, const struct pl_page_result *page,
                                 size_t n, struct pl_str *out, struct platen_error *err)
{
    size_t bytes;
    if (!pl_mul(n, sizeof(struct grid_word) + sizeof(double), &bytes))
        return pl_fail_nomem(err, SIZE_MAX, "the layout of a page");
    struct char_grid g = {.cells = pl_bufpool_get(env->bufs, bytes)};
    if (!g.cells)
        return pl_fail_nomem(err, bytes, "the layout of a page");
    measure(&g, page->regions, (double *)(g.cells + n));
    put_rows(&g, out);
    pl_bufpool_put(env->bufs, g.cells, bytes);
    return PLATEN_OK;
}

static platen_status layout_emit(const struct pl_env *env, const struct pl_page_result *page,
                                 struct pl_str *out, struct platen_error *err)
{
    size_t turned, n = count_words(page->regions, &turned);
    platen_status s = n ? put_upright(env, page, n, out, err) : PLATEN_OK;
    if (!s && turned)
        put_turned(page->regions, out);
    return s || !(n + turned) ? s : pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_layout = {
    .name = "layout",
    .extension = "layout.txt",
    .media_type = "text/plain; charset=utf-8",
    .help = "the text as it stands on the page: columns stay beside each other, aligned",
    .separator = "\f",
    .needs = PLATEN_STAGE_RECOGNIZE,
    .emit = layout_emit,
};
