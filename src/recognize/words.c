/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/words.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "page/bidi.h"
#include "recognize/decoder.h"
#include "recognize/recognize_tuning.def"

struct char_span {
    size_t first, end; /* characters */
};

static bool is_apostrophe(const struct pl_read_char *c)
{
    return strcmp(c->symbol, "'") == 0 || strcmp(c->symbol, "\xE2\x80\x98") == 0 ||
           strcmp(c->symbol, "\xE2\x80\x99") == 0;
}

size_t pl_read_char_push(struct pl_read_char *chars, size_t n, struct pl_read_char c)
{
    struct pl_read_char *last = n ? &chars[n - 1] : NULL;
    if (!last || !is_apostrophe(last) || !is_apostrophe(&c) ||
        strcmp(last->symbol, c.symbol) == 0) {
        chars[n] = c;
        return n + 1;
    }
    struct pl_read_char surer = c.conf > last->conf ? c : *last;
    *last = (struct pl_read_char){surer.symbol, last->x0, c.x1, surer.conf};
    return n;
}

/* Finds the next word at or after character i. Returns false at the end. */
static bool next_word(const struct pl_read_char *chars, size_t n, size_t i, struct char_span *ret)
{
    while (i < n && pl_read_char_is_space(&chars[i]))
        i++;
    size_t end = i;
    while (end < n && !pl_read_char_is_space(&chars[end]))
        end++;
    *ret = (struct char_span){i, end};
    return end > i;
}

/* Returns the first ink box that ends right of x. */
static size_t gap_at(const struct pl_line *l, double x)
{
    size_t lo = 0, hi = l->n_gaps;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (l->gaps[mid].x1 > x)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

/* Returns the left end of the word whose first character is chars[i]. */
static double left_end(const struct pl_line *l, const struct pl_line_ink *ink,
                       const struct pl_read_char *chars, size_t i, double height)
{
    int x0, x1;
    double x = pl_read_char_center(&chars[i]), limit = i ? chars[i - 1].x1 : l->box.x0;
    for (size_t k = i; k-- > 0;) /* a neighbour's centre bounds what is ours */
        if (!pl_read_char_is_space(&chars[k])) {
            limit = pl_read_char_center(&chars[k]);
            if (ink && pl_line_ink_gap(ink, limit, x, &x0, &x1))
                return x1;
            break;
        }
    size_t g = gap_at(l, x);
    if (g < l->n_gaps && l->gaps[g].x0 >= limit && fabs(l->gaps[g].x0 - x) <= WORD_SNAP * height)
        return l->gaps[g].x0;
    double room = fmax(0, chars[i].x0 - (i ? chars[i - 1].x1 : l->box.x0));
    return chars[i].x0 - fmin(WORD_HALF_CHAR * height, i ? room / 2 : room);
}

/* Returns the right end of the word whose last character is chars[i]. */
static double right_end(const struct pl_line *l, const struct pl_line_ink *ink,
                        const struct pl_read_char *chars, size_t n, size_t i, double height)
{
    int x0, x1;
    double x = pl_read_char_center(&chars[i]), limit = l->box.x1;
    for (size_t k = i + 1; k < n; k++)
        if (!pl_read_char_is_space(&chars[k])) {
            limit = pl_read_char_center(&chars[k]);
            if (ink && pl_line_ink_gap(ink, x, limit, &x0, &x1))
                return x0;
            break;
        }
    size_t g = gap_at(l, x);
    if (g > 0 && (g == l->n_gaps || l->gaps[g].x0 > x))
        g--; /* between two boxes: the one before */
    if (g < l->n_gaps && l->gaps[g].x1 <= limit && fabs(l->gaps[g].x1 - x) <= WORD_SNAP * height)
        return l->gaps[g].x1;
    bool last = i + 1 == n;
    double room = fmax(0, (last ? l->box.x1 : chars[i + 1].x0) - chars[i].x1);
    return chars[i].x1 + fmin(WORD_HALF_CHAR * height, last ? room : room / 2);
}

/* Sets the rows of the ink boxes between x0 and x1; where there are none, those of the line
 * along its baseline. */
static void set_rows(const struct pl_line *l, struct pl_rect *box)
{
    struct pl_rect all = {0};
    for (size_t g = gap_at(l, box->x0); g < l->n_gaps && l->gaps[g].x0 < box->x1; g++)
        all = pl_rect_union(all, l->gaps[g]);
    if (!pl_rect_empty(all)) {
        box->y0 = all.y0;
        box->y1 = all.y1;
        return;
    }
    double y = pl_line_y(l, (box->x0 + box->x1) / 2.0);
    box->y0 = PL_CLAMP((int)floor(y - l->ascent_px), l->box.y0, l->box.y1 - 1);
    box->y1 = PL_CLAMP((int)ceil(y + l->descent_px), box->y0 + 1, l->box.y1);
}

/* Takes in the rows of ink boxes that reach below those of the line, as small type does. */
static void take_in_deep(const struct pl_line *l, struct pl_rect *box)
{
    for (size_t g = gap_at(l, box->x0); g < l->n_gaps && l->gaps[g].x0 < box->x1; g++) {
        const struct pl_rect *gap = &l->gaps[g];
        const double base = pl_line_y(l, 0.5 * (gap->x0 + gap->x1));
        if (gap->y1 - base > l->descent_px + 1)
            box->y1 = PL_MAX(box->y1, gap->y1);
    }
}

static struct pl_rect word_box(const struct pl_line *l, const struct pl_line_ink *ink,
                               const struct pl_read_char *chars, size_t n, struct char_span w)
{
    double height = fmax(l->ascent_px + l->descent_px, 1);
    double x0 = floor(left_end(l, ink, chars, w.first, height));
    double x1 = ceil(right_end(l, ink, chars, n, w.end - 1, height));
    struct pl_rect box = {.x0 = (int)fmax(x0, 0), .x1 = (int)fmax(x1, fmax(x0, 0) + 1)};
    if (!ink || !pl_line_ink_rows(ink, &box))
        set_rows(l, &box);
    else
        take_in_deep(l, &box);
    return box;
}

static float geometric_mean(const struct pl_read_char *chars, struct char_span w)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = w.first; i < w.end; i++) {
        if (pl_read_char_is_space(&chars[i]))
            continue;
        sum += log(fmax((double)chars[i].conf, 1e-9));
        n++;
    }
    return n ? (float)exp(sum / (double)n) : 0;
}

