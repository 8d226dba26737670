/* SPDX-License-Identifier: BSD-2-Clause */
/* Check boxes: recognition has no such letter, and reads a square as a closing bracket. The picture
 * tells that it has four sides, and whether anything stands in it. */
#include <string.h>

#include "layout/layout_tuning.def"
#include "layout/steps.h"
#include "layout/tables.h"

#define EMPTY_BOX "\xE2\x98\x90"  /* U+2610 */
#define TICKED_BOX "\xE2\x98\x92" /* U+2612 */

/* The square in the grey page, and the lightest grey that is ink in it. */
struct box_image {
    struct pl_image part;
    int ink;
};

/* Returns how many pixels of a rectangle of the part are ink. */
static int count_ink(const struct box_image *b, int x0, int y0, int x1, int y1)
{
    int n = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            n += pl_image_row(&b->part, y)[x] <= b->ink;
    return n;
}

/* Tells ink from paper half-way between the darkest pixel and the lightest. */
static void tell_ink(struct box_image *b)
{
    int darkest = 255, lightest = 0;
    for (int y = 0; y < b->part.height; y++)
        for (int x = 0; x < b->part.width; x++) {
            const int grey = pl_image_row(&b->part, y)[x];
            darkest = PL_MIN(darkest, grey);
            lightest = PL_MAX(lightest, grey);
        }
    b->ink = (darkest + lightest) / 2;
}

/* Returns whether ink runs along each of the four edges of the square. */
static bool has_frame(const struct box_image *b)
{
    const int n = b->part.width, wide = BOX_EDGE * n / 100;
    int left = 0, right = 0, top = 0, bottom = 0;
    for (int i = 0; i < n; i++) {
        left += count_ink(b, 0, i, wide, i + 1) > 0;
        right += count_ink(b, n - wide, i, n, i + 1) > 0;
        top += count_ink(b, i, 0, i + 1, wide) > 0;
        bottom += count_ink(b, i, n - wide, i + 1, n) > 0;
    }
    return PL_MIN(PL_MIN(left, right), PL_MIN(top, bottom)) >= BOX_SIDE * n;
}

/* Returns what the square is that ends with a bracket as high as itself; NULL where it is none, or
 * nobody can tell whether it is empty. */
static const char *text_of_square(const struct pl_image *gray, struct pl_rect bracket)
{
    const int n = pl_rect_height(bracket);
    const struct pl_rect square = {bracket.x1 - n, bracket.y0, bracket.x1, bracket.y1};
    if (n < BOX_LEAST_PX || square.x0 < 0 || square.y0 < 0 || square.x1 > gray->width ||
        square.y1 > gray->height)
        return NULL;
    pl_auto_image part = pl_image_view(gray, square);
    struct box_image b = {.part = part};
    tell_ink(&b);
    if (!has_frame(&b))
        return NULL;
    const int first = BOX_FRAME * n / 100, end = n - first;
    const double inside =
        (double)count_ink(&b, first, first, end, end) / ((double)(end - first) * (end - first));
    return inside <= BOX_EMPTY ? EMPTY_BOX : inside >= BOX_TICKED ? TICKED_BOX : NULL;
}

static bool is_bracket(const struct pl_line *l, size_t word)
{
    return !strcmp(l->words[word].text, "]");
}

static bool any_bracket(const struct pl_regions *r)
{
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            for (size_t w = 0; w < r->blocks[b].lines[i].n_words; w++)
                if (is_bracket(&r->blocks[b].lines[i], w))
                    return true;
    return false;
}

/* Tells the boxes of a line. Returns false when memory is short. */
static bool tell_line(struct pl_arena *arena, const struct pl_image *gray, struct pl_line *l)
{
    bool any = false;
    for (size_t w = 0; w < l->n_words; w++) {
        struct pl_word *word = &l->words[w];
        const char *text = is_bracket(l, w) ? text_of_square(gray, word->box) : NULL;
        if (!text)
            continue;
        word->text = text;
        word->box.x0 = word->box.x1 - pl_rect_height(word->box);
        any = true;
    }
    if (any)
        l->text = pl_words_join(arena, l->words, l->n_words);
    return !any || l->text;
}

platen_status pl_check_boxes_tell(const struct pl_env *env, struct pl_arena *arena,
                                  const struct pl_page_image *page, struct pl_regions *r,
                                  struct platen_error *err)
{
    pl_auto_image gray = {0};
    if (!page->image.store || !any_bracket(r))
        return PLATEN_OK;
    const platen_status s = pl_page_image_gray(env, page, &gray, err);
    if (s)
        return s;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            if (!r->blocks[b].lines[i].quarters && !tell_line(arena, &gray, &r->blocks[b].lines[i]))
                return pl_fail(err, PLATEN_ERR_NOMEM, "out of memory for the boxes of the page");
    return PLATEN_OK;
}
