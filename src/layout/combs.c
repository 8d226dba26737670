/* SPDX-License-Identifier: BSD-2-Clause */
/* Combs: rows of small equal cells, each for one letter or figure, as forms have them. Recognition
 * reads what stands in each by itself; here all of a comb becomes one line, whose words end at its
 * empty cells. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmath.h"
#include "layout/layout_tuning.def"
#include "layout/line_words.h"
#include "layout/steps.h"

#define MAX_CELLS 64

/* What was read in a cell; `text` is NULL where nothing was. */
struct tooth {
    const char *text; /* of one character, `bytes` long, that nothing ends */
    size_t bytes;
    float conf;
    bool doubted;
    struct pl_rect box;
};

struct comb {
    struct pl_rect box; /* from its first upright rule to its last one */
    double pitch_px;
    size_t n;
    struct tooth teeth[MAX_CELLS];
};

/* The upright rules of a page from left to right. */
struct uprights {
    const struct pl_rule **rules;
    bool *taken; /* it is a rule of a comb that was found */
    size_t n;
};

static double middle_of(const struct pl_rule *r)
{
    return 0.5 * (r->box.x0 + r->box.x1);
}

static int by_place(const void *a, const void *b)
{
    const struct pl_rule *x = *(const struct pl_rule *const *)a,
                         *y = *(const struct pl_rule *const *)b;
    const int order = (middle_of(x) > middle_of(y)) - (middle_of(x) < middle_of(y));
    return order ? order : (x > y) - (x < y);
}

/* Returns whether two upright rules end at the same heights. */
static bool are_level(const struct pl_rule *a, const struct pl_rule *b)
{
    const int slack = PL_MAX((int)(COMB_LEVEL * pl_rect_height(a->box)), 2);
    return abs(a->box.y0 - b->box.y0) <= slack && abs(a->box.y1 - b->box.y1) <= slack;
}

/* Returns the first rule that is level with rule i and from `least` to `most` px behind it; u->n
 * where there is none. */
static size_t next_rule(const struct uprights *u, size_t i, double least, double most)
{
    const double x = middle_of(u->rules[i]);
    for (size_t k = i + 1; k < u->n && middle_of(u->rules[k]) <= x + most; k++)
        if (middle_of(u->rules[k]) >= x + least && are_level(u->rules[i], u->rules[k]))
            return k;
    return u->n;
}

/* Finds the longest comb that begins with rule `first`, and takes its rules. Returns false where
 * there is none. */
static bool find_comb(struct uprights *u, size_t first, struct comb *ret)
{
    const double high = pl_rect_height(u->rules[first]->box);
    double least = COMB_NARROW * high, most = COMB_WIDE * high;
    size_t at[MAX_CELLS + 1] = {first};
    *ret = (struct comb){.box = u->rules[first]->box};
    while (ret->n < MAX_CELLS) {
        const size_t next = next_rule(u, at[ret->n], least, most);
        if (next == u->n)
            break;
        at[++ret->n] = next;
        ret->box = pl_rect_union(ret->box, u->rules[next]->box);
        ret->pitch_px = (double)pl_rect_width(ret->box) / (double)ret->n;
        least = (1 - COMB_UNEVEN) * ret->pitch_px;
        most = (1 + COMB_UNEVEN) * ret->pitch_px;
    }
    for (size_t i = 0; ret->n >= COMB_CELLS && i <= ret->n; i++)
        u->taken[at[i]] = true;
    return ret->n >= COMB_CELLS;
}

/* Returns the length of the character at s, in bytes. */
static size_t char_bytes(const char *s)
{
    size_t n = 1;
    while ((s[n] & 0xC0) == 0x80)
        n++;
    return n;
}

/* Puts the characters of a word into the cells that it reaches over; of two in one cell the surer
 * one stays. Returns false where it has not one for each. */
static bool put_word(struct comb *comb, const struct pl_word *w, bool doubted)
{
    const double inner = PL_MIN(0.5 * pl_rect_width(w->box), 0.25 * comb->pitch_px);
    const double from = (w->box.x0 + inner - comb->box.x0) / comb->pitch_px,
                 to = (w->box.x1 - inner - comb->box.x0) / comb->pitch_px;
    const size_t first = (size_t)PL_MAX(from, 0), last = (size_t)PL_MAX(to, from);
    const char *s = w->text;
    if (last >= comb->n || last - first + 1 != w->n_chars)
        return false;
    for (size_t i = first; i <= last; i++) {
        struct tooth t = {s, char_bytes(s), w->char_conf ? w->char_conf[i - first] : w->conf,
                          doubted, w->box};
        if (w->n_chars > 1) {
            t.box.x0 = comb->box.x0 + (int)((double)i * comb->pitch_px);
            t.box.x1 = comb->box.x0 + (int)((double)(i + 1) * comb->pitch_px);
        }
        s += t.bytes;
        if (!comb->teeth[i].text || t.conf > comb->teeth[i].conf)
            comb->teeth[i] = t;
    }
    return true;
}

/* Takes what was read in the cells of a comb, and finds the line that its text will be in: that of
 * its first cell that is not empty. Returns false where a word does not keep to the cells or stands
 * below another (columns of a table are no cells), fewer than two of them were filled, or most of
 * these with what is not trusted: bars are no cells. */
