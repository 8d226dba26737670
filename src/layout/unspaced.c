/* SPDX-License-Identifier: BSD-2-Clause */
/* Scripts that part no words by blanks, as Chinese and Japanese are written, at the ends of lines:
 * what CSS Text 3 does to a line break there (4.1.3, Segment Break Transformation Rules), by the
 * widths of Unicode Standard Annex 11. */
#include <string.h>

#include "base/text.h"
#include "layout/flow.h"

/* How a character stands beside a line break. */
enum beside_break { PARTS, GOES_ALONG, JOINS };

static bool is_hangul(uint32_t c)
{
    return (c >= 0x1100 && c <= 0x11FF) || (c >= 0x3130 && c <= 0x318F) ||
           (c >= 0x3200 && c <= 0x321E) || (c >= 0x3260 && c <= 0x327E) ||
           (c >= 0xA960 && c <= 0xA97C) || (c >= 0xAC00 && c <= 0xD7A3);
}

/* Hangul has blanks between words. */
static bool has_no_blanks(uint32_t c)
{
    const bool halfwidth = c >= 0xFF61 && c <= 0xFF9F;
    return (pl_is_wide(c) && !is_hangul(c)) || halfwidth;
}

/* Marks of ambiguous width are of the script beside them: middle dot, dashes, quotes, ellipses. */
static enum beside_break class_of(uint32_t c)
{
    const bool mark = c == 0xB7 || c == 0x2014 || c == 0x2015 || c == 0x2018 || c == 0x2019 ||
                      c == 0x201C || c == 0x201D || c == 0x2025 || c == 0x2026;
    return has_no_blanks(c) ? JOINS : mark ? GOES_ALONG : PARTS;
}

static enum beside_break class_of_first(const char *text)
{
    uint32_t c = 0;
    return *text && pl_utf8_get(text, strlen(text), &c) ? class_of(c) : PARTS;
}

static enum beside_break class_of_last(const char *text)
{
    size_t at = strlen(text);
    while (at > 0 && ((unsigned char)text[--at] & 0xC0) == 0x80)
        continue;
    return class_of_first(text + at);
}

bool pl_unspaced_begins(const char *text)
{
    return class_of_first(text) == JOINS;
}

bool pl_unspaced_joins(const char *before, const char *after)
{
    const enum beside_break a = class_of_last(before), b = class_of_first(after);
    return a != PARTS && b != PARTS && (a == JOINS || b == JOINS);
}
