/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/spaces.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "recognize/pitch.h"
#include "recognize/recognize_tuning.def"

/* Widths that are counted; a wider gap counts as one so wide. */
#define WIDEST 255

/* How many gaps of a line have each width in px. */
struct gaps {
    uint32_t count[WIDEST + 1], n;
};

/* Returns the width of the widest gap between two characters. */
static int gap_between(const struct pl_line_ink *ink, const struct pl_read_char *a,
                       const struct pl_read_char *b)
{
    int x0, x1;
    return pl_line_ink_gap(ink, pl_read_char_center(a), pl_read_char_center(b), &x0, &x1)
               ? PL_MIN(x1 - x0, WIDEST)
               : 0;
}

/* Returns the width that a share of the gaps does not exceed. */
static int quantile(const struct gaps *g, double share)
{
    assert(g->n > 0 && share <= 1);
    uint32_t sum = 0;
    for (int w = 0; w < WIDEST; w++) {
        sum += g->count[w];
        if (sum >= share * g->n)
            return w;
    }
    return WIDEST;
}

/* Sorts the gaps of the line into those of words and of letters. What is underlined has no column
 * without ink: such words say nothing of how far the line's words stand apart. */
static void measure(const struct pl_line_ink *ink, const struct pl_read_char *chars, size_t n,
                    struct gaps *words, struct gaps *letters)
{
    for (size_t i = 0; i + 1 < n; i++) {
        bool blank = i + 2 < n && pl_read_char_is_space(&chars[i + 1]);
        if (pl_read_char_is_space(&chars[i]) || (!blank && pl_read_char_is_space(&chars[i + 1])) ||
            (blank && (chars[i + 1].conf < BLANK_SURE || pl_read_char_is_space(&chars[i + 2]))))
            continue;
        struct gaps *g = blank ? words : letters;
        int gap = gap_between(ink, &chars[i], &chars[i + 1 + blank]);
        if (blank && !gap)
            continue;
        g->count[gap]++;
        g->n++;
    }
}

/* Returns whether a gap parts words although no blank was read: word and letter are the usual gaps
 * of the line, in px. */
static bool parts_words(int gap, int word, int letter)
{
    return gap >= BLANK_UNREAD * word && gap > BLANK_BEYOND * letter + 1;
}

static bool is_one_of(const struct pl_read_char *c, const char *const *symbols)
{
    while (*symbols && strcmp(c->symbol, *symbols) != 0)
        symbols++;
    return *symbols != NULL;
}

/* Returns whether the gap between a and b belongs to a mark, as printers of old books set it:
 * before ; : ! ? and inside quotes, and narrower than a blank of the line. */
static bool is_thin(int gap, int word, const struct pl_read_char *a, const struct pl_read_char *b)
{
    static const char *const closing[] = {";", ":", "!", "?", "\xE2\x80\x9D", NULL};
    static const char *const opening[] = {"\xE2\x80\x9C", NULL};
    return gap < BLANK_THIN * word && (is_one_of(b, closing) || is_one_of(a, opening));
}

/* Returns whether c may begin what follows the mark: readers expect a blank there, also where the
 * typist left it out. */
static bool begins_phrase(const struct pl_read_char *mark, const struct pl_read_char *c)
{
    static const char *const breaks[] = {",", ";", NULL};
    static const char *const stops[] = {".", ":", "!", "?", NULL};
    uint32_t code = 0;
    pl_utf8_get(c->symbol, strlen(c->symbol), &code);
    return is_one_of(mark, breaks) || (is_one_of(mark, stops) && pl_small_letter(code) != code);
}

/* Returns whether no blank fits between a and b, which stand in a line of one pitch. */
static bool is_too_near(double pitch, const struct pl_read_char *a, const struct pl_read_char *b)
{
    return pl_read_char_center(b) - pl_read_char_center(a) < PITCH_NO_BLANK * pitch &&
           !begins_phrase(a, b);
}

/* Takes doubtful blanks out of a line of one pitch; returns the new number of characters. */
static size_t settle_pitch(struct pl_read_char *chars, size_t n)
{
    const double pitch = pl_pitch_find(chars, n);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const bool inside = kept && i + 1 < n;
        if (!inside || !pl_read_char_is_space(&chars[i]) || chars[i].conf >= PITCH_BELIEVED ||
            !is_too_near(pitch, &chars[kept - 1], &chars[i + 1]))
            chars[kept++] = chars[i];
    }
    return kept;
}

/* As pl_spaces_settle() says, by the line's gaps. */
static size_t settle_gaps(const struct pl_line_ink *ink, struct pl_read_char *chars, size_t n)
{
    struct gaps words = {0}, letters = {0};
    measure(ink, chars, n, &words, &letters);
    if (words.n < BLANK_WORD_GAPS || letters.n < BLANK_LETTER_GAPS)
        return n;
    const int word = quantile(&words, 0.5), letter = quantile(&letters, BLANK_LETTER_SHARE);
    struct pl_read_char *old = chars + n; /* the upper half is free */
    size_t kept = 0;
    memcpy(old, chars, n * sizeof(*chars));
    for (size_t i = 0; i < n; i++) {
        if (i && !pl_read_char_is_space(&old[i]) && !pl_read_char_is_space(&old[i - 1]) &&
            parts_words(gap_between(ink, &old[i - 1], &old[i]), word, letter))
            chars[kept++] = (struct pl_read_char){" ", old[i - 1].x1, old[i].x0, BLANK_SURE};
        if (i && i + 1 < n && pl_read_char_is_space(&old[i]) &&
            is_thin(gap_between(ink, &old[i - 1], &old[i + 1]), word, &old[i - 1], &old[i + 1]))
            continue;
        chars[kept++] = old[i];
    }
    return kept;
}

size_t pl_spaces_settle(const struct pl_line_ink *ink, struct pl_read_char *chars, size_t n)
{
    return settle_gaps(ink, chars, settle_pitch(chars, n));
}