static bool fill(struct comb *comb, const struct pl_regions *r, struct pl_block **block,
                 struct pl_line **home)
{
    size_t filled = 0, doubted = 0;
    int x0 = INT_MAX, lowest_top = INT_MIN, highest_bottom = INT_MAX;
    *block = NULL;
    *home = NULL;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            struct pl_line *l = &r->blocks[b].lines[i];
            for (size_t w = 0; !l->quarters && w < l->n_words + l->n_doubted; w++) {
                if (!pl_stands_in(l->words[w].box, comb->box))
                    continue;
                if (w < l->n_words) {
                    lowest_top = PL_MAX(lowest_top, l->words[w].box.y0);
                    highest_bottom = PL_MIN(highest_bottom, l->words[w].box.y1);
                }
                if (highest_bottom <= lowest_top || !put_word(comb, &l->words[w], w >= l->n_words))
                    return false;
                if (l->words[w].box.x0 < x0) {
                    x0 = l->words[w].box.x0;
                    *block = &r->blocks[b];
                    *home = l;
                }
            }
        }
    for (size_t i = 0; i < comb->n; i++) {
        filled += comb->teeth[i].text != NULL;
        doubted += comb->teeth[i].doubted;
    }
    return filled >= COMB_FILLED && 2 * doubted < filled;
}

static bool is_figure(const struct tooth *t)
{
    return t->bytes == 1 && *t->text >= '0' && *t->text <= '9';
}

/* Figures that look like the letters of a word, where all others are figures: alone in its cell
 * nothing tells one from the other. */
static void settle_alike(struct tooth *teeth, size_t n)
{
    static const char letters[] = "OoIl|", figures[] = "00111";
    size_t alike = 0, sure = 0;
    for (size_t i = 0; i < n; i++) {
        sure += is_figure(&teeth[i]);
        alike += teeth[i].bytes == 1 && strchr(letters, *teeth[i].text);
    }
    for (size_t i = 0; i < n && sure && sure + alike == n; i++)
        if (!is_figure(&teeth[i]))
            teeth[i].text = &figures[strchr(letters, *teeth[i].text) - letters];
}

/* Makes one word of n teeth. Returns false when memory is short. */
static bool word_of(struct pl_arena *arena, struct tooth *teeth, size_t n, struct pl_word *ret)
{
    size_t bytes = 0;
    float log_conf = 0;
    settle_alike(teeth, n);
    for (size_t i = 0; i < n; i++)
        bytes += teeth[i].bytes;
    char *text = PL_NEW(arena, char, bytes + 1), *end = text;
    float *conf = PL_NEW(arena, float, n);
    if (!text || !conf)
        return false;
    *ret = (struct pl_word){.box = teeth[0].box, .text = text, .char_conf = conf, .n_chars = n};
    for (size_t i = 0; i < n; i++) {
        memcpy(end, teeth[i].text, teeth[i].bytes);
        end += teeth[i].bytes;
        conf[i] = teeth[i].conf;
        log_conf += pl_logf(PL_MAX(conf[i], 1e-6f)) / (float)n;
        ret->box = pl_rect_union(ret->box, teeth[i].box);
    }
    *end = '\0';
    ret->conf = pl_expf(log_conf);
    return true;
}

/* Makes words of what stands between empty cells. Returns false when memory is short. */
static bool words_of(struct pl_arena *arena, struct comb *comb, struct pl_word *words,
                     size_t *ret_n)
{
    *ret_n = 0;
    for (size_t first = 0, end; first < comb->n; first = end + 1) {
        for (end = first; end < comb->n && comb->teeth[end].text; end++)
            ;
        if (end > first && !word_of(arena, comb->teeth + first, end - first, &words[(*ret_n)++]))
            return false;
    }
    return true;
}

/* Takes the words that stand in a comb from all lines, and puts them joined into `home`. Returns
 * false when memory is short. */
static bool tell_comb(struct pl_arena *arena, struct pl_regions *r, struct comb *comb,
                      struct pl_block *block, struct pl_line *home)
{
    struct pl_word words[MAX_CELLS];
    size_t n;
    if (!words_of(arena, comb, words, &n))
        return false;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            struct pl_line *l = &r->blocks[b].lines[i];
            const size_t all = l->n_words + l->n_doubted;
            if (l->quarters)
                continue;
            pl_words_drop(l, comb->box);
            if (l == home || l->n_words + l->n_doubted == all)
                continue;
            if (!(l->text = pl_words_join(arena, l->words, l->n_words)))
                return false;
            l->outdone |= !l->n_words && !l->n_doubted;
        }
    return pl_words_add(arena, block, home, words, n);
}

bool pl_combs_join(struct pl_arena *arena, struct pl_regions *r)
{
    struct uprights u = {PL_NEW(arena, const struct pl_rule *, r->n_rules),
                         PL_NEW(arena, bool, r->n_rules), 0};
    if (!r->n_rules)
        return true;
    if (!u.rules || !u.taken)
        return false;
    for (size_t i = 0; i < r->n_rules; i++)
        if (r->rules[i].upright)
            u.rules[u.n++] = &r->rules[i];
    qsort(u.rules, u.n, sizeof(*u.rules), by_place);
    memset(u.taken, 0, u.n);
    for (size_t i = 0; i < u.n; i++) {
        struct comb comb;
        struct pl_block *block;
        struct pl_line *home;
        if (!u.taken[i] && find_comb(&u, i, &comb) && fill(&comb, r, &block, &home) &&
            !tell_comb(arena, r, &comb, block, home))
            return false;
    }
    return true;
}