static size_t code_points(const char *s, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)s[i] & 0xc0) != 0x80;
    return count;
}

/* A text and the confidences of its code points. */
static platen_status set_text(struct pl_arena *arena, struct pl_str *scratch,
                              const struct pl_read_char *chars, struct char_span w,
                              struct pl_word *word, struct platen_error *err)
{
    pl_str_reset(scratch);
    for (size_t i = w.first; i < w.end; i++)
        pl_str_puts(scratch, chars[i].symbol);
    if (scratch->failed)
        return pl_fail_nomem(err, scratch->len, "a word");
    size_t n = code_points(scratch->s, scratch->len), k = 0;
    float *conf = PL_NEW(arena, float, n);
    word->text = pl_arena_strndup(arena, scratch->s, scratch->len);
    if (!conf || !word->text)
        return pl_fail_nomem(err, scratch->len, "a word");
    for (size_t i = w.first; i < w.end; i++)
        for (size_t c = code_points(chars[i].symbol, strlen(chars[i].symbol)); c > 0; c--)
            conf[k++] = chars[i].conf;
    word->char_conf = conf;
    word->n_chars = n;
    return PLATEN_OK;
}

/* Puts the characters of a word from their order on paper into that of reading. */
static void sort_chars(struct pl_read_char *chars, struct pl_bidi_char *at, struct char_span w)
{
    for (size_t i = w.first + 1; i < w.end; i++)
        for (size_t k = i; k > w.first && at[k - 1].place > at[k].place; k--) {
            const struct pl_bidi_char place = at[k];
            const struct pl_read_char c = chars[k];
            at[k] = at[k - 1];
            chars[k] = chars[k - 1];
            at[k - 1] = place;
            chars[k - 1] = c;
        }
}

/* Puts words that lie from left to right into the order of reading, by their first characters. */
static void sort_words(struct pl_word *words, size_t *first, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && first[k - 1] > first[k]; k--) {
            const size_t place = first[k];
            const struct pl_word word = words[k];
            first[k] = first[k - 1];
            words[k] = words[k - 1];
            first[k - 1] = place;
            words[k - 1] = word;
        }
}

/* A symbol of one character as `at` has it, which may be a mirror image. */
static const char *symbol_of(struct pl_arena *arena, const char *symbol, uint32_t code)
{
    char text[4];
    uint32_t old = 0;
    const size_t n = strlen(symbol);
    if (!n || pl_utf8_get(symbol, n, &old) != n || old == code)
        return symbol; /* also one of several characters */
    return pl_arena_strndup(arena, text, pl_utf8_put(text, code));
}

static uint32_t code_of(const char *symbol)
{
    uint32_t code;
    return *symbol && pl_utf8_get(symbol, strlen(symbol), &code) ? code : 0xfffd;
}

static bool has_from_right(const struct pl_read_char *chars, size_t n)
{
    size_t i = 0;
    while (i < n && !pl_bidi_is_in(chars[i].symbol))
        i++;
    return i < n;
}

/* Gives the characters their places in the order of reading; NULL where memory is short. */
static struct pl_bidi_char *find_order(struct pl_arena *arena, struct pl_read_char *chars, size_t n,
                                       struct pl_line *line)
{
    struct pl_bidi_char *at = PL_NEW(arena, struct pl_bidi_char, n);
    for (size_t i = 0; at && i < n; i++)
        at[i].code = code_of(chars[i].symbol);
    line->from_right = at && pl_bidi_from_right(at, n);
    bool ok = at && pl_bidi_read(at, n, line->from_right);
    for (size_t i = 0; ok && i < n; i++) {
        chars[i].symbol = symbol_of(arena, chars[i].symbol, at[i].code);
        ok = chars[i].symbol;
    }
    return ok ? at : NULL;
}

