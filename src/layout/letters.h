/* SPDX-License-Identifier: BSD-2-Clause */
/* Letters of a text by its bytes, for counts in which a sign beyond ASCII may pass for a letter. */
#ifndef PL_LAYOUT_LETTERS_H
#define PL_LAYOUT_LETTERS_H

#include <stdbool.h>

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

#endif
