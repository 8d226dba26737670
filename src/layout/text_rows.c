/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes, strokes and places tell what rows are; where the lines have been read, so do capitals and
 * the first word of a caption. */
#include "layout/text_rows.h"

#include <string.h>

#include "detect/ink/sort.h"
#include "layout/columns.h"
#include "layout/line_words.h"
#include "layout/layout_tuning.def"

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns whether the line has enough letters for a heading; one that was not read may have. */
static bool has_letters(const struct pl_line *l)
{
    size_t n = 0;
    for (const char *s = l->text; s && *s; s++)
        n += is_upper(*s) || is_lower(*s);
    return n >= HEADING_LETTERS || !l->text;
}

/* Returns whether the letters of the line are capitals. */
static bool in_capitals(const struct pl_line *l)
{
    for (const char *s = l->text; s && *s; s++)
        if (is_lower(*s))
            return false;
    return l->text && has_letters(l);
}

/* Returns whether the row is a number alone: "12", "- 12 -". */
static bool is_number(const struct pl_text_row *r)
{
    size_t digits = 0;
    for (const char *s = r->lines[0].text; s && *s; s++)
        if (is_digit(*s))
            digits++;
        else if (!strchr(" -.[]()", *s))
            return false;
    return r->n == 1 && digits >= 1 && digits <= MARGIN_DIGITS;
}

size_t pl_text_rows_of(const struct pl_block *b, struct pl_text_row *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n_lines; i++) {
        struct pl_line *l = &b->lines[i];
        if (l->quarters)
            return 0;
        if (!n || !pl_same_row(&rows[n - 1].lines[rows[n - 1].n - 1], l))
            rows[n++] = (struct pl_text_row){.lines = l, .top = l->box.y0, .bottom = l->box.y1};
        rows[n - 1].n++;
        rows[n - 1].top = PL_MIN(rows[n - 1].top, l->box.y0);
        rows[n - 1].bottom = PL_MAX(rows[n - 1].bottom, l->box.y1);
    }
    return n;
}

/* Returns how long the strokes of a line are, in heights of its small letters. */
static double stroke_of(const struct pl_line *l)
{
    return l->stroke_px / pl_line_small_px(l);
}

static bool is_bold(const struct pl_text_page *p, const struct pl_line *l)
{
    return stroke_of(l) >= HEADING_BOLD * p->stroke;
}

/* Tells whether few enough rows are bold for headings, and it is known which are. */
static void measure_bold(struct pl_text_page *p)
{
    size_t bold = 0;
    for (size_t b = 0; b < p->regions->n_blocks; b++) {
        size_t rows = pl_text_rows_of(&p->regions->blocks[b], p->rows);
        for (size_t r = 0; r < rows; r++)
            bold += is_bold(p, p->rows[r].lines);
    }
    p->bold = p->stroke > 0 && (double)bold <= MOST_CAPITALS * (double)p->n_rows;
}

bool pl_text_page_measure(struct pl_arena *arena, struct pl_text_page *p, size_t n_lines,
                          size_t n_words)
{
    double *size = PL_NEW(arena, double, n_words), *step = PL_NEW(arena, double, n_lines),
           *stroke = PL_NEW(arena, double, n_words);
    size_t n = 0, m = 0, capitals = 0;
    if (!size || !step || !stroke)
        return false;
    p->box = (struct pl_rect){p->regions->width, p->regions->height, 0, 0};
    for (size_t b = 0; b < p->regions->n_blocks; b++) {
        size_t rows = pl_text_rows_of(&p->regions->blocks[b], p->rows);
        for (size_t r = 0; r < rows; r++) {
            if (r && p->rows[r].lines->base_y > p->rows[r - 1].lines->base_y)
                step[m++] = p->rows[r].lines->base_y - p->rows[r - 1].lines->base_y;
            capitals += in_capitals(p->rows[r].lines);
            p->box = pl_rect_union(p->box, p->rows[r].lines->box);
            for (size_t i = 0; i < p->rows[r].n; i++)
                for (size_t w = pl_line_count_words(&p->rows[r].lines[i]); w; w--) {
                    stroke[n] = stroke_of(&p->rows[r].lines[i]);
                    size[n++] = pl_line_small_px(&p->rows[r].lines[i]);
                }
        }
        p->n_rows += rows;
    }
    p->xheight = pl_median(size, n);
    p->stroke = pl_median(stroke, n);
    p->pitch = m ? pl_median(step, m) : USUAL_PITCH * p->xheight;
    p->capitals = (double)capitals <= MOST_CAPITALS * (double)p->n_rows;
    measure_bold(p);
    return true;
}

