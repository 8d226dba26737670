/* SPDX-License-Identifier: BSD-2-Clause */
/* Box files as Tesseract has them: a row for each character with its left, lower, right and upper
 * edge, counted from the lower left corner of the picture, and the page, from 0. A word is divided
 * evenly: where its characters meet is not known. */
#include <string.h>

#include "output/emitters.h"
#include "output/view.h"

static struct pl_rect slice(struct pl_rect r, size_t i, size_t n)
{
    const long long x = r.x0, width = pl_rect_width(r);
    r.x0 = (int)(x + width * (long long)i / (long long)n);
    r.x1 = (int)(x + width * (long long)(i + 1) / (long long)n);
    return r;
}

static void put_char(const struct pl_page_result *page, const char *s, size_t n, struct pl_rect box,
                     struct pl_str *out)
{
    pl_str_add(out, s, n);
    pl_str_printf(out, " %d %d %d %d %zu\n", box.x0, page->height - box.y1, box.x1,
                  page->height - box.y0, page->number - 1);
}

static void put_word(const struct pl_page_result *page, const struct pl_line *l,
                     const struct pl_word *w, struct pl_str *out)
{
    const char *s = w->text;
    uint32_t c;
    for (size_t i = 0, k, left = strlen(s); left; i++, s += k, left -= k) {
        k = PL_MAX(pl_utf8_get(s, left, &c), (size_t)1);
        const size_t n = PL_MAX(w->n_chars, i + 1);
        put_char(page, s, k, pl_view_box(page, l, slice(w->box, i, n)), out);
    }
}

static platen_status box_emit(const struct pl_env *env PL_UNUSED, const struct pl_page_result *page,
                              struct pl_str *out, struct platen_error *err)
{
    for (size_t b = 0; b < page->regions->n_blocks; b++)
        for (size_t i = 0; i < page->regions->blocks[b].n_lines; i++) {
            const struct pl_line *l = &page->regions->blocks[b].lines[i];
            for (size_t w = 0; w < l->n_words; w++)
                put_word(page, l, &l->words[w], out);
        }
    return pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_box = {
    .name = "box",
    .extension = "box",
    .media_type = "text/plain; charset=utf-8",
    .help = "Tesseract's box file: a row for each character, words divided evenly",
    .needs = PLATEN_STAGE_RECOGNIZE,
    .emit = box_emit,
};
