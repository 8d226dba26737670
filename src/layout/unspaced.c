/* SPDX-License-Identifier: BSD-2-Clause */
/* Scripts that part no words by blanks, as Chinese and Japanese are written, at the ends of lines:
 * what CSS Text 3 does to a line break there (4.1.3, Segment Break Transformation Rules), by the
 * widths of Unicode Standard Annex 11. */
#include <string.h>

#include "base/text.h"
#include "layout/steps.h"

/* How a character stands beside a line break. */
enum beside_break { PARTS, GOES_ALONG, JOINS };

/* Wide and fullwidth characters, and halfwidth ones that are no Hangul, which has blanks. */
static bool is_wide(uint32_t c)
{
    static const uint32_t range[][2] = {{0x2E80, 0x303E}, {0x3041, 0x312F},   {0x3190, 0x31FF},
                                        {0x3220, 0x325F}, {0x3280, 0x4DBF},   {0x4E00, 0xA4CF},
                                        {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF01, 0xFF9F},
                                        {0xFFE0, 0xFFE6}, {0x1F200, 0x1F2FF}, {0x20000, 0x3FFFD}};
    for (size_t i = 0; i < PL_ARRAY_LEN(range); i++)
        if (c >= range[i][0] && c <= range[i][1])
            return true;
    return false;
}

/* Marks of ambiguous width are of the script beside them: middle dot, dashes, quotes, ellipses. */
static enum beside_break class_of(uint32_t c)
{
    const bool mark = c == 0xB7 || c == 0x2014 || c == 0x2015 || c == 0x2018 || c == 0x2019 ||
                      c == 0x201C || c == 0x201D || c == 0x2025 || c == 0x2026;
    return is_wide(c) ? JOINS : mark ? GOES_ALONG : PARTS;
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