static bool is_large(const struct pl_text_page *p, const struct pl_text_row *r, double times)
{
    for (size_t i = 0; i < r->n; i++)
        if (pl_line_small_px(&r->lines[i]) < times * p->xheight)
            return false;
    return true;
}

/* Returns whether the line ends a sentence or a clause, or is the label of a field. */
static bool ends_clause(const struct pl_line *l)
{
    const size_t n = l->text ? strlen(l->text) : 0;
    return n && strchr(".,;:", l->text[n - 1]);
}

/* Returns whether the line is a label and a value with figures, as "DATE: 4 May" is. */
static bool is_label_and_value(const struct pl_line *l)
{
    const char *colon = l->text ? strchr(l->text, ':') : NULL;
    return colon && strpbrk(colon, "0123456789");
}

/* Returns whether two lines are of about the same size, as the rows of a heading are. */
static bool are_alike(const struct pl_line *a, const struct pl_line *b)
{
    const double x = pl_line_small_px(a), y = pl_line_small_px(b);
    return PL_MAX(x, y) <= HEADING_ALIKE * PL_MIN(x, y);
}

/* Returns whether row i of a block is bold, and stands by itself or ends before the others do: the
 * first words of a paragraph may be bold, too. */
static bool is_bold_row(const struct pl_text_page *p, const struct pl_text_row *rows, size_t i,
                        size_t n)
{
    const struct pl_line *l = rows[i].lines;
    int right = 0;
    for (size_t k = 0; k < n; k++)
        right = PL_MAX(right, rows[k].lines[rows[k].n - 1].box.x1);
    return p->bold && is_bold(p, l) && !ends_clause(l) &&
           (n == 1 || pl_rect_width(l->box) <= BOLD_ROW * (right - l->box.x0));
}

int pl_section_parts(const char *s)
{
    int parts = 0;
    for (size_t n; s && (n = strspn(s, "0123456789")) > 0 && n <= SECTION_DIGITS; parts++) {
        s += n;
        if (*s != '.')
            return *s == ' ' ? parts + 1 : 0;
        s++;
    }
    return s && *s == ' ' ? parts : 0;
}

/* Returns whether the line has the number of a part of a section before a name, as "2.1 Scope" has;
 * a line of a table of contents ends with the number of its page. */
static bool is_numbered(const struct pl_line *l)
{
    if (pl_section_parts(l->text) < 2)
        return false;
    const char *name = strchr(l->text, ' ') + 1;
    return is_upper(*name) && !ends_clause(l) && !is_digit(l->text[strlen(l->text) - 1]);
}

static bool is_short(const struct pl_text_page *p, const struct pl_text_row *r)
{
    return pl_rect_width(r->lines->box) <= SHORT_ROW * pl_rect_width(p->box);
}

/* Returns whether a line has no white as between columns. */
static bool is_run(const struct pl_text_page *p, const struct pl_line *l)
{
    struct pl_rect runs[PL_MAX_RUNS];
    return pl_line_runs(l, 0, pl_line_count_words(l), CELL_GAP * p->xheight, 0, runs, 0) == 1;
}

/* Returns whether row i, the first of a block, is large and no row of a paragraph in large type: it
 * may be as long as prose. */
static bool is_long_title(const struct pl_text_page *p, const struct pl_text_row *rows, size_t i,
                          size_t n)
{
    const bool alike = i + 1 < n && are_alike(rows[i].lines, rows[i + 1].lines) &&
                       is_large(p, &rows[i + 1], HEADING_LARGE);
    return i == 0 && is_large(p, rows, HEADING_LARGE) && !ends_clause(rows->lines) &&
           is_run(p, rows->lines) && (!alike || is_short(p, &rows[1]));
}