/* Sets the texts of the words, which have their boxes, and puts both into the order of reading. */
static platen_status spell(struct pl_arena *arena, struct pl_str *scratch,
                           struct pl_read_char *chars, size_t n, struct pl_line *line,
                           struct platen_error *err)
{
    struct char_span w;
    const bool turns = has_from_right(chars, n);
    struct pl_bidi_char *at = turns ? find_order(arena, chars, n, line) : NULL;
    size_t *first = turns ? PL_NEW(arena, size_t, line->n_words) : NULL, k = 0;
    if (turns && (!at || !first))
        return pl_fail_nomem(err, n * sizeof(*at), "the order of a line");
    platen_status s = PLATEN_OK;
    for (size_t i = 0; !s && next_word(chars, n, i, &w); i = w.end, k++) {
        if (turns) {
            sort_chars(chars, at, w);
            first[k] = at[w.first].place;
        }
        s = set_text(arena, scratch, chars, w, &line->words[k], err);
    }
    if (!s && turns)
        sort_words(line->words, first, line->n_words);
    return s;
}

static platen_status join_words(struct pl_arena *arena, struct pl_line *line,
                                struct platen_error *err)
{
    line->text = pl_words_join(arena, line->words, line->n_words);
    return line->text ? PLATEN_OK : pl_fail_nomem(err, line->n_words, "the text of a line");
}

platen_status pl_words_build(struct pl_arena *arena, struct pl_str *scratch,
                             const struct pl_line_ink *ink, struct pl_read_char *chars, size_t n,
                             struct pl_line *line, struct platen_error *err)
{
    struct char_span w;
    size_t count = 0;
    for (size_t i = 0; next_word(chars, n, i, &w); i = w.end)
        count++;
    line->words = PL_NEW(arena, struct pl_word, count);
    if (!line->words)
        return pl_fail_nomem(err, count * sizeof(struct pl_word), "words");
    line->n_words = line->n_doubted = 0;
    line->from_right = false;
    for (size_t i = 0; next_word(chars, n, i, &w); i = w.end) {
        struct pl_word *word = &line->words[line->n_words++];
        word->box = word_box(line, ink, chars, n, w);
        word->conf = geometric_mean(chars, w);
    }
    line->conf = geometric_mean(chars, (struct char_span){0, n});
    platen_status s = spell(arena, scratch, chars, n, line, err);
    return s ? s : join_words(arena, line, err);
}

platen_status pl_words_keep(struct pl_arena *arena, const bool *stays, struct pl_line *line,
                            struct platen_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < line->n_words; i++) {
        struct pl_word w = line->words[i];
        if (!stays[i])
            continue;
        memmove(&line->words[n + 1], &line->words[n], (i - n) * sizeof(w));
        line->words[n++] = w;
    }
    line->n_doubted += line->n_words - n;
    line->n_words = n;
    return join_words(arena, line, err);
}

/* Keeps the words of two and more characters that were read with at least `conf`. */
static platen_status keep_sure(struct pl_arena *arena, float conf, struct pl_line *line,
                               struct platen_error *err)
{
    bool *stays = PL_NEW(arena, bool, line->n_words);
    if (!stays)
        return pl_fail_nomem(err, line->n_words, "the words of a line");
    for (size_t i = 0; i < line->n_words; i++)
        stays[i] = line->words[i].n_chars >= 2 && line->words[i].conf >= conf;
    return pl_words_keep(arena, stays, line, err);
}

/* Returns whether the text is what drawings and textures are often read as: marks without a
 * letter or a figure, or one letter over and over. */
static bool is_pattern(const char *text)
{
    size_t n = strlen(text), k, total = 0, most = 0, count[128] = {0};
    uint32_t c;
    for (; n && (k = pl_utf8_get(text, n, &c)) > 0; text += k, n -= k) {
        enum pl_char_kind kind = pl_char_kind_of(c);
        if (kind != PL_CHAR_LETTER && kind != PL_CHAR_DIGIT)
            continue;
        total++;
        if (c < PL_ARRAY_LEN(count)) {
            size_t *same = &count[c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c];
            ++*same;
            most = PL_MAX(most, *same);
        }
    }
    return !total || (total >= PATTERN_CHARS && (double)most >= PATTERN_SAME * (double)total);
}

platen_status pl_words_doubt(struct pl_arena *arena, float min_conf, struct pl_line *line,
                             struct platen_error *err)
{
    float least = min_conf, doubt = 1 - min_conf;
    if (min_conf > 0 && is_pattern(line->text))
        least = 1 - 1.0f / PATTERN_DOUBT * doubt;
    return line->conf < least ? keep_sure(arena, 1 - 1.0f / KEPT_DOUBT * doubt, line, err)
                              : PLATEN_OK;
}

platen_status pl_words_refuse(struct pl_arena *arena, struct pl_line *line,
                              struct platen_error *err)
{
    return keep_sure(arena, 2, line, err);
}
