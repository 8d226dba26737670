/* SPDX-License-Identifier: BSD-2-Clause */
/* Letters and figures of a text by its bytes, for counts in which a sign beyond ASCII may pass for
 * a letter. */
#ifndef PL_LAYOUT_LETTERS_H
#define PL_LAYOUT_LETTERS_H

#include <stdbool.h>
#include <string.h>

/* Tells whether a byte of UTF-8 is a letter of ASCII, or of a character beyond that. */
static inline bool pl_is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c & 0x80;
}

/* Tells whether a text has any. */
static inline bool pl_has_letters(const char *s)
{
    while (*s && !pl_is_letter(*s))
        s++;
    return *s;
}

static inline bool pl_is_figure(char c)
{
    return c >= '0' && c <= '9';
}

/* Tells whether the figures of a text end in two decimals, as "39.00" and "9,90 €" do. */
static inline bool pl_is_amount(const char *s)
{
    size_t n = strlen(s);
    while (n && !pl_is_figure(s[n - 1]))
        n--;
    return n > 3 && pl_is_figure(s[n - 2]) && (s[n - 3] == '.' || s[n - 3] == ',') &&
           pl_is_figure(s[n - 4]);
}

#endif