bool pl_text_row_is_heading(const struct pl_text_page *p, const struct pl_text_row *rows, size_t i,
                            size_t n)
{
    const struct pl_line *l = rows[i].lines;
    if (!has_letters(l) || is_large(p, &rows[i], HEADING_VERY_LARGE))
        return has_letters(l);
    bool first = i == 0 || (rows[i - 1].heading && are_alike(rows[i - 1].lines, l)),
         capitals = p->capitals && in_capitals(l), bold = is_bold_row(p, rows, i, n),
         marked =
             (capitals || bold || is_numbered(l)) && (first || i + 1 < n) && !is_label_and_value(l);
    return rows[i].n == 1 && (is_large(p, &rows[i], HEADING_LARGE) || marked) &&
           (first || l->base_y - rows[i - 1].lines->base_y >= HEADING_APART * p->pitch) &&
           (is_short(p, &rows[i]) || is_long_title(p, rows, i, n));
}

/* ---- heads, feet, captions ---- */

/* Returns whether line i of a block may be dirt: a word of one or two characters that stands alone
 * in its row. Cells of a table are as short, and stand beside others. */
static bool is_dirt(const struct pl_block *b, size_t i)
{
    const struct pl_line *l = &b->lines[i];
    const bool beside =
        (i && pl_same_row(l - 1, l)) || (i + 1 < b->n_lines && pl_same_row(l, l + 1));
    return l->n_words == 1 && l->words[0].n_chars <= DIRT_CHARS && !beside;
}

/* Returns how far rows must be from the rest to be a head or foot, in row distances. */
static double gap_of(const struct pl_text_page *p, const struct pl_text_row *v, size_t n)
{
    if (n == 1 && is_number(v))
        return MARGIN_NUMBER_GAP;
    for (size_t i = 0; i < n; i++)
        if (v[i].n == 1 && pl_rect_width(v[i].lines->box) > SHORT_ROW * pl_rect_width(p->box))
            return MARGIN_LONG_GAP;
    return MARGIN_GAP;
}

/* Returns whether nothing but dirt is beyond rows v[0..n) at this end of the page, or near them. */
static bool is_margin(const struct pl_text_page *p, const struct pl_text_row *v, size_t n,
                      bool foot)
{
    const struct pl_regions *r = p->regions;
    const struct pl_text_row *last = &v[n - 1];
    double edge = foot ? (1 - MARGIN_HEIGHT) * r->height : MARGIN_HEIGHT * r->height;
    double gap = gap_of(p, v, n) * p->pitch;
    for (size_t i = 0; i < n; i++)
        if (is_large(p, &v[i], MARGIN_LARGE) || (foot ? v[i].top < edge : v[i].bottom > edge))
            return false;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *l = &r->blocks[b].lines[i];
            bool own = l >= v->lines && l < last->lines + last->n;
            if (!own && !l->quarters && !is_dirt(&r->blocks[b], i) &&
                (foot ? l->base_y > v->lines->base_y - gap : l->base_y < last->lines->base_y + gap))
                return false;
        }
    return true;
}

size_t pl_text_rows_margin(const struct pl_text_page *p, const struct pl_text_row *rows, size_t n,
                           bool foot)
{
    for (size_t k = PL_MIN(n, (size_t)MARGIN_ROWS); k && p->n_rows >= k + MARGIN_REST; k--)
        if (is_margin(p, foot ? rows + n - k : rows, k, foot))
            return k;
    return 0;
}

bool pl_text_rows_are_caption(const struct pl_text_row *rows, size_t n)
{
    static const char *const names[] = {"table", "figure", "fig",    "plate",
                                        "chart", "map",    "exhibit"};
    const char *s = rows[0].lines[0].text;
    char word[8];
    size_t k = 0;
    if (!s || n > CAPTION_ROWS)
        return false;
    for (; k + 1 < sizeof(word) && (is_upper(*s) || is_lower(*s)); s++)
        word[k++] = (char)(*s | 0x20);
    word[k] = 0;
    s += strspn(s, ". ");
    size_t number = strspn(s, "0123456789IVX-.");
    const char *next = s + number + strspn(s + number, "abc .:()");
    for (size_t i = 0; number && !is_lower(*next) && i < PL_ARRAY_LEN(names); i++)
        if (!strcmp(word, names[i]) && is_upper(rows[0].lines[0].text[0]))
            return true;
    return false;
}
